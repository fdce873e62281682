//! `secateur path`: all the subtrees a pruner can cut a tree to, with their errors.

use clap::Args;
use secateur::fit::{PathReport, path_of};
use serde::Serialize;

use super::fit::{SCHEMES, default_scheme, parsed};
use crate::args::{Choosing, Output, Parts, Threads};
use crate::failure::{Hint, Result};
use crate::files::InFile;
use crate::output::{self, Align, table};
use crate::progress::Bars;

/// Show the whole pruning path: every size a tree can be cut to
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur path builtin:balance-scale --scheme cart:min-leaf=2/cost-complexity
  secateur path train.csv --scheme cart/k-norm --cv 10
  secateur path train.csv --scheme best-first/post --cv 5 --json

The scheme's pruner must have a path; `secateur schemes` tells which do.")]
pub struct Path {
    /// .arff, .csv, .tsv or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: InFile,
    /// LEARNER[:option=value,...]/PRUNER[:option=value,...] [default: cart/cost-complexity:cv=10,1se]
    #[arg(long, short)]
    scheme: Option<String>,
    /// Folds to validate every member with; 0: none [default: the scheme's, else none]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    cv: Option<usize>,
    /// Leave out rows without a target instead of refusing them
    #[arg(long)]
    drop_missing_target: bool,
    #[command(flatten)]
    choosing: Choosing,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    threads: Threads,
}

/// What `path --json` prints.
#[derive(Serialize)]
struct Summary {
    scheme: String,
    path: &'static str,
    parameter: &'static str,
    rows: u64,
    steps: Vec<StepSummary>,
    /// The step that the scheme takes.
    selected: Option<usize>,
}

#[derive(Serialize)]
struct StepSummary {
    parameter: f64,
    leaves: usize,
    nodes: usize,
    training_error: f64,
    cv_error: Option<f64>,
    cv_se: Option<f64>,
}

impl Path {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let given = parsed(self.scheme.as_deref(), &self.parts)?;
        self.threads.start()?;
        let bars = Bars::new(how.quiet);
        let data = self.parts.load(&self.data, &bars)?;
        let coded = self.choosing.coded(&data, &self.parts.roles(self.drop_missing_target), None)?;
        drop(data);
        let options = self.choosing.options(&coded)?;
        let scheme = given.map_or_else(|| default_scheme(coded.rows()), Ok)?;
        let report = path_of(&coded, &scheme, self.cv, &options, &bars).hint(SCHEMES)?;
        drop(bars);
        let id = scheme.pruner.as_ref().map_or("", |p| p.info().id);
        if how.json {
            let step = |s: &secateur::fit::Step| StepSummary {
                parameter: s.parameter,
                leaves: s.leaves,
                nodes: s.nodes,
                training_error: s.training_error,
                cv_error: s.validated.map(|v| v.0),
                cv_se: s.validated.map(|v| v.1),
            };
            output::json(&Summary {
                scheme: scheme.to_string(),
                path: id,
                parameter: report.parameter,
                rows: coded.rows() as u64,
                steps: report.steps.iter().map(step).collect(),
                selected: report.selected,
            })?;
        } else {
            output::text(&shown(&report))?;
        }
        Ok(())
    }
}

/// The path as a table with a small curve; a long path is thinned out.
fn shown(report: &PathReport) -> String {
    const MOST: usize = 60;
    let steps = &report.steps;
    let every = steps.len().div_ceil(MOST).max(1);
    let validated = steps.iter().any(|s| s.validated.is_some());
    let error = |s: &secateur::fit::Step| s.validated.map_or(s.training_error, |v| v.0);
    let largest = steps.iter().map(error).fold(0.0, f64::max);
    let mut head = vec![
        "".to_string(),
        report.parameter.into(),
        "leaves".into(),
        "nodes".into(),
        "training error".into(),
    ];
    if validated {
        head.push("validated error".into());
    }
    head.push("".into());
    let mut rows = vec![head];
    for (i, step) in steps.iter().enumerate() {
        if i % every != 0 && report.selected != Some(i) && i + 1 != steps.len() {
            continue;
        }
        let mark = if report.selected == Some(i) { "→" } else { "" };
        let mut row = vec![
            mark.to_string(),
            output::number(step.parameter),
            step.leaves.to_string(),
            step.nodes.to_string(),
            output::number(step.training_error),
        ];
        if validated {
            row.push(
                step.validated
                    .map_or("".into(), |(e, se)| format!("{} ± {}", output::number(e), output::number(se))),
            );
        }
        let length = if largest > 0.0 { (error(step) / largest * 12.0).round() as usize } else { 0 };
        row.push("▇".repeat(length));
        rows.push(row);
    }
    let mut align = vec![Align::Left];
    align.extend(vec![Align::Right; rows[0].len() - 2]);
    align.push(Align::Left);
    let mut out = table(&align, 24, &rows);
    if every > 1 {
        out += &format!("({} members; every {every}th is shown, --json has all)\n", steps.len());
    }
    out
}
