//! Why a tree says what it says to one row, as the library explains it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use secateur::explain::{NearestChange, Ranges, nearest_change};
use secateur::predict::Predictor;
use secateur::report::{NodeText, Test, explain};
use secateur::schema::Cell;
use secateur::tree::{NodeId, Tree};

/// What is said of one row, without Python.
pub struct Explanation {
    text: String,
    ends: Vec<End>,
    near: Option<Near>,
}

/// A leaf that the row reaches.
struct End {
    node: NodeId,
    share: f64,
    tests: Vec<(String, Value)>,
}

/// The nearest change that gives another answer.
struct Near {
    tests: Vec<String>,
    /// The class, or the number.
    label: usize,
    value: f64,
}

/// A cell as Python sees it.
enum Value {
    Number(f64),
    Text(String),
    Missing,
}

/// Explains the first row.
pub fn explanation(predictor: &Predictor) -> Explanation {
    let tree = predictor.tree();
    let cell = |attribute: usize| predictor.cell(0, attribute);
    let why = explain(tree, cell);
    let words = NodeText::new(tree);
    let test = |(attribute, test, cell): &(usize, Test, Cell)| {
        (words.test(*attribute, test), value(tree, *attribute, *cell))
    };
    let ends = why.ends.iter().map(|end| End {
        node: end.leaf.id(),
        share: end.share,
        tests: end.tests.iter().map(test).collect(),
    });
    let near = nearest_change(tree, cell, &Ranges::of(tree, predictor.table()));
    Explanation {
        text: why.to_string(),
        ends: ends.collect(),
        near: near.map(|near| told_near(tree, &words, &near)),
    }
}

fn told_near(tree: &Tree, words: &NodeText, near: &NearestChange) -> Near {
    let tests = near.changes.iter().map(|change| words.test(change.attribute, &change.test)).collect();
    let is_class = tree.is_classifier();
    Near {
        tests,
        label: if is_class { tree.decide(&near.numbers) } else { 0 },
        value: near.numbers.first().copied().filter(|_| !is_class).unwrap_or(f64::NAN),
    }
}

fn value(tree: &Tree, attribute: usize, cell: Cell) -> Value {
    let attribute = &tree.schema().attributes[attribute];
    match cell {
        Cell::Number(x) if x.is_nan() => Value::Missing,
        Cell::Number(x) if attribute.shown_as.is_plain() => Value::Number(x),
        Cell::Number(x) => Value::Text(attribute.shown_as.text(x)),
        Cell::Code(code) => {
            attribute.values().get(code as usize).cloned().map_or(Value::Missing, Value::Text)
        }
        _ => Value::Missing,
    }
}

impl Explanation {
    /// The text; the leaves (number, share, tests with the row's values); the nearest change (tests, class, number).
    pub fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        told.set_item("text", self.text.trim_end())?;
        let ends = PyList::empty(py);
        for end in &self.ends {
            let tests = PyList::empty(py);
            for (test, value) in &end.tests {
                match value {
                    Value::Number(x) => tests.append((test, x))?,
                    Value::Text(text) => tests.append((test, text))?,
                    Value::Missing => tests.append((test, py.None()))?,
                }
            }
            ends.append((end.node, end.share, tests))?;
        }
        told.set_item("leaves", ends)?;
        told.set_item("near", self.near.as_ref().map(|near| (near.tests.clone(), near.label, near.value)))?;
        Ok(told)
    }
}
