//! Fitting: grow, choose a pruning, prune. What the program's `fit` and `path` do.

pub(crate) mod baseline;
mod builder;
mod choosing;
mod fold_trees;
mod leaves;
mod measured;
mod nested;
mod path;
mod saved;
mod validation;

pub use crate::training::{Estimate, FitOptions};
pub use baseline::Baseline;
pub use builder::{Fit, FitReport, fit_table};
pub(crate) use choosing::probes;
pub use fold_trees::{JudgedBy, judging_trees};
use leaves::{FoldTree, FoldTrees};
pub use leaves::{LAMBDAS, LambdaChoice};
pub use nested::{EstimateBy, fit_judged};
pub use path::{Step, TreePath, larger_than_root, path_in, path_of};
pub use validation::Validation;
pub(crate) use validation::held_confusion;

use std::time::Instant;

use crate::data::{CodedTable, Matrix, NumberCoding, Roles, Table};
use crate::error::{Error, Result};
use crate::method::FOLDS;
use crate::progress::Progress;
use crate::prune::k_norm::prior_counts;
use crate::prune::{self, HeldRows, Job, PruneKind, pre};
use crate::schema::Task;
use crate::scheme::{LeafPlan, Plan, Scheme};
use crate::select::{Pruning, Selector};
use crate::spec::{Discretise, ThresholdRule};
use crate::training::{Curve, Grown, TreeCache};
use crate::tree::{LeafValues, Size, Tree};

/// A fitted tree.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fitted {
    /// The tree.
    pub tree: Tree,
    /// The size of the tree before pruning.
    pub full: Size,
    /// How wrong it will be, where the selector measured that.
    pub estimate: Option<Estimate>,
    /// What the rows say that the trees of the folds (or of the part to grow from) have not seen, where the fit has such rows.
    pub validation: Option<Validation>,
    /// The path, where the pruner has one.
    pub path: Option<TreePath>,
    /// How the λ of shrunk leaf values was chosen, where rows chose it.
    pub lambda: Option<LambdaChoice>,
    /// Seconds for growing, and for choosing and pruning.
    pub seconds: (f64, f64),
    /// The trees that it was chosen by, each with the rows held out from it; none where it chose nothing on rows.
    judges: FoldTrees,
}

/// Codes a table for one fit with the table's own weights. A scheme that cuts numbers into bins and grows from all rows at once
/// gets them cut here, which takes less time than coding every value; the tree is the same. Priors and other weights move the
/// borders of bins: for those, code with [`CodedTable::new`].
pub fn coded(table: &Table, roles: &Roles, scheme: &Scheme) -> Result<CodedTable> {
    match number_coding(roles.cast(table)?.task, scheme) {
        NumberCoding::Bins(bins) => CodedTable::binned(table, roles, bins),
        NumberCoding::Ranks | NumberCoding::Floats => CodedTable::new(table, roles),
    }
}

/// [`coded`] of a table that is not needed any more: it is given up column by column, so that less memory is needed.
pub fn coded_in_place(table: Table, roles: &Roles, scheme: &Scheme) -> Result<CodedTable> {
    match number_coding(roles.cast(&table)?.task, scheme) {
        NumberCoding::Bins(bins) => CodedTable::binned(&table, roles, bins),
        NumberCoding::Floats => CodedTable::for_one_tree(table, roles),
        NumberCoding::Ranks => CodedTable::in_place_of(table, roles),
    }
}

/// [`coded_in_place`] of the columns of a matrix, for a table that has a target (and weights) alone: nothing but the codes is kept of
/// the matrix, and no copy of all of it is made on the way. Without a scheme it is coded for any fit.
///
/// ```
/// use secateur::data::{Column, Matrix, Numbers, Roles, Table, Values};
/// use secateur::fit::{FitOptions, coded_matrix, fit};
/// use secateur::progress::Silent;
///
/// let matrix = Matrix::by_rows(Numbers::Single(&[0.0, 7.0, 1.0, 7.0, 2.0, 7.0]), 2);
/// let target = Column { name: "price".into(), values: Values::Numeric(vec![10.0, 10.0, 20.0]) };
/// let (scheme, roles) = ("cart".parse()?, Roles { target: Some("price".into()), ..Roles::default() });
/// let names = ["size".into(), "seven".into()];
/// let table = coded_matrix(&matrix, &names, Table::new("houses", vec![target])?, &roles, Some(&scheme))?;
/// assert_eq!(fit(&table, &scheme, &FitOptions::default(), &Silent)?.tree.leaves(), 2);
/// # Ok::<(), secateur::Error>(())
/// ```
///
/// # Errors
/// When there is not a name of its own for every column, the table has another number of rows or further columns, or something is wrong
/// with numbers or target that would be wrong in a table.
pub fn coded_matrix(
    matrix: &Matrix,
    names: &[String],
    table: Table,
    roles: &Roles,
    scheme: Option<&Scheme>,
) -> Result<CodedTable> {
    let task = roles.cast(&table)?.task;
    let numbers = scheme.map_or(NumberCoding::Ranks, |scheme| number_coding(task, scheme));
    CodedTable::of_matrix(matrix, names, table, roles, numbers)
}

/// How the numbers of a table can be coded, once for the whole fit: to bins, or as they are, where one tree is grown from all rows.
fn number_coding(task: Task, scheme: &Scheme) -> NumberCoding {
    // What does not go with the target is said by the fit, after what is wrong with the table. Paths are shown even where options
    // contradict each other on the choice.
    let Ok(plan) = scheme.plan(task) else { return NumberCoding::Ranks };
    if plan.folds().is_some() || plan.holds_out() {
        return NumberCoding::Ranks;
    }
    let by_order = plan.spec.discretise == Discretise::Off && plan.spec.threshold == ThresholdRule::Midpoint;
    match plan.spec.bins {
        Some(bins) => NumberCoding::Bins(bins),
        None if by_order => NumberCoding::Floats,
        None => NumberCoding::Ranks,
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
    fit_alone(&TreeCache::new(table, options)?, scheme, progress)
}

/// [`fit`], with trees that are kept for what follows: the scheme is the only one, and options it has no use for are refused. Where the
/// scheme chooses by rows, these are asked once more, for the [validation](Fitted::validation) and for the tree's [scores](Tree::conformal).
pub fn fit_alone(tree_cache: &TreeCache, scheme: &Scheme, progress: &dyn Progress) -> Result<Fitted> {
    fit_alone_by(&scheme.plan(tree_cache.task())?, tree_cache, scheme, progress)
}

/// [`fit_alone`] by the plan of the scheme.
fn fit_alone_by(
    plan: &Plan,
    tree_cache: &TreeCache,
    scheme: &Scheme,
    progress: &dyn Progress,
) -> Result<Fitted> {
    let options = tree_cache.options();
    if options.folds.is_some() && plan.folds().is_none() {
        return Err(no_folds(scheme));
    }
    if options.held_out.is_some() && !plan.holds_out() {
        return Err(Error::parameter(format!(
            "{scheme} chooses nothing on held-out rows; leave those out, or add holdout=0.1"
        )));
    }
    heard_by_folds(fit_plan(tree_cache, plan, progress)?, tree_cache, plan)
}

/// A fit with what the rows say that chose it, and with their scores.
pub(crate) fn heard_by_folds(fitted: Fitted, tree_cache: &TreeCache, plan: &Plan) -> Result<Fitted> {
    let judges = judging_trees(&fitted)?;
    let by = match plan.holds_out() {
        true => "the rows held out".to_string(),
        false => format!("{}-fold cross-validation", judges.len()),
    };
    fitted.heard_by(&judges, tree_cache.table(), by)
}

fn no_folds(scheme: &Scheme) -> Error {
    Error::parameter(format!("{scheme} uses no folds; leave the given folds out, or add cv=10"))
}

/// Grows and prunes as the scheme says, with the trees that other schemes have grown already.
pub fn fit_in(tree_cache: &TreeCache, scheme: &Scheme, progress: &dyn Progress) -> Result<Fitted> {
    fit_plan(tree_cache, &scheme.plan(tree_cache.task())?, progress)
}

/// Grows and prunes as the plan says, with the trees that others have grown already.
pub(crate) fn fit_plan(tree_cache: &TreeCache, plan: &Plan, progress: &dyn Progress) -> Result<Fitted> {
    let fit = Fitting { tree_cache, plan, progress, start: Instant::now() };
    tree_cache.take_spared();
    let fitted = match &plan.pruning {
        None => {
            let full = tree_cache.full(&plan.spec, progress)?;
            fit.fitted(&full, Tree::clone(&full.tree))
        }
        Some(pruning) => {
            let fitted = fit.pruned(pruning)?;
            // What a tree says of its reliability follows the counts it was pruned with.
            let counts = prior_counts(&fitted.tree, &pruning.options);
            Fitted { tree: fitted.tree.with_prior_counts(counts)?, ..fitted }
        }
    };
    let fitted = if plan.chooses_on_path() { fitted } else { fit.with_leaf_values(fitted)? };
    Ok(Fitted { seconds: fit.seconds(fitted.seconds.0), ..fitted })
}

/// One fit at work.
struct Fitting<'a> {
    tree_cache: &'a TreeCache<'a>,
    plan: &'a Plan,
    progress: &'a dyn Progress,
    start: Instant,
}

impl Fitting<'_> {
    /// The fit without leaf values.
    fn pruned(&self, pruning: &Pruning) -> Result<Fitted> {
        let PruneKind::Own { fit, .. } = pruning.pruner.kind else { return self.pruned_by_shared(pruning) };
        let found = fit(&prune::Fitting {
            trees: self.tree_cache,
            spec: &self.plan.spec,
            options: &pruning.options,
            folds: pruning.folds().unwrap_or(FOLDS),
            se: pruning.se(),
            loss: pruning.loss,
            average: pruning.average,
            // A fold tree that is not asked for is not kept.
            keeps_folds: self.plan.leaves != LeafPlan::Fixed(LeafValues::Raw),
            progress: self.progress,
        })?;
        let folds = found.folds.into_iter().map(|(grown, tree)| FoldTree { grown, tree });
        Ok(Fitted {
            tree: found.tree,
            full: found.full,
            estimate: found.estimate,
            validation: None,
            path: None,
            lambda: None,
            seconds: (found.grow_seconds, 0.0),
            judges: FoldTrees(folds.collect()),
        })
    }

    /// The fit of a pruner that works on trees which all share.
    fn pruned_by_shared(&self, pruning: &Pruning) -> Result<Fitted> {
        let (tree_cache, spec, options) = (self.tree_cache, &self.plan.spec, &pruning.options);
        match (&pruning.pruner.kind, pruning.selector) {
            (PruneKind::Cut(prune), _) => {
                let full = tree_cache.full(spec, self.progress)?;
                let leaf = prune(&Job::with(&full.tree, options))?;
                Ok(self.fitted(&full, full.tree.cut(&leaf)))
            }
            (PruneKind::HeldOut(prune), Some(Selector::HeldOut { share, .. })) => {
                let full = tree_cache.without(share, spec, self.progress)?;
                let rows = HeldRows { table: tree_cache.table(), routed: full.routed(tree_cache.table())? };
                let leaf = prune(&Job::with(&full.tree, options), &rows)?;
                Ok(self.fitted(&full, full.tree.cut(&leaf)))
            }
            (_, Some(Selector::Fixed(parameter))) => self.at(pruning, parameter),
            (_, Some(Selector::HeldOut { share, se })) => self.by_held_out(pruning, share, se),
            (_, Some(Selector::CrossValidated { folds, se })) => self.by_cross_validation(pruning, folds, se),
            (_, None) => Err(Error::internal(format!("{}: nothing says which tree", options.info().id))),
        }
    }

    /// The member at a given parameter.
    fn at(&self, pruning: &Pruning, parameter: f64) -> Result<Fitted> {
        let full = self.tree_cache.full(&self.plan.spec, self.progress)?;
        let job = Job::with(&full.tree, &pruning.options);
        let tree = match pruning.pruner.raising(&pruning.options) {
            Some(raise) => raise(&job, self.tree_cache.table(), full.weights.as_deref(), parameter)?,
            None => full.tree.cut(&pruning.pruner.cut_at(&job, parameter)?),
        };
        Ok(self.fitted(&full, tree))
    }

    /// Seconds for growing, and for everything else. Trees that were there already count as if they had been grown for this
    /// plan.
    fn seconds(&self, grow: f64) -> (f64, f64) {
        let all = self.start.elapsed().as_secs_f64() + self.tree_cache.take_spared();
        (grow, (all - grow).max(0.0))
    }

    fn fitted(&self, full: &Grown, tree: Tree) -> Fitted {
        Fitted {
            tree,
            full: full.tree.size(),
            estimate: None,
            validation: None,
            path: None,
            lambda: None,
            seconds: (full.seconds, 0.0),
            judges: FoldTrees::default(),
        }
    }
}

/// The internal error of a best-first scheme (post or pre) after every number of splits, from 0.
pub fn splits_curve(tree_cache: &TreeCache, scheme: &Scheme, progress: &dyn Progress) -> Result<Curve> {
    let plan = scheme.plan(tree_cache.task())?;
    let (Some(pruning), Some(folds)) = (&plan.pruning, plan.folds()) else {
        return Err(Error::parameter(format!("{scheme} cross-validates nothing")));
    };
    pre::splits_curve(tree_cache, &plan.spec, folds, (pruning.loss, pruning.average), progress)
}

#[cfg(test)]
mod typed_tests;
