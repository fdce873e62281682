//! `secateur path`: all the subtrees a pruner can cut a tree to, with their errors.

use clap::Args;
use secateur::drawing::{Arimo, Drawing};
use secateur::fit::{TreePath, path_of};
use secateur::picture::{CurveOptions, curve};
use secateur::scheme::Scheme;
use serde::Serialize;

use crate::args::{Choosing, Output, ReadTable, RoleArgs, Threads};
use crate::estimate::{BaselineSummary, Unit};
use crate::failure::{Failure, Hint, Result};
use crate::files::{InFile, OutFile};
use crate::no_better::StepSummary;
use crate::output::{self, Align, table};
use crate::pictures::{self, PictureKind};
use crate::progress::Bars;
use crate::scheme_args::{SCHEMES, SchemeArgs};
use crate::tables::NoteSummary;

/// Show the whole pruning path: every size a tree can be cut to
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur path builtin:balance-scale --scheme cart:min-leaf=2/cost-complexity
  secateur path train.csv --scheme cart/k-norm --cv 10
  secateur path train.csv --scheme best-first/post --cv 5 --json
  secateur path train.csv --cv 10 -o curve.svg          a picture; also curve.png

The scheme's pruner must have a path; `secateur schemes` tells which do. Of a
long path the small trees are shown and larger ones in growing steps.")]
pub struct Path {
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: InFile,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Folds to validate every member with; 0: none [default: the scheme's, else none]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    cv: Option<usize>,
    /// Show every tree of a long path
    #[arg(long)]
    all: bool,
    /// Draw the curve of errors to this file: .svg or .png
    #[arg(long, short, value_name = "FILE")]
    output: Option<OutFile>,
    /// Leave out rows without a target instead of refusing them
    #[arg(long)]
    drop_missing_target: bool,
    #[command(flatten)]
    choosing: Choosing,
    #[command(flatten)]
    columns: RoleArgs,
    #[command(flatten)]
    threads: Threads,
}

/// Larger trees of a long path are shown when they have this many times the leaves of the last one.
const STEP: f64 = 1.2;

/// What `path --json` prints.
#[derive(Serialize)]
struct Summary {
    scheme: String,
    path: &'static str,
    parameter: &'static str,
    rows: u64,
    steps: Vec<StepSummary>,
    /// The step that `fit` returns.
    selected: Option<usize>,
    notes: Vec<NoteSummary>,
}

impl Path {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let picture = self.output.as_ref().map(kind).transpose()?;
        let given = self.scheme.given(&self.columns)?;
        self.threads.start();
        let bars = Bars::new(how.quiet);
        let ReadTable { table: data, notes, .. } = self.columns.load(&self.data, &bars)?;
        let coded = self.choosing.coded(&data, &self.columns.roles(self.drop_missing_target), None)?;
        drop(data);
        let options = self.choosing.options(&coded)?;
        let scheme = self.scheme.or_else(given, || Scheme::default_for(coded.task(), coded.rows()))?;
        let report = path_of(&coded, &scheme, self.cv, &options, &bars).hint(SCHEMES)?;
        drop(bars);
        let id = scheme.pruner.as_ref().map_or("", |p| p.info().id);
        let unit = Unit::new(coded.task(), options.costs.is_some());
        if let (Some(file), Some(kind)) = (&self.output, picture) {
            let drawing = self.drawing(&report, &scheme.to_string(), unit);
            pictures::write(&drawing, kind, Some(file), how)?;
        }
        if how.json {
            output::json(&Summary {
                scheme: scheme.to_string(),
                path: id,
                parameter: report.parameter,
                rows: coded.rows() as u64,
                steps: report.steps.iter().map(StepSummary::of).collect(),
                selected: report.selected,
                notes,
            })?;
        } else {
            let shown = Shown { report: &report, unit, all: self.all };
            output::text(&format!("{}\n{}", self.head(&report, &scheme, unit), shown.text()))?;
        }
        Ok(())
    }
}

impl Path {
    /// The scheme, and the baseline.
    fn head(&self, report: &TreePath, scheme: &Scheme, unit: Unit) -> String {
        let baseline = BaselineSummary::of(None, report.full());
        let mut constant = format!("{} ({})", unit.words(&unit.cell(baseline.error)), baseline.words(unit));
        if let Some(log_loss) = baseline.log_loss {
            constant += &format!(", log loss {}", output::significant(log_loss));
        }
        output::facts(&[("scheme", scheme.to_string()), ("baseline", constant)])
    }

    /// The curve as a picture.
    fn drawing(&self, report: &TreePath, scheme: &str, unit: Unit) -> Drawing {
        let mut report = report.clone();
        let (error, percent) = match unit {
            Unit::ErrorRate => ("error rate", true),
            Unit::MeanCost => ("mean cost", false),
            Unit::Mse => {
                for step in &mut report.steps {
                    step.training_error = step.training_error.sqrt();
                    step.validated = step.validated.map(root);
                }
                ("RMSE", false)
            }
        };
        let data = self.data.rsplit(['/', '\\']).next().unwrap_or_default();
        let title = format!("{data}: {scheme}");
        curve(&report, &CurveOptions { title, error: error.into(), percent }, &Arimo::new())
    }
}

/// The format of the picture, by the file's extension.
fn kind(file: &OutFile) -> Result<PictureKind> {
    PictureKind::of(file).ok_or_else(|| {
        Failure::call(format!(
            "-o {file}: a curve is drawn as .svg or .png; name a file that ends in one of these"
        ))
    })
}

/// The root of a mean squared error, with its standard error.
fn root((error, se): (f64, f64)) -> (f64, f64) {
    let root = error.sqrt();
    (root, if root > 0.0 { se / (2.0 * root) } else { 0.0 })
}

/// How the members of a path are shown.
struct Shown<'a> {
    report: &'a TreePath,
    unit: Unit,
    all: bool,
}

impl Shown<'_> {
    /// The error that counts: validated where that is known.
    fn error(&self, place: usize) -> f64 {
        let step = &self.report.steps[place];
        step.validated.map_or(step.training_error, |v| v.0)
    }

    /// The member with the lowest validated error, the smallest of equal ones.
    fn lowest(&self) -> Option<usize> {
        let steps = &self.report.steps;
        let known = (0..steps.len()).filter(|&i| steps[i].validated.is_some());
        known.min_by(|&a, &b| {
            self.error(a).total_cmp(&self.error(b)).then(steps[a].leaves.cmp(&steps[b].leaves))
        })
    }

    /// The places of the members that are shown: the small trees, larger ones in steps of a tenth and more, and those that
    /// have a mark.
    fn places(&self) -> Vec<usize> {
        const SMALL: usize = 20;
        let steps = &self.report.steps;
        let marked = [self.report.selected, self.lowest(), Some(0)];
        let (mut places, mut last) = (Vec::new(), 0);
        for (place, step) in steps.iter().enumerate().rev() {
            let is_next = step.leaves <= SMALL || step.leaves as f64 >= STEP * last as f64;
            if self.all || is_next || marked.contains(&Some(place)) {
                places.push(place);
                last = step.leaves;
            }
        }
        places.reverse();
        places
    }

    fn head(&self, validated: bool, has_log_loss: bool) -> Vec<String> {
        let error = self.unit.column();
        let mut head = vec!["".to_string(), self.report.parameter.into(), "leaves".into()];
        head.push(format!("training {error}"));
        if validated {
            head.push(format!("CV {error}"));
        }
        if has_log_loss {
            head.push("log loss".into());
        }
        head.push("".into());
        head
    }

    /// The path as a table with a small curve, and the meaning of its marks.
    fn text(&self) -> String {
        let TreePath { steps, selected, .. } = self.report;
        let validated = steps.iter().any(|step| step.validated.is_some());
        let has_log_loss = steps.iter().any(|step| step.log_loss.is_some());
        let largest = (0..steps.len()).map(|place| self.error(place)).fold(0.0, f64::max);
        let (places, lowest) = (self.places(), self.lowest());
        let mut rows = vec![self.head(validated, has_log_loss)];
        for &place in &places {
            let step = &steps[place];
            let chosen = if *selected == Some(place) { "→" } else { "" };
            let best = if lowest == Some(place) { "*" } else { "" };
            let mut row = vec![
                format!("{chosen}{best}"),
                output::number(step.parameter),
                output::thousands(step.leaves as u64),
                self.unit.cell(step.training_error),
            ];
            if validated {
                row.push(step.validated.map_or("".into(), |(e, se)| self.unit.cell_with_se(e, se)));
            }
            if has_log_loss {
                row.push(step.log_loss.map_or("".into(), output::significant));
            }
            let length =
                if largest > 0.0 { (self.error(place) / largest * 12.0).round() as usize } else { 0 };
            row.push("▇".repeat(length));
            rows.push(row);
        }
        let mut align = vec![Align::Left];
        align.extend(vec![Align::Right; rows[0].len() - 2]);
        align.push(Align::Left);
        table(&align, 24, &rows) + &self.legend(places.len())
    }

    fn legend(&self, shown: usize) -> String {
        let mut notes = Vec::new();
        if self.report.selected.is_some() {
            notes.push("→ the tree that `fit` returns".to_string());
        }
        if self.lowest().is_some() {
            notes.push(format!("* the lowest cross-validated {}", self.unit.column()));
        }
        let members = self.report.steps.len();
        if shown < members {
            let (shown, all) = (output::thousands(shown as u64), output::thousands(members as u64));
            notes.push(format!("{shown} of {all} trees are shown; --all shows every one"));
        }
        if notes.is_empty() { String::new() } else { format!("\n{}\n", notes.join("\n")) }
    }
}
