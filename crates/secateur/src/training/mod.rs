//! The rows to learn from and their parts (folds, held-out rows), the trees grown from them, and the errors measured on them.

mod average;
mod by_others;
mod curve;
mod estimate;
mod fit_options;
mod folds;
mod grown;
mod priors;
mod tree_cache;

pub use average::{Average, FoldLosses};
pub use by_others::judged_by_others;
pub use curve::Curve;
pub use estimate::Estimate;
pub use fit_options::FitOptions;
pub(crate) use folds::shuffle;
pub use folds::{Folds, held_out};
pub use grown::Grown;
pub use tree_cache::TreeCache;
