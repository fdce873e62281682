//! How what was counted at a leaf becomes what it says: a choice of its own, whichever tree it is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, shown};
use crate::schema::Task;

/// How the class weights or the numbers counted at a leaf become what it says. The formulas, with their papers, are in
/// `docs/leaf-values.md`.
///
/// As text they are `raw`, `laplace`, `m=2` and `shrink=10`; `m` and `shrink` alone have these numbers.
///
/// ```
/// use secateur::tree::LeafValues;
/// assert_eq!("shrink".parse::<LeafValues>()?, LeafValues::Shrink(10.0));
/// assert_eq!(LeafValues::M(0.5).to_string(), "m=0.5");
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
#[non_exhaustive]
pub enum LeafValues {
    /// What was counted: the shares of the classes; the mean, or the median where the tree has medians.
    #[default]
    Raw,
    /// A row more of every class. For classes only.
    Laplace,
    /// This many more rows, distributed as all rows are at the root.
    M(f64),
    /// Hierarchical shrinkage: every step of the mean from a node to one below it is divided by `1 + λ / weight` of the node.
    Shrink(f64),
}

impl LeafValues {
    /// The `m` where none is named.
    pub const USUAL_M: f64 = 2.0;
    /// The `λ` where none is named and no rows can say a better one.
    pub const USUAL_LAMBDA: f64 = 10.0;
    /// The largest `m` and `λ`.
    pub const LARGEST: f64 = 1e15;

    /// Its name, without the number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Laplace => "laplace",
            Self::M(_) => "m",
            Self::Shrink(_) => "shrink",
        }
    }

    /// Its number, `m` or `λ`, where it has one.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Raw | Self::Laplace => None,
            Self::M(number) | Self::Shrink(number) => Some(number),
        }
    }

    /// Checks that the number is one that is allowed, and that a tree for this task can say such values.
    pub fn check(self, task: Task) -> Result<()> {
        self.check_number()?;
        if self == Self::Laplace && task == Task::Regression {
            return Err(Error::parameter(
                "leaf values: laplace is for classes, and the target here has numbers; choose raw, m or shrink",
            ));
        }
        Ok(())
    }

    fn check_number(self) -> Result<()> {
        let (is_good, wanted) = match self {
            Self::Raw | Self::Laplace => return Ok(()),
            Self::M(m) => (m > 0.0 && m <= Self::LARGEST, "above 0 and up to 1e15"),
            Self::Shrink(lambda) => ((0.0..=Self::LARGEST).contains(&lambda), "from 0 to 1e15"),
        };
        match is_good {
            true => Ok(()),
            false => Err(Error::parameter(format!("leaf values: {self}; expected a number {wanted}"))),
        }
    }
}

impl fmt::Display for LeafValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.number().map_or(Ok(()), |number| write!(f, "={number}"))
    }
}

impl FromStr for LeafValues {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let unknown = || {
            Error::parameter(format!(
                "leaf values: {}; expected raw, laplace, m, m=2, shrink or shrink=10",
                shown(text)
            ))
        };
        let (name, number) = match text.split_once('=') {
            Some((name, number)) => (name.trim(), Some(number.trim().parse::<f64>().map_err(|_| unknown())?)),
            None => (text.trim(), None),
        };
        let values = match (name, number) {
            ("raw", None) => Self::Raw,
            ("laplace", None) => Self::Laplace,
            ("m", number) => Self::M(number.unwrap_or(Self::USUAL_M)),
            ("shrink", number) => Self::Shrink(number.unwrap_or(Self::USUAL_LAMBDA)),
            _ => return Err(unknown()),
        };
        values.check_number()?;
        Ok(values)
    }
}

/// As it stands in a model file.
#[derive(Serialize, Deserialize)]
struct Record {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    m: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lambda: Option<f64>,
}

impl From<LeafValues> for Record {
    fn from(values: LeafValues) -> Self {
        let (m, lambda) = match values {
            LeafValues::M(m) => (Some(m), None),
            LeafValues::Shrink(lambda) => (None, Some(lambda)),
            LeafValues::Raw | LeafValues::Laplace => (None, None),
        };
        Self { kind: values.name().into(), m, lambda }
    }
}

impl TryFrom<Record> for LeafValues {
    type Error = Error;

    fn try_from(record: Record) -> Result<Self> {
        let values = match (record.kind.as_str(), record.m, record.lambda) {
            ("raw", None, None) => Self::Raw,
            ("laplace", None, None) => Self::Laplace,
            ("m", Some(m), None) => Self::M(m),
            ("shrink", None, Some(lambda)) => Self::Shrink(lambda),
            (kind, ..) => {
                return Err(Error::parameter(format!(
                    "leaf values: kind {}; expected raw, laplace, m with a number m, or shrink with a number lambda",
                    shown(kind)
                )));
            }
        };
        values.check_number()?;
        Ok(values)
    }
}
