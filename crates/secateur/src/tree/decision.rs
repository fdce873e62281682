//! Why a row ends where it ends: every test on its way.

use super::{Condition, NodeId, NodeRef, Tree};
use crate::schema::Cell;

/// One node on the way of a row. Its test and its outcome in words are given by [`text`](Self::text) of the room `report`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecisionStep<'t> {
    /// The node.
    pub node: NodeRef<'t>,
    /// The share of the row that passes here: 1 until a value is missing or unknown.
    pub share: f64,
    /// The value that is tested; [`Cell::Missing`] at a leaf.
    pub cell: Cell,
    /// The branch that is taken. `None` at a leaf, and where a missing or unknown value sends the row down every branch.
    pub branch: Option<usize>,
    /// How far the number is from the threshold: below 0 on its left. `None` where no number is tested.
    pub margin: Option<f64>,
    /// Whether this share of the row ends here: at a leaf, or where no branch has weight.
    pub ends: bool,
}

impl Tree {
    /// The way of a row, whose cells are asked for by attribute: a step for every node it passes, a node before what is below it
    /// and the first branch before the second. A row in parts has several ends, each with its share.
    ///
    /// ```
    /// use secateur::schema::Cell;
    /// # let table = secateur::data::builtin::load("iris")?;
    /// # let coded = secateur::data::CodedTable::new(&table, &secateur::data::Roles::default())?;
    /// # let spec = secateur::spec::GrowSpec { max_depth: Some(2), ..secateur::spec::GrowSpec::cart(coded.task()) };
    /// # let tree = secateur::grow::grow(&coded, &spec, &secateur::progress::Silent)?;
    /// let row = [5.1, 3.5, 4.4, 1.5];
    /// let steps = tree.decision_path(|attribute| Cell::Number(row[attribute]));
    /// let words: Vec<String> = steps.iter().map(|step| step.text()).collect();
    /// assert_eq!(words, ["petallength ≥ 2.45  (it is 4.4)", "petalwidth < 1.75  (it is 1.5)", "Iris-versicolor  (54, 5 wrong)"]);
    /// assert_eq!(steps[1].margin, Some(-0.25));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn decision_path(&self, cell: impl Fn(usize) -> Cell) -> Vec<DecisionStep<'_>> {
        let mut steps = Vec::new();
        self.walk(&cell, &mut Vec::new(), |id, share, ends| steps.push(self.step(id, share, ends, &cell)));
        steps
    }

    fn step(&self, id: NodeId, share: f64, ends: bool, cell: impl Fn(usize) -> Cell) -> DecisionStep<'_> {
        let node = NodeRef { tree: self, id };
        let Some(condition) = node.condition() else {
            return DecisionStep { node, share, cell: Cell::Missing, branch: None, margin: None, ends };
        };
        let cell = cell(condition.attribute());
        let branch = condition.route(cell);
        let margin = match (condition, cell) {
            (Condition::Threshold { below, .. }, Cell::Number(x)) if branch.is_some() => Some(x - below),
            _ => None,
        };
        DecisionStep { node, share, cell, branch, margin, ends }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{MISSING, Values};
    use crate::predict::Predictor;
    use crate::tree::testing::{random, random_table};

    proptest! {
        #[test]
        fn the_way_leads_to_the_leaves_of_the_prediction(seed: u64, splits in 0usize..30, shape in 0usize..3) {
            let tree = random(seed, splits, shape);
            let table = random_table(&tree, 12, seed ^ 9, 0.2);
            let predictor = Predictor::bind(&tree, &table).unwrap();
            for row in 0..table.rows() {
                let steps = tree.decision_path(|attribute| match &table.columns()[attribute].values {
                    Values::Numeric(x) if x[row].is_nan() => Cell::Missing,
                    Values::Numeric(x) => Cell::Number(x[row]),
                    Values::Nominal(n) if n.codes[row] == MISSING => Cell::Missing,
                    Values::Nominal(n) => Cell::Code(n.codes[row]),
                });
                let ends: Vec<(NodeId, f64)> =
                    steps.iter().filter(|s| s.ends).map(|s| (s.node.id(), s.share)).collect();
                prop_assert_eq!(ends, predictor.leaf_weights(row));
                for (place, step) in steps.iter().enumerate() {
                    // The next step is the branch that was taken; the margin says which side that is.
                    if let Some(branch) = step.branch {
                        prop_assert_eq!(steps[place + 1].node.parent(), Some(step.node));
                        prop_assert_eq!(steps[place + 1].node.branch(), Some(branch));
                        prop_assert_eq!(steps[place + 1].share, step.share);
                    }
                    if let Some(margin) = step.margin {
                        prop_assert_eq!(step.branch, Some(usize::from(margin >= 0.0)));
                    }
                }
            }
        }
    }
}
