//! The settings of a fit beside table and scheme.

use std::sync::Arc;

use super::Folds;
use super::folds::drawn;
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::schema::{Costs, Priors};

/// The settings of a fit beside table and scheme.
#[derive(Debug, Clone)]
pub struct FitOptions {
    /// The seed of folds and held-out parts.
    pub seed: u64,
    /// What mistakes cost; its classes are those of the table, in any order.
    pub costs: Option<Arc<Costs>>,
    /// The shares of the classes that trees are grown and chosen for; the classes are those of the table, in any order. They
    /// are applied inside every training part; rows that are measured keep their weights.
    pub priors: Option<Priors>,
    /// Folds from outside, in place of stratified random ones.
    pub folds: Option<Folds>,
    /// For every row the group that it belongs to. A group is set aside as a whole, and standard errors of folds say how far these are
    /// apart, as the rows of a group are not evidence of their own. The folds to keep groups together are given in `folds`.
    pub groups: Option<Vec<u32>>,
    /// Weights of the rows to learn from, in place of the table's own; 0 leaves a row out.
    pub weights: Option<Vec<f64>>,
    /// Rows to choose a pruning on, with their weights, in place of a random part of the rows to learn from.
    pub held_out: Option<Vec<f64>>,
    /// As the program behind Shi's tables: errors are compared as they come out, to the last bit, standard errors count all
    /// rows to learn from, and a held-out row that goes several ways is judged in parts, leaf by leaf. Otherwise errors
    /// that differ by rounding alone are equal, and every held-out row counts once, by the answer that prediction gives it.
    pub to_the_bit: bool,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            costs: None,
            priors: None,
            folds: None,
            groups: None,
            weights: None,
            held_out: None,
            to_the_bit: false,
        }
    }
}

impl FitOptions {
    /// The same for a fit that leaves a share of the rows alone, and the weights of those rows: to calibrate with
    /// ([`Fitted::calibrated`](crate::fit::Fitted::calibrated)). The rows are drawn from all, whatever their classes: what is promised for new rows
    /// needs that any row is as likely to be among them. Where rows have groups, these are drawn.
    pub fn set_aside(&self, table: &CodedTable, share: f64) -> Result<(Self, Vec<f64>)> {
        if !(share > 0.0 && share < 1.0) {
            return Err(Error::parameter(format!(
                "setting {share} of the rows aside: expected a share between 0 and 1, such as 0.2"
            )));
        }
        let (weights, aside) =
            drawn(table, self.weights.as_deref(), self.groups.as_deref(), share, self.seed)?;
        Ok((Self { weights: Some(weights), ..self.clone() }, aside))
    }

    /// Relative differences of errors below this are rounding.
    pub(crate) fn tolerance(&self) -> f64 {
        if self.to_the_bit { 0.0 } else { 1e-12 }
    }
}
