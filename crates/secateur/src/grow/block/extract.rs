//! Blocks made from a part of another one.

use std::borrow::Cow;
use std::ops::Range;

use super::layout::Layout;
use super::{Block, BlockColumn, BlockTarget, Detached, is_ordered};
use crate::data::Codes;
use crate::data::codes::pick;
use crate::grow::branches::Branches;
use crate::split::{Frame, NodeCount, Sizes, Targets, packed_rows};

impl<'a> Block<'a> {
    /// A compact copy of a segment.
    pub(crate) fn detach(&mut self, segment: Range<usize>) -> Self {
        let mut new_id = std::mem::take(&mut self.new_id);
        new_id.resize(self.side.len(), 0);
        let ids = &self.members[segment.clone()];
        for (new, &id) in (0..).zip(ids) {
            new_id[id as usize] = new;
        }
        let mut block = self.without_lists(ids, 0, 1.0);
        for (c, column) in self.columns.iter().enumerate() {
            let column = column.detached(c, segment.clone(), (&*self, &block), ids, &new_id);
            block.columns.push(column);
        }
        self.new_id = new_id;
        block
    }

    /// A counted column of a new block: numbers are counted while nodes are large only.
    pub(super) fn listed(&self, block: &Self, column: usize, codes: Codes) -> BlockColumn<'a> {
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
    pub(super) fn rare(&self, column: usize) -> BlockColumn<'a> {
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
    ) -> Vec<Detached<'a>> {
        let mut new_id = std::mem::take(&mut self.new_id);
        new_id.resize(self.side.len(), 0);
        let branch = |id: usize| branch(&self.side, id);
        let members = &self.members[segment.clone()];
        let mut everywhere = Vec::new();
        for &id in members {
            if branch(id as usize).is_none() {
                everywhere.push(id);
            }
        }
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
        let deal = Deal::new(members, &everywhere, branch, &slot, shares, new_id);
        let block = |(ids, share): (&Vec<u32>, &f64)| self.without_lists(ids, everywhere.len(), *share);
        let mut blocks: Vec<Self> = deal.ids.iter().zip(&deal.shares).map(block).collect();
        for (c, column) in self.columns.iter().enumerate() {
            column.deal_out(c, segment.clone(), self, &mut blocks, &deal);
        }
        self.new_id = deal.new_id;
        let mut blocks = blocks.into_iter();
        let mut counts = counts.unwrap_or_default().into_iter();
        slot.iter()
            .filter_map(|slot| match (slot, counts.next()) {
                (Some(_), _) => blocks.next().map(|block| Detached::Block(Box::new(block))),
                (None, count) => count.map(Detached::Leaf),
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
        let targets = self.target.targets();
        if let Targets::Numbers(_) = targets {
            return None;
        }
        let mut weights = vec![vec![0.0; self.table.classes()]; shares.len()];
        let (mut rows, mut sizes) = (vec![0; shares.len()], vec![0.0; shares.len()]);
        let mut add = |b: usize, id: u32, share: f64| {
            let id = id as usize;
            rows[b] += 1;
            sizes[b] += self.part_of_share(id, share);
            targets.add(&mut weights[b], &Frame::default(), id, self.part_of_weight(id, share));
        };
        for (b, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            everywhere.iter().for_each(|&id| add(b, id, share));
        }
        for &id in members {
            if let Some(b) = branch(id as usize) {
                add(b, id, 1.0);
            }
        }
        let count = |((weights, rows), size): ((Vec<f64>, usize), f64)| {
            let weight = weights.iter().sum();
            let size = if let Sizes::Weight(unit) = self.sizes { weight / unit } else { size };
            NodeCount::of_classes(rows, weight, size, weights)
        };
        Some(weights.into_iter().zip(rows).zip(sizes).map(count).collect())
    }

    /// The weight of a part of an id.
    #[inline]
    fn part_of_weight(&self, id: usize, share: f64) -> f64 {
        let weight = self.weight(id);
        if share == 1.0 { weight } else { self.steps.0.round(weight * share) }
    }

    /// How much of its row a part of an id is.
    #[inline]
    fn part_of_share(&self, id: usize, share: f64) -> f64 {
        let size = self.size(id);
        if share == 1.0 { size } else { self.steps.1.round(size * share) }
    }

    /// A block of some ids of this one, still without columns. The first ones come with a share of their weight only.
    fn without_lists(&self, ids: &[u32], parted: usize, share: f64) -> Self {
        let share = |new: usize| if new < parted { share } else { 1.0 };
        let weights = (self.weights.is_some() || parted > 0).then(|| {
            let mut weights = vec![0.0; ids.len()];
            for i in 0..ids.len() {
                weights[i] = self.part_of_weight(ids[i] as usize, share(i));
            }
            weights
        });
        let has_shares = self.sizes == Sizes::Shares && (self.shares.is_some() || parted > 0);
        let shares = has_shares.then(|| {
            ids.iter().enumerate().map(|(new, &id)| self.part_of_share(id as usize, share(new))).collect()
        });
        Self {
            table: self.table,
            layout: Layout { id_bits: usize::BITS - ids.len().leading_zeros(), ..self.layout },
            words: self.words,
            rows: Some(match &self.rows {
                Some(rows) => pick(rows, ids),
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
            steps: self.steps,
            columns: Vec::with_capacity(self.columns.len()),
            members: (0..ids.len() as u32).collect(),
            side: Branches::new(ids.len()),
            spare: Vec::new(),
            new_id: Vec::new(),
        }
    }
}

/// Which rows of a segment go to which of some new blocks, and under which ids.
pub(super) struct Deal<'s, B> {
    branch: B,
    /// The block of every branch; a branch that is only counted has none.
    slot: &'s [Option<usize>],
    /// The share of every block in the rows without a known value.
    shares: Vec<f64>,
    /// The old ids of every block: first those that go everywhere, if it has a share of them.
    pub ids: Vec<Vec<u32>>,
    /// The new id of every old one.
    pub new_id: Vec<u32>,
}

impl<'s, B: Fn(usize) -> Option<usize>> Deal<'s, B> {
    fn new(
        members: &[u32],
        everywhere: &[u32],
        branch: B,
        slot: &'s [Option<usize>],
        shares: &[f64],
        mut new_id: Vec<u32>,
    ) -> Self {
        let of_slot = |(slot, share): (&Option<usize>, &f64)| slot.map(|_| *share);
        let shares: Vec<f64> = slot.iter().zip(shares).filter_map(of_slot).collect();
        let mut ids: Vec<Vec<u32>> =
            shares.iter().map(|&s| if s > 0.0 { everywhere.to_vec() } else { Vec::new() }).collect();
        for (new, &id) in (0..).zip(everywhere) {
            new_id[id as usize] = new;
        }
        for &id in members {
            if let Some(s) = branch(id as usize).and_then(|b| slot[b]) {
                new_id[id as usize] = ids[s].len() as u32;
                ids[s].push(id);
            }
        }
        Self { branch, slot, shares, ids, new_id }
    }

    /// Reports every block that an old id goes to.
    #[inline]
    pub(super) fn each_block(&self, id: usize, mut put: impl FnMut(usize)) {
        match (self.branch)(id).map(|b| self.slot[b]) {
            Some(Some(block)) => put(block),
            Some(None) => {}
            None => (0..self.shares.len()).filter(|&s| self.shares[s] > 0.0).for_each(put),
        }
    }

    /// An empty list for every block, with room for its rows.
    pub(super) fn lists<T>(&self) -> Vec<Vec<T>> {
        self.ids.iter().map(|ids| Vec::with_capacity(ids.len())).collect()
    }
}
