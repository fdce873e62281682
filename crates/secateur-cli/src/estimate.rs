//! How well a tree predicts new rows, beside the baseline: as text and as JSON.

use secateur::fit::{Baseline, Estimate, Validation};
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

    /// Its name at the head of a column.
    pub fn column(self) -> &'static str {
        match self {
            Self::ErrorRate => "error",
            Self::MeanCost => "mean cost",
            Self::Mse => "RMSE",
        }
    }

    /// An error in few characters; of squares the root, which is in the unit of the target.
    pub fn cell(self, error: f64) -> String {
        match self {
            Self::ErrorRate => format!("{:.1} %", 100.0 * error),
            Self::MeanCost => output::significant(error),
            Self::Mse => output::significant(error.max(0.0).sqrt()),
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

    /// What was added to an error because the tree size was chosen by it: `+0.8`.
    fn adjustment(self, estimate: &Estimate) -> String {
        let (now, before) = (estimate.error, estimate.apparent());
        let root = |error: f64| error.max(0.0).sqrt();
        let (more, text) = match self {
            Self::ErrorRate => (now - before, format!("{:.1}", 100.0 * (now - before).abs())),
            Self::MeanCost => (now - before, output::rounded((now - before).abs())),
            Self::Mse => (root(now) - root(before), output::rounded((root(now) - root(before)).abs())),
        };
        format!("{}{text}", if more < 0.0 { '−' } else { '+' })
    }

    /// An error in words.
    pub fn words(self, cell: &str) -> String {
        match self {
            Self::ErrorRate => format!("error {cell}"),
            Self::MeanCost => format!("mean cost {cell}"),
            Self::Mse => format!("RMSE {cell}"),
        }
    }
}

/// The best constant prediction and its error, in the unit of the estimate.
#[derive(Serialize)]
pub struct BaselineSummary {
    /// The class or the number.
    pub answer: String,
    pub error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brier: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mae: Option<f64>,
}

impl BaselineSummary {
    /// The prediction of the root alone: its error on the training rows, its other measures on the rows that judged the tree.
    pub fn of(validation: Option<&Validation>, tree: &Tree) -> Self {
        let baseline = Baseline::beside(validation, tree);
        let classes = tree.schema().target.classes();
        let answer = match baseline.class.and_then(|class| classes.get(class)) {
            Some(class) => class.clone(),
            None => tree.value(0).to_string(),
        };
        let [log_loss, brier, mae] = ["log-loss", "brier", "mae"].map(|measure| baseline.get(measure));
        Self { answer, error: tree.error(0) / tree.node(0).weight, log_loss, brier, mae }
    }

    /// The prediction in words: `always "good"`.
    pub fn words(&self, unit: Unit) -> String {
        match unit {
            Unit::Mse => match self.answer.parse() {
                Ok(number) => format!("always {}", output::significant(number)),
                Err(_) => "always the mean".into(),
            },
            _ => format!("always \"{}\"", safe(&self.answer)),
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
    /// The log loss of the rows that judged the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_loss: Option<f64>,
    /// Their Brier score.
    #[serde(skip_serializing_if = "Option::is_none")]
    brier: Option<f64>,
    baseline: BaselineSummary,
    /// The confusion matrix: the rows of each actual class (outer list) by predicted class (inner list), where the scheme chooses on rows.
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
        let (log_loss, brier) = match validation {
            Some(Validation::Classes { log_loss, brier, .. }) => (Some(*log_loss), Some(*brier)),
            _ => (None, None),
        };
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
            log_loss,
            brier,
            baseline: BaselineSummary::of(validation, tree),
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

/// The scores of the tree on new rows and those of the baseline: a small table with a line for each.
pub fn scores(estimate: &Estimate, validation: Option<&Validation>, tree: &Tree) -> String {
    let unit = Unit::of(tree);
    let baseline = BaselineSummary::of(validation, tree);
    let mut head = vec![estimate.by.clone(), unit.column().to_string()];
    let mut own = vec!["this tree".to_string(), unit.cell_with_se(estimate.error, estimate.se)];
    let mut constant = vec![format!("{} (baseline)", baseline.words(unit)), unit.cell(baseline.error)];
    let mut add = |name: &str, of_tree: String, of_baseline: String| {
        head.push(name.into());
        own.push(of_tree);
        constant.push(of_baseline);
    };
    let known = |x: Option<f64>| x.map_or(String::new(), output::significant);
    match validation {
        Some(Validation::Classes { confusion, log_loss, brier, .. }) => {
            if unit == Unit::MeanCost {
                let percent = |x: f64| format!("{:.1} %", 100.0 * x);
                let error = Baseline::beside(validation, tree).get("error").unwrap_or(f64::NAN);
                add("error", percent(share_wrong(confusion)), percent(error));
            }
            add("log loss", output::significant(*log_loss), known(baseline.log_loss));
            add("Brier score", output::significant(*brier), known(baseline.brier));
        }
        Some(Validation::Numbers { mae, r2, .. }) => {
            add("MAE", output::significant(*mae), known(baseline.mae));
            if let Some(r2) = explained(*r2, estimate) {
                add("R²", format!("{r2:.3}"), "0".into());
            }
        }
        _ => {}
    }
    let mut rows = [head, own, constant];
    let room = terminal::here().width;
    let width = |rows: &[Vec<String>]| -> usize {
        let column = |i: usize| rows.iter().map(|row| row[i].width()).max().unwrap_or(0) + 2;
        (0..rows[0].len()).map(column).sum::<usize>().saturating_sub(2)
    };
    // A narrow terminal has the first columns, and the first of them shortened.
    while rows[0].len() > 2 && width(&rows) > room {
        rows.iter_mut().for_each(|row| row.truncate(row.len() - 1));
    }
    let names = 44.min(room.saturating_sub(width(&rows.clone().map(|row| row[1..].to_vec())) + 2));
    // What is too long for the table stands below it.
    let mut below = String::new();
    if rows[2][0].width() > names {
        rows[2][0] = "baseline".into();
        below = output::wrapped(&format!("baseline: {}", baseline.words(unit)), room, 2) + "\n";
    }
    let mut align = vec![Align::Left];
    align.extend(vec![Align::Right; rows[0].len() - 1]);
    table(&align, names, &rows) + &below
}

/// The share of the rows of a confusion matrix that are off its diagonal.
fn share_wrong(confusion: &[Vec<f64>]) -> f64 {
    let all: f64 = confusion.iter().flatten().sum();
    1.0 - confusion.iter().enumerate().map(|(class, row)| row[class]).sum::<f64>() / all
}

/// How the error was estimated, and what the adjustment for the choice added.
pub fn method(estimate: &Estimate, unit: Unit) -> String {
    match estimate.bias_correction {
        Some(_) => format!("{} ({})", estimate.method, unit.adjustment(estimate)),
        None => estimate.method.clone(),
    }
}

/// Whether neither the error nor the log loss (of numbers: the error alone) is better than that of the baseline.
pub fn is_no_better(estimate: &Estimate, validation: Option<&Validation>, tree: &Tree) -> bool {
    let baseline = BaselineSummary::of(validation, tree);
    let better = |own: f64, constant: f64| own < constant * (1.0 - 1e-12);
    let log_loss = match validation {
        Some(Validation::Classes { log_loss, .. }) => Some(*log_loss),
        _ => None,
    };
    !better(estimate.error, baseline.error)
        && log_loss.zip(baseline.log_loss).is_none_or(|(own, constant)| !better(own, constant))
}

/// The confusion matrix of the rows that judged the tree: a line for each actual class, a column for each predicted one. Nothing where it is not
/// known.
pub fn confusion(validation: Option<&Validation>, tree: &Tree) -> String {
    let (Some(Validation::Classes { confusion: counts, by, .. }), classes) =
        (validation, tree.schema().target.classes())
    else {
        return String::new();
    };
    const CORNER: &str = "actual \\ predicted";
    let fits = |names: &Vec<String>| {
        let widest = names.iter().map(|name| name.width()).max().unwrap_or(0).max(CORNER.len());
        let columns = names.iter().map(|name| name.width().max(6) + 2);
        widest + columns.sum::<usize>() <= terminal::here().width
    };
    // Names that are too long stand below under numbers.
    let whole: Vec<String> = classes.iter().map(|class| safe(class)).collect();
    let numbers: Vec<String> = (1..=classes.len()).map(|number| format!("({number})")).collect();
    let Some(names) = [&whole, &numbers].into_iter().find(|names| fits(names)) else {
        let text = format!("Confusion matrix ({by}): {} classes; --json has it.", classes.len());
        return format!("\n{}\n", output::wrapped(&text, terminal::here().width, 0));
    };
    let head = std::iter::once(CORNER.to_string()).chain(names.iter().cloned()).collect();
    let row = |(class, counts): (&String, &Vec<f64>)| {
        std::iter::once(class.clone()).chain(counts.iter().map(|n| output::number(*n))).collect()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(names.iter().zip(counts).map(row)).collect();
    let mut align = vec![Align::Left];
    align.extend(vec![Align::Right; classes.len()]);
    let caption = output::wrapped(&format!("Confusion matrix ({by}):"), terminal::here().width, 0);
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
