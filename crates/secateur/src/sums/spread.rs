//! The squared distances of numbers from their own mean, one number after the other (B. P. Welford 1962, Technometrics 4; with
//! weights D. H. D. West 1979, Communications of the ACM 22).

/// Numbers so far: their weight, their mean, and the squared distances from it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Spread {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    /// Adds a number; one without weight changes nothing.
    pub(crate) fn add(&mut self, x: f64, weight: f64) {
        if weight > 0.0 {
            self.weight += weight;
            let off = x - self.mean;
            self.mean += off * weight / self.weight;
            self.squares += weight * off * (x - self.mean);
        }
    }

    /// The sum of the squared distances.
    pub(crate) fn squares(&self) -> f64 {
        self.squares
    }

    /// Their mean; `None` without weight.
    pub(crate) fn variance(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.squares / self.weight)
    }
}
