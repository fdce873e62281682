//! The moment of a split from those of its branches.

use crate::tree::{NodeId, Tree};

use super::KNorm;
use super::moments::log_sum_exp;

/// What every split mixes its branches by: paths ask for the moments of one split many times, and its shares stay the same.
pub(super) struct Mixture<'t> {
    tree: &'t Tree,
    /// `ln P*[node | parent]` (4.11); 0 at the root.
    log_shares: Vec<f64>,
}

impl<'t> Mixture<'t> {
    pub(super) fn new(tree: &'t Tree, rule: &KNorm) -> Self {
        let mut log_shares = vec![0.0; tree.nodes().len()];
        for parent in 0..log_shares.len() {
            for child in tree.children(parent) {
                log_shares[child] = rule.share(tree, parent, child).ln();
            }
        }
        Self { tree, log_shares }
    }

    /// The logarithm of a split's moment from those of its branches (4.28).
    #[inline]
    pub(super) fn log_moment(&self, split: NodeId, branch: impl Fn(NodeId) -> f64) -> f64 {
        log_sum_exp(self.tree.children(split).map(|c| self.log_shares[c] + branch(c)))
    }
}
