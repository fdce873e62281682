//! The files beside the page: every table, every scheme, means for other programs, and times.

use secateur::error::Result;
use secateur::report::grid::{Cell, Column, Grid};
use secateur::schema::Task;

use super::{Judged, Peers, digits, grids, markdown, percent, sentences};
use crate::suite::contest::median;

/// The default beside the default so far on every table.
pub(super) fn tables(judged: &Judged) -> Result<String> {
    let results = judged.results;
    let (new, before) = (judged.chosen(), results.before);
    let measures: &[(&str, &str, f64, usize)] = match results.task {
        Task::Classification => &[
            ("accuracy", "accuracy %", 100.0, 1),
            ("log-loss", "log loss", 1.0, 3),
            ("brier", "Brier", 1.0, 3),
            ("leaves", "leaves", 1.0, 1),
        ],
        Task::Regression => {
            &[("rmse", "RMSE %", 100.0, 1), ("mae", "MAE %", 100.0, 1), ("leaves", "leaves", 1.0, 1)]
        }
    };
    let mut columns = vec![Column::left("table"), Column::right("rows"), Column::left("kinds")];
    for (_, title, ..) in measures {
        columns.extend([Column::right(format!("{title}: new")), Column::right("before")]);
    }
    columns.extend([Column::right("bare roots %: new"), Column::right("before")]);
    let mut grid = Grid::new("", columns);
    for (table, facts) in results.tables.iter().enumerate() {
        let left = results.left(table);
        let kinds: Vec<&str> =
            results.kinds().filter(|kind| (kind.is)(facts, left)).map(|kind| kind.name).collect();
        let mut row: Vec<Cell> =
            vec![facts.name.as_str().into(), facts.rows.to_string().into(), kinds.join(", ").into()];
        for &(measure, _, scale, places) in measures {
            let unit = match measure {
                "rmse" | "mae" => {
                    results.mean(measure, table, results.root()).map_or(1.0, |root| scale / root)
                }
                _ => scale,
            };
            let text = |scheme| digits(results.mean(measure, table, scheme).map(|mean| unit * mean), places);
            row.push(sentences::marked(results, measure, table, new, text(new))?);
            row.push(text(before).into());
        }
        row.extend([new, before].map(|s| percent(Some(results.bare_roots(table, s)), 0).into()));
        grid.row(row);
    }
    let (new, before) = (&results.schemes[new], &results.schemes[before]);
    Ok(format!(
        "# Every table with {}\n\nThe new default, `{new}`, beside the one before, `{before}`: means over all folds. Bold is significantly better, italic \
         significantly worse (corrected resampled t test, 5 %).{}\n\n{}",
        judged.word(),
        if results.task == Task::Regression {
            " Errors are in percent of those of the root alone."
        } else {
            ""
        },
        markdown(&grid)
    ))
}

/// Every scheme.
pub(super) fn schemes(judged: &Judged) -> Result<String> {
    let grid = grids::overview(judged.results)?;
    Ok(format!("# Every scheme for {}\n\n{}", judged.word(), markdown(&grid)))
}

/// Means per table and scheme, for the schemes that are shown and the best that are left.
pub(super) fn means(judged: &[&Judged]) -> String {
    let heads = "task,table,scheme,accuracy,log_loss,brier,auc,rmse,mae,leaves,bare_roots";
    let mut out = format!("{heads}\n");
    for judged in judged {
        let results = judged.results;
        let mut schemes = judged.shown();
        schemes.extend(judged.decision.left.iter().copied().take(10));
        schemes.sort_unstable();
        schemes.dedup();
        for (table, facts) in results.tables.iter().enumerate() {
            for &scheme in &schemes {
                let of = |measure: &str, task: Task| {
                    let mean = (results.task == task).then(|| results.mean(measure, table, scheme)).flatten();
                    mean.map_or_else(String::new, significant)
                };
                let classes = ["accuracy", "log-loss", "brier", "auc"].map(|m| of(m, Task::Classification));
                let numbers = ["rmse", "mae"].map(|m| of(m, Task::Regression));
                let name = &results.schemes[scheme];
                out += &format!("{},{},\"{name}\",", judged.word(), facts.name);
                out += &format!("{},{},", classes.join(","), numbers.join(","));
                out += &format!("{},", of("leaves", results.task));
                out += &format!("{}\n", significant(results.bare_roots(table, scheme)));
            }
        }
    }
    out
}

/// A number with five digits.
fn significant(number: f64) -> String {
    let rounded: f64 = format!("{number:.4e}").parse().unwrap_or(number);
    rounded.to_string()
}

/// Times, as multiples of the time of the first scheme; other programs as they were measured.
pub(super) fn times(judged: &[&Judged], peers: Option<&Peers>) -> String {
    let mut out = String::from(
        "# Times\n\nThese numbers differ from run to run and from machine to machine, so they stand in a file of their own. Seconds are those of fitting \
         one tree alone: growing, choosing and pruning, without reading.\n",
    );
    for judged in judged {
        let results = judged.results;
        let sheet = results.sheet("fit-seconds");
        let columns = [
            Column::left("scheme"),
            Column::right("times the first"),
            Column::right("on large tables"),
            Column::right("longest, s"),
        ];
        let first = &results.schemes[0];
        let mut grid =
            Grid::new(format!("For {}, beside {first} (medians over tables)", judged.word()), columns);
        let large: Vec<usize> =
            judged.all.iter().copied().filter(|&t| results.tables[t].rows >= 5000).collect();
        let ratio = |tables: &[usize], scheme: usize| {
            let seconds = |table: usize, scheme: usize| sheet.cell(table, scheme, 0).mean;
            let of = |&table: &usize| Some(seconds(table, scheme)? / seconds(table, 0)?);
            median(tables.iter().filter_map(of).filter(|x| x.is_finite()).collect())
        };
        for scheme in judged.shown() {
            let longest =
                judged.all.iter().filter_map(|&t| sheet.cell(t, scheme, 0).mean).fold(0.0, f64::max);
            let row = [
                results.schemes[scheme].clone(),
                digits(ratio(&judged.all, scheme), 1),
                digits(ratio(&large, scheme), 1),
                format!("{longest:.2}"),
            ];
            grid.row(row);
        }
        out += &format!("\n{}", markdown(&grid));
    }
    out + &peers.map_or_else(String::new, Peers::times)
}
