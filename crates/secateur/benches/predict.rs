//! How long prediction takes: a whole table at once, and one row after the other.
//!
//! `cargo bench -p secateur --bench predict -- FILE ROWS COLUMNS [GROWN] [REPEATS] [THREADS]`: FILE as for the benchmark `grow`. A tree
//! is grown on the first GROWN rows and predicts all rows; a second one of 100 leaves predicts them one by one. Without
//! arguments a table of 100,000 rows is made. Prints one JSON object: the shortest times, in seconds and for one
//! row in nanoseconds.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::hint::black_box;
use std::io::Read;
use std::time::Instant;

use secateur::data::{CodedTable, Column, Roles, Table, Task, Values, builtin};
use secateur::grow::{GrowSpec, grow_weighted};
use secateur::progress::Silent;
use secateur::tree::{Predictor, Smoothing};

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

/// The shortest time of some calls.
fn shortest(repeats: usize, mut run: impl FnMut()) -> f64 {
    let mut time = || {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..repeats).map(|_| time()).fold(f64::INFINITY, f64::min)
}

fn main() {
    // `cargo bench` adds `--bench`.
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |i: usize, default: usize| args.get(i).map_or(default, |a| a.parse().expect("a number"));
    let table = match args.first() {
        Some(file) => raw(file, number(1, 0), number(2, 0)),
        None => builtin::load("waveform-21?n=100000").expect("a built-in table"),
    };
    let rows = table.rows();
    let (grown, repeats, threads) = (number(3, rows), number(4, 3), number(5, 1));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads");
    let roles = Roles { task: Task::Classification, ..Roles::default() };
    let coded = CodedTable::new(&table, &roles).expect("the table can be coded");
    let weights: Vec<f64> = (0..rows).map(|row| f64::from(u8::from(row < grown))).collect();
    let grow = |spec| grow_weighted(&coded, Some(&weights), &spec, &Silent).expect("a tree grows");
    let tree = grow(GrowSpec::cart(false));
    let predictor = Predictor::bind(&tree, &table).expect("the columns are there");
    let batch = shortest(repeats, || {
        black_box(predictor.predict(Smoothing::Raw));
    });
    let small = grow(GrowSpec { max_leaves: Some(100), ..GrowSpec::best_first(false) });
    let predictor = Predictor::bind(&small, &table).expect("the columns are there");
    let sample = rows.min(10_000);
    let single = shortest(repeats, || {
        (0..sample).for_each(|row| drop(black_box(predictor.leaf_weights(row))));
    });
    println!(
        r#"{{"leaves": {}, "predict": {batch:.4}, "one_row_ns": {:.0}, "threads": {threads}}}"#,
        tree.leaves(),
        single / sample as f64 * 1e9
    );
}
