//! What the tree itself says to the rows, held against what a consumer answered.

use secateur::Result;
use secateur::error::shown;
use secateur::predict::{Field, Scorer};
use secateur::schema::Cell;
use secateur::tree::Model;

use super::{Answers, Failure, Report, Rows};
use crate::export::{Inputs, said};

/// Shows what the tree says to every row.
fn for_each(
    model: &Model,
    rows: &Rows,
    mut see: impl FnMut(usize, (&Scorer, &[Field<'_>]), &secateur::predict::Scored),
) -> Result<()> {
    let inputs = Inputs::of(&model.tree);
    let scorer = Scorer::new(model.tree.clone());
    let mut buffer = scorer.buffer();
    let mut fields = vec![Field::Missing; model.tree.schema().attributes.len()];
    for row in 0..rows.count {
        for (place, input) in inputs.iter().enumerate() {
            fields[input.place] = rows.field(row, place);
        }
        see(row, (&scorer, &fields), &scorer.score(&fields, &mut buffer)?);
    }
    Ok(())
}

/// For every row whether one leaf gets all of it.
pub(super) fn whole_rows(model: &Model, rows: &Rows) -> Vec<bool> {
    let mut whole = vec![true; rows.count];
    // Rows made from a tree's own inputs have the fields that it asks for.
    let _ = for_each(model, rows, |row, _, scored| whole[row] = scored.is_whole);
    whole
}

/// The answer expected for one row.
struct Wanted<'a> {
    numbers: &'a [f64],
    label: &'a str,
    leaf: usize,
}

/// The leaf of a row that goes down the heaviest branch wherever the tree sends it down several.
fn heaviest_leaf(scorer: &Scorer, fields: &[Field]) -> usize {
    said::heaviest_leaf(scorer.tree(), |place| match fields[place] {
        Field::Number(x) => Cell::Number(x),
        Field::Code(code) => Cell::Code(code),
        // Texts that are missing values came as none.
        Field::Text(text) => Cell::Code(scorer.code(place, text).unwrap_or(Cell::UNSEEN)),
        _ => Cell::Missing,
    })
}

/// Counts what is equal. Rows that the tree sends down several branches go down the heaviest one, where the format does that.
pub(super) fn compare(
    model: &Model,
    rows: &Rows,
    answers: &Answers,
    to_heaviest: bool,
) -> Result<Report, Failure> {
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
        to_heaviest: 0,
        left_out: 0,
        labels_equal: 0,
        largest_difference: 0.0,
        leaves_equal: (answers.leaves.len() == rows.count && rows.count > 0).then_some(0),
        consumer: String::new(),
        first_difference: None,
    };
    for_each(model, rows, |row, (scorer, fields), scored| {
        let numbers = match classes.is_empty() {
            true => std::slice::from_ref(&scored.value),
            false => scored.probabilities,
        };
        let mut wanted = Wanted { numbers, label: scored.label, leaf: scored.leaf };
        if to_heaviest && !scored.is_whole {
            let leaf = heaviest_leaf(scorer, fields);
            let label = classes.get(model.tree.label(leaf)).map_or("", String::as_str);
            wanted = Wanted { numbers: model.tree.answer(leaf), label, leaf };
            report.to_heaviest += 1;
        }
        let numbers = wanted.numbers;
        let given = answers.numbers.get(row * width..(row + 1) * width).unwrap_or(numbers);
        let apart = numbers.iter().zip(given).map(|(a, b)| difference(*a, *b)).fold(0.0, f64::max);
        let label = answers.labels.get(row).and_then(|label| answers.names.get(*label as usize));
        let is_equal = if has_labels { label.is_some_and(|l| l == wanted.label) } else { apart == 0.0 };
        report.labels_equal += usize::from(is_equal);
        report.largest_difference = report.largest_difference.max(apart);
        let mut is_right = is_equal && apart == 0.0;
        if let Some(equal) = &mut report.leaves_equal {
            let same = answers.leaves[row] as usize == wanted.leaf;
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
                shown(wanted.label),
                wanted.leaf
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
