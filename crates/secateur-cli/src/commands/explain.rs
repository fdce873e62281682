//! `secateur explain`: why a tree says what it says to single rows, and what would have to be different.

use clap::Args;
use secateur::explain::{NearestChange, Ranges, nearest_change};
use secateur::predict::Predictor;
use secateur::prune::k_norm::Reliability;
use secateur::prune::reliability_at;
use secateur::report::{NodeText, safe};
use secateur::schema::{Cell, Schema};
use secateur::tree::{DecisionStep, Model, Tree};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::{Output, ReadTable, Types};
use crate::failure::{Failure, Result};
use crate::files::{InFile, InModel};
use crate::leaf_values;
use crate::loading::load_model;
use crate::output;
use crate::progress::Bars;
use crate::tables::NoteSummary;
use crate::terminal;

/// Explain what a saved tree says to single rows
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur explain model.json new.csv --row 7
  secateur explain model.json new.csv --row 1-3,12 --json

Rows count from 1. A margin says how far a number is from the threshold it is
compared with. The nearest change is the smallest one that gives another
answer: of the fewest attributes, then of the shortest distance, where a number
counts by how far it moves as a share of its range (in DATA and the tree's
thresholds), and another value of a list counts 1. All else stays as it is.")]
pub struct Explain {
    /// A file that `secateur fit -o` has written
    model: InModel,
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: InFile,
    /// The rows, from 1: numbers and ranges, such as 7 or 1-3,12
    #[arg(long, value_name = "ROWS", value_delimiter = ',', required = true, allow_hyphen_values = true)]
    row: Vec<String>,
    #[command(flatten)]
    types: Types,
}

/// What `explain --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    model: String,
    scheme: &'a str,
    data: &'a str,
    /// The classes, in the order of all probabilities.
    classes: &'a [String],
    rows: Vec<RowSummary>,
    notes: Vec<NoteSummary>,
}

#[derive(Serialize)]
struct RowSummary {
    row: usize,
    steps: Vec<Step>,
    leaf: Leaf,
    /// The class, or the predicted number.
    label: Value,
    /// Of every class; empty for numbers.
    probabilities: Vec<f64>,
    nearest_change: Option<Near>,
}

/// One test on the way.
#[derive(Serialize)]
struct Step {
    attribute: String,
    value: Value,
    /// What the branch asks; `null` where the value is missing or unknown and the row goes down every branch.
    test: Option<String>,
    /// How far a number is from the threshold: below 0 on its left.
    margin: Option<f64>,
    /// The same as a share of the attribute's range.
    margin_share: Option<f64>,
    /// The share of the row that passes here.
    share: f64,
}

/// Where the row, or most of it, ends.
#[derive(Serialize)]
struct Leaf {
    node: usize,
    /// The share of the row that ends there.
    share: f64,
    /// The training rows behind it.
    rows: u64,
    /// The error rate that the training counts suggest for this row (Zhong 4.5); classes without costs.
    reliability: Option<Reliability>,
}

#[derive(Serialize)]
struct Near {
    changes: Vec<ChangeSummary>,
    distance: f64,
    label: Value,
    probabilities: Vec<f64>,
}

#[derive(Serialize)]
struct ChangeSummary {
    attribute: String,
    from: Value,
    /// The nearest value with the new answer.
    to: Value,
    test: String,
    change: Option<f64>,
    distance: f64,
}

impl Explain {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let wanted = rows(&self.row)?;
        let model = load_model(&self.model)?;
        let bars = Bars::new(how.quiet);
        let ReadTable { table, notes, .. } = self.types.load_for(&self.data, &model, &bars)?;
        drop(bars);
        if let Some(row) = wanted.iter().find(|row| **row > table.rows()) {
            let rows = output::count(table.rows() as u64, "row", "rows");
            return Err(Failure::call(format!("--row: there is no row {row}; {} has {rows}", table.name())));
        }
        let predictor = Predictor::bind(&model.tree, &table)?;
        let explainer = Explainer {
            words: NodeText::new(&model.tree),
            ranges: Ranges::of(&model.tree, &table),
            tree: &model.tree,
            predictor,
        };
        let rows: Vec<RowSummary> = wanted.iter().map(|&row| explainer.row(row)).collect();
        if how.json {
            return Ok(output::json(&Summary {
                model: self.model.display().to_string(),
                scheme: &model.scheme,
                data: table.name(),
                classes: model.tree.schema().target.classes(),
                rows,
                notes,
            })?);
        }
        let shown: Vec<String> = rows.iter().map(|row| explainer.shown(row, &model)).collect();
        Ok(output::text(&shown.join("\n"))?)
    }
}

/// The rows that are asked for, from 1, in the order of the call.
fn rows(texts: &[String]) -> Result<Vec<usize>> {
    let mut rows = Vec::new();
    for text in texts {
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|row| *row > 0);
        let ends = match text.split_once('-') {
            Some((first, last)) => number(first).zip(number(last)),
            None => number(text).map(|row| (row, row)),
        };
        match ends {
            Some((first, last)) if first <= last && last - first < 100_000 => rows.extend(first..=last),
            _ => {
                return Err(Failure::call(format!(
                    "--row: {} is neither a row nor a range of rows; rows count from 1, such as 7 or 1-3",
                    secateur::error::shown(text)
                )));
            }
        }
    }
    Ok(rows)
}

/// A value as JSON.
fn value(schema: &Schema, attribute: usize, cell: Cell) -> Value {
    let attribute = &schema.attributes[attribute];
    match cell {
        Cell::Number(x) if attribute.shown_as.is_plain() => json!(x),
        Cell::Number(x) => json!(attribute.shown_as.text(x)),
        Cell::Code(code) => json!(attribute.values().get(code as usize)),
        Cell::Missing => Value::Null,
    }
}

/// A tree bound to the rows it explains.
struct Explainer<'a> {
    tree: &'a Tree,
    predictor: Predictor<'a>,
    words: NodeText<'a>,
    ranges: Ranges,
}

impl Explainer<'_> {
    /// All there is to say of a row, which counts from 1.
    fn row(&self, number: usize) -> RowSummary {
        let row = number - 1;
        let cell = |attribute: usize| self.predictor.cell(row, attribute);
        let path = self.tree.decision_path(cell);
        let ends = self.predictor.leaf_weights(row);
        let (leaf, share) =
            ends.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a }).unwrap_or((0, 1.0));
        let (label, probabilities) = self.answer(&self.numbers(row));
        RowSummary {
            row: number,
            steps: path.iter().filter(|step| !step.ends).filter_map(|step| self.step(step)).collect(),
            leaf: Leaf {
                node: leaf,
                share,
                rows: self.tree.node(leaf).rows,
                reliability: reliability_at(&self.predictor, row),
            },
            label,
            probabilities,
            nearest_change: nearest_change(self.tree, cell, &self.ranges).map(|near| self.near(row, &near)),
        }
    }

    /// The probabilities of the classes, or the number.
    fn numbers(&self, row: usize) -> Vec<f64> {
        secateur::report::explain(self.tree, |attribute| self.predictor.cell(row, attribute)).numbers
    }

    fn answer(&self, numbers: &[f64]) -> (Value, Vec<f64>) {
        match self.tree.is_classifier() {
            true => (json!(self.tree.schema().target.classes()[self.tree.decide(numbers)]), numbers.to_vec()),
            false => (json!(numbers[0]), Vec::new()),
        }
    }

    fn step(&self, step: &DecisionStep) -> Option<Step> {
        let attribute = step.node.condition()?.attribute();
        let child = step.branch.and_then(|branch| step.node.children().nth(branch));
        let share = |margin: f64| {
            let (low, high) = self.ranges.get(attribute)?;
            Some(margin.abs() / (high - low)).filter(|share| share.is_finite())
        };
        Some(Step {
            attribute: self.tree.schema().attributes[attribute].name.clone(),
            value: value(self.tree.schema(), attribute, step.cell),
            test: child.map(|child| self.words.branch(child)),
            margin: step.margin,
            margin_share: step.margin.and_then(share),
            share: step.share,
        })
    }

    fn near(&self, row: usize, near: &NearestChange) -> Near {
        let schema = self.tree.schema();
        let change = |change: &secateur::explain::Change| ChangeSummary {
            attribute: schema.attributes[change.attribute].name.clone(),
            from: value(schema, change.attribute, self.predictor.cell(row, change.attribute)),
            to: value(schema, change.attribute, change.to),
            test: self.words.test(change.attribute, &change.test),
            change: change.by,
            distance: change.distance,
        };
        let (label, probabilities) = self.answer(&near.numbers);
        Near {
            changes: near.changes.iter().map(change).collect(),
            distance: near.distance,
            label,
            probabilities,
        }
    }

    /// A row in words.
    fn shown(&self, row: &RowSummary, model: &Model) -> String {
        let head = format!("row {}: {}", row.row, self.told(&row.label, &row.probabilities));
        let mut out = output::bold(&output::wrapped(&head, terminal::here().width.saturating_sub(4), 4));
        out.push('\n');
        for step in &row.steps {
            out += &step.shown();
        }
        let mut facts = vec![("leaf", self.leaf(row))];
        facts.extend(leaf_values::in_words(self.tree, None).map(|text| ("leaf values", text)));
        if let Some(reliability) = row.leaf.reliability {
            let Reliability { error, sd, .. } = reliability;
            facts.push((
                "reliability",
                match model.tree.is_classifier() {
                    true => format!(
                        "expected error {:.1} % ± {:.1} (from the training counts)",
                        100.0 * error,
                        100.0 * sd
                    ),
                    false => format!(
                        "expected error (RMSE) {} (from the training rows)",
                        output::with_spread(error, sd)
                    ),
                },
            ));
        }
        if model.tree.costs().is_some() {
            facts.push(("costs", "the class that costs least by these shares is taken".into()));
        }
        facts.push(("nearest", self.near_in_words(row)));
        out + &output::facts(&facts)
    }

    fn told(&self, label: &Value, probabilities: &[f64]) -> String {
        let Value::String(class) = label else {
            return label.as_f64().map(output::rounded).unwrap_or_default();
        };
        let classes = self.tree.schema().target.classes();
        let mut shares: Vec<(&String, f64)> = classes.iter().zip(probabilities.iter().copied()).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let some = shares.iter().filter(|(_, p)| *p > 0.0).take(3);
        let some: Vec<String> =
            some.map(|(class, p)| format!("{} {:.1} %", safe(class), 100.0 * p)).collect();
        format!("{} ({})", safe(class), some.join(", "))
    }

    fn leaf(&self, row: &RowSummary) -> String {
        let Leaf { rows, share, node, .. } = row.leaf;
        let rows = output::count(rows, "training row", "training rows");
        let mix = match self.tree.is_classifier() {
            true => {
                let weights = self.tree.class_weights(node);
                let classes = self.tree.schema().target.classes().iter().zip(weights);
                let some = classes.filter(|(_, w)| **w > 0.0).take(6);
                let some: Vec<String> =
                    some.map(|(c, w)| format!("{} {}", output::rounded(*w), safe(c))).collect();
                format!(": {}", some.join(", "))
            }
            false => format!(": {} on average", output::rounded(self.tree.counted_value(node))),
        };
        match share < 1.0 {
            true => format!("{:.0} % of the row ends at {rows}{mix}; values are missing", 100.0 * share),
            false => format!("{rows}{mix}"),
        }
    }

    fn near_in_words(&self, row: &RowSummary) -> String {
        let Some(near) = &row.nearest_change else {
            return "none: the tree says the same to every row".into();
        };
        let change = |change: &ChangeSummary| {
            let from = match &change.from {
                Value::Null => "missing".into(),
                Value::String(text) => safe(text),
                number => number.as_f64().map(output::number).unwrap_or_default(),
            };
            let share = match change.change {
                Some(_) => format!(", {} of its range", percent(change.distance)),
                None => String::new(),
            };
            format!("{} (it is {from}{share})", change.test)
        };
        let changes: Vec<String> = near.changes.iter().map(change).collect();
        let answer = self.told(&near.label, &near.probabilities);
        let alone = if near.changes.len() > 1 { " (no single attribute is enough)" } else { "" };
        format!("{answer} with {}{alone}", changes.join(" and "))
    }
}

/// A small share in words.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        p if p < 0.1 => "less than 0.1 %".into(),
        p if p < 10.0 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

impl Step {
    fn shown(&self) -> String {
        let part = if self.share < 1.0 {
            format!(" [{:.0} % of the row]", 100.0 * self.share)
        } else {
            String::new()
        };
        let Some(test) = &self.test else {
            let name = safe(&self.attribute);
            return format!("  {name} is missing or unknown: the row goes down every branch{part}\n");
        };
        let value = match &self.value {
            Value::String(text) => format!("it is {}", safe(text)),
            number => format!("it is {}", number.as_f64().map(output::number).unwrap_or_default()),
        };
        let margin = match (self.margin, self.margin_share) {
            (Some(margin), Some(share)) => {
                let side = if margin < 0.0 { "below" } else { "above" };
                format!(", {} {side}: {} of its range", output::number(margin.abs()), percent(share))
            }
            _ => String::new(),
        };
        let line = format!("{test}  ({value}{margin}){part}");
        format!("  {}\n", output::wrapped(&line, crate::terminal::here().width.saturating_sub(4), 4))
    }
}
