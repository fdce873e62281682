//! Errors on the training rows: of every node seen as a leaf, and of the tree.

use super::{LeafValues, NodeId, Stats, Tree};
use crate::schema::decide;

impl Tree {
    /// The training error of a node seen as a leaf: the weight of the rows it gets wrong (or what they cost), or for
    /// regression their squared error around the predicted value.
    #[inline]
    pub fn error(&self, id: NodeId) -> f64 {
        match self.stats() {
            Stats::Classes { .. } => {
                let (weights, label) = (self.class_weights(id), self.label(id));
                match self.costs() {
                    Some(costs) => costs.risk(weights, label),
                    None => weights.iter().sum::<f64>() - weights.get(label).copied().unwrap_or(0.0),
                }
            }
            Stats::Numbers { mean, mse, .. } => {
                let off = self.value(id) - mean[id];
                let weight = self.node(id).weight;
                if weight > 0.0 { weight * (mse[id] + off * off) } else { 0.0 }
            }
        }
    }

    /// [`error`](Self::error) of every node.
    pub(crate) fn errors(&self) -> Vec<f64> {
        let nodes = self.nodes().iter().enumerate();
        match self.stats() {
            // Nearly all nodes speak for themselves: no need to look who does.
            Stats::Classes { classes, weights }
                if self.costs().is_none() && self.leaf_values() == LeafValues::Raw && *classes > 0 =>
            {
                nodes
                    .zip(weights.chunks_exact(*classes))
                    .map(|((id, node), weights)| {
                        let own = || weights.iter().sum::<f64>() - weights[decide(None, weights)];
                        if node.weight > 0.0 { own() } else { self.error(id) }
                    })
                    .collect()
            }
            Stats::Numbers { mse, median, .. }
                if median.is_empty() && self.leaf_values() == LeafValues::Raw =>
            {
                let mut errors = Vec::with_capacity(self.nodes().len());
                for ((id, node), mse) in nodes.zip(mse) {
                    errors.push(if node.weight > 0.0 { node.weight * mse } else { self.error(id) });
                }
                errors
            }
            _ => {
                let mut errors = Vec::with_capacity(self.nodes().len());
                for (id, _) in nodes {
                    errors.push(self.error(id));
                }
                errors
            }
        }
    }

    /// The training error per unit of weight: the error rate, the mean cost, or the mean squared error.
    pub fn training_error(&self) -> f64 {
        let leaves = (0..self.nodes().len()).filter(|&id| self.is_leaf(id));
        leaves.map(|id| self.error(id)).sum::<f64>() / self.node(0).weight
    }
}
