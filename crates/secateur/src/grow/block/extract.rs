//! Blocks made from a part of another one.

use std::borrow::Cow;
use std::ops::Range;

use super::layout::Layout;
use super::{Block, BlockColumn, BlockTarget, pick};
use crate::data::Codes;
use crate::grow::words::{self, STEP, Sides};

impl<'a> Block<'a> {
    /// A compact copy of a segment.
    pub fn detach(&mut self, segment: Range<usize>) -> Self {
        let mut new_id = std::mem::take(&mut self.new_id);
        new_id.resize(self.side.len(), 0);
        let ids = &self.members[segment.clone()];
        for (new, &id) in (0..).zip(ids) {
            new_id[id as usize] = new;
        }
        let mut block = self.without_lists(ids, 0, 1.0);
        for (c, column) in self.columns.iter().enumerate() {
            let column = match (column, self.words) {
                (BlockColumn::Ordered(list), Some(layout)) => {
                    // All rows of the node stay together, so values begin where they did.
                    let moved =
                        |&word: &u32| word & STEP | layout.word(layout.class(word), new_id[layout.id(word)]);
                    BlockColumn::Ordered(list[segment.clone()].iter().map(moved).collect())
                }
                (BlockColumn::Ordered(_), None) => BlockColumn::Ordered(Vec::new()),
                (BlockColumn::Sorted(list), _) => {
                    let (from, to) = (self.layout, block.layout);
                    let moved = |&entry: &u64| {
                        let code = (entry >> from.shift()) as u32;
                        to.entry(code, from.class(entry), new_id[from.id(entry)])
                    };
                    BlockColumn::Sorted(list[segment.clone()].iter().map(moved).collect())
                }
                (BlockColumn::Counted(codes), _) => self.listed(&block, c, codes.gather(ids)),
                (BlockColumn::Rare, _) => block.rare(c),
            };
            block.columns.push(column);
        }
        self.new_id = new_id;
        block
    }

    /// A counted column of a new block: numbers are counted while nodes are large only.
    fn listed(&self, block: &Self, column: usize, codes: Codes) -> BlockColumn<'a> {
        let coded = &self.table.columns()[column];
        let listed =
            self.piles.is_some() && coded.is_numeric() && !coded.has_missing && block.weights.is_none();
        match self.words.filter(|_| listed) {
            Some(layout) => {
                let class = |id: usize| block.target.class(id);
                BlockColumn::Ordered(words::in_order(&codes, coded.cardinality(), layout, class))
            }
            None => BlockColumn::Counted(Cow::Owned(codes)),
        }
    }

    /// A column of a new block that is kept by its exceptions in the old one.
    fn rare(&self, column: usize) -> BlockColumn<'a> {
        match (&self.sparse, &self.rows) {
            (None, Some(rows)) => {
                BlockColumn::Counted(Cow::Owned(self.table.columns()[column].codes.gather(rows)))
            }
            _ => BlockColumn::Rare,
        }
    }

    /// Blocks for the branches of a node. Rows with a branch go there whole; the others go to every branch
    /// that has a share, with their weight times the share.
    pub(super) fn extract(
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
                        block.columns.push(self.listed(block, block.columns.len(), codes.gather(ids)));
                    }
                }
                (BlockColumn::Rare, _) => {
                    for block in &mut blocks {
                        block.columns.push(block.rare(block.columns.len()));
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
            piles: None,
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
pub(super) struct Marks {
    /// How many values have begun, and how many had begun at the last word of every branch.
    begun: u32,
    last: Vec<u32>,
}

impl Marks {
    pub fn new(branches: usize) -> Self {
        Self { begun: 0, last: vec![0; branches] }
    }

    pub fn begin(&mut self) {
        self.begun = 1;
        self.last.fill(0);
    }

    #[inline(always)]
    pub fn row(&mut self, word: u32) {
        self.begun += word >> 31;
    }

    #[inline(always)]
    pub fn put(&mut self, word: u32, branch: usize) -> u32 {
        let begins = std::mem::replace(&mut self.last[branch], self.begun) != self.begun;
        word & !STEP | if begins { STEP } else { 0 }
    }
}
