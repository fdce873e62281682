//! The measures against scikit-learn, against definitions, and against the predictor.

use std::sync::Arc;

use proptest::prelude::*;

use super::measured_rows::{estimate, judge};
use super::scores::{Judged, residuals};
use super::*;
use crate::data::{CodedTable, CodedTarget, Roles, builtin};
use crate::grow::grow_weighted;
use crate::predict::{Predictions, Predictor};
use crate::progress::Silent;
use crate::route::rows_for;
use crate::schema::Costs;
use crate::schema::Task;
use crate::spec::GrowSpec;
use crate::tree::Tree;
use crate::tree::testing::{Dice, random, weather, with_target};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// The lines of the recorded file: case, kind, name, numbers.
fn recorded() -> Vec<(String, String, String, Vec<f64>)> {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/measures.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let record = |r: csv::StringRecord| {
        let numbers = r[3].split(' ').map(|x| x.parse().unwrap()).collect();
        (r[0].into(), r[1].into(), r[2].into(), numbers)
    };
    reader.records().map(|r| record(r.unwrap())).collect()
}

/// A recorded case.
fn case(name: &str) -> Judged {
    let mut judged = Judged::default();
    for (_, _, actual, numbers) in recorded().iter().filter(|l| l.0 == name && l.1 == "row") {
        let p = &numbers[1..];
        judged.classes = p.len();
        judged.actual.push(actual.parse().unwrap());
        judged.weights.push(numbers[0]);
        judged.labels.push(crate::schema::decide(None, p) as u32);
        judged.probabilities.extend(p);
    }
    judged
}

#[test]
fn scikit_learn_measures_the_same() {
    let mut compared = 0;
    for (name, _, what, expected) in recorded().iter().filter(|l| l.1 == "value" && l.0 != "numbers") {
        let judged = case(name);
        let scores = class_scores(&judged.confusion());
        let all = |of: fn(&ClassScores) -> f64| scores.iter().map(of).collect();
        let own = match what.as_str() {
            "accuracy" => vec![judged.accuracy()],
            "error" => vec![judged.error()],
            "log-loss" => vec![judged.log_loss()],
            "rmse-probability" => vec![judged.rmse_probability()],
            "brier" => vec![judged.brier()],
            "brier-reliability" => vec![judged.brier_parts().reliability],
            "brier-resolution" => vec![judged.brier_parts().resolution],
            "brier-uncertainty" => vec![judged.brier_parts().uncertainty],
            "ece" => vec![judged.confidence().error().unwrap()],
            bin if bin.starts_with("bin ") => {
                let mut places = bin[4..].split(' ').map(|place| place.parse::<usize>().unwrap());
                let class = places.next().unwrap();
                let bin = judged.calibrated().classes[class].bins()[places.next().unwrap()];
                vec![bin.weight, bin.predicted, bin.observed]
            }
            "auc" => vec![judged.auc().unwrap()],
            "precision" => all(|s| s.precision),
            "recall" => all(|s| s.recall),
            "f1" => all(|s| s.f1),
            "support" => all(|s| s.support),
            "macro" => {
                let mean = macro_average(&judged.confusion()).unwrap();
                vec![mean.precision, mean.recall, mean.f1]
            }
            _ => {
                let class: usize = what.strip_prefix("confusion ").unwrap().parse().unwrap();
                judged.confusion().swap_remove(class)
            }
        };
        assert_eq!(own.len(), expected.len(), "{name} {what}");
        assert!(own.iter().zip(expected).all(|(a, b)| close(*a, *b)), "{name} {what}: {own:?} {expected:?}");
        compared += 1;
    }
    assert!(compared >= 6 * 17, "{compared}");
}

#[test]
fn scikit_learn_measures_the_same_errors_of_numbers() {
    let lines = recorded();
    let lines = || lines.iter().filter(|l| l.0 == "numbers");
    let rows = lines().filter(|l| l.1 == "row").map(|l| (l.3[1] - l.3[2], l.3[0]));
    let (mse, mae) = residuals(rows);
    for (_, _, what, expected) in lines().filter(|l| l.1 == "value") {
        let own = if what == "mse" { mse } else { mae };
        assert!(close(own, expected[0]), "{what}: {own} {expected:?}");
    }
}

#[test]
fn there_is_no_area_without_both_classes() {
    let mut judged = case("two");
    judged.actual.fill(0);
    assert_eq!(judged.auc(), None);
    let mut judged = case("three");
    judged.actual.fill(2);
    assert_eq!(judged.auc(), None);
    // With two of three classes present, each is held against the other: the third has no part in it.
    let judged = Judged {
        classes: 3,
        actual: vec![0, 1, 1],
        labels: vec![0, 1, 0],
        probabilities: vec![0.5, 0.0, 0.5, 0.25, 0.5, 0.25, 0.75, 0.25, 0.0],
        weights: vec![1.0; 3],
    };
    // Class 0: 0.5 against 0.25 and 0.75. Class 1: 0.5 and 0.25 against 0.
    assert_eq!(judged.auc(), Some((0.5 + 2.0 * 1.0) / 3.0));
}

#[test]
fn an_unknown_measure_is_answered_with_a_suggestion() {
    let problem = Measure::of("lof-loss").unwrap_err().to_string();
    assert!(problem.contains("'lof-loss' (did you mean 'log-loss'?)"), "{problem}");
    assert!(problem.ends_with("fit-seconds and prune-seconds"), "{problem}");
    for measure in MEASURES {
        assert_eq!(Measure::of(measure.id).unwrap(), measure);
    }
}

#[test]
fn numbers_survive_a_file_in_the_order_of_the_list() {
    let mut measured = Measured::default();
    for (i, measure) in MEASURES.iter().enumerate().rev() {
        measured.set(measure.id, 0.1 + (i as f64).exp() / 3.0).unwrap();
    }
    measured.confusion = Some(vec![vec![0.1 + 0.2, 1.0], vec![1e-300, 2.0 / 3.0]]);
    measured.calibration = Some(case("three").calibrated());
    measured.sets =
        Some(Covered { classes: vec![(3.0, 2.0), (1.0, 0.5)], single: 0.5, size: 4.25, expected: 3.7 });
    let json = serde_json::to_string(&measured).unwrap();
    assert_eq!(serde_json::from_str::<Measured>(&json).unwrap(), measured);
    let mut last = 0;
    for measure in MEASURES {
        let place = json.find(&format!("\"{}\":", measure.id)).unwrap();
        assert!(place >= last, "{}", measure.id);
        last = place;
    }
    measured.set("auc", f64::NAN).unwrap();
    assert_eq!(measured.get("auc"), None);
    let problem = serde_json::from_str::<Measured>(r#"{"acuracy": 1}"#).unwrap_err().to_string();
    assert!(problem.contains("did you mean 'accuracy'?"), "{problem}");
}

#[test]
fn the_play_tree_is_measured_by_hand() {
    let table = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
    let tree = grow_weighted(
        &table,
        None,
        &GrowSpec { min_leaf: 1.0, ..GrowSpec::c45(Task::Classification) },
        &Silent,
    );
    let tree = tree.unwrap();
    let measured = measure(&tree, &table, &[1.0; 14]).unwrap();
    let ids: Vec<&str> = measured.iter().map(|(m, _)| m.id).collect();
    let without =
        ["mse", "rmse", "mae", "fit-seconds", "prune-seconds", "coverage", "set-size", "interval-width"];
    let without = without.into_iter().chain(["estimate", "apparent"]).collect::<Vec<_>>();
    let expected = MEASURES.iter().map(|m| m.id).filter(|id| !without.contains(id));
    assert_eq!(ids, expected.collect::<Vec<_>>());
    for (id, number) in [
        ("accuracy", 1.0),
        ("error", 0.0),
        ("log-loss", 0.0),
        ("brier", 0.0),
        ("auc", 1.0),
        ("nodes", 8.0),
        ("leaves", 5.0),
        ("depth", 2.0),
        ("expansions", 3.0),
    ] {
        assert_eq!(measured.get(id), Some(number), "{id}");
    }
    assert!(measured.get("log-loss").unwrap().is_sign_positive());
    assert_eq!(measured.confusion.unwrap(), [[9.0, 0.0], [0.0, 5.0]]);
}

#[test]
fn rows_that_cannot_be_measured_are_refused() {
    let table = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
    let tree = grow_weighted(&table, None, &GrowSpec::c45(Task::Classification), &Silent).unwrap();
    let problem = |held: &[f64]| measure(&tree, &table, held).unwrap_err().to_string();
    assert!(problem(&[0.0; 14]).contains("no row to measure the tree on"));
    assert!(problem(&[1.0; 13]).contains("one number of at least 0 for every row"));
    assert!(problem(&[f64::NAN; 14]).contains("one number of at least 0 for every row"));
    assert!(measure(&weather(), &table, &[1.0; 14]).is_err(), "its values are other ones");
}

/// The measures of the predictor's answers, from their definitions, a row at a time.
#[allow(clippy::too_many_lines, reason = "every measure by its definition")]
fn naive(tree: &Tree, coded: &CodedTable, said: &Predictions, held: &[f64]) -> Vec<(&'static str, f64)> {
    let all: f64 = held.iter().sum();
    let mean = |of: &dyn Fn(usize) -> f64| (0..held.len()).map(|r| held[r] * of(r)).sum::<f64>() / all;
    let classes = coded.classes();
    match coded.target() {
        CodedTarget::Classes { codes, .. } => {
            let actual = |row: usize| codes[row] as usize;
            let label = |row: usize| said.labels[row] as usize;
            let p = |row: usize, class: usize| said.probabilities[row * classes + class];
            let cost = |row: usize| match tree.costs() {
                Some(costs) => costs.cost(actual(row), label(row)),
                None => f64::from(actual(row) != label(row)),
            };
            let off = |row: usize| {
                let square = |j: usize| (f64::from(j == actual(row)) - p(row, j)).powi(2);
                (0..classes).map(square).sum()
            };
            let mut all = vec![
                ("accuracy", mean(&|row| f64::from(actual(row) == label(row)))),
                ("error", mean(&|row| f64::from(actual(row) != label(row)))),
                ("loss", mean(&cost)),
                ("brier", mean(&off)),
                ("rmse-probability", (mean(&off) / classes as f64).sqrt()),
                ("log-loss", mean(&|row| -p(row, actual(row)).max(1e-15).ln())),
            ];
            // Every pair of rows with the same prediction.
            let same = |a: usize, b: usize| (0..classes).all(|j| (p(a, j) - p(b, j)).abs() < 1e-11);
            let group = |row: usize, of: &dyn Fn(usize) -> f64| {
                let own = (0..held.len()).filter(|&other| held[other] > 0.0 && same(row, other));
                let (sum, weight) =
                    own.fold((0.0, 0.0), |(sum, all), r| (sum + held[r] * of(r), all + held[r]));
                if weight > 0.0 { sum / weight } else { 0.0 }
            };
            let is = |row: usize, j: usize| f64::from(actual(row) == j);
            let (mut reliability, mut resolution, mut uncertainty) = (0.0, 0.0, 0.0);
            for j in 0..classes {
                let share = mean(&|row| is(row, j));
                reliability += mean(&|row| (p(row, j) - group(row, &|r| is(r, j))).powi(2));
                resolution += mean(&|row| (group(row, &|r| is(r, j)) - share).powi(2));
                uncertainty += share * (1.0 - share);
            }
            let in_bin = |row: usize, bin: usize| {
                let sure = p(row, label(row));
                let (low, high) = (bin as f64 / 10.0 + 1e-13, (bin as f64 + 1.0) / 10.0 + 1e-13);
                (bin == 0 || sure > low) && sure <= high
            };
            let off = |bin: usize| {
                let of = |row: usize| f64::from(actual(row) == label(row)) - p(row, label(row));
                mean(&|row| if in_bin(row, bin) { of(row) } else { 0.0 }).abs()
            };
            all.extend([
                ("brier-reliability", reliability),
                ("brier-resolution", resolution),
                ("brier-uncertainty", uncertainty),
                ("ece", (0..10).map(off).sum()),
            ]);
            // Every pair of a row of the class and one of another: larger counts 1, equal a half.
            let area = |class: usize| {
                let (mut won, mut pairs, mut own) = (0.0, 0.0, 0.0);
                for a in (0..held.len()).filter(|&a| actual(a) == class) {
                    own += held[a];
                    for b in (0..held.len()).filter(|&b| actual(b) != class) {
                        let (weight, by) = (held[a] * held[b], p(a, class) - p(b, class));
                        pairs += weight;
                        won += weight * if by.abs() < 1e-11 { 0.5 } else { f64::from(by > 0.0) };
                    }
                }
                (pairs > 0.0).then(|| (won / pairs, own))
            };
            let areas = if classes == 2 { 1..2 } else { 0..classes };
            let areas: Vec<(f64, f64)> = areas.filter_map(area).collect();
            let own: f64 = areas.iter().map(|a| a.1).sum();
            if own > 0.0 {
                all.push(("auc", areas.iter().map(|a| a.0 * a.1).sum::<f64>() / own));
            }
            all
        }
        CodedTarget::Numbers { values, unit } => {
            let off = |row: usize| values[row] / unit - said.values[row];
            let mse = mean(&|row| off(row) * off(row));
            vec![("mse", mse), ("rmse", mse.sqrt()), ("mae", mean(&|row| off(row).abs()))]
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn rows_are_judged_as_the_predictor_judges_them(
        seed in any::<u64>(), splits in 0usize..40, shape in 0usize..3, gaps in 0usize..3, priced: bool,
    ) {
        let tree = random(seed, splits, shape);
        let classes = tree.schema().target.classes().len();
        let mut dice = Dice(seed ^ 3);
        let matrix = (0..classes * classes)
            .map(|i| if i / classes == i % classes { 0.0 } else { 1.0 + dice.below(9) as f64 })
            .collect();
        let costs = (priced && classes > 1).then(|| Arc::new(Costs::from_matrix(tree.schema().target.classes(), matrix).unwrap()));
        let tree = tree.with_costs(costs).unwrap();
        let (table, coded) = with_target(&tree, 50, seed, [0.0, 0.1, 0.5][gaps]);
        let said = Predictor::bind(&tree, &table).unwrap().predict();
        for row in 0..50 {
            let mut only = vec![0.0; 50];
            only[row] = 2.5;
            let rows = rows_for(&tree, &coded, Some(&only)).unwrap();
            match coded.target() {
                CodedTarget::Classes { codes, .. } => {
                    let judged = judge(&tree, &coded, &rows, codes);
                    prop_assert_eq!(&judged.actual, &[codes[row]]);
                    prop_assert_eq!(&judged.labels, &[said.labels[row]]);
                    prop_assert_eq!(&judged.weights, &[2.5]);
                    prop_assert_eq!(&judged.probabilities, &said.probabilities[row * classes..][..classes]);
                }
                CodedTarget::Numbers { unit, .. } => {
                    prop_assert_eq!(estimate(&tree, &coded, &rows)[0] / unit, said.values[row]);
                }
            }
        }
        let held: Vec<f64> = (0..50).map(|_| dice.below(4) as f64 * 0.75).collect();
        if held.iter().any(|w| *w > 0.0) {
            let measured = measure(&tree, &coded, &held).unwrap();
            let expected = naive(&tree, &coded, &said, &held);
            for (id, number) in &expected {
                let own = measured.get(id).unwrap();
                prop_assert!(close(own, *number), "{}: {} {}", id, own, number);
            }
            let part = |id: &str| measured.get(id).unwrap_or(0.0);
            let parts = part("brier-reliability") - part("brier-resolution") + part("brier-uncertainty");
            prop_assert!(close(parts, part("brier")));
            let of_tree = ["nodes", "leaves", "depth", "expansions"];
            prop_assert_eq!(measured.iter().count(), expected.len() + of_tree.len());
            if let Some(confusion) = &measured.confusion {
                let sum: f64 = confusion.iter().flatten().sum();
                prop_assert!(close(sum, held.iter().sum()));
            }
        }
    }
}
