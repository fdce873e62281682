//! The trees that a fit was chosen by, each with the rows that it has not seen.

use std::time::Instant;

use super::leaves::FoldTree;
use super::{Fitted, Fitting};
use crate::error::Result;
use crate::progress::Progress;
use crate::scheme::{LeafPlan, Plan, Scheme};
use crate::training::TreeCache;
use crate::tree::Tree;

/// A tree with the rows it was judged by.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedBy {
    /// The tree, pruned at the parameter that was chosen.
    pub tree: Tree,
    /// The weights of the rows held out from it.
    pub held: Vec<f64>,
}

/// The trees of the folds (or the one tree of a held-out part) at the parameter that a fit by these trees has chosen; none where it chose nothing
/// on rows, or grew its folds in a way of its own. No tree is grown that is not there already.
pub fn judging_trees(
    trees: &TreeCache,
    scheme: &Scheme,
    fitted: &Fitted,
    progress: &dyn Progress,
) -> Result<Vec<JudgedBy>> {
    trees_of(trees, &scheme.plan(trees.task())?, fitted, progress)
}

/// The same by the plan of the scheme.
pub(super) fn trees_of(
    trees: &TreeCache,
    plan: &Plan,
    fitted: &Fitted,
    progress: &dyn Progress,
) -> Result<Vec<JudgedBy>> {
    let by_folds = matches!(plan.leaves, LeafPlan::ByFolds(_));
    if fitted.chosen_at.is_none() && !by_folds {
        return Ok(Vec::new());
    }
    let fit = Fitting { tree_cache: trees, plan, progress, start: Instant::now() };
    let judged = |judge: FoldTree| {
        let tree = judge.tree.with_leaf_values(fitted.tree.leaf_values())?;
        Ok(JudgedBy { tree, held: judge.grown.held.clone() })
    };
    fit.judges(fitted)?.into_iter().map(judged).collect()
}
