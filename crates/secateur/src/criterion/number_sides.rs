//! Both sides of a cut of rows with numbers: the squared error.

use super::cost::{Measure, NumberSums};
use super::sides::Sides;

/// Squared error, from weights and sums: with `T` the sum on the left less its share of the whole sum, two sides of weights
/// `l` and `r` cost `T² (l + r) / (l r)` less than the whole.
#[derive(Default)]
pub(crate) struct Squares {
    left: NumberSums,
    weight: f64,
    /// The mean, and what the whole costs.
    mean: f64,
    cost: f64,
}

impl Squares {
    /// `T² (l + r)` and `l r`.
    #[inline(always)]
    fn fraction(&self) -> (f64, f64) {
        let NumberSums { weight: l, sum } = self.left;
        let off = sum - l * self.mean;
        (off * off * self.weight, l * (self.weight - l))
    }
}

impl Sides for Squares {
    type Target = f64;

    fn start(&mut self, total: &[f64]) {
        let NumberSums { weight, sum } = NumberSums::of(total);
        self.left = NumberSums::default();
        self.weight = weight;
        self.mean = sum / weight;
        self.cost = Measure::Mse.cost(total);
    }

    /// The target is what the row adds to a sum, its weight included.
    #[inline(always)]
    fn row(&mut self, term: f64, weight: f64) {
        self.left.weight += weight;
        self.left.sum += term;
    }

    fn tally(&mut self, tally: &[f64]) {
        let NumberSums { weight, sum } = NumberSums::of(tally);
        self.row(sum, weight);
    }

    #[inline(always)]
    fn left(&self) -> f64 {
        self.left.weight
    }

    #[inline(always)]
    fn right(&self) -> f64 {
        self.weight - self.left.weight
    }

    #[inline(always)]
    fn cost(&self) -> f64 {
        let (numerator, denominator) = self.fraction();
        self.cost - numerator / denominator
    }

    #[inline(always)]
    fn is_below(&self, limit: f64) -> bool {
        let (numerator, denominator) = self.fraction();
        (self.cost - limit) * denominator < numerator
    }
}
