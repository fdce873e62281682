//! `evaluate --memory`: a table that is larger, to learn from or to test on, gives the numbers that it gives in memory.

use ::parquet::file::properties::WriterProperties;

use super::writing::{Cells, file};
use super::*;

/// More than 64 MB of memory take, the least that may be asked for.
const LARGE: usize = 170_000;
const SMALL: usize = 2_500;

/// Rows by rule, from a row on: numbers and text with gaps, columns that say nothing, weights, a number and a class.
fn table(first: usize, rows: usize, group: usize) -> Vec<u8> {
    let dice = |i: usize| ((i + first) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let share = |i: usize| dice(i) as f64 / f64::from(1 << 24);
    let city = |i: usize| ["Lima", "Oslo", "Rome", "Bonn"][(dice(7 * i) % 4) as usize];
    let signal = |i: usize| 2.0 * share(i) + f64::from(city(i) == "Oslo") + 0.7 * share(3 * i);
    let class = |i: usize| if signal(i) > 1.5 { "high" } else { "low" };
    let names: Vec<String> = (0..24).map(|c| format!("n{c}")).collect();
    let noise = |c: usize| Cells::Shorts((0..rows).map(|i| Some((dice(i * 31 + c) % 5) as i32)).collect());
    let mut columns: Vec<(&str, Cells)> = vec![
        ("x", Cells::Floats((0..rows).map(|i| (dice(11 * i) % 9 > 0).then(|| share(i))).collect())),
        ("city", Cells::Texts((0..rows).map(|i| (dice(13 * i) % 11 > 0).then(|| city(i).into())).collect())),
        ("w", Cells::Floats((0..rows).map(|i| Some(1.0 + (dice(5 * i) % 4) as f64)).collect())),
        ("z", Cells::Floats((0..rows).map(|i| Some(signal(i))).collect())),
        ("y", Cells::Texts((0..rows).map(|i| Some(class(i).into())).collect())),
    ];
    columns.extend(names.iter().enumerate().map(|(c, name)| (name.as_str(), noise(c))));
    file(&columns, group, WriterProperties::builder())
}

fn tables() -> Folder {
    let folder = Folder::new();
    folder.write("large.parquet", table(0, LARGE, 40_000));
    folder.write("small.parquet", table(LARGE, SMALL, SMALL));
    folder
}

/// The same numbers, to eleven digits: parts of rows are added up in another order.
fn assert_alike(a: &Value, b: &Value, place: &str) {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            assert_eq!(keys(a), keys(b), "{place}");
            for (key, value) in x.iter().filter(|(key, _)| !key.ends_with("seconds")) {
                assert_alike(value, &y[key], &format!("{place}/{key}"));
            }
        }
        (Value::Array(x), Value::Array(y)) => {
            assert_eq!(x.len(), y.len(), "{place}");
            x.iter().zip(y).for_each(|(x, y)| assert_alike(x, y, place));
        }
        (Value::Number(x), Value::Number(y)) => {
            let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
            assert!((x - y).abs() <= 1e-11 * x.abs().max(1.0), "{place}: {x} and {y}");
        }
        _ => assert_eq!(a, b, "{place}"),
    }
}

/// In memory and within 64 MB, as JSON.
fn both(folder: &Folder, args: &[&str]) -> [Value; 2] {
    [&[][..], &["--memory", "64MB"]].map(|memory| folder.json(&[args, memory].concat()))
}

#[test]
fn flags_that_change_the_scheme_need_one_where_the_default_depends_on_the_rows_that_are_streamed() {
    let folder = tables();
    let large = ["large.parquet", "--target", "y", "--ignore", "z,w", "--memory", "64MB"];
    for (flag, value) in [("--max-leaves", "5"), ("--leaf-values", "shrink")] {
        for call in [&["fit"][..], &["evaluate", "--test-data", "small.parquet"]] {
            let told = folder.refused(&[call, &large, &[flag, value]].concat());
            contains(&told, &[flag, "needs --scheme", "--scheme cart:bins=255"]);
        }
    }
}

#[test]
fn rows_to_test_on_that_are_larger_give_the_same_measures() {
    let folder = tables();
    let judged = ["evaluate", "small.parquet", "--test-data", "large.parquet"];
    for (flags, measure) in [
        (&["--target", "y", "--ignore", "z,w", "-s", "cart/cost-complexity:cv=3"][..], "accuracy"),
        (&["--target", "y", "--ignore", "z", "--weights", "w", "-s", "c45/error-based"], "log_loss"),
        (&["--target", "z", "--ignore", "y,w", "-s", "cart/cost-complexity:cv=3"], "rmse"),
    ] {
        let [whole, streamed] = both(&folder, &[&judged, flags].concat());
        assert_alike(&whole, &streamed, "");
        assert_eq!(streamed["dataset"]["rows"], LARGE + SMALL);
        assert!(streamed[measure]["mean"].as_f64().unwrap() > 0.0, "{measure}");
    }
}

#[test]
fn rows_to_learn_from_that_are_larger_give_the_same_tree_and_measures() {
    let folder = tables();
    for target in [["--target", "y", "--ignore", "z,w"], ["--target", "z", "--ignore", "y,w"]] {
        let judged = ["evaluate", "large.parquet", "--test-data", "small.parquet"];
        let [whole, streamed] =
            both(&folder, &[&judged[..], &target, &["-s", "cart:bins=40,max-leaves=12"]].concat());
        assert_alike(&whole, &streamed, "");
        assert_eq!(streamed["leaves"]["mean"], 12.0);
    }
}

#[test]
fn what_needs_all_rows_is_refused_with_another_way() {
    let folder = tables();
    let within = |args: &[&str]| {
        folder.refused(
            &[&["evaluate"], args, &["--memory", "64MB", "--target", "y", "--ignore", "z,w"]].concat(),
        )
    };
    let test = ["small.parquet", "--test-data", "large.parquet"];
    contains(&within(&["large.parquet", "--cv", "3"]), &["name it with --test-data", "fit --memory"]);
    for (flags, name) in [
        (&["--results", "r.jsonl"][..], "--results"),
        (&["--sets", "0.9"], "--sets"),
        (&["--learning-curve", "0.5,1"], "--learning-curve"),
    ] {
        let said = within(&[&test, flags].concat());
        contains(&said, &[&format!("{name} needs all rows in memory")]);
    }
    assert!(!folder.path("r.jsonl").exists());
    // A class that nothing was learned about.
    let rows: String =
        (0..400).map(|i| format!("{},{}\n", i / 4, if i < 200 { "low" } else { "other" })).collect();
    folder.write("few.csv", format!("x,y\n{rows}"));
    let said = folder.refused(&[
        "evaluate",
        "few.csv",
        "--test-data",
        "large.parquet",
        "--memory",
        "64MB",
        "--target",
        "y",
        "-s",
        "cart",
    ]);
    contains(&said, &["large.parquet", "'high'"]);
}
