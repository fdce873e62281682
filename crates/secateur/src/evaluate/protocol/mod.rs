//! Protocols: which rows a scheme learns from, which it may choose on, and which it is judged on.
//!
//! Everything a scheme chooses (folds, held-out rows) is chosen inside its training part; the test part is looked at by
//! nobody until the tree is finished.

mod divide;
mod shi;
mod split;

pub use split::Split;

use serde::{Deserialize, Serialize};

use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::training::Folds;

/// How a table is divided, again and again, into rows to learn from and rows to be judged on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Protocol {
    /// Repeated cross-validation.
    Cv {
        /// Parts; each is the test part once.
        #[serde(default = "ten")]
        folds: usize,
        /// Times the whole is done, with other folds.
        #[serde(default = "one")]
        repeats: usize,
        /// Where the folds come from.
        #[serde(default)]
        order: FoldOrder,
    },
    /// Zhong's rotating window: of some parts, `train` neighbouring ones to learn from, all others to test on.
    Window {
        /// Parts, and so rotations.
        #[serde(default = "twenty")]
        parts: usize,
        /// Parts to learn from.
        train: usize,
    },
    /// El-Khouri's: a validation part is set aside to choose on, the rest is cross-validated.
    ValidatedCv {
        /// Parts of the rest.
        #[serde(default = "five")]
        folds: usize,
        /// The share set aside.
        #[serde(default = "tenth")]
        validation: f64,
    },
    /// Holder's: random trials.
    Random {
        /// How many.
        #[serde(default = "ten")]
        trials: usize,
        /// The share to learn from.
        #[serde(default = "two_thirds")]
        train: f64,
    },
    /// The first rows to learn from, all others to test on.
    TrainTest {
        /// How many rows to learn from.
        train: usize,
    },
    /// Folds from a file.
    #[serde(skip)]
    Given(Folds),
}

/// Where folds come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoldOrder {
    /// Stratified, from the seed.
    #[default]
    Stratified,
    /// The folds behind the tables of H. Shi (2007), outside and inside.
    #[serde(rename = "shi-2007")]
    Shi2007,
}

fn one() -> usize {
    1
}

fn five() -> usize {
    5
}

fn ten() -> usize {
    10
}

fn twenty() -> usize {
    20
}

fn tenth() -> f64 {
    0.1
}

fn two_thirds() -> f64 {
    2.0 / 3.0
}

impl Protocol {
    /// The number of divisions.
    pub fn count(&self) -> usize {
        match self {
            Self::Cv { folds, repeats, .. } => folds.saturating_mul(*repeats),
            Self::Window { parts, .. } => *parts,
            Self::ValidatedCv { folds, .. } => *folds,
            Self::Random { trials, .. } => *trials,
            Self::TrainTest { .. } => 1,
            Self::Given(folds) => folds.len(),
        }
    }

    /// The repetition and the fold of a division, by its number.
    pub fn place(&self, number: usize) -> (u32, u32) {
        match self {
            Self::Cv { folds, .. } => ((number / folds.max(&1)) as u32, (number % folds.max(&1)) as u32),
            _ => (0, number as u32),
        }
    }

    /// The same with fewer (or more) repetitions or trials, where the protocol has such.
    pub fn with_repeats(self, count: usize) -> Self {
        match self {
            Self::Cv { folds, order, .. } => Self::Cv { folds, repeats: count, order },
            Self::Random { train, .. } => Self::Random { trials: count, train },
            other => other,
        }
    }

    /// What the protocol is, in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Cv { folds, repeats: 1, order } => {
                format!("{folds}-fold cross-validation{}", order.in_words())
            }
            Self::Cv { folds, repeats, order } => {
                format!("{repeats} × {folds}-fold cross-validation{}", order.in_words())
            }
            Self::Window { parts, train } => {
                format!("rotating window, {train} of {parts} parts to learn from")
            }
            Self::ValidatedCv { folds, validation } => {
                format!("{folds}-fold cross-validation with {validation} of the rows set aside to choose on")
            }
            Self::Random { trials, train } => {
                format!("{trials} random trials, {train:.3} of the rows to learn from")
            }
            Self::TrainTest { train } => format!("{train} rows to learn from, the others to test on"),
            Self::Given(folds) => format!("{} folds from a file", folds.len()),
        }
    }
}

impl FoldOrder {
    fn in_words(self) -> &'static str {
        match self {
            Self::Stratified => ", stratified",
            Self::Shi2007 => " with the folds of Shi (2007)",
        }
    }
}

/// The internal folds that the program behind Shi's tables makes of a whole table, by its seed.
pub fn shi_folds(table: &CodedTable, folds: usize, seed: u64) -> Result<Folds> {
    let CodedTarget::Classes { codes, .. } = table.target() else {
        return Err(Error::parameter("the folds of shi-2007 are for classes"));
    };
    let rows: Vec<u32> = (0..table.rows() as u32).collect();
    Folds::given(shi::inner(&rows, codes, folds, seed, 1.0))
}
