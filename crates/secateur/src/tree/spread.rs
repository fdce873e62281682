//! How far numbers are from what a tree says: the squared error to expect of a new row at a leaf, and how sure that is.
//!
//! A leaf with `n` rows has the squared error `S` around their mean, on `n − 1` degrees of freedom. Few rows say little of their spread, so
//! it is moderated towards that of all leaves (Smyth 2004):
//!
//! ```text
//! s₀² = (Σ S + v) / (N − L + 1)               over all L leaves; v is the variance of the N rows at the root
//! s²  = (d₀ s₀² + S) / d,  d = d₀ + n − 1     with d₀ = 4
//! r   = s² (1 + 1/n) + (value − mean)²        the squared error to expect: the leaf's own mean is off by s²/n
//! sd(r) = s² (1 + 1/n) √(2/d)                 the spread of a variance on d degrees of freedom (of normal numbers)
//! ```
//!
//! A row that reaches several leaves in parts gets their mean value, and `r` mixes with the parts, each around that value. What is reported is in
//! the unit of the target: `error = √E[r]`, `sd = sd(r) / (2 error)`, `norm = √(error² + sd²)`.
//!
//! These are training rows: splits were chosen to make `S` small, so large trees are further off than they say.
//!
//! Sources: G. K. Smyth (2004), *Linear models and empirical Bayes methods for assessing differential expression in microarray
//! experiments*, section 3, for the moderated variance; `1 + 1/n` is the variance of a prediction by a mean. d₀ = 4 gave the shortest
//! intervals on eight tables with trees of 6, 20 and 60 leaves (of 0.5, 1, 2, 4, 8, 16 and ∞).

use super::{NodeId, Stats, Tree};

/// The prior's degrees of freedom, `d₀`.
const PRIOR: f64 = 4.0;

/// The squared error to expect at every node seen as a leaf.
pub(crate) struct Spreads<'a> {
    tree: &'a Tree,
    /// `s² (1 + 1/n)` and the second moment of it.
    moments: Vec<(f64, f64)>,
}

impl<'a> Spreads<'a> {
    /// Those of a tree that predicts numbers.
    pub(crate) fn of(tree: &'a Tree) -> Self {
        let Stats::Numbers { mse, .. } = tree.stats() else { return Self { tree, moments: Vec::new() } };
        let root = tree.node(0);
        // Rows, whatever they weigh; a part of a row by its share.
        let rows = |id: NodeId| tree.node(id).weight / root.weight * root.rows as f64;
        let squares = |id: NodeId| if tree.node(id).weight > 0.0 { rows(id) * mse[id] } else { 0.0 };
        let leaves: Vec<NodeId> = (0..mse.len()).filter(|&id| tree.is_leaf(id)).collect();
        let filled = leaves.iter().filter(|&&id| tree.node(id).weight > 0.0).count() as f64;
        let within: f64 = leaves.iter().map(|&id| squares(id)).sum();
        let common = (within + mse[0]) / ((root.rows as f64 - filled).max(0.0) + 1.0);
        let moments = (0..mse.len()).map(|id| {
            let n = rows(id).max(1.0);
            let freedom = PRIOR + n - 1.0;
            let r = (PRIOR * common + squares(id)) / freedom * (1.0 + 1.0 / n);
            (r, r * r * (1.0 + 2.0 / freedom))
        });
        Self { tree, moments: moments.collect() }
    }

    /// First and second moment of the squared error of a row that ends at these nodes with these weights and gets a predicted number.
    pub(crate) fn moments(&self, ends: &[(NodeId, f64)], told: f64) -> (f64, f64) {
        let all: f64 = ends.iter().map(|end| end.1).sum();
        let mut sum = (0.0, 0.0);
        for &(node, weight) in ends {
            let (share, speaker) = (weight / all, self.tree.speaker(node));
            let (r, second) = self.moments[node];
            let off = (self.mean(speaker) - told).powi(2);
            sum.0 += share * (r + off);
            sum.1 += share * (second + 2.0 * r * off + off * off);
        }
        sum
    }

    fn mean(&self, node: NodeId) -> f64 {
        match self.tree.stats() {
            Stats::Numbers { mean, .. } => mean[node],
            Stats::Classes { .. } => 0.0,
        }
    }
}
