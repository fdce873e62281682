//! What this program writes into PMML beside what that has a place for, read back.

use secateur::schema::Costs;
use secateur::tree::LeafValues;

use super::elements::{Elements, Place};
use crate::import::{Imported, Problem};

/// What this program writes beside what PMML has a place for.
#[derive(Default)]
pub(super) struct Extensions {
    costs: Option<Vec<Vec<f64>>>,
    leaf_values: Option<LeafValues>,
    pub(super) without_counts: bool,
    /// The nodes that share out rows without a value, ascending.
    shared: Vec<usize>,
    /// The rows at every node.
    pub(super) rows: Vec<u64>,
    /// Mean and mean squared error of every node, for a tree of numbers.
    mean: Vec<f64>,
    mse: Vec<f64>,
}

impl Extensions {
    pub(super) fn has_numbers(&self) -> bool {
        !self.mean.is_empty() && self.mean.len() == self.mse.len()
    }

    /// Mean and mean squared error of a node.
    pub(super) fn numbers(&self, node: usize) -> Option<(f64, f64)> {
        Some((*self.mean.get(node)?, *self.mse.get(node)?))
    }

    /// Whether the node with a name shares out rows without a value.
    pub(super) fn is_shared(&self, id: Option<&str>) -> bool {
        let number = id.and_then(|id| id.parse().ok());
        number.is_some_and(|number: usize| self.shared.binary_search(&number).is_ok())
    }

    /// Whether what the leaves say follows from their counts by a rule that is kept here.
    pub(super) fn are_own(&self) -> bool {
        self.costs.is_some() || self.leaf_values.is_some()
    }

    pub(super) fn of(elements: &Elements, model: Place) -> Self {
        let value = |name: &str| {
            let own = |&place: &Place| {
                elements.get(place, "extender") == Some("secateur")
                    && elements.get(place, "name") == Some(name)
            };
            elements.all(model, "Extension").find(own).and_then(|place| elements.get(place, "value"))
        };
        Self {
            costs: value("costs").and_then(|text| serde_json::from_str(text).ok()),
            leaf_values: value("leaf-values").and_then(|text| text.parse().ok()),
            without_counts: value("counts") == Some("unknown"),
            shared: list(value("missing-shared")),
            rows: list(value("rows")),
            mean: list(value("mean")),
            mse: list(value("mse")),
        }
    }

    pub(super) fn add(self, mut imported: Imported) -> Result<Imported, Problem> {
        let wrong = |error: secateur::Error| Problem::new(error.to_string());
        let mut tree = imported.model.tree;
        if let Some(costs) = self.costs {
            let costs = Costs::from_matrix(tree.schema().target.classes(), costs.concat()).map_err(wrong)?;
            tree = tree.with_costs(Some(std::sync::Arc::new(costs))).map_err(wrong)?;
        }
        if let Some(values) = self.leaf_values {
            tree = tree.with_leaf_values(values).map_err(wrong)?;
        }
        imported.model.tree = tree;
        Ok(imported)
    }
}

/// A list of numbers as JSON; empty where it is not one.
fn list<T: serde::de::DeserializeOwned>(text: Option<&str>) -> Vec<T> {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
