//! What is drawn: a [`tree`], the curve of a path, ranks with their critical difference, error against size, probabilities
//! against what happened.
//!
//! Each function gives a [`Drawing`](crate::drawing::Drawing), whose size follows from what it shows: texts are measured, and nothing is painted
//! over something else. Colour is never the only sign.

mod curve;
mod node;
mod ranks;
mod reliability;
mod scale;
mod scatter;
mod tree;
#[cfg(test)]
mod tree_tests;

pub use curve::{CurveOptions, curve};
pub use ranks::{cliques, ranks};
pub use reliability::{ReliabilityPanel, reliability};
pub use scatter::{Scattered, scatter};
pub use tree::{TreeOptions, TreePicture, tree};
