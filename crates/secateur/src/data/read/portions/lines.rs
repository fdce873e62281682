//! CSV files in portions: blocks of whole records, from the beginning to the end.
//!
//! What separates values and what the columns hold is decided by the beginning of the file. Where a later cell is not a number in a
//! column of numbers, the column is read as text, and reading begins again.

use std::collections::HashSet;
use std::io::Read;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::choice::{Choice, choices};
use super::super::chunks::{Quotes, split};
use super::super::columns::{ColumnKind, Job};
use super::super::csv::{self, CsvRows};
use super::super::layout::{Layout, layout};
use super::super::settled::{Columns, Undecided, settled};
use super::super::text::{Fault, Text};
use super::super::{CHUNK, ReadOptions, encoding, source};
use super::blocks::{BLOCK, Blocks, bytes_of, damaged};
use super::{InOrder, InPlaces, Pass};
use crate::data::{ColumnPlan, ColumnType, Note, Plan, Table};
use crate::error::{Error, Place, Result};
use crate::progress::{Progress, Silent};

/// The beginning that decides, in bytes.
const BEGINNING: usize = 8 << 20;

/// A CSV file.
pub(super) struct CsvPortions {
    file: InPlaces,
    zipped: bool,
    /// How many bytes of text a byte of the file is, about.
    ratio: f64,
    bytes_per_row: f64,
    /// The bytes of a portion's text.
    block: usize,
    usual: u8,
    options: ReadOptions,
    decided: Mutex<Decided>,
    notes: Vec<Note>,
    sample: Mutex<Option<Table>>,
}

/// What was decided.
#[derive(Clone)]
struct Decided {
    plan: Plan,
    /// Columns that turned out to hold text.
    text: Vec<String>,
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CsvPortions {
    pub(super) fn open(name: &str, file: InPlaces, usual: u8, options: &ReadOptions) -> Result<Self> {
        let zipped = source::is_gzip(&file.beginning(2)?);
        let mut begin = Vec::new();
        let read = bytes_of(&file, zipped).take(BEGINNING as u64).read_to_end(&mut begin);
        let read = read.map_err(|error| damaged(name, zipped, &error))?;
        let given = options.plan.encoding.as_deref();
        let (_, other) = encoding::utf8(name, &begin[..begin.len().min(1 << 12)], given)?;
        if let Some(encoding) = other {
            return Err(Error::input(
                Place::file(name),
                format!(
                    "it is in {encoding}, and only UTF-8 is read in portions; convert it (iconv -t utf-8), or give it enough memory"
                ),
            ));
        }
        let whole = read < BEGINNING;
        if !whole {
            let end = last_record(name, &begin, usual, options)?;
            begin.truncate(end);
        }
        let text = Text::new(name, &begin)?;
        let reading = csv::read(&text, usual, options, &Silent, CHUNK)?;
        let packed = if zipped { file.len() as f64 } else { read as f64 };
        let ratio = if zipped && whole { read as f64 / packed.max(1.0) } else { 1.0 };
        let ratio = if zipped && !whole { unpacked(&file)? } else { ratio };
        Ok(Self {
            file,
            zipped,
            ratio,
            bytes_per_row: begin.len() as f64 / reading.table.rows().max(1) as f64,
            block: BLOCK,
            usual,
            options: options.clone(),
            decided: Mutex::new(Decided { plan: reading.plan, text: Vec::new() }),
            notes: reading.notes,
            sample: Mutex::new(Some(reading.table)),
        })
    }

    /// The same in portions that take a small part of this much memory.
    pub(super) fn within(mut self, bytes: u64) -> Self {
        self.block = (bytes / 64).clamp(1 << 20, BLOCK as u64) as usize;
        self
    }

    pub(super) fn size(&self) -> u64 {
        self.file.len()
    }

    /// Numbers and codes take about as much memory as their text.
    pub(super) fn bytes(&self) -> u64 {
        (self.file.len() as f64 * self.ratio * 1.5) as u64
    }

    /// By the rows of the beginning.
    pub(super) fn rows_about(&self) -> u64 {
        let text = self.file.len() as f64 * self.ratio;
        (text / self.bytes_per_row) as u64
    }

    pub(super) fn plan(&self) -> (Plan, Vec<Note>) {
        (open(&self.decided).plan.clone(), self.notes.clone())
    }

    /// Whether one of these columns may be read as text in the end: those that are not, and that nobody has asked for.
    pub(super) fn may_change(&self, only: Option<&[String]>) -> bool {
        let only: Option<HashSet<&str>> = only.map(|only| only.iter().map(String::as_str).collect());
        let is_open = |plan: &ColumnPlan| {
            !matches!(plan.kind, ColumnType::Nominal | ColumnType::Ignore)
                && !self.options.is_numeric(&plan.name)
                && only.as_ref().is_none_or(|only| only.contains(plan.name.as_str()))
        };
        open(&self.decided).plan.columns.iter().any(is_open)
    }

    /// The beginning.
    pub(super) fn sample(&self) -> Result<Table> {
        open(&self.sample).take().ok_or_else(|| Error::internal("a beginning that was asked for before"))
    }

    /// Reads all blocks, in their order.
    pub(super) fn each(
        &self,
        only: Option<&[String]>,
        progress: &dyn Progress,
        work: InOrder,
    ) -> Result<Pass> {
        let pass = self.blocks(only, progress, work);
        // What is wrong with a file that was changed meanwhile is that it was changed.
        let pass = pass.map_err(|error| self.file.check().err().unwrap_or(error))?;
        self.file.check()?;
        Ok(pass)
    }

    fn blocks(&self, only: Option<&[String]>, progress: &dyn Progress, work: InOrder) -> Result<Pass> {
        let name = self.file.name();
        let decided = open(&self.decided).clone();
        let mut options = ReadOptions { plan: decided.plan, ..self.options.clone() };
        options.nominal.extend(decided.text);
        let delimiter = options.plan.separator.and_then(|c| u8::try_from(c).ok()).unwrap_or(self.usual);
        let mut blocks = Blocks {
            from: bytes_of(&self.file, self.zipped),
            rest: Vec::new(),
            ended: false,
            name: &name,
            zipped: self.zipped,
            progress,
            ratio: self.ratio,
            delimiter,
            size: self.block,
        };
        let mut first: Option<Laid> = None;
        let (mut at, mut lines) = (0u64, 0u64);
        while let Some(block) = blocks.next()? {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let (laid, start) = match &first {
                Some(laid) => (laid, 0),
                None => {
                    let laid = first.insert(Laid::new(&name, &block, self.usual, &options)?);
                    (&*laid, laid.start)
                }
            };
            let kept = laid.only(only);
            let read = laid.read(&name, &block, start, &kept, &options);
            let table = match read {
                Ok(table) => table,
                Err(Stopped::NotNumbers(column)) => {
                    open(&self.decided).note_text(column);
                    return Ok(Pass::Again);
                }
                Err(Stopped::Error(error)) => return Err(later(error, lines)),
            };
            lines += memchr::memchr_iter(b'\n', &block).count() as u64;
            if let Some(table) = table {
                let rows = table.rows() as u64;
                work(at, table)?;
                at += rows;
            }
        }
        if at == 0 {
            return Err(Error::input(
                Place::file(name),
                "it has a header but no rows; expected at least one row of data",
            ));
        }
        Ok(Pass::Done)
    }
}

impl Decided {
    fn note_text(&mut self, column: String) {
        for plan in self.plan.columns.iter_mut().filter(|plan| plan.name == column) {
            plan.kind = ColumnType::Nominal;
            (plan.decimal, plan.order) = (None, None);
        }
        self.text.push(column);
    }
}

/// How many bytes of text a byte of a compressed file is, by its first megabyte.
fn unpacked(file: &InPlaces) -> Result<f64> {
    let packed = file.beginning(1 << 20)?;
    let mut text = 0u64;
    let mut decoder = flate2::read::MultiGzDecoder::new(&packed[..]);
    let mut buffer = vec![0; 1 << 16];
    // The end is cut off, which does not matter here.
    while let Ok(count @ 1..) = decoder.read(&mut buffer) {
        text += count as u64;
    }
    Ok(text as f64 / packed.len().max(1) as f64)
}

/// Where the last whole record of a beginning ends.
fn last_record(name: &str, bytes: &[u8], usual: u8, options: &ReadOptions) -> Result<usize> {
    let text = Text::new(name, bytes)?;
    let skipped = bytes.len() - text.bytes.len();
    let Layout { delimiter, start, .. } = layout(&text, usual, &options.plan)?;
    let chunks = split(text.bytes, start, CHUNK, Quotes::Fields(delimiter), &Silent)?;
    let last = chunks.last().map_or(text.bytes.len(), |chunk| chunk.range.start);
    Ok(skipped + last.max(start))
}

/// An error with the line it has in the whole file.
fn later(error: Error, lines: u64) -> Error {
    match error {
        Error::Input { mut place, problem, remedies } => {
            place.line = place.line.map(|line| line + lines);
            Error::Input { place, problem, remedies }
        }
        other => other,
    }
}

/// Why a block was not read.
enum Stopped {
    /// This column holds other things than numbers.
    NotNumbers(String),
    Error(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// The layout of the file.
struct Laid {
    delimiter: u8,
    names: Vec<String>,
    unnamed: Vec<bool>,
    start: usize,
    choices: Vec<Choice>,
    /// Columns that the caller wants as they are.
    forced: Vec<bool>,
}

impl Laid {
    fn new(name: &str, block: &[u8], usual: u8, options: &ReadOptions) -> Result<Self> {
        let text = Text::new(name, block)?;
        let mark = block.len() - text.bytes.len();
        let Layout { delimiter, names, unnamed, start, .. } = layout(&text, usual, &options.plan)?;
        let choices = choices(name, &names, options)?;
        let forced = names.iter().map(|name| options.is_numeric(name)).collect();
        Ok(Self { delimiter, names, unnamed, start: mark + start, choices, forced })
    }

    /// The choices, where only some columns are wanted.
    fn only(&self, only: Option<&[String]>) -> Vec<Choice> {
        let wanted = |name: &String| only.is_none_or(|only| only.contains(name));
        let choice = |(choice, name): (&Choice, &String)| if wanted(name) { *choice } else { Choice::Ignore };
        self.choices.iter().zip(&self.names).map(choice).collect()
    }

    /// The table of a block; nothing for one without records.
    fn read(
        &self,
        name: &str,
        block: &[u8],
        start: usize,
        choices: &[Choice],
        options: &ReadOptions,
    ) -> Result<Option<Table>, Stopped> {
        let text = &Text { name, bytes: block };
        if block[start..].iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let kinds = choices.iter().map(|choice| match choice {
            Choice::Ignore => ColumnKind::Skip,
            Choice::Nominal => ColumnKind::Open,
            _ => ColumnKind::Guess,
        });
        let mut chunks = split(block, start, CHUNK, Quotes::Fields(self.delimiter), &Silent)?;
        for chunk in &mut chunks {
            chunk.rows = chunk.rows.min((chunk.range.len() + 1) / self.names.len());
        }
        let keep_na = options.plan.keep_na == Some(true);
        let rows = CsvRows { delimiter: self.delimiter, columns: self.names.len(), keep_na };
        let missing = rows.missing();
        let job = Job { text, names: &self.names, rows: &rows, chunks, missing, progress: &Silent };
        let values = job.read(kinds.collect())?;
        let columns = Columns {
            names: &self.names,
            unnamed: &self.unnamed,
            choices,
            usual_comma: self.delimiter == b',',
        };
        let texts = |some: &[usize]| {
            let kind = |column| if some.contains(&column) { ColumnKind::Open } else { ColumnKind::Skip };
            job.read((0..self.names.len()).map(kind).collect())
        };
        let decided = settled(values, &columns, options, texts).map_err(|undecided| match undecided {
            Undecided::Cell(column, _) if !self.forced[column] => {
                Stopped::NotNumbers(self.names[column].clone())
            }
            Undecided::Cell(column, odd) => {
                let fault = Fault::new(job.offset_of(odd.row), column, odd.problem);
                text.error(fault, &self.names).with_remedies(odd.remedies).into()
            }
            Undecided::Reading(error) => error.into(),
        })?;
        Ok(Some(Table::new(name, decided.columns)?.with_shown_as(decided.shown_as)))
    }
}
