//! Trees of other programs answer here as they did there, and what they do not say is not made up.

use std::path::Path;

use secateur::predict::{Field, Scorer};
use secateur::prelude::*;
use secateur_exchange::export::{self, Options};
use secateur_exchange::import::{self, Imported, Source};
use serde_json::Value;

use crate::trees::samples;

fn read(text: &str, rows: Option<&Table>) -> Imported {
    import::import("tree", &Source { text, target: None, table: rows }, None).unwrap()
}

fn refused(text: &str) -> String {
    import::import("tree", &Source { text, target: None, table: None }, None).unwrap_err().to_string()
}

/// What a tree says to a row: the numbers and the label.
fn said(model: &Model, rows: &[Vec<Field>]) -> Vec<(Vec<f64>, String)> {
    let scorer = Scorer::new(model.tree.clone());
    let mut buffer = scorer.buffer();
    let mut one = |row: &Vec<Field>| {
        let scored = scorer.score(row, &mut buffer).unwrap();
        match model.tree.is_classifier() {
            true => (scored.probabilities.to_vec(), scored.label.to_string()),
            false => (vec![scored.value], String::new()),
        }
    };
    rows.iter().map(&mut one).collect()
}

/// The rows of a table as a model asks for them.
fn fields<'t>(model: &Model, table: &'t Table) -> Vec<Vec<Field<'t>>> {
    let cell = |name: &str, row: usize| {
        let column = &table.columns()[table.position(name).unwrap()];
        match &column.values {
            secateur::data::Values::Numeric(numbers) if numbers[row].is_nan() => Field::Missing,
            secateur::data::Values::Numeric(numbers) => Field::Number(numbers[row]),
            secateur::data::Values::Nominal(nominal) => nominal
                .levels
                .get(nominal.codes[row] as usize)
                .map_or(Field::Missing, |text| Field::Text(text)),
        }
    };
    let attributes = &model.tree.schema().attributes;
    let row = |row: usize| attributes.iter().map(|attribute| cell(&attribute.name, row)).collect();
    (0..table.rows()).map(row).collect()
}

#[test]
fn what_goes_to_pmml_comes_back() {
    for sample in samples() {
        let format = export::find("pmml").unwrap();
        let written = export::export(&sample.model, format, &Options::default_of(format), None).unwrap();
        let imported = read(written.text().unwrap(), None);
        let (ours, theirs) = (&sample.model, &imported.model);
        assert_eq!(ours.tree.leaves(), theirs.tree.leaves(), "{}", sample.name);
        assert!(theirs.tree.has_counts(), "{}", sample.name);
        let asked = (fields(ours, &sample.table), fields(theirs, &sample.table));
        assert_eq!(said(ours, &asked.0), said(theirs, &asked.1), "{}", sample.name);
    }
}

#[test]
fn what_goes_to_scikit_learn_comes_back() {
    let mut carried = 0;
    for sample in samples() {
        let format = export::find("sklearn").unwrap();
        let options = Options::default_of(format);
        let Ok(written) = export::export(&sample.model, format, &options, Some(&sample.table)) else {
            continue;
        };
        let imported = read(written.text().unwrap(), None);
        let asked = (fields(&sample.model, &sample.table), fields(&imported.model, &sample.table));
        assert_eq!(said(&sample.model, &asked.0), said(&imported.model, &asked.1), "{}", sample.name);
        carried += 1;
    }
    assert!(carried >= 3, "{carried}");
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
        let columns: Vec<&str> =
            case["columns"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let attributes: Vec<&str> =
            model.tree.schema().attributes.iter().map(|one| one.name.as_str()).collect();
        let field = |value: &'_ Value| match (value.as_f64(), value.as_str()) {
            (Some(number), _) => Field::Number(number),
            (_, Some(text)) => Field::Text(Box::leak(text.to_string().into_boxed_str())),
            _ => Field::Missing,
        };
        let rows: Vec<Vec<Field>> = case["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let of = |name: &&str| field(&row[columns.iter().position(|column| column == name).unwrap()]);
                attributes.iter().map(of).collect()
            })
            .collect();
        let answers: Vec<f64> =
            case["answers"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        let width = answers.len() / rows.len();
        for ((row, (numbers, _)), wanted) in rows.iter().zip(said(model, &rows)).zip(answers.chunks(width)) {
            // Of two classes these programs tell the second alone.
            let own = if numbers.len() == 2 && width == 1 { &numbers[1..] } else { &numbers[..] };
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 2e-6 * b.abs().max(1.0);
            assert!(own.iter().zip(wanted).all(near), "{name}: {row:?} is {own:?}, there {wanted:?}");
        }
        // Only ydf counts the rows of every class.
        assert_eq!(model.tree.has_counts(), case["program"] == "ydf", "{name}");
    }
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
