//! Counts of large nodes, value by value of all counted columns at once. They are kept with the node, so that of two branches only
//! the smaller one has to be counted: the other has what is left.
//!
//! Whole counts only: a difference of sums of other weights would not be exact.

use std::ops::Range;

use super::block::{Block, BlockColumn, BlockTarget, PARALLEL_CELLS};
use crate::data::CodedTable;
use crate::data::codes::{Code, each_width};
use crate::split::Histogram;
use crate::threads;

/// Which columns are counted, and where the counts of each begin.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    starts: Vec<Option<usize>>,
    columns: Vec<usize>,
    size: usize,
    classes: usize,
}

/// The counts of a node: class by class, value by value (then the rows without one), column by column.
pub(super) type NodeHistograms = Vec<u32>;

/// Tables with fewer rows are not worth it.
const FEWEST_ROWS: usize = 1 << 15;
/// A column with more counts than this is not worth it: they would not stay in the cache.
const MOST_COUNTS: usize = 1 << 16;
/// Rows for every value, at least.
const ROWS_PER_VALUE: usize = 16;

/// Whether the values of a column are few enough, for this many rows.
pub(super) fn is_worth_counting(values: u32, classes: usize, rows: usize) -> bool {
    let values = values as usize + 1;
    rows >= FEWEST_ROWS && values * ROWS_PER_VALUE <= rows && values * classes <= MOST_COUNTS
}

impl Plan {
    /// A plan for some columns of a table of classes; `None` without any.
    pub(super) fn new(table: &CodedTable, counted: impl Fn(usize) -> bool) -> Option<Self> {
        let classes = table.classes();
        let mut plan =
            Self { starts: vec![None; table.columns().len()], columns: Vec::new(), size: 0, classes };
        for (c, column) in table.columns().iter().enumerate().filter(|(c, _)| counted(*c)) {
            plan.starts[c] = Some(plan.size);
            plan.columns.push(c);
            plan.size += (column.cardinality() as usize + 1) * classes;
        }
        (!plan.columns.is_empty()).then_some(plan)
    }

    pub(super) fn has(&self, column: usize) -> bool {
        self.starts[column].is_some()
    }

    /// The values of a column, on average.
    pub(super) fn values(&self) -> usize {
        self.size / (self.classes * self.columns.len())
    }

    fn range(&self, column: usize, table: &CodedTable) -> Range<usize> {
        let start = self.starts[column].unwrap_or(self.size);
        start..(start + (table.columns()[column].cardinality() as usize + 1) * self.classes).min(self.size)
    }

    /// Counts the rows of a segment.
    pub(super) fn count(&self, block: &Block, segment: Range<usize>, parallel: bool) -> NodeHistograms {
        let mut histograms = vec![0; self.size];
        let BlockTarget::Classes(classes) = &block.target else { return histograms };
        let members = &block.members[segment];
        let class_of: Vec<u16> = members.iter().map(|&id| classes[id as usize] as u16).collect();
        let mut rest = histograms.as_mut_slice();
        let mut parts = Vec::with_capacity(self.columns.len());
        for &column in &self.columns {
            let (part, after) = rest.split_at_mut(self.range(column, block.table).len());
            parts.push((column, part));
            rest = after;
        }
        let count = |(column, part): (usize, &mut [u32])| {
            if let BlockColumn::Counted(codes) = &block.columns[column] {
                each_width!(codes.as_ref(), list => tally(list, members, &class_of, self.classes, part));
            }
        };
        if parallel && members.len() * self.columns.len() >= PARALLEL_CELLS {
            threads::for_each_with(parts, || (), |(), part| count(part));
        } else {
            parts.into_iter().for_each(count);
        }
        histograms
    }

    /// The histograms of the branches of a node, for those that want one: all but the largest are counted.
    pub(super) fn divide(
        &self,
        block: &Block,
        mut histograms: NodeHistograms,
        segments: &[Range<usize>],
        parallel: bool,
        wants: impl Fn(&Range<usize>) -> bool,
    ) -> Vec<Option<NodeHistograms>> {
        let mut branches = vec![None; segments.len()];
        let largest = (0..segments.len()).max_by_key(|&s| segments[s].len()).unwrap_or(0);
        if !segments.get(largest).is_some_and(&wants) {
            return branches;
        }
        for (s, segment) in segments.iter().enumerate().filter(|(s, _)| *s != largest) {
            let counts = self.count(block, segment.clone(), parallel);
            histograms.iter_mut().zip(&counts).for_each(|(all, part)| *all -= part);
            branches[s] = wants(segment).then_some(counts);
        }
        branches[largest] = Some(histograms);
        branches
    }

    /// The rows of every class.
    pub(super) fn class_weights(&self, histograms: &NodeHistograms, table: &CodedTable) -> Vec<f64> {
        let mut sums = vec![0u32; self.classes];
        let counts = self.columns.first().map_or(&[][..], |&column| &histograms[self.range(column, table)]);
        for counts in counts.chunks_exact(self.classes) {
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        sums.into_iter().map(f64::from).collect()
    }

    /// Fills a histogram with the counts of a column.
    pub(super) fn fill(
        &self,
        histograms: &NodeHistograms,
        column: usize,
        table: &CodedTable,
        histogram: &mut Histogram,
    ) {
        histogram.codes.clear();
        histogram.tallies.clear();
        let counts = &histograms[self.range(column, table)];
        let (known, missing) = counts.split_at(counts.len() - self.classes);
        for (code, counts) in (0..).zip(known.chunks_exact(self.classes)) {
            if counts.iter().fold(0, |any, n| any | n) != 0 {
                histogram.codes.push(code);
                histogram.tallies.extend(counts.iter().map(|&n| f64::from(n)));
            }
        }
        histogram.missing.iter_mut().zip(missing).for_each(|(sum, &n)| *sum = f64::from(n));
    }
}

/// Counts rows by code and class.
#[inline(always)]
fn tally<C: Code>(codes: &[C], members: &[u32], class_of: &[u16], classes: usize, counts: &mut [u32]) {
    for (&id, &class) in members.iter().zip(class_of) {
        counts[codes[id as usize].wide() as usize * classes + usize::from(class)] += 1;
    }
}
