//! Fitting: grow, choose a pruning, prune. What the program's `fit` and `path` do.

mod choosing;
mod path;
mod saved;
mod tuning;

pub use crate::select::FitOptions;
pub use path::{PathReport, Step, path_of, path_of_tree};
pub use saved::prune_without_rows;

use std::sync::Arc;
use std::time::Instant;

use crate::data::{CodedTable, Roles, Table};
use crate::error::{Error, Result};
use crate::grow::grow_weighted;
use crate::method::{Method, Value};
use crate::progress::Progress;
use crate::prune::k_norm::prior_counts;
use crate::prune::{HeldRows, Job, PruneKind, Pruner, Spacing};
use crate::route::Loss;
use crate::schema::Task;
use crate::scheme::Scheme;
use crate::select::{
    Average, Curve, Grown, Question, Selector, TreeCache, cross_validate, stop_early, stopping_point,
};
use crate::spec::GrowSpec;
use crate::tree::{Size, Tree};

/// An honest estimate of the error on new rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The error rate, mean cost, or mean squared error.
    pub error: f64,
    /// Its standard error.
    pub se: f64,
    /// Where it comes from.
    pub method: String,
}

/// A fitted tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The tree.
    pub tree: Tree,
    /// The size of the tree before pruning.
    pub full: Size,
    /// How wrong it will be, where the selector measured that.
    pub estimate: Option<Estimate>,
    /// The path, where the pruner has one.
    pub path: Option<PathReport>,
    /// Seconds for growing, and for choosing and pruning.
    pub seconds: (f64, f64),
}

/// Codes a table for one fit with the table's own weights. A scheme that cuts numbers into bins and grows from all rows at once
/// gets them cut here, which takes less time than coding every value; the tree is the same. Priors and other weights move the
/// borders of bins: for those, code with [`CodedTable::new`].
pub fn coded(table: &Table, roles: &Roles, scheme: &Scheme) -> Result<CodedTable> {
    let task = roles.cast(table)?.task;
    // The fit says what does not go with the target.
    let bins = scheme.grow_spec(task).ok().and_then(|spec| spec.bins);
    match bins {
        Some(bins) if scheme.folds(task)?.is_none() && !scheme.holds_out(task)? => {
            CodedTable::binned(table, roles, bins)
        }
        _ => CodedTable::new(table, roles),
    }
}

/// Grows a tree and prunes it as the scheme says.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::fit::{FitOptions, fit};
/// use secateur::progress::Silent;
///
/// let table = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
/// let fitted = fit(&table, &"cart/cost-complexity:cv=10,1se".parse()?, &FitOptions::default(), &Silent)?;
/// assert!(fitted.tree.leaves() < 9);
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn fit(
    table: &CodedTable,
    scheme: &Scheme,
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<Fitted> {
    let tree_cache = TreeCache::new(table, options)?;
    if options.folds.is_some() && scheme.folds(tree_cache.task())?.is_none() {
        return Err(Error::parameter(format!(
            "{scheme} uses no folds; leave the given folds out, or add cv=10"
        )));
    }
    if options.held_out.is_some() && !scheme.holds_out(tree_cache.task())? {
        return Err(Error::parameter(format!(
            "{scheme} chooses nothing on held-out rows; leave those out, or add holdout=0.1"
        )));
    }
    fit_in(&tree_cache, scheme, progress)
}

/// Grows and prunes as the scheme says, with the trees that other schemes have grown already.
pub fn fit_in(tree_cache: &TreeCache, scheme: &Scheme, progress: &dyn Progress) -> Result<Fitted> {
    let task = tree_cache.task();
    let spec = scheme.grow_spec(task)?;
    let fit = Fit { tree_cache, spec: &spec, task, progress, start: Instant::now() };
    tree_cache.take_spared();
    let Some(method) = &scheme.pruner else {
        let full = tree_cache.full(&spec, progress)?;
        return Ok(fit.fitted(&full, full.tree.clone(), None, None));
    };
    let pruner = Pruner::of(method)?;
    pruner.check(task)?;
    let fitted = match &pruner.kind {
        PruneKind::Nested { .. } | PruneKind::Order(_) | PruneKind::Family { .. } => {
            match Selector::of(method, pruner, task)? {
                Selector::Fixed(parameter) => fit.at(method, pruner, parameter),
                Selector::HeldOut { share, se } => fit.by_held_out(method, pruner, share, se),
                Selector::CrossValidated { folds, se } => fit.by_cross_validation(method, pruner, folds, se),
            }
        }
        PruneKind::Cut(prune) => {
            let full = tree_cache.full(&spec, progress)?;
            let leaf = prune(&Job::new(&full.tree, method))?;
            Ok(fit.fitted(&full, full.tree.cut(&leaf), None, None))
        }
        PruneKind::HeldOut(prune) => {
            let full = tree_cache.without(held_out_share(method, task), &spec, progress)?;
            let rows = HeldRows { table: tree_cache.table(), routed: full.routed(tree_cache.table())? };
            let leaf = prune(&Job::new(&full.tree, method), &rows)?;
            Ok(fit.fitted(&full, full.tree.cut(&leaf), None, None))
        }
        PruneKind::Pre => fit.pre(method),
        PruneKind::Tuned => fit.tuned(method),
    }?;
    // What a tree says of its reliability follows the counts it was pruned with.
    let counts = prior_counts(&fitted.tree, method);
    Ok(Fitted { tree: fitted.tree.with_prior_counts(counts)?, ..fitted })
}

impl Scheme {
    /// The number of folds that fitting cross-validates with, if it does.
    pub fn folds(&self, task: Task) -> Result<Option<usize>> {
        let Some(method) = &self.pruner else { return Ok(None) };
        let pruner = Pruner::of(method)?;
        Ok(match pruner.kind {
            PruneKind::Nested { .. } | PruneKind::Order(_) | PruneKind::Family { .. } => {
                match Selector::of(method, pruner, task)? {
                    Selector::CrossValidated { folds, .. } => Some(folds),
                    _ => None,
                }
            }
            PruneKind::Pre | PruneKind::Tuned => Some(cv(method, task)),
            PruneKind::Cut(_) | PruneKind::HeldOut(_) => None,
        })
    }

    /// Whether fitting chooses on held-out rows.
    pub fn holds_out(&self, task: Task) -> Result<bool> {
        let Some(method) = &self.pruner else { return Ok(false) };
        let pruner = Pruner::of(method)?;
        Ok(match pruner.kind {
            PruneKind::Nested { .. } | PruneKind::Order(_) | PruneKind::Family { .. } => {
                matches!(Selector::of(method, pruner, task)?, Selector::HeldOut { .. })
            }
            PruneKind::HeldOut(_) => true,
            PruneKind::Cut(_) | PruneKind::Pre | PruneKind::Tuned => false,
        })
    }
}

struct Fit<'a> {
    tree_cache: &'a TreeCache<'a>,
    spec: &'a GrowSpec,
    task: Task,
    progress: &'a dyn Progress,
    start: Instant,
}

impl Fit<'_> {
    /// The member at a given parameter.
    fn at(&self, method: &Method, pruner: &Pruner, parameter: f64) -> Result<Fitted> {
        let full = self.tree_cache.full(self.spec, self.progress)?;
        let job = Job::new(&full.tree, method);
        let tree = match pruner.raising(&job) {
            Some(raise) => raise(&job, self.tree_cache.table(), full.weights.as_deref(), parameter)?,
            None => full.tree.cut(&pruner.cut_at(&job, parameter)?),
        };
        Ok(self.fitted(&full, tree, None, None))
    }

    /// Where an estimate comes from, up to an open bracket that is closed here.
    fn in_words(&self, method: String) -> String {
        let priors = self.tree_cache.options().priors.is_some();
        method + if priors { "; classes weighted to the priors)" } else { ")" }
    }

    fn fitted(
        &self,
        full: &Arc<Grown>,
        tree: Tree,
        estimate: Option<Estimate>,
        path: Option<PathReport>,
    ) -> Fitted {
        // Trees that were there already count as if they had been grown for this scheme.
        let all = self.start.elapsed().as_secs_f64() + self.tree_cache.take_spared();
        let prune = (all - full.seconds).max(0.0);
        Fitted { tree, full: full.tree.size(), estimate, path, seconds: (full.seconds, prune) }
    }

    /// Best-first pre-pruning.
    fn pre(&self, method: &Method) -> Result<Fitted> {
        let (tree_cache, options) = (self.tree_cache, self.tree_cache.options());
        let folds = cv(method, self.task);
        let one_se = method.value("1se", self.task) == Some(Value::Flag(true));
        let loss = loss_of(method, self.task);
        let average = average_of(method, self.task, Spacing::Splits);
        let shared = tree_cache.expects(self.spec, folds);
        let stopped = if shared {
            // The folds are grown to the end anyway: the curve stops where growing would have.
            let curve = curve_by_splits(tree_cache, self.spec, method, folds, self.progress)?;
            stopping_point(&curve, one_se, options.tolerance())?
        } else {
            stop_early(tree_cache, self.spec, folds, (loss, average, one_se), self.progress)?
        };
        let chosen = self.start.elapsed().as_secs_f64() + tree_cache.take_spared();
        let limit = self.spec.max_splits.map_or(stopped.splits, |most| most.min(stopped.splits));
        let begun = Instant::now();
        let tree = if shared {
            let full = tree_cache.full(self.spec, self.progress)?;
            let splits = |rank: u32| (rank as usize) < limit;
            let leaf: Vec<bool> =
                full.tree.nodes().iter().map(|n| n.condition.is_none() || !splits(n.rank)).collect();
            full.tree.cut(&leaf).grown_this_far()
        } else {
            let spec = GrowSpec { max_splits: Some(limit), ..self.spec.clone() };
            grow_weighted(tree_cache.table(), tree_cache.learning_weights().as_deref(), &spec, self.progress)?
                .with_costs(tree_cache.costs().cloned())?
        };
        let grow = begun.elapsed().as_secs_f64() + tree_cache.take_spared();
        let estimate = Estimate {
            error: stopped.curve.errors()[stopped.splits],
            se: stopped.curve.se()[stopped.splits],
            method: self.in_words(format!(
                "{}-fold cross-validation (also used to stop",
                tree_cache.folds(folds)?.len()
            )),
        };
        Ok(Fitted { full: tree.size(), tree, estimate: Some(estimate), path: None, seconds: (grow, chosen) })
    }
}

/// The internal error of a best-first scheme (post or pre) after every number of splits, from 0.
pub fn splits_curve(tree_cache: &TreeCache, scheme: &Scheme, progress: &dyn Progress) -> Result<Curve> {
    let task = tree_cache.task();
    let (Some(method), Some(folds)) = (&scheme.pruner, scheme.folds(task)?) else {
        return Err(Error::parameter(format!("{scheme} cross-validates nothing")));
    };
    curve_by_splits(tree_cache, &scheme.grow_spec(task)?, method, folds, progress)
}

fn curve_by_splits(
    tree_cache: &TreeCache,
    spec: &GrowSpec,
    method: &Method,
    folds: usize,
    progress: &dyn Progress,
) -> Result<Curve> {
    let task = tree_cache.task();
    let question = Question {
        tree_cache,
        spec,
        pruner: &crate::prune::order::POST,
        method,
        folds,
        loss: loss_of(method, task),
        average: average_of(method, task, Spacing::Splits),
    };
    let mut validated = cross_validate(&question, None, progress)?;
    validated.errors.reverse();
    validated.se.reverse();
    // More splits are more leaves, and how many does not matter here.
    let leaves = (1..=validated.errors.len()).collect();
    Curve::new(validated.errors, validated.se, leaves)
}

fn cv(method: &Method, task: Task) -> usize {
    match method.value("cv", task) {
        Some(Value::Integer(folds)) => folds as usize,
        _ => 10,
    }
}

fn held_out_share(method: &Method, task: Task) -> f64 {
    match method.value("holdout", task) {
        Some(Value::Number(share)) => share,
        _ => 0.1,
    }
}

fn loss_of(method: &Method, task: Task) -> Loss {
    let rmse = method.value("error", task).is_some_and(|v| v == Value::Word("rmse"));
    if rmse { Loss::Probabilities } else { Loss::Risk }
}

fn average_of(method: &Method, task: Task, spacing: Spacing) -> Average {
    match method.value("fold-average", task) {
        Some(Value::Word("active")) => Average::ActiveFolds,
        Some(_) => Average::Folds,
        None if spacing == Spacing::Splits => Average::Folds,
        None => Average::Pooled,
    }
}
