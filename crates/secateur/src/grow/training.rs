//! The rows a tree is grown from: those that have weight, coded as if there were no others, their numbers cut as the spec says.

use std::borrow::Cow;

use super::discretise::cut;
use crate::data::{CodedTable, Scale};
use crate::error::Result;
use crate::memory;
use crate::spec::{Discretise, GrowSpec, ThresholdRule};
use crate::split::Sizes;
use crate::sums::Steps;
use crate::threads;

/// A table to grow from, in which every row has weight.
pub(super) struct Training<'a> {
    pub table: Cow<'a, CodedTable>,
    /// Weights that replace the table's own.
    weights: Option<&'a [f64]>,
    /// What a row counts for the limits.
    pub sizes: Sizes,
    /// How much of its row every one is, where rows weigh differently and not all are whole.
    pub shares: Option<Vec<f64>>,
    /// What weights and shares of parts of rows are rounded to.
    pub steps: (Steps, Steps),
}

impl<'a> Training<'a> {
    /// The rows of a table that have weight; `weights` replaces the table's own.
    pub(super) fn new(table: &'a CodedTable, weights: Option<&'a [f64]>, spec: &GrowSpec) -> Result<Self> {
        if weights.or(table.weights()).is_some_and(|w| w.contains(&0.0)) {
            let row = table.columns().len() + size_of::<f64>() + size_of::<u32>();
            memory::ask(table.rows().saturating_mul(row), "the rows to grow a tree from")?;
        }
        let table = ranked(table, spec)?;
        let (table, weights) = match table.part(weights, derives_from_values(spec)) {
            Some(part) => (Cow::Owned(part), None),
            None => (table, weights),
        };
        let cut = cut(&table, weights, spec);
        let table = cut.map_or(table, Cow::Owned);
        let sizes = Sizes::new(spec.count, weights.or(table.weights()));
        let rows = table.rows() as f64;
        let total = weights.or(table.weights()).map_or(rows, |weights| weights.iter().sum());
        let steps = (Steps::below(total), Steps::below(rows));
        Ok(Self { table, weights, sizes, shares: None, steps })
    }

    /// The rows of one node of a larger tree, whose columns are cut already.
    pub(super) fn of_node(
        table: CodedTable,
        sizes: Sizes,
        shares: Option<Vec<f64>>,
        steps: (Steps, Steps),
    ) -> Self {
        Self { table: Cow::Owned(table), weights: None, sizes, shares, steps }
    }

    /// The weights of the rows, when they are not all one.
    pub(super) fn weights(&self) -> Option<&[f64]> {
        self.weights.or(self.table.weights()).filter(|w| w.iter().any(|w| *w != 1.0))
    }
}

/// The table, its numbers ranked where their values are looked at.
fn ranked<'a>(table: &'a CodedTable, spec: &GrowSpec) -> Result<Cow<'a, CodedTable>> {
    if !derives_from_values(spec) || table.columns().iter().all(|column| column.scale != Scale::Floats) {
        return Ok(Cow::Borrowed(table));
    }
    let columns = threads::map(table.columns().len(), |c| table.columns()[c].ranked());
    Ok(Cow::Owned(table.with_columns(columns.into_iter().collect::<Result<_>>()?)))
}

/// Whether a learner takes more from a column's values than where they differ at a node.
fn derives_from_values(spec: &GrowSpec) -> bool {
    spec.threshold == ThresholdRule::DataValue || spec.bins.is_some() || spec.discretise != Discretise::Off
}
