//! All tests of the library from outside, one file for each subject, in one program: linking it once instead of once for each file
//! saves minutes. `cargo test -p secateur --test all ties::` runs those of one file.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]

mod bins;
mod common;
mod costs;
mod dates;
mod decimals;
mod estimates;
mod examples;
mod growing;
mod hostile_models;
mod laws;
mod leaf_values;
mod learners;
mod left_out;
mod limits;
mod memory_safety;
mod messy;
mod missing_branch;
mod missing_values;
mod one_story;
mod oracle;
mod ordered;
mod own_methods;
mod peers;
mod progress;
mod pruners;
mod published;
mod reading;
mod rooms;
mod runner;
mod scorer;
mod sets;
mod shards;
mod sources;
mod streams;
mod texts;
mod thresholds;
mod ties;
mod uci;
mod validated;
mod value_guard;
mod weka_folds;
mod weka_pruned;
mod wide_targets;

/// A file that is forgotten above would never run.
#[test]
fn every_file_of_the_folder_is_a_part_of_this_program() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let here = include_str!("all.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_file = path.extension().is_some_and(|end| end == "rs") || path.join("mod.rs").exists();
        let is_part = here.lines().any(|line| line == format!("mod {name};"));
        assert!(!is_file || is_part || name == "all", "tests/{name}: add `mod {name};` to tests/all.rs");
    }
}
