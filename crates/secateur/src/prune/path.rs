//! A pruning path: the subtrees of one grown tree, from large to small, indexed by a parameter.
//!
//! A *nested* path is one number per node: node `t` is split in the member at parameter `p` exactly when `fall[t] > p`. With
//! `fall[child] ≤ fall[parent]` everywhere (and −∞ at the leaves of the full tree), node `t` is a *leaf* of that member
//! exactly when `fall[t] ≤ p < fall[parent]`. So any sum over the leaves of every member (errors, leaves, held-out
//! losses) is two events per node, and all members are scored at once.

use crate::tree::Tree;

/// The members of a path.
#[derive(Debug, Clone, PartialEq)]
enum Members {
    /// One number per node.
    Nested(Vec<f64>),
    /// For every parameter the nodes that become leaves.
    Cuts(Vec<Vec<bool>>),
}

/// A pruning path.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    parameters: Vec<f64>,
    members: Members,
}

impl Path {
    /// A nested path whose parameter starts at `least`; it has a member for `least` and for every larger finite value at which
    /// a node falls. Falls are made nested.
    ///
    /// ```
    /// use secateur::prune::Path;
    /// # use secateur::{data::{builtin, CodedTable, Roles}, grow::{grow, GrowSpec}, progress::Silent};
    /// # let table = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
    /// # let tree = grow(&table, &GrowSpec { max_depth: Some(1), ..GrowSpec::cart(false) }, &Silent).unwrap();
    /// // A tree of one split that falls at 0.5: two members.
    /// let path = Path::nested(&tree, vec![0.5, f64::NEG_INFINITY, f64::NEG_INFINITY], 0.0);
    /// assert_eq!(path.parameters(), [0.0, 0.5]);
    /// assert_eq!(path.sums(&tree, &[1.0, 1.0, 1.0]), [2.0, 1.0]);
    /// ```
    pub fn nested(tree: &Tree, mut fall: Vec<f64>, least: f64) -> Self {
        for (id, node) in tree.nodes().iter().enumerate().skip(1) {
            let above = node.parent.map_or(f64::INFINITY, |p| fall[p as usize]);
            fall[id] = if tree.is_leaf(id) { f64::NEG_INFINITY } else { fall[id].min(above) };
        }
        if tree.is_leaf(0) {
            fall[0] = f64::NEG_INFINITY;
        }
        let mut parameters: Vec<f64> = fall.iter().copied().filter(|f| f.is_finite() && *f > least).collect();
        parameters.push(least);
        parameters.sort_unstable_by(f64::total_cmp);
        parameters.dedup();
        Self { parameters, members: Members::Nested(fall) }
    }

    /// A path of any subtrees: for every parameter the nodes that become leaves.
    pub fn cuts(parameters: Vec<f64>, cuts: Vec<Vec<bool>>) -> Self {
        Self { parameters, members: Members::Cuts(cuts) }
    }

    /// The parameter of every member, from large trees to small ones; ascending in a nested path.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// Whether every member is a pruned version of the one before.
    pub fn is_nested(&self) -> bool {
        matches!(self.members, Members::Nested(_))
    }

    /// The nodes that are leaves (or below one) in the member at a parameter; for a path of cuts the parameter must be one of
    /// its own. At infinity stands the last member: splits that outlast every finite parameter are still there.
    pub fn cut(&self, parameter: f64) -> Vec<bool> {
        match &self.members {
            Members::Nested(fall) => fall.iter().map(|f| *f <= parameter.min(f64::MAX)).collect(),
            Members::Cuts(cuts) => {
                let place = self.parameters.iter().position(|p| *p == parameter);
                cuts[place.unwrap_or(cuts.len() - 1)].clone()
            }
        }
    }

    /// For every member the sum of `values` over its leaves.
    pub fn sums(&self, tree: &Tree, values: &[f64]) -> Vec<f64> {
        self.sums_at(tree, &self.parameters, values)
    }

    /// The sum of `values` over the leaves of the member at each of these parameters (ascending).
    pub fn sums_at(&self, tree: &Tree, parameters: &[f64], values: &[f64]) -> Vec<f64> {
        match &self.members {
            Members::Nested(fall) => {
                // Values enter where their node becomes a leaf and leave where the node above does.
                let place = |fall: f64| parameters.partition_point(|p| p.min(f64::MAX) < fall);
                let mut change = vec![0.0; parameters.len() + 1];
                for (id, node) in tree.nodes().iter().enumerate() {
                    let above = node.parent.map_or(f64::INFINITY, |p| fall[p as usize]);
                    if fall[id] < above {
                        change[place(fall[id])] += values[id];
                        // Below a split that stays for ever a leaf does so too.
                        change[place(above)] -= values[id];
                    }
                }
                let mut sum = 0.0;
                change
                    .iter()
                    .take(parameters.len())
                    .map(|c| {
                        sum += c;
                        sum
                    })
                    .collect()
            }
            Members::Cuts(_) => {
                parameters.iter().map(|&p| sum_of_leaves(tree, &self.cut(p), values)).collect()
            }
        }
    }
}

/// The sum of `values` over the leaves that a cut leaves.
pub fn sum_of_leaves(tree: &Tree, leaf: &[bool], values: &[f64]) -> f64 {
    let mut gone = vec![false; leaf.len()];
    let mut sum = 0.0;
    for (id, node) in tree.nodes().iter().enumerate() {
        gone[id] = node.parent.is_some_and(|p| gone[p as usize] || leaf[p as usize]);
        if !gone[id] && (leaf[id] || node.condition.is_none()) {
            sum += values[id];
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::iris;

    #[test]
    fn what_outlasts_every_parameter_is_there_at_infinity() {
        // The root stays for ever, the split below it falls at 3, the lowest at 1.
        let (never, tree) = (f64::NEG_INFINITY, iris());
        let path = Path::nested(&tree, vec![f64::INFINITY, never, 3.0, 1.0, never, never, never], 1.0);
        assert_eq!(path.parameters(), [1.0, 3.0]);
        let values = [100.0, 1.0, 10.0, 4.0, 3.0, 2.0, 2.0];
        let asked = [0.5, 1.0, 2.0, 3.0, 1e300, f64::INFINITY];
        assert_eq!(path.sums_at(&tree, &asked, &values), [8.0, 8.0, 8.0, 11.0, 11.0, 11.0]);
        for (p, sum) in asked.into_iter().zip(path.sums_at(&tree, &asked, &values)) {
            assert_eq!(sum_of_leaves(&tree, &path.cut(p), &values), sum, "{p}");
        }
        // Where the root falls too, it is a leaf from there on.
        let path = Path::nested(&tree, vec![7.0, never, 3.0, 1.0, never, never, never], 0.0);
        assert_eq!(path.sums_at(&tree, &[5.0, 7.0, f64::INFINITY], &values), [11.0, 100.0, 100.0]);
    }
}
