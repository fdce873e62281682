//! Models with numbers that no table leads to are refused, or drawn like any other.

use secateur::drawing::{Arimo, png, svg};
use secateur::fit::Fit;
use secateur::page::{Page, PageInfo};
use secateur::picture::{TreeOptions, tree};
use secateur::prune::reliability_of;
use secateur::report::{DotOptions, RulesOptions, TextOptions, dot, rules, text};
use secateur::tree::Model;
use serde_json::Value;

/// A classifier, and a tree of numbers whose leaves say medians.
fn models() -> Vec<Value> {
    let made =
        [("iris", "class", "cart:max-splits=3"), ("friedman?n=60", "y", "cart:max-splits=3,criterion=mae")];
    made.map(|(data, target, scheme)| {
        let table = secateur::data::builtin::load(data).unwrap();
        let model = Fit::new(&table, target).scheme(scheme).model().unwrap();
        let mut saved = Vec::new();
        model.to_json(&mut saved).unwrap();
        serde_json::from_slice(&saved).unwrap()
    })
    .to_vec()
}

/// The places of all numbers in a file.
fn numbers(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(place),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| numbers(item, format!("{place}/{i}"), found));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| numbers(item, format!("{place}/{key}"), found))
        }
        _ => {}
    }
}

/// A model with the header first, as files have it.
fn loaded(model: &Value) -> secateur::Result<Model> {
    let mut rest = model.as_object().unwrap().clone();
    let mut text = String::from("{");
    for key in ["format", "version", "scheme", "attributes", "target"] {
        let value = rest.remove(key).unwrap();
        text += &format!("{key:?}: {value}, ");
    }
    let rest: Vec<String> = rest.iter().map(|(key, value)| format!("{key:?}: {value}")).collect();
    Model::from_json("m.json", (text + &rest.join(", ") + "}").as_bytes())
}

/// Everything that a tree is shown as can be written, and the picture is of a size that can be looked at.
fn is_shown(model: &Model, what: &str) {
    let picture = tree(&model.tree, TreeOptions::default(), &Arimo::new()).drawing;
    assert!(picture.width < 1e5 && picture.height < 1e5, "{what}: {} × {}", picture.width, picture.height);
    let drawn = svg(&picture).to_string();
    for attribute in
        drawn.split(['<', '>']).filter(|piece| piece.contains("=\"")).flat_map(|piece| piece.split(' '))
    {
        assert!(!attribute.contains("inf") && !attribute.contains("NaN"), "{what}: {attribute}");
    }
    text(&model.tree, TextOptions::default()).to_string();
    rules(&model.tree, RulesOptions::default()).to_string();
    dot(&model.tree, DotOptions { max_depth: None }).to_string();
    Page::of_model(model, &PageInfo::default()).unwrap().to_string();
    reliability_of(&model.tree);
}

#[test]
fn every_number_of_a_model_can_be_extreme() {
    let extremes = [
        "1.6e308",
        "-1.6e308",
        "1e71",
        "1e60",
        "-1",
        "0",
        "5e-324",
        "9007199254740993",
        "18446744073709551615",
    ];
    let (mut refused, mut shown) = (0, 0);
    for whole in models() {
        loaded(&whole).unwrap();
        let mut places = Vec::new();
        numbers(&whole, String::new(), &mut places);
        for place in places {
            for extreme in extremes {
                let mut model = whole.clone();
                *model.pointer_mut(&place).unwrap() = serde_json::from_str(extreme).unwrap();
                match loaded(&model) {
                    Err(_) => refused += 1,
                    Ok(model) => {
                        shown += 1;
                        is_shown(&model, &format!("{place} = {extreme}"));
                    }
                }
            }
        }
    }
    assert!(refused > 100 && shown > 100, "{refused} were refused, {shown} shown");
}

/// Sums that overflow are not equal to each other.
#[test]
fn weights_have_the_limits_of_tables() {
    for whole in models() {
        let scaled = |by: f64| {
            let mut model = whole.clone();
            for node in model["nodes"].as_array_mut().unwrap() {
                let node = node.as_object_mut().unwrap();
                node["weight"] = (node["weight"].as_f64().unwrap() * by).into();
                for count in
                    node.get_mut("counts").into_iter().flat_map(|counts| counts.as_array_mut().unwrap())
                {
                    *count = (count.as_f64().unwrap() * by).into();
                }
            }
            model
        };
        let heaviest = loaded(&scaled(1e60)).unwrap();
        is_shown(&heaviest, "rows of weight 1e60");
        png(&tree(&heaviest.tree, TreeOptions::default(), &Arimo::new()).drawing, 1.0).unwrap();
        for too_much in [1e70, 1e300, 1e306] {
            let problem = loaded(&scaled(too_much)).unwrap_err().to_string();
            assert!(
                problem.contains("node 0: its weight is") && problem.contains("from 0 to 1e70"),
                "{problem}"
            );
        }
        // The root is as heavy as can be written, and so is one of its children.
        let mut model = whole.clone();
        for node in 0..2 {
            model["nodes"][node]["weight"] = 1.6e308.into();
        }
        loaded(&model).unwrap_err();
    }
}
