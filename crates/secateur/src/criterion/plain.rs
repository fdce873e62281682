//! Gains in one plain floating-point formula, to the last bit.
//!
//! A program that compares gains as they come from the processor decides between equal splits by rounding errors, and so
//! by its formula. Trees grown by such a program come out again only with the same formula, and this is the plainest:
//! `i(T) − l/n · i(L) − r/n · i(R)`, with `i = 1 − Σ p²` or `i = −Σ p log2 p` summed in class order.
//!
//! Where rows without a value are spread, `L` and `R` get their parts of them, in proportion to the weights of the rows
//! with a value, and `T` is all rows.

use super::Measure;
use super::class_weights::ClassWeights;
use super::sides::Sides;

/// Both sides of a cut. The cost is minus the gain per row, so that what is compared is what is rounded afterwards.
pub(crate) struct Plain {
    entropy: bool,
    /// Whether rows without a value are spread over the sides, and their tally where there are any.
    spread: bool,
    unknown: Vec<f64>,
    weights: ClassWeights,
    /// The weight and the impurity of both sides together, with the rows that are spread.
    whole: (f64, f64),
}

impl Plain {
    /// Sides for classes; `spread` says whether rows without a value belong to them in parts.
    pub(crate) fn new(measure: Measure, spread: bool) -> Self {
        Self {
            entropy: measure == Measure::Entropy,
            spread,
            unknown: Vec::new(),
            weights: ClassWeights::default(),
            whole: (0.0, 0.0),
        }
    }

    /// Sets the tally of the rows without a value, before a start.
    pub(crate) fn unknown(&mut self, tally: &[f64]) {
        self.unknown.clear();
        if self.spread && tally.iter().any(|w| *w > 0.0) {
            self.unknown.extend_from_slice(tally);
        }
    }

    /// One side with its share of the rows without a value: its weight and its impurity.
    fn with_share(&self, side: &[f64], share: f64) -> (f64, f64) {
        let tally = || side.iter().zip(&self.unknown).map(|(known, unknown)| known + share * unknown);
        let weight = tally().sum();
        (weight, self.impurity(tally(), weight))
    }

    fn impurity(&self, tally: impl Iterator<Item = f64>, weight: f64) -> f64 {
        let shares = tally.map(|x| x / weight);
        if self.entropy {
            shares.filter(|p| *p > 0.0).fold(0.0, |sum, p| sum - p * p.log2())
        } else {
            1.0 - shares.fold(0.0, |sum, p| sum + p * p)
        }
    }
}

impl Sides for Plain {
    type Target = u32;

    fn start(&mut self, total: &[f64]) {
        self.weights.start(total);
        let weight = self.weights.sums[1];
        self.whole = if self.unknown.is_empty() {
            (weight, self.impurity(total.iter().copied(), weight))
        } else {
            self.with_share(total, 1.0)
        };
    }

    fn row(&mut self, class: u32, weight: f64) {
        self.weights.row(class, weight);
    }

    fn tally(&mut self, tally: &[f64]) {
        for (class, &weight) in tally.iter().enumerate() {
            self.row(class as u32, weight);
        }
    }

    fn left(&self) -> f64 {
        self.weights.sums[0]
    }

    fn right(&self) -> f64 {
        self.weights.sums[1]
    }

    fn cost(&self) -> f64 {
        let [l, r] = self.weights.sums;
        let (n, impurity) = self.whole;
        let [(l, left), (r, right)] = if self.unknown.is_empty() {
            let impurity = |side: &[f64], weight| self.impurity(side.iter().copied(), weight);
            [(l, impurity(&self.weights.left, l)), (r, impurity(&self.weights.right, r))]
        } else {
            let share = l / (l + r);
            [self.with_share(&self.weights.left, share), self.with_share(&self.weights.right, 1.0 - share)]
        };
        -(impurity - l / n * left - r / n * right)
    }

    fn is_below(&self, limit: f64) -> bool {
        self.cost() < limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cost_is_minus_the_gain_per_row(
            (classes, rows) in (2usize..5).prop_flat_map(|c| (Just(c), prop::collection::vec(0..c, 2..30)))
        ) {
            for measure in [Measure::Gini, Measure::Entropy] {
                let tally = |rows: &[usize]| -> Vec<f64> {
                    (0..classes).map(|c| rows.iter().filter(|r| **r == c).count() as f64).collect()
                };
                let mut sides = Plain::new(measure, false);
                sides.start(&tally(&rows));
                for cut in 1..rows.len() {
                    sides.row(rows[cut - 1] as u32, 1.0);
                    let branches = measure.cost(&tally(&rows[..cut])) + measure.cost(&tally(&rows[cut..]));
                    let gain = (measure.cost(&tally(&rows)) - branches) / rows.len() as f64;
                    prop_assert!((sides.cost() + gain).abs() < 1e-12, "{measure:?}");
                    prop_assert_eq!((sides.left(), sides.right()), (cut as f64, (rows.len() - cut) as f64));
                }
            }
        }
    }

    #[test]
    fn of_equal_gains_the_last_bit_decides() {
        // Four rows against two, and the two against the four: both gain a twelfth.
        let gain = |left: [f64; 3]| {
            let mut sides = Plain::new(Measure::Gini, false);
            sides.start(&[2.0; 3]);
            sides.tally(&left);
            -sides.cost()
        };
        assert_eq!(gain([1.0, 1.0, 2.0]), 0.08333333333333345);
        assert_eq!(gain([1.0, 1.0, 0.0]), 0.08333333333333348);
    }
}
