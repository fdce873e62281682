//! On a terminal, nothing from data or from names of files changes colours, moves the cursor or begins a line of the program's.

#![cfg(unix)]

use std::process::{Command, Stdio};

use super::*;

/// What the program writes to a terminal, to both of its streams; `None` where there is nothing to make one with.
fn shown(folder: &Folder, args: &[&str]) -> Option<String> {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let program = assert_cmd::cargo::cargo_bin!("secateur").display().to_string();
    let line: Vec<String> = [program.as_str()].iter().chain(args).map(|arg| quoted(arg)).collect();
    let mut command = Command::new("script");
    command.args(["-qec", &line.join(" "), "/dev/null"]).current_dir(folder.path("")).stdin(Stdio::null());
    command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
    match command.output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            secateur_testing::skip("system", &format!("there is no terminal to write to: script: {error}"));
            None
        }
    }
}

/// Magenta, which the program does not use.
const COLOUR: &str = "\u{1b}[35m";

/// A table with this colour in all of its names and values.
fn coloured() -> Folder {
    let folder = Folder::new();
    let value = |i: usize| format!("{COLOUR}v{}", i % 3);
    let class = |i: usize| format!("{COLOUR}c{}", i % 3 / 2);
    let rows: String = (0..60).map(|i| format!("{},{i},{}\n", value(i), class(i))).collect();
    folder.write("t.csv", format!("{COLOUR}a,{COLOUR}b,{COLOUR}y\n{rows}"));
    folder.run(&["fit", "t.csv", "-s", "cart", "-o", "m.json", "-q"]).ok();
    folder
}

#[test]
fn colours_from_data_do_not_pass() {
    let folder = coloured();
    let formats = folder.json(&["export", "--list"])["formats"].take();
    let formats = formats.as_array().unwrap().iter().map(|format| format["id"].as_str().unwrap().to_owned());
    let exports: Vec<String> = formats.map(|format| format!("export m.json -f {format}")).collect();
    let calls = [
        "data t.csv",
        "fit t.csv -s cart",
        "path t.csv",
        "show m.json",
        "show m.json -f rules",
        "show m.json -f dot",
        "show m.json -f svg",
        "show m.json -f html",
        "show m.json --json",
        "predict m.json t.csv",
        "predict m.json t.csv --keep all",
        "predict m.json t.csv --keep all --memory 64MB",
        "explain m.json t.csv --row 1",
        "explain m.json t.csv --row 1 --json",
        "prune m.json -s mdl",
        "evaluate t.csv -s cart --cv 2",
        "compare t.csv -s cart -s c45 --cv 2",
        "compare t.csv -s cart -s c45 --cv 2 --format csv",
        "compare t.csv -s cart -s c45 --cv 2 --format html",
        "fit t.csv --target none",
        "show none.json",
    ];
    for call in calls.iter().copied().chain(exports.iter().map(String::as_str)) {
        let Some(text) = shown(&folder, &call.split(' ').collect::<Vec<_>>()) else { return };
        assert!(!text.contains(COLOUR), "{call}: {text:?}");
        assert!(!text.contains("panicked"), "{call}: {text:?}");
        assert!(text.len() > 20, "{call}: {text:?}");
    }
    // There are colours: those of the program.
    let Some(text) = shown(&folder, &["explain", "m.json", "t.csv", "--row", "1"]) else { return };
    assert!(text.contains("\u{1b}[1m"), "{text:?}");
}

#[test]
fn names_of_files_begin_no_lines_and_change_no_colours() {
    let folder = coloured();
    let name = |end: &str| format!("{COLOUR}t\nerror: forged{end}");
    let (data, model, absent) = (name(".csv"), name(".json"), name("-absent.csv"));
    std::fs::copy(folder.path("t.csv"), folder.path(&data)).unwrap();
    std::fs::copy(folder.path("m.json"), folder.path(&model)).unwrap();
    folder.write(&name("-bad.json"), "{");
    folder.write(&name("-bad.csv"), "x,y\n1\n");
    let (bad_model, bad_data) = (name("-bad.json"), name("-bad.csv"));
    for call in [
        &["data", &data][..],
        &["fit", &data, "-s", "cart"],
        &["fit", &data, "-s", "cart", "-o", &name("-made.json")],
        &["fit", &absent],
        &["fit", &bad_data],
        &["fit", &data, "--target", "none"],
        &["path", &data],
        &["show", &model],
        &["show", &bad_model],
        &["show", &model, "-o", &name(".svg")],
        &["predict", &model, &data],
        &["predict", &model, &data, "-o", &name("-made.csv")],
        &["predict", &bad_model, &data],
        &["explain", &model, &data, "--row", "1"],
        &["export", &model, "-o", &name(".py")],
        &["export", &model, "-o", &name(".none")],
        &["evaluate", &data, "-s", "cart", "--cv", "2"],
        &["evaluate", &data, "-s", "cart", "--cv", "2", "--results", &name(".jsonl")],
        &["compare", &data, "-s", "cart", "-s", "c45", "--cv", "2"],
        &["compare", &data, "-s", "cart", "-s", "c45", "--cv", "2", "--format", "csv"],
        &["fit", &data, "--seed", &name("")],
        &["fit", &data, &format!("--seed={}", name(""))],
        &["fit", &data, &format!("--{}", name(""))],
        &[&name("")],
    ] {
        let Some(text) = shown(&folder, call) else { return };
        assert!(!text.contains(COLOUR), "{call:?}: {text:?}");
        assert!(!text.lines().any(|line| line.starts_with("error: forged")), "{call:?}: {text}");
        // Where it goes to a file or a pipe, too.
        let done = folder.run(call);
        assert!(!done.err.contains(COLOUR), "{call:?}: {}", done.err);
        assert!(!done.err.lines().any(|line| line.starts_with("error: forged")), "{call:?}: {}", done.err);
    }
}
