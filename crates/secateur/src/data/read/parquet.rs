//! Parquet: the columns, each read on its own and in parallel, row group after row group.
//!
//! What the types become is told in [`super::parquet_cells`]. Texts that stand for missing values elsewhere do so
//! here too, so that a CSV file turned into Parquet gives the same table.

use super::ReadOptions;
use super::choice::{Choice, bad_name, choices};
use super::parquet_cells::Cells;
use crate::data::{Column, Table};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Rows decoded at a time.
const BATCH: usize = 1 << 15;

/// Reads a table.
pub(super) fn read(
    name: &str,
    bytes: Bytes,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    let file = || Place::file(name);
    if bytes.is_empty() {
        return Err(Error::input(file(), "it is empty; expected a Parquet file"));
    }
    if !bytes.starts_with(b"PAR1") && !bytes.starts_with(b"PARE") {
        return Err(Error::input(file(), "it is not a Parquet file; it does not begin with PAR1"));
    }
    let metadata = unbroken(file, || {
        ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::new()).map_err(|error| damaged(file(), error))
    })?;
    let names: Vec<String> = metadata.schema().fields().iter().map(|field| field.name().clone()).collect();
    if let Some((column, problem)) = bad_name(&names) {
        return Err(Error::input(file().column(column as u64 + 1).attribute(&names[column]), problem));
    }
    if names.is_empty() {
        return Err(Error::input(file(), "it has no columns"));
    }
    let choices = choices(name, &names, options)?;
    let rows: i64 = metadata.metadata().row_groups().iter().map(|group| group.num_rows().max(0)).sum();
    if rows == 0 {
        return Err(Error::input(file(), "it has no rows; expected at least one row of data"));
    }
    let chosen: Vec<usize> = (0..names.len()).filter(|&c| choices[c] != Choice::Ignore).collect();
    let reader = Reader { bytes: &bytes, metadata: &metadata, progress };
    progress.stage("reading", chosen.iter().map(|&column| reader.total(column)).sum());
    let columns: Vec<Result<Column>> = chosen
        .par_iter()
        .map(|&column| {
            let place = || file().column(column as u64 + 1).attribute(&names[column]);
            let values = unbroken(place, || {
                let data_type = metadata.schema().field(column).data_type();
                let mut cells = Cells::new(data_type, choices[column], rows as usize)
                    .map_err(|problem| Error::input(place(), problem))?;
                reader.fill(column, &mut cells, place)?;
                Ok(cells.finish())
            })?;
            Ok(Column { name: names[column].clone(), values })
        })
        .collect();
    Table::new(name, columns.into_iter().collect::<Result<_>>()?)
}

/// An open file.
struct Reader<'a> {
    bytes: &'a Bytes,
    metadata: &'a ArrowReaderMetadata,
    progress: &'a dyn Progress,
}

impl Reader<'_> {
    fn fill(&self, column: usize, cells: &mut Cells, place: impl Fn() -> Place) -> Result<()> {
        for group in 0..self.metadata.metadata().num_row_groups() {
            let mask = ProjectionMask::roots(self.metadata.parquet_schema(), [column]);
            let batches =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.bytes.clone(), self.metadata.clone())
                    .with_row_groups(vec![group])
                    .with_projection(mask)
                    .with_batch_size(BATCH)
                    .build()
                    .map_err(|error| damaged(place(), error))?;
            for batch in batches {
                if self.progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                let batch = batch.map_err(|error| damaged(place(), error))?;
                if batch.num_columns() == 1 {
                    cells.push(batch.column(0)).map_err(|problem| Error::input(place(), problem))?;
                }
            }
            self.progress.advance(self.size(column, group));
        }
        Ok(())
    }

    /// The compressed bytes of a column in a row group.
    fn size(&self, column: usize, group: usize) -> u64 {
        let schema = self.metadata.parquet_schema();
        let group = self.metadata.metadata().row_group(group);
        let leaves = group.columns().iter().enumerate();
        let own = leaves
            .filter(|(leaf, _)| *leaf < schema.num_columns() && schema.get_column_root_idx(*leaf) == column);
        own.map(|(_, chunk)| chunk.compressed_size().max(0) as u64).sum()
    }

    fn total(&self, column: usize) -> u64 {
        (0..self.metadata.metadata().num_row_groups()).map(|group| self.size(column, group)).sum()
    }
}

fn damaged(place: Place, error: impl std::fmt::Display) -> Error {
    let problem = format!("the Parquet data are damaged or cut off ({error}); fetch or write the file again");
    Error::input(place, problem)
}

/// Runs work on data that may be damaged. The decoders check much but not everything, and for some damage
/// they panic; for the caller that is an error like the others.
fn unbroken<T>(place: impl Fn() -> Place, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(damaged(place(), "the decoder gave up")))
}
