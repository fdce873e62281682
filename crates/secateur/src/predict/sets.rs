//! Sets of classes and intervals of numbers that cover a given share of new rows.

use super::{Predictions, Predictor};
use crate::error::{Error, Result};
use crate::statistics::Interval;
use crate::threads;
use crate::tree::{Reach, Spreads, Tree};

/// A set or an interval for every row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PredictionSets {
    /// How far they reach.
    pub reach: Reach,
    /// The number of classes; 0 for numbers.
    pub width: usize,
    /// For every row and class whether the class belongs to the set, row by row; empty for numbers.
    pub classes: Vec<bool>,
    /// The interval of every row; empty for classes.
    pub intervals: Vec<Interval>,
}

impl PredictionSets {
    /// The places of the classes in the set of a row.
    pub fn of_row(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let sets = self.classes.get(row * self.width..(row + 1) * self.width).unwrap_or_default();
        sets.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(class, _)| class)
    }

    /// The mean number of classes in a set, or the mean width of an interval; `None` without rows.
    pub fn mean_size(&self) -> Option<f64> {
        let rows = self.classes.len().checked_div(self.width).unwrap_or(self.intervals.len());
        let mut all = 0.0;
        self.add_sizes(&mut all);
        (rows > 0).then(|| all / rows as f64)
    }

    /// Adds the number of classes in all sets, or the widths of all intervals one after the other.
    pub(super) fn add_sizes(&self, sum: &mut f64) {
        *sum += self.classes.iter().filter(|is_in| **is_in).count() as f64;
        self.intervals.iter().for_each(|interval| *sum += interval.high - interval.low);
    }
}

impl Tree {
    /// How far sets or intervals reach that cover this share of new rows.
    ///
    /// # Errors
    /// When the tree has no scores of rows that it was not grown from, or too few for this level.
    pub fn reach(&self, level: f64) -> Result<Reach> {
        match self.conformal() {
            Some(conformal) => conformal.reach(level),
            None => Err(Error::parameter(
                "the tree has no scores to make sets with; fits keep them that choose by cross-validation, judge by nested \
                 cross-validation, or set rows aside to calibrate with, and pruning afterwards loses them",
            )),
        }
    }
}

impl Predictor<'_> {
    /// A set of classes or an interval for every row, with at least this share of new rows inside.
    ///
    /// ```
    /// use secateur::Fit;
    /// use secateur::predict::Predictor;
    /// let table = secateur::data::builtin::load("iris")?;
    /// let tree = Fit::new(&table, "class").model()?.tree;
    /// let predictor = Predictor::bind(&tree, &table)?;
    /// let sets = predictor.sets(&predictor.predict(), 0.9)?;
    /// let inside = (0..150).filter(|&row| sets.classes[row * 3 + row / 50]).count();
    /// assert!(inside >= 135);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the tree has no scores for that, or too few of them.
    pub fn sets(&self, predictions: &Predictions, level: f64) -> Result<PredictionSets> {
        let (tree, rows) = (self.tree(), self.table().rows());
        let reach = tree.reach(level)?;
        let width = tree.schema().target.classes().len();
        let mut sets = PredictionSets { reach, width, classes: Vec::new(), intervals: Vec::new() };
        if tree.is_classifier() {
            let said = predictions.probabilities.chunks_exact(width.max(1)).zip(&predictions.labels);
            let has = |(p, &label): (&[f64], &u32)| -> Vec<bool> {
                (0..p.len()).map(|class| reach.has(p[class], class == label as usize)).collect()
            };
            sets.classes = said.flat_map(has).collect();
        } else {
            let spreads = Spreads::of(tree);
            sets.intervals = threads::map(rows, |row| {
                let told = predictions.values[row];
                let half = reach.half(spreads.moments(&self.leaf_weights(row), told).0.sqrt());
                Interval { low: told - half, high: told + half }
            });
        }
        Ok(sets)
    }
}
