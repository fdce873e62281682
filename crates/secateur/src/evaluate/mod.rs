//! Experiments: protocols, measures, a runner that can be interrupted, and the statistics of comparisons.

mod baseline;
mod compare;
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

pub use crate::fit::Baseline;
pub use crate::fit::Validation;
pub use compare::{Compared, Cv, compare, compare_with};
pub use data_set::{DataSet, Load, fingerprint};
pub use journal::times_beside;
pub use measures::{Details, SetsAsked};
pub use protocol::{FoldOrder, Protocol, Split, shi_folds};
pub use record::Record;
pub use runner::{Experiment, Named};
