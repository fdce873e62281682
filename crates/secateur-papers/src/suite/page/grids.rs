//! Tables of schemes: what each came to on average, what the rule says, and ranks by kind of table.

use secateur::error::Result;
use secateur::report::grid::{Cell, Column, Emphasis, Grid};
use secateur::schema::Task;

use super::{Judged, digits, percent};
use crate::suite::rule::{Criterion, criteria};
use crate::suite::{Averages, Results};

/// All schemes of a contest: those that the rule leaves first, best first.
pub fn overview(results: &Results) -> Result<Grid> {
    let judged = Judged::of(results)?;
    let mut grid = schemes(&judged, &in_order(&judged));
    grid.title = format!("{}: means over {} tables", judged.word(), results.tables.len());
    grid.notes.push(legend(&judged));
    Ok(grid)
}

/// All schemes: those that the rule leaves, best first, then the other candidates and the other schemes, each by their leaves.
pub(super) fn in_order(judged: &Judged) -> Vec<usize> {
    let standings = &judged.decision.standings;
    let mut order = judged.decision.left.clone();
    let mut others: Vec<usize> = (0..standings.len()).filter(|scheme| !order.contains(scheme)).collect();
    let leaves = &judged.decision.log_leaves;
    others.sort_by(|&a, &b| {
        standings[b].is_some().cmp(&standings[a].is_some()).then(leaves[a].total_cmp(&leaves[b]))
    });
    order.extend(others);
    order
}

/// How many of the schemes that are left the page shows.
const SHOWN: usize = 10;

/// The schemes with the smallest trees that the rule leaves, those with the best ranks and the default before.
pub(super) fn left(judged: &Judged) -> Grid {
    let mut order: Vec<usize> = judged.decision.left.iter().copied().take(SHOWN).collect();
    for scheme in best_by_measure(judged).into_iter().chain([judged.results.before]) {
        if !order.contains(&scheme) {
            order.push(scheme);
        }
    }
    let mut grid = schemes(judged, &order);
    grid.notes.push(legend(judged));
    grid
}

/// The candidates with the best mean of each measure that the rule looks at over all tables.
fn best_by_measure(judged: &Judged) -> Vec<usize> {
    let Judged { results, decision, .. } = judged;
    let best = |(place, _): (usize, &Criterion)| {
        let behind = |scheme: usize| decision.standings[scheme].as_ref().map(|s| s.behind[place]);
        let known = (0..results.schemes.len()).filter_map(|scheme| Some((scheme, behind(scheme)?)));
        known.min_by(|a, b| a.1.total_cmp(&b.1)).map(|best| best.0)
    };
    criteria(results.task).iter().enumerate().filter(|(_, one)| one.kind.is_none()).filter_map(best).collect()
}

fn legend(judged: &Judged) -> String {
    let relative = match judged.results.task {
        Task::Classification => "",
        Task::Regression => " RMSE and MAE are in percent of those of the root alone.",
    };
    format!(
        "Means over tables, of leaves the geometric mean.{relative} Italic: worse than the rule allows. Bare roots: the share of the fits that \
         gave one, on all tables; some scheme is better than the root on {} of them.",
        judged.decision.beatable
    )
}

/// Some schemes in lines.
pub(super) fn schemes(judged: &Judged, order: &[usize]) -> Grid {
    let Judged { results, decision, all } = judged;
    let heads: &[&str] = match results.task {
        Task::Classification => {
            &["accuracy %", "noisy", "log loss", "Brier", "AUC", "rare class", "leaves", "bare roots %"]
        }
        Task::Regression => &["RMSE %", "MAE %", "leaves", "bare roots %"],
    };
    let columns = [Column::left("scheme")].into_iter().chain(heads.iter().map(|head| Column::decimal(*head)));
    let mut grid = Grid::new("", columns);
    for &scheme in order {
        let standing = &decision.standings[scheme];
        let emphasis = if scheme == judged.chosen() { Emphasis::Strong } else { Emphasis::Plain };
        let mut row = vec![Cell::new(results.schemes[scheme].as_str(), emphasis)];
        let bad = |text: String, is_bad: bool| match is_bad {
            true => Cell::bad(text),
            false => text.into(),
        };
        let Averages { brier, auc, bare_roots, .. } = results.averages(all, scheme);
        let criterion = |place: usize| {
            let Criterion { measure, .. } = criteria(results.task)[place];
            let tables = criteria(results.task)[place].tables(results, all);
            let mean = results.averages(&tables, scheme).of(measure);
            let text = match measure {
                "accuracy" => percent(mean, 2),
                "rmse" | "mae" => percent(mean, 1),
                _ => digits(mean, 3),
            };
            bad(text, standing.as_ref().is_some_and(|standing| standing.is_worse[place]))
        };
        match results.task {
            Task::Classification => {
                row.extend([criterion(0), criterion(1), criterion(2)]);
                row.extend([digits(brier, 4).into(), digits(auc, 3).into(), criterion(3)]);
            }
            Task::Regression => row.extend([criterion(0), criterion(1)]),
        }
        row.push(digits(Some(decision.log_leaves[scheme].exp()), 1).into());
        row.push(percent(Some(bare_roots), 1).into());
        grid.row(row);
    }
    grid
}

/// The average ranks of the schemes that are shown, by kind of table: by accuracy and by log loss, or by the error of numbers.
pub(super) fn by_kind(judged: &Judged) -> Vec<Grid> {
    let measures: &[(&str, &str)] = match judged.results.task {
        Task::Classification => &[("accuracy", "accuracy"), ("brier", "Brier score")],
        Task::Regression => &[("rmse", "RMSE")],
    };
    measures.iter().map(|(measure, title)| ranks_by_kind(judged, measure, title)).collect()
}

fn ranks_by_kind(judged: &Judged, measure: &str, title: &str) -> Grid {
    let (results, shown) = (judged.results, judged.shown());
    let mut kinds = vec![("all", judged.all.clone())];
    kinds.extend(results.kinds().map(|kind| (kind.name, results.of_kind(kind))));
    kinds.retain(|(_, tables)| !tables.is_empty());
    let heads = kinds.iter().map(|(name, tables)| Column::decimal(format!("{name} ({})", tables.len())));
    let mut grid = Grid::new(
        format!("Average ranks by {title}"),
        [Column::left("scheme")].into_iter().chain(heads.collect::<Vec<_>>()),
    );
    let ranks: Vec<Vec<f64>> =
        kinds.iter().map(|(_, tables)| results.average_ranks(measure, tables, &shown)).collect();
    for (place, &scheme) in shown.iter().enumerate() {
        let mut row: Vec<Cell> = vec![results.schemes[scheme].as_str().into()];
        row.extend(ranks.iter().map(|ranks| {
            let best = ranks.iter().copied().fold(f64::INFINITY, f64::min);
            let text = format!("{:.2}", ranks[place]);
            if ranks[place] <= best { Cell::strong(text) } else { text.into() }
        }));
        grid.row(row);
    }
    grid
}
