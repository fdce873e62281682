//! Columns in which nearly every row has the same value (one-hot columns, flags): only the exceptions are kept and counted.
//!
//! A row's exceptions stand together, so one pass over the rows of a node counts all these columns; what the usual value
//! has is the rest of the node. Whole counts only: a difference of fractions would not be exact.

use std::ops::Range;
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
/// Rows looked at together.
const WORD: usize = 8;
/// At most one row in this many is an exception.
const RARE: usize = 4;
/// Fewer such columns are not worth it.
const FEWEST_COLUMNS: usize = 3;

/// The code that most rows have (the last among equal ones), and how many have it.
fn most_frequent(list: &[u8], codes: u32) -> (u32, usize) {
    // Four lists of counts: the processor need not wait for one increment before it makes the next.
    let mut counts = [[0usize; 4]; MOST_VALUES as usize + 1];
    if codes <= 4 {
        for (code, counts) in (0..=4).zip(&mut counts) {
            // Blocks that the compiler can count in bytes.
            let equal = |block: &[u8]| block.iter().map(|&c| u8::from(c == code)).sum::<u8>();
            counts[0] = list.chunks(128).map(|block| usize::from(equal(block))).sum();
        }
    } else {
        for (i, &code) in list.iter().enumerate() {
            counts[usize::from(code)][i % 4] += 1;
        }
    }
    let count = |code: u32| counts[code as usize].iter().sum::<usize>();
    (0..codes).map(|code| (code, count(code))).max_by_key(|(_, count)| *count).unwrap_or((0, 0))
}

/// Parts of so many rows that what is kept for them stays in the cache.
fn parts(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(1 << 12).map(move |start| start..rows.min(start + (1 << 12)))
}

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
            let (usual, count) = most_frequent(list, missing);
            if (rows - count) * RARE <= rows {
                plan.has[c] = true;
                let base = plan.owner.len() as u32;
                plan.owner.resize(plan.owner.len() + missing as usize + 1, plan.columns.len() as u16);
                plan.columns.push(Column { column: c as u32, usual, base });
            }
        }
        if plan.columns.len() < FEWEST_COLUMNS {
            return None;
        }
        let lists = || {
            plan.columns.iter().filter_map(|column| match codes(column.column as usize) {
                Some(Codes::U8(list)) => Some((list.as_slice(), column)),
                _ => None,
            })
        };
        // Column by column: how many exceptions every row has, then where they go.
        let mut starts = vec![0u32; rows + 1];
        let mut total = 0usize;
        for part in parts(rows) {
            for (list, column) in lists() {
                let usual = column.usual as u8;
                for (count, &code) in starts[part.start + 1..].iter_mut().zip(&list[part.clone()]) {
                    *count += u32::from(code != usual);
                }
            }
        }
        for start in &mut starts {
            total += *start as usize;
            *start = u32::try_from(total).ok()?;
        }
        let mut bins = vec![0u32; total];
        let mut next = starts[..rows].to_vec();
        for part in parts(rows) {
            for (list, column) in lists() {
                let usual = [column.usual as u8; WORD];
                for (word, codes) in list[part.clone()].chunks(WORD).enumerate() {
                    // Mostly nothing to do: some rows are looked at together.
                    if *codes == usual[..codes.len()] {
                        continue;
                    }
                    for (slot, &code) in next[part.start + word * WORD..].iter_mut().zip(codes) {
                        if u32::from(code) != column.usual {
                            bins[*slot as usize] = column.base + u32::from(code);
                            *slot += 1;
                        }
                    }
                }
            }
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

    /// Counts the rows of a node and calls `with` for the exceptions of every column that has some there, in column order. (A
    /// column without one has a single value and cannot be split.)
    pub fn count(
        &self,
        tally: &[f64],
        members: &[u32],
        class: &[u32],
        scratch: &mut SparseScratch,
        mut with: impl FnMut(&mut Exceptions),
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
        for (bin, counts) in counts.chunks_exact(classes).enumerate() {
            if counts.iter().fold(0, |any, n| any | n) != 0 {
                touched.push(bin as u32);
            }
        }
        let owner = |bin: u32| self.plan.owner[bin as usize];
        for bins in touched.chunk_by(|a, b| owner(*a) == owner(*b)) {
            let column = &self.plan.columns[usize::from(owner(bins[0]))];
            with(&mut Exceptions { column, bins, counts, histogram });
            for &bin in bins {
                counts[bin as usize * classes..(bin as usize + 1) * classes].fill(0);
            }
        }
    }
}

/// The exceptions of one column at one node.
pub(super) struct Exceptions<'s> {
    column: &'s Column,
    /// The bins that occur, ascending.
    bins: &'s [u32],
    counts: &'s [u32],
    histogram: &'s mut Histogram,
}

impl Exceptions<'_> {
    /// The rows of every class in a bin.
    fn bin(&self, bin: u32, classes: usize) -> &[u32] {
        &self.counts[bin as usize * classes..(bin as usize + 1) * classes]
    }

    /// Where there is one exception: what the two sides cost by Gini.
    pub fn binary_cost(&self, tally: &[f64]) -> Option<f64> {
        let &[bin] = self.bins else { return None };
        let (mut n, mut left, mut right, mut all) = (0.0, 0.0, 0.0, 0.0);
        for (&count, &total) in self.bin(bin, tally.len()).iter().zip(tally) {
            let count = f64::from(count);
            n += count;
            left += count * count;
            right += (total - count) * (total - count);
            all += total;
        }
        // With no other rows the column has one value.
        Some(if n < all { all - left / n - right / (all - n) } else { f64::INFINITY })
    }

    /// The histogram of the column, and its number.
    pub fn histogram(&mut self, table: &CodedTable, tally: &[f64]) -> (usize, &Histogram) {
        let (classes, column) = (tally.len(), self.column);
        let missing = table.columns()[column.column as usize].cardinality();
        let mut usual = tally.to_vec();
        for &bin in self.bins {
            for (w, &n) in usual.iter_mut().zip(self.bin(bin, classes)) {
                *w -= f64::from(n);
            }
        }
        let mut histogram = Histogram::new(classes);
        let mut placed = !usual.iter().any(|&w| w > 0.0);
        let mut put_usual = |histogram: &mut Histogram| {
            if !std::mem::replace(&mut placed, true) {
                histogram.codes.push(column.usual);
                histogram.tallies.extend_from_slice(&usual);
            }
        };
        for &bin in self.bins {
            let (code, list) = (bin - column.base, self.bin(bin, classes));
            if code == missing {
                histogram.missing.iter_mut().zip(list).for_each(|(w, &n)| *w = f64::from(n));
            } else {
                if code > column.usual {
                    put_usual(&mut histogram);
                }
                histogram.codes.push(code);
                histogram.tallies.extend(list.iter().map(|&n| f64::from(n)));
            }
        }
        put_usual(&mut histogram);
        *self.histogram = histogram;
        (column.column as usize, self.histogram)
    }
}

/// Working memory of [`Sparse::count`]; the counts are all zero between calls.
#[derive(Default)]
pub(super) struct SparseScratch {
    counts: Vec<u32>,
    touched: Vec<u32>,
    histogram: Histogram,
}
