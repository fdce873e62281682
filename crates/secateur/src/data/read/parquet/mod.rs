//! Parquet: all columns and row groups in parallel, each decoded into its place in the table.
//!
//! What the types become is described in [`crate::data::arrow`]. Texts that stand for missing values in CSV files are values here:
//! the file says what is null.
//!
//! What is copied, after the decoder has written the values of a column in a row group:
//!
//! - `f64` in a file of one row group: nothing. The decoder's memory becomes the column.
//! - Other numbers: each value once, a small batch at a time while it is in the cache, on its way from the decoder
//!   to its row; smaller types are widened on the way.
//! - Text of which every page has codes of a dictionary: no text but one copy of each different value. The codes
//!   are translated once, in batches too, and again where row groups number the values differently.
//! - Other text: it is written out a batch at a time; each is looked up, and copied if it is new.
//!
//! The file itself is read once; the decoder copies its pages only to decompress them.

mod arrays;
mod arrow_schema;
mod column_parts;
mod numbered_texts;
mod pages;
mod portions;
mod types;

use self::arrays::Arrays;
pub(super) use self::column_parts::sorted;
use self::column_parts::{Codes, ColumnPart, Numbers};
pub(super) use self::portions::ParquetPortions;
use super::choice::{Choice, bad_name, choices};
use super::settled::without_marks;
use super::{Content, ReadOptions, Reader, Reading};
use crate::data::arrow::{self, Plan};
use crate::data::intern::Interner;
use crate::data::{Column, MISSING, Nominal, Table, Values};
use crate::error::{Error, Place, Remedy, Result};
use crate::memory;
use crate::progress::Progress;
use crate::schema::ShownAs;
use crate::{quiet, threads};
use ::arrow_schema::DataType;
use arrow_array::{ArrayRef, Float64Array};
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, ParquetMetaData, ParquetMetaDataReader};
use std::sync::Arc;

/// Rows decoded at a time: few, so that a batch is still in the cache when it is copied to its place.
const BATCH: usize = 1 << 13;

pub(super) const READER: Reader = Reader {
    names: &["parquet"],
    begins: |bytes| bytes.starts_with(b"PAR1"),
    content: Content::Bytes(|name, bytes, options, progress| {
        let (table, names) = read(name, bytes, options, progress)?;
        Ok(Reading::plain(table, &names, Vec::new(), Some(options.keeps_na_of_types()), options))
    }),
};

/// Reads a table, and the names of all columns of the file.
fn read(
    name: &str,
    bytes: Bytes,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<(Table, Vec<String>)> {
    let file = || Place::file(name);
    if bytes.is_empty() {
        return Err(Error::input(file(), "it is empty; expected a Parquet file"));
    }
    if !bytes.starts_with(b"PAR1") && !bytes.starts_with(b"PARE") {
        return Err(Error::input(file(), "it is not a Parquet file; it does not begin with PAR1"));
    }
    let metadata = unbroken(file, || {
        ParquetMetaDataReader::new().parse_and_finish(&bytes).map_err(|error| damaged(file(), error))
    })?;
    let schema = metadata.file_metadata().schema_descr().root_schema();
    let names: Vec<String> = schema.get_fields().iter().map(|field| field.name().to_string()).collect();
    if let Some((column, problem)) = bad_name(&names) {
        return Err(Error::input(file().column(column as u64 + 1).attribute(&names[column]), problem));
    }
    if names.is_empty() {
        return Err(Error::input(file(), "it has no columns"));
    }
    let choices = choices(name, &names, options)?;
    let rows: i64 = metadata.row_groups().iter().map(|group| group.num_rows().max(0)).sum();
    if rows == 0 {
        return Err(Error::input(file(), "it has no rows; expected at least one row of data"));
    }
    let chosen: Vec<usize> = (0..names.len()).filter(|&c| choices[c] != Choice::Ignore).collect();
    let types = types(metadata.file_metadata());
    let reader = OpenFile { bytes: &Arc::new(bytes), metadata: &metadata, rows: rows as usize, progress };
    progress.stage("reading", chosen.iter().map(|&column| reader.total(column)).sum());
    memory::ask(
        reader.rows.saturating_mul(size_of::<u32>() * chosen.len()),
        &format!("the table of {name}"),
    )?;
    let columns = threads::try_map(chosen.len(), |i| {
        let column = chosen[i];
        let place = || file().column(column as u64 + 1).attribute(&names[column]);
        let data_type = types[column].as_ref().map_err(|problem| wrong(place(), problem.clone()))?;
        let nominal = match choices[column] {
            Choice::Nominal => Some(true),
            Choice::Numeric => Some(false),
            Choice::Auto | Choice::Ignore | Choice::Dated(_) => None,
        };
        let values = match Plan::new(data_type, nominal).map_err(|problem| wrong(place(), problem))? {
            Plan::Numbers => reader.numbers(column, data_type, place),
            Plan::Codes(levels) => {
                // Values of numbers have an order of their own.
                let sort = matches!(Plan::new(data_type, None), Ok(Plan::Numbers));
                reader.codes(column, data_type, levels, sort, place)
            }
        }?;
        let read = without_marks(Column { name: names[column].clone(), values }, options);
        Ok((read, shown_as(data_type, choices[column])))
    })?;
    let (columns, shown_as) = columns.into_iter().unzip();
    Ok((Table::new(name, columns)?.with_shown_as(shown_as), names))
}

/// How the numbers of a column are shown: as dates or times where the file says they are, unless numbers are asked for.
fn shown_as(data_type: &DataType, choice: Choice) -> ShownAs {
    if choice == Choice::Numeric { ShownAs::Plain } else { arrow::shown_as(data_type) }
}

/// The types of the columns, or what is wrong with them.
fn types(file: &FileMetaData) -> Vec<Result<DataType, String>> {
    let entries = file.key_value_metadata().into_iter().flatten();
    let text =
        entries.filter(|entry| entry.key == arrow_schema::KEY).find_map(|entry| entry.value.as_deref());
    let told = text.and_then(arrow_schema::columns).unwrap_or_default();
    let fields = file.schema_descr().root_schema().get_fields().iter().enumerate();
    fields
        .map(|(column, field)| {
            let told = told.get(column).filter(|(name, _)| name == field.name());
            types::data_type(field, told.map(|(_, told)| told))
        })
        .collect()
}

/// An open file.
struct OpenFile<'a> {
    bytes: &'a Arc<Bytes>,
    metadata: &'a ParquetMetaData,
    rows: usize,
    progress: &'a dyn Progress,
}

impl OpenFile<'_> {
    fn numbers(
        &self,
        column: usize,
        data_type: &DataType,
        place: impl Fn() -> Place + Sync,
    ) -> Result<Values> {
        self.check_memory::<f64>(&place)?;
        if *data_type == DataType::Float64 && self.metadata.num_row_groups() == 1 {
            return unbroken(&place, || self.at_once(column, &place)).map(Values::Numeric);
        }
        let mut values = vec![0.0; self.rows];
        let parts = self.parts(&mut values).into_iter().map(|(first, cells)| Numbers::new(cells, first));
        self.fill(column, data_type, parts.collect(), &place)?;
        Ok(Values::Numeric(values))
    }

    /// All numbers of a column of one row group, in the memory they are decoded to.
    fn at_once(&self, column: usize, place: &impl Fn() -> Place) -> Result<Vec<f64>> {
        let mut arrays = self.arrays(column, 0, &DataType::Float64, place)?;
        let mut values = Vec::with_capacity(self.rows);
        let mut finite = true;
        while values.len() < self.rows {
            if self.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let first = values.len();
            let wanted = BATCH.min(self.rows - first);
            let rows = arrays.extend(&mut values, wanted).map_err(|error| failed(place(), error))?;
            if rows.is_none_or(|rows| rows == 0) {
                return Err(damaged(place(), "a row group has fewer rows than it says"));
            }
            finite &= !values[first..].iter().fold(false, |any, value| any | value.is_infinite());
        }
        if !finite {
            let array = Arc::new(Float64Array::from(values.clone())) as ArrayRef;
            Numbers::new(&mut values, 0).push(&array).map_err(|problem| wrong(place(), problem))?;
        }
        self.progress.advance(self.size(column, 0));
        Ok(values)
    }

    fn codes(
        &self,
        column: usize,
        data_type: &DataType,
        mut levels: Interner<String>,
        sort: bool,
        place: impl Fn() -> Place + Sync,
    ) -> Result<Values> {
        self.check_memory::<u32>(&place)?;
        let mut codes = vec![0; self.rows];
        let parts = self.parts(&mut codes).into_iter().map(|(_, cells)| Codes::new(cells));
        let parts = self.fill(column, data_type, parts.collect(), &place)?;
        // Row groups have numbered the values for themselves; together they are numbered in order.
        let renumbered: Vec<(&mut [u32], Vec<u32>)> = parts
            .into_iter()
            .map(|part| {
                let (cells, own) = part.into_levels();
                (cells, own.into_iter().map(|level| levels.code(level)).collect())
            })
            .collect();
        threads::for_each_with(
            renumbered,
            || (),
            |(), (cells, numbers)| {
                if numbers.iter().enumerate().any(|(own, &number)| own as u32 != number) {
                    for cell in cells {
                        *cell = numbers.get(*cell as usize).copied().unwrap_or(MISSING);
                    }
                }
            },
        );
        let levels = levels.into_levels();
        Ok(if sort { sorted(levels, codes) } else { Values::Nominal(Nominal { levels, codes }) })
    }

    /// The rows of a column for each row group, with the number of the first.
    fn parts<'c, T>(&self, mut rest: &'c mut [T]) -> Vec<(usize, &'c mut [T])> {
        let mut first = 0;
        let groups = self.metadata.row_groups().iter();
        groups
            .map(|group| {
                let rows = (group.num_rows().max(0) as usize).min(rest.len());
                let (part, tail) = std::mem::take(&mut rest).split_at_mut(rows);
                rest = tail;
                first += rows;
                (first - rows, part)
            })
            .collect()
    }

    /// Decodes a column, each row group into its part.
    fn fill<P: ColumnPart>(
        &self,
        column: usize,
        data_type: &DataType,
        parts: Vec<P>,
        place: &(impl Fn() -> Place + Sync),
    ) -> Result<Vec<P>> {
        threads::try_map_each(parts, |group, mut part| {
            unbroken(place, || {
                let mut arrays = self.arrays(column, group, data_type, place)?;
                while let Some(array) = arrays.next(BATCH).map_err(|error| failed(place(), error))? {
                    if self.progress.cancelled() {
                        return Err(Error::Cancelled);
                    }
                    part.push(&array).map_err(|problem| wrong(place(), problem))?;
                }
                Ok(())
            })?;
            if !part.is_full() {
                return Err(damaged(place(), "a row group has fewer rows than it says"));
            }
            self.progress.advance(self.size(column, group));
            Ok(part)
        })
    }

    fn arrays(
        &self,
        column: usize,
        group: usize,
        data_type: &DataType,
        place: &impl Fn() -> Place,
    ) -> Result<Arrays> {
        let schema = self.metadata.file_metadata().schema_descr();
        let leaf = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == column);
        let leaf = leaf.ok_or_else(|| damaged(place(), "a column is missing"))?;
        Arrays::new(self.bytes, self.metadata, group, leaf, data_type, u64::MAX)
            .map_err(|error| failed(place(), error))
    }

    /// Asks for the memory of a column, which fails in words and not by the end of the process.
    fn check_memory<T>(&self, place: &impl Fn() -> Place) -> Result<()> {
        memory::ask(self.rows.saturating_mul(size_of::<T>()), &format!("a column ({})", place()))
    }

    /// The compressed bytes of a column in a row group.
    fn size(&self, column: usize, group: usize) -> u64 {
        let schema = self.metadata.file_metadata().schema_descr();
        let group = self.metadata.row_group(group);
        let leaves = group.columns().iter().enumerate();
        let own = leaves
            .filter(|(leaf, _)| *leaf < schema.num_columns() && schema.get_column_root_idx(*leaf) == column);
        own.map(|(_, chunk)| chunk.compressed_size().max(0) as u64).sum()
    }

    fn total(&self, column: usize) -> u64 {
        (0..self.metadata.num_row_groups()).map(|group| self.size(column, group)).sum()
    }
}

/// What is wrong with a column, which can always be left out.
fn wrong(place: Place, problem: String) -> Error {
    Error::input(place, problem).with_remedies(&[Remedy::LeaveColumnOut])
}

fn damaged(place: Place, error: impl std::fmt::Display) -> Error {
    let problem = format!("the Parquet data are damaged or cut off ({error}); fetch or write the file again");
    Error::input(place, problem)
}

/// Why a decoder stopped: what it was given lacks memory, or is damaged.
fn failed(place: Place, error: ParquetError) -> Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<Error>() {
            Ok(own) => match *own {
                Error::Memory { what, bytes } => Error::Memory { what: format!("{what} ({place})"), bytes },
                own => own,
            },
            Err(inner) => damaged(place, inner),
        },
        error => damaged(place, error),
    }
}

/// Runs work on data that may be damaged. The decoders check much but not everything, and for some damage
/// they panic; for the caller that is an error like the others.
fn unbroken<T>(place: impl Fn() -> Place, work: impl FnOnce() -> Result<T>) -> Result<T> {
    quiet::caught(work).unwrap_or_else(|| Err(damaged(place(), "the decoder gave up")))
}
