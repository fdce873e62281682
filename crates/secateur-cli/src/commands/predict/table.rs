//! Predictions as a table: its format, and the columns that are kept.

use secateur::data::{Column, Table};
use secateur::report::PredictionFormat;

use crate::failure::{Failure, Result};

/// The format of a file with this extension; of any other, and without one, CSV.
pub fn format(extension: Option<&str>) -> Result<PredictionFormat> {
    match extension {
        Some("tsv" | "tab") => Ok(PredictionFormat::Tsv),
        Some("json") => Ok(PredictionFormat::Json),
        Some("jsonl" | "ndjson") => Ok(PredictionFormat::JsonLines),
        Some(other @ ("arff" | "parquet" | "gz" | "xlsx" | "feather")) => Err(Failure::call(format!(
            "predictions are not written as .{other}; name a .csv, .tsv, .json or .jsonl file"
        ))),
        _ => Ok(PredictionFormat::Csv),
    }
}

/// The columns of the data that go along with the predictions.
pub fn kept<'a>(table: &'a Table, names: &[String]) -> Result<Vec<&'a Column>> {
    if keeps_all(table, names) {
        return Ok(table.columns().iter().collect());
    }
    let column = |name: &String| Ok(&table.columns()[table.position(name)?]);
    names.iter().map(column).collect()
}

/// Whether every column is to be kept.
pub fn keeps_all(table: &Table, names: &[String]) -> bool {
    matches!(names, [all] if all == "all") && table.position("all").is_err()
}
