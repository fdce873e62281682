//! The report of `secateur compare`: its tables, the pictures of a page, the page's overview.

use secateur::drawing::svg;
use secateur::evaluate::Record;
use secateur::evaluate::comparison::{
    Comparison, Heads, Sheet, key, list, one_dataset, overview, ranks_picture, size_picture, table,
};
use secateur::evaluate::measures::Measure;
use secateur::report::grid::{Cover, Figure, Format, Report};
use secateur::schema::Task;

use crate::experiment::Sets;
use crate::failure::{Failure, Result};
use crate::files::OutFolder;
use crate::output;

/// The report: a table for every measure, or one of all measures where there is one data set only.
pub(super) fn report(comparisons: &[Comparison], format: Format, width: usize) -> Report {
    let mut report = Report::default();
    let Some(sheet) = comparisons.first().map(|c| c.sheet) else { return report };
    if format == Format::Csv {
        report.grids.push(list(comparisons));
    } else if sheet.datasets.len() == 1 && sheet.shares.len() == 1 {
        report.grids.push(one_dataset(comparisons, 0, 0));
    } else {
        // Names that do not fit beside each other are numbered.
        let wide: usize = sheet.schemes.iter().map(|name| name.chars().count().max(16) + 2).sum();
        let long = format == Format::Text && wide + 22 > width;
        let heads = if long { Heads::Numbers } else { Heads::Names };
        report.grids.extend(long.then(|| key(sheet)));
        report.grids.extend(comparisons.iter().map(|comparison| table(comparison, heads)));
    }
    report
}

pub(super) fn title(sets: &Sets, schemes: usize) -> String {
    match sets.list.as_slice() {
        [only] => format!("{schemes} schemes on {}", only.name),
        several => format!("{schemes} schemes on {} data sets", several.len()),
    }
}

/// What the page begins with: an overview, ranks with their critical difference, error against size.
pub(super) fn cover(comparisons: &[Comparison], records: &[Record], sets: &Sets) -> Cover {
    let mut cover = Cover { call: output::call(), ..Cover::default() };
    let Some(first) = comparisons.first() else { return cover };
    let error = match (sets.task, sets.has_costs()) {
        (Task::Regression, _) => "mse",
        (Task::Classification, true) => "loss",
        (Task::Classification, false) => "error",
    };
    let sheet = |id: &str| Measure::of(id).map(|measure| Sheet::of(records, measure));
    let (Ok(error), Ok(leaves)) = (sheet(error), sheet("leaves")) else { return cover };
    cover.overview = Some(overview(first, &leaves)).filter(|grid| grid.rows() > 0 && sets.list.len() > 1);
    if let Some(drawing) = ranks_picture(first) {
        let caption = format!(
            "Average ranks by {}. Schemes that a bar joins do not differ (Nemenyi at {}).",
            first.sheet.measure.title, first.test.level
        );
        cover.figures.push(Figure { name: "ranks", caption, drawing });
    }
    if let Some(drawing) = size_picture(&error, &leaves) {
        let over = if sets.list.len() > 1 { ", means over all data sets" } else { "" };
        let caption = format!(
            "{} against leaves{over}. No scheme is both smaller and better than those on the line.",
            capital(error.measure.title)
        );
        cover.figures.push(Figure { name: "size", caption, drawing });
    }
    cover
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// Writes the pictures to a folder.
pub(super) fn save(folder: &OutFolder, cover: &Cover) -> Result<()> {
    if cover.figures.is_empty() {
        return Err(Failure::call("--pictures: there is nothing to draw; compare two schemes or more"));
    }
    for figure in &cover.figures {
        folder.write(&format!("{}.svg", figure.name), |out| write!(out, "{}", svg(&figure.drawing)))?;
    }
    Ok(())
}
