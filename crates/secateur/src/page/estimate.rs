//! The error on new rows that the fit reports, for the page.

use serde::Serialize;

use crate::fit::{Baseline, Validation};
use crate::training::Estimate;
use crate::tree::Tree;

/// The error on new rows of the tree as fitted, with its other scores and those of the baseline.
#[derive(Serialize)]
pub(super) struct PageEstimate<'a> {
    error: f64,
    se: f64,
    by: &'a str,
    method: &'a str,
    /// The log loss of the tree, and that of the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_loss: Option<(f64, f64)>,
    /// The Brier scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    brier: Option<(f64, f64)>,
}

impl<'a> PageEstimate<'a> {
    pub(super) fn of(estimate: &'a Estimate, validation: Option<&Validation>, tree: &Tree) -> Self {
        let baseline = Baseline::beside(validation, tree);
        let (log_loss, brier) = match validation {
            Some(Validation::Classes { log_loss, brier, .. }) => (Some(*log_loss), Some(*brier)),
            _ => (None, None),
        };
        let Estimate { error, se, by, method, .. } = estimate;
        Self {
            error: *error,
            se: *se,
            by,
            method,
            log_loss: log_loss.zip(baseline.get("log-loss")),
            brier: brier.zip(baseline.get("brier")),
        }
    }
}
