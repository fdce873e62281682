//! The short way to compare schemes: one table, the schemes by name, and how its rows are divided.

use std::fmt;

use super::comparison::{Difference, Sheet, Summary, Test, one_dataset};
use super::measures::Measure;
use super::{DataSet, Details, Experiment, FoldOrder, Named, Protocol, Record};
use crate::data::{CodedTable, Roles, Table};
use crate::error::{Error, Name, Result};
use crate::progress::{Progress, Silent};
use crate::schema::Task;
use crate::scheme::Scheme;
use crate::training::FitOptions;

/// Cross-validation with this many folds: `Cv(10)`, or `Cv(10).repeats(2)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cv(pub usize);

impl Cv {
    /// The same, done this many times with other folds.
    pub fn repeats(self, repeats: usize) -> Protocol {
        Protocol::Cv { folds: self.0, repeats, order: FoldOrder::Stratified }
    }
}

impl From<Cv> for Protocol {
    fn from(cv: Cv) -> Self {
        cv.repeats(1)
    }
}

/// Runs schemes on the same divisions of a table's rows, on all threads.
///
/// ```
/// use secateur::evaluate::{Cv, compare};
///
/// let table = secateur::data::builtin::load("iris")?;
/// let compared = compare(&table, "class", ["cart", "cart:max-leaves=2"], Cv(10).repeats(2))?;
/// println!("{compared}");
/// // A tree of two leaves knows two of three classes.
/// let difference = compared.test("accuracy", 1, 0, &Default::default())?;
/// assert!(difference.difference < Some(-0.2) && difference.p < Some(0.001));
/// # Ok::<(), secateur::Error>(())
/// ```
///
/// # Errors
/// When the table has no such column, a scheme cannot be read or is not made for the target, or the rows cannot be divided that way.
pub fn compare<S: TryInto<Scheme, Error: Into<Error>>>(
    table: &Table,
    target: &str,
    schemes: impl IntoIterator<Item = S>,
    protocol: impl Into<Protocol>,
) -> Result<Compared> {
    let roles = Roles { target: Some(target.into()), ..Roles::default() };
    compare_with(table, &roles, schemes, protocol, &FitOptions::default(), &Silent)
}

/// The same with roles of columns, options of the fits (their seed is that of the divisions, too), and somebody who watches.
///
/// # Errors
/// See [`compare`].
pub fn compare_with<S: TryInto<Scheme, Error: Into<Error>>>(
    table: &Table,
    roles: &Roles,
    schemes: impl IntoIterator<Item = S>,
    protocol: impl Into<Protocol>,
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<Compared> {
    let coded = CodedTable::new(table, roles)?;
    let named = |scheme: S| {
        let scheme = scheme.try_into().map_err(Into::into)?;
        scheme.check(coded.task())?;
        Ok(Named::plain(scheme))
    };
    let schemes = schemes.into_iter().map(named).collect::<Result<Vec<_>>>()?;
    let (task, names) = (coded.task(), schemes.iter().map(|scheme| scheme.name.clone()).collect());
    let experiment = Experiment {
        datasets: vec![DataSet::ready(table.name(), coded, options.clone())],
        schemes,
        protocol: protocol.into(),
        shares: vec![1.0],
        seed: options.seed,
        sharing: true,
        all_parts: false,
        details: Details::default(),
    };
    Ok(Compared { task, names, records: experiment.run(None, progress)? })
}

/// What schemes came to on the same divisions of one table. It prints as a table of accuracy (or squared error) and nodes, with
/// marks where a scheme differs from the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    task: Task,
    names: Vec<String>,
    records: Vec<Record>,
}

impl Compared {
    /// The schemes, in the order in which they were given, as they are printed.
    pub fn schemes(&self) -> &[String] {
        &self.names
    }

    /// The result of every scheme on every division.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// A scheme by its place, on a sheet.
    fn place(&self, scheme: usize) -> Result<usize> {
        let count = self.names.len();
        let problem = || format!("there is no scheme {scheme}; {count} were compared, counted from 0");
        (scheme < count)
            .then_some(scheme)
            .ok_or_else(|| Error::unknown(Name::Scheme, &scheme.to_string(), problem()))
    }

    /// Mean, deviation and all values of a measure of one scheme, by its place from 0.
    ///
    /// # Errors
    /// When there is no such measure or scheme.
    pub fn summary(&self, measure: &str, scheme: usize) -> Result<Summary> {
        let sheet = Sheet::of(&self.records, Measure::of(measure)?);
        Ok(sheet.cell(0, self.place(scheme)?, 0).clone())
    }

    /// How a scheme differs from another in a measure, and how sure that is; both by their places from 0. The difference is the
    /// first minus the second.
    ///
    /// # Errors
    /// When there is no such measure or scheme, or the test does not fit the measure.
    pub fn test(&self, measure: &str, scheme: usize, other: usize, test: &Test) -> Result<Difference> {
        test.check()?;
        let sheet = Sheet::of(&self.records, Measure::of(measure)?);
        sheet.difference(0, self.place(scheme)?, self.place(other)?, 0, test)
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measures = match self.task {
            Task::Classification => ["accuracy", "nodes"],
            Task::Regression => ["mse", "nodes"],
        };
        let sheets: Vec<Sheet> =
            measures.iter().filter_map(|id| Some(Sheet::of(&self.records, Measure::of(id).ok()?))).collect();
        let test = Test::default();
        let against = |sheet| Sheet::against(sheet, self.names.first()?, &test).ok();
        let comparisons: Vec<_> = sheets.iter().filter_map(against).collect();
        let grid = one_dataset(&comparisons, 0, 0);
        f.write_str(&grid.render(Default::default(), &Default::default()))
    }
}
