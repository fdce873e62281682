//! How long pruning takes, beside growing.
//!
//! `cargo bench -p secateur --bench prune -- [ROWS] [REPEATS] [THREADS]`: ROWS (390,000) of two overlapping Gaussian classes
//! give about 100,000 leaves. Prints one JSON object per line; seconds are medians over REPEATS (3).
//!
//! - `grow`: growing the tree.
//! - `prune`: every pruner that needs only the counts in the tree, with its tree made, and in units of growing.
//! - `path`: the whole path of cost-complexity at a tenth of the rows and at all; `per_l_log_l` should stay the same.
//! - `million`: growing a tree of about a million nodes (five times the rows), and one pass of some pruners over it.
//! - `chain`: the same passes over a chain, the deepest shape there is.
//! - `cross-validation`: cost-complexity chosen by ten folds, the full tree included, in units of growing once.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::hint::black_box;
use std::time::Instant;

use secateur::data::{CodedTable, Roles, builtin};
use secateur::fit::{FitOptions, fit};
use secateur::grow::{GrowSpec, grow};
use secateur::progress::Silent;
use secateur::prune::{Job, Kind, Pruner};
use secateur::scheme::Scheme;
use secateur::tree::Tree;
use serde_json::json;

/// One of each kind that is data-free, and its parameter where it has one.
const PRUNERS: &[(&str, f64)] = &[
    ("cost-complexity", 1e-5),
    ("k-norm", 2.0),
    ("k-norm:of=probability", 2.0),
    ("error-based", 0.25),
    ("error-based:limit=c45", 0.25),
    ("size-pessimistic", 0.2),
    ("pessimistic", 0.0),
    ("min-error", 2.0),
    ("mdl", 0.0),
    ("critical-value", 1e-3),
    ("breadth-first", -1000.0),
    ("depth-first", -1000.0),
    ("optimal-size", 50.0),
];

/// Those that visit every node once.
const ONE_PASS: &[(&str, f64)] = &[("k-norm", 2.0), ("pessimistic", 0.0), ("min-error", 2.0), ("mdl", 0.0)];

fn scheme(pruner: &str) -> Scheme {
    format!("cart/{pruner}").parse().expect("a scheme")
}

fn coded(name: &str) -> CodedTable {
    CodedTable::new(&builtin::load(name).expect("a built-in table"), &Roles::default()).expect("good columns")
}

/// The median of the seconds, and what was made last.
fn timed<T>(repeats: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut seconds = Vec::new();
    loop {
        let start = Instant::now();
        let made = black_box(run());
        seconds.push(start.elapsed().as_secs_f64());
        if seconds.len() >= repeats {
            seconds.sort_by(f64::total_cmp);
            return (seconds[seconds.len() / 2], made);
        }
    }
}

fn grown(table: &CodedTable) -> Tree {
    grow(table, &GrowSpec::cart(false), &Silent).expect("a tree grows")
}

/// The pruned tree.
fn pruned(tree: &Tree, scheme: &Scheme, parameter: f64) -> Tree {
    let method = scheme.pruner.as_ref().expect("a pruner");
    let pruner = Pruner::of(method).expect("a pruner");
    let job = Job::new(tree, method);
    let leaf = match &pruner.kind {
        Kind::Cut(cut) => cut(&job),
        _ => pruner.cut_at(&job, parameter),
    };
    tree.cut(&leaf.expect("a cut"))
}

/// Times pruners on a tree that took `growing` seconds.
fn passes(what: &str, tree: &Tree, growing: f64, pruners: &[(&str, f64)], repeats: usize) {
    for &(name, parameter) in pruners {
        let scheme = scheme(name);
        let (seconds, small) = timed(repeats, || pruned(tree, &scheme, parameter));
        println!(
            "{}",
            json!({
                "measure": what, "pruner": name, "nodes": tree.nodes().len(), "leaves": tree.leaves(),
                "left": small.leaves(), "seconds": seconds, "of_growing": seconds / growing,
            })
        );
    }
}

/// Times the whole path of cost-complexity; gives the seconds and the leaves.
fn path(tree: &Tree, repeats: usize) -> (f64, f64) {
    let scheme = scheme("cost-complexity");
    let method = scheme.pruner.as_ref().expect("a pruner");
    let pruner = Pruner::of(method).expect("a pruner");
    let (seconds, path) = timed(repeats, || pruner.path(&Job::new(tree, method)).expect("a path"));
    let leaves = tree.leaves() as f64;
    let members = path.parameters().len();
    let scaled = seconds / (leaves * leaves.ln());
    println!(
        "{}",
        json!({
            "measure": "path", "pruner": "cost-complexity", "leaves": tree.leaves(), "members": members,
            "seconds": seconds, "per_l_log_l": scaled,
        })
    );
    (seconds, leaves)
}

fn main() {
    // `cargo bench` adds `--bench`.
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |i: usize, default: usize| args.get(i).map_or(default, |a| a.parse().expect("a number"));
    let (rows, repeats, threads) = (number(0, 390_000), number(1, 3), number(2, 1));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads");

    let table = coded(&format!("g2c25?n={rows}"));
    let (growing, tree) = timed(repeats, || grown(&table));
    println!(
        "{}",
        json!({
            "measure": "grow", "rows": rows, "nodes": tree.nodes().len(), "leaves": tree.leaves(),
            "depth": tree.depth(), "threads": threads, "seconds": growing,
        })
    );
    passes("prune", &tree, growing, PRUNERS, repeats);

    let small = grown(&coded(&format!("g2c25?n={}", rows / 10)));
    let (few, many) = (path(&small, repeats), path(&tree, repeats));
    let l_log_l = |leaves: f64| leaves * leaves.ln();
    println!(
        "{}",
        json!({
            "measure": "path-ratio", "leaves": many.1 / few.1, "seconds": many.0 / few.0,
            "l_log_l": l_log_l(many.1) / l_log_l(few.1),
        })
    );

    let whole = scheme("cost-complexity:cv=10");
    let (seconds, fitted) =
        timed(1, || fit(&table, &whole, &FitOptions::default(), &Silent).expect("a fitted tree"));
    println!(
        "{}",
        json!({
            "measure": "cross-validation", "folds": 10, "left": fitted.tree.leaves(), "threads": threads,
            "seconds": seconds, "of_growing": seconds / growing,
        })
    );
    drop((table, tree, small, fitted));

    for (what, name) in [("million", format!("g2c25?n={}", 5 * rows)), ("chain", "chain?n=20000".into())] {
        let table = coded(&name);
        let (growing, tree) = timed(1, || grown(&table));
        println!("{}", json!({"measure": what, "nodes": tree.nodes().len(), "grow": growing}));
        passes(what, &tree, growing, ONE_PASS, repeats);
    }
}
