//! `secateur explain`: the way of a row, and what would have to be different.

use super::{Folder, contains};

#[test]
fn a_row_is_explained_in_words_and_as_json() {
    let folder = Folder::new();
    // By default probabilities are many, and lines are broken.
    folder.run(&["fit", "builtin:iris", "-o", "m.json", "-q"]).ok();
    let text = folder.run(&["explain", "m.json", "builtin:iris", "--row", "51,149-150"]).ok();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    folder.run(&["fit", "builtin:iris", "-s", "cart/cost-complexity:alpha=0.02", "-o", "m.json", "-q"]).ok();
    let text = folder.run(&["explain", "m.json", "builtin:iris", "--row", "51,149-150"]).ok();
    contains(
        &text,
        &[
            "row 51: Iris-versicolor",
            "row 149:",
            "row 150:",
            "petalwidth < 1.75 (it is 1.4, 0.35 below: 15 %",
        ],
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let told = folder.json(&["explain", "m.json", "builtin:iris", "--row", "51"]);
    let row = &told["rows"][0];
    assert_eq!((&row["row"], &row["label"]), (&51.into(), &"Iris-versicolor".into()));
    assert_eq!(row["steps"][1]["test"], "petalwidth < 1.75");
    assert!((row["steps"][1]["margin"].as_f64().unwrap() + 0.35).abs() < 1e-12);
    let near = &row["nearest_change"];
    assert_eq!(near["changes"][0]["to"], 1.75);
    assert_eq!(near["label"], "Iris-virginica");

    // The changed row really gets the other answer.
    let csv = "sepallength,sepalwidth,petallength,petalwidth\n7,3.2,4.7,1.75\n";
    folder.write("changed.csv", csv);
    let changed = folder.json(&["predict", "m.json", "changed.csv"]);
    assert_eq!(changed["predictions"][0]["prediction"], "Iris-virginica");
}

#[test]
fn rows_that_are_not_there_are_refused() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-o", "m.json", "-q"]).ok();
    for (rows, part) in
        [("0", "count from 1"), ("151", "no row 151"), ("3-1", "range"), ("x", "neither"), ("-1", "neither")]
    {
        contains(&folder.refused(&["explain", "m.json", "builtin:iris", "--row", rows]), &[part]);
    }
}

#[test]
fn missing_values_and_numbers_are_explained_too() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-o", "m.json", "-q"]).ok();
    folder.write("gap.csv", "sepallength,sepalwidth,petallength,petalwidth\n5,3,4,?\n");
    contains(
        &folder.run(&["explain", "m.json", "gap.csv", "--row", "1"]).ok(),
        &["petalwidth is missing", "of the row"],
    );
    folder.run(&["fit", "builtin:friedman?n=200", "-o", "r.json", "-q"]).ok();
    let told = folder.json(&["explain", "r.json", "builtin:friedman?n=200", "--row", "1"]);
    assert_ne!(told["rows"][0]["label"], told["rows"][0]["nearest_change"]["label"]);
}
