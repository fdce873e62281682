//! Prediction: every row runs down the tree, in fractions where a value is missing or unknown.
//!
//! A row without a missing value on its way reaches one leaf. Where [`Condition::route`](crate::tree::Condition::route)
//! gives no branch, the row goes down every branch in proportion to the branches' weights, and the
//! leaves it reaches are combined with these weights (Shi 3.3.2, C4.5). Where no branch has weight the node itself
//! answers, as a leaf would.

use std::sync::Arc;

use super::binding::{Absent, Source, Unseen, bind};
use super::router::Router;
use crate::data::Table;
use crate::error::Result;
use crate::schema::{Cell, Schema};
use crate::tree::{LeafValues, NodeId, Tree};

/// What a tree says about the rows of a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Predictions {
    /// The class of every row: the one with the largest of the probabilities below, or by these probabilities the
    /// cheapest one where mistakes cost differently; the first of equal ones. Empty for regression.
    pub labels: Vec<u32>,
    /// The probability of every class, row by row; empty for regression.
    pub probabilities: Vec<f64>,
    /// The predicted numbers; empty for classification.
    pub values: Vec<f64>,
    /// The leaf of every row: the one that gets most of it, the first of equal ones.
    pub leaf: Vec<u32>,
    pub(super) schema: Arc<Schema>,
}

/// A tree bound to a table, ready to predict its rows.
pub struct Predictor<'a> {
    table: &'a Table,
    router: Router<'a>,
    unseen: Vec<Unseen>,
}

impl<'a> Predictor<'a> {
    /// Finds the columns the tree tests by their names; other columns are left alone.
    ///
    /// A column the tree tests and the table does not have is an error, and so is text where the tree
    /// wants numbers. Numbers where the tree wants values from a list are matched by their text. Values
    /// the tree does not know go down every branch; [`unseen`](Self::unseen) lists them.
    ///
    /// ```
    /// use secateur::data::{Column, Table, Values};
    /// use secateur::tree::Model;
    /// use secateur::predict::Predictor;
    /// let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
    ///     "attributes": [{"name": "petal width", "type": "numeric"}],
    ///     "target": {"type": "classes", "name": "species", "classes": ["setosa", "other"]},
    ///     "nodes": [
    ///         {"split": {"attribute": "petal width", "less_than": 0.8}, "first_child": 1,
    ///          "rows": 150, "weight": 150, "counts": [50, 100]},
    ///         {"parent": 0, "rows": 50, "weight": 50, "counts": [50, 0]},
    ///         {"parent": 0, "rows": 100, "weight": 100, "counts": [0, 100]}]}"#;
    /// let model = Model::from_json("iris.json", json.as_bytes()).unwrap();
    /// let widths = Values::Numeric(vec![0.2, 1.4, f64::NAN]);
    /// let table = Table::new("rows", vec![Column { name: "petal width".into(), values: widths }]).unwrap();
    ///
    /// let predictor = Predictor::bind(&model.tree, &table).unwrap();
    /// let predictions = predictor.predict();
    /// assert_eq!(predictions.labels, [0, 1, 1]);
    /// assert_eq!(predictions.probabilities[4..], [1.0 / 3.0, 2.0 / 3.0]);
    /// assert_eq!(predictor.leaf_weights(0), [(1, 1.0)]);
    /// ```
    pub fn bind(tree: &'a Tree, table: &'a Table) -> Result<Self> {
        Self::bind_portion(tree, table, 0)
    }

    /// The same for a portion of a table, whose first row has this number among all (from 0).
    pub fn bind_portion(tree: &'a Tree, table: &'a Table, first_row: u64) -> Result<Self> {
        let (sources, unseen) = bind(tree, table, first_row, Absent::IsError)?;
        Ok(Self::of(tree, table, sources, unseen))
    }

    pub(super) fn of(
        tree: &'a Tree,
        table: &'a Table,
        sources: Vec<Source<'a>>,
        unseen: Vec<Unseen>,
    ) -> Self {
        Self { table, router: Router::new(tree, table.rows(), sources), unseen }
    }

    /// The tree.
    pub fn tree(&self) -> &'a Tree {
        self.router.tree
    }

    /// The table.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// The values in tested columns that the tree does not know, each with its number of rows.
    pub fn unseen(&self) -> &[Unseen] {
        &self.unseen
    }

    /// The leaves a row reaches and the share of the row that does, from left to right; none where the table has no such row.
    pub fn leaf_weights(&self, row: usize) -> Vec<(NodeId, f64)> {
        let mut fragments = Vec::new();
        if row >= self.table.rows() {
            return fragments;
        }
        let cell = |attribute: usize| self.router.sources[attribute].cell(row);
        self.router.tree.walk(cell, &mut Vec::new(), |id, share, ends| {
            if ends {
                fragments.push((id, share));
            }
        });
        fragments
    }

    /// The cell of a row for an attribute of the tree, in the tree's codes. Attributes that the tree does not test, and rows that the
    /// table does not have, are missing.
    pub fn cell(&self, row: usize, attribute: usize) -> Cell {
        match self.router.sources.get(attribute) {
            Some(source) if row < self.table.rows() => source.cell(row),
            _ => Cell::Missing,
        }
    }

    /// [`predict`](Self::predict), or an error when there is not enough memory for what it says.
    pub fn try_predict(&self) -> Result<Predictions> {
        self.router.ask_for_memory()?;
        Ok(self.predict())
    }

    /// The same with other leaf values than the tree's own.
    ///
    /// # Errors
    /// As there, and when the values are not made for what the tree predicts.
    pub fn try_predict_by(&self, values: LeafValues) -> Result<Predictions> {
        values.check(self.tree().task())?;
        self.router.ask_for_memory()?;
        Ok(self.router.predict(values))
    }

    /// Predicts all rows, on all threads; the result does not depend on their number.
    pub fn predict(&self) -> Predictions {
        self.router.predict(self.tree().leaf_values())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
