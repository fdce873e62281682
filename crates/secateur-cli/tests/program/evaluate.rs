//! `secateur evaluate`.

use super::*;

fn close(value: &Value, wanted: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - wanted).abs() < 1e-9, "{value} is not {wanted}");
}

#[test]
fn the_json_has_the_keys_of_the_contract() {
    let told =
        Folder::new().json(&["evaluate", "builtin:iris", "--scheme", "cart", "--cv", "10", "--repeats", "2"]);
    assert_eq!(told["scheme"], "cart");
    let accuracy = &told["accuracy"];
    let values: Vec<f64> =
        accuracy["values"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    assert_eq!((values.len(), &told["divisions"]), (20, &20.into()));
    let mean = values.iter().sum::<f64>() / 20.0;
    close(&accuracy["mean"], mean);
    close(&accuracy["sd"], (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 19.0).sqrt());
    assert!((0.9..1.0).contains(&mean), "{mean}");
    let interval = &accuracy["interval"];
    assert!(interval["low"].as_f64().unwrap() < mean && mean < interval["high"].as_f64().unwrap());
    for key in ["leaves", "nodes", "depth", "error", "auc", "log_loss", "brier", "fit_seconds"] {
        assert!(told[key]["mean"].is_number() && told[key]["sd"].is_number(), "{key}");
    }
    assert!(told["seconds"].is_number());
    // Two repetitions of 150 rows; what is right in the matrix is the accuracy.
    let confusion: Vec<Vec<f64>> = serde_json::from_value(told["confusion"].clone()).unwrap();
    assert_eq!(confusion.iter().flatten().sum::<f64>(), 300.0);
    close(&accuracy["mean"], (0..3).map(|i| confusion[i][i]).sum::<f64>() / 300.0);
    assert_eq!(told["classes"][0]["class"], "Iris-setosa");
    close(&told["classes"][2]["recall"], confusion[2][2] / 100.0);
    assert_eq!(told["classes"][1]["support"], 100.0);
}

#[test]
fn numbers_are_judged_by_their_errors() {
    let told = Folder::new().json(&["evaluate", "builtin:friedman?n=200", "-s", "cart", "--cv", "4"]);
    let (mse, rmse) = (&told["mse"]["values"], &told["rmse"]["values"]);
    for i in 0..4 {
        close(&rmse[i], mse[i].as_f64().unwrap().sqrt());
    }
    assert!(told["mae"]["mean"].is_number());
    for key in ["accuracy", "confusion", "classes"] {
        assert!(told.get(key).is_none(), "{key}");
    }
}

#[test]
fn the_report_stands_in_every_format() {
    let folder = Folder::new();
    let run =
        |format: &str| folder.run(&["evaluate", "builtin:weather", "--cv", "3", "--format", format]).ok();
    let text = run("text");
    contains(
        &text,
        &[
            "cart:value-guard,leaf-values=shrink/cost-complexity:cv=9",
            "3-fold cross-validation, stratified, seed 1",
            "accuracy %",
            "±",
        ],
    );
    contains(&text, &["precision %", "Confusion", "taken for", "95 % interval", "time to fit (s)"]);
    contains(&run("markdown"), &["| accuracy % |", "**Classes**"]);
    contains(&run("latex"), &["\\begin{tabular}", "accuracy \\%"]);
    contains(&run("html"), &["<table", "accuracy %"]);
    let csv = run("csv");
    assert!(csv.starts_with("data set,scheme,share,measure,mean,sd,low,high,values\nweather,"), "{csv}");
    contains(&folder.refused(&["evaluate", "builtin:weather", "--format", "pdf"]), &["unknown format 'pdf'"]);
    let few = folder.run(&["evaluate", "builtin:weather", "--cv", "3", "--measure", "leaves"]).ok();
    assert!(few.contains("leaves") && !few.contains("log loss"), "{few}");
}

#[test]
fn every_protocol_divides_as_it_says() {
    let folder = Folder::new();
    let run = |flags: &[&str]| {
        let told = folder.json(&[&["evaluate", "builtin:iris", "-s", "cart/reduced-error"], flags].concat());
        (told["divisions"].as_u64().unwrap(), told["protocol"].as_str().unwrap().to_string())
    };
    assert_eq!(run(&["--window", "1/20"]), (20, "rotating window, 1 of 20 parts to learn from".into()));
    assert_eq!(
        run(&["--random", "7", "--train", "0.5"]),
        (7, "7 random trials, 0.500 of the rows to learn from".into())
    );
    assert_eq!(run(&["--validation", "0.2"]).0, 5);
    let lines: String = (0..150).map(|row| format!("{row},{}\n", row % 3)).collect();
    folder.write("folds.csv", format!("row,fold\n{lines}"));
    assert_eq!(run(&["--folds", "folds.csv"]), (3, "3 folds from a file".into()));
    for flags in [
        &["--window", "1/20", "--cv", "3"][..],
        &["--random", "3", "--repeats", "2"],
        &["--train", "0.5"],
        &["--folds", "folds.csv", "--cv", "3"],
        &["--test-data", "x.csv", "--cv", "3"],
    ] {
        folder.refused(&[&["evaluate", "builtin:iris"], flags].concat());
    }
}

#[test]
fn priors_shape_the_trees_and_measures_say_what_they_are_weighted_to() {
    let folder = Folder::new();
    let call = ["evaluate", "builtin:credit", "-s", "cart/mdl", "--cv", "3", "--priors", "good=0.2,bad=0.8"];
    let told = folder.json(&call);
    // Test rows count as they are.
    let confusion: Vec<f64> = told["confusion"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .map(|x| x.as_f64().unwrap())
        .collect();
    assert_eq!(confusion.iter().sum::<f64>(), told["dataset"]["rows"].as_f64().unwrap());
    let recall = |class: &str| {
        let of = told["classes"].as_array().unwrap().iter().find(|c| c["class"] == class).unwrap();
        of["recall"].as_f64().unwrap()
    };
    let weighted = told["weighted_to_priors"]["accuracy"].as_f64().unwrap();
    assert!((weighted - 0.2 * recall("good") - 0.8 * recall("bad")).abs() < 1e-12, "{told}");
    contains(&folder.run(&call).ok(), &["test rows as they are; weighted exactly to the priors", "accuracy"]);
    let plain = folder.json(&call[..6]);
    assert!(plain.get("weighted_to_priors").is_none());
    assert_ne!(plain["confusion"], told["confusion"]);
    let compare = ["compare", "builtin:credit", "-s", "cart", "-s", "cart/mdl", "--cv", "2"];
    let priors = [&compare[..], &["--priors", "good=0.2,bad=0.8"]].concat();
    contains(&folder.run(&priors).ok(), &["not weighted to the priors"]);
    assert!(!folder.run(&compare).ok().contains("priors"));
}

#[test]
fn a_file_to_test_on_is_not_learned_from() {
    let folder = Folder::new();
    let rows = |from: u32, n: u32| -> String {
        (from..from + n)
            .map(|i| format!("{},{}\n", i % 10, if i % 10 < 5 { "low" } else { "high" }))
            .collect()
    };
    folder.write("train.csv", format!("x,y\n{}", rows(0, 40)));
    // The same columns the other way round, and one wrong label.
    let test: String = rows(3, 19)
        .lines()
        .map(|line| line.split_once(',').unwrap())
        .map(|(x, y)| format!("{y},{x}\n"))
        .collect();
    folder.write("test.csv", format!("y,x\n{test}low,7\n"));
    let told = folder.json(&["evaluate", "train.csv", "--test-data", "test.csv", "-s", "cart"]);
    assert_eq!(told["protocol"], "40 rows to learn from, the others to test on");
    close(&told["accuracy"]["mean"], 0.95);
    assert_eq!(told["nodes"]["mean"], 3.0);
    assert_eq!(told["classes"].as_array().unwrap().len(), 2);
    // Wilson's interval of 19 of 20.
    assert!((told["accuracy"]["interval"]["low"].as_f64().unwrap() - 0.7639).abs() < 1e-3);
    folder.write("other.csv", "x,z\n1,low\n");
    contains(&folder.refused(&["evaluate", "train.csv", "--test-data", "other.csv"]), &["other.csv", "'z'"]);
    contains(
        &folder.refused(&["evaluate", "train.csv", "builtin:iris", "--test-data", "test.csv"]),
        &["one data set"],
    );
}

#[test]
fn a_learning_curve_has_a_point_for_every_share() {
    let folder = Folder::new();
    let args = ["evaluate", "builtin:iris", "-s", "cart", "--cv", "5", "--learning-curve", "1,0.25"];
    let told = folder.json(&args);
    let curve = told["curve"].as_array().unwrap();
    assert_eq!((curve.len(), &curve[0]["share"], &curve[1]["share"]), (2, &0.25.into(), &1.0.into()));
    assert_eq!((&curve[0]["train"], &curve[1]["train"]), (&30.0.into(), &120.0.into()));
    assert_eq!(told["accuracy"], curve[1]["accuracy"]);
    contains(&folder.run(&args).ok(), &["learning curve", " 0.25 "]);
}

#[test]
fn several_data_sets_stand_below_each_other() {
    let folder = Folder::new();
    let told = folder.json(&["evaluate", "builtin:iris", "builtin:weather", "-s", "c45", "--cv", "3"]);
    let results = told["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[1]["dataset"]["name"]), (2, &"weather".into()));
    assert!(results[0]["accuracy"]["mean"].is_number());
}

#[test]
fn wrong_calls_are_told_before_the_work() {
    let folder = Folder::new();
    let refused = |flags: &[&str], parts: &[&str]| {
        contains(&folder.refused(&[&["evaluate", "builtin:iris"], flags].concat()), parts);
    };
    refused(&["--measure", "acuracy"], &["unknown measure 'acuracy' (did you mean 'accuracy'?)"]);
    refused(&["--measure", "mse"], &["has classes", "no mean squared error"]);
    refused(&["--measure", "nodes,nodes"], &["twice"]);
    refused(&["--cv", "151"], &["iris: 151 folds of 150 rows"]);
    for cv in ["0", "1", "-1", "x"] {
        refused(&["--cv", cv], &["--cv"]);
    }
    refused(&["--repeats", "0"], &["--repeats"]);
    refused(&["--window", "20/20"], &["20 of 20 parts"]);
    refused(&["--window", "1of20"], &["TRAIN/PARTS", "1/20"]);
    refused(&["--random", "3", "--train", "1"], &["1 is not a share"]);
    refused(&["--validation", "1.5"], &["1.5 is not a share"]);
    refused(&["--learning-curve", "0.5,0"], &["0 is not a share"]);
    refused(&["--learning-curve", "0.5,0.5"], &["twice"]);
    refused(&["--scheme", "crat"], &["did you mean 'cart'?"]);
    refused(&["--scheme", "cart:criterion=mse"], &["for regression"]);
    contains(
        &folder.refused(&["evaluate", "builtin:friedman", "-s", "cart/mdl"]),
        &["mdl is for classification"],
    );
    // A scheme that cannot work is a failure of the work.
    let done = folder.run(&["evaluate", "builtin:iris", "-s", "cart/cost-complexity:cv=140"]);
    assert_eq!((done.code, done.out.as_str()), (1, ""));
    contains(&done.err, &["error: cart/cost-complexity:cv=140 failed on iris: 140 folds of 135 rows"]);
}

/// Numbers around another mean than that of the rows learned from.
#[test]
fn r_squared_compares_with_the_mean_of_the_scored_rows_everywhere() {
    let folder = Folder::new();
    let line = |i: usize, shift: f64| {
        let x = (i * 37 % 100) as f64 / 100.0;
        let y = 10.0 * x + ((i * 61 % 97) as f64 / 97.0 - 0.5) + shift;
        format!("{x},{y}\n")
    };
    folder.write("train.csv", "x,y\n".to_string() + &(0..200).map(|i| line(i, 0.0)).collect::<String>());
    folder
        .write("test.csv", "x,y\n".to_string() + &(0..90).map(|i| line(3 * i + 1, 2.0)).collect::<String>());
    let scheme = ["-s", "cart:min-leaf=10"];
    folder.run(&[&["fit", "train.csv", "-o", "m.json", "-q"][..], &scheme].concat()).ok();
    let r2 = |told: &Value| told["r2"].as_f64().unwrap();
    let predicted = folder.json(&["predict", "m.json", "test.csv"]);
    let evaluated =
        folder.json(&[&["evaluate", "train.csv", "--test-data", "test.csv"][..], &scheme].concat());
    // By the definition.
    let y: Vec<f64> =
        (0..90).map(|i| line(3 * i + 1, 2.0).trim().split_once(',').unwrap().1.parse().unwrap()).collect();
    let mean = y.iter().sum::<f64>() / 90.0;
    let spread = y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / 90.0;
    let expected = 1.0 - predicted["mse"].as_f64().unwrap() / spread;
    assert!(expected < 0.6, "{expected}");
    for told in [&predicted, &evaluated] {
        assert!((r2(told) - expected).abs() < 1e-9, "{} is not {expected}", r2(told));
    }
    // The baseline's own is not above 0, and is shown.
    let text =
        folder.run(&[&["evaluate", "train.csv", "--test-data", "test.csv"][..], &scheme].concat()).ok();
    let line = text.lines().find(|line| line.starts_with("R²")).unwrap();
    let cells: Vec<f64> = line.split_whitespace().skip(1).filter_map(|cell| cell.parse().ok()).collect();
    assert!((cells[0] - expected).abs() < 1e-4 && cells[1] < 0.0, "{line}");
    // All rows are scored once: the same definition for folds.
    let folds = folder.json(&[&["evaluate", "train.csv", "--cv", "5"][..], &scheme].concat());
    let y: Vec<f64> = (0..200).map(|i| line_of(&folder, i)).collect();
    let mean = y.iter().sum::<f64>() / 200.0;
    let spread = y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / 200.0;
    let mse = folds["mse"]["mean"].as_f64().or(folds["mse"].as_f64()).unwrap();
    assert!((r2(&folds) - (1.0 - mse / spread)).abs() < 1e-9);
}

/// The target of a row of the table learned from.
fn line_of(folder: &Folder, row: usize) -> f64 {
    let text = folder.read("train.csv");
    text.lines().nth(row + 1).unwrap().split_once(',').unwrap().1.parse().unwrap()
}

#[test]
fn values_of_test_rows_that_no_training_row_has_are_noted_and_classes_refused() {
    let folder = Folder::new();
    let rows = |count: usize, of: &dyn Fn(usize) -> String| {
        "colour,size,class\n".to_string() + &(0..count).map(of).collect::<String>()
    };
    let colour = |i: usize| ["red", "green", "blue"][i % 3];
    let class = |i: usize| if i.is_multiple_of(3) { "warm" } else { "cold" };
    folder.write("train.csv", rows(60, &|i| format!("{},{},{}\n", colour(i), i % 7, class(i))));
    folder.write("loud.csv", rows(30, &|i| format!("{},{},{}\n", colour(i).to_uppercase(), i % 7, class(i))));
    folder.write(
        "other.csv",
        rows(30, &|i| format!("{},{},{}\n", colour(i), i % 7, if i == 4 { "Cold" } else { class(i) })),
    );
    let scheme = ["-s", "cart"];
    for (command, place) in [("evaluate", "/dataset/notes"), ("compare", "/datasets/0/notes")] {
        let call = |test: &'static str| -> Vec<&'static str> {
            let mut call = vec![command, "train.csv", "--test-data", test, "-s", "cart"];
            call.extend(if command == "compare" { vec!["-s", "cart/mdl"] } else { vec![] });
            call
        };
        let said = "'RED', 'GREEN', 'BLUE' of 'colour' (30 rows) are in no training row";
        contains(&folder.run(&call("loud.csv")).err, &[said]);
        let told = folder.json(&call("loud.csv"));
        let notes = told.pointer(place).unwrap().to_string();
        assert!(notes.contains("\"unseen\"") && notes.contains("RED"), "{notes}");
        let refused = folder.refused(&call("other.csv"));
        contains(
            &refused,
            &["other.csv, attribute 'class': row 5 is of class 'Cold', which no training row has"],
        );
        assert!(!folder.run(&call("train.csv")).err.contains("no training row"));
    }
    // Classes that are numbers.
    folder.write(
        "n.csv",
        "x,y\n".to_string() + &(0..40).map(|i| format!("{},{}\n", i % 7, i % 2)).collect::<String>(),
    );
    folder.write("n2.csv", "x,y\n1,0\n2,1\n3,2\n");
    let call = ["evaluate", "n.csv", "--test-data", "n2.csv", "--task", "classification"];
    contains(
        &folder.refused(&[&call[..], &scheme].concat()),
        &["row 3 is of class '2', which no training row has"],
    );
}
