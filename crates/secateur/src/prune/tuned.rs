//! Error-based pruning with both its parameters tuned: the minimum leaf weight of growing and the confidence of pruning.
//!
//! From the learner's `min-leaf` and the given `cf`, the tuner moves to the best of the four neighbours (one step up or down in
//! one of them) until none is better ([`hill_climb`]). A pair is judged by cross-validation
//! inside the rows to learn from; Holder used the test rows and says so: his numbers show what is possible, not what a user
//! would get.
//!
//! Source: L. B. Holder (1995), *Intermediate decision trees*, IJCAI, section on experiments. Costs ten growths for every
//! minimum leaf weight on the way; confidences cost pruning alone.

use std::collections::HashMap;
use std::sync::Arc;

use super::error_based::{self, Limit};
use super::intermediate::{first_smallest, hill_climb};
use super::{Fitting, FoundTree, Job, Path, PruneKind, Pruner};
use crate::error::Result;
use crate::method::{CV, Exception, For, Law, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::Counted;
use crate::prune::counted::COUNT;
use crate::route::Loss;
use crate::spec::GrowSpec;
use crate::training::{FoldLosses, Grown, TreeCache, judged_by_others};

/// Error-based pruning, tuned.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "tuned",
        one_line: "error-based pruning with min-leaf and cf found by hill climbing",
        paper: "Holder: Intermediate Decision Trees, 1995",
        params: &[
            CV.default("10"),
            ParamSpec::new("cf", ParamKind::SHARE, "the confidence to start from").default("0.25"),
            ParamSpec::new(
                "leaf-step",
                ParamKind::Number { min: 0.0, open: true, max: 1e9 },
                "the step in min-leaf, which starts from the learner's",
            )
            .default("1"),
            ParamSpec::new("cf-step", ParamKind::SHARE, "the step in the confidence").default("0.05"),
            COUNT,
        ],
        needs: Needs::Folds,
        exceptions: &[Exception::new(Law::Subtree, "the tree is grown with the min-leaf that was found")],
    },
    only: For::Classes,
    kind: PruneKind::Own { fit, stops_growing: false },
};

fn fit(fitting: &Fitting) -> Result<FoundTree> {
    let Fitting { trees, spec, options, folds, keeps_folds, progress, .. } = *fitting;
    let start = (spec.min_leaf, options.number("cf"));
    let steps = (options.number("leaf-step"), options.number("cf-step"));
    let with = |min_leaf: f64| GrowSpec { min_leaf, ..spec.clone() };
    // Pairs differ by whole steps; what was asked once is known.
    let mut known: HashMap<(u64, u64), f64> = HashMap::new();
    let mut tried: Vec<Vec<FoldLosses>> = Vec::new();
    let ((min_leaf, cf), error) = hill_climb(start, steps, |(min_leaf, cf)| {
        if min_leaf < 1.0 || !(1e-9..=1.0).contains(&cf) {
            return Ok(f64::INFINITY);
        }
        let key = (min_leaf.to_bits(), cf.to_bits());
        if let Some(error) = known.get(&key) {
            return Ok(*error);
        }
        let losses = validated(fitting, &with(min_leaf), folds, cf)?;
        let error = rate(trees, &losses.iter().collect::<Vec<_>>()).0;
        tried.push(losses);
        known.insert(key, error);
        Ok(error)
    })?;
    let full = trees.full(&with(min_leaf), progress)?;
    let job = Job::with(&full.tree, options);
    let leaf = error_based::cut(job.counted(), &job.bounded_risk(), cf, Limit::Exact);
    let method = format!("{}-fold cross-validation", trees.folds(folds)?.len());
    let chosen = format!("min-leaf={min_leaf} and cf={}", (cf * 1e9).round() / 1e9);
    let estimate = Some(trees.corrected(error, by_others(trees, &tried)?, &method, &chosen));
    let pruned = |grown: Arc<Grown>| {
        let job = Job::with(&grown.tree, options);
        let tree = grown.tree.cut(&error_based::cut(job.counted(), &job.bounded_risk(), cf, Limit::Exact));
        (grown, tree)
    };
    let grown = if keeps_folds { trees.fold_trees(&with(min_leaf), folds, progress)? } else { Vec::new() };
    let folds = grown.into_iter().map(pruned).collect();
    let tree = full.tree.cut(&leaf);
    Ok(FoundTree { tree, full: full.tree.size(), grow_seconds: full.seconds, estimate, folds })
}

/// What every fold loses with trees grown like this and pruned with this confidence.
fn validated(fitting: &Fitting, spec: &GrowSpec, folds: usize, cf: f64) -> Result<Vec<FoldLosses>> {
    let table = fitting.trees.table();
    let of_fold = |grown: Arc<Grown>| {
        let job = Job::with(&grown.tree, fitting.options);
        let leaf = error_based::cut(job.counted(), &job.bounded_risk(), cf, Limit::Exact);
        let path = Path::cuts(vec![cf], vec![leaf])?;
        let (loss, square) = path.losses(grown.routed(table)?, &grown.tree, table, &[cf], Loss::Risk);
        Ok(FoldLosses { loss, square, weight: grown.held.iter().sum(), splits: grown.tree.splits() })
    };
    fitting.trees.fold_trees(spec, folds, fitting.progress)?.into_iter().map(of_fold).collect()
}

/// The error of some folds, and its standard error.
fn rate(trees: &TreeCache, folds: &[&FoldLosses]) -> (f64, f64) {
    let sum = |of: fn(&FoldLosses) -> f64| folds.iter().map(|fold| of(fold)).sum::<f64>();
    let weight = sum(|fold| fold.weight);
    let error = sum(|fold| fold.loss[0]) / weight;
    let variance = (sum(|fold| fold.square[0]) / weight - error * error) / trees.rows_of(weight);
    (error, variance.max(0.0).sqrt())
}

/// The error when every fold is judged by the pair that is best for the others, of those that were tried.
fn by_others(trees: &TreeCache, tried: &[Vec<FoldLosses>]) -> Result<(f64, f64)> {
    let pick =
        |fold: usize, of: fn(&FoldLosses) -> &[f64]| tried.iter().map(|pair| of(&pair[fold])[0]).collect();
    let first = tried.first().map_or(&[][..], Vec::as_slice);
    let folds: Vec<FoldLosses> = (0..first.len())
        .map(|fold| FoldLosses {
            loss: pick(fold, |f| &f.loss),
            square: pick(fold, |f| &f.square),
            weight: first[fold].weight,
            splits: 0,
        })
        .collect();
    let judged = judged_by_others(&folds, |others| {
        let lost = |pair: usize| others.iter().map(|&fold| folds[fold].loss[pair]).sum::<f64>();
        Ok(first_smallest(&(0..tried.len()).map(lost).collect::<Vec<_>>()))
    })?;
    Ok(rate(trees, &judged.iter().collect::<Vec<_>>()))
}

typed_options! {
    /// Error-based pruning with confidence and least leaf tuned by folds.
    Tuned of PRUNER {
        cv "cv": usize = "choose by cross-validation with this many folds (10 where nothing else is said)",
        cf "cf": f64 = "the confidence to start from",
        leaf_step "leaf-step": f64 = "the step in min-leaf, which starts from the learner's",
        cf_step "cf-step": f64 = "the step in the confidence",
        count "count": Counted = "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
    }
}
