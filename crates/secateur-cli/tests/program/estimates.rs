//! Every estimate stands beside its baseline, with what was taken for what.

use super::{Folder, contains};

#[test]
fn fit_shows_the_confusion_of_its_cross_validation() {
    let folder = Folder::new();
    let told = folder.json(&["fit", "builtin:iris"]);
    let confusion = told["estimate"]["confusion"].as_array().unwrap();
    let rows: f64 =
        confusion.iter().flat_map(|row| row.as_array().unwrap()).map(|n| n.as_f64().unwrap()).sum();
    assert_eq!((confusion.len(), rows), (3, 150.0));
    let printed = folder.run(&["fit", "builtin:iris", "--width", "120"]).ok();
    let cells: Vec<Vec<&str>> = printed.lines().map(|line| line.split_whitespace().collect()).collect();
    let head =
        cells.iter().position(|line| line.starts_with(&["actual", "\\", "predicted"])).expect("a table");
    assert_eq!(
        cells[head],
        ["actual", "\\", "predicted", "Iris-setosa", "Iris-versicolor", "Iris-virginica"]
    );
    assert_eq!(cells[head + 1][0], "Iris-setosa");
    assert_eq!(cells[head + 1][1].parse::<f64>().ok(), confusion[0][0].as_f64());
    let narrow = folder.run(&["fit", "builtin:iris", "--width", "50"]).ok();
    assert!(narrow.lines().all(|line| line.chars().count() <= 50), "{narrow}");
    let before_the_tree = printed.lines().take_while(|line| !line.starts_with('├')).count();
    assert!(before_the_tree <= 6, "{printed}");
    let none = folder.run(&["fit", "builtin:iris", "-s", "cart/mdl"]).ok();
    assert!(!none.contains("Confusion matrix"), "{none}");
}

#[test]
fn fit_tells_an_error_that_was_not_used_to_choose() {
    let folder = Folder::new();
    let scheme = ["fit", "builtin:credit?n=300", "-s", "cart/cost-complexity:cv=10"];
    let with = |more: &[&'static str]| [&scheme[..], more].concat();
    let told = folder.json(&scheme)["estimate"].clone();
    let number = |told: &serde_json::Value, key: &str| told[key].as_f64().unwrap();
    let path = folder.json(&["path", "builtin:credit?n=300", "-s", "cart/cost-complexity:cv=10"]);
    let chosen = &path["steps"][path["selected"].as_u64().unwrap() as usize];
    let apparent = number(&told, "error") - number(&told, "bias_correction");
    assert!((apparent - number(chosen, "cv_error")).abs() < 1e-12 && number(&told, "bias_correction") >= 0.0);
    assert_eq!(told["method"], "10-fold cross-validation, adjusted for choosing the tree size");
    let sign = format!("choosing the tree size (+{:.1})", 100.0 * number(&told, "bias_correction"));
    let printed = folder.run(&with(&["--details"])).ok().replace("\n             ", " ");
    contains(&printed, &[&sign, "Confusion matrix (10-fold cross-validation):"]);

    let nested = folder.json(&with(&["--estimate", "nested"]));
    assert_eq!(nested["estimate"]["bias_correction"], serde_json::Value::Null);
    assert_eq!(nested["sets"]["by"], "nested 10-fold cross-validation");
    let judged = folder.json(&["evaluate", "builtin:credit?n=300", "-s", "cart/cost-complexity:cv=10"]);
    let wrong =
        |confusion: &serde_json::Value| (0..2).map(|i| confusion[i][1 - i].as_f64().unwrap()).sum::<f64>();
    assert_eq!(wrong(&nested["estimate"]["confusion"]), wrong(&judged["confusion"]));
    assert!((number(&nested["estimate"], "error") - wrong(&judged["confusion"]) / 300.0).abs() < 1e-12);
    contains(
        &folder.run(&with(&["--estimate", "nested"])).ok(),
        &["\nnested 10-fold cross-validation ", "Confusion matrix (nested 10-fold cross-validation):"],
    );

    assert_eq!(folder.json(&with(&["--estimate", "off"]))["estimate"], serde_json::Value::Null);
    assert!(!folder.run(&with(&["--estimate", "off"])).ok().contains("this tree"));
    contains(&folder.refused(&with(&["--estimate", "kind"])), &["corrected, nested or off"]);
    // A scheme that chooses nothing has none, unless folds are put around it.
    let mdl = ["fit", "builtin:credit?n=300", "-s", "cart/mdl"];
    assert_eq!(folder.json(&mdl)["estimate"], serde_json::Value::Null);
    assert!(number(&folder.json(&[&mdl[..], &["--estimate", "nested"]].concat())["estimate"], "error") > 0.0);
}

#[test]
fn fit_says_rmse_mae_and_r2() {
    let folder = Folder::new();
    let told = folder.json(&["fit", "builtin:houses?n=200"]);
    let number = |key: &str| told["estimate"][key].as_f64().unwrap();
    assert!((number("rmse").powi(2) / number("error") - 1.0).abs() < 1e-9);
    assert!(number("mae") < number("rmse") && number("r2") > 0.0 && number("r2") < 1.0);
    let printed = folder.run(&["fit", "builtin:houses?n=200"]).ok();
    contains(&printed, &[" RMSE ", " MAE ", " R²\n", "\nthis tree ", " 0.", "(baseline)"]);
}

#[test]
fn evaluate_has_a_baseline_beside_every_number() {
    let folder = Folder::new();
    let told = folder.json(&["evaluate", "builtin:credit?n=300", "-s", "cart/mdl", "--cv", "3"]);
    let baseline = &told["baseline"];
    assert_eq!(baseline["answer"], "good");
    let sum = baseline["accuracy"].as_f64().unwrap() + baseline["error"].as_f64().unwrap();
    assert!((sum - 1.0).abs() < 1e-9);
    let printed = folder.run(&["evaluate", "builtin:credit?n=300", "-s", "cart/mdl", "--cv", "3"]).ok();
    let error = format!("{:.2}", 100.0 * baseline["error"].as_f64().unwrap());
    contains(&printed, &["baseline", &error, "answers good to every row: the largest class"]);

    folder.write("costs.csv", "actual,predicted,cost\nbad,good,5\n");
    let call = ["evaluate", "builtin:credit?n=300", "-s", "cart/mdl", "--cv", "3", "--costs", "costs.csv"];
    assert_eq!(folder.json(&call)["baseline"]["answer"], "bad");
    contains(&folder.run(&call).ok(), &["answers bad to every row: the class that costs least"]);

    let call = ["evaluate", "builtin:houses?n=200", "--cv", "3"];
    let told = folder.json(&call);
    let r2 = told["r2"].as_f64().unwrap();
    let mse = told["mse"]["mean"].as_f64().unwrap() / told["baseline"]["mse"].as_f64().unwrap();
    // The mean of the training rows is never nearer to the scored rows than their own mean.
    assert!(r2 < 1.0 - mse + 1e-9 && r2 > 0.98 * (1.0 - mse), "{r2} {mse}");
    contains(&folder.run(&call).ok(), &["root mean squared error", "R²", &format!("{r2:.4}"), "the mean of"]);
}
