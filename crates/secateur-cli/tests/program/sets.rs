//! Sets of classes and intervals of numbers: `predict --sets`, `evaluate --sets`, `fit --calibrate`.

use super::*;

#[test]
fn predict_adds_a_set_or_an_interval() {
    let folder = Folder::new();
    folder
        .run(&["fit", "builtin:credit?n=400", "-s", "cart/cost-complexity:cv=10", "-o", "m.json", "-q"])
        .ok();
    let text = folder.run(&["predict", "m.json", "builtin:credit?n=400", "-q", "--sets", "0.95"]).ok();
    assert!(text.lines().next().unwrap().ends_with(",set,set_size"), "{text}");
    let sets: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').nth_back(1).unwrap()).collect();
    assert!(sets.iter().all(|set| ["good", "bad", "good|bad"].contains(set)) && sets.contains(&"good|bad"));
    let told = folder.json(&["predict", "m.json", "builtin:credit?n=400", "--sets", "0.95"]);
    assert_eq!((told["sets"]["level"].as_f64(), told["sets"]["rows"].as_u64()), (Some(0.95), Some(400)));
    assert_eq!(told["sets"]["by"], "10-fold cross-validation");
    let rows = told["predictions"].as_array().unwrap();
    for (row, set) in rows.iter().zip(&sets) {
        let names: Vec<&str> = row["set"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
        assert_eq!(names.join("|"), *set);
        assert!(names.contains(&row["prediction"].as_str().unwrap()), "the label is always in its set");
        assert_eq!(row["set_size"].as_u64().unwrap() as usize, names.len());
    }
    // On the rows it was grown from, more are inside than on new ones.
    assert!(told["coverage"].as_f64().unwrap() >= 0.94, "{}", told["coverage"]);
    let said = folder.run(&["predict", "m.json", "builtin:credit?n=400", "--sets", "0.95", "-o", "p.jsonl"]);
    contains(&said.err, &["% of 400 rows with a target are inside their set or interval"]);
    contains(&folder.read("p.jsonl"), &["\"set\":[\"good\",\"bad\"],\"set_size\":2"]);

    folder.run(&["fit", "builtin:houses?n=300", "-o", "r.json", "-q"]).ok();
    let text = folder.run(&["predict", "r.json", "builtin:houses?n=300", "-q", "--sets", "0.8"]).ok();
    assert!(text.lines().next().unwrap().ends_with("prediction,low,high"));
    for line in text.lines().skip(1) {
        let cells: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert!(cells[2] < cells[1] && cells[1] < cells[3]);
        assert!(((cells[2] + cells[3]) / 2.0 / cells[1] - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_model_without_scores_says_how_to_get_them() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-s", "cart/mdl", "-o", "m.json", "-q"]).ok();
    let said = folder.refused(&["predict", "m.json", "builtin:iris", "--sets", "0.9"]);
    contains(&said, &["m.json has no scores", "--estimate nested", "--calibrate 0.2", "cross-validation"]);
    folder.run(&["fit", "builtin:iris", "-o", "full.json", "-q"]).ok();
    folder.run(&["prune", "full.json", "--with", "cost-complexity:alpha=0", "-o", "p.json", "-q"]).ok();
    contains(&folder.refused(&["predict", "p.json", "builtin:iris", "--sets", "0.9"]), &["has no scores"]);
    for (level, said) in [("0.999", "at least 999 rows"), ("1", "between 0 and 1"), ("-1", "between 0 and 1")]
    {
        contains(
            &folder.refused(&["predict", "full.json", "builtin:iris", "--sets", level]),
            &["--sets", said],
        );
    }
    let other = ["predict", "full.json", "builtin:iris", "--sets", "0.9", "--leaf-values", "laplace"];
    contains(&folder.refused(&other), &["leave out the other leaf values"]);
    // Folds around it, or rows set aside, and any scheme has them.
    for more in [["--estimate", "nested"], ["--calibrate", "0.3"]] {
        let fit = [&["fit", "builtin:iris", "-s", "cart/mdl", "-o", "m.json"], &more[..]].concat();
        let told = folder.json(&fit);
        assert!(told["sets"]["rows"].as_u64().unwrap() >= 45, "{told}");
        folder.run(&["predict", "m.json", "builtin:iris", "--sets", "0.9", "-q"]).ok();
    }
    let aside = folder.json(&["fit", "builtin:iris", "--calibrate", "0.3"]);
    assert_eq!(
        (aside["rows"].as_u64(), aside["sets"]["by"].as_str()),
        (Some(105), Some("45 rows set aside"))
    );
    contains(&folder.refused(&["fit", "builtin:iris", "--calibrate", "1.5"]), &["between 0 and 1"]);
}

#[test]
fn evaluate_verifies_them() {
    let folder = Folder::new();
    let call =
        ["evaluate", "builtin:credit?n=400", "-s", "cart/cost-complexity:cv=5", "--cv", "5", "--sets", "0.8"];
    let told = folder.json(&call)["sets"].clone();
    let number = |key: &str| told[key].as_f64().unwrap();
    assert_eq!((number("level"), number("rows")), (0.8, 400.0));
    assert_eq!(told["held"], true, "{told}");
    let (low, high) = (told["band"]["low"].as_f64().unwrap(), told["band"]["high"].as_f64().unwrap());
    assert!(low < 0.8 && 0.8 < high && high - low < 0.1 && number("coverage") >= low);
    assert!(number("expected") >= 0.8 && (1.0..=2.0).contains(&number("mean_size")));
    let classes = told["classes"].as_array().unwrap();
    let sum: f64 =
        classes.iter().map(|c| c["rows"].as_f64().unwrap() * c["coverage"].as_f64().unwrap()).sum();
    assert!((sum / 400.0 - number("coverage")).abs() < 1e-12);
    let text = folder.run(&call).ok();
    contains(&text, &["Sets for 80 % of new rows", "inside %", "A set has ", "covered by sets %"]);

    let call = ["evaluate", "builtin:houses?n=300", "--cv", "5", "--sets", "0.9", "--calibrate", "0.3"];
    let told = folder.json(&call)["sets"].clone();
    assert_eq!(told["held"], true, "{told}");
    contains(
        &folder.run(&call).ok(),
        &["Intervals for 90 % of new rows", "An interval is ", "width of intervals"],
    );

    // A scheme without folds fails, with what to do.
    let done = folder.run(&["evaluate", "builtin:iris", "-s", "cart/mdl", "--sets", "0.9"]);
    assert_eq!(done.code, 1);
    contains(&done.err, &["no scores to make sets with", "set rows aside"]);
    folder.run(&["evaluate", "builtin:iris", "-s", "cart/mdl", "--sets", "0.8", "--calibrate", "0.3"]).ok();
    contains(&folder.refused(&["evaluate", "builtin:iris", "--sets", "9"]), &["--sets: 9 is not a share"]);
    contains(&folder.refused(&["evaluate", "builtin:iris", "--calibrate", "0.3"]), &["--sets"]);
    // Results of other sets are not mixed.
    let kept = ["evaluate", "builtin:iris", "--cv", "2", "--results", "r.jsonl", "--sets"];
    let first = folder.json(&[&kept[..], &["0.8"]].concat());
    let again = folder.json(&[&kept[..], &["0.8"]].concat());
    assert_eq!(first["sets"], again["sets"]);
    contains(&folder.refused(&[&kept[..], &["0.7"]].concat()), &["sets"]);
    contains(&folder.refused(&kept[..6]), &["another experiment"]);
}

/// The score of a row by a fold's tree and by the final one differ by little, and where all rows have the same score, that decides
/// whether all are inside.
#[test]
fn intervals_hold_where_nearly_all_numbers_are_one() {
    let folder = Folder::new();
    let x = |row: usize| row * 7919 % 10_007;
    let table = |rows: usize, other: usize| -> String {
        let line =
            |row: usize| format!("{},{},{}\n", x(row), x(row + 5000), u8::from(row * 61 % rows < other));
        "a,b,y\n".to_string() + &(0..rows).map(line).collect::<String>()
    };
    folder.write("new.csv", table(60, 0));
    for other in 3..33 {
        folder.write("t.csv", table(200, other));
        folder.run(&["fit", "t.csv", "--task", "regression", "-q", "-o", "m.json"]).ok();
        for level in ["0.5", "0.8"] {
            let told = folder.json(&["predict", "m.json", "new.csv", "--sets", level]);
            let predictions = told["predictions"].as_array().unwrap();
            let is_inside =
                |row: &&Value| row["low"].as_f64().unwrap() <= 0.0 && 0.0 <= row["high"].as_f64().unwrap();
            let inside = predictions.iter().filter(is_inside).count();
            assert!(inside >= 30, "{inside} of 60 are inside of {level} where {other} of 200 are others");
        }
    }
}
