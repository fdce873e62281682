//! Parquet files in portions: row group by row group, each a batch of rows at a time.

mod group_reader;

use std::collections::HashSet;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;

use ::arrow_schema::DataType;
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};

use self::group_reader::GroupReader;
use super::{damaged, types, unbroken, wrong};
use crate::data::arrow::Plan as ColumnPlanOf;
use crate::data::read::choice::{Choice, bad_name, choices};
use crate::data::read::portions::{BYTES, InOrder, InPlaces, ROWS, Work};
use crate::data::read::{ReadOptions, Reading};
use crate::data::{Column, Nominal, Note, Plan, Table, Values};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::schema::ShownAs;
use crate::threads;

/// Row groups that a sample is taken from, at most.
const SAMPLED: usize = 32;

impl Length for InPlaces {
    fn len(&self) -> u64 {
        Self::len(self)
    }
}

impl ChunkReader for InPlaces {
    type T = BufReader<super::super::portions::Reader>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        Ok(BufReader::with_capacity(1 << 16, self.reader(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        if start.saturating_add(length as u64) > Self::len(self) {
            return Err(ParquetError::EOF("a page lies behind the end of the file".into()));
        }
        Ok(self.bytes(start, length)?.into())
    }
}

/// One or several files with the same columns.
pub(in super::super) struct ParquetPortions {
    files: Vec<PartFile>,
    columns: Vec<PartColumn>,
    rows: u64,
    /// The bytes that a page may have.
    most: u64,
    /// The names of all columns of the files.
    names: Vec<String>,
    options: Box<ReadOptions>,
}

struct PartFile {
    file: Arc<InPlaces>,
    metadata: ParquetMetaData,
    types: Vec<DataType>,
    /// The number of the first row of every row group.
    firsts: Vec<u64>,
}

struct PartColumn {
    name: String,
    /// Its place in the files.
    place: usize,
    nominal: Option<bool>,
    is_nominal: bool,
    /// Whether its values stand in their natural order.
    natural: bool,
    shown_as: ShownAs,
}

impl ParquetPortions {
    pub(in super::super) fn open(name: &str, paths: &[PathBuf], options: &ReadOptions) -> Result<Self> {
        let mut files: Vec<PartFile> = Vec::with_capacity(paths.len());
        let mut columns: Vec<PartColumn> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut rows = 0;
        for path in paths {
            let file = InPlaces::open(path)?;
            let own = file.name();
            let place = || Place::file(&own);
            let (metadata, own_names) = opened(&file, &own)?;
            let found = types(metadata.file_metadata());
            if columns.is_empty() {
                columns = chosen(name, &own_names, &found, options)?;
                names.clone_from(&own_names);
            } else if names != own_names {
                let odd = own_names
                    .iter()
                    .find(|n| !names.contains(n))
                    .or(names.iter().find(|n| !own_names.contains(n)));
                let what = odd.map_or("the same columns in another order".to_string(), |odd| {
                    format!("not the same columns ({})", crate::error::shown(odd))
                });
                return Err(Error::input(
                    place(),
                    format!("it has {what} as {}; all files of a folder need the same", files[0].file.name()),
                ));
            }
            let mut own_types = Vec::new();
            for column in &columns {
                let at = || place().column(column.place as u64 + 1).attribute(&column.name);
                let data_type =
                    found[column.place].as_ref().map_err(|problem| wrong(at(), problem.clone()))?;
                let plan = ColumnPlanOf::new(data_type, column.nominal).map_err(|p| wrong(at(), p))?;
                if matches!(plan, ColumnPlanOf::Codes(_)) != column.is_nominal {
                    return Err(Error::input(
                        at(),
                        format!("it is {data_type} here and of another kind in {}", files[0].file.name()),
                    ));
                }
                own_types.push(data_type.clone());
            }
            let mut firsts = Vec::new();
            for group in metadata.row_groups() {
                firsts.push(rows);
                rows += group.num_rows().max(0) as u64;
            }
            files.push(PartFile { file: Arc::new(file), metadata, types: own_types, firsts });
        }
        if rows == 0 {
            return Err(Error::input(Place::file(name), "it has no rows; expected at least one row of data"));
        }
        Ok(Self { files, columns, rows, most: u64::MAX, names, options: Box::new(options.clone()) })
    }

    pub(in super::super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Refuses pages of more than this many bytes.
    pub(in super::super) fn with_pages_of(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    /// Numbers take eight bytes, values of a list four, but no less than their texts where these are not in a dictionary.
    pub(in super::super) fn bytes(&self) -> u64 {
        let rows = |bytes: u64| self.rows.saturating_mul(bytes);
        let column = |column: &PartColumn| {
            if column.is_nominal { rows(4).max(self.stored(column)) } else { rows(8) }
        };
        self.columns.iter().map(column).fold(0, u64::saturating_add)
    }

    /// The bytes of a column's pages without compression, as the files say.
    fn stored(&self, column: &PartColumn) -> u64 {
        let of_file = |part: &PartFile| {
            let schema = part.metadata.file_metadata().schema_descr();
            let leaf =
                (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == column.place);
            let groups = part.metadata.row_groups().iter();
            let chunks = groups.filter_map(|group| group.columns().get(leaf?));
            chunks.map(|chunk| chunk.uncompressed_size().max(0) as u64).fold(0, u64::saturating_add)
        };
        self.files.iter().map(of_file).fold(0, u64::saturating_add)
    }

    pub(in super::super) fn natural(&self) -> Vec<String> {
        self.columns.iter().filter(|column| column.natural).map(|column| column.name.clone()).collect()
    }

    pub(in super::super) fn plan(&self) -> (Plan, Vec<Note>) {
        let empty = |column: &PartColumn| Column {
            name: column.name.clone(),
            values: if column.is_nominal {
                Values::Nominal(Nominal::default())
            } else {
                Values::Numeric(Vec::new())
            },
        };
        // Types only: a table without rows has them, too.
        let table = Table::new("", self.columns.iter().map(empty).collect());
        let shown_as = self.columns.iter().map(|column| column.shown_as).collect();
        let table = table.map(|table| table.with_shown_as(shown_as));
        let keep_na = Some(self.options.keeps_na_of_types());
        let mut plan = table
            .map(|table| Reading::plain(table, &self.names, Vec::new(), keep_na, &self.options).plan)
            .unwrap_or_default();
        plan.format = Some(super::super::Format::Parquet);
        (plan, Vec::new())
    }

    /// The first rows of some row groups from all over the files.
    pub(in super::super) fn sample(&self) -> Result<Table> {
        let groups = self.groups();
        let step = groups.len().div_ceil(SAMPLED).max(1);
        let some: Vec<(usize, usize)> = groups.into_iter().step_by(step).collect();
        let rows = (4 * ROWS / some.len().max(1)).max(256);
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let parts = threads::try_map(some.len(), |i| {
            let mut reader = GroupReader::new(self, some[i], &all)?;
            reader.next(rows)
        })?;
        let parts = parts.into_iter().flatten();
        super::super::portions::together("the sample", parts, &[])
    }

    fn groups(&self) -> Vec<(usize, usize)> {
        let of = |(f, file): (usize, &PartFile)| (0..file.metadata.num_row_groups()).map(move |g| (f, g));
        self.files.iter().enumerate().flat_map(of).collect()
    }

    /// The places of the columns that are wanted, and the rows that are read of them at a time.
    fn wanted(&self, only: Option<&[String]>) -> (Vec<usize>, usize) {
        let only: Option<HashSet<&str>> = only.map(|only| only.iter().map(String::as_str).collect());
        let wanted =
            |c: &usize| only.as_ref().is_none_or(|only| only.contains(self.columns[*c].name.as_str()));
        let columns: Vec<usize> = (0..self.columns.len()).filter(wanted).collect();
        let rows = (BYTES / (8 * columns.len().max(1))).clamp(1 << 8, ROWS);
        (columns, rows)
    }

    pub(in super::super) fn each(
        &self,
        only: Option<&[String]>,
        progress: &dyn Progress,
        work: Work,
    ) -> Result<()> {
        let (columns, rows) = self.wanted(only);
        let groups = self.groups();
        let read = threads::try_map(groups.len(), |i| {
            self.group(
                groups[i],
                (&columns, rows),
                |reader, rows| reader.next(rows),
                progress,
                &mut |at, table| work(at, table),
            )
        });
        read.map_err(|error| self.changed().err().unwrap_or(error))?;
        self.changed()
    }

    /// Group by group, with the columns of one at the same time.
    pub(in super::super) fn in_order(
        &self,
        only: Option<&[String]>,
        progress: &dyn Progress,
        work: InOrder,
    ) -> Result<()> {
        let (columns, rows) = self.wanted(only);
        let mut groups = self.groups().into_iter();
        let read = groups.try_for_each(|group| {
            self.group(group, (&columns, rows), |reader, rows| reader.next_by_columns(rows), progress, work)
        });
        read.map_err(|error| self.changed().err().unwrap_or(error))?;
        self.changed()
    }

    /// Reads the portions of a row group: some columns, this many rows at a time.
    fn group(
        &self,
        group: (usize, usize),
        (columns, most): (&[usize], usize),
        next: fn(&mut GroupReader, usize) -> Result<Option<Table>>,
        progress: &dyn Progress,
        work: InOrder,
    ) -> Result<()> {
        let mut reader = GroupReader::new(self, group, columns)?;
        let mut at = self.files[group.0].firsts[group.1];
        while let Some(table) = next(&mut reader, most)? {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let rows = table.rows() as u64;
            work(at, table)?;
            progress.advance(rows);
            at += rows;
        }
        Ok(())
    }

    /// Fails if a file is not what it was.
    fn changed(&self) -> Result<()> {
        self.files.iter().try_for_each(|part| part.file.check())
    }
}

/// The metadata of a file and the names of its columns.
fn opened(file: &InPlaces, name: &str) -> Result<(ParquetMetaData, Vec<String>)> {
    let place = || Place::file(name);
    let first = file.beginning(4)?;
    if first.is_empty() {
        return Err(Error::input(place(), "it is empty; expected a Parquet file"));
    }
    if first != b"PAR1" && first != b"PARE" {
        return Err(Error::input(place(), "it is not a Parquet file; it does not begin with PAR1"));
    }
    let metadata = unbroken(place, || {
        ParquetMetaDataReader::new().parse_and_finish(file).map_err(|error| damaged(place(), error))
    })?;
    let schema = metadata.file_metadata().schema_descr().root_schema();
    let names: Vec<String> = schema.get_fields().iter().map(|field| field.name().to_string()).collect();
    if let Some((column, problem)) = bad_name(&names) {
        return Err(Error::input(place().column(column as u64 + 1).attribute(&names[column]), problem));
    }
    if names.is_empty() {
        return Err(Error::input(place(), "it has no columns"));
    }
    Ok((metadata, names))
}

/// The columns that are read.
fn chosen(
    name: &str,
    names: &[String],
    types: &[Result<DataType, String>],
    options: &ReadOptions,
) -> Result<Vec<PartColumn>> {
    let choices = choices(name, names, options)?;
    let mut columns = Vec::new();
    for (place, column) in names.iter().enumerate().filter(|(c, _)| choices[*c] != Choice::Ignore) {
        let at = || Place::file(name).column(place as u64 + 1).attribute(column);
        let data_type = types[place].as_ref().map_err(|problem| wrong(at(), problem.clone()))?;
        let nominal = match choices[place] {
            Choice::Nominal => Some(true),
            Choice::Numeric => Some(false),
            Choice::Auto | Choice::Ignore | Choice::Dated(_) => None,
        };
        let plan = ColumnPlanOf::new(data_type, nominal).map_err(|problem| wrong(at(), problem))?;
        let is_nominal = matches!(plan, ColumnPlanOf::Codes(_));
        let natural = is_nominal && matches!(ColumnPlanOf::new(data_type, None), Ok(ColumnPlanOf::Numbers));
        let shown_as = super::shown_as(data_type, choices[place]);
        columns.push(PartColumn { name: column.clone(), place, nominal, is_nominal, natural, shown_as });
    }
    Ok(columns)
}
