//! What a scheme means for a task: how to grow, how to prune and how to choose, with every check done.

use super::leaf_options::{LeafOptions, leaf_options};
use super::{Scheme, growing};
use crate::error::{Error, Result};
use crate::prune::PruneKind;
use crate::schema::Task;
use crate::select::{Pruning, Selector};
use crate::spec::GrowSpec;
use crate::tree::LeafValues;

/// See the module's description.
#[derive(Clone)]
pub struct Plan {
    /// How trees are grown.
    pub spec: GrowSpec,
    /// How they are pruned; without, the full tree is kept.
    pub pruning: Option<Pruning>,
    /// What their leaves say.
    pub leaves: LeafPlan,
}

/// What the leaves of a tree are to say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LeafPlan {
    /// These values.
    Fixed(LeafValues),
    /// Shrunk by the λ that suits the rows best which choose the pruning.
    ByPruning,
    /// Shrunk by the λ that suits this many folds best.
    ByFolds(usize),
}

impl Scheme {
    /// What the scheme means for a task. Options that change nothing for it, that are made for the other task or that
    /// contradict each other are an error.
    ///
    /// ```
    /// use secateur::schema::Task;
    /// use secateur::scheme::Scheme;
    ///
    /// let scheme: Scheme = "cart:max-depth=3/cost-complexity:cv=5".parse()?;
    /// let plan = scheme.plan(Task::Classification)?;
    /// assert_eq!((plan.spec.max_depth, plan.folds()), (Some(3), Some(5)));
    /// assert!("cart/pre".parse::<Scheme>()?.plan(Task::Regression).is_err());
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn plan(&self, task: Task) -> Result<Plan> {
        self.check(task)?;
        let pruning = self.pruner.as_ref().map(|method| Pruning::of(method, task)).transpose()?;
        self.with_leaves(pruning, task)
    }

    /// The same to show all members of the pruner's path, whichever one the options would take.
    pub fn plan_of_path(&self, task: Task) -> Result<Plan> {
        self.check(task)?;
        let pruning = self.pruner.as_ref().map(|method| Pruning::of_path(method, task)).transpose()?;
        self.with_leaves(pruning, task)
    }

    fn with_leaves(&self, pruning: Option<Pruning>, task: Task) -> Result<Plan> {
        let LeafOptions { values, is_open, folds } = leaf_options(&self.learner, task)?;
        let by_pruning =
            pruning.as_ref().is_some_and(|pruning| pruning.folds().is_some() || pruning.holds_out());
        let leaves = match (folds, is_open && by_pruning) {
            (Some(_), _) if by_pruning => {
                return Err(Error::parameter(format!(
                    "{self}: leaf-cv changes nothing, as the pruner chooses by rows, and they choose leaf-lambda too; leave it out"
                )));
            }
            (Some(folds), _) => LeafPlan::ByFolds(folds),
            (None, true) => LeafPlan::ByPruning,
            (None, false) => LeafPlan::Fixed(values),
        };
        Ok(Plan { spec: growing::grow_spec(&self.learner, task)?, pruning, leaves })
    }
}

impl Plan {
    /// The number of folds that fitting cross-validates with, if it does.
    pub fn folds(&self) -> Option<usize> {
        match self.leaves {
            LeafPlan::ByFolds(folds) => Some(folds),
            _ => self.pruning.as_ref().and_then(Pruning::folds),
        }
    }

    /// Whether fitting chooses on held-out rows.
    pub fn holds_out(&self) -> bool {
        self.pruning.as_ref().is_some_and(Pruning::holds_out)
    }

    /// The share of the rows that fitting holds out to choose on, if it does.
    pub fn held_out_share(&self) -> Option<f64> {
        match self.pruning.as_ref()?.selector {
            Some(Selector::HeldOut { share, .. }) => Some(share),
            _ => None,
        }
    }

    /// Whether fitting chooses a member of a path on rows, and its leaf values with it.
    pub fn chooses_on_path(&self) -> bool {
        self.pruning.as_ref().is_some_and(Pruning::chooses_on_path)
    }

    /// Whether growing stops before the end by what folds say.
    pub fn stops_growing(&self) -> bool {
        let kind = self.pruning.as_ref().map(|pruning| &pruning.pruner.kind);
        matches!(kind, Some(PruneKind::Own { stops_growing: true, .. }))
    }
}
