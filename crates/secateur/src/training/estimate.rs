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
    /// Where it comes from, and what it was adjusted for.
    pub method: String,
    /// Where it comes from, such as `10-fold cross-validation`.
    pub by: String,
    /// What was added to the error that the tree was chosen by, because the lowest of many errors is optimistic; `None` where the rows had
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
    /// Returns an estimate from the rows that a tree was chosen by: the error of that choice, adjusted by what comes out when every part of the
    /// rows is judged by what the other parts would have chosen. `chosen` names what was chosen.
    pub fn corrected(&self, apparent: f64, (error, se): (f64, f64), method: &str, chosen: &str) -> Estimate {
        let by = format!("{method}{}", self.by_priors());
        let method = format!("{by}, adjusted for choosing {chosen}");
        Estimate { error, se, method, by, bias_correction: Some(error - apparent) }
    }

    /// An estimate from rows that had no part in the choice.
    pub fn estimate(&self, (error, se): (f64, f64), method: &str) -> Estimate {
        let by = format!("{method}{}", self.by_priors());
        Estimate { error, se, method: by.clone(), by, bias_correction: None }
    }

    fn by_priors(&self) -> &'static str {
        if self.options().priors.is_some() { " (classes weighted to the priors)" } else { "" }
    }
}
