//! A pruner with its options for a task, and how its tree is chosen: everything is looked up and checked here, once.

use super::Selector;
use crate::error::{Error, Result};
use crate::method::{Method, Options};
use crate::prune::order::{average, averages_numbers, loss};
use crate::prune::{Pruner, Spacing};
use crate::route::Loss;
use crate::schema::Task;
use crate::training::Average;

/// See the module's description.
#[derive(Clone)]
pub struct Pruning {
    /// The pruner.
    pub pruner: &'static Pruner,
    /// Its options.
    pub options: Options,
    /// By which rows it chooses; `None` for a pruner that chooses nothing.
    pub selector: Option<Selector>,
    /// What is counted on them.
    pub loss: Loss,
    /// How folds are averaged.
    pub average: Average,
    /// Whether the average of the folds' best numbers of splits is taken, and not the least average error.
    pub averages_numbers: bool,
}

impl Pruning {
    /// The pruning that a method means for a task.
    pub fn of(method: &Method, task: Task) -> Result<Self> {
        let pruning = Self::of_path(method, task)?;
        let selector = Selector::of(pruning.pruner, &pruning.options)?;
        if let Some(Selector::CrossValidated { se, .. }) = selector {
            pruning.check_rule(se)?;
        }
        let pruning = Self { selector, ..pruning };
        pruning.check_idle()?;
        Ok(pruning)
    }

    /// Refuses options on how folds or held-out rows are judged where none are.
    fn check_idle(&self) -> Result<()> {
        let (idle, way): (&[&str], _) = match self.selector {
            Some(Selector::Fixed(_)) => {
                (&["rule", "fold-average", "error", "choose-by"], "with a fixed parameter")
            }
            Some(Selector::HeldOut { .. }) => (&["rule", "fold-average"], "on held-out rows"),
            _ => return Ok(()),
        };
        match idle.iter().find(|name| self.options.has(name) && self.options.given(name)) {
            None => Ok(()),
            Some(name) => Err(Error::parameter(format!(
                "{}: {name} changes nothing {way}; leave it out, or choose by folds with cv=10",
                self.pruner.info.id
            ))),
        }
    }

    /// The same to show all members of a path: options that contradict each other on which one is taken do not matter.
    pub fn of_path(method: &Method, task: Task) -> Result<Self> {
        method.check(task)?;
        let pruner = Pruner::of(method)?;
        pruner.check(task)?;
        let options = method.options(task);
        if options.given("error") && options.given("choose-by") {
            return Err(Error::parameter(format!(
                "{}: error and choose-by contradict each other; give one",
                pruner.info.id
            )));
        }
        let by_splits = pruner.parameter().is_some_and(|p| p.spacing == Spacing::Splits);
        let usual = if by_splits { Average::Folds } else { Average::Pooled };
        Ok(Self {
            pruner,
            selector: Selector::of(pruner, &options).unwrap_or(None),
            loss: loss(&options),
            average: average(&options).unwrap_or(usual),
            averages_numbers: averages_numbers(&options),
            options,
        })
    }

    /// Checks that the rule for choosing among folds knows standard errors, where there are any.
    pub(crate) fn check_rule(&self, se: f64) -> Result<()> {
        if self.averages_numbers && se > 0.0 {
            return Err(Error::parameter("rule=average has no standard errors; leave out 1se and se"));
        }
        Ok(())
    }

    /// The number of folds that fitting cross-validates with, if it does.
    pub fn folds(&self) -> Option<usize> {
        match self.selector {
            Some(Selector::CrossValidated { folds, .. }) => Some(folds),
            _ => None,
        }
    }

    /// The standard errors within which the smallest tree is taken; 0 where the least error is.
    pub fn se(&self) -> f64 {
        match self.selector {
            Some(Selector::CrossValidated { se, .. } | Selector::HeldOut { se, .. }) => se,
            _ => 0.0,
        }
    }

    /// Whether subtrees are raised, which needs the rows they were grown from.
    pub fn raises(&self) -> bool {
        self.pruner.raising(&self.options).is_some()
    }

    /// Whether fitting chooses a member of a path on rows.
    pub fn chooses_on_path(&self) -> bool {
        let on_rows =
            matches!(self.selector, Some(Selector::CrossValidated { .. } | Selector::HeldOut { .. }));
        on_rows && self.pruner.parameter().is_some()
    }

    /// Whether fitting chooses on held-out rows.
    pub fn holds_out(&self) -> bool {
        matches!(self.selector, Some(Selector::HeldOut { .. }))
    }
}
