//! LightGBM: a model of one tree, as `Booster.save_model` writes it, or the JSON of `Booster.dump_model`.
//!
//! A row goes to the left where its number, or 0 for one of at most 1e-35 (in 32 bits), is at most the threshold. A missing value goes where `default_left` says; where training saw
//! none, LightGBM takes it for 0. A value of a list goes to the left when it is named, and to the right otherwise, missing ones too.
//! Rows are counted at the leaves, but not by class.

mod json;
mod text;

use secateur::error::shown;
use secateur::schema::Target;
use serde_json::Value;

use super::draft::{Draft, DraftKind, Place, Says, Split};
use super::{Imported, Problem, Reader, Source};

/// LightGBM's text and JSON.
pub(super) static READER: Reader = Reader {
    id: "lightgbm",
    one_line: "LightGBM's text (save_model) or JSON (dump_model) of one tree",
    looks: |source| {
        is_text(source.text)
            || (source.text.trim_start().starts_with('{') && source.text.contains("\"tree_info\""))
    },
    read,
};

fn is_text(text: &str) -> bool {
    let mut lines = text.lines();
    lines.next().is_some_and(|line| line.trim() == "tree") && text.contains("\nTree=0")
}

/// What both forms say.
#[derive(Default)]
struct Model {
    objective: String,
    features: Vec<String>,
    /// The columns with values from a list, and their values where they are known.
    nominal: Vec<usize>,
    values: Vec<Vec<String>>,
    splits: Vec<Node>,
    leaves: Vec<Leaf>,
}

struct Node {
    feature: usize,
    gain: f64,
    test: Test,
    default_left: bool,
    missing: Missing,
    children: [Child; 2],
}

enum Test {
    AtMost(f64),
    Among(Vec<u32>),
}

#[derive(Clone, Copy, PartialEq)]
enum Missing {
    None,
    Zero,
    Nan,
}

#[derive(Clone, Copy)]
enum Child {
    Split(usize),
    Leaf(usize),
}

struct Leaf {
    value: f64,
    count: Option<f64>,
}

fn read(source: &Source) -> Result<Imported, Problem> {
    let model = if is_text(source.text) { text::model(source.text)? } else { json::model(source.text)? };
    let mut draft = Draft::new();
    draft.has_counts = false;
    for (feature, name) in model.features.iter().enumerate() {
        if draft.attribute(name) != feature {
            return Err(Problem::new(format!("the feature {} appears twice", shown(name))));
        }
        let kind = match model.nominal.iter().position(|nominal| *nominal == feature) {
            Some(place) => match model.values.get(place) {
                Some(list) => DraftKind::Values { list: list.clone(), is_complete: true },
                None => DraftKind::Values { list: codes(&model, feature), is_complete: false },
            },
            None => DraftKind::Numeric,
        };
        draft.set_kind(feature, kind)?;
    }
    nodes(&mut draft, &model)?;
    let target = source.target.unwrap_or("target").to_string();
    let target = match model.objective.split(' ').next() {
        Some("binary" | "cross_entropy") => {
            Target::Classes { name: target, classes: vec!["0".into(), "1".into()] }
        }
        _ => Target::Number { name: target },
    };
    Imported::new(draft, target, "LightGBM")
}

/// The codes that a tree names of a column whose values are not in the file.
fn codes(model: &Model, feature: usize) -> Vec<String> {
    let of_feature = model.splits.iter().filter(|split| split.feature == feature);
    let most = of_feature.filter_map(|split| match &split.test {
        Test::Among(codes) => codes.iter().max().copied(),
        Test::AtMost(_) => None,
    });
    (0..=most.max().unwrap_or(0)).map(|code| code.to_string()).collect()
}

/// What the value of a leaf says.
fn says(objective: &str, value: f64) -> Result<Says, Problem> {
    let mut words = objective.split(' ');
    let kind = words.next().unwrap_or_default();
    let is_root = words.clone().any(|word| word == "sqrt");
    Ok(match kind {
        "binary" | "cross_entropy" => {
            let slope =
                words.find_map(|word| word.strip_prefix("sigmoid:")?.parse::<f64>().ok()).unwrap_or(1.0);
            let p = 1.0 / (1.0 + (-slope * value).exp());
            Says::Shares(vec![1.0 - p, p])
        }
        "poisson" | "gamma" | "tweedie" => Says::Number(value.exp(), None),
        "regression" if is_root => Says::Number(value * value.abs(), None),
        "" | "regression" | "regression_l1" | "huber" | "fair" | "quantile" | "mape" | "custom" => {
            Says::Number(value, None)
        }
        other => {
            return Err(Problem::new(format!(
                "trees with the objective {} cannot be taken over",
                shown(other)
            )));
        }
    })
}

fn nodes(draft: &mut Draft, model: &Model) -> Result<(), Problem> {
    let leaf = |draft: &mut Draft, place: Place, number: usize| {
        let leaf =
            model.leaves.get(number).ok_or_else(|| Problem::new(format!("there is no leaf {number}")))?;
        draft.says(place, says(&model.objective, leaf.value)?);
        if let Some(count) = leaf.count.filter(|count| count.is_finite() && *count >= 0.0) {
            draft.weight(place, count);
            draft.rows(place, count as u64);
        }
        Ok::<(), Problem>(())
    };
    if model.splits.is_empty() {
        return leaf(draft, 0, 0);
    }
    let mut waiting = vec![(0, 0)];
    let mut seen = 0;
    while let Some((place, number)) = waiting.pop() {
        let split =
            model.splits.get(number).ok_or_else(|| Problem::new(format!("there is no split {number}")))?;
        seen += 1;
        if seen > model.splits.len() {
            return Err(Problem::new("a split is below itself"));
        }
        let mut children = Vec::new();
        for child in split.children {
            let below = draft.add();
            children.push(below);
            match child {
                Child::Split(number) => waiting.push((below, number)),
                Child::Leaf(number) => leaf(draft, below, number)?,
            }
        }
        draft.gain(place, split.gain);
        let attribute = split.feature;
        let condition = match (&split.test, draft.kind_of(attribute)) {
            (_, None) => {
                return Err(Problem::new(format!(
                    "split {number} tests the feature {attribute}, which is not there"
                )));
            }
            (Test::Among(codes), Some(DraftKind::Values { list, .. })) => {
                let named = codes.iter().filter_map(|code| list.get(*code as usize).cloned()).collect();
                Split::Sets { attribute, sets: vec![Some(named), None], missing: Some(1) }
            }
            (Test::AtMost(threshold), Some(DraftKind::Numeric)) => {
                let natural = usize::from(0.0 > *threshold);
                let default = usize::from(!split.default_left);
                let missing = match split.missing {
                    Missing::None => natural,
                    Missing::Nan => default,
                    Missing::Zero if natural == default => default,
                    Missing::Zero => {
                        let name = shown(&model.features[attribute]);
                        return Err(Problem::new(format!(
                            "split {number} on {name} takes zeros for missing values, which a split here cannot say; train with zero_as_missing=false"
                        )));
                    }
                };
                at_most(attribute, *threshold, missing)
            }
            _ => {
                let name = shown(&model.features[attribute]);
                return Err(Problem::new(format!(
                    "{name} is compared with numbers and with values from a list"
                )));
            }
        };
        draft.split(place, condition, children);
    }
    Ok(())
}

/// Numbers that are at most the threshold, and others. Infinite ones are at most an infinite threshold, too.
fn at_most(attribute: usize, threshold: f64, missing: usize) -> Split {
    if threshold == f64::INFINITY && missing == 1 {
        Split::Known { attribute }
    } else {
        Split::Below { attribute, below: below(threshold), missing: Some(missing) }
    }
}

/// Numbers below this go to the left where LightGBM sends those that are at most the threshold: the next number above. It takes
/// numbers as small as `ZERO` for 0 when it predicts.
fn below(threshold: f64) -> f64 {
    const ZERO: f64 = 1e-35_f32 as f64;
    if (-ZERO..0.0).contains(&threshold) {
        -ZERO
    } else if (0.0..=ZERO).contains(&threshold) {
        ZERO.next_up()
    } else {
        threshold.next_up()
    }
}

/// One tree for one number: what a model has to be.
fn check(trees: usize, per_iteration: &str, linear: bool) -> Result<(), Problem> {
    if trees != 1 || per_iteration.trim() != "1" {
        return Err(Problem::new(format!(
            "it has {trees} trees; expected one (num_boost_round=1, two classes or a number)"
        )));
    }
    if linear {
        return Err(Problem::new("its leaves are linear models (linear_tree); expected numbers"));
    }
    Ok(())
}

/// Columns that are split by lists of values are nominal, whatever else is said.
fn add_tested(nominal: &mut Vec<usize>, splits: &[Node]) {
    for split in splits {
        if matches!(split.test, Test::Among(_)) && !nominal.contains(&split.feature) {
            nominal.push(split.feature);
        }
    }
    nominal.sort_unstable();
}

/// The lists of values that pandas had.
fn values_of(lists: Option<Value>) -> Vec<Vec<String>> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let list = |list: &Value| list.as_array().map(|list| list.iter().map(text).collect()).unwrap_or_default();
    lists.and_then(|lists| lists.as_array().map(|lists| lists.iter().map(list).collect())).unwrap_or_default()
}
