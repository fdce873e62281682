//! A pruning path with everything there is to say of its members.

use std::time::Instant;

use super::{Fit, no_folds};
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::method::Method;
use crate::progress::Progress;
use crate::prune::{Job, Pruner};
use crate::scheme::Scheme;
use crate::select::{Extent, Members, Pruning, Selector};
use crate::training::{FitOptions, TreeCache};
use crate::tree::Tree;

/// One member of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The parameter: what the scheme's option takes, and [`Pruner::cut_at`] and [`Path::cut`](crate::prune::Path::cut) too.
    pub parameter: f64,
    /// The leaves of the member.
    pub leaves: usize,
    /// All its nodes.
    pub nodes: usize,
    /// Its training error.
    pub training_error: f64,
    /// Its error by the selector, and the standard error.
    pub validated: Option<(f64, f64)>,
}

/// A path with everything there is to say of its members.
#[derive(Debug, Clone, PartialEq)]
pub struct PathReport {
    /// The parameter's name.
    pub parameter: &'static str,
    /// The members, from large to small; where they are not nested, sizes need not fall all the way.
    pub steps: Vec<Step>,
    /// The member that was taken.
    pub selected: Option<usize>,
}

/// All there is to say of a path's members; `validated` has error and standard error of each.
pub(super) fn report(
    pruner: &Pruner,
    job: &Job,
    members: &Members,
    validated: Option<(&[f64], &[f64])>,
    selected: Option<usize>,
) -> PathReport {
    let parameters = members.parameters();
    let extents = members.extents(job, parameters);
    let of = |list: &[f64], i: usize| list.get(i).copied().filter(|x| !x.is_nan());
    let step = |(i, extent): (usize, &Extent)| Step {
        parameter: parameters[i],
        leaves: extent.leaves,
        nodes: extent.nodes,
        training_error: (extent.risk / job.total()).max(0.0),
        validated: validated.and_then(|(errors, se)| of(errors, i).zip(of(se, i))),
    };
    let steps = extents.iter().enumerate().map(step).collect();
    PathReport { parameter: pruner.parameter().map_or("", |p| p.name), steps, selected }
}

/// The path of a scheme's pruner on the tree grown from a table; validated by `cv` folds (`Some(0)`: not at all), or as the
/// scheme says.
pub fn path_of(
    table: &CodedTable,
    scheme: &Scheme,
    cv: Option<usize>,
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<PathReport> {
    if scheme.pruner.is_none() {
        return Err(Error::parameter("a path needs a pruner; write LEARNER/PRUNER"));
    }
    let tree_cache = TreeCache::new(table, options)?;
    let plan = scheme.plan_of_path(table.task())?;
    let no_path = || Error::parameter("there is no path");
    let pruning = plan.pruning.as_ref().ok_or_else(no_path)?;
    pruning.pruner.check_path()?;
    let (folds, se) = match (cv, pruning.selector) {
        (Some(folds), Some(Selector::CrossValidated { se, .. } | Selector::HeldOut { se, .. })) => {
            (folds, se)
        }
        (Some(folds), _) => (folds, 0.0),
        (None, Some(Selector::CrossValidated { folds, se })) => (folds, se),
        (None, _) => (0, 0.0),
    };
    let fit = Fit { tree_cache: &tree_cache, plan: &plan, progress, start: Instant::now() };
    if folds > 0 {
        pruning.check_rule(se)?;
        return fit.by_cross_validation(pruning, folds, se)?.path.ok_or_else(no_path);
    }
    if options.folds.is_some() {
        return Err(no_folds(scheme));
    }
    if let (None, Some(Selector::HeldOut { share, se })) = (cv, pruning.selector) {
        return fit.by_held_out(pruning, share, se)?.path.ok_or_else(no_path);
    }
    let full = tree_cache.full(&plan.spec, progress)?;
    let job = Job::with(&full.tree, &pruning.options);
    let members = Members::of(pruning.pruner, &job, &full, table, None)?;
    Ok(report(pruning.pruner, &job, &members, None, None))
}

/// The path of a pruner on a tree without its rows. Members that need the rows, those with raised subtrees, are refused.
pub fn path_of_tree(tree: &Tree, method: &Method) -> Result<PathReport> {
    let Pruning { pruner, options, .. } = &Pruning::of_path(method, tree.task())?;
    let job = Job::with(tree, options);
    if pruner.raising(&job).is_some() {
        return Err(Error::parameter(
            "raising subtrees needs the data; use `path` on them, or leave out raising",
        ));
    }
    Ok(report(pruner, &job, &Members::Cuts(pruner.path(&job)?), None, None))
}
