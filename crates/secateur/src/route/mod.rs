//! Rows sent down a tree: what reaches every node, and what every pruned tree loses on it.

mod apart;
mod losses;
#[cfg(test)]
mod no_weight_tests;
mod routed;
mod send;

pub(crate) use apart::{Answers, State, States};
pub use losses::Loss;
pub(crate) use losses::{LEAST_PROBABILITY, losses};
pub(crate) use routed::NodeTallies;
pub use routed::Routed;
pub(crate) use routed::{add, add_up, rows_for, squared_losses};
pub(crate) use send::{Arrived, RowShare, Shares, send, send_or_keep};
