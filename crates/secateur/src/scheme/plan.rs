//! What a scheme means for a task: how to grow, how to prune and how to choose, with every check done.

use super::{Scheme, learners};
use crate::error::Result;
use crate::prune::PruneKind;
use crate::schema::Task;
use crate::select::Pruning;
use crate::spec::GrowSpec;

/// See the module's description.
#[derive(Clone)]
pub struct Plan {
    /// How trees are grown.
    pub spec: GrowSpec,
    /// How they are pruned; without, the full tree is kept.
    pub pruning: Option<Pruning>,
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
        Ok(Plan { spec: learners::grow_spec(&self.learner, task)?, pruning })
    }

    /// The same to show all members of the pruner's path, whichever one the options would take.
    pub fn plan_of_path(&self, task: Task) -> Result<Plan> {
        self.check(task)?;
        let pruning = self.pruner.as_ref().map(|method| Pruning::of_path(method, task)).transpose()?;
        Ok(Plan { spec: learners::grow_spec(&self.learner, task)?, pruning })
    }
}

impl Plan {
    /// The number of folds that fitting cross-validates with, if it does.
    pub fn folds(&self) -> Option<usize> {
        self.pruning.as_ref().and_then(Pruning::folds)
    }

    /// Whether fitting chooses on held-out rows.
    pub fn holds_out(&self) -> bool {
        self.pruning.as_ref().is_some_and(Pruning::holds_out)
    }

    /// Whether growing stops before the end by what folds say.
    pub fn stops_growing(&self) -> bool {
        let kind = self.pruning.as_ref().map(|pruning| &pruning.pruner.kind);
        matches!(kind, Some(PruneKind::Own { stops_growing: true, .. }))
    }
}
