//! The pass of figure 4.1: from the bottom up, a split stays when its moment is smaller than that of its node as a leaf.
//!
//! [`by_logs`] compares logarithms, which every moment has. Logarithms are nearly all of its work, so [`directly`] is tried first: it
//! compares the moments themselves, and gives up where that could decide otherwise (tiny moments, long chains, moments that
//! differ by hardly more than rounding).

use std::hint::select_unpredictable;

use crate::simd::prefetch;
use crate::tree::{Condition, Tree};

use super::KNorm;
use super::mixture::Mixture;

/// Moments below this are left to logarithms.
const TINY: f64 = 1e-250;
/// A subtree that is smaller by this share is smaller for logarithms too ([`is_smaller`] from [`TINY`] on).
const SURELY: f64 = 2e-11;
/// A subtree that is smaller by no more than this share is not smaller for logarithms.
const HARDLY: f64 = 3e-13;
/// This many splits above each other add up to less rounding than that.
const HIGH: u8 = 200;

/// Whether a subtree's moment is smaller than the leaf's, by more than rounding (the ε of figure 4.1). Both are logarithms.
pub(super) fn is_smaller(subtree: f64, leaf: f64) -> bool {
    subtree < leaf - (1e-12 + 1e-14 * leaf.abs())
}

/// Which splits are gone, for any logarithm of a leaf's moment.
pub(super) fn by_logs(tree: &Tree, rule: &KNorm, leaf: impl Fn(&[f64]) -> f64) -> Vec<bool> {
    let nodes = tree.nodes().len();
    let mut gone = vec![false; nodes];
    if !tree.is_classifier() {
        return gone;
    }
    let mixture = Mixture::new(tree, rule);
    let mut moments = vec![0.0; nodes];
    for id in (0..nodes).rev() {
        moments[id] = leaf(tree.class_weights(id));
        if !tree.is_leaf(id) {
            let subtree = mixture.log_moment(id, |c| moments[c]);
            gone[id] = !is_smaller(subtree, moments[id]);
            if !gone[id] {
                moments[id] = subtree;
            }
        }
    }
    for id in 1..nodes {
        let is_below = tree.node(id).parent.is_some_and(|p| gone[p as usize]);
        gone[id] |= is_below && !tree.is_leaf(id);
    }
    gone
}

/// What [`by_logs`] answers, from the moment of every node seen as a leaf; `None` where it could be something else.
///
/// Leaves and splits follow each other as by chance, and so do the answers: the loop therefore computes both and picks one, which is
/// less work than a wrong guess of the processor.
pub(super) fn directly(tree: &Tree, rule: &KNorm, moments: Vec<f64>) -> Option<Vec<bool>> {
    let (nodes, eta) = (tree.nodes(), rule.eta);
    // What every node hands to the node above: its moment times its weight there.
    let mut parts = moments;
    let parts = parts.get_mut(..nodes.len())?;
    let mut height = vec![0u8; nodes.len()];
    let mut marks = vec![false; nodes.len()];
    // The children, for the second pass; 0 at a leaf.
    let mut first = vec![0u32; nodes.len()];
    // As slices of one length they need no checks in the loop.
    let (height, first) = (&mut height[..nodes.len()], &mut first[..nodes.len()]);
    let gone = &mut marks[..nodes.len()];
    let (mut doubtful, mut highest, mut binary) = (false, 0, true);
    for (id, node) in nodes.iter().enumerate().rev() {
        prefetch(&nodes[id.saturating_sub(32)]);
        let start = node.first_child.unwrap_or(0) as usize;
        first[id] = start as u32;
        let (mut sum, mut all, mut high) = (0.0, node.weight + 2.0 * eta, 0);
        if let (Some(below), Some(heights)) = (parts.get(start..start + 2), height.get(start..start + 2)) {
            (sum, high) = (below[0] + below[1], heights[0].max(heights[1]));
        }
        if let Some(condition @ Condition::EachValue { .. }) = &node.condition {
            let branches = condition.branches();
            let children = start..start + branches;
            (sum, all) = (parts[children.clone()].iter().sum(), node.weight + eta * branches as f64);
            high = height[children].iter().fold(0, |a, b| a.max(*b));
            binary = false;
        }
        let share = node.weight + eta;
        let (leaf, subtree) = (parts[id] * share, sum * (share / all));
        let is_split = start > 0;
        let stays = is_split & (subtree < leaf * (1.0 - SURELY));
        // Also where a number is NaN.
        let is_clear = !is_split | stays | (subtree > leaf * (1.0 - HARDLY));
        doubtful |= !is_clear | !(TINY..=f64::MAX).contains(&parts[id]);
        gone[id] = is_split & !stays;
        parts[id] = select_unpredictable(stays, subtree, leaf);
        height[id] = select_unpredictable(stays, high.saturating_add(1), 0);
        highest = height[id].max(highest);
    }
    if doubtful || highest > HIGH {
        return None;
    }
    if !binary {
        for id in 0..gone.len() {
            if gone[id] {
                tree.children(id).for_each(|child| gone[child] = first[child] > 0);
            }
        }
        return Some(marks);
    }
    for id in 0..gone.len() {
        let (start, own) = (first[id] as usize, gone[id]);
        if let (Some([left, right]), Some([l, r])) =
            (gone[start..].first_chunk_mut(), first[start..].first_chunk())
        {
            *left |= own & (*l > 0);
            *right |= own & (*r > 0);
        }
    }
    Some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::k_norm::moments::ErrorRate;
    use crate::prune::testing::classifiers;
    use crate::tree::testing::chain;

    #[test]
    fn both_ways_agree() {
        let mut direct = 0;
        for (i, tree) in classifiers(300, 40).enumerate() {
            let rule = KNorm { lambda: [0.5, 0.01, 20.0][i % 3], eta: [0.5, 0.0][i / 3 % 2] };
            for k in [1, 2, 3, 16] {
                let rate = |id| ErrorRate::new(tree.class_weights(id), rule.lambda);
                let moments = (0..tree.nodes().len()).map(|id| rate(id).moment(k)).collect();
                let logs = by_logs(&tree, &rule, |n| ErrorRate::new(n, rule.lambda).log_moment(f64::from(k)));
                if let Some(answer) = directly(&tree, &rule, moments) {
                    direct += 1;
                    assert_eq!(answer, logs);
                }
            }
        }
        assert!(direct > 500, "{direct}");
    }

    #[test]
    fn long_chains_are_left_to_logarithms() {
        let tree = chain(2001);
        let rule = KNorm { lambda: 1e-3, eta: 1e-3 };
        let rate = |id| ErrorRate::new(tree.class_weights(id), rule.lambda);
        let moments = (0..tree.nodes().len()).map(|id| rate(id).moment(1)).collect();
        let logs = by_logs(&tree, &rule, |n| ErrorRate::new(n, rule.lambda).log_moment(1.0));
        assert!(directly(&tree, &rule, moments).is_none_or(|answer| answer == logs));
    }
}
