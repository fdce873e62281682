//! Schemes against each other on tables that Python holds.

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use secateur::evaluate::measures::{MEASURES, Measure};
use secateur::evaluate::{DataSet, Details, Experiment, FoldOrder, Named, Protocol, Record};
use secateur::scheme::Scheme;
use secateur::statistics::{Mark, corrected_t};

use crate::columns::Columns;
use crate::failure::exception;
use crate::fitting::{TrainingData, folds_of_rows};
use crate::work;

/// Runs all schemes on a table by repeated cross-validation, or with the fold of every row that is given. Gives one entry for every
/// scheme, with the numbers of every fold by measure, and how the scheme compares with the first one by the corrected resampled t test.
#[pyfunction]
#[pyo3(signature = (name, columns, target, schemes, *, measure, weights=None, costs=None, given=None, folds=10, repeats=1, level=0.05, seed=1, threads=1, listener=None))]
#[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
pub fn compare<'py>(
    py: Python<'py>,
    name: &str,
    columns: &Columns,
    target: &Columns,
    schemes: Vec<(String, String)>,
    measure: &str,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    costs: Option<Vec<f64>>,
    given: Option<Vec<i64>>,
    folds: usize,
    repeats: usize,
    level: f64,
    seed: u64,
    threads: usize,
    listener: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    Measure::of(measure).map_err(exception)?;
    let lesson = TrainingData::new(columns, target, weights, name)?.with(costs, None, seed);
    let (coded, options) = work::run(py, 1, None, |_| lesson.coded(None, None))?;
    let named = |(name, text): &(String, String)| {
        let scheme: Scheme = text.parse().map_err(exception)?;
        Ok(Named { name: name.clone(), ..Named::plain(scheme) })
    };
    let protocol = match given.map(folds_of_rows).transpose().map_err(exception)? {
        Some(folds) => Protocol::Given(folds),
        None => Protocol::Cv { folds, repeats, order: FoldOrder::default() },
    };
    let experiment = Experiment {
        datasets: vec![DataSet::ready(name, coded, options)],
        schemes: schemes.iter().map(named).collect::<PyResult<_>>()?,
        protocol,
        shares: vec![1.0],
        seed,
        sharing: true,
        all_parts: false,
        details: Details::default(),
    };
    let records = work::run(py, threads, listener.as_ref(), |progress| experiment.run(None, progress))?;
    let of = |scheme: &str| -> Vec<&Record> { records.iter().filter(|r| r.scheme == scheme).collect() };
    let told = PyList::empty(py);
    let first = of(&schemes[0].0);
    for (scheme, _) in &schemes {
        let mine = of(scheme);
        if let Some(problem) = mine.iter().find_map(|r| r.error.as_ref()) {
            return Err(PyValueError::new_err(format!("{scheme} on {name}: {problem}")));
        }
        told.append(entry(py, name, scheme, &mine, &first, measure, level)?)?;
    }
    Ok(told)
}

fn entry<'py>(
    py: Python<'py>,
    table: &str,
    scheme: &str,
    mine: &[&Record],
    first: &[&Record],
    measure: &str,
    level: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("table", table)?;
    entry.set_item("scheme", scheme)?;
    let numbers = PyDict::new(py);
    for Measure { id, .. } in MEASURES {
        let column: Vec<f64> = mine.iter().map(|r| r.get(id).unwrap_or(f64::NAN)).collect();
        if column.iter().any(|x| !x.is_nan()) {
            numbers.set_item(id, column)?;
        }
    }
    entry.set_item("numbers", numbers)?;
    let numbers =
        |records: &[&Record]| -> Option<Vec<f64>> { records.iter().map(|r| r.get(measure)).collect() };
    if scheme != first.first().map_or("", |r| r.scheme.as_str())
        && let (Some(mine_numbers), Some(first_numbers)) = (numbers(mine), numbers(first))
    {
        let differences: Vec<f64> = mine_numbers.iter().zip(&first_numbers).map(|(a, b)| a - b).collect();
        let (train, test): (usize, usize) =
            mine.iter().fold((0, 0), |(train, test), r| (train + r.train, test + r.test));
        let t = corrected_t(&differences, test as f64 / train as f64).map_err(exception)?;
        entry.set_item("p", t.p)?;
        entry.set_item("mark", Mark::of(t.mean, t.p, level, None).to_string())?;
    }
    Ok(entry)
}
