//! The tree: an ordered arena of nodes, the one routing function, and what is read off a tree.

mod arena;
mod condition;
mod schema;

pub use arena::{Node, NodeId, Stats, Tree};
pub use condition::{Cell, Condition, Side};
pub use schema::{Attribute, Kind, Schema, Target};
