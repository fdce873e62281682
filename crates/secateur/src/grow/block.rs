//! A block: the rows of some part of a tree, laid out for fast splitting.
//!
//! The rows of a block have ids from 0. A numeric column with many values is a list of its rows sorted by code; the rows
//! of a node are one segment of every list, and a split partitions the segments stably, so they stay sorted. Where every
//! row has a value the list holds a word for each ([`super::words`]), otherwise longer entries (code, class, id). A column with
//! few values or a nominal one is never moved: it is counted by id.
//!
//! Splits that send rows in parts to several branches, and subtrees that are worth a compact copy, move to blocks of
//! their own.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use super::engine::NodeCount;
use super::sparse::Sparse;
use super::words::{self, STEP, Sides, WordLayout};
use crate::data::codes::{Code, each_width};
use crate::data::{CodedColumn, CodedTable, CodedTarget, Codes};
use crate::error::{Error, Place, Result};
use crate::split::How;
use crate::tree::Condition;

/// Whether a numeric column is kept as a sorted list: with many values, or with few rows for each.
fn keep_sorted(values: u32, rows: usize) -> bool {
    values > 256 || values as usize * 4 > rows
}

/// Work on this many cells is worth the threads.
pub(super) const PARALLEL_CELLS: usize = 1 << 16;

pub(super) enum BlockColumn<'a> {
    /// Words in the order of the codes, segment by segment; every row has a value.
    Ordered(Vec<u32>),
    /// Entries sorted by code, segment by segment; rows without a value at the end of their segment.
    Sorted(Vec<u64>),
    /// A code for every id.
    Counted(Cow<'a, Codes>),
    /// Nothing but its exceptions ([`Sparse`]); codes are looked up in the table.
    Rare,
}

pub(super) enum BlockTarget<'a> {
    Classes(Cow<'a, [u32]>),
    Numbers(Cow<'a, [f64]>),
}

impl BlockTarget<'_> {
    /// The class of an id; 0 where there are none.
    fn class(&self, id: usize) -> u32 {
        match self {
            Self::Classes(classes) => classes[id],
            Self::Numbers(_) => 0,
        }
    }
}

/// Which bits of an entry hold what: class, then id, then code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub id_bits: u32,
    pub class_bits: u32,
}

impl Layout {
    fn new(ids: usize, classes: usize, codes: u32, name: &str) -> Result<Self> {
        let bits = |n: usize| usize::BITS - n.saturating_sub(1).leading_zeros();
        let layout = Self { id_bits: bits(ids), class_bits: bits(classes) };
        if layout.shift() + (u32::BITS - codes.leading_zeros()) > u64::BITS {
            return Err(Error::input(
                Place::file(name),
                format!("{ids} rows of {classes} classes are more than can be grown from in memory"),
            ));
        }
        Ok(layout)
    }

    pub fn shift(self) -> u32 {
        self.id_bits + self.class_bits
    }

    fn entry(self, code: u32, class: u32, id: u32) -> u64 {
        // A shift by all 64 bits cannot happen: codes take at least one.
        u64::from(code) << self.shift() | u64::from(id) << self.class_bits | u64::from(class)
    }

    #[inline(always)]
    pub fn id(self, entry: u64) -> usize {
        ((entry >> self.class_bits) & ((1 << self.id_bits) - 1)) as usize
    }

    #[inline(always)]
    pub fn class(self, entry: u64) -> u32 {
        (entry & ((1 << self.class_bits) - 1)) as u32
    }
}

/// See the module's description.
pub(super) struct Block<'a> {
    pub table: &'a CodedTable,
    pub layout: Layout,
    /// The layout of words, when ids and classes fit into them.
    pub words: Option<WordLayout>,
    /// The row of the table of every id, when they are not the same.
    rows: Option<Vec<u32>>,
    pub target: BlockTarget<'a>,
    /// The weight of every id, when they are not all one.
    pub weights: Option<Vec<f64>>,
    pub columns: Vec<BlockColumn<'a>>,
    /// The counted columns in which exceptions are rare, when all weights are one and the target is a class.
    pub sparse: Option<Sparse>,
    /// The ids, node by node.
    pub members: Vec<u32>,
    /// For every id the branch it goes to while a node is split (binary splits and small multiway ones).
    side: Sides,
    /// Working memory: lists in the making, and new ids.
    spare: Vec<u32>,
    new_id: Vec<u32>,
}

/// What a split leaves behind.
pub(super) enum Parts<'a> {
    /// Segments of the same block.
    Segments(Vec<Range<usize>>),
    /// Blocks of their own.
    Blocks(Vec<Block<'a>>),
}

/// The mark of a row without a value.
const UNKNOWN: u8 = u8::MAX;

impl<'a> Block<'a> {
    /// All rows of a table that have weight (`weights` replaces the table's own).
    pub fn root(table: &'a CodedTable, weights: Option<&[f64]>) -> Result<Self> {
        let weights = weights.or(table.weights());
        let kept: Option<Vec<u32>> = weights
            .filter(|w| w.contains(&0.0))
            .map(|w| (0..).zip(w).filter(|(_, w)| **w > 0.0).map(|(row, _)| row).collect());
        let size = kept.as_ref().map_or(table.rows(), Vec::len);
        let weights = weights.and_then(|w| {
            let w: Vec<f64> = match &kept {
                Some(rows) => rows.iter().map(|&r| w[r as usize]).collect(),
                None => w.to_vec(),
            };
            w.iter().any(|w| *w != 1.0).then_some(w)
        });
        let target = match table.target() {
            CodedTarget::Classes { codes, .. } => BlockTarget::Classes(pick(codes, kept.as_deref())),
            CodedTarget::Numbers { values, .. } => BlockTarget::Numbers(pick(values, kept.as_deref())),
        };
        let most = table.columns().iter().map(|c| c.cardinality()).max().unwrap_or(0);
        let layout = Layout::new(size, table.classes(), most, table.name())?;
        let words = WordLayout::new(size, table.classes());
        // On whole counts a list and a histogram give the same answer, to the last bit.
        let exact = weights.is_none() && table.classes() > 0;
        let sorted_anyway = |c: &CodedColumn| c.is_numeric() && keep_sorted(c.cardinality(), size);
        let codes = |column: &'a CodedColumn| match &kept {
            Some(rows) => Cow::Owned(column.codes.gather(rows)),
            None => Cow::Borrowed(&column.codes),
        };
        let counted: Vec<Option<Cow<Codes>>> =
            table.columns().par_iter().map(|c| (!sorted_anyway(c)).then(|| codes(c))).collect();
        let sparse = if exact { Sparse::new(table, |c| counted[c].as_deref(), size) } else { None };
        let columns = table
            .columns()
            .par_iter()
            .zip(counted)
            .enumerate()
            .map(|(c, (column, counted))| {
                if sparse.as_ref().is_some_and(|sparse| sparse.has(c)) {
                    return BlockColumn::Rare;
                }
                let list = column.is_numeric() && exact && !column.has_missing && words.is_some();
                if let Some(codes) = counted.as_ref().filter(|_| !list) {
                    return BlockColumn::Counted(codes.clone());
                }
                let codes = counted.unwrap_or_else(|| codes(column));
                match words.filter(|_| !column.has_missing) {
                    Some(layout) => {
                        let class = |id: usize| target.class(id);
                        BlockColumn::Ordered(words::in_order(&codes, column.cardinality(), layout, class))
                    }
                    None => BlockColumn::Sorted(sorted(&codes, column.cardinality(), layout, &target)),
                }
            })
            .collect();
        Ok(Self {
            table,
            layout,
            words,
            rows: kept,
            target,
            weights,
            sparse,
            columns,
            members: (0..size as u32).collect(),
            side: Sides::new(size),
            spare: Vec::new(),
            new_id: Vec::new(),
        })
    }

    /// The number of columns that are kept by id or in order.
    pub fn lists(&self) -> usize {
        self.columns.iter().filter(|c| !matches!(c, BlockColumn::Rare)).count()
    }

    /// The code of an id in a column, wherever it is kept.
    pub fn code(&self, column: usize, id: usize) -> u32 {
        let row = self.rows.as_ref().map_or(id, |rows| rows[id] as usize);
        self.table.columns()[column].codes.get(row)
    }

    /// The id of a word.
    pub fn word_id(&self, word: u32) -> usize {
        self.words.map_or(0, |layout| layout.id(word))
    }

    /// Turns a cut between places of a column's sorted list (of the node that begins at `start`) into one between codes;
    /// says the place.
    pub fn between_codes(&self, how: &mut How, column: usize, start: usize) -> Option<usize> {
        let How::Cut { lower, upper } = how else { return None };
        let place = *upper as usize;
        let code = |place: u32| match &self.columns[column] {
            BlockColumn::Ordered(list) => self.code(column, self.word_id(list[start + place as usize])),
            BlockColumn::Sorted(list) => (list[start + place as usize] >> self.layout.shift()) as u32,
            BlockColumn::Counted(_) | BlockColumn::Rare => place,
        };
        (*lower, *upper) = (code(*lower), code(*upper));
        matches!(self.columns[column], BlockColumn::Ordered(_)).then_some(place)
    }

    #[inline(always)]
    pub fn weight(&self, id: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[id])
    }

    /// Counts the rows of a segment.
    pub fn count(&self, segment: Range<usize>, median: bool) -> NodeCount {
        if let (Some(layout), None, BlockTarget::Classes(_)) = (self.words, &self.weights, &self.target)
            && let Some(list) = self.columns.iter().find_map(|column| match column {
                BlockColumn::Ordered(list) => Some(list),
                _ => None,
            })
        {
            let (rows, tally) = (segment.len(), words::tally(&list[segment], layout, self.table.classes()));
            return NodeCount { rows: rows as u64, weight: rows as f64, tally, median: None };
        }
        let members = &self.members[segment];
        let mut count =
            NodeCount { rows: members.len() as u64, weight: 0.0, tally: Vec::new(), median: None };
        match &self.target {
            BlockTarget::Classes(classes) => {
                count.tally = vec![0.0; self.table.classes()];
                for &id in members {
                    count.tally[classes[id as usize] as usize] += self.weight(id as usize);
                }
                count.weight = count.tally.iter().sum();
            }
            BlockTarget::Numbers(numbers) => {
                count.tally = vec![0.0; 3];
                for &id in members {
                    let (y, w) = (numbers[id as usize], self.weight(id as usize));
                    count.tally[0] += w;
                    count.tally[1] += w * y;
                    count.tally[2] += w * y * y;
                }
                count.weight = count.tally[0];
                if median && !members.is_empty() {
                    let mut rows: Vec<(f64, f64)> =
                        members.iter().map(|&id| (numbers[id as usize], self.weight(id as usize))).collect();
                    count.median = Some(crate::split::median(&mut rows));
                }
            }
        }
        count
    }

    /// Sends the rows of a segment to the branches of a condition. `cut` is the place in a sorted list where the second
    /// branch begins, when it is known.
    pub fn split(
        &mut self,
        segment: Range<usize>,
        condition: &Condition,
        cut: Option<usize>,
        parallel: bool,
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
            let mut put = |side: &mut Sides, id: usize, weight: f64, branch: Option<usize>| match branch {
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
            let branch = |side: &Sides, id: usize| match many.get(id) {
                Some(&u32::MAX) => None,
                Some(&branch) => Some(branch as usize),
                None => (side.of(id) != UNKNOWN).then_some(usize::from(side.of(id))),
            };
            return Parts::Blocks(self.extract(segment, branch, &shares));
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
            Some(_) => side.two_ways(WordLayout { class_bits: 0 }, members, spare),
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
        branch: impl Fn(&Sides, usize) -> usize,
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

    /// A compact copy of a segment.
    pub fn detach(&mut self, segment: Range<usize>) -> Self {
        let mut blocks = self.extract(segment, |_, _| Some(0), &[1.0]);
        blocks.swap_remove(0)
    }

    /// Blocks for the branches of a node. Rows with a branch go there whole; the others go to every branch
    /// that has a share, with their weight times the share.
    fn extract(
        &mut self,
        segment: Range<usize>,
        branch: impl Fn(&Sides, usize) -> Option<usize>,
        shares: &[f64],
    ) -> Vec<Self> {
        // Rows that go everywhere have the first ids in every block; `new_id` of the others follows.
        let mut new_id = std::mem::take(&mut self.new_id);
        new_id.resize(self.side.len(), 0);
        let branch = |id: usize| branch(&self.side, id);
        let members = &self.members[segment.clone()];
        let everywhere: Vec<u32> =
            members.iter().copied().filter(|&id| branch(id as usize).is_none()).collect();
        let mut ids: Vec<Vec<u32>> =
            shares.iter().map(|&s| if s > 0.0 { everywhere.clone() } else { Vec::new() }).collect();
        for (new, &id) in (0..).zip(&everywhere) {
            new_id[id as usize] = new;
        }
        for &id in members {
            if let Some(b) = branch(id as usize) {
                new_id[id as usize] = ids[b].len() as u32;
                ids[b].push(id);
            }
        }
        let mut blocks: Vec<Self> = ids
            .iter()
            .zip(shares)
            .map(|(ids, share)| self.without_lists(ids, everywhere.len(), *share))
            .collect();
        let all = || (0..shares.len()).filter(|&b| shares[b] > 0.0);
        let mut marks = Marks::new(shares.len());
        for column in &self.columns {
            match (column, self.words) {
                (BlockColumn::Ordered(list), Some(layout)) => {
                    let mut lists: Vec<Vec<u32>> = ids.iter().map(|i| Vec::with_capacity(i.len())).collect();
                    marks.begin();
                    for &word in &list[segment.clone()] {
                        marks.row(word);
                        let id = layout.id(word);
                        let new = layout.word(layout.class(word), new_id[id]);
                        match branch(id) {
                            Some(b) => lists[b].push(marks.put(new, b)),
                            None => all().for_each(|b| lists[b].push(marks.put(new, b))),
                        }
                    }
                    for (block, list) in blocks.iter_mut().zip(lists) {
                        block.columns.push(BlockColumn::Ordered(list));
                    }
                }
                (BlockColumn::Sorted(entries), _) => {
                    let mut lists: Vec<Vec<u64>> = ids.iter().map(|i| Vec::with_capacity(i.len())).collect();
                    for &entry in &entries[segment.clone()] {
                        let id = self.layout.id(entry);
                        let (code, class) = ((entry >> self.layout.shift()) as u32, self.layout.class(entry));
                        let mut put = |b: usize| {
                            lists[b].push(blocks[b].layout.entry(code, class, new_id[id]));
                        };
                        match branch(id) {
                            Some(b) => put(b),
                            None => all().for_each(put),
                        }
                    }
                    for (block, list) in blocks.iter_mut().zip(lists) {
                        block.columns.push(BlockColumn::Sorted(list));
                    }
                }
                (BlockColumn::Counted(codes), _) => {
                    for (block, ids) in blocks.iter_mut().zip(&ids) {
                        block.columns.push(BlockColumn::Counted(Cow::Owned(codes.gather(ids))));
                    }
                }
                (BlockColumn::Rare, _) => {
                    for block in &mut blocks {
                        let column = block.columns.len();
                        block.columns.push(match (&block.sparse, &block.rows) {
                            (None, Some(rows)) => {
                                let codes = &self.table.columns()[column].codes;
                                BlockColumn::Counted(Cow::Owned(codes.gather(rows)))
                            }
                            _ => BlockColumn::Rare,
                        });
                    }
                }
                (BlockColumn::Ordered(_), None) => {}
            }
        }
        self.new_id = new_id;
        blocks
    }

    /// A block of some ids of this one, still without columns. The first ones come with a share of their weight only.
    fn without_lists(&self, ids: &[u32], parted: usize, share: f64) -> Self {
        let weights = (self.weights.is_some() || parted > 0).then(|| {
            let share = |new: usize| if new < parted { share } else { 1.0 };
            ids.iter().enumerate().map(|(new, &id)| self.weight(id as usize) * share(new)).collect()
        });
        Self {
            table: self.table,
            layout: Layout { id_bits: usize::BITS - ids.len().leading_zeros(), ..self.layout },
            words: self.words,
            rows: Some(match &self.rows {
                Some(rows) => ids.iter().map(|&id| rows[id as usize]).collect(),
                None => ids.to_vec(),
            }),
            target: match &self.target {
                BlockTarget::Classes(list) => BlockTarget::Classes(pick(list, Some(ids)).into_owned().into()),
                BlockTarget::Numbers(list) => BlockTarget::Numbers(pick(list, Some(ids)).into_owned().into()),
            },
            sparse: self.sparse.as_ref().filter(|_| parted == 0).map(|s| s.gather(ids)),
            weights,
            columns: Vec::with_capacity(self.columns.len()),
            members: (0..ids.len() as u32).collect(),
            side: Sides::new(ids.len()),
            spare: Vec::new(),
            new_id: Vec::new(),
        }
    }
}

/// Marks the first word of every value anew while a list is dealt to branches.
struct Marks {
    /// How many values have begun, and how many had begun at the last word of every branch.
    begun: u32,
    last: Vec<u32>,
}

impl Marks {
    fn new(branches: usize) -> Self {
        Self { begun: 0, last: vec![0; branches] }
    }

    fn begin(&mut self) {
        self.begun = 1;
        self.last.fill(0);
    }

    #[inline(always)]
    fn row(&mut self, word: u32) {
        self.begun += word >> 31;
    }

    #[inline(always)]
    fn put(&mut self, word: u32, branch: usize) -> u32 {
        let begins = std::mem::replace(&mut self.last[branch], self.begun) != self.begun;
        word & !STEP | if begins { STEP } else { 0 }
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

fn pick<'a, T: Copy>(list: &'a [T], ids: Option<&[u32]>) -> Cow<'a, [T]> {
    match ids {
        Some(ids) => Cow::Owned(ids.iter().map(|&i| list[i as usize]).collect()),
        None => Cow::Borrowed(list),
    }
}

/// Entries sorted by code (and id): a counting sort.
fn sorted(codes: &Codes, missing: u32, layout: Layout, target: &BlockTarget) -> Vec<u64> {
    each_width!(codes, list => {
        let mut starts = vec![0u32; missing as usize + 2];
        for code in list {
            starts[code.wide() as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut entries = vec![0u64; list.len()];
        for (id, code) in list.iter().enumerate() {
            let slot = &mut starts[code.wide() as usize];
            entries[*slot as usize] = layout.entry(code.wide(), target.class(id), id as u32);
            *slot += 1;
        }
        entries
    })
}
