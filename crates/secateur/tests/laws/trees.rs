//! When two trees are the same.

use secateur::tree::{Model, Stats, Tree};

use crate::common::{Rows, rows_at_nodes};

/// The same splits at the same places, with nodes that say the same.
pub fn same_splits(a: &Tree, b: &Tree) -> Result<(), String> {
    if a.nodes().len() != b.nodes().len() {
        return Err(format!("{} and {} nodes", a.nodes().len(), b.nodes().len()));
    }
    for (id, (x, y)) in a.nodes().iter().zip(b.nodes()).enumerate() {
        if (&x.condition, x.parent) != (&y.condition, y.parent) {
            return Err(format!("node {id} is {:?} and {:?}", x.condition, y.condition));
        }
        let (p, q) = (a.answer(id), b.answer(id));
        if p.iter().zip(q).any(|(p, q)| (p - q).abs() > 1e-9 * p.abs().max(1.0)) {
            return Err(format!("node {id} says {p:?} and {q:?}"));
        }
        if a.is_classifier() && a.label(id) != b.label(id) {
            return Err(format!("node {id} is class {} and {}", a.label(id), b.label(id)));
        }
    }
    Ok(())
}

/// A node as it looks whatever classes and attributes are called and however they are ordered: weight, the class weights from
/// small to large, value, and number of branches.
fn looks(tree: &Tree) -> Vec<String> {
    let depths = tree.depths();
    let mut all: Vec<String> = (0..tree.nodes().len())
        .map(|id| {
            let mut weights = tree.class_weights(id).to_vec();
            weights.sort_by(f64::total_cmp);
            let node = tree.node(id);
            let value = if tree.is_classifier() { 0.0 } else { tree.value(id) };
            let (weight, branches) = (node.weight, tree.children(id).len());
            format!("depth {} {weight:.8} {weights:.8?} {value:.8} {branches}", depths[id])
        })
        .collect();
    all.sort();
    all
}

/// The same splits of the same rows, whatever the order of classes, attributes and branches.
pub fn same_looks(a: &Tree, b: &Tree) -> Result<(), String> {
    let (a, b) = (looks(a), looks(b));
    if a.len() != b.len() {
        return Err(format!("{} and {} nodes", a.len(), b.len()));
    }
    match a.iter().zip(&b).find(|(x, y)| x != y) {
        Some((x, y)) => Err(format!("a node has {x}, the other {y}")),
        None => Ok(()),
    }
}

/// The tree after it was saved and loaded.
pub fn saved_and_loaded(tree: &Tree, scheme: &str) -> Model {
    let mut text = Vec::new();
    let model = Model { tree: tree.clone(), scheme: scheme.into(), about: Default::default() };
    model.to_json(&mut text).unwrap();
    Model::from_json("saved", text.as_slice()).unwrap()
}

/// Every node counts the rows that the conditions above send to it.
pub fn counts_its_rows(tree: &Tree, rows: &Rows) -> Result<(), String> {
    for (id, at) in rows_at_nodes(rows, tree).iter().enumerate() {
        let node = tree.node(id);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.abs().max(1.0);
        let weight: f64 = at.iter().map(|p| p.1).sum();
        if node.rows != at.len() as u64 || !near(node.weight, weight) {
            return Err(format!(
                "node {id} has {} rows of weight {}, and {} of weight {weight} reach it",
                node.rows,
                node.weight,
                at.len()
            ));
        }
        for (class, counted) in tree.class_weights(id).iter().enumerate() {
            let sum: f64 = at.iter().filter(|p| rows.y[p.0] == class as f64).map(|p| p.1).sum();
            if !near(*counted, sum) {
                return Err(format!("node {id} has weight {counted} of class {class}, and {sum} reach it"));
            }
        }
        let mean = at.iter().map(|p| p.1 * rows.y[p.0]).sum::<f64>() / weight;
        if let Stats::Numbers { mean: means, .. } = tree.stats()
            && weight > 0.0
            && !near(means[id], mean)
        {
            return Err(format!("node {id} has mean {}, and the mean of its rows is {mean}", means[id]));
        }
    }
    Ok(())
}
