//! The tree: an ordered arena of nodes, the one routing function, and what is read off a tree.

mod arena;
mod bind;
mod class_names;
mod condition;
mod costs;
pub(crate) mod flat;
mod model;
mod parts;
mod predict;
mod prior_counts;
mod priors;
mod schema;
mod score;
mod slots;
#[cfg(test)]
pub(crate) mod testing;
mod validate;

pub(crate) use arena::decide;
pub use arena::{Node, NodeId, Stats, Tree};
pub use bind::Unseen;
pub use condition::{Cell, Condition, Subsets};
pub use costs::{CostEntry, Costs};
pub use model::{Model, ModelInfo, Size, Unknown};
pub use predict::{Predictions, Predictor, Smoothing};
pub use prior_counts::KNorm;
pub use priors::Priors;
pub use schema::{Attribute, Kind, Schema, Target};
pub use score::Score;
