//! Nothing is ever destroyed: inputs are not written over, files appear whole or not at all, and nothing is left behind.

use std::io::Write;
use std::process::{Command, Stdio};

use super::*;

const DATA: &str = "x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n";

/// A folder with data, a model, costs, folds and results.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("t.csv", DATA);
    folder.write("costs.csv", "actual,predicted,cost\na,b,2\nb,a,1\n");
    folder.write("folds.csv", "row,fold\n0,0\n1,0\n2,0\n3,1\n4,1\n5,1\n");
    folder.run(&["fit", "t.csv", "-s", "cart", "-o", "m.json"]).ok();
    folder
}

/// All files of a folder with what they hold.
fn everything(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder.0.path()).unwrap().map(|entry| entry.unwrap());
    let mut all: Vec<(String, Vec<u8>)> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn an_output_that_is_an_input_is_refused_and_everything_stays() {
    let folder = folder();
    std::fs::hard_link(folder.path("t.csv"), folder.path("hard.csv")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("t.csv", folder.path("soft.csv")).unwrap();
    let before = everything(&folder);
    let mut calls: Vec<Vec<&str>> = vec![
        vec!["fit", "t.csv", "-o", "t.csv"],
        vec!["fit", "t.csv", "-o", "./t.csv"],
        vec!["fit", "t.csv", "--costs", "costs.csv", "-o", "costs.csv"],
        vec!["fit", "t.csv", "--folds", "folds.csv", "-o", "folds.csv"],
        vec!["predict", "m.json", "t.csv", "-o", "t.csv"],
        vec!["predict", "m.json", "t.csv", "-o", "m.json"],
        vec!["prune", "m.json", "--with", "mdl", "-o", "m.json"],
        vec!["evaluate", "t.csv", "--results", "t.csv"],
        vec!["evaluate", "t.csv", "--test-data", "m.json", "--results", "m.json"],
        vec!["compare", "builtin:iris", "t.csv", "--results", "t.csv"],
    ];
    if cfg!(unix) {
        calls.push(vec!["fit", "t.csv", "-o", "hard.csv"]);
        calls.push(vec!["fit", "soft.csv", "-o", "hard.csv"]);
        calls.push(vec!["fit", "t.csv", "-o", "soft.csv"]);
    }
    for args in calls {
        contains(&folder.refused(&args), &["would write over the file that is read as", "name another file"]);
        assert!(everything(&folder) == before, "{args:?}");
    }
    folder.run(&["predict", "m.json", "t.csv", "-o", "p.csv"]).ok();
    folder.run(&["predict", "m.json", "t.csv", "-o", "p.csv"]).ok();
}

#[cfg(unix)]
fn shell(folder: &Folder, script: &str) -> Done {
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("secateur", assert_cmd::cargo::cargo_bin!("secateur"));
    let output = command.current_dir(folder.0.path()).output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[cfg(unix)]
#[test]
fn streams_count_as_the_files_they_lead_to() {
    let folder = folder();
    let before = everything(&folder);
    for script in [
        "$secateur fit - -o t.csv < t.csv",
        "$secateur fit /dev/stdin -o t.csv < t.csv",
        "$secateur predict m.json t.csv >> t.csv",
        "$secateur predict m.json t.csv -o /dev/stdout >> t.csv",
        "$secateur show m.json >> m.json",
        "$secateur fit t.csv -o new.json > new.json; code=$?; rm new.json; exit $code",
    ] {
        let done = shell(&folder, script);
        assert_eq!(done.code, 2, "{script}: {}", done.err);
        contains(&done.err, &["name another file"]);
        assert!(everything(&folder) == before, "{script}");
    }
    for script in [
        "$secateur fit - < t.csv",
        "cat t.csv | $secateur predict m.json - -o /dev/stdout",
        "$secateur predict m.json t.csv -o /dev/null",
        "$secateur predict m.json t.csv -o /dev/null > /dev/null 2>&1",
        "$secateur predict m.json - < t.csv | cat",
        "mkfifo pipe; cat pipe > /dev/null & $secateur predict m.json t.csv -o pipe; code=$?; rm pipe; exit $code",
    ] {
        let done = shell(&folder, script);
        assert_eq!(done.code, 0, "{script}: {}", done.err);
        assert!(everything(&folder) == before, "{script}");
    }
}

#[cfg(unix)]
#[test]
fn standard_output_by_its_path_is_added_to_and_not_replaced() {
    let folder = folder();
    folder.write("log", "before\n");
    shell(&folder, "$secateur predict m.json t.csv -q -o /dev/stdout >> log").ok();
    let log = folder.read("log");
    assert!(log.starts_with("before\nrow,prediction"), "{log}");
    // In one file with the tree that is printed after it.
    shell(&folder, "$secateur fit t.csv -s cart -q -o /dev/stdout > both").ok();
    let both = folder.read("both");
    let model = both.find("\nt.csv: ").unwrap();
    let saved: Value = serde_json::from_str(both[..model].trim()).unwrap();
    assert!(saved.is_object());
}

#[test]
fn other_files_beside_results_are_left_alone() {
    let folder = folder();
    folder.write("r.jsonl.seconds", "my own notes\n");
    let said = folder.refused(&["evaluate", "t.csv", "-s", "cart", "--cv", "2", "--results", "r.jsonl"]);
    contains(&said, &["r.jsonl.seconds, line 1", "something else"]);
    assert_eq!(folder.read("r.jsonl.seconds"), "my own notes\n");
    // A half line is what a killed run leaves.
    folder.write("r.jsonl.seconds", "[0.1");
    folder.write("r.jsonl", "");
    folder.run(&["evaluate", "t.csv", "-s", "cart", "--cv", "2", "--results", "r.jsonl"]).ok();
}

/// A program that is ended while it writes leaves the old file, and nothing beside it that stays.
#[cfg(target_os = "linux")]
#[test]
fn whoever_ends_the_program_finds_the_old_file_and_nothing_piles_up() {
    let folder = folder();
    let rows: String =
        (0..200_000).map(|i| format!("{},{}\n", i % 977, if i % 3 == 0 { "a" } else { "b" })).collect();
    folder.write("big.csv", format!("x,y\n{rows}"));
    folder.write("p.csv", "old");
    let part = |name: &str| name.starts_with(".p.csv.secateur-") && name.ends_with(".part");
    let parts = || everything_named(&folder).into_iter().filter(|name| part(name)).collect::<Vec<_>>();
    let mut seen = [0, 0, 0];
    let length =
        |name: &str| std::fs::metadata(folder.path(name)).ok().map(|m| (m.modified().unwrap(), m.len()));
    for round in 0..90 {
        if seen.iter().all(|n| *n > 1) {
            break;
        }
        let begun = std::time::SystemTime::now();
        let (place, signal) = [(0, "INT"), (1, "TERM"), (2, "KILL")][round % 3];
        // In the background of a shell an interrupt would be ignored, also by the program.
        let mut child = Command::new("env")
            .arg("--default-signal")
            .arg(assert_cmd::cargo::cargo_bin!("secateur"))
            .args(["predict", "m.json", "big.csv", "-q", "-o", "p.csv"])
            .current_dir(folder.0.path())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It is hit while it writes.
        while child.try_wait().unwrap().is_none() {
            // Not one that a killed run has left.
            if parts()
                .iter()
                .any(|name| length(name).is_some_and(|(time, length)| time > begun && length > 0))
            {
                let id = child.id().to_string();
                assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
                break;
            }
            std::thread::yield_now();
        }
        let status = child.wait().unwrap();
        if status.code() == Some(0) {
            folder.write("p.csv", "old");
            continue;
        }
        assert_eq!(status.code(), None, "it ends by the signal");
        if folder.read("p.csv").lines().count() == 200_001 {
            // Hit between the last step of writing and its end: the new file is whole.
            folder.write("p.csv", "old");
            continue;
        }
        assert!(folder.read("p.csv") == "old", "{signal}");
        seen[place] += 1;
        match signal {
            "KILL" => assert!(parts().len() <= 1, "{:?}", parts()),
            _ => assert!(parts().is_empty(), "{signal}: {:?}", parts()),
        }
    }
    // On a busy machine a program that may clean up first has often written everything.
    assert!(seen[0] + seen[1] > 0 && seen[2] > 0, "{seen:?} were hit in time");
    folder.run(&["predict", "m.json", "t.csv", "-o", "p.csv"]).ok();
    assert!(parts().is_empty(), "{:?}", parts());
}

/// `nohup` lets a program live on when its terminal goes.
#[cfg(target_os = "linux")]
#[test]
fn a_hang_up_that_is_ignored_stays_so() {
    let folder = folder();
    let spawn = |before: &[&str]| {
        let program = assert_cmd::cargo::cargo_bin!("secateur").to_str().unwrap().to_owned();
        let words =
            before.iter().map(|w| w.to_string()).chain([program, "data".into(), "-".into(), "--json".into()]);
        let words: Vec<String> = words.collect();
        Command::new(&words[0])
            .args(&words[1..])
            .current_dir(folder.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    for (before, lives) in
        [(&["env", "--default-signal=HUP"][..], false), (&["env", "--ignore-signal=HUP"], true)]
    {
        let mut child = spawn(before);
        // It waits for its input; a moment later its signals are set.
        std::thread::sleep(std::time::Duration::from_millis(500));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", "HUP", &id]).status().unwrap().success());
        std::thread::sleep(std::time::Duration::from_millis(100));
        let _ = child.stdin.take().unwrap().write_all(b"x,y\n1,a\n2,b\n");
        assert_eq!(child.wait().unwrap().success(), lives, "{before:?}");
    }
}

#[cfg(target_os = "linux")]
fn everything_named(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.0.path()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Every argument that names a file to write, but those for models.
#[test]
fn a_model_is_replaced_by_models_only() {
    let folder = folder();
    let model = std::fs::read(folder.path("m.json")).unwrap();
    std::fs::write(folder.path("kept.html"), &model).unwrap();
    std::fs::write(folder.path("kept.csv"), &model).unwrap();
    // Wherever the beginning that is looked at ends, in a letter of two bytes, too.
    for before in ["", "x"] {
        let long = format!("{{\"format\": \"secateur-model\", \"scheme\": \"{before}{}", "é".repeat(300));
        std::fs::write(folder.path("long.html"), &long).unwrap();
        let told = folder.refused(&["show", "m.json", "-o", "long.html"]);
        contains(&told, &["this file is a model"]);
    }
    for args in [
        &["fit", "t.csv", "-s", "cart", "--report", "kept.html"][..],
        &["show", "m.json", "-o", "kept.html"],
        &["show", "m.json", "-f", "text", "-o", "kept.csv"],
        &["predict", "m.json", "t.csv", "-o", "kept.csv"],
        &["export", "m.json", "--format", "sql", "-o", "kept.csv"],
        &["compare", "builtin:iris", "-s", "cart", "-s", "cart/mdl", "-o", "kept.html"],
        &["data", "t.csv", "--schema", "kept.csv"],
    ] {
        let told = folder.refused(args);
        contains(&told, &["this file is a model", "name another file, or delete it first"]);
        for kept in ["kept.html", "kept.csv"] {
            assert_eq!(std::fs::read(folder.path(kept)).unwrap(), model, "{args:?}");
        }
    }
    folder.run(&["prune", "m.json", "--with", "mdl", "-o", "kept.html", "-q"]).ok();
    folder.run(&["fit", "t.csv", "-s", "cart", "-o", "kept.csv", "-q"]).ok();
}

#[test]
fn the_extension_decides_or_is_refused() {
    let folder = folder();
    let before = everything(&folder);
    for (args, known) in [
        (&["show", "m.json", "-o", "tree.jpg"][..], ".svg, .png or .html"),
        (&["show", "m.json", "-o", "tree.pdf"], ".svg, .png or .html"),
        (&["show", "m.json", "-o", "tree.json"], ".svg, .png or .html"),
        (&["fit", "t.csv", "-s", "cart", "--report", "new.json"], ".html"),
        (&["compare", "builtin:iris", "-s", "cart", "-s", "cart/mdl", "-o", "table.pdf"], ".tex or .html"),
    ] {
        contains(&folder.refused(args), &["nothing is written that ends in", known]);
        assert!(everything(&folder) == before, "{args:?}");
    }
    folder.run(&["show", "m.json", "-o", "tree.txt"]).ok();
    folder.run(&["show", "m.json", "-o", "tree"]).ok();
    folder.run(&["show", "m.json", "--format", "rules", "-o", "tree.rules"]).ok();
}
