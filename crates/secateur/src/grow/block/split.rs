//! Sending the rows of a node to branches.

use std::ops::Range;

use rayon::prelude::*;

use super::extract::Marks;
use super::{Block, BlockColumn, PARALLEL_CELLS, Parts, UNKNOWN};
use crate::data::codes::{Code, each_width};
use crate::grow::branches::Branches;
use crate::split::NodeCount;
use crate::split::packed_rows::RowBits;
use crate::tree::Condition;

impl<'a> Block<'a> {
    /// Sends the rows of a segment to the branches of a condition. `cut` is the place in a sorted list where the second
    /// branch begins, when it is known; branches that are not wanted need no block.
    pub fn split(
        &mut self,
        segment: Range<usize>,
        condition: &Condition,
        cut: Option<usize>,
        parallel: bool,
        wants: impl Fn(&NodeCount) -> bool,
    ) -> Parts<'a> {
        let column = condition.attribute();
        let coded = &self.table.columns()[column];
        let branches = condition.branches();
        if let (Some(layout), BlockColumn::Ordered(list)) = (self.words, &self.columns[column]) {
            let list = &list[segment.clone()];
            let goes_left =
                |&word: &u32| condition.route(coded.cell(self.code(column, layout.id(word)))) == Some(0);
            let left = cut.unwrap_or_else(|| list.partition_point(goes_left));
            debug_assert_eq!(left, list.partition_point(goes_left));
            for (branch, part) in [(0, &list[..left]), (1, &list[left..])] {
                part.iter().for_each(|&word| self.side.set(layout.id(word), branch));
            }
            return Parts::Segments(self.partition_two(segment, Some(column), parallel));
        }
        let mut known = vec![0.0; branches];
        let mut unknown = 0usize;
        // The branch of every row that the segment holds.
        let mut many: Vec<u32> = Vec::new();
        if branches < usize::from(UNKNOWN) {
            let mut put = |side: &mut Branches, id: usize, weight: f64, branch: Option<usize>| match branch {
                Some(branch) => {
                    side.set(id, branch as u8);
                    known[branch] += weight;
                }
                None => {
                    side.set(id, UNKNOWN);
                    unknown += 1;
                }
            };
            let (weights, side) = (&self.weights, &mut self.side);
            let weight = |id: usize| weights.as_ref().map_or(1.0, |w| w[id]);
            match &self.columns[column] {
                BlockColumn::Ordered(_) => {}
                BlockColumn::Rare => {
                    for &id in &self.members[segment.clone()] {
                        let id = id as usize;
                        let row = self.rows.as_ref().map_or(id, |rows| rows[id] as usize);
                        put(side, id, weight(id), condition.route(coded.cell(coded.codes.get(row))));
                    }
                }
                BlockColumn::Sorted(entries) => {
                    // Sorted by code: the branches are three runs.
                    let (layout, shift) = (self.layout, self.layout.shift());
                    let entries = &entries[segment.clone()];
                    let route = |entry: &u64| condition.route(coded.cell((entry >> shift) as u32));
                    let left = entries.partition_point(|e| route(e) == Some(0));
                    let right = left + entries[left..].partition_point(|e| route(e) == Some(1));
                    for (run, branch) in
                        [(0..left, Some(0)), (left..right, Some(1)), (right..entries.len(), None)]
                    {
                        for &entry in &entries[run] {
                            let id = layout.id(entry);
                            put(side, id, weight(id), branch);
                        }
                    }
                }
                BlockColumn::Counted(codes) if segment.len() >= coded.cardinality() as usize => {
                    // A list says where every value goes.
                    let route: Vec<_> =
                        (0..=coded.cardinality()).map(|code| condition.route(coded.cell(code))).collect();
                    each_width!(codes.as_ref(), list => for &id in &self.members[segment.clone()] {
                        let id = id as usize;
                        put(side, id, weight(id), route[list[id].wide() as usize]);
                    });
                }
                BlockColumn::Counted(codes) => each_width!(codes.as_ref(), list => {
                    for &id in &self.members[segment.clone()] {
                        let id = id as usize;
                        put(side, id, weight(id), condition.route(coded.cell(list[id].wide())));
                    }
                }),
            }
        } else {
            many = vec![u32::MAX; self.side.len()];
            for &id in &self.members[segment.clone()] {
                let code = match &self.columns[column] {
                    BlockColumn::Counted(codes) => codes.get(id as usize),
                    BlockColumn::Rare => self.code(column, id as usize),
                    // Only nominal columns have that many branches, and those are counted.
                    _ => unreachable!("a multiway split of a numeric column"),
                };
                match condition.route(coded.cell(code)) {
                    Some(branch) => {
                        many[id as usize] = branch as u32;
                        known[branch] += self.weight(id as usize);
                    }
                    None => unknown += 1,
                }
            }
        }
        if unknown > 0 {
            let total: f64 = known.iter().sum();
            let shares: Vec<f64> = known.iter().map(|k| k / total).collect();
            let branch = |side: &Branches, id: usize| match many.get(id) {
                Some(&u32::MAX) => None,
                Some(&branch) => Some(branch as usize),
                None => (side.of(id) != UNKNOWN).then_some(usize::from(side.of(id))),
            };
            return Parts::Apart(self.extract(segment, branch, &shares, wants));
        }
        Parts::Segments(if branches == 2 {
            self.partition_two(segment, None, parallel)
        } else if many.is_empty() {
            self.partition(segment, branches, |side, id| usize::from(side.of(id)))
        } else {
            self.partition(segment, branches, |_, id| many[id] as usize)
        })
    }

    /// Stable partition of a segment of every list into two; one list may be in order already.
    fn partition_two(
        &mut self,
        segment: Range<usize>,
        done: Option<usize>,
        parallel: bool,
    ) -> Vec<Range<usize>> {
        let Self { side, layout, words, columns, spare, members, .. } = self;
        let lists = |c: usize, column: &mut BlockColumn, spare: &mut Vec<u32>| match (column, *words) {
            (BlockColumn::Ordered(list), Some(layout)) if done != Some(c) => {
                side.two_ways(layout, &mut list[segment.clone()], spare);
            }
            (BlockColumn::Sorted(list), _) => {
                two_ways(&mut list[segment.clone()], |entry| side.of(layout.id(entry)));
            }
            _ => {}
        };
        if parallel && segment.len() * columns.len() >= PARALLEL_CELLS {
            let columns = columns.par_iter_mut().enumerate();
            columns.for_each_init(Vec::new, |spare, (c, column)| lists(c, column, spare));
        } else {
            for (c, column) in columns.iter_mut().enumerate() {
                lists(c, column, spare);
            }
        }
        let members = &mut members[segment.clone()];
        let left = match words {
            Some(_) => side.two_ways(RowBits { class_bits: 0 }, members, spare),
            None => two_ways(members, |id| side.of(id as usize)),
        };
        let middle = segment.start + left;
        vec![segment.start..middle, middle..segment.end]
    }

    /// Stable partition of a segment of every list into any number of parts.
    fn partition(
        &mut self,
        segment: Range<usize>,
        branches: usize,
        branch: impl Fn(&Branches, usize) -> usize,
    ) -> Vec<Range<usize>> {
        let mut starts = vec![0usize; branches + 1];
        for &id in &self.members[segment.clone()] {
            starts[branch(&self.side, id as usize) + 1] += 1;
        }
        for b in 0..branches {
            starts[b + 1] += starts[b];
        }
        fn deal<T: Copy + Default>(
            list: &mut [T],
            starts: &[usize],
            mut branch: impl FnMut(&mut T) -> usize,
        ) {
            let mut next = starts.to_vec();
            let mut spare = vec![T::default(); list.len()];
            for x in list.iter_mut() {
                let slot = &mut next[branch(x)];
                spare[*slot] = *x;
                *slot += 1;
            }
            list.copy_from_slice(&spare);
        }
        let Self { side, layout, words, columns, members, .. } = self;
        let mut marks = Marks::new(branches);
        for column in columns {
            match (column, *words) {
                (BlockColumn::Ordered(list), Some(layout)) => {
                    marks.begin();
                    deal(&mut list[segment.clone()], &starts, |word| {
                        marks.row(*word);
                        let branch = branch(side, layout.id(*word));
                        *word = marks.put(*word, branch);
                        branch
                    });
                }
                (BlockColumn::Sorted(list), _) => {
                    deal(&mut list[segment.clone()], &starts, |entry| branch(side, layout.id(*entry)));
                }
                _ => {}
            }
        }
        deal(&mut members[segment.clone()], &starts, |id| branch(side, *id as usize));
        starts.windows(2).map(|w| segment.start + w[0]..segment.start + w[1]).collect()
    }
}

/// Stable partition by side 0 or 1, without a branch that the processor would have to guess. Says how many are on side 0.
#[inline(always)]
fn two_ways<T: Copy + Default>(list: &mut [T], side: impl Fn(T) -> u8) -> usize {
    let mut spare = vec![T::default(); list.len()];
    let (mut l, mut r) = (0, 0);
    for i in 0..list.len() {
        let x = list[i];
        let right = usize::from(side(x));
        list[l] = x;
        spare[r] = x;
        l += 1 - right;
        r += right;
    }
    list[l..].copy_from_slice(&spare[..r]);
    l
}
