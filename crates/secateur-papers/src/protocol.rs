//! How an experiment divides rows, what is left of it in a quick run, and the test behind its marks.

use serde::Deserialize;

pub use secateur::evaluate::FoldOrder;

/// How rows are divided into training and test.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Protocol {
    /// Repeated cross-validation.
    Cv {
        /// Folds.
        folds: usize,
        /// How often it is repeated.
        #[serde(default = "one")]
        repeats: usize,
        /// Where the folds come from.
        #[serde(default)]
        order: FoldOrder,
        /// Percentages of the training rows to learn from, for a curve.
        #[serde(default)]
        training_percent: Vec<f64>,
    },
    /// Equal parts of which a window, moved on one part at a time, is for training and the rest for testing.
    Window {
        /// Parts, and so runs.
        parts: usize,
        /// Percentages of the rows inside the window.
        training_percent: Vec<f64>,
    },
    /// A part set aside for choosing, cross-validation on the rest.
    ValidatedCv {
        /// The share set aside.
        validation: f64,
        /// Folds of the rest.
        folds: usize,
        /// Whether a numeric target is brought to mean 0 and standard deviation 1 first.
        #[serde(default)]
        normalise_target: bool,
    },
    /// Random divisions.
    Random {
        /// How many.
        trials: usize,
        /// The share of training rows.
        train: f64,
    },
    /// More and more training rows, drawn at random; the others are for testing. A built-in data set is made twice as large.
    Growing {
        /// How many rows to learn from, one run each.
        sizes: Vec<usize>,
    },
    /// One training table and one test table.
    TrainTest {},
    /// One tree on all rows; inner folds only.
    Whole {
        /// Seeds of the inner folds.
        #[serde(default)]
        seeds: Vec<u64>,
        /// A file of `experiments/folds` with the inner folds.
        folds_file: Option<String>,
        /// Where inner folds come from when no file gives them.
        #[serde(default)]
        order: FoldOrder,
    },
}

fn one() -> usize {
    1
}

/// What is left of an experiment when it shall not take long: fewer data sets. (Fewer repetitions would hide which tables
/// come out to the last digit.)
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quick {
    /// The data sets, with all repetitions; all of them when none is named.
    #[serde(default)]
    pub datasets: Vec<String>,
}

/// The test behind the marks.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// Which test.
    pub kind: TestKind,
    /// Its level.
    pub level: f64,
    /// Differences smaller than this, in printed units, do not count.
    #[serde(default)]
    pub threshold: f64,
}

/// A test of the difference between two schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestKind {
    /// The corrected resampled paired t-test, two-sided (Nadeau and Bengio).
    CorrectedT,
    /// The paired t-test, two-sided.
    PairedT,
    /// The paired t-test, one-sided.
    OneSidedT,
    /// The difference of two proportions, one-sided.
    Proportions,
}
