//! Every format agrees with the tree on every row and every edge row, to the last bit.

use secateur_exchange::export::{self, FORMATS, Format, Options};
use secateur_exchange::verify::{self, Failure};

use crate::trees::{Sample, samples};

/// The settings of a format that are tried: every word of every option that has words, alone and together.
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

/// Runs a sample in the consumer of a format; false where there is none.
fn agrees(sample: &Sample, format: &Format, given: &[(&str, &str)]) -> bool {
    let options = Options::new(format, given.iter().copied()).unwrap();
    let written = match export::export(&sample.model, format, &options, Some(&sample.table)) {
        Ok(written) => written,
        // What is refused says why; which refusals there may be is tested elsewhere.
        Err(error) => {
            assert!(error.to_string().len() > 20, "{error}");
            return true;
        }
    };
    match verify::verify(&sample.model, format, &options, &written, Some(&sample.table)) {
        Ok(report) => {
            assert!(report.rows >= sample.table.rows(), "{}: {report:?}", sample.name);
            assert!(report.edge_rows > 0 || report.left_out > 0, "{}: {report:?}", sample.name);
            true
        }
        Err(Failure::Missing(reason)) => {
            secateur_testing::skip("exports", &reason);
            false
        }
        Err(failure) => panic!("{} as {} {given:?}: {failure}", sample.name, format.id),
    }
}

fn all_agree(id: &str, wanted: impl Fn(&[(&str, &str)]) -> bool) {
    let Some(format) = FORMATS.iter().find(|format| format.id == id) else { panic!("no format {id}") };
    if (format.consumers)(&Options::default_of(format)).is_empty() {
        return;
    }
    for given in settings(format).into_iter().filter(|given| wanted(given)) {
        for sample in &samples() {
            if !agrees(sample, format, &given) {
                return;
            }
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

#[test]
fn sql_for_duckdb() {
    all_agree("sql", |given| given.contains(&("dialect", "duckdb")) && given.contains(&("dates", "dates")));
}

#[test]
fn sql_for_sqlite() {
    all_agree("sql", |given| given.contains(&("dialect", "sqlite")) && given.contains(&("dates", "dates")));
}

#[test]
fn sql_for_postgresql() {
    let wanted = [("dialect", "postgresql"), ("dates", "dates")];
    all_agree("sql", |given| {
        wanted.iter().all(|one| given.contains(one)) && !given.contains(&("layout", "auto"))
    });
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
