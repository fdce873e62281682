//! What `secateur compare --json` prints.

use secateur::evaluate::Record;
use secateur::evaluate::comparison::{Comparison, Difference, Failed, Overall, Test};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::experiment::{Mean, SetSummary};

/// What `compare --json` prints.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    pub(super) datasets: Vec<SetSummary<'a>>,
    pub(super) schemes: &'a [String],
    pub(super) base: &'a str,
    pub(super) measures: Vec<&'static str>,
    pub(super) protocol: String,
    pub(super) divisions: usize,
    pub(super) seed: u64,
    pub(super) test: Test,
    pub(super) results: Vec<Value>,
    pub(super) tests: Vec<TestSummary<'a>>,
    pub(super) counts: Vec<Value>,
    pub(super) overall: Vec<OverallSummary<'a>>,
    pub(super) failures: &'a [Failed],
    pub(super) seconds: f64,
    pub(super) results_file: Option<String>,
}

#[derive(Serialize)]
pub(super) struct TestSummary<'a> {
    measure: &'static str,
    test: &'static str,
    #[serde(flatten)]
    difference: &'a Difference,
}

#[derive(Serialize)]
pub(super) struct OverallSummary<'a> {
    measure: &'static str,
    #[serde(flatten)]
    overall: &'a Overall,
}

/// Every scheme on every data set: its means, by measure.
pub(super) fn results(comparisons: &[Comparison], records: &[Record]) -> Vec<Value> {
    let Some(sheet) = comparisons.first().map(|c| c.sheet) else { return Vec::new() };
    let mut results = Vec::new();
    for (dataset, data) in sheet.datasets.iter().enumerate() {
        for (share, value) in sheet.shares.iter().enumerate() {
            for (scheme, name) in sheet.schemes.iter().enumerate() {
                let first =
                    records.iter().find(|r| &r.dataset == data && &r.scheme == name && r.share == *value);
                let mut result = Map::new();
                result.insert("dataset".into(), json!(data));
                result.insert("scheme".into(), json!(name));
                result.insert("share".into(), json!(value));
                result.insert("train".into(), json!(first.map(|r| r.train)));
                result.insert("test".into(), json!(first.map(|r| r.test)));
                result.insert("failures".into(), json!(sheet.cell(dataset, scheme, share).failures));
                for comparison in comparisons {
                    let sheet = comparison.sheet;
                    let mean = Mean::of(sheet, sheet.cell(dataset, scheme, share));
                    result.insert(sheet.measure.key(), json!(mean));
                }
                results.push(result.into());
            }
        }
    }
    results
}

pub(super) fn tests_summary<'a>(comparisons: &'a [Comparison]) -> Vec<TestSummary<'a>> {
    let of = |comparison: &'a Comparison| {
        let (measure, test) = (comparison.sheet.measure.id, comparison.test.kind.id());
        comparison.differences.iter().map(move |difference| TestSummary { measure, test, difference })
    };
    comparisons.iter().flat_map(of).collect()
}

pub(super) fn counts(comparisons: &[Comparison]) -> Vec<Value> {
    let mut counts = Vec::new();
    for comparison in comparisons {
        let sheet = comparison.sheet;
        for (i, (scheme, marks)) in sheet.schemes.iter().zip(&comparison.counts).enumerate() {
            if i != comparison.base {
                counts.push(json!({
                    "measure": sheet.measure.id, "scheme": scheme, "base": sheet.schemes[comparison.base],
                    "larger": marks.larger, "same": marks.same, "smaller": marks.smaller,
                }));
            }
        }
    }
    counts
}

pub(super) fn overall_summary<'a>(comparisons: &'a [Comparison]) -> Vec<OverallSummary<'a>> {
    let of = |c: &'a Comparison| {
        let measure = c.sheet.measure.id;
        c.overall.iter().map(move |overall| OverallSummary { measure, overall })
    };
    comparisons.iter().flat_map(of).collect()
}
