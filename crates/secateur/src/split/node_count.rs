//! What is known of the rows of a node before it is split.

use super::moments::Frame;
use super::tally::Tally;

/// What is known of the rows of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeCount {
    /// Rows that reach the node, in whole or in part.
    pub rows: u64,
    /// Their weight.
    pub weight: f64,
    /// Their number as the limits count it: rows whatever they weigh, a part of a row by its share.
    pub size: f64,
    /// What they say of the target.
    pub tally: Tally,
    /// The sum of numbers in their frame.
    pub sum: f64,
    /// The median of the target, where it was asked for.
    pub median: Option<f64>,
}

impl NodeCount {
    /// Rows with classes.
    pub(crate) fn of_classes(rows: usize, weight: f64, size: f64, weights: Vec<f64>) -> Self {
        Self { rows: rows as u64, weight, size, tally: Tally::Classes(weights), sum: 0.0, median: None }
    }

    /// The mean squared error of numbers.
    pub fn error(&self) -> f64 {
        if self.weight > 0.0 { self.tally.numbers().error / self.weight } else { 0.0 }
    }

    /// How numbers are summed while splits are compared.
    pub fn frame(&self) -> Frame {
        Frame::new(self.tally.numbers())
    }
}
