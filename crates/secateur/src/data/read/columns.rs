//! Filling columns from chunks of text, in parallel.
//!
//! The number of records is bounded before, so every chunk writes into its own part of the final columns and
//! nothing is copied together afterwards. A column without a known type is first taken for numbers; where
//! that fails the text is read again for that column alone. Chunks number the values of a nominal
//! column for themselves and the numbers are brought together in the order of the chunks, some chunks at
//! a time: the result is that of reading from front to back.

use super::chunks::Chunk;
use super::filling::{Cells, Rest};
use super::sink::{Marks, MissingRule, OddNumbers, Sink, not_finite};
use super::text::{Fault, Text};
use crate::data::intern::Interner;
use crate::data::{MISSING, Values};
use crate::error::{Error, Place, Result};
use crate::memory;
use crate::progress::Progress;
use crate::threads;

/// How a column of text is read.
#[derive(Debug, Clone)]
pub(super) enum ColumnKind {
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

    /// The number of records of a chunk.
    fn count(&self, chunk: &[u8]) -> usize;

    /// Where a record of a chunk begins.
    fn start_of(&self, chunk: &[u8], row: usize) -> usize;
}

/// A text, cut up, with the grammar of its rows.
pub(super) struct Job<'a, R> {
    pub text: &'a Text<'a>,
    pub names: &'a [String],
    pub rows: &'a R,
    pub chunks: Vec<Chunk>,
    /// Which texts are missing values.
    pub missing: MissingRule,
    pub progress: &'a dyn Progress,
}

impl<R: Rows> Job<'_, R> {
    /// Reads all columns; a skipped one gives nothing.
    pub(super) fn read(&self, kinds: Vec<ColumnKind>) -> Result<Vec<Option<Values>>> {
        Ok(self.read_noted(kinds)?.0)
    }

    /// Reads all columns, with what was found in each.
    pub(super) fn read_noted(&self, mut kinds: Vec<ColumnKind>) -> Result<(Vec<Option<Values>>, Vec<Found>)> {
        let guessing = kinds.iter().any(|kind| matches!(kind, ColumnKind::Guess));
        if guessing && self.chunks.len() > 1 {
            // The first chunk nearly always knows the types; then the columns are read only once.
            let first = self.pass(&self.chunks[..1], &kinds, false)?;
            for (kind, text) in kinds.iter_mut().zip(first.text) {
                if text {
                    *kind = ColumnKind::Open;
                }
            }
        }
        let bytes = self.chunks.iter().map(|c| c.range.len() as u64).sum();
        self.progress.stage("reading", bytes);
        let Pass { mut columns, text, infinite, mut marks, rows } = self.pass(&self.chunks, &kinds, true)?;
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
            let again: Vec<ColumnKind> =
                text.iter().map(|&text| if text { ColumnKind::Open } else { ColumnKind::Skip }).collect();
            self.progress.stage("reading columns that turned out to be text", bytes);
            let pass = self.pass(&self.chunks, &again, true)?;
            for ((column, marks), (values, own)) in
                columns.iter_mut().zip(&mut marks).zip(pass.columns.into_iter().zip(pass.marks))
            {
                if values.is_some() {
                    (*column, *marks) = (values, own);
                }
            }
        }
        Ok((columns, marks))
    }

    fn pass(&self, chunks: &[Chunk], kinds: &[ColumnKind], report: bool) -> Result<Pass> {
        let capacity: usize = chunks.iter().map(|chunk| chunk.rows).sum();
        self.check_memory(capacity, kinds)?;
        let mut columns: Vec<Cells> = kinds.iter().map(|kind| Cells::new(kind, capacity)).collect();
        let declared: Vec<Interner<String>> = kinds.iter().map(declared).collect();
        let mut found = ChunkFindings::new(kinds.len(), chunks.len(), self.missing);
        let mut rest: Vec<Rest<'_>> = columns.iter_mut().map(Rest::of).collect();
        // Every chunk of a wave has something to fill for every column; with very many columns there are few at a time.
        let wave = (16 * threads::count()).min((1 << 20) / kinds.len().max(1)).max(1);
        for wave in chunks.chunks(wave) {
            let work: Vec<(&Chunk, Vec<Sink<'_, '_>>)> = wave
                .iter()
                .map(|chunk| {
                    let sinks = rest.iter_mut().enumerate().map(|(column, rest)| {
                        let kind = (&kinds[column], self.missing);
                        rest.take(chunk.rows, kind, &declared[column], found.text[column])
                    });
                    (chunk, sinks.collect())
                })
                .collect();
            let done = threads::try_map_each(work, |_, (chunk, mut sinks): (&Chunk, Vec<Sink<'_, '_>>)| {
                if self.progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                let rows = self.parse(chunk, &mut sinks)?;
                if report {
                    self.progress.advance(chunk.range.len() as u64);
                }
                Ok((rows, sinks))
            })?;
            found.add(wave, done);
        }
        let ChunkFindings { text, infinite, open, marks, counts, rows } = found;
        let columns = columns.into_iter().zip(open).zip(kinds).map(|((cells, open), kind)| {
            let levels = match kind {
                ColumnKind::Declared(levels) => levels.clone(),
                _ => open.into_levels(),
            };
            cells.finish(&counts, levels)
        });
        Ok(Pass { columns: columns.collect(), text, infinite, marks, rows })
    }

    /// Where a row (from 0) begins in the text.
    pub(super) fn offset_of(&self, row: usize) -> usize {
        let mut before = 0;
        for chunk in &self.chunks {
            let bytes = self.text.bytes.get(chunk.range.clone()).unwrap_or_default();
            let count = self.rows.count(bytes);
            if row < before + count {
                return chunk.range.start + self.rows.start_of(bytes, row - before);
            }
            before += count;
        }
        self.text.bytes.len()
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
    fn check_memory(&self, rows: usize, kinds: &[ColumnKind]) -> Result<()> {
        let bytes = |kind: &ColumnKind| match kind {
            ColumnKind::Skip => 0,
            ColumnKind::Numbers | ColumnKind::Guess => size_of::<f64>(),
            ColumnKind::Open | ColumnKind::Declared(_) => size_of::<u32>(),
        };
        let total = kinds.iter().map(bytes).sum::<usize>().saturating_mul(rows);
        memory::ask(total, &format!("the table of {}", self.text.name))
    }
}

/// What is worth a note in a column.
pub(super) struct Found {
    /// The texts that became missing values.
    pub marks: Marks,
    /// Numbers that are not what they seem.
    pub odd: OddNumbers,
}

/// What reading all chunks once gave.
struct Pass {
    columns: Vec<Option<Values>>,
    /// The guessed columns that hold text.
    text: Vec<bool>,
    /// The first infinite number of each column and where it is.
    infinite: Vec<Option<(usize, String)>>,
    /// What was found in each column.
    marks: Vec<Found>,
    rows: usize,
}

/// What the chunks that are done have found out about the columns.
struct ChunkFindings {
    text: Vec<bool>,
    infinite: Vec<Option<(usize, String)>>,
    /// The values of columns without a declared list, in the order in which they come.
    open: Vec<Interner<String>>,
    marks: Vec<Found>,
    /// For every chunk the rows it was given place for, and the rows it has.
    counts: Vec<(usize, usize)>,
    /// All rows so far.
    rows: usize,
}

impl ChunkFindings {
    fn new(columns: usize, chunks: usize, missing: MissingRule) -> Self {
        Self {
            text: vec![false; columns],
            infinite: vec![None; columns],
            open: (0..columns).map(|_| Interner::default()).collect(),
            marks: (0..columns)
                .map(|_| Found { marks: Marks::new(missing), odd: OddNumbers::default() })
                .collect(),
            counts: Vec::with_capacity(chunks),
            rows: 0,
        }
    }

    /// Adds chunks, which follow those before; the codes that each has given for itself become those of the whole text.
    fn add(&mut self, chunks: &[Chunk], done: Vec<(usize, Vec<Sink<'_, '_>>)>) {
        let mut remaps = Vec::new();
        for (chunk, (rows, sinks)) in chunks.iter().zip(done) {
            let before = self.rows;
            self.rows += rows.min(chunk.rows);
            self.counts.push((chunk.rows, rows.min(chunk.rows)));
            for (column, sink) in sinks.into_iter().enumerate() {
                match sink {
                    Sink::Numbers(numbers) => {
                        self.text[column] |= numbers.text || numbers.zeros && !numbers.forced;
                        self.marks[column].odd.add(numbers.odd, before);
                        if let (None, Some((at, value))) = (&self.infinite[column], numbers.infinite) {
                            self.infinite[column] = Some((chunk.range.start + at, value));
                        }
                    }
                    Sink::Open { cells, levels, marks, .. } => {
                        self.marks[column].marks.add(marks, before);
                        let codes = levels.into_levels().into_iter().map(|l| self.open[column].code(l));
                        remaps.push((cells, codes.collect::<Vec<u32>>()));
                    }
                    Sink::Declared { marks, .. } => self.marks[column].marks.add(marks, before),
                    Sink::Skip => {}
                }
            }
        }
        threads::for_each_with(
            remaps,
            || (),
            |(), (cells, codes)| {
                for cell in cells {
                    *cell = codes.get(*cell as usize).copied().unwrap_or(MISSING);
                }
            },
        );
    }
}

/// The declared values of a column.
fn declared(kind: &ColumnKind) -> Interner<String> {
    let mut levels = Interner::default();
    if let ColumnKind::Declared(names) = kind {
        for name in names {
            levels.code(name.as_str());
        }
    }
    levels
}
