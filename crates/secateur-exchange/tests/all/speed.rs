//! Generated C and Rust are at least as fast as a call of the library for one row.
//!
//!     cargo test --release -p secateur-exchange --test all -- --ignored --nocapture as_fast_as
//!
//! Rows lie in an order that no processor guesses, in memory already; every program takes the best of several rounds, in one run.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use secateur::predict::{Field, Scorer};
use secateur::prelude::*;
use secateur_exchange::export::{self, Options};

use crate::trees::Numbers;

/// The rows that are asked about, and those that a large tree is grown from.
const ROWS: usize = 4096;
const GROWN_FROM: usize = 340_000;
const COLUMNS: usize = 10;
const ROUNDS: usize = 200;

/// Rows whose class follows from their numbers, except for every third, which is left to chance: its tree has as many leaves as one wants.
fn table(classes: usize) -> (Table, Vec<f64>) {
    let mut random = Numbers(29);
    let cells: Vec<f64> = (0..GROWN_FROM * COLUMNS).map(|_| random.next()).collect();
    let mut builder = Table::builder();
    for column in 0..COLUMNS {
        builder =
            builder.numeric(format!("x{column}"), (0..GROWN_FROM).map(|row| cells[row * COLUMNS + column]));
    }
    let class = |row: usize| {
        let x = &cells[row * COLUMNS..][..COLUMNS];
        let sum = x[0] + x[1] * x[2] + (x[3] > 0.5) as usize as f64 + 0.3 * x[4 + row % 6];
        format!(
            "class {}",
            if row.is_multiple_of(3) { random.below(classes) } else { (sum * 7.0) as usize % classes }
        )
    };
    let table = builder.text("class", (0..GROWN_FROM).map(class).collect::<Vec<_>>()).build().unwrap();
    (table, cells[..ROWS * COLUMNS].to_vec())
}

/// Nanoseconds for a row, the best round.
fn best(mut round: impl FnMut() -> usize) -> f64 {
    let mut sum = 0;
    let times = (0..ROUNDS).map(|_| {
        let begun = Instant::now();
        sum += round();
        begun.elapsed().as_secs_f64() * 1e9 / ROWS as f64
    });
    let least = times.fold(f64::INFINITY, f64::min);
    assert!(sum > 0);
    least
}

fn library(model: &Model, cells: &[f64]) -> f64 {
    let scorer = Scorer::new(model.tree.clone());
    let mut buffer = scorer.buffer();
    let rows: Vec<Vec<Field>> =
        cells.chunks(COLUMNS).map(|row| row.iter().map(|x| Field::Number(*x)).collect()).collect();
    best(|| rows.iter().map(|row| scorer.score(row, &mut buffer).unwrap().class).sum())
}

fn written(model: &Model, format: &str) -> Vec<u8> {
    let format = export::find(format).unwrap();
    export::export(model, format, &Options::default_of(format), None).unwrap().bytes
}

/// Compiles and runs a program that prints nanoseconds.
fn run(folder: &Path, compiler: &str, flags: &[&str]) -> Option<f64> {
    let done = Command::new(compiler).args(flags).current_dir(folder).output().ok()?;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = Command::new(folder.join("ask")).current_dir(folder).output().unwrap();
    Some(String::from_utf8_lossy(&said.stdout).trim().parse().unwrap())
}

fn in_c(model: &Model, folder: &Path, width: usize) -> Option<f64> {
    fs::write(folder.join("tree.c"), written(model, "c")).unwrap();
    let program = format!(
        "#define _POSIX_C_SOURCE 199309L\n#include \"tree.c\"\n#include <stdio.h>\n#include <time.h>\n\
         static double rows[{ROWS} * {width}];\nint main(void) {{\n  FILE *file = fopen(\"rows.bin\", \"rb\");\n  double best = 1e300, \
         said[64];\n  long sum = 0;\n  int round, row, leaf;\n  if (!file || fread(rows, 8, {ROWS} * {width}, file) != {ROWS} * {width}) return 1;\n  \
         for (round = 0; round < {ROUNDS}; round++) {{\n    struct timespec a, b;\n    double time;\n    clock_gettime(CLOCK_MONOTONIC, &a);\n    \
         for (row = 0; row < {ROWS}; row++) sum += tree_predict(rows + row * {width}, said, &leaf) + (said[0] > 0.5);\n    \
         clock_gettime(CLOCK_MONOTONIC, &b);\n    time = ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / {ROWS};\n    \
         if (time < best) best = time;\n  }}\n  printf(\"%f\\n\", sum > 0 ? best : 0);\n  return 0;\n}}\n"
    );
    fs::write(folder.join("ask.c"), program).unwrap();
    run(folder, "gcc", &["-O2", "-std=c99", "-o", "ask", "ask.c"])
}

fn in_rust(model: &Model, folder: &Path, width: usize) -> Option<f64> {
    fs::write(folder.join("tree.rs"), written(model, "rust")).unwrap();
    let program = format!(
        "mod tree;\nfn main() {{\n  let bytes = std::fs::read(\"rows.bin\").unwrap();\n  let cells: Vec<f64> = bytes.chunks_exact(8).map(|b| \
         f64::from_le_bytes(b.try_into().unwrap())).collect();\n  let rows: Vec<[f64; {width}]> = cells.chunks_exact({width}).map(|row| \
         row.try_into().unwrap()).collect();\n  let (mut best, mut sum) = (f64::INFINITY, 0);\n  for _ in 0..{ROUNDS} {{\n    let begun = \
         std::time::Instant::now();\n    for row in &rows {{ let said = tree::predict(row); sum += said.class + (said.probabilities[0] > 0.5) as \
         usize; }}\n    best = f64::min(best, begun.elapsed().as_secs_f64() * 1e9 / {ROWS}.0);\n  }}\n  println!(\"{{}}\", if sum > 0 {{ best }} \
         else {{ 0.0 }});\n}}\n"
    );
    fs::write(folder.join("ask.rs"), program).unwrap();
    run(folder, "rustc", &["-O", "--edition=2021", "-o", "ask", "ask.rs"])
}

#[test]
#[ignore = "a measurement; needs --release"]
#[allow(clippy::print_stdout, reason = "it prints what it measured")]
fn generated_programs_are_as_fast_as_the_library() {
    println!("nanoseconds for a row     library      C  ratio   Rust  ratio");
    let (table, cells) = table(3);
    for leaves in [9, 60, 222, 5_485, 100_000] {
        let scheme = format!("cart:max-leaves={leaves},min-leaf=1");
        let model = Fit::new(&table, "class").scheme(scheme.as_str()).model().unwrap();
        assert!(model.tree.leaves() * 10 >= leaves * 8, "{} leaves", model.tree.leaves());
        // The exported tree asks for the columns that it tests, in their order.
        let inputs: Vec<usize> = export::Inputs::of(&model.tree).iter().map(|input| input.place).collect();
        let asked =
            cells.chunks(COLUMNS).flat_map(|row| inputs.iter().map(|&place| row[place].to_le_bytes()));
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rows.bin"), asked.flatten().collect::<Vec<u8>>()).unwrap();
        let own = library(&model, &cells);
        let width = inputs.len();
        let both = (in_c(&model, folder.path(), width), in_rust(&model, folder.path(), width));
        let (Some(c), Some(rust)) = both else {
            return secateur_testing::skip("exports", "no gcc or rustc");
        };
        println!(
            "{:>6} leaves, depth {:>2}   {own:8.1} {c:6.1}  {:5.2} {rust:6.1}  {:5.2}",
            model.tree.leaves(),
            model.tree.depth(),
            own / c,
            own / rust
        );
        // Five percent for the noise of a measurement.
        assert!(c <= own * 1.05 && rust <= own * 1.05, "{leaves} leaves: library {own}, C {c}, Rust {rust}");
    }
}
