//! Outputs that find no room in a file system of four megabytes: an error that names the file, the file that was there, and nothing else.

#![cfg(target_os = "linux")]

use std::process::Command;

use super::*;

/// Runs the program beside a nearly full file system, the folder `small`, that nobody else sees; also gives the names in it afterwards.
/// `None` where none can be mounted.
fn beside_a_full_disk(folder: &Folder, args: &[&str]) -> Option<(Done, Vec<String>)> {
    let script = "mount -t tmpfs -o size=4m tmpfs small 2> /dev/null || exit 99
        head -c 4100000 /dev/zero > small/fill; echo old > small/old
        \"$0\" \"$@\"; code=$?; [ \"$(cat small/old)\" = old ] || exit 98; ls -A small > listed; exit $code";
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script]).arg(assert_cmd::cargo::cargo_bin!("secateur")).args(args);
    let done = match command.current_dir(folder.path("")).output() {
        Ok(output) => Done {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        },
        Err(error) => Done { code: 99, out: String::new(), err: error.to_string() },
    };
    if done.code == 99 || done.err.contains("unshare") {
        secateur_testing::skip("mounts", "a file system of its own cannot be mounted here");
        return None;
    }
    assert_ne!(done.code, 98, "{args:?}: the old file is gone: {}", done.err);
    let listed = folder.read("listed").lines().map(str::to_owned).collect();
    Some((done, listed))
}

#[test]
fn no_output_is_left_half_and_every_error_names_its_file() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("small")).unwrap();
    let data = "builtin:waveform-21?n=4000";
    folder.run(&["fit", data, "-s", "cart", "-o", "m.json", "-q"]).ok();
    for (args, file) in [
        (&["fit", data, "-s", "cart", "-o", "small/m.json", "-q"][..], "small/m.json"),
        (&["fit", data, "-s", "cart", "-o", "small/old", "-q"], "small/old"),
        (&["fit", data, "-s", "cart", "--report", "small/r.html", "-q"], "small/r.html"),
        (&["predict", "m.json", data, "--keep", "all", "-o", "small/p.csv", "-q"], "small/p.csv"),
        (&["show", "m.json", "-o", "small/t.html"], "small/t.html"),
        (&["show", "m.json", "-o", "small/t.svg", "--all"], "small/t.svg"),
        (&["export", "m.json", "-o", "small/t.pmml"], "small/t.pmml"),
    ] {
        let Some((done, listed)) = beside_a_full_disk(&folder, args) else { return };
        assert_eq!(done.code, 1, "{args:?}: {}", done.err);
        contains(&done.err, &[&format!("error: {file}: cannot write it: No space left")]);
        assert!(!done.err.contains("hint"), "{args:?}: {}", done.err);
        assert_eq!(listed, ["fill", "old"], "{args:?}");
    }
}
