//! Filling columns from chunks of text, in parallel.
//!
//! The number of records is bounded before, so every chunk writes into its own part of the final columns and
//! nothing is copied together afterwards. A column without a known type is first taken for numbers; where
//! that fails the text is read again for that column alone. Chunks number the values of a nominal
//! column for themselves and the numbers are brought together in the order of the chunks, some chunks at
//! a time: the result is that of reading from front to back.

use super::chunks::Chunk;
use super::memo::{Key, Memo};
use super::text::{Fault, Text};
use crate::data::cell::{Cell, cell, is_missing};
use crate::data::intern::Interner;
use crate::data::{MISSING, Nominal, Values};
use crate::error::{Error, Place, Result, shown, suggestion};
use crate::memory;
use crate::progress::Progress;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// How a column of text is read.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Skip,
    /// Numbers; text is an error.
    Numbers,
    /// Numbers, unless there is text.
    Guess,
    /// Values as they come.
    Open,
    /// Only these values.
    Declared(Vec<String>),
}

/// The grammar of the rows.
pub(super) trait Rows: Sync {
    /// Parses all records of a chunk, one cell into each sink; gives their number. Offsets of faults are
    /// relative to the chunk.
    fn parse<'t>(&self, text: &'t str, sinks: &mut [Sink<'_, 't>]) -> Result<usize, Fault>;

    /// The number of the field (from 0) at a byte of a chunk.
    fn field_at(&self, chunk: &[u8], offset: usize) -> usize;
}

/// Where the cells of one column of one chunk go.
pub(super) enum Sink<'c, 't> {
    Skip,
    Numbers(Numbers<'c>),
    Open { cells: &'c mut [u32], levels: Interner<Cow<'t, str>>, memo: Memo },
    Declared { cells: &'c mut [u32], levels: &'c Interner<String>, memo: Memo },
}

/// Numbers of one column of one chunk.
pub(super) struct Numbers<'c> {
    cells: &'c mut [f64],
    forced: bool,
    /// There is text: the column is not numeric after all.
    pub text: bool,
    infinite: Option<(usize, String)>,
}

impl<'t> Sink<'_, 't> {
    /// Puts a part of the chunk's text into a row, like [`put`](Self::put).
    #[inline(always)]
    pub fn put_part(
        &mut self,
        row: usize,
        text: &'t str,
        part: Range<usize>,
        literal: bool,
        offset: usize,
    ) -> Result<(), Fault> {
        let key = match self {
            Self::Open { cells, memo, .. } | Self::Declared { cells, memo, .. } => {
                let key = Key::of(text.as_bytes(), part.clone());
                if let Some(code) = key.and_then(|key| memo.get(key)) {
                    if let Some(place) = cells.get_mut(row) {
                        *place = code;
                    }
                    return Ok(());
                }
                key
            }
            Self::Skip => return Ok(()),
            Self::Numbers(_) => None,
        };
        let text = text.get(part).unwrap_or_default();
        self.put(row, Cow::Borrowed(text), literal, offset)?;
        if let Some(key) = key {
            self.remember(row, text, key);
        }
        Ok(())
    }

    /// Remembers the code that a row got for a text, unless it could mean something else where it is (not) literal.
    fn remember(&mut self, row: usize, text: &str, key: Key) {
        if let Self::Open { cells, memo, .. } | Self::Declared { cells, memo, .. } = self
            && let Some(&code) = cells.get(row)
            && !is_missing(text)
        {
            memo.set(key, code);
        }
    }

    /// Puts a cell into a row. Literal text is never a missing value. The fault says only what is wrong.
    pub fn put(&mut self, row: usize, text: Cow<'t, str>, literal: bool, offset: usize) -> Result<(), Fault> {
        match self {
            Self::Skip => {}
            Self::Numbers(numbers) => return numbers.put(row, &text, offset),
            Self::Open { cells, levels, .. } => {
                if let Some(place) = cells.get_mut(row) {
                    *place = if !literal && is_missing(&text) { MISSING } else { levels.code(text) };
                }
            }
            Self::Declared { cells, levels, .. } => {
                let code = match levels.find(&text) {
                    _ if !literal && text == "?" => MISSING,
                    Some(code) => code,
                    None if !literal && is_missing(&text) => MISSING,
                    None => return Err(undeclared(&text, levels.levels(), offset)),
                };
                if let Some(place) = cells.get_mut(row) {
                    *place = code;
                }
            }
        }
        Ok(())
    }
}

impl Numbers<'_> {
    /// Puts a number, or NaN for a missing one, into a row.
    #[inline(always)]
    pub fn set(&mut self, row: usize, value: f64) {
        if let Some(cell) = self.cells.get_mut(row) {
            *cell = value;
        }
    }

    fn put(&mut self, row: usize, text: &str, offset: usize) -> Result<(), Fault> {
        if self.text {
            return Ok(());
        }
        let value = match cell(text) {
            Cell::Missing => f64::NAN,
            Cell::Number(value) => value,
            Cell::Infinite if self.forced => return Err(Fault::new(offset, None, not_finite(text))),
            Cell::Infinite => {
                self.infinite.get_or_insert_with(|| (offset, text.to_string()));
                f64::NAN
            }
            Cell::Text if self.forced => {
                let problem = format!("{} is not a number; {EXPECTED}", shown(text));
                return Err(Fault::new(offset, None, problem));
            }
            Cell::Text => {
                self.text = true;
                return Ok(());
            }
        };
        self.set(row, value);
        Ok(())
    }
}

const EXPECTED: &str = "expected a finite number or a missing value (?) in a numeric column";

fn not_finite(text: &str) -> String {
    format!("{} is not finite; {EXPECTED}", shown(text))
}

fn undeclared(text: &str, levels: &[String], offset: usize) -> Fault {
    let first: Vec<String> = levels.iter().take(5).map(|level| shown(level)).collect();
    let expected = match levels.len() {
        0 => "no value but ? (none is declared)".to_string(),
        1..=5 => format!("one of {}", first.join(", ")),
        count => format!("one of {}, … ({count} values)", first.join(", ")),
    };
    let near = suggestion(text, levels.iter().take(10_000).map(String::as_str));
    Fault::new(offset, None, format!("{} is not a declared value; expected {expected}{near}", shown(text)))
}

/// A text, cut up, with the grammar of its rows.
pub(super) struct Job<'a, R> {
    pub text: &'a Text<'a>,
    pub names: &'a [String],
    pub rows: &'a R,
    pub chunks: Vec<Chunk>,
    pub progress: &'a dyn Progress,
}

impl<R: Rows> Job<'_, R> {
    /// Reads all columns; a skipped one gives nothing.
    pub fn read(&self, mut kinds: Vec<Kind>) -> Result<Vec<Option<Values>>> {
        let guessing = kinds.iter().any(|kind| matches!(kind, Kind::Guess));
        if guessing && self.chunks.len() > 1 {
            // The first chunk nearly always knows the types; then the columns are read only once.
            let first = self.pass(&self.chunks[..1], &kinds, false)?;
            for (kind, text) in kinds.iter_mut().zip(first.text) {
                if text {
                    *kind = Kind::Open;
                }
            }
        }
        let bytes = self.chunks.iter().map(|c| c.range.len() as u64).sum();
        self.progress.stage("reading", bytes);
        let Pass { mut columns, text, infinite, rows } = self.pass(&self.chunks, &kinds, true)?;
        if rows == 0 {
            return Err(Error::input(
                Place::file(self.text.name),
                "it has a header but no rows; expected at least one row of data",
            ));
        }
        let infinite = infinite.into_iter().enumerate().filter(|(column, _)| !text[*column]);
        let first = infinite.filter_map(|(column, at)| at.map(|(offset, text)| (offset, column, text))).min();
        if let Some((offset, column, text)) = first {
            let problem = not_finite(&text);
            return Err(self.text.error(Fault::new(offset, column, problem), self.names));
        }
        if text.contains(&true) {
            let again: Vec<Kind> =
                text.iter().map(|&text| if text { Kind::Open } else { Kind::Skip }).collect();
            self.progress.stage("reading columns that turned out to be text", bytes);
            let pass = self.pass(&self.chunks, &again, true)?;
            for (column, values) in columns.iter_mut().zip(pass.columns) {
                if values.is_some() {
                    *column = values;
                }
            }
        }
        Ok(columns)
    }

    fn pass(&self, chunks: &[Chunk], kinds: &[Kind], report: bool) -> Result<Pass> {
        let capacity: usize = chunks.iter().map(|chunk| chunk.rows).sum();
        self.check_memory(capacity, kinds)?;
        let mut columns: Vec<Cells> = kinds.iter().map(|kind| Cells::new(kind, capacity)).collect();
        let mut open: Vec<Interner<String>> = kinds.iter().map(|_| Interner::default()).collect();
        let declared: Vec<Interner<String>> = kinds
            .iter()
            .map(|kind| {
                let mut levels = Interner::default();
                if let Kind::Declared(names) = kind {
                    names.iter().for_each(|name| {
                        levels.code(name.as_str());
                    });
                }
                levels
            })
            .collect();
        let mut text: Vec<bool> = vec![false; kinds.len()];
        let mut infinite: Vec<Option<(usize, String)>> = vec![None; kinds.len()];
        let mut counts = Vec::with_capacity(chunks.len());

        let mut rest: Vec<Rest<'_>> = columns.iter_mut().map(Rest::of).collect();
        // Every chunk of a wave has something to fill for every column; with very many columns there are few at a time.
        let wave = (16 * rayon::current_num_threads()).min((1 << 20) / kinds.len().max(1)).max(1);
        for wave in chunks.chunks(wave) {
            let work: Vec<(&Chunk, Vec<Sink<'_, '_>>)> = wave
                .iter()
                .map(|chunk| {
                    let sinks = rest.iter_mut().enumerate().map(|(column, rest)| {
                        rest.take(chunk.rows, &kinds[column], &declared[column], text[column])
                    });
                    (chunk, sinks.collect())
                })
                .collect();
            let done: Vec<Result<(usize, Vec<Sink<'_, '_>>)>> = work
                .into_par_iter()
                .map(|(chunk, mut sinks)| {
                    if self.progress.cancelled() {
                        return Err(Error::Cancelled);
                    }
                    let rows = self.parse(chunk, &mut sinks)?;
                    if report {
                        self.progress.advance(chunk.range.len() as u64);
                    }
                    Ok((rows, sinks))
                })
                .collect();
            let mut remaps = Vec::new();
            for (chunk, done) in wave.iter().zip(done) {
                let (rows, sinks) = done?;
                counts.push((chunk.rows, rows.min(chunk.rows)));
                for (column, sink) in sinks.into_iter().enumerate() {
                    match sink {
                        Sink::Numbers(numbers) => {
                            text[column] |= numbers.text;
                            if let (None, Some((at, value))) = (&infinite[column], numbers.infinite) {
                                infinite[column] = Some((chunk.range.start + at, value));
                            }
                        }
                        Sink::Open { cells, levels, .. } => {
                            let codes = levels.into_levels().into_iter().map(|l| open[column].code(l));
                            remaps.push((cells, codes.collect::<Vec<u32>>()));
                        }
                        Sink::Skip | Sink::Declared { .. } => {}
                    }
                }
            }
            remaps.into_par_iter().for_each(|(cells, codes)| {
                for cell in cells {
                    *cell = codes.get(*cell as usize).copied().unwrap_or(MISSING);
                }
            });
        }
        let rows = counts.iter().map(|(_, rows)| rows).sum();
        let columns = columns.into_iter().zip(open).zip(kinds).map(|((cells, open), kind)| {
            let levels = match kind {
                Kind::Declared(levels) => levels.clone(),
                _ => open.into_levels(),
            };
            cells.finish(&counts, levels)
        });
        Ok(Pass { columns: columns.collect(), text, infinite, rows })
    }

    fn parse<'t>(&'t self, chunk: &Chunk, sinks: &mut [Sink<'_, 't>]) -> Result<usize> {
        let start = chunk.range.start;
        let at_chunk = |fault: Fault| Fault { offset: start + fault.offset, ..fault };
        self.text
            .part(chunk.range.clone(), |bytes, at| self.rows.field_at(bytes, at))
            .and_then(|text| self.rows.parse(text, sinks).map_err(at_chunk))
            .map_err(|fault| self.text.error(fault, self.names))
    }

    /// Asks for the memory of all columns at once, which fails in words and not by the end of the process.
    fn check_memory(&self, rows: usize, kinds: &[Kind]) -> Result<()> {
        let bytes = |kind: &Kind| match kind {
            Kind::Skip => 0,
            Kind::Numbers | Kind::Guess => size_of::<f64>(),
            Kind::Open | Kind::Declared(_) => size_of::<u32>(),
        };
        let total = kinds.iter().map(bytes).sum::<usize>().saturating_mul(rows);
        memory::ask(total, &format!("the table of {}", self.text.name))
    }
}

/// What reading all chunks once gave.
struct Pass {
    columns: Vec<Option<Values>>,
    /// The guessed columns that hold text.
    text: Vec<bool>,
    /// The first infinite number of each column and where it is.
    infinite: Vec<Option<(usize, String)>>,
    rows: usize,
}

/// The cells of a column while it is filled.
enum Cells {
    Skip,
    Numbers(Vec<f64>),
    Codes(Vec<u32>),
}

impl Cells {
    fn new(kind: &Kind, rows: usize) -> Self {
        match kind {
            Kind::Skip => Self::Skip,
            Kind::Numbers | Kind::Guess => Self::Numbers(vec![0.0; rows]),
            Kind::Open | Kind::Declared(_) => Self::Codes(vec![0; rows]),
        }
    }

    fn finish(self, counts: &[(usize, usize)], levels: Vec<String>) -> Option<Values> {
        match self {
            Self::Skip => None,
            Self::Numbers(cells) => Some(Values::Numeric(closed_up(cells, counts))),
            Self::Codes(cells) => Some(Values::Nominal(Nominal { levels, codes: closed_up(cells, counts) })),
        }
    }
}

/// Moves the cells of all chunks together: each has room for `.0` and holds `.1`.
fn closed_up<T: Copy>(mut cells: Vec<T>, counts: &[(usize, usize)]) -> Vec<T> {
    let (mut from, mut to) = (0, 0);
    for &(room, rows) in counts {
        if from != to {
            cells.copy_within(from..from + rows, to);
        }
        from += room;
        to += rows;
    }
    cells.truncate(to);
    cells
}

/// The part of a column that no chunk has taken yet.
enum Rest<'c> {
    Skip,
    Numbers(&'c mut [f64]),
    Codes(&'c mut [u32]),
}

impl<'c> Rest<'c> {
    fn of(cells: &'c mut Cells) -> Self {
        match cells {
            Cells::Skip => Self::Skip,
            Cells::Numbers(cells) => Self::Numbers(cells),
            Cells::Codes(cells) => Self::Codes(cells),
        }
    }

    fn take<'t>(
        &mut self,
        rows: usize,
        kind: &Kind,
        declared: &'c Interner<String>,
        text: bool,
    ) -> Sink<'c, 't> {
        match self {
            Self::Skip => Sink::Skip,
            Self::Numbers(rest) => {
                let (cells, tail) = std::mem::take(rest).split_at_mut(rows);
                *rest = tail;
                let forced = matches!(kind, Kind::Numbers);
                Sink::Numbers(Numbers { cells, forced, text, infinite: None })
            }
            Self::Codes(rest) => {
                let (cells, tail) = std::mem::take(rest).split_at_mut(rows);
                *rest = tail;
                match kind {
                    Kind::Declared(_) => {
                        let memo = Memo::for_rows(rows, declared.levels().len());
                        Sink::Declared { cells, levels: declared, memo }
                    }
                    _ => Sink::Open { cells, levels: Interner::default(), memo: Memo::for_rows(rows, 0) },
                }
            }
        }
    }
}
