//! A table in memory: named columns of numbers or of values from a list.

use std::collections::HashSet;

use crate::error::{Error, Place, Result};
use crate::schema::ShownAs;
use crate::threads;

/// The code of a missing nominal value.
pub const MISSING: u32 = u32::MAX;

/// A nominal column: a code for every row, and what the codes mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nominal {
    /// The values a row can have, without repetition.
    pub levels: Vec<String>,
    /// For every row the index of its value in `levels`, or [`MISSING`].
    pub codes: Vec<u32>,
}

/// The cells of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Finite numbers; NaN is a missing value.
    Numeric(Vec<f64>),
    /// Values from a list.
    Nominal(Nominal),
}

impl Values {
    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Numeric(values) => values.len(),
            Self::Nominal(nominal) => nominal.codes.len(),
        }
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of missing cells.
    pub fn missing(&self) -> usize {
        match self {
            Self::Numeric(values) => values.iter().filter(|v| v.is_nan()).count(),
            Self::Nominal(nominal) => nominal.codes.iter().filter(|&&c| c == MISSING).count(),
        }
    }

    /// What is wrong with the first cell that is not as it must be.
    pub(super) fn wrong(&self) -> Option<String> {
        match self {
            Self::Numeric(values) => position(values, |v| v.is_infinite()).map(|row| {
                format!("row {} is {}; expected a finite number or a missing value (?)", row + 1, values[row])
            }),
            Self::Nominal(nominal) => {
                let levels = nominal.levels.len() as u64;
                position(&nominal.codes, |c| c != MISSING && u64::from(c) >= levels)
                    .map(|row| format!("row {} has a code outside the {levels} values", row + 1))
            }
        }
    }
}

/// One named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name, unique in the table.
    pub name: String,
    /// Its cells.
    pub values: Values,
}

/// Whether a number is not whole. (`f64::fract` is a call on some processors.)
#[inline]
pub(super) fn has_fraction(x: f64) -> bool {
    // From here on all numbers are whole; below, sums with it are.
    const WHOLE: f64 = (1u64 << 52) as f64;
    let size = x.abs();
    size < WHOLE && (size + WHOLE) - WHOLE != size
}

/// Where the first cell is that something holds for: asked of many cells at once, since it hardly ever does.
pub(super) fn position<T: Copy>(cells: &[T], holds: impl Fn(T) -> bool) -> Option<usize> {
    const MANY: usize = 1024;
    let any = |part: &[T]| part.iter().fold(false, |any, &cell| any | holds(cell));
    let part = cells.chunks(MANY).position(any)? * MANY;
    cells[part..].iter().position(|&cell| holds(cell)).map(|at| part + at)
}

/// A table: columns of equal length with different names.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    name: String,
    columns: Vec<Column>,
    rows: usize,
    /// How the numbers of columns are shown; columns beyond its end have plain numbers.
    shown_as: Vec<ShownAs>,
}

impl Table {
    /// Puts columns together after checking that they fit: equal lengths, different names, finite
    /// numbers, codes within their lists. `name` is the file or the built-in name.
    ///
    /// ```
    /// use secateur::data::{Column, Table, Values};
    /// let column = Column { name: "x".into(), values: Values::Numeric(vec![1.0, 2.0]) };
    /// let table = Table::new("two rows", vec![column]).unwrap();
    /// assert_eq!(table.rows(), 2);
    /// ```
    pub fn new(name: impl Into<String>, columns: Vec<Column>) -> Result<Self> {
        let name = name.into();
        let rows = columns.first().map_or(0, |c| c.values.len());
        let wrong: Vec<Option<String>> = threads::map(columns.len(), |c| columns[c].values.wrong());
        let mut seen = std::collections::HashSet::new();
        for (number, (column, wrong)) in columns.iter().zip(wrong).enumerate() {
            let place = || Place::file(&name).column(number as u64 + 1).attribute(&column.name);
            if !seen.insert(column.name.as_str()) {
                return Err(Error::input(
                    place(),
                    "another column has the same name; names must be different",
                ));
            }
            if column.values.len() != rows {
                return Err(Error::input(
                    place(),
                    format!("{} cells, but the first column has {rows}", column.values.len()),
                ));
            }
            if let Some(wrong) = wrong {
                return Err(Error::input(place(), wrong));
            }
        }
        Ok(Self { name, columns, rows, shown_as: Vec::new() })
    }

    /// The file or built-in name the table came from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same table with a way to show the numbers of every column, in the order of the columns.
    ///
    /// ```
    /// use secateur::data::{Column, Table, Values};
    /// use secateur::schema::ShownAs;
    /// let column = Column { name: "day".into(), values: Values::Numeric(vec![0.0, 86_400.0]) };
    /// let table = Table::new("days", vec![column])?.with_shown_as(vec![ShownAs::Date]);
    /// assert_eq!(table.shown_as(0), ShownAs::Date);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn with_shown_as(mut self, shown_as: Vec<ShownAs>) -> Self {
        self.shown_as = shown_as;
        self
    }

    /// How the numbers of a column are shown.
    pub fn shown_as(&self, column: usize) -> ShownAs {
        match self.columns.get(column).map(|column| &column.values) {
            Some(Values::Numeric(_)) => self.shown_as.get(column).copied().unwrap_or_default(),
            _ => ShownAs::Plain,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in the order of the file.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The table without some columns, by name; other names are not looked for.
    pub fn without(self, names: &[String]) -> Self {
        if names.is_empty() {
            return self;
        }
        let shown_as = (0..self.columns.len()).map(|column| self.shown_as(column)).collect::<Vec<_>>();
        let names: HashSet<&str> = names.iter().map(String::as_str).collect();
        let kept = self.columns.into_iter().zip(shown_as);
        let kept = kept.filter(|(column, _)| !names.contains(column.name.as_str()));
        let (columns, shown_as) = kept.unzip();
        Self { name: self.name, columns, rows: self.rows, shown_as }
    }

    /// Some rows that follow each other.
    ///
    /// ```
    /// let table = secateur::data::builtin::load("weather")?;
    /// assert_eq!(table.part(3..5).rows(), 2);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    ///
    /// # Panics
    /// When the table does not have these rows.
    pub fn part(&self, rows: std::ops::Range<usize>) -> Self {
        let part = |column: &Column| Column {
            name: column.name.clone(),
            values: match &column.values {
                Values::Numeric(numbers) => Values::Numeric(numbers[rows.clone()].to_vec()),
                Values::Nominal(nominal) => Values::Nominal(Nominal {
                    levels: nominal.levels.clone(),
                    codes: nominal.codes[rows.clone()].to_vec(),
                }),
            },
        };
        let columns = self.columns.iter().map(part).collect();
        Self { name: self.name.clone(), columns, rows: rows.len(), shown_as: self.shown_as.clone() }
    }

    /// The columns themselves.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// The number of the column with this name; an unknown name is an error with a suggestion.
    pub fn position(&self, name: &str) -> Result<usize> {
        let names = self.columns.iter().map(|c| c.name.as_str());
        let place = self.columns.iter().position(|c| c.name == name);
        place.ok_or_else(|| Error::no_column(&self.name, name, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fractions_are_those_of_the_standard_library(bits in any::<u64>(), whole in -1e17..1e17f64, quarter in any::<i16>()) {
            for x in [f64::from_bits(bits), whole, whole.trunc(), f64::from(quarter) / 4.0] {
                prop_assert_eq!(has_fraction(x), x.is_finite() && x.fract() != 0.0);
            }
        }
    }
}
