//! A table put together in memory, column by column.

use std::borrow::Cow;

use super::intern::Interner;
use super::{Column, MISSING, Nominal, Table, Values};
use crate::error::Result;

/// What can stand in a column of numbers: a number, or an `Option` of one, or a reference to these.
pub trait NumberCell {
    /// The number; NaN where it is missing.
    fn number(&self) -> f64;
}

/// What can stand in a column of text: text or a truth value, or an `Option` of these, or a reference to them.
pub trait TextCell {
    /// The text; `None` where it is missing.
    fn text(&self) -> Option<&str>;
}

macro_rules! numbers {
    ($($kind:ty),*) => {$(
        impl NumberCell for $kind {
            fn number(&self) -> f64 {
                *self as f64
            }
        }
    )*};
}

numbers!(f64, f32, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl<T: NumberCell + ?Sized> NumberCell for &T {
    fn number(&self) -> f64 {
        (**self).number()
    }
}

impl<T: NumberCell> NumberCell for Option<T> {
    fn number(&self) -> f64 {
        self.as_ref().map_or(f64::NAN, T::number)
    }
}

impl TextCell for str {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl TextCell for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl TextCell for Cow<'_, str> {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl TextCell for bool {
    fn text(&self) -> Option<&str> {
        Some(if *self { "true" } else { "false" })
    }
}

impl<T: TextCell + ?Sized> TextCell for &T {
    fn text(&self) -> Option<&str> {
        (**self).text()
    }
}

impl<T: TextCell> TextCell for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(T::text)
    }
}

/// Columns on their way to a table; made by [`Table::builder`].
#[derive(Debug, Clone)]
pub struct TableBuilder {
    name: String,
    columns: Vec<Column>,
}

impl Table {
    /// Starts a table in memory.
    ///
    /// A missing number is NaN or `None`, a missing text `None`; texts that stand for missing values in files (`?`, `NA`) are
    /// texts like all others here.
    ///
    /// ```
    /// use secateur::Table;
    ///
    /// let table = Table::builder()
    ///     .numeric("age", [Some(36), None, Some(51)])
    ///     .text("city", ["Lima", "Oslo", "Lima"])
    ///     .text("buys", vec![Some("yes"), Some("no"), None])
    ///     .build()?;
    /// assert_eq!((table.rows(), table.columns().len()), (3, 3));
    ///
    /// let uneven = Table::builder().numeric("age", [36.0, 41.5]).text("city", ["Lima"]).build();
    /// let problem = "table, column 2, attribute 'city': 1 cells, but the first column has 2";
    /// assert_eq!(uneven.unwrap_err().to_string(), problem);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn builder() -> TableBuilder {
        TableBuilder { name: "table".into(), columns: Vec::new() }
    }
}

impl TableBuilder {
    /// Names the table, for messages and for what a model says of its data; without this it is called `table`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Adds a column of numbers.
    pub fn numeric(self, name: impl Into<String>, values: impl IntoIterator<Item = impl NumberCell>) -> Self {
        self.column(name, Values::Numeric(values.into_iter().map(|cell| cell.number()).collect()))
    }

    /// Adds a column of text: its different texts become the values of a nominal column, in the order in which they first stand
    /// there. A target of text is predicted as classes.
    pub fn text(self, name: impl Into<String>, values: impl IntoIterator<Item = impl TextCell>) -> Self {
        let mut levels: Interner<String> = Interner::default();
        let mut code = |cell: Option<&str>| cell.map_or(MISSING, |text| levels.code(text));
        let codes = values.into_iter().map(|cell| code(cell.text())).collect();
        let levels = levels.into_levels();
        self.column(name, Values::Nominal(Nominal { levels, codes }))
    }

    /// Adds a column whose cells are ready, such as a nominal one with a list of values that not all need to occur.
    pub fn column(mut self, name: impl Into<String>, values: Values) -> Self {
        self.columns.push(Column { name: name.into(), values });
        self
    }

    /// The table.
    ///
    /// # Errors
    /// When columns differ in length, two have the same name, or a number is infinite.
    pub fn build(self) -> Result<Table> {
        Table::new(self.name, self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(builder: TableBuilder) -> String {
        builder.build().unwrap_err().to_string()
    }

    #[test]
    fn cells_come_in_many_types() {
        let (ages, cities) = (vec![36u8, 41], vec!["Lima".to_string(), "Oslo".into()]);
        let built = Table::builder()
            .numeric("age", &ages)
            .numeric("height", ages.iter().map(|age| f32::from(*age) / 2.0))
            .numeric("maybe", [None, Some(7i64)])
            .text("city", &cities)
            .text("member", [Some(true), None])
            .text("cow", [Cow::Borrowed("a"), Cow::Owned("b".into())])
            .build()
            .unwrap();
        let nominal = |levels: &[&str], codes: &[u32]| {
            Values::Nominal(Nominal {
                levels: levels.iter().map(|l| l.to_string()).collect(),
                codes: codes.into(),
            })
        };
        let columns: Vec<&Values> = built.columns().iter().map(|column| &column.values).collect();
        assert_eq!(columns[0], &Values::Numeric(vec![36.0, 41.0]));
        assert_eq!(columns[1], &Values::Numeric(vec![18.0, 20.5]));
        assert!(matches!(columns[2], Values::Numeric(x) if x[0].is_nan() && x[1] == 7.0));
        assert_eq!(columns[3], &nominal(&["Lima", "Oslo"], &[0, 1]));
        assert_eq!(columns[4], &nominal(&["true"], &[0, MISSING]));
        assert_eq!(columns[5], &nominal(&["a", "b"], &[0, 1]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let start = || Table::builder().name("people").numeric("age", [1, 2]);
        assert!(problem(start().numeric("age", [1, 2])).contains("another column has the same name"));
        assert!(
            problem(start().text("city", ["Lima"]))
                .starts_with("people, column 2, attribute 'city': 1 cells")
        );
        assert!(problem(start().numeric("x", [1.0, f64::INFINITY])).contains("row 2 is inf"));
        assert_eq!(start().text("?", ["?", "NA"]).build().unwrap().columns()[1].values.missing(), 0);
    }
}
