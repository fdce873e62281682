//! `secateur data`.

use super::*;

#[test]
fn columns_types_missing_values_and_classes() {
    let folder = Folder::new();
    folder.write("d.csv", "age,town,buys\n31,Bonn,yes\n?,Köln,no\n45,,no\n");
    let text = folder.run(&["data", "d.csv"]).ok();
    contains(
        &text,
        &["3 rows, 3 columns", "31 to 45, mean 38", "2: Bonn, Köln", "target buys: 2 classes", "66.7 %"],
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    let told = folder.json(&["data", "d.csv"]);
    assert_eq!(told["rows"], 3);
    let columns = told["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 3);
    assert_eq!(
        columns[0],
        serde_json::json!({
            "name": "age", "type": "numeric", "missing": 1, "values": null, "min": 31.0, "max": 45.0, "mean": 38.0
        })
    );
    assert_eq!(
        columns[1],
        serde_json::json!({
            "name": "town", "type": "nominal", "missing": 1, "values": ["Bonn", "Köln"]
        })
    );
    assert_eq!(
        told["target"],
        serde_json::json!({
            "name": "buys", "type": "nominal", "classes": ["yes", "no"], "counts": [1, 2], "missing": 0
        })
    );
}

#[test]
fn flags_choose_target_task_and_types() {
    let folder = Folder::new();
    folder.write("d.csv", "a,b,c\n1,10,x\n2,9,y\n1,-3,x\n");
    let told = folder.json(&["data", "d.csv", "--target", "b"]);
    assert_eq!(told["target"]["type"], "numeric");
    assert_eq!(told["target"]["classes"], Value::Null);
    let told = folder.json(&["data", "d.csv", "--target", "b", "--task", "classification"]);
    assert_eq!(told["target"]["classes"], serde_json::json!(["-3", "9", "10"]));
    let told = folder.json(&["data", "d.csv", "--nominal", "a,b", "--ignore", "c"]);
    assert_eq!(told["columns"].as_array().unwrap().len(), 2);
    assert_eq!(told["columns"][0]["values"], serde_json::json!(["1", "2"]));
    assert_eq!(told["target"]["name"], "b");
    contains(
        &folder.refused(&["data", "d.csv", "--task", "regression"]),
        &["regression needs a numeric target"],
    );
    contains(&folder.refused(&["data", "d.csv", "--target", "bb"]), &["no column 'bb' (did you mean 'b'?)"]);
    contains(
        &folder.refused(&["data", "d.csv", "--nominal", "a", "--numeric", "a"]),
        &["both nominal and numeric"],
    );
}

#[test]
fn the_built_in_data_sets_are_listed_with_their_parameters() {
    let folder = Folder::new();
    let text = folder.run(&["data", "--list"]).ok();
    contains(&text, &["builtin:iris", "builtin:weather", "?n=", "?seed=1"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(folder.run(&["data"]).ok(), text);
    let told = folder.json(&["data", "--list"]);
    for set in told["builtin"].as_array().unwrap() {
        let name = set["name"].as_str().unwrap();
        assert!(folder.json(&["data", name])["rows"].as_u64() > Some(0), "{name}");
    }
    contains(&folder.refused(&["data", "builtin:irsi"]), &["did you mean 'iris'?", "data --list"]);
    contains(&folder.refused(&["data", "builtin:iris?n=3"]), &["has no parameter 'n'"]);
    contains(&folder.refused(&["data", "builtin:iris", "--nominal", "class"]), &["has its types"]);
    contains(&folder.refused(&["data", "--target", "x"]), &["required"]);
    assert_eq!(folder.json(&["data", "builtin:iris", "--ignore", "class"])["target"]["name"], "petalwidth");
}

#[test]
fn standard_input_is_read() {
    let folder = Folder::new();
    let done = run_in(folder.0.path(), &["data", "-", "--json"], b"x,y\n1,a\n2,b\n");
    let told: Value = serde_json::from_str(&done.ok()).unwrap();
    assert_eq!(told["rows"], 2);
}

#[test]
fn whole_numbers_that_become_one_are_told() {
    let folder = Folder::new();
    folder.write("ids.csv", "x,id,y\n1,9007199254740991,a\n2,9007199254740993,b\n3,9007199254740992,a\n");
    let told = folder.run(&["data", "ids.csv"]);
    contains(&told.out, &["note: 'id': row 2 is beyond 2^53", "--nominal"]);
    assert!(!folder.run(&["data", "ids.csv", "--nominal", "id"]).out.contains("2^53"));
    // Measurements are not identifiers.
    folder.write("m.csv", "x,y\n9007199254740993,a\n0.5,b\n1e300,b\n");
    assert!(!folder.run(&["data", "m.csv"]).out.contains("2^53"));
}

#[test]
fn means_have_no_rounding_errors() {
    let folder = Folder::new();
    let rows: String =
        (0..1000).map(|row| format!("0.1,{},1e308\n", (row % 3 + 1) as f64 / 10.0)).take(999).collect();
    folder.write("t.csv", format!("a,b,c\n{rows}"));
    let told = folder.json(&["data", "t.csv", "--target", "a"]);
    let means: Vec<&Value> = told["columns"].as_array().unwrap().iter().map(|c| &c["mean"]).collect();
    assert_eq!(means, [&Value::from(0.1), &Value::from(0.2), &Value::from(1e308)]);
}
