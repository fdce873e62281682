//! Tables: what a file on disk becomes.

mod table;

pub use table::{Column, MISSING, Nominal, Table, Values};
