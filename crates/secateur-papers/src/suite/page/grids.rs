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

/// All schemes: those that the rule leaves, best first, then the others by their rank.
pub(super) fn in_order(judged: &Judged) -> Vec<usize> {
    let standings = &judged.decision.standings;
    let mut order = judged.decision.left.clone();
    let mut others: Vec<usize> = (0..standings.len()).filter(|scheme| !order.contains(scheme)).collect();
    others.sort_by(|&a, &b| standings[a].rank.total_cmp(&standings[b].rank));
    order.extend(others);
    order
}

/// How many of the schemes that are left the page shows.
const SHOWN: usize = 10;

/// The best of the schemes that the rule leaves, the most accurate one and the default so far.
pub(super) fn left(judged: &Judged) -> Grid {
    let mut order: Vec<usize> = judged.decision.left.iter().copied().take(SHOWN).collect();
    for scheme in [judged.decision.best, judged.results.before] {
        if !order.contains(&scheme) {
            order.push(scheme);
        }
    }
    let mut grid = schemes(judged, &order);
    grid.notes.push(legend(judged));
    grid
}

fn legend(judged: &Judged) -> String {
    let first = match judged.results.task {
        Task::Classification => "The first rank is by accuracy among all schemes",
        Task::Regression => {
            "RMSE and MAE are divided by those of the root alone. The first rank is by RMSE among all schemes"
        }
    };
    format!(
        "Means over tables, of leaves the median. {first}, italic where it is worse than the best by Holm's test at 5 %; bare roots are \
         those on the {} tables where some scheme beats the root, italic above 2 %. The mean rank is over the three measures of the last step, \
         among the {} schemes that are left.",
        judged.decision.beatable,
        judged.decision.left.len()
    )
}

/// Some schemes in lines.
pub(super) fn schemes(judged: &Judged, order: &[usize]) -> Grid {
    let Judged { results, decision, all } = judged;
    let heads: &[&str] = match results.task {
        Task::Classification => {
            &["accuracy %", "rank", "log loss", "Brier", "AUC", "leaves", "bare roots %", "mean rank"]
        }
        Task::Regression => &["RMSE %", "rank", "MAE %", "leaves", "bare roots %", "mean rank"],
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
        let rank = bad(format!("{:.2}", standing.rank), standing.is_worse);
        let Averages { accuracy, log_loss, brier, auc, rmse, mae, leaves, .. } =
            results.averages(all, scheme);
        match results.task {
            Task::Classification => {
                row.extend([percent(accuracy, 2).into(), rank]);
                row.extend([digits(log_loss, 3), digits(brier, 4), digits(auc, 3)].map(Cell::from));
            }
            Task::Regression => row.extend([percent(rmse, 1).into(), rank, percent(mae, 1).into()]),
        }
        row.push(digits(leaves, 1).into());
        row.push(bad(percent(Some(standing.bare_roots), 1), standing.is_bare));
        row.push(digits(standing.mean_rank(), 2).into());
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
