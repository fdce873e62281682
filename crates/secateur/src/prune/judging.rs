//! Bottom-up pruning by an estimate: what a method expects of a leaf, and how it decides between a subtree and a leaf.
//!
//! The methods that differ only in these two are [`Judge`]s; [`cut`] prunes by the counts in the tree alone, and
//! [`raising`](super::raising) with the training rows.

use crate::tree::Tree;

/// A subtree as a judge sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seen {
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
pub(crate) trait Judge {
    /// The estimate of a leaf with this weight and these training errors.
    fn leaf(&self, weight: f64, errors: f64) -> f64;
    /// What becomes of a node of this weight: its estimate as a leaf, its subtree, and its largest branch in its place.
    fn decide(&self, weight: f64, leaf: f64, subtree: Seen, raised: Option<Seen>) -> Verdict;
}

/// Bottom-up without raising, from the counts in the tree alone.
pub(crate) fn cut(tree: &Tree, risk: &[f64], judge: &impl Judge) -> Vec<bool> {
    assert_eq!(risk.len(), tree.nodes().len(), "there is one risk for every node");
    let mut leaf = vec![true; risk.len()];
    let mut seen = vec![Seen { estimate: 0.0, nodes: 1 }; risk.len()];
    for (id, node) in tree.nodes().iter().enumerate().rev() {
        let own = judge.leaf(node.weight, risk[id]);
        seen[id].estimate = own;
        if !tree.is_leaf(id) {
            let subtree = together(&seen[tree.children(id)]);
            leaf[id] = judge.decide(node.weight, own, subtree, None) == Verdict::Leaf;
            if !leaf[id] {
                seen[id] = subtree;
            }
        }
    }
    leaf
}

/// A node above these subtrees.
pub(crate) fn together(below: &[Seen]) -> Seen {
    Seen {
        estimate: below.iter().map(|s| s.estimate).sum(),
        nodes: 1 + below.iter().map(|s| s.nodes).sum::<usize>(),
    }
}

/// The weight of a tally and what a judge expects of a leaf with it.
pub(crate) fn estimate(tree: &Tree, judge: &impl Judge, tally: &[f64]) -> (f64, f64) {
    let weight: f64 = tally.iter().sum();
    let errors = match tree.costs() {
        Some(costs) => costs.risk(tally, costs.label(tally)) / costs.largest(),
        None => weight - tally.iter().copied().fold(0.0, f64::max),
    };
    (weight, judge.leaf(weight, errors))
}
