//! A tree of two branches and numbers as lists, one number for every node: what scikit-learn and SHAP are built on. Nodes keep their
//! places.

use secateur::error::shown;
use secateur::schema::AttributeKind;
use secateur::tree::{Stats, Tree};

use super::said;
use super::ways::{Known, Ways};

/// The lists of a tree.
pub(super) struct Lists {
    /// The columns, in the order of the table: all that hold numbers.
    pub(super) features: Vec<String>,
    /// The place of every attribute among them.
    pub(super) place: Vec<usize>,
    pub(super) left: Vec<i64>,
    pub(super) right: Vec<i64>,
    /// -2 at a leaf.
    pub(super) feature: Vec<i64>,
    /// A number that is at most this goes to the left; infinite where only missing ones go to the right.
    pub(super) at_most: Vec<f64>,
    /// Whether rows without a value go to the left.
    pub(super) missing_left: Vec<bool>,
    /// What every node says, one after the other.
    pub(super) value: Vec<f64>,
    pub(super) rows: Vec<u64>,
    pub(super) weight: Vec<f64>,
    /// Gini's index, or the mean squared error.
    pub(super) impurity: Vec<f64>,
}

impl Lists {
    /// The lists, or why there are none.
    pub(super) fn of(tree: &Tree) -> Result<Self, String> {
        let attributes = &tree.schema().attributes;
        let is_numeric = |place: &usize| attributes[*place].kind == AttributeKind::Numeric;
        let numeric: Vec<usize> = (0..attributes.len()).filter(is_numeric).collect();
        let mut place = vec![usize::MAX; attributes.len()];
        numeric.iter().enumerate().for_each(|(at, &attribute)| place[attribute] = at);
        let features = numeric.iter().map(|&attribute| attributes[attribute].name.clone()).collect();
        let count = tree.nodes().len();
        let mut lists = Self {
            features,
            place,
            left: vec![-1; count],
            right: vec![-1; count],
            feature: vec![-2; count],
            at_most: vec![-2.0; count],
            missing_left: vec![false; count],
            value: Vec::new(),
            rows: tree.nodes().iter().map(|node| node.rows).collect(),
            weight: tree.nodes().iter().map(|node| node.weight).collect(),
            impurity: impurity(tree),
        };
        for node in 0..count {
            lists.value.extend(tree.answer(node));
            let Some(ways) = Ways::of(tree, node) else { continue };
            lists.at_most[node] = match ways.known {
                Known::Below(threshold) => threshold.next_down(),
                Known::AnyNumber => f64::INFINITY,
                Known::Values(_) => {
                    return Err(format!(
                        "node {node} divides {} by its values, and only numbers are carried; code such columns as numbers before growing",
                        shown(&attributes[ways.attribute].name)
                    ));
                }
            };
            let first = tree.children(node).start as i64;
            (lists.left[node], lists.right[node]) = (first, first + 1);
            lists.feature[node] = lists.place[ways.attribute] as i64;
            lists.missing_left[node] = said::default_branch(tree, node, &ways) == 0;
        }
        Ok(lists)
    }
}

fn impurity(tree: &Tree) -> Vec<f64> {
    match tree.stats() {
        Stats::Numbers { mse, .. } => mse.clone(),
        Stats::Classes { .. } => {
            let gini = |node: usize| 1.0 - tree.answer(node).iter().map(|p| p * p).sum::<f64>();
            (0..tree.nodes().len()).map(gini).collect()
        }
    }
}
