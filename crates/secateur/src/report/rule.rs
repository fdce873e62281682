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
        /// Whether no value will do, too.
        missing: bool,
    },
    /// One of some values.
    Values {
        /// Their codes, ascending.
        codes: Vec<u32>,
        /// Whether no value will do, too.
        missing: bool,
    },
    /// Any value.
    Known,
    /// No value.
    Missing,
}

impl Test {
    /// What a branch of a split asks.
    pub fn of_branch(condition: &Condition, branch: usize) -> Self {
        let missing = condition.missing() == Some(branch);
        match condition {
            Condition::Threshold { below, .. } => match branch {
                0 => Self::Range { low: None, high: Some(*below), missing },
                _ => Self::Range { low: Some(*below), high: None, missing },
            },
            Condition::Subset { subsets, .. } => {
                let codes = if branch == 0 { subsets.left() } else { subsets.right() };
                Self::Values { codes: codes.into(), missing }
            }
            Condition::EachValue { .. } | Condition::Known { .. } if missing => Self::Missing,
            Condition::EachValue { .. } => Self::Values { codes: vec![branch as u32], missing },
            Condition::Known { .. } => Self::Known,
        }
    }

    /// Whether no value will do.
    fn takes_missing(&self) -> bool {
        match self {
            Self::Range { missing, .. } | Self::Values { missing, .. } => *missing,
            Self::Known => false,
            Self::Missing => true,
        }
    }

    /// What passes both tests.
    fn and(self, other: Self) -> Self {
        let missing = self.takes_missing() && other.takes_missing();
        let both = match (self, other) {
            (Self::Range { low, high, .. }, Self::Range { low: also_low, high: also_high, .. }) => {
                let low = low.into_iter().chain(also_low).reduce(f64::max);
                let high = high.into_iter().chain(also_high).reduce(f64::min);
                Self::Range { low, high, missing }
            }
            (Self::Values { mut codes, .. }, Self::Values { codes: also, .. }) => {
                codes.retain(|code| also.binary_search(code).is_ok());
                Self::Values { codes, missing }
            }
            (Self::Known, Self::Known) => Self::Known,
            (Self::Known, Self::Range { low, high, .. }) | (Self::Range { low, high, .. }, Self::Known) => {
                Self::Range { low, high, missing }
            }
            (Self::Known, Self::Values { codes, .. }) | (Self::Values { codes, .. }, Self::Known) => {
                Self::Values { codes, missing }
            }
            // Nothing that has a value: either one test allows none, or they are of different kinds.
            _ => Self::Values { codes: Vec::new(), missing },
        };
        if missing && both.has_no_value() { Self::Missing } else { both }
    }

    /// Whether no value passes.
    pub(crate) fn has_no_value(&self) -> bool {
        match self {
            Self::Range { low, high, .. } => low.zip(*high).is_some_and(|(low, high)| low >= high),
            Self::Values { codes, .. } => codes.is_empty(),
            Self::Known => false,
            Self::Missing => true,
        }
    }

    /// Whether a cell passes.
    pub fn passes(&self, cell: Cell) -> bool {
        match (self, cell) {
            (_, cell) if cell.is_missing() => self.takes_missing(),
            (Self::Range { low, high, .. }, Cell::Number(x)) => {
                low.is_none_or(|low| x >= low) && high.is_none_or(|high| x < high)
            }
            (Self::Values { codes, .. }, Cell::Code(code)) => codes.binary_search(&code).is_ok(),
            (Self::Known, _) => true,
            _ => false,
        }
    }
}

/// The way to a node: rows that pass all tests, and no others, arrive there whole. (Rows whose value is missing or unknown where the
/// tree says nothing of that arrive in parts.)
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
/// assert_eq!(rule.tests, [(0, Test::Range { low: Some(2.0), high: Some(5.0), missing: false })]);
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
        let above = |id: &NodeId| tree.node(*id).parent.map(|parent| parent as NodeId);
        let way: Vec<NodeId> = std::iter::successors(Some(node), above).collect();
        let mut walk = Walk::new(tree);
        way.into_iter().rev().for_each(|id| walk.enter(id));
        walk.rule(node)
    }

    /// The ways to all leaves, from left to right. What leads to several leaves is put together once, so that all of it takes time
    /// in proportion to the nodes and to the tests of the rules.
    pub fn of_leaves(tree: &Tree) -> impl Iterator<Item = Self> {
        Walk::new(tree)
    }

    /// Whether a row passes all tests.
    pub fn covers(&self, cell: impl Fn(usize) -> Cell) -> bool {
        self.tests.iter().all(|(attribute, test)| test.passes(cell(*attribute)))
    }
}

/// A step of the way through a tree: down to a node, or back up past a test of an attribute, of which this was asked before.
enum Step {
    Down(NodeId),
    Up(usize, Option<Test>),
}

/// A walk through a tree, and the rules of the leaves as they come.
struct Walk<'a> {
    tree: &'a Tree,
    stack: Vec<Step>,
    /// What is asked of every attribute on the way to where the walk is, and the attributes in the order of their first tests.
    tests: Vec<Option<Test>>,
    order: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// At the root.
    fn new(tree: &'a Tree) -> Self {
        let tests = vec![None; tree.schema().attributes.len()];
        Self { tree, stack: vec![Step::Down(0)], tests, order: Vec::new() }
    }

    /// Takes up what the branch to a node asks.
    fn enter(&mut self, node: NodeId) {
        let Some(parent) = self.tree.node(node).parent.map(|parent| parent as usize) else { return };
        let Some(condition) = &self.tree.node(parent).condition else { return };
        let asked = Test::of_branch(condition, node - self.tree.children(parent).start);
        let attribute = condition.attribute();
        let before = self.tests[attribute].take();
        self.tests[attribute] = Some(match &before {
            Some(before) => before.clone().and(asked),
            None => {
                self.order.push(attribute);
                asked
            }
        });
        self.stack.push(Step::Up(attribute, before));
    }

    /// What is asked on the way to where the walk is, which is this node.
    fn rule(&self, node: NodeId) -> Rule {
        let test = |&attribute: &usize| Some((attribute, self.tests[attribute].clone()?));
        Rule { node, tests: self.order.iter().filter_map(test).collect() }
    }
}

impl Iterator for Walk<'_> {
    type Item = Rule;

    fn next(&mut self) -> Option<Rule> {
        loop {
            match self.stack.pop()? {
                Step::Up(attribute, before) => {
                    if before.is_none() {
                        self.order.pop();
                    }
                    self.tests[attribute] = before;
                }
                Step::Down(node) => {
                    self.enter(node);
                    if self.tree.is_leaf(node) {
                        return Some(self.rule(node));
                    }
                    self.stack.extend(self.tree.children(node).rev().map(Step::Down));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{MISSING, Table, Values};
    use crate::predict::Predictor;
    use crate::tree::testing::{random, random_table};

    fn cell(table: &Table, attribute: usize, row: usize) -> Cell {
        match &table.columns()[attribute].values {
            Values::Numeric(x) => Cell::Number(x[row]),
            Values::Nominal(n) if n.codes[row] == MISSING => Cell::Missing,
            Values::Nominal(n) => Cell::Code(n.codes[row]),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn rules_partition_the_space(seed: u64, splits in 0usize..40, shape in 0usize..3) {
            let tree = random(seed, splits, shape);
            let table = random_table(&tree, 30, seed ^ 3, [0.0, 0.2][shape % 2]);
            let predictor = Predictor::bind(&tree, &table).unwrap();
            let predictions = predictor.predict();
            let rules: Vec<Rule> = Rule::of_leaves(&tree).collect();
            let leaves: Vec<Rule> = tree.leaves_in_order().into_iter().map(|leaf| Rule::of(&tree, leaf)).collect();
            prop_assert_eq!(&rules, &leaves);
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
