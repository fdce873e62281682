//! What a tree says to a row: what the leaves say that the row reaches, each weighted by its share of the row (Shi 3.3.2, C4.5).
//!
//! Prediction, the measures of `evaluate` and the losses of held-out rows all ask here. What a node says as a leaf is computed once
//! for a tree ([`node_values`]) and shared.

use std::borrow::Borrow;
use std::sync::{Arc, OnceLock};

use super::node_values::node_values;
use super::{LeafValues, NodeId, Stats, Tree};
use crate::schema::Cell;

/// What every node of a tree says, found when it is first asked for. It follows from the rest of the tree, so it does not count
/// where trees are compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Said(OnceLock<Arc<Vec<f64>>>);

impl PartialEq for Said {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Tree {
    /// The numbers in an answer: one for every class, or one.
    pub(crate) fn answer_width(&self) -> usize {
        match self.stats() {
            Stats::Classes { classes, .. } => *classes,
            Stats::Numbers { .. } => 1,
        }
    }

    /// What all nodes say, node by node.
    fn said(&self) -> &Arc<Vec<f64>> {
        self.said.0.get_or_init(|| Arc::new(node_values(self, self.leaf_values())))
    }

    /// What a node says as a leaf, by the tree's [leaf values](Self::leaf_values): the probability of every class, or the number
    /// alone. It depends on the node and those above it only, so a node says the same in every tree that is cut from this one. The
    /// answers of all nodes are found when the first one is asked for.
    ///
    /// ```
    /// use secateur::tree::LeafValues;
    /// # let table = secateur::data::builtin::load("iris")?;
    /// # let coded = secateur::data::CodedTable::new(&table, &secateur::data::Roles::default())?;
    /// # let spec = secateur::spec::GrowSpec { max_depth: Some(1), ..secateur::spec::GrowSpec::cart(coded.task()) };
    /// # let tree = secateur::grow::grow(&coded, &spec, &secateur::progress::Silent)?;
    /// assert_eq!((tree.class_weights(1), tree.answer(1)), (&[50.0, 0.0, 0.0][..], &[1.0, 0.0, 0.0][..]));
    /// let tree = tree.with_leaf_values(LeafValues::Laplace)?;
    /// assert_eq!(tree.answer(1), [51.0 / 53.0, 1.0 / 53.0, 1.0 / 53.0]);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn answer(&self, id: NodeId) -> &[f64] {
        let width = self.answer_width();
        &self.said()[id * width..][..width]
    }
}

/// What the nodes of a tree say: class probabilities, or a number. The tree is borrowed, or shared.
pub(crate) struct NodeAnswers<T> {
    tree: T,
    width: usize,
    numbers: Arc<Vec<f64>>,
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
    /// By the tree's own leaf values.
    pub(crate) fn new(tree: T) -> Self {
        let own = tree.borrow();
        Self { width: own.answer_width(), numbers: own.said().clone(), tree }
    }

    /// By other leaf values, which fit the tree.
    pub(crate) fn by(tree: T, values: LeafValues) -> Self {
        let own = tree.borrow();
        if values == own.leaf_values() {
            return Self::new(tree);
        }
        Self { width: own.answer_width(), numbers: Arc::new(node_values(own, values)), tree }
    }

    /// The tree.
    #[inline]
    pub(crate) fn tree(&self) -> &Tree {
        self.tree.borrow()
    }

    /// The tree as it was given.
    pub(crate) fn borrowed(&self) -> &T {
        &self.tree
    }

    /// The same with numbers in the unit of a coded target.
    pub(crate) fn in_unit(mut self, unit: f64) -> Self {
        if unit != 1.0 && !self.tree().is_classifier() {
            self.numbers = Arc::new(self.numbers.iter().map(|number| number * unit).collect());
        }
        self
    }

    /// The numbers in an answer: one for every class, or one.
    #[inline]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// What a node says as a leaf.
    #[inline]
    pub(crate) fn of(&self, node: NodeId) -> &[f64] {
        &self.numbers[node * self.width..][..self.width]
    }

    /// Adds what a node says, as a leaf, to a share of a row.
    #[inline]
    pub(crate) fn add(&self, node: NodeId, share: f64, sum: &mut [f64]) {
        sum.iter_mut().zip(self.of(node)).for_each(|(sum, said)| *sum += share * said);
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
