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
    rows: Rows,
    bins: Vec<u32>,
}

/// Where the bins of a row are.
enum Rows {
    /// Each has this many. What is left of a row's is filled with a bin of no column: counting is then a loop without a surprise
    /// for the processor.
    Even(usize),
    /// From a start to the next.
    Starts(Vec<u32>),
}

impl Rows {
    #[inline(always)]
    fn of(&self, id: u32) -> Range<usize> {
        let id = id as usize;
        match self {
            Self::Even(width) => id * width..(id + 1) * width,
            Self::Starts(starts) => starts[id] as usize..starts[id + 1] as usize,
        }
    }
}

/// A column with more values than this is not worth it.
const MOST_VALUES: u32 = 64;
/// Rows looked at together.
const WORD: usize = 8;
/// At most one row in this many is an exception.
const RARE: usize = 4;
/// Rows with more exceptions are not filled up.
const MOST_EVEN: u32 = 4;
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

/// Parts small enough that what is kept for them stays in the cache.
fn parts(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(1 << 12).map(move |start| start..rows.min(start + (1 << 12)))
}

impl Sparse {
    /// Finds the columns that are worth it among those whose codes are given by row id.
    pub(super) fn new<'c>(
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
        for part in parts(rows) {
            for (list, column) in lists() {
                let usual = column.usual as u8;
                for (count, &code) in starts[part.start + 1..].iter_mut().zip(&list[part.clone()]) {
                    *count += u32::from(code != usual);
                }
            }
        }
        let most = starts.iter().copied().max().unwrap_or(0);
        let even = most <= MOST_EVEN;
        let mut total = 0usize;
        for (row, start) in starts.iter_mut().enumerate() {
            total += if even && row > 0 { most as usize } else { *start as usize };
            *start = u32::try_from(total).ok()?;
        }
        let mut bins = vec![plan.owner.len() as u32; total];
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
        let rows = if even { Rows::Even(most as usize) } else { Rows::Starts(starts) };
        Some(Self { plan: Arc::new(plan), rows, bins })
    }

    /// Whether a column is kept here.
    pub(super) fn has(&self, column: usize) -> bool {
        self.plan.has[column]
    }

    /// The exceptions of some rows, in the order given.
    pub(super) fn gather(&self, ids: &[u32]) -> Self {
        let mut bins = Vec::new();
        let rows = match &self.rows {
            Rows::Even(width) => {
                bins.reserve_exact(ids.len() * width);
                ids.iter().for_each(|&id| bins.extend_from_slice(&self.bins[self.rows.of(id)]));
                Rows::Even(*width)
            }
            Rows::Starts(_) => {
                let mut starts = vec![0];
                for &id in ids {
                    bins.extend_from_slice(&self.bins[self.rows.of(id)]);
                    starts.push(bins.len() as u32);
                }
                Rows::Starts(starts)
            }
        };
        Self { plan: self.plan.clone(), rows, bins }
    }

    /// Counts the rows of a node and calls `with` for the exceptions of every column that has some there, in column order. (A
    /// column without one has a single value and cannot be split.)
    pub(super) fn count(
        &self,
        tally: &[f64],
        members: &[u32],
        class: &[u32],
        scratch: &mut SparseScratch,
        mut with: impl FnMut(&mut Exceptions),
    ) {
        let SparseScratch { counts, touched, histogram } = scratch;
        let classes = tally.len();
        let all = self.plan.owner.len() * classes;
        // One bin more: that of no column.
        counts.resize(all + classes, 0);
        match self.rows {
            Rows::Even(1) => self.add::<1>(members, class, classes, counts),
            Rows::Even(2) => self.add::<2>(members, class, classes, counts),
            Rows::Even(3) => self.add::<3>(members, class, classes, counts),
            Rows::Even(4) => self.add::<4>(members, class, classes, counts),
            _ => {
                for &id in members {
                    let class = class[id as usize] as usize;
                    for &bin in &self.bins[self.rows.of(id)] {
                        counts[bin as usize * classes + class] += 1;
                    }
                }
            }
        }
        counts[all..].fill(0);
        // Few bins: looking at all of them costs less than keeping a list of those that were touched.
        touched.clear();
        for (bin, counts) in counts[..all].chunks_exact(classes).enumerate() {
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

impl Sparse {
    /// Counts rows that have `WIDTH` bins each.
    fn add<const WIDTH: usize>(&self, members: &[u32], class: &[u32], classes: usize, counts: &mut [u32]) {
        let (bins, _) = self.bins.as_chunks::<WIDTH>();
        for &id in members {
            let class = class[id as usize] as usize;
            for bin in bins[id as usize] {
                counts[bin as usize * classes + class] += 1;
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
    pub(super) fn binary_cost(&self, tally: &[f64]) -> Option<f64> {
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
    pub(super) fn histogram(&mut self, table: &CodedTable, tally: &[f64]) -> (usize, &Histogram) {
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
