//! scikit-learn: the lists of a `DecisionTreeClassifier` or `DecisionTreeRegressor` as JSON, in a file that the export `sklearn`
//! writes or that `secateur.from_sklearn` of the Python package makes.
//!
//! A row goes to the left where its number, rounded to 32 bits, is at most the threshold. A missing value goes where the list
//! `missing_go_to_left` says; a tree that saw no missing values says nothing, and they are shared out. An infinite threshold divides
//! known values from missing ones.

use secateur::error::shown;
use secateur::schema::Target;
use secateur::tree::{Labels, LeafValues};
use serde::Deserialize;

use super::draft::{Draft, DraftKind, Says, Split};
use super::numbers::rounds_to;
use super::{Imported, Problem, Reader, Source};

/// JSON of a tree of scikit-learn.
pub(super) static READER: Reader = Reader {
    id: "sklearn",
    one_line: "a tree of scikit-learn as the export sklearn writes it",
    looks: |source| source.text.contains("\"sklearn-tree\""),
    read,
};

#[derive(Deserialize)]
struct File {
    format: String,
    target: String,
    #[serde(default)]
    classes: Vec<String>,
    #[serde(default)]
    labels: Labels,
    features: Vec<String>,
    children_left: Vec<i64>,
    children_right: Vec<i64>,
    feature: Vec<i64>,
    /// `null` is infinite.
    threshold: Vec<Option<f64>>,
    /// Empty where the tree saw no missing values.
    #[serde(default)]
    missing_go_to_left: Vec<u8>,
    /// Nodes that share missing values out, whatever the list above says.
    #[serde(default)]
    missing_shared: Vec<usize>,
    impurity: Vec<f64>,
    n_node_samples: Vec<u64>,
    weighted_n_node_samples: Vec<f64>,
    /// Shares of the classes, or one number, node by node.
    value: Vec<f64>,
    /// Whether `impurity` is a mean squared error.
    #[serde(default)]
    has_squared_errors: bool,
    #[serde(default = "yes")]
    has_counts: bool,
    /// The weight of every class, node by node: in files of this program, whose values need not be the shares of the counts.
    counts: Option<Vec<f64>>,
    /// The means of all nodes, likewise.
    means: Option<Vec<f64>>,
    leaf_values: Option<String>,
}

fn yes() -> bool {
    true
}

/// The JSON in a file: all of it, or what stands between the marks of a Python file.
fn json(text: &str) -> &str {
    match text.split_once("r'''") {
        Some((_, rest)) if !text.trim_start().starts_with('{') => rest.split("'''").next().unwrap_or(rest),
        _ => text,
    }
}

fn read(source: &Source) -> Result<Imported, Problem> {
    let file: File = serde_json::from_str(json(source.text))?;
    if file.format != "sklearn-tree" {
        return Err(Problem::new(format!("its format is {}; expected sklearn-tree", shown(&file.format))));
    }
    let mut draft = Draft::new();
    for (place, name) in file.features.iter().enumerate() {
        if draft.attribute(name) != place {
            return Err(Problem::new(format!("the feature {} appears twice", shown(name))));
        }
        draft.set_kind(place, DraftKind::Numeric)?;
    }
    nodes(&mut draft, &file)?;
    let name = source.target.map_or(file.target, String::from);
    let target = match file.classes.is_empty() {
        true => Target::Number { name },
        false => Target::Classes { name, classes: file.classes },
    };
    let mut imported = Imported::new(draft, target, "scikit-learn")?;
    imported.model.about.labels = file.labels;
    let values = file.leaf_values.map(|text| text.parse::<LeafValues>()).transpose();
    if let Some(values) =
        values.map_err(wrong)?.filter(|values| *values != LeafValues::Raw && file.has_counts)
    {
        imported.model.tree = imported.model.tree.with_leaf_values(values).map_err(wrong)?;
    }
    Ok(imported)
}

fn wrong(error: secateur::Error) -> Problem {
    Problem::new(error.to_string())
}

impl File {
    /// What a node says, as far as it is in the file: all nodes where this program wrote it, else the leaves.
    fn says(&self, node: usize) -> Option<Says> {
        let width = self.classes.len().max(1);
        let is_leaf = self.children_left[node] < 0;
        if !self.classes.is_empty() {
            return match &self.counts {
                Some(counts) => Some(Says::Counts(counts[node * width..][..width].to_vec())),
                None => is_leaf.then(|| Says::Shares(self.value[node * width..][..width].to_vec())),
            };
        }
        let value = self.means.as_ref().map_or(self.value[node], |means| means[node]);
        let error = self.has_squared_errors.then(|| self.impurity[node].max(0.0));
        (is_leaf || error.is_some()).then_some(Says::Number(value, error))
    }
}

fn nodes(draft: &mut Draft, file: &File) -> Result<(), Problem> {
    let (count, width) = (file.children_left.len(), file.classes.len().max(1));
    let lists = [
        file.children_right.len(),
        file.feature.len(),
        file.threshold.len(),
        file.impurity.len(),
        file.n_node_samples.len(),
        file.weighted_n_node_samples.len(),
        file.value.len() / width,
        file.counts.as_ref().map_or(count, |counts| counts.len() / width),
        file.means.as_ref().map_or(count, Vec::len),
    ];
    if count == 0
        || lists.iter().any(|length| *length != count)
        || !(file.missing_go_to_left.is_empty() || file.missing_go_to_left.len() == count)
    {
        return Err(Problem::new("the lists of the tree's nodes are not of the same length"));
    }
    draft.has_counts = file.has_counts && (!file.classes.is_empty() || file.has_squared_errors);
    draft.keeps_inner = file.counts.is_some() || file.has_squared_errors;
    while draft.len() < count {
        draft.add();
    }
    for node in 0..count {
        let (weight, impurity) = (&file.weighted_n_node_samples, &file.impurity);
        draft.weight(node, weight[node]);
        draft.rows(node, file.n_node_samples[node]);
        if let Some(says) = file.says(node) {
            draft.says(node, says);
        }
        if file.children_left[node] < 0 {
            continue;
        }
        let child = |child: i64| usize::try_from(child).ok().filter(|child| *child < count && *child > 0);
        let (Some(left), Some(right)) = (child(file.children_left[node]), child(file.children_right[node]))
        else {
            return Err(Problem::new(format!("node {node} has a child that is not there")));
        };
        let below: f64 = [left, right].iter().map(|&child| weight[child] * impurity[child]).sum();
        draft.gain(node, impurity[node] - below / weight[node]);
        let attribute =
            usize::try_from(file.feature[node]).ok().filter(|feature| *feature < file.features.len());
        let attribute = attribute
            .ok_or_else(|| Problem::new(format!("node {node} tests a feature that is not there")))?;
        let sent = file.missing_go_to_left.get(node).map(|is_left| usize::from(*is_left == 0));
        let missing = if file.missing_shared.binary_search(&node).is_ok() { None } else { sent };
        match file.threshold[node] {
            Some(threshold) => {
                let split = Split::Below { attribute, below: above(threshold), missing };
                draft.split(node, split, vec![left, right]);
            }
            None => draft.split(node, Split::Known { attribute }, vec![left, right]),
        }
    }
    Ok(())
}

/// The smallest number that, rounded to 32 bits, is above a threshold.
fn above(threshold: f64) -> f64 {
    let low = threshold as f32;
    let low = if f64::from(low) > threshold { low.next_down() } else { low };
    rounds_to(low.next_up())
}
