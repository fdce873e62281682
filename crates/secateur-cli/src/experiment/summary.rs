//! How results are reported: means as JSON, failures in words, the style of a report.

use secateur::evaluate::comparison::{Failed, Sheet, Summary};
use secateur::report::grid::Style;
use secateur::statistics::Interval;
use serde::Serialize;

use crate::terminal::{self, Terminal};

/// The confidence of intervals of means.
const CONFIDENCE: f64 = 0.95;

/// A mean as JSON.
#[derive(Serialize)]
pub struct Mean {
    mean: Option<f64>,
    sd: Option<f64>,
    /// Where the mean lies with 95 % confidence.
    pub interval: Option<Interval>,
    values: Vec<f64>,
}

impl Mean {
    /// What a summary says.
    pub fn of(sheet: &Sheet, summary: &Summary) -> Self {
        Self {
            mean: summary.mean,
            sd: summary.sd,
            interval: sheet.interval(summary, CONFIDENCE),
            values: summary.values.clone(),
        }
    }
}

/// A failure in words.
pub fn failed(failed: &Failed) -> String {
    let Failed { dataset, scheme, failures, of, error } = failed;
    match failures == of {
        true => format!("{scheme} failed on {dataset}: {error}"),
        false => format!("{scheme} failed on {failures} of {of} divisions of {dataset}: {error}"),
    }
}

/// How a report is printed: as the terminal can show it.
pub fn style() -> Style {
    let Terminal { width, color, ascii } = terminal::here();
    Style { color, ascii, width, ..Style::default() }
}
