//! From records to tables: means, marks of tests against a base scheme, ranks over data sets.
//!
//! A [`Sheet`] holds one measure of all schemes on all data sets. [`Sheet::against`] tests every scheme against a base and
//! gives a [`Comparison`], from which the grids of a report are made ([`table`], [`one_dataset`], [`list`]).
//!
//! ```
//! use secateur::data::{CodedTable, Roles, builtin};
//! use secateur::evaluate::comparison::{Heads, Sheet, Test, table};
//! use secateur::evaluate::measures::Measure;
//! use secateur::evaluate::{DataSet, Details, Experiment, Named, Protocol};
//! use secateur::fit::FitOptions;
//!
//! let coded = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
//! let experiment = Experiment {
//!     datasets: vec![DataSet::ready("iris", coded, FitOptions::default())],
//!     schemes: vec![Named::plain("cart".parse()?), Named::plain("cart:max-leaves=2".parse()?)],
//!     protocol: Protocol::Cv { folds: 5, repeats: 1, order: Default::default() },
//!     shares: vec![1.0],
//!     seed: 1,
//!     sharing: true,
//!     all_parts: false,
//!     details: Details::default(),
//! };
//! let records = experiment.run(None, &secateur::progress::Silent)?;
//! let sheet = Sheet::of(&records, Measure::of("accuracy")?);
//! let comparison = sheet.against("cart", &Test::default())?;
//! // A tree of two leaves knows two of three classes.
//! assert_eq!(comparison.counts[1].to_string(), "0/0/1");
//! println!("{}", table(&comparison, Heads::Names).render(Default::default(), &Default::default()));
//! # Ok::<(), secateur::Error>(())
//! ```

mod difference;
mod grids;
mod overall;
mod pictures;
mod sheet;

pub use difference::{Difference, Test, TestKind};
pub use grids::{Heads, heading, key, list, one_dataset, shown, table};
pub use overall::{Overall, Versus};
pub use pictures::{overview, ranks_picture, size_picture};
pub use sheet::{Comparison, Failed, Sheet, Summary, failures};

#[cfg(test)]
mod tests;
