//! Whether the counts of a tree are those of training rows. A tree of another program may come without: then rows, weights and class weights
//! only say what the nodes predict and how rows without a value are shared out.

use super::Tree;
use crate::error::{Error, Result};

impl Tree {
    /// The same tree as one whose counts are not those of training rows.
    ///
    /// ```
    /// # let table = secateur::data::builtin::load("iris")?;
    /// let tree = secateur::Fit::new(&table, "class").scheme("cart").model()?.tree.without_counts();
    /// assert!(!tree.has_counts());
    /// let error = tree.prune("mdl").unwrap_err();
    /// assert!(error.to_string().contains("counts of training rows"));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn without_counts(mut self) -> Self {
        self.has_counts = false;
        self
    }

    /// Whether rows, weights and class weights are those of training rows.
    pub fn has_counts(&self) -> bool {
        self.has_counts
    }

    /// An error where the counts of training rows are asked for and not known.
    pub(crate) fn need_counts(&self, what: impl std::fmt::Display) -> Result<()> {
        match self.has_counts {
            true => Ok(()),
            false => Err(Error::parameter(format!(
                "{what} needs the counts of training rows, which this tree does not have"
            ))),
        }
    }
}
