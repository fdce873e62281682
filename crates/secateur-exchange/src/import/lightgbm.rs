//! LightGBM: a model of one tree, as `Booster.save_model` writes it, or the JSON of `Booster.dump_model`.
//!
//! A row goes to the left where its number is at most the threshold. A missing value goes where `default_left` says; where training saw
//! none, LightGBM takes it for 0. A value of a list goes to the left when it is named, and to the right otherwise, missing ones too.
//! Rows are counted at the leaves, but not by class.

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
    let model = if is_text(source.text) { from_text(source.text)? } else { from_json(source.text)? };
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
                Split::Below { attribute, below: threshold.next_up(), missing: Some(missing) }
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

fn from_text(text: &str) -> Result<Model, Problem> {
    let lines = Lines((1..).zip(text.lines()).collect());
    let text_of = |key: &str| lines.one(key).map_or("", |(_, text)| text);
    let trees = lines.all("Tree").count();
    check(trees, text_of("num_tree_per_iteration"), text_of("is_linear").trim() == "1")?;
    let splits = splits(&lines)?;
    let counts: Vec<f64> = lines.numbers("leaf_count")?;
    let leaf = |(leaf, value)| Leaf { value, count: counts.get(leaf).copied() };
    let leaves = lines.numbers("leaf_value")?.into_iter().enumerate().map(leaf).collect();
    let texts = || lines.0.iter().map(|(_, line)| line);
    let lists = texts().find_map(|line| line.strip_prefix("pandas_categorical:"));
    let named = texts().find_map(|line| line.strip_prefix("[categorical_feature:")?.strip_suffix(']'));
    let mut nominal: Vec<usize> = named
        .map(|list| list.split(',').filter_map(|word| word.trim().parse().ok()).collect())
        .unwrap_or_default();
    let values = values_of(lists.and_then(|list| serde_json::from_str(list).ok()));
    add_tested(&mut nominal, &splits);
    Ok(Model {
        objective: text_of("objective").into(),
        features: text_of("feature_names").split(' ').map(String::from).collect(),
        values: if nominal.len() == values.len() { values } else { Vec::new() },
        nominal,
        splits,
        leaves,
    })
}

/// The lines of a model and their numbers.
struct Lines<'a>(Vec<(usize, &'a str)>);

impl<'a> Lines<'a> {
    /// What stands behind a key, wherever it does.
    fn all(&self, key: &str) -> impl Iterator<Item = (usize, &'a str)> {
        self.0
            .iter()
            .filter_map(move |&(number, line)| Some((number, line.strip_prefix(key)?.strip_prefix('=')?)))
    }

    /// What stands behind a key first.
    fn one(&self, key: &str) -> Option<(usize, &'a str)> {
        self.all(key).next()
    }

    /// The numbers behind a key; none where it is not there.
    fn numbers<T: std::str::FromStr>(&self, key: &str) -> Result<Vec<T>, Problem> {
        let Some((line, text)) = self.one(key) else { return Ok(Vec::new()) };
        let number = |word: &str| {
            word.parse().map_err(|_| Problem::at(line, format!("{key}: {} is not a number", shown(word))))
        };
        text.split_whitespace().map(number).collect()
    }
}

/// The splits of the tree.
fn splits(lines: &Lines) -> Result<Vec<Node>, Problem> {
    let features: Vec<usize> = lines.numbers("split_feature")?;
    let thresholds: Vec<f64> = lines.numbers("threshold")?;
    let kinds: Vec<u32> = lines.numbers("decision_type")?;
    let gains: Vec<f64> = lines.numbers("split_gain")?;
    let sides: [Vec<i64>; 2] = [lines.numbers("left_child")?, lines.numbers("right_child")?];
    let bounds: Vec<usize> = lines.numbers("cat_boundaries")?;
    let bits: Vec<u32> = lines.numbers("cat_threshold")?;
    let count = features.len();
    if [thresholds.len(), kinds.len(), sides[0].len(), sides[1].len()].iter().any(|length| *length != count) {
        return Err(Problem::new("the lists of the tree's splits are not of the same length"));
    }
    let child =
        |child: i64| if child < 0 { Child::Leaf(!child as usize) } else { Child::Split(child as usize) };
    let mut splits = Vec::with_capacity(count);
    for split in 0..count {
        let kind = kinds[split];
        let test = if kind & 1 == 1 {
            let place = thresholds[split] as usize;
            let (Some(begin), Some(end)) = (bounds.get(place), bounds.get(place + 1)) else {
                return Err(Problem::new(format!("split {split} names a list of values that is not there")));
            };
            let words = bits.get(*begin..*end).unwrap_or_default();
            let is_set = |code: &u32| words[*code as usize / 32] >> (code % 32) & 1 == 1;
            Test::Among((0..words.len() as u32 * 32).filter(is_set).collect())
        } else {
            Test::AtMost(thresholds[split])
        };
        splits.push(Node {
            feature: features[split],
            gain: gains.get(split).copied().unwrap_or(0.0),
            test,
            default_left: kind & 2 == 2,
            missing: [Missing::None, Missing::Zero, Missing::Nan, Missing::Nan][(kind >> 2 & 3) as usize],
            children: [child(sides[0][split]), child(sides[1][split])],
        });
    }
    Ok(splits)
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

fn from_json(text: &str) -> Result<Model, Problem> {
    let file: Value = serde_json::from_str(text)?;
    let text_of = |key: &str| {
        file.get(key).map(|x| x.as_str().map_or_else(|| x.to_string(), String::from)).unwrap_or_default()
    };
    let trees = file.get("tree_info").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    check(trees.len(), &text_of("num_tree_per_iteration"), false)?;
    let names = file.get("feature_names").and_then(Value::as_array);
    let features: Vec<String> = names
        .map(|names| names.iter().filter_map(|name| name.as_str().map(String::from)).collect())
        .unwrap_or_default();
    let has_values = |name: &String| {
        let values = file.get("feature_infos").and_then(|infos| infos.get(name)?.get("values")?.as_array());
        values.is_some_and(|values| !values.is_empty())
    };
    let mut nominal: Vec<usize> =
        (0..features.len()).filter(|&feature| has_values(&features[feature])).collect();
    let mut model = Model { objective: text_of("objective"), features, ..Model::default() };
    let root =
        trees[0].get("tree_structure").ok_or_else(|| Problem::new("the tree has no tree_structure"))?;
    structure(&mut model, root)?;
    add_tested(&mut nominal, &model.splits);
    let values = values_of(file.get("pandas_categorical").cloned());
    model.values = if nominal.len() == values.len() { values } else { Vec::new() };
    model.nominal = nominal;
    Ok(model)
}

fn structure(model: &mut Model, root: &Value) -> Result<(), Problem> {
    let number = |node: &Value, key: &str| node.get(key).and_then(Value::as_f64);
    // Where a node hangs: a split and one of its sides.
    let mut waiting = vec![(root, None::<(usize, usize)>)];
    while let Some((node, above)) = waiting.pop() {
        let own = if let Some(value) = number(node, "leaf_value") {
            model.leaves.push(Leaf { value, count: number(node, "leaf_count") });
            Child::Leaf(model.leaves.len() - 1)
        } else {
            let split = json_split(node)?;
            model.splits.push(split);
            let place = model.splits.len() - 1;
            for (side, key) in ["right_child", "left_child"].iter().enumerate() {
                let child = node.get(key).ok_or_else(|| Problem::new(format!("a split has no {key}")))?;
                waiting.push((child, Some((place, 1 - side))));
            }
            Child::Split(place)
        };
        if let Some((split, side)) = above {
            model.splits[split].children[side] = own;
        }
    }
    Ok(())
}

fn json_split(node: &Value) -> Result<Node, Problem> {
    let word = |key: &str| node.get(key).and_then(Value::as_str);
    let feature = node
        .get("split_feature")
        .and_then(Value::as_u64)
        .ok_or_else(|| Problem::new("a split has no split_feature"))?;
    let threshold = node.get("threshold");
    let test = match word("decision_type") {
        Some("==") => {
            let list = threshold.and_then(Value::as_str).unwrap_or_default();
            let codes = list.split("||").map(str::parse).collect::<Result<_, _>>();
            Test::Among(codes.map_err(|_| Problem::new(format!("{} is not a list of values", shown(list))))?)
        }
        _ => Test::AtMost(
            threshold.and_then(Value::as_f64).ok_or_else(|| Problem::new("a split has no threshold"))?,
        ),
    };
    Ok(Node {
        feature: feature as usize,
        gain: node.get("split_gain").and_then(Value::as_f64).unwrap_or(0.0),
        test,
        default_left: node.get("default_left").and_then(Value::as_bool).unwrap_or(false),
        missing: match word("missing_type") {
            Some("Zero") => Missing::Zero,
            Some("NaN") => Missing::Nan,
            _ => Missing::None,
        },
        children: [Child::Leaf(0); 2],
    })
}
