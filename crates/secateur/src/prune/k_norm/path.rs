//! The path in `k`: at which `k` every split collapses.
//!
//! A subtree that does not lower the k-norm of its node does not do so for any larger `k` (theorem 5.3), so the tree
//! pruned at a larger `k` is a pruned version of the tree pruned at a smaller one (corollary 5.4). Zhong proves the
//! step from `k` to `k + 1`. The step to any larger real `k` follows the same way: lemma 5.1 needs that
//! `ψ'(M + t)/ψ'(B + t)` grows with `t`, lemma 5.2 that `−ψ''/ψ'` falls, and both hold because the trigamma
//! function `ψ'` is log-convex.
//!
//! So all thresholds are found by one bisection of all splits at once. The splits whose `k` lies in the same interval
//! are those in the tree at its lower end and not at its upper end; below them stand only leaves of the lower
//! tree, and above them only splits that are still there. One pass over such a group at the middle of its interval
//! decides each of its splits without a look at the rest of the tree. With intervals halved 49 times
//! the cost is at most `49 · (nodes)` moments, whatever the shape of the tree.

use crate::tree::{NodeId, Tree};

use super::moments::ErrorRate;
use super::{KNorm, cut, is_smaller};

/// Splits that are there at `k = 2^512` are taken to be there for every finite `k`.
const LAST: f64 = 1.340_780_792_994_259_7e154;
/// Intervals are intervals of the bits of `k`, which grow with it; this width is a relative 2⁻⁴⁰.
const NARROW: u64 = 1 << 12;

/// For every node the `k` at which it becomes a leaf: a node is split in the tree pruned at `k` if and only if `fall > k`.
///
/// - Leaves of the full tree have `-∞`.
/// - Splits that are gone from the start, at `k = 1`, have 1: all ineffective ones when `0 ≤ η ≤ λJ` (corollary 5.7).
/// - Splits that survive every finite `k` have `∞` (theorem 5.9; numerically, every `k` to 10¹⁵⁴).
/// - Others have the smallest real `k` at which they or a split above them collapses, to a relative 10⁻¹². The
///   smallest whole `k` is the next whole number.
///
/// No node falls after its parent: `fall[child] ≤ fall[parent]` for every child. The splits of a regression tree have `∞`.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::{GrowSpec, grow};
/// use secateur::progress::Silent;
/// use secateur::prune::k_norm::{KNorm, fall};
///
/// // Zhong's iris tree (appendix B). The paper's second threshold is 25 680 602; exact arithmetic gives this one.
/// let roles = Roles { ignore: vec!["sepallength".into(), "sepalwidth".into()], ..Roles::default() };
/// let coded = CodedTable::new(&builtin::load("iris").unwrap(), &roles).unwrap();
/// let tree = grow(&coded, &GrowSpec::cart(false), &Silent).unwrap();
/// let fall = fall(&tree, &KNorm { lambda: 0.5, eta: 0.5 });
/// let leaves = |k: f64| 1 + fall.iter().filter(|&&f| f > k).count();
/// assert_eq!([1.0, 2.0, 17_781_895.0, 17_781_896.0, 1e100].map(leaves), [7, 3, 3, 2, 2]);
/// ```
pub fn fall(tree: &Tree, rule: &KNorm) -> Vec<f64> {
    let [first, last] = [1.0, LAST].map(|k| cut(tree, rule, k, None));
    let mut falls: Vec<f64> = (0..tree.nodes().len())
        .map(|id| match (tree.is_leaf(id), first[id], last[id]) {
            (true, ..) => f64::NEG_INFINITY,
            (_, true, _) => 1.0,
            _ => f64::INFINITY,
        })
        .collect();
    let between: Vec<NodeId> = (0..falls.len()).filter(|&id| last[id] && !first[id]).collect();
    if !between.is_empty() {
        let found = Bisection::new(tree, rule, &between).run(between.clone());
        for id in between {
            falls[id] = found[id];
        }
    }
    falls
}

/// All thresholds on their way.
struct Bisection<'a> {
    tree: &'a Tree,
    rule: &'a KNorm,
    leaves: Vec<ErrorRate>,
    /// The bits of both ends of every split's interval: it is there at the first and gone at the second.
    /// Nodes that take no part have an interval that no other has.
    ends: Vec<(u64, u64)>,
    /// The logarithm of the pruned subtree's moment at the middle of the interval.
    moments: Vec<f64>,
    stays: Vec<bool>,
}

impl<'a> Bisection<'a> {
    fn new(tree: &'a Tree, rule: &'a KNorm, splits: &[NodeId]) -> Self {
        let nodes = tree.nodes().len();
        let leaves = (0..nodes).map(|id| ErrorRate::new(tree.class_weights(id), rule.lambda)).collect();
        let mut ends = vec![(0, 0); nodes];
        for &id in splits {
            ends[id] = (1f64.to_bits(), LAST.to_bits());
        }
        Self { tree, rule, leaves, ends, moments: vec![0.0; nodes], stays: vec![true; nodes] }
    }

    /// Halves the intervals until they are narrow, and gives the upper ends; `open` is in arena order.
    fn run(mut self, mut open: Vec<NodeId>) -> Vec<f64> {
        while !open.is_empty() {
            for &id in open.iter().rev() {
                self.decide(id);
            }
            for &id in &open {
                let above = self.tree.node(id).parent.map(|p| p as usize);
                let group = above.filter(|&p| self.ends[p] == self.ends[id]);
                self.stays[id] &= group.is_none_or(|p| self.stays[p]);
            }
            for &id in &open {
                let middle = middle(self.ends[id]);
                let (low, high) = &mut self.ends[id];
                *(if self.stays[id] { low } else { high }) = middle;
            }
            open.retain(|&id| self.ends[id].1 - self.ends[id].0 > NARROW);
        }
        self.ends.into_iter().map(|(_, high)| f64::from_bits(high)).collect()
    }

    /// Whether a split pays at the middle of its interval.
    fn decide(&mut self, id: NodeId) {
        let k = f64::from_bits(middle(self.ends[id]));
        let subtree = self.rule.mix(self.tree, id, |c| {
            if self.ends[c] == self.ends[id] { self.moments[c] } else { self.leaves[c].log_moment(k) }
        });
        let leaf = self.leaves[id].log_moment(k);
        self.stays[id] = is_smaller(subtree, leaf);
        self.moments[id] = if self.stays[id] { subtree } else { leaf };
    }
}

fn middle((low, high): (u64, u64)) -> u64 {
    low + (high - low) / 2
}
