//! A tree of one leaf: that it is one, and what the next larger trees would give.

use secateur::fit::{Step, TreePath};
use secateur::tree::{Size, Tree};
use serde::Serialize;

use crate::estimate::Unit;
use crate::output;
use crate::terminal;

/// The larger trees that are shown, at most.
const MOST: usize = 3;

/// A member of a path as JSON.
#[derive(Serialize)]
pub struct StepSummary {
    parameter: f64,
    leaves: usize,
    nodes: usize,
    training_error: f64,
    cv_error: Option<f64>,
    cv_se: Option<f64>,
}

impl StepSummary {
    /// What there is to say of a member.
    pub fn of(step: &Step) -> Self {
        Self {
            parameter: step.parameter,
            leaves: step.leaves,
            nodes: step.nodes,
            training_error: step.training_error,
            cv_error: step.validated.map(|v| v.0),
            cv_se: step.validated.map(|v| v.1),
        }
    }
}

/// The next larger members of a path, the smallest first and one of each size.
fn next_larger(path: &TreePath) -> Vec<&Step> {
    let mut next: Vec<&Step> = path.steps.iter().filter(|step| step.leaves > 1).collect();
    next.sort_by_key(|step| step.leaves);
    next.dedup_by_key(|step| step.leaves);
    next.truncate(MOST);
    next
}

/// The paths that larger trees than one leaf are taken from.
#[derive(Clone, Copy)]
pub struct Larger<'a> {
    /// That of the pruner.
    pub own: Option<&'a TreePath>,
    /// Where it has none: cost-complexity over the same trees.
    pub instead: Option<&'a TreePath>,
}

/// The next larger members where the tree is one leaf, as JSON; nothing for other trees.
pub fn as_json(tree: &Tree, larger: Larger) -> Option<Vec<StepSummary>> {
    let next = || larger.own.or(larger.instead).map_or(Vec::new(), next_larger);
    tree.is_leaf(0).then(|| next().into_iter().map(StepSummary::of).collect())
}

/// What a tree of one leaf means, in words; nothing for other trees. `full` is the tree before pruning.
pub fn in_words(tree: &Tree, full: Size, larger: Larger) -> String {
    if !tree.is_leaf(0) {
        return String::new();
    }
    let path = larger.own.or(larger.instead);
    let unit = Unit::of(tree);
    let told = |step: &Step| {
        let error = match step.validated {
            Some((error, se)) => unit.cell_with_se(error, se),
            None => unit.cell(step.training_error),
        };
        format!("{} {}", output::count(step.leaves as u64, "leaf", "leaves"), unit.words(&error))
    };
    let next: Vec<String> = path.map_or(Vec::new(), next_larger).into_iter().map(told).collect();
    let text = match path {
        _ if full.leaves <= 1 => "No split was found: all rows look alike.".to_string(),
        Some(path) if !next.is_empty() && larger.own.is_none() => {
            let by = if path.steps.iter().any(|step| step.validated.is_some()) {
                ""
            } else {
                " (training errors)"
            };
            format!(
                "Every split was pruned away: one answer for all rows. The next larger trees by cost-complexity{by}: {}. \
                 `secateur path` shows all of such trees.",
                next.join("; ")
            )
        }
        Some(path) if !next.is_empty() => {
            let best = best(path).map(|best| {
                format!(
                    "One answer for all rows is near enough to the best tree, which has {}, for the rule that chose it.",
                    told(best)
                )
            });
            let none = || "No tree was found to be better than one answer for all rows.".to_string();
            let first = best.unwrap_or_else(none);
            format!("{first} The next larger ones: {}. `secateur path` shows all.", next.join("; "))
        }
        _ => {
            let leaves = output::count(full.leaves, "leaf", "leaves");
            format!(
                "Every split was pruned away: one answer for all rows. A scheme without a pruner keeps the full tree of {leaves}."
            )
        }
    };
    format!("\n{}\n", output::wrapped(&text, terminal::here().width, 0))
}

/// The member with the least error, where that is less than the error of the root.
fn best(path: &TreePath) -> Option<&Step> {
    let error = |step: &Step| step.validated.map_or(f64::INFINITY, |(error, _)| error);
    let best =
        path.steps.iter().min_by(|a, b| error(a).total_cmp(&error(b)).then(a.leaves.cmp(&b.leaves)))?;
    let root = path.steps.iter().find(|step| step.leaves == 1).map(error)?;
    (best.leaves > 1 && error(best) < root * (1.0 - 1e-12)).then_some(best)
}
