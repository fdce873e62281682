//! A pruning path with everything there is to say of its members.

use std::time::Instant;

use super::Fit;
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::method::Method;
use crate::progress::Progress;
use crate::prune::{Job, Pruner};
use crate::scheme::Scheme;
use crate::select::{Extent, FitOptions, Members, Selector, TreeCache};
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
    let Some(method) = &scheme.pruner else {
        return Err(Error::parameter("a path needs a pruner; write LEARNER/PRUNER"));
    };
    let pruner = Pruner::of(method)?;
    let tree_cache = TreeCache::new(table, options)?;
    let task = tree_cache.task();
    pruner.check(task)?;
    if pruner.parameter().is_none() {
        return Err(Error::parameter(format!("{} has no path: it gives one answer", method.info().id)));
    }
    let spec = scheme.grow_spec(task)?;
    let selector = Selector::of(method, pruner, task).ok();
    let (folds, se) = match (cv, selector) {
        (Some(folds), Some(Selector::CrossValidated { se, .. } | Selector::HeldOut { se, .. })) => {
            (folds, se)
        }
        (Some(folds), _) => (folds, 0.0),
        (None, Some(Selector::CrossValidated { folds, se })) => (folds, se),
        (None, _) => (0, 0.0),
    };
    let fit = Fit { tree_cache: &tree_cache, spec: &spec, task, progress, start: Instant::now() };
    let no_path = || Error::parameter("there is no path");
    if folds > 0 {
        return fit.by_cross_validation(method, pruner, folds, se)?.path.ok_or_else(no_path);
    }
    if options.folds.is_some() {
        return Err(Error::parameter(format!(
            "{scheme} uses no folds; leave the given folds out, or add cv=10"
        )));
    }
    if let (None, Some(Selector::HeldOut { share, se })) = (cv, selector) {
        return fit.by_held_out(method, pruner, share, se)?.path.ok_or_else(no_path);
    }
    let full = tree_cache.full(&spec, progress)?;
    let job = Job::new(&full.tree, method);
    let members = Members::of(pruner, &job, &full, table, None)?;
    Ok(report(pruner, &job, &members, None, None))
}

/// The path of a pruner on a tree without its rows. Members that need the rows, those with raised subtrees, are refused.
pub fn path_of_tree(tree: &Tree, method: &Method) -> Result<PathReport> {
    let pruner = Pruner::of(method)?;
    let task = tree.task();
    method.check(task)?;
    pruner.check(task)?;
    let job = Job::new(tree, method);
    if pruner.raising(&job).is_some() {
        return Err(Error::parameter(
            "raising subtrees needs the data; use `path` on them, or leave out raising",
        ));
    }
    Ok(report(pruner, &job, &Members::Cuts(pruner.path(&job)?), None, None))
}
