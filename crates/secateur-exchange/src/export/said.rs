//! What nodes say, for all formats: probabilities or a number, the label, and what shares of rows without a known value come to.

use secateur::schema::Cell;
use secateur::tree::{NodeId, Tree};

/// What a node says as a leaf.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The probability of every class, or the one predicted number.
    pub numbers: Vec<f64>,
    /// The class, by costs where the tree has them; 0 for a tree that predicts numbers.
    pub label: usize,
}

/// What a node says as a leaf: the answer of `predict` for a row that ends there.
pub fn said(tree: &Tree, node: NodeId) -> Said {
    let numbers = tree.answer(node).to_vec();
    let label = if tree.is_classifier() { tree.decide(&numbers) } else { 0 };
    Said { numbers, label }
}

/// The leaves from left to right.
pub fn leaves(tree: &Tree) -> Vec<NodeId> {
    tree.root().leaves().map(|leaf| leaf.id()).collect()
}

/// The least share of a row that reaches every node, where all values on its way are missing.
fn least_shares(tree: &Tree) -> Vec<f64> {
    let mut share = vec![0.0; tree.nodes().len()];
    share[0] = 1.0;
    for node in 0..share.len() {
        for (child, part) in tree.children(node).zip(tree.shares(node)) {
            share[child] = share[node] * part;
        }
    }
    share
}

/// Whether a row in parts always ends at leaves. In a tree so deep that shares of shares round to 0, a node itself answers instead.
pub fn ends_at_leaves(tree: &Tree) -> bool {
    let share = least_shares(tree);
    let goes_on = |node: usize| tree.is_leaf(node) || tree.children(node).any(|child| share[child] > 0.0);
    (0..share.len()).all(|node| share[node] == 0.0 || goes_on(node))
}

/// Whether a share of some number that a leaf says is too small to be a number.
pub fn comes_to_nothing(tree: &Tree) -> bool {
    let share = least_shares(tree);
    let is_lost = |leaf: NodeId| {
        share[leaf] > 0.0
            && tree.answer(leaf).iter().any(|number| *number != 0.0 && share[leaf] * number == 0.0)
    };
    leaves(tree).into_iter().any(is_lost)
}

/// The branch to which rows without a value go where a format knows no parts: the one the tree names, or the heaviest.
pub fn default_branch(tree: &Tree, node: NodeId, ways: &super::ways::Ways) -> usize {
    ways.missing.unwrap_or_else(|| heaviest_branch(tree, node))
}

/// The heaviest branch of a split, the first of equal ones.
pub fn heaviest_branch(tree: &Tree, node: NodeId) -> usize {
    let weights = tree.children(node).map(|child| tree.node(child).weight).enumerate();
    let heavier = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    weights.reduce(heavier).map_or(0, |(branch, _)| branch)
}

/// The leaf of a row that goes down the heaviest branch wherever the tree sends it down several.
pub fn heaviest_leaf(tree: &Tree, cell: impl Fn(usize) -> Cell) -> NodeId {
    let mut node = 0;
    while let Some(condition) = &tree.node(node).condition {
        let branch = condition.route(cell(condition.attribute()));
        node = tree.children(node).start + branch.unwrap_or_else(|| heaviest_branch(tree, node));
    }
    node
}
