//! Every example runs. `cargo test` has built them all by the time this asks for them.

use std::path::Path;
use std::process::Command;

#[test]
fn every_example_runs_and_says_something() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    // target/PROFILE/deps/all-HASH is this test; target/PROFILE/examples holds the others.
    let program = std::env::current_exe().unwrap();
    let built = program.parent().unwrap().parent().unwrap().join("examples");
    let mut names: Vec<String> = std::fs::read_dir(here)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort_unstable();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        let example = built.join(&name).with_extension(std::env::consts::EXE_EXTENSION);
        assert!(example.exists(), "{name} is not built; `cargo build --workspace --examples` does it");
        let ran = Command::new(example).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && !ran.stdout.is_empty(), "{name}: {said}");
    }
}
