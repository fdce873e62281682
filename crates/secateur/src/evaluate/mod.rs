//! Experiments: protocols, measures, a runner that can be interrupted, and the statistics of comparisons.

pub mod comparison;
pub mod measures;
mod protocol;
mod record;
mod runner;
pub mod statistics;

pub use protocol::{FoldOrder, Protocol, Split, shi_folds};
pub use record::Record;
pub use runner::{DataSet, Experiment, Load, Named};
