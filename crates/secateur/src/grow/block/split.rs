//! Sending the rows of a node to branches.

use std::ops::Range;

use super::column::{deal, two_ways};
use super::{AfterSplit, Block, BlockColumn, PARALLEL_CELLS, UNKNOWN};
use crate::grow::branches::Branches;
use crate::split::NodeCount;
use crate::split::packed_rows::RowBits;
use crate::threads;
use crate::tree::{Condition, share_out};

/// Where the rows of a segment go.
struct Routes {
    /// The weight of the rows with a known value in every branch.
    known: Vec<f64>,
    /// The rows without one.
    unknown: usize,
    /// The branch of every id, where there are more branches than [`Branches`] can tell apart.
    many: Vec<u32>,
}

impl<'a> Block<'a> {
    /// Sends the rows of a segment to the branches of a condition. `cut` is the place in a sorted list where the second
    /// branch begins, when it is known; branches that are not wanted need no block.
    pub(crate) fn split(
        &mut self,
        segment: Range<usize>,
        condition: &Condition,
        cut: Option<usize>,
        parallel: bool,
        wants: impl Fn(&NodeCount) -> bool,
    ) -> AfterSplit<'a> {
        let column = condition.attribute();
        let coded = &self.table.columns()[column];
        if let (Some(layout), Some(list)) = (self.words, self.columns[column].ordered()) {
            let list = &list[segment.clone()];
            let goes_left =
                |&word: &u32| condition.route(coded.cell(self.code(column, layout.id(word)))) == Some(0);
            let left = cut.unwrap_or_else(|| list.partition_point(goes_left));
            debug_assert_eq!(left, list.partition_point(goes_left));
            for (branch, part) in [(0, &list[..left]), (1, &list[left..])] {
                part.iter().for_each(|&word| self.side.set(layout.id(word), branch));
            }
            return AfterSplit::Segments(self.partition_two(segment, Some(column), parallel));
        }
        let branches = condition.branches();
        let Routes { known, unknown, many } = self.route(segment.clone(), condition);
        if unknown > 0 {
            let shares: Vec<f64> = share_out(known.iter().copied()).collect();
            let branch = |side: &Branches, id: usize| match many.get(id) {
                Some(&u32::MAX) => None,
                Some(&branch) => Some(branch as usize),
                None => (side.of(id) != UNKNOWN).then_some(usize::from(side.of(id))),
            };
            return AfterSplit::Detached(self.extract(segment, branch, &shares, wants));
        }
        AfterSplit::Segments(if branches == 2 {
            self.partition_two(segment, None, parallel)
        } else if many.is_empty() {
            self.partition(segment, branches, |side, id| usize::from(side.of(id)))
        } else {
            self.partition(segment, branches, |_, id| many[id] as usize)
        })
    }

    /// Finds the branch of every row of a segment.
    fn route(&mut self, segment: Range<usize>, condition: &Condition) -> Routes {
        let Self { columns, side, weights, rows, members, .. } = self;
        let (column, branches) = (condition.attribute(), condition.branches());
        let how = (condition, &self.table.columns()[column], self.layout);
        let members = &members[segment.clone()];
        let row = |id: usize| rows.as_ref().map_or(id, |rows| rows[id] as usize);
        let weight = |id: usize| weights.as_ref().map_or(1.0, |w| w[id]);
        let (mut known, mut unknown, mut many) = (vec![0.0; branches], 0, Vec::new());
        if branches < usize::from(UNKNOWN) {
            columns[column].route(segment, how, members, row, |id, branch| match branch {
                Some(branch) => {
                    side.set(id, branch as u8);
                    known[branch] += weight(id);
                }
                None => {
                    side.set(id, UNKNOWN);
                    unknown += 1;
                }
            });
        } else {
            many = vec![u32::MAX; side.len()];
            columns[column].route(segment, how, members, row, |id, branch| match branch {
                Some(branch) => {
                    many[id] = branch as u32;
                    known[branch] += weight(id);
                }
                None => unknown += 1,
            });
        }
        Routes { known, unknown, many }
    }

    /// Stable partition of a segment of every list into two; one list may be in order already.
    fn partition_two(
        &mut self,
        segment: Range<usize>,
        done: Option<usize>,
        parallel: bool,
    ) -> Vec<Range<usize>> {
        let layouts = self.layouts();
        let Self { side, words, columns, spare, members, .. } = self;
        let lists = |c: usize, column: &mut BlockColumn, spare: &mut Vec<u32>| {
            if done != Some(c) {
                column.partition_two(segment.clone(), layouts, side, spare);
            }
        };
        if parallel && segment.len() * columns.len() >= PARALLEL_CELLS {
            let columns = columns.iter_mut().enumerate().collect();
            threads::for_each_with(columns, Vec::new, |spare, (c, column)| lists(c, column, spare));
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
        let layouts = self.layouts();
        let Self { side, columns, members, .. } = self;
        for column in columns {
            column.partition(segment.clone(), layouts, &starts, |id| branch(side, id));
        }
        deal(&mut members[segment.clone()], &starts, |id| branch(side, *id as usize));
        starts.windows(2).map(|w| segment.start + w[0]..segment.start + w[1]).collect()
    }
}
