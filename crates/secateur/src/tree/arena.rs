//! The arena: nodes in the order in which they were made, parents before children, siblings together.
//!
//! The order is the order of expansion: the root is node 0, and the `r`-th expansion appends the
//! children of the node it splits. So a loop forward is top-down, a loop backward is bottom-up, and
//! the tree after `N` expansions is a prefix of the arena.

use std::sync::Arc;

use super::answers::Said;
use super::{Condition, Conformal, KNorm, LeafValues};
use crate::error::{Error, Result};
use crate::schema::{Costs, MissingTexts, Schema, Task, decide};

/// The index of a node in its arena.
pub type NodeId = usize;

/// One node. What it knows of the target stands in the tree's [`Stats`].
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The node above; the root has none.
    pub parent: Option<u32>,
    /// The first child; a leaf has none.
    pub first_child: Option<u32>,
    /// How rows are sent to the children; a leaf has none. Children are `first_child..first_child + branches`.
    pub condition: Option<Condition>,
    /// The number of training rows that reach the node, in whole or in part.
    pub rows: u64,
    /// Their weight; rows with a missing value above count with their share.
    pub weight: f64,
    /// The gain of the split (0 at a leaf).
    pub gain: f64,
    /// The split's place in the order of expansion, from 0 (unused at a leaf).
    pub rank: u32,
}

/// What the nodes know of the target, in the same order as the nodes.
#[derive(Debug, Clone, PartialEq)]
pub enum Stats {
    /// Weight of every class: `classes` numbers for each node.
    Classes {
        /// The number of classes.
        classes: usize,
        /// All weights, node by node.
        weights: Vec<f64>,
    },
    /// Mean and mean squared error around it; the median only where the leaves predict it.
    Numbers {
        /// The mean target of every node.
        mean: Vec<f64>,
        /// The mean squared deviation from the mean of every node.
        mse: Vec<f64>,
        /// The median of every node, or empty when the leaves predict the mean.
        median: Vec<f64>,
    },
}

/// A decision tree. A clone shares its nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    schema: Arc<Schema>,
    nodes: Arc<Vec<Node>>,
    stats: Arc<Stats>,
    costs: Option<Arc<Costs>>,
    leaf_values: LeafValues,
    pub(super) said: Said,
    /// Those it was pruned with.
    prior_counts: Option<KNorm>,
    conformal: Option<Arc<Conformal>>,
    /// Counted once: it is asked for often.
    leaves: usize,
    /// The leaves of the tree it was cut from.
    full_leaves: usize,
    /// Whether the counts are those of training rows.
    pub(super) has_counts: bool,
}

impl Tree {
    /// Puts a tree together from parts that fit: the grower and the model reader see to that.
    pub(crate) fn from_parts(schema: Arc<Schema>, nodes: Vec<Node>, stats: Stats) -> Self {
        debug_assert!(!nodes.is_empty());
        let leaves = leaves(&nodes);
        Self {
            schema,
            nodes: Arc::new(nodes),
            stats: Arc::new(stats),
            costs: None,
            leaf_values: LeafValues::Raw,
            said: Said::default(),
            prior_counts: None,
            conformal: None,
            leaves,
            full_leaves: leaves,
            has_counts: true,
        }
    }

    /// The same tree with labels chosen and errors counted by what mistakes cost.
    ///
    /// # Errors
    /// When the tree predicts numbers, or other classes than those of the costs.
    pub fn with_costs(mut self, costs: Option<Arc<Costs>>) -> Result<Self> {
        self.costs = match costs {
            Some(_) if !self.is_classifier() => {
                return Err(Error::parameter("costs are for classes; the tree predicts numbers"));
            }
            Some(costs) => Some(costs.bound(self.schema.target.classes())?),
            None => None,
        };
        Ok(self)
    }

    /// What mistakes cost, when they do not all cost the same.
    #[inline]
    pub fn costs(&self) -> Option<&Arc<Costs>> {
        self.costs.as_ref()
    }

    /// The same tree with leaves that say what they have counted in another way. Labels follow.
    ///
    /// # Errors
    /// When the values are not made for what the tree predicts, their number is not allowed, or they need counts that the tree
    /// does not have.
    pub fn with_leaf_values(mut self, values: LeafValues) -> Result<Self> {
        values.check(self.task())?;
        if values != LeafValues::Raw {
            self.need_counts(format_args!("the choice of leaf values {values}"))?;
        }
        if values != self.leaf_values {
            self.leaf_values = values;
            self.said = Said::default();
            self.conformal = None;
        }
        Ok(self)
    }

    /// How what was counted at a leaf becomes what it says.
    #[inline]
    pub fn leaf_values(&self) -> LeafValues {
        self.leaf_values
    }

    /// The same tree with the prior counts it was pruned with; without any, the usual ones give its reliability
    /// ([`KNorm::of`]).
    ///
    /// # Errors
    /// When one of them is not a number from 0.
    pub fn with_prior_counts(mut self, counts: Option<KNorm>) -> Result<Self> {
        if let Some(KNorm { lambda, eta }) = counts.filter(|counts| !counts.is_good()) {
            return Err(Error::parameter(format!(
                "prior counts: lambda is {lambda} and eta {eta}; expected numbers from 0"
            )));
        }
        self.prior_counts = counts;
        Ok(self)
    }

    /// The prior counts it was pruned with, if it was pruned by the k-norm.
    pub fn prior_counts(&self) -> Option<KNorm> {
        self.prior_counts
    }

    /// The same tree with the scores of rows that it was not grown from; sets and intervals are made with them. They belong to this
    /// tree: one that is cut from it, or says other values, has none.
    pub fn with_conformal(mut self, conformal: Option<Conformal>) -> Self {
        self.conformal = conformal.map(Arc::new);
        self
    }

    /// The scores of rows that it was not grown from, where they are known.
    pub fn conformal(&self) -> Option<&Conformal> {
        self.conformal.as_deref()
    }

    /// The leaves of the tree it was cut from; its own where nothing was cut.
    pub fn full_leaves(&self) -> usize {
        self.full_leaves
    }

    /// The same tree as one that was grown no further: none of its leaves was cut.
    pub(crate) fn grown_this_far(mut self) -> Self {
        self.full_leaves = self.leaves;
        self
    }

    /// The same tree, cut from one with this many leaves.
    pub(super) fn with_full_leaves(mut self, leaves: u64) -> Self {
        self.full_leaves = usize::try_from(leaves).unwrap_or(usize::MAX).max(self.leaves);
        self
    }

    /// The same tree without its nodes: for building another one of its kind.
    pub(crate) fn like(&self, nodes: Vec<Node>, stats: Stats) -> Self {
        Self {
            schema: self.schema.clone(),
            leaves: leaves(&nodes),
            nodes: Arc::new(nodes),
            stats: Arc::new(stats),
            costs: self.costs.clone(),
            leaf_values: self.leaf_values,
            said: Said::default(),
            prior_counts: self.prior_counts,
            conformal: None,
            full_leaves: self.full_leaves,
            has_counts: self.has_counts,
        }
    }

    /// Names and values of attributes and target.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The same tree with another rule for the texts that are missing values in new rows.
    pub fn with_missing_texts(mut self, missing: MissingTexts) -> Self {
        if self.schema.missing != missing {
            Arc::make_mut(&mut self.schema).missing = missing;
        }
        self
    }

    /// The same, shared.
    pub(crate) fn shared_schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// All nodes; node 0 is the root.
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// What the nodes know of the target.
    #[inline]
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Whether a node is a leaf.
    #[inline]
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.nodes[id].condition.is_none()
    }

    /// The children of a node, in branch order; empty for a leaf.
    #[inline]
    pub fn children(&self, id: NodeId) -> std::ops::Range<NodeId> {
        let node = &self.nodes[id];
        match (&node.condition, node.first_child) {
            (Some(condition), Some(first)) => {
                let first = first as usize;
                first..first + condition.branches()
            }
            _ => 0..0,
        }
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// The depth of every node; the root has 0.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0u32; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().skip(1) {
            depths[id] = node.parent.map_or(0, |p| depths[p as usize] + 1);
        }
        depths
    }

    /// The number of splits on the longest path.
    pub fn depth(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0) as usize
    }

    /// The node whose target statistics a node predicts with: itself, or the nearest node above it that
    /// any training row reached (a branch for a value without training rows has none of its own).
    #[inline]
    pub fn speaker(&self, mut id: NodeId) -> NodeId {
        while self.nodes[id].weight <= 0.0 {
            match self.nodes[id].parent {
                Some(parent) => id = parent as usize,
                None => break,
            }
        }
        id
    }

    /// The class weights of a node; empty for regression.
    #[inline]
    pub fn class_weights(&self, id: NodeId) -> &[f64] {
        match &*self.stats {
            Stats::Classes { classes, weights } => &weights[id * classes..(id + 1) * classes],
            Stats::Numbers { .. } => &[],
        }
    }

    /// The class for these class weights: the largest weight or the smallest cost, the first of equal ones. Weights are
    /// sums, so what differs by rounding alone (a part in 10¹⁰) is equal.
    #[inline]
    pub fn decide(&self, weights: &[f64]) -> usize {
        decide(self.costs.as_deref(), weights)
    }

    /// The class that the own rows of a node alone would predict, where its leaf values predict another: shrunken ones can, as they count the rows of
    /// the nodes above, too. `None` where both agree, and where the two classes are equally good for the rows.
    pub fn overruled(&self, id: NodeId) -> Option<usize> {
        let weights = self.class_weights(id);
        let weight: f64 = weights.iter().sum();
        if !self.is_classifier() || self.leaf_values == LeafValues::Raw || weight <= 0.0 {
            return None;
        }
        let loss = |label: usize| match self.costs.as_deref() {
            Some(costs) => {
                weights.iter().enumerate().map(|(class, weight)| weight * costs.cost(class, label)).sum()
            }
            None => weight - weights[label],
        };
        let own = self.decide(weights);
        (loss(self.label(id)) > loss(own) + 1e-9 * weight).then_some(own)
    }

    /// The class a node predicts, as a leaf: by what it [says](Self::answer).
    #[inline]
    pub fn label(&self, id: NodeId) -> usize {
        match self.leaf_values {
            // The same, without finding what all nodes say.
            LeafValues::Raw => self.decide(self.class_weights(self.speaker(id))),
            _ => self.decide(self.answer(id)),
        }
    }

    /// The number a node of a regression tree predicts, as a leaf. Raw, it is the median where the tree has medians, else the mean.
    #[inline]
    pub fn value(&self, id: NodeId) -> f64 {
        match &*self.stats {
            Stats::Classes { .. } => f64::NAN,
            Stats::Numbers { .. } if self.leaf_values == LeafValues::Raw => self.counted_value(id),
            Stats::Numbers { .. } => self.answer(id)[0],
        }
    }

    /// The number that was counted at a node of a regression tree, whatever its leaf values make of it: the median where the tree has
    /// medians, else the mean.
    #[inline]
    pub fn counted_value(&self, id: NodeId) -> f64 {
        match &*self.stats {
            Stats::Classes { .. } => f64::NAN,
            Stats::Numbers { mean, median, .. } => {
                let id = self.speaker(id);
                median.get(id).copied().unwrap_or(mean[id])
            }
        }
    }

    /// The number of its splits.
    pub fn splits(&self) -> usize {
        self.nodes.iter().filter(|node| node.condition.is_some()).count()
    }

    /// Whether the tree predicts classes or numbers.
    pub fn task(&self) -> Task {
        self.schema.target.task()
    }

    /// Whether the tree predicts classes.
    #[inline]
    pub fn is_classifier(&self) -> bool {
        self.task() == Task::Classification
    }
}

fn leaves(nodes: &[Node]) -> usize {
    nodes.iter().filter(|n| n.condition.is_none()).count()
}
