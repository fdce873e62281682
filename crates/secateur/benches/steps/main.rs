//! One step of the work on one table, timed: what `bench/run` calls for this program's side.
//!
//! `cargo bench -p secateur --bench steps -- STEP TABLE [option=value ...]` prints one line of JSON with `seconds` and the size of
//! what was made. A step is a process of its own, so that its peak memory can be read from outside.
//!
//! | step | what is timed |
//! |---|---|
//! | `read` | the file into a table |
//! | `code` | the table into ranks |
//! | `grow` | coding and growing |
//! | `fit` | coding, growing, choosing and pruning, as the scheme says |
//! | `prune` | every pruner that needs only the counts in the tree, beside growing |
//! | `path` | the whole path of cost-complexity, on a tree that is grown already |
//! | `predict` | all rows at once |
//! | `one-row` | rows one by one |
//! | `score` | rows one by one by a scorer, beside a router written for trees without missing values |
//!
//! TABLE is a file that the program reads, `builtin:NAME`, or a `.raw` file: columns one after the other as little-endian 64-bit
//! floats, the target last. Options: `scheme` (cart), `threads` (1), `repeats` (1; the median counts), `columns` (of a raw file, 10),
//! `task` (`classes` or `numbers`), `grown` (grow on this many first rows, predict all), `pruners` (`all`, or `one-pass` for those that
//! visit every node once).

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

mod options;
mod predicting;
mod pruning;
mod scoring;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use options::Options;
use secateur::data::{CodedTable, Roles, Table};
use secateur::fit::{self, FitOptions};
use secateur::grow::grow;
use secateur::progress::Silent;
use secateur::tree::Tree;
use secateur::{Error, Result};
use serde_json::{Value, json};

/// The median of the seconds, and what was made last.
fn timed<T>(repeats: usize, mut run: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
    let mut seconds = Vec::new();
    loop {
        let start = Instant::now();
        let made = black_box(run()?);
        seconds.push(start.elapsed().as_secs_f64());
        if seconds.len() >= repeats {
            seconds.sort_by(f64::total_cmp);
            return Ok((seconds[seconds.len() / 2], made));
        }
    }
}

/// The training error as a share of the weight; for numbers the squared error of a row.
fn training_error(tree: &Tree) -> f64 {
    let nodes = tree.nodes().iter().enumerate();
    let wrong: f64 = nodes.filter(|(_, n)| n.condition.is_none()).map(|(id, _)| tree.error(id)).sum();
    wrong / tree.node(0).weight
}

fn growing(table: Table, roles: &Roles, options: &Options) -> Result<Value> {
    let (code, coded) = timed(options.repeats, || fit::coded(&table, roles, &options.scheme))?;
    // As the program does: growing needs the codes only.
    drop(table);
    let spec = options.scheme.grow_spec(coded.task())?;
    let (seconds, tree) = timed(options.repeats, || grow(&coded, &spec, &Silent))?;
    Ok(json!({
        "seconds": code + seconds, "code": code, "grow": seconds, "leaves": tree.leaves(), "depth": tree.depth(),
        "error": training_error(&tree),
    }))
}

fn fitting(table: &Table, roles: &Roles, options: &Options) -> Result<Value> {
    let (seconds, fitted) = timed(options.repeats, || {
        let coded = fit::coded(table, roles, &options.scheme)?;
        fit::fit(&coded, &options.scheme, &FitOptions::default(), &Silent)
    })?;
    Ok(json!({
        "seconds": seconds, "leaves": fitted.tree.leaves(), "full": fitted.full.leaves,
        "grow": fitted.seconds.0, "prune": fitted.seconds.1,
    }))
}

fn measure(args: &[String]) -> Result<Value> {
    let [step, file, rest @ ..] = args else {
        return Err(Error::parameter("expected STEP TABLE [option=value ...]"));
    };
    let options = Options::parse(rest)?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build_global()
        .map_err(|e| Error::parameter(e.to_string()))?;
    let roles = Roles { task: Some(options.task), ..Roles::default() };
    if step == "read" {
        let (seconds, table) = timed(options.repeats, || options.table(file))?;
        return Ok(json!({"seconds": seconds, "rows": table.rows(), "columns": table.columns().len()}));
    }
    let table = options.table(file)?;
    match step.as_str() {
        "code" => {
            let (seconds, _) = timed(options.repeats, || CodedTable::new(&table, &roles))?;
            Ok(json!({"seconds": seconds, "rows": table.rows()}))
        }
        "grow" => growing(table, &roles, &options),
        "fit" => fitting(&table, &roles, &options),
        "prune" => pruning::every(&table, &roles, &options),
        "path" => pruning::path(&table, &roles, &options),
        "predict" => predicting::at_once(&table, &roles, &options),
        "one-row" => predicting::one_by_one(&table, &roles, &options),
        "score" => scoring::beside_a_router(&table, &roles, &options),
        _ => Err(Error::parameter(format!("unknown step {step}"))),
    }
}

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match measure(&args) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
