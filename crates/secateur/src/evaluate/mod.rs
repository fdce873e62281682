//! Experiments: protocols, measures, a runner that can be interrupted, and the statistics of comparisons.

pub mod measures;
pub mod statistics;
