//! A pruning path with everything there is to say of its members.

use std::time::Instant;

use super::Fit;
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::prune::{Job, Path, Pruner, Spacing};
use crate::scheme::Scheme;
use crate::select::{Curve, FitOptions, Nursery, Selector};

/// One member of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The parameter.
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
    /// The members, from large to small.
    pub steps: Vec<Step>,
    /// The member that was taken.
    pub selected: Option<usize>,
}

/// All there is to say of a path's members.
pub fn report(
    pruner: &Pruner,
    job: &Job,
    path: &Path,
    curve: Option<&Curve>,
    selected: Option<usize>,
) -> PathReport {
    let tree = job.tree;
    let ones = vec![1.0; tree.nodes().len()];
    let leaves = path.sums(tree, &ones);
    // A leaf of a member stands for all the nodes from it up to the last fork; nodes are counted by branches.
    let branches: Vec<f64> =
        tree.nodes().iter().map(|n| n.condition.as_ref().map_or(0.0, |c| c.branches() as f64)).collect();
    let mut within = branches.clone();
    for id in (1..tree.nodes().len()).rev() {
        if let Some(parent) = tree.node(id).parent {
            within[parent as usize] += within[id];
        }
    }
    // Nodes of a member: all but those below its leaves.
    let below = path.sums(tree, &within);
    let errors = path.sums(tree, job.risk());
    let total = job.total();
    let splits = pruner.parameter().is_some_and(|p| p.spacing == Spacing::Splits);
    let steps = (0..path.parameters().len())
        .map(|i| Step {
            parameter: if splits { -path.parameters()[i] } else { path.parameters()[i] },
            leaves: leaves[i].round() as usize,
            nodes: tree.nodes().len() - below[i].round() as usize,
            training_error: (errors[i] / total).max(0.0),
            validated: curve.map(|c| (c.errors[i], c.se[i])).filter(|(e, _)| !e.is_nan()),
        })
        .collect();
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
    let nursery = Nursery::new(table, options)?;
    let regression = nursery.regression();
    pruner.check(regression)?;
    if pruner.parameter().is_none() {
        return Err(Error::parameter(format!("{} has no path: it gives one answer", method.info().id)));
    }
    let spec = scheme.grow_spec(regression)?;
    let selector = Selector::of(method, pruner, regression).ok();
    let (folds, se) = match (cv, selector) {
        (Some(folds), Some(Selector::CrossValidated { se, .. } | Selector::HeldOut { se, .. })) => {
            (folds, se)
        }
        (Some(folds), _) => (folds, 0.0),
        (None, Some(Selector::CrossValidated { folds, se })) => (folds, se),
        (None, _) => (0, 0.0),
    };
    if folds > 0 {
        let fit = Fit { nursery: &nursery, spec: &spec, regression, progress, start: Instant::now() };
        let fitted = fit.by_cross_validation(method, pruner, folds, se)?;
        return fitted.path.ok_or_else(|| Error::parameter("there is no path"));
    }
    if options.folds.is_some() {
        return Err(Error::parameter(format!(
            "{scheme} uses no folds; leave the given folds out, or add cv=10"
        )));
    }
    let full = nursery.full(&spec, progress)?;
    let job = Job::new(&full.tree, method);
    let path = pruner.path(&job)?;
    Ok(report(pruner, &job, &path, None, None))
}
