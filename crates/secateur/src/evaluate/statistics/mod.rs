//! Tests, intervals and ranks for comparing methods.

mod checks;
mod distributions;
mod incomplete_beta;

pub mod interval;
pub mod t_test;

pub use interval::{Interval, corrected_interval, mean_interval, wilson_interval};
pub use t_test::{TTest, Tail, corrected_t, one_sided_t, paired_t};
