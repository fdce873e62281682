//! Published tables, run again: what was printed, how to run it, how near the answer comes and which conclusions hold.
//!
//! An [`Experiment`] is a small TOML file that names a published table, the schemes and the protocol behind it and the
//! conclusions drawn from it. [`catalogue`] knows the experiments that come with the program; [`published`] reads what was
//! printed; [`run`] runs it; [`agreement`] and [`conclusions`] hold measured numbers against what was printed.
//!
//! A [`suite`] is an experiment of this project's own: many schemes on all tables of a folder, and the page that reports it.

pub mod agreement;
pub mod catalogue;
mod checks;
pub mod conclusions;
pub mod data;
pub mod experiment;
mod facts;
mod marks;
pub mod plateau;
pub mod protocol;
pub mod published;
pub mod results;
mod rules;
mod running;
mod single_tree;
pub mod suite;
mod tables;
mod toml_file;
mod tuning;

pub use agreement::{Agreement, Grade, Judged, JudgedMark};
pub use checks::SUMMARY;
pub use conclusions::{Conclusion, Finding, Outcome, Rule, Verdict};
pub use experiment::Experiment;
pub use published::{Cell, Published};
pub use results::{Key, Results, Sign, Value};
pub use running::{Run, RunOptions, run, run_all};
