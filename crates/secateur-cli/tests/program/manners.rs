//! Old names of flags, options that would change nothing, names that are not text, and nothing raw on a terminal.

use super::{Folder, contains};

/// Whatever is printed: help and version, too.
#[cfg(target_os = "linux")]
#[test]
fn output_that_finds_no_room_is_an_error() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-o", "m.json", "-q"]).ok();
    for call in [
        "--help",
        "-h",
        "fit --help",
        "help",
        "--version",
        "fit -V",
        "schemes",
        "show m.json",
        "show m.json -f svg",
        "man fit",
    ] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("secateur"));
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output =
            command.args(call.split(' ')).current_dir(folder.path("")).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{call}: {said}");
        assert!(said.starts_with("error: cannot write to standard output: No space left"), "{call}: {said}");
    }
}

#[test]
fn old_names_of_flags_still_work_and_say_so() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-q"]).ok();
    let small = ["evaluate", "builtin:iris", "-s", "cart", "--cv", "2"];
    let (new, old) = (
        folder.run(&[&small[..], &["--results", "a.jsonl"]].concat()),
        folder.run(&[&small[..], &["--out", "b.jsonl"]].concat()),
    );
    assert_eq!((new.code, old.code), (0, 0));
    assert_eq!(folder.read("a.jsonl"), folder.read("b.jsonl"));
    contains(&old.err, &["--out is called --results now; the old name still works"]);
    assert!(!new.err.contains("is called"), "{}", new.err);

    folder.write("t.csv", "x,y\n1,a\n2,b\n3,a\n");
    for (flag, told) in [("--test-data", false), ("--test", true)] {
        let done = folder.run(&["evaluate", "t.csv", "-s", "cart", flag, "t.csv"]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(done.err.contains("--test FILE is called --test-data now"), told, "{}", done.err);
    }
}

#[test]
fn options_that_would_change_nothing_are_refused() {
    let folder = Folder::new();
    for (scheme, option) in [
        ("cart/breadth-first:splits=3,rule=average", "rule"),
        ("best-first/post:splits=3,fold-average=active", "fold-average"),
        ("best-first/post:splits=3,error=rmse", "error"),
        ("cart/breadth-first:holdout=0.3,rule=average", "rule"),
        ("best-first/post:holdout=0.3,fold-average=active", "fold-average"),
    ] {
        let told = folder.refused(&["fit", "builtin:iris", "-s", scheme]);
        contains(&told, &[&format!("{option} changes nothing")]);
    }
}

#[test]
fn what_a_call_holds_cannot_disturb_a_terminal() {
    let folder = Folder::new();
    for args in [
        &["fit", "--no\u{1b}]0;x\u{7}such"][..],
        &["fi\u{1b}[2Jt"],
        &["fit", "builtin:iris", "--seed", "\u{1b}[2J"],
        &["fit", "nofile\u{1b}[2J.csv"],
    ] {
        let done = folder.run(args);
        assert_eq!(done.code, 2, "{args:?}: {}", done.err);
        assert!(!done.err.contains(['\u{1b}', '\u{7}']), "{args:?}: {:?}", done.err);
    }
}

#[cfg(unix)]
#[test]
fn file_names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = |end: &str| [b"d\xff\xe9", end.as_bytes()].concat();
    let path = |end: &str| folder.0.path().join(OsStr::from_bytes(&name(end)));
    if std::fs::write(path(".csv"), "x,y\n1,a\n2,b\n3,a\n4,b\n").is_err() {
        return; // a file system that has no such names
    }
    std::fs::write(path("c.csv"), "actual,predicted,cost\na,b,2\n").unwrap();
    std::fs::write(path("f.csv"), "row,fold\n1,0\n2,0\n3,1\n4,1\n").unwrap();
    let run = |args: &[&[u8]]| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("secateur");
        command.current_dir(folder.0.path()).args(args.iter().map(|arg| OsStr::from_bytes(arg)));
        let output = command.output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(0), "{err}");
        out
    };
    let (data, model, costs, folds) = (name(".csv"), name(".json"), name("c.csv"), name("f.csv"));
    assert!(run(&[b"data", &data]).contains("4 rows"));
    let fitted = run(&[
        b"fit",
        &data,
        b"--costs",
        &costs,
        b"--folds",
        &folds,
        b"-s",
        b"cart/cost-complexity:cv=2",
        b"-o",
        &model,
    ]);
    assert!(fitted.contains("4 rows") && path(".json").exists(), "{fitted}");
    assert!(run(&[b"predict", &model, &data]).starts_with("row,"));
    assert!(run(&[b"evaluate", &data, b"--cv", b"2", b"-s", b"cart"]).contains("4 rows"));
    // What is read is not written over, whatever its name.
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("secateur");
    let args: [&[u8]; 4] = [b"fit", &data, b"-o", &data];
    let output = command.current_dir(folder.0.path()).args(args.map(OsStr::from_bytes)).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn tables_are_aligned_in_ascii_too() {
    let folder = Folder::new();
    let printed = folder.run(&["path", "builtin:iris", "--ascii"]).ok();
    let ends: Vec<usize> = printed
        .lines()
        .filter(|line| !line.starts_with("baseline") && (line.contains('%') || line.contains("alpha")))
        .map(|line| {
            let mark = line.len() - line.trim_start_matches(['-', '>', '*', ' ']).len();
            mark + line[mark..].find(' ').unwrap()
        })
        .collect();
    assert!(ends.len() > 3 && ends.iter().all(|end| *end == ends[0]), "{printed}");
    assert!(printed.is_ascii(), "{printed}");
}
