//! What the rows say that a fit chose its tree on: what was taken for what, or how far numbers are off.
//!
//! A scheme that chooses by cross-validation has judged every row by a tree that has not seen it. The same trees, pruned at the
//! parameter that was chosen, answer again here, and their answers are counted: the error of the estimate comes out of the confusion
//! (without priors, and where folds are pooled). Cost: the rows go down the fold trees once.

use super::measures::{confusion, errors};
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::fit::{Fitted, JudgedBy, judging_trees};
use crate::progress::Progress;
use crate::route::rows_for;
use crate::scheme::Scheme;
use crate::threads;
use crate::training::TreeCache;
use crate::tree::Tree;

/// How right the trees of a fit were on the rows it chose by; rows count as they are, whatever the priors.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Validation {
    /// The weight of the rows of each class (outer list) that got each label (inner list).
    Classes(Vec<Vec<f64>>),
    /// Errors of predicted numbers.
    Numbers {
        /// The root of the mean squared error.
        rmse: f64,
        /// The mean absolute error.
        mae: f64,
        /// The share of the squared deviations from the mean of these rows that is explained; `None` where there are none.
        r2: Option<f64>,
    },
}

impl Validation {
    /// Asks the trees that a fit was chosen by; `None` where it chose nothing on rows, or grew its folds in a way of its own.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::evaluate::Validation;
    /// use secateur::fit::{FitOptions, fit_alone};
    /// use secateur::progress::Silent;
    /// use secateur::training::TreeCache;
    ///
    /// let table = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
    /// let options = FitOptions::default();
    /// let (trees, scheme) = (TreeCache::new(&table, &options)?, "cart/cost-complexity:cv=10".parse()?);
    /// let fitted = fit_alone(&trees, &scheme, &Silent)?;
    /// let Some(Validation::Classes(confusion)) = Validation::of(&trees, &scheme, &fitted, &Silent)? else { panic!() };
    /// let right: f64 = (0..3).map(|class| confusion[class][class]).sum();
    /// assert!((1.0 - right / 150.0 - fitted.estimate.unwrap().error).abs() < 1e-9);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn of(
        trees: &TreeCache,
        scheme: &Scheme,
        fitted: &Fitted,
        progress: &dyn Progress,
    ) -> Result<Option<Self>> {
        let table = trees.table();
        let judges = judging_trees(trees, scheme, fitted, progress)?;
        let parts = threads::try_map(judges.len(), |fold| part(&judges[fold], table))?;
        let mut pooled = Pooled::default();
        parts.into_iter().for_each(|part| pooled.add(part));
        Ok(pooled.finish(table))
    }
}

/// The weights of rows held out from a tree: they count as they are.
fn own_weights(held: &[f64], table: &CodedTable) -> Vec<f64> {
    let own = |(row, held): (usize, &f64)| if *held > 0.0 { table.weight(row) } else { 0.0 };
    held.iter().enumerate().map(own).collect()
}

/// What a tree takes for what on the rows held out from it.
pub(crate) fn held_confusion(tree: &Tree, held: &[f64], table: &CodedTable) -> Result<Vec<Vec<f64>>> {
    let CodedTarget::Classes { codes, .. } = table.target() else { return Ok(Vec::new()) };
    let rows = rows_for(tree, table, Some(&own_weights(held, table)))?;
    Ok(confusion(tree, table, &rows, codes))
}

/// What one tree says to the rows it was judged by.
fn part(JudgedBy { tree, held }: &JudgedBy, table: &CodedTable) -> Result<Pooled> {
    let weights = own_weights(held, table);
    let rows = rows_for(tree, table, Some(&weights))?;
    let mut part = Pooled { rows: weights, ..Pooled::default() };
    if rows.is_empty() {
        return Ok(part);
    }
    match table.target() {
        CodedTarget::Classes { codes, .. } => part.confusion = confusion(tree, table, &rows, codes),
        CodedTarget::Numbers { values, unit } => {
            let (mse, mae) = errors(tree, table, &rows, values);
            let weight: f64 = rows.iter().map(|row| row.weight).sum();
            (part.squares, part.absolute) = (mse / unit / unit * weight, mae / unit * weight);
        }
    }
    Ok(part)
}

/// The folds together.
#[derive(Default)]
struct Pooled {
    confusion: Vec<Vec<f64>>,
    squares: f64,
    absolute: f64,
    /// The weight with which every row was judged.
    rows: Vec<f64>,
}

impl Pooled {
    fn add(&mut self, more: Self) {
        self.squares += more.squares;
        self.absolute += more.absolute;
        self.rows.resize(more.rows.len(), 0.0);
        self.rows.iter_mut().zip(&more.rows).for_each(|(sum, weight)| *sum += weight);
        if self.confusion.is_empty() {
            self.confusion = more.confusion;
            return;
        }
        let cells = self.confusion.iter_mut().flatten().zip(more.confusion.iter().flatten());
        cells.for_each(|(sum, more)| *sum += more);
    }

    fn finish(self, table: &CodedTable) -> Option<Validation> {
        let weight: f64 = self.rows.iter().sum();
        if weight == 0.0 {
            return None;
        }
        let CodedTarget::Numbers { values, unit } = table.target() else {
            return Some(Validation::Classes(self.confusion));
        };
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            values.iter().zip(&self.rows).map(|(y, w)| w / weight * of(y / unit)).sum()
        };
        let mean = sum(&|y| y);
        let spread = sum(&|y| (y - mean).powi(2));
        let mse = self.squares / weight;
        Some(Validation::Numbers {
            rmse: mse.sqrt(),
            mae: self.absolute / weight,
            r2: (spread > 0.0).then(|| 1.0 - mse / spread),
        })
    }
}
