//! Intermediate trees (Holder): the first `N` splits of a tree in breadth-first order, with the best `N`.
//!
//! With `r(t)` the held-out risk of node `t` seen as a leaf and `t_1, t_2, …` the splits level by level, from left to
//! right, the tree after `N` splits errs `R(N) = r(root) + Σ_{i ≤ N} (Σ_{children c of t_i} r(c) − r(t_i))`. The best
//! intermediate tree has the smallest `R(N)`, and the smallest `N` among equal ones. Taken from the full tree it is
//! Holder's IFT, from the error-based-pruned tree his IPT.
//!
//! Without held-out rows `N` comes from folds: [`average_rule`] averages the best `N` of the folds, which Holder found to
//! underestimate the number of splits; [`curve_rule`] averages the error curves instead and takes their minimum.
//! [`hill_climb`] is his tuner of C4.5's minimum leaf weight and confidence.
//!
//! Source: L. B. Holder (1995), *Intermediate decision trees*, IJCAI: definition of intermediate trees, the tuner in the
//! section on experiments, the cross-validated form in the section on pruning with intermediate trees.
//! Needs held-out risks of all nodes (from [`Routed`](super::Routed)); linear in the nodes. (Rows that go several ways at once are
//! judged whole, in every tree on the way: [`Path::losses`](super::Path::losses).)
//!
//! ```
//! use secateur::data::{CodedTable, Roles, builtin};
//! use secateur::grow::grow;
//! use secateur::schema::Task;
//! use secateur::spec::GrowSpec;
//! use secateur::prune::intermediate;
//! use secateur::route::Routed;
//!
//! let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
//! let tree = grow(&table, &GrowSpec::c45(Task::Classification), &secateur::progress::Silent).unwrap();
//! let risk = Routed::new(&tree, &table, None).unwrap().risks(&tree);
//! let (splits, errors) = intermediate::best_prefix(&tree, &risk);
//! assert_eq!(errors[..2], [100.0, 50.0]);
//! assert_eq!(tree.cut(&intermediate::cut_after(&tree, splits)).leaves(), splits + 1);
//! ```

use crate::method::HOLDOUT;
use crate::method::{Choice, Exception, For, Law, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::counted::COUNT;
use crate::prune::error_based::{self, Limit};
use crate::prune::{Counted, HeldRows, Job, Path, PruneKind, Pruner};
use crate::route::Loss;

use super::cutting::{at_most, for_all, kept};
use super::order::breadth_first;
use crate::error::{Error, Result};
use crate::tree::Tree;

/// The number of breadth-first splits with the smallest held-out error, and the error after 0, 1, 2, … splits. A risk that is
/// missing counts 0.
pub fn best_prefix(tree: &Tree, held_out_risk: &[f64]) -> (usize, Vec<f64>) {
    let held_out_risk = &*for_all(tree, held_out_risk);
    let mut errors = vec![held_out_risk[0]];
    let mut error = held_out_risk[0];
    for id in breadth_first(tree) {
        error += tree.children(id).map(|c| held_out_risk[c]).sum::<f64>() - held_out_risk[id];
        errors.push(error);
    }
    (first_smallest(&errors), errors)
}

/// The cut that leaves the first splits in breadth-first order.
pub fn cut_after(tree: &Tree, splits: usize) -> Vec<bool> {
    let mut leaf = vec![true; tree.nodes().len()];
    for id in breadth_first(tree).into_iter().take(splits) {
        leaf[id] = false;
    }
    leaf
}

/// Holder's rule: the mean of the folds' best numbers of splits, rounded.
///
/// ```
/// assert_eq!(secateur::prune::intermediate::average_rule(&[3, 4, 4]), 4);
/// ```
pub fn average_rule(best_per_fold: &[usize]) -> usize {
    let sum: f64 = best_per_fold.iter().map(|&n| n as f64).sum();
    (sum / best_per_fold.len().max(1) as f64).round() as usize
}

/// The number of splits at which the folds' error curves are smallest together. A curve that ends keeps its last
/// error: that fold's tree has no more splits.
///
/// ```
/// use secateur::prune::intermediate::curve_rule;
/// assert_eq!(curve_rule(&[vec![5.0, 4.0], vec![6.0, 6.0, 3.0, 3.0]]), 2);
/// ```
pub fn curve_rule(curves: &[Vec<f64>]) -> usize {
    let longest = curves.iter().map(Vec::len).max().unwrap_or(0);
    let at = |n: usize| curves.iter().filter_map(|c| c.get(n).or(c.last())).sum::<f64>();
    first_smallest(&(0..longest).map(at).collect::<Vec<_>>())
}

/// The place of the smallest number; of numbers that are equal up to rounding, the first.
pub(super) fn first_smallest(numbers: &[f64]) -> usize {
    let smallest = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    // Differences of sums are rounded on the scale of what was added, which the first error bounds from above.
    let room = 1e-10 * numbers.first().map_or(0.0, |x| x.abs());
    numbers.iter().position(|&x| at_most(x, smallest + room)).unwrap_or(0)
}

/// Holder's tuner: from a pair of parameters to the best of its four neighbours (one step up or down in one of them),
/// until none improves. Returns the pair and its error.
///
/// `evaluate` says how large the error is at a pair; it gives infinity where there is nothing to evaluate (a confidence
/// of 0, say), and such pairs are never taken.
///
/// ```
/// use secateur::prune::intermediate::hill_climb;
/// let bowl = |(leaf, cf): (f64, f64)| Ok((leaf - 5.0).powi(2) + (cf - 0.4).powi(2));
/// let ((leaf, cf), _) = hill_climb((2.0, 0.25), (1.0, 0.05), bowl).unwrap();
/// assert_eq!((leaf, (cf * 100.0).round()), (5.0, 40.0));
/// ```
pub fn hill_climb(
    start: (f64, f64),
    steps: (f64, f64),
    mut evaluate: impl FnMut((f64, f64)) -> Result<f64>,
) -> Result<((f64, f64), f64)> {
    // Whole steps from the start: no rounding adds up on the way.
    let pair = |(i, j): (i32, i32)| (start.0 + f64::from(i) * steps.0, start.1 + f64::from(j) * steps.1);
    let (mut here, mut before) = ((0, 0), (0, 0));
    let mut error = evaluate(start)?;
    loop {
        let centre = here;
        let (i, j) = centre;
        for neighbour in [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)] {
            if neighbour == before {
                continue;
            }
            let found = evaluate(pair(neighbour))?;
            // Better by more than rounding.
            if found < error * (1.0 - 1e-12) {
                (here, error) = (neighbour, found);
            }
        }
        if here == centre {
            return Ok((pair(here), error));
        }
        before = centre;
    }
}

/// Intermediate trees.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "intermediate",
        one_line: "the best tree on the way from the root to the full one, level by level",
        paper: "Holder: Intermediate Decision Trees, 1995",
        params: &[
            HOLDOUT.default("0.333"),
            ParamSpec::new(
                "of",
                ParamKind::Choice(&[Choice::any("full"), Choice::any("pruned")]),
                "on the way to the full tree (IFT), or to the tree that error-based pruning leaves (IPT)",
            )
            .default("full"),
            ParamSpec::new("cf", ParamKind::SHARE, "the confidence of that pruning")
                .default("0.25")
                .requires("of", &["pruned"]),
            COUNT.requires("of", &["pruned"]),
        ],
        needs: Needs::HeldOutRows,
        exceptions: &[Exception::new(
            Law::OrderOfClasses,
            "a level begins with the first branch; which of two subsets comes first follows the classes",
        )],
    },
    only: For::Both,
    kind: PruneKind::HeldOut(|job: &Job, rows: &HeldRows| {
        let tree = job.tree;
        let mut order = breadth_first(tree);
        if job.word("of") == "pruned" {
            if !tree.is_classifier() {
                return Err(Error::parameter(
                    "intermediate: of=pruned needs classes, and the target here has numbers",
                ));
            }
            // The pruned tree's own order: what stays of the full tree's.
            let leaf = error_based::cut(job.counted(), &job.bounded_risk(), job.number("cf"), Limit::Exact);
            let mut split = vec![false; leaf.len()];
            kept(tree, &leaf).into_iter().for_each(|id| split[id] = !leaf[id]);
            order.retain(|&id| split[id]);
        }
        let path = Path::splits(tree, &order);
        let (mut errors, _) = path.losses(rows.routed, tree, rows.table, path.parameters(), Loss::Risk);
        errors.reverse();
        Ok(path.cut(first_smallest(&errors) as f64))
    }),
};

/// Which trees intermediate ones are on the way to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum IntermediateOf {
    /// The full tree.
    #[default]
    Full,
    /// The tree that error-based pruning leaves.
    Pruned,
}

words!(IntermediateOf { Full = "full", Pruned = "pruned" });

typed_options! {
    /// Intermediate trees.
    Intermediate of PRUNER {
        holdout "holdout": f64 = "choose on a held-out share of the rows",
        of "of": IntermediateOf = "on the way to the full tree (IFT), or to the tree that error-based pruning leaves (IPT)",
        cf "cf": f64 = "the confidence of that pruning",
        count "count": Counted = "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::tree::testing::{chain, iris, random};
    use proptest::prelude::*;

    #[test]
    fn the_smallest_number_among_equal_errors_is_taken() {
        let tree = iris();
        // Nodes: root, setosa, rest, (length), virginica, and the two leaves below.
        let risk = [10.0, 1.0, 5.0, 2.0, 3.0, 1.0, 1.0];
        assert_eq!(best_prefix(&tree, &risk), (1, vec![10.0, 6.0, 6.0, 6.0]));
        assert_eq!(cut_after(&tree, 1), [false, true, true, true, true, true, true]);
    }

    #[test]
    fn long_chains_are_no_trouble() {
        let tree = chain(400_001);
        let risk: Vec<f64> = (0..400_001).map(|id| tree.error(id)).collect();
        let (splits, errors) = best_prefix(&tree, &risk);
        assert_eq!((splits, errors.len(), errors[splits]), (200_000, 200_001, 0.0));
        assert_eq!(tree.cut(&cut_after(&tree, 1000)).leaves(), 1001);
    }

    #[test]
    fn folds_are_averaged_by_number_or_by_curve() {
        assert_eq!((average_rule(&[]), average_rule(&[1, 2]), average_rule(&[7])), (0, 2, 7));
        assert_eq!((curve_rule(&[]), curve_rule(&[vec![2.0, 2.0]])), (0, 0));
        // One fold stops at once, the other needs three splits: the average is 2, the curves say 3.
        let curves = [vec![0.5], vec![0.5, 0.4, 0.4, 0.1]];
        assert_eq!((average_rule(&[0, 3]), curve_rule(&curves)), (2, 3));
    }

    #[test]
    fn climbing_ends_where_no_neighbour_is_better_and_passes_errors_on() {
        let mut asked = Vec::new();
        let result = hill_climb((2.0, 0.25), (1.0, 0.05), |at| {
            asked.push(at);
            Ok(if at.0 < 1.0 { f64::INFINITY } else { at.0 })
        });
        assert_eq!(result.unwrap(), ((1.0, 0.25), 1.0));
        assert_eq!(asked.len(), 1 + 4 + 3);
        assert!(hill_climb((2.0, 0.25), (1.0, 0.05), |_| Err(Error::Cancelled)).is_err());
        assert_eq!(hill_climb((2.0, 0.25), (1.0, 0.05), |_| Ok(f64::NAN)).unwrap().0, (2.0, 0.25));
    }

    proptest! {
        #[test]
        fn errors_are_those_of_the_trees_cut_there(
            seed in any::<u64>(), splits in 0usize..40, shape in 0usize..3,
        ) {
            let tree = random(seed, splits, shape);
            let risk: Vec<f64> = (0..tree.nodes().len()).map(|id| tree.error(id)).collect();
            let (best, errors) = best_prefix(&tree, &risk);
            prop_assert_eq!(errors.len(), splits + 1);
            for (n, error) in errors.iter().enumerate() {
                let cut = tree.cut(&cut_after(&tree, n));
                prop_assert_eq!(cut.nodes().iter().filter(|n| n.condition.is_some()).count(), n);
                let own: f64 = (0..cut.nodes().len()).filter(|&i| cut.is_leaf(i)).map(|i| cut.error(i)).sum();
                prop_assert!((own - error).abs() <= 1e-9 * errors[0].max(1.0));
                prop_assert!(errors[best] <= error + 1e-9 * errors[0].max(1.0));
            }
        }
    }
}
