//! `secateur predict`.

use super::*;

fn weather() -> Folder {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:weather", "--scheme", "c45:min-leaf=1", "-o", "m.json", "-q"]).ok();
    folder
}

#[test]
fn a_line_per_row_with_label_and_probabilities() {
    let folder = weather();
    let done = folder.run(&["predict", "m.json", "builtin:weather"]);
    contains(&done.err, &["note: accuracy 100.00 % of 14 rows"]);
    let lines: Vec<String> = done.ok().lines().map(String::from).collect();
    assert_eq!((lines.len(), lines[0].as_str()), (15, "row,prediction,p(yes),p(no)"));
    assert_eq!(lines[1], "1,no,0,1");

    let told = folder.json(&["predict", "m.json", "builtin:weather", "-o", "p.csv"]);
    assert_eq!((&told["rows"], &told["accuracy"], &told["scored"]), (&14.into(), &1.0.into(), &14.into()));
    assert_eq!(told["unseen"], serde_json::json!([]));
    let saved = std::fs::read_to_string(folder.path("p.csv")).unwrap();
    assert_eq!(saved.lines().collect::<Vec<_>>(), lines);
}

/// Whatever holds the texts: classes, columns that are kept, their names; with the table as a whole or in portions.
#[test]
fn texts_that_a_spreadsheet_would_run_are_told_and_can_be_escaped() {
    let folder = Folder::new();
    let rows: String = (0..40).map(|i| format!("{i},{},-{i}\n", ["=1+1", "@b"][i % 2])).collect();
    folder.write("t.csv", format!("+x,y,n\n{rows}"));
    folder.run(&["fit", "t.csv", "--target", "y", "-o", "m.json", "-q"]).ok();
    for more in [&[][..], &["--memory", "64MB"]] {
        for (file, sign) in [("p.csv", ','), ("p.tsv", '\t')] {
            let call = [&["predict", "m.json", "t.csv", "--keep", "all", "-o", file], more].concat();
            let done = folder.run(&call);
            contains(&done.err, &["begin with =, +, - or @", "--escape-formulas"]);
            done.ok();
            let starts =
                |text: &str, start: char| text.split([sign, '\n']).any(|cell| cell.starts_with(start));
            let kept = folder.read(file);
            assert!(starts(&kept, '=') && starts(&kept, '+') && starts(&kept, '@'), "{kept}");
            let done = folder.run(&[&call[..], &["--escape-formulas"]].concat());
            assert!(!done.err.contains("formulas"), "{}", done.err);
            done.ok();
            let escaped = folder.read(file);
            assert!(!starts(&escaped, '=') && !starts(&escaped, '+') && !starts(&escaped, '@'), "{escaped}");
            assert!(escaped.contains(&format!("{sign}'=1+1{sign}")) && starts(&escaped, '-'), "{escaped}");
        }
    }
    let call = ["predict", "m.json", "t.csv", "-o", "p.jsonl"];
    assert!(!folder.run(&call).err.contains("formulas"));
    contains(
        &folder.refused(&[&call[..], &["--escape-formulas"]].concat()),
        &["--escape-formulas is for .csv"],
    );
}

#[test]
fn laplace_smooths_the_probabilities() {
    let folder = weather();
    let text = folder.run(&["predict", "m.json", "builtin:weather", "--laplace", "-q"]).ok();
    let line: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    let p: Vec<f64> = line[2..].iter().map(|p| p.parse().unwrap()).collect();
    assert_eq!(line[1], "no");
    assert!(p[0] > 0.0 && p[1] < 1.0 && (p[0] + p[1] - 1.0).abs() < 1e-12, "{p:?}");
}

/// Smoothing can bring another class to the front: in a row of several leaves, and in a leaf where mistakes cost differently.
#[test]
fn the_label_is_the_largest_of_the_printed_probabilities() {
    let folder = Folder::new();
    let rows = |cell: &str, yes: usize, no: usize| {
        format!("{cell},yes\n").repeat(yes) + &format!("{cell},no\n").repeat(no)
    };
    // Both leaves together: 13/25 yes; smoothed 3/25 · 4/5 + 22/25 · 11/24 = 0.4993.
    folder.write("train.csv", format!("x,y\n{}{}", rows("a", 3, 0), rows("b", 10, 12)));
    folder.run(&["fit", "train.csv", "-s", "cart:min-leaf=1,min-split=2", "-o", "m.json", "-q"]).ok();
    folder.write("new.csv", "x\n?\na\nb\n");
    let check = |flags: &[&str], costs: [f64; 2]| -> Vec<String> {
        let text = folder.run(&[&["predict", "m.json", "new.csv", "-q"], flags].concat()).ok();
        let line = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let (yes, no): (f64, f64) = (cells[2].parse().unwrap(), cells[3].parse().unwrap());
            // What it costs to say yes, and to say no.
            let label = if no * costs[1] <= yes * costs[0] { "yes" } else { "no" };
            assert_eq!(cells[1], label, "{line}");
            cells[1].to_string()
        };
        text.lines().skip(1).map(line).collect()
    };
    assert_eq!(check(&[], [1.0, 1.0]), ["yes", "yes", "no"]);
    assert_eq!(check(&["--laplace"], [1.0, 1.0]), ["no", "yes", "no"]);
    folder.write("costs.csv", "actual,predicted,cost\nno,yes,5\n");
    let fit = [
        "fit",
        "train.csv",
        "-s",
        "cart:min-leaf=1,min-split=2",
        "--costs",
        "costs.csv",
        "-o",
        "m.json",
        "-q",
    ];
    folder.run(&fit).ok();
    assert_eq!(check(&[], [1.0, 5.0]), ["no", "yes", "no"]);
    assert_eq!(check(&["--laplace"], [1.0, 5.0]), ["no", "no", "no"]);
}

#[test]
fn unseen_values_count_as_missing_and_are_told() {
    let folder = weather();
    folder.write(
        "new.csv",
        "outlook,temperature,humidity,windy\nfoggy,70,80,true\nfoggy,70,80,false\nsunny,70,99,true\n",
    );
    let done = folder.run(&["predict", "m.json", "new.csv"]);
    contains(
        &done.err,
        &["note: 'foggy' of 'outlook' is not known to the tree: it goes down every branch (2 rows)"],
    );
    assert!(!done.err.contains("accuracy"));
    let told = folder.json(&["predict", "m.json", "new.csv"]);
    assert_eq!(told["unseen"], serde_json::json!([{"attribute": "outlook", "value": "foggy", "rows": 2}]));
    assert!(told.get("accuracy").is_none() && told.get("mse").is_none());
    assert_eq!(folder.run(&["predict", "m.json", "new.csv", "--quiet"]).err, "");
}

#[test]
fn regression_gives_numbers_and_a_squared_error() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:friedman?n=200", "-s", "cart:max-leaves=8", "-o", "m.json", "-q"]).ok();
    let text = folder.run(&["predict", "m.json", "builtin:friedman?n=5&seed=2", "-q"]).ok();
    assert_eq!(text.lines().next(), Some("row,prediction"));
    assert!(text.lines().skip(1).all(|line| line.split(',').nth(1).unwrap().parse::<f64>().is_ok()));
    let told = folder.json(&["predict", "m.json", "builtin:friedman?n=50&seed=2"]);
    assert!(told["mse"].as_f64().unwrap() > 0.0 && told.get("accuracy").is_none());
    contains(
        &folder.refused(&["predict", "m.json", "builtin:friedman", "--laplace"]),
        &["--laplace is for trees that predict classes"],
    );
}

#[test]
fn columns_have_the_types_they_had_when_the_tree_was_grown() {
    let folder = Folder::new();
    folder.write("train.csv", "zip,y\n007,a\n7,b\n007,a\n7,b\n");
    folder.run(&["fit", "train.csv", "-s", "cart", "--nominal", "zip", "-o", "m.json", "-q"]).ok();
    folder.write("new.csv", "zip\n007\n7\n");
    for (args, input) in
        [(["predict", "m.json", "new.csv", "-q"], ""), (["predict", "m.json", "-", "-q"], "zip\n007\n7\n")]
    {
        let text = run_in(folder.0.path(), &args, input.as_bytes()).ok();
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), ["1,a,1,0", "2,b,0,1"]);
    }
}

#[test]
fn columns_that_do_not_fit_the_tree_are_refused() {
    let folder = weather();
    folder.write("less.csv", "temperature,windy\n70,true\n");
    contains(
        &folder.refused(&["predict", "m.json", "less.csv"]),
        &["columns that are not there", "'outlook'"],
    );
    folder.write("text.csv", "outlook,temperature,humidity,windy\nsunny,70,80,true\nsunny,70,wet,true\n");
    contains(&folder.refused(&["predict", "m.json", "text.csv"]), &["'humidity'", "'wet'", "line 3"]);
    contains(&folder.refused(&["predict", "none.json", "text.csv"]), &["none.json", "secateur fit DATA -o"]);
}

#[test]
fn the_mean_cost_is_told_when_mistakes_cost_differently() {
    let folder = Folder::new();
    folder.write("train.csv", "x,y\n1,good\n1,good\n1,good\n1,bad\n2,good\n2,good\n2,good\n2,good\n");
    folder.write("costs.csv", "actual,predicted,cost\nbad,good,5\n");
    let fit = ["fit", "train.csv", "-s", "cart:min-leaf=1", "--costs", "costs.csv", "-o", "m.json", "-q"];
    folder.run(&fit).ok();
    // At 1, calling all bad costs 3 and calling all good costs 5. So the rows below cost 1, 0, 5, 0, a row without
    // a class stays out, and one of a class the tree does not know costs 5: 11 on five rows.
    folder.write("test.csv", "x,y\n1,good\n1,bad\n2,bad\n2,good\n2,?\n2,odd\n");
    let told = folder.json(&["predict", "m.json", "test.csv"]);
    assert_eq!(
        (&told["mean_cost"], &told["accuracy"], &told["scored"]),
        (&2.2.into(), &0.4.into(), &5.into())
    );
    contains(
        &folder.run(&["predict", "m.json", "test.csv"]).err,
        &["note: accuracy 40.00 % of 5 rows with a target\nnote: mean cost 2.2 per row\n"],
    );
    folder.write("new.csv", "x\n1\n");
    assert!(folder.json(&["predict", "m.json", "new.csv"]).get("mean_cost").is_none());
    let told = weather().json(&["predict", "m.json", "builtin:weather"]);
    assert!(told.get("mean_cost").is_none(), "without costs it is the error rate");
}
