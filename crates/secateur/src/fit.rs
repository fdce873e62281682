//! Fitting: grow, choose a pruning, prune. What the program's `fit` and `path` do.

use std::sync::Arc;
use std::time::Instant;

use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::grow::{GrowSpec, grow, grow_weighted};
use crate::method::{Method, Value};
use crate::progress::Progress;
use crate::prune::intermediate::average_rule;
use crate::prune::routed::squared_losses;
use crate::prune::{Job, Kind, Path, Pruner, Raise, Routed, Spacing};
use crate::scheme::Scheme;
use crate::select::{
    Average, Curve, Folds, Loss, Question, Selector, cross_validate, held_out, losses, stop_early,
};
use crate::tree::{Costs, Model, Size, Tree};

/// What a fit is told beside table and scheme.
#[derive(Debug, Clone)]
pub struct FitOptions {
    /// The seed of folds and held-out parts.
    pub seed: u64,
    /// What mistakes cost.
    pub costs: Option<Arc<Costs>>,
    /// Folds from outside, in place of stratified random ones.
    pub folds: Option<Folds>,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { seed: 1, costs: None, folds: None }
    }
}

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
    let regression = table.classes() == 0;
    if regression && options.costs.is_some() {
        return Err(Error::parameter("costs are for classes; the target here has numbers"));
    }
    let spec = scheme.grow_spec(regression)?;
    let start = Instant::now();
    let fit = Fit { table, spec: &spec, regression, options, progress };
    let Some(method) = &scheme.pruner else {
        let tree = fit.grow(None)?;
        return Ok(Fitted {
            full: tree.size(),
            tree,
            estimate: None,
            path: None,
            seconds: (start.elapsed().as_secs_f64(), 0.0),
        });
    };
    let pruner = Pruner::of(method)?;
    pruner.check(regression)?;
    fit.pruned(method, pruner, start)
}

struct Fit<'a> {
    table: &'a CodedTable,
    spec: &'a GrowSpec,
    regression: bool,
    options: &'a FitOptions,
    progress: &'a dyn Progress,
}

impl Fit<'_> {
    fn grow(&self, weights: Option<&[f64]>) -> Result<Tree> {
        let tree = match weights {
            Some(_) => grow_weighted(self.table, weights, self.spec, self.progress)?,
            None => grow(self.table, self.spec, self.progress)?,
        };
        Ok(tree.with_costs(self.options.costs.clone()))
    }

    fn folds(&self, folds: usize) -> Result<Folds> {
        match &self.options.folds {
            Some(given) => Ok(given.clone()),
            None => Folds::stratified(self.table, None, folds, self.options.seed),
        }
    }

    fn option(&self, method: &Method, name: &str) -> Option<Value> {
        method.value(name, self.regression)
    }

    fn pruned(&self, method: &Method, pruner: &Pruner, start: Instant) -> Result<Fitted> {
        match &pruner.kind {
            Kind::Nested { .. } | Kind::Family { .. } => {
                match Selector::of(method, pruner, self.regression)? {
                    Selector::Fixed(parameter) => {
                        let full = self.grow(None)?;
                        let grown = start.elapsed().as_secs_f64();
                        let job = Job::new(&full, method);
                        let splits = pruner.parameter().is_some_and(|p| p.spacing == Spacing::Splits);
                        let parameter = if splits { -parameter } else { parameter };
                        let tree = match raising(pruner, &job) {
                            Some(raise) => raise(&job, self.table, None, parameter)?,
                            None => full.cut(&pruner.cut_at(&job, parameter)?),
                        };
                        Ok(self.fitted(&full, tree, None, None, start, grown))
                    }
                    Selector::HeldOut { share, se } => self.by_held_out(method, pruner, (share, se), start),
                    Selector::CrossValidated { folds, se } => {
                        self.by_cross_validation(method, pruner, &self.folds(folds)?, se, start)
                    }
                }
            }
            Kind::Cut(prune) => {
                let full = self.grow(None)?;
                let grown = start.elapsed().as_secs_f64();
                let leaf = prune(&Job::new(&full, method))?;
                Ok(self.fitted(&full, full.cut(&leaf), None, None, start, grown))
            }
            Kind::HeldOut(prune) => {
                let share = match self.option(method, "holdout") {
                    Some(Value::Number(share)) => share,
                    _ => 0.1,
                };
                let (grow, held) = held_out(self.table, None, share, self.options.seed)?;
                let full = self.grow(Some(&grow))?;
                let grown = start.elapsed().as_secs_f64();
                let routed = Routed::new(&full, self.table, Some(&held))?;
                let leaf = prune(&Job::new(&full, method), &routed)?;
                Ok(self.fitted(&full, full.cut(&leaf), None, None, start, grown))
            }
            Kind::Pre => self.pre(method, start),
        }
    }

    fn fitted(
        &self,
        full: &Tree,
        tree: Tree,
        estimate: Option<Estimate>,
        path: Option<PathReport>,
        start: Instant,
        grown: f64,
    ) -> Fitted {
        let prune = start.elapsed().as_secs_f64() - grown;
        Fitted { tree, full: full.size(), estimate, path, seconds: (grown, prune) }
    }

    fn by_held_out(
        &self,
        method: &Method,
        pruner: &Pruner,
        (share, se): (f64, f64),
        start: Instant,
    ) -> Result<Fitted> {
        let (grow, held) = held_out(self.table, None, share, self.options.seed)?;
        let full = self.grow(Some(&grow))?;
        let grown = start.elapsed().as_secs_f64();
        let job = Job::new(&full, method);
        let path = pruner.path(&job)?;
        let routed = Routed::new(&full, self.table, Some(&held))?;
        let curve = self.held_out_curve(&full, &path, &routed, &held, loss_of(method, self.regression))?;
        let chosen = curve.choose(se);
        let report = report(pruner, &job, &path, Some(&curve), Some(chosen));
        let tree = match raising(pruner, &job) {
            Some(raise) => raise(&job, self.table, Some(&grow), path.parameters()[chosen])?,
            None => full.cut(&path.cut(path.parameters()[chosen])),
        };
        let estimate = Estimate {
            error: curve.errors[chosen],
            se: curve.se[chosen],
            method: format!("{share} of the rows held out (also used to choose)"),
        };
        Ok(self.fitted(&full, tree, Some(estimate), Some(report), start, grown))
    }

    /// Error and standard error of every member on held-out rows.
    fn held_out_curve(
        &self,
        full: &Tree,
        path: &Path,
        routed: &Routed,
        held: &[f64],
        loss: Loss,
    ) -> Result<Curve> {
        let weight: f64 = held.iter().sum();
        let (sum, mut square) = losses(full, routed, loss);
        if self.regression {
            square = squared_losses(full, self.table, held)?;
        }
        let mut curve = Curve::default();
        for (sum, square) in path.sums(full, &sum).into_iter().zip(path.sums(full, &square)) {
            let (error, square) = match loss {
                Loss::Risk => (sum / weight, square / weight),
                // As in cross-validation: the root mean square, and the standard error of a rate of that size.
                Loss::Probabilities => {
                    let root = (sum.max(0.0) / (weight * self.table.classes() as f64)).sqrt();
                    (root, root)
                }
            };
            curve.errors.push(error);
            curve.se.push(((square - error * error).max(0.0) / weight).sqrt());
        }
        Ok(curve)
    }

    fn by_cross_validation(
        &self,
        method: &Method,
        pruner: &Pruner,
        folds: &Folds,
        se: f64,
        start: Instant,
    ) -> Result<Fitted> {
        let full = self.grow(None)?;
        let grown = start.elapsed().as_secs_f64();
        let job = Job::new(&full, method);
        let path = pruner.path(&job)?;
        let spacing = pruner.parameter().map_or(Spacing::Exact, |p| p.spacing);
        let question = Question {
            table: self.table,
            spec: self.spec,
            pruner,
            method,
            costs: self.options.costs.as_ref(),
            folds,
            loss: loss_of(method, self.regression),
            average: average_of(method, self.regression, spacing),
        };
        let probes = probes(path.parameters(), spacing);
        let asked = (spacing != Spacing::Splits).then_some(probes.as_slice());
        let (parameters, validated) = cross_validate(&question, asked, self.progress)?;
        let curve = validated.curve;
        let chosen = if self.option(method, "rule") == Some(Value::Word("average")) {
            if se > 0.0 {
                return Err(Error::parameter("rule=average has no standard errors; leave out 1se and se"));
            }
            let best: Vec<usize> = validated.best.iter().map(|p| -p as usize).collect();
            let splits = average_rule(&best);
            parameters.iter().position(|p| -p as usize == splits).unwrap_or(0)
        } else {
            curve.choose(se)
        };
        let leaf =
            path.cut(if spacing == Spacing::Splits { parameters[chosen] } else { path.parameters()[chosen] });
        // A number of splits that only a fold reached means all of this tree's.
        let (shown, selected) = if spacing == Spacing::Splits {
            let of = |p: &f64| parameters.iter().position(|q| q == p);
            let pick = |list: &[f64]| -> Vec<f64> {
                path.parameters().iter().map(|p| of(p).map_or(f64::NAN, |i| list[i])).collect()
            };
            let shown = Curve { errors: pick(&curve.errors), se: pick(&curve.se) };
            let selected = path.parameters().iter().position(|p| *p >= parameters[chosen]);
            (shown, selected)
        } else {
            (curve.clone(), Some(chosen))
        };
        let report = report(pruner, &job, &path, Some(&shown), selected);
        let estimate = Estimate {
            error: curve.errors[chosen],
            se: curve.se[chosen],
            method: format!("{}-fold cross-validation (also used to choose)", folds.len()),
        };
        let tree = match raising(pruner, &job) {
            Some(raise) => raise(&job, self.table, None, path.parameters()[chosen])?,
            None => full.cut(&leaf),
        };
        Ok(self.fitted(&full, tree, Some(estimate), Some(report), start, grown))
    }

    fn pre(&self, method: &Method, start: Instant) -> Result<Fitted> {
        let folds = match self.option(method, "cv") {
            Some(Value::Integer(folds)) => folds as usize,
            _ => 10,
        };
        let folds = self.folds(folds)?;
        let one_se = self.option(method, "1se") == Some(Value::Flag(true));
        let loss = loss_of(method, self.regression);
        let average = average_of(method, self.regression, Spacing::Splits);
        let costs = self.options.costs.as_ref();
        let rule = (loss, average, one_se);
        let stopped = stop_early(self.table, self.spec, &folds, costs, rule, self.progress)?;
        let chosen = start.elapsed().as_secs_f64();
        let limit = self.spec.max_splits.map_or(stopped.splits, |most| most.min(stopped.splits));
        let spec = GrowSpec { max_splits: Some(limit), ..self.spec.clone() };
        let tree = grow(self.table, &spec, self.progress)?.with_costs(self.options.costs.clone());
        let grow = start.elapsed().as_secs_f64() - chosen;
        let estimate = Estimate {
            error: stopped.curve.errors[stopped.splits],
            se: stopped.curve.se[stopped.splits],
            method: format!("{}-fold cross-validation (also used to stop)", folds.len()),
        };
        Ok(Fitted { full: tree.size(), tree, estimate: Some(estimate), path: None, seconds: (grow, chosen) })
    }
}

/// The pruner's form with raising, when the options ask for it. The parameter is chosen without raising.
fn raising(pruner: &Pruner, job: &Job) -> Option<Raise> {
    match pruner.kind {
        Kind::Family { raise, .. } if job.is("raising", "on") => raise,
        _ => None,
    }
}

/// Where fold trees are asked about each member.
fn probes(parameters: &[f64], spacing: Spacing) -> Vec<f64> {
    match spacing {
        Spacing::Exact | Spacing::Splits => parameters.to_vec(),
        Spacing::Geometric => (0..parameters.len())
            .map(|i| match parameters.get(i + 1) {
                Some(next) => (parameters[i] * next).sqrt(),
                None => f64::INFINITY,
            })
            .collect(),
    }
}

fn loss_of(method: &Method, regression: bool) -> Loss {
    let rmse = method.value("error", regression).is_some_and(|v| v == Value::Word("rmse"));
    if rmse { Loss::Probabilities } else { Loss::Risk }
}

fn average_of(method: &Method, regression: bool, spacing: Spacing) -> Average {
    match method.value("fold-average", regression) {
        Some(Value::Word("active")) => Average::ActiveFolds,
        Some(_) => Average::Folds,
        None if spacing == Spacing::Splits => Average::Folds,
        None => Average::Pooled,
    }
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
    let errors = path.sums(tree, &job.risk);
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
    let regression = table.classes() == 0;
    pruner.check(regression)?;
    if pruner.parameter().is_none() {
        return Err(Error::parameter(format!("{} has no path: it gives one answer", method.info().id)));
    }
    let spec = scheme.grow_spec(regression)?;
    let fit = Fit { table, spec: &spec, regression, options, progress };
    let selector = Selector::of(method, pruner, regression).ok();
    let start = Instant::now();
    let (folds, se) = match (cv, selector) {
        (Some(folds), Some(Selector::CrossValidated { se, .. } | Selector::HeldOut { se, .. })) => {
            (folds, se)
        }
        (Some(folds), _) => (folds, 0.0),
        (None, Some(Selector::CrossValidated { folds, se })) => (folds, se),
        (None, _) => (0, 0.0),
    };
    if folds > 0 {
        let fitted = fit.by_cross_validation(method, pruner, &fit.folds(folds)?, se, start)?;
        return fitted.path.ok_or_else(|| Error::parameter("there is no path"));
    }
    let full = fit.grow(None)?;
    let job = Job::new(&full, method);
    let path = pruner.path(&job)?;
    Ok(report(pruner, &job, &path, None, None))
}

/// Prunes a saved tree with a pruner that needs no rows; `with` is `PRUNER[:option=value,...]`.
pub fn prune_without_rows(model: Model, with: &str) -> Result<Model> {
    let learner = model.scheme.split('/').next().unwrap_or("cart").to_string();
    let scheme: Scheme = format!("{learner}/{with}").parse()?;
    let Some(method) = &scheme.pruner else { return Ok(model) };
    let pruner = Pruner::of(method)?;
    let regression = !model.tree.is_classifier();
    method.check(regression)?;
    pruner.check(regression)?;
    let job = Job::new(&model.tree, method);
    let needs_rows = || {
        Error::parameter(format!(
            "{with} needs the data to choose by; use `fit`, or give the parameter a value"
        ))
    };
    if raising(pruner, &job).is_some() {
        return Err(needs_rows());
    }
    let leaf = match &pruner.kind {
        Kind::Cut(cut) => cut(&job)?,
        Kind::Nested { .. } | Kind::Family { .. } => match Selector::of(method, pruner, regression)? {
            Selector::Fixed(p) => {
                let splits = pruner.parameter().is_some_and(|q| q.spacing == Spacing::Splits);
                pruner.cut_at(&job, if splits { -p } else { p })?
            }
            _ => return Err(needs_rows()),
        },
        Kind::HeldOut(_) | Kind::Pre => return Err(needs_rows()),
    };
    let tree = model.tree.cut(&leaf);
    Ok(Model { tree, scheme: scheme.to_string(), about: model.about })
}
