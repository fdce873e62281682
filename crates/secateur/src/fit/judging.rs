//! The trees that a fit was chosen by, each with the rows that it has not seen.

use super::Fitted;
use crate::error::Result;
use crate::progress::Progress;
use crate::prune::Job;
use crate::scheme::Scheme;
use crate::select::{Members, Selector};
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

/// The trees of the folds (or the one tree of a held-out part) at the parameter that a fit has chosen; none where it chose nothing
/// on rows, or grew its folds in a way of its own. No tree is grown that is not there already.
pub fn judging_trees(
    trees: &TreeCache,
    scheme: &Scheme,
    fitted: &Fitted,
    progress: &dyn Progress,
) -> Result<Vec<JudgedBy>> {
    let plan = scheme.plan(trees.task())?;
    let (Some(pruning), Some(parameter)) = (&plan.pruning, fitted.chosen_at) else { return Ok(Vec::new()) };
    match pruning.selector {
        Some(Selector::CrossValidated { folds, .. }) => {
            let grown = trees.fold_trees(&plan.spec, folds, progress)?;
            let of = |grown: &std::sync::Arc<crate::training::Grown>| {
                let job = Job::with(&grown.tree, &pruning.options);
                let members = Members::of(pruning.pruner, &job, grown, trees.table(), Some(&[parameter]))?;
                Ok(JudgedBy { tree: members.tree(&grown.tree, parameter), held: grown.held.clone() })
            };
            grown.iter().map(of).collect()
        }
        Some(Selector::HeldOut { share, .. }) => {
            let grown = trees.without(share, &plan.spec, progress)?;
            Ok(vec![JudgedBy { tree: fitted.tree.clone(), held: grown.held.clone() }])
        }
        _ => Ok(Vec::new()),
    }
}
