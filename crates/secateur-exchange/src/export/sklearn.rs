//! scikit-learn: a Python file that builds a fitted `DecisionTreeClassifier` or `DecisionTreeRegressor` from lists, so that SHAP and
//! `sklearn.inspection` work on a tree. The nodes keep their numbers: `apply` gives the leaf.

use secateur::Result;
use secateur::tree::{LeafValues, Stats, Tree};
use serde_json::{Value, json};

use super::format::refused;
use super::lists::Lists;
use super::ways::Ways;
use super::{Carried, Carries, Format, Job, Written, single, ways};
use crate::verify::SCIKIT_LEARN;

/// scikit-learn's trees.
pub(super) static FORMAT: Format = Format {
    id: "sklearn",
    one_line: "a Python file with a fitted tree of scikit-learn, for SHAP and sklearn.inspection",
    extension: "sklearn.py",
    options: &[],
    carries: Carries {
        multiway: Carried::No,
        sets: Carried::No,
        missing_shared: Carried::Partly("heaviest branch"),
        costs: Carried::No,
        precision: "double, inputs in 32 bits",
        note: "thresholds keep the rows of --verify apart in 32 bits, or the tree is refused",
        ..Carries::ALL
    },
    write,
    consumers: |_| vec![&SCIKIT_LEARN],
};

fn write(job: &Job) -> Result<Written> {
    let lists = lists(job)?;
    // Nothing in it ends the text: JSON escapes quotes, and apostrophes are escaped here.
    let json = ascii(&lists.to_string()).replace('\'', "\\u0027");
    let text = include_str!("sklearn.py").replace("{module}", "tree").replace("{lists}", &json);
    let mut written = Written::from(text);
    written.to_heaviest = ways::spreads(job.tree());
    written.notes.extend(ways::unshared("sklearn", job.tree()));
    written.cuts = Some(cuts(job)?);
    Ok(written)
}

fn cuts(job: &Job) -> Result<Vec<f32>> {
    single::cuts(job.tree(), job.rows).map_err(|reason| refused("sklearn", reason))
}

/// The lists, as the file holds them and as `secateur import` reads them.
pub(super) fn lists(job: &Job) -> Result<Value> {
    let tree: &Tree = job.tree();
    let lists = Lists::of(tree).map_err(|reason| refused("sklearn", reason))?;
    let cuts = cuts(job)?;
    // A number is rounded and compared with "at most": the largest number of 32 bits that is below.
    let threshold = |(at_most, cut): (&f64, &f32)| match *at_most {
        x if x.is_infinite() => Value::Null,
        x if x < f64::from(*cut) && x >= f64::from(cut.next_down()) => json!(x),
        _ => json!(f64::from(cut.next_down())),
    };
    let is_leaf = |node: usize| lists.left[node] < 0;
    let thresholds: Vec<Value> = (lists.at_most.iter().zip(&cuts).enumerate())
        .map(|(node, pair)| if is_leaf(node) { json!(-2.0) } else { threshold(pair) })
        .collect();
    let is_shared = |&node: &usize| Ways::of(tree, node).is_some_and(|ways| ways.missing.is_none());
    let shared: Vec<usize> = (0..lists.left.len()).filter(is_shared).collect();
    // What `secateur import` needs beside the values, which need not be those that were counted.
    let counts: Option<Vec<f64>> = (tree.is_classifier() && tree.has_counts())
        .then(|| (0..lists.left.len()).flat_map(|node| tree.class_weights(node).to_vec()).collect());
    let means = match tree.stats() {
        Stats::Numbers { mean, .. } if tree.leaf_values() != LeafValues::Raw => Some(mean),
        _ => None,
    };
    let missing: Vec<u8> = lists.missing_left.iter().map(|is_left| u8::from(*is_left)).collect();
    Ok(json!({
        "format": "sklearn-tree",
        "made_by": concat!("secateur ", env!("CARGO_PKG_VERSION")),
        "target": tree.schema().target.name(),
        "classes": job.classes(),
        "labels": job.model.about.labels,
        "features": lists.features,
        "max_depth": tree.depth(),
        "children_left": lists.left,
        "children_right": lists.right,
        "feature": lists.feature,
        "threshold": thresholds,
        "missing_go_to_left": missing,
        "impurity": lists.impurity,
        "n_node_samples": lists.rows,
        "weighted_n_node_samples": lists.weight,
        "value": lists.value,
        "has_squared_errors": !tree.is_classifier(),
        "has_counts": tree.has_counts(),
        "missing_shared": shared,
        "counts": counts,
        "means": means,
        "leaf_values": tree.leaf_values().to_string(),
    }))
}

/// A text of JSON without characters beyond ASCII.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() && c != '\u{7f}' {
            text.push(c);
            continue;
        }
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    text
}
