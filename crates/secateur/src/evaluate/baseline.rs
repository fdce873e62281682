//! The baseline of a protocol: the best constant prediction, scored as schemes are.
//!
//! For every division the class with the largest weight in the rows to learn from (with costs the class with the lowest cost) with the class
//! shares of these rows as its probabilities, or the mean of these rows, scored on the rows to test on; then the mean over the divisions, as for
//! schemes. Priors count when the prediction is chosen. Cost: one pass over the rows for each division.

use super::Protocol;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::fit::Baseline;
use crate::fit::baseline::{class_scores, of_class};
use crate::method::FOLDS;
use crate::schema::decide;
use crate::sums::{Spread, mean};
use crate::training::{FitOptions, TreeCache};

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
        let (mut answers, mut rows, mut spread) = (Vec::new(), Vec::new(), Spread::default());
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
                    for &row in &split.test {
                        spread.add(values[row as usize] / unit, table.weight(row as usize));
                    }
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
            spread: spread.variance(),
        })
    }
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
