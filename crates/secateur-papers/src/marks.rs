//! Numbers of a record in printed units, and what the experiment's test says of two schemes.

use super::experiment::{Measure, RowSet};
use super::protocol::{Test, TestKind};
use super::results::Sign;
use secateur::evaluate::Record;
use secateur::evaluate::measures::Measured;
use secateur::statistics::{Tail, corrected_t, one_sided_t, paired_t, proportions};

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub(super) fn sd(values: &[f64]) -> Option<f64> {
    let centre = mean(values);
    let squares: f64 = values.iter().map(|x| (x - centre).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// A measure of one record, in printed units.
pub(super) fn number(record: &Record, measure: &Measure) -> Option<f64> {
    let measured = match measure.part {
        RowSet::Test => record.measured.as_ref(),
        RowSet::Validation => record.on_validation.as_ref(),
        RowSet::Training => record.on_training.as_ref(),
    };
    let value = match measure.measure.as_str() {
        "errors" => wrong(measured?)?,
        "splits" => measured?.get("expansions")?,
        "fit-seconds" | "prune-seconds" => record.get(&measure.measure)?,
        id => measured?.get(id)?,
    };
    Some(measure.scale * value)
}

/// The weight of the rows with a wrong label.
fn wrong(measured: &Measured) -> Option<f64> {
    let confusion = measured.confusion.as_ref()?;
    let off = |(i, row): (usize, &Vec<f64>)| -> f64 {
        row.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, w)| w).sum()
    };
    Some(confusion.iter().enumerate().map(off).sum())
}

/// What the experiment's test says of two schemes on one data set.
pub(super) fn sign(a: &[&Record], b: &[&Record], measure: &Measure, test: Test) -> Option<Sign> {
    if a.len() != b.len() || a.is_empty() {
        return None;
    }
    let values = |list: &[&Record]| list.iter().map(|r| number(r, measure)).collect::<Option<Vec<f64>>>();
    let (x, y) = (values(a)?, values(b)?);
    let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
    let difference = mean(&differences);
    if test.kind == TestKind::Proportions {
        let count = |list: &[&Record]| -> Option<(u64, u64)> {
            let (mut errors, mut all) = (0.0, 0);
            for record in list {
                errors += wrong(record.measured.as_ref()?)?;
                all += record.test;
            }
            Some((errors.round() as u64, all as u64))
        };
        let ((e, n), (f, m)) = (count(a)?, count(b)?);
        let p = proportions(e, n, f, m).ok()?.p / 2.0;
        return Some(Sign::of(e as f64 / n as f64 - f as f64 / m as f64, p <= test.level));
    }
    if differences.len() < 2 {
        return None;
    }
    let (train, tested): (f64, f64) =
        a.iter().fold((0.0, 0.0), |(t, s), r| (t + r.train as f64, s + r.test as f64));
    let p = match test.kind {
        TestKind::CorrectedT => corrected_t(&differences, tested / train).ok()?.p,
        TestKind::PairedT => paired_t(&differences).ok()?.p,
        TestKind::OneSidedT => {
            let tail = if difference > 0.0 { Tail::Greater } else { Tail::Less };
            one_sided_t(&differences, tail).ok()?.p
        }
        TestKind::Proportions => return None,
    };
    Some(Sign::of(difference, p <= test.level && difference.abs() >= test.threshold))
}
