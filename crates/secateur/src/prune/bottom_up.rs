//! Bottom-up pruning by an estimate: what a method expects of a leaf, and how it decides between a subtree and a leaf.
//!
//! The methods that differ only in these two are [`Estimator`]s; [`cut`] prunes by the counts in the tree alone, and
//! [`raising`](super::raising) with the training rows.

use std::cell::RefCell;

use hashbrown::HashMap;

use super::cutting::for_all;
use crate::tree::Tree;

/// A subtree as an estimator sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SubtreeEstimate {
    /// The sum of its leaves' estimates.
    pub estimate: f64,
    /// Its nodes.
    pub nodes: usize,
}

/// What becomes of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    Leaf,
    Raise,
}

/// A method: what it expects of a leaf, and how it decides.
pub(crate) trait Estimator {
    /// The estimate of a leaf with this weight and these training errors.
    fn leaf(&self, weight: f64, errors: f64) -> f64;
    /// Whether a subtree is sure to be kept, without the estimate of its node.
    fn surely_keeps(&self, _weight: f64, _errors: f64, _subtree: SubtreeEstimate) -> bool {
        false
    }
    /// What becomes of a node of this weight: its estimate as a leaf, its subtree, and its largest branch in its place.
    fn decide(
        &self,
        weight: f64,
        leaf: f64,
        subtree: SubtreeEstimate,
        raised: Option<SubtreeEstimate>,
    ) -> Verdict;
}

/// An estimator that looks up what it has estimated before: in a large tree most nodes are small, and few numbers of rows and errors are
/// small.
pub(crate) struct Memoised<'a, J> {
    estimator: &'a J,
    estimates: RefCell<HashMap<(u64, u64), f64>>,
}

impl<'a, J: Estimator> Memoised<'a, J> {
    pub(crate) fn new(estimator: &'a J) -> Self {
        Self { estimator, estimates: RefCell::default() }
    }
}

impl<J: Estimator> Estimator for Memoised<'_, J> {
    fn leaf(&self, weight: f64, errors: f64) -> f64 {
        let key = (weight.to_bits(), errors.to_bits());
        *self.estimates.borrow_mut().entry(key).or_insert_with(|| self.estimator.leaf(weight, errors))
    }

    fn surely_keeps(&self, weight: f64, errors: f64, subtree: SubtreeEstimate) -> bool {
        self.estimator.surely_keeps(weight, errors, subtree)
    }

    fn decide(
        &self,
        weight: f64,
        leaf: f64,
        subtree: SubtreeEstimate,
        raised: Option<SubtreeEstimate>,
    ) -> Verdict {
        self.estimator.decide(weight, leaf, subtree, raised)
    }
}

/// Bottom-up without raising, from the counts in the tree alone.
pub(crate) fn cut(tree: &Tree, risk: &[f64], estimator: &impl Estimator) -> Vec<bool> {
    let risk = &*for_all(tree, risk);
    let mut leaf = vec![true; risk.len()];
    let mut seen = vec![SubtreeEstimate { estimate: 0.0, nodes: 1 }; risk.len()];
    for (id, node) in tree.nodes().iter().enumerate().rev() {
        if !tree.is_leaf(id) {
            let subtree = together(&seen[tree.children(id)]);
            if estimator.surely_keeps(node.weight, risk[id], subtree) {
                (leaf[id], seen[id]) = (false, subtree);
                continue;
            }
            let own = estimator.leaf(node.weight, risk[id]);
            leaf[id] = estimator.decide(node.weight, own, subtree, None) == Verdict::Leaf;
            seen[id] = if leaf[id] { SubtreeEstimate { estimate: own, nodes: 1 } } else { subtree };
        } else {
            seen[id].estimate = estimator.leaf(node.weight, risk[id]);
        }
    }
    leaf
}

/// A node above these subtrees.
pub(crate) fn together(below: &[SubtreeEstimate]) -> SubtreeEstimate {
    SubtreeEstimate {
        estimate: below.iter().map(|s| s.estimate).sum(),
        nodes: 1 + below.iter().map(|s| s.nodes).sum::<usize>(),
    }
}

/// The rows of a tally, of which one has the weight `unit`, and what an estimator expects of a leaf with it.
pub(crate) fn estimate(tree: &Tree, estimator: &impl Estimator, tally: &[f64], unit: f64) -> (f64, f64) {
    let weight: f64 = tally.iter().sum();
    let errors = match tree.costs() {
        Some(costs) => costs.risk(tally, costs.label(tally)) / costs.largest(),
        None => weight - tally.iter().copied().fold(0.0, f64::max),
    };
    let (rows, errors) = (weight / unit, errors / unit);
    (rows, estimator.leaf(rows, errors))
}
