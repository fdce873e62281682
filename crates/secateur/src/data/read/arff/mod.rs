//! ARFF: a header that declares the attributes, then dense or sparse rows.
//!
//! `numeric`, `real` and `integer` attributes are numeric, `{a, b}` is nominal with these values in this
//! order, `string` is nominal with its values in the order of appearance, `date` is a date in one of the usual
//! forms. A `relational` attribute is an error. Keywords are in any case; names and values
//! stand in single or double quotes where they hold spaces or commas, with backslash escapes; `%` begins a
//! comment. A list of values ends on the line where it begins.

mod cells;
mod rows;

use self::cells::{listed, quoted};
use self::rows::{ArffRows, Omitted};
use super::choice::{Choice, bad_name, choices};
use super::chunks::{Quotes, split};
use super::columns::{ColumnKind, Job};
use super::csv::marked;
use super::settled::blanked;
use super::sink::MissingRule;
use super::text::{Fault, Text};
use super::{CHUNK, Content, ReadOptions, Reader, Reading};
use crate::data::settle::{Known, Settled, settle};
use crate::data::{Column, ColumnType, DateOrder, Table, Values};
use crate::error::{Error, Place, Result, shown, suggestion};
use crate::progress::Progress;
use crate::schema::ShownAs;
use hashbrown::HashSet;
use memchr::memchr;

pub(super) const READER: Reader = Reader {
    names: &["arff"],
    begins: is_arff,
    content: Content::Text(|text, options, progress| read(text, options, progress, CHUNK)),
};

fn is_arff(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let keyword = |word: &[u8]| text.get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word));
    keyword(b"@relation ") || keyword(b"@relation\t") || keyword(b"@attribute ")
}

/// A declared type.
enum Type {
    Numeric,
    Nominal(Vec<String>),
    String,
    /// With the order of its parts, where a format says it.
    Date(Option<DateOrder>),
}

/// What the header says.
#[derive(Default)]
struct Header {
    names: Vec<String>,
    types: Vec<Type>,
    offsets: Vec<usize>,
    /// Where the rows begin.
    data: Option<usize>,
}

/// Reads a table; `chunk` is the number of bytes that are parsed at a time.
pub(super) fn read(
    text: &Text<'_>,
    options: &ReadOptions,
    progress: &dyn Progress,
    chunk: usize,
) -> Result<Reading> {
    let Header { names, types, offsets, data } = header(text)?;
    let Some(data) = data else {
        return Err(Error::input(
            Place::file(text.name),
            "there is no @data line; expected one after the header",
        ));
    };
    if names.is_empty() {
        return Err(Error::input(
            Place::file(text.name),
            "there is no @attribute line; expected one for each column",
        ));
    }
    if let Some((column, problem)) = bad_name(&names) {
        return Err(text.error(Fault::new(offsets[column], column, problem), &names));
    }
    let choices = choices(text.name, &names, options)?;
    let mut kinds = Vec::with_capacity(names.len());
    let mut omitted = Vec::with_capacity(names.len());
    let mut dates = Vec::new();
    for (column, (choice, kind)) in choices.into_iter().zip(types).enumerate() {
        omitted.push(match &kind {
            Type::Numeric => Omitted::Zero,
            Type::Nominal(levels) => levels.first().map_or(Omitted::Missing, |l| Omitted::First(l.clone())),
            Type::String | Type::Date(_) => Omitted::Missing,
        });
        if let (Type::Date(order), Choice::Auto | Choice::Dated(_)) = (&kind, choice) {
            dates.push((column, *order));
        }
        kinds.push(match (choice, kind) {
            (Choice::Ignore, _) => ColumnKind::Skip,
            (Choice::Numeric, _) | (Choice::Auto, Type::Numeric) => ColumnKind::Numbers,
            (_, Type::Nominal(levels)) => ColumnKind::Declared(levels),
            (Choice::Nominal, _) | (_, Type::String | Type::Date(_)) => ColumnKind::Open,
            (Choice::Dated(_), Type::Numeric) => ColumnKind::Numbers,
        });
    }
    let chunks = split(text.bytes, data, chunk, Quotes::Lines, progress)?;
    let rows = ArffRows { omitted };
    let keep_na = options.plan.keep_na == Some(true);
    let missing = if keep_na { MissingRule::ARFF_KEEP_NA } else { MissingRule::ARFF };
    let job = Job { text, names: &names, rows: &rows, chunks, missing, progress };
    let (mut values, found) = job.read_noted(kinds)?;
    let mut shown_as = vec![ShownAs::Plain; names.len()];
    let mut notes = Vec::new();
    for (column, order) in dates {
        let Some(Values::Nominal(nominal)) = values[column].take() else { continue };
        let known = Known { kind: Some(ColumnType::DateTime), order, ..Known::default() };
        let (settled, mut more) = settle(&names[column], nominal, known, false)
            .map_err(|odd| text.error(Fault::new(job.offset_of(odd.row), column, odd.problem), &names))?;
        notes.append(&mut more);
        (values[column], shown_as[column]) = match settled {
            Settled::Numbers { cells, .. } if cells.iter().all(|x| x.is_nan() || x % 86_400.0 == 0.0) => {
                (Some(Values::Numeric(cells)), ShownAs::Date)
            }
            Settled::Numbers { cells, .. } => (Some(Values::Numeric(cells)), ShownAs::DateTime),
            Settled::Values(nominal) => (Some(Values::Nominal(nominal)), ShownAs::Plain),
        };
    }
    let kept: Vec<ShownAs> =
        shown_as.into_iter().zip(&values).filter(|(_, v)| v.is_some()).map(|(s, _)| s).collect();
    notes.extend(marked(names.iter().zip(values.iter().map(text_kind)), found));
    for note in &mut notes {
        note.line = note.line.or_else(|| note.row.map(|row| text.line(job.offset_of(row as usize - 1))));
    }
    let columns = names.iter().zip(values);
    let columns = columns.filter_map(|(name, v)| Some(Column { name: name.clone(), values: v? }));
    let columns = columns.map(|column| blanked(column, options)).collect();
    let table = Table::new(text.name, columns)?.with_shown_as(kept);
    Ok(Reading::plain(table, &names, notes, options.plan.keep_na, options))
}

/// The kind of a column of text; numbers were declared as such, and nothing is to be said of them.
fn text_kind(values: &Option<Values>) -> Option<ColumnType> {
    matches!(values, Some(Values::Nominal(_))).then_some(ColumnType::Nominal)
}

fn header(text: &Text<'_>) -> Result<Header> {
    let mut header = Header::default();
    let mut start = 0;
    while start < text.bytes.len() && header.data.is_none() {
        let length = memchr(b'\n', &text.bytes[start..]);
        let end = length.map_or(text.bytes.len(), |length| start + length);
        let next = (end + 1).min(text.bytes.len());
        let line = text
            .part(start..end, |_, _| 0)
            .map_err(|fault| text.error(Fault { column: None, ..fault }, &[]))?;
        header.line(line, start, next).map_err(|fault| {
            let offset = start + fault.offset;
            text.error(Fault { offset, ..fault }, &header.names)
        })?;
        start = next;
    }
    Ok(header)
}

impl Header {
    /// Takes in one line that begins at `start`; offsets of faults are relative to it.
    fn line(&mut self, line: &str, start: usize, next: usize) -> Result<(), Fault> {
        let at = line.len() - line.trim_start().len();
        let content = line.trim();
        if content.is_empty() || content.starts_with('%') {
            return Ok(());
        }
        let keyword = content.split(char::is_whitespace).next().unwrap_or_default();
        match keyword.to_lowercase().as_str() {
            "@relation" => Ok(()),
            "@attribute" => {
                self.offsets.push(start + at);
                self.attribute(line, at + keyword.len())
            }
            "@data" => {
                self.data = Some(next);
                Ok(())
            }
            other => {
                let near = suggestion(other, ["@relation", "@attribute", "@data"]);
                let problem = format!(
                    "{} in the header; expected @relation, @attribute or @data{near}",
                    shown(keyword)
                );
                Err(Fault::new(at, None, problem))
            }
        }
    }

    fn attribute(&mut self, line: &str, at: usize) -> Result<(), Fault> {
        let at = skip_spaces(line, at);
        let column = self.names.len();
        let (name, next) = if line[at..].starts_with(['"', '\'']) {
            let (name, next) = quoted(line, at)?;
            (name.into_owned(), next)
        } else {
            let length = line[at..].find(|c: char| c.is_whitespace() || c == '{');
            let next = length.map_or(line.len(), |length| at + length);
            (line[at..next].to_string(), next)
        };
        self.names.push(name);
        let at = skip_spaces(line, next);
        let kind = if line[at..].starts_with('{') {
            let levels = listed(line, at)?;
            if let Some(twice) = repeated(&levels) {
                let problem = format!("value {} is declared twice; values must be different", shown(twice));
                return Err(Fault::new(at, column, problem));
            }
            Type::Nominal(levels)
        } else {
            let word = line[at..].split(|c: char| c.is_whitespace() || "[{%".contains(c)).next();
            let word = word.unwrap_or_default();
            match word.to_lowercase().as_str() {
                "numeric" | "real" | "integer" => Type::Numeric,
                "string" => Type::String,
                "date" => Type::Date(date_order(&line[at + word.len()..])),
                other => {
                    let near = suggestion(other, ["numeric", "real", "integer", "string"]);
                    let problem = format!(
                        "type {}; expected numeric, real, integer, string or a list of values {{a, b}}{near}",
                        shown(word)
                    );
                    return Err(Fault::new(at, column, problem));
                }
            }
        };
        self.types.push(kind);
        Ok(())
    }
}

/// The order that a format such as `"dd/MM/yyyy HH:mm"` gives.
fn date_order(format: &str) -> Option<DateOrder> {
    let (year, month, day) = (format.find('y')?, format.find('M')?, format.find('d')?);
    Some(match (year < month, month < day) {
        (true, _) => DateOrder::YearMonthDay,
        (false, false) => DateOrder::DayMonthYear,
        (false, true) => DateOrder::MonthDayYear,
    })
}

fn repeated(levels: &[String]) -> Option<&str> {
    let mut seen = HashSet::new();
    levels.iter().map(String::as_str).find(|level| !seen.insert(*level))
}

fn skip_spaces(line: &str, at: usize) -> usize {
    line.len() - line[at..].trim_start().len()
}
