//! How right predictions are where the table has the target.

use super::binding::{key, numbers_as_text};
use super::{PredictionSets, Predictions, Predictor};
use crate::data::{Column, MISSING, Values};
use crate::error::{Error, Place, Result};
use crate::schema::{Meaning, Target, Texts};

/// A mean over the rows that have a target.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// The accuracy, the mean cost or the mean squared error; `None` when no row has a target.
    pub mean: Option<f64>,
    /// The rows it is the mean of.
    pub rows: usize,
    /// The rows left out because their target is missing.
    pub left_out: usize,
}

/// What the target of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Actual {
    Class(u32),
    /// A class that the tree does not know.
    Unknown,
    Missing,
}

/// The sum of which a score is the mean; rows are added one after the other, however many at a time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct ScoreSum {
    pub sum: f64,
    pub rows: usize,
    left_out: usize,
}

impl ScoreSum {
    /// Adds one number per row, `None` where the target is missing.
    pub(super) fn extend(&mut self, scores: impl Iterator<Item = Option<f64>>) {
        for score in scores {
            match score {
                Some(score) => {
                    self.sum += score;
                    self.rows += 1;
                }
                None => self.left_out += 1,
            }
        }
    }

    /// The mean.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.sum / self.rows as f64)
    }

    fn score(self) -> Score {
        Score { mean: self.mean(), rows: self.rows, left_out: self.left_out }
    }
}

impl Predictor<'_> {
    /// The table's column with the target's name, if it has one.
    pub fn target(&self) -> Option<&Column> {
        let name = self.tree().schema().target.name();
        self.table().columns().iter().find(|c| c.name == name)
    }

    /// The share of rows whose predicted class is the one in the target column. Classes are compared by
    /// name; a class the tree does not know is a wrong prediction.
    pub fn accuracy(&self, predictions: &Predictions) -> Result<Score> {
        self.score("accuracy", &predictions.labels, |actual, label| f64::from(actual == Some(label)))
    }

    /// The mean cost of the predicted classes, by the tree's costs; without any, every mistake costs 1. Classes are
    /// compared by name; for a class the tree does not know, every label costs as much as the dearest mistake.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::grow::grow;
    /// use secateur::schema::Task;
    /// use secateur::spec::GrowSpec;
    /// use secateur::predict::Predictor;
    /// use secateur::schema::{CostEntry, Costs};
    /// let table = builtin::load("weather").unwrap();
    /// let coded = CodedTable::new(&table, &Roles::default()).unwrap();
    /// // A tree of one node: nine rows say yes and five no; to call a "no" yes costs 7.
    /// let spec = GrowSpec { max_splits: Some(0), ..GrowSpec::cart(Task::Classification) };
    /// let entry = CostEntry { actual: "no".into(), predicted: "yes".into(), cost: 7.0 };
    /// let costs = Costs::new(&["yes".into(), "no".into()], &[entry]).unwrap();
    /// let tree = grow(&coded, &spec, &secateur::progress::Silent).unwrap().with_costs(Some(Arc::new(costs))).unwrap();
    ///
    /// let predictor = Predictor::bind(&tree, &table).unwrap();
    /// let score = predictor.mean_cost(&predictor.predict()).unwrap();
    /// assert_eq!(score.mean, Some(9.0 / 14.0)); // all are called "no"
    /// ```
    pub fn mean_cost(&self, predictions: &Predictions) -> Result<Score> {
        self.score("the mean cost", &predictions.labels, self.cost())
    }

    /// What a label costs a row of a class.
    pub(super) fn cost(&self) -> impl Fn(Option<u32>, u32) -> f64 {
        let costs = self.tree().costs();
        let dearest = costs.map_or(1.0, |costs| costs.largest());
        move |actual, label| match (actual, costs) {
            (Some(actual), Some(costs)) => costs.cost(actual as usize, label as usize),
            (Some(actual), None) => f64::from(actual != label),
            (None, _) => dearest,
        }
    }

    /// How many rows of each class (outer list) got each label (inner list). Classes are compared by name; rows of a class that the
    /// tree does not know are left out.
    pub fn confusion(&self, predictions: &Predictions) -> Result<Vec<Vec<usize>>> {
        let classes = self.tree().schema().target.classes().len();
        let mut counts = vec![vec![0; classes]; classes];
        self.score("a confusion matrix", &predictions.labels, |actual, label| {
            if let Some(actual) = actual {
                counts[actual as usize][label as usize] += 1;
            }
            0.0
        })?;
        Ok(counts)
    }

    /// The mean of a number that comes from a row's class, where the tree knows it, and its label.
    fn score(&self, what: &str, labels: &[u32], of: impl FnMut(Option<u32>, u32) -> f64) -> Result<Score> {
        let mut sum = ScoreSum::default();
        self.judged(&mut sum, what, labels, of)?;
        Ok(sum.score())
    }

    /// Adds such numbers up.
    pub(super) fn judged(
        &self,
        sum: &mut ScoreSum,
        what: &str,
        labels: &[u32],
        mut of: impl FnMut(Option<u32>, u32) -> f64,
    ) -> Result<()> {
        let Target::Classes { name, classes } = &self.tree().schema().target else {
            return Err(Error::parameter(format!(
                "{what} is for trees that predict classes; this one predicts numbers"
            )));
        };
        let labels = labels.iter().copied();
        match &self.target_column()?.values {
            Values::Nominal(nominal) => {
                let texts = Texts::<&str>::new(name, classes, &self.tree().schema().missing);
                let to: Vec<Meaning> = nominal.levels.iter().map(|level| texts.meaning(level)).collect();
                let meaning = |code: u32| to.get(code as usize).copied().unwrap_or(Meaning::Missing);
                sum.extend(nominal.codes.iter().zip(labels).map(|(&code, label)| match meaning(code) {
                    Meaning::Value(actual) => Some(of(Some(actual), label)),
                    Meaning::Unknown => Some(of(None, label)),
                    Meaning::Missing => None,
                }));
            }
            Values::Numeric(numbers) => {
                let known = numbers_as_text(classes);
                sum.extend(
                    numbers
                        .iter()
                        .zip(labels)
                        .map(|(&x, label)| (!x.is_nan()).then(|| of(known.get(&key(x)).copied(), label))),
                );
            }
        }
        Ok(())
    }

    /// The share of rows whose set or interval has the target inside. A class the tree does not know is in no set.
    pub fn coverage(&self, sets: &PredictionSets) -> Result<Score> {
        let mut sum = ScoreSum::default();
        self.covered(&mut sum, sets)?;
        Ok(sum.score())
    }

    /// Adds up which rows are covered.
    pub(super) fn covered(&self, sum: &mut ScoreSum, sets: &PredictionSets) -> Result<()> {
        if self.tree().is_classifier() {
            // The place of every row stands where labels do.
            let places: Vec<u32> = (0..self.table().rows() as u32).collect();
            return self.judged(sum, "coverage by sets", &places, |actual, row| {
                let has = |class: u32| sets.classes[row as usize * sets.width + class as usize];
                f64::from(actual.is_some_and(has))
            });
        }
        self.of_numbers(sum, |row, y| f64::from(sets.intervals[row].contains(y)))
    }

    /// The mean squared difference between predicted numbers and the target column.
    pub fn mse(&self, predictions: &Predictions) -> Result<Score> {
        if self.tree().is_classifier() {
            return Err(Error::parameter(
                "the squared error is for trees that predict numbers; this one predicts classes",
            ));
        }
        let mut sum = ScoreSum::default();
        self.of_numbers(&mut sum, |row, y| (y - predictions.values[row]).powi(2))?;
        Ok(sum.score())
    }

    /// Adds up numbers that come from a row and its target.
    pub(super) fn of_numbers(&self, sum: &mut ScoreSum, mut of: impl FnMut(usize, f64) -> f64) -> Result<()> {
        let column = self.target_column()?;
        match &column.values {
            Values::Numeric(numbers) => {
                let rows = numbers.iter().enumerate();
                sum.extend(rows.map(|(row, &y)| (!y.is_nan()).then(|| of(row, y))));
                Ok(())
            }
            Values::Nominal(nominal) if nominal.codes.iter().all(|&c| c == MISSING) => {
                sum.extend(nominal.codes.iter().map(|_| None));
                Ok(())
            }
            Values::Nominal(_) => Err(Error::input(
                Place::file(self.table().name()).attribute(&column.name),
                "the tree predicts numbers, but this column has other values",
            )),
        }
    }

    /// What the target of every row is, as a class of the tree.
    pub(crate) fn actual_classes(&self) -> Result<Vec<Actual>> {
        let rows = self.table().rows();
        let mut actual = vec![Actual::Missing; rows];
        let places: Vec<u32> = (0..rows as u32).collect();
        self.judged(&mut ScoreSum::default(), "a class", &places, |class, row| {
            actual[row as usize] = class.map_or(Actual::Unknown, Actual::Class);
            0.0
        })?;
        Ok(actual)
    }

    /// The target of every row as a number, NaN where it is missing.
    pub(crate) fn actual_numbers(&self) -> Result<Vec<f64>> {
        let mut actual = vec![f64::NAN; self.table().rows()];
        self.of_numbers(&mut ScoreSum::default(), |row, y| {
            actual[row] = y;
            0.0
        })?;
        Ok(actual)
    }

    fn target_column(&self) -> Result<&Column> {
        let place = self.table().position(self.tree().schema().target.name())?;
        Ok(&self.table().columns()[place])
    }
}
