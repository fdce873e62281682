//! The leaf values of a fitted tree: as the scheme names them, or shrunken by the λ that held-out rows choose.
//!
//! Where rows choose a member of a path, they choose λ with it (`choosing`). Here is the rest: pruners without a path, and trees that are not pruned.
//! There λ is the one of [`LAMBDAS`] with the lowest log loss (squared error of numbers; with costs the lowest mean cost, then the lowest log loss)
//! of the rows held out from the fold trees, which are pruned as the tree is; of equal ones the smallest. With the leaf values known, the error
//! is measured once more on the same rows; every fold is judged by the λ that the others choose.

use std::fmt;
use std::sync::Arc;

use super::{Estimate, Fitted, Fitting};
use crate::error::Result;
use crate::prune::order::average;
use crate::prune::{Job, PruneKind};
use crate::route::Loss;
use crate::scheme::{LeafPlan, Plan};
use crate::select::{Asked, Losses, Members, Selector};
use crate::threads;
use crate::training::{Average, FoldLosses, Grown};
use crate::tree::{LeafValues, Tree};

/// The λ that are tried; where rows weigh more than 3 on average, ten, a hundred … times as much. With the last one every leaf predicts what
/// the root does.
pub const LAMBDAS: [f64; 12] =
    [0.0, 0.1, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0, 5000.0, LeafValues::LARGEST];

/// Losses that differ by less than this part of them are equal.
const TOLERANCE: f64 = 1e-12;

/// How λ was chosen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LambdaChoice {
    /// The λ that was taken.
    pub lambda: f64,
    /// Every λ that was tried, with the mean loss of the held-out rows by which it was chosen.
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

/// The trees that a fit was chosen by. They say nothing of a fit beyond what its tree does, so they do not count where fits are
/// compared.
#[derive(Clone, Default)]
pub(super) struct FoldTrees(pub Vec<FoldTree>);

impl PartialEq for FoldTrees {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for FoldTrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} folds", self.0.len())
    }
}

impl Fitted {
    /// The same with leaf values that were chosen with the member, and the trees it was chosen by.
    pub(super) fn with_chosen_values(self, values: LeafValues, judges: Vec<FoldTree>) -> Result<Self> {
        let path = self.path.map(|path| path.with_leaf_values(values));
        Ok(Self { tree: self.tree.with_leaf_values(values)?, path, judges: FoldTrees(judges), ..self })
    }
}

/// The leaf values that rows choose from: those of the plan, or shrunken by each λ.
pub(super) fn tried_values(plan: &Plan, tree: &Tree) -> Vec<LeafValues> {
    match plan.leaves {
        LeafPlan::Fixed(values) => vec![values],
        // Lambdas are weights: where rows are heavy, so are they.
        LeafPlan::ByPruning | LeafPlan::ByFolds(_) => {
            let unit = 10f64.powi(tree.row_weight().max(1.0).log10().round() as i32);
            LAMBDAS
                .iter()
                .map(|lambda| LeafValues::Shrink((lambda * unit).min(LeafValues::LARGEST)))
                .collect()
        }
    }
}

impl Fitting<'_> {
    /// A fit of raw leaf values, by no path that rows chose from, with those of its plan.
    pub(super) fn with_leaf_values(&self, mut fitted: Fitted) -> Result<Fitted> {
        if self.plan.leaves == LeafPlan::Fixed(LeafValues::Raw) {
            return Ok(fitted);
        }
        if let LeafPlan::ByFolds(folds) = self.plan.leaves {
            fitted.judges = FoldTrees(self.pruned_folds(folds)?);
        }
        let judges = &fitted.judges.0;
        let mut tried = tried_values(self.plan, &fitted.tree);
        if judges.is_empty() && tried.len() > 1 {
            tried = vec![LeafValues::Shrink(LeafValues::USUAL_LAMBDA)];
        }
        let (mut chosen, mut by_others, mut lambda) = (0, vec![0; judges.len()], None);
        if tried.len() > 1 {
            let choice;
            (choice, chosen, by_others) = self.chosen(judges, &tried)?;
            lambda = Some(choice);
        }
        let estimate = self.estimate(&fitted, &tried, (chosen, &by_others))?;
        let values = tried[chosen];
        let path = fitted.path.map(|path| path.with_leaf_values(values));
        Ok(Fitted { tree: fitted.tree.with_leaf_values(values)?, estimate, path, lambda, ..fitted })
    }

    /// The trees of folds, pruned as the tree is by a plan that chooses nothing on rows.
    fn pruned_folds(&self, folds: usize) -> Result<Vec<FoldTree>> {
        let grown = self.tree_cache.fold_trees(&self.plan.spec, folds, self.progress)?;
        threads::try_map(grown.len(), |fold| {
            let grown = grown[fold].clone();
            Ok(FoldTree { tree: self.pruned_alone(&grown)?, grown })
        })
    }

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

    /// The best of the leaf values for the rows of the judges, and for each judge the one that the others would choose.
    fn chosen(&self, judges: &[FoldTree], tried: &[LeafValues]) -> Result<(LambdaChoice, usize, Vec<usize>)> {
        let table = self.tree_cache.table();
        let losses: &[Loss] = match (table.classes(), self.tree_cache.costs()) {
            (0, _) => &[Loss::Risk],
            (_, Some(_)) => &[Loss::Risk, Loss::LogLoss],
            _ => &[Loss::LogLoss],
        };
        let asked = Asked { values: tried, losses, squares_of_numbers: false };
        let parts = threads::try_map(judges.len(), |i| {
            let FoldTree { grown, tree } = &judges[i];
            asked.of_tree(tree, grown, table).map(|all| (all, grown.held_weight()))
        })?;
        // The mean losses without one of the parts, list by list.
        let means = |without: Option<usize>| -> Vec<Vec<f64>> {
            let parts =
                || parts.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, part)| part);
            let weight: f64 = parts().map(|part| part.1).sum();
            let mean = |list: usize| parts().map(|part| part.0[list].sums[0]).sum::<f64>() / weight;
            let of = |value: usize| (0..losses.len()).map(|loss| mean(value * losses.len() + loss)).collect();
            (0..tried.len()).map(of).collect()
        };
        let all = means(None);
        let chosen = lowest(&all);
        let (method, by_others) = match judges.len() {
            1 => ("the rows held out".to_string(), vec![chosen]),
            folds => {
                let by_others = (0..folds).map(|fold| lowest(&means(Some(fold)))).collect();
                (format!("{folds}-fold cross-validation"), by_others)
            }
        };
        let number = |values: &LeafValues| values.number().unwrap_or(0.0);
        let losses = tried.iter().map(number).zip(all.iter().map(|means| means[0])).collect();
        Ok((LambdaChoice { lambda: number(&tried[chosen]), losses, method }, chosen, by_others))
    }

    /// The estimate of a fit, with the chosen leaf values in the trees that judge it. `by_others` has for each the ones that the others choose.
    fn estimate(
        &self,
        fitted: &Fitted,
        tried: &[LeafValues],
        (chosen, by_others): (usize, &[usize]),
    ) -> Result<Option<Estimate>> {
        let judges = &fitted.judges.0;
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
        let table = self.tree_cache.table();
        let folds = threads::try_map(count, |i| {
            let FoldTree { grown, tree } = &judges[i];
            let values = [tried[chosen], tried[by_others[i]]];
            let asked = Asked { values: &values, losses: &[loss], squares_of_numbers: false };
            let of = |Losses { sums, squares }| FoldLosses {
                loss: sums,
                square: squares,
                weight: grown.held_weight(),
                splits: grown.tree.splits(),
            };
            Ok(asked.of_tree(tree, grown, table)?.into_iter().map(of).collect::<Vec<_>>())
        })?;
        let rate = |place: usize| {
            let folds: Vec<&FoldLosses> = folds.iter().map(|both| &both[place]).collect();
            let (errors, se) = by.of(self.tree_cache, loss, &[fitted.tree.splits() as f64], &folds);
            (errors[0], se[0])
        };
        let (error, (judged, se)) = (rate(0).0, rate(1));
        let own = || {
            let method = format!("{count}-fold cross-validation");
            self.tree_cache.corrected(error, (judged, se), &method, "leaf-lambda")
        };
        // The choice of the tree was made by what was counted, and so was its correction; that of λ is added.
        let told = fitted.estimate.clone().map(|told| {
            let correction = told.bias_correction.map(|correction| correction + judged - error);
            let told_error = (error + correction.unwrap_or(0.0)).max(0.0);
            Estimate { error: told_error, se, bias_correction: correction, ..told }
        });
        Ok(Some(told.unwrap_or_else(own)))
    }
}

/// The place of the list of losses that is lowest where it first differs; of equal ones the first.
fn lowest(lists: &[Vec<f64>]) -> usize {
    (1..lists.len()).fold(0, |best, next| if is_lower(&lists[next], &lists[best]) { next } else { best })
}

/// Whether the first of two lists of losses is lower where they first differ.
pub(super) fn is_lower(a: &[f64], b: &[f64]) -> bool {
    let differ = |(a, b): &(&f64, &f64)| (*a - *b).abs() > TOLERANCE * b.abs();
    a.iter().zip(b).find(differ).is_some_and(|(a, b)| a < b)
}
