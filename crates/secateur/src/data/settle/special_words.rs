//! Words with a meaning of their own: missing values, true and false.

use super::counted::Counted;
use crate::data::cell::is_missing;
use crate::data::note::{Note, NoteKind};
use crate::data::{MISSING, Nominal};
use crate::schema::truth_value;

/// Words that mean a missing value where all other cells of a column are numbers or dates.
const MISSING_WORDS: [&str; 16] = [
    "N/A", "n/a", "#N/A", "#NA", "<NA>", "na", "null", "NULL", "Null", "None", "none", "-", "--", ".", "nil",
    "#DIV/0!",
];

/// Those that are worth a word where they are values of a text: the others often are what people mean.
const CLEAR_WORDS: [&str; 12] =
    ["N/A", "n/a", "#N/A", "#NA", "<NA>", "null", "NULL", "Null", "None", "-", ".", "#DIV/0!"];

pub(super) fn is_missing_word(text: &str) -> bool {
    MISSING_WORDS.contains(&text) || is_missing(text)
}

/// The words that count as missing values, beside those that always do.
pub(super) fn word_list(counted: &Counted<'_>, gone: impl Fn(&str) -> bool) -> Vec<String> {
    counted
        .failing(|level| is_missing(level) || !gone(level))
        .iter()
        .map(|&level| counted.levels[level].clone())
        .collect()
}

pub(super) fn note_missing_words(
    name: &str,
    counted: &Counted<'_>,
    gone: impl Fn(&str) -> bool,
    notes: &mut Vec<Note>,
) {
    let words = counted.failing(|level| is_missing(level) || !(gone(level) && is_missing_word(level)));
    if !words.is_empty() {
        notes.push(counted.note(NoteKind::MissingWords, name, &words));
    }
}

pub(super) fn note_like_missing(name: &str, nominal: &Nominal, notes: &mut Vec<Note>) {
    if !nominal.levels.iter().any(|level| CLEAR_WORDS.contains(&level.as_str())) {
        return;
    }
    let counted = Counted::of(nominal);
    let words = counted.failing(|level| !CLEAR_WORDS.contains(&level));
    if !words.is_empty() {
        notes.push(counted.note(NoteKind::LikeMissing, name, &words));
    }
}

/// One value for all spellings of true and of false: the first.
pub(super) fn truth_values(name: &str, mut nominal: Nominal, notes: &mut Vec<Note>) -> Nominal {
    let meaning = |level: &str| truth_value(level).map(usize::from);
    if nominal.levels.len() < 3 || nominal.levels.len() > 12 {
        return nominal;
    }
    let Some(meanings) = nominal.levels.iter().map(|level| meaning(level)).collect::<Option<Vec<usize>>>()
    else {
        return nominal;
    };
    let mut first: [Option<u32>; 2] = [None, None];
    let mut levels = Vec::new();
    for (level, &meaning) in nominal.levels.iter().zip(&meanings) {
        if first[meaning].is_none() {
            first[meaning] = Some(levels.len() as u32);
            levels.push(level.clone());
        }
    }
    for code in nominal.codes.iter_mut().filter(|code| **code != MISSING) {
        *code = meanings.get(*code as usize).and_then(|&meaning| first[meaning]).unwrap_or(MISSING);
    }
    nominal.levels = levels;
    notes.push(Note::new(NoteKind::TruthValues).column(name).values(nominal.levels.clone()));
    nominal
}

/// The column without the levels that something holds for, whose cells are missing.
pub(in super::super) fn without(nominal: Nominal, gone: impl Fn(&str) -> bool) -> Nominal {
    if !nominal.levels.iter().any(|level| gone(level)) {
        return nominal;
    }
    let Nominal { levels, mut codes } = nominal;
    let mut kept = Vec::new();
    let to: Vec<u32> = levels
        .into_iter()
        .map(|level| {
            if gone(&level) {
                return MISSING;
            }
            kept.push(level);
            kept.len() as u32 - 1
        })
        .collect();
    for code in &mut codes {
        *code = to.get(*code as usize).copied().unwrap_or(MISSING);
    }
    Nominal { levels: kept, codes }
}
