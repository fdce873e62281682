//! Best-first pre-pruning (Shi 3.4): fold trees are grown in step, and growing stops when their error on held-out rows rises.
//!
//! Nothing beyond the stopping point is grown, in the folds or in the final tree. Held-out rows wait at the leaves; one that
//! goes several ways is judged by what its leaves say together, and when one of these is split, its part is taken off
//! and those of the branches are added.

mod held;

use std::sync::Arc;
use std::time::Instant;

use super::order::{CountedError, ERROR, FOLD_AVERAGE, FoldAverage, expansion};
use super::{Fitting, FoundTree, Path, PruneKind, Pruner};
use crate::error::{Error, Result};
use crate::grow::{InMemory, Stepwise, grow_weighted};
use crate::method::{CV, For, MethodInfo, Needs, ONE_SE};
use crate::progress::Progress;
use crate::route::Loss;
use crate::spec::GrowSpec;
use crate::threads;
use crate::training::{Average, Curve, FoldLosses, Grown, TreeCache, judged_by_others};
use crate::tree::{Node, Tree};
use held::Held;

/// Best-first pre-pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "pre",
        one_line: "stops growing when the cross-validated error rises",
        paper: "Shi: Best-first Decision Tree Learning, 2007, section 3.4.1",
        params: &[CV.default("10"), ONE_SE, ERROR, FOLD_AVERAGE],
        needs: Needs::Folds,
        exceptions: &[],
    },
    only: For::Classes,
    kind: PruneKind::Own { fit, stops_growing: true },
};

fn fit(fitting: &Fitting) -> Result<FoundTree> {
    let Fitting { trees, spec, folds, loss, average, keeps_folds, progress, .. } = *fitting;
    let one_se = fitting.se > 0.0;
    let shared = trees.expects(spec, folds);
    let (stopped, grown) = if shared {
        // The folds are grown to the end anyway: the curve stops where growing would have.
        let (curve, losses) = curve_of_folds(trees, spec, folds, (loss, average), progress)?;
        let stopped =
            Stopped { folds: losses, ..stopping_point(&curve, one_se, trees.options().tolerance())? };
        (stopped, if keeps_folds { trees.fold_trees(spec, folds, progress)? } else { Vec::new() })
    } else {
        stopped_with_trees(trees, spec, folds, (loss, average, one_se), keeps_folds, progress)?
    };
    let limit = spec.max_splits.map_or(stopped.splits, |most| most.min(stopped.splits));
    let first = |tree: &Tree| {
        let is_leaf = |node: &Node| node.condition.is_none() || node.rank as usize >= limit;
        tree.cut(&tree.nodes().iter().map(is_leaf).collect::<Vec<bool>>())
    };
    let (tree, grow_seconds) = if shared {
        let full = trees.full(spec, progress)?;
        (first(&full.tree).grown_this_far(), full.seconds)
    } else {
        let begun = Instant::now();
        let spec = GrowSpec { max_splits: Some(limit), ..spec.clone() };
        let tree = grow_weighted(trees.table(), trees.learning_weights().as_deref(), &spec, progress)?;
        (tree.with_costs(trees.costs().cloned())?, begun.elapsed().as_secs_f64())
    };
    let method = format!("{}-fold cross-validation", trees.folds(folds)?.len());
    let judged = by_others(trees, &stopped, (loss, average, one_se))?;
    let apparent = stopped.curve.errors()[stopped.splits];
    let estimate = Some(trees.corrected(apparent, judged, &method, "when to stop growing"));
    let folds = grown.into_iter().map(|grown| (grown.clone(), first(&grown.tree))).collect();
    Ok(FoundTree { full: tree.size(), tree, grow_seconds, estimate, folds })
}

/// The cross-validated error after every number of splits in the order of growing, from 0.
pub fn splits_curve(
    trees: &TreeCache,
    spec: &GrowSpec,
    folds: usize,
    (loss, average): (Loss, Average),
    progress: &dyn Progress,
) -> Result<Curve> {
    curve_of_folds(trees, spec, folds, (loss, average), progress).map(|(curve, _)| curve)
}

/// The same, with what every fold loses after every number of splits.
fn curve_of_folds(
    trees: &TreeCache,
    spec: &GrowSpec,
    folds: usize,
    (loss, average): (Loss, Average),
    progress: &dyn Progress,
) -> Result<(Curve, Vec<FoldLosses>)> {
    let grown = trees.fold_trees(spec, folds, progress)?;
    let most = grown.iter().map(|grown| grown.tree.splits()).max().unwrap_or(0);
    let numbers: Vec<f64> = (0..=most).rev().map(|n| n as f64).collect();
    let of_fold = |grown: &Arc<Grown>| {
        let (tree, table) = (&grown.tree, trees.table());
        let path = Path::splits(tree, &expansion(tree));
        let (loss, square) = path.losses(grown.routed(table)?, tree, table, &numbers, loss);
        Ok(FoldLosses { loss, square, weight: grown.held.iter().sum(), splits: tree.splits() })
    };
    let mut losses = threads::try_map(grown.len(), |fold| of_fold(&grown[fold]))?;
    let (mut errors, mut se) = average.of(trees, loss, &numbers, &losses);
    errors.reverse();
    se.reverse();
    // More splits are more leaves, and how many does not matter here.
    let leaves = (1..=errors.len()).collect();
    for fold in &mut losses {
        fold.loss.reverse();
        fold.square.reverse();
    }
    Ok((Curve::new(errors, se, leaves)?, losses))
}

/// The error when every fold is judged where the others would have stopped, at numbers of splits that were tried.
fn by_others(
    trees: &TreeCache,
    stopped: &Stopped,
    (loss, average, one_se): StoppingRule,
) -> Result<(f64, f64)> {
    let folds = &stopped.folds;
    let numbers: Vec<f64> = (0..stopped.curve.errors().len()).map(|n| n as f64).collect();
    let judged = judged_by_others(folds, |others| {
        let others: Vec<&FoldLosses> = others.iter().map(|&fold| &folds[fold]).collect();
        let (mut errors, mut se) = average.of(trees, loss, &numbers, &others);
        // Where none of the others grows any more, nothing is known.
        let known = errors.iter().position(|error| error.is_nan()).unwrap_or(errors.len()).max(1);
        errors.truncate(known);
        se.truncate(known);
        let curve = Curve::new(errors, se, (1..=known).collect())?;
        Ok(stopping_point(&curve, one_se, trees.options().tolerance())?.splits)
    })?;
    let (errors, se) = average.of(trees, loss, &[0.0], &judged);
    Ok((errors[0], se[0]))
}

/// Where growing stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Stopped {
    /// The number of splits to make.
    pub splits: usize,
    /// Error and standard error after every number of splits that was tried, from 0.
    pub curve: Curve,
    /// What every fold lost after each of them, where that is known.
    pub folds: Vec<FoldLosses>,
}

/// When growing stops: what is counted, how folds are averaged, and whether one standard error is allowed for. Without it
/// growing stops when the error is larger than the one before; with it when the error exceeds the least one so far by more
/// than its standard error, and then the fewest splits within one standard error of the least are taken.
pub type StoppingRule = (Loss, Average, bool);

/// Where an error curve from 0 splits on would have stopped growing; `tolerance` is what counts as rounding, relative to the first
/// error.
pub fn stopping_point(curve: &Curve, one_se: bool, tolerance: f64) -> Result<Stopped> {
    let mut watch = Watch { least: 0, one_se, tolerance };
    let (errors, se) = (curve.errors(), curve.se());
    let seen = (0..errors.len()).find(|&n| watch.stops(errors, se, n)).map_or(errors.len(), |n| n + 1);
    watch.chosen(errors[..seen].to_vec(), se[..seen].to_vec())
}

/// Looks at an error curve while it grows.
struct Watch {
    least: usize,
    one_se: bool,
    tolerance: f64,
}

impl Watch {
    /// Whether growing stops after `n` splits.
    fn stops(&mut self, errors: &[f64], se: &[f64], n: usize) -> bool {
        // Sums of the same losses in another order differ in their last digits.
        let tolerance = self.tolerance * errors[0];
        let error = errors[n];
        if error < errors[self.least] - tolerance {
            self.least = n;
        }
        if self.one_se {
            error > errors[self.least] + se[self.least] + tolerance
        } else {
            n > 0 && error > errors[n - 1] + tolerance
        }
    }

    /// The number of splits to make: more splits are more leaves, so the first number within the limit is the smallest tree.
    fn chosen(self, errors: Vec<f64>, se: Vec<f64>) -> Result<Stopped> {
        let last = errors.len().saturating_sub(1);
        let leaves = (1..=errors.len()).collect();
        let curve = Curve::new(errors, se, leaves)?;
        let errors = curve.errors();
        let tolerance = self.tolerance * errors[0];
        let splits = if self.one_se {
            let limit = errors[self.least] + curve.se()[self.least] + tolerance;
            (0..=last).find(|&n| errors[n] <= limit).unwrap_or(self.least)
        } else if last > 0 && errors[last] > errors[last - 1] + tolerance {
            last - 1
        } else {
            last
        };
        Ok(Stopped { splits, curve, folds: Vec::new() })
    }
}

/// A fold that grows: its tree, and the rows held out from it.
type Growing<'a> = (Stepwise<'a>, Held<'a>, bool);

/// Grows the folds in step until the rule says stop.
pub fn stop_early(
    tree_cache: &TreeCache,
    spec: &GrowSpec,
    folds: usize,
    rule: StoppingRule,
    progress: &dyn Progress,
) -> Result<Stopped> {
    Ok(stopped_with_trees(tree_cache, spec, folds, rule, false, progress)?.0)
}

/// The same with the trees of the folds as far as they were grown, where they are wanted.
fn stopped_with_trees(
    tree_cache: &TreeCache,
    spec: &GrowSpec,
    folds: usize,
    (loss, average, one_se): StoppingRule,
    keeps_folds: bool,
    progress: &dyn Progress,
) -> Result<(Stopped, Vec<Arc<Grown>>)> {
    let (table, options) = (tree_cache.table(), tree_cache.options());
    let costs = tree_cache.costs().map(AsRef::as_ref);
    let folds = tree_cache.folds(folds)?;
    let weights: Vec<(Vec<f64>, Vec<f64>)> =
        (0..folds.len()).map(|fold| tree_cache.fold_weights(&folds, fold)).collect();
    if weights.iter().any(|(_, held)| held.iter().all(|w| *w == 0.0)) {
        return Err(Error::parameter("a fold has no rows"));
    }
    let engines =
        weights.iter().map(|(grow, _)| InMemory::new(table, Some(grow), spec)).collect::<Result<Vec<_>>>()?;
    let mut growing: Vec<Growing> = Vec::new();
    for (engine, (_, held)) in engines.iter().zip(&weights) {
        let grower = engine.grower()?;
        let held = Held::at_root(table, costs, loss, options.to_the_bit, held, grower.class_weights(0));
        growing.push((grower, held, true));
    }
    progress.stage("growing folds in step", 0);
    let held: f64 = growing.iter().map(|(_, held, _)| held.weight).sum();
    let rows = tree_cache.rows_of(if options.to_the_bit { tree_cache.weight() } else { held });
    let (mut errors, mut se) = (Vec::new(), Vec::new());
    let of_fold = |(_, held, _): &Growing| FoldLosses {
        loss: Vec::new(),
        square: Vec::new(),
        weight: held.weight,
        splits: usize::MAX,
    };
    let mut losses: Vec<FoldLosses> = growing.iter().map(of_fold).collect();
    let mut watch = Watch { least: 0, one_se, tolerance: options.tolerance() };
    while let Some((error, square)) = mean_error(&growing, average, table.classes(), costs.is_some()) {
        let last = errors.len();
        errors.push(error);
        se.push(((square - error * error) / rows).max(0.0).sqrt());
        for (fold, (_, held, active)) in losses.iter_mut().zip(&growing) {
            fold.loss.push(held.sum[0].max(0.0));
            fold.square.push(held.sum[1].max(0.0));
            if !*active {
                fold.splits = fold.splits.min(last.saturating_sub(1));
            }
        }
        if watch.stops(&errors, &se, last) || !step_all(&mut growing)? {
            break;
        }
        progress.advance(1);
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    let kept = growing.into_iter().zip(&weights).filter(|_| keeps_folds);
    let grown = kept.map(|((grower, ..), (weights, held))| {
        let tree = grower.finish(table);
        tree_cache.grown_apart(tree, (Some(weights.clone()), held.clone())).map(Arc::new)
    });
    Ok((Stopped { folds: losses, ..watch.chosen(errors, se)? }, grown.collect::<Result<_>>()?))
}

/// The mean of the folds' error rates, and of the squared losses; nothing when no fold counts any more.
fn mean_error(growing: &[Growing], average: Average, classes: usize, has_costs: bool) -> Option<(f64, f64)> {
    let counted = || growing.iter().filter(|(_, _, active)| average != Average::ActiveFolds || *active);
    let rates: Vec<f64> = counted().map(|(_, held, _)| held.rate(classes)).collect();
    let (_, first, _) = counted().next()?;
    let error = rates.iter().sum::<f64>() / rates.len() as f64;
    // A mistake without costs counts 1, and so does its square.
    let square = if first.loss == Loss::Risk && has_costs {
        counted().map(|(_, held, _)| held.sum[1] / held.weight).sum::<f64>() / rates.len() as f64
    } else {
        error
    };
    Some((error, square))
}

/// Lets every fold make its next split; says whether any did.
fn step_all(growing: &mut [Growing]) -> Result<bool> {
    let mut moved = false;
    for (grower, held, active) in growing {
        *active = *active
            && match grower.step()? {
                Some(node) => {
                    held.follow(grower, node);
                    true
                }
                None => false,
            };
        moved |= *active;
    }
    Ok(moved)
}

typed_options! {
    /// Best-first pre-pruning.
    Pre of PRUNER {
        cv "cv": usize = "choose by cross-validation with this many folds (10 where nothing else is said)",
        one_se "1se": bool = "take the smallest tree within one standard error",
        error "error": CountedError = "count errors, or the root mean squared error of the class probabilities",
        fold_average "fold-average": FoldAverage = "average over all folds, or over those whose trees still grow",
    }
}
