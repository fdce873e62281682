//! Tables of schemes: what each came to on average, what the rule says, and ranks by kind of table.

use secateur::error::Result;
use secateur::report::grid::{Cell, Column, Emphasis, Grid};
use secateur::schema::Task;

use super::{Judged, digits, percent};
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
    for scheme in judged.decision.best.into_iter().chain([judged.results.before]) {
        if !order.contains(&scheme) {
            order.push(scheme);
        }
    }
    let mut grid = schemes(judged, &order);
    grid.notes.push(legend(judged));
    grid
}

fn legend(judged: &Judged) -> String {
    let (first, relative) = match judged.results.task {
        Task::Classification => ("Accuracy", ""),
        Task::Regression => ("RMSE", " RMSE and MAE are in percent of those of the root alone."),
    };
    format!(
        "Means over tables, of leaves the geometric mean.{relative} Ranks are among the {} candidates, italic where they are significantly worse \
         than the best (Holm, 5 %). {first} is italic where it is more than half a point behind the best. Bare roots: the share of \
         the fits that gave one, on all tables; some scheme is better than the root on {} of them.",
        judged.decision.candidates(),
        judged.decision.beatable
    )
}

/// Some schemes in lines.
pub(super) fn schemes(judged: &Judged, order: &[usize]) -> Grid {
    let Judged { results, decision, all } = judged;
    let heads: &[&str] = match results.task {
        Task::Classification => {
            &["accuracy %", "rank", "log loss", "rank", "Brier", "AUC", "leaves", "bare roots %"]
        }
        Task::Regression => &["RMSE %", "rank", "MAE %", "rank", "leaves", "bare roots %"],
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
        let rank = |measure: usize| match standing {
            Some(standing) => bad(format!("{:.2}", standing.ranks[measure]), standing.is_worse(measure)),
            None => "–".into(),
        };
        let is_behind = standing.is_some_and(|standing| standing.is_behind());
        let Averages { accuracy, log_loss, brier, auc, rmse, mae, bare_roots, .. } =
            results.averages(all, scheme);
        match results.task {
            Task::Classification => {
                row.extend([
                    bad(percent(accuracy, 2), is_behind),
                    rank(0),
                    digits(log_loss, 3).into(),
                    rank(1),
                ]);
                row.extend([digits(brier, 4), digits(auc, 3)].map(Cell::from));
            }
            Task::Regression => {
                row.extend([bad(percent(rmse, 1), is_behind), rank(0), percent(mae, 1).into(), rank(1)]);
            }
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
