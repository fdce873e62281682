//! A column of a block: how it is kept, and what a split does to it.

use std::borrow::Cow;
use std::ops::Range;

use super::Block;
use super::extract::Deal;
use super::layout::Layout;
use crate::data::codes::{Code, each_width};
use crate::data::{CodedColumn, Codes};
use crate::grow::branches::Branches;
use crate::simd::NEW_VALUE;
use crate::split::packed_rows::RowBits;
use crate::tree::Condition;

/// How the rows of a block are kept in one column.
pub(in crate::grow) enum BlockColumn<'a> {
    /// Words in the order of the codes, segment by segment; every row has a value.
    Ordered(Vec<u32>),
    /// Entries sorted by code, segment by segment; rows without a value at the end of their segment.
    Sorted(Vec<u64>),
    /// A code for every id.
    Counted(Cow<'a, Codes>),
    /// Nothing but its exceptions ([`Sparse`](crate::grow::sparse::Sparse)); codes are looked up in the table.
    Rare,
}

/// How the lists of a block are written.
#[derive(Clone, Copy)]
pub(super) struct Layouts {
    pub entries: Layout,
    pub words: Option<RowBits>,
}

impl<'a> BlockColumn<'a> {
    /// The list of a column in which every row has a value.
    pub(crate) fn ordered(&self) -> Option<&[u32]> {
        match self {
            Self::Ordered(list) => Some(list),
            _ => None,
        }
    }

    /// The code at a place of a sorted list; a place of a counted column is a code.
    pub(super) fn code_at(&self, block: &Block, column: usize, start: usize, place: u32) -> u32 {
        match self {
            Self::Ordered(list) => block.code(column, block.word_id(list[start + place as usize])),
            Self::Sorted(list) => (list[start + place as usize] >> block.layout.shift()) as u32,
            Self::Counted(_) | Self::Rare => place,
        }
    }

    /// Reports the branch of every row of a segment, `None` where it has no known value. `members` are the ids of the segment, and
    /// `row` is the row of an id.
    #[inline]
    pub(super) fn route(
        &self,
        segment: Range<usize>,
        (condition, coded, layout): (&Condition, &CodedColumn, Layout),
        members: &[u32],
        row: impl Fn(usize) -> usize,
        mut put: impl FnMut(usize, Option<usize>),
    ) {
        match self {
            // Its rows are told apart by one place in the list.
            Self::Ordered(_) => {}
            Self::Rare => {
                for &id in members {
                    let code = coded.codes.get(row(id as usize));
                    put(id as usize, condition.route(coded.cell(code)));
                }
            }
            Self::Sorted(entries) => {
                // Sorted by code: the branches are two runs, and a third are the rows without a value.
                let shift = layout.shift();
                let entries = &entries[segment];
                let route = |entry: &u64| condition.route(coded.cell((entry >> shift) as u32));
                let missing = u64::from(coded.cardinality());
                let known = entries.partition_point(|e| e >> shift < missing);
                let left = entries[..known].partition_point(|e| route(e) == Some(0));
                let otherwise = condition.missing();
                for (run, branch) in
                    [(0..left, Some(0)), (left..known, Some(1)), (known..entries.len(), otherwise)]
                {
                    entries[run].iter().for_each(|&entry| put(layout.id(entry), branch));
                }
            }
            Self::Counted(codes) if members.len() >= coded.cardinality() as usize => {
                // A list says where every value goes.
                let route: Vec<_> =
                    (0..=coded.cardinality()).map(|code| condition.route(coded.cell(code))).collect();
                each_width!(codes.as_ref(), list => for &id in members {
                    put(id as usize, route[list[id as usize].wide() as usize]);
                });
            }
            Self::Counted(codes) => each_width!(codes.as_ref(), list => for &id in members {
                put(id as usize, condition.route(coded.cell(list[id as usize].wide())));
            }),
        }
    }

    /// Stable partition of a segment into two.
    pub(super) fn partition_two(
        &mut self,
        segment: Range<usize>,
        layouts: Layouts,
        side: &Branches,
        spare: &mut Vec<u32>,
    ) {
        match (self, layouts.words) {
            (Self::Ordered(list), Some(bits)) => {
                side.two_ways(bits, &mut list[segment], spare);
            }
            (Self::Sorted(list), _) => {
                two_ways(&mut list[segment], |entry| side.of(layouts.entries.id(entry)));
            }
            _ => {}
        }
    }

    /// Stable partition of a segment into parts that begin at `starts`.
    pub(super) fn partition(
        &mut self,
        segment: Range<usize>,
        layouts: Layouts,
        starts: &[usize],
        branch: impl Fn(usize) -> usize,
    ) {
        match (self, layouts.words) {
            (Self::Ordered(list), Some(bits)) => {
                let mut marks = Marks::new(starts.len());
                deal(&mut list[segment], starts, |word| {
                    marks.row(*word);
                    let branch = branch(bits.id(*word));
                    *word = marks.put(*word, branch);
                    branch
                });
            }
            (Self::Sorted(list), _) => {
                deal(&mut list[segment], starts, |entry| branch(layouts.entries.id(*entry)));
            }
            _ => {}
        }
    }

    /// The column in a block of its own, `to`, of the rows `ids` of a segment.
    pub(super) fn detached(
        &self,
        column: usize,
        segment: Range<usize>,
        (from, to): (&Block<'a>, &Block<'a>),
        ids: &[u32],
        new_id: &[u32],
    ) -> Self {
        match (self, from.words) {
            (Self::Ordered(list), Some(bits)) => {
                // All rows of the node stay together, so values begin where they did.
                let moved =
                    |&word: &u32| word & NEW_VALUE | bits.word(bits.class(word), new_id[bits.id(word)]);
                Self::Ordered(list[segment].iter().map(moved).collect())
            }
            (Self::Ordered(_), None) => Self::Ordered(Vec::new()),
            (Self::Sorted(list), _) => {
                let (old, new) = (from.layout, to.layout);
                let moved = |&entry: &u64| {
                    let code = (entry >> old.shift()) as u32;
                    new.entry(code, old.class(entry), new_id[old.id(entry)])
                };
                Self::Sorted(list[segment].iter().map(moved).collect())
            }
            (Self::Counted(codes), _) => from.listed(to, column, codes.gather(ids)),
            (Self::Rare, _) => to.rare(column),
        }
    }

    /// Adds the column to every one of the blocks `to`, to which the rows of a segment are dealt.
    pub(super) fn deal_out(
        &self,
        column: usize,
        segment: Range<usize>,
        from: &Block<'a>,
        to: &mut [Block<'a>],
        deal: &Deal<impl Fn(usize) -> Option<usize>>,
    ) {
        match (self, from.words) {
            (Self::Ordered(list), Some(bits)) => {
                let mut lists: Vec<Vec<u32>> = deal.lists();
                let mut marks = Marks::new(to.len());
                for &word in &list[segment] {
                    marks.row(word);
                    let id = bits.id(word);
                    let new = bits.word(bits.class(word), deal.new_id[id]);
                    deal.each_block(id, |block| lists[block].push(marks.put(new, block)));
                }
                for (block, list) in to.iter_mut().zip(lists) {
                    block.columns.push(Self::Ordered(list));
                }
            }
            (Self::Ordered(_), None) => {
                to.iter_mut().for_each(|block| block.columns.push(Self::Ordered(Vec::new())));
            }
            (Self::Sorted(entries), _) => {
                let mut lists: Vec<Vec<u64>> = deal.lists();
                let layout = from.layout;
                for &entry in &entries[segment] {
                    let id = layout.id(entry);
                    let (code, class) = ((entry >> layout.shift()) as u32, layout.class(entry));
                    deal.each_block(id, |block| {
                        lists[block].push(to[block].layout.entry(code, class, deal.new_id[id]));
                    });
                }
                for (block, list) in to.iter_mut().zip(lists) {
                    block.columns.push(Self::Sorted(list));
                }
            }
            (Self::Counted(codes), _) => {
                for (block, ids) in to.iter_mut().zip(&deal.ids) {
                    let codes = from.listed(block, column, codes.gather(ids));
                    block.columns.push(codes);
                }
            }
            (Self::Rare, _) => to.iter_mut().for_each(|block| {
                let codes = block.rare(column);
                block.columns.push(codes);
            }),
        }
    }
}

/// Stable partition by side 0 or 1, without a branch that the processor would have to guess. Says how many are on side 0.
#[inline(always)]
pub(super) fn two_ways<T: Copy + Default>(list: &mut [T], side: impl Fn(T) -> u8) -> usize {
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

/// Stable partition into parts that begin at `starts`; `branch` may change what it is shown.
pub(super) fn deal<T: Copy + Default>(
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

/// Marks the first word of every value anew while a list is dealt to branches.
struct Marks {
    /// How many values have begun, and how many had begun at the last word of every branch.
    begun: u32,
    last: Vec<u32>,
}

impl Marks {
    fn new(branches: usize) -> Self {
        Self { begun: 1, last: vec![0; branches] }
    }

    #[inline(always)]
    fn row(&mut self, word: u32) {
        self.begun += word >> 31;
    }

    #[inline(always)]
    fn put(&mut self, word: u32, branch: usize) -> u32 {
        let begins = std::mem::replace(&mut self.last[branch], self.begun) != self.begun;
        word & !NEW_VALUE | if begins { NEW_VALUE } else { 0 }
    }
}
