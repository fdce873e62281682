//! What is known of the rows of a node before it is split.

use super::moments::Frame;

/// What is known of the rows of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeCount {
    /// Rows that reach the node, in whole or in part.
    pub rows: u64,
    /// Their weight.
    pub weight: f64,
    /// Their number as the limits count it: rows whatever they weigh, a part of a row by its share.
    pub size: f64,
    /// Their tally: class weights, or weight, mean and squared error around it, in the unit of the coded target.
    pub tally: Vec<f64>,
    /// The sum of numbers in their frame.
    pub sum: f64,
    /// The median of the target, where it was asked for.
    pub median: Option<f64>,
}

impl NodeCount {
    /// The mean squared error of numbers.
    pub fn error(&self) -> f64 {
        if self.weight > 0.0 { self.tally[2] / self.weight } else { 0.0 }
    }

    /// How numbers are summed while splits are compared.
    pub fn frame(&self) -> Frame {
        Frame::new(&self.tally)
    }
}
