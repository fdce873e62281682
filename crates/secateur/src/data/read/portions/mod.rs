//! A table in portions: files that are read piece by piece, as often as need be, and never as a whole.
//!
//! Parquet files and folders of them are read row group by row group, several at a time; CSV files (plain or compressed with gzip)
//! from their beginning. The portions together are the table that [`read`](super::read) gives.

mod blocks;
mod file;
mod lines;

use std::path::{Path, PathBuf};

pub(super) use file::InPlaces;
#[cfg(feature = "parquet")]
pub(super) use file::Reader;

use super::parquet::ParquetPortions;
use super::{Format, ReadOptions, kinds};
use crate::data::{Column, ColumnPlan, ColumnType, MISSING, Nominal, Note, Plan, Table, Values};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::threads;
use lines::CsvPortions;

/// What is done with a portion; its first row has the number given (from 0) among all.
pub type Work<'a> = &'a (dyn Fn(u64, Table) -> Result<()> + Sync);

/// What is done with a portion where each comes after the one before it.
pub type InOrder<'a> = &'a mut dyn FnMut(u64, Table) -> Result<()>;

/// How a pass over all portions ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// All rows were there.
    Done,
    /// A column turned out to hold something else than its beginning said: what was done is void, and all is read again.
    Again,
}

/// A table in portions.
pub struct Portions {
    name: String,
    kind: OpenFile,
}

enum OpenFile {
    Parquet(ParquetPortions),
    Csv(Box<CsvPortions>),
}

/// Rows of a portion, at most.
#[cfg(feature = "parquet")]
pub(super) const ROWS: usize = 1 << 16;
/// Bytes of a portion, about: where rows are long, there are fewer of them.
#[cfg(feature = "parquet")]
pub(super) const BYTES: usize = 32 << 20;

/// Whether a name stands for a folder.
pub fn is_folder(path: impl AsRef<Path>) -> bool {
    path.as_ref().is_dir()
}

impl Portions {
    /// Opens a file or a folder of Parquet files. Nothing but the beginning is read.
    ///
    /// # Errors
    /// When the format cannot be read in portions: it must be Parquet or CSV, in a file.
    pub fn open(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let path = path.as_ref();
        let name = path.to_string_lossy().into_owned();
        if name == "-" {
            return Err(Error::parameter(
                "standard input cannot be read twice, as a table larger than memory has to be; save it to a file first",
            ));
        }
        if path.is_dir() {
            let files = parquet_files(path, &name)?;
            let kind = OpenFile::Parquet(ParquetPortions::open(&name, &files, options)?);
            return Ok(Self { name, kind });
        }
        let file = InPlaces::open(path)?;
        let first = file.beginning(1 << 12)?;
        let by_name = options.format.or(options.plan.format).or_else(|| Format::of_name(&name));
        let format = match kinds::of(&name, &first)? {
            Some(seen) if options.format.is_none() => seen,
            seen => by_name.or(seen).unwrap_or(Format::Csv),
        };
        let kind = match format {
            Format::Parquet => {
                OpenFile::Parquet(ParquetPortions::open(&name, &[path.to_path_buf()], options)?)
            }
            Format::Csv => OpenFile::Csv(Box::new(CsvPortions::open(&name, file, b',', options)?)),
            Format::Tsv => OpenFile::Csv(Box::new(CsvPortions::open(&name, file, b'\t', options)?)),
            other => {
                return Err(Error::input(
                    Place::file(&name),
                    format!(
                        "a {other} file cannot be read in portions; convert it to Parquet or CSV, or give it enough memory"
                    ),
                ));
            }
        };
        Ok(Self { name, kind })
    }

    /// Reads portions that suit this much memory, and refuses to decompress at once what would take more than a part of it.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        /// As files that were not written to take all memory have them, too.
        const LEAST: u64 = 16_000_000;
        let kind = match self.kind {
            OpenFile::Parquet(files) => OpenFile::Parquet(files.with_pages_of((bytes / 4).max(LEAST))),
            OpenFile::Csv(lines) => OpenFile::Csv(Box::new(lines.within(bytes))),
        };
        Self { kind, ..self }
    }

    /// The name of the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of rows, where it is known before they are read.
    pub fn rows(&self) -> Option<u64> {
        match &self.kind {
            OpenFile::Parquet(files) => Some(files.rows()),
            OpenFile::Csv(_) => None,
        }
    }

    /// About how many bytes the table takes in memory.
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            OpenFile::Parquet(files) => files.bytes(),
            OpenFile::Csv(lines) => lines.bytes(),
        }
    }

    /// About how many rows there are.
    pub fn rows_about(&self) -> u64 {
        match &self.kind {
            OpenFile::Parquet(files) => files.rows(),
            OpenFile::Csv(lines) => lines.rows_about(),
        }
    }

    /// About how many bytes it takes to grow a tree from the table in memory: the table, its codes and lists of rows.
    pub fn needed(&self) -> u64 {
        self.bytes() / 10 * 22
    }

    /// The columns whose values stand in their natural order: numbers that were asked to be nominal.
    pub fn natural(&self) -> Vec<String> {
        match &self.kind {
            OpenFile::Parquet(files) => files.natural(),
            OpenFile::Csv(_) => Vec::new(),
        }
    }

    /// How the table is read, and what was noticed in its beginning.
    pub fn plan(&self) -> (Plan, Vec<Note>) {
        match &self.kind {
            OpenFile::Parquet(files) => files.plan(),
            OpenFile::Csv(lines) => lines.plan(),
        }
    }

    /// Some rows from all over the table, or from its beginning.
    pub fn sample(&self) -> Result<Table> {
        match &self.kind {
            OpenFile::Parquet(files) => files.sample(),
            OpenFile::Csv(lines) => lines.sample(),
        }
    }

    /// Reads all portions, with all columns or only some; several may be worked on at a time, in any order. Progress counts rows, or
    /// bytes where their number is not known.
    pub fn each(&self, only: Option<&[String]>, progress: &dyn Progress, work: Work) -> Result<Pass> {
        match &self.kind {
            OpenFile::Parquet(files) => files.each(only, progress, work).map(|()| Pass::Done),
            OpenFile::Csv(lines) => lines.each(only, progress, &mut |at, table| work(at, table)),
        }
    }

    /// Reads all portions one after the other; while one is worked with, the next is read. At most three are in memory.
    pub fn in_order(&self, only: Option<&[String]>, progress: &dyn Progress, work: InOrder) -> Result<Pass> {
        let read = |give: &mut dyn FnMut((u64, Table)) -> Result<()>| {
            let give: InOrder = &mut |at, table| give((at, table));
            match &self.kind {
                OpenFile::Parquet(files) => files.in_order(only, progress, give).map(|()| Pass::Done),
                OpenFile::Csv(lines) => lines.each(only, progress, give),
            }
        };
        threads::ahead(read, &mut |(at, table)| work(at, table))
    }

    /// Whether one of these columns, or of all, may yet turn out to hold something else than the beginning says ([`Pass::Again`]).
    pub fn may_change(&self, only: Option<&[String]>) -> bool {
        match &self.kind {
            OpenFile::Parquet(_) => false,
            OpenFile::Csv(lines) => lines.may_change(only),
        }
    }

    /// A table without rows that has all columns.
    pub fn empty(&self) -> Result<Table> {
        let plan = self.plan().0.columns;
        let read = || plan.iter().filter(|plan| plan.kind != ColumnType::Ignore);
        let shown_as = read().map(|plan| plan.kind.shown_as().unwrap_or_default()).collect();
        let column = |plan: &ColumnPlan| Column {
            name: plan.name.clone(),
            values: match plan.kind {
                ColumnType::Nominal => Values::Nominal(Nominal::default()),
                _ => Values::Numeric(Vec::new()),
            },
        };
        Ok(Table::new(&self.name, read().map(column).collect())?.with_shown_as(shown_as))
    }

    /// What [`each`](Self::each) counts, in all.
    pub fn total(&self) -> u64 {
        match &self.kind {
            OpenFile::Parquet(files) => files.rows(),
            OpenFile::Csv(lines) => lines.size(),
        }
    }

    /// The whole table.
    pub fn table(&self, progress: &dyn Progress) -> Result<Table> {
        loop {
            let parts = std::sync::Mutex::new(Vec::new());
            progress.stage("reading", self.total());
            let keep = |at: u64, table: Table| {
                parts.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, table));
                Ok(())
            };
            if self.each(None, progress, &keep)? == Pass::Done {
                let mut parts = parts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
                parts.sort_by_key(|(at, _)| *at);
                return together(&self.name, parts.into_iter().map(|(_, table)| table), &self.natural());
            }
        }
    }
}

/// The Parquet files of a folder, by name.
fn parquet_files(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::reading(name, source);
    let mut files = Vec::new();
    let mut folders = false;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let file = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        if file.starts_with(['.', '_']) {
            continue;
        }
        folders |= path.is_dir();
        if path.is_file() && file.ends_with(".parquet") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let more = if folders { " (folders within it are not looked into)" } else { "" };
        let problem =
            format!("it is a folder without .parquet files{more}; name a file, or a folder of Parquet files");
        return Err(Error::input(Place::file(name), problem));
    }
    Ok(files)
}

/// Tables that follow each other, with the same columns, as one.
pub(super) fn together(name: &str, parts: impl Iterator<Item = Table>, natural: &[String]) -> Result<Table> {
    let mut all: Option<(Vec<Column>, Vec<Interned>, Vec<crate::schema::ShownAs>)> = None;
    for part in parts {
        let shown: Vec<_> = (0..part.columns().len()).map(|c| part.shown_as(c)).collect();
        let (columns, lists, _) = all.get_or_insert_with(|| {
            let empty = |column: &Column| Column {
                name: column.name.clone(),
                values: match &column.values {
                    Values::Numeric(_) => Values::Numeric(Vec::new()),
                    Values::Nominal(_) => Values::Nominal(Nominal::default()),
                },
            };
            let columns: Vec<Column> = part.columns().iter().map(empty).collect();
            let lists = columns.iter().map(|_| Interned::default()).collect();
            (columns, lists, shown)
        });
        for ((all, list), own) in columns.iter_mut().zip(lists).zip(part.into_columns()) {
            match (&mut all.values, own.values) {
                (Values::Numeric(all), Values::Numeric(own)) => all.extend(own),
                (Values::Nominal(all), Values::Nominal(own)) => {
                    let codes: Vec<u32> = own.levels.into_iter().map(|level| list.code(level)).collect();
                    let code = |code: &u32| codes.get(*code as usize).copied().unwrap_or(MISSING);
                    all.codes.extend(own.codes.iter().map(code));
                }
                _ => return Err(Error::internal("a column of two kinds")),
            }
        }
    }
    let Some((mut columns, lists, shown)) = all else {
        return Err(Error::input(Place::file(name), "it has no rows; expected at least one row of data"));
    };
    for (column, list) in columns.iter_mut().zip(lists) {
        if let Values::Nominal(nominal) = &mut column.values {
            nominal.levels = list.levels;
            if natural.contains(&column.name) {
                let Nominal { levels, codes } = std::mem::take(nominal);
                column.values = super::parquet::sorted(levels, codes);
            }
        }
    }
    Ok(Table::new(name, columns)?.with_shown_as(shown))
}

/// Values with their codes, in the order in which they come.
#[derive(Default)]
struct Interned {
    codes: hashbrown::HashMap<String, u32>,
    levels: Vec<String>,
}

impl Interned {
    fn code(&mut self, level: String) -> u32 {
        if let Some(code) = self.codes.get(&level) {
            return *code;
        }
        let code = self.levels.len() as u32;
        self.codes.insert(level.clone(), code);
        self.levels.push(level);
        code
    }
}
