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
    "--out",
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

#[test]
fn results_of_another_experiment_and_other_files_are_left_alone() {
    let folder = Folder::new();
    let text = folder.write("notes.txt", "my notes\n");
    contains(&fails(&folder, "notes.txt", &[], 2), &["notes.txt, line 1", "something else"]);
    assert_eq!(std::fs::read_to_string(text).unwrap(), "my notes\n");
    assert!(!folder.path("notes.txt.seconds").exists());

    folder.write("d.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
    let args = ["evaluate", "d.csv", "-s", "cart", "--cv", "2", "--out", "r.jsonl"];
    folder.run(&args).ok();
    let kept = folder.read("r.jsonl");
    contains(&folder.refused(&[&args[..], &["--seed", "2"]].concat()), &["another experiment"]);
    contains(
        &folder.refused(&[&args[..], &["--task", "classification", "--ignore", "x"]].concat()),
        &["another experiment"],
    );
    folder.write("d.csv", "x,y\n1,a\n2,b\n3,a\n5,b\n");
    contains(&folder.refused(&args), &["r.jsonl, line 1", "another experiment"]);
    assert_eq!(folder.read("r.jsonl"), kept);
    folder.write("d.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
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
