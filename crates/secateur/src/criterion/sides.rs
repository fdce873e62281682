//! Two sides of a node while rows move from the right to the left: what a scan over thresholds keeps up to date.

use super::class_sides::{Bits, GiniMany, GiniTwo};
use super::cost::Measure;
use super::number_sides::Squares;
use super::plain::Plain;
use super::{OwnImpurity, OwnSides};

/// Both sides of a binary split. Rows or whole tallies move from right to left; the cost of the pair is
/// always at hand.
pub(crate) trait Sides {
    /// What a row says of the target: its class, or its number.
    type Target: Copy;

    /// Everything on the right.
    fn start(&mut self, total: &[f64]);
    /// The same sides with everything on the right.
    fn started(&mut self, total: &[f64]) -> &mut Self {
        self.start(total);
        self
    }
    /// One row moves.
    fn row(&mut self, target: Self::Target, weight: f64);
    /// All rows of a tally move.
    fn tally(&mut self, tally: &[f64]);
    /// The weight on the left.
    fn left(&self) -> f64;
    /// The weight on the right.
    fn right(&self) -> f64;
    /// Cost of the left side plus cost of the right side; both must have weight.
    fn cost(&self) -> f64;
    /// Whether the cost is below a limit. Multiplying out is much faster than the division in [`Self::cost`].
    fn is_below(&self, limit: f64) -> bool;
}

/// One pair of sides of every kind, kept so that a search for a split allocates nothing.
pub(crate) struct SidesSet<'a> {
    pub two: GiniTwo,
    pub many: GiniMany,
    pub bits: Bits<'a>,
    pub squares: Squares,
    /// Where gains are compared to the last bit, these take the place of the others.
    pub plain: Option<Plain>,
    own: Option<OwnSides>,
}

impl<'a> SidesSet<'a> {
    /// `table` as in [`Bits::new`].
    pub(crate) fn new(table: &'a [f64], plain: Option<Plain>) -> Self {
        Self {
            two: GiniTwo::default(),
            many: GiniMany::default(),
            bits: Bits::new(table),
            squares: Squares::default(),
            plain,
            own: None,
        }
    }

    /// The sides for an impurity from outside; a search knows one.
    pub(crate) fn own(&mut self, impurity: OwnImpurity) -> &mut OwnSides {
        self.own.get_or_insert_with(|| OwnSides::new(impurity))
    }

    /// Sets the tally of the rows without a value, before the sides start; those that do not spread them do not care.
    pub(crate) fn unknown(&mut self, missing: &[f64]) {
        if let Some(plain) = &mut self.plain {
            plain.unknown(missing);
        }
    }

    /// Runs the same code with the sides that fit a measure and a number of classes.
    pub(crate) fn run<R>(&mut self, measure: Measure, classes: usize, run: impl SidesRun<R>) -> R {
        if let Some(plain) = &mut self.plain {
            return run.run(plain);
        }
        match measure {
            Measure::Gini if classes == 2 => run.run(&mut self.two),
            Measure::Gini => run.run(&mut self.many),
            Measure::Entropy => run.run(&mut self.bits),
            Measure::Mse => run.run(&mut self.squares),
            Measure::Own(impurity) => run.run(self.own(impurity)),
        }
    }
}

impl SidesSet<'_> {
    /// The same with the sides for classes, row by row.
    pub(crate) fn run_classes<R>(
        &mut self,
        measure: Measure,
        classes: usize,
        run: impl ClassSidesRun<R>,
    ) -> R {
        if let Some(plain) = &mut self.plain {
            return run.run(plain);
        }
        match measure {
            Measure::Gini if classes == 2 => run.run(&mut self.two),
            Measure::Gini => run.run(&mut self.many),
            Measure::Own(impurity) => run.run(self.own(impurity)),
            Measure::Entropy | Measure::Mse => run.run(&mut self.bits),
        }
    }
}

/// Code that works with any sides for classes.
pub(crate) trait ClassSidesRun<R> {
    fn run<S: Sides<Target = u32>>(self, sides: &mut S) -> R;
}

/// Code that works with any sides (a closure that is generic).
pub(crate) trait SidesRun<R> {
    fn run<S: Sides>(self, sides: &mut S) -> R;
}

#[cfg(test)]
mod tests {
    use super::super::cost::xlog2;
    use super::*;
    use proptest::prelude::*;

    fn check<S: Sides>(measure: Measure, mut sides: S, tallies: &[Vec<f64>]) {
        let size = tallies[0].len();
        let sum =
            |part: &[Vec<f64>]| -> Vec<f64> { (0..size).map(|i| part.iter().map(|t| t[i]).sum()).collect() };
        sides.start(&sum(tallies));
        for cut in 1..tallies.len() {
            sides.tally(&tallies[cut - 1]);
            let (left, right) = (sum(&tallies[..cut]), sum(&tallies[cut..]));
            assert!((sides.left() - measure.weight(&left)).abs() < 1e-9);
            assert!((sides.right() - measure.weight(&right)).abs() < 1e-9);
            let expected = measure.cost(&left) + measure.cost(&right);
            assert!((sides.cost() - expected).abs() < 1e-9 * expected.abs().max(1.0), "{measure:?}");
            assert!(sides.is_below(f64::INFINITY));
            assert!(sides.is_below(expected + 1e-6) && !sides.is_below(expected - 1e-6));
        }
    }

    proptest! {
        #[test]
        fn sides_cost_what_their_tallies_cost(
            (classes, rows) in (2usize..7).prop_flat_map(|c|
                (Just(c), prop::collection::vec((0..c, 0.1f64..9.0, -5.0f64..5.0), 2..30)))
        ) {
            let class_tallies: Vec<Vec<f64>> = rows.iter().map(|&(class, w, _)| {
                let mut t = vec![0.0; classes];
                t[class] = w;
                t
            }).collect();
            if classes == 2 {
                check(Measure::Gini, GiniTwo::default(), &class_tallies);
            }
            check(Measure::Gini, GiniMany::default(), &class_tallies);
            check(Measure::Entropy, Bits::new(&[]), &class_tallies);
            let whole: Vec<Vec<f64>> =
                class_tallies.iter().map(|t| t.iter().map(|x| x.ceil()).collect()).collect();
            let table: Vec<f64> = (0..300).map(|i| xlog2(f64::from(i))).collect();
            check(Measure::Entropy, Bits::new(&table), &whole);
            let moments: Vec<Vec<f64>> = rows.iter().map(|&(_, w, y)| vec![w, w * y]).collect();
            check(Measure::Mse, Squares::default(), &moments);
        }
    }
}
