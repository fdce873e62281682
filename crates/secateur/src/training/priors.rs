//! Class priors: rows weighted so that the classes have given shares of the weight.
//!
//! Every tree is grown from rows weighted to the priors within its own training part, fold by fold. The rows a choice is made on
//! are weighted to them too: the folds all together, a held-out part by itself. Total weights stay what they were.

use crate::data::{CodedTable, CodedTarget};

/// Row weights times what gives the classes these shares of the weight `within` a part of the rows. Classes that the part does not
/// have leave their shares to the others.
pub(super) fn weighted(table: &CodedTable, weights: &[f64], within: &[f64], shares: &[f64]) -> Vec<f64> {
    let CodedTarget::Classes { codes, .. } = table.target() else { return weights.to_vec() };
    let totals = table.target().class_weights(within.iter().copied());
    let there: f64 =
        shares.iter().zip(&totals).filter(|(_, total)| **total > 0.0).map(|(share, _)| share).sum();
    let total: f64 = totals.iter().sum();
    let factor: Vec<f64> = shares
        .iter()
        .zip(&totals)
        .map(|(share, of_class)| if *of_class > 0.0 { share / there * total / of_class } else { 0.0 })
        .collect();
    codes.iter().zip(weights).map(|(&class, weight)| weight * factor[class as usize]).collect()
}
