//! The grids of a published table: printed and measured numbers, marks, conclusions.

use secateur::report::grid::{Cell, Column, Emphasis, Grid};
use secateur_papers::experiment::ExperimentKind;
use secateur_papers::protocol::Protocol;
use secateur_papers::{Agreement, Finding, Grade, Judged, Outcome, Sign, Verdict};

use super::Done;
use super::summary::{sign, verdict};

/// One grid for every metric: data sets (and groups) down, schemes across, with printed and measured numbers.
pub(super) fn cells(agreement: &Agreement) -> Vec<Grid> {
    let mut metrics: Vec<&str> = Vec::new();
    for judged in &agreement.cells {
        if !metrics.contains(&judged.cell.key.metric.as_str()) {
            metrics.push(&judged.cell.key.metric);
        }
    }
    metrics.into_iter().map(|metric| metric_grid(metric, agreement)).collect()
}

fn metric_grid(metric: &str, agreement: &Agreement) -> Grid {
    let mine: Vec<&Judged> = agreement.cells.iter().filter(|j| j.cell.key.metric == metric).collect();
    let mut schemes: Vec<&str> = Vec::new();
    let mut rows: Vec<(&str, Option<&str>)> = Vec::new();
    for judged in &mine {
        let key = &judged.cell.key;
        if !schemes.contains(&key.scheme.as_str()) {
            schemes.push(&key.scheme);
        }
        let row = (key.dataset.as_str(), key.group.as_deref());
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let grouped = rows.iter().any(|row| row.1.is_some());
    let mut columns = vec![Column::left("data set")];
    if grouped {
        columns.push(Column::right("group"));
    }
    for scheme in &schemes {
        let printed = Column::decimal("printed");
        let measured = Column::decimal("measured");
        if scheme.is_empty() {
            columns.extend([printed, measured]);
            continue;
        }
        columns.push(printed.under(*scheme));
        columns.push(measured.under(*scheme));
    }
    let mut grid = Grid::new(format!("{}, printed and measured", metric.replace('_', " ")), columns);
    let mut doubts: Vec<String> = Vec::new();
    for (dataset, group) in rows {
        let mut cells: Vec<Cell> = vec![dataset.into()];
        if grouped {
            cells.push(group.unwrap_or_default().into());
        }
        for scheme in &schemes {
            let found = mine.iter().find(|j| {
                let key = &j.cell.key;
                (key.dataset.as_str(), key.group.as_deref(), key.scheme.as_str()) == (dataset, group, *scheme)
            });
            let Some(judged) = found else {
                cells.extend([Cell::from(""), Cell::from("")]);
                continue;
            };
            cells.push(judged.cell.text.clone().into());
            let decimals = judged.cell.text.split_once('.').map_or(0, |(_, d)| d.len());
            let (mark, emphasis) = match judged.grade {
                Grade::Exact => ("=", Emphasis::Good),
                Grade::Close => ("", Emphasis::Plain),
                Grade::Off => ("!", Emphasis::Bad),
                Grade::Unjudged => ("", Emphasis::Faint),
            };
            cells.push(Cell::new(format!("{:.decimals$}{mark}", judged.measured.mean), emphasis));
            if let Some(doubt) = judged.doubt {
                doubts.push(format!("{dataset}, {scheme}: the print is doubtful: {}", doubt.because));
            }
        }
        grid.row(cells);
    }
    grid.notes.push("= equal in all printed digits, ! further off than the experiment allows".into());
    grid.notes.extend(doubts);
    grid
}

/// Measured numbers of which nothing was printed, where that is all there is or completes a curve.
pub(super) fn unprinted(done: &Done) -> Vec<Grid> {
    let Done { experiment, run, agreement, .. } = done;
    let printed = |scheme: &str| agreement.cells.iter().any(|j| j.cell.key.scheme == scheme);
    let curve = matches!(experiment.protocol, Protocol::Growing { .. });
    let hypotheses = experiment.kind == ExperimentKind::Hypotheses || agreement.cells.is_empty();
    let shown: Vec<_> = run
        .results
        .values()
        .filter(|(key, _)| {
            curve || hypotheses || (experiment.kind == ExperimentKind::Nodes && !printed(&key.scheme))
        })
        .collect();
    let mut metrics: Vec<&str> = Vec::new();
    for measure in &experiment.measures {
        if shown.iter().any(|(key, _)| key.metric == measure.metric) {
            metrics.push(&measure.metric);
        }
    }
    let grid = |metric: &str| {
        let mine = || shown.iter().filter(|(key, _)| key.metric == metric);
        let scheme = |s: &&str| mine().any(|(key, _)| key.scheme == **s);
        let schemes: Vec<&str> = experiment.schemes.iter().map(|s| s.name.as_str()).filter(scheme).collect();
        let mut rows: Vec<(&str, Option<&str>)> = Vec::new();
        for (key, _) in mine() {
            let row = (key.dataset.as_str(), key.group.as_deref());
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        let place = |group: Option<&str>| group.and_then(|g| g.parse::<f64>().ok()).unwrap_or(0.0);
        rows.sort_by(|a, b| a.0.cmp(b.0).then(place(a.1).total_cmp(&place(b.1))));
        let grouped = rows.iter().any(|row| row.1.is_some());
        let mut columns = vec![Column::left("data set")];
        columns.extend(grouped.then(|| Column::right("group")));
        columns.extend(schemes.iter().map(|s| Column::decimal(*s)));
        let mut grid = Grid::new(format!("{}, measured", metric.replace('_', " ")), columns);
        for (dataset, group) in rows {
            let value = |scheme: &&str| {
                let at = |k: &secateur_papers::Key| {
                    (k.dataset.as_str(), k.group.as_deref(), k.scheme.as_str()) == (dataset, group, *scheme)
                };
                let found = mine().find(|(key, _)| at(key));
                Cell::from(found.map_or(String::new(), |(_, v)| digits(v.mean)))
            };
            let mut cells = vec![Cell::from(dataset)];
            cells.extend(grouped.then(|| Cell::from(group.unwrap_or_default())));
            cells.extend(schemes.iter().map(value));
            grid.row(cells);
        }
        grid
    };
    metrics.into_iter().map(grid).collect()
}

/// Two decimals, or two digits of what is smaller.
pub(super) fn digits(x: f64) -> String {
    if x != 0.0 && x.abs() < 0.1 { format!("{x:.1e}") } else { format!("{x:.2}") }
}

/// With several seeds: how far a print is from what is measured, in standard deviations between seeds.
pub(super) fn distances(done: &Done) -> Option<Grid> {
    let Done { run, agreement, .. } = done;
    if run.seeds < 2 {
        return None;
    }
    let columns = vec![
        Column::left("data set"),
        Column::left("scheme"),
        Column::left("metric"),
        Column::decimal("printed"),
        Column::decimal("mean"),
        Column::decimal("deviation"),
        Column::decimal("distance"),
    ];
    let title = format!("How far the print is away, in standard deviations between {} seeds", run.seeds);
    let mut grid = Grid::new(title, columns);
    for judged in &agreement.cells {
        let (key, mean) = (&judged.cell.key, judged.measured.mean);
        let Some(sd) = judged.measured.sd else { continue };
        let distance = match judged.cell.value - mean {
            difference if sd > 0.0 => format!("{:+.1}", difference / sd),
            0.0 => "0".into(),
            _ => "never".into(),
        };
        let far = sd == 0.0 || ((judged.cell.value - mean) / sd).abs() > 3.0;
        let emphasis = if far && !judged.cell.rounds_from(mean) { Emphasis::Bad } else { Emphasis::Plain };
        grid.row([
            Cell::from(key.dataset.as_str()),
            Cell::from(key.scheme.as_str()),
            Cell::from(key.metric.replace('_', " ")),
            Cell::from(judged.cell.text.as_str()),
            Cell::from(digits(mean)),
            Cell::from(digits(sd)),
            Cell::new(distance, emphasis),
        ]);
    }
    Some(grid)
}

/// What the tests said in print and here, for every comparison.
pub(super) fn marks(agreement: &Agreement) -> Option<Grid> {
    let mut comparisons: Vec<(&str, &str, &str, Option<&str>)> = Vec::new();
    let of = |m: &secateur_papers::JudgedMark<'_>| -> (String, String, String, Option<String>) {
        let key = &m.cell.key;
        (key.metric.clone(), key.scheme.clone(), m.than.to_owned(), key.group.clone())
    };
    for mark in &agreement.marks {
        let key = &mark.cell.key;
        let comparison = (key.metric.as_str(), key.scheme.as_str(), mark.than, key.group.as_deref());
        if !comparisons.contains(&comparison) {
            comparisons.push(comparison);
        }
    }
    if comparisons.is_empty() {
        return None;
    }
    let mut columns = vec![Column::left("comparison")];
    columns.extend(["+", "=", "-"].map(|mark| Column::right(mark).under("printed")));
    columns.extend(["+", "=", "-"].map(|mark| Column::right(mark).under("measured")));
    columns.push(Column::right("same"));
    let mut grid = Grid::new("Significance, printed and measured", columns);
    for (metric, scheme, than, group) in comparisons {
        let wanted = (metric.to_owned(), scheme.to_owned(), than.to_owned(), group.map(str::to_owned));
        let mine: Vec<_> = agreement.marks.iter().filter(|m| of(m) == wanted).collect();
        let count = |signs: &dyn Fn(&secateur_papers::JudgedMark<'_>) -> Sign, wanted: Sign| {
            Cell::from(mine.iter().filter(|m| signs(m) == wanted).count().to_string())
        };
        let at = group.map_or(String::new(), |g| format!(" at {g}"));
        let mut cells =
            vec![Cell::from(format!("{} of {scheme} beside {than}{at}", metric.replace('_', " ")))];
        for sign in [Sign::Larger, Sign::Same, Sign::Smaller] {
            cells.push(count(&|m| m.printed, sign));
        }
        for sign in [Sign::Larger, Sign::Same, Sign::Smaller] {
            cells.push(count(&|m| m.measured, sign));
        }
        let same = mine.iter().filter(|m| m.printed == m.measured).count();
        let emphasis = if same == mine.len() { Emphasis::Good } else { Emphasis::Plain };
        cells.push(Cell::new(format!("{same} of {}", mine.len()), emphasis));
        grid.row(cells);
    }
    grid.notes.push(
        "data sets on which a number is significantly larger (+), the same (=) or smaller (-); with all data sets, the \
         printed counts are the table's own last line"
            .into(),
    );
    for mark in agreement.marks.iter().filter(|m| m.printed != m.measured) {
        let key = &mark.cell.key;
        let at = key.group.as_ref().map_or(String::new(), |g| format!(" at {g}"));
        grid.notes.push(format!(
            "{}{at}, {} of {} beside {}: {} in print, {} here",
            key.dataset,
            key.metric.replace('_', " "),
            key.scheme,
            mark.than,
            sign(mark.printed),
            sign(mark.measured)
        ));
    }
    Some(grid)
}

pub(super) fn conclusions_grid(findings: &[Finding]) -> Grid {
    let all = findings.iter().all(|f| f.published == f.published_here);
    let mut columns = vec![Column::right("no."), Column::left("here"), Column::left("in print")];
    if !all {
        columns.push(Column::left("in print, these data sets"));
    }
    let mut grid = Grid::new("What the document concludes", columns);
    let cell = |outcome: &Outcome| {
        let emphasis = match outcome.verdict {
            Verdict::Holds => Emphasis::Good,
            Verdict::Fails => Emphasis::Bad,
            Verdict::Mixed => Emphasis::Plain,
            Verdict::NotChecked => Emphasis::Faint,
        };
        Cell::new(verdict(outcome.verdict), emphasis)
    };
    for (i, finding) in findings.iter().enumerate() {
        let number = (i + 1).to_string();
        let mut cells = vec![Cell::from(number), cell(&finding.measured), cell(&finding.published)];
        if !all {
            cells.push(cell(&finding.published_here));
        }
        grid.row(cells);
        let mut note = format!("{}. {}.", i + 1, finding.conclusion.text);
        for (place, outcome) in [("Here", &finding.measured), ("In print", &finding.published)] {
            if outcome.verdict != Verdict::NotChecked {
                note += &format!(" {place}: {}.", outcome.sentence());
            }
        }
        if let Some(because) = &finding.conclusion.because {
            note += &format!(" ({because})");
        }
        grid.notes.push(note);
    }
    grid
}
