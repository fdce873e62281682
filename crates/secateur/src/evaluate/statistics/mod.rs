//! Tests, intervals and ranks for comparing methods.

mod checks;
mod distributions;
mod incomplete_beta;

pub mod effect;
pub mod interval;
pub mod mark;
pub mod mcnemar;
pub mod proportions;
pub mod t_test;

pub use effect::{cliffs_delta, cohens_d};
pub use interval::{Interval, corrected_interval, mean_interval, wilson_interval};
pub use mark::{Mark, Marks};
pub use mcnemar::{McNemar, mcnemar};
pub use proportions::{ZTest, pooled_proportions, proportions};
pub use t_test::{TTest, Tail, corrected_t, one_sided_t, paired_t};
