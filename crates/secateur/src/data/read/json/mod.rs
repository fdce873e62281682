//! JSON: an array of objects, or objects one after the other (JSON Lines). Every object is a row, every name in it a column.
//!
//! A column of numbers is numeric, `true` and `false` are values, `null` and a name that a row leaves out are missing. Texts are
//! what they would be in a CSV file: dates, numbers with signs, or values from a list. A column with numbers and texts is an error,
//! unless the texts are words for missing values or few; so is a list or an object in a cell.

mod column;
mod rows;

use self::column::{Building, Wanted};
use super::choice::{Choice, bad_name, choices};
use super::settled::{Columns, Decided, Undecided, settled, without_marks};
use super::text::{Fault, Text};
use super::{Content, ReadOptions, Reader, Reading};
use crate::data::{ColumnType, Plan, Table, Values};
use crate::error::{Error, Place, Remedy, Result};
use crate::memory;
use crate::progress::Progress;
use hashbrown::{HashMap, HashSet};
use serde::de::{DeserializeSeed, Deserializer};

pub(super) const READER: Reader =
    Reader { names: &["json", "jsonl", "ndjson"], begins: is_json, content: Content::Text(read) };

/// Whether a text begins as JSON with records does: an object with a name, or a list of objects or lists.
fn is_json(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    match text.split_first() {
        Some((b'{', rest)) => rest.trim_ascii_start().starts_with(b"\""),
        Some((b'[', rest)) => matches!(rest.trim_ascii_start().first(), Some(b'{' | b'[')),
        _ => false,
    }
}

/// A table may have this many cells, and this many for each cell that the file has.
const FEW_CELLS: usize = 1 << 24;
const MOST_FOR_EACH: usize = 64;

fn read(text: &Text<'_>, options: &ReadOptions, progress: &dyn Progress) -> Result<Reading> {
    let whole = |fault: Fault| text.error(Fault { column: None, ..fault }, &[]);
    let json = text.part(0..text.bytes.len(), |_, _| 0).map_err(whole)?;
    progress.stage("reading", json.len() as u64);
    memory::ask(json.len(), &format!("the table of {}", text.name))?;
    let mut rows = Rows::new(options, progress);
    if json.trim_start().starts_with('[') {
        let mut parser = serde_json::Deserializer::from_str(json);
        let parsed = parser.deserialize_seq(&mut rows).and_then(|()| parser.end());
        parsed.map_err(|error| rows.failed(text.name, json, 0, &error))?;
    } else {
        for (number, line) in json.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let mut parser = serde_json::Deserializer::from_str(line);
            let parsed = (&mut rows).deserialize(&mut parser).and_then(|()| parser.end());
            parsed.map_err(|error| rows.failed(text.name, line, number, &error))?;
        }
    }
    progress.advance(json.len() as u64);
    rows.table(text.name)
}

/// The rows so far.
struct Rows<'a> {
    options: &'a ReadOptions,
    progress: &'a dyn Progress,
    columns: Vec<Building>,
    places: HashMap<String, usize>,
    rows: usize,
    /// The cells that the file has; rows without a name have a cell in memory, too.
    cells: usize,
    /// The column whose cell is being read.
    at: Option<usize>,
    stopped: bool,
}

impl<'a> Rows<'a> {
    fn new(options: &'a ReadOptions, progress: &'a dyn Progress) -> Self {
        let (columns, places) = (Vec::new(), HashMap::new());
        Self { options, progress, columns, places, rows: 0, cells: 0, at: None, stopped: false }
    }

    /// What is wrong with a table of nearly nothing but missing values: in memory, it is much larger than its file.
    fn too_empty(&self) -> Option<String> {
        let (columns, rows) = (self.columns.len(), self.rows);
        let all = columns.saturating_mul(rows);
        let limit = FEW_CELLS.max(self.cells.saturating_mul(MOST_FOR_EACH));
        (all > limit).then(|| {
            format!(
                "there are {columns} names in {rows} rows, which have {} of them each on average; expected the same names in \
                 nearly every row, one for each column",
                self.cells.div_ceil(rows.max(1))
            )
        })
    }

    /// The column of a name; it nearly always follows the one before.
    fn place(&mut self, name: &str, next: usize) -> usize {
        if self.columns.get(next).is_some_and(|column| column.name == name) {
            return next;
        }
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let has = |list: &[String]| list.iter().any(|other| other == name);
        let planned = self.options.plan.column(name).map(|plan| plan.kind);
        let wanted = if has(&self.options.ignore) || planned == Some(ColumnType::Ignore) {
            Wanted::Nothing
        } else if has(&self.options.nominal)
            || has(&self.options.nominal_if_present)
            || planned == Some(ColumnType::Nominal)
        {
            Wanted::Text
        } else {
            Wanted::Anything
        };
        self.columns.push(Building::new(name, wanted));
        self.places.insert(name.into(), self.columns.len() - 1);
        self.columns.len() - 1
    }

    /// The error of the parser in a text that stands behind this many lines, with its place.
    fn failed(&self, file: &str, json: &str, before: usize, error: &serde_json::Error) -> Error {
        if self.stopped {
            return Error::Cancelled;
        }
        let mut place = Place::file(file).line((before + error.line()) as u64);
        let said = error.to_string();
        let end = format!(" at line {} column {}", error.line(), error.column());
        let said = said.strip_suffix(&end).unwrap_or(&said);
        let row = self.rows + 1;
        if let Some(column) = self.at {
            place = place.attribute(&self.columns[column].name);
        }
        let line = json.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        let rest = line.get(error.column().saturating_sub(1)..).unwrap_or_default();
        if ["NaN", "Infinity", "-Infinity"].iter().any(|word| rest.starts_with(word)) {
            return Error::input(place, format!("row {row}: NaN and Infinity are not JSON; write null"));
        }
        match error.is_data() {
            false if error.is_eof() => Error::input(
                place,
                format!(
                    "row {row}: the text ends too early; expected an array of objects, or a whole object on each line"
                ),
            ),
            true => Error::input(place, format!("row {row}: {said}")).with_remedies(if self.at.is_some() {
                &[Remedy::LeaveColumnOut]
            } else {
                &[]
            }),
            false => Error::input(place, format!("row {row}: it is not valid JSON ({said})")),
        }
    }

    /// The table, when all rows have come.
    fn table(self, file: &str) -> Result<Reading> {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let place = |column: usize| Place::file(file).attribute(&names[column]);
        if self.rows == 0 || names.is_empty() {
            return Err(Error::input(Place::file(file), "it has no rows; expected an object for each row"));
        }
        if let Some((column, problem)) = bad_name(&names) {
            return Err(Error::input(place(column), problem));
        }
        let choices = choices(file, &names, self.options)?;
        let mixed: Vec<Option<(usize, String)>> = self.columns.iter().map(Building::mixed).collect();
        let values = self.columns.into_iter().map(|column| column.finish(self.rows)).collect();
        let unnamed = vec![false; names.len()];
        let columns = Columns { names: &names, unnamed: &unnamed, choices: &choices, usual_comma: true };
        // What is a number was one in the file.
        let again = |_: &[usize]| Ok(names.iter().map(|_| None).collect());
        let decided =
            settled(values, &columns, self.options, again).map_err(|undecided| match undecided {
                Undecided::Cell(column, odd) => {
                    Error::input(place(column), format!("row {}: {}", odd.row + 1, odd.problem))
                        .with_remedies(odd.remedies)
                }
                Undecided::Reading(error) => error,
            })?;
        let understood = understood(&decided);
        for (column, mixed) in mixed.into_iter().enumerate() {
            if let Some((_, problem)) = mixed
                && choices[column] == Choice::Auto
                && !understood.contains(names[column].as_str())
            {
                let problem = format!("{problem}; expected one kind of value in a column");
                return Err(Error::input(place(column), problem)
                    .with_remedies(&[Remedy::ReadAsNominal, Remedy::LeaveColumnOut]));
            }
        }
        let plan = Plan {
            missing: self.options.plan.missing.clone(),
            keep_na: Some(self.options.keeps_na_of_types()),
            columns: decided.plans,
            ..Plan::default()
        };
        let columns = decided.columns.into_iter().map(|column| without_marks(column, self.options));
        let table = Table::new(file, columns.collect())?.with_shown_as(decided.shown_as);
        Ok(Reading { table, notes: decided.notes, plan })
    }
}

/// Columns that became numbers, and those that there is a word on.
fn understood(decided: &Decided) -> HashSet<String> {
    let numeric = decided.columns.iter().filter(|column| matches!(column.values, Values::Numeric(_)));
    let told = decided.notes.iter().filter_map(|note| note.column.as_deref());
    numeric.map(|column| column.name.as_str()).chain(told).map(str::to_owned).collect()
}
