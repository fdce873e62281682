//! The nodes of a tree as columns, and which of them rows pass.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateur::predict::Predictor;
use secateur::prune::k_norm::{KNorm, leaf_reliability};
use secateur::report::NodeText;
use secateur::threads;
use secateur::tree::{NodeId, Tree};

/// A sparse matrix: where its rows begin, columns, numbers.
pub type Rows = (Vec<i64>, Vec<i64>, Vec<f64>);

fn sparse(rows: Vec<Vec<(NodeId, f64)>>) -> Rows {
    let (mut begins, mut columns, mut numbers) = (vec![0], Vec::new(), Vec::new());
    for row in rows {
        columns.extend(row.iter().map(|(node, _)| *node as i64));
        numbers.extend(row.iter().map(|(_, share)| *share));
        begins.push(columns.len() as i64);
    }
    (begins, columns, numbers)
}

/// The nodes that every row passes, from the root down, with the share of the row.
pub fn passed(predictor: &Predictor) -> Rows {
    let tree = predictor.tree();
    let way = |row: usize| {
        let mut shares = std::collections::BTreeMap::new();
        for (leaf, share) in predictor.leaf_weights(row) {
            let mut at = Some(leaf);
            while let Some(id) = at {
                *shares.entry(id).or_insert(0.0) += share;
                at = tree.node(id).parent.map(|parent| parent as usize);
            }
        }
        shares.into_iter().collect()
    };
    sparse(threads::map(predictor.table().rows(), way))
}

/// One list per property, one entry per node.
pub fn as_dict<'py>(py: Python<'py>, tree: &Tree, rule: Option<&KNorm>) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let nodes = tree.nodes();
    let all = 0..nodes.len();
    let names: Vec<Option<&str>> = nodes
        .iter()
        .map(|n| n.condition.as_ref().map(|c| tree.schema().attributes[c.attribute()].name.as_str()))
        .collect();
    let words = NodeText::new(tree);
    let branch: Vec<String> =
        all.clone().filter_map(|id| tree.get(id)).map(|node| words.branch(node)).collect();
    told.set_item("parent", nodes.iter().map(|n| n.parent).collect::<Vec<_>>())?;
    told.set_item("depth", tree.depths())?;
    told.set_item("leaf", all.clone().map(|id| tree.is_leaf(id)).collect::<Vec<_>>())?;
    told.set_item("attribute", names)?;
    told.set_item("branch", branch)?;
    told.set_item("rows", nodes.iter().map(|n| n.rows).collect::<Vec<_>>())?;
    told.set_item("weight", nodes.iter().map(|n| n.weight).collect::<Vec<_>>())?;
    told.set_item("gain", nodes.iter().map(|n| n.gain).collect::<Vec<_>>())?;
    told.set_item("error", all.clone().map(|id| tree.error(id)).collect::<Vec<_>>())?;
    if tree.is_classifier() {
        let classes = tree.schema().target.classes().len();
        let weights: Vec<f64> = all.clone().flat_map(|id| tree.class_weights(id).iter().copied()).collect();
        told.set_item("label", all.clone().map(|id| tree.label(id)).collect::<Vec<_>>())?;
        told.set_item("counts", weights.into_pyarray(py).reshape([nodes.len(), classes])?)?;
    } else {
        told.set_item("value", all.clone().map(|id| tree.value(id)).collect::<Vec<_>>())?;
    }
    if let Some(rule) = rule {
        let sure: Vec<_> = all.map(|id| leaf_reliability(tree, id, rule)).collect();
        told.set_item("expected_error", sure.iter().map(|r| r.error).collect::<Vec<_>>())?;
        told.set_item("expected_error_sd", sure.iter().map(|r| r.sd).collect::<Vec<_>>())?;
    }
    Ok(told)
}
