//! Experiments: protocols, measures, a runner that can be interrupted, and the statistics of comparisons.

pub mod comparison;
mod data_set;
mod header;
mod journal;
pub mod measures;
mod protocol;
mod record;
mod runner;
mod sealed;
mod unit;
mod workers;

pub use data_set::{DataSet, Load, fingerprint};
pub use journal::times_beside;
pub use protocol::{FoldOrder, Protocol, Split, shi_folds};
pub use record::Record;
pub use runner::{Experiment, Named};
