//! Where the system gives few threads or none, work goes on with those that there are.

#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::*;

/// A user that has no other processes: threads are counted for each user, and not limited for the one that may do everything.
const NOBODY_ELSE: u32 = 64_901;

/// A folder that this user may write to, with the program in it, or `None` where the system lets nobody become another user.
fn folder() -> Option<Folder> {
    let folder = Folder::new();
    let program = assert_cmd::cargo::cargo_bin!("secateur");
    if std::fs::hard_link(program, folder.path("secateur")).is_err() {
        std::fs::copy(program, folder.path("secateur")).unwrap();
    }
    std::fs::set_permissions(folder.path(""), std::fs::Permissions::from_mode(0o777)).unwrap();
    let done = limited(&folder, 50, &["schemes", "cart"])?;
    if done.code != 0 {
        secateur_testing::skip("system", &format!("threads cannot be limited here: {}", done.err.trim()));
        return None;
    }
    Some(folder)
}

/// The program with this many threads at most, its own included.
fn limited(folder: &Folder, threads: u32, args: &[&str]) -> Option<Done> {
    let user = NOBODY_ELSE.to_string();
    let mut command = Command::new("prlimit");
    command.arg(format!("--nproc={threads}"));
    command.args(["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups", "./secateur"]);
    match command.args(args).current_dir(folder.path("")).output() {
        Ok(output) => Some(Done {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }),
        Err(error) => {
            secateur_testing::skip("system", &format!("prlimit cannot be run: {error}"));
            None
        }
    }
}

/// How lines with times begin.
const TIMES: [&str; 6] = ["time ", "\"seconds", "\"load\"", "\"grow\"", "\"prune\"", "\"fit_seconds"];

#[test]
fn every_command_works_with_few_threads() {
    let Some(folder) = folder() else { return };
    let rows: String =
        (0..200).map(|i| format!("{},{},{}\n", i % 13, i % 7, ["a", "b", "c"][i % 5 % 3])).collect();
    folder.write("t.csv", format!("x,z,y\n{rows}"));
    folder.run(&["fit", "t.csv", "-s", "cart/mdl", "-o", "m.json"]).ok();
    for threads in [1, 2, 3, 4] {
        for call in [
            "schemes cart",
            "data t.csv",
            "fit t.csv -q --json",
            "fit t.csv -q --memory 64MB -s cart:bins=255 --scratch . --json",
            "path t.csv -q --json",
            "show m.json",
            "show m.json -f png -o m.png -q",
            "predict m.json t.csv -q",
            "predict m.json t.csv -q --memory 64MB",
            "explain m.json t.csv --row 1",
            "export m.json -f c",
            "evaluate t.csv --cv 3 -q --measure accuracy,leaves",
            "compare t.csv -s cart -s c45 --cv 3 -q --measure accuracy,leaves",
            "reproduce shi-2.1 -q --json",
        ] {
            let args: Vec<&str> = call.split(' ').collect();
            let free = folder.run(&args).ok();
            let Some(done) = limited(&folder, threads, &args) else { return };
            assert_eq!(done.code, 0, "{call} with {threads} threads: {}", done.err);
            let is_time = |line: &str| TIMES.iter().any(|name| line.trim_start().starts_with(name));
            let told = |text: &str| {
                text.lines().filter(|line| !is_time(line)).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(told(&done.out), told(&free), "{call} with {threads} threads");
        }
        // The writer of workbooks makes a thread for every sheet.
        let Some(done) = limited(&folder, threads, &["export", "m.json", "-o", "m.xlsx", "-q"]) else {
            return;
        };
        if done.code != 0 {
            assert_eq!(done.code, 1, "{}", done.err);
            contains(&done.err, &["error: the workbook: cannot write it: it takes a thread for every sheet"]);
            assert_eq!(done.err.lines().count(), 1, "{}", done.err);
        }
    }
}

/// Threads need memory, too: what there is too little of is told, or is done without.
#[test]
fn too_little_memory_for_threads_is_no_panic() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:weather", "-o", "m.json"]).ok();
    folder.write("t.csv", "outlook,temperature,humidity,windy\nsunny,70,80,true\n");
    let starts = |kilobytes: &u64| memory::limited(&folder, *kilobytes, &["schemes", "cart"]).code == 0;
    let least = (8_000..).step_by(2_000).find(starts).unwrap();
    for kilobytes in (least..least + 24_000).step_by(1_500) {
        for call in ["explain m.json t.csv --row 1", "fit builtin:weather", "export m.json -o m.xlsx"] {
            let done = memory::limited(&folder, kilobytes, &call.split(' ').collect::<Vec<_>>());
            assert!(
                matches!(done.code, 0 | 1),
                "{call} in {kilobytes} kB ended with {}: {}",
                done.code,
                done.err
            );
            assert!(!done.err.contains("panicked"), "{call} in {kilobytes} kB: {}", done.err);
        }
    }
}
