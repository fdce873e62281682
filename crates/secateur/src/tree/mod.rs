//! The tree: an ordered arena of nodes, the one routing function, and what is read off a tree.

mod answers;
mod arena;
mod condition;
mod model;
mod parts;
mod prior_counts;
mod share_out;
#[cfg(test)]
pub(crate) mod testing;
mod validate;

pub(crate) use answers::NodeAnswers;
pub use answers::Smoothing;
pub use arena::{Node, NodeId, Stats, Tree};
pub use condition::{Condition, Subsets};
pub use model::{Model, ModelInfo, Size, Unknown};
pub use prior_counts::KNorm;
pub(crate) use share_out::share_out;
