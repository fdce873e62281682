//! Comparisons as grids: means with their deviations, marks, counts and ranks.

use super::overall::Overall;
use super::sheet::{Comparison, Sheet};
use crate::evaluate::measures::{Better, Measure, Unit};
use crate::report::grid::{Cell, Column, Emphasis, Grid};
use crate::statistics::Mark;

/// What stands above the columns of the schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Heads {
    /// Their names.
    #[default]
    Names,
    /// Numbers, which a [`key`] explains: for names too long to stand beside each other.
    Numbers,
}

/// A number of a measure as it is printed: shares in percent, and with it the deviation.
///
/// ```
/// use secateur::evaluate::{comparison::shown, measures::Measure};
/// assert_eq!(shown(Measure::of("accuracy")?, 0.95, Some(0.0321)), "95.00 ± 3.21");
/// assert_eq!(shown(Measure::of("nodes")?, 5.26, None), "5.3");
/// assert_eq!(shown(Measure::of("mse")?, 1234.5678, Some(0.26)), "1234.6 ± 0.3");
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn shown(measure: &Measure, mean: f64, sd: Option<f64>) -> String {
    let scale = if measure.unit == Unit::Share { 100.0 } else { 1.0 };
    let digits = match measure.unit {
        Unit::Share => 2,
        Unit::Count => 1,
        Unit::Seconds => 4,
        // Five significant digits, one of them behind the point.
        Unit::Plain if mean == 0.0 => 4,
        Unit::Plain => (4 - mean.abs().log10().floor() as i32).clamp(1, 9) as usize,
    };
    let number = |x: f64| {
        // Numbers of very different sizes keep their digits.
        match x.abs() {
            size if measure.unit == Unit::Plain && size != 0.0 && !(1e-5..1e9).contains(&size) => {
                format!("{x:.4e}")
            }
            _ => format!("{:.digits$}", scale * x),
        }
    };
    match sd {
        Some(sd) => format!("{} ± {}", number(mean), number(sd)),
        None => number(mean),
    }
}

/// What is printed above a measure: its title, with its unit where it has one.
///
/// ```
/// use secateur::evaluate::{comparison::heading, measures::Measure};
/// assert_eq!(heading(Measure::of("accuracy")?), "accuracy %");
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn heading(measure: &Measure) -> String {
    match measure.unit {
        Unit::Share => format!("{} %", measure.title),
        Unit::Seconds => format!("{} (s)", measure.title),
        Unit::Count | Unit::Plain => measure.title.into(),
    }
}

/// A mean with its deviation and its mark; better and worse stand out.
fn cell(comparison: &Comparison, dataset: usize, scheme: usize, share: usize) -> Cell {
    let sheet = comparison.sheet;
    let summary = sheet.cell(dataset, scheme, share);
    let Some(mean) = summary.mean else {
        return Cell::faint(if summary.failures > 0 { "failed" } else { "–" });
    };
    let mut text = shown(sheet.measure, mean, summary.sd);
    let mark = comparison.difference(dataset, scheme, share).and_then(|d| d.mark);
    match mark {
        Some(Mark::Larger) => text += " +",
        Some(Mark::Smaller) => text += " −",
        _ => {}
    }
    if summary.failures > 0 {
        text += " !";
    }
    Cell::new(text, emphasis(sheet.measure, mark))
}

fn emphasis(measure: &Measure, mark: Option<Mark>) -> Emphasis {
    match (mark, measure.better) {
        (Some(Mark::Larger), Better::Larger) | (Some(Mark::Smaller), Better::Smaller) => Emphasis::Good,
        (Some(Mark::Larger), Better::Smaller) | (Some(Mark::Smaller), Better::Larger) => Emphasis::Bad,
        _ => Emphasis::Plain,
    }
}

/// Data sets in lines, schemes in columns; under them how often a scheme is larger, the same or smaller than the base, and
/// the average ranks.
pub fn table(comparison: &Comparison, heads: Heads) -> Grid {
    let sheet = comparison.sheet;
    let curve = sheet.shares.len() > 1;
    let mut columns = vec![Column::left("data set")];
    if curve {
        columns.push(Column::right("share"));
    }
    let names = sheet.schemes.iter().enumerate().map(|(i, name)| match heads {
        Heads::Names => name.clone(),
        Heads::Numbers => format!("({})", i + 1),
    });
    columns.extend(names.map(Column::decimal));
    let mut grid = Grid::new(heading(sheet.measure), columns);
    for (dataset, name) in sheet.datasets.iter().enumerate() {
        for (share, value) in sheet.shares.iter().enumerate() {
            let mut row: Vec<Cell> = vec![name.as_str().into()];
            if curve {
                row.push(value.to_string().into());
            }
            row.extend((0..sheet.schemes.len()).map(|scheme| cell(comparison, dataset, scheme, share)));
            grid.row(row);
        }
        if curve && dataset + 1 < sheet.datasets.len() {
            grid.separator();
        }
    }
    let lead = |text: &str| {
        let mut row: Vec<Cell> = vec![text.into()];
        row.resize(1 + usize::from(curve), Cell::default());
        row
    };
    if sheet.schemes.len() > 1 && comparison.differences.iter().any(|d| d.mark.is_some()) {
        let mut row = lead("larger/same/smaller");
        row.extend(comparison.counts.iter().enumerate().map(|(i, counts)| match i == comparison.base {
            true => Cell::faint("base"),
            false => counts.to_string().into(),
        }));
        grid.footer(row);
    }
    if let ([overall], true) = (comparison.overall.as_slice(), sheet.datasets.len() > 1)
        && !overall.average_ranks.is_empty()
        && sheet.schemes.len() > 1
    {
        let mut row = lead("average rank");
        row.extend(sheet.schemes.iter().map(|name| {
            let place = overall.schemes.iter().position(|s| s == name);
            let rank = place.and_then(|place| overall.average_ranks.get(place));
            rank.map_or(Cell::faint("–"), |rank| format!("{rank:.2}").into())
        }));
        grid.footer(row);
    }
    grid.notes.extend(legend(comparison));
    if let ([overall], true) = (comparison.overall.as_slice(), sheet.datasets.len() > 1) {
        grid.notes.extend(in_words(overall, comparison));
    }
    grid
}

/// The schemes by the numbers that stand for them.
pub fn key(sheet: &Sheet) -> Grid {
    let mut grid = Grid::new("", [Column::right(""), Column::left("scheme")]);
    for (i, name) in sheet.schemes.iter().enumerate() {
        grid.row([format!("({})", i + 1), name.clone()]);
    }
    grid
}

/// One data set and share: schemes in lines, measures in columns.
pub fn one_dataset(comparisons: &[Comparison], dataset: usize, share: usize) -> Grid {
    let Some(first) = comparisons.first() else { return Grid::default() };
    let mut columns = vec![Column::left("scheme")];
    columns.extend(comparisons.iter().map(|c| Column::decimal(heading(c.sheet.measure))));
    let mut grid = Grid::new(first.sheet.datasets[dataset].clone(), columns);
    for (scheme, name) in first.sheet.schemes.iter().enumerate() {
        let mut row: Vec<Cell> = vec![name.as_str().into()];
        row.extend(comparisons.iter().map(|c| cell(c, dataset, scheme, share)));
        grid.row(row);
    }
    let mut notes: Vec<String> = comparisons.iter().flat_map(legend).collect();
    notes.dedup();
    grid.notes.extend(notes);
    grid
}

/// All numbers, one to a line, without rounding: for spreadsheets and scripts.
pub fn list(comparisons: &[Comparison]) -> Grid {
    let names = ["data set", "scheme", "share", "measure", "mean", "sd", "values", "failures", "base"];
    let more = ["difference", "low", "high", "effect", "p", "mark"];
    let heads = names.into_iter().chain(more);
    let mut grid = Grid::new("", heads.map(Column::left));
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    for comparison in comparisons {
        let sheet = comparison.sheet;
        for (dataset, data) in sheet.datasets.iter().enumerate() {
            for (scheme, name) in sheet.schemes.iter().enumerate() {
                for (share, value) in sheet.shares.iter().enumerate() {
                    let summary = sheet.cell(dataset, scheme, share);
                    let found = comparison.difference(dataset, scheme, share);
                    grid.row([
                        data.clone(),
                        name.clone(),
                        value.to_string(),
                        sheet.measure.id.into(),
                        number(summary.mean),
                        number(summary.sd),
                        summary.values.len().to_string(),
                        summary.failures.to_string(),
                        found.map(|d| d.base.clone()).unwrap_or_default(),
                        number(found.and_then(|d| d.difference)),
                        number(found.and_then(|d| Some(d.interval?.low))),
                        number(found.and_then(|d| Some(d.interval?.high))),
                        number(found.and_then(|d| d.effect)),
                        number(found.and_then(|d| d.p)),
                        found.and_then(|d| d.mark).map(in_a_word).unwrap_or_default().into(),
                    ]);
                }
            }
        }
    }
    grid
}

fn in_a_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Larger => "larger",
        Mark::Same => "same",
        Mark::Smaller => "smaller",
    }
}

/// What the signs in the cells mean.
fn legend(comparison: &Comparison) -> Vec<String> {
    let (sheet, test) = (comparison.sheet, comparison.test);
    let mut notes = Vec::new();
    let has = |wanted: Mark| comparison.differences.iter().any(|d| d.mark == Some(wanted));
    if sheet.schemes.len() > 1 {
        let base = &sheet.schemes[comparison.base];
        if has(Mark::Larger) || has(Mark::Smaller) {
            let least = match test.threshold {
                Some(least) => format!(" and at least {} apart", shown(sheet.measure, least, None)),
                None => String::new(),
            };
            notes.push(format!(
                "+ larger, − smaller than {base}: {} at {}{least}.",
                test.kind.in_words(),
                test.level
            ));
        } else if comparison.differences.iter().any(|d| d.mark.is_some()) {
            notes.push(format!(
                "No {} differs from {base}: {} at {}.",
                sheet.measure.title,
                test.kind.in_words(),
                test.level
            ));
        } else {
            notes.push(format!(
                "The {} of these numbers cannot be tested: {}.",
                sheet.measure.title,
                untested(comparison)
            ));
        }
    }
    if any_partly(sheet) {
        notes.push("! failed on some of the divisions; the mean is over the others.".into());
    }
    notes
}

fn untested(comparison: &Comparison) -> &'static str {
    match comparison.test.kind.fits(comparison.sheet.measure) {
        true => "a test needs at least two divisions on which both schemes have a value",
        false => "proportions are for the accuracy and the error rate",
    }
}

fn any_partly(sheet: &Sheet) -> bool {
    let some = |(d, s, h): (usize, usize, usize)| {
        let summary = sheet.cell(d, s, h);
        summary.failures > 0 && summary.mean.is_some()
    };
    let places =
        |d| (0..sheet.schemes.len()).flat_map(move |s| (0..sheet.shares.len()).map(move |h| (d, s, h)));
    (0..sheet.datasets.len()).flat_map(places).any(some)
}

/// What the tests over all data sets say.
fn in_words(overall: &Overall, comparison: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    let level = comparison.test.level;
    if let Some(test) = &overall.friedman {
        notes.push(format!(
            "Friedman over {} data sets: χ² = {:.2}, {}; Iman and Davenport: F({}, {}) = {}, {}.",
            test.data_sets,
            test.chi2,
            chance(test.p),
            test.f_df.0,
            test.f_df.1,
            if test.f.is_finite() { format!("{:.2}", test.f) } else { "∞".into() },
            chance(test.f_p),
        ));
    }
    if let Some(apart) = overall.critical_difference {
        notes.push(format!("Nemenyi: ranks {apart:.2} apart differ at {level}."));
    }
    if !overall.versus.is_empty() {
        let differ: Vec<String> = overall
            .versus
            .iter()
            .filter(|v| v.adjusted_p <= level)
            .map(|v| {
                let word = if v.z > 0.0 { "worse" } else { "better" };
                format!("{} is {word} ({})", v.scheme, chance(v.adjusted_p))
            })
            .collect();
        let base = &overall.versus[0].base;
        notes.push(match differ.is_empty() {
            true => format!("By ranks, no scheme differs from {base} (Holm at {level})."),
            false => format!("By ranks against {base} (Holm at {level}): {}.", differ.join(", ")),
        });
    }
    if let Some(test) = &overall.wilcoxon {
        notes.push(format!("Wilcoxon over {} data sets that differ: {}.", test.n, chance(test.p)));
    }
    notes
}

/// A probability in a few digits.
fn chance(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".into() } else { format!("p = {p:.4}") }
}
