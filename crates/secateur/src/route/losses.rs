//! What a node seen as a leaf loses on the rows that reach it.

use super::Routed;
use crate::tree::Tree;

/// What is counted on held-out rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Errors, costs, or squared error.
    Risk,
    /// Squared error of the class probabilities; the curve then holds root mean squares over rows and classes (Shi 3.4).
    Probabilities,
}

/// Losses of every node seen as a leaf on the rows counted there, and their squares.
pub(crate) fn losses(tree: &Tree, routed: &Routed, loss: Loss) -> (Vec<f64>, Vec<f64>) {
    let nodes = 0..tree.nodes().len();
    match loss {
        Loss::Risk if tree.is_classifier() => nodes
            .map(|id| {
                let (label, tally) = (tree.label(id), routed.class_weights(id));
                let cost = |actual: usize| match tree.costs() {
                    Some(costs) => costs.cost(actual, label),
                    None => f64::from(u8::from(actual != label)),
                };
                let sum = |power: i32| -> f64 {
                    tally.iter().enumerate().map(|(j, w)| w * cost(j).powi(power)).sum()
                };
                (sum(1), sum(2))
            })
            .unzip(),
        Loss::Risk => nodes.map(|id| (routed.risk(tree, id), 0.0)).unzip(),
        Loss::Probabilities => nodes
            .map(|id| {
                let said = tree.answer(id);
                let squares: f64 = said.iter().map(|p| p.powi(2)).sum();
                // Σ_i (1[i = j] − p_i)² = 1 − 2 p_j + Σ p²
                let of = |j: usize| 1.0 - 2.0 * said[j] + squares;
                (routed.class_weights(id).iter().enumerate().map(|(j, w)| w * of(j)).sum::<f64>(), 0.0)
            })
            .unzip(),
    }
}
