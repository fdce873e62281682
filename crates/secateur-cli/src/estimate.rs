//! The error to expect on new rows beside the error of the best constant answer: in words and as JSON.

use secateur::fit::Estimate;
use secateur::report::safe;
use secateur::schema::Task;
use secateur::tree::Tree;
use serde::Serialize;

use crate::output;

/// What errors of a tree are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Shares of rows.
    ErrorRate,
    /// Costs a row.
    MeanCost,
    /// Squares of numbers.
    Mse,
}

impl Unit {
    /// The unit of errors for a target, with or without costs.
    pub fn new(task: Task, has_costs: bool) -> Self {
        match (task, has_costs) {
            (Task::Regression, _) => Self::Mse,
            (Task::Classification, true) => Self::MeanCost,
            (Task::Classification, false) => Self::ErrorRate,
        }
    }

    /// The unit of a tree's errors.
    pub fn of(tree: &Tree) -> Self {
        Self::new(tree.task(), tree.costs().is_some())
    }

    /// Its name in a list of facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::ErrorRate | Self::Mse => "error",
            Self::MeanCost => "cost",
        }
    }

    /// An error in few characters; of squares the root, which is in the unit of the target.
    pub fn cell(self, error: f64) -> String {
        match self {
            Self::ErrorRate => format!("{:.1} %", 100.0 * error),
            Self::MeanCost => output::rounded(error),
            Self::Mse => output::rounded(error.max(0.0).sqrt()),
        }
    }

    /// An error with its standard error. The standard error of a root is that of the square over twice the root.
    pub fn cell_with_se(self, error: f64, se: f64) -> String {
        match self {
            Self::ErrorRate => format!("{:.1} % ± {:.1}", 100.0 * error, 100.0 * se),
            Self::MeanCost => output::with_spread(error, se),
            Self::Mse => {
                let root = error.max(0.0).sqrt();
                output::with_spread(root, if root > 0.0 { se / (2.0 * root) } else { 0.0 })
            }
        }
    }

    /// An error in words.
    pub fn words(self, cell: &str) -> String {
        match self {
            Self::ErrorRate => cell.into(),
            Self::MeanCost => format!("{cell} a row"),
            Self::Mse => format!("RMSE {cell}"),
        }
    }
}

/// The best answer that is the same for every row, and its error on the training rows.
#[derive(Serialize)]
pub struct Baseline {
    /// The class or the number.
    pub answer: String,
    /// Its error, in the unit of the estimate.
    pub error: f64,
}

impl Baseline {
    /// What the root alone would answer.
    pub fn of(tree: &Tree) -> Self {
        let classes = tree.schema().target.classes();
        let answer = match classes.get(if tree.is_classifier() { tree.label(0) } else { 0 }) {
            Some(class) => class.clone(),
            None => tree.value(0).to_string(),
        };
        Self { answer, error: tree.error(0) / tree.node(0).weight }
    }

    /// The baseline in words.
    pub fn words(&self, unit: Unit) -> String {
        let error = unit.words(&unit.cell(self.error));
        match unit {
            Unit::ErrorRate | Unit::MeanCost => {
                format!("always {}: {error}", output::shortened(&safe(&self.answer), 24))
            }
            Unit::Mse => format!("the same number for all: {error}"),
        }
    }
}

/// An estimate as JSON.
#[derive(Serialize)]
pub struct EstimateSummary {
    error: f64,
    se: f64,
    unit: Unit,
    method: String,
    baseline: Baseline,
}

impl EstimateSummary {
    /// The estimate of a tree.
    pub fn of(estimate: &Estimate, tree: &Tree) -> Self {
        Self {
            error: estimate.error,
            se: estimate.se,
            unit: Unit::of(tree),
            method: estimate.method.clone(),
            baseline: Baseline::of(tree),
        }
    }
}

/// The estimate of a tree in words, beside its baseline.
pub fn in_words(estimate: &Estimate, tree: &Tree) -> String {
    let unit = Unit::of(tree);
    let numbers = unit.words(&unit.cell_with_se(estimate.error, estimate.se));
    let baseline = Baseline::of(tree).words(unit);
    format!("about {numbers} on new rows ({baseline}), by {}", estimate.method)
}
