//! The tree: an ordered arena of nodes, the one routing function, and what is read off a tree.

mod answers;
mod arena;
mod condition;
mod conformal;
mod counts;
mod decision;
mod errors;
mod importance;
mod leaf_values;
mod limits;
mod model;
mod node_ref;
mod node_values;
mod parts;
mod prior_counts;
mod rows;
mod share_out;
mod spread;
#[cfg(test)]
pub(crate) mod testing;
mod validate;

pub(crate) use answers::NodeAnswers;
pub use arena::{Node, NodeId, Stats, Tree};
pub use condition::{Condition, Side, Subsets};
pub use conformal::{Conformal, Reach};
pub use decision::DecisionStep;
pub use leaf_values::LeafValues;
pub use model::{Labels, Model, ModelInfo, Size, Unknown};
pub use node_ref::{Descendants, NodeRef};
pub use prior_counts::KNorm;
pub(crate) use share_out::share_out;
pub(crate) use spread::Spreads;
