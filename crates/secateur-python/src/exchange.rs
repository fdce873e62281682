//! Trees for other software, and trees from it.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use secateur_exchange::export::{self, FORMATS, Options};
use secateur_exchange::import::{self, Source};

use crate::failure::exception;
use crate::model::Model;

/// A model in a format, and what its reader should know.
#[pyfunction]
pub fn export_model<'py>(
    py: Python<'py>,
    model: &Model,
    format: &str,
    options: Vec<(String, String)>,
) -> PyResult<(Bound<'py, PyBytes>, Vec<String>)> {
    let format = export::find(format).map_err(exception)?;
    let options = Options::new(format, options).map_err(exception)?;
    let written = py.detach(|| export::export(model.saved(), format, &options, None)).map_err(exception)?;
    Ok((PyBytes::new(py, &written.bytes), written.notes))
}

/// The names of all formats.
#[pyfunction]
pub fn export_formats() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.id).collect()
}

/// A tree of another program, and what its reader should know.
#[pyfunction]
#[pyo3(signature = (text, name, form=None, target=None))]
pub fn import_model(
    py: Python<'_>,
    text: &str,
    name: &str,
    form: Option<&str>,
    target: Option<&str>,
) -> PyResult<(Model, Vec<String>)> {
    let form = form.map(import::find).transpose().map_err(exception)?;
    let source = Source { text, target, table: None };
    let imported = py.detach(|| import::import(name, &source, form)).map_err(exception)?;
    Ok((Model::of(imported.model), imported.notes))
}
