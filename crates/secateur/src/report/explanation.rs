//! Why a tree says what it says to one row: the rule of every leaf that the row reaches, with its own values beside it.

use std::fmt;

use super::formatting::{counted, percent, rounded, weight};
use super::node_text::NodeText;
use super::{Rule, Test};
use crate::schema::Cell;
use crate::tree::{NodeAnswers, NodeRef, Tree};

/// A leaf that a row reaches, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct End<'t> {
    /// The leaf.
    pub leaf: NodeRef<'t>,
    /// The share of the row that ends there.
    pub share: f64,
    /// What is asked on the way, one test per attribute, and the row's value.
    pub tests: Vec<(usize, Test, Cell)>,
}

/// What a tree says to a row, and why. Displayed it is a few lines of words.
///
/// ```
/// use secateur::report::explain;
/// use secateur::schema::Cell;
/// # let table = secateur::data::builtin::load("iris")?;
/// # let coded = secateur::data::CodedTable::new(&table, &secateur::data::Roles::default())?;
/// # let spec = secateur::spec::GrowSpec { max_depth: Some(2), ..secateur::spec::GrowSpec::cart(coded.task()) };
/// # let tree = secateur::grow::grow(&coded, &spec, &secateur::progress::Silent)?;
/// let row = [5.1, 3.5, 4.4, 1.5];
/// let why = explain(&tree, |attribute| Cell::Number(row[attribute]));
/// let words = why.to_string();
/// let lines: Vec<&str> = words.lines().collect();
/// assert_eq!(lines[..3], ["Iris-versicolor, because", "  petallength ≥ 2.45  (it is 4.4)", "  petalwidth < 1.75  (it is 1.5)"]);
/// assert_eq!(lines[3], "54 training rows ended here, 5 of them with another answer");
/// # Ok::<(), secateur::Error>(())
/// ```
pub struct Explanation<'t> {
    words: NodeText<'t>,
    /// The leaves that the row reaches, from left to right: one, unless a value on its way is missing or unknown.
    pub ends: Vec<End<'t>>,
    /// The probability of every class, or the predicted number alone.
    pub numbers: Vec<f64>,
}

/// Explains a row, whose cells are asked for by attribute.
pub fn explain(tree: &Tree, cell: impl Fn(usize) -> Cell) -> Explanation<'_> {
    let tests = |leaf: NodeRef| {
        let asked = Rule::of(tree, leaf.id()).tests.into_iter();
        asked.map(|(attribute, test)| (attribute, test, cell(attribute))).collect()
    };
    let steps = tree.decision_path(&cell);
    let ends = steps.iter().filter(|step| step.ends);
    let ends = ends.map(|step| End { leaf: step.node, share: step.share, tests: tests(step.node) }).collect();
    let answers = NodeAnswers::new(tree);
    let mut numbers = vec![0.0; answers.width()];
    answers.add_row(&cell, &mut Vec::new(), &mut numbers);
    Explanation { words: NodeText::new(tree), ends, numbers }
}

impl Explanation<'_> {
    /// The predicted class; `None` for regression.
    pub fn label(&self) -> Option<&str> {
        let tree = self.words.0.tree;
        tree.schema().target.classes().get(tree.decide(&self.numbers)).map(String::as_str)
    }

    /// The predicted number; `None` for classification.
    pub fn value(&self) -> Option<f64> {
        if self.words.0.tree.is_classifier() { None } else { self.numbers.first().copied() }
    }

    fn end(&self, f: &mut fmt::Formatter<'_>, end: &End) -> fmt::Result {
        let (words, tree) = (&self.words.0, self.words.0.tree);
        f.write_str(&words.prediction(end.leaf.id()))?;
        if self.ends.len() > 1 {
            write!(f, " ({} of the row)", percent(end.share))?;
        }
        writeln!(f, ", {}", if end.tests.is_empty() { "always" } else { "because" })?;
        for (attribute, test, cell) in &end.tests {
            let asked = words.test(*attribute, test);
            let value = self.words.value(&tree.schema().attributes[*attribute], *cell);
            writeln!(f, "  {asked}  ({value})")?;
        }
        if !tree.has_counts() {
            return Ok(());
        }
        // Rows that do not weigh 1 are told apart from their weight.
        let is_weighted = (end.leaf.weight() - end.leaf.rows() as f64).abs() > 1e-9 * end.leaf.weight();
        f.write_str(&counted(end.leaf.rows(), "training row"))?;
        if is_weighted {
            write!(f, " of weight {}", weight(end.leaf.weight()))?;
        }
        f.write_str(" ended here")?;
        if tree.is_classifier() {
            let wrong = words.wrong(end.leaf.id()).unwrap_or(0.0);
            write!(
                f,
                ", {} of {} with another answer",
                weight(wrong),
                if is_weighted { "it" } else { "them" }
            )?;
        }
        writeln!(f)
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ends.iter().try_for_each(|end| self.end(f, end))?;
        match (self.ends.len(), self.label(), self.value()) {
            (0 | 1, ..) => Ok(()),
            (_, Some(label), _) => writeln!(f, "together: {label}"),
            (_, None, value) => writeln!(f, "together: {}", rounded(value.unwrap_or(f64::NAN), 5)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::weather;

    #[test]
    fn a_row_in_parts_is_explained_leaf_by_leaf() {
        let tree = weather();
        let cells = [Cell::Code(2), Cell::Missing, Cell::Missing, Cell::Missing];
        let why = explain(&tree, |attribute| cells[attribute]);
        assert_eq!(
            why.to_string(),
            "no (40 % of the row), because\n  outlook = rainy  (it is rainy)\n  windy = TRUE  (it is missing)\n\
             2 training rows ended here, 0 of them with another answer\n\
             yes (60 % of the row), because\n  outlook = rainy  (it is rainy)\n  windy = FALSE  (it is missing)\n\
             3 training rows ended here, 0 of them with another answer\ntogether: yes\n"
        );
        assert_eq!((why.label(), why.value(), &why.numbers[..]), (Some("yes"), None, &[0.6, 0.4][..]));
    }

    #[test]
    fn rows_and_weights_are_told_apart() {
        let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart", "attributes": [],
            "target": {"type": "classes", "name": "c", "classes": ["yes", "no"]},
            "nodes": [{"rows": 7, "weight": 14, "counts": [9, 5]}]}"#;
        let model = crate::tree::Model::from_json("m", json.as_bytes()).unwrap();
        let why = explain(&model.tree, |_| Cell::Missing).to_string();
        assert_eq!(
            why,
            "yes, always\n7 training rows of weight 14 ended here, 5 of it with another answer\n"
        );
    }

    #[test]
    fn a_tree_of_one_node_says_so_always() {
        let tree = weather().cut(&[true]);
        let why = explain(&tree, |_| Cell::Missing).to_string();
        assert_eq!(why, "yes, always\n14 training rows ended here, 5 of them with another answer\n");
    }
}
