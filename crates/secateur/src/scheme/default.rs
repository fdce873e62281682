//! The scheme when none is named: the same for `fit`, `path`, `evaluate`, `compare`, the page and Python.

use super::Scheme;
use crate::error::Result;
use crate::schema::Task;

/// How trees are grown, and how they are pruned with `CV` for the number of folds: what `docs/which-tree.md` found by a rule that was fixed before
/// its run.
const fn parts(task: Task) -> (&'static str, &'static str) {
    match task {
        Task::Classification => ("cart:value-guard,leaf-values=shrink", "cost-complexity:cv=CV,of=gini"),
        Task::Regression => ("cart:value-guard,leaf-values=shrink", "cost-complexity:cv=CV,se=0.25"),
    }
}

impl Scheme {
    /// Returns the default scheme for a task and this many rows. Its tree size is chosen by cross-validation along a pruning path, so that
    /// fitting it and showing its path tell the same. A table of fewer than ten rows has a fold for every row, and a single row is not pruned.
    ///
    /// ```
    /// use secateur::Scheme;
    /// use secateur::schema::Task;
    /// let classes = Scheme::default_for(Task::Classification, 150)?;
    /// assert_eq!(classes.to_string(), "cart:value-guard,leaf-values=shrink/cost-complexity:cv=10,of=gini");
    /// let numbers = Scheme::default_for(Task::Regression, 150)?;
    /// assert_eq!(numbers.to_string(), "cart:value-guard,leaf-values=shrink/cost-complexity:cv=10,se=0.25");
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn default_for(task: Task, rows: usize) -> Result<Self> {
        let (learner, pruner) = parts(task);
        match rows {
            0 | 1 => format!("{learner}/cost-complexity:alpha=0").parse(),
            _ => format!("{learner}/{}", pruner.replace("CV", &rows.min(10).to_string())).parse(),
        }
    }
}
