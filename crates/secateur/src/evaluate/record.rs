//! What one tree of an experiment came to.

use serde::{Deserialize, Serialize};

use super::measures::Measured;

/// One tree of an experiment, measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The data set's name.
    pub dataset: String,
    /// The scheme's name.
    pub scheme: String,
    /// The repetition, from 0.
    pub repeat: u32,
    /// The fold within it, from 0.
    pub fold: u32,
    /// The share of the training rows that was used.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub share: f64,
    /// Rows learned from.
    pub train: usize,
    /// Rows judged on.
    pub test: usize,
    /// What was measured; `None` when the scheme failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// The same on the rows learned from, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_training: Option<Measured>,
    /// The same on the rows chosen on, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_validation: Option<Measured>,
    /// Why there is nothing measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Seconds for fitting and for its part after growing; in a file of their own.
    #[serde(skip)]
    pub seconds: Option<(f64, f64)>,
}

fn whole() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_whole(share: &f64) -> bool {
    *share == 1.0
}

impl Record {
    /// What no run can have come to, in a record from a file.
    pub(super) fn problem(&self) -> Option<String> {
        if self.train.max(self.test) > u32::MAX as usize {
            return Some(format!("{} rows are more than a table has", self.train.max(self.test)));
        }
        [&self.measured, &self.on_training, &self.on_validation]
            .into_iter()
            .flatten()
            .find_map(Measured::problem)
    }

    /// A measured number; times included.
    pub fn get(&self, measure: &str) -> Option<f64> {
        match (measure, self.seconds) {
            ("fit-seconds", Some((fit, _))) => Some(fit),
            ("prune-seconds", Some((_, prune))) => Some(prune),
            _ => self.measured.as_ref()?.get(measure),
        }
    }
}
