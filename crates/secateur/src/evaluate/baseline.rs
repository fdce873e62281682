//! The baseline: the best constant prediction, beside which every estimate stands.
//!
//! For every division the class with the largest weight in the rows to learn from (with costs the class with the lowest cost) with the class
//! shares of these rows as its probabilities, or the mean of these rows, scored on the rows to test on; then the mean over the divisions, as for
//! schemes. Priors count when the prediction is chosen. Cost: one pass over the rows for each division.

use super::Protocol;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::method::FOLDS;
use crate::route::LEAST_PROBABILITY;
use crate::schema::decide;
use crate::sums::mean;
use crate::training::{FitOptions, TreeCache};
use crate::tree::Tree;

/// The best constant answer, judged as schemes are.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Baseline {
    /// The class that is answered in most divisions; `None` where numbers are predicted.
    pub class: Option<usize>,
    /// The mean of the numbers that are answered; `None` for classes.
    pub number: Option<f64>,
    measures: Vec<(&'static str, f64)>,
}

impl Baseline {
    /// Judges the constant answer of every division that a protocol makes of a table.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::evaluate::{Baseline, FoldOrder, Protocol};
    /// use secateur::fit::FitOptions;
    ///
    /// let table = CodedTable::new(&builtin::load("weather")?, &Roles::default())?;
    /// let cv = Protocol::Cv { folds: 7, repeats: 1, order: FoldOrder::Stratified };
    /// let baseline = Baseline::of(&table, &FitOptions::default(), &cv, 1)?;
    /// assert_eq!(table.schema().target.classes()[baseline.class.unwrap()], "yes");
    /// assert!((baseline.get("accuracy").unwrap() - 9.0 / 14.0).abs() < 1e-9);
    /// assert_eq!(baseline.get("rmse"), None);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn of(table: &CodedTable, options: &FitOptions, protocol: &Protocol, seed: u64) -> Result<Self> {
        let (mut answers, mut rows) = (Vec::new(), Vec::new());
        for split in protocol.splits(table, seed)? {
            let options = split.options(table, options, FOLDS)?;
            let trees = TreeCache::new(table, &options)?;
            let weights = trees.learning_weights().unwrap_or_default();
            let (answer, measured) = match table.target() {
                CodedTarget::Classes { codes, .. } => {
                    let totals = table.target().class_weights(weights.iter().copied());
                    let label = decide(trees.costs().map(AsRef::as_ref), &totals);
                    let cost = |class: usize| match trees.costs() {
                        Some(costs) => costs.cost(class, label),
                        None => f64::from(u8::from(class != label)),
                    };
                    let wrong = |row: u32| f64::from(u8::from(codes[row as usize] as usize != label));
                    let error = judged(table, &split.test, wrong);
                    let loss = judged(table, &split.test, |row| cost(codes[row as usize] as usize));
                    let scores = class_scores(&totals);
                    let mean =
                        |of: &[f64]| judged(table, &split.test, |row| of[codes[row as usize] as usize]);
                    (label as f64, of_class(error, loss, (mean(&scores.0), mean(&scores.1))))
                }
                CodedTarget::Numbers { values, unit } => {
                    let all: f64 = weights.iter().sum();
                    let number = values.iter().zip(&weights).map(|(y, w)| y / unit * (w / all)).sum::<f64>();
                    let off = |row: u32| values[row as usize] / unit - number;
                    let mse = judged(table, &split.test, |row| off(row).powi(2));
                    let mae = judged(table, &split.test, |row| off(row).abs());
                    (number, vec![("mse", mse), ("rmse", mse.sqrt()), ("mae", mae)])
                }
            };
            answers.push(answer);
            rows.push(measured);
        }
        let names: Vec<&'static str> = rows.first().into_iter().flatten().map(|(name, _)| *name).collect();
        let of =
            |(place, name): (usize, &&'static str)| Some((*name, mean(rows.iter().map(|row| row[place].1))?));
        let measures = names.iter().enumerate().filter_map(of).collect();
        let is_classes = table.classes() > 0;
        Ok(Self {
            class: is_classes.then(|| most(&answers)),
            number: mean(answers.iter().copied()).filter(|_| !is_classes),
            measures,
        })
    }

    /// The constant prediction of a tree's root, scored on rows whose weights by class are `tested`.
    pub(super) fn of_root(tree: &Tree, tested: &[f64]) -> Self {
        let (label, all) = (tree.label(0), tested.iter().sum::<f64>());
        let mean = |of: &dyn Fn(usize) -> f64| {
            tested.iter().enumerate().map(|(class, weight)| weight * of(class)).sum::<f64>() / all
        };
        let error = mean(&|class| f64::from(u8::from(class != label)));
        let loss = tree.costs().map_or(error, |costs| mean(&|class| costs.cost(class, label)));
        let scores = class_scores(tree.answer(0));
        let measures =
            of_class(error, loss, (mean(&|class| scores.0[class]), mean(&|class| scores.1[class])));
        Self { class: Some(label), number: None, measures }
    }

    /// The baseline of a tree on the rows it was grown from: the prediction of its root alone. The standard error of such a number is small beside
    /// that of an estimate, as it takes no choice but that of one class or mean.
    pub fn of_tree(tree: &Tree) -> Self {
        match tree.is_classifier() {
            true => Self::of_root(tree, tree.class_weights(0)),
            false => {
                let mse = tree.error(0) / tree.node(0).weight;
                let measures = vec![("mse", mse), ("rmse", mse.max(0.0).sqrt())];
                Self { class: None, number: Some(tree.value(0)), measures }
            }
        }
    }

    /// A number that is answered to every row, with its mean squared and mean absolute error.
    pub(super) fn of_number(number: f64, (mse, mae): (f64, f64)) -> Self {
        let measures = vec![("mse", mse), ("rmse", mse.sqrt()), ("mae", mae)];
        Self { class: None, number: Some(number), measures }
    }

    /// The mean of a measure over the divisions; `None` for what a constant has no meaning for.
    pub fn get(&self, measure: &str) -> Option<f64> {
        self.measures.iter().find(|(name, _)| *name == measure).map(|(_, number)| *number)
    }

    /// All measures by name.
    pub fn measures(&self) -> &[(&'static str, f64)] {
        &self.measures
    }
}

/// The measures of a class that is predicted for every row.
fn of_class(error: f64, loss: f64, (log_loss, brier): (f64, f64)) -> Vec<(&'static str, f64)> {
    vec![
        ("accuracy", 1.0 - error),
        ("error", error),
        ("loss", loss),
        ("log-loss", log_loss),
        ("brier", brier),
    ]
}

/// The log loss and the Brier score of a row of each class, where the class shares of these weights are predicted.
fn class_scores(weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let all: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|w| (w / all).powi(2)).sum();
    let of = |w: &f64| {
        let p = w / all;
        (-p.max(LEAST_PROBABILITY).ln() + 0.0, squares + 1.0 - 2.0 * p)
    };
    weights.iter().map(of).unzip()
}

/// The weighted mean of what some rows lose.
fn judged(table: &CodedTable, rows: &[u32], loss: impl Fn(u32) -> f64) -> f64 {
    let weight = |row: u32| table.weight(row as usize);
    let all: f64 = rows.iter().map(|&row| weight(row)).sum();
    rows.iter().map(|&row| weight(row) / all * loss(row)).sum()
}

/// The answer that is given most often, the first of equal ones.
fn most(answers: &[f64]) -> usize {
    let times = |answer: f64| answers.iter().filter(|other| **other == answer).count();
    let best = answers.iter().copied().reduce(|best, next| {
        let (a, b) = (times(best), times(next));
        if b > a || b == a && next < best { next } else { best }
    });
    best.unwrap_or(0.0) as usize
}
