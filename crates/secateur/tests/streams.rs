//! Tables larger than memory: read in portions, coded into a scratch folder, grown from pass by pass. The model is that of the table
//! in memory.

use std::fmt::Write as _;
use std::path::Path;

use crate::common::rng;
use rand::RngExt;
use secateur::data::read::portions::Portions;
use secateur::data::{CodedTable, ReadOptions, Roles, Table, Values, read};
use secateur::fit::{FitOptions, Fitted, fit};
use secateur::grow::Budget;
use secateur::progress::Silent;
use secateur::scheme::Scheme;
use secateur::shard::{Coder, Decision, Levels, Look, Next, Tagging, look, near};
use secateur::stream::{Memory, Shares, StreamFit, Streamed, fit_file};
use secateur::threads;
use secateur::training::Folds;
use secateur::tree::Model;

/// A table as CSV: numbers with many values and with few, text, missing values, a class or a number to predict.
fn csv(rows: usize, missing: f64, numbers: bool, seed: u64) -> String {
    let mut rng = rng(seed);
    let mut text = String::from("x,skewed,few,city,y\n");
    for _ in 0..rows {
        let (x, few): (f64, i32) = (rng.random(), rng.random_range(0..5));
        let skewed = (6.0 * rng.random::<f64>()).exp();
        let city = ["Lima", "Oslo", "Rome", "Bonn", "Cairo"][rng.random_range(0..5usize)];
        let signal = 2.0 * x + f64::from(few > 2) + f64::from(city == "Oslo") + 0.7 * rng.random::<f64>();
        let mut cell = |value: String| {
            let gap = rng.random::<f64>() < missing;
            write!(text, "{},", if gap { "?" } else { &value }).unwrap();
        };
        cell(format!("{x}"));
        cell(format!("{skewed:.3}"));
        cell(few.to_string());
        cell(format!("\"{city}\""));
        let label = if signal > 2.4 { "high" } else { "low" };
        if numbers { writeln!(text, "{signal:.4}") } else { writeln!(text, "{label}") }.unwrap();
    }
    text
}

fn shares(histograms: usize, rows: usize) -> Shares {
    Shares { grow: Budget { histograms, rows, trees: 1 << 30 }, texts: 1 << 20, numbers: 4096 }
}

fn streamed(path: &Path, scheme: &str, shares: Shares, scratch: &Path) -> secateur::Result<Streamed> {
    streamed_with(path, &Roles::default(), scheme, shares, scratch)
}

fn streamed_with(
    path: &Path,
    roles: &Roles,
    scheme: &str,
    shares: Shares,
    scratch: &Path,
) -> secateur::Result<Streamed> {
    let portions = Portions::open(path, &ReadOptions::default())?;
    let how = StreamFit {
        shares: Some(shares),
        scratch: Some(scratch.to_path_buf()),
        ..StreamFit::within(Memory::of(64_000_000))
    };
    let scheme: Scheme = scheme.parse()?;
    fit_file(&portions, roles, Some(&scheme), &how, |_| Ok(FitOptions::default()), &Silent)
}

fn in_memory(path: &Path, scheme: &str) -> (CodedTable, Fitted) {
    let table = read(path, &ReadOptions::default(), &Silent).unwrap();
    let scheme: Scheme = scheme.parse().unwrap();
    let coded = secateur::fit::coded(&table, &Roles::default(), &scheme).unwrap();
    let fitted = fit(&coded, &scheme, &FitOptions::default(), &Silent).unwrap();
    (coded, fitted)
}

fn json(model: &Model) -> String {
    let mut bytes = Vec::new();
    model.to_json(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn a_streamed_model_is_the_same_bytes_as_one_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    for (number, (missing, numbers)) in
        [(0.0, false), (0.07, false), (0.0, true), (0.05, true)].into_iter().enumerate()
    {
        let path = folder.path().join(format!("table{number}.csv"));
        std::fs::write(&path, csv(3000, missing, numbers, 3 + number as u64)).unwrap();
        for scheme in [
            "cart:bins=20",
            "cart:bins=20,min-leaf=5/cost-complexity:alpha=0.01",
            "c45:bins=20",
            "best-first:bins=20,max-leaves=12",
            "cart:bins=20,max-leaves=12",
            "c45:bins=20,max-splits=9",
            "cart:bins=20,order=breadth-first,max-depth=4",
        ] {
            let (coded, fitted) = in_memory(&path, scheme);
            let scheme_of = scheme.parse().unwrap();
            let expected = json(&fitted.into_report(&coded, &scheme_of, &FitOptions::default()).model);
            for (shares, count) in [
                (shares(1 << 20, 0), 1),
                (shares(30_000, 0), 3),
                (shares(1 << 20, 30_000), 2),
                (shares(1 << 20, 1 << 30), 2),
            ] {
                let run = || streamed(&path, scheme, shares, scratch.path()).unwrap();
                let streamed = threads::with(count, run);
                let Streamed { fitted, table, scheme: used, options, .. } = streamed;
                let model = fitted.into_report(&table, &used, &options).model;
                assert!(json(&model) == expected, "{scheme} of table {number} with {shares:?}");
            }
        }
    }
    assert!(is_empty(scratch.path()));
}

/// `docs/large-tables.md`: weights with fractions are rounded to steps, the same ones however rows are divided.
#[test]
fn weights_with_fractions_make_the_same_tree_but_for_the_last_digits() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let mut differ = 0;
    for numbers in [false, true] {
        let text = csv(3000, 0.0, numbers, 11);
        let mut rng = rng(12);
        let mut with = |(row, line): (usize, &str)| match row {
            0 => format!("w,{line}\n"),
            _ => format!("{},{line}\n", 0.05 + rng.random::<f64>()),
        };
        let path = folder.path().join("weights.csv");
        std::fs::write(&path, text.lines().enumerate().map(&mut with).collect::<String>()).unwrap();
        let roles = Roles { weights: Some("w".into()), ..Roles::default() };
        let scheme = "cart:bins=20,min-leaf=20";
        let table = read(&path, &ReadOptions::default(), &Silent).unwrap();
        let coded = secateur::fit::coded(&table, &roles, &scheme.parse().unwrap()).unwrap();
        let memory = fit(&coded, &scheme.parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree;
        let found = [(shares(1 << 20, 0), 1), (shares(30_000, 0), 3)].map(|(shares, count)| {
            threads::with(count, || {
                streamed_with(&path, &roles, scheme, shares, scratch.path()).unwrap().fitted.tree
            })
        });
        assert_eq!(found[0], found[1]);
        assert!(memory.splits() > 10 && memory.nodes().len() == found[0].nodes().len());
        for (id, (one, other)) in memory.nodes().iter().zip(found[0].nodes()).enumerate() {
            assert_eq!((&one.condition, one.rows), (&other.condition, other.rows));
            // A row is off by at most half a step of 2⁻⁵¹ of the table's weight.
            let bound = memory.node(0).weight * 2f64.powi(-52) * one.rows as f64;
            assert!((one.weight - other.weight).abs() <= bound.max(1e-15 * one.weight), "node {id}");
            differ += usize::from(one.weight != other.weight);
        }
    }
    assert!(differ > 0, "to the last bit: the docs can say so");
}

/// The tag of every row of a table.
fn tags(table: &Table, tagging: Tagging, bins: usize) -> Vec<u8> {
    let roles = Roles { target: Some("y".into()), ..Roles::default() };
    let question = Look::new(roles, bins);
    let looked = look(&question, table, 0).unwrap();
    let mut decision = Decision::new("t", &question, looked, (Levels::First, tagging), 1 << 20).unwrap();
    loop {
        match decision.next().unwrap() {
            Next::Near(closer) => {
                let answer = near(&closer, table, 0).unwrap();
                decision.answered(&closer, answer).unwrap();
            }
            Next::Done(coding) => {
                let chunk = Coder::new(&coding).unwrap().chunk(table, 0).unwrap();
                return chunk.tags().unwrap().to_vec();
            }
        }
    }
}

#[test]
fn held_out_rows_and_folds_choose_what_they_choose_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (missing, numbers)) in
        [(0.0, false), (0.07, false), (0.0, true), (0.05, true)].into_iter().enumerate()
    {
        let path = folder.path().join(format!("table{number}.csv"));
        std::fs::write(&path, csv(2500, missing, numbers, 30 + number as u64)).unwrap();
        let table = read(&path, &ReadOptions::default(), &Silent).unwrap();
        // In memory the bins are those of all rows, as a stream has them.
        let coded = CodedTable::binned(&table, &Roles::default(), 20).unwrap();
        for scheme in [
            "cart:bins=20/cost-complexity:cv=4,1se",
            "cart:bins=20/k-norm:cv=4",
            "best-first:bins=20/post:cv=4",
            "cart:bins=20/cost-complexity:holdout=0.3,1se",
            "cart:bins=20/reduced-error:holdout=0.3",
        ] {
            if numbers && (scheme.contains("k-norm") || scheme.contains("reduced")) {
                continue;
            }
            let parsed: Scheme = scheme.parse().unwrap();
            let seed = FitOptions::default().seed;
            let options = if scheme.contains("cv=4") {
                let tags = tags(&table, Tagging::Folds { folds: 4, seed }, 20);
                let folds = tags.into_iter().map(|tag| Some(u32::from(tag))).collect();
                FitOptions { folds: Some(Folds::given(folds).unwrap()), ..FitOptions::default() }
            } else {
                let tags = tags(&table, Tagging::HeldOut { share: 0.3, seed }, 20);
                let held: Vec<f64> = tags.iter().map(|tag| f64::from(*tag)).collect();
                let grow = held.iter().map(|held| 1.0 - held).collect();
                FitOptions { weights: Some(grow), held_out: Some(held), ..FitOptions::default() }
            };
            let expected = fit(&coded, &parsed, &options, &Silent).unwrap();
            for shares in [shares(1 << 20, 0), shares(1 << 20, 40_000)] {
                let found = streamed(&path, scheme, shares, folder.path()).unwrap().fitted;
                // Scores for sets are kept of rows in memory only.
                assert_eq!(
                    found.tree,
                    expected.tree.clone().with_conformal(None),
                    "{scheme} of table {number}"
                );
                assert_eq!(found.full, expected.full);
                let (a, b) = (&found.estimate, &expected.estimate);
                assert_eq!(a.is_some(), b.is_some());
                if let (Some(a), Some(b)) = (a, b) {
                    // Held-out rows that are streamed cannot be parted again to correct for the choice.
                    let is_corrected = a.bias_correction.is_some();
                    assert_eq!(is_corrected, scheme.contains("cv=4"));
                    let error = if is_corrected { b.error } else { b.apparent() };
                    assert!(
                        (a.error - error).abs() <= 1e-12 * (1.0 + error),
                        "{scheme}: {} {error}",
                        a.error
                    );
                    assert!(
                        !is_corrected || (a.se - b.se).abs() <= 1e-9 * (1.0 + b.se),
                        "{scheme}: {} {}",
                        a.se,
                        b.se
                    );
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_streamed_names_what_can() {
    let folder = tempfile::tempdir().unwrap();
    let (classes, numbers) = (folder.path().join("c.csv"), folder.path().join("n.csv"));
    std::fs::write(&classes, csv(300, 0.0, false, 1)).unwrap();
    std::fs::write(&numbers, csv(300, 0.0, true, 1)).unwrap();
    for (path, scheme, said) in [
        (
            &numbers,
            "cart:criterion=mae",
            "criterion=mae needs all rows in memory; for a streamed table use criterion=mse",
        ),
        (&numbers, "cart:leaf=median", "use leaf=mean"),
        (&classes, "id3", "use discretise=off, or c45 in place of id3"),
        (&classes, "c45/error-based:raising", "use error-based:raising=off"),
        (&classes, "best-first/pre", "such as post, cost-complexity or k-norm"),
    ] {
        let error =
            streamed(path, scheme, shares(1 << 20, 0), folder.path()).err().expect(scheme).to_string();
        assert!(error.contains(said), "{scheme}: {error}");
    }
    let error = Portions::open("-", &ReadOptions::default()).err().unwrap().to_string();
    assert!(error.contains("save it to a file first"), "{error}");
    let json = folder.path().join("t.json");
    std::fs::write(&json, "[{\"a\": 1, \"b\": 2}]").unwrap();
    let error = Portions::open(&json, &ReadOptions::default()).err().unwrap().to_string();
    assert!(error.contains("convert it to Parquet or CSV"), "{error}");
}

/// Missing numbers are equal here.
fn assert_same(a: &Table, b: &Table) {
    assert_eq!(a.rows(), b.rows());
    for (a, b) in a.columns().iter().zip(b.columns()) {
        match (&a.values, &b.values) {
            (Values::Numeric(x), Values::Numeric(y)) => {
                assert!(x.iter().zip(y).all(|(x, y)| x == y || x.is_nan() && y.is_nan()), "{}", a.name);
            }
            (x, y) => assert!(x == y, "{}", a.name),
        }
    }
}

#[test]
fn portions_together_are_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let text = csv(40_000, 0.02, false, 8);
    let plain = folder.path().join("t.csv");
    std::fs::write(&plain, &text).unwrap();
    let zipped = folder.path().join("t.csv.gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    std::fs::write(&zipped, encoder.finish().unwrap()).unwrap();
    for path in [&plain, &zipped] {
        let whole = read(path, &ReadOptions::default(), &Silent).unwrap();
        let portions = Portions::open(path, &ReadOptions::default()).unwrap();
        let together = portions.table(&Silent).unwrap();
        assert_same(&together, &whole);
        let about = portions.rows_about() as f64 / 40_000.0;
        assert!((0.7..1.5).contains(&about), "{about}");
    }
}
