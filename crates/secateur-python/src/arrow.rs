//! Tables from anything that speaks the Arrow C data interface: Polars, PyArrow, DuckDB and others.
//!
//! The interface is three C structs that are handed over in capsules (<https://arrow.apache.org/docs/format/CDataInterface.html>,
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>); `arrow-array` knows them. What columns
//! become is said in `secateur::data::arrow`.

#![allow(unsafe_code, reason = "tables of other libraries come as C structs behind pointers")]

use std::ffi::CStr;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use secateur::Error;
use secateur::data::Column;
use secateur::data::arrow::{Gathered, shown_as};
use secateur::error::shown;
use secateur::schema::ShownAs;

/// What is read of an object.
pub struct ReadColumns {
    /// The columns, or those that are used.
    pub columns: Vec<Column>,
    /// How the numbers of these columns are shown.
    pub shown: Vec<ShownAs>,
    /// The columns whose values are in order.
    pub ordered: Vec<String>,
    /// The names of all columns.
    pub names: Vec<String>,
    /// Whether it is a table. Otherwise it is one column.
    pub is_table: bool,
}

/// The columns of an object with `__arrow_c_stream__` or `__arrow_c_array__`: those that are used, where it has as many as that list.
pub fn read(object: &Bound<'_, PyAny>, used: Option<&[bool]>) -> PyResult<ReadColumns> {
    let py = object.py();
    if let Ok(method) = object.getattr("__arrow_c_stream__") {
        let capsule = method.call0()?.cast_into::<PyCapsule>()?;
        let stream = pointer::<FFI_ArrowArrayStream>(&capsule, c"arrow_array_stream")?;
        // SAFETY: a capsule of this name holds this struct, which is left as one that was released.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
        let stream = ArrayStreamReader::try_new(stream).map_err(refused)?;
        let mut rows = Rows::new(stream.field().clone(), used)?;
        for array in stream {
            rows.push(&array.map_err(refused)?)?;
            py.check_signals()?;
        }
        return Ok(rows.finish());
    }
    let pair = object.getattr("__arrow_c_array__")?.call0()?.cast_into::<PyTuple>()?;
    let schema = pointer::<FFI_ArrowSchema>(&pair.get_item(0)?.cast_into()?, c"arrow_schema")?;
    let array = pointer::<FFI_ArrowArray>(&pair.get_item(1)?.cast_into()?, c"arrow_array")?;
    // SAFETY: as above, for both capsules of the pair.
    let (schema, array) = unsafe { (FFI_ArrowSchema::from_raw(schema), FFI_ArrowArray::from_raw(array)) };
    if schema.release().is_none() || array.is_released() {
        return Err(PyValueError::new_err("the Arrow data in the capsule are used up"));
    }
    let mut rows = Rows::new(Field::try_from(&schema).map_err(refused)?.into(), used)?;
    // SAFETY: the producer promises that its array is as the interface says and has this type.
    let array = unsafe { from_ffi(array, &schema) }.map_err(refused)?;
    rows.push(&make_array(array))?;
    Ok(rows.finish())
}

/// Where the struct in a capsule of this name is.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<*mut T> {
    Ok(capsule.pointer_checked(Some(name))?.cast::<T>().as_ptr())
}

/// The columns while arrays arrive.
struct Rows {
    table: bool,
    names: Vec<String>,
    /// The columns that are read: their places and fields.
    places: Vec<usize>,
    fields: Fields,
    gathered: Gathered,
}

impl Rows {
    fn new(field: FieldRef, used: Option<&[bool]>) -> PyResult<Self> {
        let (all, table) = match field.data_type() {
            DataType::Struct(fields) => (fields.clone(), true),
            _ => (vec![field].into(), false),
        };
        let used = used.filter(|used| used.len() == all.len());
        let places: Vec<usize> = (0..all.len()).filter(|&c| used.is_none_or(|used| used[c])).collect();
        let fields: Fields = places.iter().map(|&place| all[place].clone()).collect();
        let gathered = Gathered::new(&fields).map_err(|error| PyTypeError::new_err(told(error)))?;
        let names = all.iter().map(|field| field.name().clone()).collect();
        Ok(Self { table, names, places, fields, gathered })
    }

    fn push(&mut self, array: &ArrayRef) -> PyResult<()> {
        let arrays = if self.table { array.as_struct().columns() } else { std::slice::from_ref(array) };
        let arrays: Vec<ArrayRef> = self.places.iter().map(|&place| arrays[place].clone()).collect();
        for (field, array) in self.fields.iter().zip(&arrays) {
            check(array)
                .map_err(|e| PyValueError::new_err(format!("column {}: {e}", shown(field.name()))))?;
        }
        self.gathered.push(&arrays).map_err(|error| PyValueError::new_err(told(error)))
    }

    fn finish(self) -> ReadColumns {
        let shown = self.fields.iter().map(|field| shown_as(field.data_type())).collect();
        let ordered = self.fields.iter().filter(|field| field.dict_is_ordered() == Some(true));
        let ordered = ordered.map(|field| field.name().clone()).collect();
        ReadColumns {
            columns: self.gathered.finish(),
            shown,
            ordered,
            names: self.names,
            is_table: self.table,
        }
    }
}

/// Checks what the import takes on trust and reading would rely on: text is UTF-8, places are within the dictionary.
fn check(array: &ArrayRef) -> Result<(), ArrowError> {
    let data_type = array.data_type();
    if data_type.is_string() || matches!(data_type, DataType::Dictionary(..)) {
        return array.to_data().validate_full();
    }
    Ok(())
}

/// An error with the name of the column before it, as in all messages of the package.
fn told(error: Error) -> String {
    match error {
        Error::Input { place, problem, .. } => match place.attribute {
            Some(name) => format!("column {}: {problem}", shown(&name)),
            None => problem,
        },
        other => other.to_string(),
    }
}

/// What `arrow-array` refuses to import.
fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("the Arrow data cannot be read: {error}"))
}
