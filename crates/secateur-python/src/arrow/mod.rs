//! Tables from anything that speaks the Arrow C data interface: Polars, PyArrow, DuckDB and others.
//!
//! The interface is three C structs that are handed over in capsules (<https://arrow.apache.org/docs/format/CDataInterface.html>,
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>). Columns become what the program makes of
//! the same types in a Parquet file: numbers, decimals and times numeric, booleans and text nominal, text in the order of
//! appearance.

mod abi;
mod cells;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use secateur::data::{Column, Values};

use abi::{ArrowArray, ArrowSchema, ArrowStream};
use cells::Cells;

/// The columns of an object with `__arrow_c_stream__` or `__arrow_c_array__`, and whether it is a table. What is not a
/// table is one column.
pub fn read(object: &Bound<'_, PyAny>) -> PyResult<(Vec<Column>, bool)> {
    let py = object.py();
    if let Ok(method) = object.getattr("__arrow_c_stream__") {
        let capsule = method.call0()?.cast_into::<PyCapsule>()?;
        let mut stream = ArrowStream::from_capsule(&capsule)?;
        let schema = stream.schema().map_err(PyValueError::new_err)?;
        let mut fields = Fields::of(&schema)?;
        while let Some(array) = stream.next().map_err(PyValueError::new_err)? {
            fields.push(&array)?;
            py.check_signals()?;
        }
        return Ok(fields.finish());
    }
    let pair = object.getattr("__arrow_c_array__")?.call0()?.cast_into::<PyTuple>()?;
    let schema = ArrowSchema::from_capsule(&pair.get_item(0)?.cast_into::<PyCapsule>()?)?;
    let array = ArrowArray::from_capsule(&pair.get_item(1)?.cast_into::<PyCapsule>()?)?;
    let mut fields = Fields::of(&schema)?;
    fields.push(&array)?;
    Ok(fields.finish())
}

/// The columns while batches arrive.
struct Fields {
    table: bool,
    names: Vec<String>,
    cells: Vec<Cells>,
}

impl Fields {
    fn of(schema: &ArrowSchema) -> PyResult<Self> {
        let table = schema.format() == "+s";
        let fields: Vec<&ArrowSchema> = if table { schema.children().collect() } else { vec![schema] };
        let names: Vec<String> = fields.iter().map(|field| field.name()).collect();
        let cells = fields
            .iter()
            .zip(&names)
            .map(|(field, name)| Cells::of(field).map_err(|problem| wrong(name, &problem)))
            .collect::<PyResult<_>>()?;
        Ok(Self { table, names, cells })
    }

    fn push(&mut self, array: &ArrowArray) -> PyResult<()> {
        if !self.table {
            return self.cells[0].push(array, 0, array.len()).map_err(|e| wrong(&self.names[0], &e));
        }
        if array.children().count() != self.cells.len() {
            return Err(PyValueError::new_err("an Arrow batch does not have the columns of its schema"));
        }
        for ((cells, column), name) in self.cells.iter_mut().zip(array.children()).zip(&self.names) {
            // The offset of the table counts for its columns as well.
            cells.push(column, array.offset(), array.len()).map_err(|problem| wrong(name, &problem))?;
        }
        Ok(())
    }

    fn finish(self) -> (Vec<Column>, bool) {
        let values = self.cells.into_iter().map(Cells::finish);
        let columns = self.names.into_iter().zip(values);
        (columns.map(|(name, values): (_, Values)| Column { name, values }).collect(), self.table)
    }
}

fn wrong(name: &str, problem: &str) -> PyErr {
    PyTypeError::new_err(format!("column '{name}': {problem}"))
}
