//! Pruning.

pub mod k_norm;
