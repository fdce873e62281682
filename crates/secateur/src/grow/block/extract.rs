//! Blocks made from a part of another one.

use std::borrow::Cow;
use std::ops::Range;

use super::layout::Layout;
use super::{Block, BlockColumn, BlockTarget, Part, is_ordered, pick};
use crate::data::Codes;
use crate::grow::branches::Branches;
use crate::simd::NEW_VALUE;
use crate::split::NodeCount;
use crate::split::Sizes;
use crate::split::packed_rows;

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
                    let moved = |&word: &u32| {
                        word & NEW_VALUE | layout.word(layout.class(word), new_id[layout.id(word)])
                    };
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
            self.histograms.is_some() && is_ordered(coded) && !coded.has_missing && block.weights.is_none();
        match self.words.filter(|_| listed) {
            Some(layout) => {
                let class = |id: usize| block.target.class(id);
                BlockColumn::Ordered(packed_rows::in_order(&codes, coded.cardinality(), layout, class))
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
    /// that has a share, with their weight times the share. A branch that is not wanted is only counted.
    pub(super) fn extract(
        &mut self,
        segment: Range<usize>,
        branch: impl Fn(&Branches, usize) -> Option<usize>,
        shares: &[f64],
        wants: impl Fn(&NodeCount) -> bool,
    ) -> Vec<Part<'a>> {
        let mut new_id = std::mem::take(&mut self.new_id);
        new_id.resize(self.side.len(), 0);
        let branch = |id: usize| branch(&self.side, id);
        let members = &self.members[segment.clone()];
        let everywhere: Vec<u32> =
            members.iter().copied().filter(|&id| branch(id as usize).is_none()).collect();
        let counts = self.counts_of_parts(members, &everywhere, branch, shares);
        // The number of every branch among those that get a block.
        let mut wanted = 0;
        let slot: Vec<Option<usize>> = (0..shares.len())
            .map(|b| {
                let is_wanted = counts.as_ref().is_none_or(|counts| wants(&counts[b]));
                wanted += usize::from(is_wanted);
                is_wanted.then(|| wanted - 1)
            })
            .collect();
        // Rows that go everywhere have the first ids in every block; `new_id` of the others follows.
        let of_slot = |(b, slot): (usize, &Option<usize>)| slot.map(|_| shares[b]);
        let shares: Vec<f64> = slot.iter().enumerate().filter_map(of_slot).collect();
        let mut ids: Vec<Vec<u32>> =
            shares.iter().map(|&s| if s > 0.0 { everywhere.clone() } else { Vec::new() }).collect();
        for (new, &id) in (0..).zip(&everywhere) {
            new_id[id as usize] = new;
        }
        for &id in members {
            if let Some(s) = branch(id as usize).and_then(|b| slot[b]) {
                new_id[id as usize] = ids[s].len() as u32;
                ids[s].push(id);
            }
        }
        let mut blocks: Vec<Self> = ids
            .iter()
            .zip(&shares)
            .map(|(ids, share)| self.without_lists(ids, everywhere.len(), *share))
            .collect();
        let all = || (0..shares.len()).filter(|&s| shares[s] > 0.0);
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
                        match branch(id).map(|b| slot[b]) {
                            Some(Some(s)) => lists[s].push(marks.put(new, s)),
                            Some(None) => {}
                            None => all().for_each(|s| lists[s].push(marks.put(new, s))),
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
                        let mut put = |s: usize| {
                            lists[s].push(blocks[s].layout.entry(code, class, new_id[id]));
                        };
                        match branch(id).map(|b| slot[b]) {
                            Some(Some(s)) => put(s),
                            Some(None) => {}
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
        let mut blocks = blocks.into_iter();
        let mut counts = counts.unwrap_or_default().into_iter();
        slot.iter()
            .filter_map(|slot| match (slot, counts.next()) {
                (Some(_), _) => blocks.next().map(|block| Part::Block(Box::new(block))),
                (None, count) => count.map(Part::Leaf),
            })
            .collect()
    }

    /// The counts of the branches of a node, to the last bit what counting their blocks would give; for classes only.
    fn counts_of_parts(
        &self,
        members: &[u32],
        everywhere: &[u32],
        branch: impl Fn(usize) -> Option<usize>,
        shares: &[f64],
    ) -> Option<Vec<NodeCount>> {
        let BlockTarget::Classes(classes) = &self.target else { return None };
        let none = NodeCount {
            rows: 0,
            weight: 0.0,
            size: 0.0,
            tally: vec![0.0; self.table.classes()],
            sum: 0.0,
            median: None,
        };
        let mut counts = vec![none; shares.len()];
        let mut add = |b: usize, id: u32, share: f64| {
            counts[b].rows += 1;
            counts[b].size += self.size(id as usize) * share;
            counts[b].tally[classes[id as usize] as usize] += self.weight(id as usize) * share;
        };
        for (b, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            everywhere.iter().for_each(|&id| add(b, id, share));
        }
        for &id in members {
            if let Some(b) = branch(id as usize) {
                add(b, id, 1.0);
            }
        }
        for count in &mut counts {
            count.weight = count.tally.iter().sum();
            if let Sizes::Weight(unit) = self.sizes {
                count.size = count.weight / unit;
            }
        }
        Some(counts)
    }

    /// A block of some ids of this one, still without columns. The first ones come with a share of their weight only.
    fn without_lists(&self, ids: &[u32], parted: usize, share: f64) -> Self {
        let share = |new: usize| if new < parted { share } else { 1.0 };
        let weights = (self.weights.is_some() || parted > 0).then(|| {
            ids.iter().enumerate().map(|(new, &id)| self.weight(id as usize) * share(new)).collect()
        });
        let has_shares = self.sizes == Sizes::Shares && (self.shares.is_some() || parted > 0);
        let shares = has_shares
            .then(|| ids.iter().enumerate().map(|(new, &id)| self.size(id as usize) * share(new)).collect());
        Self {
            table: self.table,
            layout: Layout { id_bits: usize::BITS - ids.len().leading_zeros(), ..self.layout },
            words: self.words,
            rows: Some(match &self.rows {
                Some(rows) => ids.iter().map(|&id| rows[id as usize]).collect(),
                None => ids.to_vec(),
            }),
            target: match &self.target {
                BlockTarget::Classes(list) => BlockTarget::Classes(pick(list, ids).into()),
                BlockTarget::Numbers(list) => BlockTarget::Numbers(pick(list, ids).into()),
            },
            sparse: self.sparse.as_ref().filter(|_| parted == 0).map(|s| s.gather(ids)),
            histograms: None,
            weights,
            sizes: self.sizes,
            shares,
            columns: Vec::with_capacity(self.columns.len()),
            members: (0..ids.len() as u32).collect(),
            side: Branches::new(ids.len()),
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
        word & !NEW_VALUE | if begins { NEW_VALUE } else { 0 }
    }
}
