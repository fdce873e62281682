//! Rows on their way down a tree, wherever their cells come from.

use super::batch::Batch;
use super::binding::Source;
use super::leaves::Leaves;
use super::predictor::Predictions;
use crate::error::Result;
use crate::memory;
use crate::simd::{CHUNK, Rows};
use crate::threads;
use crate::tree::{LeafValues, NodeAnswers, NodeId, Stats, Tree};

/// A tree, and for each of its attributes where the cells of this many rows are.
pub(super) struct Router<'a> {
    pub(super) tree: &'a Tree,
    pub(super) rows: usize,
    pub(super) sources: Vec<Source<'a>>,
    /// The tree for many rows at once, when there are enough of them.
    pub(super) batch: Option<Batch>,
}

impl<'a> Router<'a> {
    pub(super) fn new(tree: &'a Tree, rows: usize, sources: Vec<Source<'a>>) -> Self {
        Self { tree, rows, sources, batch: Batch::new(tree, rows) }
    }

    /// An error when there is not enough memory for what is said to all rows.
    pub(super) fn ask_for_memory(&self) -> Result<()> {
        let numbers = match self.tree.stats() {
            Stats::Classes { classes, .. } => classes * size_of::<f64>() + size_of::<u32>(),
            Stats::Numbers { .. } => size_of::<f64>(),
        };
        let bytes = self.rows.saturating_mul(numbers + size_of::<u32>());
        memory::ask(bytes, &format!("the predictions for {} rows", self.rows))
    }

    /// What the tree says to all rows.
    pub(super) fn predict(&self, values: LeafValues) -> Predictions {
        let rows = self.rows;
        let mut leaf = vec![0u32; rows];
        let nodes = &NodeAnswers::by(self.tree, values);
        let width = nodes.width();
        let leaves =
            Leaves::of(nodes, self.batch.as_ref().map_or(Vec::new(), |batch| batch.leaf_nodes(self.tree)));
        let (work, schema) = (|| self.work(), self.tree.shared_schema().clone());
        match self.tree.stats() {
            Stats::Classes { .. } => {
                let mut labels = vec![0u32; rows];
                let mut probabilities = vec![0.0; rows * width];
                let parts = leaf.chunks_mut(CHUNK).zip(labels.chunks_mut(CHUNK));
                let parts = parts.zip(probabilities.chunks_mut(CHUNK * width)).enumerate().collect();
                threads::for_each_with(parts, work, |work, (chunk, ((leaf, labels), probabilities))| {
                    self.run(chunk, leaf.len(), work);
                    for i in 0..leaf.len() {
                        let out = &mut probabilities[i * width..][..width];
                        if let Some(answer) = self.arrived(work, i) {
                            (leaf[i], labels[i]) = (leaves.nodes[answer], leaves.labels[answer]);
                            let said = &leaves.numbers[answer * width..][..width];
                            #[allow(clippy::manual_memcpy, reason = "a call costs more than a few numbers")]
                            for k in 0..width {
                                out[k] = said[k];
                            }
                        } else {
                            leaf[i] = self.ask(nodes, chunk * CHUNK + i, work, out);
                            // By what is predicted: other leaf values can bring another class to the front.
                            labels[i] = self.tree.decide(out) as u32;
                        }
                    }
                });
                Predictions { labels, probabilities, values: Vec::new(), leaf, schema }
            }
            Stats::Numbers { .. } => {
                let mut values = vec![0.0; rows];
                let parts = leaf.chunks_mut(CHUNK).zip(values.chunks_mut(CHUNK)).enumerate().collect();
                threads::for_each_with(parts, work, |work, (chunk, (leaf, values))| {
                    self.run(chunk, leaf.len(), work);
                    for (i, (leaf, value)) in leaf.iter_mut().zip(values).enumerate() {
                        if let Some(answer) = self.arrived(work, i) {
                            (*leaf, *value) = (leaves.nodes[answer], leaves.numbers[answer]);
                        } else {
                            let value = std::slice::from_mut(value);
                            *leaf = self.ask(nodes, chunk * CHUNK + i, work, value);
                        }
                    }
                });
                Predictions { labels: Vec::new(), probabilities: Vec::new(), values, leaf, schema }
            }
        }
    }

    fn work(&self) -> Work {
        Work { stack: Vec::new(), rows: self.batch.as_ref().map(Batch::rows) }
    }

    /// Runs the rows of a chunk down the tree.
    fn run(&self, chunk: usize, count: usize, work: &mut Work) {
        if let (Some(batch), Some(rows)) = (&self.batch, &mut work.rows) {
            batch.run(self.tree, &self.sources, chunk * CHUNK, count, rows);
        }
    }

    /// The number of the leaf at which a row of the chunk has arrived in one piece.
    #[inline]
    fn arrived(&self, work: &Work, row: usize) -> Option<usize> {
        self.batch.as_ref()?.leaf(work.rows.as_ref()?, row)
    }

    /// Sends one row down the tree, perhaps in parts; returns the leaf that gets most of it. `out` is all 0 before.
    fn ask(&self, answers: &NodeAnswers<&Tree>, row: usize, work: &mut Work, out: &mut [f64]) -> u32 {
        let cell = |attribute: usize| self.sources[attribute].cell(row);
        answers.add_row(cell, &mut work.stack, out).heaviest as u32
    }
}

/// Memory used again from row to row.
struct Work {
    stack: Vec<(NodeId, f64)>,
    rows: Option<Rows>,
}
