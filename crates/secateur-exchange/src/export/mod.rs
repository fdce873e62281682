//! Trees for other software: one file per format, one list of all.

mod carries;
mod format;
mod inputs;
mod listing;
mod options;
pub mod said;
pub mod single;
pub mod ways;

mod csv;
mod json_rules;
mod lists;
mod onnx;
mod pmml;
mod programs;
mod rule_table;
mod scorecard;
mod shap;
mod sklearn;
mod sql;
mod treelite;
mod xlsx;

pub use carries::{Carried, Carries, has_nominal_tests};
pub use format::{Format, Job, Written};
pub use inputs::{Input, Inputs};
pub use listing::markdown;
use options::NAME;
pub use options::{OptionKind, OptionSpec, Options};
pub(crate) use programs::words;

use secateur::data::Table;
use secateur::error::{Name, shown, suggestion};
use secateur::tree::Model;
use secateur::{Error, Result};

/// All formats, in the order in which they are listed.
pub static FORMATS: &[&Format] = &[
    &sql::FORMAT,
    &programs::c::FORMAT,
    &programs::rust::FORMAT,
    &programs::python::FORMAT,
    &programs::javascript::FORMAT,
    &onnx::FORMAT,
    &pmml::FORMAT,
    &sklearn::FORMAT,
    &shap::FORMAT,
    &treelite::FORMAT,
    &json_rules::FORMAT,
    &csv::FORMAT,
    &xlsx::FORMAT,
    &scorecard::FORMAT,
];

/// The format with a name.
///
/// # Errors
/// When there is none.
pub fn find(id: &str) -> Result<&'static Format> {
    FORMATS.iter().copied().find(|format| format.id == id).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.id).collect();
        let meant = suggestion(id, known.iter().copied());
        let problem =
            format!("there is no export format {}{meant}; there are {}", shown(id), known.join(", "));
        Error::unknown(Name::Format, id, problem)
    })
}

/// Writes a model in a format. Rows, where there are some, are kept apart by software that keeps numbers in 32 bits.
///
/// # Errors
/// When the format cannot carry the tree; the error says why.
pub fn export(model: &Model, format: &Format, options: &Options, rows: Option<&Table>) -> Result<Written> {
    format.carries.check(format.id, &model.tree)?;
    (format.write)(&Job { model, options, rows })
}
