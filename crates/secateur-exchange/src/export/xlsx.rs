//! The rules of a tree as an Excel workbook.

use std::io;
use std::sync::mpsc::channel;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format as Style, Workbook, XlsxError};
use secateur::{Error, Result};

use super::csv::RULES;
use super::format::refused;
use super::rule_table::{Cell, RuleTable};
use super::{Format, Job, Written};

/// The most lines and columns of a sheet, and the most characters of a cell (Excel's limits).
const MOST_LINES: usize = 1_048_576 - 1;
const MOST_COLUMNS: usize = 16_384;
const MOST_CHARACTERS: usize = 32_767;

/// An Excel workbook.
pub(super) static FORMAT: Format = Format {
    id: "xlsx",
    one_line: "the same table of rules as an Excel workbook",
    extension: "xlsx",
    options: &[],
    carries: RULES,
    write,
    consumers: |_| Vec::new(),
};

fn write(job: &Job) -> Result<Written> {
    let table = RuleTable::of(job);
    if table.lines.len() > MOST_LINES || table.columns.len() > MOST_COLUMNS {
        let (lines, columns) = (table.lines.len(), table.columns.len());
        return Err(refused(FORMAT.id, format!("a sheet has no room for {lines} lines of {columns} cells")));
    }
    sheets_have_threads().map_err(|source| {
        let problem = format!("it takes a thread for every sheet ({source}); csv has the same table");
        Error::Write { file: "the workbook".into(), source: io::Error::other(problem) }
    })?;
    let bytes = workbook(job, &table).map_err(|error| Error::parameter(format!("xlsx: {error}")))?;
    Ok(bytes.into())
}

/// The sheets of a workbook, each of which is written by a thread of its own.
const SHEETS: usize = 2;

/// Whether the system gives a thread for every sheet: the writer of workbooks panics where it does not.
fn sheets_have_threads() -> io::Result<()> {
    let mut waiting = Vec::new();
    for _ in 0..SHEETS {
        let (hold, held) = channel::<()>();
        let thread = std::thread::Builder::new().spawn(move || held.recv().is_ok())?;
        waiting.push((hold, thread));
    }
    for (hold, thread) in waiting {
        drop(hold);
        let _ = thread.join();
    }
    Ok(())
}

fn workbook(job: &Job, table: &RuleTable) -> std::result::Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The same tree gives the same bytes, whenever that is.
    let long_ago = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&long_ago));
    let bold = Style::new().set_bold();
    let sheet = book.add_worksheet().set_name("rules")?;
    for (column, name) in (0..).zip(&table.columns) {
        sheet.write_string_with_format(0, column, short(name), &bold)?;
        sheet.set_column_width(column, name.chars().count().clamp(8, 30) as f64 + 2.0)?;
    }
    for (line, cells) in (1..).zip(&table.lines) {
        for (column, cell) in (0..).zip(cells) {
            match cell {
                Cell::Text(text) => drop(sheet.write_string(line, column, short(text))?),
                Cell::Number(x) => drop(sheet.write_number(line, column, *x)?),
                Cell::Nothing => {}
            }
        }
    }
    sheet.set_freeze_panes(1, 0)?;
    sheet.autofilter(0, 0, table.lines.len() as u32, table.columns.len() as u16 - 1)?;
    let about = book.add_worksheet().set_name("about")?;
    let facts = [
        ("target", job.tree().schema().target.name().to_string()),
        ("scheme", job.model.scheme.clone()),
        ("leaves", job.tree().leaves().to_string()),
        ("exported by", concat!("secateur ", env!("CARGO_PKG_VERSION")).to_string()),
        (
            "rules",
            "A row belongs to the rule whose conditions it meets; a condition that is not there is met."
                .into(),
        ),
    ];
    for (line, (name, text)) in (0..).zip(&facts) {
        about.write_string_with_format(line, 0, *name, &bold)?;
        about.write_string(line, 1, short(text))?;
    }
    about.set_column_width(0, 14.0)?;
    about.set_column_width(1, 90.0)?;
    book.save_to_buffer()
}

/// A text that a cell has room for.
fn short(text: &str) -> String {
    if text.chars().count() <= MOST_CHARACTERS {
        return text.into();
    }
    text.chars().take(MOST_CHARACTERS - 1).chain(['…']).collect()
}
