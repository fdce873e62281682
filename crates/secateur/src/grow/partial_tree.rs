//! A tree in the making.

use super::engine::BestSplit;
use super::finished::make_room;
use crate::error::Result;
use crate::split::{NodeCount, NumberTally, Tally};

/// A node in the making.
#[derive(Debug)]
pub(super) struct GrowingNode<R> {
    /// The first child, once the node is split.
    pub first_child: Option<u32>,
    pub depth: u32,
    pub rows: u64,
    pub weight: f64,
    /// The best split, whether it has been made or waits.
    pub found: Option<BestSplit>,
    /// The engine's handle, while the split waits.
    pub handle: Option<R>,
}

/// Nodes in the making, in the order in which they were made.
#[derive(Debug)]
pub(super) struct PartialTree<R> {
    pub nodes: Vec<GrowingNode<R>>,
    /// For classes: how many there are, and their weights in each node.
    classes: usize,
    pub class_weights: Vec<f64>,
    /// For numbers: what they are like in each node.
    pub numbers: Vec<NumberTally>,
    pub medians: Vec<f64>,
}

impl<R> PartialTree<R> {
    pub(super) fn new(root: NodeCount, depth: u32) -> Result<Self> {
        let mut partial = Self {
            nodes: Vec::new(),
            classes: root.tally.class_weights().len(),
            class_weights: Vec::new(),
            numbers: Vec::new(),
            medians: Vec::new(),
        };
        partial.push(depth, &root)?;
        Ok(partial)
    }

    pub(super) fn push(&mut self, depth: u32, count: &NodeCount) -> Result<()> {
        match &count.tally {
            Tally::Classes(weights) => {
                make_room(&mut self.class_weights, weights.len())?;
                self.class_weights.extend_from_slice(weights);
            }
            Tally::Numbers(tally) => self.numbers.push(*tally),
        }
        // An empty branch has no median of its own; it predicts with its parent's.
        self.medians.extend(count.median.or((!self.medians.is_empty()).then_some(0.0)));
        self.nodes.push(GrowingNode {
            first_child: None,
            depth,
            rows: count.rows,
            weight: count.weight,
            found: None,
            handle: None,
        });
        Ok(())
    }

    pub(super) fn class_weights(&self, node: usize) -> &[f64] {
        &self.class_weights[node * self.classes..(node + 1) * self.classes]
    }
}
