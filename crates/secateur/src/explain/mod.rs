//! What would have to be different: the nearest change of a row that gives another answer.
//!
//! Fewest attributes first, then the shortest distance. The distance of a change is Gower's (1971): a number counts by how far
//! it moves as a share of the attribute's range, another value of a list counts 1, and so does a value in the place of a missing
//! one.

mod nearest;
mod spread;

pub use nearest::{Change, NearestChange, nearest_change};
pub use spread::Ranges;
