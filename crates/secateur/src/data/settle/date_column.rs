//! Whether the values of a column are dates or times, and whether the day or the month comes first.

use super::counted::Counted;
use super::special_words::{is_missing_word, note_missing_words, word_list};
use super::{Decision, FEW, Known, Odd, dates};
use crate::data::note::{Note, NoteKind};
use crate::data::{ColumnPlan, ColumnType, DateOrder};
use crate::error::Remedy;
use crate::schema::ShownAs;

pub(super) fn as_dates(
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
                _ => (format!("{shown} is not a {what}"), &[]),
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
    if shown_as == ShownAs::DateTime {
        let bare = counted.failing(|level| dates::zone(level) != Some(false));
        let zoned = counted.failing(|level| dates::zone(level) != Some(true));
        if !bare.is_empty() && !zoned.is_empty() {
            notes.push(counted.note(NoteKind::MixedZones, name, &bare));
        }
    }
    let values = counted.levels.iter().map(|level| read(level).unwrap_or(f64::NAN)).collect();
    let missing = word_list(counted, |level| read(level).is_none());
    let order = (shown_as != ShownAs::Time).then_some(order);
    (values, ColumnPlan { name: name.into(), kind: ColumnType::of(shown_as), decimal: None, order, missing })
}
