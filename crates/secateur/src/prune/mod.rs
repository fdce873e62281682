//! Pruning: one file per method, one visible list.
//!
//! A method says which nodes of a grown tree become leaves. A *path* does so for every value of a parameter, and a
//! [selector](crate::select) picks the value; the other methods give one answer.

#[macro_use]
mod typed;

pub mod binomial;
pub(crate) mod bottom_up;
pub mod cost_complexity;
mod counted;
pub mod critical_value;
pub(crate) mod cutting;
pub mod early_stop;
pub mod error_based;
mod fitting;
mod heap;
pub mod intermediate;
pub mod k_norm;
pub mod mdl;
pub mod min_error;
pub mod optimal_size;
pub mod order;
mod path;
pub mod pessimistic;
pub mod pre;
pub(crate) mod raising;
pub mod reduced_error;
mod registry;
mod reliability;
pub(crate) mod rows_bottom_up;
pub mod size_pessimistic;
#[cfg(test)]
mod testing;
pub(crate) mod tuned;

pub use counted::Counted;
pub use fitting::{Fitting, FoundTree};
pub use path::Path;
pub use registry::{pruners, register};
pub use reliability::{reliabilities, reliability_at, reliability_of};
pub use typed::ToPruner;

use counted::COUNT;
use std::borrow::Cow;
use std::sync::OnceLock;

use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::method::{For, Method, MethodInfo, Options};
use crate::route::Routed;
use crate::schema::Task;
use crate::tree::{NodeId, Tree};

pruners! {
    cost_complexity::PRUNER => cost_complexity::CostComplexity;
    k_norm::PRUNER => k_norm::pruner::KNorm;
    error_based::PRUNER => error_based::ErrorBased;
    size_pessimistic::PRUNER => size_pessimistic::SizePessimistic;
    pessimistic::PRUNER => pessimistic::Pessimistic;
    min_error::PRUNER => min_error::MinError;
    mdl::PRUNER => mdl::Mdl;
    optimal_size::PRUNER => optimal_size::OptimalSize;
    order::POST => order::Post;
    pre::PRUNER => pre::Pre;
    order::BREADTH_FIRST => order::BreadthFirst;
    order::DEPTH_FIRST => order::DepthFirst;
    critical_value::PRUNER => critical_value::CriticalValue;
    reduced_error::PRUNER => reduced_error::ReducedError;
    intermediate::PRUNER => intermediate::Intermediate;
    early_stop::PRUNER => early_stop::EarlyStop;
    tuned::PRUNER => tuned::Tuned;
}

/// A pruner: what it says of itself, and what it does.
pub struct Pruner {
    /// Name, paper, options.
    pub info: MethodInfo,
    /// The targets it is made for.
    pub only: For,
    /// What it does.
    pub kind: PruneKind,
}

/// The parameter of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, which is also the option that fixes it.
    pub name: &'static str,
    /// Where cross-validation asks fold trees: between the members or at them.
    pub spacing: Spacing,
}

/// Where, from one member's parameter to the next, the members of other trees are compared with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// At the geometric mean of both ends.
    Geometric,
    /// At the member's own parameter.
    Exact,
    /// The parameter is a number of splits: the member is the tree after that many, and larger ones come first.
    Splits,
}

/// The members of a nested path that selectors try.
pub enum Tried {
    /// All: the largest tree, at this least parameter, and one at every larger parameter at which a node falls.
    All(fn(&Job) -> f64),
    /// Those of a grid, from large trees to small ones.
    Grid(fn(&Job) -> Vec<f64>),
}

/// Says which nodes become leaves at a parameter.
pub type CutAt = fn(&Job, f64) -> Result<Vec<bool>>;

/// Prunes with raising at a parameter, from the training rows and their weights.
pub type Raise = fn(&Job, &CodedTable, Option<&[f64]>, f64) -> Result<Tree>;

/// Finds a tree.
pub type Fit = fn(&Fitting) -> Result<FoundTree>;

/// What a pruner does.
pub enum PruneKind {
    /// A nested path: for every node the parameter at which it falls.
    Nested {
        /// The parameter.
        parameter: Parameter,
        /// The members that selectors try.
        tried: Tried,
        /// When each node falls.
        fall: fn(&Job) -> Result<Vec<f64>>,
        /// The nodes that become leaves at one parameter, where that is less work than the whole path.
        cut: Option<CutAt>,
    },
    /// A nested path of the first splits of an order; the parameter is their number.
    Order(fn(&Tree) -> Vec<NodeId>),
    /// For every parameter of a grid (or any other) the nodes that become leaves. Members need not be nested.
    Family {
        /// The parameter.
        parameter: Parameter,
        /// The grid that selectors try, from large trees to small ones.
        grid: fn(&Job) -> Vec<f64>,
        /// The nodes that become leaves.
        cut: CutAt,
        /// With the training rows at hand: the tree with subtrees raised, where the options ask for that.
        raise: Option<Raise>,
    },
    /// One answer from the counts in the tree.
    Cut(fn(&Job) -> Result<Vec<bool>>),
    /// One answer from rows that were held out from growing.
    HeldOut(fn(&Job, &HeldRows) -> Result<Vec<bool>>),
    /// A way of its own: a function that grows, validates and chooses. With folds, their number is the option `cv`.
    Own {
        /// Finds the tree.
        fit: Fit,
        /// Whether it stops growing early: then it does not ask for whole trees of folds unless others do anyway.
        stops_growing: bool,
    },
}

/// Rows held out from growing, sent down the tree.
#[derive(Clone, Copy)]
pub struct HeldRows<'a> {
    /// The table they are in.
    pub table: &'a CodedTable,
    /// What reaches every node.
    pub routed: &'a Routed,
}

/// A grown tree to be pruned, with the pruner's options.
pub struct Job<'a> {
    /// The tree.
    pub tree: &'a Tree,
    counted: Cow<'a, Tree>,
    /// The weight that counts as one row.
    unit: f64,
    options: Cow<'a, Options>,
    /// Found when it is asked for: many methods do without.
    risk: OnceLock<Vec<f64>>,
}

impl<'a> Job<'a> {
    /// A job for a tree.
    pub fn new(tree: &'a Tree, method: &Method) -> Self {
        Self::of(tree, Cow::Owned(method.options(tree.task())))
    }

    /// A job with options that are known for the task of the tree.
    pub fn with(tree: &'a Tree, options: &'a Options) -> Self {
        Self::of(tree, Cow::Borrowed(options))
    }

    fn of(tree: &'a Tree, options: Cow<'a, Options>) -> Self {
        let counts_rows = options.has(COUNT.name) && options.word(COUNT.name) == "rows";
        let (counted, unit) =
            if counts_rows { (tree.in_rows(), tree.row_weight()) } else { (Cow::Borrowed(tree), 1.0) };
        Self { tree, counted, unit, options, risk: OnceLock::new() }
    }

    /// The options of the pruner: as given, or by default.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The training risk of every node seen as a leaf: errors, costs or squared error.
    pub fn risk(&self) -> &[f64] {
        self.risk.get_or_init(|| self.tree.errors())
    }

    /// The tree with what the pruner counts as rows: its weights are in units of what a row weighs on average where the option `count` says so.
    pub fn counted(&self) -> &Tree {
        &self.counted
    }

    /// The weight that counts as one row, for pruners that count the training rows anew.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// The training weight.
    pub fn total(&self) -> f64 {
        self.tree.node(0).weight
    }

    /// The training risk in rows, in units of the largest cost. Bounds on error rates hold for losses from 0 to 1 per row, whatever
    /// the costs are counted in.
    pub fn bounded_risk(&self) -> Vec<f64> {
        let unit = self.unit * self.tree.costs().map_or(1.0, |costs| costs.largest());
        self.risk().iter().map(|risk| risk / unit).collect()
    }

    /// A number among the options: as given, or its default.
    pub fn number(&self, name: &str) -> f64 {
        self.options.number(name)
    }

    /// A number among the options that need not be given and has no default.
    pub fn optional(&self, name: &str) -> Option<f64> {
        self.options.optional(name)
    }

    /// Whether a flag among the options is on.
    pub fn flag(&self, name: &str) -> bool {
        self.options.flag(name)
    }

    /// The word that is chosen for an option.
    pub fn word(&self, name: &str) -> &'static str {
        self.options.word(name)
    }
}

impl Pruner {
    /// The pruner of a method.
    pub fn of(method: &Method) -> Result<&'static Self> {
        let found = pruners().into_iter().find(|p| std::ptr::eq(&raw const p.info, method.info()));
        found.ok_or_else(|| Error::parameter(format!("{} is not a pruner", method.info().id)))
    }

    /// Checks that the pruner is made for this kind of tree.
    pub fn check(&self, task: Task) -> Result<()> {
        if self.only.fits(task) {
            return Ok(());
        }
        Err(Error::parameter(format!(
            "the pruner {} is for {}, and the target here has {}",
            self.info.id,
            task.other().name(),
            task.target()
        )))
    }

    /// The parameter of a path; other pruners have none.
    pub fn parameter(&self) -> Option<Parameter> {
        match &self.kind {
            PruneKind::Nested { parameter, .. } | PruneKind::Family { parameter, .. } => Some(*parameter),
            PruneKind::Order(_) => Some(Parameter { name: "splits", spacing: Spacing::Splits }),
            _ => None,
        }
    }

    /// Checks that the pruner has a path.
    pub fn check_path(&self) -> Result<()> {
        match self.parameter() {
            Some(_) => Ok(()),
            None => Err(Error::parameter(format!("{} has no path: it gives one answer", self.info.id))),
        }
    }

    /// The whole path of a tree.
    pub fn path(&self, job: &Job) -> Result<Path> {
        self.check_path()?;
        match &self.kind {
            PruneKind::Nested { tried: Tried::All(least), fall, .. } => {
                Ok(Path::nested(job.tree, fall(job)?, least(job)))
            }
            PruneKind::Nested { tried: Tried::Grid(grid), fall, .. } => {
                Path::nested_at(job.tree, fall(job)?, grid(job))
            }
            PruneKind::Order(order) => Ok(Path::splits(job.tree, &order(job.tree))),
            _ => self.path_at(job, self.grid(job)),
        }
    }

    /// The path of a tree with members for these parameters: those of a path that is not nested, or the whole path.
    pub(crate) fn path_at(&self, job: &Job, parameters: Vec<f64>) -> Result<Path> {
        match &self.kind {
            PruneKind::Family { cut, .. } => {
                let cuts = parameters.iter().map(|&p| cut(job, p)).collect::<Result<Vec<_>>>()?;
                Path::cuts(parameters, cuts)
            }
            _ => self.path(job),
        }
    }

    /// The parameters that selectors try where they are not those of a nested path.
    pub(crate) fn grid(&self, job: &Job) -> Vec<f64> {
        match &self.kind {
            PruneKind::Family { grid, .. } => grid(job),
            _ => Vec::new(),
        }
    }

    /// The pruner's form with raising, when the options ask for it.
    pub(crate) fn raising(&self, options: &Options) -> Option<Raise> {
        match self.kind {
            PruneKind::Family { raise: Some(raise), .. } if options.flag("raising") => Some(raise),
            _ => None,
        }
    }

    /// The nodes that become leaves at one parameter.
    pub fn cut_at(&self, job: &Job, parameter: f64) -> Result<Vec<bool>> {
        match &self.kind {
            PruneKind::Nested { cut: Some(cut), .. } => cut(job, parameter),
            PruneKind::Nested { .. } | PruneKind::Order(_) => Ok(self.path(job)?.cut(parameter)),
            PruneKind::Family { cut, .. } => cut(job, parameter),
            _ => Err(Error::parameter(format!("{} has no parameter", self.info.id))),
        }
    }
}
