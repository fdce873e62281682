//! The error of everything a fit does, choosing included: outer folds around the whole fit.
//!
//! Without each outer fold in turn, the scheme grows, chooses and prunes as it would with all rows, and its tree is judged by the fold: no
//! row has any part in the tree that it judges. That takes as many fits as there are folds. The outer folds are those that
//! `evaluate` makes with the same seed, and given folds are outer and, without the one that is left out, inner ones.
//!
//! Source: S. Varma and R. Simon (2006), *Bias in error estimation when using cross-validation for model selection*, BMC
//! Bioinformatics 7.

use std::str::FromStr;

use super::validation::heard;
use super::{Estimate, FitOptions, Fitted, JudgedBy, fit_alone_by, fit_plan};
use crate::data::CodedTable;
use crate::error::{Error, Result, shown};
use crate::method::FOLDS;
use crate::progress::Progress;
use crate::route::Loss;
use crate::scheme::{Plan, Scheme};
use crate::select::tree_losses;
use crate::threads;
use crate::training::{Average, FoldLosses, Folds, TreeCache};
use crate::tree::Conformal;

/// How the error on new rows is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EstimateBy {
    /// By the rows that chose the tree, corrected for that; for schemes that choose by rows. It costs next to nothing.
    #[default]
    Corrected,
    /// By outer folds around the whole fit; for every scheme. It costs as many fits as there are folds.
    Nested,
    /// Not at all.
    Off,
}

impl FromStr for EstimateBy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "corrected" => Ok(Self::Corrected),
            "nested" => Ok(Self::Nested),
            "off" => Ok(Self::Off),
            other => Err(Error::parameter(format!(
                "{} is not a way to estimate the error; choose corrected, nested or off",
                shown(other)
            ))),
        }
    }
}

/// [`fit_alone`](super::fit_alone), with the error on new rows estimated in this way.
pub fn fit_judged(
    trees: &TreeCache,
    scheme: &Scheme,
    by: EstimateBy,
    progress: &dyn Progress,
) -> Result<Fitted> {
    let plan = scheme.plan(trees.task())?;
    let fitted = fit_alone_by(&plan, trees, scheme, progress)?;
    match by {
        EstimateBy::Corrected => Ok(fitted),
        EstimateBy::Off => Ok(Fitted { estimate: None, ..fitted }),
        EstimateBy::Nested => {
            let (estimate, judges) = nested(trees, &plan, progress)?;
            let by = format!("nested {}-fold cross-validation", judges.len());
            fitted
                .heard_by(&judges, trees.table(), by)
                .map(|fitted| Fitted { estimate: Some(estimate), ..fitted })
        }
    }
}

/// The error by outer folds, and their trees with the rows that each has not seen.
fn nested(trees: &TreeCache, plan: &Plan, progress: &dyn Progress) -> Result<(Estimate, Vec<JudgedBy>)> {
    let (table, options) = (trees.table(), trees.options());
    let used = (0..table.rows()).filter(|&row| weight(table, options, row) > 0.0).count();
    let outer = trees.folds(plan.folds().unwrap_or(FOLDS).min(used))?;
    progress.stage("nested cross-validation", outer.len() as u64);
    let parts = threads::try_map(outer.len(), |fold| {
        let inner = without(table, options, &outer, fold)?;
        let fitted = fit_plan(&TreeCache::new(table, &inner)?, plan, &Quiet(progress))?;
        // Weighted to the priors, if there are any, as where a choice is made.
        let held = trees.fold_weights(&outer, fold).1;
        let (loss, square) = tree_losses(&fitted.tree, &held, table, Loss::Risk)?;
        let (weight, splits) = (held.iter().sum(), fitted.tree.splits());
        progress.advance(1);
        let losses = FoldLosses { loss: vec![loss], square: vec![square], weight, splits };
        Ok((losses, JudgedBy { tree: fitted.tree, held }))
    })?;
    let (losses, judges): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (errors, se) = Average::Pooled.of(trees, Loss::Risk, &[0.0], &losses);
    let method = format!("nested {}-fold cross-validation", outer.len());
    Ok((trees.estimate((errors[0], se[0]), &method), judges))
}

fn weight(table: &CodedTable, options: &FitOptions, row: usize) -> f64 {
    options.weights.as_ref().map_or_else(|| table.weight(row), |weights| weights[row])
}

/// The options of a fit without the rows of a fold.
fn without(table: &CodedTable, options: &FitOptions, outer: &Folds, fold: usize) -> Result<FitOptions> {
    let (weights, held) = outer.weights(table, options.weights.as_deref(), fold);
    if weights.iter().all(|w| *w == 0.0) || held.iter().all(|w| *w == 0.0) {
        return Err(Error::parameter(format!("fold {} or the others together have no rows", fold + 1)));
    }
    let folds = options.folds.as_ref().map(|_| outer.without(fold)).transpose()?;
    Ok(FitOptions { weights: Some(weights), folds, ..options.clone() })
}

/// Passes a request to stop on; the steps of inner fits are not reported.
struct Quiet<'a>(&'a dyn Progress);

impl Progress for Quiet<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

impl Fitted {
    /// The same with what the rows say that some trees of this kind have not seen, and the scores of these rows.
    pub(super) fn heard_by(self, judges: &[JudgedBy], table: &CodedTable, by: String) -> Result<Self> {
        let Some((validation, scores)) = heard(judges, table, &by)? else { return Ok(self) };
        let tree = self.tree.with_conformal(Some(Conformal { by, scores }));
        Ok(Self { tree, validation: Some(validation), ..self })
    }

    /// The same with the scores of rows that the tree has seen nothing of: neither in growing nor in choosing
    /// ([`FitOptions::set_aside`]). Sets made with them cover as many new rows as they say, whatever the tree and the
    /// distribution of the rows.
    pub fn calibrated(self, table: &CodedTable, rows: &[f64]) -> Result<Self> {
        let judges = [JudgedBy { tree: self.tree.clone(), held: rows.to_vec() }];
        let Some((_, scores)) = heard(&judges, table, "")? else { return Ok(self) };
        let by = format!("{} rows set aside", scores.rows());
        Ok(Self { tree: self.tree.with_conformal(Some(Conformal { by, scores })), ..self })
    }
}
