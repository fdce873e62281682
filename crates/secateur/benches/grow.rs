//! How long coding and growing take, on a table given as raw numbers.
//!
//! `cargo bench -p secateur --bench grow -- FILE ROWS COLUMNS [REPEATS] [THREADS] [numbers]`: FILE holds the columns one after the other
//! as little-endian 64-bit floats, the class (or with `numbers` the number) to predict last. Without arguments a Gaussian table of 100,000 rows is made.
//! Prints one JSON object: medians of the seconds, and the size of the tree.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::io::Read;
use std::time::Instant;

use secateur::data::{CodedTable, Column, Roles, Table, Task, Values, builtin};
use secateur::grow::{GrowSpec, grow};
use secateur::progress::Silent;

/// Reads one column after the other, so that no more than the table is ever held.
fn raw(file: &str, rows: usize, columns: usize) -> Table {
    let mut input = std::fs::File::open(file).expect("the file can be read");
    let mut bytes = vec![0; rows * 8];
    let number = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().expect("eight bytes"));
    let columns = (0..=columns)
        .map(|c| {
            input.read_exact(&mut bytes).expect("the file is long enough");
            let name = if c == columns { "class".into() } else { format!("x{c}") };
            Column { name, values: Values::Numeric(bytes.chunks(8).map(number).collect()) }
        })
        .collect();
    Table::new(file, columns).expect("the columns fit")
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

fn main() {
    // `cargo bench` adds `--bench`.
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |i: usize, default: usize| args.get(i).map_or(default, |a| a.parse().expect("a number"));
    let table = match args.first() {
        Some(file) => raw(file, number(1, 0), number(2, 0)),
        None => builtin::load("waveform-21?n=100000").expect("a built-in table"),
    };
    let (repeats, threads) = (number(3, 3), number(4, 1));
    let regression = args.get(5).is_some_and(|a| a == "numbers");
    let task = if regression { Task::Regression } else { Task::Classification };
    let roles = Roles { task, ..Roles::default() };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads");
    let (mut coding, mut growing, mut leaves, mut depth) = (Vec::new(), Vec::new(), 0, 0);
    for _ in 0..repeats {
        let start = Instant::now();
        let coded = CodedTable::new(&table, &roles).expect("the table can be coded");
        coding.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let tree = grow(&coded, &GrowSpec::cart(regression), &Silent).expect("a tree grows");
        growing.push(start.elapsed().as_secs_f64());
        (leaves, depth) = (tree.leaves(), tree.depth());
    }
    println!(
        r#"{{"code": {:.4}, "grow": {:.4}, "leaves": {leaves}, "depth": {depth}, "threads": {threads}}}"#,
        median(coding),
        median(growing)
    );
}
