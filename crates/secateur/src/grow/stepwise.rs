//! A grower in memory that others can drive: one split at a time, with a look at the nodes in between.

use super::block::Block;
use super::grower::Grower;
use super::memory::{Memory, Shared};
use super::training::Training;
use super::{GrowSpec, check};
use crate::data::CodedTable;
use crate::error::Result;
use crate::threads;
use crate::tree::{Condition, Tree};

/// What a stepwise grower works on.
pub(crate) struct InMemory<'a> {
    training: Training<'a>,
    spec: &'a GrowSpec,
    shared: Shared<'a>,
}

impl<'a> InMemory<'a> {
    /// Prepares growing with these row weights.
    pub(crate) fn new(table: &'a CodedTable, weights: Option<&'a [f64]>, spec: &'a GrowSpec) -> Result<Self> {
        check(table, weights, spec)?;
        let training = Training::new(table, weights, spec)?;
        let shared = Shared::new(&training, spec);
        Ok(Self { training, spec, shared })
    }

    /// A tree of one node.
    pub(crate) fn grower(&self) -> Result<Stepwise<'_>> {
        let block = Block::root(&self.training)?;
        let parallel = threads::count() > 1;
        let grower = Grower::new(Memory::new(block, &self.shared, parallel), self.spec)?;
        Ok(Stepwise { grower })
    }
}

/// A tree in the making.
pub(crate) struct Stepwise<'a> {
    grower: Grower<'a, Memory<'a, 'a>>,
}

impl Stepwise<'_> {
    /// Makes the next split; says which node was split, if one was left to split.
    pub(crate) fn step(&mut self) -> Result<Option<u32>> {
        let Some(node) = self.grower.next() else { return Ok(None) };
        self.grower.split(node)?;
        Ok(Some(node))
    }

    /// The tree as it is now.
    pub(crate) fn finish(self, table: &CodedTable) -> Tree {
        self.grower.finish(table)
    }

    /// How a node was split, and its first child.
    pub(crate) fn split_of(&self, node: u32) -> Option<(&Condition, u32)> {
        let growing = &self.grower.partial().nodes[node as usize];
        Some((&growing.found.as_ref()?.condition, growing.first_child?))
    }

    /// The training weight of a node.
    pub(crate) fn weight(&self, node: u32) -> f64 {
        self.grower.partial().nodes[node as usize].weight
    }

    /// The class weights of a node.
    pub(crate) fn class_weights(&self, node: u32) -> &[f64] {
        self.grower.partial().class_weights(node as usize)
    }
}
