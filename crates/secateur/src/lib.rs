//! Secateur grows decision trees that can be read, trusted and defended.
//!
//! # Five recipes
//!
//! **A table in memory, a tree, one row.** [`fit`](fn@fit) grows a tree, chooses how far to prune it by cross-validation, and gives a
//! [`Model`] that prints, predicts and saves itself.
//!
//! ```
//! use secateur::prelude::*;
//!
//! let table = Table::builder()
//!     .numeric("age", [23, 35, 61, 48, 29, 55, 42, 38])
//!     .text("city", ["Lima", "Oslo", "Lima", "Oslo", "Lima", "Oslo", "Oslo", "Lima"])
//!     .text("buys", ["no", "yes", "no", "yes", "no", "yes", "yes", "no"])
//!     .build()?;
//! let model = secateur::fit(&table, "buys")?;
//! println!("{model}");
//! let said = model.predict_row(row! { "age" => 55.0, "city" => "Oslo" })?;
//! assert_eq!(said.label()?, "yes");
//! # let folder = std::env::temp_dir().join(format!("secateur-front-page-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let path = folder.join("model.json");
//! model.save(&path)?;
//! assert_eq!(Model::load(&path)?, model);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), Error>(())
//! ```
//!
//! **Another way to learn.** A [`Fit`] takes a [`Scheme`] (learner, pruner and their options in one text), what mistakes cost, how
//! common classes really are, and more.
//!
//! ```
//! use secateur::prelude::*;
//!
//! // or Table::read("credit.csv")?
//! let table = secateur::data::builtin::load("credit?n=400")?;
//! let report = Fit::new(&table, "class")
//!     .scheme("c45/error-based:cv=5,1se")
//!     .cost("bad", "good", 5.0) // a bad risk called good costs 5, the other mistake 1
//!     .prior("good", 0.9)
//!     .report()?;
//! println!("{}", report.model);
//! let estimate = report.estimate.expect("cross-validation measures it");
//! println!("mean cost on new rows: {:.2} ± {:.2}", estimate.error, estimate.se);
//! # Ok::<(), Error>(())
//! ```
//!
//! **Grow once, prune many times.** A [`Tree`] is cut without its rows, by text or by [typed options](pruners); a [`TreePath`] has
//! all its sizes.
//!
//! ```
//! use secateur::prelude::*;
//!
//! let table = secateur::data::builtin::load("iris")?;
//! let full = Fit::new(&table, "class").scheme("cart").model()?.tree;
//! let small = full.prune(&pruners::KNorm::new().k(3.0))?;
//! assert_eq!(small, full.prune("k-norm:k=3")?);
//! let path = full.path(&pruners::CostComplexity::new())?;
//! if let Some(three) = path.iter().position(|member| member.leaves == 3) {
//!     println!("{}", path.tree(three)?);
//! }
//! # Ok::<(), Error>(())
//! ```
//!
//! **Which scheme is better, and is that chance?** [`compare`] gives every scheme the same divisions of the rows.
//!
//! ```
//! use secateur::prelude::*;
//!
//! let table = secateur::data::builtin::load("credit?n=300")?;
//! let schemes = ["cart/mdl", "c45/error-based"];
//! let compared = compare(&table, "class", schemes, Cv(10).repeats(2))?;
//! println!("{compared}");
//! let found = compared.test("accuracy", 1, 0, &Default::default())?;
//! println!("p = {:?}", found.p);
//! # Ok::<(), Error>(())
//! ```
//!
//! **Errors say what to do, and can be matched.**
//!
//! ```
//! use secateur::error::Name;
//! use secateur::prelude::*;
//!
//! let table = secateur::data::builtin::load("iris")?;
//! match secateur::fit(&table, "clas") {
//!     Err(Error::Unknown { what: Name::Column, name, .. }) => {
//!         println!("no column {name}");
//!     }
//!     Err(other) => println!("{other}"),
//!     Ok(model) => println!("{model}"),
//! }
//! # Ok::<(), Error>(())
//! ```
//!
//! # What matters
//!
//! | | |
//! |---|---|
//! | [`Table`] | rows in memory: built, read from a file, or from an Arrow batch |
//! | [`fit`](fn@fit), [`Fit`] | from a table to a model, in short or with everything said |
//! | [`Model`] | a tree with its history: prints, predicts, saves |
//! | [`Tree`] | the tree itself: walk, cut, ask |
//! | [`TreePath`] | everything a tree can be cut to |
//! | [`Scheme`], [`pruners`] | how to learn, as text or by types |
//! | [`row!`], [`Row`], [`Prediction`] | one row, and what a tree says about it |
//! | [`compare`], [`Cv`] | schemes against each other |
//! | [`Progress`] | watches long work, and stops it |
//! | [`Error`] | what can go wrong |
//!
//! The modules below hold the rest, in the order of the work: a file is read into a [`Table`], its columns are coded to dense ranks
//! once, a grower turns the coded table into a [`Tree`], a pruner says when each node falls, and everything after that (prediction,
//! text, rules, the saved model) reads the tree.

#![warn(unreachable_pub)]

// Rooms that are hidden from the documentation are reached into by the program, the published tables and the Python package; the
// library does not promise them to anyone else.
pub mod criterion;
pub mod data;
pub mod drawing;
pub mod error;
pub mod evaluate;
pub mod explain;
pub mod fit;
#[doc(hidden)]
pub mod grow;
#[doc(hidden)]
pub mod layout;
#[doc(hidden)]
pub mod memory;
pub mod method;
pub mod page;
pub mod picture;
pub mod predict;
pub mod prelude;
pub mod progress;
pub mod prune;
#[cfg(feature = "parquet")]
mod quiet;
pub mod report;
#[doc(hidden)]
pub mod route;
pub mod schema;
pub mod scheme;
pub mod select;
#[doc(hidden)]
pub mod shard;
mod simd;
#[doc(hidden)]
pub mod spec;
#[doc(hidden)]
pub mod split;
pub mod statistics;
pub mod stream;
#[doc(hidden)]
pub mod sums;
#[doc(hidden)]
pub mod threads;
#[doc(hidden)]
pub mod training;
pub mod tree;
#[doc(hidden)]
pub mod write;

pub use data::Table;
pub use error::{Error, Result};
pub use evaluate::{Cv, compare};
pub use fit::{Fit, TreePath, fit_table as fit};
pub use predict::{Prediction, Row};
pub use progress::Progress;
#[doc(inline)]
pub use prune::options as pruners;
pub use scheme::Scheme;
pub use tree::{Model, Tree};

/// The example of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
