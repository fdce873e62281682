//! Scorecards: the formulas computed a second time, and a worked example.

use secateur::prelude::*;
use secateur_exchange::export::{self, Options};

/// Two leaves with 40 good and 10 bad, 10 good and 40 bad rows.
fn model() -> Model {
    let x = (0..100).map(|row| f64::from(row % 2));
    let class = (0..100).map(|row| if (row / 2 % 5 == 0) == (row % 2 == 0) { "bad" } else { "good" });
    let table = Table::builder().numeric("x", x).text("class", class.collect::<Vec<_>>()).build().unwrap();
    Fit::new(&table, "class").scheme("cart").model().unwrap()
}

fn card(model: &Model, given: &[(&str, &str)]) -> Vec<Vec<String>> {
    let format = export::find("scorecard").unwrap();
    let options = Options::new(format, given.iter().copied()).unwrap();
    let written = export::export(model, format, &options, None).unwrap();
    let lines = written.text().unwrap().lines().map(|line| line.split(',').map(String::from).collect());
    lines.collect()
}

#[test]
fn points_and_evidence_are_those_of_the_formulas() {
    let model = model();
    let card = card(&model, &[("good", "good"), ("smoothing", "0.000000001")]);
    assert_eq!(card[0][2..5], ["weight of good", "weight of bad", "share of good"]);
    let number = |line: usize, column: usize| card[line][column].parse::<f64>().unwrap();
    // 40 of 50 good and 10 of 50 bad rows: the evidence is ln 4, the odds are 4.
    let (best, worst) = if number(1, 2) > number(2, 2) { (1, 2) } else { (2, 1) };
    assert_eq!((number(best, 2), number(best, 3)), (40.0, 10.0));
    let four = 4f64.ln();
    assert!((number(best, 6) - four).abs() < 1e-9 && (number(worst, 6) + four).abs() < 1e-9);
    assert!((number(best, 7) - 0.6 * four).abs() < 1e-9);
    assert!((number(3, 7) - 1.2 * four).abs() < 1e-9);
    // 600 points at odds of 50 to 1, and 20 fewer for every halving.
    let points = |odds: f64| 600.0 + 20.0 * (odds / 50.0).log2();
    assert_eq!((number(best, 8), number(worst, 8)), (points(4.0).round(), points(0.25).round()));
}

#[test]
fn an_empty_class_has_finite_evidence() {
    let table = Table::builder().numeric("x", [1, 2, 3, 4]).text("c", ["a", "a", "b", "b"]).build().unwrap();
    let model = Fit::new(&table, "c").scheme("cart").model().unwrap();
    let card = card(&model, &[]);
    // (2 + 0.5) / (2 + 1) to (0 + 0.5) / (2 + 1)
    assert!((card[1][6].parse::<f64>().unwrap() - 5f64.ln()).abs() < 1e-15);
}

#[test]
fn what_is_no_scorecard_is_refused() {
    let iris = secateur::fit(&secateur::data::builtin::load("iris").unwrap(), "class").unwrap();
    let format = export::find("scorecard").unwrap();
    let refused = |model: &Model, given: &[(&str, &str)]| {
        let options = Options::new(format, given.iter().copied()).unwrap();
        export::export(model, format, &options, None).unwrap_err().to_string()
    };
    assert!(refused(&iris, &[]).contains("two classes, and it has 3"));
    assert!(refused(&model(), &[("good", "godo")]).contains("did you mean 'good'"));
    let bare = model();
    let bare = Model { tree: bare.tree.clone().without_counts(), ..bare };
    assert!(refused(&bare, &[]).contains("has no counts of training rows"));
    assert!(Options::new(format, [("pdo", "0")]).unwrap_err().to_string().contains("expected a number"));
}
