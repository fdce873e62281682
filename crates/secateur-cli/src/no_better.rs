//! Says when a fit found no tree that predicts better than the baseline, and what the next larger trees would give.

use secateur::fit::{Estimate, Step, TreePath, Validation};
use secateur::report::safe;
use secateur::scheme::Scheme;
use secateur::tree::{Model, Tree};
use serde::Serialize;

use crate::estimate::{self, BaselineSummary, Unit};
use crate::output;
use crate::terminal;

/// The larger trees that are shown, at most.
const MOST: usize = 3;

/// A pruned tree of a path as JSON.
#[derive(Serialize)]
pub struct StepSummary {
    parameter: f64,
    leaves: usize,
    nodes: usize,
    training_error: f64,
    cv_error: Option<f64>,
    cv_se: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cv_log_loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cv_brier: Option<f64>,
    /// The loss that the scheme chooses by, where it is not the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    cv_choice: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cv_choice_se: Option<f64>,
}

impl StepSummary {
    /// Sums up a pruned tree.
    pub fn of(step: &Step) -> Self {
        Self {
            parameter: step.parameter,
            leaves: step.leaves,
            nodes: step.nodes,
            training_error: step.training_error,
            cv_error: step.validated.map(|v| v.0),
            cv_se: step.validated.map(|v| v.1),
            cv_log_loss: step.log_loss,
            cv_brier: step.brier,
            cv_choice: step.counted.map(|v| v.0),
            cv_choice_se: step.counted.map(|v| v.1),
        }
    }
}

/// The next larger trees of a path than one leaf, the smallest first and one of each size.
fn next_larger(path: &TreePath) -> Vec<&Step> {
    let mut next: Vec<&Step> = path.steps.iter().filter(|step| step.leaves > 1).collect();
    next.sort_by_key(|step| step.leaves);
    next.dedup_by_key(|step| step.leaves);
    next.truncate(MOST);
    next
}

/// The paths that trees larger than one leaf are taken from.
#[derive(Clone, Copy)]
pub struct Larger<'a> {
    /// That of the pruner.
    pub own: Option<&'a TreePath>,
    /// Where it has none: cost-complexity over the same trees.
    pub instead: Option<&'a TreePath>,
}

/// The next larger trees where the tree is one leaf, as JSON; nothing for other trees.
pub fn as_json(tree: &Tree, larger: Larger) -> Option<Vec<StepSummary>> {
    let next = || larger.own.or(larger.instead).map_or(Vec::new(), next_larger);
    tree.is_leaf(0).then(|| next().into_iter().map(StepSummary::of).collect())
}

/// That the tree is no better than the baseline, or is a single leaf, and why; nothing for other trees.
pub fn in_words(model: &Model, told: (Option<&Estimate>, Option<&Validation>), larger: Larger) -> String {
    let tree = &model.tree;
    let text = match (tree.is_leaf(0), told) {
        (true, _) => single_leaf(model, larger),
        (false, (Some(estimate), validation)) if estimate::is_no_better(estimate, validation, tree) => {
            none(tree)
        }
        _ => return String::new(),
    };
    format!("\n{}\n", output::wrapped(&text, terminal::here().width, 0))
}

/// That no tree was found that is better than the baseline.
fn none(tree: &Tree) -> String {
    let baseline = BaselineSummary::of(None, tree).words(Unit::of(tree));
    match baseline.strip_prefix("always ") {
        Some(answer) => format!("No tree was found that predicts better than always answering {answer}."),
        None => "No tree was found that predicts better than the mean.".into(),
    }
}

/// What a tree of one leaf means.
fn single_leaf(model: &Model, larger: Larger) -> String {
    let tree = &model.tree;
    let unit = Unit::of(tree);
    if model.about.full.leaves <= 1 {
        return no_split(model);
    }
    let next = |path: &TreePath| {
        let list: Vec<String> = next_larger(path).into_iter().map(|step| told(step, unit)).collect();
        format!("The next larger trees: {}. `secateur path` shows every size.", list.join("; "))
    };
    match (larger.own, larger.instead) {
        (Some(path), _) if !next_larger(path).is_empty() => {
            let first = match best(path) {
                Some(best) => format!(
                    "The rule that chose the tree size prefers a single leaf; the best tree ({}) is not better by enough.",
                    told(best, unit)
                ),
                None => none(tree),
            };
            format!("{first} {}", next(path))
        }
        (_, Some(path)) if !next_larger(path).is_empty() => {
            let is_judged = path.steps.iter().any(|step| step.validated.is_some());
            let by = if is_judged { "" } else { " (training errors)" };
            let next = next(path).replacen("trees:", &format!("trees by cost-complexity pruning{by}:"), 1);
            format!("Every split was pruned: a single leaf is left. {next}")
        }
        _ => {
            let leaves = output::count(model.about.full.leaves, "leaf", "leaves");
            format!(
                "Every split was pruned: a single leaf is left. A scheme without a pruner keeps all {leaves}."
            )
        }
    }
}

/// A tree of a path with its error.
fn told(step: &Step, unit: Unit) -> String {
    let error = match step.validated {
        Some((error, se)) => unit.cell_with_se(error, se),
        None => unit.cell(step.training_error),
    };
    let log_loss =
        step.log_loss.map_or(String::new(), |loss| format!(", log loss {}", output::significant(loss)));
    format!("{}, {}{log_loss}", output::count(step.leaves as u64, "leaf", "leaves"), unit.words(&error))
}

/// The tree with the lowest loss, where that is lower than the loss of the root.
fn best(path: &TreePath) -> Option<&Step> {
    let loss = |step: &Step| step.counted.or(step.validated).map_or(f64::INFINITY, |(loss, _)| loss);
    let best = path.steps.iter().min_by(|a, b| loss(a).total_cmp(&loss(b)).then(a.leaves.cmp(&b.leaves)))?;
    let root = path.steps.iter().find(|step| step.leaves == 1).map(loss)?;
    (best.leaves > 1 && loss(best) < root * (1.0 - 1e-12)).then_some(best)
}

/// The options that keep a node from being split.
const LIMITS: [&str; 9] = [
    "min-leaf",
    "min-split",
    "min-gain",
    "max-depth",
    "max-leaves",
    "max-splits",
    "chi2",
    "stop-mse",
    "guards",
];

/// Why the root of a full tree was not split.
fn no_split(model: &Model) -> String {
    let tree = &model.tree;
    if tree.is_classifier() && tree.class_weights(0).iter().filter(|weight| **weight > 0.0).count() == 1 {
        let class = safe(&tree.schema().target.classes()[tree.label(0)]);
        return format!("There is nothing to split: all rows have the class \"{class}\".");
    }
    if !tree.is_classifier() && tree.error(0) == 0.0 {
        return "There is nothing to split: all rows have the same target value.".into();
    }
    let Ok(scheme) = model.scheme.parse::<Scheme>() else { return "No split was found.".into() };
    let limits: Vec<String> = scheme
        .learner
        .given()
        .iter()
        .filter(|(spec, _)| LIMITS.contains(&spec.name))
        .map(|(spec, value)| format!("{}={value}", spec.name))
        .collect();
    let rows = tree.node(0).rows;
    match scheme.grow_spec(tree.task()) {
        _ if !limits.is_empty() => {
            format!("No split was found within the limits of the scheme ({}).", limits.join(", "))
        }
        Ok(spec) if (rows as f64) < 2.0 * spec.min_leaf => format!(
            "No split was found: {} cannot be divided into leaves of at least {} (the option min-leaf).",
            output::count(rows, "row", "rows"),
            output::number(spec.min_leaf)
        ),
        _ => "No split was found: no feature separates the rows.".into(),
    }
}
