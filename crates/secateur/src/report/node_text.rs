//! Single nodes and steps of a tree in words, as all reports write them.

use super::Test;
use super::conditions::Conditions;
use super::formatting::{UNICODE, whole};
use crate::schema::{Attribute, Cell};
use crate::tree::{DecisionStep, NodeRef, Tree};

/// Nodes of one tree in words, for many of them. What they have in common is looked for once; for a few nodes ask these themselves
/// ([`NodeRef::branch_text`]).
pub struct NodeText<'t>(pub(super) Conditions<'t>);

impl<'t> NodeText<'t> {
    /// For the nodes of a tree.
    pub fn new(tree: &'t Tree) -> Self {
        Self(Conditions::new(tree, &UNICODE))
    }

    /// What the branch to a node asks: `petal width < 0.8`. Nothing for the root.
    pub fn branch(&self, node: NodeRef) -> String {
        self.0.branch(node.id())
    }

    /// What a node says as a leaf, and the training rows behind it: `setosa  (50)`, `23.4 ± 2.1  (54)`.
    pub fn outcome(&self, node: NodeRef) -> String {
        self.0.outcome(node.id())
    }

    /// One step of a row: the branch that it takes and its value, or what the node says where it ends.
    pub fn step(&self, step: &DecisionStep) -> String {
        let Some(attribute) = step.node.attribute().filter(|_| !step.ends || step.branch.is_some()) else {
            return self.outcome(step.node);
        };
        match step.branch.and_then(|branch| step.node.children().nth(branch)) {
            Some(child) => format!("{}  ({})", self.branch(child), self.value(attribute, step.cell)),
            None => {
                let name = whole(&attribute.name, self.0.glyphs);
                format!("{name}  ({}: the row goes down every branch)", self.value(attribute, step.cell))
            }
        }
    }

    /// What a test asks of an attribute: `duration < 22.5`, `colour in {red, blue}`.
    pub fn test(&self, attribute: usize, test: &Test) -> String {
        self.0.test(attribute, test)
    }

    /// `it is 1.5`, `it is red`, `it is missing`.
    pub fn value(&self, attribute: &Attribute, cell: Cell) -> String {
        match cell {
            Cell::Number(x) if x.is_nan() => "it is missing".into(),
            Cell::Number(x) if attribute.shown_as.is_plain() => {
                let all = &self.0.tree.schema().attributes;
                format!("it is {}", self.0.number(all.iter().position(|a| a.name == attribute.name), x))
            }
            Cell::Number(x) => format!("it is {}", attribute.shown_as.text(x)),
            Cell::Code(code) => match attribute.values().get(code as usize) {
                Some(value) => format!("it is {}", whole(value, self.0.glyphs)),
                None => "it is unknown to the tree".into(),
            },
            _ => "it is missing".into(),
        }
    }
}

impl NodeRef<'_> {
    /// What the branch to this node asks: `petal width < 0.8`. Nothing for the root. ([`NodeText`] describes many nodes in less
    /// time.)
    pub fn branch_text(self) -> String {
        NodeText::new(self.tree()).branch(self)
    }

    /// What this node says as a leaf, and the training rows behind it: `setosa  (50)`, `23.4 ± 2.1  (54)`.
    pub fn outcome_text(self) -> String {
        NodeText::new(self.tree()).outcome(self)
    }
}

impl DecisionStep<'_> {
    /// The branch that the row takes and its value, or what the node says where the row ends.
    pub fn text(&self) -> String {
        NodeText::new(self.node.tree()).step(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::weather;

    #[test]
    fn steps_are_told_in_words() {
        let tree = weather();
        let told = |cells: [Cell; 4]| -> Vec<String> {
            tree.decision_path(|attribute| cells[attribute]).iter().map(DecisionStep::text).collect()
        };
        let number = Cell::Number;
        assert_eq!(
            told([Cell::Code(0), number(70.0), number(77.123_456_789_12), Cell::Code(0)]),
            ["outlook = sunny  (it is sunny)", "humidity < 77.5  (it is 77.123457)", "yes  (2)"]
        );
        assert_eq!(
            told([Cell::Code(0), number(70.0), number(77.499_999_999_9), Cell::Code(0)])[1],
            "humidity < 77.5  (it is 77.4999999999)"
        );
        assert_eq!(
            told([Cell::Missing, number(70.0), number(80.0), Cell::Code(7)]),
            [
                "outlook  (it is missing: the row goes down every branch)",
                "humidity ≥ 77.5  (it is 80)",
                "no  (3)",
                "yes  (4)",
                "windy  (it is unknown to the tree: the row goes down every branch)",
                "no  (2)",
                "yes  (3)"
            ]
        );
    }
}
