//! Feature importance: the share of the total gain. The page computes the same for the tree in view (`importances` in `web/src/tree.ts`).

use super::Tree;

impl Tree {
    /// Returns the importance of every feature: its share of the total gain, each gain times the weight of its node (Breiman et al. 1984,
    /// 5.3.4, without surrogates; what scikit-learn calls feature importances). The shares add up to 1, or are all 0 where
    /// nothing was split. Of a pruned tree, the splits that are left count.
    ///
    /// The gain is by the criterion that grew the tree (of the gain ratio: in bits). An attribute that other ones stand in for
    /// can have little or nothing: importances say what this tree used, not what could have been used.
    ///
    /// ```
    /// # let table = secateur::data::builtin::load("iris")?;
    /// # let coded = secateur::data::CodedTable::new(&table, &secateur::data::Roles::default())?;
    /// # let tree = secateur::grow::grow(&coded, &secateur::spec::GrowSpec::cart(coded.task()), &secateur::progress::Silent)?;
    /// let shares = tree.importances();
    /// assert!(shares[2] > 0.5 && shares[3] > 0.4); // length and width of the petals
    /// assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn importances(&self) -> Vec<f64> {
        let mut shares = vec![0.0; self.schema().attributes.len()];
        // Gains of numbers can be very large: in units of the largest one their sum is a number.
        let gained = |node: &super::Node| node.gain.max(0.0) * (node.weight / self.node(0).weight);
        let most = self.nodes().iter().map(gained).fold(0.0, f64::max);
        if !(most > 0.0 && most.is_finite()) {
            return shares;
        }
        for node in self.nodes() {
            if let Some(condition) = &node.condition {
                shares[condition.attribute()] += gained(node) / most;
            }
        }
        let all: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= all);
        shares
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::testing::{iris, weather};

    #[test]
    fn shares_follow_gain_and_weight() {
        // Gains of the sketched trees are 1/2, 1/4, 1/6 … in the order of splits.
        let tree = iris();
        let gains: Vec<f64> = [0, 2, 3].iter().map(|&id| tree.node(id).gain * tree.node(id).weight).collect();
        let all: f64 = gains.iter().sum();
        let shares = tree.importances();
        assert!((shares[0] - gains[2] / all).abs() < 1e-15);
        assert!((shares[1] - (gains[0] + gains[1]) / all).abs() < 1e-15);
    }

    #[test]
    fn attributes_that_are_not_tested_have_none_and_a_pruned_tree_counts_what_is_left() {
        let tree = weather();
        let shares = tree.importances();
        assert_eq!(shares[1], 0.0);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let root_only: Vec<bool> = (0..tree.nodes().len()).map(|id| id > 0).collect();
        assert_eq!(tree.cut(&root_only).importances(), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(tree.cut(&[true]).importances(), [0.0; 4]);
    }
}
