//! A row without a known value, shared out to the branches.

use super::{NodeId, Tree};

/// The share of a row without a known value that each branch gets: the branch's part of the weight of all branches.
///
/// Where no branch has weight every share is 0: the row goes no further, and the node itself answers. Growing, prediction,
/// held-out rows and raising all ask here.
///
/// Shares of shares are products: what reaches a branch is `share * s` for every `s` of this list, so that all who send
/// rows down a tree get the same bits.
#[inline]
pub(crate) fn share_out<W>(weights: W) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator
where
    W: DoubleEndedIterator<Item = f64> + ExactSizeIterator + Clone,
{
    let all: f64 = weights.clone().sum();
    weights.map(move |weight| if weight > 0.0 { weight / all } else { 0.0 })
}

impl Tree {
    /// The share of a row without a known value at a node that each branch gets, where the condition names no branch for it: the
    /// branch's part of the weight of all branches. Nothing for a leaf; 0 for all where no branch has weight.
    pub fn shares(&self, node: NodeId) -> Vec<f64> {
        share_out(self.nodes()[self.children(node)].iter().map(|child| child.weight)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::share_out;

    fn shares(weights: &[f64]) -> Vec<f64> {
        share_out(weights.iter().copied()).collect()
    }

    #[test]
    fn branches_get_their_part_of_the_weight() {
        assert_eq!(shares(&[1.0, 0.0, 3.0]), [0.25, 0.0, 0.75]);
        assert_eq!(shares(&[5e-324, 5e-324]), [0.5, 0.5]);
    }

    #[test]
    fn without_weight_nothing_goes_on() {
        assert_eq!(shares(&[0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(shares(&[]), [0.0; 0]);
    }
}
