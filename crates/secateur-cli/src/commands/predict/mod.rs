//! `secateur predict`: what a saved tree says of the rows of a table.

mod formulas;
mod portions;
mod summary;
mod table;

use std::borrow::Cow;
use std::io::Write;

use clap::Args;
use secateur::data::{Column, Table};
use secateur::predict::Predictor;
use secateur::prune::reliabilities;
use secateur::report::{PredictionFormat, PredictionTable};
use secateur::tree::{LeafValues, Model};
use serde_json::Value;

use crate::args::{Output, ReadTable, Threads, Types};
use crate::failure::{Failure, Result};
use crate::files::{InFile, InModel, OutFile};
use crate::leaf_values::NamedLeafValues;
use crate::loading::load_model;
use crate::output;
use crate::progress::Bars;
use crate::tables::NoteSummary;
use summary::{Answers, Summary};
use table::kept;

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
A table that would take more than --memory is read, predicted and written
portion by portion, however long it is.
--sets 0.9 adds a set of classes or an interval which has the truth inside for
at least 90 % of new rows (conformal prediction; docs/sets.md).")]
pub struct Predict {
    /// A file that `secateur fit -o` has written
    model: InModel,
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; a folder of .parquet files; - for standard input; or builtin:NAME
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
    /// Put ' before texts that begin with =, +, - or @, which a spreadsheet would run as formulas (.csv, .tsv)
    #[arg(long)]
    escape_formulas: bool,
    /// The memory that a table may take: a larger one (Parquet, a folder of Parquet files, CSV) is predicted portion by portion
    #[arg(long, value_name = "SIZE", default_value = "256MB", requires = "data")]
    memory: String,
    #[command(flatten)]
    types: Types,
    #[command(flatten)]
    threads: Threads,
}

impl Predict {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let format = table::format(self.output.as_ref().and_then(OutFile::extension).as_deref())?;
        if self.escape_formulas && !formulas::are_run_in(format) {
            return Err(Failure::call("--escape-formulas is for .csv and .tsv files; leave it out"));
        }
        self.threads.start();
        let mut model = load_model(&self.model)?;
        self.check(&model)?;
        let values = self.values(&model);
        model.tree = model.tree.with_leaf_values(values)?;
        let bars = Bars::new(how.quiet);
        if let Some(portions) = self.portions(&model, how)? {
            let (answers, notes) = self.portion_by_portion(&portions, &model, format, &bars)?;
            drop(bars);
            return self.tell(&answers, (portions.name(), notes), None, how);
        }
        let ReadTable { table, notes, .. } = self.types.load_for(&self.data, &model, &bars)?;
        let mut answers = Answers::new(&model);
        let predictions = self.answer(&mut answers, &table, (0, format), |written| {
            drop(bars);
            let write = |out: &mut dyn Write| {
                written.write(out, format)?;
                out.write_all(format.end(written.rows as u64).as_bytes())
            };
            if let Some(file) = &self.output {
                file.write(write)?;
            } else if !how.json {
                output::contents(write)?;
            }
            let printed = how.json && self.output.is_none();
            Ok(printed.then(|| (0..written.rows).map(|row| written.summary(row)).collect()))
        })?;
        self.tell(&answers, (table.name(), notes), predictions, how)
    }

    /// Predicts a table, or a portion that begins with this row, adds it up, and hands it over to be written in a format.
    fn answer<T>(
        &self,
        answers: &mut Answers,
        table: &Table,
        (first, format): (u64, PredictionFormat),
        write: impl FnOnce(&PredictionTable) -> Result<T>,
    ) -> Result<T> {
        let tree = &answers.model.tree;
        let predictor = Predictor::bind_portion(tree, table, first)?;
        let predictions = predictor.try_predict()?;
        let reliability = match self.reliability {
            true => Some(reliabilities(&predictor)?),
            false => None,
        };
        let sets = self.sets.map(|level| predictor.sets(&predictions, level)).transpose()?;
        answers.add(&predictor, &predictions, reliability.as_deref(), sets.as_ref())?;
        let (target, kept) = (&tree.schema().target, kept(table, &self.keep)?);
        let has_formulas =
            formulas::is_in_target(target) || kept.iter().any(|column| formulas::is_in_column(column));
        answers.has_formulas |= has_formulas && formulas::are_run_in(format);
        let (target, kept): (_, Vec<Cow<Column>>) = match self.escape_formulas {
            true => {
                (formulas::escaped_target(target), kept.into_iter().map(formulas::escaped_column).collect())
            }
            false => (Cow::Borrowed(target), kept.into_iter().map(Cow::Borrowed).collect()),
        };
        write(&PredictionTable {
            target: &target,
            first,
            rows: table.rows(),
            kept: kept.iter().map(|column| &**column).collect(),
            predictions: &predictions,
            reliability: reliability.as_deref(),
            sets: sets.as_ref(),
        })
    }

    /// Prints how right the predictions are, and what the tree did not know.
    fn tell(
        &self,
        answers: &Answers,
        (data, mut notes): (&str, Vec<NoteSummary>),
        predictions: Option<Vec<Value>>,
        how: &Output,
    ) -> Result<()> {
        for note in answers.without_values() {
            how.note(&format!("{data}: {note}"));
            notes.push(NoteSummary::of(&note));
        }
        answers.note_unseen(how);
        if let Some(file) = self.output.as_ref().filter(|_| answers.has_formulas && !self.escape_formulas) {
            how.note(&format!(
                "texts in {file} begin with =, +, - or @: a spreadsheet runs them as formulas, unless --escape-formulas \
                 puts ' before them"
            ));
        }
        let scores = answers.scores();
        if !how.json {
            scores.note(how);
            return Ok(());
        }
        let (model, totals) = (answers.model, &answers.totals);
        let unseen = totals.unseen().values(&model.tree);
        Ok(output::json(&Summary {
            model: self.model.display().to_string(),
            scheme: &model.scheme,
            data,
            rows: totals.rows(),
            scores,
            sets: answers.told_sets(),
            expected_error: answers.expected_error(),
            scored: totals.scored(),
            classes: model.tree.schema().target.classes(),
            confusion: totals.confusion(),
            predictions,
            unseen: summary::unseen(&unseen, totals.unseen().more()),
            notes,
            output: self.output.as_ref().map(ToString::to_string),
        })?)
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
                "--reliability needs the counts of training rows, which this tree does not have; leave it out",
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
