//! What is to be predicted: classes or numbers.

use serde::{Deserialize, Serialize};

/// What is to be predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Task {
    /// Classes.
    Classification,
    /// Numbers.
    Regression,
}

impl Task {
    /// Both tasks.
    pub const ALL: [Self; 2] = [Self::Classification, Self::Regression];

    /// The other task.
    pub fn other(self) -> Self {
        match self {
            Self::Classification => Self::Regression,
            Self::Regression => Self::Classification,
        }
    }

    /// Its name: "classification" or "regression".
    pub fn name(self) -> &'static str {
        match self {
            Self::Classification => "classification",
            Self::Regression => "regression",
        }
    }

    /// What its targets hold: "classes" or "numbers".
    pub fn target(self) -> &'static str {
        match self {
            Self::Classification => "classes",
            Self::Regression => "numbers",
        }
    }
}
