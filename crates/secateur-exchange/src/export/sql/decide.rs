//! The class of a row in parts: the first of those that are best up to rounding.

use super::Query;

/// Adds the steps from sums (`secateur_sums`) to answers (`secateur_decided`); `leaf` is the expression of the heaviest leaf.
pub(super) fn steps(query: &Query, kept: &str, leaf: &str, steps: &mut Vec<(String, String)>) {
    let (dialect, classes) = (query.dialect, query.job.classes());
    let columns = query.number_columns();
    let all: String = columns.iter().map(|column| format!(", {column}")).collect();
    if classes.is_empty() {
        let text = format!("SELECT {kept}prediction, {leaf} AS leaf\n    FROM secateur_sums AS p");
        steps.push(("secateur_decided".into(), text));
        return;
    }
    let fence = query.fence();
    let rounding = dialect.number(1e-10);
    let (judged, is_best): (Vec<String>, &str) = match query.job.tree().costs() {
        None => (columns.clone(), ">= best - "),
        Some(costs) => {
            let risk = |label: usize| {
                let terms: Vec<String> = columns
                    .iter()
                    .enumerate()
                    .map(|(actual, column)| {
                        format!("{column} * {}", dialect.number(costs.cost(actual, label)))
                    })
                    .collect();
                format!("{} AS r{label}", terms.join(" + "))
            };
            let risks: Vec<String> = (0..classes.len()).map(risk).collect();
            let text = format!(
                "SELECT {kept}{leaf} AS leaf{all}, {}\n    FROM secateur_sums AS p",
                risks.join(",\n        ")
            );
            steps.push((format!("secateur_risks{fence}"), text));
            ((0..classes.len()).map(|label| format!("r{label}")).collect(), "<= best + ")
        }
    };
    let (from, leaf) = match query.job.tree().costs() {
        None => ("secateur_sums", format!("{leaf} AS leaf")),
        Some(_) => ("secateur_risks", "p.leaf".into()),
    };
    let best = dialect.extreme(query.job.tree().costs().is_none(), &judged);
    let risks: String = match query.job.tree().costs() {
        None => String::new(),
        Some(_) => judged.iter().map(|risk| format!(", {risk}")).collect(),
    };
    steps.push((
        format!("secateur_best{fence}"),
        format!("SELECT {kept}{leaf}{all}{risks}, {best} AS best\n    FROM {from} AS p"),
    ));
    let whens: String = judged
        .iter()
        .zip(classes)
        .map(|(column, class)| {
            format!("\n            WHEN {column} {is_best}{rounding} * best THEN {}", query.label(class))
        })
        .collect();
    steps.push((
        "secateur_decided".into(),
        format!("SELECT {kept}leaf{all},\n        CASE{whens}\n        END AS prediction\n    FROM secateur_best AS p"),
    ));
}
