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
            list.push(against_size(judged, &ERROR));
            list.push(against_size(judged, &BRIER));
        }
        Task::Regression => {
            list.extend(ranked(judged, "rmse", "root mean squared error"));
            list.push(against_size(judged, &RMSE));
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

/// A measure that is drawn against the number of leaves.
struct AgainstSize {
    /// The name of the file.
    name: &'static str,
    /// What it is.
    title: &'static str,
    percent: bool,
    /// The decimals that tables print of it, as a share.
    decimals: usize,
    of: fn(&Averages) -> Option<f64>,
}

const ERROR: AgainstSize = AgainstSize {
    name: "size",
    title: "error rate",
    percent: true,
    decimals: 4,
    of: |averages| Some(1.0 - averages.accuracy?),
};
const BRIER: AgainstSize = AgainstSize {
    name: "size-brier",
    title: "Brier score",
    percent: false,
    decimals: 4,
    of: |averages| averages.brier,
};
const RMSE: AgainstSize = AgainstSize {
    name: "size",
    title: "RMSE (of the root's)",
    percent: true,
    decimals: 3,
    of: |averages| averages.rmse,
};

fn against_size(judged: &Judged, drawn: &AgainstSize) -> Picture {
    let (results, shown) = (judged.results, judged.shown());
    let point = |&scheme: &usize| {
        let averages = results.averages(&judged.all, scheme);
        let (size, error) = (judged.decision.log_leaves[scheme].exp(), (drawn.of)(&averages)?);
        Some(Scattered { name: results.schemes[scheme].clone(), size, error })
    };
    let points: Vec<Scattered> = shown.iter().filter_map(point).collect();
    let caption = format!(
        "Mean {} against leaves. No scheme is both smaller and better than those on the line.",
        drawn.title
    );
    Picture { name: drawn.name.into(), caption, drawing: size_drawing(points, drawn) }
}

/// Points against size, as the page's tables print their numbers.
fn size_drawing(mut points: Vec<Scattered>, drawn: &AgainstSize) -> Drawing {
    for point in &mut points {
        point.size = to_digits(point.size, 1);
        point.error = to_digits(point.error, drawn.decimals);
    }
    scatter(&points, ("leaves (geometric mean over tables)", drawn.title), drawn.percent, &Arimo::new())
}

/// A number as it is printed with this many decimals.
fn to_digits(number: f64, digits: usize) -> f64 {
    super::digits(Some(number), digits).parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use super::*;

    fn docs(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
    }

    /// The cells of the lines of a Markdown table whose head begins so, without what makes them bold or italic.
    fn cells(text: &str, head: &str) -> Vec<Vec<String>> {
        let lines = text.lines().skip_while(|line| !line.starts_with(head)).skip(2);
        let plain = |cell: &str| cell.trim().trim_matches('*').to_string();
        lines
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(plain).collect())
            .collect()
    }

    #[test]
    fn pictures_of_the_documentation_show_what_its_tables_say() {
        let page = std::fs::read_to_string(docs("which-tree.md")).unwrap();
        let mut shown: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (title, file, word) in [
            ("**Average ranks by accuracy**", "ranks-accuracy", "classes"),
            ("**Average ranks by Brier score**", "ranks-brier", "classes"),
            ("**Average ranks by RMSE**", "ranks-rmse", "numbers"),
        ] {
            let rows = cells(page.split_once(title).unwrap().1, "| scheme");
            let names: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
            let picture = std::fs::read_to_string(docs(&format!("which-tree/{file}-{word}.svg"))).unwrap();
            for [name, rank] in rows.iter().map(|row| [&row[0], &row[1]]) {
                let is_there = |text: String| picture.contains(&format!(">{text}</text>"));
                assert!(
                    is_there(format!("{name} ({rank})")) || is_there(format!("({rank}) {name}")),
                    "{file} does not show {name} at {rank}"
                );
            }
            shown.insert(word, names);
        }
        let mut drawn: Vec<(String, Drawing)> = Vec::new();
        for (word, measure, column, leaves) in
            [("classes", &ERROR, 1, 7), ("classes", &BRIER, 4, 7), ("numbers", &RMSE, 1, 3)]
        {
            let text = std::fs::read_to_string(docs(&format!("which-tree/schemes-{word}.md"))).unwrap();
            let rows = cells(&text, "| scheme");
            let point = |name: &String| {
                let row = rows.iter().find(|row| row[0] == *name).unwrap();
                let number: f64 = row[column].parse().unwrap();
                let error = match measure.title {
                    "error rate" => 1.0 - number / 100.0,
                    _ if measure.percent => number / 100.0,
                    _ => number,
                };
                Scattered { name: name.clone(), size: row[leaves].parse().unwrap(), error }
            };
            let points = shown[word].iter().map(point).collect();
            drawn.push((format!("{}-{word}", measure.name), size_drawing(points, measure)));
        }
        let other: Vec<String> = drawn
            .into_iter()
            .filter_map(|(name, drawing)| {
                let (name, drawn) = (format!("{name}.svg"), svg(&drawing).to_string());
                let there = std::fs::read_to_string(docs("which-tree").join(&name)).unwrap_or_default();
                let made = std::env::temp_dir().join(&name);
                (there != drawn).then(|| {
                    std::fs::write(&made, drawn).unwrap();
                    made.display().to_string()
                })
            })
            .collect();
        assert!(other.is_empty(), "the tables of docs/which-tree.md draw something else: {other:?}");
    }
}
