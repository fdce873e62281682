//! The program from the outside: every command, its JSON, its exit codes, and what it says to bad input.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]
#![allow(clippy::disallowed_methods, reason = "tests make their files")]

mod bad_data;
mod bad_model;
mod bad_scheme;
mod bare_root;
mod commands;
mod compare;
mod data;
mod estimates;
mod evaluate;
mod evaluate_memory;
mod explain;
mod export;
mod few_threads;
mod fit;
mod full_disk;
mod growth;
mod guides;
mod hostile_results;
mod import;
mod json_keys;
mod leaf_values;
mod limits;
mod manners;
mod memory;
mod on_a_terminal;
mod one_model;
mod overwriting;
mod portions;
mod predict;
mod pruning;
mod reliability;
mod reproduce;
mod resuming;
mod sets;
mod show;
mod stream_faults;
mod suite;
mod tables;
#[path = "../../../secateur/tests/reading/writing.rs"]
mod writing;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// A folder for the files of one test.
struct Folder(tempfile::TempDir);

/// What the program did.
struct Done {
    code: i32,
    out: String,
    err: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs the program in the folder.
    fn run(&self, args: &[&str]) -> Done {
        run_in(self.0.path(), args, b"")
    }

    /// Runs the program, which must succeed and print JSON.
    fn json(&self, args: &[&str]) -> Value {
        let done = self.run(&[args, &["--json"]].concat());
        assert_eq!(done.code, 0, "{args:?}: {}", done.err);
        serde_json::from_str(&done.out).unwrap()
    }

    /// Runs the program, which must refuse the call or the input; gives what it says.
    fn refused(&self, args: &[&str]) -> String {
        self.run(args).refused(args)
    }
}

impl Done {
    /// Standard output of a success.
    fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out
    }

    /// Standard error of a refusal.
    fn refused(self, args: &[&str]) -> String {
        assert_eq!(self.code, 2, "{args:?} printed {:?} and said {:?}", self.out, self.err);
        assert_eq!(self.out, "", "{args:?}");
        assert!(self.err.starts_with("error: "), "{args:?}: {}", self.err);
        assert!(!self.err.contains("panicked"), "{args:?}: {}", self.err);
        self.err
    }
}

fn run_in(folder: &Path, args: &[&str], input: &[u8]) -> Done {
    let mut command: Command = assert_cmd::cargo::cargo_bin_cmd!("secateur");
    command.env_remove("SECATEUR_DATA");
    let output = command.current_dir(folder).args(args).write_stdin(input).output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The keys of an object, in order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Asserts that a text contains all of several parts, wherever its lines are broken.
fn contains(text: &str, parts: &[&str]) {
    let in_a_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(text.contains(part) || in_a_line.contains(part), "{part:?} is not in {text:?}");
    }
}
