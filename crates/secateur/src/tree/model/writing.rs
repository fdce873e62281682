//! Writing a model: a header, then one line per node, in the order of the arena.

use std::io::{self, Write};

use serde::Serialize;

use super::{FORMAT, Labels, Model, Size};
use crate::data::Plan;
use crate::schema::Schema;
use crate::tree::{Condition, LeafValues, NodeId, Stats, Tree};

/// Writes the whole model. The layout is described in `docs/model-format.md`.
pub(super) fn write(model: &Model, mut out: impl Write) -> io::Result<()> {
    let out = &mut out;
    let (schema, about) = (model.tree.schema(), &model.about);
    write!(out, "{{\n\"format\": \"{FORMAT}\",\n\"version\": {}", version(&model.tree))?;
    field(out, ",\n", "scheme", &model.scheme)?;
    field(out, ",\n", "made_by", &about.made_by)?;
    field(out, ",\n", "data", &about.data)?;
    field(out, ",\n", "rows", &about.rows)?;
    field(out, ",\n", "seed", &about.seed)?;
    // A tree that was cut knows from how many leaves, whatever else is known of that time.
    let cut_from = if model.tree.full_leaves() > model.tree.leaves() { model.tree.full_leaves() } else { 0 };
    let full = Size { leaves: about.full.leaves.max(cut_from as u64), ..about.full };
    field(out, ",\n", "full", &full)?;
    field(out, ",\n", "unknown", &about.unknown)?;
    if about.labels != Labels::default() {
        field(out, ",\n", "labels", &about.labels)?;
    }
    if about.reading != Plan::default() {
        field(out, ",\n", "reading", &about.reading)?;
    }
    out.write_all(b",\n\"attributes\": [")?;
    for (i, attribute) in schema.attributes.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        json(out, attribute)?;
    }
    out.write_all(b"\n]")?;
    field(out, ",\n", "target", &schema.target)?;
    if let Some(costs) = model.tree.costs() {
        let rows: Vec<&[f64]> = costs.matrix().chunks(schema.target.classes().len()).collect();
        field(out, ",\n", "costs", &rows)?;
    }
    if model.tree.leaf_values() != LeafValues::Raw {
        field(out, ",\n", "leaf_values", &model.tree.leaf_values())?;
    }
    if let Some(counts) = model.tree.prior_counts() {
        field(out, ",\n", "prior_counts", &counts)?;
    }
    if !model.tree.has_counts() {
        field(out, ",\n", "counts", &"unknown")?;
    }
    if let Some(conformal) = model.tree.conformal() {
        field(out, ",\n", "conformal", conformal)?;
    }
    out.write_all(b",\n\"nodes\": [")?;
    for id in 0..model.tree.nodes().len() {
        out.write_all(if id == 0 { b"\n" } else { b",\n" })?;
        node(out, &model.tree, id)?;
    }
    out.write_all(b"\n]\n}\n")
}

/// The first version whose readers understand the tree.
fn version(tree: &Tree) -> u64 {
    let mut conditions = tree.nodes().iter().filter_map(|node| node.condition.as_ref());
    let is_raw = tree.leaf_values() == LeafValues::Raw && tree.has_counts();
    if is_raw && conditions.all(|condition| condition.missing().is_none()) { 1 } else { 2 }
}

fn node(out: &mut impl Write, tree: &Tree, id: NodeId) -> io::Result<()> {
    let node = tree.node(id);
    out.write_all(b"{\"parent\":")?;
    json(out, &node.parent)?;
    if let Some(condition) = &node.condition {
        split(out, tree.schema(), condition)?;
        field(out, ",", "first_child", &node.first_child)?;
    }
    field(out, ",", "rows", &node.rows)?;
    out.write_all(b",\"weight\":")?;
    number(out, node.weight)?;
    match tree.stats() {
        Stats::Classes { .. } => {
            out.write_all(b",\"counts\":[")?;
            for (j, &weight) in tree.class_weights(id).iter().enumerate() {
                if j > 0 {
                    out.write_all(b",")?;
                }
                number(out, weight)?;
            }
            out.write_all(b"]")?;
        }
        Stats::Numbers { mean, mse, median } => {
            let numbers = [("mean", mean.get(id)), ("mse", mse.get(id)), ("median", median.get(id))];
            for (name, &x) in numbers.iter().filter_map(|(name, x)| x.map(|x| (name, x))) {
                write!(out, ",\"{name}\":")?;
                number(out, x)?;
            }
        }
    }
    if node.condition.is_some() || node.gain != 0.0 {
        out.write_all(b",\"gain\":")?;
        number(out, node.gain)?;
    }
    if node.condition.is_some() || node.rank != 0 {
        field(out, ",", "rank", &node.rank)?;
    }
    out.write_all(b"}")
}

fn split(out: &mut impl Write, schema: &Schema, condition: &Condition) -> io::Result<()> {
    let attribute = &schema.attributes[condition.attribute()];
    out.write_all(b",\"split\":{\"attribute\":")?;
    json(out, &attribute.name)?;
    match condition {
        Condition::Threshold { below, .. } => {
            out.write_all(b",\"less_than\":")?;
            number(out, *below)?;
        }
        Condition::EachValue { .. } => out.write_all(b",\"each_value\":true")?,
        Condition::Known { .. } => out.write_all(b",\"known\":true")?,
        Condition::Subset { subsets, .. } => {
            for (name, codes) in [("left", subsets.left()), ("right", subsets.right())] {
                write!(out, ",\"{name}\":[")?;
                for (i, &code) in codes.iter().enumerate() {
                    if i > 0 {
                        out.write_all(b",")?;
                    }
                    json(out, &attribute.values()[code as usize])?;
                }
                out.write_all(b"]")?;
            }
        }
    }
    let missing = match (condition, condition.missing()) {
        (Condition::Known { .. }, _) | (_, None) => None,
        (Condition::EachValue { .. }, _) => Some("branch"),
        (_, Some(0)) => Some("left"),
        (_, Some(_)) => Some("right"),
    };
    if let Some(missing) = missing {
        write!(out, ",\"missing\":\"{missing}\"")?;
    }
    out.write_all(b"}")
}

fn field(out: &mut impl Write, before: &str, name: &str, value: &impl Serialize) -> io::Result<()> {
    let gap = if before.len() > 1 { " " } else { "" };
    write!(out, "{before}\"{name}\":{gap}")?;
    json(out, value)
}

fn json(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

/// A number in the fewest digits that give the same bits back; whole numbers without a point. What a node
/// without training rows knows of the target may be undefined and is written as 0.
fn number(out: &mut impl Write, x: f64) -> io::Result<()> {
    if x.fract() == 0.0 && x.abs() < 1e15 && (x != 0.0 || x.is_sign_positive()) {
        json(out, &(x as i64))
    } else if x.is_finite() {
        json(out, &x)
    } else {
        out.write_all(b"0")
    }
}
