//! Prediction: every row runs down the tree, in fractions where a value is missing or unknown.
//!
//! A row without a missing value on its way reaches one leaf. Where [`Condition::route`](crate::tree::Condition::route)
//! gives no branch, the row goes down every branch in proportion to the branches' weights, and the
//! leaves it reaches are combined with these weights (Shi 3.3.2, C4.5).

use rayon::prelude::*;

use super::batch::Batch;
use super::binding::{Source, Unseen, bind};
use crate::data::Table;
use crate::error::Result;
use crate::memory;
use crate::simd::{CHUNK, Rows};
use crate::tree::{NodeId, Stats, Tree};

/// How class weights at a leaf become probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Smoothing {
    /// `n_j / n`.
    #[default]
    Raw,
    /// `(n_j + 1) / (n + J)` for `J` classes.
    Laplace,
}

/// What a tree says about the rows of a table.
#[derive(Debug, Clone, PartialEq, Default)]
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
}

/// A tree bound to a table, ready to predict its rows.
pub struct Predictor<'a> {
    tree: &'a Tree,
    table: &'a Table,
    sources: Vec<Source<'a>>,
    unseen: Vec<Unseen>,
    /// [`Tree::speaker`] of every node.
    speakers: Vec<u32>,
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
        let (sources, unseen) = bind(tree, table)?;
        let batch = Batch::new(tree, table.rows());
        Ok(Self { tree, table, sources, unseen, speakers: tree.speakers(), batch })
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
        self.fragments(row, &mut Vec::new(), |leaf, share| fragments.push((leaf, share)));
        fragments
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
        let work = || self.work();
        match self.tree.stats() {
            Stats::Classes { classes, .. } => {
                let classes = *classes;
                let mut labels = vec![0u32; rows];
                let mut probabilities = vec![0.0; rows * classes];
                let answers =
                    self.answers(classes, |leaf, work, out| self.classify(work, leaf, smoothing, out));
                leaf.par_chunks_mut(CHUNK)
                    .zip(labels.par_chunks_mut(CHUNK))
                    .zip(probabilities.par_chunks_mut(CHUNK * classes))
                    .enumerate()
                    .for_each_init(work, |work, (chunk, ((leaf, labels), probabilities))| {
                        self.run(chunk, leaf.len(), work);
                        let outputs =
                            leaf.iter_mut().zip(labels).zip(probabilities.chunks_exact_mut(classes));
                        for (i, ((leaf, label), out)) in outputs.enumerate() {
                            if let Some(answer) = self.arrived(work, i) {
                                (*leaf, *label) = answers.of[answer];
                                let said = &answers.numbers[answer * classes..][..classes];
                                out.iter_mut().zip(said).for_each(|(p, q)| *p = *q);
                            } else {
                                let row = Arrival::InParts(chunk * CHUNK + i);
                                (*leaf, *label) = self.classify(work, row, smoothing, out);
                            }
                        }
                    });
                Predictions { labels, probabilities, values: Vec::new(), leaf }
            }
            Stats::Numbers { .. } => {
                let mut values = vec![0.0; rows];
                let answers = self.answers(1, |leaf, work, out| self.estimate(work, leaf, out));
                leaf.par_chunks_mut(CHUNK).zip(values.par_chunks_mut(CHUNK)).enumerate().for_each_init(
                    work,
                    |work, (chunk, (leaf, values))| {
                        self.run(chunk, leaf.len(), work);
                        for (i, (leaf, value)) in leaf.iter_mut().zip(values).enumerate() {
                            if let Some(answer) = self.arrived(work, i) {
                                (*leaf, *value) = (answers.of[answer].0, answers.numbers[answer]);
                            } else {
                                let row = Arrival::InParts(chunk * CHUNK + i);
                                (*leaf, _) = self.estimate(work, row, std::slice::from_mut(value));
                            }
                        }
                    },
                );
                Predictions { values, leaf, ..Predictions::default() }
            }
        }
    }

    fn work(&self) -> Work {
        let rows = self.batch.as_ref().map(Batch::rows);
        Work { stack: Vec::new(), raw: vec![0.0; self.tree.class_weights(0).len()], rows }
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

    /// What every leaf says, `width` numbers each: most rows find their answer here.
    fn answers(
        &self,
        width: usize,
        answer: impl Fn(Arrival, &mut Work, &mut [f64]) -> (u32, u32),
    ) -> Answers {
        let leaves = self.batch.as_ref().map_or(Vec::new(), |batch| batch.leaf_nodes(self.tree));
        let mut numbers = vec![0.0; leaves.len() * width];
        let mut work = Work { rows: None, ..self.work() };
        let of = leaves.iter().zip(numbers.chunks_exact_mut(width.max(1)));
        let of = of.map(|(&leaf, out)| answer(Arrival::At(leaf as usize), &mut work, out)).collect();
        Answers { of, numbers }
    }

    /// Adds up the class distributions of a row's leaves; returns the heaviest leaf and the label.
    fn classify(&self, work: &mut Work, row: Arrival, smoothing: Smoothing, out: &mut [f64]) -> (u32, u32) {
        let mut heaviest = (0, 0.0);
        work.raw.fill(0.0);
        let raw = &mut work.raw;
        self.arrivals(row, &mut work.stack, |leaf, share| {
            if share > heaviest.1 {
                heaviest = (leaf, share);
            }
            let weights = self.tree.class_weights(self.speakers[leaf] as usize);
            let all = weights.iter().sum::<f64>();
            for (p, w) in raw.iter_mut().zip(weights) {
                *p += share * (w / all);
            }
            if smoothing == Smoothing::Laplace {
                let all = all + weights.len() as f64;
                for (p, w) in out.iter_mut().zip(weights) {
                    *p += share * ((w + 1.0) / all);
                }
            }
        });
        if smoothing == Smoothing::Raw {
            out.copy_from_slice(raw);
        }
        // By what is told: in a row of several leaves smoothing can bring another class to the front.
        (heaviest.0 as u32, self.tree.decide(out) as u32)
    }

    /// Averages the numbers of a row's leaves; returns the heaviest leaf (and no label).
    fn estimate(&self, work: &mut Work, row: Arrival, out: &mut [f64]) -> (u32, u32) {
        let (mut heaviest, mut sum) = ((0, 0.0), 0.0);
        self.arrivals(row, &mut work.stack, |leaf, share| {
            if share > heaviest.1 {
                heaviest = (leaf, share);
            }
            sum += share * self.tree.value(self.speakers[leaf] as usize);
        });
        out.fill(sum);
        (heaviest.0 as u32, 0)
    }

    /// Hands the leaf of a row to `arrive`, or all its leaves with their shares.
    #[inline]
    fn arrivals(&self, row: Arrival, stack: &mut Vec<(NodeId, f64)>, mut arrive: impl FnMut(NodeId, f64)) {
        match row {
            Arrival::At(leaf) => arrive(leaf, 1.0),
            Arrival::InParts(row) => self.fragments(row, stack, arrive),
        }
    }

    /// Sends a row down the tree and hands every leaf it reaches, with its share, to `arrive`.
    fn fragments(&self, row: usize, stack: &mut Vec<(NodeId, f64)>, mut arrive: impl FnMut(NodeId, f64)) {
        let cell = |attribute: usize| self.sources[attribute].cell(row);
        self.tree.walk(cell, stack, |id, share, ends| {
            if ends {
                arrive(id, share);
            }
        });
    }
}

/// How a row comes to its leaves.
#[derive(Clone, Copy)]
enum Arrival {
    /// In one piece at this leaf.
    At(NodeId),
    /// This row of the table, perhaps in parts.
    InParts(usize),
}

/// What the leaves say.
struct Answers {
    /// Node and label.
    of: Vec<(u32, u32)>,
    /// Probabilities or the value.
    numbers: Vec<f64>,
}

/// Memory used again from row to row.
struct Work {
    stack: Vec<(NodeId, f64)>,
    raw: Vec<f64>,
    rows: Option<Rows>,
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
