//! What a tree knows of the table it was grown from: names and values.

use serde::{Deserialize, Serialize};

use super::{MissingTexts, ShownAs, Task};

/// The kind of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum AttributeKind {
    /// Numbers.
    Numeric,
    /// Values from a list.
    Nominal {
        /// The values; codes in conditions point into this list.
        values: Vec<String>,
    },
}

/// An attribute a tree can test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its kind.
    #[serde(flatten)]
    pub kind: AttributeKind,
    /// How its numbers are shown.
    #[serde(default, skip_serializing_if = "ShownAs::is_plain")]
    pub shown_as: ShownAs,
}

impl Attribute {
    /// The values of a nominal attribute; empty for a numeric one.
    pub fn values(&self) -> &[String] {
        match &self.kind {
            AttributeKind::Numeric => &[],
            AttributeKind::Nominal { values } => values,
        }
    }
}

/// What a tree predicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Target {
    /// A class.
    Classes {
        /// The target column's name.
        name: String,
        /// The class labels, in the order of all class counts.
        classes: Vec<String>,
    },
    /// A number.
    Number {
        /// The target column's name.
        name: String,
    },
}

impl Target {
    /// The target column's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Classes { name, .. } | Self::Number { name } => name,
        }
    }

    /// Whether classes or numbers are predicted.
    pub fn task(&self) -> Task {
        match self {
            Self::Classes { .. } => Task::Classification,
            Self::Number { .. } => Task::Regression,
        }
    }

    /// The class labels; empty for regression.
    pub fn classes(&self) -> &[String] {
        match self {
            Self::Classes { classes, .. } => classes,
            Self::Number { .. } => &[],
        }
    }
}

/// Attributes and target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The attributes, in the order of the table.
    pub attributes: Vec<Attribute>,
    /// The target.
    pub target: Target,
    /// The texts that are missing values in new rows.
    #[serde(skip)]
    pub missing: MissingTexts,
}

impl Schema {
    /// A schema by whose rule for missing texts nothing is kept.
    pub fn new(attributes: Vec<Attribute>, target: Target) -> Self {
        Self { attributes, target, missing: MissingTexts::default() }
    }
}
