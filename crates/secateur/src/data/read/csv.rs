//! CSV and TSV: a header, then rows with as many fields.
//!
//! A field may stand in double quotes and then hold delimiters, line ends and doubled quotes; a quote inside an
//! unquoted field is an ordinary character. Spaces around a field do not count, those inside quotes do.
//! Quotes do not make text: `"1"` is a number and `"NA"` is missing. Blank lines are skipped. What separates values and
//! whether there is a header is seen in the file (`layout`); a column is numeric if all its cells are numbers or missing, in
//! the whole file, and otherwise what its different values say (`settled`).

use super::choice::{Choice, choices};
use super::chunks::{Quotes, is_blank, split};
use super::columns::{ColumnKind, Found, Job, Rows};
use super::decimal;
use super::layout::{Layout, layout, separator_name};
use super::scan::next_of;
use super::settled::{Columns, Undecided, settled};
use super::sink::{MissingRule, OddNumbers, Sink};
use super::text::{Fault, Text};
use super::{CHUNK, Content, ReadOptions, Reader, Reading};
use crate::data::{ColumnPlan, ColumnType, Note, NoteKind, Plan, Table};
use crate::error::Result;
use crate::progress::Progress;
use std::borrow::Cow;
use std::ops::Range;

pub(super) const COMMAS: Reader = Reader {
    names: &["csv"],
    begins: |_| false,
    content: Content::Text(|text, options, progress| read(text, b',', options, progress, CHUNK)),
};
pub(super) const TABS: Reader = Reader {
    names: &["tsv"],
    begins: |_| false,
    content: Content::Text(|text, options, progress| read(text, b'\t', options, progress, CHUNK)),
};

/// Reads a table; `usual` is what separates values unless the file shows otherwise, `chunk` the number of bytes that are parsed
/// at a time.
pub(super) fn read(
    text: &Text<'_>,
    usual: u8,
    options: &ReadOptions,
    progress: &dyn Progress,
    chunk: usize,
) -> Result<Reading> {
    let Layout { delimiter, names, unnamed, start, end, header, mut notes } =
        layout(text, usual, &options.plan)?;
    let text = &Text { name: text.name, bytes: &text.bytes[..end] };
    let choices = choices(text.name, &names, options)?;
    let kinds = choices.iter().map(|choice| match choice {
        Choice::Ignore => ColumnKind::Skip,
        Choice::Nominal => ColumnKind::Open,
        _ => ColumnKind::Guess,
    });
    let mut chunks = split(text.bytes, start, chunk, Quotes::Fields(delimiter), progress)?;
    for chunk in &mut chunks {
        // A record has at least its delimiters and a line end.
        chunk.rows = chunk.rows.min((chunk.range.len() + 1) / names.len());
    }
    let keep_na = options.plan.keep_na == Some(true);
    let rows = CsvRows { delimiter, columns: names.len(), keep_na };
    let missing = rows.missing();
    let job = Job { text, names: &names, rows: &rows, chunks, missing, progress };
    let (values, found) = job.read_noted(kinds.collect())?;
    let columns =
        Columns { names: &names, unnamed: &unnamed, choices: &choices, usual_comma: delimiter == b',' };
    let texts = |some: &[usize]| {
        let kind = |column| if some.contains(&column) { ColumnKind::Open } else { ColumnKind::Skip };
        job.read((0..names.len()).map(kind).collect())
    };
    let mut settled = settled(values, &columns, options, texts).map_err(|undecided| match undecided {
        Undecided::Cell(column, odd) => {
            let fault = Fault::new(job.offset_of(odd.row), column, odd.problem);
            text.error(fault, &names).with_remedies(odd.remedies)
        }
        Undecided::Reading(error) => error,
    })?;
    notes.append(&mut settled.notes);
    let kind = |plan: &ColumnPlan| Some(plan.kind).filter(|_| !options.is_numeric(&plan.name));
    notes.extend(marked(names.iter().zip(settled.plans.iter().map(kind)), found));
    for note in &mut notes {
        note.line = note.line.or_else(|| note.row.map(|row| text.line(job.offset_of(row as usize - 1))));
    }
    let plan = Plan {
        separator: Some(char::from(delimiter)),
        header: Some(header),
        keep_na: options.plan.keep_na,
        missing: options.plan.missing.clone(),
        columns: settled.plans,
        ..Plan::default()
    };
    let table = Table::new(text.name, settled.columns)?.with_shown_as(settled.shown_as);
    Ok(Reading { table, notes, plan })
}

/// Notes on texts that became missing values in columns of text, and on numbers that are not what they seem.
pub(super) fn marked<'a>(
    columns: impl Iterator<Item = (&'a String, Option<ColumnType>)>,
    found: Vec<Found>,
) -> Vec<Note> {
    let mut notes = Vec::new();
    for ((name, kind), Found { marks, odd }) in columns.zip(found) {
        let mut note = |kind, cells, first: Option<(usize, String)>| {
            let note = |(row, word)| Note::new(kind).column(name).cells(cells, 0).values([word]).row(row);
            notes.extend(first.map(note));
        };
        match kind {
            Some(ColumnType::Nominal) => note(NoteKind::Marks, marks.cells, marks.first),
            Some(ColumnType::Numeric) => {
                note(NoteKind::Exponents, 1, odd.exponent);
                note(NoteKind::TooSmall, 1, odd.too_small);
            }
            _ => {}
        }
    }
    notes
}

/// The end of a line with nothing on it.
pub(super) fn blank_line(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'\n' => Some(at + 1),
        b'\r' if bytes.get(at + 1) == Some(&b'\n') => Some(at + 2),
        _ => None,
    }
}

/// One field of a record.
pub(super) struct Field {
    /// Its text, without quotes and the spaces around it.
    pub range: Range<usize>,
    /// It holds doubled quotes.
    doubled: bool,
    /// It is the last of its record.
    pub last: bool,
    /// Where the next field begins.
    pub next: usize,
}

impl Field {
    pub(super) fn unescaped<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.doubled { Cow::Owned(text.replace("\"\"", "\"")) } else { Cow::Borrowed(text) }
    }
}

/// Whether a field ends here, whether the record does too, and where the next begins.
#[inline(always)]
fn field_end(bytes: &[u8], at: usize, delimiter: u8) -> Option<(bool, usize)> {
    match bytes.get(at) {
        Some(&b) if b == delimiter => Some((false, at + 1)),
        Some(b'\n') => Some((true, at + 1)),
        None => Some((true, at)),
        Some(b'\r') => match bytes.get(at + 1) {
            None => Some((true, at + 1)),
            Some(b'\n') => Some((true, at + 2)),
            _ => None,
        },
        _ => None,
    }
}

#[inline(always)]
pub(super) fn skip_blanks(bytes: &[u8], mut at: usize, delimiter: u8) -> usize {
    while bytes.get(at).is_some_and(|&b| is_blank(b, delimiter)) {
        at += 1;
    }
    at
}

/// The field that begins at a byte.
#[inline(always)]
pub(super) fn field(bytes: &[u8], at: usize, delimiter: u8) -> Result<Field, Fault> {
    let start = skip_blanks(bytes, at, delimiter);
    if bytes.get(start) == Some(&b'"') {
        return quoted_field(bytes, start, delimiter);
    }
    let mut end = next_of(bytes, start, delimiter, b'\n');
    let (last, next) = field_end(bytes, end, delimiter).unwrap_or((true, end));
    if last && end > start && bytes[end - 1] == b'\r' {
        end -= 1;
    }
    while end > start && is_blank(bytes[end - 1], delimiter) {
        end -= 1;
    }
    Ok(Field { range: start..end, doubled: false, last, next })
}

fn quoted_field(bytes: &[u8], open: usize, delimiter: u8) -> Result<Field, Fault> {
    let mut at = open + 1;
    let mut doubled = false;
    loop {
        at = next_of(bytes, at, b'"', b'"');
        if at >= bytes.len() {
            let problem = "the quoted field that begins here is never closed; expected another \"";
            return Err(Fault::new(open, None, problem));
        }
        if bytes.get(at + 1) != Some(&b'"') {
            break;
        }
        doubled = true;
        at += 2;
    }
    let range = open + 1..at;
    let after = skip_blanks(bytes, at + 1, delimiter);
    match field_end(bytes, after, delimiter) {
        Some((last, next)) => Ok(Field { range, doubled, last, next }),
        None => Err(Fault::new(
            after,
            None,
            "text after a closing quote; a quote inside a quoted field is written twice (\"\")",
        )),
    }
}

/// The rows of a CSV file.
pub(super) struct CsvRows {
    pub delimiter: u8,
    pub columns: usize,
    /// Whether only what is empty is missing in columns of text; two quotes with nothing between them are an empty text then.
    pub keep_na: bool,
}

impl CsvRows {
    /// Which texts are missing values.
    pub(super) fn missing(&self) -> MissingRule {
        if self.keep_na { MissingRule::KEEP_NA } else { MissingRule::USUAL }
    }

    /// A finite number that fills the field, or NaN if the field is empty or `?`: its value, whether it is the
    /// last field, where the next begins.
    #[inline(always)]
    fn number(
        &self,
        bytes: &[u8],
        at: usize,
        row: usize,
        odd: &mut OddNumbers,
    ) -> Option<(f64, bool, usize)> {
        let start = skip_blanks(bytes, at, self.delimiter);
        if let Some((value, end)) = decimal::plain(bytes, start)
            && let Some((last, next)) = field_end(bytes, end, self.delimiter)
        {
            return Some((value, last, next));
        }
        let missing = start + usize::from(bytes.get(start) == Some(&b'?'));
        if let Some((last, next)) = field_end(bytes, missing, self.delimiter) {
            return Some((f64::NAN, last, next));
        }
        self.any_number(bytes, start, row, odd)
    }

    fn any_number(
        &self,
        bytes: &[u8],
        start: usize,
        row: usize,
        odd: &mut OddNumbers,
    ) -> Option<(f64, bool, usize)> {
        let (value, length) = fast_float2::parse_partial::<f64, _>(&bytes[start..]).ok()?;
        let (last, next) = field_end(bytes, start + length, self.delimiter)?;
        if let Ok(text) = std::str::from_utf8(&bytes[start..start + length]) {
            odd.look(row, text, value);
        }
        value.is_finite().then_some((value, last, next))
    }

    fn ragged(&self, bytes: &[u8], record: usize) -> Fault {
        let (mut at, mut count) = (record, 0);
        while let Ok(field) = field(bytes, at, self.delimiter) {
            at = field.next;
            count += 1;
            if field.last {
                break;
            }
        }
        let fields = if count == 1 { "field" } else { "fields" };
        let problem = format!(
            "{count} {fields}, expected {} as in the header; text with {} in it must stand in double quotes",
            self.columns,
            separator_name(self.delimiter)
        );
        Fault::new(record, None, problem)
    }
}

impl Rows for CsvRows {
    fn parse<'t>(&self, text: &'t str, sinks: &mut [Sink<'_, 't>]) -> Result<usize, Fault> {
        let bytes = text.as_bytes();
        let (mut at, mut row) = (0, 0);
        while at < bytes.len() {
            if let Some(next) = blank_line(bytes, at) {
                at = next;
                continue;
            }
            let record = at;
            let mut ended = false;
            for (column, sink) in sinks.iter_mut().enumerate() {
                if ended {
                    return Err(self.ragged(bytes, record));
                }
                if let Sink::Numbers(numbers) = sink
                    && !numbers.text
                    && let Some((value, last, next)) = self.number(bytes, at, row, &mut numbers.odd)
                {
                    numbers.set(row, value);
                    numbers.zeros |=
                        bytes.get(at) == Some(&b'0') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                    (ended, at) = (last, next);
                    continue;
                }
                let here = |fault: Fault| Fault { column: Some(column), ..fault };
                let field = field(bytes, at, self.delimiter).map_err(here)?;
                let offset = field.range.start;
                if field.doubled {
                    let content = text.get(field.range.clone()).unwrap_or_default();
                    sink.put(row, field.unescaped(content), false, offset).map_err(here)?;
                } else {
                    let literal = self.keep_na
                        && field.range.is_empty()
                        && offset.checked_sub(1).is_some_and(|before| bytes[before] == b'"');
                    sink.put_part(row, text, field.range, literal, offset).map_err(here)?;
                }
                (ended, at) = (field.last, field.next);
            }
            if !ended {
                return Err(self.ragged(bytes, record));
            }
            row += 1;
        }
        Ok(row)
    }

    fn field_at(&self, chunk: &[u8], offset: usize) -> usize {
        let (mut at, mut column) = (0, 0);
        while at <= offset && at < chunk.len() {
            let Ok(field) = field(chunk, at, self.delimiter) else { break };
            if field.next > offset || field.next == at {
                break;
            }
            column = if field.last { 0 } else { column + 1 };
            at = field.next;
        }
        column
    }

    fn count(&self, chunk: &[u8]) -> usize {
        records(chunk, self.delimiter).count()
    }

    fn start_of(&self, chunk: &[u8], row: usize) -> usize {
        records(chunk, self.delimiter).nth(row).unwrap_or(chunk.len())
    }
}

/// Where the records of a chunk begin.
fn records(chunk: &[u8], delimiter: u8) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(next) = blank_line(chunk, at) {
            at = next;
        }
        let record = (at < chunk.len()).then_some(at)?;
        while at < chunk.len() {
            let Ok(field) = field(chunk, at, delimiter) else { return None };
            at = field.next;
            if field.last {
                break;
            }
        }
        Some(record)
    })
}
