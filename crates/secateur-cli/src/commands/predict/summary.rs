//! What is reported beside predictions: how right they are, and what the tree did not know.

use secateur::data::{Note, NoteKind};
use secateur::predict::{PredictionSets, Predictions, Predictor, Totals};
use secateur::prune::k_norm::Reliability;
use secateur::tree::{Model, Reach};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::Output;
use crate::failure::Result;
use crate::output;
use crate::tables::NoteSummary;

/// What `predict --json` prints.
#[derive(Serialize)]
pub struct Summary<'a> {
    pub model: String,
    pub scheme: &'a str,
    pub data: &'a str,
    pub rows: u64,
    #[serde(flatten)]
    pub scores: Scores,
    /// How far sets or intervals reach, and by which rows that is known, with `--sets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<Value>,
    /// The mean of the rows' expected error rates (the root of the mean square for numbers), with `--reliability`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_error: Option<f64>,
    /// The rows that have a target: those the accuracy or the error is of.
    pub scored: usize,
    /// The classes, in the order of the probabilities and of the confusion.
    pub classes: &'a [String],
    /// How many rows of each class (outer list) got each label (inner list), where the target is there.
    pub confusion: Option<&'a [Vec<usize>]>,
    /// A prediction for every row, unless they are in a file.
    pub predictions: Option<Vec<Value>>,
    pub unseen: Vec<Unseen<'a>>,
    pub notes: Vec<NoteSummary>,
    pub output: Option<String>,
}

/// A value that the tree does not know; without a value, all further ones of an attribute that has very many.
#[derive(Serialize)]
pub struct Unseen<'a> {
    attribute: &'a str,
    value: Option<&'a str>,
    rows: usize,
}

/// The values that the tree does not know, as JSON.
pub fn unseen<'a>(values: &'a [secateur::predict::Unseen], more: &'a [(String, usize)]) -> Vec<Unseen<'a>> {
    let values =
        values.iter().map(|u| Unseen { attribute: &u.attribute, value: Some(&u.value), rows: u.rows });
    let more = more.iter().map(|(attribute, rows)| Unseen { attribute, value: None, rows: *rows });
    values.chain(more).collect()
}

/// How right the predictions are, where the data have the target.
#[derive(Serialize, Clone, Copy, Default)]
pub struct Scores {
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
    /// Prints them on standard error.
    pub fn note(&self, how: &Output) {
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

/// What was answered so far, added up over the portions of a table.
pub struct Answers<'a> {
    pub model: &'a Model,
    pub totals: Totals,
    /// The sum of the expected errors (of numbers: of their squares), where they are reported.
    errors: Option<f64>,
    reach: Option<Reach>,
    /// Whether a spreadsheet would run some of the texts that are written.
    pub has_formulas: bool,
}

/// Notes on single unseen values, at most; more are summed up.
const MOST_NOTES: usize = 5;

impl<'a> Answers<'a> {
    /// Nothing yet.
    pub fn new(model: &'a Model) -> Self {
        Self { model, totals: Totals::new(&model.tree), errors: None, reach: None, has_formulas: false }
    }

    /// Adds what was said of a portion.
    pub fn add(
        &mut self,
        predictor: &Predictor,
        predictions: &Predictions,
        reliability: Option<&[Reliability]>,
        sets: Option<&PredictionSets>,
    ) -> Result<()> {
        self.totals.add(predictor, predictions, sets)?;
        self.reach = sets.map(|sets| sets.reach);
        if let Some(rows) = reliability {
            let is_classifier = self.model.tree.is_classifier();
            let of = |row: &Reliability| if is_classifier { row.error } else { row.error * row.error };
            let sum = self.errors.get_or_insert(0.0);
            rows.iter().for_each(|row| *sum += of(row));
        }
        Ok(())
    }

    /// How right all of it is.
    pub fn scores(&self) -> Scores {
        let totals = &self.totals;
        Scores {
            accuracy: totals.accuracy(),
            mean_cost: totals.mean_cost(),
            mse: totals.mse(),
            rmse: totals.mse().map(f64::sqrt),
            mae: totals.mae(),
            r2: totals.r2(),
            coverage: totals.coverage(),
            rows: totals.scored(),
        }
    }

    /// The mean of the expected error rates, or the root of the mean of the squared errors.
    pub fn expected_error(&self) -> Option<f64> {
        let mean = self.errors.filter(|_| self.totals.rows() > 0)? / self.totals.rows() as f64;
        Some(if self.model.tree.is_classifier() { mean } else { mean.sqrt() })
    }

    /// How far sets reach, as JSON.
    pub fn told_sets(&self) -> Option<Value> {
        let (reach, conformal) = (self.reach?, self.model.tree.conformal());
        Some(json!({
            "level": reach.level, "score": reach.score, "expected": reach.expected, "mean_size": self.totals.mean_size(),
            "by": conformal.map(|c| c.by.as_str()), "rows": conformal.map(|c| c.scores.rows()),
        }))
    }

    /// Notes on columns that the tree needs and that have no value in any row.
    pub fn without_values(&self) -> Vec<Note> {
        let attributes = &self.model.tree.schema().attributes;
        let name = |&attribute: &usize| attributes[attribute].name.clone();
        let names = self.totals.without_values().iter().map(name);
        names
            .filter(|_| self.totals.rows() > 0)
            .map(|name| Note::new(NoteKind::NoValues).column(name))
            .collect()
    }

    /// Says which values of the data the tree does not know.
    pub fn note_unseen(&self, how: &Output) {
        let (unseen, more) = (self.totals.unseen().values(&self.model.tree), self.totals.unseen().more());
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
            let rows = rest.iter().map(|u| u.rows).chain(more.iter().map(|(_, rows)| *rows)).sum::<usize>();
            how.note(&format!(
                "{}{} more unknown values go down every branch ({})",
                if more.is_empty() { "" } else { "over " },
                output::thousands(rest.len() as u64),
                output::count(rows as u64, "cell", "cells"),
            ));
        }
    }
}
