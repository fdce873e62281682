//! What a format can carry of a tree, and what it cannot: one table, for `--list`, the documentation and the checks.

use secateur::schema::AttributeKind;
use secateur::tree::{Condition, Tree};
use secateur::{Error, Result};
use serde::Serialize;

/// Whether something is carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    /// It is, exactly.
    Yes,
    /// It is not.
    No,
    /// It is in part, or in some cases; these words say how.
    Partly(&'static str),
}

impl Carried {
    /// In a word or a few.
    pub fn text(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Partly(words) => words,
        }
    }
}

impl Serialize for Carried {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// What a format carries.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Carries {
    /// Trees that predict classes.
    pub classes: Carried,
    /// Trees that predict numbers.
    pub numbers: Carried,
    /// Splits with a branch for every value.
    pub multiway: Carried,
    /// Splits by sets of values.
    pub sets: Carried,
    /// Rows with missing or unseen values that go down every branch in parts.
    pub missing_shared: Carried,
    /// Missing values that are sent to one branch.
    pub missing_sent: Carried,
    /// Labels chosen by what mistakes cost.
    pub costs: Carried,
    /// The probability of every class.
    pub probabilities: Carried,
    /// How exact numbers and thresholds are.
    pub precision: &'static str,
    /// What else should be known, in a line.
    pub note: &'static str,
}

impl Carries {
    /// Everything, in double precision.
    pub const ALL: Self = Self {
        classes: Carried::Yes,
        numbers: Carried::Yes,
        multiway: Carried::Yes,
        sets: Carried::Yes,
        missing_shared: Carried::Yes,
        missing_sent: Carried::Yes,
        costs: Carried::Yes,
        probabilities: Carried::Yes,
        precision: "double",
        note: "",
    };

    /// Everything with the name by which a table shows it, except for the note.
    pub fn cells(&self) -> [(&'static str, &'static str); 9] {
        [
            ("classes", self.classes.text()),
            ("numbers", self.numbers.text()),
            ("multiway", self.multiway.text()),
            ("sets", self.sets.text()),
            ("missing shared", self.missing_shared.text()),
            ("missing sent", self.missing_sent.text()),
            ("costs", self.costs.text()),
            ("probabilities", self.probabilities.text()),
            ("precision", self.precision),
        ]
    }

    /// An error for a tree that cannot be carried at all. Missing values are not a reason: rows without any are answered.
    pub(super) fn check(&self, format: &str, tree: &Tree) -> Result<()> {
        let has = |wanted: fn(&Condition) -> bool| {
            tree.nodes().iter().filter_map(|node| node.condition.as_ref()).any(wanted)
        };
        let refused = [
            (self.classes, tree.is_classifier(), "classes; this tree predicts them"),
            (self.numbers, !tree.is_classifier(), "numbers; this tree predicts them"),
            (
                self.multiway,
                has(|condition| matches!(condition, Condition::EachValue { .. })),
                match self.sets {
                    Carried::No => "splits by values; code these columns as numbers before growing",
                    _ => "splits with a branch for every value; grow the tree with nominal=subset",
                },
            ),
            (
                self.sets,
                has(|condition| matches!(condition, Condition::Subset { .. })),
                "splits by values; code these columns as numbers before growing",
            ),
            (self.costs, tree.costs().is_some(), "labels chosen by costs"),
        ];
        match refused.iter().find(|(carried, has, _)| *has && *carried == Carried::No) {
            Some((_, _, what)) => Err(Error::parameter(format!("{format} cannot carry {what}"))),
            None => Ok(()),
        }
    }
}

/// Whether a tree tests values from a list.
pub fn has_nominal_tests(tree: &Tree) -> bool {
    let attributes = &tree.schema().attributes;
    let is_nominal = |condition: &Condition| {
        matches!(attributes[condition.attribute()].kind, AttributeKind::Nominal { .. })
    };
    tree.nodes().iter().filter_map(|node| node.condition.as_ref()).any(is_nominal)
}
