//! Yggdrasil Decision Forests: a CART as JSON that `secateur.from_ydf` of the Python package writes.
//!
//! What ydf prints itself has thresholds of five digits and no classes, so it is not enough. A row meets a condition and goes to the
//! positive child, or does not; numbers are rounded to 32 bits before; `missing` says where a missing value goes.

use secateur::error::shown;
use secateur::schema::Target;
use serde::Deserialize;

use super::draft::{Draft, DraftKind, Says, Split};
use super::numbers::rounds_to;
use super::{Imported, Problem, Reader, Source};

/// JSON of a tree of ydf.
pub(super) static READER: Reader = Reader {
    id: "ydf",
    one_line: "a tree of ydf as JSON (secateur.from_ydf in Python writes it)",
    looks: |source| source.text.trim_start().starts_with('{') && source.text.contains("\"ydf-tree\""),
    read,
};

#[derive(Deserialize)]
struct File {
    format: String,
    label: String,
    /// The classes; none for a tree that predicts numbers.
    #[serde(default)]
    classes: Vec<String>,
    columns: Vec<Column>,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Column {
    name: String,
    values: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Node {
    weight: f64,
    /// Probabilities, or one number.
    value: Vec<f64>,
    sd: Option<f64>,
    #[serde(flatten)]
    split: Option<Condition>,
}

#[derive(Deserialize)]
struct Condition {
    column: usize,
    /// A number that is at least this meets the condition.
    at_least: Option<f32>,
    /// A value that is one of these does.
    among: Option<Vec<String>>,
    missing: bool,
    positive: usize,
    negative: usize,
}

fn read(source: &Source) -> Result<Imported, Problem> {
    let file: File = serde_json::from_str(source.text)?;
    if file.format != "ydf-tree" {
        return Err(Problem::new(format!("its format is {}; expected ydf-tree", shown(&file.format))));
    }
    let mut draft = Draft::new();
    for (place, column) in file.columns.into_iter().enumerate() {
        if draft.attribute(&column.name) != place {
            return Err(Problem::new(format!("the column {} appears twice", shown(&column.name))));
        }
        let kind =
            column.values.map_or(DraftKind::Numeric, |list| DraftKind::Values { list, is_complete: true });
        draft.set_kind(place, kind)?;
    }
    while draft.len() < file.nodes.len() {
        draft.add();
    }
    let count = file.nodes.len();
    for (place, node) in file.nodes.iter().enumerate() {
        draft.weight(place, node.weight);
        draft.rows(place, node.weight.max(0.0).round() as u64);
        let says = match (&node.value[..], file.classes.is_empty()) {
            ([value], true) => Says::Number(*value, node.sd.map(|sd| sd * sd)),
            (shares, false) if shares.len() == file.classes.len() => Says::Shares(shares.to_vec()),
            (list, _) => return Err(Problem::new(format!("node {place} has {} numbers", list.len()))),
        };
        draft.has_counts &= !file.classes.is_empty() || node.sd.is_some();
        let Some(split) = &node.split else {
            draft.says(place, says);
            continue;
        };
        if [split.positive, split.negative].iter().any(|child| *child >= count || *child == 0) {
            return Err(Problem::new(format!("node {place} has a child that is not there")));
        }
        let attribute = split.column;
        // Here the smaller numbers come first; there the larger ones are the positive side.
        let (condition, children) = match (split.at_least, &split.among, draft.kind_of(attribute)) {
            (Some(least), None, Some(DraftKind::Numeric)) => {
                let missing = Some(usize::from(split.missing));
                (
                    Split::Below { attribute, below: rounds_to(least), missing },
                    vec![split.negative, split.positive],
                )
            }
            (None, Some(values), Some(DraftKind::Values { .. })) => {
                let missing = Some(usize::from(!split.missing));
                let sets = vec![Some(values.clone()), None];
                (Split::Sets { attribute, sets, missing }, vec![split.positive, split.negative])
            }
            _ => return Err(Problem::new(format!("node {place}: its condition does not fit its column"))),
        };
        draft.split(place, condition, children);
    }
    let name = source.target.map_or(file.label, String::from);
    let target = match file.classes.is_empty() {
        true => Target::Number { name },
        false => Target::Classes { name, classes: file.classes },
    };
    Imported::new(draft, target, "ydf")
}
