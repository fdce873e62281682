//! The engine in memory: blocks of rows, searched column by column.

use std::cell::Cell;
use std::ops::Range;

use super::block::{AfterSplit, Block, Detached};
use super::engine::{BestSplit, Engine};
use super::grower::may_split;
use super::node_histograms::NodeHistograms;
use super::search::{Node, Scratch, rivals, search};
use super::training::Training;
use crate::criterion::{Criterion, Measure, xlog2};
use crate::data::CodedColumn;
use crate::error::Result;
use crate::spec::{GrowSpec, LeafValue};
use crate::split::{Candidate, NodeCount, Rules};
use crate::tree::Condition;

/// What all blocks of one growing share.
pub(super) struct Shared<'a> {
    pub spec: &'a GrowSpec,
    pub rules: Rules,
    /// The unit of the coded target.
    pub unit: f64,
    /// `i log2 i`, for entropy on whole counts.
    pub logs: Vec<f64>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(training: &Training, spec: &'a GrowSpec) -> Self {
        let table = &training.table;
        let rules = Rules::new(spec, table, training.sizes);
        // Fractional rows would need logarithms of anything; the table is for whole counts only.
        let is_whole = |column: &CodedColumn| !column.has_missing || rules.branch;
        let whole = training.weights().is_none() && table.columns().iter().all(is_whole);
        let entries = if whole && rules.measure == Measure::Entropy { table.rows() + 1 } else { 0 };
        Self { spec, rules, unit: table.unit(), logs: (0..entries).map(|i| xlog2(i as f64)).collect() }
    }
}

/// The block of a node that will not be split.
const NOWHERE: usize = u32::MAX as usize;

/// The rows of a node: a segment of a block. Small, because every node in the making has one.
pub(super) struct Rows {
    block: u32,
    start: u32,
    end: u32,
    /// Where in the sorted list of its column the best split cuts, once that was found; 0 where it is not known.
    cut: Cell<u32>,
    /// Its counts, in a block that has them.
    histograms: Option<Box<NodeHistograms>>,
}

impl Rows {
    fn new(block: usize, segment: Range<usize>) -> Self {
        let (start, end) = (segment.start as u32, segment.end as u32);
        Self { block: block as u32, start, end, cut: Cell::new(0), histograms: None }
    }

    fn block(&self) -> usize {
        self.block as usize
    }

    fn segment(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    fn cut(&self) -> Option<usize> {
        Some(self.cut.get() as usize).filter(|cut| *cut > 0)
    }

    /// Whether there is nothing to search or split.
    pub(super) fn is_nowhere(&self) -> bool {
        self.block() == NOWHERE
    }

    pub(super) fn len(&self) -> usize {
        self.segment().len()
    }
}

/// The engine in memory.
pub(super) struct Memory<'a, 's> {
    shared: &'s Shared<'s>,
    /// A block and the number of nodes that still use it.
    blocks: Vec<Option<(Block<'a>, usize)>>,
    free: Vec<usize>,
    scratch: Scratch<'s>,
    parallel: bool,
    /// Nodes of at most this many rows get a block of their own, in which they are not counted but kept in order.
    small: usize,
}

impl<'a, 's> Memory<'a, 's> {
    pub(super) fn new(block: Block<'a>, shared: &'s Shared<'s>, parallel: bool) -> Self {
        // Walking over all values then costs more than walking over the rows.
        let small = block.histograms.as_ref().map_or(0, |plan| 2 * plan.values());
        Self {
            small,
            shared,
            blocks: vec![Some((block, 0))],
            free: Vec::new(),
            scratch: Scratch::new(shared),
            parallel,
        }
    }

    /// The same for nodes of this many rows.
    pub(super) fn with_small(self, small: usize) -> Self {
        Self { small, ..self }
    }

    /// Takes the rows of a node out of this engine, as a block of their own.
    pub(super) fn detach(&mut self, rows: Rows) -> Option<Block<'a>> {
        let alone = |(block, users): &(Block, usize)| *users == 1 && block.members.len() == rows.len();
        if self.blocks[rows.block()].as_ref().is_some_and(alone) {
            self.free.push(rows.block());
            return self.blocks[rows.block()].take().map(|(block, _)| block);
        }
        let block = self.blocks[rows.block()].as_mut().map(|(block, _)| block.detach(rows.segment()));
        self.drop_user(rows.block());
        block
    }

    fn drop_user(&mut self, block: usize) {
        if let Some(Some((_, users))) = self.blocks.get_mut(block) {
            *users -= 1;
            if *users == 0 {
                self.blocks[block] = None;
                self.free.push(block);
            }
        }
    }

    fn keep(&mut self, block: Block<'a>) -> usize {
        match self.free.pop() {
            Some(place) => {
                self.blocks[place] = Some((block, 1));
                place
            }
            None => {
                self.blocks.push(Some((block, 1)));
                self.blocks.len() - 1
            }
        }
    }

    /// A node that is a block of its own.
    fn child(&mut self, block: Block<'a>, median: bool) -> (Rows, NodeCount) {
        let segment = 0..block.members.len();
        let count = block.count(segment.clone(), median);
        (Rows::new(self.keep(block), segment), count)
    }

    /// The best splits of all columns at a node, the one with the largest score first; none for a node whose rows were not kept.
    pub(super) fn rivals(&mut self, rows: &Rows, count: &NodeCount) -> Vec<(Candidate, Condition)> {
        let Some(Some((block, _))) = self.blocks.get(rows.block()) else { return Vec::new() };
        let histograms = rows.histograms.as_deref();
        let node = Node { block, segment: rows.segment(), count, histograms };
        rivals(self.shared, &node, &mut self.scratch, self.parallel)
    }

    fn median(&self) -> bool {
        self.shared.spec.leaf == LeafValue::Median || self.shared.spec.criterion == Criterion::Mae
    }
}

impl Engine for Memory<'_, '_> {
    type Rows = Rows;

    fn unit(&self) -> f64 {
        self.shared.unit
    }

    fn root(&mut self) -> Result<(Rows, NodeCount)> {
        let median = self.median();
        let (block, users) = self.blocks[0].as_mut().expect("a new engine has its root block");
        *users += 1;
        let segment = 0..block.members.len();
        let count = block.count(segment.clone(), median);
        let plan = block.histograms.clone();
        let histograms = plan.map(|plan| Box::new(plan.count(block, segment.clone(), self.parallel)));
        Ok((Rows { histograms, ..Rows::new(0, segment) }, count))
    }

    fn search(&mut self, nodes: &[(&Rows, &NodeCount)]) -> Result<Vec<Option<BestSplit>>> {
        let mut answers = Vec::with_capacity(nodes.len());
        for (rows, count) in nodes {
            let answer = self.blocks.get(rows.block()).and_then(Option::as_ref).and_then(|(block, _)| {
                let node =
                    Node { block, segment: rows.segment(), count, histograms: rows.histograms.as_deref() };
                search(self.shared, &node, &mut self.scratch, self.parallel)
            });
            answers.push(answer.map(|(found, cut)| {
                rows.cut.set(cut.map_or(0, |cut| cut as u32));
                found
            }));
        }
        Ok(answers)
    }

    fn split(&mut self, rows: Rows, condition: &Condition) -> Result<Vec<(Rows, NodeCount)>> {
        let (median, parallel) = (self.median(), self.parallel);
        let Some((block, users)) = &mut self.blocks[rows.block()] else { return Ok(Vec::new()) };
        let wants = |count: &NodeCount| may_split(self.shared.spec, self.shared.unit, count);
        let segments = match block.split(rows.segment(), condition, rows.cut(), parallel, wants) {
            AfterSplit::Segments(segments) => segments,
            AfterSplit::Detached(parts) => {
                let part = |part| match part {
                    Detached::Block(block) => self.child(*block, median),
                    Detached::Leaf(count) => (Rows::new(NOWHERE, 0..0), count),
                };
                let children = parts.into_iter().map(part).collect();
                self.drop_user(rows.block());
                return Ok(children);
            }
        };
        let (plan, Some(histograms)) = (block.histograms.clone(), rows.histograms) else {
            *users += segments.len() - 1;
            let part = |segment: Range<usize>| {
                let count = block.count(segment.clone(), median);
                (Rows::new(rows.block as usize, segment), count)
            };
            return Ok(segments.into_iter().map(part).collect());
        };
        let mut children = Vec::with_capacity(segments.len());
        let histograms = plan.map(|plan| {
            plan.divide(block, *histograms, &segments, parallel, |segment| segment.len() > self.small)
        });
        for (segment, histograms) in segments.into_iter().zip(histograms.into_iter().flatten()) {
            let Some((block, users)) = &mut self.blocks[rows.block as usize] else { break };
            let Some(histograms) = histograms else {
                let part = block.detach(segment);
                children.push(self.child(part, median));
                continue;
            };
            *users += 1;
            let weights = block
                .histograms
                .as_ref()
                .map_or(Vec::new(), |plan| plan.class_weights(&histograms, block.table));
            let (rows_of, weight) = (segment.len(), segment.len() as f64);
            let rows =
                Rows { histograms: Some(Box::new(histograms)), ..Rows::new(rows.block as usize, segment) };
            children.push((rows, NodeCount::of_classes(rows_of, weight, weight, weights)));
        }
        self.drop_user(rows.block as usize);
        Ok(children)
    }

    fn release(&mut self, rows: Rows) {
        self.drop_user(rows.block());
    }
}
