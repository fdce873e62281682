//! What the tests of pruners share.

use std::sync::Arc;

use secateur::data::{CodedTable, Column, Roles, Table, Values, builtin};
use secateur::fit::{FitOptions, Fitted, fit};
use secateur::predict::Predictions;
use secateur::progress::Silent;
use secateur::prune::Pruner;
use secateur::schema::{CostEntry, Costs};
use secateur::scheme::Scheme;
use secateur::tree::Tree;

use crate::common::Shape;

pub const SMALL: Shape = Shape { rows: 130, classes: 2, missing: 0.0, weights: false, nominal_values: 4 };

pub fn scheme(text: &str) -> Scheme {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub fn pruner_of(scheme: &Scheme) -> &'static Pruner {
    Pruner::of(scheme.pruner.as_ref().unwrap()).unwrap()
}

pub fn fitted(table: &CodedTable, text: &str, options: &FitOptions) -> Fitted {
    fit(table, &scheme(text), options, &Silent).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The same splits at the same places.
pub fn assert_same_splits(a: &Tree, b: &Tree, what: &str) {
    assert_eq!(a.nodes().len(), b.nodes().len(), "{what}");
    for (id, (x, y)) in a.nodes().iter().zip(b.nodes()).enumerate() {
        assert_eq!((&x.condition, x.parent), (&y.condition, y.parent), "{what}: node {id}");
        assert_eq!(a.is_classifier().then(|| a.label(id)), b.is_classifier().then(|| b.label(id)), "{what}");
    }
}

/// The table with other weights.
pub fn reweighted(table: &Table, weight: impl Fn(f64) -> f64) -> Table {
    let columns = table.columns().iter().map(|c| match (&c.values, c.name.as_str()) {
        (Values::Numeric(v), "w") => {
            Column { name: c.name.clone(), values: Values::Numeric(v.iter().map(|&w| weight(w)).collect()) }
        }
        _ => c.clone(),
    });
    Table::new(table.name(), columns.collect()).unwrap()
}

/// Different costs for different mistakes, all times `scale`.
pub fn costs(classes: usize, scale: f64) -> Arc<Costs> {
    let names: Vec<String> = (0..classes).map(|j| format!("c{j}")).collect();
    let mut entries = Vec::new();
    for (i, actual) in names.iter().enumerate() {
        for (j, predicted) in names.iter().enumerate().filter(|(j, _)| *j != i) {
            let cost = scale * (1.0 + ((2 * i + j) % 4) as f64);
            entries.push(CostEntry { actual: actual.clone(), predicted: predicted.clone(), cost });
        }
    }
    Arc::new(Costs::new(&names, &entries).unwrap())
}

pub fn with_costs(costs: Arc<Costs>) -> FitOptions {
    FitOptions { costs: Some(costs), ..FitOptions::default() }
}

pub fn load(name: &str) -> CodedTable {
    CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap()
}

/// What a row costs as it is predicted.
pub fn loss_of(tree: &Tree, predictions: &Predictions, row: usize, y: f64) -> f64 {
    if !tree.is_classifier() {
        return (predictions.values[row] - y).powi(2);
    }
    let label = predictions.labels[row] as usize;
    match tree.costs() {
        Some(costs) => costs.cost(y as usize, label),
        None => f64::from(u8::from(label != y as usize)),
    }
}
