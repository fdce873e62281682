//! What `secateur reproduce` shows: printed and measured numbers, marks, conclusions, and a summary of several tables.

use secateur::drawing::Arimo;
use secateur::report::grid::{Cell, Column, Emphasis, Figure, Grid, Report};
use secateur::statistics::{friedman, nemenyi_critical_difference};
use secateur_papers::experiment::ExperimentKind;
use secateur_papers::protocol::Protocol;
use secateur_papers::{Agreement, Finding, Grade, Judged, Outcome, Sign, Verdict};

use super::Done;
use super::summary::{sign, verdict};

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

/// The reports of all experiments as one, with what a page begins with.
pub fn page(all: &[Done], quick: bool, call: &str) -> Report {
    let mut page = match all {
        [done] => report(done, quick),
        several => {
            let mut page = Report {
                title: format!("{} published tables, run again", several.len()),
                ..Report::default()
            };
            page.cover.overview = Some(summary(several));
            for done in several {
                let mut one = report(done, quick);
                one.grids
                    .iter_mut()
                    .for_each(|grid| grid.title = format!("{}: {}", done.experiment.id, grid.title));
                if let Some(first) = one.grids.first_mut() {
                    first.notes.splice(0..0, one.paragraphs);
                }
                page.grids.append(&mut one.grids);
                page.notes.append(&mut one.notes);
            }
            page
        }
    };
    page.cover.call = call.into();
    for done in all {
        if let ([_], Some(grid)) = (all, means(done)) {
            page.cover.overview = Some(grid);
        }
        page.cover.figures.extend(ranks_of(done));
    }
    page
}

/// The schemes and the data sets of a metric, and the number of each pair; where every scheme has one on every data set.
fn complete<'a>(done: &'a Done, metric: &str) -> Option<(Vec<&'a str>, Vec<Vec<f64>>)> {
    let mine: Vec<_> =
        done.run.results.values().filter(|(key, _)| key.metric == metric && key.group.is_none()).collect();
    let schemes: Vec<&str> = done.experiment.schemes.iter().map(|s| s.name.as_str()).collect();
    let schemes: Vec<&str> =
        schemes.into_iter().filter(|s| mine.iter().any(|(key, _)| key.scheme == *s)).collect();
    let mut datasets: Vec<&str> = mine.iter().map(|(key, _)| key.dataset.as_str()).collect();
    datasets.sort_unstable();
    datasets.dedup();
    let number = |dataset: &str, scheme: &str| {
        let found = mine.iter().find(|(key, _)| key.dataset == dataset && key.scheme == scheme);
        found.map(|(_, value)| value.mean).filter(|mean| mean.is_finite())
    };
    let rows: Option<Vec<Vec<f64>>> = datasets
        .iter()
        .map(|dataset| schemes.iter().map(|scheme| number(dataset, scheme)).collect())
        .collect();
    rows.filter(|rows| !rows.is_empty() && !schemes.is_empty()).map(|rows| (schemes, rows))
}

/// The metrics of an experiment, each once.
fn metrics<'a>(done: &'a Done) -> Vec<&'a str> {
    let mut list: Vec<&str> = Vec::new();
    for measure in &done.experiment.measures {
        if !list.contains(&measure.metric.as_str()) {
            list.push(&measure.metric);
        }
    }
    list
}

/// The measured means of every scheme over all data sets.
fn means(done: &Done) -> Option<Grid> {
    let metrics = metrics(done);
    let tables: Vec<_> =
        metrics.iter().filter_map(|metric| Some((*metric, complete(done, metric)?))).collect();
    let (schemes, rows) = &tables.first()?.1;
    if schemes.len() < 2 || rows.len() < 2 {
        return None;
    }
    let heads = tables.iter().map(|(metric, _)| Column::decimal(metric.replace('_', " ")));
    let columns = std::iter::once(Column::left("scheme")).chain(heads);
    let mut grid = Grid::new(format!("Overview: measured means over {} data sets", rows.len()), columns);
    for scheme in schemes {
        let mut row = vec![Cell::from(*scheme)];
        row.extend(tables.iter().map(|(_, (schemes, rows))| {
            let place = schemes.iter().position(|s| s == scheme);
            let mean = place.map(|i| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64);
            Cell::from(mean.map_or("–".into(), digits))
        }));
        grid.row(row);
    }
    Some(grid)
}

/// The ranks by the first metric that says which trees are better.
fn ranks_of(done: &Done) -> Option<Figure> {
    const LEVEL: f64 = 0.05;
    let (metric, larger) = metrics(done).into_iter().find_map(|metric| match metric {
        m if m.contains("accuracy") => Some((m, true)),
        m if m.contains("error") || m.contains("mse") => Some((m, false)),
        _ => None,
    })?;
    let (schemes, rows) = complete(done, metric)?;
    if schemes.len() < 3 {
        return None;
    }
    let test = friedman(&rows, larger).ok()?;
    let apart = nemenyi_critical_difference(schemes.len(), rows.len(), LEVEL).ok()?;
    let names: Vec<String> = schemes.iter().map(|s| s.to_string()).collect();
    let drawing = secateur::picture::ranks(&names, &test.average_ranks, apart, LEVEL, &Arimo::new());
    let caption = format!(
        "{}: average ranks by measured {} on {} data sets. Schemes that a bar joins do not differ (Nemenyi at {LEVEL}).",
        done.experiment.id,
        metric.replace('_', " "),
        rows.len()
    );
    Some(Figure { name: "ranks", caption, drawing })
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

/// One grid for every metric: data sets (and groups) down, schemes across, with printed and measured numbers.
fn cells(agreement: &Agreement) -> Vec<Grid> {
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
fn unprinted(done: &Done) -> Vec<Grid> {
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
fn digits(x: f64) -> String {
    if x != 0.0 && x.abs() < 0.1 { format!("{x:.1e}") } else { format!("{x:.2}") }
}

/// With several seeds: how far a print is from what is measured, in standard deviations between seeds.
fn distances(done: &Done) -> Option<Grid> {
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
fn marks(agreement: &Agreement) -> Option<Grid> {
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

fn conclusions_grid(findings: &[Finding]) -> Grid {
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

/// A line for every table.
pub fn summary(all: &[Done]) -> Grid {
    let columns = vec![
        Column::left("table"),
        Column::right("numbers"),
        Column::right("equal"),
        Column::right("close"),
        Column::right("off"),
        Column::right("not judged"),
        Column::right("not measured"),
        Column::decimal("agree, %"),
        Column::right("marks, same"),
        Column::right("hold here"),
        Column::right("hold in print"),
        Column::left("tolerance"),
    ];
    let mut grid = Grid::new("", columns);
    for done in all {
        let Done { experiment, run, agreement, findings } = done;
        let count = |grade| agreement.count(grade);
        let close = match agreement.by_rounding() {
            0 => count(Grade::Close).to_string(),
            n => format!("{} ({n} by ½)", count(Grade::Close)),
        };
        let holds = |outcome: fn(&'_ Finding<'_>) -> Verdict| {
            let checked = findings.iter().map(outcome).filter(|v| *v != Verdict::NotChecked);
            let (held, checked) =
                checked.fold((0, 0), |(h, n), v| (h + usize::from(v == Verdict::Holds), n + 1));
            if checked == 0 { "–".to_owned() } else { format!("{held} of {checked}") }
        };
        let marks = match agreement.marks.len() {
            0 => "–".to_owned(),
            n => format!("{} of {n}", agreement.equal_marks()),
        };
        let rooms: Vec<String> = experiment
            .measures
            .iter()
            .filter_map(|m| Some(format!("{} {}", m.metric.replace('_', " "), m.tolerance()?)))
            .collect();
        let mut cells = vec![Cell::from(experiment.id.as_str())];
        if run.rows.is_empty() {
            let why = run.missing.first().map_or("", |m| m.1.as_str());
            cells.push(Cell::from("skipped"));
            grid.notes.push(format!("{} was skipped: {why}", experiment.id));
        } else {
            cells.push(Cell::from(agreement.cells.len().to_string()));
        }
        cells.extend([
            Cell::from(count(Grade::Exact).to_string()),
            Cell::from(close),
            Cell::from(count(Grade::Off).to_string()),
            Cell::from(count(Grade::Unjudged).to_string()),
            Cell::from(agreement.unmeasured.to_string()),
            Cell::from(agreement.share().map_or("–".to_owned(), |s| format!("{:.1}", 100.0 * s))),
            Cell::from(marks),
            Cell::from(holds(|f| f.measured.verdict)),
            Cell::from(holds(|f| f.published.verdict)),
            Cell::from(rooms.join("; ")),
        ]);
        grid.row(cells);
    }
    grid.notes.push(
        "equal: rounds to the printed digits; close: within the tolerance and half a printed unit (by ½: only by that \
         half); marks: significance as printed; hold: conclusions of the document"
            .into(),
    );
    grid
}
