//! One row to predict, as names and values.

use std::borrow::Cow;

use crate::data::{Column, MISSING, Nominal, Table, Values};
use crate::error::Result;

/// A value of a [`Row`]. Numbers, text and truth values become one by themselves, and `None` a missing one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RowValue {
    /// A number; NaN is missing.
    Number(f64),
    /// A value from a list, by its text.
    Text(String),
    /// No value.
    Missing,
}

/// One row to predict: values by the names of their columns, in any order. Columns that are not there are missing values.
///
/// The macro [`row!`](crate::row) writes one down; pairs can be collected into one.
///
/// ```
/// use secateur::{Row, row};
/// let row = row! { "age" => 55.0, "city" => "Lima", "income" => None::<f64> };
/// let pairs: Row = [("age", 55.0)].into_iter().collect();
/// assert_eq!(row! { "age" => 55 }, pairs);
/// assert_eq!(row.iter().count(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    cells: Vec<(String, RowValue)>,
}

impl Row {
    /// The same row with one more value.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<RowValue>) -> Self {
        self.cells.push((name.into(), value.into()));
        self
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RowValue)> {
        self.cells.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// A table of this row.
    pub(super) fn table(&self) -> Result<Table> {
        let values = |value: &RowValue| match value {
            RowValue::Number(x) => Values::Numeric(vec![*x]),
            RowValue::Text(text) => Values::Nominal(Nominal { levels: vec![text.clone()], codes: vec![0] }),
            RowValue::Missing => Values::Nominal(Nominal { levels: Vec::new(), codes: vec![MISSING] }),
        };
        let column =
            |(name, value): &(String, RowValue)| Column { name: name.clone(), values: values(value) };
        Table::new("row", self.cells.iter().map(column).collect())
    }
}

impl<N: Into<String>, V: Into<RowValue>> FromIterator<(N, V)> for Row {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Self { cells: pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect() }
    }
}

macro_rules! numbers {
    ($($kind:ty),*) => {$(
        impl From<$kind> for RowValue {
            fn from(number: $kind) -> Self {
                Self::Number(number as f64)
            }
        }
    )*};
}

numbers!(f64, f32, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl From<&str> for RowValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<&String> for RowValue {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<String> for RowValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Cow<'_, str>> for RowValue {
    fn from(text: Cow<'_, str>) -> Self {
        Self::Text(text.into_owned())
    }
}

impl From<bool> for RowValue {
    fn from(truth: bool) -> Self {
        Self::Text(truth.to_string())
    }
}

impl<T: Into<RowValue>> From<Option<T>> for RowValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

/// Writes a [`Row`](crate::Row) down: `row! { "age" => 55.0, "city" => "Lima" }`.
#[macro_export]
macro_rules! row {
    ($($name:expr => $value:expr),* $(,)?) => {
        $crate::predict::Row::default()$(.with($name, $value))*
    };
}
