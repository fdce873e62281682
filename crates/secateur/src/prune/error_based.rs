//! Error-based pruning (C4.5): every leaf is expected to err as much as it may at a confidence, and the subtree, the leaf or
//! the raised branch with the smallest sum wins.
//!
//! A leaf with `e` errors among `n` rows is expected to make `n · U_CF(e, n)`, with the upper limit `U` of the error rate at
//! confidence `CF` ([`binomial`]); a subtree the sum over its leaves. From the bottom up a node becomes a leaf
//! when that is not expected to err more than the subtree (nor than its largest branch in its place); else
//! the largest branch takes its place when that is not expected to err more than the subtree. A smaller `CF` prunes more;
//! the default is 0.25.
//!
//! Source: J. R. Quinlan (1993), *C4.5: programs for machine learning*, chapter 4. With [`Limit::C45`] and
//! [`Limit::Normal`] an estimate counts as "not more" up to 0.1 of a row above the other, as in the program; with
//! [`Limit::Exact`] there is no such tolerance.
//!
//! [`cut`] needs the counts in the tree and is linear in the nodes. [`raise`] needs the training rows: a row moves from a smaller
//! branch to a larger one at most `log₂ n` times for trials, each at the cost of its way down.
//!
//! ```
//! use secateur::prune::error_based::{Limit, estimate};
//! // Quinlan's example: leaves with 6, 9 and 1 rows and no error are expected to make 3.273 errors, and the leaf in
//! // their place (16 rows, 1 error) fewer (printed as 2.512, with U rounded to 0.157): the subtree is replaced.
//! let expected = |n, e| estimate(n, e, 0.25, Limit::C45);
//! assert_eq!(format!("{:.3}", expected(6.0, 0.0) + expected(9.0, 0.0) + expected(1.0, 0.0)), "3.273");
//! assert_eq!(format!("{:.3}", expected(16.0, 1.0) / 16.0), "0.157");
//! ```

use crate::method::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
use crate::method::{Choice, For, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::counted::COUNT;
use crate::prune::{Counted, Job, Parameter, PruneKind, Pruner, Spacing};

use super::binomial;
use super::bottom_up::{self, Estimator, Memoised, SubtreeEstimate, Verdict};
use super::cutting::at_most;
use super::raising;
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::tree::Tree;

/// C4.5's confidence.
#[cfg(test)]
pub(crate) const DEFAULT_CF: f64 = 0.25;

/// By how much of a row C4.5 lets an estimate be larger and still not count as larger.
const TOLERANCE: f64 = 0.1;

/// Which upper limit of the error rate is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Limit {
    /// The exact binomial limit.
    #[default]
    Exact,
    /// The approximation of the program C4.5, and its room of 0.1 in comparisons.
    C45,
    /// The same with the exact quantile of the normal distribution in place of C4.5's short table, as in Weka's J48.
    Normal,
}

/// The errors a leaf is expected to make: `n · U_CF(e, n)`; none where there are no rows.
pub fn estimate(weight: f64, errors: f64, cf: f64, limit: Limit) -> f64 {
    if weight <= 0.0 {
        return 0.0;
    }
    let of = match limit {
        Limit::Exact => binomial::exact,
        Limit::C45 => binomial::c45,
        Limit::Normal => binomial::normal,
    };
    weight * of(errors.clamp(0.0, weight), weight, cf)
}

/// The nodes that become leaves, without raising. `risk` has the training errors of every node as a leaf
/// ([`Tree::error`]); one that is missing counts 0.
pub fn cut(tree: &Tree, risk: &[f64], cf: f64, limit: Limit) -> Vec<bool> {
    bottom_up::cut(tree, risk, &Memoised::new(&ConfidenceLimit { cf, limit }))
}

/// The pruned tree, with raising. `table` and the weights are those the tree was grown from; counts are taken
/// anew, in units of a weight that counts as one row.
pub fn raise(
    tree: &Tree,
    table: &CodedTable,
    (weights, unit): (Option<&[f64]>, f64),
    cf: f64,
    limit: Limit,
) -> Result<Tree> {
    if !(cf > 0.0 && cf <= 1.0) {
        return Err(Error::parameter(format!("the confidence is {cf}; expected a number above 0, up to 1")));
    }
    raising::raise(tree, table, (weights, unit), &ConfidenceLimit { cf, limit })
}

pub(super) struct ConfidenceLimit {
    pub(super) cf: f64,
    pub(super) limit: Limit,
}

impl Estimator for ConfidenceLimit {
    fn leaf(&self, weight: f64, errors: f64) -> f64 {
        estimate(weight, errors, self.cf, self.limit)
    }

    fn surely_keeps(&self, _: f64, errors: f64, subtree: SubtreeEstimate) -> bool {
        // Up to the median, an upper limit of the error rate is above the rate that was seen.
        self.cf <= 0.5 && errors > (1.0 + 1e-6) * (subtree.estimate + TOLERANCE)
    }

    fn decide(
        &self,
        _: f64,
        leaf: f64,
        subtree: SubtreeEstimate,
        raised: Option<SubtreeEstimate>,
    ) -> Verdict {
        let tolerance = if self.limit == Limit::Exact { 0.0 } else { TOLERANCE };
        let not_more = |a: f64, b: f64| at_most(a, b + tolerance);
        if not_more(leaf, subtree.estimate) && raised.is_none_or(|r| not_more(leaf, r.estimate)) {
            Verdict::Leaf
        } else if raised.is_some_and(|r| not_more(r.estimate, subtree.estimate)) {
            Verdict::Raise
        } else {
            Verdict::Keep
        }
    }
}

/// Error-based pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "error-based",
        one_line: "compares upper confidence limits of the errors, as C4.5 does",
        paper: "Quinlan: C4.5: Programs for Machine Learning, 1993",
        params: &[
            ParamSpec::new("cf", ParamKind::SHARE, "the confidence; smaller cuts more").default("0.25"),
            CV,
            HOLDOUT,
            ONE_SE,
            SE,
            CHOOSE_BY,
            ParamSpec::new(
                "limit",
                ParamKind::Choice(&[Choice::any("exact"), Choice::any("c45"), Choice::any("normal")]),
                "the exact binomial limit, the approximation of the program C4.5, or that with exact quantiles (J48)",
            )
            .default("exact"),
            raising::RAISING,
            COUNT,
        ],
        needs: Needs::Counts,
        exceptions: &[],
    },
    only: For::Classes,
    kind: PruneKind::Family {
        parameter: Parameter { name: "cf", spacing: Spacing::Exact },
        grid: |_| vec![1.0, 0.75, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02, 0.01, 0.001, 1e-4, 1e-6],
        cut: |job: &Job, cf: f64| Ok(cut(job.counted(), &job.bounded_risk(), cf, limit(job))),
        raise: Some(|job, table, weights, cf| raise(job.tree, table, (weights, job.unit()), cf, limit(job))),
    },
};

fn limit(job: &Job) -> Limit {
    match job.word("limit") {
        "c45" => Limit::C45,
        "normal" => Limit::Normal,
        _ => Limit::Exact,
    }
}

words!(Limit { Exact = "exact", C45 = "c45", Normal = "normal" });

typed_options! {
    /// Error-based pruning.
    ErrorBased of PRUNER {
        cf "cf": f64 = "the confidence; smaller cuts more",
        ..SELECTORS,
        limit "limit": Limit = "the exact binomial limit, the approximation of the program C4.5, or that with exact quantiles (J48)",
        raising "raising": bool = "also try the largest branch in place of its parent (needs the rows)",
        count "count": Counted = "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::{below, build, chain, classes, each, leaf, nominal, numeric, random};
    use proptest::prelude::*;

    fn errors(tree: &Tree) -> Vec<f64> {
        (0..tree.nodes().len()).map(|id| tree.error(id)).collect()
    }

    /// Quinlan's congressional votes: the split on education funding is replaced by a leaf, and so is the one above it.
    #[test]
    fn quinlans_example_is_replaced_by_a_leaf() {
        let votes = ["n", "y", "u"];
        let tree = build(
            vec![nominal("adoption", &votes), nominal("education", &votes), numeric("x")],
            classes("party", &["democrat", "republican"]),
            below(
                2,
                1.0,
                leaf(&[0.0, 123.0]),
                each(
                    0,
                    vec![
                        each(1, vec![leaf(&[6.0, 0.0]), leaf(&[9.0, 0.0]), leaf(&[0.0, 1.0])]),
                        leaf(&[151.0, 0.0]),
                        leaf(&[1.0, 0.0]),
                    ],
                ),
            ),
        );
        for limit in [Limit::Exact, Limit::C45, Limit::Normal] {
            let cut = tree.cut(&cut(&tree, &errors(&tree), DEFAULT_CF, limit));
            assert_eq!(cut.class_weights(2), [167.0, 1.0]);
            assert_eq!(cut.leaves(), 2);
        }
    }

    #[test]
    fn a_long_chain_is_pruned_in_one_pass() {
        let tree = chain(200_001);
        for limit in [Limit::Exact, Limit::C45, Limit::Normal] {
            assert!(tree.cut(&cut(&tree, &errors(&tree), DEFAULT_CF, limit)).leaves() <= 100_001);
        }
    }

    proptest! {
        #[test]
        fn a_subtree_stays_only_where_it_is_expected_to_err_less(
            seed in any::<u64>(), splits in 0usize..40, shape in 0usize..3, cf in 0.001..1.0f64, which in 0usize..3,
        ) {
            let tree = random(seed, splits, shape);
            if !tree.is_classifier() {
                return Ok(());
            }
            let limit = [Limit::Exact, Limit::C45, Limit::Normal][which];
            let pruned = tree.cut(&cut(&tree, &errors(&tree), cf, limit));
            prop_assert!(pruned.leaves() <= tree.leaves());
            let expected = |id: usize| estimate(pruned.node(id).weight, pruned.error(id), cf, limit);
            let mut sums = vec![0.0; pruned.nodes().len()];
            for id in (0..sums.len()).rev() {
                sums[id] = if pruned.is_leaf(id) { expected(id) } else { pruned.children(id).map(|c| sums[c]).sum() };
                prop_assert!(pruned.is_leaf(id) || expected(id) > sums[id]);
            }
            // What is pruned is stable: once more changes nothing.
            prop_assert_eq!(pruned.cut(&cut(&pruned, &errors(&pruned), cf, limit)), pruned);
        }
    }
}
