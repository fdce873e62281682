//! The way to a node as one test per attribute: intervals merged, sets of values intersected.

use crate::schema::Cell;
use crate::tree::{Condition, NodeId, Tree};

/// What a rule asks of one attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// `low ≤ x < high`, where a missing end is open.
    Range {
        /// The smallest number inside.
        low: Option<f64>,
        /// The smallest number above the inside.
        high: Option<f64>,
    },
    /// One of these values, as codes in ascending order.
    Values(Vec<u32>),
}

impl Test {
    /// What a branch of a split asks.
    pub fn of_branch(condition: &Condition, branch: usize) -> Self {
        match condition {
            Condition::Threshold { below, .. } if branch == 0 => {
                Self::Range { low: None, high: Some(*below) }
            }
            Condition::Threshold { below, .. } => Self::Range { low: Some(*below), high: None },
            Condition::EachValue { .. } => Self::Values(vec![branch as u32]),
            Condition::Subset { subsets, .. } if branch == 0 => Self::Values(subsets.left().into()),
            Condition::Subset { subsets, .. } => Self::Values(subsets.right().into()),
        }
    }

    /// Asks what the branch of a split asks as well.
    fn narrow(&mut self, condition: &Condition, branch: usize) {
        match (self, condition) {
            (Self::Range { high, .. }, Condition::Threshold { below, .. }) if branch == 0 => {
                *high = Some(high.map_or(*below, |h| h.min(*below)));
            }
            (Self::Range { low, .. }, Condition::Threshold { below, .. }) => {
                *low = Some(low.map_or(*below, |l| l.max(*below)));
            }
            (Self::Values(codes), condition) => {
                codes.retain(|&code| condition.route(Cell::Code(code)) == Some(branch));
            }
            (Self::Range { .. }, _) => {}
        }
    }

    /// Whether a cell passes; a missing one does not.
    pub fn passes(&self, cell: Cell) -> bool {
        match (self, cell) {
            (Self::Range { low, high }, Cell::Number(x)) => {
                !x.is_nan() && low.is_none_or(|low| x >= low) && high.is_none_or(|high| x < high)
            }
            (Self::Values(codes), Cell::Code(code)) => codes.binary_search(&code).is_ok(),
            _ => false,
        }
    }
}

/// The way to a node: rows without missing values that pass all tests, and no others, arrive there.
///
/// ```
/// use secateur::report::{Rule, Test};
/// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
/// #   "attributes": [{"name": "x", "type": "numeric"}],
/// #   "target": {"type": "classes", "name": "c", "classes": ["a", "b"]},
/// #   "nodes": [
/// #     {"split": {"attribute": "x", "less_than": 5}, "first_child": 1, "rows": 3, "weight": 3, "counts": [2, 1], "rank": 0},
/// #     {"parent": 0, "split": {"attribute": "x", "less_than": 2}, "first_child": 3, "rows": 2, "weight": 2, "counts": [1, 1], "rank": 1},
/// #     {"parent": 0, "rows": 1, "weight": 1, "counts": [1, 0]},
/// #     {"parent": 1, "rows": 1, "weight": 1, "counts": [1, 0]},
/// #     {"parent": 1, "rows": 1, "weight": 1, "counts": [0, 1]}]}"#;
/// # let tree = secateur::tree::Model::from_json("m", json.as_bytes()).unwrap().tree;
/// // x < 5, and then not x < 2
/// let rule = Rule::of(&tree, 4);
/// assert_eq!(rule.tests, [(0, Test::Range { low: Some(2.0), high: Some(5.0) })]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The node it leads to.
    pub node: NodeId,
    /// Attributes and what is asked of them, in the order in which the tree first tests them.
    pub tests: Vec<(usize, Test)>,
}

impl Rule {
    /// The way from the root to a node.
    pub fn of(tree: &Tree, node: NodeId) -> Self {
        let mut tests: Vec<Option<(usize, Test)>> = vec![None; tree.schema().attributes.len()];
        let (mut child, mut step) = (node, 0);
        while let Some(parent) = tree.node(child).parent {
            let parent = parent as usize;
            if let Some(condition) = &tree.node(parent).condition {
                let branch = child - tree.children(parent).start;
                match &mut tests[condition.attribute()] {
                    Some((last, test)) => {
                        *last = step;
                        test.narrow(condition, branch);
                    }
                    empty => *empty = Some((step, Test::of_branch(condition, branch))),
                }
            }
            (child, step) = (parent, step + 1);
        }
        let mut tests: Vec<(usize, (usize, Test))> =
            tests.into_iter().enumerate().filter_map(|(attribute, test)| Some((attribute, test?))).collect();
        tests.sort_by_key(|(_, (step, _))| std::cmp::Reverse(*step));
        Self { node, tests: tests.into_iter().map(|(attribute, (_, test))| (attribute, test)).collect() }
    }

    /// Whether a row passes all tests.
    pub fn covers(&self, cell: impl Fn(usize) -> Cell) -> bool {
        self.tests.iter().all(|(attribute, test)| test.passes(cell(*attribute)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{Table, Values};
    use crate::predict::Predictor;
    use crate::tree::testing::{random, random_table};

    fn cell(table: &Table, attribute: usize, row: usize) -> Cell {
        match &table.columns()[attribute].values {
            Values::Numeric(x) => Cell::Number(x[row]),
            Values::Nominal(n) => Cell::Code(n.codes[row]),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn rules_partition_the_space(seed: u64, splits in 0usize..40, shape in 0usize..3) {
            let tree = random(seed, splits, shape);
            let table = random_table(&tree, 30, seed ^ 3, 0.0);
            let predictor = Predictor::bind(&tree, &table).unwrap();
            let predictions = predictor.predict();
            let leaves = (0..tree.nodes().len()).filter(|&id| tree.is_leaf(id));
            let rules: Vec<Rule> = leaves.map(|id| Rule::of(&tree, id)).collect();
            for row in 0..table.rows() {
                let covering: Vec<&Rule> =
                    rules.iter().filter(|r| r.covers(|a| cell(&table, a, row))).collect();
                if predictor.leaf_weights(row).len() == 1 && covering.len() != 1 {
                    // A value unseen at a node whose weight is all in one branch has one leaf and no rule.
                    prop_assert_eq!(covering.len(), 0);
                }
                prop_assert!(covering.len() <= 1);
                if let [rule] = covering[..] {
                    prop_assert_eq!(predictions.leaf[row] as usize, rule.node);
                    if tree.is_classifier() {
                        prop_assert_eq!(predictions.labels[row] as usize, tree.label(rule.node));
                    }
                } else {
                    let routed = |id: usize| {
                        let condition = tree.node(id).condition.as_ref()?;
                        condition.route(cell(&table, condition.attribute(), row))
                    };
                    let mut id = 0;
                    while let Some(branch) = routed(id) {
                        id = tree.children(id).start + branch;
                    }
                    prop_assert!(!tree.is_leaf(id), "a row that reaches a leaf has a rule");
                }
            }
        }
    }
}
