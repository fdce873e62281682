//! Pruning: which nodes of a grown tree become leaves.

pub mod binomial;
pub mod cutting;
pub mod early_stop;
pub mod error_based;
pub mod intermediate;
pub(crate) mod judging;
pub(crate) mod raising;
pub mod reduced_error;
pub mod routed;
pub(crate) mod sending;
pub mod size_pessimistic;
