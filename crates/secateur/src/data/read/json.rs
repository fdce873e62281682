//! JSON: an array of objects, or objects one after the other (JSON Lines). Every object is a row, every name in it a column.
//!
//! A column of numbers is numeric, `true` and `false` are values, `null` and a name that a row leaves out are missing. Texts are
//! what they would be in a CSV file: dates, numbers with signs, or values from a list. A column with numbers and texts is an error,
//! unless the texts are words for missing values or few; so is a list or an object in a cell.

use super::choice::{Choice, bad_name, choices};
use super::settled::{Columns, Decided, Undecided, settled};
use super::text::{Fault, Text};
use super::{Content, ReadOptions, Reader, Reading};
use crate::data::cell::is_missing;
use crate::data::intern::Interner;
use crate::data::{ColumnType, MISSING, Nominal, Plan, Table, Values};
use crate::error::{Error, Place, Remedy, Result, shown};
use crate::memory;
use crate::progress::Progress;
use hashbrown::HashMap;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

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

/// What a column is read as.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Anything,
    Text,
    Nothing,
}

/// The cells of a column so far.
enum Cells {
    Numbers(Vec<f64>),
    Text(Interner<String>, Vec<u32>),
}

struct Building {
    name: String,
    wanted: Wanted,
    cells: Cells,
    /// The last row that has this name (from 1).
    last: usize,
    /// The first row (from 1) with a number, with a text, and with a truth value.
    first: [usize; 3],
}

const NUMBER: usize = 0;
const TEXT: usize = 1;
const TRUTH: usize = 2;

impl Building {
    /// The list of cells, as text; numbers that are there already are written out.
    fn texts(&mut self) -> (&mut Interner<String>, &mut Vec<u32>) {
        if let Cells::Numbers(numbers) = &self.cells {
            let mut levels = Interner::default();
            let code = |x: &f64| if x.is_nan() { MISSING } else { levels.code(x.to_string()) };
            let codes = numbers.iter().map(code).collect();
            self.cells = Cells::Text(levels, codes);
        }
        match &mut self.cells {
            Cells::Text(levels, codes) => (levels, codes),
            Cells::Numbers(_) => unreachable!("they have just become text"),
        }
    }

    /// Puts a number, which has this text, into a row (from 0).
    fn number(&mut self, row: usize, number: f64, text: impl FnOnce() -> String) {
        self.see(NUMBER, row);
        match &mut self.cells {
            Cells::Numbers(numbers) if self.wanted == Wanted::Anything => {
                numbers.resize(row, f64::NAN);
                numbers.push(number);
            }
            _ => self.put(row, &text()),
        }
    }

    fn text(&mut self, row: usize, text: &str, kind: usize) {
        if !is_missing(text) {
            self.see(kind, row);
            self.put(row, text);
        }
    }

    fn see(&mut self, kind: usize, row: usize) {
        if self.first[kind] == 0 {
            self.first[kind] = row + 1;
        }
    }

    fn put(&mut self, row: usize, text: &str) {
        let (levels, codes) = self.texts();
        codes.resize(row, MISSING);
        codes.push(levels.code(text));
    }

    /// The column with all its rows.
    fn finish(self, rows: usize) -> Option<Values> {
        if self.wanted == Wanted::Nothing {
            return None;
        }
        Some(match self.cells {
            Cells::Numbers(mut numbers) => {
                numbers.resize(rows, f64::NAN);
                Values::Numeric(numbers)
            }
            Cells::Text(levels, mut codes) => {
                codes.resize(rows, MISSING);
                Values::Nominal(Nominal { levels: levels.into_levels(), codes })
            }
        })
    }

    /// Where numbers, texts and truth values meet: the first row (from 1) that differs from those before, and what it holds.
    fn mixed(&self) -> Option<(usize, String)> {
        const NAMES: [&str; 3] = ["a number", "a text", "true or false"];
        let mut seen: Vec<(usize, &str)> =
            self.first.into_iter().zip(NAMES).filter(|(row, _)| *row > 0).collect();
        seen.sort_unstable();
        let [(before, usual), (row, other), ..] = seen[..] else { return None };
        Some((row, format!("row {row} has {other} where row {before} has {usual}")))
    }
}

/// The rows so far.
struct Rows<'a> {
    options: &'a ReadOptions,
    progress: &'a dyn Progress,
    columns: Vec<Building>,
    places: HashMap<String, usize>,
    rows: usize,
    /// The column whose cell is being read.
    at: Option<usize>,
    stopped: bool,
}

impl<'a> Rows<'a> {
    fn new(options: &'a ReadOptions, progress: &'a dyn Progress) -> Self {
        let (columns, places) = (Vec::new(), HashMap::new());
        Self { options, progress, columns, places, rows: 0, at: None, stopped: false }
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
        let cells = Cells::Numbers(Vec::new());
        self.columns.push(Building { name: name.into(), wanted, cells, last: 0, first: [0; 3] });
        self.places.insert(name.into(), self.columns.len() - 1);
        self.columns.len() - 1
    }

    /// The error of the parser in a text that stands behind so many lines, with its place.
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
            return Error::input(place, format!("row {row}: NaN and Infinity are no JSON; write null"));
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
            false => Error::input(place, format!("row {row}: it is no good JSON ({said})")),
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
        for (column, mixed) in mixed.into_iter().enumerate() {
            if let Some((_, problem)) = mixed
                && choices[column] == Choice::Auto
                && !is_understood(&decided, &names[column])
            {
                let problem = format!("{problem}; expected one kind of value in a column");
                return Err(Error::input(place(column), problem)
                    .with_remedies(&[Remedy::ReadAsNominal, Remedy::LeaveColumnOut]));
            }
        }
        let plan =
            Plan { missing: self.options.plan.missing.clone(), columns: decided.plans, ..Plan::default() };
        let table = Table::new(file, decided.columns)?.with_shown_as(decided.shown_as);
        Ok(Reading { table, notes: decided.notes, plan })
    }
}

/// Whether a column with several kinds of values became one of numbers, or there is a word on it.
fn is_understood(decided: &Decided, name: &str) -> bool {
    let numeric =
        |column: &crate::data::Column| column.name == name && matches!(column.values, Values::Numeric(_));
    decided.columns.iter().any(numeric)
        || decided.notes.iter().any(|note| note.column.as_deref() == Some(name))
}

/// All rows of an array.
impl<'de> Visitor<'de> for &mut Rows<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array with an object for each row")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(&mut *self)?.is_some() {}
        Ok(())
    }
}

/// One row.
impl<'de> DeserializeSeed<'de> for &mut Rows<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(Row(self))
    }
}

struct Row<'r, 'a>(&'r mut Rows<'a>);

impl<'de> Visitor<'de> for Row<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object for each row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        let rows = self.0;
        if rows.rows.is_multiple_of(1 << 12) && rows.progress.cancelled() {
            rows.stopped = true;
            return Err(de::Error::custom("stopped"));
        }
        let (mut next, row) = (0, rows.rows);
        while let Some(place) = cells.next_key_seed(Name { rows: &mut *rows, next })? {
            rows.at = Some(place);
            let column = &mut rows.columns[place];
            if column.last == row + 1 {
                return Err(de::Error::custom(format!("{} is there twice", shown(&column.name))));
            }
            column.last = row + 1;
            match column.wanted {
                Wanted::Nothing => drop(cells.next_value::<IgnoredAny>()?),
                _ => cells.next_value_seed(CellOf { column, row })?,
            }
            rows.at = None;
            next = place + 1;
        }
        rows.rows += 1;
        Ok(())
    }
}

/// The name of a cell, which becomes the place of its column.
struct Name<'r, 'a> {
    rows: &'r mut Rows<'a>,
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Name<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<usize, D::Error> {
        parser.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        Ok(self.rows.place(name, self.next))
    }
}

/// A cell, which goes into its column.
struct CellOf<'c> {
    column: &'c mut Building,
    row: usize,
}

impl<'de> DeserializeSeed<'de> for CellOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(self)
    }
}

const NESTED: &str = "expected a number, a text, true, false or null in every cell, and an object for each row (pandas writes \
                      that with orient='records')";

impl<'de> Visitor<'de> for CellOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, true, false or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.column.text(self.row, if value { "true" } else { "false" }, TRUTH);
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.column.number(self.row, value as f64, || value.to_string());
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.column.number(self.row, value as f64, || value.to_string());
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.column.number(self.row, value, || value.to_string());
        Ok(())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.column.text(self.row, value, TEXT);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(de::Error::custom(format!("a list; {NESTED}")))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(de::Error::custom(format!("an object; {NESTED}")))
    }
}
