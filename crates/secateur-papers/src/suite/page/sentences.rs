//! Sentences of the page.

use secateur::error::Result;
use secateur::evaluate::comparison::Test;
use secateur::evaluate::measures::Better;
use secateur::report::grid::{Cell, Column, Grid, markdown_text};
use secateur::schema::Task;
use secateur::statistics::Mark;

use super::{Judged, digits, markdown, percent};
use crate::suite::rule::criteria;
use crate::suite::{Ran, Results, Suite};

/// The defaults, in a sentence each.
pub(super) fn short_answer(judged: &[&Judged]) -> String {
    let line = |judged: &&Judged| {
        let (scheme, tables) = (&judged.results.schemes[judged.chosen()], judged.all.len());
        format!("- For {}: `{scheme}` (found on {tables} tables).\n", judged.word())
    };
    judged.iter().map(line).collect()
}

/// How the suite was run.
pub(super) fn protocol(suite: &Suite, ran: &Ran, judged: &[&Judged]) -> String {
    let contests: Vec<String> = judged
        .iter()
        .map(|judged| {
            format!(
                "{} schemes on {} tables with {}",
                judged.results.schemes.len(),
                judged.all.len(),
                judged.word()
            )
        })
        .collect();
    let folds: Vec<String> = suite
        .repeats
        .iter()
        .map(|repeats| {
            let times = format!("{} × {} folds", repeats.times, suite.folds);
            match repeats.rows {
                Some(rows) => format!("{times} up to {rows} rows"),
                None => format!("{times} above that"),
            }
        })
        .collect();
    let tables = [&ran.classes, &ran.numbers].into_iter().flatten().flat_map(|results| &results.tables);
    let sampled: Vec<String> = tables
        .filter(|facts| facts.rows < facts.of_rows)
        .map(|facts| {
            format!("{} with {} of its {} rows", markdown_text(&facts.name), facts.rows, facts.of_rows)
        })
        .collect();
    let sampled = match sampled.is_empty() {
        true => String::new(),
        false => format!(" Every n-th row of very large tables takes part: {}.", sampled.join(", ")),
    };
    format!(
        "{}. Cross-validation, stratified, seed {}: {}. All schemes see the same folds.{sampled}",
        contests.join("; "),
        suite.seed,
        folds.join(", ")
    )
}

/// What took no part.
pub(super) fn left_out(ran: &Ran) -> String {
    let mut list: Vec<String> = ran.left_out.iter().map(|(name, why)| format!("{name} ({why})")).collect();
    for results in [&ran.classes, &ran.numbers].into_iter().flatten() {
        list.extend(results.incomplete.iter().map(|name| format!("{name} (a scheme failed there)")));
    }
    match list.is_empty() {
        true => "All tables took part.".into(),
        false => format!("Left out: {}.", markdown_text(&list.join(", "))),
    }
}

/// The kinds of tables and their definitions.
pub(super) fn kinds(judged: &[&Judged]) -> String {
    let mut list: Vec<String> = Vec::new();
    for kind in judged.iter().flat_map(|judged| judged.results.kinds()) {
        let line = format!("*{}*: {}", kind.name, kind.words);
        if !list.contains(&line) {
            list.push(line);
        }
    }
    list.join("; ")
}

/// What stands in the place of other programs where none was measured.
pub(super) fn no_peers() -> String {
    "Not measured in this run: `--peers FILE.csv` takes what `bench/which_tree.py` measured.".into()
}

/// How the rule came to its choice.
pub(super) fn decision(judged: &Judged) -> String {
    let Judged { results, decision, .. } = judged;
    let worse = |place: usize| decision.standings.iter().flatten().filter(|s| s.is_worse[place]).count();
    let counts: Vec<String> = criteria(results.task)
        .iter()
        .enumerate()
        .map(|(place, one)| {
            let of = one.kind.map_or(String::new(), |kind| format!(" on tables of the kind *{kind}*"));
            let measure = &results.sheet(one.measure).measure.title;
            format!("{measure}{of}: {}", worse(place))
        })
        .collect();
    let mut text = format!(
        "{} of the {} schemes choose their size on a validated path. Of these are worse than the default before, by more than the rule allows, by {}. \
         {} are left",
        decision.candidates(),
        results.schemes.len(),
        counts.join("; "),
        decision.left.len()
    );
    match decision.chosen() {
        Some(chosen) => {
            text += &format!(
                ", and of these `{}` has the smallest trees ({:.1} leaves in the geometric mean over the tables): it is the default.",
                results.schemes[chosen],
                decision.log_leaves[chosen].exp()
            );
        }
        None => text += ": the default stays what it was.",
    }
    text
}

/// The default against the default so far: means, and on how many tables they differ.
pub(super) fn against(judged: &Judged) -> Result<String> {
    let results = judged.results;
    let (new, before) = (judged.chosen(), results.before);
    if new == before {
        return Ok(format!("The default is what it was: `{}`.", results.schemes[new]));
    }
    let measures: &[(&str, &str)] = match results.task {
        Task::Classification => {
            &[("accuracy", "accuracy %"), ("log-loss", "log loss"), ("brier", "Brier score"), ("auc", "AUC")]
        }
        Task::Regression => &[("rmse", "RMSE, % of the root's"), ("mae", "MAE, % of the root's")],
    };
    let columns = [
        Column::left(""),
        Column::right("new default"),
        Column::right("before"),
        Column::right("better / same / worse"),
    ];
    let mut grid = Grid::new("", columns);
    let (own, old) = (results.averages(&judged.all, new), results.averages(&judged.all, before));
    for (measure, title) in measures {
        let of = |averages: &crate::suite::Averages| match *measure {
            "accuracy" => percent(averages.accuracy, 2),
            "log-loss" => digits(averages.log_loss, 3),
            "brier" => digits(averages.brier, 4),
            "auc" => digits(averages.auc, 3),
            "rmse" => percent(averages.rmse, 1),
            _ => percent(averages.mae, 1),
        };
        grid.row([*title, &of(&own), &of(&old), &counts(results, measure, new, before)?]);
    }
    grid.row([
        "leaves (median)",
        &digits(own.leaves, 1),
        &digits(old.leaves, 1),
        &counts(results, "leaves", new, before)?,
    ]);
    grid.row([
        "bare roots, % of all fits",
        &percent(Some(own.bare_roots), 1),
        &percent(Some(old.bare_roots), 1),
        "",
    ]);
    let note = "Tables on which the new default is significantly better, the same, or worse (corrected resampled t test, 5 %).";
    grid.notes.push(note.into());
    grid.notes.extend(named(results, new, before)?);
    Ok(markdown(&grid))
}

/// This many times the leaves make a table worth naming.
const MANY_TIMES: f64 = 10.0;

/// The tables on which the new default is significantly worse by the first measure, and those on which its trees are many times larger.
fn named(results: &Results, new: usize, before: usize) -> Result<Vec<String>> {
    let (measure, worse) = match results.task {
        Task::Classification => ("accuracy", "less accurate"),
        Task::Regression => ("rmse", "worse by RMSE"),
    };
    let sheet = results.sheet(measure);
    let (mut less, mut larger) = (Vec::new(), Vec::new());
    for (table, facts) in results.tables.iter().enumerate() {
        let pair = |measure: &str, unit: f64| -> Option<(f64, f64)> {
            let of = |scheme| results.mean(measure, table, scheme).map(|mean| unit * mean);
            of(new).zip(of(before))
        };
        let line = |(new, before): (f64, f64)| format!("{} ({new:.1} instead of {before:.1})", facts.name);
        let mark = sheet.difference(table, new, before, 0, &Test::default())?.mark;
        let is_worse = match sheet.measure.better {
            Better::Larger => mark == Some(Mark::Smaller),
            _ => mark == Some(Mark::Larger),
        };
        if is_worse {
            let unit = match results.task {
                Task::Classification => 100.0,
                Task::Regression => {
                    results.mean(measure, table, results.root()).map_or(1.0, |root| 100.0 / root)
                }
            };
            less.extend(pair(measure, unit).map(line));
        }
        larger.extend(pair("leaves", 1.0).filter(|(new, before)| *new >= MANY_TIMES * before).map(line));
    }
    let list = |what: String, tables: Vec<String>| {
        (!tables.is_empty()).then(|| format!("{what}: {}.", tables.join(", ")))
    };
    let lists = [
        list(format!("Significantly {worse}, in %"), less),
        list(format!("At least {MANY_TIMES} times as many leaves"), larger),
    ];
    Ok(lists.into_iter().flatten().collect())
}

/// On how many tables a scheme is significantly better, the same and worse than another.
fn counts(results: &Results, measure: &str, scheme: usize, other: usize) -> Result<String> {
    let sheet = results.sheet(measure);
    let (mut better, mut same, mut worse) = (0, 0, 0);
    for table in 0..results.tables.len() {
        let mark = sheet.difference(table, scheme, other, 0, &Test::default())?.mark;
        match (mark, sheet.measure.better) {
            (Some(Mark::Larger), Better::Larger) | (Some(Mark::Smaller), Better::Smaller) => better += 1,
            (Some(Mark::Larger | Mark::Smaller), _) => worse += 1,
            _ => same += 1,
        }
    }
    Ok(format!("{better} / {same} / {worse}"))
}

/// A sign for a significant difference: better or worse.
pub(super) fn marked(
    results: &Results,
    measure: &str,
    table: usize,
    scheme: usize,
    text: String,
) -> Result<Cell> {
    let sheet = results.sheet(measure);
    let mark = sheet.difference(table, scheme, results.before, 0, &Test::default())?.mark;
    Ok(match (mark, sheet.measure.better) {
        (Some(Mark::Larger), Better::Larger) | (Some(Mark::Smaller), Better::Smaller) => Cell::good(text),
        (Some(Mark::Larger | Mark::Smaller), _) => Cell::bad(text),
        _ => text.into(),
    })
}
