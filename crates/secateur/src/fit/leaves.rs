//! What the leaves of a fitted tree say: as the scheme names it, or shrunk by the λ that held-out rows choose.
//!
//! Which tree is taken does not depend on it: pruning and choosing count what was counted. Then λ is the one of [`LAMBDAS`] with the
//! least log loss (squared error of numbers) of the rows that chose the member, each in the tree grown without it and pruned
//! like the chosen one; of equal ones the smallest. With the leaf values known, the error of the member is measured once more
//! on the same rows; every fold is judged by the λ that the others choose, and what that changes is added to the correction.

use std::fmt;
use std::sync::Arc;

use super::{Estimate, Fitted, Fitting};
use crate::error::Result;
use crate::prune::order::average;
use crate::prune::{Job, PruneKind};
use crate::route::{Ended, Loss};
use crate::scheme::LeafPlan;
use crate::select::{Members, Pruning, Selector, whole_losses};
use crate::threads;
use crate::training::{Average, FoldLosses, Grown};
use crate::tree::{LeafValues, Tree};

/// The λ that are tried; where rows weigh more than 3 on average, ten, a hundred … times as much.
pub const LAMBDAS: [f64; 9] = [0.0, 0.1, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0];

/// Losses that differ by less than this part of them are equal.
const TOLERANCE: f64 = 1e-12;

/// How λ was chosen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LambdaChoice {
    /// The λ that was taken.
    pub lambda: f64,
    /// Every λ that was tried, with the mean loss of the held-out rows: log loss, or squared error.
    pub losses: Vec<(f64, f64)>,
    /// Where that comes from.
    pub method: String,
}

/// A tree with the rows that judge it: those held out when the tree it was cut from was grown.
#[derive(Clone)]
pub(super) struct FoldTree {
    pub grown: Arc<Grown>,
    pub tree: Tree,
}

/// Those of a pruner that has grown its folds itself. They say nothing of a fit beyond what its leaf values do, so they do not count
/// where fits are compared.
#[derive(Clone, Default)]
pub(super) struct OwnFolds(pub Vec<FoldTree>);

impl PartialEq for OwnFolds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for OwnFolds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} folds", self.0.len())
    }
}

impl Fitting<'_> {
    /// A fit of raw leaf values with those of its plan.
    pub(super) fn with_leaf_values(&self, mut fitted: Fitted) -> Result<Fitted> {
        let fixed = match self.plan.leaves {
            LeafPlan::Fixed(LeafValues::Raw) => return Ok(fitted),
            LeafPlan::Fixed(values) => Some(values),
            LeafPlan::ByPruning | LeafPlan::ByFolds(_) => None,
        };
        let OwnFolds(own) = std::mem::take(&mut fitted.own_folds);
        let judges = if own.is_empty() { self.judges(&fitted)? } else { own };
        let (choice, by_others) = match (fixed, judges.is_empty()) {
            (None, false) => {
                self.chosen(&judges, &tried(&fitted.tree)).map(|(choice, by)| (Some(choice), by))?
            }
            _ => (None, Vec::new()),
        };
        let lambda = choice.as_ref().map_or(LeafValues::USUAL_LAMBDA, |choice| choice.lambda);
        let values = fixed.unwrap_or(LeafValues::Shrink(lambda));
        let estimate = self.estimate(&fitted, judges, values, &by_others)?;
        let path = fitted.path.map(|path| path.with_leaf_values(values));
        Ok(Fitted { tree: fitted.tree.with_leaf_values(values)?, estimate, path, lambda: choice, ..fitted })
    }

    /// The trees that the fit was chosen by, each with the rows that it has not seen; none where it chose nothing on rows, or grew its
    /// folds in a way of its own. No tree is grown that the plan does not grow anyway.
    pub(super) fn judges(&self, fitted: &Fitted) -> Result<Vec<FoldTree>> {
        let (trees, spec) = (self.tree_cache, &self.plan.spec);
        let pruning = self.plan.pruning.as_ref();
        if let LeafPlan::ByFolds(folds) = self.plan.leaves {
            let grown = trees.fold_trees(spec, folds, self.progress)?;
            return threads::try_map(grown.len(), |fold| {
                let grown = grown[fold].clone();
                Ok(FoldTree { tree: self.pruned_alone(&grown)?, grown })
            });
        }
        match (pruning.and_then(|pruning| pruning.selector), fitted.chosen_at, pruning) {
            (Some(Selector::CrossValidated { folds, .. }), Some(parameter), Some(pruning)) => {
                let grown = trees.fold_trees(spec, folds, self.progress)?;
                threads::try_map(grown.len(), |fold| {
                    let grown = grown[fold].clone();
                    if let Some(path) = fitted.fold_paths.get(fold) {
                        return Ok(FoldTree { tree: grown.tree.cut(&path.cut(parameter)), grown });
                    }
                    let job = Job::with(&grown.tree, &pruning.options);
                    let members =
                        Members::of(pruning.pruner, &job, &grown, trees.table(), Some(&[parameter]))?;
                    Ok(FoldTree { tree: members.tree(&grown.tree, parameter), grown })
                })
            }
            (Some(Selector::HeldOut { share, .. }), ..) => {
                let grown = trees.without(share, spec, self.progress)?;
                Ok(vec![FoldTree { tree: fitted.tree.clone(), grown }])
            }
            _ => Ok(Vec::new()),
        }
    }

    /// A tree pruned by a plan that chooses nothing on rows.
    fn pruned_alone(&self, grown: &Grown) -> Result<Tree> {
        let Some(pruning) = &self.plan.pruning else { return Ok(Tree::clone(&grown.tree)) };
        let job = Job::with(&grown.tree, &pruning.options);
        match (&pruning.pruner.kind, pruning.selector) {
            (PruneKind::Cut(prune), _) => Ok(grown.tree.cut(&prune(&job)?)),
            (_, Some(Selector::Fixed(parameter))) => {
                let table = self.tree_cache.table();
                let members = Members::of(pruning.pruner, &job, grown, table, Some(&[parameter]))?;
                Ok(members.tree(&grown.tree, parameter))
            }
            _ => Ok(Tree::clone(&grown.tree)),
        }
    }

    /// The best λ for the rows of the judges, and for each judge the one that the others would choose.
    fn chosen(&self, judges: &[FoldTree], lambdas: &[f64]) -> Result<(LambdaChoice, Vec<f64>)> {
        let table = self.tree_cache.table();
        let parts = threads::try_map(judges.len(), |i| {
            let ended = Ended::new(&judges[i].tree, table, &judges[i].grown.held)?;
            let losses: Vec<f64> = lambdas.iter().map(|&l| ended.loss(LeafValues::Shrink(l))).collect();
            Ok((losses, ended.weight))
        })?;
        // The mean losses without one of the parts.
        let losses = |without: Option<usize>| -> Vec<(f64, f64)> {
            let parts =
                || parts.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, part)| part);
            let weight: f64 = parts().map(|part| part.1).sum();
            let mean = |i: usize| parts().map(|part| part.0[i]).sum::<f64>() / weight;
            lambdas.iter().enumerate().map(|(i, lambda)| (*lambda, mean(i))).collect()
        };
        let all = losses(None);
        let (lambda, method) = match judges.len() {
            1 => (best(&all), "the rows held out".to_string()),
            folds => (best(&all), format!("{folds}-fold cross-validation")),
        };
        let by_others = match judges.len() {
            1 => vec![lambda],
            folds => (0..folds).map(|fold| best(&losses(Some(fold)))).collect(),
        };
        Ok((LambdaChoice { lambda, losses: all, method }, by_others))
    }

    /// The estimate of a fit, with these leaf values in the trees that judge it. `by_others` has for each the λ that the others choose, where
    /// rows choose it.
    fn estimate(
        &self,
        fitted: &Fitted,
        judges: Vec<FoldTree>,
        values: LeafValues,
        by_others: &[f64],
    ) -> Result<Option<Estimate>> {
        let by_folds = matches!(self.plan.leaves, LeafPlan::ByFolds(_));
        if judges.is_empty() || fitted.estimate.is_none() && !by_folds {
            return Ok(fitted.estimate.clone());
        }
        let (loss, by) = match &self.plan.pruning {
            // As it stopped by.
            Some(pruning) if matches!(pruning.pruner.kind, PruneKind::Own { stops_growing: true, .. }) => {
                (pruning.loss, average(&pruning.options).unwrap_or(Average::Folds))
            }
            Some(pruning) if !by_folds => (pruning.loss, pruning.average),
            _ => (Loss::Risk, Average::Pooled),
        };
        let count = judges.len();
        let folds = threads::try_map(count, |i| self.losses(&judges[i], values, loss))?;
        let other =
            |i: usize| by_others.get(i).map(|&lambda| LeafValues::Shrink(lambda)).filter(|v| *v != values);
        let by_others = threads::try_map(count, |i| match other(i) {
            Some(values) => self.losses(&judges[i], values, loss),
            None => Ok(folds[i].clone()),
        })?;
        let rate = |folds: &[FoldLosses]| {
            let (errors, se) = match &self.plan.pruning {
                Some(pruning) if pruning.holds_out() => {
                    let FoldLosses { loss: sums, square, weight, .. } = &folds[0];
                    self.rates(sums, square, *weight, loss)
                }
                _ => {
                    let parameter = [fitted.chosen_at.unwrap_or(fitted.tree.splits() as f64)];
                    by.of(self.tree_cache, loss, &parameter, folds)
                }
            };
            (errors[0], se[0])
        };
        let (error, (judged, se)) = (rate(&folds).0, rate(&by_others));
        let own = || {
            let method = format!("{count}-fold cross-validation");
            self.tree_cache.corrected(error, (judged, se), &method, " of leaf-lambda")
        };
        // The choice of the member was made by what was counted, and so was its correction; that of λ is added.
        let told = fitted.estimate.clone().map(|told| {
            let correction = told.bias_correction.map(|correction| correction + judged - error);
            let told_error = (error + correction.unwrap_or(0.0)).max(0.0);
            Estimate { error: told_error, se, bias_correction: correction, ..told }
        });
        Ok(Some(told.unwrap_or_else(own)))
    }

    /// What the rows of a judge lose with these leaf values.
    fn losses(&self, judge: &FoldTree, values: LeafValues, loss: Loss) -> Result<FoldLosses> {
        let (table, grown) = (self.tree_cache.table(), &judge.grown);
        let tree = judge.tree.clone().with_leaf_values(values)?;
        let holds_out = self.plan.pruning.as_ref().is_some_and(Pruning::holds_out);
        let (loss, square) = whole_losses(&tree, grown, table, (loss, holds_out))?;
        let (weight, splits) = (grown.held.iter().sum(), grown.tree.splits());
        Ok(FoldLosses { loss: vec![loss], square: vec![square], weight, splits })
    }
}

/// The λ to try for a tree. They are weights: where rows are heavy, so are they.
fn tried(tree: &Tree) -> Vec<f64> {
    let tens = tree.row_weight().max(1.0).log10().round() as i32;
    LAMBDAS.iter().map(|lambda| lambda * 10f64.powi(tens)).collect()
}

/// The λ with the least loss; of equal ones the smallest.
fn best(losses: &[(f64, f64)]) -> f64 {
    let least = losses.iter().map(|loss| loss.1).fold(f64::INFINITY, f64::min);
    let best = losses.iter().find(|loss| loss.1 <= least + TOLERANCE * least.abs());
    best.map_or(LeafValues::USUAL_LAMBDA, |loss| loss.0)
}
