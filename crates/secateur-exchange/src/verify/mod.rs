//! Proof that an exported tree answers as the tree itself: it is run in its real consumer, row by row.

mod consumer;
mod databases;
mod edges;
mod expected;
mod gcc;
mod node;
mod postgresql;
mod protocol;
mod python;
mod rows;
mod rustc;
mod tools;

pub use consumer::{Answers, Consumer, Tool, Trial};
pub(crate) use databases::{DUCKDB, SQLITE};
pub(crate) use gcc::GCC;
pub(crate) use node::NODE;
pub(crate) use postgresql::POSTGRESQL;
pub(crate) use python::{JPMML, ONNXRUNTIME, PYPMML, PYTHON, RULES, SCIKIT_LEARN, SHAP, TREELITE};
pub use rows::{Column, Rows};
pub(crate) use rustc::RUSTC;

use std::fmt;

use secateur::Error;
use secateur::data::Table;
use secateur::tree::Model;
use serde::Serialize;

use crate::export::{Format, Options, Written};

/// Why nothing was proven.
#[derive(Debug)]
pub enum Failure {
    /// No program is installed that reads the format; the text says which would and how to get it.
    Missing(String),
    /// The consumer ran and failed.
    Failed(String),
    /// The answers differ.
    Differs(Box<Report>),
    /// The call or the data are wrong.
    Library(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(text) | Self::Failed(text) => f.write_str(text),
            Self::Differs(report) => write!(f, "{report}"),
            Self::Library(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Failure {}

/// What a run in the consumer has shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The rows that were answered.
    pub rows: usize,
    /// Those of them that were made for the edges of the tree: beside thresholds, missing, unseen.
    pub edge_rows: usize,
    /// Rows that the tree shares among branches, in a format that sends them down the heaviest one: they were compared with the answer of that leaf.
    pub to_heaviest: usize,
    /// Rows that the format cannot answer as the tree does (missing or unseen values), which were left out.
    pub left_out: usize,
    /// The rows with the same label, or for numbers with the same number.
    pub labels_equal: usize,
    /// The largest difference of a probability or number.
    pub largest_difference: f64,
    /// The rows with the same leaf, where the format gives leaves.
    pub leaves_equal: Option<usize>,
    /// The program that answered, with its version.
    pub consumer: String,
    /// What differs first, in words.
    pub first_difference: Option<String>,
}

impl Report {
    /// Whether the consumer answered as the tree does, within what the format promises.
    pub fn holds(&self, format: &Format, written: &Written) -> bool {
        let exact = format.carries.precision.starts_with("double");
        let allowed = if exact { written.tolerance } else { 1e-6 };
        self.labels_equal == self.rows
            && self.largest_difference <= allowed
            && self.leaves_equal.is_none_or(|equal| equal == self.rows)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, labels_equal, largest_difference, consumer, .. } = self;
        write!(
            f,
            "{consumer}: {labels_equal} of {rows} labels are equal, the largest difference is {largest_difference:e}"
        )?;
        match &self.first_difference {
            Some(text) => write!(f, "; {text}"),
            None => Ok(()),
        }
    }
}

/// Runs what was exported in the first of its consumers that is installed, on the rows of a table and on rows made for the edges of
/// the tree, and holds the answers against those of the tree.
///
/// # Errors
/// When no consumer is installed, it fails, or its answers differ.
pub fn verify(
    model: &Model,
    format: &Format,
    options: &Options,
    written: &Written,
    data: Option<&Table>,
) -> Result<Report, Failure> {
    verify_with(&(format.consumers)(options), model, format, options, written, data)
}

/// The same with one of these consumers, the first that is installed.
///
/// # Errors
/// As [`verify`].
pub fn verify_with(
    consumers: &[&'static Consumer],
    model: &Model,
    format: &Format,
    options: &Options,
    written: &Written,
    data: Option<&Table>,
) -> Result<Report, Failure> {
    if consumers.is_empty() {
        return Err(Failure::Missing(format!(
            "{} is for people to read; no program can be asked",
            format.id
        )));
    }
    let (consumer, tool) = consumer::first_found(format.id, consumers)?;
    let in_dates = options.get("dates") == Some("dates");
    let (rows, edge_rows, left_out) = rows::all(model, data, written, in_dates)?;
    let folder = tempfile::Builder::new()
        .prefix("secateur-verify-")
        .tempdir()
        .map_err(|error| Failure::Failed(format!("no folder for temporary files: {error}")))?;
    let trial = Trial { exported: &written.bytes, model, options, rows: &rows, folder: folder.path() };
    let answers = (consumer.run)(&tool, &trial)?;
    let report = expected::compare(model, &rows, &answers, written.to_heaviest)?;
    let report = Report { edge_rows, left_out, consumer: tool.name, ..report };
    if report.holds(format, written) { Ok(report) } else { Err(Failure::Differs(Box::new(report))) }
}
