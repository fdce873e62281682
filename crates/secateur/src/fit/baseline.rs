//! The baseline: the best constant prediction, beside which every error stands.
//!
//! The class with the largest weight (with costs the class with the lowest mean cost) with the class shares as its probabilities, or the mean.

use super::Validation;
use crate::route::LEAST_PROBABILITY;
use crate::tree::Tree;

/// The best constant prediction with its measures.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Baseline {
    /// The class that is predicted (in most divisions, where there are several); `None` where numbers are predicted.
    pub class: Option<usize>,
    /// The number that is predicted (the mean over the divisions); `None` for classes.
    pub number: Option<f64>,
    pub(crate) measures: Vec<(&'static str, f64)>,
    /// The mean squared distance of the numbers of all scored rows from their own mean.
    pub(crate) spread: Option<f64>,
}

impl Baseline {
    /// The constant prediction of a tree's root, scored on rows whose weights by class are `tested`.
    pub(crate) fn of_root(tree: &Tree, tested: &[f64]) -> Self {
        let (label, all) = (tree.label(0), tested.iter().sum::<f64>());
        let mean = |of: &dyn Fn(usize) -> f64| {
            tested.iter().enumerate().map(|(class, weight)| weight * of(class)).sum::<f64>() / all
        };
        let error = mean(&|class| f64::from(u8::from(class != label)));
        let loss = tree.costs().map_or(error, |costs| mean(&|class| costs.cost(class, label)));
        let scores = class_scores(tree.answer(0));
        let measures =
            of_class(error, loss, (mean(&|class| scores.0[class]), mean(&|class| scores.1[class])));
        Self { class: Some(label), number: None, measures, spread: None }
    }

    /// The baseline of a tree on its training rows: the prediction of its root alone. As it takes no choice but that of one class or mean, it
    /// is hardly optimistic.
    pub fn of_tree(tree: &Tree) -> Self {
        match tree.is_classifier() {
            true => Self::of_root(tree, tree.class_weights(0)),
            false => {
                let mse = tree.error(0) / tree.node(0).weight;
                let measures = vec![("mse", mse), ("rmse", mse.max(0.0).sqrt())];
                Self { class: None, number: Some(tree.value(0)), measures, spread: Some(mse) }
            }
        }
    }

    /// The baseline on the rows that judged a tree; on its training rows where there are none.
    pub fn beside(validation: Option<&Validation>, tree: &Tree) -> Self {
        match validation {
            Some(Validation::Classes { confusion, .. }) => {
                let tested: Vec<f64> = confusion.iter().map(|row| row.iter().sum()).collect();
                Self::of_root(tree, &tested)
            }
            Some(Validation::Numbers { baseline: (rmse, mae), .. }) => {
                Self::of_number(tree.value(0), (rmse * rmse, *mae), None)
            }
            None => Self::of_tree(tree),
        }
    }

    /// A number that is predicted for every row, with its mean squared and mean absolute error, and the variance of the rows.
    pub(crate) fn of_number(number: f64, (mse, mae): (f64, f64), spread: Option<f64>) -> Self {
        let measures = vec![("mse", mse), ("rmse", mse.sqrt()), ("mae", mae)];
        Self { class: None, number: Some(number), measures, spread }
    }

    /// The value of a measure (the mean over the divisions); `None` for what a constant has no meaning for.
    pub fn get(&self, measure: &str) -> Option<f64> {
        self.measures.iter().find(|(name, _)| *name == measure).map(|(_, number)| *number)
    }

    /// R² of a mean squared error: the share of the squared distances of the scored rows from their own mean that is explained, as
    /// everywhere. It takes the scored rows of all divisions together, as single ones may be short of rows; `None` for
    /// classes, where all scored rows are equal, and beside a tree that was judged as it was chosen. The baseline itself has one of at most 0.
    pub fn r2(&self, mse: f64) -> Option<f64> {
        self.spread.filter(|spread| *spread > 0.0).map(|spread| 1.0 - mse / spread)
    }

    /// All measures by name.
    pub fn measures(&self) -> &[(&'static str, f64)] {
        &self.measures
    }
}

/// The measures of a class that is predicted for every row.
pub(crate) fn of_class(error: f64, loss: f64, (log_loss, brier): (f64, f64)) -> Vec<(&'static str, f64)> {
    vec![
        ("accuracy", 1.0 - error),
        ("error", error),
        ("loss", loss),
        ("log-loss", log_loss),
        ("brier", brier),
    ]
}

/// The log loss and the Brier score of a row of each class, where the class shares of these weights are predicted.
pub(crate) fn class_scores(weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let all: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|w| (w / all).powi(2)).sum();
    let of = |w: &f64| {
        let p = w / all;
        (-p.max(LEAST_PROBABILITY).ln() + 0.0, squares + 1.0 - 2.0 * p)
    };
    weights.iter().map(of).unzip()
}
