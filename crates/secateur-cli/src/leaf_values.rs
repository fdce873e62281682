//! The flag `--leaf-values`, and leaf values in words and as JSON.

use std::str::FromStr;

use secateur::fit::LambdaChoice;
use secateur::report::leaf_values_text;
use secateur::scheme::Scheme;
use secateur::tree::{LeafValues, Tree};
use serde::Serialize;

use crate::output;

/// Leaf values as a call names them; the number can be left out.
#[derive(Clone, Debug)]
pub struct NamedLeafValues {
    text: String,
    values: LeafValues,
}

impl FromStr for NamedLeafValues {
    type Err = secateur::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self { text: text.into(), values: text.parse()? })
    }
}

impl NamedLeafValues {
    /// For a tree that is there: a number that is not named is the tree's own, else the usual one.
    pub fn for_saved(&self, tree: &Tree) -> LeafValues {
        match (self.values, tree.leaf_values()) {
            (LeafValues::Shrink(_), own @ LeafValues::Shrink(_))
            | (LeafValues::M(_), own @ LeafValues::M(_))
                if !self.text.contains('=') =>
            {
                own
            }
            (named, _) => named,
        }
    }

    /// For a tree that is to be fitted: a λ that is not named is left to the rows that choose the pruning.
    pub fn of_scheme(&self, scheme: Scheme) -> secateur::Result<Scheme> {
        scheme.with_leaf_values(&self.text)
    }
}

/// Leaf values as JSON.
#[derive(Serialize)]
pub struct LeafValuesSummary {
    #[serde(flatten)]
    values: LeafValues,
    /// How λ was chosen, where rows chose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Chosen>,
}

#[derive(Serialize)]
struct Chosen {
    method: String,
    /// The loss that is compared: log_loss, mean_cost or mse.
    measure: &'static str,
    tried: Vec<Tried>,
}

#[derive(Serialize)]
struct Tried {
    lambda: f64,
    loss: f64,
}

impl LeafValuesSummary {
    /// What the leaves of a tree say, and how that was chosen.
    pub fn of(tree: &Tree, choice: Option<&LambdaChoice>) -> Self {
        let chosen = choice.map(|choice| Chosen {
            method: choice.method.clone(),
            measure: measure(tree),
            tried: choice.losses.iter().map(|&(lambda, loss)| Tried { lambda, loss }).collect(),
        });
        Self { values: tree.leaf_values(), chosen }
    }
}

/// The loss by which λ is chosen.
fn measure(tree: &Tree) -> &'static str {
    match (tree.is_classifier(), tree.costs()) {
        (true, Some(_)) => "mean_cost",
        (true, None) => "log_loss",
        (false, _) => "mse",
    }
}

/// What the leaves of a tree say, in words; nothing where they say what was counted.
pub fn in_words(tree: &Tree, choice: Option<&LambdaChoice>) -> Option<String> {
    let text = leaf_values_text(tree.leaf_values())?;
    let Some(choice) = choice else { return Some(text) };
    let what = match measure(tree) {
        "log_loss" => "log loss",
        "mean_cost" => "mean cost",
        _ => "RMSE",
    };
    let shown = |loss: f64| output::rounded(if tree.is_classifier() { loss } else { loss.max(0.0).sqrt() });
    let at = |lambda: f64| choice.losses.iter().find(|tried| tried.0 == lambda).map(|tried| shown(tried.1));
    let best = at(choice.lambda).unwrap_or_default();
    let unshrunk = at(0.0).filter(|_| choice.lambda != 0.0);
    let unshrunk = unshrunk.map_or(String::new(), |loss| format!("; λ = 0: {loss}"));
    Some(format!("{text} ({what} {best} by {}{unshrunk})", choice.method))
}
