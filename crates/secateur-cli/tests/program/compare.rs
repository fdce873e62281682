//! `secateur compare`.

use super::*;

#[test]
fn the_json_has_the_keys_of_the_contract() {
    let told = Folder::new().json(&[
        "compare",
        "builtin:iris",
        "builtin:credit?n=200",
        "-s",
        "cart",
        "-s",
        "cart:max-leaves=2",
        "-s",
        "c45/error-based",
        "--cv",
        "5",
        "--base",
        "cart:max-leaves=2,min-leaf=1",
    ]);
    assert_eq!(told["schemes"], serde_json::json!(["cart", "cart:max-leaves=2", "c45/error-based"]));
    assert_eq!(told["base"], "cart:max-leaves=2");
    let names: Vec<&str> =
        told["datasets"].as_array().unwrap().iter().map(|d| d["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["iris", "credit?n=200"]);
    let results = told["results"].as_array().unwrap();
    assert_eq!(results.len(), 6);
    assert_eq!(results[0]["accuracy"]["values"].as_array().unwrap().len(), 5);
    assert_eq!((&results[0]["train"], &results[0]["test"]), (&120.into(), &30.into()));
    // Two schemes on two data sets by two measures.
    let tests = told["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 8);
    let iris = tests.iter().find(|t| t["scheme"] == "cart" && t["measure"] == "accuracy").unwrap();
    // A tree of two leaves knows two of three classes of iris.
    assert_eq!((&iris["dataset"], &iris["mark"]), (&"iris".into(), &"larger".into()));
    assert!(iris["difference"].as_f64().unwrap() > 0.2 && iris["p"].as_f64().unwrap() < 0.05);
    assert!(iris["interval"]["low"].as_f64().unwrap() > 0.0);
    let difference: f64 = (0..5)
        .map(|i| {
            results[0]["accuracy"]["values"][i].as_f64().unwrap()
                - results[1]["accuracy"]["values"][i].as_f64().unwrap()
        })
        .sum();
    assert!((difference / 5.0 - iris["difference"].as_f64().unwrap()).abs() < 1e-12);
    assert_eq!(told["overall"][0]["average_ranks"].as_array().unwrap().len(), 3);
    assert!(told["overall"][0]["friedman"]["p"].is_number());
    assert_eq!(told["failures"], serde_json::json!([]));
    assert_eq!(told["test"]["kind"], "corrected-t");
}

#[test]
fn one_data_set_has_its_schemes_in_lines() {
    let text = Folder::new()
        .run(&["compare", "builtin:iris", "-s", "cart", "-s", "cart:max-leaves=2", "--cv", "5"])
        .ok();
    contains(&text, &["5-fold cross-validation, stratified, seed 1", "every scheme has the same divisions"]);
    contains(
        &text,
        &[
            "+ larger, − smaller than cart: corrected resampled t test (Nadeau and Bengio), two-sided at 0.05.",
        ],
    );
    let line = text.lines().find(|line| line.starts_with("cart:max-leaves=2 ")).unwrap();
    assert!(line.contains("66.67 ± 0.00 −"), "{line}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn several_data_sets_have_a_table_for_each_measure() {
    let folder = Folder::new();
    let args = ["compare", "builtin:iris", "builtin:weather", "builtin:monks-3", "--cv", "3"];
    let text = folder.run(&args).ok();
    contains(
        &text,
        &["accuracy %", "nodes", "larger/same/smaller", "average rank", "(14)  cart/reduced-error"],
    );
    contains(&text, &["Friedman over 3 data sets", "Nemenyi", "Holm at 0.05"]);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let run = |format: &str| {
        folder.run(&[&args[..], &["-s", "cart", "-s", "c45", "--format", format]].concat()).ok()
    };
    contains(&run("text"), &["Wilcoxon"]);
    contains(&run("markdown"), &["| data set | cart | c45 |"]);
    contains(&run("html"), &["<table", "monks-3"]);
    contains(&run("latex"), &["\\begin{tabular}"]);
    assert_eq!(run("csv").lines().count(), 1 + 2 * 2 * 3);
}

#[test]
fn numbers_have_the_schemes_that_fit_them() {
    let told = Folder::new().json(&["compare", "builtin:friedman?n=100", "--cv", "3"]);
    assert_eq!(told["measures"], serde_json::json!(["mse", "nodes"]));
    let schemes = told["schemes"].as_array().unwrap();
    assert!(schemes.len() >= 4 && !schemes.contains(&"cart/mdl".into()), "{schemes:?}");
    assert_eq!(told["failures"], serde_json::json!([]));
}

#[test]
fn without_schemes_the_default_of_fit_is_the_first_and_the_base() {
    let folder = Folder::new();
    for data in ["builtin:monks-3", "builtin:friedman?n=60"] {
        let told = folder.json(&["compare", data, "--cv", "3"]);
        let fitted = folder.json(&["fit", data]);
        assert_eq!((&told["schemes"][0], &told["base"]), (&fitted["scheme"], &fitted["scheme"]), "{data}");
        let schemes: Vec<&Value> = told["schemes"].as_array().unwrap().iter().collect();
        let times = |one: &Value| schemes.iter().filter(|other| **other == one).count();
        assert!(schemes.len() > 4 && schemes.iter().all(|one| times(one) == 1), "{schemes:?}");
    }
    // Of a small table, the one for as many rows as every fit has.
    let told = folder.json(&["compare", "builtin:weather", "--cv", "2"]);
    assert_eq!(told["schemes"][0], folder.json(&["evaluate", "builtin:weather", "--cv", "2"])["scheme"]);
}

#[test]
fn a_scheme_that_fails_on_one_data_set_does_not_stop_the_others() {
    let folder = Folder::new();
    let args = [
        "compare",
        "builtin:iris",
        "builtin:weather",
        "-s",
        "cart",
        "-s",
        "cart/cost-complexity:cv=12",
        "--cv",
        "3",
    ];
    let text = folder.run(&args).ok();
    contains(&text, &["failed", "cart/cost-complexity:cv=12 failed on weather: 12 folds of"]);
    let told = folder.json(&args);
    assert_eq!(told["failures"][0]["dataset"], "weather");
    let result = told["results"].as_array().unwrap().iter().find(|r| r["failures"] == 3).unwrap();
    assert_eq!(result["accuracy"]["mean"], Value::Null);
    let done = folder.run(&["compare", "builtin:weather", "-s", "cart/cost-complexity:cv=12", "--cv", "3"]);
    assert_eq!((done.code, done.out.as_str()), (1, ""));
    contains(&done.err, &["failed on weather"]);
}

#[test]
fn tests_levels_and_thresholds_decide_marks() {
    let folder = Folder::new();
    let marks = |flags: &[&str]| -> Vec<String> {
        let args = ["compare", "builtin:credit?n=600", "-s", "cart", "-s", "cart/mdl", "--cv", "10"];
        let told = folder.json(&[&args[..], flags].concat());
        told["tests"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t["mark"].as_str().unwrap_or("none").to_string())
            .collect()
    };
    assert_eq!(marks(&[]), ["larger", "smaller"]);
    assert_eq!(marks(&["--test", "paired-t"]), ["larger", "smaller"]);
    assert_eq!(marks(&["--level", "0.000001"]), ["same", "smaller"]);
    assert_eq!(marks(&["--threshold", "0.5"]), ["same", "smaller"]);
    assert_eq!(marks(&["--threshold", "nodes=10000,accuracy=0.001"]), ["larger", "same"]);
    assert_eq!(marks(&["--test", "one-sided-proportions"]), ["larger", "none"]);
    assert_eq!(marks(&["--measure", "error"]), ["smaller"]);
}

#[test]
fn costs_are_compared_by_what_mistakes_cost() {
    let folder = Folder::new();
    folder.write("costs.csv", "actual,predicted,cost\nno,yes,5\n");
    let told = folder.json(&[
        "compare",
        "builtin:weather",
        "-s",
        "cart",
        "-s",
        "c45",
        "--cv",
        "2",
        "--costs",
        "costs.csv",
    ]);
    assert_eq!(told["measures"], serde_json::json!(["loss", "accuracy", "nodes"]));
}

#[test]
fn wrong_calls_are_told_before_the_work() {
    let folder = Folder::new();
    let refused = |args: &[&str], parts: &[&str]| {
        contains(&folder.refused(&[&["compare"], args].concat()), parts);
    };
    refused(&["builtin:iris", "builtin:iris"], &["builtin:iris appears twice"]);
    refused(
        &["builtin:iris", "builtin:friedman"],
        &["friedman has numbers and that of iris classes", "two calls"],
    );
    refused(&["builtin:iris", "none.csv"], &["none.csv", "cannot read it"]);
    refused(&["builtin:iris", "-s", "cart", "-s", "cart:min-leaf=1"], &["the scheme cart appears twice"]);
    refused(&["builtin:iris", "-s", "cart", "--base", "c45"], &["c45 is not one of the schemes"]);
    refused(&["builtin:iris", "--test", "pared-t"], &["did you mean 'paired-t'?"]);
    refused(&["builtin:iris", "--level", "5"], &["level of the test is 5"]);
    refused(&["builtin:iris", "--threshold", "auc=1"], &["--threshold", "'auc=1'"]);
    refused(&["builtin:iris", "--threshold", "-1"], &["--threshold"]);
    refused(&["builtin:iris", "--test", "proportions", "--repeats", "2"], &["judged several times"]);
    refused(&["builtin:iris", "builtin:weather", "--cv", "15"], &["weather: 15 folds of 14 rows"]);
    refused(&["builtin:iris", "builtin:weather", "--folds", "f.csv"], &["one data set"]);
    refused(&["builtin:iris", "--measure", "mae"], &["mean absolute error"]);
    refused(&["builtin:iris", "--results", "none/r.jsonl"], &["no such folder"]);
    refused(&[], &["<DATA>"]);
}

#[test]
fn a_page_begins_with_an_overview_and_pictures() {
    let folder = Folder::new();
    let call = ["compare", "builtin:iris", "builtin:weather", "builtin:balance-scale"];
    let schemes = ["-s", "cart", "-s", "cart/mdl", "-s", "c45/error-based", "--cv", "3", "-q"];
    let args = [&call[..], &schemes, &["--format", "html", "--pictures", "pictures"]].concat();
    let page = folder.run(&args).ok();
    contains(
        &page,
        &[
            "<h1>3 schemes on 3 data sets</h1>",
            "<code>secateur compare builtin:iris ",
            "Overview: means over 3 data sets",
            "average rank",
            "critical difference",
            "default-src 'none'",
        ],
    );
    assert_eq!(page.matches("<svg ").count(), 2);
    for name in ["ranks.svg", "size.svg"] {
        let picture = folder.read(&format!("pictures/{name}"));
        assert!(picture.starts_with("<svg ") && page.contains(&picture), "{name}");
    }
    // Other formats have neither, and one scheme gives nothing to draw.
    let text = folder.run(&[&call[..], &schemes].concat()).ok();
    assert!(!text.contains("Overview") && !text.contains("<svg"));
    let refused =
        folder.refused(&["compare", "builtin:iris", "-s", "cart", "--cv", "3", "--pictures", "p", "-q"]);
    contains(&refused, &["--pictures", "nothing to draw"]);
}

#[test]
fn a_browser_obeys_the_style_of_a_report_and_no_other() {
    let folder = Folder::new();
    folder.run(&["evaluate", "builtin:iris", "-s", "cart", "--cv", "2", "-o", "r.html", "-q"]).ok();
    let page = folder.read("r.html");
    let (_, rest) = page.split_once("<style>").unwrap();
    folder.write("style", rest.split_once("</style>").unwrap().0);
    let code = "import base64,hashlib;print(base64.b64encode(hashlib.sha256(open('style','rb').read()).digest()).decode())";
    let python =
        std::process::Command::new("python3").args(["-c", code]).current_dir(folder.0.path()).output();
    let Ok(python) = python else { return secateur_testing::skip("python3", "there is no python3") };
    let hash = String::from_utf8(python.stdout).unwrap();
    let policy = format!("default-src 'none'; style-src 'sha256-{}'", hash.trim());
    assert!(page.contains(&policy), "expected {policy}");
    assert!(!page.contains(" style="), "an attribute would not be obeyed");
    // A title, the call and an overview with the baseline.
    contains(
        &page,
        &[
            "<h1>cart on iris</h1>",
            "<pre><code>secateur evaluate builtin:iris",
            "<caption>Overview</caption>",
            "baseline",
        ],
    );
}
