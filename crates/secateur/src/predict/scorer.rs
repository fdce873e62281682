//! One row at a time, without allocating: what a server asks.
//!
//! A [`Scorer`] owns its tree and can be shared by threads. The tests of the tree stand in a list of their own, sixteen bytes
//! each, and what every leaf says is computed once. A row that meets a missing or unknown value goes down the tree in parts as
//! in [`Predictor`](super::Predictor): by the same code, so the answers are the same to the last bit.

use std::sync::Arc;

use hashbrown::HashMap;

use super::binding::{key, numbers_as_text, tested};
use super::leaves::Leaves;
use crate::error::{Error, Result, shown};
use crate::schema::{AttributeKind, Cell, Meaning, MissingTexts, Texts};
use crate::tree::{Condition, LeafValues, NodeAnswers, NodeId, Tree};

/// One value of a row that is scored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a> {
    /// A number. For a nominal attribute, the value that is written so.
    Number(f64),
    /// The code of a nominal value ([`Scorer::code`]): the fastest way to say one.
    Code(u32),
    /// The text of a nominal value.
    Text(&'a str),
    /// No value.
    Missing,
}

impl From<f64> for Field<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Field<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a, F: Into<Field<'a>>> From<Option<F>> for Field<'a> {
    fn from(field: Option<F>) -> Self {
        field.map_or(Self::Missing, Into::into)
    }
}

/// What a tree says to one row; the numbers stay where they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored<'a> {
    /// The leaf, or the one that gets most of the row.
    pub leaf: NodeId,
    /// Whether one leaf gets all of the row: no missing or unknown value was in its way.
    pub is_whole: bool,
    /// The place of the predicted class among the [classes](Scorer::classes); 0 for regression.
    pub class: usize,
    /// The predicted class; empty for regression.
    pub label: &'a str,
    /// The probability of every class; empty for regression.
    pub probabilities: &'a [f64],
    /// The predicted number; not a number for classification.
    pub value: f64,
}

/// Memory for rows that go down a tree in parts, used again from row to row: one for each thread.
#[derive(Debug, Clone, Default)]
pub struct Buffer {
    stack: Vec<(NodeId, f64)>,
    sum: Vec<f64>,
}

/// A tree ready to score single rows, `Send` and `Sync`.
///
/// ```
/// use secateur::predict::{Field, Scorer};
/// use secateur::tree::Model;
/// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
/// #     "attributes": [{"name": "age", "type": "numeric"}, {"name": "city", "type": "nominal", "values": ["Lima", "Oslo"]}],
/// #     "target": {"type": "classes", "name": "buys", "classes": ["no", "yes"]},
/// #     "nodes": [
/// #         {"split": {"attribute": "age", "less_than": 40}, "first_child": 1, "rows": 4, "weight": 4, "counts": [3, 1]},
/// #         {"parent": 0, "rows": 3, "weight": 3, "counts": [3, 0]},
/// #         {"parent": 0, "rows": 1, "weight": 1, "counts": [0, 1]}]}"#;
/// let model = Model::from_json("m.json", json.as_bytes())?; // or Model::load
/// let scorer = Scorer::new(model.tree);
/// let mut buffer = scorer.buffer(); // one for each thread
/// let mut row = vec![Field::Missing; scorer.columns().len()];
/// row[scorer.column("age")?] = Field::Number(55.0);
/// assert_eq!(scorer.score(&row, &mut buffer)?.label, "yes");
///
/// row[scorer.column("age")?] = Field::Missing;
/// let scored = scorer.score(&row, &mut buffer)?;
/// assert_eq!((scored.label, scored.probabilities, scored.is_whole), ("no", &[0.75, 0.25][..], false));
/// # Ok::<(), secateur::Error>(())
/// ```
pub struct Scorer {
    answers: NodeAnswers<Arc<Tree>>,
    steps: Vec<Step>,
    /// The branches of codes at nominal tests: [`Condition::route`], asked beforehand.
    branches: Vec<u8>,
    leaves: Leaves,
    columns: Vec<Column>,
    places: HashMap<String, usize>,
    /// The attributes that are tested and hold numbers: text there is an error.
    numeric: Vec<usize>,
    /// The parts of a row that can wait at most.
    most_parts: usize,
}

/// What a node asks, or where it ends.
#[derive(Clone, Copy)]
struct Step {
    /// The bits of the threshold. Of another condition the bits of no number ([`NOMINAL`]), which say where the branches of
    /// its codes begin in a list and how many codes there are: none where only the tree knows the way.
    word: u64,
    /// The attribute, or [`ENDS`].
    attribute: u32,
    /// The first child, or the number among the leaves.
    first: u32,
}

/// A word that is not a number; below it are 32 bits and 16 bits.
const NOMINAL: u64 = f64::NAN.to_bits();

/// No branch for a code.
const NOWHERE: u8 = u8::MAX;

/// No attribute: the node is a leaf.
const ENDS: u32 = u32::MAX;

/// An attribute as rows name its values.
struct Column {
    name: String,
    texts: Texts<String>,
    numbers: std::collections::HashMap<u64, u32>,
}

impl Scorer {
    /// A scorer that says what the tree says.
    pub fn new(tree: impl Into<Arc<Tree>>) -> Self {
        Self::of(NodeAnswers::new(tree.into()))
    }

    /// A scorer with other leaf values than the tree's own.
    ///
    /// # Errors
    /// When they are not made for what the tree predicts.
    pub fn with_leaf_values(tree: impl Into<Arc<Tree>>, values: LeafValues) -> Result<Self> {
        let tree = tree.into();
        values.check(tree.task())?;
        Ok(Self::of(NodeAnswers::by(tree, values)))
    }

    fn of(answers: NodeAnswers<Arc<Tree>>) -> Self {
        let tree = answers.tree();
        let attributes = &tree.schema().attributes;
        let leaf_nodes: Vec<u32> =
            (0..).zip(tree.nodes()).filter(|(_, n)| n.condition.is_none()).map(|(id, _)| id).collect();
        let columns: Vec<Column> =
            attributes.iter().map(|attribute| Column::of(attribute, &tree.schema().missing)).collect();
        let is_numeric = |(place, tested): (usize, bool)| {
            (tested && attributes[place].kind == AttributeKind::Numeric).then_some(place)
        };
        let (steps, branches) = steps(tree);
        Self {
            steps,
            branches,
            leaves: Leaves::of(&answers, leaf_nodes),
            places: columns.iter().enumerate().map(|(place, column)| (column.name.clone(), place)).collect(),
            numeric: tested(tree).into_iter().enumerate().filter_map(is_numeric).collect(),
            most_parts: most_parts(tree),
            columns,
            answers,
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        self.answers.tree()
    }

    /// The classes; none for regression.
    pub fn classes(&self) -> &[String] {
        self.tree().schema().target.classes()
    }

    /// The names of the attributes, in the order of a row's fields.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The place of an attribute in a row: looked up once, not for every row.
    ///
    /// # Errors
    /// When the tree was grown without such an attribute.
    pub fn column(&self, name: &str) -> Result<usize> {
        self.places.get(name).copied().ok_or_else(|| Error::no_column("row", name, self.columns()))
    }

    /// The code of a nominal value; `None` for one that the tree does not know (which goes down every branch).
    pub fn code(&self, column: usize, text: &str) -> Option<u32> {
        self.columns.get(column)?.texts.code(text)
    }

    /// Memory for one thread: with it no row allocates.
    pub fn buffer(&self) -> Buffer {
        Buffer { stack: Vec::with_capacity(self.most_parts), sum: Vec::with_capacity(self.answers.width()) }
    }

    /// What the tree says to a row: a field for every attribute, in the order of [`columns`](Self::columns). What is missing or
    /// unknown at a test goes down every branch in proportion to the branches' weights. Fields that the tree
    /// does not test may be [`Field::Missing`].
    ///
    /// # Errors
    /// When the number of fields is another, or a field on the row's way is text or a code where the tree tests numbers.
    #[inline]
    pub fn score<'a>(&'a self, row: &[Field], buffer: &'a mut Buffer) -> Result<Scored<'a>> {
        if row.len() != self.columns.len() {
            return Err(self.problem(row));
        }
        let width = self.answers.width();
        match self.descend(row) {
            Some(leaf) => {
                let (node, class) = (self.leaves.nodes[leaf] as usize, self.leaves.labels[leaf] as usize);
                Ok(self.scored((node, true), class, &self.leaves.numbers[leaf * width..][..width]))
            }
            None if self.has_text_for_numbers(row) => Err(self.problem(row)),
            None => Ok(self.in_parts(row, buffer)),
        }
    }

    /// Whether a tested attribute of numbers has text or a code; the row has a field for every attribute.
    fn has_text_for_numbers(&self, row: &[Field]) -> bool {
        self.numeric.iter().any(|&place| matches!(row[place], Field::Text(_) | Field::Code(_)))
    }

    #[cold]
    fn problem(&self, row: &[Field]) -> Error {
        if row.len() != self.columns.len() {
            let all = self.columns.len();
            return Error::parameter(format!(
                "a row of {} fields; the tree knows {all} attributes",
                row.len()
            ));
        }
        let is = |&&place: &&usize| !matches!(row[place], Field::Number(_) | Field::Missing);
        let place = self.numeric.iter().find(is).copied().unwrap_or(0);
        let what = match row[place] {
            Field::Text(text) => shown(text),
            _ => "the code of a nominal value".into(),
        };
        let name = shown(&self.columns[place].name);
        Error::parameter(format!(
            "attribute {name}: the tree was grown with numbers here, but the row has {what}"
        ))
    }

    /// The number of the leaf that a row reaches in one piece; `None`, too, where text or a code stands for a number.
    #[inline]
    fn descend(&self, row: &[Field]) -> Option<usize> {
        let mut at = 0;
        loop {
            let Step { word, attribute, first } = self.steps[at];
            // A leaf's attribute is in no row.
            let Some(&field) = row.get(attribute as usize) else { return Some(first as usize) };
            let below = f64::from_bits(word);
            at = first as usize
                + match field {
                    // A sum, not a choice: the processor cannot guess where rows go.
                    Field::Number(x) if (x < below) | (x >= below) => usize::from(x >= below),
                    Field::Code(code) => self.of_code(at, word, code)?,
                    Field::Text(_) => match self.columns[attribute as usize].cell(field) {
                        Cell::Code(code) => self.of_code(at, word, code)?,
                        cell => self.otherwise(at, cell)?,
                    },
                    _ => self.otherwise(at, self.columns[attribute as usize].cell(field))?,
                };
        }
    }

    /// The branch of a code at a node with this word.
    #[inline]
    fn of_code(&self, at: NodeId, word: u64, code: u32) -> Option<usize> {
        if !f64::from_bits(word).is_nan() {
            return None; // a threshold
        }
        if code < u32::from(word as u16) {
            let branch = self.branches[(word >> 16) as u32 as usize + code as usize];
            return (branch != NOWHERE).then_some(usize::from(branch));
        }
        // Whether a number is known is asked of numbers.
        let is_nominal = !self.columns[self.steps[at].attribute as usize].texts.is_empty();
        if is_nominal { self.otherwise(at, Cell::Code(code)) } else { None }
    }

    /// The branch at a node that the list of steps leaves open.
    fn otherwise(&self, at: NodeId, cell: Cell) -> Option<usize> {
        self.tree().node(at).condition.as_ref()?.route(cell)
    }

    /// Sends a row down in parts.
    #[cold]
    fn in_parts<'a>(&'a self, row: &[Field], buffer: &'a mut Buffer) -> Scored<'a> {
        let Buffer { stack, sum } = buffer;
        sum.clear();
        sum.resize(self.answers.width(), 0.0);
        let cell = |attribute: usize| self.columns[attribute].cell(row[attribute]);
        let ends = self.answers.add_row(cell, stack, sum);
        // By what is predicted: other leaf values can bring another class to the front.
        let class = if self.tree().is_classifier() { self.tree().decide(sum) } else { 0 };
        self.scored((ends.heaviest, ends.is_whole), class, sum)
    }

    #[inline]
    fn scored<'a>(
        &'a self,
        (leaf, is_whole): (NodeId, bool),
        class: usize,
        numbers: &'a [f64],
    ) -> Scored<'a> {
        match self.classes().get(class) {
            Some(label) => Scored { leaf, is_whole, class, label, probabilities: numbers, value: f64::NAN },
            None => Scored { leaf, is_whole, class: 0, label: "", probabilities: &[], value: numbers[0] },
        }
    }
}

impl Column {
    fn of(attribute: &crate::schema::Attribute, missing: &MissingTexts) -> Self {
        let values = attribute.values();
        Self {
            name: attribute.name.clone(),
            texts: Texts::new(&attribute.name, values, missing),
            numbers: numbers_as_text(values),
        }
    }

    /// A field as conditions see it; where the tree tests numbers, no text is a value or a missing one.
    #[inline]
    fn cell(&self, field: Field) -> Cell {
        let code = match field {
            Field::Number(x) if self.texts.is_empty() => return Cell::Number(x),
            Field::Number(x) if x.is_nan() => return Cell::Missing,
            Field::Number(x) => self.numbers.get(&key(x)).copied(),
            Field::Code(code) => Some(code),
            Field::Text(text) => match self.texts.meaning(text) {
                Meaning::Missing if !self.texts.is_empty() => return Cell::Missing,
                Meaning::Value(code) => Some(code),
                Meaning::Missing | Meaning::Unknown => None,
            },
            Field::Missing => return Cell::Missing,
        };
        Cell::Code(code.unwrap_or(Cell::UNSEEN))
    }
}

/// What every node asks, and the branches of codes.
fn steps(tree: &Tree) -> (Vec<Step>, Vec<u8>) {
    let (mut leaves, mut branches) = (0, Vec::new());
    let step = |node: &crate::tree::Node| {
        let (Some(condition), Some(first)) = (&node.condition, node.first_child) else {
            leaves += 1;
            return Step { word: NOMINAL, attribute: ENDS, first: leaves - 1 };
        };
        let attribute = condition.attribute();
        let values = tree.schema().attributes[attribute].values().len();
        let word = match condition {
            Condition::Threshold { below, .. } => below.to_bits(),
            _ if values < usize::from(NOWHERE) && u32::try_from(branches.len()).is_ok() => {
                let begin = branches.len() as u64;
                let branch =
                    |code: u32| condition.route(Cell::Code(code)).map_or(NOWHERE, |branch| branch as u8);
                branches.extend((0..values as u32).map(branch));
                NOMINAL | begin << 16 | values as u64
            }
            _ => NOMINAL,
        };
        Step { word, attribute: attribute as u32, first }
    };
    let steps = tree.nodes().iter().map(step).collect();
    (steps, branches)
}

/// The parts of a row that wait at most while it goes down ([`Tree::walk`]): on the way to a node all later branches of
/// the nodes above do, and then its own.
fn most_parts(tree: &Tree) -> usize {
    let mut waiting = vec![0usize; tree.nodes().len()];
    let mut most = 1;
    for id in 0..waiting.len() {
        let children = tree.children(id);
        most = most.max(waiting[id] + children.len());
        let below = waiting[id] + children.len().saturating_sub(1);
        waiting[children].fill(below);
    }
    most
}

#[cfg(test)]
#[path = "scorer_tests.rs"]
mod tests;
