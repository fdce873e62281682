//! A tree as a table of rules, for spreadsheets: a line for every leaf, a column for every input.

use secateur::report::{Rule, Test};
use secateur::schema::Attribute;
use secateur::tree::Tree;

use super::said::said;
use super::{Inputs, Job};

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Text(String),
    Number(f64),
    Nothing,
}

/// A table: the names of its columns, and its lines.
pub(super) struct RuleTable {
    pub(super) columns: Vec<String>,
    pub(super) lines: Vec<Vec<Cell>>,
}

impl RuleTable {
    /// What every leaf asks and says.
    pub(super) fn of(job: &Job) -> Self {
        let (tree, inputs) = (job.tree(), job.inputs());
        let mut columns = vec!["rule".to_string(), "leaf".into()];
        columns.extend(inputs.iter().map(|input| input.name().to_string()));
        columns.push("prediction".into());
        columns.extend(job.classes().iter().map(|class| format!("probability of {class}")));
        if tree.has_counts() {
            columns.extend(["rows", "weight", "share of all rows"].map(String::from));
        }
        let lines = Rule::of_leaves(tree).enumerate().map(|(place, rule)| {
            let leaf = rule.node;
            let mut line = vec![Cell::Number(place as f64 + 1.0), Cell::Number(leaf as f64)];
            line.extend(conditions(tree, &inputs, rule));
            let said = said(tree, leaf);
            if let Some(class) = job.classes().get(said.label) {
                line.push(Cell::Text(class.clone()));
            }
            line.extend(said.numbers.iter().map(|x| Cell::Number(*x)));
            if tree.has_counts() {
                let node = tree.node(leaf);
                let share = node.weight / tree.node(0).weight;
                line.extend([node.rows as f64, node.weight, share].map(Cell::Number));
            }
            line
        });
        Self { columns, lines: lines.collect() }
    }
}

/// What a rule asks of every input.
pub(super) fn conditions(tree: &Tree, inputs: &Inputs, rule: Rule) -> Vec<Cell> {
    let mut cells = vec![Cell::Nothing; inputs.len()];
    for (attribute, test) in rule.tests {
        cells[inputs.place(attribute)] = Cell::Text(in_words(&tree.schema().attributes[attribute], &test));
    }
    cells
}

/// What is asked of one attribute, with every digit of its numbers.
fn in_words(attribute: &Attribute, test: &Test) -> String {
    let (text, missing) = match test {
        Test::Range { low, high, missing } => {
            let low = low.map(|low| format!("≥ {}", attribute.shown_as.text(low)));
            let high = high.map(|high| format!("< {}", attribute.shown_as.text(high)));
            let ends: Vec<String> = low.into_iter().chain(high).collect();
            (ends.join(" and "), *missing)
        }
        Test::Values { codes, missing } => {
            let values = attribute.values();
            let listed: Vec<&str> =
                codes.iter().filter_map(|code| values.get(*code as usize)).map(String::as_str).collect();
            (listed.join(" or "), *missing)
        }
        Test::Known => return "any value".into(),
        Test::Missing => return "missing".into(),
    };
    if missing { format!("{text} or missing") } else { text }
}
