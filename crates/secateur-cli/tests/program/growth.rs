//! Work grows with what it is done on, and not with its square: instructions are counted at two sizes, by valgrind.

use std::process::Command;

use super::*;

/// The smaller of the two sizes; the other is twice as large.
const SIZE: usize = 1000;

/// The instructions of a call; `None` where valgrind is missing.
fn instructions(folder: &Folder, call: &str) -> Option<f64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(assert_cmd::cargo::cargo_bin!("secateur")).args(call.split(' '));
    let output = match command.current_dir(folder.path("")).env("RAYON_NUM_THREADS", "1").output() {
        Ok(output) => output,
        Err(error) => {
            secateur_testing::skip("valgrind", &format!("instructions are counted by valgrind: {error}"));
            return None;
        }
    };
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{call}: {told}");
    let collected = told.lines().find_map(|line| line.split_once("Collected : ")).expect("a count");
    collected.1.trim().parse().ok()
}

/// A call does at most as much more on twice the size as n log n work would.
fn grows_with_n_log_n(folder: &Folder, call: impl Fn(usize) -> String) {
    // What every call takes, whatever its size.
    let Some(start) = instructions(folder, "schemes cart") else { return };
    let counts = [SIZE, 2 * SIZE].map(|size| instructions(folder, &call(size)).map(|count| count - start));
    let [Some(one), Some(two)] = counts else { return };
    let n = SIZE as f64;
    let most = 2.0 * (2.0 * n).ln() / n.ln();
    assert!(
        two / one <= most,
        "{}: {one:e} and {two:e}, {:.2} times as many; at most {most:.2}",
        call(0),
        two / one
    );
}

/// A model that asks for a number again and again, one smaller leaf at a time.
fn chain(splits: usize) -> Value {
    let rows = |from: usize| {
        let class = |class: usize| (from..=splits).filter(|leaf| leaf % 2 == class).count();
        [class(0), class(1)]
    };
    let mut nodes = Vec::new();
    let (mut left, mut parent) = (rows(0), Value::Null);
    for leaf in 0..splits {
        let all = left[0] + left[1];
        let split = serde_json::json!({"attribute": "x", "less_than": leaf as f64 + 0.5});
        nodes.push(serde_json::json!({
            "parent": parent, "split": split, "first_child": 2 * leaf + 1, "rows": all, "weight": all, "counts": left, "rank": leaf,
        }));
        let counts = [(leaf + 1) % 2, leaf % 2];
        nodes.push(serde_json::json!({"parent": 2 * leaf, "rows": 1, "weight": 1, "counts": counts}));
        left[leaf % 2] -= 1;
        parent = (2 * leaf).into();
    }
    nodes.push(serde_json::json!({"parent": parent, "rows": 1, "weight": 1, "counts": left}));
    Value::from(nodes)
}

/// A folder with chains of both sizes, and a row that goes down them to the end.
fn chains() -> Folder {
    let folder = Folder::new();
    for splits in [SIZE, 2 * SIZE] {
        let head = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
            "attributes": [{"name": "x", "type": "numeric"}],
            "target": {"type": "classes", "name": "y", "classes": ["a", "b"]}, "nodes": "#;
        folder.write(&format!("{splits}.json"), format!("{head}{}}}", chain(splits)));
    }
    folder.write("row.csv", "x\n1e9\n");
    folder
}

#[test]
fn rules_of_a_chain() {
    grows_with_n_log_n(&chains(), |splits| format!("show {splits}.json -f rules --all --order coverage"));
}

#[test]
fn an_explanation_at_the_end_of_a_chain() {
    grows_with_n_log_n(&chains(), |splits| format!("explain {splits}.json row.csv --row 1"));
}

#[test]
fn exports_of_a_chain() {
    let folder = chains();
    for format in ["csv", "scorecard", "sql"] {
        grows_with_n_log_n(&folder, |splits| format!("export {splits}.json -f {format}"));
    }
}

/// Columns are looked for by name in no list of all columns, whatever is asked of some of them.
#[test]
fn a_fit_of_many_columns() {
    let folder = Folder::new();
    for columns in [SIZE, 2 * SIZE] {
        let names: Vec<String> = (0..columns).map(|column| format!("x{column}")).collect();
        let rows = (0..10).map(|row| {
            let cells: Vec<String> =
                (0..columns).map(|column| (row * 7919 % (column + 11)).to_string()).collect();
            format!("{},{}\n", cells.join(","), ["a", "b"][row % 2])
        });
        folder
            .write(&format!("{columns}.csv"), format!("{},y\n{}", names.join(","), rows.collect::<String>()));
    }
    grows_with_n_log_n(&folder, |columns| format!("fit {columns}.csv -s cart -o m.json -q"));
}
