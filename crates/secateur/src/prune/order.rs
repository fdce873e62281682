//! Paths by number of splits: the first `N` splits of an order stay.
//!
//! Three orders: the one in which the tree was grown (for a best-first tree that is best-first, Shi 2007, 3.4),
//! level by level, which gives the intermediate trees of Holder (1995), and first branch first, which he compares
//! them with. In all of them a split comes after the split above it, so that the first `N` splits are a tree and the
//! members are nested.
//!
//! The parameter is `N`, and members get larger with it ([`Path::splits`](super::Path::splits)).
//!
//! Needs only the shape of the tree; takes `O(L)`.

use crate::method::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
use crate::method::{Choice, Exception, For, Law, MethodInfo, Needs, Options, ParamKind, ParamSpec};
use crate::prune::{PruneKind, Pruner};
use crate::route::Loss;
use crate::training::Average;
use crate::tree::{NodeId, Tree};

/// The splits in the order in which the tree was grown.
pub fn expansion(tree: &Tree) -> Vec<NodeId> {
    // The arena keeps the order: a split happened when its first child was appended.
    let parents = tree.nodes().iter().enumerate().filter_map(|(id, node)| Some((id, node.parent? as usize)));
    parents
        .filter(|&(id, parent)| tree.node(parent).first_child == Some(id as u32))
        .map(|(_, parent)| parent)
        .collect()
}

/// The splits level by level, in a level from the first branch to the last.
pub fn breadth_first(tree: &Tree) -> Vec<NodeId> {
    // All nodes in that order; the list is its own queue.
    let mut order = vec![0];
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        order.extend(tree.children(id));
        next += 1;
    }
    order.retain(|&id| !tree.is_leaf(id));
    order
}

/// The splits with the first branch finished before the second.
pub(crate) fn depth_first(tree: &Tree) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut stack = vec![0];
    while let Some(id) = stack.pop() {
        if !tree.is_leaf(id) {
            order.push(id);
            stack.extend(tree.children(id).rev());
        }
    }
    order
}

const SPLITS: ParamSpec =
    ParamSpec::new("splits", ParamKind::Integer { min: 0, max: u32::MAX as u64 }, "keep this many splits");
pub(super) const ERROR: ParamSpec = ParamSpec::new(
    "error",
    ParamKind::Choice(&[Choice::any("rate"), Choice::any("rmse")]),
    "count errors, or the root mean squared error of the class probabilities",
)
.default("rate")
.only(For::Classes);
pub(super) const FOLD_AVERAGE: ParamSpec = ParamSpec::new(
    "fold-average",
    ParamKind::Choice(&[Choice::any("all"), Choice::any("active")]),
    "average over all folds, or over those whose trees still grow",
)
.default("all");

/// What is counted, where the options have a say in it.
pub(crate) fn loss(options: &Options) -> Loss {
    if options.has("error") && options.word("error") == "rmse" {
        return Loss::Probabilities;
    }
    match options.has("choose-by").then(|| options.word("choose-by")) {
        Some("brier") => Loss::Brier,
        Some("log-loss") => Loss::LogLoss,
        _ => Loss::Risk,
    }
}

/// How folds are averaged, where the options say it.
pub(crate) fn average(options: &Options) -> Option<Average> {
    options.has("fold-average").then(|| match options.word("fold-average") {
        "active" => Average::ActiveFolds,
        _ => Average::Folds,
    })
}

/// Whether the options ask for the average of the folds' best numbers of splits.
pub(crate) fn averages_numbers(options: &Options) -> bool {
    options.has("rule") && options.word("rule") == "average"
}

const RULE: ParamSpec = ParamSpec::new(
    "rule",
    ParamKind::Choice(&[Choice::any("curve"), Choice::any("average")]),
    "with cv: the least of the folds' average error, or the average of the folds' best numbers of splits (Holder)",
)
.default("curve");

const BY_GROWTH: Exception = Exception::new(
    Law::OrderOfClasses,
    "splits are undone in the order of growth, which may begin with the first branch; which of two subsets comes first \
     follows the classes",
);
const FIRST_BRANCH: Exception = Exception::new(
    Law::OrderOfClasses,
    "the first branch comes first; which of two subsets that is follows the classes",
);

/// The nested path of an order.
const fn by_order(info: MethodInfo, order: fn(&Tree) -> Vec<NodeId>) -> Pruner {
    Pruner { info, only: For::Both, kind: PruneKind::Order(order) }
}

/// Best-first post-pruning.
pub(crate) static POST: Pruner = by_order(
    MethodInfo {
        id: "post",
        one_line: "undoes the last splits; cross-validation says how many",
        paper: "Shi: Best-first Decision Tree Learning, 2007, section 3.4.2",
        params: &[SPLITS, CV, HOLDOUT, ONE_SE, SE, CHOOSE_BY, ERROR, FOLD_AVERAGE],
        needs: Needs::Folds,
        exceptions: &[BY_GROWTH],
    },
    expansion,
);

/// The path of splits in breadth-first order.
pub(crate) static BREADTH_FIRST: Pruner = by_order(
    MethodInfo {
        id: "breadth-first",
        one_line: "keeps the first splits level by level",
        paper: "Holder: Intermediate Decision Trees, 1995",
        params: &[SPLITS, CV, HOLDOUT, ONE_SE, SE, CHOOSE_BY, ERROR, FOLD_AVERAGE, RULE],
        needs: Needs::Folds,
        exceptions: &[FIRST_BRANCH],
    },
    breadth_first,
);

/// The path of splits in depth-first order.
pub(crate) static DEPTH_FIRST: Pruner = by_order(
    MethodInfo {
        id: "depth-first",
        one_line: "keeps the first splits branch by branch",
        paper: "Holder: Intermediate Decision Trees, 1995",
        params: &[SPLITS, CV, HOLDOUT, ONE_SE, SE, CHOOSE_BY, ERROR, FOLD_AVERAGE],
        needs: Needs::Folds,
        exceptions: &[FIRST_BRANCH],
    },
    depth_first,
);

/// The loss by which a member of a path is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ChooseBy {
    /// Errors, or their costs.
    #[default]
    Error,
    /// The Brier score.
    Brier,
    /// The log loss.
    LogLoss,
}

words!(ChooseBy { Error = "error", Brier = "brier", LogLoss = "log-loss" });

/// What is counted when a number of splits is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CountedError {
    /// Errors.
    #[default]
    Rate,
    /// The root mean squared error of the class probabilities.
    Rmse,
}

words!(CountedError { Rate = "rate", Rmse = "rmse" });

/// Which folds the error after a number of splits is the average of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FoldAverage {
    /// All.
    #[default]
    All,
    /// Those whose trees still grow.
    Active,
}

words!(FoldAverage { All = "all", Active = "active" });

/// How folds say a number of splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SplitsRule {
    /// By the least of their average error.
    #[default]
    Curve,
    /// By the average of their best numbers of splits.
    Average,
}

words!(SplitsRule { Curve = "curve", Average = "average" });

typed_options! {
    /// Best-first post-pruning.
    Post of POST {
        splits "splits": usize = "keep this many splits",
        ..SELECTORS,
        error "error": CountedError = "count errors, or the root mean squared error of the class probabilities",
        fold_average "fold-average": FoldAverage = "average over all folds, or over those whose trees still grow",
    }
}

typed_options! {
    /// The first splits level by level.
    BreadthFirst of BREADTH_FIRST {
        splits "splits": usize = "keep this many splits",
        ..SELECTORS,
        error "error": CountedError = "count errors, or the root mean squared error of the class probabilities",
        fold_average "fold-average": FoldAverage = "average over all folds, or over those whose trees still grow",
        rule "rule": SplitsRule = "with cv: the least of the folds' average error, or the average of the folds' best numbers of splits (Holder)",
    }
}

typed_options! {
    /// The first splits branch by branch.
    DepthFirst of DEPTH_FIRST {
        splits "splits": usize = "keep this many splits",
        ..SELECTORS,
        error "error": CountedError = "count errors, or the root mean squared error of the class probabilities",
        fold_average "fold-average": FoldAverage = "average over all folds, or over those whose trees still grow",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::Path;
    use crate::tree::testing::{below, build, chain, classes, iris, leaf, numeric, random, weather};

    type Order = fn(&Tree) -> Vec<NodeId>;
    const ORDERS: [Order; 3] = [expansion, breadth_first, depth_first];

    #[test]
    fn three_orders_of_one_tree() {
        // Grown level by level: nodes 0, 1 and 2, then 3 below 1 and 6 below 2.
        let pair = || below(0, 1.0, leaf(&[1.0]), leaf(&[1.0]));
        let left = below(0, 2.0, pair(), leaf(&[1.0]));
        let right = below(0, 4.0, leaf(&[1.0]), pair());
        let tree = build(vec![numeric("x")], classes("c", &["a"]), below(0, 3.0, left, right));
        assert_eq!(expansion(&tree), [0, 1, 2, 3, 6]);
        assert_eq!(breadth_first(&tree), [0, 1, 2, 3, 6]);
        assert_eq!(depth_first(&tree), [0, 1, 3, 2, 6]);
    }

    #[test]
    fn levels_have_their_own_order() {
        assert_eq!(breadth_first(&weather()), [0, 1, 3]);
        assert_eq!(breadth_first(&iris()), [0, 2, 3]);
        assert_eq!(breadth_first(&random(1, 0, 0)), [] as [usize; 0]);
    }

    #[test]
    fn members_have_their_splits_in_every_order() {
        for seed in 0..60 {
            let tree = random(seed, seed as usize, seed as usize % 3);
            let depths = tree.depths();
            for (which, order) in ORDERS.iter().enumerate() {
                let path = Path::splits(&tree, &order(&tree));
                assert!(path.is_nested() && path.parameters().len() == 1 + seed as usize);
                for n in 0..=seed as usize {
                    let cut = path.cut(n as f64);
                    let kept: Vec<usize> = (0..cut.len()).filter(|&id| !cut[id]).collect();
                    assert_eq!(kept.len(), n);
                    let leaves = tree.cut(&cut).leaves();
                    let branches: usize = kept.iter().map(|&id| tree.children(id).len()).sum();
                    assert_eq!(leaves, 1 + branches - n);
                    if which == 0 {
                        assert!(kept.iter().all(|&id| (tree.node(id).rank as usize) < n));
                    }
                    if which == 1 {
                        let deepest = kept.iter().map(|&id| depths[id]).max().unwrap_or(0);
                        let missed = (0..cut.len()).filter(|&id| !tree.is_leaf(id) && cut[id]);
                        assert!(missed.map(|id| depths[id]).all(|depth| depth >= deepest));
                    }
                }
            }
        }
    }

    #[test]
    fn long_chains() {
        let tree = chain(200_001);
        for order in ORDERS {
            let path = Path::splits(&tree, &order(&tree));
            assert_eq!(tree.cut(&path.cut(1000.0)).leaves(), 1001);
        }
    }
}
