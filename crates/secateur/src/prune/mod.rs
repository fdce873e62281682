//! Pruning: which nodes of a grown tree become leaves.

pub mod cutting;
pub mod early_stop;
pub mod intermediate;
pub mod reduced_error;
pub mod routed;
pub(crate) mod sending;
