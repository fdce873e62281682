//! Tables: what a file on disk becomes.

pub mod read;
mod table;

pub use read::{Format, ReadOptions, read, read_bytes};
pub use table::{Column, MISSING, Nominal, Table, Values};
