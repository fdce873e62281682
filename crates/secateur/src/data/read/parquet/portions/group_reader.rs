//! The rows of a row group, a batch at a time.

use ::arrow_schema::DataType;

use super::{ParquetPortions, PartColumn};
use crate::data::arrow::{Coder, Plan as ColumnPlanOf, fill_numbers};
use crate::data::intern::Interner;
use crate::data::read::parquet::arrays::Arrays;
use crate::data::read::parquet::{damaged, failed, unbroken, wrong};
use crate::data::read::settled::without_marks;
use crate::data::{Column, Nominal, Table, Values};
use crate::error::{Place, Result};
use crate::threads;

/// The rows of a row group that are still to be read.
pub(super) struct GroupReader<'a> {
    portions: &'a ParquetPortions,
    file: usize,
    columns: &'a [usize],
    arrays: Vec<Arrays>,
    rest: usize,
    row: usize,
}

impl<'a> GroupReader<'a> {
    pub(super) fn new(
        portions: &'a ParquetPortions,
        (file, group): (usize, usize),
        columns: &'a [usize],
    ) -> Result<Self> {
        let part = &portions.files[file];
        let rest = part.metadata.row_group(group).num_rows().max(0) as usize;
        let schema = part.metadata.file_metadata().schema_descr();
        let mut arrays = Vec::with_capacity(columns.len());
        for &c in columns {
            let column = &portions.columns[c];
            let place =
                || Place::file(part.file.name()).column(column.place as u64 + 1).attribute(&column.name);
            let leaf =
                (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == column.place);
            let leaf = leaf.ok_or_else(|| damaged(place(), "a column is missing"))?;
            let reader = unbroken(place, || {
                Arrays::new(&part.file, &part.metadata, group, leaf, &part.types[c], portions.most)
                    .map_err(|error| failed(place(), error))
            })?;
            arrays.push(reader);
        }
        Ok(Self { portions, file, columns, arrays, rest, row: 0 })
    }

    /// The next rows, at most this many.
    pub(super) fn next(&mut self, rows: usize) -> Result<Option<Table>> {
        self.decoded(rows, |arrays, of| {
            arrays.iter_mut().enumerate().map(|(i, arrays)| of(i, arrays)).collect()
        })
    }

    /// The same, with all columns at the same time.
    pub(super) fn next_by_columns(&mut self, rows: usize) -> Result<Option<Table>> {
        self.decoded(rows, |arrays, of| threads::try_map_each(arrays, of))
    }

    fn decoded(
        &mut self,
        rows: usize,
        all: impl FnOnce(
            &mut [Arrays],
            &(dyn Fn(usize, &mut Arrays) -> Result<Column> + Sync),
        ) -> Result<Vec<Column>>,
    ) -> Result<Option<Table>> {
        let rows = rows.min(self.rest);
        if rows == 0 {
            return Ok(None);
        }
        let Self { portions, columns, row, .. } = *self;
        let part = &portions.files[self.file];
        let name = part.file.name();
        let column = |i: usize, arrays: &mut Arrays| {
            let c = columns[i];
            let column = &portions.columns[c];
            let place = || Place::file(&name).column(column.place as u64 + 1).attribute(&column.name);
            let values = unbroken(place, || values(arrays, &part.types[c], column, rows, row, &place))?;
            Ok(without_marks(Column { name: column.name.clone(), values }, &portions.options))
        };
        let shown_as = columns.iter().map(|&c| portions.columns[c].shown_as).collect();
        let columns = all(&mut self.arrays, &column)?;
        self.rest -= rows;
        self.row += rows;
        Ok(Some(Table::new(&name, columns)?.with_shown_as(shown_as)))
    }
}

/// Rows that are decoded at a time: few, so that they are still in the cache when they are copied to their places.
const BATCH: usize = 1 << 13;

fn values(
    arrays: &mut Arrays,
    data_type: &DataType,
    column: &PartColumn,
    rows: usize,
    first: usize,
    place: &impl Fn() -> Place,
) -> Result<Values> {
    let short = || damaged(place(), "a row group has fewer rows than it says");
    let mut filled = 0;
    if !column.is_nominal {
        let mut cells = vec![0.0; rows];
        while filled < rows {
            let array = arrays.next(BATCH.min(rows - filled)).map_err(|error| failed(place(), error))?;
            let array = array.ok_or_else(short)?;
            let own = cells.get_mut(filled..filled + array.len()).ok_or_else(short)?;
            fill_numbers(own, first + filled, &array).map_err(|problem| wrong(place(), problem))?;
            filled += array.len();
        }
        return Ok(Values::Numeric(cells));
    }
    let levels = match ColumnPlanOf::new(data_type, Some(true)) {
        Ok(ColumnPlanOf::Codes(levels)) => levels,
        _ => Interner::default(),
    };
    let mut coder = Coder::new(levels);
    let mut codes = vec![0; rows];
    while filled < rows {
        let array = arrays.next(BATCH.min(rows - filled)).map_err(|error| failed(place(), error))?;
        let array = array.ok_or_else(short)?;
        let own = codes.get_mut(filled..filled + array.len()).ok_or_else(short)?;
        coder.fill(own, &array).map_err(|problem| wrong(place(), problem))?;
        filled += array.len();
    }
    Ok(Values::Nominal(Nominal { levels: coder.into_levels(), codes }))
}
