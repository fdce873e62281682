//! The rows a tree is grown from: those that have weight, coded as if there were no others, their numbers cut as the spec says.

use std::borrow::Cow;

use super::GrowSpec;
use super::discretise::cut;
use crate::data::CodedTable;

/// A table to grow from, in which every row has weight.
pub(super) struct Training<'a> {
    pub table: Cow<'a, CodedTable>,
    /// Weights that replace the table's own.
    pub weights: Option<&'a [f64]>,
}

impl<'a> Training<'a> {
    /// The rows of a table that have weight; `weights` replaces the table's own.
    pub fn new(table: &'a CodedTable, weights: Option<&'a [f64]>, spec: &GrowSpec) -> Self {
        let (table, weights) = match table.part(weights) {
            Some(part) => (Cow::Owned(part), None),
            None => (Cow::Borrowed(table), weights),
        };
        let cut = cut(&table, weights, spec);
        Self { table: cut.map_or(table, Cow::Owned), weights }
    }
}
