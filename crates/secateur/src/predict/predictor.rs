//! Prediction: every row runs down the tree, in fractions where a value is missing or unknown.
//!
//! A row without a missing value on its way reaches one leaf. Where [`Condition::route`](crate::tree::Condition::route)
//! gives no branch, the row goes down every branch in proportion to the branches' weights, and the
//! leaves it reaches are combined with these weights (Shi 3.3.2, C4.5). Where no branch has weight the node itself
//! answers, as a leaf would.

use std::sync::Arc;

use super::batch::Batch;
use super::binding::{Absent, Source, Unseen, bind};
use super::leaves::Leaves;
use crate::data::Table;
use crate::error::Result;
use crate::memory;
use crate::schema::{Cell, Schema};
use crate::simd::{CHUNK, Rows};
use crate::threads;
use crate::tree::{NodeAnswers, NodeId, Smoothing, Stats, Tree};

/// What a tree says about the rows of a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Predictions {
    /// The class of every row: the one with the largest of the probabilities below, or by these probabilities the
    /// cheapest one where mistakes cost differently; the first of equal ones. Empty for regression.
    pub labels: Vec<u32>,
    /// The probability of every class, row by row; empty for regression.
    pub probabilities: Vec<f64>,
    /// The predicted numbers; empty for classification.
    pub values: Vec<f64>,
    /// The leaf of every row: the one that gets most of it, the first of equal ones.
    pub leaf: Vec<u32>,
    pub(super) schema: Arc<Schema>,
}

/// A tree bound to a table, ready to predict its rows.
pub struct Predictor<'a> {
    tree: &'a Tree,
    table: &'a Table,
    sources: Vec<Source<'a>>,
    unseen: Vec<Unseen>,
    /// The tree for many rows at once, when there are enough of them.
    batch: Option<Batch>,
}

impl<'a> Predictor<'a> {
    /// Finds the columns the tree tests by their names; other columns are left alone.
    ///
    /// A column the tree tests and the table does not have is an error, and so is text where the tree
    /// wants numbers. Numbers where the tree wants values from a list are matched by their text. Values
    /// the tree does not know are treated as missing; [`unseen`](Self::unseen) lists them.
    ///
    /// ```
    /// use secateur::data::{Column, Table, Values};
    /// use secateur::tree::Model;
    /// use secateur::predict::{Predictor, Smoothing};
    /// let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
    ///     "attributes": [{"name": "petal width", "type": "numeric"}],
    ///     "target": {"type": "classes", "name": "species", "classes": ["setosa", "other"]},
    ///     "nodes": [
    ///         {"split": {"attribute": "petal width", "less_than": 0.8}, "first_child": 1,
    ///          "rows": 150, "weight": 150, "counts": [50, 100]},
    ///         {"parent": 0, "rows": 50, "weight": 50, "counts": [50, 0]},
    ///         {"parent": 0, "rows": 100, "weight": 100, "counts": [0, 100]}]}"#;
    /// let model = Model::from_json("iris.json", json.as_bytes()).unwrap();
    /// let widths = Values::Numeric(vec![0.2, 1.4, f64::NAN]);
    /// let table = Table::new("rows", vec![Column { name: "petal width".into(), values: widths }]).unwrap();
    ///
    /// let predictor = Predictor::bind(&model.tree, &table).unwrap();
    /// let predictions = predictor.predict(Smoothing::Raw);
    /// assert_eq!(predictions.labels, [0, 1, 1]);
    /// assert_eq!(predictions.probabilities[4..], [1.0 / 3.0, 2.0 / 3.0]);
    /// assert_eq!(predictor.leaf_weights(0), [(1, 1.0)]);
    /// ```
    pub fn bind(tree: &'a Tree, table: &'a Table) -> Result<Self> {
        let (sources, unseen) = bind(tree, table, Absent::IsError)?;
        Ok(Self::of(tree, table, sources, unseen))
    }

    pub(super) fn of(
        tree: &'a Tree,
        table: &'a Table,
        sources: Vec<Source<'a>>,
        unseen: Vec<Unseen>,
    ) -> Self {
        Self { tree, table, sources, unseen, batch: Batch::new(tree, table.rows()) }
    }

    /// The tree.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// The table.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// The values in tested columns that the tree does not know, each with its number of rows.
    pub fn unseen(&self) -> &[Unseen] {
        &self.unseen
    }

    /// The leaves a row reaches and the share of the row that does, from left to right; none where the table has no such row.
    pub fn leaf_weights(&self, row: usize) -> Vec<(NodeId, f64)> {
        let mut fragments = Vec::new();
        if row >= self.table.rows() {
            return fragments;
        }
        let cell = |attribute: usize| self.sources[attribute].cell(row);
        self.tree.walk(cell, &mut Vec::new(), |id, share, ends| {
            if ends {
                fragments.push((id, share));
            }
        });
        fragments
    }

    /// The cell of a row for an attribute of the tree, in the tree's codes. Attributes that the tree does not test, and rows that the
    /// table does not have, are missing.
    pub fn cell(&self, row: usize, attribute: usize) -> Cell {
        match self.sources.get(attribute) {
            Some(source) if row < self.table.rows() => source.cell(row),
            _ => Cell::Missing,
        }
    }

    /// [`predict`](Self::predict), or an error when there is not enough memory for what it says.
    pub fn try_predict(&self, smoothing: Smoothing) -> Result<Predictions> {
        let numbers = match self.tree.stats() {
            Stats::Classes { classes, .. } => classes * size_of::<f64>() + size_of::<u32>(),
            Stats::Numbers { .. } => size_of::<f64>(),
        };
        let bytes = self.table.rows().saturating_mul(numbers + size_of::<u32>());
        memory::ask(bytes, &format!("the predictions for {} rows", self.table.rows()))?;
        Ok(self.predict(smoothing))
    }

    /// Predicts all rows, on all threads; the result does not depend on their number.
    pub fn predict(&self, smoothing: Smoothing) -> Predictions {
        let rows = self.table.rows();
        let mut leaf = vec![0u32; rows];
        let nodes = &NodeAnswers::new(self.tree, smoothing);
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
                    let outputs = leaf.iter_mut().zip(labels).zip(probabilities.chunks_exact_mut(width));
                    for (i, ((leaf, label), out)) in outputs.enumerate() {
                        if let Some(answer) = self.arrived(work, i) {
                            (*leaf, *label) = (leaves.nodes[answer], leaves.labels[answer]);
                            let said = &leaves.numbers[answer * width..][..width];
                            out.iter_mut().zip(said).for_each(|(p, q)| *p = *q);
                        } else {
                            *leaf = self.ask(nodes, chunk * CHUNK + i, work, out);
                            // By what is told: in a row of several leaves smoothing can bring another class to the front.
                            *label = self.tree.decide(out) as u32;
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

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
