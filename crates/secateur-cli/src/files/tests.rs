//! Laws over all commands and arguments of the program, read off its own description.

#![allow(clippy::disallowed_methods, reason = "tests make their files")]

use std::collections::BTreeSet;

use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory};
use secateur::fit::EstimateBy;

use super::check::title;
use super::identity::Identity;
use super::*;
use crate::Cli;
use crate::failure::Failure;
use crate::leaf_values::NamedLeafValues;

/// Arguments of words, which name no file. A new argument belongs here or has a type of this room.
const WORDS: &[&str] = &[
    "base",
    "command",
    "datasets",
    "dialect",
    "encoding",
    "estimate",
    "form",
    "format",
    "ignore",
    "keep",
    "leaf_values",
    "max_depth",
    "max_leaves",
    "measure",
    "memory",
    "method",
    "min_leaf",
    "missing",
    "nominal",
    "numeric",
    "options",
    "priors",
    "row",
    "scheme",
    "schemes",
    "target",
    "test",
    "threshold",
    "weights",
    "window",
    "with",
    "sep",
    "tables",
];

/// The types of arguments that name files.
fn names_files(arg: &Arg) -> bool {
    of::<InFile>(arg)
        || of::<InModel>(arg)
        || of::<InNamedFile>(arg)
        || of::<InFolder>(arg)
        || of::<InExperiment>(arg)
        || of::<InSuite>(arg)
        || writes_files(arg)
}

/// The types of arguments that name files to be written.
fn writes_files(arg: &Arg) -> bool {
    of::<OutFile>(arg)
        || of::<OutModel>(arg)
        || of::<OutFolder>(arg)
        || of::<OutPage>(arg)
        || of::<ResultFile>(arg)
}

/// A call of a command with some arguments given, and others where it must have them.
fn call(command: &Command, given: &[(&Arg, &str)]) -> Vec<String> {
    let mut asked: BTreeSet<String> = BTreeSet::new();
    loop {
        let mut call = vec!["secateur".to_string(), command.get_name().to_string()];
        for arg in command.get_arguments() {
            let given = given.iter().find(|(other, _)| other.get_id() == arg.get_id());
            // Flags may ask for the data, so data are always given.
            let needed = arg.is_required_set() || arg.get_id() == "data" || asked.contains(&title(arg));
            let value = match given {
                Some((_, value)) => value,
                None if !needed => continue,
                None if writes_files(arg) => "another.csv",
                None if names_files(arg) => "other.csv",
                None => "word",
            };
            call.extend(arg.get_long().map(|long| format!("--{long}")));
            call.push(value.into());
        }
        // Arguments that others ask for are asked for by name.
        let Err(error) = Cli::command().try_get_matches_from(&call) else { return call };
        let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
            panic!("{error}")
        };
        let title =
            |name: &String| name.split(' ').next().unwrap_or(name).trim_matches(['<', '>']).to_string();
        assert!(missing.iter().any(|name| asked.insert(title(name))), "{call:?}: {error}");
    }
}

/// What the check says of a call.
fn said(args: &[String]) -> String {
    let call = Cli::command().try_get_matches_from(args).unwrap_or_else(|e| panic!("{args:?}: {e}"));
    match check(&Cli::command(), &call) {
        Ok(()) => String::new(),
        Err(Failure::Library(error, _)) if error.is_callers() => error.to_string(),
        Err(other) => panic!("{args:?}: {other:?}"),
    }
}

#[test]
fn every_argument_says_whether_it_names_a_file() {
    for command in Cli::command().get_subcommands() {
        for arg in command.get_arguments() {
            let number =
                of::<u16>(arg) || of::<u32>(arg) || of::<u64>(arg) || of::<usize>(arg) || of::<f64>(arg);
            let word = (of::<String>(arg) || of::<NamedLeafValues>(arg) || of::<EstimateBy>(arg))
                && WORDS.contains(&arg.get_id().as_str());
            let choice = !arg.get_possible_values().is_empty();
            assert!(
                of::<bool>(arg) || number || word || choice || names_files(arg) || of::<ScratchFolder>(arg),
                "{} {}: give it a type of this room if it names a file, else a place in WORDS",
                command.get_name(),
                title(arg)
            );
        }
    }
}

#[test]
fn no_output_of_any_command_may_be_one_of_its_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("file"), "x,y\n1,2\n").unwrap();
    std::fs::hard_link(path("file"), path("hard")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("file", path("soft")).unwrap();
    std::fs::write(path("INDEX.csv"), "name,file\niris,file\n").unwrap();
    std::fs::write(path("mine.toml"), "").unwrap();
    let dots =
        format!("{}/../{}/file", folder.path().display(), folder.path().file_name().unwrap().display());
    let mut pairs = BTreeSet::new();
    for command in Cli::command().get_subcommands() {
        let args: Vec<&Arg> = command.get_arguments().filter(|arg| names_files(arg)).collect();
        for output in args.iter().filter(|arg| writes_files(arg)) {
            for input in args.iter().filter(|arg| !writes_files(arg)) {
                pairs.insert(format!("{} {} {}", command.get_name(), title(input), title(output)));
                let here = folder.path().display().to_string();
                let read = if of::<InFolder>(input) {
                    here.clone()
                } else if of::<InNamedFile>(input) {
                    format!("iris={}", path("file"))
                } else if of::<InExperiment>(input) || of::<InSuite>(input) {
                    path("mine.toml")
                } else {
                    path("file")
                };
                let same = match of::<InExperiment>(input) || of::<InSuite>(input) {
                    _ if of::<OutFolder>(output) => vec![here],
                    true => vec![path("mine.toml")],
                    false if cfg!(unix) => vec![path("file"), path("hard"), path("soft"), dots.clone()],
                    false => vec![path("file"), dots.clone()],
                };
                for written in &same {
                    let args = call(command, &[(input, &read), (output, written)]);
                    let said = said(&args);
                    assert!(
                        said.contains("would write over ") && said.contains("read as"),
                        "{args:?}: {said:?}"
                    );
                    assert!(
                        said.contains(&title(input)) && said.contains(&title(output)),
                        "{args:?}: {said:?}"
                    );
                }
                let args = call(command, &[(input, &read), (output, &path("new"))]);
                assert_eq!(said(&args), "", "{args:?}");
            }
        }
    }
    for pair in [
        "fit DATA --output",
        "fit --costs --output",
        "predict MODEL --output",
        "reproduce --data --results",
        "reproduce --file --reports",
    ] {
        assert!(pairs.contains(pair), "{pair} is not in {pairs:?}");
    }
}

#[test]
fn the_times_beside_results_are_an_output_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("r.seconds"), "").unwrap();
    let data = path("r.seconds");
    let args = ["secateur", "evaluate", &data, "--out", &path("r")].map(String::from);
    let said = said(&args);
    assert!(said.contains("r.seconds: --out would write over"), "{said}");
}

#[test]
fn places_where_nothing_can_be_are_refused_for_every_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for command in Cli::command().get_subcommands() {
        for output in command.get_arguments().filter(|arg| writes_files(arg) && !of::<OutFolder>(arg)) {
            let here = folder.path().display().to_string();
            assert!(
                said(&call(command, &[(output, &here)])).contains("this is a folder"),
                "{}",
                title(output)
            );
            assert!(
                said(&call(command, &[(output, &path("no/file"))])).contains("no such folder"),
                "{output}"
            );
        }
    }
}

#[test]
fn files_to_be_are_known_by_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new");
    let id = |path: &Path| Identity::of(path);
    assert!(id(&new).is_some());
    assert_eq!(id(&new), id(&folder.path().join(".").join("new")));
    assert_ne!(id(&new), id(&folder.path().join("other")));
    assert_eq!(id(Path::new("/no/such/folder/file")), None);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("new", folder.path().join("link")).unwrap();
        assert_eq!(id(&new), id(&folder.path().join("link")));
        assert_eq!(id(Path::new("/dev/null")), None);
    }
}
