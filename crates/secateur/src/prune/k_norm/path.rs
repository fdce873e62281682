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
//!
//! **With a loss matrix the theorem does not hold.** A split of five rows into `(1, 0)` and `(3, 1)` with `λ = η = ½`, where it costs 1
//! to mistake the first class and 2 to mistake the second, pays at the whole `k` 5, 6 and 7 and at no other. A path is nested all
//! the same when every member is pruned from the one before: [`risk_fall`] prunes at a row of growing `k` in turn, each time the
//! tree that the last one left. So a split of the member at `k` is also in the tree pruned at this `k` alone
//! ([`cut`](super::cut)), but not the other way round. Of class probabilities nothing is known; [`probability_fall`] does the same.

use crate::tree::{NodeId, Tree};

use super::collapse::is_smaller;
use super::mixture::Mixture;
use super::moments::ErrorRate;
use super::risk::{MOST, cheapest_label, has_one_price};
use super::{KNorm, log_probability_moment};

/// Splits that are there at `k = 2^512` are taken to be there for every finite `k`.
const LAST: f64 = 1.340_780_792_994_259_7e154;
/// Intervals are intervals of the bits of `k`, which grow with it; this width is a relative 2⁻⁴⁰.
const NARROW: u64 = 1 << 12;
/// The largest `k` of the path for class probabilities.
const LAST_EVEN: u32 = 64;

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
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::k_norm::{KNorm, fall};
///
/// // Zhong's iris tree (appendix B). The paper's second threshold is 25 680 602; exact arithmetic gives this one.
/// let roles = Roles { ignore: vec!["sepallength".into(), "sepalwidth".into()], ..Roles::default() };
/// let coded = CodedTable::new(&builtin::load("iris").unwrap(), &roles).unwrap();
/// let tree = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
/// let fall = fall(&tree, &KNorm { lambda: 0.5, eta: 0.5 });
/// let leaves = |k: f64| 1 + fall.iter().filter(|&&f| f > k).count();
/// assert_eq!([1.0, 2.0, 17_781_895.0, 17_781_896.0, 1e100].map(leaves), [7, 3, 3, 2, 2]);
/// ```
pub fn fall(tree: &Tree, rule: &KNorm) -> Vec<f64> {
    let leaves: Vec<ErrorRate> =
        (0..tree.nodes().len()).map(|id| ErrorRate::new(tree.class_weights(id), rule.lambda)).collect();
    follow(tree, rule, &[1.0, LAST], true, |id, k| leaves[id].log_moment(k))
}

/// The path under a loss matrix of `J²` entries, `costs[actual · J + predicted] ≥ 0`, in the form of [`fall`].
///
/// - With one price for every label (two classes, or errors that all cost the same) `k` is tried from 1 to 10¹⁵⁴, at an
///   eighth of an octave up to 256 and in growing steps from there, and thresholds are real numbers to a relative 10⁻¹².
///   What happens and is undone within a step is not seen.
/// - Otherwise the work grows with `k`: it is tried at the whole numbers to 32 and in steps of a tenth up to 1000, and what is
///   there at 1000 is taken to be there for ever.
pub(crate) fn risk_fall(tree: &Tree, rule: &KNorm, costs: &[f64]) -> Vec<f64> {
    let leaf = |id, k| cheapest_label(tree.class_weights(id), rule.lambda, costs, k).1;
    if has_one_price(costs, tree.class_weights(0).len()) {
        let mut octaves = vec![0.0];
        let mut last = 0.0;
        while last < 512.0 {
            last = f64::min(512.0, last + if last < 8.0 { 0.125 } else { last / 8.0 });
            octaves.push(last);
        }
        let grid: Vec<f64> = octaves.into_iter().map(f64::exp2).collect();
        follow(tree, rule, &grid, true, leaf)
    } else {
        let mut grid: Vec<f64> = (1..=32).map(f64::from).collect();
        while let Some(&k) = grid.last()
            && k < MOST
        {
            grid.push((k * 1.1).ceil().min(MOST));
        }
        follow(tree, rule, &grid, false, leaf)
    }
}

/// The path for class probabilities, in the form of [`fall`]: every even `k` from 2 to 64, each member pruned from the one before.
pub(crate) fn probability_fall(tree: &Tree, rule: &KNorm) -> Vec<f64> {
    let grid: Vec<f64> = (1..=LAST_EVEN / 2).map(|half| f64::from(2 * half)).collect();
    follow(tree, rule, &grid, false, |id, k| {
        log_probability_moment(tree.class_weights(id), rule.lambda, k as u32)
    })
}

/// Prunes at every `k` of a grid in turn, each time what the last one left; `leaf` is the logarithm of a node's moment as a
/// leaf. The threshold of a split is the `k` at which it is first gone, or with `exact` a place between this and the one before.
fn follow(
    tree: &Tree,
    rule: &KNorm,
    grid: &[f64],
    exact: bool,
    leaf: impl Fn(NodeId, f64) -> f64,
) -> Vec<f64> {
    let nodes = tree.nodes().len();
    let mut falls: Vec<f64> =
        (0..nodes).map(|id| if tree.is_leaf(id) { f64::NEG_INFINITY } else { f64::INFINITY }).collect();
    if !tree.is_classifier() {
        return falls;
    }
    let mut bisection = Bisection {
        tree,
        mixture: Mixture::new(tree, rule),
        leaf,
        ends: vec![(0, 0); nodes],
        moments: vec![0.0; nodes],
        stays: vec![true; nodes],
    };
    // Splits that are still there have one interval, which no other node has.
    let mut open: Vec<NodeId> = (0..nodes).filter(|&id| !tree.is_leaf(id)).collect();
    let mut between = Vec::new();
    let mut before = None;
    for &k in grid {
        open.iter().for_each(|&id| bisection.ends[id] = (1, 1));
        bisection.decide(&open, |_| k);
        let last: f64 = before.unwrap_or(k);
        open.retain(|&id| {
            if !bisection.stays[id] {
                falls[id] = k;
                bisection.ends[id] = (last.to_bits(), k.to_bits());
                between.push(id);
            }
            bisection.stays[id]
        });
        before = Some(k);
    }
    if exact {
        open.iter().for_each(|&id| bisection.ends[id] = (0, 0));
        between.sort_unstable();
        bisection.run(&between);
        for id in between {
            falls[id] = f64::from_bits(bisection.ends[id].1);
        }
    }
    falls
}

/// All thresholds on their way.
struct Bisection<'a, F> {
    tree: &'a Tree,
    mixture: Mixture<'a>,
    /// The logarithm of a node's moment as a leaf.
    leaf: F,
    /// The bits of both ends of every split's interval: it is there at the first and gone at the second.
    /// Nodes that take no part have an interval that no other has.
    ends: Vec<(u64, u64)>,
    /// The logarithm of the pruned subtree's moment at the last `k`.
    moments: Vec<f64>,
    stays: Vec<bool>,
}

impl<F: Fn(NodeId, f64) -> f64> Bisection<'_, F> {
    /// Halves the intervals of some splits, in arena order, until they are narrow.
    fn run(&mut self, splits: &[NodeId]) {
        let is_wide = |(low, high): (u64, u64)| high - low > NARROW;
        let mut open: Vec<NodeId> = splits.iter().copied().filter(|&id| is_wide(self.ends[id])).collect();
        while !open.is_empty() {
            self.decide(&open, |ends| f64::from_bits(middle(ends)));
            for &id in &open {
                let middle = middle(self.ends[id]);
                let (low, high) = &mut self.ends[id];
                *(if self.stays[id] { low } else { high }) = middle;
            }
            open.retain(|&id| is_wide(self.ends[id]));
        }
    }

    /// Whether each of some splits, in arena order, pays at the `k` of its interval, and so do all above it in this interval.
    fn decide(&mut self, open: &[NodeId], k: impl Fn((u64, u64)) -> f64) {
        for &id in open.iter().rev() {
            let k = k(self.ends[id]);
            let subtree = self.mixture.log_moment(id, |c| {
                if self.ends[c] == self.ends[id] { self.moments[c] } else { (self.leaf)(c, k) }
            });
            let leaf = (self.leaf)(id, k);
            self.stays[id] = is_smaller(subtree, leaf);
            self.moments[id] = if self.stays[id] { subtree } else { leaf };
        }
        for &id in open {
            let above = self.tree.node(id).parent.map(|p| p as usize);
            let group = above.filter(|&p| self.ends[p] == self.ends[id]);
            self.stays[id] &= group.is_none_or(|p| self.stays[p]);
        }
    }
}

fn middle((low, high): (u64, u64)) -> u64 {
    low + (high - low) / 2
}
