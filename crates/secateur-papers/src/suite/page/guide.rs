//! What to take when: for every wish, and for every kind of table, the scheme that the numbers speak for.

use secateur::error::Result;
use secateur::report::grid::{Cell, Column, Grid};
use secateur::schema::Task;

use super::{Judged, digits, percent};
use crate::suite::rule::{self, Decision};

/// A line of the guide: a wish, the tables it is about, and the scheme.
struct Advice {
    wish: String,
    tables: Vec<usize>,
    scheme: usize,
}

/// The guide.
pub(super) fn grid(judged: &Judged) -> Result<Grid> {
    let results = judged.results;
    let heads: &[&str] = match results.task {
        Task::Classification => &["accuracy %", "log loss", "Brier", "leaves"],
        Task::Regression => &["RMSE %", "MAE %", "leaves"],
    };
    let columns = ["you want", "take"].map(Column::left).into_iter();
    let mut grid = Grid::new("", columns.chain(heads.iter().map(|head| Column::right(*head))));
    for Advice { wish, tables, scheme } in advice(judged)? {
        let own = results.averages(&tables, scheme);
        let default = results.averages(&tables, judged.chosen());
        // The default's number beside it, where another scheme is named.
        let both = |own: String, default: String| -> Cell {
            if scheme == judged.chosen() { own.into() } else { format!("{own} ({default})").into() }
        };
        let mut row: Vec<Cell> = vec![wish.into(), results.schemes[scheme].as_str().into()];
        match results.task {
            Task::Classification => row.extend([
                both(percent(own.accuracy, 1), percent(default.accuracy, 1)),
                both(digits(own.log_loss, 3), digits(default.log_loss, 3)),
                both(digits(own.brier, 3), digits(default.brier, 3)),
            ]),
            Task::Regression => row.extend([
                both(percent(own.rmse, 1), percent(default.rmse, 1)),
                both(percent(own.mae, 1), percent(default.mae, 1)),
            ]),
        }
        row.push(both(digits(own.leaves, 1), digits(default.leaves, 1)));
        grid.row(row);
    }
    grid.notes.push(
        "In brackets: what the default reaches on the same tables. “Best” is by average rank: how often a scheme is ahead counts, not by how much, \
         so a mean can go the other way."
            .into(),
    );
    Ok(grid)
}

fn advice(judged: &Judged) -> Result<Vec<Advice>> {
    let (results, decision) = (judged.results, &judged.decision);
    let of_all = |wish: &str, scheme| Advice { wish: wish.into(), tables: judged.all.clone(), scheme };
    let mut list = vec![of_all("nothing in particular", judged.chosen())];
    if let Some(smallest) = smallest(decision) {
        list.push(of_all("the smallest tree, at some cost in accuracy", smallest));
    }
    let every: Vec<usize> = (0..results.schemes.len()).collect();
    match results.task {
        Task::Classification => {
            list.push(of_all(
                "the best probabilities, whatever the size",
                best_by(judged, &["brier", "log-loss"], &every),
            ));
            list.push(of_all(
                "the most accurate tree, whatever the size",
                best_by(judged, &["accuracy"], &every),
            ));
        }
        Task::Regression => {
            let best = best_by(judged, &["rmse", "mae"], &every);
            list.push(of_all("the lowest error, whatever the size", best));
        }
    }
    for kind in results.kinds() {
        let tables = results.of_kind(kind);
        if tables.len() < LEAST {
            continue;
        }
        if let Some(scheme) = rule::decide(results, &tables)?.chosen() {
            let wish = format!("a tree for a table of this kind: {} ({})", kind.name, tables.len());
            list.push(Advice { wish, tables, scheme });
        }
    }
    Ok(list)
}

/// Fewer tables of a kind give no advice.
const LEAST: usize = 4;

/// The candidate with the smallest trees, whatever its accuracy.
fn smallest(decision: &Decision) -> Option<usize> {
    let candidates = (0..decision.standings.len()).filter(|&scheme| decision.standings[scheme].is_some());
    candidates.min_by(|&a, &b| decision.log_leaves[a].total_cmp(&decision.log_leaves[b]))
}

/// The scheme with the smallest mean of average ranks by some measures.
fn best_by(judged: &Judged, measures: &[&str], schemes: &[usize]) -> usize {
    let mut sums = vec![0.0; schemes.len()];
    for measure in measures {
        let ranks = judged.results.average_ranks(measure, &judged.all, schemes);
        sums.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += rank);
    }
    let best = (0..schemes.len()).min_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
    schemes[best]
}
