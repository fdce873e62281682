//! What a tree says to a row: what the leaves say that the row reaches, each weighted by its share of the row (Shi 3.3.2, C4.5).
//!
//! Prediction, the measures of `evaluate` and the losses of held-out rows all ask here.

use std::borrow::Borrow;

use super::{NodeId, Stats, Tree};
use crate::schema::{Cell, probabilities};

/// How class weights at a leaf become probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Smoothing {
    /// `n_j / n`.
    #[default]
    Raw,
    /// `(n_j + 1) / (n + J)` for `J` classes.
    Laplace,
}

/// What the nodes of a tree say: class probabilities, or a number. The tree is borrowed, or shared.
pub(crate) struct NodeAnswers<T> {
    tree: T,
    /// [`Tree::speaker`] of every node.
    speakers: Vec<u32>,
    smoothing: Smoothing,
    unit: f64,
}

/// Where a row has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ends {
    /// The first leaf reached, from left to right.
    pub first: NodeId,
    /// The leaf that gets most of the row, the first of equal ones.
    pub heaviest: NodeId,
    /// Whether one leaf gets all of it.
    pub is_whole: bool,
}

impl<T: Borrow<Tree>> NodeAnswers<T> {
    pub(crate) fn new(tree: T, smoothing: Smoothing) -> Self {
        Self { speakers: tree.borrow().speakers(), tree, smoothing, unit: 1.0 }
    }

    /// The tree.
    #[inline]
    pub(crate) fn tree(&self) -> &Tree {
        self.tree.borrow()
    }

    /// The same with numbers in the unit of a coded target.
    pub(crate) fn in_unit(self, unit: f64) -> Self {
        Self { unit, ..self }
    }

    /// The numbers in an answer: one for every class, or one.
    pub(crate) fn width(&self) -> usize {
        match self.tree().stats() {
            Stats::Classes { classes, .. } => *classes,
            Stats::Numbers { .. } => 1,
        }
    }

    /// Adds what a node says, as a leaf, to a share of a row.
    #[inline]
    pub(crate) fn add(&self, node: NodeId, share: f64, sum: &mut [f64]) {
        let (tree, speaker) = (self.tree(), self.speakers[node] as usize);
        match (tree.stats(), self.smoothing) {
            (Stats::Numbers { .. }, _) => sum[0] += share * (tree.value(speaker) * self.unit),
            (Stats::Classes { .. }, Smoothing::Raw) => {
                let said = probabilities(tree.class_weights(speaker));
                sum.iter_mut().zip(said).for_each(|(p, said)| *p += share * said);
            }
            (Stats::Classes { .. }, Smoothing::Laplace) => {
                let weights = tree.class_weights(speaker);
                let all = weights.iter().sum::<f64>() + weights.len() as f64;
                sum.iter_mut().zip(weights).for_each(|(p, w)| *p += share * ((w + 1.0) / all));
            }
        }
    }

    /// Adds what the tree says to a row ([`Tree::walk`]).
    #[inline]
    pub(crate) fn add_row(
        &self,
        cell: impl Fn(usize) -> Cell,
        stack: &mut Vec<(NodeId, f64)>,
        sum: &mut [f64],
    ) -> Ends {
        let (mut ends, mut most, mut leaves) = (Ends { first: 0, heaviest: 0, is_whole: true }, 0.0, 0);
        self.tree().walk(cell, stack, |id, share, is_end| {
            if !is_end {
                return;
            }
            if leaves == 0 {
                ends.first = id;
            }
            if share > most {
                (ends.heaviest, most) = (id, share);
            }
            leaves += 1;
            self.add(id, share, sum);
        });
        Ends { is_whole: leaves == 1, ..ends }
    }
}
