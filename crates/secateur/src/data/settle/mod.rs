//! What a column of text really holds, decided by its different values: numbers, dates, or values from a list.
//!
//! Every different value is read once, however many rows have it, and a column is converted only if all its values agree. So this
//! costs next to nothing for the columns of a clean file: numbers never come here, and real text is seen to be text by its
//! first values.

mod dates;
mod numbers;

use super::note::{Note, NoteKind};
use super::{ColumnPlan, ColumnType, DateOrder, MISSING, Nominal};
use crate::error::Remedy;
use crate::schema::ShownAs;

/// Words that mean a missing value where all other cells of a column are numbers or dates.
const MISSING_WORDS: [&str; 16] = [
    "N/A", "n/a", "#N/A", "#NA", "<NA>", "na", "null", "NULL", "Null", "None", "none", "-", "--", ".", "nil",
    "#DIV/0!",
];

/// Those that are worth a word where they are values of a text: the others often are what people mean.
const CLEAR_WORDS: [&str; 12] =
    ["N/A", "n/a", "#N/A", "#NA", "<NA>", "null", "NULL", "Null", "None", "-", ".", "#DIV/0!"];

/// Words for true and false, in lower case, by pairs.
const TRUTH: [[&str; 2]; 2] = [["true", "false"], ["t", "f"]];

/// Of the cells that are known, this share may be odd for a column to be called nearly numeric.
const FEW: f64 = 0.1;

/// Lists of so many values are meant as they are where a file declares its types.
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

/// Different values and how often each occurs.
struct Counted<'a> {
    levels: &'a [String],
    counts: Vec<usize>,
    codes: &'a [u32],
}

impl Counted<'_> {
    fn first_row(&self, level: usize) -> usize {
        self.codes.iter().position(|&code| code as usize == level).unwrap_or(0)
    }

    /// The levels that occur and for which something does not hold.
    fn failing(&self, holds: impl Fn(&str) -> bool) -> Vec<usize> {
        let occurs = |&level: &usize| self.counts[level] > 0;
        (0..self.levels.len()).filter(occurs).filter(|&level| !holds(&self.levels[level])).collect()
    }

    fn cells(&self, levels: &[usize]) -> usize {
        levels.iter().map(|&level| self.counts[level]).sum()
    }

    fn known(&self) -> usize {
        self.counts.iter().sum()
    }

    /// A note on some levels: the first by row gives the place.
    fn note(&self, kind: NoteKind, name: &str, levels: &[usize]) -> Note {
        let mut places: Vec<(usize, usize)> =
            levels.iter().map(|&level| (self.first_row(level), level)).collect();
        places.sort_unstable();
        let note = Note::new(kind).column(name).cells(self.cells(levels), self.known());
        let values = places.iter().take(3).map(|(_, level)| self.levels[*level].clone());
        let note = note.values(values.collect::<Vec<_>>());
        match places.first() {
            Some((row, _)) => note.row(*row),
            None => note,
        }
    }
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
    if known.kind.is_some() {
        // What was asked for was not decided here.
        notes.retain(|note| note.kind == NoteKind::OddCells);
    }
    Ok(match decision {
        Some((values, plan)) => (Settled::Numbers { cells: counted.cells_of(&values), plan }, notes),
        None => (Settled::Values(as_text(name, nominal, &mut notes)), notes),
    })
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
        let kind =
            if plan.kind == ColumnType::Numeric { NoteKind::TextOfNumbers } else { NoteKind::TextOfDates };
        notes = vec![Note::new(kind).column(name).cells(counted.known(), counted.known())];
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

fn is_missing_word(text: &str) -> bool {
    MISSING_WORDS.contains(&text)
}

fn as_numbers(
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
    if unit.is_some() || thousands.is_some() {
        let unit = unit
            .map(|unit| if unit == "%" { "percent signs".into() } else { format!("the currency {unit}") });
        let thousands = thousands.map(|sign| format!("thousands separators ({sign})"));
        let signs: Vec<String> = unit.into_iter().chain(thousands).collect();
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

fn as_dates(
    name: &str,
    counted: &Counted<'_>,
    known: Known<'_>,
    notes: &mut Vec<Note>,
) -> Result<Decision, Odd> {
    let timed = counted.failing(|level| dates::time(level).is_some() || is_missing_word(level));
    let wants_time = known.kind == Some(ColumnType::Time);
    if timed.is_empty() && (known.kind.is_none() || wants_time) {
        return Ok(Some(dated(name, counted, ShownAs::Time, DateOrder::YearMonthDay, notes)));
    }
    let odd = |order: DateOrder| {
        counted.failing(|level| dates::date(level, order).is_some() || is_missing_word(level))
    };
    let fitting: Vec<DateOrder> = dates::ORDERS
        .into_iter()
        .filter(|order| known.order.is_none_or(|given| given == *order) && odd(*order).is_empty())
        .collect();
    let order = match fitting[..] {
        [] => None,
        [only] => Some(only),
        [first, ..] => {
            let same = counted
                .levels
                .iter()
                .all(|level| fitting.iter().all(|&o| dates::date(level, o) == dates::date(level, first)));
            same.then_some(first).or(known.likely_order.filter(|likely| fitting.contains(likely)))
        }
    };
    if let Some(order) = order {
        let clock =
            counted.levels.iter().any(|level| dates::date(level, order).is_some_and(|(_, clock)| clock));
        let shown = if clock { ShownAs::DateTime } else { ShownAs::Date };
        let shown = known.kind.and_then(ColumnType::shown_as).unwrap_or(shown);
        return Ok(Some(dated(name, counted, shown, order, notes)));
    }
    if fitting.len() > 1 && known.kind.is_none() {
        let all: Vec<usize> = (0..counted.levels.len()).take(3).collect();
        notes.push(counted.note(NoteKind::AmbiguousDates, name, &all));
        return Ok(None);
    }
    let least = dates::ORDERS.into_iter().map(odd).min_by_key(|odd| counted.cells(odd)).unwrap_or_default();
    match (known.kind, least.first()) {
        (Some(kind), _) => {
            let level = least.first().or(timed.first()).copied().unwrap_or(0);
            let what = kind.shown_as().map_or("date", ShownAs::name);
            let shown = crate::error::shown(&counted.levels[level]);
            let (problem, remedies): (String, &'static [Remedy]) = match fitting.len() {
                2.. => (
                    format!(
                        "day and month cannot be told apart in dates such as {shown}; say which comes first"
                    ),
                    &[Remedy::SayDateOrder],
                ),
                _ => (format!("{shown} is no {what}"), &[]),
            };
            Err(Odd { row: counted.first_row(level), problem, remedies })
        }
        (None, Some(_)) if counted.cells(&least) as f64 <= FEW * counted.known() as f64 => {
            notes.push(counted.note(NoteKind::NearlyDates, name, &least));
            Ok(None)
        }
        (None, _) => Ok(None),
    }
}

fn dated(
    name: &str,
    counted: &Counted<'_>,
    shown_as: ShownAs,
    order: DateOrder,
    notes: &mut Vec<Note>,
) -> (Vec<f64>, ColumnPlan) {
    let read = |level: &str| dates::read(level, shown_as, order);
    note_missing_words(name, counted, |level| read(level).is_none(), notes);
    let first = match order {
        DateOrder::YearMonthDay => "",
        DateOrder::DayMonthYear => ", the day before the month",
        DateOrder::MonthDayYear => ", the month before the day",
    };
    let what = match shown_as {
        ShownAs::Time => "times of day".to_string(),
        ShownAs::DateTime => format!("dates with times{first}"),
        _ => format!("dates{first}"),
    };
    notes.push(Note::new(NoteKind::Dates).column(name).values([what]));
    let values = counted.levels.iter().map(|level| read(level).unwrap_or(f64::NAN)).collect();
    let missing = word_list(counted, |level| read(level).is_none());
    let order = (shown_as != ShownAs::Time).then_some(order);
    (values, ColumnPlan { name: name.into(), kind: ColumnType::of(shown_as), decimal: None, order, missing })
}

/// The words that count as missing values.
fn word_list(counted: &Counted<'_>, is_missing: impl Fn(&str) -> bool) -> Vec<String> {
    counted.failing(|level| !is_missing(level)).iter().map(|&level| counted.levels[level].clone()).collect()
}

fn note_missing_words(
    name: &str,
    counted: &Counted<'_>,
    is_missing: impl Fn(&str) -> bool,
    notes: &mut Vec<Note>,
) {
    let words = counted.failing(|level| !(is_missing(level) && is_missing_word(level)));
    if !words.is_empty() {
        notes.push(counted.note(NoteKind::MissingWords, name, &words));
    }
}

fn note_like_missing(name: &str, nominal: &Nominal, notes: &mut Vec<Note>) {
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
fn truth_values(name: &str, mut nominal: Nominal, notes: &mut Vec<Note>) -> Nominal {
    let meaning = |level: &str| {
        let level = level.to_ascii_lowercase();
        TRUTH.iter().find_map(|pair| pair.iter().position(|word| *word == level))
    };
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
fn without(nominal: Nominal, gone: impl Fn(&str) -> bool) -> Nominal {
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

impl<'a> Counted<'a> {
    fn of(nominal: &'a Nominal) -> Self {
        let mut counts = vec![0; nominal.levels.len()];
        for &code in nominal.codes.iter().filter(|&&code| code != MISSING) {
            counts[code as usize] += 1;
        }
        Self { levels: &nominal.levels, counts, codes: &nominal.codes }
    }

    /// The cells, given a number for every level.
    fn cells_of(&self, values: &[f64]) -> Vec<f64> {
        self.codes.iter().map(|&code| values.get(code as usize).copied().unwrap_or(f64::NAN)).collect()
    }
}
