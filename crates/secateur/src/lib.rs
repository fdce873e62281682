//! Secateur grows decision trees that can be read, trusted and defended.
//!
//! The way of the data: a file is read into a [`data::Table`], its columns are coded to dense
//! ranks once, a grower turns the coded table into a [`tree::Tree`], and everything after that
//! (prediction, text, rules, the saved model) reads the tree.

pub mod criterion;
pub mod data;
pub mod drawing;
pub mod error;
pub mod evaluate;
pub mod explain;
pub mod fit;
pub mod grow;
pub mod layout;
pub mod memory;
pub mod method;
pub mod page;
pub mod picture;
pub mod predict;
pub mod progress;
pub mod prune;
#[cfg(feature = "parquet")]
mod quiet;
pub mod report;
pub mod route;
pub mod schema;
pub mod scheme;
pub mod select;
mod simd;
pub mod spec;
pub mod split;
pub mod statistics;
pub mod sums;
pub mod threads;
pub mod training;
pub mod tree;
pub mod write;

pub use error::{Error, Place, Result};

/// The example of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
