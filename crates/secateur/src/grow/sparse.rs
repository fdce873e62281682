//! Columns in which nearly every row has the same value (one-hot columns, flags): only the exceptions are kept and counted.
//!
//! A row's exceptions stand together, so one pass over the rows of a node counts all these columns; what the usual value
//! has is the rest of the node. Whole counts only: a difference of fractions would not be exact.

use std::sync::Arc;

use crate::data::{CodedTable, Codes};
use crate::split::Histogram;

/// One column: its number in the table, its usual code, and where its bins begin.
struct Column {
    column: u32,
    usual: u32,
    base: u32,
}

/// The columns of a table that are kept this way; shared by all blocks of a growing.
pub(super) struct Plan {
    columns: Vec<Column>,
    /// For every bin the index of its column in `columns`.
    owner: Vec<u16>,
    /// For every column of the table whether it is kept here.
    has: Vec<bool>,
}

/// The exceptions of every row of a block: bins, row after row.
pub(super) struct Sparse {
    pub plan: Arc<Plan>,
    starts: Vec<u32>,
    bins: Vec<u32>,
}

/// A column with more values than this is not worth it.
const MOST_VALUES: u32 = 64;
/// At most one row in this many is an exception.
const RARE: usize = 4;
/// Fewer such columns are not worth it.
const FEWEST_COLUMNS: usize = 3;

impl Sparse {
    /// Finds the columns that are worth it among those whose codes are given by row id.
    pub fn new<'c>(
        table: &CodedTable,
        codes: impl Fn(usize) -> Option<&'c Codes>,
        rows: usize,
    ) -> Option<Self> {
        let mut plan =
            Plan { columns: Vec::new(), owner: Vec::new(), has: vec![false; table.columns().len()] };
        for (c, column) in table.columns().iter().enumerate() {
            let missing = column.cardinality();
            let Some(Codes::U8(list)) = codes(c) else { continue };
            if missing > MOST_VALUES || plan.columns.len() >= usize::from(u16::MAX) {
                continue;
            }
            let mut counts = [0usize; MOST_VALUES as usize + 1];
            for &code in list {
                counts[usize::from(code)] += 1;
            }
            let usual = (0..missing).max_by_key(|&code| counts[code as usize]).unwrap_or(0);
            if (rows - counts[usual as usize]) * RARE <= rows {
                plan.has[c] = true;
                let base = plan.owner.len() as u32;
                plan.owner.resize(plan.owner.len() + missing as usize + 1, plan.columns.len() as u16);
                plan.columns.push(Column { column: c as u32, usual, base });
            }
        }
        if plan.columns.len() < FEWEST_COLUMNS {
            return None;
        }
        let lists: Vec<(&[u8], &Column)> = plan
            .columns
            .iter()
            .filter_map(|column| match codes(column.column as usize) {
                Some(Codes::U8(list)) => Some((list.as_slice(), column)),
                _ => None,
            })
            .collect();
        let (mut starts, mut bins) = (Vec::with_capacity(rows + 1), Vec::new());
        starts.push(0);
        for id in 0..rows {
            for (list, column) in &lists {
                if u32::from(list[id]) != column.usual {
                    bins.push(column.base + u32::from(list[id]));
                }
            }
            starts.push(u32::try_from(bins.len()).ok()?);
        }
        Some(Self { plan: Arc::new(plan), starts, bins })
    }

    /// Whether a column is kept here.
    pub fn has(&self, column: usize) -> bool {
        self.plan.has[column]
    }

    fn row(&self, id: u32) -> &[u32] {
        &self.bins[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    /// The exceptions of some rows, in the order given.
    pub fn gather(&self, ids: &[u32]) -> Self {
        let (mut starts, mut bins) = (Vec::with_capacity(ids.len() + 1), Vec::new());
        starts.push(0);
        for &id in ids {
            bins.extend_from_slice(self.row(id));
            starts.push(bins.len() as u32);
        }
        Self { plan: self.plan.clone(), starts, bins }
    }

    /// Counts the rows of a node and calls `with` for the histogram of every column that has an exception there, in
    /// column order. (A column without one has a single value and cannot be split.)
    pub fn count(
        &self,
        table: &CodedTable,
        members: &[u32],
        class: &[u32],
        tally: &[f64],
        scratch: &mut SparseScratch,
        mut with: impl FnMut(usize, &Histogram),
    ) {
        let SparseScratch { counts, touched, histogram } = scratch;
        let classes = tally.len();
        counts.resize(self.plan.owner.len() * classes, 0);
        for &id in members {
            let class = class[id as usize] as usize;
            for &bin in self.row(id) {
                counts[bin as usize * classes + class] += 1;
            }
        }
        // Few bins: looking at all of them costs less than keeping a list of those that were touched.
        touched.clear();
        for bin in 0..self.plan.owner.len() {
            if counts[bin * classes..(bin + 1) * classes].iter().any(|&n| n != 0) {
                touched.push(bin as u32);
            }
        }
        let owner = |bin: u32| self.plan.owner[bin as usize];
        for group in touched.chunk_by(|a, b| owner(*a) == owner(*b)) {
            let column = &self.plan.columns[usize::from(owner(group[0]))];
            let missing = table.columns()[column.column as usize].cardinality();
            *histogram = Histogram::new(classes);
            let mut usual = tally.to_vec();
            let put_usual = |histogram: &mut Histogram, usual: &[f64]| {
                if usual.iter().any(|&w| w > 0.0) {
                    histogram.codes.push(column.usual);
                    histogram.tallies.extend_from_slice(usual);
                }
            };
            for &bin in group {
                for (w, &n) in usual.iter_mut().zip(&counts[bin as usize * classes..]) {
                    *w -= f64::from(n);
                }
            }
            let mut placed = false;
            for &bin in group {
                let code = bin - column.base;
                let list = &mut counts[bin as usize * classes..(bin as usize + 1) * classes];
                if code == missing {
                    histogram.missing.iter_mut().zip(list.iter()).for_each(|(w, &n)| *w = f64::from(n));
                } else {
                    if code > column.usual && !placed {
                        put_usual(histogram, &usual);
                        placed = true;
                    }
                    histogram.codes.push(code);
                    histogram.tallies.extend(list.iter().map(|&n| f64::from(n)));
                }
                list.fill(0);
            }
            if !placed {
                put_usual(histogram, &usual);
            }
            with(column.column as usize, histogram);
        }
    }
}

/// Working memory of [`Sparse::count`]; the counts are all zero between calls.
#[derive(Default)]
pub(super) struct SparseScratch {
    counts: Vec<u32>,
    touched: Vec<u32>,
    histogram: Histogram,
}
