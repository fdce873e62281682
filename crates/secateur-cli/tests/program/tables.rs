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
        "'alter' would be numeric except for 1 of 60 cells (line 42: '3O'); --numeric alter, or --missing 3O",
        "'tag' holds dates, the day before the month; --nominal tag reads it as text",
    ] {
        assert!(told.contains(&wanted), "{told:#?}");
    }
    assert_eq!(json["left_out"], serde_json::json!(["kunde"]));
    let done = folder.run(&["fit", "d.csv", "-s", "cart", "--numeric", "alter"]);
    contains(
        &done.err,
        &[
            "1 cell of 60 in 'alter' is not a number and counts as missing (line 42: '3O')",
            "'kunde'",
            "--nominal kunde",
        ],
    );
    assert!(!folder.run(&["fit", "d.csv", "-s", "cart", "--nominal", "kunde"]).err.contains("identifier"));
    assert_eq!(folder.run(&["fit", "d.csv", "-s", "cart", "-q"]).err, "");
}

#[test]
fn every_command_that_reads_a_table_has_its_notes_in_json() {
    let folder = Folder::new();
    folder.write("d.csv", german());
    assert_eq!(folder.run(&["fit", "d.csv", "-s", "cart", "-o", "m.json"]).code, 0);
    let told = "values are separated by semicolons; --sep overrules";
    let few: &[&str] = &["--cv", "2", "-s", "cart"];
    for (args, place) in [
        (vec!["data", "d.csv"], "/notes"),
        (vec!["fit", "d.csv"], "/notes"),
        (vec!["path", "d.csv"], "/notes"),
        (vec!["predict", "m.json", "d.csv"], "/notes"),
        (vec!["explain", "m.json", "d.csv", "--row", "1"], "/notes"),
        ([&["evaluate", "d.csv"], few].concat(), "/dataset/notes"),
        ([&["compare", "d.csv", "-s", "cart/mdl"], few].concat(), "/datasets/0/notes"),
        (vec!["evaluate", "builtin:iris", "-s", "cart"], "/dataset/notes"),
    ] {
        let json = folder.json(&args);
        let notes = json.pointer(place).unwrap_or_else(|| panic!("{args:?}: {json}")).as_array().unwrap();
        let has = notes.iter().any(|note| note["text"] == told && note["kind"] == "separator");
        assert_eq!(has, !args.contains(&"builtin:iris"), "{args:?}: {notes:?}");
    }
    // On standard error, and not between the numbers.
    let done = folder.run(&["path", "d.csv"]);
    assert!(done.err.contains(told) && !done.out.contains(told), "{}", done.err);
}

#[test]
fn notes_on_a_file_to_test_on_are_told() {
    let folder = Folder::new();
    folder.write("d.csv", german());
    folder.write("t.csv", german().replace(';', "|"));
    let done = folder.run(&["evaluate", "d.csv", "--test-data", "t.csv", "-s", "cart"]);
    contains(&done.err, &["t.csv: values are separated by bars (|)"]);
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

/// Rows with a day that may be a month, and an amount that may have thousands.
fn ambiguous(rows: std::ops::Range<usize>, last_day: usize) -> String {
    let row = |i: usize| {
        let class = if i % 12 < 5 { "ja" } else { "nein" };
        let amount = if i % 9 == 4 { "k.A.".into() } else { format!("{},{:03}", i % 7, 100 + i % 800) };
        format!("{:02}/{:02}/2021;{amount};{class}\n", 1 + i * 5 % last_day, 1 + i % 12)
    };
    "tag;betrag;ziel\n".to_string() + &rows.map(row).collect::<String>()
}

#[test]
fn a_model_remembers_how_its_table_was_read() {
    let folder = Folder::new();
    folder.write("d.csv", ambiguous(0..200, 28));
    let fit = ["fit", "d.csv", "-s", "cart", "--missing", "k.A.", "-o", "m.json"];
    assert_eq!(folder.run(&fit).code, 0);
    contains(&folder.read("m.json"), &["\"reading\": {", "\"order\":\"day-month-year\"", "\"k.A.\""]);
    // Day and month, and what the comma means, cannot be told in this file.
    folder.write("new.csv", ambiguous(0..30, 12).replace(';', "\t"));
    let known = folder.json(&["predict", "m.json", "new.csv"]);
    assert_eq!(known["accuracy"], 1.0, "{known}");
    let test =
        folder.json(&["evaluate", "d.csv", "--missing", "k.A.", "-s", "cart", "--test-data", "new.csv"]);
    assert_eq!(test["accuracy"]["mean"], 1.0, "{test}");
    // A file that says otherwise itself is read as it says.
    let american: String = "tag;betrag;ziel\n".to_string()
        + &(0..200).map(|i| format!("{:02}/{:02}/2021;1,5;ja\n", 1 + i % 12, 1 + i % 28)).collect::<String>();
    folder.write("american.csv", american);
    assert_eq!(folder.run(&["predict", "m.json", "american.csv"]).code, 0);
    // A model that remembers nothing says what helps.
    let forgetful: String = folder
        .read("m.json")
        .lines()
        .filter(|line| !line.starts_with("\"reading\""))
        .map(|line| line.to_string() + "\n")
        .collect();
    folder.write("old.json", forgetful);
    let told = folder.refused(&["predict", "old.json", "new.csv", "--missing", "k.A."]);
    contains(
        &told,
        &["new.csv, line 2, column 1, attribute 'tag'", "day and month cannot be told apart", "--schema"],
    );
}

#[test]
fn other_kinds_of_files_are_recognised() {
    let folder = Folder::new();
    folder.write("a.csv", b"SQLite format 3\0 and so on");
    contains(&folder.refused(&["data", "a.csv"]), &["a SQLite database", "sqlite3 -header -csv a.csv"]);
    folder.write("b.csv", b"PK\x03\x04........xl/workbook.xml");
    contains(&folder.refused(&["data", "b.csv"]), &["an Excel workbook", "libreoffice"]);
    folder.write("my db.sqlite", b"SQLite format 3\0 and so on");
    contains(&folder.refused(&["data", "my db.sqlite"]), &["sqlite3 -header -csv 'my db.sqlite' 'SELECT"]);
    contains(&folder.refused(&["data", "my db.sqlite#people"]), &["'my db.sqlite' 'SELECT * FROM people' >"]);
    contains(&folder.refused(&["data", "nothing#people"]), &["nothing#people: cannot read it"]);
    for (name, begins, told) in [
        (
            "f.feather",
            &b"ARROW1\0\0........"[..],
            "pandas.read_feather(sys.argv[1]).to_parquet('table.parquet')\" f.feather",
        ),
        ("g.csv", b"xxxxxxxxDUCK....", "duckdb g.csv"),
        ("h.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....", "libreoffice --headless --convert-to csv h.xls"),
        ("i.csv.zst", b"\x28\xb5\x2f\xfd....", "zstd -d i.csv.zst"),
        ("j.zip", b"PK\x03\x04........j.csv", "unzip j.zip"),
    ] {
        folder.write(name, begins);
        contains(
            &folder.refused(&["fit", name]),
            &["which is not read here; turn it into CSV or Parquet first:", told],
        );
    }
    folder.write("c.csv", "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,y\n");
    let done = folder.run(&["data", "c.csv"]);
    contains(&done.out, &["read as arff", "2 rows"]);
    for json in ["[{\"a\": 1}, {\"a\": 2}]", " {\"a\": 1}\n{\"a\": 2}\n"] {
        folder.write("d.csv", json);
        contains(&folder.run(&["data", "d.csv"]).ok(), &["read as json", "2 rows"]);
        folder.write("d.jsonl", json);
        let told = folder.run(&["data", "d.jsonl"]).ok();
        assert!(told.contains("2 rows") && !told.contains("read as json"), "{told}");
    }
    folder.write("d.json", "[{\"a\": 1, \"b\": [1]}]");
    contains(&folder.refused(&["data", "d.json"]), &["line 1, attribute 'b': row 1: a list", "--ignore"]);
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

#[test]
fn words_for_missing_values_in_a_text_and_a_target_with_one_value_are_told() {
    let folder = Folder::new();
    for word in ["None", "-", ".", "Null", "#NA", "N/A"] {
        let rows: String =
            (0..40).map(|row| format!("{row},{},yes\n", if row % 4 == 0 { word } else { "Lima" })).collect();
        folder.write("t.csv", format!("x,city,buys\n{rows}"));
        let done = folder.run(&["data", "t.csv", "--width", "500"]);
        let advice = if word.starts_with('#') { format!("'{word}'") } else { word.into() };
        contains(
            &(done.out + &done.err),
            &[
                &format!(
                    "'{word}' in 10 cells of 'city' is read as a value; --missing {advice} reads it as missing"
                ),
                "the target 'buys' has one value only ('yes'): there is nothing to learn; --target names another column",
            ],
        );
        contains(&folder.run(&["data", "t.csv", "--missing", word]).out, &["city    nominal       10"]);
    }
    folder.write("n.csv", "a,y\n1,7\n2,7\n3,7\n");
    let done = folder.run(&["data", "n.csv", "--width", "500"]);
    contains(&(done.out + &done.err), &["the target 'y' has one value only ('7')"]);
}

#[test]
fn a_table_without_a_feature_is_refused_with_the_remedy() {
    let folder = Folder::new();
    let row =
        |i: usize| format!("{}:{}:{}\n", 3 * (i % 7), i % 3, if i.is_multiple_of(2) { "a" } else { "b" });
    let text = "x:y:class\n".to_string() + &(0..40).map(row).collect::<String>();
    folder.write("colons.txt", &text);
    for call in [
        &["fit", "colons.txt"][..],
        &["path", "colons.txt"],
        &["evaluate", "colons.txt"],
        &["compare", "colons.txt", "-s", "cart", "-s", "c45"],
    ] {
        let said = folder.refused(&[call, &["-q"]].concat());
        contains(
            &said,
            &[
                "there is no column beside the target 'x:y:class'",
                "so there is nothing to predict it from",
                "--sep",
            ],
        );
    }
    // Looking at it is no mistake.
    folder.run(&["data", "colons.txt"]).ok();
    // Spaces are seen, one or many.
    for (name, spaces) in [("single.txt", " "), ("aligned.txt", "   ")] {
        folder.write(name, text.replace(':', spaces));
        let done = folder.run(&["fit", name, "-s", "cart"]);
        contains(&done.err, &["values are separated by spaces; --sep overrules"]);
        contains(&done.ok(), &["40 rows, 2 features, target class"]);
    }
}

#[test]
fn another_target_than_the_last_column_is_noted() {
    let folder = Folder::new();
    let row = |i: usize| format!("{},{},{}\n", i % 7, if i % 7 < 3 { "a" } else { "b" }, 37 * i % 101);
    folder.write("t.csv", "x,class,code\n".to_string() + &(0..40).map(row).collect::<String>());
    let said =
        "the last column, 'code', is ignored: the target is 'class'; --target names the column to predict";
    for command in ["fit", "evaluate", "path", "data"] {
        let done = folder.run(&[command, "t.csv", "--ignore", "code"]);
        contains(&(done.err + &done.out), &[said]);
    }
    let done = folder.run(&["fit", "t.csv", "--ignore", "code", "--target", "class"]);
    assert!(!done.err.contains("is ignored"), "{}", done.err);
    assert!(!folder.run(&["fit", "t.csv", "--ignore", "x"]).err.contains("is ignored"));
}

#[test]
fn copies_of_rows_are_noted() {
    let folder = Folder::new();
    let row =
        |i: usize| format!("{},{},{}\n", i * 37 % 101, i * 53 % 89, if i * 7 % 5 < 2 { "a" } else { "b" });
    let rows: String = (0..80).map(row).collect();
    folder.write("once.csv", format!("x,y,class\n{rows}"));
    folder.write("thrice.csv", format!("x,y,class\n{rows}{rows}{rows}"));
    for command in ["fit", "path", "evaluate", "data"] {
        let done = folder.run(&[command, "thrice.csv"]);
        contains(
            &(done.err + &done.out).replace('\n', " "),
            &["160 of 240 rows (67 %) are equal to an earlier one"],
        );
        let done = folder.run(&[command, "once.csv"]);
        assert!(!(done.err + &done.out).contains("equal to an earlier"));
    }
}

#[test]
fn many_numbers_as_classes_are_noted() {
    let folder = Folder::new();
    let row = |i: usize| format!("{},{},{}\n", i % 7, 1000 + 37 * i % 1013, i % 4);
    folder.write("t.csv", "x,price,kind\n".to_string() + &(0..200).map(row).collect::<String>());
    let told = |target: &str| {
        folder.run(&["fit", "t.csv", "--target", target, "--task", "classification", "-s", "cart"]).err
    };
    contains(
        &told("price"),
        &["the target 'price' has 200 different numbers, each of which is predicted as a class"],
    );
    assert!(!told("kind").contains("different numbers"));
}

#[test]
fn a_needed_column_without_any_value_is_noted() {
    let folder = Folder::new();
    let row = |i: usize| format!("{},{},{}\n", i % 7, i % 5, if i % 7 < 3 { "a" } else { "b" });
    folder.write("t.csv", "x,z,class\n".to_string() + &(0..70).map(row).collect::<String>());
    folder.run(&["fit", "t.csv", "-s", "cart", "-o", "m.json", "-q"]).ok();
    folder.write("gone.csv", "x,z,class\n".to_string() + &",1,a\n".repeat(9));
    let said = "'x', which the tree tests, has no value in any row";
    for memory in ["1GB", "1KB"] {
        let done = folder.run(&["predict", "m.json", "gone.csv", "--memory", memory]);
        contains(&done.err, &[said]);
    }
    let told = folder.json(&["predict", "m.json", "gone.csv"]);
    assert!(told["notes"].to_string().contains(said), "{}", told["notes"]);
    // One value is enough, and what is not tested does not matter.
    folder.write("one.csv", "x,z,class\n1,,a\n".to_string() + &",,a\n".repeat(9));
    assert!(!folder.run(&["predict", "m.json", "one.csv"]).err.contains("has no value"));
}
