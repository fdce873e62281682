//! What a column of text really holds, decided by its different values: numbers, dates, or values from a list.
//!
//! Every different value is read once, however many rows have it, and a column is converted only if all its values agree. So this
//! costs next to nothing for the columns of a clean file: numbers never come here, and real text is seen to be text by its
//! first values.

mod counted;
mod date_column;
mod dates;
mod number_column;
mod numbers;
mod special_words;

use super::note::{Note, NoteKind};
use super::{ColumnPlan, ColumnType, DateOrder, Nominal};
use crate::error::Remedy;
use counted::Counted;
use date_column::as_dates;
use number_column::as_numbers;
pub(super) use special_words::without;
use special_words::{is_missing_word, note_like_missing, truth_values, word_list};

/// Of the cells that are known, this share may be odd for a column to be called nearly numeric.
const FEW: f64 = 0.1;

/// Lists of this many values are meant as they are where a file declares its types.
const SHORT: usize = 20;

/// What is known of a column before its values are looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known<'a> {
    /// What is asked for, if anything.
    pub kind: Option<ColumnType>,
    /// The decimal sign, where it is given.
    pub decimal: Option<char>,
    /// The order of dates, where it is given.
    pub order: Option<DateOrder>,
    /// The decimal sign to prefer where both fit.
    pub likely_decimal: Option<char>,
    /// The order of dates to prefer where several fit.
    pub likely_order: Option<DateOrder>,
    /// Words that are missing values.
    pub missing: &'a [String],
    /// A plan asks for values from a list: spellings of truth values are one, as when the plan was made.
    pub planned: bool,
}

/// A column, decided.
#[derive(Debug)]
pub(super) enum Settled {
    /// Numbers, how they are shown, and the plan that reads them so.
    Numbers { cells: Vec<f64>, plan: ColumnPlan },
    /// Values from a list.
    Values(Nominal),
}

/// A value that is not what its column was asked to hold: its row (from 0), and what is wrong.
#[derive(Debug)]
pub(super) struct Odd {
    pub row: usize,
    pub problem: String,
    pub remedies: &'static [Remedy],
}

/// Decides what a column holds. `code_like` says that its numbers have leading zeros.
pub(super) fn settle(
    name: &str,
    nominal: Nominal,
    known: Known<'_>,
    code_like: bool,
) -> Result<(Settled, Vec<Note>), Odd> {
    let mut notes = Vec::new();
    let nominal = without(nominal, |level| known.missing.iter().any(|word| word == level));
    if known.kind == Some(ColumnType::Nominal) {
        let nominal = if known.planned { truth_values(name, nominal, &mut notes) } else { nominal };
        return Ok((Settled::Values(nominal), Vec::new()));
    }
    if known.kind.is_none() && !code_like && looks_like_text(&nominal.levels) {
        return Ok((Settled::Values(as_text(name, nominal, &mut notes)), notes));
    }
    let counted = Counted::of(&nominal);
    if code_like && known.kind.is_none() {
        let length = nominal.levels.iter().map(String::len).max().unwrap_or(0);
        let coded = |level: &str| level.len() == length && level.bytes().all(|b| b.is_ascii_digit());
        if length >= 3 && counted.failing(coded).is_empty() {
            let zeros = counted.failing(|level| !level.starts_with('0'));
            notes.push(counted.note(NoteKind::LeadingZeros, name, &zeros));
            return Ok((Settled::Values(nominal), notes));
        }
    }
    let decision = decide(name, &counted, known, &mut notes)?;
    if let (true, None, Some((_, ColumnPlan { kind: ColumnType::Numeric, .. }))) =
        (code_like, known.kind, &decision)
    {
        let is_plain = |level: &str| level.starts_with('0') && level.bytes().all(|b| b.is_ascii_digit());
        // Two digits each are months, hours and the like.
        let zeros = counted.failing(|level| !(is_plain(level) && level.len() > 1));
        if zeros.iter().any(|&level| levels_differ(&nominal.levels, &nominal.levels[level])) {
            notes.push(counted.note(NoteKind::ZerosLost, name, &zeros));
        }
    }
    if known.kind.is_some() {
        // What was asked for was not decided here.
        notes.retain(|note| note.kind == NoteKind::OddCells);
    }
    Ok(match decision {
        Some((values, plan)) => (Settled::Numbers { cells: counted.cells_of(&values), plan }, notes),
        None => (Settled::Values(as_text(name, nominal, &mut notes)), notes),
    })
}

/// Whether a number has more than two digits, or another number of them than some other one.
fn levels_differ(levels: &[String], level: &str) -> bool {
    level.len() > 2 || levels.iter().any(|other| other.len() != level.len() && !is_missing_word(other))
}

/// A column of text, with what is to be said of its values.
fn as_text(name: &str, nominal: Nominal, notes: &mut Vec<Note>) -> Nominal {
    let nominal = truth_values(name, nominal, notes);
    note_like_missing(name, &nominal, notes);
    nominal
}

/// Whether values are text by the first of them: what has no digits in half of them is not looked at further.
fn looks_like_text(levels: &[String]) -> bool {
    let sample = levels.iter().filter(|level| !is_missing_word(level)).take(50);
    let (all, digits) = sample.fold((0, 0), |(all, digits), level| {
        (all + 1, digits + usize::from(level.bytes().any(|b| b.is_ascii_digit())))
    });
    2 * digits < all
}

/// What a column of text would be if its values were read: notes only, for files that declare their types.
pub(super) fn noticed(name: &str, nominal: &Nominal) -> Vec<Note> {
    let mut notes = Vec::new();
    // A short list of numbers was declared on purpose.
    if nominal.levels.len() <= SHORT || looks_like_text(&nominal.levels) {
        return notes;
    }
    let counted = Counted::of(nominal);
    if let Ok(Some((_, plan))) = decide(name, &counted, Known::default(), &mut notes) {
        let is_numeric = plan.kind == ColumnType::Numeric;
        // Where a file would be read with these words for missing values, here they are values.
        let words = counted.failing(|level| !is_missing_word(level));
        notes = vec![match words.is_empty() {
            true => {
                let kind = if is_numeric { NoteKind::TextOfNumbers } else { NoteKind::TextOfDates };
                Note::new(kind).column(name).cells(counted.known(), counted.known())
            }
            false => {
                let kind = if is_numeric { NoteKind::NearlyNumeric } else { NoteKind::NearlyDates };
                counted.note(kind, name, &words)
            }
        }];
    }
    notes.retain(|note| note.kind != NoteKind::AmbiguousDates);
    notes
}

type Decision = Option<(Vec<f64>, ColumnPlan)>;

fn decide(
    name: &str,
    counted: &Counted<'_>,
    known: Known<'_>,
    notes: &mut Vec<Note>,
) -> Result<Decision, Odd> {
    if counted.known() == 0 {
        return Ok(None);
    }
    let asked = known.kind;
    let shown = asked.and_then(ColumnType::shown_as);
    let wants_dates = shown.is_some_and(|shown| !shown.is_plain());
    if counted.failing(is_missing_word).is_empty() {
        // Words for missing values alone say nothing of what is missing.
        return Ok(asked.filter(|_| shown.is_some()).map(|kind| {
            let missing = word_list(counted, |_| true);
            let plan = ColumnPlan { name: name.into(), kind, decimal: None, order: None, missing };
            (vec![f64::NAN; counted.levels.len()], plan)
        }));
    }
    if asked.is_none() && looks_like_text(counted.levels) {
        return Ok(None);
    }
    if !wants_dates && let Some(found) = as_numbers(name, counted, known, notes)? {
        return Ok(Some(found));
    }
    if asked != Some(ColumnType::Numeric) {
        return as_dates(name, counted, known, notes);
    }
    Ok(None)
}
