//! The report of one published table that was run again: how much of it agrees, then its grids.

use secateur::report::grid::Report;
use secateur_papers::Grade;

use super::Done;
use super::grids::{cells, conclusions_grid, distances, marks, unprinted};

/// The whole report.
pub fn report(done: &Done, quick: bool) -> Report {
    let Done { experiment, run, agreement, findings } = done;
    let mut report =
        Report { title: format!("{}: {}", experiment.id, experiment.title), ..Report::default() };
    let others = match run.together {
        0 | 1 => String::new(),
        n => format!(" for {n} tables in one run"),
    };
    report
        .paragraphs
        .push(format!("{}. {}. {:.1} s{others}.", experiment.document, run.protocol, run.seconds));
    report.paragraphs.extend(experiment.note.clone());
    report.paragraphs.extend(tolerances(done));
    if let Some(share) = agreement.share() {
        let count = |g| agreement.count(g);
        let close = match agreement.by_rounding() {
            0 => count(Grade::Close).to_string(),
            n => format!("{} ({n} of them only by half a printed unit)", count(Grade::Close)),
        };
        report.paragraphs.push(format!(
            "Of {} printed numbers that were measured and judged, {} are equal in all digits, {close} close and {} off: \
             {:.1} % agree.",
            count(Grade::Exact) + count(Grade::Close) + count(Grade::Off),
            count(Grade::Exact),
            count(Grade::Off),
            100.0 * share
        ));
    }
    if !agreement.marks.is_empty() {
        report.paragraphs.push(format!(
            "Of {} printed marks of significance, {} are the same here.",
            agreement.marks.len(),
            agreement.equal_marks()
        ));
    }
    report.grids = cells(agreement);
    report.grids.extend(unprinted(done));
    report.grids.extend(distances(done));
    report.grids.extend(marks(agreement));
    if !findings.is_empty() {
        report.grids.push(conclusions_grid(findings));
    }
    for (name, why) in &run.missing {
        report.notes.push(format!("{name} was not run: {why}"));
    }
    for (dataset, scheme, why) in &run.failures {
        report.notes.push(format!("{scheme} failed on {dataset}: {why}"));
    }
    if quick && !experiment.quick.datasets.is_empty() {
        report.notes.push("A quick run; --full runs all data sets.".into());
    }
    report
}

/// What is called equal and close.
fn tolerances(done: &Done) -> Option<String> {
    let printed = |metric: &str| done.agreement.cells.iter().any(|j| j.cell.key.metric == metric);
    let rooms: Vec<String> = done
        .experiment
        .measures
        .iter()
        .filter(|m| printed(&m.metric))
        .map(|m| match m.tolerance().as_deref() {
            None => format!("{}: not judged", m.metric.replace('_', " ")),
            Some("0") => format!("{}: equal or off", m.metric.replace('_', " ")),
            Some(room) => format!("{}: {room}", m.metric.replace('_', " ")),
        })
        .collect();
    (!rooms.is_empty()).then(|| {
        format!(
            "Equal: the number measured rounds to the printed digits. Close: it differs from the print by no more than the \
             tolerance and half a unit of the last printed digit. Tolerance: {}.",
            rooms.join("; ")
        )
    })
}
