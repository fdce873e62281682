//! Class priors: rows weighted so that the classes have given shares of the weight.
//!
//! Every tree is grown from rows weighted to the priors within its own training part, fold by fold. The rows a choice is made on
//! are weighted to them too: the folds all together, a held-out part by itself. Total weights stay what they were.

use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};

/// The shares, one for every class of the table, adding up to 1.
pub(super) fn checked(table: &CodedTable, priors: &[f64]) -> Result<Vec<f64>> {
    if table.classes() == 0 {
        return Err(Error::parameter("priors are for classes; the target here has numbers"));
    }
    let sum: f64 = priors.iter().sum();
    let bad = priors.iter().any(|p| !p.is_finite() || *p <= 0.0) || !sum.is_finite();
    if priors.len() != table.classes() || bad {
        return Err(Error::parameter("priors: expected a number above 0 for every class"));
    }
    Ok(priors.iter().map(|p| p / sum).collect())
}

/// Row weights times what gives the classes these shares of the weight `within` a part of the rows. Classes that the part does not
/// have leave their shares to the others.
pub(super) fn weighted(table: &CodedTable, weights: &[f64], within: &[f64], shares: &[f64]) -> Vec<f64> {
    let CodedTarget::Classes { classes, codes } = table.target() else { return weights.to_vec() };
    let mut totals = vec![0.0; *classes];
    codes.iter().zip(within).for_each(|(&class, weight)| totals[class as usize] += weight);
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
