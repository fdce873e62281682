//! Tables as people have them: what the program says, and how it is corrected once for all.

use crate::{Folder, contains};

/// Sixty people in a German file, one with an odd age.
fn german() -> String {
    let row = |i: usize| {
        let class = if i % 20 < 9 { "ja" } else { "nein" };
        let age = if i == 40 { "3O".into() } else { (20 + i % 20).to_string() };
        format!("K{i}x;{age};1.{:03},50;{:02}.03.2021;{class}\n", 7 * i % 1000, i % 28 + 1)
    };
    "kunde;alter;betrag;tag;ziel\n".to_string() + &(0..60).map(row).collect::<String>()
}

#[test]
fn notes_name_the_column_the_place_and_the_flag() {
    let folder = Folder::new();
    folder.write("d.csv", german());
    let done = folder.run(&["data", "d.csv", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let json: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let told: Vec<&str> =
        json["notes"].as_array().unwrap().iter().map(|n| n["text"].as_str().unwrap()).collect();
    for wanted in [
        "values are separated by semicolons; --sep overrules",
        "'alter' would be numeric but for 1 of 60 cells (line 42: '3O'); --numeric alter, or --missing 3O",
        "'tag' holds dates, the day before the month; --nominal tag reads it as text",
    ] {
        assert!(told.contains(&wanted), "{told:#?}");
    }
    assert_eq!(json["left_out"], serde_json::json!(["kunde"]));
    let done = folder.run(&["fit", "d.csv", "-s", "cart", "--numeric", "alter"]);
    contains(
        &done.err,
        &[
            "1 cell of 60 in 'alter' is no number and counts as missing (line 42: '3O')",
            "'kunde'",
            "--nominal kunde",
        ],
    );
    assert!(!folder.run(&["fit", "d.csv", "-s", "cart", "--nominal", "kunde"]).err.contains("identifier"));
    assert_eq!(folder.run(&["fit", "d.csv", "-s", "cart", "-q"]).err, "");
}

#[test]
fn a_schema_is_corrected_once_and_obeyed_by_all() {
    let folder = Folder::new();
    folder.write("d.csv", german());
    assert_eq!(folder.run(&["data", "d.csv", "--schema", "s.toml"]).code, 0);
    let schema = folder.read("s.toml");
    contains(
        &schema,
        &["separator = \";\"", "type = \"date\"", "order = \"day-month-year\"", "type = \"ignore\""],
    );
    folder.write(
        "s.toml",
        schema.replace("name = \"alter\"\ntype = \"nominal\"", "name = \"alter\"\ntype = \"numeric\""),
    );
    let done = folder.run(&["fit", "d.csv", "--schema", "s.toml", "-s", "cart", "-o", "m.json"]);
    contains(&done.err, &["'alter'"]);
    contains(&done.out, &["alter < 28.5"]);
    let done = folder.run(&["predict", "m.json", "d.csv", "--schema", "s.toml"]);
    assert_eq!(done.code, 0, "{}", done.err);
    contains(&done.err, &["accuracy"]);
    folder.write("bad.toml", "separator = \";\"\nnames = 3\n");
    contains(&folder.refused(&["fit", "d.csv", "--schema", "bad.toml"]), &["bad.toml, line 2", "names"]);
}

#[test]
fn other_kinds_of_files_are_recognised() {
    let folder = Folder::new();
    folder.write("a.csv", b"SQLite format 3\0 and so on");
    contains(&folder.refused(&["data", "a.csv"]), &["a SQLite database", "sqlite3 -header -csv a.csv"]);
    folder.write("b.csv", b"PK\x03\x04........xl/workbook.xml");
    contains(&folder.refused(&["data", "b.csv"]), &["an Excel workbook", "libreoffice"]);
    folder.write("c.csv", "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,y\n");
    let done = folder.run(&["data", "c.csv"]);
    contains(&done.out, &["read as arff", "2 rows"]);
    for json in ["[{\"a\": 1}, {\"a\": 2}]", " {\"a\": 1}\n{\"a\": 2}\n", "[[1, 2], [3, 4]]"] {
        folder.write("d.csv", json);
        contains(&folder.refused(&["data", "d.csv"]), &["it is JSON", "read_json('d.csv')"]);
    }
    folder.write("e.csv", "[mm],{x}\n1,a\n2,b\n");
    contains(&folder.run(&["data", "e.csv"]).out, &["[mm]", "2 rows"]);
}

#[test]
fn a_target_with_another_class_in_every_row_is_refused() {
    let folder = Folder::new();
    let rows: String = (0..40).map(|row| format!("{row},name{row}\n")).collect();
    folder.write("t.csv", format!("x,y\n{rows}"));
    contains(&folder.refused(&["fit", "t.csv"]), &["'y'"]);
}
