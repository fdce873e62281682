//! Early stopping for regression (El-Khouri): a node is split only while its mean squared error exceeds a threshold.
//!
//! At threshold `p` a node is internal when it and all nodes above it have `mse > p`. So every node falls at
//! `fall(t) = min(mse(t), fall(parent))`, and the trees of all thresholds are nested and cut from one grown tree. Selectors
//! do not try every threshold at which a node falls, but a grid of candidates, as the paper has it: `0.01σ, 0.02σ, …,
//! 1.00σ` with `σ` the standard deviation of the target; the one with the smallest error on a validation part of 10 % is
//! taken.
//!
//! Source: F. El-Khouri, *ID3 and CART* (report), section 2, "CART algorithm", early stopping. The threshold is
//! compared with the squared error as it stands there, although `σ` has another unit.
//! Needs the tree alone (a regression tree); linear in its nodes.
//!
//! ```
//! use secateur::data::{CodedTable, Roles, builtin};
//! use secateur::grow::grow;
//! use secateur::schema::Task;
//! use secateur::spec::GrowSpec;
//! use secateur::progress::Silent;
//! use secateur::prune::early_stop;
//!
//! let table = CodedTable::new(&builtin::load("friedman?n=300").unwrap(), &Roles::default()).unwrap();
//! let full = grow(&table, &GrowSpec::cart(Task::Regression), &Silent).unwrap();
//! let fall = early_stop::fall(&full).unwrap();
//! let stopped = grow(&table, &GrowSpec { stop_mse: Some(4.0), ..GrowSpec::cart(Task::Regression) }, &Silent).unwrap();
//! assert_eq!(full.cut(&early_stop::cut(&fall, 4.0)).leaves(), stopped.leaves());
//! ```

use crate::method::{CV, HOLDOUT, ONE_SE, SE};
use crate::method::{For, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::{Job, Parameter, PruneKind, Pruner, Spacing, Tried};

use crate::criterion::{TIE, exceeds};
use crate::error::{Error, Result};
use crate::tree::{Stats, Tree};

/// The threshold at which every node becomes a leaf: it is internal below it. Leaves have negative infinity, and no
/// node falls later than the node above it.
pub fn fall(tree: &Tree) -> Result<Vec<f64>> {
    let Stats::Numbers { mse, .. } = tree.stats() else {
        return Err(Error::parameter(
            "stopping by the mean squared error is for trees that predict numbers; this one predicts classes",
        ));
    };
    let mut fall: Vec<f64> = Vec::with_capacity(mse.len());
    for (id, node) in tree.nodes().iter().enumerate() {
        let above = node.parent.map_or(f64::INFINITY, |p| fall[p as usize]);
        fall.push(if tree.is_leaf(id) { f64::NEG_INFINITY } else { mse[id].min(above) });
    }
    Ok(fall)
}

/// The nodes that are leaves at a threshold.
pub fn cut(fall: &[f64], threshold: f64) -> Vec<bool> {
    fall.iter().map(|&f| !exceeds(f, threshold)).collect()
}

/// The hundred thresholds from `0.01σ` to `σ`.
pub(crate) fn candidates(sigma: f64) -> Vec<f64> {
    (1..=100).map(|i| f64::from(i) / 100.0 * sigma).collect()
}

/// Early stopping of regression trees.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "early-stop",
        one_line: "splits a node only while its mean squared error is above a threshold",
        paper: "El-Khouri: Decision trees, ID3 and CART",
        params: &[
            ParamSpec::new("mse", ParamKind::POSITIVE, "the threshold"),
            CV,
            HOLDOUT.default("0.1"),
            ONE_SE,
            SE,
        ],
        needs: Needs::HeldOutRows,
        exceptions: &[],
    },
    only: For::Numbers,
    kind: PruneKind::Nested {
        parameter: Parameter { name: "mse", spacing: Spacing::Exact },
        // The document's candidates are shares of the standard deviation, taken as they are.
        tried: Tried::Grid(|job: &Job| match job.tree.stats() {
            Stats::Numbers { mse, .. } => candidates(mse[0].sqrt()),
            Stats::Classes { .. } => Vec::new(),
        }),
        // Above a threshold by more than rounding.
        fall: |job: &Job| Ok(fall(job.tree)?.into_iter().map(|mse| mse / (1.0 + TIE)).collect()),
        cut: Some(|job: &Job, threshold: f64| Ok(cut(&fall(job.tree)?, threshold))),
    },
};

typed_options! {
    /// Early stopping by the squared error.
    EarlyStop of PRUNER {
        mse "mse": f64 = "the threshold",
        cv "cv": usize = "choose by cross-validation with this many folds (10 where nothing else is said)",
        holdout "holdout": f64 = "choose on a held-out share of the rows",
        one_se "1se": bool = "take the smallest tree within one standard error",
        se "se": f64 = "take the smallest tree within this many standard errors",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CodedTable, Roles, builtin};
    use crate::grow::grow;
    use crate::progress::Silent;
    use crate::schema::Task;
    use crate::spec::GrowSpec;
    use crate::tree::testing::{iris, random};
    use proptest::prelude::*;

    #[test]
    fn every_candidate_gives_the_tree_that_growing_with_it_gives() {
        let table = CodedTable::new(&builtin::load("friedman?n=120").unwrap(), &Roles::default()).unwrap();
        let full = grow(&table, &GrowSpec::cart(Task::Regression), &Silent).unwrap();
        let sigma = (full.error(0) / 120.0).sqrt();
        let fall = fall(&full).unwrap();
        let mut sizes = Vec::new();
        for threshold in candidates(sigma).into_iter().step_by(9) {
            let spec = GrowSpec { stop_mse: Some(threshold), ..GrowSpec::cart(Task::Regression) };
            let grown = grow(&table, &spec, &Silent).unwrap();
            let cut = full.cut(&cut(&fall, threshold));
            let conditions = |t: &Tree| t.nodes().iter().map(|n| n.condition.clone()).collect::<Vec<_>>();
            assert_eq!(conditions(&grown), conditions(&cut));
            sizes.push(cut.leaves());
        }
        assert!(sizes.windows(2).all(|w| w[0] >= w[1]) && sizes[0] > sizes[11], "{sizes:?}");
    }

    #[test]
    fn candidates_end_at_sigma_and_classes_are_refused() {
        let all = candidates(2.0);
        assert_eq!((all.len(), all[0], all[99]), (100, 0.02, 2.0));
        assert!(fall(&iris()).unwrap_err().to_string().contains("predict numbers"));
    }

    proptest! {
        #[test]
        fn a_node_is_internal_while_it_and_all_above_it_err_enough(
            seed in any::<u64>(), splits in 0usize..40, shape in 0usize..3, p in 0.0..8.0,
        ) {
            let tree = random(seed, splits, shape);
            let Stats::Numbers { mse, .. } = tree.stats() else { return Ok(()) };
            let marks = cut(&fall(&tree).unwrap(), p);
            for (id, &mark) in marks.iter().enumerate() {
                let mut above = Some(id);
                let mut split = !tree.is_leaf(id);
                while let Some(a) = above {
                    split &= mse[a] > p;
                    above = tree.node(a).parent.map(|p| p as usize);
                }
                prop_assert_eq!(mark, !split);
            }
        }
    }
}
