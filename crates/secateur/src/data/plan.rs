//! How a table is read: separator, decimal sign, encoding and the types of columns, as decided or as a person wants it.
//!
//! A plan is a small TOML file. What it leaves open is decided by looking at the data; a plan that `read` gives back leaves
//! nothing open that matters, so that reading with it decides nothing.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::read::Format;
use crate::error::{Error, Place, Result};
use crate::schema::{MissingTexts, ShownAs};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnType {
    /// Numbers.
    Numeric,
    /// Values from a list.
    Nominal,
    /// Dates.
    Date,
    /// Dates with a time of day.
    DateTime,
    /// Times of day.
    Time,
    /// Nothing that is wanted: the column is left out.
    Ignore,
}

impl ColumnType {
    /// The type of numbers that are shown in this way.
    pub fn of(shown_as: ShownAs) -> Self {
        match shown_as {
            ShownAs::Plain => Self::Numeric,
            ShownAs::Date => Self::Date,
            ShownAs::DateTime => Self::DateTime,
            ShownAs::Time => Self::Time,
        }
    }

    /// How its numbers are shown, where it has some.
    pub fn shown_as(self) -> Option<ShownAs> {
        match self {
            Self::Numeric => Some(ShownAs::Plain),
            Self::Date => Some(ShownAs::Date),
            Self::DateTime => Some(ShownAs::DateTime),
            Self::Time => Some(ShownAs::Time),
            Self::Nominal | Self::Ignore => None,
        }
    }
}

/// The order of the parts of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateOrder {
    /// 2020-12-31.
    YearMonthDay,
    /// 31.12.2020.
    DayMonthYear,
    /// 12/31/2020.
    MonthDayYear,
}

/// How one column is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnPlan {
    /// Its name.
    pub name: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// The decimal sign of its numbers, where it is not that of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// The order of the parts of its dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<DateOrder>,
    /// Words that are missing values in this column, beside those of the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// How a file is read; what is not given is decided by looking.
///
/// ```
/// use secateur::data::{ColumnType, Plan};
/// let plan = Plan::from_toml("schema.toml", "separator = ';'\n[[column]]\nname = 'zip'\ntype = 'nominal'\n")?;
/// assert_eq!((plan.separator, plan.columns[0].kind), (Some(';'), ColumnType::Nominal));
/// assert_eq!(Plan::from_toml("again", &plan.to_toml())?, plan);
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plan {
    /// The format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// What separates values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separator: Option<char>,
    /// The decimal sign: a point or a comma.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// The encoding of the text, by a name that the web knows (`utf-8`, `windows-1252`, `utf-16le` …).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether the first line has the names of the columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// Whether `?`, `NA` and `NaN` are values in columns of text, so that only what is empty is missing there. What is not given follows
    /// from the format: files that say their types (Parquet, JSON) are believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_na: Option<bool>,
    /// Words that are missing values in all columns, beside `?`, `NA`, `NaN` and nothing at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The columns; others are read by looking.
    #[serde(rename = "column", skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnPlan>,
}

impl Plan {
    /// Reads a plan; `name` stands for the file in errors.
    pub fn from_toml(name: &str, text: &str) -> Result<Self> {
        let plan: Self = toml::from_str(text).map_err(|error| {
            let line =
                error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() as u64 + 1);
            let place = line.map_or_else(|| Place::file(name), |line| Place::file(name).line(line));
            Error::input(place, error.message().to_string())
        })?;
        plan.check(name)?;
        Ok(plan)
    }

    fn check(&self, name: &str) -> Result<()> {
        let wrong = |problem: String| Err(Error::input(Place::file(name), problem));
        if let Some(separator) = self.separator
            && (!separator.is_ascii() || "\"\r\n".contains(separator) || separator.is_ascii_alphanumeric())
        {
            return wrong(format!(
                "{separator:?} cannot separate values; expected a sign such as ; or a tab"
            ));
        }
        let decimals = self.columns.iter().filter_map(|column| column.decimal).chain(self.decimal);
        if let Some(other) = decimals.into_iter().find(|sign| !".,".contains(*sign)) {
            return wrong(format!("{other:?} is not a decimal sign; expected a point or a comma"));
        }
        let mut seen = HashSet::new();
        if let Some(column) = self.columns.iter().find(|column| !seen.insert(column.name.as_str())) {
            return wrong(format!("the column {} appears twice", crate::error::shown(&column.name)));
        }
        Ok(())
    }

    /// The plan as a file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// What of this plan matters for another file with some of the columns: words for missing values, and columns whose dates or
    /// numbers could be read in another way.
    pub fn for_other_files(&self, has: impl Fn(&str) -> bool) -> Self {
        let open = |column: &&ColumnPlan| {
            let dates = column.order.is_some_and(|order| order != DateOrder::YearMonthDay);
            (dates || column.decimal.is_some() || !column.missing.is_empty()) && has(&column.name)
        };
        let columns = self.columns.iter().filter(open).cloned().collect();
        let text = |column: &ColumnPlan| column.kind == ColumnType::Nominal && has(&column.name);
        let keep_na = self.keep_na.filter(|_| self.columns.iter().any(text));
        Self { missing: self.missing.clone(), keep_na, columns, ..Self::default() }
    }

    /// The texts that are missing values by this plan.
    pub fn missing_texts(&self) -> MissingTexts {
        let words = |column: &ColumnPlan| (column.name.clone(), column.missing.clone());
        let columns = self.columns.iter().filter(|column| !column.missing.is_empty());
        MissingTexts {
            keep_na: self.keep_na == Some(true),
            words: self.missing.clone(),
            columns: columns.map(words).collect(),
        }
    }

    /// The plan of a column.
    pub fn column(&self, name: &str) -> Option<&ColumnPlan> {
        self.columns.iter().find(|column| column.name == name)
    }
}
