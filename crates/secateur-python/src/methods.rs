//! The table of methods, and the data sets that ship with the library.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use secateur::method::ParamKind;
use secateur::schema::Task;
use secateur::scheme::{LEARNERS, MethodInfo, Scheme, pruners};

use crate::columns::Columns;
use crate::failure::exception;

/// The kind of an option: a number, a whole one, one of its words, or a flag.
fn kind(kind: &ParamKind) -> &'static str {
    match kind {
        ParamKind::Number { .. } => "number",
        ParamKind::Integer { .. } => "whole",
        ParamKind::Choice(_) | ParamKind::OpenChoice(..) => "word",
        ParamKind::Flag => "flag",
    }
}

fn described<'py>(py: Python<'py>, info: &MethodInfo) -> PyResult<Bound<'py, PyDict>> {
    let method = PyDict::new(py);
    method.set_item("id", info.id)?;
    method.set_item("one_line", info.one_line)?;
    method.set_item("paper", info.paper)?;
    let options = PyList::empty(py);
    for param in info.params {
        let option = PyDict::new(py);
        option.set_item("name", param.name)?;
        option.set_item("help", param.help)?;
        option.set_item("default", param.default_for(Task::Classification))?;
        option.set_item("default_regression", param.default_for(Task::Regression))?;
        option.set_item("kind", kind(&param.kind))?;
        option.set_item("words", param.kind.words())?;
        options.append(option)?;
    }
    method.set_item("options", options)?;
    Ok(method)
}

/// All learners and all pruners, with their options.
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<(Bound<'_, PyList>, Bound<'_, PyList>)> {
    let (all, cuts) = (PyList::empty(py), PyList::empty(py));
    for info in LEARNERS {
        all.append(described(py, info)?)?;
    }
    for info in pruners() {
        cuts.append(described(py, info)?)?;
    }
    Ok((all, cuts))
}

/// The task, of which Python says whether numbers are predicted.
fn task(regression: &Bound<'_, PyAny>) -> PyResult<Task> {
    Ok(if regression.extract()? { Task::Regression } else { Task::Classification })
}

/// The canonical form of a scheme, checked for classes or for numbers.
#[pyfunction]
pub fn check_scheme(scheme: &str, #[pyo3(from_py_with = task)] regression: Task) -> PyResult<String> {
    let scheme: Scheme = scheme.parse().map_err(exception)?;
    scheme.check(regression).map_err(exception)?;
    Ok(scheme.to_string())
}

/// The scheme for a target and this many rows when none is named.
#[pyfunction]
pub fn default_scheme(#[pyo3(from_py_with = task)] regression: Task, rows: usize) -> PyResult<String> {
    Scheme::default_for(regression, rows).map(|scheme| scheme.to_string()).map_err(exception)
}

/// The columns of a built-in data set, with their names.
#[pyfunction]
pub fn builtin(name: &str) -> PyResult<(Vec<String>, Columns)> {
    let table = secateur::data::builtin::load(name).map_err(exception)?;
    let columns = Columns::default();
    let names = table.columns().iter().map(|column| column.name.clone()).collect();
    table.into_columns().into_iter().for_each(|column| columns.add(column));
    Ok((names, columns))
}
