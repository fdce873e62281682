//! An honest estimate of the error on new rows.

use super::TreeCache;

/// An honest estimate of the error on new rows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The error rate, mean cost, or mean squared error.
    pub error: f64,
    /// Its standard error.
    pub se: f64,
    /// Where it comes from.
    pub method: String,
}

impl TreeCache<'_> {
    /// An estimate from rows of this table: by which method, and what else that was used for.
    pub fn estimate(&self, (error, se): (f64, f64), method: &str, used_to: &str) -> Estimate {
        let priors = if self.options().priors.is_some() { "; classes weighted to the priors" } else { "" };
        Estimate { error, se, method: format!("{method} (also used to {used_to}{priors})") }
    }
}
