//! Comparisons as pictures, and the table that stands on the first page beside them.

use super::grids::{heading, shown};
use super::sheet::{Comparison, Sheet};
use crate::drawing::{Arimo, Drawing};
use crate::evaluate::measures::{Better, Unit};
use crate::picture::{Scattered, ranks, scatter};
use crate::report::grid::{Cell, Column, Grid};

/// The average ranks with their critical difference; where at least three schemes were ranked on at least two data sets.
pub fn ranks_picture(comparison: &Comparison) -> Option<Drawing> {
    let [overall] = comparison.overall.as_slice() else { return None };
    let apart = overall.critical_difference.filter(|apart| apart.is_finite())?;
    Some(ranks(&overall.schemes, &overall.average_ranks, apart, comparison.test.level, &Arimo::new()))
}

/// Error against size, means over all data sets and the largest share. Numbers that have no common scale are divided by the smallest of
/// their data set first. For measures that should be small, and at least two schemes.
pub fn size_picture(error: &Sheet, size: &Sheet) -> Option<Drawing> {
    if error.measure.better != Better::Smaller || error.schemes.len() < 2 {
        return None;
    }
    let is_relative = error.measure.unit != Unit::Share && error.datasets.len() > 1;
    let mut points = Vec::new();
    for (scheme, name) in error.schemes.iter().enumerate() {
        // A scheme that failed on a data set would be compared on others only.
        let (Some(error), Some(size)) =
            (mean_of(error, scheme, is_relative), mean_of(size, scheme, false).filter(|size| *size > 0.0))
        else {
            continue;
        };
        points.push(Scattered { name: name.clone(), size, error });
    }
    let title = if is_relative {
        format!("{}, relative to the lowest", error.measure.title)
    } else {
        error.measure.title.into()
    };
    let names = (format!("{} (mean)", size.measure.title), title);
    let percent = error.measure.unit == Unit::Share;
    (points.len() > 1).then(|| scatter(&points, (&names.0, &names.1), percent, &Arimo::new()))
}

/// The mean over all data sets; `None` where one has no number.
fn mean_of(sheet: &Sheet, scheme: usize, is_relative: bool) -> Option<f64> {
    let share = sheet.shares.len().checked_sub(1)?;
    let mut sum = 0.0;
    for dataset in 0..sheet.datasets.len() {
        let mean = |scheme: usize| sheet.cell(dataset, scheme, share).mean;
        let least = (0..sheet.schemes.len()).filter_map(mean).fold(f64::INFINITY, f64::min);
        let unit = if is_relative { least } else { 1.0 };
        sum += mean(scheme)? / unit;
    }
    let mean = sum / sheet.datasets.len() as f64;
    mean.is_finite().then_some(mean)
}

/// Every scheme in a line: its mean over all data sets, its rank, how often it is better and worse than the base, and its size.
pub fn overview(comparison: &Comparison, size: &Sheet) -> Grid {
    let sheet = comparison.sheet;
    let [overall] = comparison.overall.as_slice() else { return Grid::default() };
    let several = sheet.datasets.len() > 1;
    let mut columns = vec![Column::left("scheme"), Column::decimal(heading(sheet.measure))];
    if several {
        columns.push(Column::decimal("average rank"));
        columns.push(Column::right("larger/same/smaller"));
    }
    columns.push(Column::decimal(heading(size.measure)));
    let title = match several {
        true => format!("Overview: means over {} data sets", sheet.datasets.len()),
        false => "Overview".into(),
    };
    let mut grid = Grid::new(title, columns);
    let number = |sheet: &Sheet, scheme: usize| {
        mean_of(sheet, scheme, false)
            .map_or(Cell::faint("–"), |mean| shown(sheet.measure, mean, None).into())
    };
    let rank = |scheme: usize| {
        let place = overall.schemes.iter().position(|name| *name == sheet.schemes[scheme])?;
        overall.average_ranks.get(place).copied()
    };
    let mut order: Vec<usize> = (0..sheet.schemes.len()).collect();
    order.sort_by(|&a, &b| rank(a).unwrap_or(f64::INFINITY).total_cmp(&rank(b).unwrap_or(f64::INFINITY)));
    for scheme in order {
        let mut row: Vec<Cell> = vec![sheet.schemes[scheme].as_str().into(), number(sheet, scheme)];
        if several {
            row.push(rank(scheme).map_or(Cell::faint("–"), |rank| format!("{rank:.2}").into()));
            row.push(match scheme == comparison.base {
                true => Cell::faint("base"),
                false => comparison.counts[scheme].to_string().into(),
            });
        }
        row.push(number(size, scheme));
        grid.row(row);
    }
    grid
}
