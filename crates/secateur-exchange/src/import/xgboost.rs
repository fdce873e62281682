//! XGBoost: a model of one tree as `Booster.save_model("tree.json")` writes it.
//!
//! A row goes to the left where its number, rounded to 32 bits, is less than the threshold; without a value it goes where
//! `default_left` says. The leaf's value is added to the base score. XGBoost keeps sums of second derivatives and no counts.

use secateur::error::shown;
use secateur::schema::Target;
use serde::Deserialize;

use super::draft::{Draft, DraftKind, Says, Split};
use super::numbers::rounds_to;
use super::{Imported, Problem, Reader, Source};

/// XGBoost's JSON.
pub(super) static READER: Reader = Reader {
    id: "xgboost",
    one_line: "XGBoost's JSON of one tree (save_model)",
    looks: |source| source.text.trim_start().starts_with('{') && source.text.contains("\"gradient_booster\""),
    read,
};

#[derive(Deserialize)]
struct File {
    learner: Learner,
}

#[derive(Deserialize)]
struct Learner {
    #[serde(default)]
    feature_names: Vec<String>,
    #[serde(default)]
    feature_types: Vec<String>,
    gradient_booster: Booster,
    learner_model_param: ModelParam,
    objective: Objective,
}

#[derive(Deserialize)]
struct Booster {
    model: Option<Model>,
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Model {
    trees: Vec<Tree>,
    cats: Option<Categories>,
}

#[derive(Deserialize)]
struct Categories {
    #[serde(default)]
    enc: Vec<Encoded>,
}

/// The values of a column: their bytes one after the other, or numbers.
#[derive(Deserialize)]
struct Encoded {
    #[serde(default)]
    offsets: Vec<usize>,
    #[serde(default)]
    values: Vec<i64>,
}

impl Encoded {
    fn texts(&self) -> Vec<String> {
        if self.offsets.is_empty() {
            return self.values.iter().map(i64::to_string).collect();
        }
        let bytes: Vec<u8> = self.values.iter().map(|byte| *byte as u8).collect();
        let text = |pair: &[usize]| {
            String::from_utf8_lossy(bytes.get(pair[0]..pair[1]).unwrap_or_default()).into_owned()
        };
        self.offsets.windows(2).map(text).collect()
    }
}

#[derive(Deserialize)]
struct ModelParam {
    base_score: String,
    #[serde(default)]
    num_class: String,
    num_feature: String,
}

#[derive(Deserialize)]
struct Objective {
    name: String,
}

#[derive(Deserialize)]
struct Tree {
    left_children: Vec<i64>,
    right_children: Vec<i64>,
    split_indices: Vec<usize>,
    split_conditions: Vec<f32>,
    default_left: Vec<u8>,
    #[serde(default)]
    split_type: Vec<u8>,
    #[serde(default)]
    loss_changes: Vec<f64>,
    #[serde(default)]
    sum_hessian: Vec<f64>,
    #[serde(default)]
    categories: Vec<u32>,
    #[serde(default)]
    categories_nodes: Vec<usize>,
    #[serde(default)]
    categories_segments: Vec<usize>,
    #[serde(default)]
    categories_sizes: Vec<usize>,
}

fn read(source: &Source) -> Result<Imported, Problem> {
    let file: File = serde_json::from_str(source.text)?;
    let learner = file.learner;
    let Some(model) = learner.gradient_booster.model else {
        return Err(Problem::new(format!(
            "a booster of kind {} has no tree",
            shown(&learner.gradient_booster.name)
        )));
    };
    let [tree] = &model.trees[..] else {
        return Err(Problem::new(format!(
            "it has {} trees; expected one (num_boost_round=1, two classes or a number)",
            model.trees.len()
        )));
    };
    if learner.learner_model_param.num_class.parse::<u64>().is_ok_and(|classes| classes > 2) {
        return Err(Problem::new("it is one of several trees for several classes"));
    }
    let base = learner.learner_model_param.base_score.trim_matches(['[', ']']);
    let base: f32 = base
        .parse()
        .map_err(|_| Problem::new(format!("the base score is {}; expected a number", shown(base))))?;
    let objective = learner.objective.name.as_str();
    let says = says(objective, base)?;
    let features: usize = learner.learner_model_param.num_feature.parse().unwrap_or(0);

    let mut draft = Draft::new();
    draft.has_counts = false;
    for feature in 0..features {
        let name = learner.feature_names.get(feature).cloned().unwrap_or_else(|| format!("f{feature}"));
        let attribute = draft.attribute(&name);
        if attribute != feature {
            return Err(Problem::new(format!("the feature {} appears twice", shown(&name))));
        }
        let is_nominal = learner.feature_types.get(feature).is_some_and(|kind| kind == "c");
        let known = model
            .cats
            .as_ref()
            .and_then(|cats| cats.enc.get(feature))
            .map(Encoded::texts)
            .filter(|list| !list.is_empty());
        let kind = match (is_nominal, known) {
            (true, Some(list)) => DraftKind::Values { list, is_complete: true },
            (true, None) => DraftKind::Values { list: codes(tree, feature), is_complete: false },
            (false, _) => DraftKind::Numeric,
        };
        draft.set_kind(attribute, kind)?;
    }
    nodes(&mut draft, tree, &says)?;
    let target = source.target.unwrap_or("target").to_string();
    let target = match objective {
        "reg:squarederror" => Target::Number { name: target },
        _ => Target::Classes { name: target, classes: vec!["0".into(), "1".into()] },
    };
    Imported::new(draft, target, "XGBoost")
}

/// What the value of a leaf says.
fn says(objective: &str, base: f32) -> Result<Box<dyn Fn(f32) -> Says>, Problem> {
    match objective {
        "reg:squarederror" => Ok(Box::new(move |leaf| Says::Number(f64::from(base + leaf), None))),
        "binary:logistic" => {
            let margin = -((1.0 / base - 1.0).ln());
            Ok(Box::new(move |leaf| {
                let p = f64::from(1.0 / ((-(margin + leaf)).min(88.7).exp() + 1.0 + 1e-16f32));
                Says::Shares(vec![1.0 - p, p])
            }))
        }
        other => Err(Problem::new(format!(
            "trees with the objective {} cannot be taken over; expected reg:squarederror or binary:logistic",
            shown(other)
        ))),
    }
}

/// The codes that a tree names of a column whose values are not in the file.
fn codes(tree: &Tree, feature: usize) -> Vec<String> {
    let nodes = tree
        .categories_nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| tree.split_indices.get(**node) == Some(&feature));
    let most = nodes.flat_map(|(place, _)| members(tree, place)).max();
    (0..=most.unwrap_or(0)).map(|code| code.to_string()).collect()
}

/// The categories of a split that go to the right.
fn members(tree: &Tree, place: usize) -> Vec<u32> {
    let begin = tree.categories_segments.get(place).copied().unwrap_or(0);
    let end = begin + tree.categories_sizes.get(place).copied().unwrap_or(0);
    tree.categories.get(begin..end).unwrap_or_default().to_vec()
}

fn nodes(draft: &mut Draft, tree: &Tree, says: &dyn Fn(f32) -> Says) -> Result<(), Problem> {
    let count = tree.left_children.len();
    let lists = [
        tree.right_children.len(),
        tree.split_indices.len(),
        tree.split_conditions.len(),
        tree.default_left.len(),
    ];
    if count == 0 || lists.iter().any(|length| *length != count) {
        return Err(Problem::new("the lists of the tree's nodes are not of the same length"));
    }
    while draft.len() < count {
        draft.add();
    }
    for node in 0..count {
        if let Some(weight) =
            tree.sum_hessian.get(node).filter(|weight| weight.is_finite() && **weight >= 0.0)
        {
            draft.weight(node, *weight);
        }
        if tree.left_children[node] < 0 {
            draft.says(node, says(tree.split_conditions[node]));
            continue;
        }
        let child = |child: i64| usize::try_from(child).ok().filter(|child| *child < count && *child > 0);
        let (Some(left), Some(right)) = (child(tree.left_children[node]), child(tree.right_children[node]))
        else {
            return Err(Problem::new(format!("node {node} has a child that is not there")));
        };
        draft.gain(node, tree.loss_changes.get(node).copied().unwrap_or(0.0));
        let (attribute, missing) =
            (tree.split_indices[node], Some(usize::from(tree.default_left[node] == 0)));
        let split = match draft.kind_of(attribute) {
            None => {
                return Err(Problem::new(format!(
                    "node {node} tests the feature {attribute}, which is not there"
                )));
            }
            Some(DraftKind::Values { list, .. }) if tree.split_type.get(node) == Some(&1) => {
                let place = tree.categories_nodes.iter().position(|own| *own == node);
                let members = place.map(|place| members(tree, place)).unwrap_or_default();
                let named = members.iter().filter_map(|code| list.get(*code as usize).cloned()).collect();
                Split::Sets { attribute, sets: vec![None, Some(named)], missing }
            }
            Some(_) => Split::Below { attribute, below: rounds_to(tree.split_conditions[node]), missing },
        };
        draft.split(node, split, vec![left, right]);
    }
    Ok(())
}
