//! What `secateur reproduce --json` reports.

use secateur_papers::{Grade, Sign, Verdict};
use serde::Serialize;

use super::Done;

/// All that is reported of one experiment.
#[derive(Serialize)]
pub struct Summary<'a> {
    id: &'a str,
    title: &'a str,
    document: &'a str,
    protocol: &'a str,
    cells: Vec<CellSummary<'a>>,
    tolerances: Vec<(&'a str, Option<String>)>,
    agreement: AgreementSummary,
    marks: Vec<MarkSummary<'a>>,
    conclusions: Vec<ConclusionSummary<'a>>,
    missing: &'a [(String, String)],
    failures: &'a [(String, String, String)],
    seeds: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct CellSummary<'a> {
    dataset: &'a str,
    scheme: &'a str,
    metric: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    published: f64,
    measured: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sd: Option<f64>,
    difference: f64,
    agreement: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<&'a str>,
}

#[derive(Serialize)]
struct AgreementSummary {
    exact: usize,
    close: usize,
    close_by_half_a_unit: usize,
    off: usize,
    unjudged: usize,
    unmeasured: usize,
    share: Option<f64>,
    marks: usize,
    marks_equal: usize,
}

#[derive(Serialize)]
struct MarkSummary<'a> {
    dataset: &'a str,
    scheme: &'a str,
    metric: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    than: &'a str,
    published: &'static str,
    measured: &'static str,
}

#[derive(Serialize)]
struct ConclusionSummary<'a> {
    text: &'a str,
    measured: &'static str,
    published: &'static str,
    published_on_these: &'static str,
    says: String,
    published_says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'a str>,
}

fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Exact => "exact",
        Grade::Close => "close",
        Grade::Off => "off",
        Grade::Unjudged => "not judged",
    }
}

/// A mark as it is printed.
pub fn sign(sign: Sign) -> &'static str {
    match sign {
        Sign::Larger => "+",
        Sign::Same => "=",
        Sign::Smaller => "-",
    }
}

/// A verdict in words.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Mixed => "mixed",
        Verdict::Fails => "fails",
        Verdict::NotChecked => "not checked",
    }
}

/// The same as [`super::report::report`], for programs.
pub fn summary<'a>(done: &'a Done<'a>) -> Summary<'a> {
    let Done { experiment, run, agreement, findings } = done;
    Summary {
        id: &experiment.id,
        title: &experiment.title,
        document: &experiment.document,
        protocol: &run.protocol,
        cells: agreement
            .cells
            .iter()
            .map(|j| CellSummary {
                dataset: &j.cell.key.dataset,
                scheme: &j.cell.key.scheme,
                metric: &j.cell.key.metric,
                group: j.cell.key.group.as_deref(),
                published: j.cell.value,
                measured: j.measured.mean,
                sd: j.measured.sd,
                difference: j.difference,
                agreement: grade(j.grade),
                doubt: j.doubt.map(|d| d.because.as_str()),
            })
            .collect(),
        tolerances: experiment.measures.iter().map(|m| (m.metric.as_str(), m.tolerance())).collect(),
        agreement: AgreementSummary {
            exact: agreement.count(Grade::Exact),
            close: agreement.count(Grade::Close),
            close_by_half_a_unit: agreement.by_rounding(),
            off: agreement.count(Grade::Off),
            unjudged: agreement.count(Grade::Unjudged),
            unmeasured: agreement.unmeasured,
            share: agreement.share(),
            marks: agreement.marks.len(),
            marks_equal: agreement.equal_marks(),
        },
        marks: agreement
            .marks
            .iter()
            .map(|m| MarkSummary {
                dataset: &m.cell.key.dataset,
                scheme: &m.cell.key.scheme,
                metric: &m.cell.key.metric,
                group: m.cell.key.group.as_deref(),
                than: m.than,
                published: sign(m.printed),
                measured: sign(m.measured),
            })
            .collect(),
        conclusions: findings
            .iter()
            .map(|f| ConclusionSummary {
                text: &f.conclusion.text,
                measured: verdict(f.measured.verdict),
                published: verdict(f.published.verdict),
                published_on_these: verdict(f.published_here.verdict),
                says: f.measured.sentence(),
                published_says: f.published.sentence(),
                because: f.conclusion.because.as_deref(),
            })
            .collect(),
        missing: &run.missing,
        failures: &run.failures,
        seeds: run.seeds,
        seconds: run.seconds,
    }
}
