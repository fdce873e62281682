//! Splits: the best one of every column, and the best of those.

pub(crate) mod absolute;
mod choose;
pub(crate) mod column;
mod component;
mod divided;
mod eigen;
mod histogram;
pub(crate) mod moments;
mod node_count;
pub(crate) mod nominal;
pub(crate) mod packed_rows;
pub(crate) mod peak;
mod place;
pub(crate) mod rounding;
pub(crate) mod row_counts;
mod rules;
mod size;
mod tally;
pub(crate) mod threshold;
mod view;

pub use absolute::median;
pub(crate) use choose::{Candidate, How, Race, choose, eligible};
pub use component::{principal_order, principal_scores};
pub(crate) use divided::{Beside, Divided};
pub use histogram::Histogram;
pub(crate) use histogram::add as add_tally;
pub use moments::{Frame, Span, Terms};
pub use node_count::NodeCount;
pub(crate) use place::middle;
pub(crate) use rules::Rules;
pub(crate) use size::Sizes;
pub(crate) use tally::Targets;
pub use tally::{NumberTally, Tally};
pub(crate) use view::View;
