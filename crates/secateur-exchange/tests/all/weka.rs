//! Trees that Weka printed answer here as they did there (`conformance/weka_printed.py`).

use std::path::Path;

use secateur::data::{Column, MISSING, Nominal, Values};
use secateur::predict::{Field, Scorer};
use secateur::prelude::*;
use secateur_exchange::import::{self, Imported, Source};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/weka_printed.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let cases = file["cases"].take();
    cases.as_array().unwrap().clone()
}

fn name(case: &Value) -> String {
    format!("{} {} {}", case["data"], case["learner"], case["options"])
}

/// The first rows of a case as a table, with the lists of values that Weka was given.
fn table(case: &Value, rows: usize) -> Table {
    let rows = &case["rows"].as_array().unwrap()[..rows];
    let column = |(place, column): (usize, &Value)| {
        let cells = rows.iter().map(|row| &row[place]);
        let values = match column[1].as_array() {
            None => Values::Numeric(cells.map(|cell| cell.as_f64().unwrap_or(f64::NAN)).collect()),
            Some(list) => {
                let levels: Vec<String> = list.iter().map(|value| value.as_str().unwrap().into()).collect();
                let code = |cell: &Value| match cell.as_str() {
                    Some(text) => levels.iter().position(|level| level == text).unwrap() as u32,
                    None => MISSING,
                };
                let codes = cells.map(code).collect();
                Values::Nominal(Nominal { levels, codes })
            }
        };
        Column { name: column[0].as_str().unwrap().into(), values }
    };
    let columns = case["columns"].as_array().unwrap().iter().enumerate().map(column).collect();
    Table::new("rows", columns).unwrap()
}

fn read(case: &Value, table: Option<&Table>) -> secateur::Result<Imported> {
    import::import("tree", &Source { text: case["text"].as_str().unwrap(), target: None, table }, None)
}

/// Holds the answers against Weka's: labels of all rows, or of those that end at one leaf; and probabilities, which Weka rounds to three
/// digits, within `off`. Gives the number of rows that were compared.
fn compare(case: &Value, model: &Model, whole_only: bool, off: Option<f64>) -> usize {
    let columns = case["columns"].as_array().unwrap();
    let places: Vec<usize> = (model.tree.schema().attributes.iter())
        .map(|attribute| columns.iter().position(|column| column[0] == attribute.name).unwrap())
        .collect();
    let scorer = Scorer::new(model.tree.clone());
    let mut buffer = scorer.buffer();
    let mut compared = 0;
    for (at, row) in case["rows"].as_array().unwrap().iter().enumerate() {
        let field = |&place: &usize| match (row[place].as_f64(), row[place].as_str()) {
            (Some(x), _) => Field::Number(x),
            (_, Some(text)) => Field::Text(text),
            _ => Field::Missing,
        };
        let fields: Vec<Field> = places.iter().map(field).collect();
        let scored = scorer.score(&fields, &mut buffer).unwrap();
        if whole_only && !scored.is_whole {
            continue;
        }
        compared += 1;
        let classes = columns.last().unwrap()[1].as_array().unwrap();
        let label = classes[case["labels"][at].as_u64().unwrap() as usize].as_str().unwrap();
        let shares: Vec<f64> =
            case["shares"][at].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        // Of two classes that are equal except for the digits that Weka prints, either may be the label.
        let mut sorted = shares.clone();
        sorted.sort_by(f64::total_cmp);
        let is_close = sorted[sorted.len() - 1] - sorted[sorted.len() - 2] < 0.002;
        assert!(
            scored.label == label || is_close,
            "{}: row {at} {row}: {}, there {label}",
            name(case),
            scored.label
        );
        if let Some(off) = off {
            // A class that the text does not name has no rows.
            let own = |(class, share): (&Value, &f64)| {
                let place = model.tree.schema().target.classes().iter().position(|own| class == own.as_str());
                (place.map_or(0.0, |place| scored.probabilities[place]) - share).abs() <= off
            };
            assert!(
                classes.iter().zip(&shares).all(own),
                "{}: row {at} {row}: {:?}, there {shares:?}",
                name(case),
                scored.probabilities
            );
        }
    }
    compared
}

#[test]
fn printed_trees_answer_as_in_weka() {
    let mut refused = 0;
    for case in cases() {
        match read(&case, None) {
            Ok(imported) => {
                let is_counted = imported.model.tree.has_counts();
                // Printed counts have two decimals. Of more than two classes only rows at one leaf have a label that is known.
                let compared = compare(&case, &imported.model, !is_counted, is_counted.then_some(0.02));
                assert!(compared >= case["training_rows"].as_u64().unwrap() as usize, "{}", name(&case));
                let two =
                    case["columns"].as_array().unwrap().last().unwrap()[1].as_array().unwrap().len() == 2;
                assert_eq!(is_counted, two, "{}", name(&case));
            }
            Err(error) => {
                // A set of all other values, of which the text does not show the list; or names that look like tests.
                let text = case["text"].as_str().unwrap();
                let is_open = text.contains(" != ") || text.contains("!=(");
                assert!(is_open || case["data"] == "names", "{}: {error}", name(&case));
                assert!(error.to_string().contains("give the table it was grown from"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn with_the_rows_that_they_were_grown_from_all_probabilities_are_those_of_weka() {
    for case in cases() {
        let rows = table(&case, case["training_rows"].as_u64().unwrap() as usize);
        let imported = read(&case, Some(&rows)).unwrap();
        compare(&case, &imported.model, !imported.model.tree.has_counts(), None);
        // Reduced-error pruning grows the tree from a part of the rows.
        if case["options"].as_str().unwrap().contains("-R") {
            continue;
        }
        let counted = import::count(imported, &rows).unwrap();
        assert!(counted.model.tree.has_counts());
        compare(&case, &counted.model, false, Some(0.0006));
    }
}
