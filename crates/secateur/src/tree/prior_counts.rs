//! What classes and branches count before any row is seen: the two numbers of the k-norm estimate (Zhong 2007).

use serde::{Deserialize, Serialize};

/// The two prior counts of the estimate, both `≥ 0`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct KNorm {
    /// `λ`: what every class of a leaf counts before any row is seen.
    pub lambda: f64,
    /// `η`: what every branch of a split counts before any row is seen.
    pub eta: f64,
}

impl KNorm {
    /// Whether both are finite and at least 0.
    pub(super) fn is_good(&self) -> bool {
        [self.lambda, self.eta].iter().all(|x| x.is_finite() && *x >= 0.0)
    }
}
