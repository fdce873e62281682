//! The rows of an ARFF file, one on a line, dense (`1, 2, a`) or sparse (`{0 1, 2 a}`).
//!
//! Cells are separated by commas, or by spaces on a line without commas. What a sparse row leaves out is 0, or
//! the first declared value, or missing where the attribute is a string.

use super::columns::Rows;
use super::decimal;
use super::scan::next_of;
use super::sink::Sink;
use super::text::Fault;
use crate::data::MISSING;
use crate::error::shown;
use memchr::memchr;
use std::borrow::Cow;
use std::ops::Range;

/// What a sparse row means by leaving an attribute out.
pub(super) enum Omitted {
    Zero,
    First(String),
    Missing,
}

/// The rows of an ARFF file.
pub(super) struct ArffRows {
    /// For each attribute.
    pub omitted: Vec<Omitted>,
}

/// A cell of a line.
struct Raw<'t> {
    text: Cow<'t, str>,
    quoted: bool,
    offset: usize,
    next: usize,
}

/// The quoted text that opens at a byte of a line, and where it ends.
pub(super) fn quoted(line: &str, open: usize) -> Result<(Cow<'_, str>, usize), Fault> {
    let quote = line.as_bytes()[open];
    let mut out: Option<String> = None;
    let mut from = open + 1;
    let mut at = from;
    while let Some(&byte) = line.as_bytes().get(at) {
        if byte == quote {
            let tail = &line[from..at];
            let text = match out {
                Some(out) => Cow::Owned(out + tail),
                None => Cow::Borrowed(tail),
            };
            return Ok((text, at + 1));
        }
        if byte != b'\\' {
            at += 1;
            continue;
        }
        let Some(escaped) = line[at + 1..].chars().next() else { break };
        let out = out.get_or_insert_default();
        out.push_str(&line[from..at]);
        at += 1 + escaped.len_utf8();
        let unicode =
            |at: usize| u32::from_str_radix(line.get(at..at + 4)?, 16).ok().and_then(char::from_u32);
        match (escaped, unicode(at)) {
            ('n', _) => out.push('\n'),
            ('t', _) => out.push('\t'),
            ('r', _) => out.push('\r'),
            ('u', Some(c)) => {
                out.push(c);
                at += 4;
            }
            (other, _) => out.push(other),
        }
        from = at;
    }
    let problem = format!(
        "the quoted text that begins here is not closed on its line; expected another {}",
        quote as char
    );
    Err(Fault::new(open, None, problem))
}

/// The cell at a byte of a line, up to a byte that `stops` it, the end or a comment.
fn raw<'t>(line: &'t str, at: usize, stops: impl Fn(u8) -> bool) -> Result<Raw<'t>, Fault> {
    let offset = line.len() - line[at..].trim_ascii_start().len();
    let bytes = line.as_bytes();
    if matches!(bytes.get(offset), Some(b'"' | b'\'')) {
        let (text, end) = quoted(line, offset)?;
        let after = line.len() - line[end..].trim_ascii_start().len();
        let next = if bytes.get(after) == Some(&b'%') { line.len() } else { after };
        return match bytes.get(next) {
            Some(&b) if !(stops(b) || stops(b' ') && next > end) => Err(Fault::new(
                next,
                None,
                "text after a closing quote; expected a comma or the end of the line",
            )),
            _ => Ok(Raw { text, quoted: true, offset, next }),
        };
    }
    let comment = |at: usize| bytes[at] == b'%' && (at == 0 || bytes[at - 1].is_ascii_whitespace());
    let mut end = offset;
    while end < bytes.len() && !stops(bytes[end]) && !comment(end) {
        end += 1;
    }
    let next = if end < bytes.len() && comment(end) { line.len() } else { end };
    Ok(Raw { text: Cow::Borrowed(line[offset..end].trim_ascii_end()), quoted: false, offset, next })
}

/// The values of a list `{a, b}` that opens at a byte of a line.
pub(super) fn listed(line: &str, open: usize) -> Result<Vec<String>, Fault> {
    let mut values = Vec::new();
    let mut at = open + 1;
    loop {
        let value = raw(line, at, |b| b == b',' || b == b'}')?;
        let end = line.as_bytes().get(value.next);
        if value.quoted || !value.text.is_empty() {
            values.push(value.text.into_owned());
        } else if end == Some(&b',') || !values.is_empty() && end.is_some() {
            return Err(Fault::new(value.offset, None, "an empty value in the list; expected {a, b}"));
        }
        match end {
            Some(b',') => at = value.next + 1,
            Some(_) => return Ok(values),
            None => {
                let problem = "the list of values is not closed on its line; expected {a, b}";
                return Err(Fault::new(open, None, problem));
            }
        }
    }
}

/// The cells of a dense row.
struct Cells<'t> {
    /// The text with the line in it.
    text: &'t str,
    line: Range<usize>,
    spaced: bool,
    at: Option<usize>,
}

impl<'t> Cells<'t> {
    fn new(text: &'t str, line: Range<usize>, columns: usize) -> Self {
        let spaced = columns > 1 && memchr(b',', &text.as_bytes()[line.clone()]).is_none();
        Self { text, line, spaced, at: Some(0) }
    }

    /// The next cell, if it is a plain number or `?` (which is NaN) between commas.
    #[inline(always)]
    fn number(&mut self) -> Option<f64> {
        let at = self.line.start + self.at.filter(|_| !self.spaced)?;
        let bytes = self.text.as_bytes();
        let start = at + bytes.get(at..self.line.end)?.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let (value, end) = if bytes.get(start) == Some(&b'?') {
            (f64::NAN, start + 1)
        } else {
            decimal::plain(bytes, start)?
        };
        if end == self.line.end {
            self.at = None;
        } else if end < self.line.end && bytes[end] == b',' {
            self.at = Some(end + 1 - self.line.start);
        } else {
            return None;
        }
        Some(value)
    }

    /// The cell up to the next comma, if it is unquoted and there is nothing special about it.
    fn simple(&self, line: &'t str, at: usize) -> Option<Raw<'t>> {
        let offset = line.len() - line[at..].trim_ascii_start().len();
        let next = next_of(line.as_bytes(), offset, b',', b'%');
        if matches!(line.as_bytes().get(offset), Some(b'"' | b'\''))
            || line.as_bytes().get(next) == Some(&b'%')
        {
            return None;
        }
        Some(Raw { text: Cow::Borrowed(line[offset..next].trim_ascii_end()), quoted: false, offset, next })
    }
}

impl<'t> Iterator for Cells<'t> {
    type Item = Result<Raw<'t>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.take()?;
        let line = &self.text[self.line.clone()];
        let cell = if self.spaced {
            raw(line, at, |b| b.is_ascii_whitespace())
        } else if let Some(cell) = self.simple(line, at) {
            Ok(cell)
        } else {
            raw(line, at, |b| b == b',')
        };
        if let Ok(cell) = &cell {
            let rest = line.get(cell.next..).unwrap_or_default();
            let spaces = rest.len() - rest.trim_ascii_start().len();
            self.at = match rest.as_bytes().get(spaces) {
                Some(b',') if !self.spaced => Some(cell.next + spaces + 1),
                Some(b'%') | None => None,
                Some(_) => Some(cell.next + spaces),
            };
        }
        Some(cell)
    }
}

impl ArffRows {
    fn dense<'t>(
        &self,
        text: &'t str,
        line: Range<usize>,
        row: usize,
        sinks: &mut [Sink<'_, 't>],
    ) -> Result<(), Fault> {
        let mut column = 0;
        let begin = line.start;
        let mut cells = Cells::new(text, line, sinks.len());
        loop {
            let here = |fault: Fault| Fault { column: Some(column), ..fault };
            if let Some(Sink::Numbers(numbers)) = sinks.get_mut(column)
                && let Some(value) = cells.number()
            {
                numbers.set(row, value);
                column += 1;
                continue;
            }
            let Some(cell) = cells.next() else { break };
            let cell = cell.map_err(here)?;
            if !cell.quoted && cell.text.as_bytes().first() == Some(&b'{') {
                let problem = "weights of rows ({w} at the end) are not supported; put them in a column";
                return Err(Fault::new(cell.offset, None, problem));
            }
            if let Some(sink) = sinks.get_mut(column) {
                let put = match cell.text {
                    Cow::Borrowed(content) => {
                        let start = begin + cell.offset + usize::from(cell.quoted);
                        sink.put_part(row, text, start..start + content.len(), cell.quoted, cell.offset)
                    }
                    content => sink.put(row, content, cell.quoted, cell.offset),
                };
                put.map_err(here)?;
            }
            column += 1;
        }
        let count = column;
        if count != sinks.len() {
            let values = if count == 1 { "value" } else { "values" };
            let problem = format!(
                "{count} {values}, expected {}, one for each attribute; values with commas or spaces in them must be quoted",
                sinks.len()
            );
            return Err(Fault::new(0, None, problem));
        }
        Ok(())
    }

    /// A row `{index value, ...}`; `filled` tells for each column the row (from 1) it was last given in.
    fn sparse<'t>(
        &self,
        line: &'t str,
        row: usize,
        sinks: &mut [Sink<'_, 't>],
        filled: &mut [usize],
    ) -> Result<(), Fault> {
        let bytes = line.as_bytes();
        let skip = |at: usize| line.len() - line[at..].trim_ascii_start().len();
        let mut at = skip(1);
        while bytes.get(at) != Some(&b'}') {
            let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            let column = line[at..at + digits].parse::<usize>().ok().filter(|&c| c < sinks.len());
            let Some(column) = column else {
                let problem = format!(
                    "expected the number of an attribute, from 0 to {}, then its value, in a sparse row",
                    sinks.len() - 1
                );
                return Err(Fault::new(at, None, problem));
            };
            let here = |fault: Fault| Fault { column: Some(column), ..fault };
            if std::mem::replace(&mut filled[column], row + 1) == row + 1 {
                return Err(here(Fault::new(at, None, "the attribute has two values in one sparse row")));
            }
            let value = raw(line, at + digits, |b| b == b',' || b == b'}').map_err(here)?;
            if value.text.is_empty() && !value.quoted {
                return Err(here(Fault::new(at, None, "expected a value after the attribute's number")));
            }
            sinks[column].put(row, value.text, value.quoted, value.offset).map_err(here)?;
            at = value.next;
            match bytes.get(at) {
                Some(b',') => at = skip(at + 1),
                Some(_) => {}
                None => return Err(Fault::new(0, None, "the sparse row is not closed; expected }")),
            }
        }
        let rest = line[at + 1..].trim_ascii_start();
        if !rest.is_empty() && !rest.starts_with('%') {
            let problem = format!(
                "{} after a sparse row; expected the end of the line (weights of rows are not supported)",
                shown(rest.trim_ascii_end())
            );
            return Err(Fault::new(at + 1, None, problem));
        }
        for (column, sink) in sinks.iter_mut().enumerate().filter(|(column, _)| filled[*column] != row + 1) {
            let here = |fault: Fault| Fault { column: Some(column), ..fault };
            match (sink, &self.omitted[column]) {
                (Sink::Skip, _) => {}
                (Sink::Declared { cells, levels, .. }, _) => {
                    if let Some(cell) = cells.get_mut(row) {
                        *cell = if levels.levels().is_empty() { MISSING } else { 0 };
                    }
                }
                (sink, Omitted::Zero) => sink.put(row, Cow::Borrowed("0"), false, 0).map_err(here)?,
                (sink, Omitted::First(level)) => {
                    sink.put(row, Cow::Owned(level.clone()), true, 0).map_err(here)?;
                }
                (sink, Omitted::Missing) => sink.put(row, Cow::Borrowed(""), false, 0).map_err(here)?,
            }
        }
        Ok(())
    }
}

impl Rows for ArffRows {
    fn parse<'t>(&self, text: &'t str, sinks: &mut [Sink<'_, 't>]) -> Result<usize, Fault> {
        let mut filled = vec![0; sinks.len()];
        let (mut start, mut row) = (0, 0);
        while start < text.len() {
            let end = memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |length| start + length);
            let begin = end - text[start..end].trim_ascii_start().len();
            let line = text[begin..end].trim_ascii_end();
            start = end + 1;
            let parsed = match line.as_bytes().first() {
                None | Some(b'%') => continue,
                Some(b'{') => self.sparse(line, row, sinks, &mut filled),
                Some(_) => self.dense(text, begin..begin + line.len(), row, sinks),
            };
            parsed.map_err(|fault| Fault { offset: begin + fault.offset, ..fault })?;
            row += 1;
        }
        Ok(row)
    }

    fn field_at(&self, chunk: &[u8], offset: usize) -> usize {
        let before = &chunk[..offset];
        let line = before.iter().rposition(|&b| b == b'\n').map_or(before, |at| &before[at + 1..]);
        line.iter().filter(|&&b| b == b',').count()
    }

    fn count(&self, chunk: &[u8]) -> usize {
        records(chunk).count()
    }

    fn start_of(&self, chunk: &[u8], row: usize) -> usize {
        records(chunk).nth(row).unwrap_or(chunk.len())
    }
}

/// Where the rows of a chunk begin.
fn records(chunk: &[u8]) -> impl Iterator<Item = usize> {
    let mut start = 0;
    let lines = chunk.split(|&b| b == b'\n').map(move |line| {
        let begin = start;
        start += line.len() + 1;
        (begin, line.trim_ascii())
    });
    lines.filter(|(_, line)| !matches!(line.first(), None | Some(b'%'))).map(|(begin, _)| begin)
}
