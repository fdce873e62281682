//! Sums of floating-point numbers that keep their digits.

mod double;
mod exact;
mod spread;
mod steps;

pub(crate) use double::Sum;
pub use exact::{ExactSum, Grid, mean};
pub(crate) use exact::{ROUNDER, power_above, quotient, two_product, unit_for};
pub(crate) use spread::Spread;
pub use steps::Steps;
