//! Tables larger than memory: coded once, then grown from pass by pass.
//!
//! Those who hold the rows ([`Workers`]) are files on this machine ([`Files`]) or the machines of a cluster; what is asked of them is the same. Rows are
//! read as often as it takes to decide how they are coded (twice or three times), coded to about a byte for each cell, and kept so: here in a
//! [scratch folder](crate::write::Scratch). From then on the coded rows are counted, once for every level of the tree. A node whose rows fit
//! into the budget is taken into memory and finished there.

mod budget;
mod cache;
mod decide;
mod files;
mod fitting;
mod held;
mod workers;

pub use budget::{Memory, Shares};
pub use files::Files;
pub use fitting::{StreamFit, Streamed, fit_file, fit_with, larger_table, larger_than, plan_streamed};
pub use workers::Workers;
