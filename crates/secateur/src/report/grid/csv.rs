//! A grid as comma-separated values: one line of heads, one line per row.
//!
//! Notes, lines and emphasis are left out. A line is a row whatever its cells hold: characters that end a line are written
//! as their codes, as in the other formats. A text that a spreadsheet would run as a formula gets an apostrophe in front.

use super::{Grid, Report, safe};

/// One grid.
pub(super) fn grid(grid: &Grid) -> String {
    let mut out = String::new();
    if !grid.columns.is_empty() {
        out += &record(grid.columns.iter().map(|column| column.joined()));
        for row in grid.all_rows() {
            out += &record(row.iter().map(|cell| cell.text.clone()));
        }
    }
    out
}

/// All grids; several of them each under a line with their title, with an empty line in between.
pub(super) fn report(report: &Report) -> String {
    if let [only] = report.grids.as_slice() {
        return grid(only);
    }
    let titled = report.grids.iter().map(|one| record([one.title.clone()]) + &grid(one));
    super::report::apart(titled)
}

/// One line.
fn record(cells: impl IntoIterator<Item = String>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(cells.into_iter().map(|cell| harmless(&cell)));
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// A text that is a text in every spreadsheet.
fn harmless(text: &str) -> String {
    let text = safe(text);
    let is_formula = match text.as_bytes() {
        [b'=' | b'@', _, ..] => true,
        [b'+' | b'-', _, ..] => text.trim_end_matches([' ', '%']).parse::<f64>().is_err(),
        _ => false,
    };
    if is_formula { format!("'{text}") } else { text }
}
