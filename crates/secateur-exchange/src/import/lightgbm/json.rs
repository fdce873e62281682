//! The JSON of `Booster.dump_model`.

use secateur::error::shown;
use serde_json::Value;

use super::{Child, Leaf, Missing, Model, Node, Test, add_tested, check, values_of};
use crate::import::Problem;

/// What the JSON of a model says.
pub(super) fn model(text: &str) -> Result<Model, Problem> {
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
    unclip(&mut model, &file)?;
    let values = values_of(file.get("pandas_categorical").cloned());
    model.values = if nominal.len() == values.len() { values } else { Vec::new() };
    model.nominal = nominal;
    Ok(model)
}

/// Thresholds beyond this are written as this.
const LARGEST: f64 = 1e300;

/// Puts infinite thresholds back where no number in training was so large, and refuses others that the JSON does not hold.
fn unclip(model: &mut Model, file: &Value) -> Result<(), Problem> {
    let Model { features, splits, .. } = model;
    for split in splits {
        let Test::AtMost(threshold) = &mut split.test else { continue };
        if threshold.abs() < LARGEST {
            continue;
        }
        let name = features.get(split.feature).map_or("", String::as_str);
        let info = file.get("feature_infos").and_then(|infos| infos.get(name));
        let most = info.and_then(|info| info.get("max_value")?.as_f64());
        if *threshold > 0.0 && most.is_some_and(|most| most < LARGEST) {
            *threshold = f64::INFINITY;
        } else {
            let name = shown(name);
            return Err(Problem::new(format!(
                "dump_model writes thresholds beyond 1e300 as 1e300, as one on {name} is; write the model with save_model"
            )));
        }
    }
    Ok(())
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
