//! Few rows, scored one by one: no layout of the tree for many rows has to be made.

use secateur::data::{Column, MISSING, Values};
use secateur::predict::{Field, Scored, Scorer};
use secateur::schema::AttributeKind;

use crate::columns::Matrix;

/// This many rows are few.
pub const FEW: usize = 64;

/// Scores the rows of a matrix of numbers; `false` where a number is infinite, which has to be reported.
pub fn score_matrix(
    scorer: &Scorer,
    matrix: &Matrix,
    mut take: impl FnMut(&Scored),
) -> secateur::Result<bool> {
    let mut buffer = scorer.buffer();
    let (mut numbers, mut fields) = (Vec::new(), Vec::new());
    for row in 0..matrix.size().0 {
        matrix.row(row, &mut numbers);
        if numbers.iter().any(|x| x.is_infinite()) {
            return Ok(false);
        }
        fields.clear();
        fields.extend(numbers.iter().map(|&x| number(x)));
        take(&scorer.score(&fields, &mut buffer)?);
    }
    Ok(true)
}

fn number(x: f64) -> Field<'static> {
    if x.is_nan() { Field::Missing } else { Field::Number(x) }
}

/// Scores the rows of columns; `false` where something is to be reported: a column that is not there or of another kind, an infinite
/// number, a value that the tree does not know.
pub fn score_columns(
    scorer: &Scorer,
    tested: &[bool],
    columns: &[Column],
    mut take: impl FnMut(&Scored),
) -> secateur::Result<bool> {
    let Some(rows) = columns.first().map(|column| column.values.len()) else { return Ok(false) };
    let Some(of_tree) = sources(scorer, tested, columns) else { return Ok(false) };
    let mut buffer = scorer.buffer();
    let mut fields = vec![Field::Missing; of_tree.len()];
    for row in 0..rows {
        for (field, source) in fields.iter_mut().zip(&of_tree) {
            *field = match source {
                None => Field::Missing,
                Some((Values::Numeric(numbers), _)) => number(numbers[row]),
                Some((Values::Nominal(nominal), codes)) if nominal.codes[row] != MISSING => {
                    match codes[nominal.codes[row] as usize] {
                        Some(code) => Field::Code(code),
                        None => return Ok(false),
                    }
                }
                Some(_) => Field::Missing,
            };
            if matches!(field, Field::Number(x) if x.is_infinite()) {
                return Ok(false);
            }
        }
        take(&scorer.score(&fields, &mut buffer)?);
    }
    Ok(true)
}

/// The column of an attribute, if the tree tests it, and the tree's codes for the values of a nominal one.
type Source<'a> = Option<(&'a Values, Vec<Option<u32>>)>;

fn sources<'a>(scorer: &Scorer, tested: &[bool], columns: &'a [Column]) -> Option<Vec<Source<'a>>> {
    let rows = columns.first()?.values.len();
    let tree = scorer.tree();
    let mut found = Vec::with_capacity(tested.len());
    for (place, (attribute, tested)) in tree.schema().attributes.iter().zip(tested).enumerate() {
        if !tested {
            found.push(None);
            continue;
        }
        let values = &columns.iter().find(|column| column.name == attribute.name)?.values;
        let codes = match (&attribute.kind, values) {
            (AttributeKind::Numeric, Values::Numeric(_)) => Vec::new(),
            (AttributeKind::Nominal { .. }, Values::Nominal(nominal)) => {
                nominal.levels.iter().map(|level| scorer.code(place, level)).collect()
            }
            _ => return None,
        };
        if values.len() != rows {
            return None;
        }
        found.push(Some((values, codes)));
    }
    Some(found)
}
