//! The error to expect on new rows beside the error of the best constant answer: in words and as JSON.

use secateur::fit::{Estimate, Validation};
use secateur::report::safe;
use secateur::schema::Task;
use secateur::tree::Tree;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::output::{self, Align, table};
use crate::terminal;

/// What errors of a tree are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Shares of rows.
    ErrorRate,
    /// Costs a row.
    MeanCost,
    /// Squares of numbers.
    Mse,
}

impl Unit {
    /// The unit of errors for a target, with or without costs.
    pub fn new(task: Task, has_costs: bool) -> Self {
        match (task, has_costs) {
            (Task::Regression, _) => Self::Mse,
            (Task::Classification, true) => Self::MeanCost,
            (Task::Classification, false) => Self::ErrorRate,
        }
    }

    /// The unit of a tree's errors.
    pub fn of(tree: &Tree) -> Self {
        Self::new(tree.task(), tree.costs().is_some())
    }

    /// Its name in a list of facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::ErrorRate | Self::Mse => "error",
            Self::MeanCost => "cost",
        }
    }

    /// An error in few characters; of squares the root, which is in the unit of the target.
    pub fn cell(self, error: f64) -> String {
        match self {
            Self::ErrorRate => format!("{:.1} %", 100.0 * error),
            Self::MeanCost => output::rounded(error),
            Self::Mse => output::rounded(error.max(0.0).sqrt()),
        }
    }

    /// An error with its standard error. The standard error of a root is that of the square over twice the root.
    pub fn cell_with_se(self, error: f64, se: f64) -> String {
        match self {
            Self::ErrorRate => format!("{:.1} % ± {:.1}", 100.0 * error, 100.0 * se),
            Self::MeanCost => output::with_spread(error, se),
            Self::Mse => {
                let root = error.max(0.0).sqrt();
                output::with_spread(root, if root > 0.0 { se / (2.0 * root) } else { 0.0 })
            }
        }
    }

    /// What was added to an error because the tree was chosen by it, in words; nothing where nothing was.
    fn correction(self, estimate: &Estimate) -> String {
        if estimate.bias_correction.is_none() {
            return String::new();
        }
        let (now, before) = (estimate.error, estimate.apparent());
        let root = |error: f64| error.max(0.0).sqrt();
        let (more, text) = match self {
            Self::ErrorRate => (now - before, format!("{:.1}", 100.0 * (now - before).abs())),
            Self::MeanCost => (now - before, output::rounded((now - before).abs())),
            Self::Mse => (root(now) - root(before), output::rounded((root(now) - root(before)).abs())),
        };
        format!(" ({}{text})", if more < 0.0 { '−' } else { '+' })
    }

    /// An error in words.
    pub fn words(self, cell: &str) -> String {
        match self {
            Self::ErrorRate => cell.into(),
            Self::MeanCost => format!("{cell} a row"),
            Self::Mse => format!("RMSE {cell}"),
        }
    }
}

/// The best answer that is the same for every row, and its error on the training rows.
#[derive(Serialize)]
pub struct Baseline {
    /// The class or the number.
    pub answer: String,
    /// Its error, in the unit of the estimate.
    pub error: f64,
}

impl Baseline {
    /// What the root alone would answer.
    pub fn of(tree: &Tree) -> Self {
        let classes = tree.schema().target.classes();
        let answer = match classes.get(if tree.is_classifier() { tree.label(0) } else { 0 }) {
            Some(class) => class.clone(),
            None => tree.value(0).to_string(),
        };
        Self { answer, error: tree.error(0) / tree.node(0).weight }
    }

    /// The baseline in words.
    pub fn words(&self, unit: Unit) -> String {
        let error = unit.words(&unit.cell(self.error));
        match unit {
            Unit::ErrorRate | Unit::MeanCost => {
                format!("always {}: {error}", safe(&self.answer))
            }
            Unit::Mse => format!("the same number for all: {error}"),
        }
    }
}

/// An estimate as JSON.
#[derive(Serialize)]
pub struct EstimateSummary {
    error: f64,
    se: f64,
    unit: Unit,
    method: String,
    /// What was added to the error that the tree was chosen by; null where the rows had no part in the choice.
    bias_correction: Option<f64>,
    baseline: Baseline,
    /// How many rows of each class (outer list) were taken for each class (inner list) when the tree was chosen, where the scheme
    /// chooses on rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    confusion: Option<Vec<Vec<f64>>>,
    /// The errors of predicted numbers when the tree was chosen.
    #[serde(flatten)]
    numbers: Option<Numbers>,
}

#[derive(Serialize)]
struct Numbers {
    rmse: f64,
    mae: f64,
    r2: Option<f64>,
}

impl EstimateSummary {
    /// The estimate of a tree, and what the rows it was chosen on say.
    pub fn of(estimate: &Estimate, validation: Option<&Validation>, tree: &Tree) -> Self {
        let (confusion, numbers) = match validation {
            Some(Validation::Classes { confusion, .. }) => (Some(confusion.clone()), None),
            Some(Validation::Numbers { mae, r2, .. }) => {
                let (rmse, r2) = (estimate.error.max(0.0).sqrt(), explained(*r2, estimate));
                (None, Some(Numbers { rmse, mae: *mae, r2 }))
            }
            _ => (None, None),
        };
        Self {
            error: estimate.error,
            se: estimate.se,
            unit: Unit::of(tree),
            method: estimate.method.clone(),
            bias_correction: estimate.bias_correction,
            baseline: Baseline::of(tree),
            confusion,
            numbers,
        }
    }
}

/// R² by the error that is reported: the squared error it was found with may be corrected.
fn explained(r2: Option<f64>, estimate: &Estimate) -> Option<f64> {
    let apparent = estimate.apparent();
    r2.map(|r2| if apparent > 0.0 { 1.0 - (1.0 - r2) * estimate.error / apparent } else { r2 })
}

/// The estimate of a tree in words, beside its baseline.
pub fn in_words(estimate: &Estimate, validation: Option<&Validation>, tree: &Tree) -> String {
    let unit = Unit::of(tree);
    let mut numbers = unit.words(&unit.cell_with_se(estimate.error, estimate.se));
    if let Some(Validation::Numbers { mae, r2, .. }) = validation {
        numbers += &format!(", mean absolute error {}", output::rounded(*mae));
        numbers += &explained(*r2, estimate).map_or(String::new(), |r2| format!(", R² {r2:.3}"));
    }
    let baseline = Baseline::of(tree).words(unit);
    let correction = unit.correction(estimate);
    format!("about {numbers} on new rows ({baseline}), by {}{correction}", estimate.method)
}

/// What was taken for what when the tree was chosen, as a small table: a line for the rows of each class, a column for each answer.
/// Nothing where that is not known.
pub fn confusion(validation: Option<&Validation>, tree: &Tree) -> String {
    let (Some(Validation::Classes { confusion: counts, by, .. }), classes) =
        (validation, tree.schema().target.classes())
    else {
        return String::new();
    };
    let fits = |names: &Vec<String>| {
        let widest = names.iter().map(|name| name.width()).max().unwrap_or(0).max(8);
        let columns = names.iter().map(|name| name.width().max(6) + 4);
        widest + columns.sum::<usize>() <= terminal::here().width
    };
    // Names that are too long stand below under numbers.
    let whole: Vec<String> = classes.iter().map(|class| safe(class)).collect();
    let numbers: Vec<String> = (1..=classes.len()).map(|number| format!("({number})")).collect();
    let Some(names) = [&whole, &numbers].into_iter().find(|names| fits(names)) else {
        return format!("\nWhat was taken for what, by {by}: {} classes, in --json.\n", classes.len());
    };
    let mut head = vec!["of class".to_string()];
    head.extend(names.iter().map(|name| format!("→ {name}")));
    let row = |(class, counts): (&String, &Vec<f64>)| {
        std::iter::once(class.clone()).chain(counts.iter().map(|n| output::number(*n))).collect()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(names.iter().zip(counts).map(row)).collect();
    let mut align = vec![Align::Left];
    align.extend(vec![Align::Right; classes.len()]);
    let caption = output::wrapped(&format!("What was taken for what, by {by}:"), terminal::here().width, 0);
    let mut shown = format!("\n{caption}\n{}", table(&align, usize::MAX, &rows));
    if names != &whole {
        for (number, class) in numbers.iter().zip(&whole) {
            let indent = number.len() + 1;
            let class = output::wrapped(class, terminal::here().width.saturating_sub(indent), indent);
            shown += &format!("{number} {class}\n");
        }
    }
    shown
}
