//! Sheets against numbers computed by hand.

use super::*;
use crate::evaluate::Record;
use crate::evaluate::measures::{Measure, Measured};
use crate::report::grid::{Format, Style};
use crate::statistics::Mark;

/// A record of one fold: 20 rows to learn from, 10 to be judged on; without a value it failed.
fn record(dataset: &str, scheme: &str, fold: u32, accuracy: Option<f64>) -> Record {
    let measured = accuracy.map(|value| {
        let mut measured = Measured::default();
        measured.set("accuracy", value).unwrap();
        measured.set("nodes", 10.0 * value).unwrap();
        measured
    });
    let error = measured.is_none().then(|| "too hard".to_string());
    Record {
        dataset: dataset.into(),
        scheme: scheme.into(),
        repeat: 0,
        fold,
        share: 1.0,
        train: 20,
        test: 10,
        measured,
        on_training: None,
        on_validation: None,
        error,
        seconds: None,
    }
}

/// Records as the runner writes them: all schemes of a fold, then the next fold.
fn records(dataset: &str, schemes: &[(&str, [Option<f64>; 3])]) -> Vec<Record> {
    (0..3)
        .flat_map(|fold| {
            schemes.iter().map(move |(name, values)| record(dataset, name, fold as u32, values[fold]))
        })
        .collect()
}

fn two() -> Vec<Record> {
    records("d", &[("a", [0.9, 0.8, 0.7].map(Some)), ("b", [0.8, 0.6, 0.4].map(Some))])
}

fn accuracy(records: &[Record]) -> Sheet {
    Sheet::of(records, Measure::of("accuracy").unwrap())
}

fn near(a: Option<f64>, b: f64) {
    let a = a.unwrap();
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

#[test]
fn means_and_deviations() {
    let sheet = accuracy(&two());
    let b = sheet.cell(0, 1, 0);
    assert_eq!((b.values.as_slice(), b.failures), (&[0.8, 0.6, 0.4][..], 0));
    near(b.mean, 0.6);
    near(b.sd, 0.2);
    assert_eq!(b.test_to_train(), 0.5);
    // 0.6 ± 4.302653 √((1/3 + 1/2) 0.04), which is below 0 and above 1.
    let interval = sheet.interval(b, 0.95).unwrap();
    assert_eq!((interval.low, interval.high), (0.0, 1.0));
    // 0.6 ± 0.816497 √((1/3 + 1/2) 0.04): t of 2 degrees at 50 %.
    let interval = sheet.interval(b, 0.5).unwrap();
    near(Some(interval.low), 0.6 - 0.816_497 * 0.182_574);
}

#[test]
fn tests_of_one_data_set() {
    let sheet = accuracy(&two());
    let found = |kind, level| sheet.difference(0, 1, 0, 0, &Test { kind, level, threshold: None }).unwrap();
    // The differences are -0.1, -0.2, -0.3. With 2 degrees of freedom p = 1 - |t| / √(t² + 2).
    let corrected = found(TestKind::CorrectedT, 0.05);
    near(corrected.difference, -0.2);
    near(corrected.effect, -2.0);
    near(corrected.statistic, -0.2 / (0.01f64 * (1.0 / 3.0 + 0.5)).sqrt());
    near(corrected.p, 0.159_832);
    assert_eq!(corrected.mark, Some(Mark::Same));
    let paired = found(TestKind::PairedT, 0.05);
    near(paired.p, 0.074_180);
    near(paired.interval.map(|i| i.low), -0.2 - 0.248_414);
    let one_sided = found(TestKind::OneSidedT, 0.05);
    near(one_sided.p, 0.037_090);
    assert_eq!(one_sided.mark, Some(Mark::Smaller));
    // 18 of 30 against 24 of 30: z = -√3.
    let proportions = found(TestKind::Proportions, 0.1);
    near(proportions.statistic, -(3f64.sqrt()));
    near(proportions.p, 0.083_265);
    assert_eq!(proportions.mark, Some(Mark::Smaller));
    near(found(TestKind::OneSidedProportions, 0.1).p, 0.083_265 / 2.0);
    // The other way round it is larger.
    let test = Test { kind: TestKind::OneSidedT, ..Test::default() };
    assert_eq!(sheet.difference(0, 0, 1, 0, &test).unwrap().mark, Some(Mark::Larger));
    let far = Test { threshold: Some(0.25), ..test };
    assert_eq!(sheet.difference(0, 0, 1, 0, &far).unwrap().mark, Some(Mark::Same));
}

#[test]
fn proportions_of_nodes_are_not_tested() {
    let records = two();
    let sheet = Sheet::of(&records, Measure::of("nodes").unwrap());
    let test = Test { kind: TestKind::Proportions, ..Test::default() };
    let found = sheet.difference(0, 1, 0, 0, &test).unwrap();
    near(found.difference, -2.0);
    assert_eq!((found.p, found.mark), (None, None));
    let comparison = sheet.against("a", &test).unwrap();
    let text = table(&comparison, Heads::Names).render(Format::Text, &Style::default());
    assert!(text.contains("proportions are for the accuracy"), "{text}");
}

#[test]
fn a_scheme_that_failed_is_paired_where_it_did_not() {
    let schemes = [
        ("a", [Some(0.9), Some(0.8), Some(0.7)]),
        ("b", [Some(0.8), None, Some(0.5)]),
        ("c", [None, None, None]),
    ];
    let records = records("d", &schemes);
    let sheet = accuracy(&records);
    let comparison = sheet.against("a", &Test::default()).unwrap();
    let found = comparison.difference(0, 1, 0).unwrap();
    assert_eq!((found.pairs, sheet.cell(0, 1, 0).failures), (2, 1));
    near(found.difference, -0.15);
    let nothing = comparison.difference(0, 2, 0).unwrap();
    assert_eq!((nothing.pairs, nothing.difference, nothing.mark), (0, None, None));
    assert_eq!(comparison.difference(0, 0, 0), None);
    assert_eq!(comparison.counts[2].to_string(), "0/0/0");
    let failed = failures(&records);
    let short: Vec<_> =
        failed.iter().map(|f| (f.scheme.as_str(), f.failures, f.of, f.error.as_str())).collect();
    assert_eq!(short, [("b", 1, 3, "too hard"), ("c", 3, 3, "too hard")]);
    let text = table(&comparison, Heads::Names).render(Format::Text, &Style::default());
    assert!(text.contains("failed") && text.contains("! failed on some"), "{text}");
}

#[test]
fn one_division_has_a_difference_and_no_test_but_of_proportions() {
    let records = [record("d", "a", 0, Some(0.9)), record("d", "b", 0, Some(0.5))];
    let sheet = accuracy(&records);
    let found = sheet.difference(0, 1, 0, 0, &Test::default()).unwrap();
    assert_eq!((found.pairs, found.p, found.mark), (1, None, None));
    near(found.difference, -0.4);
    let z = Test { kind: TestKind::Proportions, ..Test::default() };
    assert_eq!(sheet.difference(0, 1, 0, 0, &z).unwrap().mark, Some(Mark::Smaller));
    // Wilson: 9 of 10.
    let interval = sheet.interval(sheet.cell(0, 0, 0), 0.95).unwrap();
    assert!(
        (interval.low - 0.595_85).abs() < 1e-4 && (interval.high - 0.982_13).abs() < 1e-4,
        "{interval:?}"
    );
}

/// Means: d1 0.8 0.6 0.7, d2 0.8 0.6 0.8, d3 0.5 0.6 0.7.
fn three() -> Vec<Record> {
    let around = |mean: f64| [mean + 0.1, mean, mean - 0.1].map(Some);
    [("d1", [0.8, 0.6, 0.7]), ("d2", [0.8, 0.6, 0.8]), ("d3", [0.5, 0.6, 0.7])]
        .into_iter()
        .flat_map(|(data, [a, b, c])| records(data, &[("a", around(a)), ("b", around(b)), ("c", around(c))]))
        .collect()
}

#[test]
fn ranks_over_data_sets() {
    let records = three();
    let sheet = accuracy(&records);
    let comparison = sheet.against("a", &Test::default()).unwrap();
    // All differences between two schemes are the same on every fold: without variance any is significant.
    assert_eq!(
        comparison.counts.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["0/0/0", "1/0/2", "1/1/1"]
    );
    let overall = &comparison.overall[0];
    for (rank, want) in overall.average_ranks.iter().zip([5.5, 8.0, 4.5]) {
        near(Some(*rank), want / 3.0);
    }
    let test = overall.friedman.as_ref().unwrap();
    // 3 (114.5 / 9 − 12), and 1 − 6/72 for the tie.
    near(Some(test.chi2), 3.0 * (114.5 / 9.0 - 12.0) / (11.0 / 12.0));
    near(Some(overall.versus[0].z), 2.5 / 3.0 / (12f64 / 18.0).sqrt());
    near(Some(overall.versus[1].z), -1.0 / 3.0 / (12f64 / 18.0).sqrt());
    assert!((overall.critical_difference.unwrap() - 2.343 * (12f64 / 18.0).sqrt()).abs() < 1e-3);
    assert_eq!(overall.wilcoxon, None);

    // Nodes: smaller is better.
    let nodes = Sheet::of(&records, Measure::of("nodes").unwrap());
    let ranks = &nodes.against("b", &Test::default()).unwrap().overall[0].average_ranks;
    near(Some(ranks[0]), (3.0 + 2.5 + 1.0) / 3.0);
}

#[test]
fn two_schemes_are_ranked_by_wilcoxon_and_a_data_set_that_failed_is_left_out() {
    let mut records: Vec<Record> = three().into_iter().filter(|r| r.scheme != "c").collect();
    let nothing = [None; 3];
    records.extend(self::records("d4", &[("a", [Some(0.5); 3]), ("b", nothing)]));
    let sheet = accuracy(&records);
    let comparison = sheet.against("a", &Test::default()).unwrap();
    let overall = &comparison.overall[0];
    assert_eq!(overall.datasets, ["d1", "d2", "d3"]);
    let test = overall.wilcoxon.unwrap();
    // Differences 0.2, 0.2, −0.1: ranks 2.5, 2.5 and 1.
    assert_eq!((test.above, test.below), (5.0, 1.0));
    assert!(overall.friedman.is_none() && overall.versus.is_empty());
}

#[test]
fn levels_thresholds_and_bases_are_checked() {
    let records = two();
    let sheet = accuracy(&records);
    let with = |level, threshold| sheet.against("a", &Test { level, threshold, ..Test::default() });
    for level in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(with(level, None).is_err());
    }
    for least in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(with(0.05, Some(least)).is_err());
    }
    let problem = sheet.against("aa", &Test::default()).unwrap_err().to_string();
    assert!(problem.contains("scheme 'aa' (did you mean 'a'?)"), "{problem}");
}

#[test]
fn a_table_is_printed_with_marks_counts_and_ranks() {
    let records = three();
    let sheet = accuracy(&records);
    let comparison = sheet.against("a", &Test::default()).unwrap();
    // F = 2 · 2.3636 / (6 − 2.3636) = 1.3, and with 2 and 4 degrees of freedom p = (1 + F/2)^−2.
    let grid = table(&comparison, Heads::Numbers);
    let text = grid.render(Format::Text, &Style::default());
    assert_eq!(
        text,
        "accuracy %

data set                       (1)              (2)              (3)
────────────────────────────────────────────────────────────────────
d1                   80.00 ± 10.00  60.00 ± 10.00 −  70.00 ± 10.00 −
d2                   80.00 ± 10.00  60.00 ± 10.00 −  80.00 ± 10.00
d3                   50.00 ± 10.00  60.00 ± 10.00 +  70.00 ± 10.00 +
────────────────────────────────────────────────────────────────────
larger/same/smaller           base   1/0/2            1/1/1
average rank          1.83           2.67             1.50

+ larger, − smaller than a: corrected resampled t test (Nadeau and Bengio), two-sided at 0.05.
Friedman over 3 data sets: χ² = 2.36, p = 0.3067; Iman and Davenport: F(2, 4) = 1.30, p = 0.3673.
Nemenyi: ranks 1.91 apart differ at 0.05.
By ranks, no scheme differs from a (Holm at 0.05).
"
    );
    assert_eq!(
        key(&sheet).render(Format::Text, &Style::default()),
        "     scheme\n───────────\n(1)  a\n(2)  b\n(3)  c\n"
    );
    let html = grid.render(Format::Html, &Style::default());
    assert!(html.contains("60.00 ± 10.00 +"), "{html}");
    let csv = list(&[comparison]).render(Format::Csv, &Style::default());
    assert_eq!(csv.lines().count(), 1 + 9);
    assert!(csv.contains("d3,b,1,accuracy,0.6,"), "{csv}");
}

#[test]
fn shares_of_a_learning_curve_stand_below_each_other() {
    let mut records = two();
    records.extend(two().into_iter().map(|r| Record { share: 0.5, ..r }));
    let sheet = accuracy(&records);
    assert_eq!(sheet.shares, [1.0, 0.5]);
    let comparison = sheet.against("a", &Test::default()).unwrap();
    assert_eq!(comparison.difference(0, 1, 1).unwrap().share, 0.5);
    let text = table(&comparison, Heads::Names).render(Format::Text, &Style::default());
    assert!(text.lines().any(|line| line.starts_with("d ") && line.contains(" 0.5 ")), "{text}");
}
