//! Suites: many schemes on all tables of a folder, the rule by which one of them becomes the default, and the page that reports it.
//!
//! A [`Suite`] is a TOML file: how rows are divided, which schemes take part, and which tables beside those of the folder. Tables
//! with classes and tables with numbers are two [contests](Contest). [`run`] runs everything, a result file to a table, and gives the
//! [`Results`] of each contest; [`rule`] picks the default; [`page`] writes what came out.

mod contest;
mod file;
mod kinds;
pub mod page;
pub mod rule;
mod running;
mod table;

pub use contest::{Averages, Results};
pub use file::{Contest, Suite, find, load_file};
pub use kinds::{KINDS, TableKind};
pub use running::{Ran, run};
pub use table::{Facts, files_of};
