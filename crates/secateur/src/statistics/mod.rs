//! Tests, intervals and ranks for comparing methods.
//!
//! | question | answer |
//! |---|---|
//! | two schemes, one data set, resampled | [`corrected_t`], [`paired_t`], [`one_sided_t`] |
//! | two schemes, one test set | [`mcnemar`](fn@mcnemar), [`proportions`](fn@proportions) |
//! | two schemes, many data sets | [`wilcoxon`](fn@wilcoxon) |
//! | many schemes, many data sets | [`friedman`](fn@friedman), then [`nemenyi`](fn@nemenyi) or [`against_control`] |
//! | how much? | [`cohens_d`], [`cliffs_delta`], [`mean_interval`], [`corrected_interval`], [`wilson_interval`] |
//! | larger, same or smaller? | [`Mark`], [`Marks`] |
//! | are probabilities honest? | [`Calibration`] |
//! | how far around a prediction? | [`Scores`] |
//!
//! All are pure functions of numbers. A difference is always the first minus the second. What cannot be computed (too
//! few values, a level outside 0 to 1, a value that is not finite) is an [`Error`](crate::error::Error).

mod calibration;
mod checks;
mod conformal;
pub(crate) mod distributions;
pub(crate) mod incomplete_beta;

mod effect;
pub mod friedman;
pub mod holm;
mod interval;
mod mark;
pub mod mcnemar;
pub mod nemenyi;
pub mod proportions;
pub mod ranks;
pub mod studentized_range;
mod t_test;
pub mod wilcoxon;

pub use calibration::{Calibration, CalibrationBin};
pub use conformal::Scores;
pub use effect::{cliffs_delta, cohens_d};
pub use friedman::{Friedman, friedman};
pub use holm::{Versus, against_control, holm};
pub use interval::{Interval, binomial_band, corrected_interval, mean_interval, wilson_interval};
pub use mark::{Mark, Marks};
pub use mcnemar::{McNemar, mcnemar};
pub use nemenyi::{nemenyi, nemenyi_critical_difference};
pub use proportions::{ZTest, pooled_proportions, proportions};
pub use ranks::ranks;
pub use t_test::{TTest, Tail, corrected_t, one_sided_t, paired_t};
pub use wilcoxon::{Wilcoxon, Zeros, wilcoxon};

#[cfg(test)]
mod conformance_tests;
#[cfg(test)]
mod error_rate_tests;
