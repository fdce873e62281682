//! A pruning path: the subtrees of one grown tree, from large to small, indexed by a parameter.
//!
//! A *nested* path is one number per node: node `t` is split in the member at parameter `p` exactly when `fall[t] > p`. With
//! `fall[child] ≤ fall[parent]` everywhere (and −∞ at the leaves of the full tree), node `t` is a *leaf* of that member
//! exactly when `fall[t] ≤ p < fall[parent]`. So any sum over the leaves of every member (errors, leaves, held-out
//! losses) is two events per node, and all members are scored at once.

use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::route::{Loss, Routed, State, States, losses};
use crate::sums::Sum;
use crate::tree::{NodeId, Tree};

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
    /// Whether the parameter is a number of splits, which grows where falls shrink.
    by_splits: bool,
}

impl Path {
    /// A nested path whose parameter starts at `least`; it has a member for `least` and for every larger finite value at which
    /// a node falls. Falls are made nested; a node without one never splits.
    ///
    /// ```
    /// use secateur::prune::Path;
    /// use secateur::schema::Task;
    /// # use secateur::{data::{builtin, CodedTable, Roles}, grow::grow, spec::GrowSpec, progress::Silent};
    /// # let table = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
    /// # let tree = grow(&table, &GrowSpec { max_depth: Some(1), ..GrowSpec::cart(Task::Classification) }, &Silent).unwrap();
    /// // A tree of one split that falls at 0.5: two members.
    /// let path = Path::nested(&tree, vec![0.5, f64::NEG_INFINITY, f64::NEG_INFINITY], 0.0);
    /// assert_eq!(path.parameters(), [0.0, 0.5]);
    /// assert_eq!(path.sums(&tree, &[1.0, 1.0, 1.0]), [2.0, 1.0]);
    /// ```
    pub fn nested(tree: &Tree, mut fall: Vec<f64>, least: f64) -> Self {
        fall.resize(tree.nodes().len(), f64::NEG_INFINITY);
        for (id, node) in tree.nodes().iter().enumerate().skip(1) {
            let above = node.parent.map_or(f64::INFINITY, |p| fall[p as usize]);
            fall[id] = if tree.is_leaf(id) { f64::NEG_INFINITY } else { fall[id].min(above) };
        }
        if tree.is_leaf(0) {
            fall[0] = f64::NEG_INFINITY;
        }
        let mut parameters = vec![least];
        for &fall in &fall {
            if fall.is_finite() && fall > least {
                parameters.push(fall);
            }
        }
        parameters.sort_unstable_by(f64::total_cmp);
        parameters.dedup();
        Self { parameters, members: Members::Nested(fall), by_splits: false }
    }

    /// A nested path with members at these parameters, from small to large; see [`Path::nested`].
    pub fn nested_at(tree: &Tree, fall: Vec<f64>, parameters: Vec<f64>) -> Result<Self> {
        if parameters.is_empty() {
            return Err(Error::parameter("a path of no parameters; expected at least one"));
        }
        Ok(Self { parameters, ..Self::nested(tree, fall, 0.0) })
    }

    /// The path of an order of splits: its parameter is the number of splits that stay, and the first ones do. A split comes
    /// after the one above it.
    ///
    /// ```
    /// use secateur::prune::{Path, order::breadth_first};
    /// use secateur::schema::Task;
    /// # use secateur::{data::{builtin, CodedTable, Roles}, grow::grow, spec::GrowSpec, progress::Silent};
    /// # let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    /// let tree = grow(&table, &GrowSpec { max_depth: Some(2), ..GrowSpec::cart(Task::Classification) }, &Silent).unwrap();
    /// let path = Path::splits(&tree, &breadth_first(&tree));
    /// assert_eq!(path.parameters(), [2.0, 1.0, 0.0]);
    /// assert_eq!(tree.cut(&path.cut(1.0)).leaves(), 2);
    /// ```
    pub fn splits(tree: &Tree, order: &[NodeId]) -> Self {
        let mut fall = vec![f64::NEG_INFINITY; tree.nodes().len()];
        // The split at place `r`, counted from 0, stays while `r < N`, that is `−r > −N`.
        for (place, &id) in order.iter().enumerate() {
            if let Some(fall) = fall.get_mut(id) {
                *fall = -(place as f64);
            }
        }
        let mut path = Self::nested(tree, fall, -(order.len() as f64));
        path.by_splits = true;
        path.parameters.iter_mut().for_each(|p| *p = 0.0 - *p);
        path
    }

    /// A path of any subtrees: for every parameter the nodes that become leaves.
    pub fn cuts(parameters: Vec<f64>, cuts: Vec<Vec<bool>>) -> Result<Self> {
        if parameters.is_empty() || parameters.len() != cuts.len() {
            return Err(Error::parameter(format!(
                "a path of {} parameters and {} cuts; expected a cut for every parameter, and at least one",
                parameters.len(),
                cuts.len()
            )));
        }
        Ok(Self { parameters, members: Members::Cuts(cuts), by_splits: false })
    }

    /// What falls are compared with at a parameter: at infinity stands the last member.
    fn level(&self, parameter: f64) -> f64 {
        if self.by_splits { -parameter } else { parameter.min(f64::MAX) }
    }

    /// The parameter of every member, from large trees to small ones; in a nested path ascending, or falling where it is a number
    /// of splits.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// For a nested path the number of its members in which each node is split: the first ones.
    ///
    /// ```
    /// # use secateur::{data::{builtin, CodedTable, Roles}, grow::grow, spec::GrowSpec, progress::Silent, schema::Task};
    /// # use secateur::prune::{Path, order::breadth_first};
    /// # let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    /// let tree = grow(&table, &GrowSpec { max_depth: Some(2), ..GrowSpec::cart(Task::Classification) }, &Silent).unwrap();
    /// // Members with two splits, one and none.
    /// let path = Path::splits(&tree, &breadth_first(&tree));
    /// assert_eq!(path.split_in(), Some(vec![2, 0, 1, 0, 0]));
    /// ```
    pub fn split_in(&self) -> Option<Vec<u32>> {
        let Members::Nested(fall) = &self.members else { return None };
        Some(fall.iter().map(|fall| self.members_before(&self.parameters, *fall)).collect())
    }

    /// The number of these parameters at which a node with this fall is still split.
    fn members_before(&self, parameters: &[f64], fall: f64) -> u32 {
        parameters.partition_point(|p| self.level(*p) < fall) as u32
    }

    /// Whether every member is a pruned version of the one before.
    pub fn is_nested(&self) -> bool {
        matches!(self.members, Members::Nested(_))
    }

    /// The nodes that are leaves (or below one) in the member at a parameter; for a path of cuts the parameter must be one of
    /// its own. At infinity stands the last member: splits that outlast every finite parameter are still there.
    pub fn cut(&self, parameter: f64) -> Vec<bool> {
        match &self.members {
            Members::Nested(fall) => {
                let level = self.level(parameter);
                fall.iter().map(|f| *f <= level).collect()
            }
            Members::Cuts(cuts) => {
                let place = self.parameters.iter().position(|p| *p == parameter);
                cuts[place.unwrap_or(cuts.len() - 1)].clone()
            }
        }
    }

    /// For every member the sum of `values` over its leaves; a node without a value counts 0.
    pub fn sums(&self, tree: &Tree, values: &[f64]) -> Vec<f64> {
        self.sums_at(tree, &self.parameters, values)
    }

    /// The sum of `values` over the leaves of the member at each of these parameters (from large trees to small ones).
    pub fn sums_at(&self, tree: &Tree, parameters: &[f64], values: &[f64]) -> Vec<f64> {
        match &self.members {
            Members::Nested(fall) => {
                // Values enter where their node becomes a leaf and leave where the node above does.
                let levels: Vec<f64> = parameters.iter().map(|p| self.level(*p)).collect();
                let places: Vec<usize> =
                    fall.iter().map(|fall| levels.partition_point(|level| level < fall)).collect();
                let mut change = vec![Sum::default(); parameters.len() + 1];
                for ((node, &from), value) in tree.nodes().iter().zip(&places).zip(values) {
                    // Below a split that stays for ever a leaf does so too.
                    let to = node.parent.map_or(parameters.len(), |p| places[p as usize]);
                    if from < to {
                        change[from].add(*value);
                        change[to].add(-value);
                    }
                }
                let mut sum = Sum::default();
                change
                    .into_iter()
                    .take(parameters.len())
                    .map(|c| {
                        sum.add_sum(c);
                        sum.value()
                    })
                    .collect()
            }
            Members::Cuts(_) => {
                parameters.iter().map(|&p| sum_of_leaves(tree, &self.cut(p), values)).collect()
            }
        }
    }
}

impl Path {
    /// The sum of the losses of all rows, and of the squared losses, in the member at each of these parameters (from large
    /// trees to small ones; for a path that is not nested, its own).
    ///
    /// Rows kept [apart](Routed::apart) are judged as prediction judges them. `tree` and `table` are those that the rows
    /// were sent down with. The squares are there for classes; for numbers only those of the rows kept apart.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::grow::grow;
    /// use secateur::prune::{Path, order};
    /// use secateur::route::{Loss, Routed};
    /// use secateur::schema::Task;
    /// use secateur::spec::GrowSpec;
    ///
    /// let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    /// let tree = grow(&table, &GrowSpec::cart(Task::Classification), &secateur::progress::Silent).unwrap();
    /// let path = Path::splits(&tree, &order::expansion(&tree));
    /// let routed = Routed::apart(&tree, &table, None).unwrap();
    /// let (errors, _) = path.losses(&routed, &tree, &table, &[1.0, 0.0], Loss::Risk);
    /// assert_eq!(errors, [50.0, 100.0]);
    /// ```
    pub fn losses(
        &self,
        routed: &Routed,
        tree: &Tree,
        table: &CodedTable,
        parameters: &[f64],
        loss: Loss,
    ) -> (Vec<f64>, Vec<f64>) {
        let (loss_at, square_at) = losses(tree, routed, loss);
        let mut sums = self.sums_at(tree, parameters, &loss_at);
        let mut squares = self.sums_at(tree, parameters, &square_at);
        if !routed.rows_apart().is_empty() {
            let states = self.states(tree, parameters);
            routed.add_apart((tree, table), &states, loss, (&mut sums, &mut squares));
        }
        (sums, squares)
    }

    /// What the nodes are in the members at these parameters.
    fn states(&self, tree: &Tree, parameters: &[f64]) -> States {
        match &self.members {
            Members::Nested(fall) => {
                States::Nested(fall.iter().map(|fall| self.members_before(parameters, *fall)).collect())
            }
            Members::Cuts(_) => States::Cuts(
                parameters
                    .iter()
                    .map(|&p| {
                        let leaf = self.cut(p);
                        let mut states: Vec<State> = Vec::with_capacity(leaf.len());
                        for (id, node) in tree.nodes().iter().enumerate() {
                            let open = node.parent.is_none_or(|above| states[above as usize] == State::Split);
                            let ends = node.condition.is_none() || leaf.get(id).copied().unwrap_or(false);
                            states.push(match (open, ends) {
                                (true, false) => State::Split,
                                (true, true) => State::Leaf,
                                _ => State::Gone,
                            });
                        }
                        states
                    })
                    .collect(),
            ),
        }
    }
}

/// The sum of `values` over the leaves that a cut leaves; a node without a mark stays split, one without a value counts 0.
pub(crate) fn sum_of_leaves(tree: &Tree, leaf: &[bool], values: &[f64]) -> f64 {
    let marked = |id: usize| leaf.get(id).copied().unwrap_or(false);
    let mut gone = vec![false; tree.nodes().len()];
    let mut sum = 0.0;
    for (id, node) in tree.nodes().iter().enumerate() {
        gone[id] = node.parent.is_some_and(|p| gone[p as usize] || marked(p as usize));
        if !gone[id] && (marked(id) || node.condition.is_none()) {
            sum += values.get(id).copied().unwrap_or(0.0);
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
