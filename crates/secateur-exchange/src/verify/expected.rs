//! What the tree itself says to the rows, held against what a consumer answered.

use secateur::Result;
use secateur::error::shown;
use secateur::predict::{Field, Scorer};
use secateur::tree::Model;

use super::{Answers, Failure, Report, Rows};
use crate::export::Inputs;

/// Shows what the tree says to every row.
fn for_each(
    model: &Model,
    rows: &Rows,
    mut see: impl FnMut(usize, &secateur::predict::Scored),
) -> Result<()> {
    let inputs = Inputs::of(&model.tree);
    let scorer = Scorer::new(model.tree.clone());
    let mut buffer = scorer.buffer();
    let mut fields = vec![Field::Missing; model.tree.schema().attributes.len()];
    for row in 0..rows.count {
        for (place, input) in inputs.iter().enumerate() {
            fields[input.place] = rows.field(row, place);
        }
        see(row, &scorer.score(&fields, &mut buffer)?);
    }
    Ok(())
}

/// For every row whether one leaf gets all of it.
pub(super) fn whole_rows(model: &Model, rows: &Rows) -> Vec<bool> {
    let mut whole = vec![true; rows.count];
    // Rows made from a tree's own inputs have the fields that it asks for.
    let _ = for_each(model, rows, |row, scored| whole[row] = scored.is_whole);
    whole
}

/// Counts what is equal.
pub(super) fn compare(model: &Model, rows: &Rows, answers: &Answers) -> Result<Report, Failure> {
    let classes = model.tree.schema().target.classes();
    let width = classes.len().max(1);
    let wrong = |what: &str, got: usize, wanted: usize| {
        Failure::Failed(format!("the consumer answered with {got} {what} instead of {wanted}"))
    };
    // Some formats give probabilities and no labels.
    let has_labels = !classes.is_empty() && (answers.numbers.is_empty() || !answers.labels.is_empty());
    if has_labels && answers.labels.len() != rows.count {
        return Err(wrong("labels", answers.labels.len(), rows.count));
    }
    let has_numbers = !answers.numbers.is_empty() || classes.is_empty();
    if has_numbers && answers.numbers.len() != rows.count * width {
        return Err(wrong("numbers", answers.numbers.len(), rows.count * width));
    }
    let mut report = Report {
        rows: rows.count,
        edge_rows: 0,
        left_out: 0,
        labels_equal: 0,
        largest_difference: 0.0,
        leaves_equal: (answers.leaves.len() == rows.count && rows.count > 0).then_some(0),
        consumer: String::new(),
        first_difference: None,
    };
    for_each(model, rows, |row, scored| {
        let numbers = match classes.is_empty() {
            true => std::slice::from_ref(&scored.value),
            false => scored.probabilities,
        };
        let given = answers.numbers.get(row * width..(row + 1) * width).unwrap_or(numbers);
        let apart = numbers.iter().zip(given).map(|(a, b)| difference(*a, *b)).fold(0.0, f64::max);
        let label = answers.labels.get(row).and_then(|label| answers.names.get(*label as usize));
        let is_equal = if has_labels { label.is_some_and(|l| l == scored.label) } else { apart == 0.0 };
        report.labels_equal += usize::from(is_equal);
        report.largest_difference = report.largest_difference.max(apart);
        let mut is_right = is_equal && apart == 0.0;
        if let Some(equal) = &mut report.leaves_equal {
            let same = answers.leaves[row] as usize == scored.leaf;
            *equal += usize::from(same);
            is_right &= same;
        }
        if !is_right && report.first_difference.is_none() {
            let said = match label {
                Some(label) => format!("{} {given:?}", shown(label)),
                None => format!("{given:?}"),
            };
            let leaf = answers.leaves.get(row).map_or(String::new(), |leaf| format!(" at leaf {leaf}"));
            report.first_difference = Some(format!(
                "row {} ({}): the tree says {} {numbers:?} at leaf {}, the consumer {said}{leaf}",
                row + 1,
                cells(model, rows, row),
                shown(scored.label),
                scored.leaf
            ));
        }
    })?;
    Ok(report)
}

/// How far two numbers are apart; infinitely far where one is not a number.
fn difference(a: f64, b: f64) -> f64 {
    if a == b {
        return 0.0;
    }
    let apart = (a - b).abs();
    if apart.is_nan() { f64::INFINITY } else { apart }
}

/// A row in words.
fn cells(model: &Model, rows: &Rows, row: usize) -> String {
    let cell = |(place, input): (usize, crate::export::Input)| match rows.field(row, place) {
        Field::Number(x) => format!("{} = {x:?}", shown(input.name())),
        Field::Text(text) => format!("{} = {}", shown(input.name()), shown(text)),
        _ => format!("{} missing", shown(input.name())),
    };
    let inputs = Inputs::of(&model.tree);
    let list: Vec<String> = inputs.iter().enumerate().take(20).map(cell).collect();
    list.join(", ")
}
