//! The histogram of one column at one node: a tally of the target for every value that occurs.

use crate::criterion::NumberSums;

/// What the rows of a node say of the target, value by value of one column.
///
/// Histograms of several parts of a table add up to the histogram of the whole: that is all a
/// counting engine has to deliver.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    /// The codes that occur, ascending.
    pub codes: Vec<u32>,
    /// Their tallies one after the other: class weights, or weight and sum (in the frame of the node).
    pub tallies: Vec<f64>,
    /// The tally of the rows without a value.
    pub missing: Vec<f64>,
    /// How many rows have each value, a part of a row counted by its share; empty where all rows weigh the same.
    pub sizes: Vec<f64>,
}

impl Histogram {
    /// An empty histogram with tallies of `size` numbers.
    pub fn new(size: usize) -> Self {
        Self { codes: Vec::new(), tallies: Vec::new(), missing: vec![0.0; size], sizes: Vec::new() }
    }

    /// The number of values that occur.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether no value occurs.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The tally of the `i`-th value.
    #[inline]
    pub fn tally(&self, i: usize) -> &[f64] {
        let size = self.missing.len();
        &self.tallies[i * size..(i + 1) * size]
    }

    /// The tally of all rows that have a value.
    pub fn known(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.missing.len()];
        for i in 0..self.len() {
            add(&mut sum, self.tally(i));
        }
        sum
    }

    /// For numbers: the sum over all rows, with a value or without.
    pub(crate) fn sum_of_numbers(&self) -> f64 {
        NumberSums::of(&self.known()).sum + NumberSums::of(&self.missing).sum
    }

    /// Adds another part's histogram of the same column at the same node.
    ///
    /// ```
    /// use secateur::split::Histogram;
    /// let part = |codes: &[u32], tallies: &[f64]| Histogram {
    ///     codes: codes.into(), tallies: tallies.into(), missing: vec![0.0, 1.0], sizes: vec![],
    /// };
    /// let mut whole = part(&[0, 2], &[1.0, 0.0, 2.0, 2.0]);
    /// whole.add(&part(&[1, 2], &[5.0, 5.0, 1.0, 0.0]));
    /// assert_eq!(whole.codes, [0, 1, 2]);
    /// assert_eq!(whole.tallies, [1.0, 0.0, 5.0, 5.0, 3.0, 2.0]);
    /// assert_eq!(whole.missing, [0.0, 2.0]);
    /// ```
    pub fn add(&mut self, other: &Self) {
        let mine = std::mem::replace(self, Self::new(self.missing.len()));
        self.missing = mine.missing.clone();
        add(&mut self.missing, &other.missing);
        let (mut i, mut j) = (0, 0);
        while i < mine.len() || j < other.len() {
            let a = mine.codes.get(i).copied().unwrap_or(u32::MAX);
            let b = other.codes.get(j).copied().unwrap_or(u32::MAX);
            self.codes.push(a.min(b));
            let start = self.tallies.len();
            let mut size = 0.0;
            if a <= b {
                self.tallies.extend_from_slice(mine.tally(i));
                size += mine.sizes.get(i).copied().unwrap_or(0.0);
                i += 1;
            }
            if b <= a {
                if a == b {
                    add(&mut self.tallies[start..], other.tally(j));
                } else {
                    self.tallies.extend_from_slice(other.tally(j));
                }
                size += other.sizes.get(j).copied().unwrap_or(0.0);
                j += 1;
            }
            if !(mine.sizes.is_empty() && other.sizes.is_empty()) {
                self.sizes.push(size);
            }
        }
    }
}

/// Adds one tally to another.
#[inline]
pub(crate) fn add(sum: &mut [f64], tally: &[f64]) {
    let size = sum.len().min(tally.len());
    let (sum, tally) = (&mut sum[..size], &tally[..size]);
    for i in 0..size {
        sum[i] += tally[i];
    }
}
