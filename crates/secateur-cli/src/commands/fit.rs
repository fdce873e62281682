//! `secateur fit`: grow a tree, print it, save it.

use std::time::Instant;

use clap::Args;
use secateur::fit::{Estimate, Fitted, fit};
use secateur::prune::k_norm::{Reliability, model_reliability};
use secateur::report::{TextOptions, text};
use secateur::schema::Target;
use secateur::scheme::Scheme;
use secateur::tree::{Model, ModelInfo, Size};
use serde::Serialize;

use crate::args::{Choosing, Output, Parts, Threads};
use crate::failure::{Hint, Result};
use crate::files::{InFile, OutFile};
use crate::output;
use crate::progress::Bars;

/// Grow a tree from data, prune it, print it, save it
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur fit builtin:iris
  secateur fit train.csv --target price -o model.json
  secateur fit credit.csv --scheme cart/k-norm:k=2 --costs costs.csv
  secateur fit train.parquet --scheme c45:min-leaf=5 --ignore id,date
  zcat big.csv.gz | secateur fit - --scheme best-first:max-leaves=20 --json

`secateur schemes` lists all learners and pruners with their options.")]
pub struct Fit {
    /// .arff, .csv, .tsv or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: InFile,
    /// LEARNER[:option=value,...][/PRUNER[:option=value,...]] [default: cart/cost-complexity:cv=10,1se]
    #[arg(long, short)]
    scheme: Option<String>,
    /// Save the tree here
    #[arg(long, short, value_name = "MODEL.json")]
    output: Option<OutFile>,
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

/// The scheme when none is named: CART's own pruning, the smallest tree within one standard error of the best. A table of
/// fewer than ten rows has a fold for every row, and a single row nothing to prune by.
pub fn default_scheme(rows: usize) -> secateur::Result<Scheme> {
    match rows {
        0 | 1 => "cart".parse(),
        _ => format!("cart/cost-complexity:cv={},1se", rows.min(10)).parse(),
    }
}

/// How to see what the printed tree leaves out.
const SHOW_MORE: &str = "save it with -o and use `secateur show --all`";

/// What `fit --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    scheme: String,
    data: &'a str,
    rows: u64,
    target: &'a Target,
    full: Size,
    tree: Grown,
    /// The error to expect on new rows, where the scheme measures it.
    estimate: Option<EstimateSummary>,
    /// The error rate that the training counts alone suggest (Zhong 4.5); classes without costs.
    reliability: Option<Reliability>,
    seconds: Seconds,
    model: Option<String>,
}

#[derive(Serialize)]
struct Grown {
    #[serde(flatten)]
    size: Size,
    training_error: f64,
}

#[derive(Serialize)]
pub struct EstimateSummary {
    error: f64,
    se: f64,
    method: String,
}

impl EstimateSummary {
    /// The estimate as it is told.
    pub fn of(estimate: &Estimate) -> Self {
        Self { error: estimate.error, se: estimate.se, method: estimate.method.clone() }
    }
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    grow: f64,
    prune: f64,
}

impl Fit {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let given = parsed(self.scheme.as_deref(), &self.parts)?;
        self.threads.start()?;

        let bars = Bars::new(how.quiet);
        let begun = Instant::now();
        let table = self.parts.load(&self.data, &bars)?;
        let coded =
            self.choosing.coded(&table, &self.parts.roles(self.drop_missing_target), given.as_ref())?;
        drop(table);
        let load = begun.elapsed().as_secs_f64();
        let options = self.choosing.options(&coded)?;
        let scheme = given.map_or_else(|| default_scheme(coded.rows()), Ok)?;
        let Fitted { tree, full, estimate, seconds: (grow, prune), .. } =
            fit(&coded, &scheme, &options, &bars).hint(SCHEMES)?;
        drop(bars);

        let about = ModelInfo {
            data: coded.name().into(),
            rows: tree.node(0).rows,
            seed: options.seed,
            full,
            ..ModelInfo::default()
        };
        let model = Model { tree, scheme: scheme.to_string(), about };
        if let Some(file) = &self.output {
            file.save(&model)?;
        }
        let seconds = Seconds { load, grow, prune };
        if how.json {
            output::json(&Summary {
                scheme: model.scheme.clone(),
                data: coded.name(),
                rows: model.about.rows,
                target: &model.tree.schema().target,
                full,
                tree: Grown { size: model.tree.size(), training_error: model.tree.training_error() },
                estimate: estimate.as_ref().map(EstimateSummary::of),
                reliability: model_reliability(&model),
                seconds,
                model: self.output.as_ref().map(ToString::to_string),
            })?;
        } else {
            let options = TextOptions { hint: SHOW_MORE.into(), ..TextOptions::default() };
            let (summary, tree) = (summary(&model, estimate.as_ref(), &seconds), text(&model.tree, options));
            output::stream(|out| write!(out, "{summary}\n{tree}"))?;
            if let Some(file) = &self.output {
                how.note(&format!("the model is in {file}"));
            }
        }
        Ok(())
    }
}

/// Where to look for schemes.
pub const SCHEMES: &str = "`secateur schemes` lists all learners and pruners with their options";

/// A scheme as given, checked as far as the call allows.
pub fn parsed(text: Option<&str>, parts: &Parts) -> Result<Option<Scheme>> {
    let Some(text) = text else { return Ok(None) };
    let scheme: Scheme = text.parse().hint(SCHEMES)?;
    if let Some(task) = parts.task() {
        scheme.check(task).hint(SCHEMES)?;
    }
    Ok(Some(scheme))
}

/// The error to expect, in words.
fn in_words(estimate: &Estimate, classes: bool) -> String {
    let (error, se) = (estimate.error, estimate.se);
    let numbers = match classes {
        true => format!("{:.1} % ± {:.1}", 100.0 * error, 100.0 * se),
        false => format!("{} ± {}", output::number(error), output::number(se)),
    };
    format!("about {numbers} on new rows, by {}", estimate.method)
}

/// A few lines on the data and the scheme; the printed tree begins with its own size and training error.
fn summary(model: &Model, estimate: Option<&Estimate>, seconds: &Seconds) -> String {
    let schema = model.tree.schema();
    let attributes = output::count(schema.attributes.len() as u64, "attribute", "attributes");
    let target = output::shortened(schema.target.name(), 30);
    let target = match &schema.target {
        Target::Classes { classes, .. } => {
            format!("{target} ({})", output::count(classes.len() as u64, "class", "classes"))
        }
        Target::Number { .. } => format!("{target} (numbers)"),
    };
    let rows = output::count(model.about.rows, "row", "rows");
    let mut lines = vec![
        ("data", format!("{}: {rows}, {attributes}, target {target}", output::plain(&model.about.data))),
        ("scheme", model.scheme.clone()),
        (
            "time",
            format!("load {:.2} s, grow {:.2} s, prune {:.2} s", seconds.load, seconds.grow, seconds.prune),
        ),
    ];
    let full = model.about.full;
    if full != model.tree.size() {
        let leaves = output::count(full.leaves, "leaf", "leaves");
        lines.insert(2, ("full", format!("{leaves}, depth {} before pruning", full.depth)));
    }
    if let Some(estimate) = estimate {
        // Costs are not shares of rows.
        let shares = model.tree.is_classifier() && model.tree.costs().is_none();
        lines.push(("error", in_words(estimate, shares)));
    }
    let mut summary: String =
        lines.iter().map(|(name, text)| format!("{name:<8}{}\n", output::wrapped(text, 72, 8))).collect();
    if let Some(reliability) = model_reliability(model) {
        summary += &output::sure(&reliability, 80, false);
    }
    summary
}
