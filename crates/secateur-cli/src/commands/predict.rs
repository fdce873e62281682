//! `secateur predict`: what a saved tree says of the rows of a table.

use std::io::{self, Write};

use clap::Args;
use secateur::predict::{Predictions, Predictor, Smoothing};
use secateur::prune::k_norm::{KNorm, Reliability, rows_reliability};
use secateur::schema::Target;
use secateur::tree::Model;
use serde::Serialize;

use crate::args::{Output, Threads, Types, load_model};
use crate::failure::{Failure, Result};
use crate::files::{InFile, InModel, OutFile};
use crate::output;
use crate::progress::Bars;

/// Predict the rows of a table with a saved tree
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur predict model.json new.csv
  secateur predict model.json new.parquet -o predictions.csv --laplace
  secateur predict model.json new.csv --reliability    how sure it is of each
  secateur predict model.json test.arff --json    the accuracy, if the target is there

The CSV has a line per row: its number, the prediction, and for classes the
probability of each. A value the tree has never seen is treated as missing.
The prediction is the class with the largest of these probabilities, smoothed
ones with --laplace; with costs, the class that costs least by them.
--reliability adds what the training counts alone say of the error rate at the
leaf: its mean, its standard deviation, and both in one number, the 2-norm,
with the lambda and eta of `k-norm` the tree was pruned with, else the usual.")]
pub struct Predict {
    /// A file that `secateur fit -o` has written
    model: InModel,
    /// .arff, .csv, .tsv or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: InFile,
    /// Write the predictions here [default: standard output]
    #[arg(long, short, value_name = "OUT.csv")]
    output: Option<OutFile>,
    /// Smooth the class probabilities: (n + 1) / (N + classes)
    #[arg(long)]
    laplace: bool,
    /// Add columns on the expected error: error, error_sd, error_norm
    #[arg(long)]
    reliability: bool,
    #[command(flatten)]
    types: Types,
    #[command(flatten)]
    threads: Threads,
}

/// What `predict --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    model: String,
    scheme: &'a str,
    data: &'a str,
    rows: usize,
    #[serde(flatten)]
    scores: Scores,
    /// The mean of the rows' expected error rates, with `--reliability`.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_error: Option<f64>,
    /// The rows that have a target: those the accuracy or the error is of.
    scored: usize,
    unseen: Vec<Unseen<'a>>,
    output: Option<String>,
}

/// How right the predictions are, where the data have the target.
#[derive(Serialize, Clone, Copy, Default)]
struct Scores {
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    /// What the labels cost per row, when the tree was made with costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mse: Option<f64>,
    /// The rows that have a target.
    #[serde(skip)]
    rows: usize,
}

impl Scores {
    fn of(predictor: &Predictor, predictions: &Predictions) -> Result<Self> {
        let (mut scores, tree) = (Self::default(), predictor.tree());
        if predictor.target().is_none() {
            return Ok(scores);
        }
        if tree.is_classifier() {
            let score = predictor.accuracy(predictions)?;
            (scores.accuracy, scores.rows) = (score.mean, score.rows);
        } else {
            let score = predictor.mse(predictions)?;
            (scores.mse, scores.rows) = (score.mean, score.rows);
        }
        if tree.costs().is_some() {
            scores.mean_cost = predictor.mean_cost(predictions)?.mean;
        }
        Ok(scores)
    }

    fn note(&self, how: &Output) {
        let rows = output::count(self.rows as u64, "row", "rows");
        if let Some(accuracy) = self.accuracy {
            how.note(&format!("accuracy {:.2} % of {rows} with a target", 100.0 * accuracy));
        }
        if let Some(cost) = self.mean_cost {
            how.note(&format!("mean cost {} per row", output::number(cost)));
        }
        if let Some(mse) = self.mse {
            how.note(&format!("mean squared error {} on {rows} with a target", output::number(mse)));
        }
    }
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
        self.threads.start()?;
        let model = load_model(&self.model)?;
        self.check(&model)?;
        let bars = Bars::new(how.quiet);
        let table = self.types.load_for(&self.data, &model, &bars)?;
        let predictor = Predictor::bind(&model.tree, &table)?;
        let smoothing = if self.laplace { Smoothing::Laplace } else { Smoothing::Raw };
        let predictions = predictor.try_predict(smoothing)?;
        let reliability = self.reliability.then(|| rows_reliability(&predictor, &KNorm::of(&model.tree)));
        drop(bars);

        let scores = Scores::of(&predictor, &predictions)?;
        let target = &model.tree.schema().target;
        let write =
            |out: &mut dyn Write| write_csv(out, target, table.rows(), &predictions, reliability.as_deref());
        if let Some(file) = &self.output {
            file.write(write)?;
        } else if !how.json {
            output::stream(write)?;
        }

        note_unseen(predictor.unseen(), how);
        if !how.json {
            scores.note(how);
            return Ok(());
        }
        let unseen = predictor.unseen().iter();
        output::json(&Summary {
            model: self.model.display().to_string(),
            scheme: &model.scheme,
            data: table.name(),
            rows: table.rows(),
            scores,
            expected_error: reliability.as_deref().and_then(mean_error),
            scored: scores.rows,
            unseen: unseen
                .map(|u| Unseen { attribute: &u.attribute, value: &u.value, rows: u.rows })
                .collect(),
            output: self.output.as_ref().map(ToString::to_string),
        })?;
        Ok(())
    }

    /// Refuses options that are not for this model.
    fn check(&self, model: &Model) -> Result<()> {
        for (given, name) in [(self.laplace, "--laplace"), (self.reliability, "--reliability")] {
            if given && !model.tree.is_classifier() {
                return Err(Failure::call(format!(
                    "{name} is for trees that predict classes, and this one predicts numbers; leave it out"
                )));
            }
        }
        if self.reliability && model.tree.costs().is_some() {
            return Err(Failure::call(
                "--reliability is about the error rate, and this tree was made for the least cost; leave it out",
            ));
        }
        Ok(())
    }
}

/// Says which values of the data the tree does not know.
fn note_unseen(unseen: &[secateur::predict::Unseen], how: &Output) {
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
}

/// The mean of the expected error rates.
fn mean_error(rows: &[Reliability]) -> Option<f64> {
    let sum: f64 = rows.iter().map(|row| row.error).sum();
    (!rows.is_empty()).then(|| sum / rows.len() as f64)
}

/// `row,prediction`, and for classes a column of probabilities for each and perhaps three on the error.
fn write_csv(
    out: &mut dyn Write,
    target: &Target,
    rows: usize,
    predictions: &Predictions,
    reliability: Option<&[Reliability]>,
) -> io::Result<()> {
    let classes = target.classes();
    let mut csv = csv::Writer::from_writer(out);
    let probabilities = classes.iter().map(|class| format!("p({class})"));
    let errors: &[&str] = if reliability.is_some() { &["error", "error_sd", "error_norm"] } else { &[] };
    let head = ["row".into(), "prediction".into()].into_iter().chain(probabilities);
    csv.write_record(head.chain(errors.iter().map(|name| name.to_string())))?;
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
        if let Some(reliability) = reliability {
            let Reliability { error, sd, norm } = reliability[row];
            for x in [error, sd, norm] {
                csv.write_field(x.to_string())?;
            }
        }
        csv.write_record(None::<&[u8]>)?;
    }
    csv.flush()
}
