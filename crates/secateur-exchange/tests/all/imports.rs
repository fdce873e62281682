//! Trees of other programs answer here as they did there, and what they do not say is not made up.

use std::path::Path;

use secateur::predict::Field;
use secateur::prelude::*;
use secateur_exchange::import::{self, Imported, Source};
use serde_json::Value;

use crate::round_trips::said;

fn read(text: &str, rows: Option<&Table>) -> Imported {
    import::import("tree", &Source { text, target: None, table: rows }, None).unwrap()
}

fn refused(text: &str) -> String {
    import::import("tree", &Source { text, target: None, table: None }, None).unwrap_err().to_string()
}

/// The rows of a case as a model asks for them.
fn rows_of<'a>(case: &'a Value, model: &Model) -> Vec<Vec<Field<'a>>> {
    let columns = case["columns"].as_array().unwrap();
    let place = |name: &String| columns.iter().position(|column| column == name.as_str()).unwrap();
    let places: Vec<usize> =
        model.tree.schema().attributes.iter().map(|attribute| place(&attribute.name)).collect();
    let field = |value: &'a Value| match (value.as_f64(), value.as_str()) {
        (Some(number), _) => Field::Number(number),
        (_, Some(text)) => Field::Text(text),
        _ => Field::Missing,
    };
    let rows = case["rows"].as_array().unwrap().iter();
    rows.map(|row| places.iter().map(|&place| field(&row[place])).collect()).collect()
}

/// One tree each of LightGBM, XGBoost and ydf, with their own answers (`conformance/foreign_trees.py`).
#[test]
fn trees_of_other_programs_answer_as_there() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/foreign_trees.json");
    let file: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    for case in file["cases"].as_array().unwrap() {
        let name = format!("{} {}", case["program"], case["case"]);
        let imported = read(case["text"].as_str().unwrap(), None);
        let model = &imported.model;
        let rows = rows_of(case, model);
        let answers: Vec<f64> =
            case["answers"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        let width = answers.len() / rows.len();
        for ((row, (numbers, _)), wanted) in rows.iter().zip(said(model, &rows)).zip(answers.chunks(width)) {
            // Of two classes these programs give the second alone.
            let own = if numbers.len() == 2 && width == 1 { &numbers[1..] } else { &numbers[..] };
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 2e-6 * b.abs().max(1.0);
            assert!(own.iter().zip(wanted).all(near), "{name}: {row:?} is {own:?}, there {wanted:?}");
        }
        // Only ydf counts the rows of every class.
        assert_eq!(model.tree.has_counts(), case["program"] == "ydf", "{name}");
    }
}

/// Trees of rpart with its own answers (`conformance/rpart_trees.R`). It sends rows with a gap by surrogates, which are not taken over.
#[test]
fn trees_of_rpart_answer_as_there() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/rpart_trees.json");
    let file: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    for case in file["cases"].as_array().unwrap() {
        let imported = read(case["text"].as_str().unwrap(), None);
        let (model, name) = (&imported.model, case["case"].as_str().unwrap());
        let rows = rows_of(case, model);
        let width = case["classes"].as_array().unwrap().len().max(1);
        let mut compared = 0;
        for (at, (row, (numbers, label))) in rows.iter().zip(said(model, &rows)).enumerate() {
            if row.iter().any(|field| matches!(field, Field::Missing)) {
                continue;
            }
            compared += 1;
            let wanted = (0..width).map(|class| case["answers"][at * width + class].as_f64().unwrap());
            let is_near = numbers.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0));
            assert!(is_near, "{name}, row {at}: {numbers:?}, there {}", case["answers"][at * width]);
            assert!(label.is_empty() || case["labels"][at] == label, "{name}, row {at}: {label}");
        }
        assert!(compared > 40, "{name}");
        assert_eq!(model.tree.has_counts(), !name.contains("priors"), "{name}");
        assert_eq!(model.tree.costs().is_some(), name.contains("losses"), "{name}");
        let told = |words: &str| imported.notes.iter().any(|note| note.contains(words));
        assert_eq!(told("surrogate"), name != "one leaf", "{name}");
    }
    let without = file["cases"][6]["text"].as_str().unwrap().replace("parms", "other");
    assert!(refused(&without).contains("write the losses with it"), "{}", refused(&without));
}

/// A tree of LightGBM 4.7.0 as its text: splits of one column, `decision_type` and so on as `save_model` writes them.
fn lightgbm(info: &str, lists: [&str; 5]) -> String {
    let [threshold, decision, left, right, leaves] = lists;
    let zeros = ["0"; 9][..threshold.split(' ').count()].join(" ");
    format!(
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=0\nobjective=regression\n\
         feature_names=x\nfeature_infos=[{info}]\n\nTree=0\nnum_leaves={}\nnum_cat=0\nsplit_feature={zeros}\n\
         split_gain={zeros}\nthreshold={threshold}\ndecision_type={decision}\nleft_child={left}\nright_child={right}\n\
         leaf_value={leaves}\nis_linear=0\nshrinkage=1\n\n\nend of trees\n",
        leaves.split(' ').count()
    )
}

/// Trained on ±1e-36, ±2e-35 and so on; on up to 1e308; and on small numbers with gaps (`min_data_in_bin=1`). LightGBM's own answers.
#[test]
fn lightgbm_at_its_zero_and_beyond_its_largest_threshold() {
    const ZERO: f64 = 1.0000000180025095e-35;
    let near_zero = lightgbm(
        "-2.9999999999999999e-35:2.9999999999999999e-35",
        ["1.0000000180025095e-35 -1.0000000180025095e-35", "2 2", "1 -1", "-2 -3", "0 2 1"],
    );
    let large = lightgbm(
        "-4.9999999999999997e+304:1e+308",
        [
            "1.0000000180025095e-35 2.5015000000000001e+303 1.5000000000000004e+300",
            "2 2 2",
            "-1 2 -2",
            "1 -3 -4",
            "4.5 0 2.5 1",
        ],
    );
    let gaps = lightgbm("-2:2", ["inf", "8", "-1", "-2", "1 9"]);
    let inf = f64::INFINITY;
    let cases: [(&str, &[(f64, f64)]); 3] = [
        (
            &near_zero,
            &[
                (-ZERO, 1.0),
                (-ZERO.next_down(), 1.0),
                (-ZERO.next_up(), 0.0),
                (-1e-36, 1.0),
                (-0.0, 1.0),
                (1e-36, 1.0),
                (ZERO, 1.0),
                (ZERO.next_up(), 2.0),
                (f64::NAN, 1.0),
            ],
        ),
        (
            &large,
            &[
                (ZERO, 4.5),
                (ZERO.next_up(), 0.0),
                (1e300, 0.0),
                (1e301, 1.0),
                (5e303, 2.5),
                (inf, 2.5),
                (-inf, 4.5),
                (f64::NAN, 4.5),
            ],
        ),
        (&gaps, &[(-5.0, 1.0), (1e300, 1.0), (1e301, 1.0), (inf, 1.0), (-inf, 1.0), (f64::NAN, 9.0)]),
    ];
    for (text, answers) in cases {
        let model = read(text, None).model;
        let field = |x: f64| vec![if x.is_nan() { Field::Missing } else { Field::Number(x) }];
        let rows: Vec<Vec<Field>> = answers.iter().map(|(x, _)| field(*x)).collect();
        for ((x, wanted), (numbers, _)) in answers.iter().zip(said(&model, &rows)) {
            assert_eq!(numbers, [*wanted], "{x:?} in {text}");
        }
    }
}

/// The JSON has 1e300 for whatever is larger.
#[test]
fn what_the_json_of_lightgbm_clips_is_infinite_or_refused() {
    let dumped = |most: f64| {
        let split = serde_json::json!({
            "split_feature": 0, "threshold": 1e300, "decision_type": "<=", "default_left": false, "missing_type": "NaN",
            "left_child": {"leaf_value": 1.0}, "right_child": {"leaf_value": 9.0},
        });
        serde_json::json!({
            "name": "tree", "num_tree_per_iteration": 1, "objective": "regression", "feature_names": ["x"],
            "feature_infos": {"x": {"min_value": -2.0, "max_value": most, "values": []}},
            "tree_info": [{"tree_structure": split}],
        })
        .to_string()
    };
    let known = [Field::Number(f64::INFINITY), Field::Number(1e301), Field::Missing].map(|field| vec![field]);
    let found: Vec<f64> =
        said(&read(&dumped(2.0), None).model, &known).into_iter().map(|(x, _)| x[0]).collect();
    assert_eq!(found, [1.0, 1.0, 9.0]);
    assert!(
        refused(&dumped(1e300)).contains("write the model with save_model"),
        "{}",
        refused(&dumped(1e300))
    );
}

const J48: &str = "
J48 pruned tree
------------------

outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.0)
outlook = overcast: yes (4.0)
outlook = rainy
|   windy = TRUE: no (3.0/1.0)
|   windy = FALSE: yes (2.0)

Number of Leaves  : \t5

=== Confusion Matrix ===

 a b   <-- classified as
 9 0 | a = yes
 1 4 | b = no
";

#[test]
fn a_printed_tree_of_weka_is_read() {
    let model = read(J48, None).model;
    assert!(model.tree.has_counts());
    assert_eq!(model.tree.schema().target.classes(), ["yes", "no"]);
    assert_eq!((model.tree.leaves(), model.tree.node(0).weight), (5, 14.0));
    assert_eq!(model.tree.class_weights(0), [9.0, 5.0]);
    let row = |outlook, humidity, windy| {
        let names = model.tree.schema().attributes.iter().map(|one| match one.name.as_str() {
            "outlook" => Field::Text(outlook),
            "humidity" => Field::Number(humidity),
            _ => Field::Text(windy),
        });
        names.collect::<Vec<_>>()
    };
    let rows = [row("sunny", 75.0, "TRUE"), row("sunny", 75.1, "TRUE"), row("rainy", 1.0, "TRUE")];
    let labels: Vec<String> = said(&model, &rows).into_iter().map(|(_, label)| label).collect();
    assert_eq!(labels, ["yes", "no", "no"]);
    assert_eq!(said(&model, &rows)[2].0, [1.0 / 3.0, 2.0 / 3.0]);
}

#[test]
fn a_simple_cart_of_three_classes_has_no_counts() {
    let text = "\nCART Decision Tree\n\npetalwidth < 0.8: Iris-setosa(50.0/0.0)\npetalwidth >= 0.8\n|  petalwidth < 1.75: \
        Iris-versicolor(49.0/5.0)\n|  petalwidth >= 1.75: Iris-virginica(45.0/1.0)\n\nNumber of Leaf Nodes: 3\n";
    let imported = read(text, None);
    let tree = &imported.model.tree;
    assert!(
        !tree.has_counts() && imported.notes.iter().any(|note| note.contains("not known")),
        "{:?}",
        imported.notes
    );
    let at = |x: f64| said(&imported.model, &[vec![Field::Number(x)]])[0].1.clone();
    assert_eq!([at(0.79), at(0.8), at(1.75)], ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]);
    // The rows of the table it was grown from bring the counts.
    let iris = secateur::data::builtin::load("iris").unwrap();
    let counted = import::count(read(text, Some(&iris)), &iris).unwrap();
    assert!(counted.model.tree.has_counts());
    assert_eq!(counted.model.tree.class_weights(0), [50.0; 3]);
    let fitted = Fit::new(&iris, "class").scheme("cart:max-leaves=3").model().unwrap();
    assert_eq!(counted.model.tree.training_error(), fitted.tree.training_error());
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    assert!(refused("hello").contains("no known tree is in it"));
    let message = refused(&J48.replace("|   humidity > 75: no (3.0)", "|   humidity > 70: no (3.0)"));
    assert!(message.contains("not divided at the same number"), "{message}");
    let message = refused(&J48.replace("outlook = overcast: yes (4.0)", "outlook"));
    assert!(message.contains("line 8") && message.contains("expected a test"), "{message}");
    let message = refused(
        "<?xml version=\"1.0\"?><PMML version=\"4.4\"><TreeModel functionName=\"classification\"></PMML>",
    );
    assert!(message.contains("pmml"), "{message}");
    let deep = "<CompoundPredicate booleanOperator=\"surrogate\">".repeat(200_000);
    let message =
        refused(&format!("<PMML version=\"4.4\"><TreeModel functionName=\"classification\"><Node>{deep}"));
    assert!(message.contains("pmml"), "{message}");
    let boosters = "{\"learner\": {\"gradient_booster\": {\"model\": {\"trees\": []}}, \"learner_model_param\": \
        {\"base_score\": \"0\", \"num_feature\": \"1\"}, \"objective\": {\"name\": \"reg:squarederror\"}}}";
    assert!(refused(boosters).contains("it has 0 trees; expected one"), "{}", refused(boosters));
}
