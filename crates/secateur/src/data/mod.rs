//! Tables: what a file on disk becomes.

pub mod builtin;
mod table;

pub use table::{Column, MISSING, Nominal, Table, Values};
