//! How wrong a tree will be on new rows.

use super::TreeCache;

/// How wrong a tree will be on new rows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The error rate, mean cost, or mean squared error.
    pub error: f64,
    /// Its standard error.
    pub se: f64,
    /// Where it comes from.
    pub method: String,
    /// What was added to the error that the tree was chosen by, because the least of many errors is too kind; `None` where the rows had
    /// no part in the choice.
    pub bias_correction: Option<f64>,
}

impl Estimate {
    /// The error that the tree was chosen by, without correction.
    pub fn apparent(&self) -> f64 {
        self.error - self.bias_correction.unwrap_or(0.0)
    }
}

impl TreeCache<'_> {
    /// An estimate from the rows that a tree was chosen by: the error of that choice, and what comes out when every part of the rows is
    /// judged by what the other parts would have chosen. `chosen` says what else there is to say of the choice.
    pub fn corrected(&self, apparent: f64, (error, se): (f64, f64), method: &str, chosen: &str) -> Estimate {
        let method = format!("{method}{}, corrected for the choice{chosen}", self.by_priors());
        Estimate { error, se, method, bias_correction: Some(error - apparent) }
    }

    /// An estimate from rows that had no part in the choice.
    pub fn estimate(&self, (error, se): (f64, f64), method: &str) -> Estimate {
        Estimate { error, se, method: format!("{method}{}", self.by_priors()), bias_correction: None }
    }

    fn by_priors(&self) -> &'static str {
        if self.options().priors.is_some() { " (classes weighted to the priors)" } else { "" }
    }
}
