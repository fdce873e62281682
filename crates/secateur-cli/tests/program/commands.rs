//! What holds for all commands: help, exit codes, pipes, completions, the list of schemes.

use std::io::Read;
use std::process::{Command, Stdio};

use super::*;

const COMMANDS: [&str; 8] =
    ["data", "fit", "predict", "show", "evaluate", "compare", "schemes", "completions"];

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).ok();
    for command in COMMANDS {
        contains(&help, &[&format!("\n  {command} ")]);
        let help = folder.run(&[command, "--help"]).ok();
        contains(&help, &["Examples:", &format!("secateur {command}"), "--json", "--quiet"]);
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
}

#[test]
fn a_wrong_call_is_code_2_with_a_tip() {
    let folder = Folder::new();
    for args in
        [&["fti"][..], &[], &["fit"], &["fit", "builtin:iris", "--sceme", "cart"], &["predict", "m.json"]]
    {
        let done = folder.run(args);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
    }
    contains(&folder.refused(&["predic"]), &["'predict'"]);
    contains(&folder.refused(&["fit", "builtin:iris", "--targt", "x"]), &["--target"]);
    contains(
        &folder.refused(&["fit", "builtin:iris", "--task", "clustering"]),
        &["classification, regression"],
    );
    for threads in ["0", "-1", "1.5", "99999999", "many"] {
        contains(&folder.refused(&["fit", "builtin:iris", "--threads", threads]), &["--threads"]);
    }
    contains(&folder.refused(&["fit", "builtin:iris", "--seed", "-1"]), &["--seed"]);
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    for args in [
        &["data", "--list"][..],
        &["schemes"],
        &["completions", "bash"],
        &["fit", "builtin:chain?n=2000"],
        &["data", "builtin:iris", "--json"],
        &["--help"],
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("secateur"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_code_1() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(assert_cmd::cargo::cargo_bin!("secateur"))
        .arg("schemes")
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    contains(&String::from_utf8(output.stderr).unwrap(), &["error: cannot write to standard output"]);
}

#[test]
fn completions_are_there_for_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        contains(&folder.run(&["completions", shell]).ok(), &["secateur", "drop-missing-target"]);
    }
    contains(&folder.refused(&["completions", "tcsh"]), &["bash"]);
    let told = folder.json(&["completions", "fish"]);
    assert_eq!(keys(&told), ["script", "shell"]);
}

#[test]
fn schemes_lists_every_learner_with_options_and_paper() {
    let folder = Folder::new();
    let overview = folder.run(&["schemes"]).ok();
    contains(&overview, &["mdl classes - keeps", "early-stop numbers mse", "cost-complexity both alpha"]);
    assert!(overview.lines().all(|line| line.chars().count() <= 80), "{overview}");
    let text = folder.run(&["schemes", "--all"]).ok();
    contains(
        &text,
        &["learner cart", "learner best-first", "learner c45", "learner id3", "Quinlan", "min-leaf"],
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let one = folder.run(&["schemes", "best-first"]).ok();
    contains(&one, &["learner best-first", "Shi", "which node is split next"]);
    assert!(!one.contains("learner cart"));
    assert!(one.lines().all(|line| line.chars().count() <= 80), "{one}");
    contains(&folder.refused(&["schemes", "crat"]), &["unknown method 'crat' (did you mean 'cart'?)"]);
}

#[test]
fn schemes_as_json_says_everything_a_program_needs() {
    let told = Folder::new().json(&["schemes"]);
    let pruners: Vec<&str> =
        told["pruners"].as_array().unwrap().iter().map(|p| p["id"].as_str().unwrap()).collect();
    for id in [
        "cost-complexity",
        "k-norm",
        "error-based",
        "size-pessimistic",
        "mdl",
        "reduced-error",
        "post",
        "pre",
    ] {
        assert!(pruners.contains(&id), "{id}");
    }
    let learners = told["learners"].as_array().unwrap();
    assert_eq!(
        learners.iter().map(|l| l["id"].as_str().unwrap()).collect::<Vec<_>>(),
        ["cart", "best-first", "c45", "id3"]
    );
    for learner in learners {
        assert_eq!(
            keys(learner),
            ["exceptions", "id", "needs", "one_line", "options", "paper", "path", "tasks"]
        );
    }
    let criterion = &learners[2]["options"][0];
    assert_eq!(criterion["name"], "criterion");
    assert_eq!(
        (&criterion["default"], &criterion["default_regression"]),
        (&"gain-ratio".into(), &"mse".into())
    );
    assert_eq!(criterion["choices"].as_array().unwrap().len(), 5);
}
