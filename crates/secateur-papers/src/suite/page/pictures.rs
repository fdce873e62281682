//! Pictures of a contest: ranks with their critical difference, and error against size.

use secateur::drawing::{Arimo, Drawing, svg};
use secateur::error::Result;
use secateur::picture::{Scattered, ranks, scatter};
use secateur::schema::Task;
use secateur::statistics::nemenyi_critical_difference;

use super::Judged;
use crate::suite::{Averages, rule};

/// A picture: the name of its file, what it shows, and the drawing.
struct Picture {
    name: String,
    caption: String,
    drawing: Drawing,
}

/// The files of all pictures.
pub(super) fn of(judged: &Judged) -> Result<Vec<(String, String)>> {
    Ok(all(judged)?.into_iter().map(|picture| (picture.name, svg(&picture.drawing).to_string())).collect())
}

/// The pictures as they stand on the page.
pub(super) fn links(judged: &Judged, folder: &str) -> String {
    let list = all(judged).unwrap_or_default();
    let link = |picture: &Picture| {
        format!("![{}]({folder}/{})\n\n{}\n", picture.caption, picture.name, picture.caption)
    };
    list.iter().map(link).collect::<Vec<_>>().join("\n")
}

fn all(judged: &Judged) -> Result<Vec<Picture>> {
    let word = judged.word();
    let mut list = Vec::new();
    match judged.results.task {
        Task::Classification => {
            list.extend(ranked(judged, "accuracy", "accuracy"));
            list.extend(ranked(judged, "brier", "Brier score"));
            list.push(against_size(judged, "size", "error rate", true, |averages| {
                Some(1.0 - averages.accuracy?)
            }));
            list.push(against_size(judged, "log-loss", "log loss", false, |averages| averages.log_loss));
        }
        Task::Regression => {
            list.extend(ranked(judged, "rmse", "root mean squared error"));
            let title = "RMSE, divided by the root's";
            list.push(against_size(judged, "size", title, true, |averages| averages.rmse));
        }
    }
    list.iter_mut().for_each(|picture| picture.name = format!("{}-{word}.svg", picture.name));
    Ok(list)
}

/// Average ranks among the schemes that are shown; none where there are too few tables or schemes.
fn ranked(judged: &Judged, measure: &str, title: &str) -> Option<Picture> {
    let (results, shown) = (judged.results, judged.shown());
    let apart = nemenyi_critical_difference(shown.len(), judged.all.len(), rule::LEVEL).ok()?;
    let average = results.average_ranks(measure, &judged.all, &shown);
    let names: Vec<String> = shown.iter().map(|&scheme| results.schemes[scheme].clone()).collect();
    let caption = format!(
        "Average ranks by {title} of {} schemes on {} tables. Schemes that a bar joins do not differ (Nemenyi at {}).",
        shown.len(),
        judged.all.len(),
        rule::LEVEL
    );
    let drawing = ranks(&names, &average, apart, rule::LEVEL, &Arimo::new());
    Some(Picture { name: format!("ranks-{measure}"), caption, drawing })
}

/// A measure against the number of leaves.
fn against_size(
    judged: &Judged,
    name: &str,
    title: &str,
    percent: bool,
    of: impl Fn(&Averages) -> Option<f64>,
) -> Picture {
    let (results, shown) = (judged.results, judged.shown());
    let point = |&scheme: &usize| {
        let averages = results.averages(&judged.all, scheme);
        let (size, error) = (averages.leaves?, of(&averages)?);
        Some(Scattered { name: results.schemes[scheme].clone(), size, error })
    };
    let points: Vec<Scattered> = shown.iter().filter_map(point).collect();
    let drawing = scatter(&points, ("leaves (median over tables)", title), percent, &Arimo::new());
    let caption =
        format!("Mean {title} against leaves. No scheme is both smaller and better than those on the line.");
    Picture { name: name.into(), caption, drawing }
}
