//! Result files: the same bytes on any number of threads and after any interruption, and clear words when they are damaged.

use std::process::{Command, Stdio};
use std::time::Instant;

use super::*;

const ARGS: [&str; 14] = [
    "compare",
    "builtin:credit?n=250",
    "builtin:iris",
    "-s",
    "cart/k-norm:cv=10,1se",
    "-s",
    "best-first/post",
    "-s",
    "c45/error-based",
    "--repeats",
    "5",
    "--json",
    "--quiet",
    "--results",
];

fn command(folder: &Folder, out: &str, more: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("secateur"));
    command.current_dir(folder.0.path()).args(ARGS).arg(out).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn whole(folder: &Folder, out: &str, more: &[&str]) -> Vec<u8> {
    let done = command(folder, out, more).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::read(folder.path(out)).unwrap()
}

/// A run that must fail with a code; gives what it says.
fn fails(folder: &Folder, out: &str, more: &[&str], code: i32) -> String {
    let done = command(folder, out, more).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(code), "{said}");
    assert!(said.starts_with("error: ") && !said.contains("panicked"), "{said}");
    said
}

#[test]
fn the_file_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let one = whole(&folder, "1.jsonl", &["--threads", "1"]);
    assert_eq!(String::from_utf8(one.clone()).unwrap().lines().count(), 1 + 2 * 50 * 3);
    for threads in ["2", "4"] {
        assert!(
            whole(&folder, &format!("{threads}.jsonl"), &["--threads", threads]) == one,
            "{threads} threads"
        );
    }
}

#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let folder = Folder::new();
    let begun = Instant::now();
    let wanted = whole(&folder, "whole.jsonl", &[]);
    let all = begun.elapsed();
    let mut hit = 0;
    // A fixed generator of moments, between nothing and a fifth of the whole run.
    let mut state = 0x9E37_79B9_u32;
    for round in 0..10 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut child = command(&folder, "r.jsonl", &[]).spawn().unwrap();
        std::thread::sleep(all.mul_f64(f64::from(state >> 8) / f64::from(1u32 << 24) / 5.0));
        hit += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let so_far = std::fs::read(folder.path("r.jsonl")).unwrap_or_default();
        assert!(wanted.starts_with(&so_far), "round {round}");
    }
    assert!(hit >= 5, "only {hit} runs of {all:?} were killed in time");
    assert!(whole(&folder, "r.jsonl", &[]) == wanted);
    // Times of every record are there too, though not the same.
    let times = folder.read("r.jsonl.seconds").lines().count();
    assert_eq!(times, wanted.split(|b| *b == b'\n').count() - 2);
    // What is there is not computed again: the file does not change, and the table is the same.
    let begun = Instant::now();
    whole(&folder, "r.jsonl", &[]);
    assert!(begun.elapsed() < all, "{:?} {all:?}", begun.elapsed());
}

#[test]
fn a_file_cut_anywhere_is_completed_and_a_damaged_one_is_refused() {
    let folder = Folder::new();
    let wanted = whole(&folder, "r.jsonl", &[]);
    for part in [0, 1, 7, 40, 77, 99] {
        folder.write("r.jsonl", &wanted[..wanted.len() * part / 100]);
        assert!(whole(&folder, "r.jsonl", &[]) == wanted, "cut at {part} %");
    }
    let text = String::from_utf8(wanted).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let with = |changed: &[(usize, &str)]| {
        let mut lines = lines.clone();
        changed.iter().for_each(|(line, text)| lines[*line] = text);
        lines.join("\n") + "\n"
    };
    folder.write("r.jsonl", with(&[(11, "{\"dataset\":")]));
    contains(&fails(&folder, "r.jsonl", &[], 2), &["r.jsonl, line 12", "not a record"]);
    folder.write("r.jsonl", with(&[(11, lines[13]), (13, lines[11])]));
    let said = fails(&folder, "r.jsonl", &[], 2);
    contains(&said, &["r.jsonl, line 12", "not the one that comes next"]);
    folder.write("r.jsonl", text.clone() + lines[1] + "\n" + lines[2] + "\n" + lines[3] + "\n");
    contains(&fails(&folder, "r.jsonl", &[], 2), &["line 302"]);
}

/// Every digit of a record counts, and so does every digit of the first line.
#[test]
fn an_edited_number_is_refused() {
    let folder = Folder::new();
    let text = String::from_utf8(whole(&folder, "r.jsonl", &[])).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for (line, from, to) in [(11, "\"accuracy\":0.", "\"accuracy\":0.9"), (0, "\"seed\":1", "\"seed\":2")] {
        let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        assert!(changed[line].contains(from), "{}", changed[line]);
        changed[line] = changed[line].replacen(from, to, 1);
        let changed = changed.join("\n") + "\n";
        folder.write("r.jsonl", &changed);
        let place = format!("r.jsonl, line {}", line + 1);
        contains(&fails(&folder, "r.jsonl", &[], 2), &[&place, "was changed: its checksum does not fit"]);
        assert_eq!(folder.read("r.jsonl"), changed);
    }
    // Edited or lost times are unknown; the others stay with their records.
    folder.write("r.jsonl", &text);
    let times = folder.read("r.jsonl.seconds");
    let mut lines: Vec<String> = times.lines().map(String::from).collect();
    lines[2] = lines[2].replacen("[0.", "[9.", 1);
    lines.truncate(100);
    folder.write("r.jsonl.seconds", lines.join("\n") + "\n");
    whole(&folder, "r.jsonl", &[]);
    let now = folder.read("r.jsonl.seconds");
    assert_eq!(now.lines().count(), 300);
    for (i, (now, old)) in now.lines().zip(times.lines()).enumerate() {
        if i == 2 || i >= 100 {
            assert!(now.starts_with("[null,null,"), "{i}: {now}");
        } else {
            assert_eq!(now, old);
        }
    }
}

/// A file of two schemes becomes one of three, or of four in another order: what is there is kept, the table is that of a run of all.
#[test]
fn a_file_is_extended_by_other_schemes() {
    let folder = Folder::new();
    let call = |schemes: &[&str], out: &str| {
        let mut args =
            vec!["compare", "builtin:credit?n=250", "builtin:iris", "--repeats", "3", "--results", out];
        schemes.iter().for_each(|scheme| args.extend(["-s", scheme]));
        let mut told = folder.json(&args);
        let object = told.as_object_mut().unwrap();
        for key in ["seconds", "results_file"] {
            object.remove(key);
        }
        told
    };
    let (a, b, c, d) =
        ("cart/k-norm:cv=5,1se", "best-first/pre:cv=5", "best-first/post:cv=5", "c45/error-based");
    call(&[a, b], "r.jsonl");
    let before = folder.read("r.jsonl");
    let times = folder.read("r.jsonl.seconds");
    let scratch = call(&[a, b, c], "all.jsonl");
    assert_eq!(call(&[a, b, c], "r.jsonl"), scratch);
    // Appended: one line that says whose results follow, and the new records only.
    let after = folder.read("r.jsonl");
    assert!(after.starts_with(&before) && folder.read("r.jsonl.seconds").starts_with(&times));
    assert_eq!(after.lines().count() - before.lines().count(), 1 + 2 * 30);
    let records = |text: &str| {
        let mut lines: Vec<String> =
            text.lines().filter(|line| line.contains("\"dataset\"")).map(String::from).collect();
        lines.sort();
        lines
    };
    assert_eq!(records(&after), records(&folder.read("all.jsonl")));
    // Again, with another order of the schemes and one more.
    let scratch = call(&[d, c, b, a], "order.jsonl");
    assert_eq!(call(&[d, c, b, a], "r.jsonl"), scratch);
    assert_eq!(records(&folder.read("r.jsonl")), records(&folder.read("order.jsonl")));
    let wanted = folder.read("r.jsonl");

    // Cut anywhere, it is completed: the section that is open first, then what is missing.
    for part in [3, 20, 49, 52, 70, 80, 99] {
        folder.write("r.jsonl", &wanted[..wanted.len() * part / 100]);
        assert_eq!(call(&[d, c, b, a], "r.jsonl"), scratch, "cut at {part} %");
        assert_eq!(records(&folder.read("r.jsonl")), records(&wanted), "cut at {part} %");
    }
    // Fewer schemes than the file has are refused, and so is a section that does not belong there.
    folder.write("r.jsonl", &wanted);
    let said = folder.refused(&[
        "compare",
        "builtin:credit?n=250",
        "builtin:iris",
        "--repeats",
        "3",
        "-s",
        a,
        "--results",
        "r.jsonl",
    ]);
    contains(&said, &["r.jsonl, line 1", "has results of the scheme 'best-first/pre:cv=5' too"]);
    let lines: Vec<&str> = wanted.lines().collect();
    let section = lines.iter().rposition(|line| line.contains("\"secateur\"")).unwrap();
    folder.write("r.jsonl", [&lines[..section - 1], &lines[section..]].concat().join("\n") + "\n");
    let args = [
        "compare",
        "builtin:credit?n=250",
        "builtin:iris",
        "--repeats",
        "3",
        "--results",
        "r.jsonl",
        "-s",
        a,
        "-s",
        b,
        "-s",
        c,
        "-s",
        d,
    ];
    contains(&folder.refused(&args), &[&format!("line {section}"), "before this line are not complete"]);
}

#[test]
fn an_extension_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let folder = Folder::new();
    let first = ["compare", "builtin:iris", "--repeats", "5", "--json", "-q", "-s", "cart/mdl", "--results"];
    folder.run(&[&first[..], &["whole.jsonl"]].concat()).ok();
    std::fs::copy(folder.path("whole.jsonl"), folder.path("r.jsonl")).unwrap();
    std::fs::copy(folder.path("whole.jsonl.seconds"), folder.path("r.jsonl.seconds")).unwrap();
    let more = ["-s", "best-first/post", "-s", "cart/k-norm:cv=10"];
    let begun = Instant::now();
    folder.run(&[&first[..], &["whole.jsonl"], &more].concat()).ok();
    let (all, wanted) = (begun.elapsed(), folder.read("whole.jsonl"));
    for round in 1..=6u32 {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("secateur"));
        command.current_dir(folder.0.path()).args(first).arg("r.jsonl").args(more);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(all.mul_f64(f64::from(round) / 12.0));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(wanted.starts_with(&folder.read("r.jsonl")), "round {round}");
    }
    folder.run(&[&first[..], &["r.jsonl"], &more].concat()).ok();
    assert_eq!(folder.read("r.jsonl"), wanted);
    assert_eq!(folder.read("r.jsonl.seconds").lines().count(), 50 + 2 * 50);
}

#[test]
fn results_of_another_experiment_and_other_files_are_left_alone() {
    let folder = Folder::new();
    let text = folder.write("notes.txt", "my notes\n");
    contains(&fails(&folder, "notes.txt", &[], 2), &["notes.txt, line 1", "something else"]);
    assert_eq!(std::fs::read_to_string(text).unwrap(), "my notes\n");
    assert!(!folder.path("notes.txt.seconds").exists());

    folder.write("d.csv", "x,z,y\n1,1,a\n2,1,b\n3,2,a\n4,2,b\n");
    let args = ["evaluate", "d.csv", "-s", "cart", "--cv", "2", "--results", "r.jsonl"];
    folder.run(&args).ok();
    let kept = folder.read("r.jsonl");
    contains(
        &folder.refused(&[&args[..], &["--seed", "2"]].concat()),
        &["another experiment: seed is 1 in the file and 2 here; name another file"],
    );
    contains(
        &folder.refused(&[&args[..], &["--task", "classification", "--ignore", "x"]].concat()),
        &["another experiment: 'd' has other rows, columns, weights or costs here"],
    );
    let said = folder.refused(&["evaluate", "d.csv", "-s", "c45", "--cv", "3", "--results", "r.jsonl"]);
    contains(&said, &["folds of protocol is 2 in the file and 3 here", "results of the scheme 'cart' too"]);
    let said = folder.refused(&[
        "evaluate",
        "d.csv",
        "builtin:iris",
        "-s",
        "cart",
        "--cv",
        "2",
        "--results",
        "r.jsonl",
    ]);
    contains(&said, &["the data sets are 'd' in the file and 'd', 'iris' here"]);
    let said = folder.refused(&["evaluate", "d.csv", "-s", "cart", "--random", "2", "--results", "r.jsonl"]);
    contains(&said, &["name of protocol is 'cv' in the file and 'random' here"]);
    // A file of before checksums.
    let first = kept.lines().next().unwrap();
    let (old, _) = first.split_once(",\"check\"").unwrap();
    folder.write("old.jsonl", format!("{}}}\n", old.replace("\"version\":2", "\"version\":1")));
    contains(
        &folder.refused(&[&args[..7], &["old.jsonl"]].concat()),
        &["old.jsonl, line 1", "older version"],
    );
    folder.write("d.csv", "x,z,y\n1,1,a\n2,1,b\n3,2,a\n5,2,b\n");
    contains(&folder.refused(&args), &["r.jsonl, line 1", "another experiment: 'd' has other rows"]);
    assert_eq!(folder.read("r.jsonl"), kept);
    folder.write("d.csv", "x,z,y\n1,1,a\n2,1,b\n3,2,a\n4,2,b\n");
    folder.run(&args).ok();
}

#[test]
fn places_that_cannot_be_written_are_told() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("dir")).unwrap();
    contains(&fails(&folder, "dir", &[], 2), &["dir: this is a folder"]);
    contains(&fails(&folder, "none/r.jsonl", &[], 2), &["no such folder"]);
    #[cfg(target_os = "linux")]
    {
        contains(&fails(&folder, "/dev/full", &[], 2), &["/dev/full", "plain file"]);
        contains(&fails(&folder, "/proc/r.jsonl", &[], 1), &["/proc/r.jsonl: cannot write it"]);
    }
}

#[test]
fn two_runs_do_not_write_one_file() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("r.jsonl")).unwrap();
    file.lock().unwrap();
    contains(&fails(&folder, "r.jsonl", &[], 2), &["r.jsonl is being written by another run"]);
    file.unlock().unwrap();
    whole(&folder, "r.jsonl", &[]);
}

/// A limit on the size of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_is_told_and_the_run_goes_on_later() {
    let folder = Folder::new();
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]);
    limited.arg(assert_cmd::cargo::cargo_bin!("secateur")).args(ARGS).arg("r.jsonl");
    let done = limited.current_dir(folder.0.path()).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{said}");
    contains(&said, &["error: r.jsonl", "cannot write it"]);
    let wanted = whole(&folder, "whole.jsonl", &[]);
    assert!(whole(&folder, "r.jsonl", &[]) == wanted);
}
