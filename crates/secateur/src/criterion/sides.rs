//! Two sides of a node while rows move from the right to the left: what a scan over thresholds keeps up to date.

use super::cost::{Measure, NumberSums, xlog2};
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

/// Gini for two classes, from the weight and the weight of the second class.
///
/// With `n` rows of which `a` have the second class, a side costs `2a(n − a)/n = 2(a − a²/n)`.
#[derive(Default)]
pub(crate) struct GiniTwo {
    left: [f64; 2],
    total: [f64; 2],
}

impl GiniTwo {
    /// `a²/n` of both sides together, as a fraction.
    #[inline(always)]
    fn fraction(&self) -> (f64, f64) {
        let [l, a] = self.left;
        let (r, b) = (self.total[0] - l, self.total[1] - a);
        (a * a * r + b * b * l, l * r)
    }
}

impl Sides for GiniTwo {
    type Target = u32;

    fn start(&mut self, total: &[f64]) {
        self.left = [0.0; 2];
        self.total = [total[0] + total[1], total[1]];
    }

    #[inline(always)]
    fn row(&mut self, class: u32, weight: f64) {
        // A product, not a choice: the processor cannot guess classes.
        self.left[0] += weight;
        self.left[1] += f64::from(class as i32) * weight;
    }

    fn tally(&mut self, tally: &[f64]) {
        self.left[0] += tally[0] + tally[1];
        self.left[1] += tally[1];
    }

    #[inline(always)]
    fn left(&self) -> f64 {
        self.left[0]
    }

    #[inline(always)]
    fn right(&self) -> f64 {
        self.total[0] - self.left[0]
    }

    #[inline(always)]
    fn cost(&self) -> f64 {
        let (numerator, denominator) = self.fraction();
        2.0 * (self.total[1] - numerator / denominator)
    }

    #[inline(always)]
    fn is_below(&self, limit: f64) -> bool {
        let (numerator, denominator) = self.fraction();
        (self.total[1] - 0.5 * limit) * denominator < numerator
    }
}

/// Gini for any number of classes: sums of squares are kept, so a step costs the same for 2 or 200 classes.
#[derive(Default)]
pub(crate) struct GiniMany {
    left: Vec<f64>,
    right: Vec<f64>,
    squares: [f64; 2],
    weights: [f64; 2],
}

impl Sides for GiniMany {
    type Target = u32;

    fn start(&mut self, total: &[f64]) {
        self.left.clear();
        self.left.resize(total.len(), 0.0);
        self.right.clear();
        self.right.extend_from_slice(total);
        self.squares = [0.0, total.iter().map(|x| x * x).sum()];
        self.weights = [0.0, total.iter().sum()];
    }

    #[inline(always)]
    fn row(&mut self, class: u32, weight: f64) {
        let left = &mut self.left[class as usize];
        self.squares[0] += weight * (2.0 * *left + weight);
        *left += weight;
        let right = &mut self.right[class as usize];
        self.squares[1] -= weight * (2.0 * *right - weight);
        *right -= weight;
        self.weights[0] += weight;
        self.weights[1] -= weight;
    }

    fn tally(&mut self, tally: &[f64]) {
        for (class, &weight) in tally.iter().enumerate() {
            if weight != 0.0 {
                self.row(class as u32, weight);
            }
        }
    }

    #[inline(always)]
    fn left(&self) -> f64 {
        self.weights[0]
    }

    #[inline(always)]
    fn right(&self) -> f64 {
        self.weights[1]
    }

    #[inline(always)]
    fn cost(&self) -> f64 {
        let [l, r] = self.weights;
        l + r - (self.squares[0] * r + self.squares[1] * l) / (l * r)
    }

    #[inline(always)]
    fn is_below(&self, limit: f64) -> bool {
        let [l, r] = self.weights;
        (l + r - limit) * (l * r) < self.squares[0] * r + self.squares[1] * l
    }
}

/// Entropy for any number of classes. With whole counts the logarithms come from a table.
pub(crate) struct Bits<'a> {
    table: &'a [f64],
    left: Vec<f64>,
    right: Vec<f64>,
    weights: [f64; 2],
}

impl<'a> Bits<'a> {
    /// `table[i]` is `i log2 i`; it must cover every whole weight that can occur, or be empty when
    /// weights are not whole.
    pub(crate) fn new(table: &'a [f64]) -> Self {
        Self { table, left: Vec::new(), right: Vec::new(), weights: [0.0; 2] }
    }

    #[inline(always)]
    fn xlog2(&self, x: f64) -> f64 {
        // A whole weight indexes the table; without a table the index is out of range.
        match self.table.get(x as usize) {
            Some(&y) => y,
            None => xlog2(x),
        }
    }
}

impl Sides for Bits<'_> {
    type Target = u32;

    fn start(&mut self, total: &[f64]) {
        self.left.clear();
        self.left.resize(total.len(), 0.0);
        self.right.clear();
        self.right.extend_from_slice(total);
        self.weights = [0.0, total.iter().sum()];
    }

    #[inline(always)]
    fn row(&mut self, class: u32, weight: f64) {
        self.left[class as usize] += weight;
        self.right[class as usize] -= weight;
        self.weights[0] += weight;
        self.weights[1] -= weight;
    }

    fn tally(&mut self, tally: &[f64]) {
        for (class, &weight) in tally.iter().enumerate() {
            self.row(class as u32, weight);
        }
    }

    #[inline(always)]
    fn left(&self) -> f64 {
        self.weights[0]
    }

    #[inline(always)]
    fn right(&self) -> f64 {
        self.weights[1]
    }

    #[inline(always)]
    fn cost(&self) -> f64 {
        let mut cost = self.xlog2(self.weights[0]) + self.xlog2(self.weights[1]);
        for (&l, &r) in self.left.iter().zip(&self.right) {
            cost -= self.xlog2(l) + self.xlog2(r);
        }
        cost
    }

    #[inline(always)]
    fn is_below(&self, limit: f64) -> bool {
        self.cost() < limit
    }
}

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

    /// Tells the tally of the rows without a value, before the sides start; those that do not spread them do not care.
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
