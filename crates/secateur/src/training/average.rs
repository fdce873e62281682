//! How the errors of folds become one.

use std::borrow::Borrow;

use super::TreeCache;
use crate::route::Loss;

/// How the errors of the folds become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Average {
    /// The losses of all held-out rows together (cost-complexity).
    Pooled,
    /// The mean of the folds' error rates (Shi's best-first trees).
    Folds,
    /// The same over the folds whose trees are still growing at that number of splits (Shi, Table 3.4).
    ActiveFolds,
}

/// What a fold says: at every parameter the loss and the squared loss of its rows; the rows' weight; the splits of its tree.
#[derive(Debug, Clone, PartialEq)]
pub struct FoldLosses {
    /// The loss at every parameter.
    pub loss: Vec<f64>,
    /// The squared loss.
    pub square: Vec<f64>,
    /// The weight of the rows.
    pub weight: f64,
    /// The splits of the fold's tree.
    pub splits: usize,
}

impl FoldLosses {
    /// The losses at one of the parameters, by its place.
    pub(crate) fn at(&self, place: usize) -> Self {
        let at = |list: &[f64]| list.get(place).copied().into_iter().collect();
        Self { loss: at(&self.loss), square: at(&self.square), ..*self }
    }
}

impl Average {
    /// Error and standard error at every parameter from the folds; a parameter is a number of splits where the folds that
    /// still grow are counted.
    pub fn of(
        self,
        tree_cache: &TreeCache,
        loss: Loss,
        parameters: &[f64],
        folds: &[impl Borrow<FoldLosses>],
    ) -> (Vec<f64>, Vec<f64>) {
        let folds: Vec<&FoldLosses> = folds.iter().map(Borrow::borrow).collect();
        let options = tree_cache.options();
        let classes = tree_cache.table().classes();
        let most = folds.iter().map(|fold| fold.splits as f64).fold(0.0, f64::max);
        let total: f64 = folds.iter().map(|f| f.weight).sum();
        // The number of rows behind a standard error.
        let rows = tree_cache.rows_of(if options.to_the_bit { tree_cache.weight() } else { total });
        let rate = |fold: &FoldLosses, i: usize| loss.mean(fold.loss[i], fold.weight, classes);
        // A mistake without costs counts 1, and so does its square.
        let is_rate = loss == Loss::Probabilities || loss == Loss::Risk && options.costs.is_none();
        let (mut errors, mut se) = (Vec::new(), Vec::new());
        for (i, &parameter) in parameters.iter().enumerate() {
            // Beyond the largest tree of all nothing grows any more.
            let splits = parameter.min(most);
            let active = |fold: &&&FoldLosses| self != Self::ActiveFolds || fold.splits as f64 >= splits;
            let rates: Vec<f64> = folds.iter().filter(active).map(|fold| rate(fold, i)).collect();
            let mean = rates.iter().sum::<f64>() / rates.len() as f64;
            let error = match self {
                Self::Pooled if loss != Loss::Probabilities => {
                    folds.iter().map(|f| f.loss[i]).sum::<f64>() / total
                }
                _ => mean,
            };
            let variance = if classes == 0 || options.groups.is_some() {
                // Of numbers and of rows in groups: how far the folds are apart.
                let spread: f64 = rates.iter().map(|r| (r - mean).powi(2)).sum();
                spread / ((rates.len() as f64 - 1.0).max(1.0) * rates.len() as f64)
            } else if !is_rate {
                // Averaged as the losses are.
                let square = match self {
                    Self::Pooled => folds.iter().map(|f| f.square[i]).sum::<f64>() / total,
                    _ => {
                        let squares = folds.iter().filter(active).map(|f| f.square[i] / f.weight);
                        squares.sum::<f64>() / rates.len() as f64
                    }
                };
                (square - error * error) / rows
            } else {
                error * (1.0 - error) / rows
            };
            errors.push(error);
            se.push(variance.max(0.0).sqrt());
        }
        (errors, se)
    }
}
