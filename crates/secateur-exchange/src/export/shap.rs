//! SHAP: the dictionary that `shap.TreeExplainer` takes in place of a model, as JSON.

use secateur::Result;

use super::format::refused;
use super::lists::Lists;
use super::{Carried, Carries, Format, Job, Written};
use crate::verify::SHAP;

/// SHAP's dictionary.
pub(super) static FORMAT: Format = Format {
    id: "shap",
    one_line: "the dictionary that shap.TreeExplainer takes, as JSON",
    extension: "shap.json",
    options: &[],
    carries: Carries {
        multiway: Carried::No,
        sets: Carried::No,
        missing_shared: Carried::Partly("heaviest branch"),
        costs: Carried::Partly("no labels"),
        note: "explains probabilities or numbers; the lists become NumPy arrays (docs/exports.md)",
        ..Carries::ALL
    },
    write,
    consumers: |_| vec![&SHAP],
};

fn write(job: &Job) -> Result<Written> {
    let tree = job.tree();
    let lists = Lists::of(tree).map_err(|reason| refused("shap", reason))?;
    if let Some(node) = lists.at_most.iter().position(|x| *x == f64::NEG_INFINITY) {
        let reason = format!(
            "node {node} divides at the least number there is, and below it only infinity is left, which JSON cannot hold"
        );
        return Err(refused("shap", reason));
    }
    let width = job.classes().len().max(1);
    let values: Vec<&[f64]> = lists.value.chunks(width).collect();
    let default: Vec<i64> = (lists.left.iter().zip(&lists.right).zip(&lists.missing_left))
        .map(|((left, right), is_left)| if *is_left { *left } else { *right })
        .collect();
    // No number is above the largest one but infinity, which JSON cannot hold.
    let thresholds: Vec<f64> = lists.at_most.iter().map(|x| x.min(f64::MAX)).collect();
    let text = serde_json::json!({
        "made_by": concat!("secateur ", env!("CARGO_PKG_VERSION")),
        "target": tree.schema().target.name(),
        "classes": job.classes(),
        "feature_names": lists.features,
        "tree_output": if job.classes().is_empty() { "raw_value" } else { "probability" },
        "trees": [{
            "children_left": lists.left,
            "children_right": lists.right,
            "children_default": default,
            "features": lists.feature,
            "thresholds": thresholds,
            "values": values,
            "node_sample_weight": lists.weight,
        }],
    });
    let mut written = Written::from(text.to_string() + "\n");
    written.to_heaviest = super::ways::spreads(tree);
    written.notes.extend(super::ways::unshared("shap", tree));
    Ok(written)
}
