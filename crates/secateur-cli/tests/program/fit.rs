//! `secateur fit`.

use super::*;

#[test]
fn the_tree_is_printed_under_a_summary() {
    let folder = Folder::new();
    let done = folder.run(&["fit", "builtin:iris"]);
    assert_eq!(done.err, "");
    let text = done.ok();
    contains(
        &text,
        &[
            "builtin:iris: 150 rows, 4 features, target class (3 classes)",
            "pruned from 9 leaves",
            "this tree",
            "(baseline)",
        ],
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let details = folder.run(&["fit", "builtin:iris", "--details"]).ok();
    assert!(details.starts_with(&text), "{details}");
    contains(
        &details[text.len()..],
        &["scheme ", "full tree ", "leaf values ", "estimate ", "in-sample ", "time "],
    );
}

/// One number says how wrong the tree is on new rows; what the training rows suggest is not beside it.
#[test]
fn the_first_screen_has_one_error() {
    let folder = Folder::new();
    for data in ["builtin:iris", "builtin:credit?n=300", "builtin:houses?n=200"] {
        let text = folder.run(&["fit", data]).ok();
        for other in ["training error", "in-sample", "expected error", "2-norm"] {
            assert!(!text.contains(other), "{data}: {other}");
        }
        let tree = text.lines().take_while(|line| !line.starts_with(['├', '→'])).count();
        assert!(tree <= 6, "{text}");
    }
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let (_, rest) = readme.split_once("$ secateur fit builtin:iris\n").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let untimed = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("time ")).map(String::from).collect()
    };
    assert_eq!(untimed(shown), untimed(&Folder::new().run(&["fit", "builtin:iris"]).ok()));
    // And the defaults that it names are those that are taken.
    let folder = Folder::new();
    for data in ["builtin:iris", "builtin:houses?n=100"] {
        let scheme = folder.json(&["fit", data])["scheme"].as_str().unwrap().to_string();
        assert!(readme.contains(&format!("`{scheme}`")), "{scheme}");
    }
}

#[test]
fn the_json_has_the_keys_of_the_contract() {
    let folder = Folder::new();
    let told =
        folder.json(&["fit", "builtin:iris", "--scheme", "cart:min-leaf=1,max-leaves=3", "-o", "m.json"]);
    for key in ["scheme", "rows", "full", "tree", "estimate", "seconds"] {
        assert!(told.get(key).is_some(), "{key}");
    }
    assert_eq!(told["scheme"], "cart:max-leaves=3");
    assert_eq!(told["rows"], 150);
    assert_eq!(told["full"], serde_json::json!({"nodes": 5, "leaves": 3, "depth": 2}));
    assert_eq!(told["tree"]["leaves"], 3);
    assert_eq!(told["tree"]["training_error"], 0.04);
    assert_eq!(told["estimate"], Value::Null);
    assert_eq!(keys(&told["seconds"]), ["grow", "load", "prune"]);
    assert_eq!(told["model"], "m.json");
}

#[test]
fn the_model_is_the_same_to_the_byte_on_any_number_of_threads() {
    let folder = Folder::new();
    for data in
        ["builtin:waveform-40?n=3000", "builtin:friedman?n=3000", "builtin:tic-tac-toe", "builtin:credit"]
    {
        for scheme in ["cart", "best-first:max-leaves=30", "c45", "id3"] {
            let models: Vec<Vec<u8>> = ["1", "2", "8"]
                .iter()
                .map(|threads| {
                    folder.run(&["fit", data, "-s", scheme, "--threads", threads, "-o", "m.json", "-q"]).ok();
                    std::fs::read(folder.path("m.json")).unwrap()
                })
                .collect();
            assert!(models[0] == models[1] && models[0] == models[2], "{data} {scheme}");
        }
    }
}

#[test]
fn the_seed_and_the_data_are_recorded() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "--seed", "7", "-o", "m.json"]).ok();
    let model: Value = serde_json::from_slice(&std::fs::read(folder.path("m.json")).unwrap()).unwrap();
    assert_eq!(
        (&model["seed"], &model["data"], &model["rows"]),
        (&7.into(), &"builtin:iris".into(), &150.into())
    );
}

#[test]
fn weights_count_as_repeated_rows_and_are_no_attribute() {
    let folder = Folder::new();
    folder.write("weighted.csv", "x,y,w\n1,a,2\n2,b,1\n3,a,1\n4,b,3\n");
    folder.write("repeated.csv", "x,y\n1,a\n1,a\n2,b\n3,a\n4,b\n4,b\n4,b\n");
    let nodes = |args: &[&str]| {
        folder.run(&[args, &["-o", "m.json", "-q"]].concat()).ok();
        let model: Value = serde_json::from_slice(&std::fs::read(folder.path("m.json")).unwrap()).unwrap();
        assert_eq!(model["attributes"].as_array().unwrap().len(), 1);
        let nodes = model["nodes"].as_array().unwrap();
        nodes.iter().map(|n| (n["split"].clone(), n["counts"].clone(), n["gain"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(
        nodes(&["fit", "weighted.csv", "-s", "cart", "--weights", "w"]),
        nodes(&["fit", "repeated.csv", "-s", "cart"])
    );
    folder.write("bad.csv", "x,y,w\n1,a,2\n2,b,-1\n");
    contains(&folder.refused(&["fit", "bad.csv", "--weights", "w"]), &["row 2 has weight -1"]);
    contains(&folder.refused(&["fit", "weighted.csv", "--weights", "y"]), &["weights must be numbers"]);
    contains(
        &folder.refused(&["fit", "weighted.csv", "--weights", "w", "--target", "w"]),
        &["also ignored or used as weights"],
    );
}

#[test]
fn rows_without_a_target_are_refused_or_left_out() {
    let folder = Folder::new();
    folder.write("d.csv", "x,y\n1,a\n2,\n3,b\n4,?\n");
    let said = folder.refused(&["fit", "d.csv", "-q"]);
    contains(&said, &["2 of 4 rows", "row 2, 4", "--drop-missing-target", "'y'"]);
    let told = folder.json(&["fit", "d.csv", "-s", "cart", "--drop-missing-target"]);
    assert_eq!((&told["rows"], &told["tree"]["leaves"]), (&2.into(), &2.into()));
    folder.write("none.csv", "x,y\n1,\n2,\n");
    folder.refused(&["fit", "none.csv", "--drop-missing-target"]);
}

#[test]
fn one_class_or_one_row_gives_a_single_leaf() {
    let folder = Folder::new();
    folder.write("class.csv", "x,y\n1,a\n2,a\n3,a\n");
    folder.write("row.csv", "x,y\n1,a\n");
    folder.write("number.csv", "x,y\n1,2.5\n");
    folder.write("missing.csv", "x,y\n?,a\n?,b\n?,a\n");
    for scheme in ["cart", "best-first", "c45", "id3"] {
        for file in ["class.csv", "row.csv", "number.csv", "missing.csv"] {
            let told = folder.json(&["fit", file, "--scheme", scheme, "-o", "m.json"]);
            assert_eq!(told["tree"]["leaves"], 1, "{scheme} {file}");
            folder.run(&["predict", "m.json", file]).ok();
            for format in ["text", "rules", "dot"] {
                folder.run(&["show", "m.json", "--format", format]).ok();
            }
        }
    }
}

#[test]
fn a_nominal_column_with_50000_values_is_grown_from() {
    let folder = Folder::new();
    let rows: String = (0..50_000).map(|i| format!("id{i},{},{}\n", i % 7, ["a", "b", "c"][i % 3])).collect();
    folder.write("d.csv", format!("id,x,y\n{rows}"));
    for scheme in ["cart:max-leaves=4", "c45:min-leaf=1"] {
        let told = folder.json(&["fit", "d.csv", "-s", scheme, "-o", "m.json", "--nominal", "id"]);
        assert!(told["tree"]["leaves"].as_u64().unwrap() >= 2, "{scheme}");
        let told = folder.json(&["predict", "m.json", "d.csv"]);
        assert_eq!(told["rows"], 50_000);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_the_work() {
    let folder = Folder::new();
    contains(&folder.refused(&["fit", "builtin:iris", "-o", "none/m.json"]), &["no such folder"]);
    std::fs::create_dir(folder.path("dir")).unwrap();
    contains(&folder.refused(&["fit", "builtin:iris", "-o", "dir"]), &["this is a folder"]);
}

#[test]
fn quiet_silences_notes_and_json_stands_alone() {
    let folder = Folder::new();
    let done = folder.run(&["fit", "builtin:iris", "-o", "m.json"]);
    contains(&done.err, &["note: the model is in m.json"]);
    assert_eq!(folder.run(&["fit", "builtin:iris", "-o", "m.json", "--quiet"]).err, "");
    assert_eq!(folder.run(&["fit", "builtin:iris", "--json", "-o", "m.json"]).err, "");
}

/// Small numbers beside a huge one, and numbers whose squares are none.
#[test]
fn leaves_of_equal_targets_say_exactly_that() {
    let folder = Folder::new();
    let csv = |value: &dyn Fn(usize) -> String| {
        let rows: String = (0..101).map(|row| format!("{row},{}\n", value(row))).collect();
        format!("x,y\n{rows}")
    };
    let bit = |row: usize| usize::from(row >= 50);
    let huge = |row: usize| if row == 100 { "1e9".into() } else { bit(row).to_string() };
    folder.write("huge.csv", csv(&huge));
    folder.write("tiny.csv", csv(&|row| format!("{}e-160", 1 + bit(row))));
    folder.write("large.csv", csv(&|row| format!("{}e149", 1 + bit(row))));
    let text = folder.run(&["fit", "huge.csv", "-s", "cart"]).ok();
    contains(&text, &["3 leaves", "→ 0 ± 0  (50)", "→ 1 ± 0  (50)", "→ 1000000000 ± 0  (1)"]);
    for data in ["tiny.csv", "large.csv"] {
        let told = folder.json(&["fit", data, "-s", "cart", "-o", "m.json"]);
        assert_eq!(
            (&told["tree"]["leaves"], &told["tree"]["training_error"]),
            (&2.into(), &0.0.into()),
            "{data}"
        );
        folder.run(&["show", "m.json"]).ok();
    }
    folder.write("beyond.csv", csv(&|row| format!("{}e160", 1 + bit(row))));
    contains(&folder.refused(&["fit", "beyond.csv", "-q"]), &["between -1e150 and 1e150"]);
}
