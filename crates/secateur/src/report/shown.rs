//! Trees and models print as text.

use std::fmt;

use super::{TextOptions, text};
use crate::tree::{Model, Tree};

/// The tree as [`text`], large ones shortened.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text(self, TextOptions::default()).fmt(f)
    }
}

/// The tree as [`text`], large ones shortened.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(f)
    }
}
