//! The rows of an ARFF file, one on a line, dense (`1, 2, a`) or sparse (`{0 1, 2 a}`).
//!
//! Cells are separated by commas, or by spaces on a line without commas. What a sparse row leaves out is 0, or
//! the first declared value, or missing where the attribute is a string.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use super::cells::{Cells, raw};
use crate::data::MISSING;
use crate::data::read::columns::Rows;
use crate::data::read::sink::Sink;
use crate::data::read::text::Fault;
use crate::error::shown;

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
            if let Some(sink) = sinks.get_mut(column)
                && let Some(part) = cells.word()
            {
                let offset = part.start - begin;
                sink.put_part(row, text, part, false, offset).map_err(here)?;
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

    /// A row `{index value, ...}`; `filled` says for each column the row (from 1) it was last given in.
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
