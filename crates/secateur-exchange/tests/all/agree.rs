//! Every format agrees with the tree on every row and every edge row, to the last bit.

use secateur_exchange::export::{self, FORMATS, Format, Options};
use secateur_exchange::verify::{self, Failure};

use crate::trees::{Sample, samples};

/// All settings of a format: every word of every option that has words, with every word of the others.
fn settings(format: &Format) -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    for option in format.options {
        if let export::OptionKind::Words(words) = option.kind {
            let with = |given: &Vec<(&'static str, &'static str)>| {
                let given = given.clone();
                words.iter().map(move |word| [given.clone(), vec![(option.name, *word)]].concat())
            };
            all = all.iter().flat_map(with).collect();
        }
    }
    all
}

/// Runs a sample in the first or in all consumers of a format; false where one is missing.
fn agrees(sample: &Sample, format: &Format, given: &[(&str, &str)], in_all: bool) -> bool {
    let options = Options::new(format, given.iter().copied()).unwrap();
    let written = match export::export(&sample.model, format, &options, Some(&sample.table)) {
        Ok(written) => written,
        // What is refused says why; which refusals there may be is tested elsewhere.
        Err(error) => {
            assert!(error.to_string().len() > 20, "{error}");
            return true;
        }
    };
    let table = Some(&sample.table);
    let consumers = (format.consumers)(&options);
    for consumer in consumers.into_iter().take(if in_all { usize::MAX } else { 1 }) {
        match verify::verify_with(&[consumer], &sample.model, format, &options, &written, table) {
            Ok(report) => {
                assert!(report.rows + report.left_out >= sample.table.rows(), "{}: {report:?}", sample.name);
                assert!(report.edge_rows > 0 || report.left_out > 0, "{}: {report:?}", sample.name);
                // Every other format says where rows with missing and unseen values go, and they are among those that agree.
                assert!(
                    report.left_out == 0 || format.id == "pmml",
                    "{} as {}: {report:?}",
                    sample.name,
                    format.id
                );
                let is_told = written.notes.iter().any(|note| note.contains("the heaviest one"));
                assert!(!is_told || report.to_heaviest > 0, "{} as {}: {report:?}", sample.name, format.id);
            }
            Err(Failure::Missing(reason)) => {
                secateur_testing::skip("exports", &reason);
                return false;
            }
            Err(failure) => panic!("{} as {} {given:?}: {failure}", sample.name, format.id),
        }
    }
    true
}

/// Every tree in the first of the wanted settings; some in one more, each of which has its turn, and in a second consumer.
fn all_agree(id: &str, wanted: impl Fn(&[(&str, &str)]) -> bool) {
    let format = export::find(id).unwrap();
    let settings: Vec<_> = settings(format).into_iter().filter(|given| wanted(given)).collect();
    for (place, sample) in samples().iter().enumerate() {
        let mut tried = vec![&settings[0]];
        if settings.len() > 4 || place % 2 == 0 {
            tried.extend(settings.get(1 + place / 2 % settings.len().saturating_sub(1).max(1)));
        }
        if !tried.into_iter().all(|given| agrees(sample, format, given, place % 3 == 0)) {
            return;
        }
    }
}

#[test]
fn c() {
    all_agree("c", |_| true);
}

#[test]
fn rust() {
    all_agree("rust", |_| true);
}

#[test]
fn python() {
    all_agree("python", |_| true);
}

#[test]
fn javascript() {
    all_agree("javascript", |_| true);
}

/// The settings of a dialect; `auto` is one of the two other layouts.
fn all_agree_in_sql(dialect: &'static str) {
    all_agree("sql", |given| {
        let has = |name, word| given.contains(&(name, word));
        has("dialect", dialect) && has("dates", "dates") && !has("layout", "auto")
    });
}

#[test]
fn sql_for_duckdb() {
    all_agree_in_sql("duckdb");
}

#[test]
fn sql_for_sqlite() {
    all_agree_in_sql("sqlite");
}

#[test]
fn sql_for_postgresql() {
    all_agree_in_sql("postgresql");
}

#[test]
fn json_rules() {
    all_agree("json-rules", |_| true);
}

#[test]
fn onnx() {
    all_agree("onnx", |_| true);
}

#[test]
fn pmml() {
    all_agree("pmml", |_| true);
}

#[test]
fn sklearn() {
    all_agree("sklearn", |_| true);
}

#[test]
fn shap() {
    all_agree("shap", |_| true);
}

#[test]
fn treelite() {
    all_agree("treelite", |_| true);
}

/// A format that is not named above would never be run.
#[test]
fn every_format_with_a_consumer_is_tried() {
    let source = include_str!("agree.rs");
    for format in FORMATS {
        let has_consumer = !(format.consumers)(&Options::default_of(format)).is_empty();
        assert!(!has_consumer || source.contains(&format!("all_agree(\"{}\"", format.id)), "{}", format.id);
    }
}
