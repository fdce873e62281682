//! Columns from Arrow arrays, whether these were decoded from a Parquet file or handed over in memory.
//!
//! | Arrow | table |
//! |---|---|
//! | integers, floats, decimals | numeric, rounded to the nearest `f64` |
//! | date, timestamp | numeric: seconds since 1970-01-01 00:00 UTC, with fractions |
//! | time, duration | numeric: seconds |
//! | boolean | nominal: `false`, `true` |
//! | text | nominal, in the order of appearance |
//! | dictionary | nominal in memory, where it says that; in a file like its values |
//! | null | missing |
//!
//! In a Parquet file a column can also be asked to be nominal: what is not text then gets its values as text, in their
//! natural order. Texts that stand for missing values in CSV files (`?`, `NA`) are values: null says what is missing.
//!
//! ```
//! use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
//! use secateur::data::{Table, Values};
//! use std::sync::Arc;
//!
//! let batch = RecordBatch::try_from_iter([
//!     ("size", Arc::new(Float32Array::from(vec![Some(1.5), None])) as ArrayRef),
//!     ("colour", Arc::new(StringArray::from(vec!["red", "blue"]))),
//! ])?;
//! let table = Table::try_from(&batch)?;
//! assert_eq!(table.rows(), 2);
//! assert!(matches!(&table.columns()[1].values, Values::Nominal(colour) if colour.levels == ["red", "blue"]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod codes;
mod numbers;
mod text;

#[cfg(test)]
mod tests;

pub(super) use codes::Coder;
pub(super) use numbers::fill as fill_numbers;

use super::intern::Interner;
use super::{Column, Nominal, Table, Values};
use crate::error::{Error, Place, Result};
use crate::schema::ShownAs;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{DataType, Fields, TimeUnit};

/// How a column of an Arrow type is read.
pub(super) enum Plan {
    Numbers,
    /// Values from a list, which may begin with some.
    Codes(Interner<String>),
}

impl Plan {
    /// The plan for a type; `nominal` says what is asked for, if anything is. The error says what is wrong with the type.
    pub(super) fn new(data_type: &DataType, nominal: Option<bool>) -> Result<Self, String> {
        let data_type = plain(data_type);
        let text = data_type.is_string();
        let boolean = *data_type == DataType::Boolean;
        if !(text || boolean || data_type.is_null() || divisor(data_type).is_some()) {
            return Err(format!(
                "its type {data_type} is not supported; expected numbers, text, booleans or times; leave the column out"
            ));
        }
        if !nominal.unwrap_or(text || boolean) {
            return Ok(Self::Numbers);
        }
        let mut levels = Interner::default();
        if boolean {
            levels.code("false");
            levels.code("true");
        }
        Ok(Self::Codes(levels))
    }
}

/// The type of the values, where it is a dictionary.
fn plain(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => values,
        other => other,
    }
}

/// How the numbers of an Arrow type are shown.
///
/// ```
/// use secateur::{data::arrow::shown_as, schema::ShownAs};
/// assert_eq!(shown_as(&arrow_schema::DataType::Date32), ShownAs::Date);
/// ```
pub fn shown_as(data_type: &DataType) -> ShownAs {
    match data_type {
        DataType::Date32 | DataType::Date64 => ShownAs::Date,
        DataType::Timestamp(..) => ShownAs::DateTime,
        DataType::Time32(_) | DataType::Time64(_) => ShownAs::Time,
        _ => ShownAs::Plain,
    }
}

/// For what is numeric: how many of its units make one of the column, that is a second if it counts time (but days are multiplied).
fn divisor(data_type: &DataType) -> Option<f64> {
    let per_second = |unit: &TimeUnit| match unit {
        TimeUnit::Second => 1.0,
        TimeUnit::Millisecond => 1e3,
        TimeUnit::Microsecond => 1e6,
        TimeUnit::Nanosecond => 1e9,
    };
    match data_type {
        DataType::Date64 => Some(1e3),
        DataType::Time32(unit)
        | DataType::Time64(unit)
        | DataType::Timestamp(unit, _)
        | DataType::Duration(unit) => Some(per_second(unit)),
        other => (other.is_numeric() || *other == DataType::Date32).then_some(1.0),
    }
}

/// Columns of a table while Arrow batches arrive, one after the other.
///
/// ```
/// use arrow_array::{ArrayRef, Int32Array};
/// use arrow_schema::{DataType, Field, Fields};
/// use secateur::data::{Values, arrow::Gathered};
/// use std::sync::Arc;
///
/// let fields = Fields::from(vec![Field::new("age", DataType::Int32, false)]);
/// let mut gathered = Gathered::new(&fields)?;
/// gathered.push(&[Arc::new(Int32Array::from(vec![36])) as ArrayRef])?;
/// gathered.push(&[Arc::new(Int32Array::from(vec![41])) as ArrayRef])?;
/// assert_eq!(gathered.finish()[0].values, Values::Numeric(vec![36.0, 41.0]));
/// # Ok::<(), secateur::Error>(())
/// ```
pub struct Gathered {
    columns: Vec<Gathering>,
}

/// One column of several batches.
struct Gathering {
    name: String,
    cells: Cells,
}

enum Cells {
    Numbers(Vec<f64>),
    Codes { coder: Coder, codes: Vec<u32> },
}

impl Gathered {
    /// No rows yet, of columns with these names and types. The error names the first column whose type cannot be used.
    pub fn new(fields: &Fields) -> Result<Self> {
        let column = |(number, field): (usize, &arrow_schema::FieldRef)| {
            let declared = matches!(field.data_type(), DataType::Dictionary(..)).then_some(true);
            let cells = match Plan::new(field.data_type(), declared)
                .map_err(|problem| Error::input(place(number, field.name()), problem))?
            {
                Plan::Numbers => Cells::Numbers(Vec::new()),
                Plan::Codes(levels) => {
                    let coder = Coder::new(levels);
                    let is_ordered = field.dict_is_ordered() == Some(true);
                    Cells::Codes {
                        coder: if is_ordered { coder.in_order() } else { coder },
                        codes: Vec::new(),
                    }
                }
            };
            Ok(Gathering { name: field.name().clone(), cells })
        };
        Ok(Self { columns: fields.iter().enumerate().map(column).collect::<Result<_>>()? })
    }

    /// Adds the rows of one array for each column.
    pub fn push(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        if arrays.len() != self.columns.len() {
            return Err(Error::input(
                Place::default(),
                format!("a batch has {} columns, but {} were announced", arrays.len(), self.columns.len()),
            ));
        }
        for (number, (column, array)) in self.columns.iter_mut().zip(arrays).enumerate() {
            column.push(array).map_err(|problem| Error::input(place(number, &column.name), problem))?;
        }
        Ok(())
    }

    /// The columns with all their rows.
    pub fn finish(self) -> Vec<Column> {
        let values = |cells| match cells {
            Cells::Numbers(numbers) => Values::Numeric(numbers),
            Cells::Codes { coder, codes } => Values::Nominal(Nominal { levels: coder.into_levels(), codes }),
        };
        let columns = self.columns.into_iter();
        columns.map(|column| Column { name: column.name, values: values(column.cells) }).collect()
    }
}

impl Gathering {
    fn push(&mut self, array: &ArrayRef) -> Result<(), String> {
        match &mut self.cells {
            Cells::Numbers(numbers) => {
                let first = numbers.len();
                numbers.resize(first + array.len(), 0.0);
                fill_numbers(&mut numbers[first..], first, array)
            }
            Cells::Codes { coder, codes } => {
                let first = codes.len();
                codes.resize(first + array.len(), 0);
                coder.fill(&mut codes[first..], array)
            }
        }
    }
}

fn how_shown(fields: &Fields) -> Vec<ShownAs> {
    fields.iter().map(|field| shown_as(field.data_type())).collect()
}

fn place(number: usize, name: &str) -> Place {
    Place::default().column(number as u64 + 1).attribute(name)
}

impl Table {
    /// The table of all batches of a reader; `name` is what the table is called in messages and models.
    pub fn from_batches(name: impl Into<String>, batches: impl RecordBatchReader) -> Result<Self> {
        let schema = batches.schema();
        let mut gathered = Gathered::new(schema.fields())?;
        for batch in batches {
            let batch = batch.map_err(|error| Error::input(Place::default(), error.to_string()))?;
            gathered.push(batch.columns())?;
        }
        Ok(Self::new(name, gathered.finish())?.with_shown_as(how_shown(schema.fields())))
    }
}

/// A table named `table`.
impl TryFrom<RecordBatch> for Table {
    type Error = Error;

    fn try_from(batch: RecordBatch) -> Result<Self> {
        Self::try_from(&batch)
    }
}

/// A table named `table`.
impl TryFrom<&RecordBatch> for Table {
    type Error = Error;

    fn try_from(batch: &RecordBatch) -> Result<Self> {
        let mut gathered = Gathered::new(batch.schema_ref().fields())?;
        gathered.push(batch.columns())?;
        Ok(Self::new("table", gathered.finish())?.with_shown_as(how_shown(batch.schema_ref().fields())))
    }
}
