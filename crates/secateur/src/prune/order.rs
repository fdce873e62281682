//! Paths by number of splits: the first `N` splits of an order stay.
//!
//! Three orders: the one in which the tree was grown (for a best-first tree that is best-first, Shi 2007, 3.4),
//! level by level, which gives the intermediate trees of Holder (1995), and first branch first, which he compares
//! them with. In all of them a split comes after the split above it, so that the first `N` splits are a tree and the
//! members are nested.
//!
//! A path's member gets smaller with its parameter, and a member here gets larger with `N`. So the parameter is the
//! number of splits that are *gone*: with `S` splits in all, the split of rank `r` has `fall = S − r`, and
//! `p = S − N` is the member with `N` splits, for then `S − r > S − N` says `r < N`.
//!
//! Needs only the shape of the tree; takes `O(L)`.

use crate::method::{Choice, For, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::{Job, Kind, Parameter, Pruner, Spacing};
use crate::select::{CV, HOLDOUT, ONE_SE, SE};

use std::collections::VecDeque;

use crate::tree::Tree;

/// Ranks of all splits in the order in which the tree was grown, from 0 and without gaps; a leaf has none.
///
/// The ranks of a pruned tree ([`rank`](crate::tree::Node::rank)) have gaps; these do not.
pub fn expansion(tree: &Tree) -> Vec<Option<u32>> {
    let mut ranks = vec![None; tree.nodes().len()];
    let mut next = 0;
    for (id, node) in tree.nodes().iter().enumerate().skip(1) {
        // The arena keeps the order: a split happened when its first child was appended.
        if let Some(parent) = node.parent.map(|p| p as usize)
            && tree.node(parent).first_child == Some(id as u32)
        {
            ranks[parent] = Some(next);
            next += 1;
        }
    }
    ranks
}

/// Ranks level by level, in a level from the first branch to the last.
pub fn breadth_first(tree: &Tree) -> Vec<Option<u32>> {
    let mut queue = VecDeque::from([0]);
    ranked(tree, |id| {
        if let Some(id) = id {
            queue.extend(tree.children(id));
        }
        queue.pop_front()
    })
}

/// Ranks with the first branch finished before the second.
pub fn depth_first(tree: &Tree) -> Vec<Option<u32>> {
    let mut stack = vec![0];
    ranked(tree, |id| {
        if let Some(id) = id {
            stack.extend(tree.children(id).rev());
        }
        stack.pop()
    })
}

/// Numbers the splits in the order in which a walk comes to them; the walk is told where it was.
fn ranked(tree: &Tree, mut walk: impl FnMut(Option<usize>) -> Option<usize>) -> Vec<Option<u32>> {
    let mut ranks = vec![None; tree.nodes().len()];
    let (mut next, mut at) = (0, walk(None));
    while let Some(id) = at {
        if !tree.is_leaf(id) {
            ranks[id] = Some(next);
            next += 1;
        }
        at = walk(Some(id));
    }
    ranks
}

/// The path of an order: `fall = S − rank`, leaves −∞. The member with `N` splits is at [`parameter`]`(ranks, N)`.
///
/// ```
/// use secateur::prune::order::{fall, parameter};
/// let ranks = [Some(0), None, Some(1), None, None];
/// let path = fall(&ranks);
/// assert_eq!(path, [2.0, f64::NEG_INFINITY, 1.0, f64::NEG_INFINITY, f64::NEG_INFINITY]);
/// // With one split only the root is one.
/// let p = parameter(&ranks, 1);
/// assert_eq!(path.iter().filter(|f| **f > p).count(), 1);
/// ```
pub fn fall(ranks: &[Option<u32>]) -> Vec<f64> {
    let splits = ranks.iter().flatten().count() as f64;
    ranks.iter().map(|rank| rank.map_or(f64::NEG_INFINITY, |rank| splits - f64::from(rank))).collect()
}

/// The parameter of the member with a number of splits (all of them, if there are fewer).
pub fn parameter(ranks: &[Option<u32>], splits: usize) -> f64 {
    let all = ranks.iter().flatten().count();
    (all - splits.min(all)) as f64
}

/// The path by the order of growing.
pub fn expansion_fall(tree: &Tree) -> Vec<f64> {
    fall(&expansion(tree))
}

/// The path level by level.
pub fn breadth_first_fall(tree: &Tree) -> Vec<f64> {
    fall(&breadth_first(tree))
}

/// The path with the first branch finished before the second.
pub fn depth_first_fall(tree: &Tree) -> Vec<f64> {
    fall(&depth_first(tree))
}

const SPLITS: ParamSpec =
    ParamSpec::new("splits", ParamKind::Integer { min: 0, max: u32::MAX as u64 }, "keep so many splits");
const ERROR: ParamSpec = ParamSpec::new(
    "error",
    ParamKind::Choice(&[Choice::any("rate"), Choice::any("rmse")]),
    "count errors, or the root mean squared error of the class probabilities",
)
.default("rate")
.only(For::Classes);
const FOLD_AVERAGE: ParamSpec = ParamSpec::new(
    "fold-average",
    ParamKind::Choice(&[Choice::any("all"), Choice::any("active")]),
    "average over all folds, or over those whose trees still grow",
)
.default("all");

const RULE: ParamSpec = ParamSpec::new(
    "rule",
    ParamKind::Choice(&[Choice::any("curve"), Choice::any("average")]),
    "with cv: the least of the folds' average error, or the average of the folds' best numbers of splits (Holder)",
)
.default("curve");

/// The nested path of an order: the parameter is minus the number of splits kept, so that larger means smaller trees.
const fn by_order(info: MethodInfo, fall: fn(&Job) -> crate::error::Result<Vec<f64>>) -> Pruner {
    let parameter = Parameter { name: "splits", spacing: Spacing::Splits };
    Pruner {
        info,
        only: For::Both,
        kind: Kind::Nested { parameter, least: f64::NEG_INFINITY, fall, cut: None },
    }
}

fn negated(ranks: Vec<Option<u32>>) -> Vec<f64> {
    ranks.into_iter().map(|rank| rank.map_or(f64::NEG_INFINITY, |r| -f64::from(r))).collect()
}

/// Best-first post-pruning.
pub static POST: Pruner = by_order(
    MethodInfo {
        id: "post",
        one_line: "undoes the last splits; cross-validation says how many",
        paper: "Shi: Best-first Decision Tree Learning, 2007, section 3.4.2",
        params: &[SPLITS, CV, HOLDOUT, ONE_SE, SE, ERROR, FOLD_AVERAGE],
        needs: Needs::Folds,
    },
    |job| Ok(negated(expansion(job.tree))),
);

/// Best-first pre-pruning.
pub static PRE: Pruner = Pruner {
    info: MethodInfo {
        id: "pre",
        one_line: "stops growing when the cross-validated error rises",
        paper: "Shi: Best-first Decision Tree Learning, 2007, section 3.4.1",
        params: &[CV.default("10"), ONE_SE, ERROR, FOLD_AVERAGE],
        needs: Needs::Folds,
    },
    only: For::Classes,
    kind: Kind::Pre,
};

/// The path of splits in breadth-first order.
pub static BREADTH_FIRST: Pruner = by_order(
    MethodInfo {
        id: "breadth-first",
        one_line: "keeps the first splits level by level",
        paper: "Holder: Intermediate Decision Trees, 1995",
        params: &[SPLITS, CV, HOLDOUT, ONE_SE, SE, ERROR, FOLD_AVERAGE, RULE],
        needs: Needs::Folds,
    },
    |job| Ok(negated(breadth_first(job.tree))),
);

/// The path of splits in depth-first order.
pub static DEPTH_FIRST: Pruner = by_order(
    MethodInfo {
        id: "depth-first",
        one_line: "keeps the first splits branch by branch",
        paper: "Holder: Intermediate Decision Trees, 1995",
        params: &[SPLITS, CV, HOLDOUT, ONE_SE, SE, ERROR, FOLD_AVERAGE],
        needs: Needs::Folds,
    },
    |job| Ok(negated(depth_first(job.tree))),
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::testing::{is_path, leaves_left};
    use crate::tree::testing::{below, build, chain, classes, leaf, numeric, random};

    type Ranks = fn(&Tree) -> Vec<Option<u32>>;
    const ORDERS: [Ranks; 3] = [expansion, breadth_first, depth_first];

    #[test]
    fn three_orders_of_one_tree() {
        // Grown level by level: nodes 0, 1 and 2, then 3 below 1 and 6 below 2.
        let pair = || below(0, 1.0, leaf(&[1.0]), leaf(&[1.0]));
        let left = below(0, 2.0, pair(), leaf(&[1.0]));
        let right = below(0, 4.0, leaf(&[1.0]), pair());
        let tree = build(vec![numeric("x")], classes("c", &["a"]), below(0, 3.0, left, right));
        let splits = |ranks: Vec<Option<u32>>| {
            let mut ids: Vec<usize> = (0..ranks.len()).filter(|&id| ranks[id].is_some()).collect();
            ids.sort_by_key(|&id| ranks[id]);
            ids
        };
        assert_eq!(splits(expansion(&tree)), [0, 1, 2, 3, 6]);
        assert_eq!(splits(breadth_first(&tree)), [0, 1, 2, 3, 6]);
        assert_eq!(splits(depth_first(&tree)), [0, 1, 3, 2, 6]);
    }

    #[test]
    fn members_have_their_splits_in_every_order() {
        for seed in 0..60 {
            let tree = random(seed, seed as usize, seed as usize % 3);
            let depths = tree.depths();
            for (which, ranks) in ORDERS.iter().enumerate() {
                let ranks = ranks(&tree);
                let path = fall(&ranks);
                is_path(&tree, &path);
                for n in 0..=seed as usize {
                    let p = parameter(&ranks, n);
                    let kept: Vec<usize> = (0..path.len()).filter(|&id| path[id] > p).collect();
                    assert_eq!(kept.len(), n);
                    let leaves = leaves_left(&tree, |id| path[id] <= p).len();
                    let branches: usize = kept.iter().map(|&id| tree.children(id).len()).sum();
                    assert_eq!(leaves, 1 + branches - n);
                    if which == 0 {
                        assert!(kept.iter().all(|&id| (tree.node(id).rank as usize) < n));
                    }
                    if which == 1 {
                        let deepest = kept.iter().map(|&id| depths[id]).max().unwrap_or(0);
                        let missed = (0..path.len()).filter(|&id| !tree.is_leaf(id) && path[id] <= p);
                        assert!(missed.map(|id| depths[id]).all(|depth| depth >= deepest));
                    }
                }
            }
        }
    }

    #[test]
    fn long_chains() {
        let tree = chain(200_001);
        for ranks in ORDERS {
            is_path(&tree, &fall(&ranks(&tree)));
        }
    }
}
