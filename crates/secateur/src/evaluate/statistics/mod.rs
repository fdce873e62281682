//! Tests, intervals and ranks for comparing methods.

mod checks;
mod distributions;
mod incomplete_beta;

pub mod effect;
pub mod friedman;
pub mod holm;
pub mod interval;
pub mod mark;
pub mod mcnemar;
pub mod nemenyi;
pub mod proportions;
pub mod ranks;
pub mod studentized_range;
pub mod t_test;
pub mod wilcoxon;

pub use effect::{cliffs_delta, cohens_d};
pub use friedman::{Friedman, friedman};
pub use holm::{Versus, against_control, holm};
pub use interval::{Interval, corrected_interval, mean_interval, wilson_interval};
pub use mark::{Mark, Marks};
pub use mcnemar::{McNemar, mcnemar};
pub use nemenyi::{nemenyi, nemenyi_critical_difference};
pub use proportions::{ZTest, pooled_proportions, proportions};
pub use ranks::ranks;
pub use t_test::{TTest, Tail, corrected_t, one_sided_t, paired_t};
pub use wilcoxon::{Wilcoxon, Zeros, wilcoxon};

#[cfg(test)]
mod error_rate_tests;
