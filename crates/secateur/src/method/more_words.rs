//! Words of a choice that are added while the program runs.

use std::sync::{PoisonError, RwLock};

use super::Choice;

/// See the module's description.
#[derive(Debug)]
pub struct MoreWords(RwLock<Vec<Choice>>);

impl MoreWords {
    /// No words yet.
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(Vec::new()))
    }

    /// One more word.
    pub(crate) fn add(&self, choice: Choice) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(choice);
    }

    /// The words, in the order in which they came.
    pub(super) fn all(&self) -> Vec<Choice> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl PartialEq for MoreWords {
    /// Whether both are the same list.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Whether schemes can hold a name: letters, digits and hyphens.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}
