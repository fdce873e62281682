//! Both sides of a cut of rows with classes: Gini for two classes and for many, entropy.

use super::cost::xlog2;
use super::sides::Sides;

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
