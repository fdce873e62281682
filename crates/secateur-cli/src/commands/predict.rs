//! `secateur predict`: what a saved tree says of the rows of a table.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use secateur::tree::{Predictions, Predictor, Smoothing, Target};
use serde::Serialize;

use crate::args::{Output, Threads, Types, check_place, load_model};
use crate::failure::Result;
use crate::output;
use crate::progress::Bars;

/// Predict the rows of a table with a saved tree
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur predict model.json new.csv
  secateur predict model.json new.parquet -o predictions.csv --laplace
  secateur predict model.json test.arff --json    the accuracy, if the target is there

The CSV has a line per row: its number, the prediction, and for classes the
probability of each. A value the tree has never seen is treated as missing.")]
pub struct Predict {
    /// A file that `secateur fit -o` has written
    model: PathBuf,
    /// .arff, .csv, .tsv or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: String,
    /// Write the predictions here [default: standard output]
    #[arg(long, short, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// Smooth the class probabilities: (n + 1) / (N + classes)
    #[arg(long)]
    laplace: bool,
    #[command(flatten)]
    types: Types,
    #[command(flatten)]
    threads: Threads,
}

/// What `predict --json` prints.
#[derive(Serialize)]
struct Told<'a> {
    model: String,
    scheme: &'a str,
    data: &'a str,
    rows: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mse: Option<f64>,
    /// The rows that have a target: those the accuracy or the error is of.
    scored: usize,
    unseen: Vec<Unseen<'a>>,
    output: Option<String>,
}

#[derive(Serialize)]
struct Unseen<'a> {
    attribute: &'a str,
    value: &'a str,
    rows: usize,
}

/// Notes on single unseen values, at most; more are summed up.
const MOST_NOTES: usize = 5;

impl Predict {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        check_place(self.output.as_ref())?;
        self.threads.start()?;
        let model = load_model(&self.model)?;
        if self.laplace && !model.tree.is_classifier() {
            return Err(crate::failure::Failure::call(
                "--laplace is for trees that predict classes, and this one predicts numbers; leave it out",
            ));
        }
        let bars = Bars::new(how.quiet);
        let table = self.types.load_for(&self.data, &model, &bars)?;
        let predictor = Predictor::bind(&model.tree, &table)?;
        let smoothing = if self.laplace { Smoothing::Laplace } else { Smoothing::Raw };
        let predictions = predictor.predict(smoothing);
        drop(bars);

        let score = match predictor.target() {
            None => None,
            Some(_) if model.tree.is_classifier() => Some(predictor.accuracy(&predictions)?),
            Some(_) => Some(predictor.mse(&predictions)?),
        };
        let target = &model.tree.schema().target;
        if let Some(path) = &self.output {
            secateur::write::atomically(path, |out| write_csv(out, target, table.rows(), &predictions))?;
        } else if !how.json {
            output::stream(|out| write_csv(out, target, table.rows(), &predictions))?;
        }

        let unseen = predictor.unseen();
        for unseen in unseen.iter().take(MOST_NOTES) {
            how.note(&format!(
                "{} of {} is not known to the tree and counts as missing ({})",
                secateur::error::shown(&unseen.value),
                secateur::error::shown(&unseen.attribute),
                output::count(unseen.rows as u64, "row", "rows"),
            ));
        }
        if unseen.len() > MOST_NOTES {
            let rest = &unseen[MOST_NOTES..];
            let rows: usize = rest.iter().map(|u| u.rows).sum();
            how.note(&format!(
                "{} more unknown values count as missing ({})",
                output::thousands(rest.len() as u64),
                output::count(rows as u64, "cell", "cells"),
            ));
        }
        let mean = score.and_then(|score| score.mean);
        let scored = score.map_or(0, |score| score.rows);
        let (accuracy, mse) = if model.tree.is_classifier() { (mean, None) } else { (None, mean) };
        if how.json {
            output::json(&Told {
                model: self.model.display().to_string(),
                scheme: &model.scheme,
                data: table.name(),
                rows: table.rows(),
                accuracy,
                mse,
                scored,
                unseen: unseen
                    .iter()
                    .map(|u| Unseen { attribute: &u.attribute, value: &u.value, rows: u.rows })
                    .collect(),
                output: self.output.as_ref().map(|path| path.display().to_string()),
            })?;
            return Ok(());
        }
        let rows = output::count(scored as u64, "row", "rows");
        if let Some(accuracy) = accuracy {
            how.note(&format!("accuracy {:.2} % of {rows} with a target", 100.0 * accuracy));
        }
        if let Some(mse) = mse {
            how.note(&format!("mean squared error {} on {rows} with a target", output::number(mse)));
        }
        Ok(())
    }
}

/// `row,prediction`, and for classes a column of probabilities for each.
fn write_csv(out: &mut dyn Write, target: &Target, rows: usize, predictions: &Predictions) -> io::Result<()> {
    let classes = target.classes();
    let mut csv = csv::Writer::from_writer(out);
    let probabilities = classes.iter().map(|class| format!("p({class})"));
    csv.write_record(["row".into(), "prediction".into()].into_iter().chain(probabilities))?;
    for row in 0..rows {
        csv.write_field((row + 1).to_string())?;
        if classes.is_empty() {
            csv.write_field(predictions.values[row].to_string())?;
        } else {
            csv.write_field(&classes[predictions.labels[row] as usize])?;
            for p in &predictions.probabilities[row * classes.len()..(row + 1) * classes.len()] {
                csv.write_field(p.to_string())?;
            }
        }
        csv.write_record(None::<&[u8]>)?;
    }
    csv.flush()
}
