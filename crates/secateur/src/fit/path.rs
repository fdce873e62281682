//! A pruning path that owns its tree, with everything there is to say of its members.

use std::sync::Arc;
use std::time::Instant;

use super::measured::Measured;
use super::{Fitting, fit_plan, no_folds};
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::prune::k_norm::prior_counts;
use crate::prune::{Job, PruneKind, ToPruner};
use crate::scheme::{LeafPlan, Scheme};
use crate::select::{Extent, Members, Pruning, Selector};
use crate::training::{FitOptions, TreeCache};
use crate::tree::{KNorm, LeafValues, Tree};

/// One member of a path.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The parameter: what the scheme's option takes, and [`Pruner::cut_at`](crate::prune::Pruner::cut_at) and [`Path::cut`](crate::prune::Path::cut) too.
    pub parameter: f64,
    /// The leaves of the member.
    pub leaves: usize,
    /// All its nodes.
    pub nodes: usize,
    /// Its training error.
    pub training_error: f64,
    /// Its error on held-out rows (error rate, mean cost or mean squared error), and the standard error.
    pub validated: Option<(f64, f64)>,
    /// Another loss that the member was chosen by, and its standard error.
    pub counted: Option<(f64, f64)>,
    /// The log loss of held-out rows; for classes.
    pub log_loss: Option<f64>,
    /// The Brier score of held-out rows; for classes.
    pub brier: Option<f64>,
}

/// A pruning path: a tree that was grown, and everything it can be cut to.
///
/// ```
/// use secateur::Fit;
/// let table = secateur::data::builtin::load("iris")?;
/// let path = Fit::new(&table, "class").scheme("cart/cost-complexity:cv=10").path()?;
/// for member in path.iter() {
///     println!("{} = {:.4}: {} leaves", path.parameter, member.parameter, member.leaves);
/// }
/// let smallest = path.tree(path.len() - 1)?;
/// assert_eq!(smallest.leaves(), 1);
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TreePath {
    /// The parameter's name.
    pub parameter: &'static str,
    /// The members, from large to small; where they are not nested, sizes need not fall all the way.
    pub steps: Vec<Step>,
    /// The member that was taken, where a choice was made.
    pub selected: Option<usize>,
    full: Arc<Tree>,
    members: Members,
    /// What the members' reliability follows.
    prior_counts: Option<KNorm>,
    /// What the members' leaves say.
    leaf_values: LeafValues,
}

impl TreePath {
    /// The path of a tree; `validated` has error and standard error of each member.
    pub(super) fn new(
        pruning: &Pruning,
        job: &Job,
        full: &Arc<Tree>,
        members: Members,
        measured: Option<&Measured>,
        selected: Option<usize>,
    ) -> Self {
        let parameters = members.parameters();
        let extents = members.extents(job, parameters);
        let of = |list: &[f64], i: usize| list.get(i).copied().filter(|x| !x.is_nan());
        let pair = |(a, b): (&[f64], &[f64]), i: usize| of(a, i).zip(of(b, i));
        let scores = |i: usize| measured?.scores.as_ref().and_then(|(a, b)| pair((a, b), i));
        let step = |(i, extent): (usize, &Extent)| Step {
            parameter: parameters[i],
            leaves: extent.leaves,
            nodes: extent.nodes,
            training_error: (extent.risk / job.total()).max(0.0),
            validated: measured.and_then(|measured| pair((&measured.errors, &measured.se), i)),
            counted: measured
                .and_then(|measured| pair(measured.counted.as_ref().map(|(a, b)| (&a[..], &b[..]))?, i)),
            log_loss: scores(i).map(|scores| scores.0),
            brier: scores(i).map(|scores| scores.1),
        };
        let steps = extents.iter().enumerate().map(step).collect();
        let parameter = pruning.pruner.parameter().map_or("", |p| p.name);
        let prior_counts = prior_counts(full, &pruning.options);
        let leaf_values = full.leaf_values();
        Self { parameter, steps, selected, full: full.clone(), members, prior_counts, leaf_values }
    }

    /// The same with other leaf values in the trees of its members; what was counted of them stays.
    pub(super) fn with_leaf_values(self, leaf_values: LeafValues) -> Self {
        Self { leaf_values, ..self }
    }

    /// The members, from large to small.
    pub fn iter(&self) -> std::slice::Iter<'_, Step> {
        self.steps.iter()
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no members, which never happens.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The tree that was grown.
    pub fn full(&self) -> &Tree {
        &self.full
    }

    /// The tree of a member, by its place from 0.
    ///
    /// # Errors
    /// When there is no such member.
    pub fn tree(&self, member: usize) -> Result<Tree> {
        let Some(step) = self.steps.get(member) else {
            let count = self.steps.len();
            return Err(Error::parameter(format!(
                "a path of {count} members has no member {member}, counted from 0"
            )));
        };
        let tree = self.members.tree(&self.full, step.parameter);
        tree.with_prior_counts(self.prior_counts)?.with_leaf_values(self.leaf_values)
    }
}

impl<'a> IntoIterator for &'a TreePath {
    type Item = &'a Step;
    type IntoIter = std::slice::Iter<'a, Step>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The path of a scheme's pruner on the tree grown from a table; validated by `cv` folds (`Some(0)`: not at all), or as the
/// scheme says.
pub fn path_of(
    table: &CodedTable,
    scheme: &Scheme,
    cv: Option<usize>,
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<TreePath> {
    path_in(&TreeCache::new(table, options)?, scheme, cv, progress)
}

/// [`path_of`], with trees that are there already.
pub fn path_in(
    tree_cache: &TreeCache,
    scheme: &Scheme,
    cv: Option<usize>,
    progress: &dyn Progress,
) -> Result<TreePath> {
    if scheme.pruner.is_none() {
        return Err(Error::parameter("a path needs a pruner; write LEARNER/PRUNER"));
    }
    let (table, options) = (tree_cache.table(), tree_cache.options());
    let mut plan = scheme.plan_of_path(table.task())?;
    let no_path = || Error::internal("there is no path");
    let pruning = plan.pruning.as_mut().ok_or_else(no_path)?;
    pruning.pruner.check_path()?;
    let (folds, se) = match (cv, pruning.selector) {
        (Some(folds), Some(Selector::CrossValidated { se, .. } | Selector::HeldOut { se, .. })) => {
            (folds, se)
        }
        (Some(folds), _) => (folds, 0.0),
        (None, Some(Selector::CrossValidated { folds, se })) => (folds, se),
        (None, _) => (0, 0.0),
    };
    if folds > 0 {
        pruning.check_rule(se)?;
        pruning.selector = Some(Selector::CrossValidated { folds, se });
    }
    let fit = Fitting { tree_cache, plan: &plan, progress, start: Instant::now() };
    let pruning = plan.pruning.as_ref().ok_or_else(no_path)?;
    if folds > 0 {
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
    let values = match plan.leaves {
        LeafPlan::Fixed(values) => values,
        // The pruner has no rows to choose by here.
        LeafPlan::ByPruning => LeafValues::Shrink(LeafValues::USUAL_LAMBDA),
        LeafPlan::ByFolds(_) => fit_plan(tree_cache, &plan, progress)?.tree.leaf_values(),
    };
    Ok(TreePath::new(pruning, &job, &full.tree, members, None, None).with_leaf_values(values))
}

/// The path that says what larger trees than a bare root would give, where a scheme has no path of its own: cost-complexity over the trees
/// that the scheme grows, with its folds. `None` where that would take trees that are not there.
pub fn larger_than_root(
    tree_cache: &TreeCache,
    scheme: &Scheme,
    progress: &dyn Progress,
) -> Result<Option<TreePath>> {
    let plan = scheme.plan(tree_cache.task())?;
    let kind = plan.pruning.as_ref().map(|pruning| &pruning.pruner.kind);
    if plan.holds_out() || matches!(kind, Some(PruneKind::Own { .. })) {
        return Ok(None);
    }
    // Members are compared by what was counted.
    let counted = scheme.clone().with_leaf_values("raw")?.pruned_by("cost-complexity:alpha=0")?;
    path_in(tree_cache, &counted, Some(plan.folds().unwrap_or(0)), progress).map(Some)
}

impl Tree {
    /// The path of a pruner on this tree, without its rows: typed options of the pruner, or text such as `k-norm:lambda=1`.
    ///
    /// # Errors
    /// When the pruner has no path, or its members need the rows: those with raised subtrees do.
    pub fn path(&self, pruner: &(impl ToPruner + ?Sized)) -> Result<TreePath> {
        let method = pruner.to_pruner()?;
        let pruning = &Pruning::of_path(&method, self.task())?;
        self.need_counts(&method)?;
        // Pruning goes by what was counted, whatever the leaves make of it.
        let counted = Arc::new(self.clone().with_leaf_values(LeafValues::Raw)?);
        let job = Job::with(&counted, &pruning.options);
        if pruning.raises() {
            return Err(Error::parameter(
                "raising subtrees needs the data; ask for the path of a scheme on them, or leave out raising",
            ));
        }
        let members = Members::Cuts(pruning.pruner.path(&job)?);
        let path = TreePath::new(pruning, &job, &counted, members, None, None);
        Ok(path.with_leaf_values(self.leaf_values()))
    }
}
