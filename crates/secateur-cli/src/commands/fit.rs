//! `secateur fit`: grow a tree, print it, save it.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use secateur::data::CodedTable;
use secateur::grow::grow;
use secateur::report::{TextOptions, text};
use secateur::scheme::Scheme;
use secateur::tree::{Model, ModelInfo, Size, Target};
use serde::Serialize;

use crate::args::{Output, Parts, Threads, check_place};
use crate::failure::{Hint, Result};
use crate::output;
use crate::progress::Bars;

/// Grow a tree from data, print it, save it
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur fit builtin:iris
  secateur fit train.csv --target price -o model.json
  secateur fit train.parquet --scheme c45:min-leaf=5 --ignore id,date
  zcat big.csv.gz | secateur fit - --scheme best-first:max-leaves=20 --json

`secateur schemes` lists all learners and their options.")]
pub struct Fit {
    /// .arff, .csv, .tsv or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: String,
    /// The way to learn: LEARNER[:option=value,...]
    #[arg(long, short, default_value = "cart")]
    scheme: String,
    /// Save the tree here
    #[arg(long, short, value_name = "MODEL.json")]
    output: Option<PathBuf>,
    /// Leave out rows without a target instead of refusing them
    #[arg(long)]
    drop_missing_target: bool,
    /// The seed of everything random; it is recorded in the model
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    threads: Threads,
}

/// How to see what the printed tree leaves out.
const SHOW_MORE: &str = "save it with -o and use `secateur show --all`";

/// What `fit --json` prints.
#[derive(Serialize)]
struct Told<'a> {
    scheme: String,
    data: &'a str,
    rows: u64,
    target: &'a Target,
    full: Size,
    tree: Grown,
    /// Nothing estimates the error of new rows yet.
    estimate: Option<Estimate>,
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
struct Estimate {
    error: f64,
    se: f64,
    method: String,
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
        const HINT: &str = "`secateur schemes` lists all learners and their options";
        let scheme: Scheme = self.scheme.parse().hint(HINT)?;
        if let Some(regression) = self.parts.regression() {
            scheme.check(regression).hint(HINT)?;
        }
        check_place(self.output.as_ref())?;
        self.threads.start()?;

        let bars = Bars::new(how.quiet);
        let begun = Instant::now();
        let table = self.parts.load(&self.data, &bars)?;
        let coded = CodedTable::new(&table, &self.parts.roles(self.drop_missing_target))?;
        drop(table);
        let load = begun.elapsed().as_secs_f64();

        let begun = Instant::now();
        let spec = scheme.grow_spec(coded.classes() == 0).hint(HINT)?;
        let tree = grow(&coded, &spec, &bars)?;
        let grow = begun.elapsed().as_secs_f64();
        drop(bars);

        let full = tree.size();
        let about = ModelInfo {
            data: coded.name().into(),
            rows: tree.node(0).rows,
            seed: self.seed,
            full,
            ..ModelInfo::default()
        };
        let model = Model { tree, scheme: scheme.to_string(), about };
        if let Some(path) = &self.output {
            model.save(path)?;
        }
        let seconds = Seconds { load, grow, prune: 0.0 };
        if how.json {
            output::json(&Told {
                scheme: model.scheme.clone(),
                data: coded.name(),
                rows: model.about.rows,
                target: &model.tree.schema().target,
                full,
                tree: Grown { size: full, training_error: model.tree.training_error() },
                estimate: None,
                seconds,
                model: self.output.as_ref().map(|path| path.display().to_string()),
            })?;
        } else {
            let options = TextOptions { hint: SHOW_MORE.into(), ..TextOptions::default() };
            let (summary, tree) = (summary(&model, &seconds), text(&model.tree, options));
            output::stream(|out| write!(out, "{summary}\n{tree}"))?;
            if let Some(path) = &self.output {
                how.note(&format!("the model is in {}", path.display()));
            }
        }
        Ok(())
    }
}

/// A few lines on the data and the scheme; the printed tree begins with its own size and training error.
fn summary(model: &Model, seconds: &Seconds) -> String {
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
    let lines = [
        ("data", format!("{}: {rows}, {attributes}, target {target}", output::plain(&model.about.data))),
        ("scheme", model.scheme.clone()),
        ("time", format!("load {:.2} s, grow {:.2} s", seconds.load, seconds.grow)),
    ];
    lines.iter().map(|(name, text)| format!("{name:<8}{}\n", output::wrapped(text, 72, 8))).collect()
}
