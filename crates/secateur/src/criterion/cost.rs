//! The cost of a node: its weight times its impurity, from a tally.
//!
//! A *tally* is the small list of sums that a criterion needs: the weight of every class, or for
//! numbers `[weight, sum]`. Tallies of parts add up to the tally of the whole.

use super::{Criterion, OwnImpurity};

/// The part of a criterion that is computed from tallies (gain ratio is built on entropy; the mean
/// absolute deviation needs the rows themselves).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// `1 − Σ p²`.
    Gini,
    /// `−Σ p log2 p`.
    Entropy,
    /// Mean squared deviation.
    Mse,
    /// One from outside the library.
    Own(OwnImpurity),
}

impl Measure {
    /// The measure behind a criterion.
    pub fn of(criterion: Criterion) -> Self {
        match criterion {
            Criterion::Gini => Self::Gini,
            Criterion::Entropy | Criterion::GainRatio => Self::Entropy,
            Criterion::Mse | Criterion::Mae => Self::Mse,
            Criterion::Own(own) => Self::Own(own),
        }
    }

    /// The weight of a tally.
    #[inline]
    pub fn weight(self, tally: &[f64]) -> f64 {
        match self {
            Self::Gini | Self::Entropy | Self::Own(_) => tally.iter().sum(),
            Self::Mse => NumberSums::of(tally).weight,
        }
    }

    /// Weight times impurity of a tally; 0 for an empty one. For numbers, without the sum of squares: it is the same for a
    /// node and for its branches together, and only differences of costs are gains.
    ///
    /// ```
    /// use secateur::criterion::Measure;
    /// // Nine rows of one class and five of the other: 0.940 bits each.
    /// assert!((Measure::Entropy.cost(&[9.0, 5.0]) / 14.0 - 0.940_286).abs() < 1e-6);
    /// assert!((Measure::Gini.cost(&[9.0, 5.0]) / 14.0 - 90.0 / 196.0).abs() < 1e-12);
    /// ```
    #[inline]
    pub fn cost(self, tally: &[f64]) -> f64 {
        let weight = self.weight(tally);
        if weight <= 0.0 {
            return 0.0;
        }
        match self {
            Self::Gini => weight - tally.iter().map(|x| x * x).sum::<f64>() / weight,
            Self::Own(own) => own.cost(tally, weight),
            Self::Entropy => xlog2(weight) - tally.iter().map(|&x| xlog2(x)).sum::<f64>(),
            Self::Mse => {
                let NumberSums { sum, .. } = NumberSums::of(tally);
                -(sum * sum / weight)
            }
        }
    }
}

/// The tally of numbers, by name: what the list `[weight, sum]` holds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct NumberSums {
    pub weight: f64,
    /// The sum of the numbers, or of their distances from some centre.
    pub sum: f64,
}

impl NumberSums {
    #[inline(always)]
    pub(crate) fn of(tally: &[f64]) -> Self {
        Self { weight: tally[0], sum: tally[1] }
    }

    /// Adds to a list.
    #[inline(always)]
    pub(crate) fn add(tally: &mut [f64], weight: f64, term: f64) {
        tally[0] += weight;
        tally[1] += term;
    }
}

/// Gains closer than this are equal; those of numbers if they are closer than this times the mean squared error of their
/// node.
pub(crate) const TIE: f64 = 1e-12;

/// Whether a mean squared error lies above a limit, by more than rounding.
pub(crate) fn exceeds(error: f64, limit: f64) -> bool {
    error > limit * (1.0 + TIE)
}

/// `x log2 x`, 0 at 0.
#[inline]
pub(crate) fn xlog2(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}
