//! Pruning written from the definitions: recursive, with products, one version after another.

use super::{KNorm, log_moment};
use crate::tree::{NodeId, Tree};

/// The weight of the largest class.
pub(super) fn most(counts: &[f64]) -> f64 {
    counts.iter().copied().fold(0.0, f64::max)
}

/// Training errors of a node as a leaf.
pub(super) fn errors(counts: &[f64]) -> f64 {
    counts.iter().sum::<f64>() - most(counts)
}

/// The algorithm of figure 4.1 as it is printed: recursive, with products. Gives the moment, and marks the splits that stay;
/// `None` when a decision is too close for plain numbers.
pub(super) fn prune_tree(
    tree: &Tree,
    t: NodeId,
    rule: &KNorm,
    k: u32,
    stays: &mut Vec<NodeId>,
) -> Option<f64> {
    let counts = tree.class_weights(t);
    let (n, j) = (counts.iter().sum::<f64>(), counts.len() as f64);
    let wrong = n - most(counts) + rule.lambda * (j - 1.0);
    let as_leaf: f64 =
        (0..k).map(|m| (wrong + f64::from(m)) / (n + rule.lambda * j + f64::from(m))).product();
    if tree.is_leaf(t) {
        return Some(as_leaf);
    }
    let before = stays.len();
    let mut subtree = 0.0;
    for c in tree.children(t) {
        let weight: f64 = tree.class_weights(c).iter().sum();
        let share = (weight + rule.eta) / (n + rule.eta * tree.children(t).len() as f64);
        subtree += share * prune_tree(tree, c, rule, k, stays)?;
    }
    if (subtree - as_leaf).abs() < 1e-9 * as_leaf {
        return None;
    }
    if subtree < as_leaf {
        stays.push(t);
        Some(subtree)
    } else {
        stays.truncate(before);
        Some(as_leaf)
    }
}

/// The moments of all pruned versions of a subtree, and which splits they keep.
pub(super) fn all_prunings(tree: &Tree, t: NodeId, rule: &KNorm, k: f64) -> Vec<(f64, Vec<NodeId>)> {
    let as_leaf = (log_moment(tree.class_weights(t), rule.lambda, k).exp(), vec![]);
    if tree.is_leaf(t) {
        return vec![as_leaf];
    }
    let mut splits = vec![(0.0, vec![t])];
    for c in tree.children(t) {
        let parts = all_prunings(tree, c, rule, k);
        let share = rule.share(tree, t, c);
        let with = |(sum, kept): &(f64, Vec<NodeId>)| -> Vec<(f64, Vec<NodeId>)> {
            parts
                .iter()
                .map(|(moment, more)| (sum + share * moment, [&kept[..], &more[..]].concat()))
                .collect()
        };
        splits = splits.iter().flat_map(with).collect();
    }
    splits.push(as_leaf);
    splits
}

/// Minimum error pruning: a node of `n` rows and `e` errors errs with `(e + (J − 1)λ)/(n + Jλ)`, a split with the average of
/// its branches by their rows.
pub(super) fn minimum_error(tree: &Tree, t: NodeId, lambda: f64, stays: &mut Vec<NodeId>) -> Option<f64> {
    let counts = tree.class_weights(t);
    let (n, j) = (counts.iter().sum::<f64>(), counts.len() as f64);
    let as_leaf = (errors(counts) + (j - 1.0) * lambda) / (n + j * lambda);
    if tree.is_leaf(t) {
        return Some(as_leaf);
    }
    let before = stays.len();
    let mut subtree = 0.0;
    for c in tree.children(t) {
        let weight: f64 = tree.class_weights(c).iter().sum();
        subtree += weight / n * minimum_error(tree, c, lambda, stays)?;
    }
    match subtree - as_leaf {
        d if d.abs() < 1e-10 => None,
        d if d < 0.0 => {
            stays.push(t);
            Some(subtree)
        }
        _ => {
            stays.truncate(before);
            Some(as_leaf)
        }
    }
}
