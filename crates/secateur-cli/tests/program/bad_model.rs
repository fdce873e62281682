//! Model files that are damaged, of another kind, or made to harm.

use super::*;

const COMMANDS: [&[&str]; 2] = [&["show", "m.json"], &["predict", "m.json", "d.csv"]];

fn refused(folder: &Folder, model: impl AsRef<[u8]>) -> String {
    folder.write("m.json", model);
    folder.write("d.csv", "x\n1\n");
    let said = COMMANDS.map(|args| folder.refused(args));
    assert_eq!(said[0], said[1]);
    contains(&said[0], &["m.json: not a valid model: ", "hint: a model is a file that"]);
    said[0].clone()
}

/// A model with these nodes: one numeric attribute, one nominal, two classes.
fn model(nodes: &str) -> String {
    format!(
        r#"{{"format": "secateur-model", "version": 1, "scheme": "cart",
            "attributes": [{{"name": "x", "type": "numeric"}}, {{"name": "n", "type": "nominal", "values": ["u", "v"]}}],
            "target": {{"type": "classes", "name": "y", "classes": ["a", "b"]}}, "nodes": {nodes}}}"#
    )
}

const LEAVES: &str = r#"{"parent": 0, "rows": 1, "weight": 1, "counts": [1, 0]},
    {"parent": 0, "rows": 1, "weight": 1, "counts": [0, 1]}"#;

fn root(split: &str, first_child: &str) -> String {
    format!(
        r#"[{{"split": {split}, "first_child": {first_child}, "rows": 2, "weight": 2, "counts": [1, 1]}}, {LEAVES}]"#
    )
}

#[test]
fn the_sound_model_of_these_tests_is_taken() {
    let folder = Folder::new();
    folder.write("m.json", model(&root(r#"{"attribute": "x", "less_than": 1}"#, "1")));
    folder.write("d.csv", "x\n1\n");
    for args in COMMANDS {
        folder.run(args).ok();
    }
}

#[test]
fn files_of_another_kind() {
    let folder = Folder::new();
    refused(&folder, "");
    refused(&folder, "{}");
    refused(&folder, "[]");
    refused(&folder, "null");
    refused(&folder, "x,y\n1,2\n");
    refused(&folder, [0xff, 0xfe, 0, 1, 2, 3]);
    refused(&folder, r#"{"format": "other"}"#);
    refused(&folder, "[".repeat(200_000));
    contains(
        &refused(&folder, r#"{"format": "secateur-model", "version": 99}"#),
        &["version 99", "a newer secateur will read it"],
    );
}

/// Which of two keys counts would depend on the reader.
#[test]
fn a_key_that_appears_twice() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:weather", "-o", "whole.json", "-q"]).ok();
    let whole: Value = serde_json::from_str(&folder.read("whole.json")).unwrap();
    let text = folder.read("whole.json");
    let end = text.rfind('}').unwrap();
    for (key, value) in whole.as_object().unwrap() {
        let said = refused(&folder, format!("{}, {}: {value}}}", &text[..end], Value::from(key.as_str())));
        contains(&said, &[&format!("'{key}' appears twice")]);
    }
}

#[test]
fn a_model_that_was_cut_off_anywhere() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:weather", "-o", "whole.json", "-q"]).ok();
    let whole = std::fs::read(folder.path("whole.json")).unwrap();
    for part in 1..20 {
        refused(&folder, &whole[..whole.len() * part / 20]);
    }
}

#[test]
fn trees_that_are_none() {
    let folder = Folder::new();
    let split = r#"{"attribute": "x", "less_than": 1}"#;
    refused(&folder, model("[]"));
    // A child that is its own parent, children before their parent, children that are not there.
    refused(&folder, model(&root(split, "0")));
    refused(&folder, model(&root(split, "2")));
    refused(&folder, model(&root(split, "4000000000")));
    refused(&folder, model(&root(split, "-1")));
    refused(&folder, model(&root(split, "1e300")));
    refused(&folder, model(&root(split, "null")));
    refused(&folder, model(&root(r#"{"attribute": "z", "less_than": 1}"#, "1")));
    refused(&folder, model(&root(r#"{"attribute": "n", "less_than": 1}"#, "1")));
    refused(&folder, model(&root(r#"{"attribute": "x", "less_than": 1e999}"#, "1")));
    refused(&folder, model(&root(r#"{"attribute": "n", "left": ["u"], "right": ["w"]}"#, "1")));
    refused(&folder, model(r#"[{"rows": 1, "weight": 1, "counts": [1]}]"#));
    refused(&folder, model(r#"[{"rows": 1, "weight": 1, "counts": [1, -1]}]"#));
    refused(&folder, model(r#"[{"rows": -1, "weight": 1, "counts": [1, 0]}]"#));
    refused(&folder, model(r#"[{"rows": 1, "weight": 1e999, "counts": [1, 0]}]"#));
    refused(&folder, model(r#"[{"parent": 0, "rows": 1, "weight": 1, "counts": [1, 0]}]"#));
}

#[test]
fn a_message_never_carries_control_characters_to_the_terminal() {
    let folder = Folder::new();
    let said = refused(&folder, model(&root("{\"attribute\": \"\\u001b[31mz\", \"less_than\": 1}", "1")));
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_folder_or_nothing_in_place_of_a_model() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("m.json")).unwrap();
    folder.refused(&["show", "m.json"]);
    contains(&folder.refused(&["show", "none.json"]), &["none.json: cannot read it"]);
}
