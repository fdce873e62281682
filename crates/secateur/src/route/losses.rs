//! The loss of rows whose class a tree predicts with some probabilities, and of every node seen as a leaf.

use super::Routed;
use crate::schema::{Costs, decide};
use crate::tree::Tree;

/// The smallest probability in a log loss: a row whose class was held impossible does not make it infinite.
pub(crate) const LEAST_PROBABILITY: f64 = 1e-15;

/// The loss that is measured on held-out rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Errors, costs, or squared error.
    Risk,
    /// Squared error of the class probabilities; the curve then holds root mean squares over rows and classes (Shi 3.4).
    Probabilities,
    /// Brier score: the squared error of the class probabilities, summed over the classes.
    Brier,
    /// Log loss: the negative logarithm of the probability of the row's class.
    LogLoss,
}

impl Loss {
    /// The loss of a row of class `actual` at a node where the classes have these weights, `all` together.
    pub(crate) fn of_class(self, costs: Option<&Costs>, actual: usize, weights: &[f64], all: f64) -> f64 {
        match self {
            Self::Risk => {
                let label = decide(costs, weights);
                costs.map_or(f64::from(u8::from(actual != label)), |costs| costs.cost(actual, label))
            }
            // Σ_i (1[i = j] − p_i)² = 1 − 2 p_j + Σ p²
            Self::Probabilities | Self::Brier => {
                let squares: f64 = weights.iter().map(|w| (w / all).powi(2)).sum();
                1.0 - 2.0 * weights[actual] / all + squares
            }
            Self::LogLoss => -(weights[actual] / all).max(LEAST_PROBABILITY).ln(),
        }
    }

    /// The mean loss of rows of this weight, given their summed loss: a mean over rows, or the root of the mean over rows and classes.
    pub(crate) fn mean(self, sum: f64, weight: f64, classes: usize) -> f64 {
        match self {
            Self::Probabilities => (sum / (weight * classes as f64)).max(0.0).sqrt(),
            _ => sum / weight,
        }
    }
}

/// Losses of every node seen as a leaf on the rows counted there, and their squares; for numbers the squares are 0.
pub(crate) fn losses(tree: &Tree, routed: &Routed, loss: Loss) -> (Vec<f64>, Vec<f64>) {
    let nodes = 0..tree.nodes().len();
    if !tree.is_classifier() {
        return nodes.map(|id| (routed.risk(tree, id), 0.0)).unzip();
    }
    let costs = tree.costs().map(|costs| &**costs);
    nodes
        .map(|id| {
            let tally = routed.class_weights(id);
            let mut sums = (0.0, 0.0);
            let mut add = |weight: f64, loss: f64| {
                sums.0 += weight * loss;
                sums.1 += weight * (loss * loss);
            };
            match loss {
                Loss::Risk => {
                    let label = tree.label(id);
                    let cost = |actual: usize| match costs {
                        Some(costs) => costs.cost(actual, label),
                        None => f64::from(u8::from(actual != label)),
                    };
                    tally.iter().enumerate().for_each(|(actual, weight)| add(*weight, cost(actual)));
                }
                Loss::Probabilities | Loss::Brier => {
                    let answer = tree.answer(id);
                    let squares: f64 = answer.iter().map(|p| p.powi(2)).sum();
                    let of = |actual: usize| 1.0 - 2.0 * answer[actual] + squares;
                    tally.iter().enumerate().for_each(|(actual, weight)| add(*weight, of(actual)));
                }
                Loss::LogLoss => {
                    let answer = tree.answer(id);
                    let reached = tally.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
                    reached.for_each(|(actual, w)| add(*w, -answer[actual].max(LEAST_PROBABILITY).ln()));
                }
            }
            sums
        })
        .unzip()
}
