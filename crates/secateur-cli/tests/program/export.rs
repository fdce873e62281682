//! `secateur export`: files for other software, proven there.

use super::{Folder, contains, keys};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-o", "m.json", "-q"]).ok();
    folder
}

/// Whether there is a Python to verify with.
fn has_python() -> bool {
    let found = std::process::Command::new("python3").arg("--version").output().is_ok();
    if !found {
        secateur_testing::skip("exports", "no Python");
    }
    found
}

#[test]
fn a_tree_goes_to_standard_output_or_a_file() {
    let folder = folder();
    let text = folder.run(&["export", "m.json", "--format", "python"]).ok();
    contains(&text, &["def predict(row):", "\"Iris-setosa\"", "petallength < 2.45"]);
    let done = folder.run(&["export", "m.json", "-o", "tree.py"]);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    contains(&done.err, &["the tree is in tree.py"]);
    assert_eq!(folder.read("tree.py"), text);
    let told =
        folder.json(&["export", "m.json", "-o", "tree.sql", "--dialect", "sqlite", "--option", "form=view"]);
    assert_eq!((&told["format"], &told["file"]), (&"sql".into(), &"tree.sql".into()));
    assert!(told["verified"].is_null());
    contains(&folder.read("tree.sql"), &["CREATE VIEW \"predicted\" AS"]);
    contains(
        &folder.refused(&["export", "m.json", "--format", "xlsx"]),
        &["xlsx is not text; -o names the file"],
    );
}

#[test]
fn the_list_tells_what_is_carried() {
    let folder = Folder::new();
    let list = folder.run(&["export", "--list"]).ok();
    contains(
        &list,
        &["sql\n", "--option dialect=duckdb|postgresql|sqlite", "missing shared: yes", "scorecard\n"],
    );
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    let told = folder.json(&["export", "--list"]);
    let formats = told["formats"].as_array().unwrap();
    assert!(formats.len() >= 9);
    for format in formats {
        assert_eq!(
            keys(&format["carries"]),
            [
                "classes",
                "costs",
                "missing_sent",
                "missing_shared",
                "multiway",
                "note",
                "numbers",
                "precision",
                "probabilities",
                "sets"
            ]
        );
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = folder();
    let says = |args: &[&str], parts: &[&str]| contains(&folder.refused(args), parts);
    says(&["export", "m.json"], &["--format is missing", "sql, c, rust, python"]);
    says(&["export", "m.json", "--format", "pyton"], &["did you mean 'python'"]);
    says(&["export", "m.json", "-o", "tree.xyz"], &["no format has files that end in .xyz"]);
    says(
        &["export", "m.json", "--format", "python", "--dialect", "sqlite"],
        &["python has no option 'dialect'"],
    );
    says(&["export", "m.json", "--format", "sql", "--dialect", "sqllite"], &["did you mean 'sqlite'"]);
    says(&["export", "m.json", "--format", "sql", "--option", "form"], &["is not NAME=VALUE"]);
    says(
        &["export", "m.json", "--format", "sql", "-O", "form=view", "-O", "form=query"],
        &["form is given twice"],
    );
    says(&["export", "m.json", "--format", "scorecard"], &["two classes, and it has 3"]);
    says(&["export", "m.json", "--format", "csv", "-o", "m.json"], &["m.json"]);
    says(&["export", "none.json", "--format", "csv"], &["none.json: cannot read it"]);
}

#[test]
fn what_is_proven_is_told() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let told = folder.json(&["export", "m.json", "-o", "tree.py", "--verify", "builtin:iris"]);
    let verified = &told["verified"];
    assert_eq!(verified["labels_equal"], verified["rows"]);
    assert_eq!(verified["largest_difference"], 0.0);
    assert!(verified["rows"].as_u64().unwrap() > 150 && verified["edge_rows"].as_u64().unwrap() > 0);
    assert!(verified["consumer"].as_str().unwrap().starts_with("Python "));
    let done = folder.run(&["export", "m.json", "-o", "again.py", "--verify"]);
    assert_eq!(done.code, 0, "{}", done.err);
    contains(&done.err, &["verified with Python"]);
    contains(
        &folder.run(&["export", "m.json", "--format", "csv", "--verify"]).err,
        &["csv is for people to read; no program can be asked"],
    );
}

#[cfg(unix)]
#[test]
fn where_an_answer_differs_there_is_no_file() {
    use std::os::unix::fs::PermissionsExt;
    if !has_python() {
        return;
    }
    let folder = folder();
    // A Python that changes what it is given: values at thresholds go to the other side.
    let script = "#!/bin/sh\n[ -f exported_tree.py ] && sed -i 's/\\] < /] <= /' exported_tree.py\nexec python3 \"$@\"\n";
    let path = folder.write("python", script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("secateur");
    command.current_dir(folder.0.path()).env("SECATEUR_PYTHON", &path);
    let output = command.args(["export", "m.json", "-o", "tree.py", "--verify"]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    contains(&err, &["the exported tree answers differently; no file is written", "the tree says"]);
    assert!(!folder.path("tree.py").exists());
}

#[test]
fn a_consumer_that_is_not_there_is_named() {
    let folder = folder();
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("secateur");
    command.current_dir(folder.0.path()).env("SECATEUR_PYTHON", "/nowhere/python").env("PATH", "");
    let output = command.args(["export", "m.json", "-o", "tree.py", "--verify"]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    contains(&err, &["no program for python is installed; get Python (python.org"]);
    assert!(!folder.path("tree.py").exists());
}
