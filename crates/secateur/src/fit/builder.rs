//! The short way from a table to a model: what is not said has its default.

use std::borrow::Cow;

use super::{EstimateBy, Fitted, LambdaChoice, TreePath, Validation, coded, fit_judged, path_of};
use crate::data::{CodedTable, CodedTarget, Roles, Table};
use crate::error::{Error, Result};
use crate::progress::{Progress, Silent};
use crate::prune::ToPruner;
use crate::schema::{CostEntry, Costs, Priors, Task};
use crate::scheme::Scheme;
use crate::threads;
use crate::training::{Estimate, FitOptions, Folds, TreeCache};
use crate::tree::{Model, ModelInfo};

/// Grows a tree for a target by the default scheme and prunes it: [`Fit`] with nothing else said.
///
/// ```
/// let table = secateur::data::builtin::load("iris")?;
/// let model = secateur::fit(&table, "class")?;
/// assert_eq!(model.scheme, "cart:value-guard,leaf-values=shrink/cost-complexity:cv=10,of=gini");
/// assert_eq!(model.tree.leaves(), 4);
/// println!("{model}");
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn fit_table(table: &Table, target: &str) -> Result<Model> {
    Fit::new(table, target).model()
}

/// A fit that is being described; [`model`](Self::model), [`report`](Self::report) or [`path`](Self::path) then does it.
///
/// Names of columns, classes and methods are looked at when the work begins: a wrong one is an error there.
///
/// ```
/// use secateur::Fit;
/// let table = secateur::data::builtin::load("credit?n=500")?;
/// let report = Fit::new(&table, "class")
///     .scheme("cart/k-norm:cv=10")
///     .cost("bad", "good", 5.0)
///     .prior("good", 0.9)
///     .seed(7)
///     .report()?;
/// println!("{}", report.model);
/// let estimate = report.estimate.expect("k-norm with cv estimates the cost");
/// println!("mean cost on new rows: {:.2} ± {:.2}", estimate.error, estimate.se);
/// # Ok::<(), secateur::Error>(())
/// ```
#[must_use = "nothing is fitted before `model`, `report` or `path`"]
pub struct Fit<'a> {
    table: Cow<'a, Table>,
    roles: Roles,
    scheme: Option<Result<Scheme>>,
    costs: Vec<CostEntry>,
    priors: Vec<(String, f64)>,
    folds: Option<Vec<Option<u32>>>,
    seed: u64,
    estimate: EstimateBy,
    aside: Option<f64>,
    threads: Option<usize>,
    progress: &'a dyn Progress,
}

/// What a fit found out.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FitReport {
    /// The tree, with how it was made.
    pub model: Model,
    /// How wrong it will be on new rows, where the scheme measured that.
    pub estimate: Option<Estimate>,
    /// What rows say that the trees of the folds have not seen, where there are such rows.
    pub validation: Option<Validation>,
    /// The path it was taken from, where the pruner has one.
    pub path: Option<TreePath>,
    /// How the λ of shrunk leaf values was chosen, where rows chose it.
    pub lambda: Option<LambdaChoice>,
    /// Seconds for growing, and for choosing and pruning.
    pub seconds: (f64, f64),
}

impl<'a> From<&'a Table> for Cow<'a, Table> {
    fn from(table: &'a Table) -> Self {
        Cow::Borrowed(table)
    }
}

impl From<Table> for Cow<'_, Table> {
    fn from(table: Table) -> Self {
        Cow::Owned(table)
    }
}

impl<'a> Fit<'a> {
    /// A fit of a table, to predict this column from all others. A table that is given away is freed as soon as it can be.
    pub fn new(table: impl Into<Cow<'a, Table>>, target: impl Into<String>) -> Self {
        Self::with_roles(table, Roles { target: Some(target.into()), ..Roles::default() })
    }

    /// A fit of a table whose columns have these roles.
    pub fn with_roles(table: impl Into<Cow<'a, Table>>, roles: Roles) -> Self {
        Self {
            table: table.into(),
            roles,
            scheme: None,
            costs: Vec::new(),
            priors: Vec::new(),
            folds: None,
            seed: FitOptions::default().seed,
            estimate: EstimateBy::default(),
            aside: None,
            threads: None,
            progress: &Silent,
        }
    }

    /// How to learn: a [`Scheme`], or its text such as `cart/k-norm:cv=10`. Without one it is
    /// [`Scheme::default_for`] the rows.
    pub fn scheme<S: TryInto<Scheme, Error: Into<Error>>>(mut self, scheme: S) -> Self {
        self.scheme = Some(scheme.try_into().map_err(Into::into));
        self
    }

    /// How to prune, in place of the scheme's own pruner: typed options, or text such as `k-norm:k=2`.
    pub fn pruner(mut self, pruner: &(impl ToPruner + ?Sized)) -> Self {
        let scheme = self.scheme.unwrap_or_else(|| "cart".parse());
        self.scheme = Some(scheme.and_then(|scheme| scheme.pruned_by(pruner)));
        self
    }

    /// The column of row weights.
    pub fn weights(mut self, column: impl Into<String>) -> Self {
        self.roles.weights = Some(column.into());
        self
    }

    /// Leaves a column out.
    pub fn ignore(mut self, column: impl Into<String>) -> Self {
        self.roles.ignore.push(column.into());
        self
    }

    /// Predicts classes (of a numeric target, too) or numbers; without this the target decides.
    pub fn task(mut self, task: Task) -> Self {
        self.roles.task = Some(task);
        self
    }

    /// Leaves out rows without a target, which are refused otherwise.
    pub fn drop_missing_target(mut self) -> Self {
        self.roles.drop_missing_target = true;
        self
    }

    /// What it costs to predict one class when another is right. Mistakes that are not named cost 1.
    pub fn cost(mut self, actual: impl Into<String>, predicted: impl Into<String>, cost: f64) -> Self {
        self.costs.push(CostEntry { actual: actual.into(), predicted: predicted.into(), cost });
        self
    }

    /// How common a class really is, as a share of 1. Classes that are not named have what is left, in the proportions of their
    /// rows.
    pub fn prior(mut self, class: impl Into<String>, share: f64) -> Self {
        self.priors.push((class.into(), share));
        self
    }

    /// The folds of cross-validation, one for every row, in place of random ones; rows with `None` are not used.
    pub fn folds(mut self, folds: impl IntoIterator<Item = impl Into<Option<u32>>>) -> Self {
        self.folds = Some(folds.into_iter().map(Into::into).collect());
        self
    }

    /// The seed of folds and held-out parts; 1 without this.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How the error on new rows is estimated; by the rows that choose the tree, corrected for that, without this.
    ///
    /// ```
    /// use secateur::Fit;
    /// use secateur::fit::EstimateBy;
    /// let table = secateur::data::builtin::load("iris")?;
    /// let report = Fit::new(&table, "class").scheme("cart/mdl").estimate(EstimateBy::Nested).report()?;
    /// let estimate = report.estimate.unwrap();
    /// assert_eq!(estimate.method, "nested 10-fold cross-validation");
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn estimate(mut self, by: EstimateBy) -> Self {
        self.estimate = by;
        self
    }

    /// Sets a share of the rows aside, to make sets and intervals with that cover new rows as often as they say
    /// ([`Predictor::sets`](crate::predict::Predictor::sets)): the tree learns nothing from them.
    pub fn calibrate(mut self, share: f64) -> Self {
        self.aside = Some(share);
        self
    }

    /// This many threads in place of all there are. The model does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Who watches, and may stop, the work.
    pub fn progress(mut self, progress: &'a dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// Fits the model.
    pub fn model(self) -> Result<Model> {
        Ok(self.report()?.model)
    }

    /// Fits the model, and returns everything that was found out on the way.
    pub fn report(self) -> Result<FitReport> {
        let (by, aside) = (self.estimate, self.aside);
        let is_parted = aside.is_some() || by == EstimateBy::Nested;
        self.work(is_parted, move |coded, scheme, options, progress| {
            let Some(share) = aside else {
                let fitted = fit_judged(&TreeCache::new(coded, options)?, scheme, by, progress)?;
                return Ok(fitted.into_report(coded, scheme, options));
            };
            let (options, rows) = options.set_aside(coded, share)?;
            let fitted = fit_judged(&TreeCache::new(coded, &options)?, scheme, by, progress)?;
            Ok(fitted.calibrated(coded, &rows)?.into_report(coded, scheme, &options))
        })
    }

    /// All members of the pruner's path, validated as the scheme says; `cart/cost-complexity:alpha=0` has a path that is not
    /// validated. Without a scheme it is [`Scheme::default_for`] the rows.
    pub fn path(self) -> Result<TreePath> {
        self.work(true, |coded, scheme, options, progress| path_of(coded, scheme, None, options, progress))
    }

    /// Codes the table and looks at everything that was said, on the threads that were asked for.
    fn work<T: Send>(
        self,
        is_parted: bool,
        work: impl Fn(&CodedTable, &Scheme, &FitOptions, &dyn Progress) -> Result<T> + Send,
    ) -> Result<T> {
        let Self { table, roles, scheme, costs, priors, folds, seed, threads, progress, .. } = self;
        let scheme = scheme.transpose()?;
        let run = move || {
            let coded = match &scheme {
                Some(scheme) if priors.is_empty() && !is_parted => coded(&table, &roles, scheme)?,
                _ => CodedTable::new(&table, &roles)?,
            };
            drop(table);
            let scheme = scheme.map_or_else(|| Scheme::default_for(coded.task(), coded.rows()), Ok)?;
            let folds = folds.map(Folds::given).transpose()?;
            let (costs, priors) = (class_costs(&coded, &costs)?, class_priors(&coded, &priors)?);
            let options =
                FitOptions { seed, costs: costs.map(Into::into), priors, folds, ..FitOptions::default() };
            work(&coded, &scheme, &options, progress)
        };
        match threads {
            None => run(),
            Some(count) => threads::with(count, run),
        }
    }
}

fn class_costs(coded: &CodedTable, entries: &[CostEntry]) -> Result<Option<Costs>> {
    match coded.task() {
        _ if entries.is_empty() => Ok(None),
        Task::Regression => Err(Error::parameter("costs are for classes; the target here has numbers")),
        Task::Classification => Costs::new(coded.schema().target.classes(), entries).map(Some),
    }
}

fn class_priors(coded: &CodedTable, shares: &[(String, f64)]) -> Result<Option<Priors>> {
    match coded.target() {
        _ if shares.is_empty() => Ok(None),
        CodedTarget::Numbers { .. } => {
            Err(Error::parameter("priors are for classes; the target here has numbers"))
        }
        target @ CodedTarget::Classes { .. } => {
            let weights = target.class_weights((0..coded.rows()).map(|row| coded.weight(row)));
            Priors::completed(shares, coded.schema().target.classes(), &weights).map(Some)
        }
    }
}

impl Fitted {
    /// What the fit of a table by a scheme found out, with its tree as a model.
    pub fn into_report(self, table: &CodedTable, scheme: &Scheme, options: &FitOptions) -> FitReport {
        let about = ModelInfo {
            data: table.name().into(),
            rows: self.tree.node(0).rows,
            seed: options.seed,
            full: self.full,
            ..ModelInfo::default()
        };
        FitReport {
            model: Model { tree: self.tree, scheme: scheme.to_string(), about },
            estimate: self.estimate,
            validation: self.validation,
            path: self.path,
            lambda: self.lambda,
            seconds: self.seconds,
        }
    }
}
