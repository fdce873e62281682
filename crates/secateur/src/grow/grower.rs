//! The incremental grower: one expansion at a time, from any engine.

use super::engine::{BestSplit, Engine};
use super::finished::Finished;
use super::frontier::Frontier;
use super::partial_tree::PartialTree;
use super::{Count, GrowSpec};
use crate::criterion::{Measure, TIE, exceeds};
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::split::NodeCount;
use crate::tree::Tree;

/// Whether a node with these counts may be split, at any depth; `unit` is that of the coded target.
pub(super) fn may_split(spec: &GrowSpec, unit: f64, count: &NodeCount) -> bool {
    let size = match spec.count {
        Count::Rows => count.rows as f64,
        Count::Weight => count.weight,
        Count::Shares | Count::LeafRows => count.size,
    };
    if count.rows < 2 || size + 1e-9 < spec.min_split {
        return false;
    }
    match Measure::of(spec.criterion) {
        Measure::Mse => {
            let error = count.error();
            error > 0.0 && spec.stop_mse.is_none_or(|stop| exceeds(error, stop * unit * unit))
        }
        measure => measure.cost(count.tally.class_weights()) > TIE * count.weight,
    }
}

/// Grows a tree one split at a time; between splits the caller can look at it, or stop.
pub struct Grower<'s, E: Engine> {
    engine: E,
    spec: &'s GrowSpec,
    partial: PartialTree<E::Rows>,
    frontier: Frontier,
    splits: usize,
    leaves: usize,
}

impl<'s, E: Engine> Grower<'s, E> {
    /// A tree of one node.
    pub fn new(engine: E, spec: &'s GrowSpec) -> Result<Self> {
        Self::at_depth(engine, spec, 0)
    }

    /// The same for a node at a depth, of which a subtree is to be grown.
    pub(super) fn at_depth(mut engine: E, spec: &'s GrowSpec, depth: u32) -> Result<Self> {
        let (rows, count) = engine.root()?;
        let mut grower = Self::of(engine, spec, PartialTree::new(count.clone(), depth)?);
        grower.look(vec![(0, rows, count)])?;
        Ok(grower)
    }

    /// A subtree whose root lies at a depth and has its best split found already.
    pub(super) fn below(mut engine: E, spec: &'s GrowSpec, depth: u32, found: BestSplit) -> Result<Self> {
        let (rows, count) = engine.root()?;
        let mut grower = Self::of(engine, spec, PartialTree::new(count, depth)?);
        grower.wait(vec![(0, rows, found)]);
        Ok(grower)
    }

    fn of(engine: E, spec: &'s GrowSpec, partial: PartialTree<E::Rows>) -> Self {
        let frontier = Frontier::new(spec, partial.nodes[0].weight);
        Self { engine, spec, partial, frontier, splits: 0, leaves: 1 }
    }

    /// Whether a node may be split at all.
    fn may_split(&self, depth: u32, count: &NodeCount) -> bool {
        self.spec.max_depth.is_none_or(|most| (depth as usize) < most)
            && may_split(self.spec, self.engine.unit(), count)
    }

    /// Searches new nodes for their best splits; those that have one wait on the frontier.
    fn look(&mut self, nodes: Vec<(u32, E::Rows, NodeCount)>) -> Result<()> {
        let mut asked = Vec::with_capacity(nodes.len());
        for (node, rows, count) in nodes {
            if self.may_split(self.partial.nodes[node as usize].depth, &count) {
                asked.push((node, rows, count));
            } else {
                self.engine.release(rows);
            }
        }
        let found =
            self.engine.search(&asked.iter().map(|(_, rows, count)| (rows, count)).collect::<Vec<_>>())?;
        let mut ready = Vec::with_capacity(asked.len());
        for ((node, rows, _), found) in asked.into_iter().zip(found) {
            match found {
                Some(found) => ready.push((node, rows, found)),
                None => self.engine.release(rows),
            }
        }
        self.wait(ready);
        Ok(())
    }

    fn wait(&mut self, ready: Vec<(u32, E::Rows, BestSplit)>) {
        let weight = |node: u32| self.partial.nodes[node as usize].weight;
        let keys: Vec<_> = ready.iter().map(|(node, _, found)| (*node, found.gain, weight(*node))).collect();
        self.frontier.push(&keys);
        for (node, rows, found) in ready {
            let growing = &mut self.partial.nodes[node as usize];
            growing.handle = Some(rows);
            growing.found = Some(found);
        }
    }

    /// The next node in the order of the spec, taken off the frontier; `None` when nothing is left to split or a limit
    /// is reached.
    pub(super) fn next(&mut self) -> Option<u32> {
        if self.spec.max_splits.is_some_and(|most| self.splits >= most) {
            return None;
        }
        let node = self.frontier.pop()?;
        let branches = self.found(node).map_or(2, |found| found.condition.branches());
        let fits = self.spec.max_leaves.is_none_or(|most| self.leaves + branches - 1 <= most);
        fits.then_some(node)
    }

    pub(super) fn found(&self, node: u32) -> Option<&BestSplit> {
        self.partial.nodes[node as usize].found.as_ref()
    }

    /// Splits a node taken with [`Self::next`].
    pub(super) fn split(&mut self, node: u32) -> Result<()> {
        let first = self.partial.nodes.len();
        let growing = &mut self.partial.nodes[node as usize];
        let (Some(rows), Some(found)) = (growing.handle.take(), &growing.found) else { return Ok(()) };
        let branches = found.condition.branches();
        if first + branches > u32::MAX as usize {
            return Err(Error::parameter(
                "the tree has more than 4 billion nodes; limit it with max-depth or min-leaf",
            ));
        }
        self.leaves += branches - 1;
        self.splits += 1;
        growing.first_child = Some(first as u32);
        let depth = growing.depth + 1;
        let parts = self.engine.split(rows, &found.condition)?;
        let mut children = Vec::with_capacity(parts.len());
        for (child, (rows, count)) in (first as u32..).zip(parts) {
            self.partial.push(depth, &count)?;
            children.push((child, rows, count));
        }
        self.look(children)
    }

    /// Makes the next split in the order of the spec; says whether there was one to make.
    pub fn expand(&mut self) -> Result<bool> {
        match self.next() {
            Some(node) => self.split(node).map(|()| true),
            None => Ok(false),
        }
    }

    /// The number of splits made so far.
    pub fn splits(&self) -> usize {
        self.splits
    }

    /// Takes the rows of a node taken with [`Self::next`] and not split.
    pub(super) fn take(&mut self, node: u32) -> Option<(E::Rows, BestSplit, u32)> {
        let growing = &mut self.partial.nodes[node as usize];
        Some((growing.handle.take()?, growing.found.take()?, growing.depth))
    }

    pub(super) fn rows(&self, node: u32) -> Option<&E::Rows> {
        self.partial.nodes[node as usize].handle.as_ref()
    }

    pub(super) fn engine(&mut self) -> &mut E {
        &mut self.engine
    }

    pub(super) fn partial(&self) -> &PartialTree<E::Rows> {
        &self.partial
    }

    pub(super) fn into_sprouts(self) -> PartialTree<E::Rows> {
        self.partial
    }

    /// The tree as it is now.
    pub fn finish(self, table: &CodedTable) -> Tree {
        Finished::new(table, self.spec).into_tree(self.into_sprouts())
    }
}
