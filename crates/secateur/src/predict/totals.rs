//! What predictions of a table that comes in portions add up to. Rows are added one after the other, so the sums do not depend on
//! where portions end.

use std::collections::HashMap;

use super::binding::tested;
use super::score::ScoreSum;
use super::{PredictionSets, Predictions, Predictor, Unseen};
use crate::data::Values;
use crate::error::Result;
use crate::sums::Spread;
use crate::tree::Tree;

/// How right predictions are, as far as portions have been added.
///
/// ```
/// use secateur::Fit;
/// use secateur::data::builtin;
/// use secateur::predict::{Predictor, Totals};
/// let table = builtin::load("iris")?;
/// let tree = Fit::new(&table, "class").model()?.tree;
/// let predictor = Predictor::bind(&tree, &table)?;
/// let predictions = predictor.predict();
/// let mut totals = Totals::new(&tree);
/// totals.add(&predictor, &predictions, None)?;
/// assert_eq!(totals.accuracy(), predictor.accuracy(&predictions)?.mean);
/// assert_eq!((totals.rows(), totals.scored()), (150, 150));
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Totals {
    rows: u64,
    has_target: bool,
    has_costs: bool,
    right: ScoreSum,
    cost: f64,
    confusion: Vec<Vec<usize>>,
    squares: ScoreSum,
    distances: f64,
    spread: Spread,
    covered: ScoreSum,
    size: f64,
    unseen: UnseenValues,
    /// The attributes that the tree tests and that no row has a value of, so far.
    without_values: Vec<usize>,
}

impl Totals {
    /// Nothing yet.
    pub fn new(tree: &Tree) -> Self {
        let classes = tree.schema().target.classes().len();
        Self {
            rows: 0,
            has_target: false,
            has_costs: tree.costs().is_some(),
            right: ScoreSum::default(),
            cost: 0.0,
            confusion: vec![vec![0; classes]; classes],
            squares: ScoreSum::default(),
            distances: 0.0,
            spread: Spread::default(),
            covered: ScoreSum::default(),
            size: 0.0,
            unseen: UnseenValues::default(),
            without_values: tested(tree)
                .into_iter()
                .enumerate()
                .filter(|(_, is)| *is)
                .map(|(a, _)| a)
                .collect(),
        }
    }

    /// Adds the predictions for a portion, and the sets or intervals for it, where there are some.
    pub fn add(
        &mut self,
        predictor: &Predictor,
        predictions: &Predictions,
        sets: Option<&PredictionSets>,
    ) -> Result<()> {
        self.rows += predictor.table().rows() as u64;
        self.unseen.add(predictor.unseen());
        let rows = predictor.table().rows();
        self.without_values.retain(|&a| (0..rows).all(|row| predictor.cell(row, a).is_missing()));
        if let Some(sets) = sets {
            sets.add_sizes(&mut self.size);
        }
        let Some(target) = predictor.target() else { return Ok(()) };
        self.has_target = true;
        if let Some(sets) = sets {
            predictor.covered(&mut self.covered, sets)?;
        }
        if predictor.tree().is_classifier() {
            let of = predictor.cost();
            let Self { right, cost, confusion, .. } = self;
            return predictor.judged(right, "accuracy", &predictions.labels, |actual, label| {
                *cost += of(actual, label);
                if let Some(actual) = actual {
                    confusion[actual as usize][label as usize] += 1;
                }
                f64::from(actual == Some(label))
            });
        }
        if let Values::Numeric(numbers) = &target.values {
            for (y, told) in numbers.iter().zip(&predictions.values).filter(|(y, _)| !y.is_nan()) {
                self.distances += (y - told).abs();
                self.spread.add(*y, 1.0);
            }
        }
        predictor.of_numbers(&mut self.squares, |row, y| (y - predictions.values[row]).powi(2))
    }

    /// The attributes that the tree tests and that no row has a value of.
    pub fn without_values(&self) -> &[usize] {
        &self.without_values
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows that have a target.
    pub fn scored(&self) -> usize {
        self.right.rows + self.squares.rows
    }

    /// The share of right labels.
    pub fn accuracy(&self) -> Option<f64> {
        self.right.mean()
    }

    /// The mean cost of the labels, where mistakes cost differently.
    pub fn mean_cost(&self) -> Option<f64> {
        (self.has_costs && self.right.rows > 0).then(|| self.cost / self.right.rows as f64)
    }

    /// How many rows of each class (outer list) got each label (inner list), where the table has the target.
    pub fn confusion(&self) -> Option<&[Vec<usize>]> {
        (self.has_target && !self.confusion.is_empty()).then_some(&self.confusion)
    }

    /// The mean squared error of predicted numbers.
    pub fn mse(&self) -> Option<f64> {
        self.squares.mean()
    }

    /// The mean absolute error of predicted numbers.
    pub fn mae(&self) -> Option<f64> {
        (self.squares.rows > 0).then(|| self.distances / self.squares.rows as f64)
    }

    /// R²: the share of the squared distances of the scored rows from their own mean that is explained; `None` where there are none.
    pub fn r2(&self) -> Option<f64> {
        let squares = self.spread.squares();
        (squares > 0.0).then(|| 1.0 - self.squares.sum / squares)
    }

    /// The share of the rows whose set or interval has the target inside.
    pub fn coverage(&self) -> Option<f64> {
        self.covered.mean()
    }

    /// The mean number of classes in a set, or the mean width of an interval.
    pub fn mean_size(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.size / self.rows as f64)
    }

    /// The values in tested columns that the tree does not know.
    pub fn unseen(&self) -> &UnseenValues {
        &self.unseen
    }
}

/// The values that a tree does not know, with all the rows that have them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UnseenValues {
    values: Vec<Unseen>,
    places: HashMap<String, HashMap<String, usize>>,
    /// By attribute, the rows whose values are not among those.
    more: Vec<(String, usize)>,
}

/// Values that are reported one by one, at most.
const MOST_UNSEEN: usize = 100_000;

impl UnseenValues {
    pub(crate) fn add(&mut self, unseen: &[Unseen]) {
        for Unseen { attribute, value, rows } in unseen {
            let known = self.places.get(attribute).and_then(|places| places.get(value));
            if let Some(&place) = known {
                self.values[place].rows += rows;
            } else if self.values.len() < MOST_UNSEEN {
                let places = self.places.entry(attribute.clone()).or_default();
                places.insert(value.clone(), self.values.len());
                self.values.push(Unseen { attribute: attribute.clone(), value: value.clone(), rows: *rows });
            } else if let Some((_, more)) = self.more.iter_mut().find(|(name, _)| name == attribute) {
                *more += rows;
            } else {
                self.more.push((attribute.clone(), *rows));
            }
        }
    }

    /// The values, those of one attribute after those of another, each in the order in which they came.
    pub fn values(&self, tree: &Tree) -> Vec<Unseen> {
        let place = |unseen: &Unseen| {
            tree.schema().attributes.iter().position(|attribute| attribute.name == unseen.attribute)
        };
        let mut values = self.values.clone();
        values.sort_by_key(place);
        values
    }

    /// By attribute, the rows with values beyond the first hundred thousand, which are not reported one by one.
    pub fn more(&self) -> &[(String, usize)] {
        &self.more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_add_up_and_stay_bounded() {
        let unseen = |value: usize| Unseen { attribute: "a".into(), value: value.to_string(), rows: 2 };
        let mut all = UnseenValues::default();
        all.add(&(0..MOST_UNSEEN).map(unseen).collect::<Vec<_>>());
        all.add(&[unseen(7), unseen(MOST_UNSEEN + 1), unseen(MOST_UNSEEN + 1)]);
        assert_eq!((all.values.len(), all.values[7].rows), (MOST_UNSEEN, 4));
        assert_eq!(all.more(), [("a".to_string(), 4)]);
    }
}
