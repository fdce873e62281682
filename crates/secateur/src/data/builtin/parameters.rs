//! What follows the `?` in the name of a built-in data set.

use crate::error::{Error, Name, Result, shown, suggestion};
use crate::memory;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// More cells than this (8 GB of numbers) are refused rather than attempted.
const MOST_CELLS: u64 = 1_000_000_000;

/// The largest number of rows a generator makes.
const MOST_ROWS: u64 = 100_000_000;

/// A parameter of a built-in data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuiltinParam {
    /// Its name.
    pub name: &'static str,
    /// Its value when it is not given.
    pub default: &'static str,
    /// What it may be.
    pub kind: ParamKind,
    /// What it does, in one line.
    pub help: &'static str,
}

/// What a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A whole number within bounds.
    Count {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// A whole number within bounds, or the word `all`.
    CountOrAll {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// The number from which all random numbers follow.
    Seed,
    /// A share: a number from 0 to 1.
    Share,
    /// A number within bounds.
    Number {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
    },
}

/// A parameter's value after it was checked.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Whole(u64),
    Real(f64),
    All,
}

impl ParamKind {
    /// The value in the text, or what was expected instead.
    fn parse(self, text: &str) -> std::result::Result<Value, String> {
        let whole = |least: u64, most: u64| match text.parse() {
            Ok(value) if (least..=most).contains(&value) => Ok(Value::Whole(value)),
            _ => Err(format!("a whole number from {least} to {most}")),
        };
        let real = |least: f64, most: f64| match text.parse() {
            Ok(value) if (least..=most).contains(&value) => Ok(Value::Real(value)),
            _ => Err(format!("a number from {least} to {most}")),
        };
        match self {
            Self::Count { least, most } => whole(least, most),
            Self::CountOrAll { .. } if text == "all" => Ok(Value::All),
            Self::CountOrAll { least, most } => {
                whole(least, most).map_err(|expected| format!("{expected}, or all"))
            }
            Self::Seed => whole(0, u64::MAX),
            Self::Share => real(0.0, 1.0),
            Self::Number { least, most } => real(least, most),
        }
    }
}

/// The number of rows of a generator.
pub(super) const fn rows(default: &'static str) -> BuiltinParam {
    let kind = ParamKind::Count { least: 1, most: MOST_ROWS };
    BuiltinParam { name: "n", default, kind, help: "number of rows" }
}

/// The number of rows of a set that can also be listed completely.
pub(super) const ROWS_OR_ALL: BuiltinParam = BuiltinParam {
    name: "n",
    default: "all",
    kind: ParamKind::CountOrAll { least: 1, most: MOST_ROWS },
    help: "number of random rows, or all: every combination once",
};

/// The seed of a generator.
pub(super) const SEED: BuiltinParam = BuiltinParam {
    name: "seed",
    default: "1",
    kind: ParamKind::Seed,
    help: "the number from which all random numbers follow",
};

/// Label noise.
pub(super) const fn label_noise(default: &'static str) -> BuiltinParam {
    let help = "probability that a row has the wrong class";
    BuiltinParam { name: "noise", default, kind: ParamKind::Share, help }
}

/// Checked values for all parameters of one data set.
pub(super) struct Parameters {
    set: &'static str,
    values: Vec<(&'static str, Value)>,
}

impl Parameters {
    /// Reads `name=value&name=value`; what is not given has its default.
    pub(super) fn parse(set: &'static str, known: &'static [BuiltinParam], query: &str) -> Result<Self> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in query.split('&').filter(|_| !query.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                Error::parameter(format!(
                    "builtin:{set}: {} is not of the form NAME=VALUE, such as n=5000",
                    shown(part)
                ))
            })?;
            if !known.iter().any(|p| p.name == name) {
                let names: Vec<_> = known.iter().map(|p| p.name).collect();
                let meant = suggestion(name, names.iter().copied());
                let list = if names.is_empty() { "none".into() } else { names.join(", ") };
                let problem = format!("builtin:{set} has no parameter {}{meant}; it has {list}", shown(name));
                return Err(Error::unknown(Name::DataSet, name, problem));
            }
            if given.iter().any(|(other, _)| *other == name) {
                return Err(Error::parameter(format!("builtin:{set}: {name} is given twice")));
            }
            given.push((name, value));
        }
        let value = |parameter: &BuiltinParam| {
            let text = given.iter().find(|(name, _)| *name == parameter.name);
            let text = text.map_or(parameter.default, |(_, text)| text);
            parameter.kind.parse(text).map(|value| (parameter.name, value)).map_err(|expected| {
                Error::parameter(format!(
                    "builtin:{set}: {} is {}; expected {expected}",
                    parameter.name,
                    shown(text)
                ))
            })
        };
        Ok(Self { set, values: known.iter().map(value).collect::<Result<_>>()? })
    }

    fn value(&self, name: &str) -> Value {
        match self.values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => *value,
            None => unreachable!("builtin:{} reads the parameter {name} without declaring it", self.set),
        }
    }

    /// A whole number; none when it is `all`.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            Value::Whole(value) => Some(value),
            Value::Real(_) | Value::All => None,
        }
    }

    /// A number.
    pub(super) fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Whole(value) => value as f64,
            Value::Real(value) => value,
            Value::All => f64::INFINITY,
        }
    }

    /// The parameter `n`, when a table of this many rows and columns is small enough.
    pub(super) fn rows(&self, columns: u64) -> Result<usize> {
        self.fits(self.count("n"), columns)
    }

    /// The number of rows, when it is known and a table of this many columns is small enough.
    pub(super) fn fits(&self, rows: Option<u64>, columns: u64) -> Result<usize> {
        rows.filter(|rows| rows.checked_mul(columns).is_some_and(|cells| cells <= MOST_CELLS))
            .and_then(|rows| usize::try_from(rows).ok())
            .ok_or_else(|| {
                Error::parameter(format!(
                    "builtin:{}: the table would have more than {MOST_CELLS} cells in its {columns} columns; \
                     ask for fewer rows",
                    self.set
                ))
            })
            .and_then(|rows| {
                let bytes = rows.saturating_mul(columns as usize).saturating_mul(size_of::<f64>());
                memory::ask(bytes, &format!("the table of builtin:{}", self.set)).map(|()| rows)
            })
    }

    /// The random numbers that follow from the parameter `seed`.
    pub(super) fn random(&self) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.count("seed").unwrap_or_default())
    }
}
