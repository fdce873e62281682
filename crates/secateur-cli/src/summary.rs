//! What `--json` prints of every tree that a command makes: its size, its error, and the time it took.

use secateur::tree::{Size, Tree};
use serde::Serialize;

/// A tree in numbers.
#[derive(Serialize)]
pub struct TreeSummary {
    #[serde(flatten)]
    size: Size,
    /// `null` where the counts of training rows are not known.
    training_error: Option<f64>,
}

impl TreeSummary {
    /// Sums up a tree.
    pub fn of(tree: &Tree) -> Self {
        let training_error = tree.has_counts().then(|| tree.training_error());
        Self { size: tree.size(), training_error }
    }
}

/// How long the steps of the work took.
#[derive(Serialize, Default)]
pub struct Seconds {
    /// Reading.
    pub load: f64,
    /// Growing.
    pub grow: f64,
    /// Pruning, with everything that chooses it.
    pub prune: f64,
}
