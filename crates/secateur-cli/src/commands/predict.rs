//! `secateur predict`: what a saved tree says of the rows of a table.

use clap::Args;
use secateur::data::Values;
use secateur::predict::{PredictionSets, Predictions, Predictor};
use secateur::prune::k_norm::Reliability;
use secateur::prune::reliabilities;
use secateur::tree::{LeafValues, Model};
use serde::Serialize;
use serde_json::{Value, json};

use super::predict_table::{Format, Written, kept};
use crate::args::{Output, Threads, Told, Types, load_model};
use crate::failure::{Failure, Result};
use crate::files::{InFile, InModel, OutFile};
use crate::leaf_values::NamedLeafValues;
use crate::output;
use crate::progress::Bars;
use crate::tables::NoteSummary;

/// Predict the rows of a table with a saved tree
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur predict model.json new.csv
  secateur predict model.json new.parquet -o predictions.csv --leaf-values shrink=25
  secateur predict model.json new.csv --reliability    how sure it is of each
  secateur predict model.json new.csv --sets 0.9   sets right for 90 % of new rows
  secateur predict model.json new.csv --keep id,name -o out.jsonl
  secateur predict model.json test.arff --json    scores, if the target is there

The table has a line per row: its number, the columns to keep, the prediction,
and for classes the probability of each. A row whose value the tree has never seen goes down every branch.
The prediction is the class with the largest of these probabilities, which
follow the leaf values of the model or those of --leaf-values; with costs, the
class that costs least by them.
--reliability adds what the training rows alone say of the error at the leaf
(the error rate; of numbers the RMSE): its mean, its standard deviation, and
both in one number, the 2-norm; for classes with the lambda and eta of `k-norm`
the tree was pruned with, else the usual.
--sets 0.9 adds a set of classes or an interval which has the truth inside for
at least 90 % of new rows (conformal prediction; docs/sets.md).")]
pub struct Predict {
    /// A file that `secateur fit -o` has written
    model: InModel,
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; - for standard input; or builtin:NAME
    data: InFile,
    /// Write the predictions here: .csv, .tsv, .json or .jsonl [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<OutFile>,
    /// Columns of the data to write beside the predictions; all: every one
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    keep: Vec<String>,
    /// Let the leaves say something else than the model's do: raw, laplace, m[=2] or shrink[=10]
    #[arg(long, value_name = "VALUES")]
    leaf_values: Option<NamedLeafValues>,
    /// The same as --leaf-values laplace: (n + 1) / (N + classes)
    #[arg(long, conflicts_with = "leaf_values")]
    laplace: bool,
    /// Add columns on the expected error: error, error_sd, error_norm
    #[arg(long)]
    reliability: bool,
    /// Add sets of classes, or intervals, that hold for this share of new rows, such as 0.9: set, set_size or low, high
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    sets: Option<f64>,
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
    /// How far sets or intervals reach, and by which rows that is known, with `--sets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Value>,
    /// The mean of the rows' expected error rates (the root of the mean square for numbers), with `--reliability`.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_error: Option<f64>,
    /// The rows that have a target: those the accuracy or the error is of.
    scored: usize,
    /// The classes, in the order of the probabilities and of the confusion.
    classes: &'a [String],
    /// How many rows of each class (outer list) got each label (inner list), where the target is there.
    confusion: Option<Vec<Vec<usize>>>,
    /// A prediction for every row, unless they are in a file.
    predictions: Option<Vec<Value>>,
    unseen: Vec<Unseen<'a>>,
    notes: Vec<NoteSummary>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    rmse: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mae: Option<f64>,
    /// The share of the squared deviations from the mean that is explained; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    r2: Option<f64>,
    /// The share of the rows whose set or interval has the truth inside, with `--sets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<f64>,
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
            scores.rmse = score.mean.map(f64::sqrt);
            if let Some(Values::Numeric(actual)) = predictor.target().map(|column| &column.values) {
                (scores.mae, scores.r2) = of_numbers(actual, &predictions.values);
            }
        }
        if tree.costs().is_some() {
            scores.mean_cost = predictor.mean_cost(predictions)?.mean;
        }
        Ok(scores)
    }

    /// The same with how many of the sets or intervals have the truth inside.
    fn with_sets(self, predictor: &Predictor, sets: Option<&PredictionSets>) -> Result<Self> {
        let coverage = match sets {
            Some(sets) if predictor.target().is_some() => predictor.coverage(sets)?.mean,
            _ => None,
        };
        Ok(Self { coverage, ..self })
    }

    fn note(&self, how: &Output) {
        let rows = output::count(self.rows as u64, "row", "rows");
        if let Some(coverage) = self.coverage {
            how.note(&format!(
                "{:.2} % of {rows} with a target are inside their set or interval",
                100.0 * coverage
            ));
        }
        if let Some(accuracy) = self.accuracy {
            how.note(&format!("accuracy {:.2} % of {rows} with a target", 100.0 * accuracy));
        }
        if let Some(cost) = self.mean_cost {
            how.note(&format!("mean cost {} per row", output::number(cost)));
        }
        if let (Some(rmse), Some(mae)) = (self.rmse, self.mae) {
            let r2 = self.r2.map_or(String::new(), |r2| format!(", R² {r2:.3}"));
            let (rmse, mae) = (output::rounded(rmse), output::rounded(mae));
            how.note(&format!("RMSE {rmse}, mean absolute error {mae}{r2} on {rows} with a target"));
        }
    }
}

/// The mean absolute error of predicted numbers, and R².
fn of_numbers(actual: &[f64], predicted: &[f64]) -> (Option<f64>, Option<f64>) {
    let known: Vec<(f64, f64)> =
        actual.iter().copied().zip(predicted.iter().copied()).filter(|(y, _)| !y.is_nan()).collect();
    let rows = known.len() as f64;
    let mean = known.iter().map(|(y, _)| y / rows).sum::<f64>();
    let off: f64 = known.iter().map(|(y, p)| (y - p).powi(2)).sum();
    let all: f64 = known.iter().map(|(y, _)| (y - mean).powi(2)).sum();
    let mae = known.iter().map(|(y, p)| (y - p).abs() / rows).sum();
    ((rows > 0.0).then_some(mae), (all > 0.0).then(|| 1.0 - off / all))
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
        let format = Format::of(self.output.as_ref().and_then(OutFile::extension).as_deref())?;
        self.threads.start()?;
        let mut model = load_model(&self.model)?;
        self.check(&model)?;
        let values = self.values(&model);
        model.tree = model.tree.with_leaf_values(values)?;
        let bars = Bars::new(how.quiet);
        let Told { table, notes, .. } = self.types.load_for(&self.data, &model, &bars)?;
        let predictor = Predictor::bind(&model.tree, &table)?;
        let predictions = predictor.try_predict()?;
        let reliability = match self.reliability {
            true => Some(reliabilities(&predictor)?),
            false => None,
        };
        let sets = self.sets.map(|level| predictor.sets(&predictions, level)).transpose()?;
        drop(bars);

        let scores = Scores::of(&predictor, &predictions)?.with_sets(&predictor, sets.as_ref())?;
        let target = &model.tree.schema().target;
        let written = Written {
            target,
            rows: table.rows(),
            kept: kept(&table, &self.keep)?,
            predictions: &predictions,
            reliability: reliability.as_deref(),
            sets: sets.as_ref(),
        };
        if let Some(file) = &self.output {
            file.write(|out| written.write(out, format))?;
        } else if !how.json {
            output::stream(|out| written.write(out, format))?;
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
            sets: sets.as_ref().map(|sets| told_sets(sets, &model)),
            expected_error: reliability
                .as_deref()
                .and_then(|rows| mean_error(rows, model.tree.is_classifier())),
            scored: scores.rows,
            classes: target.classes(),
            confusion: match predictor.target().is_some() && model.tree.is_classifier() {
                true => Some(predictor.confusion(&predictions)?),
                false => None,
            },
            predictions: self
                .output
                .is_none()
                .then(|| (0..table.rows()).map(|row| written.summary(row)).collect()),
            unseen: unseen
                .map(|u| Unseen { attribute: &u.attribute, value: &u.value, rows: u.rows })
                .collect(),
            notes,
            output: self.output.as_ref().map(ToString::to_string),
        })?;
        Ok(())
    }

    /// The leaf values that are asked for, or the model's own.
    fn values(&self, model: &Model) -> LeafValues {
        match &self.leaf_values {
            _ if self.laplace => LeafValues::Laplace,
            Some(named) => named.for_saved(&model.tree),
            None => model.tree.leaf_values(),
        }
    }

    /// Refuses options that are not for this model.
    fn check(&self, model: &Model) -> Result<()> {
        if self.laplace && !model.tree.is_classifier() {
            return Err(Failure::call(
                "--laplace is for trees that predict classes, and this one predicts numbers; leave it out",
            ));
        }
        if let Some(level) = self.sets {
            self.check_sets(model, level)?;
        }
        if self.reliability && !model.tree.has_counts() {
            return Err(Failure::call(
                "--reliability is told by the counts of training rows, which this tree came without; leave it out",
            ));
        }
        if self.reliability && model.tree.costs().is_some() {
            return Err(Failure::call(
                "--reliability is about the error rate, and this tree was made for the least cost; leave it out",
            ));
        }
        Ok(())
    }
}

impl Predict {
    /// Refuses sets that the model cannot give.
    fn check_sets(&self, model: &Model, level: f64) -> Result<()> {
        if self.values(model) != model.tree.leaf_values() {
            return Err(Failure::call(
                "--sets goes with what the model's own leaves say, by which it was calibrated; leave out the other leaf values",
            ));
        }
        if model.tree.conformal().is_none() {
            return Err(Failure::call(format!(
                "--sets: {} has no scores of rows that it was not grown from (scheme {}); fit it again with a scheme that \
                 chooses by cross-validation, with --estimate nested, or with --calibrate 0.2 (pruning a model loses them)",
                self.model.display(),
                model.scheme
            )));
        }
        model.tree.reach(level).map_err(|problem| Failure::call(format!("--sets: {problem}")))?;
        Ok(())
    }
}

/// Says which values of the data the tree does not know.
fn note_unseen(unseen: &[secateur::predict::Unseen], how: &Output) {
    for unseen in unseen.iter().take(MOST_NOTES) {
        how.note(&format!(
            "{} of {} is not known to the tree: it goes down every branch ({})",
            secateur::error::shown(&unseen.value),
            secateur::error::shown(&unseen.attribute),
            output::count(unseen.rows as u64, "row", "rows"),
        ));
    }
    if unseen.len() > MOST_NOTES {
        let rest = &unseen[MOST_NOTES..];
        let rows: usize = rest.iter().map(|u| u.rows).sum();
        how.note(&format!(
            "{} more unknown values go down every branch ({})",
            output::thousands(rest.len() as u64),
            output::count(rows as u64, "cell", "cells"),
        ));
    }
}

/// The mean of the expected error rates, or the root of the mean of the squared errors.
fn mean_error(rows: &[Reliability], is_classifier: bool) -> Option<f64> {
    let mean = |of: fn(&Reliability) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
    (!rows.is_empty()).then(|| match is_classifier {
        true => mean(|row| row.error),
        false => mean(|row| row.error * row.error).sqrt(),
    })
}

/// How far sets reach, as JSON.
fn told_sets(sets: &PredictionSets, model: &Model) -> Value {
    let reach = sets.reach;
    let conformal = model.tree.conformal();
    json!({
        "level": reach.level, "score": reach.score, "expected": reach.expected, "mean_size": sets.mean_size(),
        "by": conformal.map(|c| c.by.as_str()), "rows": conformal.map(|c| c.scores.rows()),
    })
}
