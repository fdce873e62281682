//! How a text file is laid out: what separates its values, whether its first line has names, and which.

use super::csv::{Field, blank_line, field, skip_blanks};
use super::text::{Fault, Text};
use crate::data::Plan;
use crate::data::cell::{Cell, cell, is_missing};
use crate::data::note::{Note, NoteKind};
use crate::error::{Error, Place, Result};
use hashbrown::HashSet;
use memchr::memchr;

/// The layout of a file.
pub(super) struct Layout {
    pub delimiter: u8,
    pub names: Vec<String>,
    /// The columns that have no name in the file.
    pub unnamed: Vec<bool>,
    /// Where the rows begin and end.
    pub start: usize,
    pub end: usize,
    pub header: bool,
    pub notes: Vec<Note>,
}

/// What may separate values, with its name.
const SEPARATORS: [(u8, &str); 4] =
    [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars (|)")];

/// The name of a separator.
pub(super) fn separator_name(delimiter: u8) -> String {
    let known = SEPARATORS.iter().find(|(byte, _)| *byte == delimiter);
    match known {
        Some((_, name)) => (*name).into(),
        None if delimiter == b' ' => "spaces".into(),
        None => format!("'{}'", delimiter as char),
    }
}

/// This much of a file is looked at.
const SAMPLE: usize = 16 << 10;
const RECORDS: usize = 50;

/// The fields of the first records.
fn sample(bytes: &[u8], delimiter: u8) -> Vec<Vec<Field>> {
    let first = first_line(bytes);
    let part = &bytes[..bytes.len().min(first + SAMPLE)];
    let (mut at, mut records) = (first, Vec::new());
    while at < part.len() && records.len() < RECORDS {
        if let Some(next) = blank_line(part, at) {
            at = next;
            continue;
        }
        let mut record = Vec::new();
        loop {
            let Ok(field) = field(part, at, delimiter) else { return records };
            let (last, next) = (field.last, field.next);
            at = next;
            record.push(field);
            if last {
                break;
            }
        }
        // The last record may be cut off.
        if at >= part.len() && part.len() < bytes.len() {
            break;
        }
        records.push(record);
    }
    records
}

/// How well a separator fits: nothing where records have different numbers of fields, else the share of fields that are
/// numbers or nothing, and the number of fields.
fn fit(bytes: &[u8], delimiter: u8) -> Option<(usize, usize)> {
    let records = sample(bytes, delimiter);
    let fields = records.first()?.len();
    let fits = |record: &Vec<Field>| {
        record.len() == fields
            || record.len() == fields + 1 && record.last().is_some_and(|last| last.range.is_empty())
    };
    if fields < 2 || !records.iter().all(fits) {
        return None;
    }
    let like_number = |field: &&Field| {
        let text = &bytes[field.range.clone()];
        text.iter().all(|b| b.is_ascii_digit() || b"+-.,?eE ".contains(b))
    };
    let (all, numbers) = records
        .iter()
        .skip(1)
        .flatten()
        .fold((0, 0), |(all, numbers), field| (all + 1, numbers + usize::from(like_number(&field))));
    Some(((1000 * numbers).checked_div(all).unwrap_or(0), fields))
}

/// The separator of a file: what its first line says, else the usual one unless another fits better.
fn separator(bytes: &[u8], usual: u8) -> u8 {
    if let Some((byte, _)) = declared(bytes) {
        return byte;
    }
    let order = |byte: u8| usize::from(byte == usual);
    let best = SEPARATORS.iter().filter_map(|&(byte, _)| Some((fit(bytes, byte)?, order(byte), byte))).max();
    best.map_or_else(|| if has_spaces(bytes) { b' ' } else { usual }, |(_, _, byte)| byte)
}

/// Whether spaces separate values: there is nothing else that could, and a column of numbers at least.
fn has_spaces(bytes: &[u8]) -> bool {
    let line = &bytes[first_line(bytes)..];
    let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
    let other = SEPARATORS.iter().any(|(byte, _)| line.contains(byte));
    !other && fit(bytes, b' ').is_some_and(|(numbers, fields)| (numbers + 1) * fields > 1000)
}

/// The separator that a first line `sep=;` says, as spreadsheets write and read it, and where that line ends.
fn declared(bytes: &[u8]) -> Option<(u8, usize)> {
    let end = memchr(b'\n', bytes)?;
    let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let (word, sign) = line.split_at_checked(4)?;
    match sign {
        [sign] if word.eq_ignore_ascii_case(b"sep=") && !sign.is_ascii_alphanumeric() && *sign != b'"' => {
            Some((*sign, end + 1))
        }
        _ => None,
    }
}

/// Finds the layout of a text whose values are usually separated by this byte.
pub(super) fn layout(text: &Text<'_>, usual: u8, plan: &Plan) -> Result<Layout> {
    let bytes = text.bytes;
    let given = plan.separator.and_then(|separator| u8::try_from(separator).ok());
    let delimiter = given.unwrap_or_else(|| separator(bytes, usual));
    let mut notes = Vec::new();
    if given.is_none() && delimiter != usual {
        notes.push(Note::new(NoteKind::Separator).values([separator_name(delimiter)]));
    }
    let (names, mut start, places) = names(text, delimiter)?;
    let records = sample(bytes, delimiter);
    let guess = header(text, &names, &records, &mut notes);
    let header = plan.header.unwrap_or(guess);
    if plan.header.is_some() {
        notes.retain(|note| !matches!(note.kind, NoteKind::NoHeader | NoteKind::PerhapsNoHeader));
    }
    let mut names = names;
    if !header {
        start = first_line(bytes);
        names = (1..=names.len()).map(|number| format!("column{number}")).collect();
    }
    // Separators at the ends of the rows only.
    let ends = |record: &Vec<Field>| {
        record.len() == names.len() + 1 && record.last().is_some_and(|last| last.range.is_empty())
    };
    if records.len() > 1 && records[1..].iter().all(ends) {
        names.push(String::new());
    }
    let end = without_empty_rows(bytes, start, delimiter, names.len(), &mut notes);
    if bytes[start..end].iter().all(|b| b"\r\n".contains(b)) {
        let problem = if memchr(b'\n', bytes).is_none() && memchr(b'\r', bytes).is_some() {
            "its lines end in CR alone; save it with line ends LF or CRLF"
        } else {
            "it has a header but no rows; expected at least one row of data"
        };
        return Err(Error::input(Place::file(text.name), problem));
    }
    let unnamed = names.iter().map(String::is_empty).collect();
    if names.iter().all(String::is_empty) {
        let problem = "the column has no name; give it one in the header";
        return Err(text.error(Fault::new(places.first().copied().unwrap_or(0), 0, problem), &[]));
    }
    let names = different(names, &mut notes);
    Ok(Layout { delimiter, names, unnamed, start, end, header, notes })
}

/// Where the first line with values or names begins.
fn first_line(bytes: &[u8]) -> usize {
    let mut at = declared(bytes).map_or(0, |(_, next)| next);
    while let Some(next) = blank_line(bytes, at) {
        at = next;
    }
    at
}

/// The fields of the first line, where the next begins, and where the fields are.
fn names(text: &Text<'_>, delimiter: u8) -> Result<(Vec<String>, usize, Vec<usize>)> {
    let bytes = text.bytes;
    let mut at = first_line(bytes);
    let (mut names, mut places): (Vec<String>, Vec<usize>) = (Vec::new(), Vec::new());
    loop {
        let column = names.len();
        let failed = |fault: Fault| text.error(fault, &[]);
        let field =
            field(bytes, at, delimiter).map_err(|fault| failed(Fault { column: Some(column), ..fault }))?;
        let name = text.part(field.range.clone(), |_, _| column).map_err(failed)?;
        names.push(field.unescaped(name).into_owned());
        places.push(field.range.start);
        at = field.next;
        if field.last {
            return Ok((names, at, places));
        }
    }
}

/// Whether the first line has names: not if every column of numbers begins with one that no name would be.
fn header(text: &Text<'_>, names: &[String], records: &[Vec<Field>], notes: &mut Vec<Note>) -> bool {
    let number = |text: &str| matches!(cell(text), Cell::Number(_));
    if !names.iter().any(|name| number(name)) || records.len() < 2 {
        return true;
    }
    let field = |record: &Vec<Field>, column: usize| {
        record
            .get(column)
            .and_then(|field| std::str::from_utf8(&text.bytes[field.range.clone()]).ok())
            .unwrap_or_default()
            .to_string()
    };
    let numeric = |column: usize| {
        let cells: Vec<String> = records[1..]
            .iter()
            .map(|record| field(record, column))
            .filter(|cell| !is_missing(cell))
            .collect();
        !cells.is_empty() && cells.iter().all(|cell| number(cell))
    };
    let numeric: Vec<&String> =
        names.iter().enumerate().filter(|(column, _)| numeric(*column)).map(|(_, name)| name).collect();
    if numeric.is_empty() || !numeric.iter().all(|name| number(name)) {
        return true;
    }
    let first: Vec<String> = names.iter().take(3).cloned().collect();
    let mut seen = HashSet::new();
    let twice = numeric.iter().any(|name| !seen.insert(name.as_str()));
    let broken = numeric.iter().any(|name| matches!(cell(name), Cell::Number(x) if x.fract() != 0.0));
    if twice || broken {
        notes.push(Note::new(NoteKind::NoHeader).values(first));
        return false;
    }
    notes.push(Note::new(NoteKind::PerhapsNoHeader).values(first));
    true
}

/// Names that are all different and none empty.
fn different(names: Vec<String>, notes: &mut Vec<Note>) -> Vec<String> {
    let taken: HashSet<String> = names.iter().cloned().collect();
    let mut seen: HashSet<String> = HashSet::new();
    let free = |stem: &str, from: usize, seen: &HashSet<String>| {
        (from..)
            .map(|n| format!("{stem}{n}"))
            .find(|name| !taken.contains(name) && !seen.contains(name))
            .unwrap_or_default()
    };
    let mut out = Vec::with_capacity(names.len());
    for (column, name) in names.into_iter().enumerate() {
        let own = if name.is_empty() {
            free("column", column + 1, &seen)
        } else if seen.contains(&name) {
            let own = free(&format!("{name}_"), 2, &seen);
            notes.push(Note::new(NoteKind::SameName).column(&own).cells(column + 1, 0).values([name]));
            own
        } else {
            name
        };
        seen.insert(own.clone());
        out.push(own);
    }
    out
}

/// The end of the rows, before lines with nothing but separators.
fn without_empty_rows(
    bytes: &[u8],
    start: usize,
    delimiter: u8,
    columns: usize,
    notes: &mut Vec<Note>,
) -> usize {
    let (mut end, mut lines) = (bytes.len(), 0);
    while columns > 1 && end > start {
        let body = bytes[start..end].strip_suffix(b"\n").unwrap_or(&bytes[start..end]);
        let begin = body.iter().rposition(|&b| b == b'\n').map_or(start, |at| start + at + 1);
        let line = &bytes[begin..start + body.len()];
        let blank = skip_blanks(line, 0, delimiter);
        let empty = line.iter().all(|&b| b == delimiter || b == b' ' || b == b'\r');
        if !empty || begin == start {
            break;
        }
        // A line with nothing on it is skipped anyway.
        lines += usize::from(line.get(blank) == Some(&delimiter));
        end = begin;
    }
    if lines > 0 {
        notes.push(Note::new(NoteKind::EmptyRows).cells(lines, 0));
    }
    end
}
