//! Whether the values of a column are numbers, and which signs they have.

use super::counted::Counted;
use super::special_words::{is_missing_word, note_missing_words, word_list};
use super::{Decision, FEW, Known, Odd, numbers};
use crate::data::note::{Note, NoteKind};
use crate::data::{ColumnPlan, ColumnType};

pub(super) fn as_numbers(
    name: &str,
    counted: &Counted<'_>,
    known: Known<'_>,
    notes: &mut Vec<Note>,
) -> Result<Decision, Odd> {
    let odd = |decimal: char| {
        counted.failing(|level| numbers::written(level, decimal).is_some() || is_missing_word(level))
    };
    let (dot, comma) = (odd('.'), odd(','));
    let decimal = match known.decimal {
        Some(sign) => sign,
        None if counted.cells(&dot) < counted.cells(&comma) => '.',
        None if counted.cells(&comma) < counted.cells(&dot) => ',',
        None => both_fit(counted, known.likely_decimal),
    };
    let odd = if decimal == '.' { dot } else { comma };
    let written = |level: &str| numbers::written(level, decimal);
    let good = counted.failing(|level| written(level).is_none());
    let few = counted.cells(&odd) as f64 <= FEW * counted.known() as f64 && good.len() > 1;
    if !odd.is_empty() && !few || good.is_empty() {
        return match (known.kind, odd.first()) {
            (Some(ColumnType::Numeric), Some(&level)) => Err(not_a_number(counted, level)),
            _ => Ok(None),
        };
    }
    // Signs count only where the whole column agrees on them.
    let signs: Vec<numbers::Written> =
        good.iter().filter_map(|&level| written(&counted.levels[level])).collect();
    let unit = signs.iter().find_map(|w| w.unit);
    let thousands = signs.iter().find_map(|w| w.thousands);
    let agreed = signs
        .iter()
        .all(|w| (w.unit == unit || w.value == 0.0) && (w.thousands == thousands || w.thousands.is_none()));
    if !agreed {
        return match (
            known.kind,
            good.iter().find(|&&level| written(&counted.levels[level]).is_some_and(|w| w.unit != unit)),
        ) {
            (Some(ColumnType::Numeric), Some(&level)) => Err(not_a_number(counted, level)),
            _ => Ok(None),
        };
    }
    if !odd.is_empty() {
        if known.kind != Some(ColumnType::Numeric) {
            notes.push(counted.note(NoteKind::NearlyNumeric, name, &odd));
            return Ok(None);
        }
        notes.push(counted.note(NoteKind::OddCells, name, &odd));
    }
    note_missing_words(name, counted, |level| written(level).is_none(), notes);
    let brackets = signs.iter().any(|w| w.brackets);
    if unit.is_some() || thousands.is_some() || brackets {
        let unit = unit
            .map(|unit| if unit == "%" { "percent signs".into() } else { format!("the currency {unit}") });
        let thousands = thousands.map(|sign| format!("thousands separators ({sign})"));
        let brackets = brackets.then(|| "brackets, which make a number negative".to_string());
        let signs: Vec<String> = unit.into_iter().chain(thousands).chain(brackets).collect();
        notes.push(Note::new(NoteKind::Signs).column(name).values([signs.join(" and ")]));
    }
    let values = counted.levels.iter().map(|level| written(level).map_or(f64::NAN, |w| w.value)).collect();
    let fraction = decimal == ',' && signs.iter().any(|w| w.fraction);
    let missing = word_list(counted, |level| written(level).is_none());
    let plan = ColumnPlan {
        name: name.into(),
        kind: ColumnType::Numeric,
        decimal: fraction.then_some(','),
        order: None,
        missing,
    };
    Ok(Some((values, plan)))
}

/// The decimal sign where both fit: what is likely, else a point.
fn both_fit(counted: &Counted<'_>, likely: Option<char>) -> char {
    let signs = counted.levels.iter().any(|level| level.contains(['.', ',']));
    likely.filter(|_| signs).unwrap_or('.')
}

fn not_a_number(counted: &Counted<'_>, level: usize) -> Odd {
    let problem = format!(
        "{} is not a number; expected a finite number or a missing value (?) in a numeric column",
        crate::error::shown(&counted.levels[level])
    );
    Odd { row: counted.first_row(level), problem, remedies: &[] }
}
