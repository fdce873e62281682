//! How methods, options and their values are written.

use std::fmt;

use super::{Method, MethodKind, Needs, ParamKind, Value};

impl fmt::Display for MethodKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Learner => "learner",
            Self::Pruner => "pruner",
        })
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counts => "counts of the tree",
            Self::TrainingRows => "training rows",
            Self::HeldOutRows => "held-out rows",
            Self::Folds => "folds",
        })
    }
}

impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number { min, open, max } => {
                write!(f, "a number {} {min}", if open { "above" } else { "of at least" })?;
                if max < f64::MAX { write!(f, " and at most {max}") } else { Ok(()) }
            }
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Choice(_) | Self::OpenChoice(..) | Self::Flag => {
                f.write_str(&in_words(&self.words(), "or"))
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Integer(x) => write!(f, "{x}"),
            Self::Word(word) => f.write_str(word),
            Self::Flag(on) => f.write_str(if *on { "on" } else { "off" }),
        }
    }
}

/// The canonical form: options in the order of the table, without those that have their default anyway.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.id)?;
        let mut separator = ':';
        for (spec, value) in &self.given {
            // A default that depends on the target says something when it is given: it stays.
            let plain = spec.default == spec.default_regression;
            let default = spec.default.and_then(|text| spec.kind.parse(text).ok());
            if plain && default == Some(*value) {
                continue;
            }
            match value {
                Value::Flag(true) => write!(f, "{separator}{}", spec.name)?,
                _ => write!(f, "{separator}{}={value}", spec.name)?,
            }
            separator = ',';
        }
        Ok(())
    }
}

/// `a, b and c`.
pub(crate) fn in_words(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).into(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}
