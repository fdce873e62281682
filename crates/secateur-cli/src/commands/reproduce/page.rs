//! Several published tables as one page: what it begins with (a line for every table, or the means and ranks of one), then their
//! reports.

use secateur::drawing::Arimo;
use secateur::report::grid::{Cell, Column, Figure, Grid, Report};
use secateur::statistics::{friedman, nemenyi_critical_difference};
use secateur_papers::{Finding, Grade, Verdict};

use super::Done;
use super::grids::digits;
use super::report::report;

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
