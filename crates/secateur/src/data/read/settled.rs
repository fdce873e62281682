//! The columns of a text file, decided: what was read as numbers or text, the words of the caller, and the column's own values
//! brought together.

use super::ReadOptions;
use super::choice::Choice;
use crate::data::cell::is_missing;
use crate::data::note::{Note, NoteKind};
use crate::data::notice::row_numbers;
use crate::data::settle::{Known, Odd, Settled, settle, without};
use crate::data::table::{has_fraction, position};
use crate::data::{Column, ColumnPlan, ColumnType, Plan, Values};
use crate::error::Error;
use crate::schema::ShownAs;

/// The columns of a file as its layout and the caller know them.
pub(super) struct Columns<'a> {
    pub names: &'a [String],
    pub unnamed: &'a [bool],
    pub choices: &'a [Choice],
    /// Values are separated by commas, so that a comma in a number was quoted.
    pub usual_comma: bool,
}

/// The table's columns with all that was decided about them.
#[derive(Default)]
pub(super) struct Decided {
    pub columns: Vec<Column>,
    pub shown_as: Vec<ShownAs>,
    pub plans: Vec<ColumnPlan>,
    pub notes: Vec<Note>,
}

/// Why columns cannot be decided.
pub(super) enum Undecided {
    /// A cell of a column is not what it must be.
    Cell(usize, Odd),
    /// Reading failed.
    Reading(Error),
}

/// What became of a column of text, with the notes on it; `None` for other columns.
type Judged = Option<(Settled, Vec<Note>)>;

/// Decides all columns; `texts` reads some columns again, as text.
pub(super) fn settled(
    mut values: Vec<Option<Values>>,
    columns: &Columns<'_>,
    options: &ReadOptions,
    texts: impl Fn(&[usize]) -> Result<Vec<Option<Values>>, Error>,
) -> Result<Decided, Undecided> {
    let mut judged = judged(&mut values, columns, options, texts)?;
    let mut decided = Decided::default();
    let mut commas = Vec::new();
    let mut empty = 0;
    for (column, name) in columns.names.iter().enumerate() {
        let ignored = plain(name, ColumnType::Ignore);
        let read = contents(name, judged[column].take(), values[column].take(), options);
        let Some((values, plan, notes)) = read else {
            decided.plans.push(ignored);
            continue;
        };
        commas.extend((plan.decimal == Some(',')).then(|| name.clone()));
        let (auto, unnamed) = (columns.choices[column] == Choice::Auto, columns.unnamed[column]);
        if auto && unnamed && values.missing() == values.len() {
            empty += 1;
            decided.plans.push(ignored);
            continue;
        }
        let index = column == 0 && auto && (unnamed || name.starts_with("Unnamed: 0"));
        if index && row_numbers(&values).is_some() {
            decided.notes.push(Note::new(NoteKind::Index));
            decided.plans.push(ignored);
            continue;
        }
        if unnamed {
            decided.notes.push(Note::new(NoteKind::Unnamed).column(name).cells(column + 1, 0));
        }
        decided.notes.extend(notes);
        decided.shown_as.push(plan.kind.shown_as().unwrap_or_default());
        decided.plans.push(plan);
        decided.columns.push(Column { name: name.clone(), values });
    }
    if empty > 0 {
        decided.notes.push(Note::new(NoteKind::EmptyColumns).cells(empty, 0));
    }
    if !commas.is_empty() && options.plan.decimal.is_none() {
        decided.notes.insert(
            0,
            Note::new(NoteKind::DecimalComma).cells(commas.len(), 0).values(commas.into_iter().take(3)),
        );
    }
    Ok(decided)
}

/// Decides the columns of text, which are taken out of the others.
fn judged(
    values: &mut [Option<Values>],
    columns: &Columns<'_>,
    options: &ReadOptions,
    texts: impl Fn(&[usize]) -> Result<Vec<Option<Values>>, Error>,
) -> Result<Vec<Judged>, Undecided> {
    let mut out: Vec<Judged> = columns.names.iter().map(|_| None).collect();
    let likely = options.plan.decimal.or((!columns.usual_comma).then_some(','));
    for column in 0..values.len() {
        if is_text(&values[column], columns.choices[column])
            && let Some(Values::Nominal(nominal)) = values[column].take()
        {
            out[column] = Some(one(column, nominal, columns, options, likely)?);
        }
    }
    // Columns that surely have decimal commas decide for those that may.
    let comma =
        |out: &Judged| matches!(out, Some((Settled::Numbers { plan, .. }, _)) if plan.decimal == Some(','));
    if out.iter().any(comma) || options.plan.decimal == Some(',') {
        // Points in other columns may separate thousands: the text knows.
        let again: Vec<usize> = (0..values.len()).filter(|&c| has_fractions(&values[c])).collect();
        if !again.is_empty() {
            for (column, text) in texts(&again).map_err(Undecided::Reading)?.into_iter().enumerate() {
                if let (Some(Values::Nominal(nominal)), true) = (text, again.contains(&column)) {
                    out[column] = Some(one(column, nominal, columns, options, Some(','))?);
                    values[column] = None;
                }
            }
        }
    }
    Ok(out)
}

/// The values of a column with its plan and the notes on it; none if it was not read.
fn contents(
    name: &str,
    judged: Judged,
    values: Option<Values>,
    options: &ReadOptions,
) -> Option<(Values, ColumnPlan, Vec<Note>)> {
    Some(match (judged, values) {
        (Some((Settled::Numbers { cells, plan }, notes)), _) => (Values::Numeric(cells), plan, notes),
        (Some((Settled::Values(nominal), notes)), _) => {
            (Values::Nominal(nominal), plain(name, ColumnType::Nominal), notes)
        }
        (None, Some(Values::Numeric(mut cells))) => {
            blank(&mut cells, &words(name, options));
            (Values::Numeric(cells), plain(name, ColumnType::Numeric), Vec::new())
        }
        (None, Some(values)) => (values, plain(name, ColumnType::Nominal), Vec::new()),
        (None, None) => return None,
    })
}

fn one(
    column: usize,
    nominal: crate::data::Nominal,
    columns: &Columns<'_>,
    options: &ReadOptions,
    likely: Option<char>,
) -> Result<(Settled, Vec<Note>), Undecided> {
    let name = &columns.names[column];
    let plan = options.plan.column(name);
    let earlier = options.earlier.column(name);
    let missing = words(name, options);
    let known = Known {
        kind: match columns.choices[column] {
            Choice::Numeric => Some(ColumnType::Numeric),
            Choice::Nominal => Some(ColumnType::Nominal),
            Choice::Dated(kind) => Some(kind),
            Choice::Auto | Choice::Ignore => None,
        },
        decimal: plan.and_then(|plan| plan.decimal).or(options.plan.decimal),
        order: plan.and_then(|plan| plan.order),
        likely_decimal: earlier.and_then(|plan| plan.decimal).or(likely),
        likely_order: earlier.and_then(|plan| plan.order),
        missing: &missing,
        planned: plan.is_some() && !options.nominal.contains(name),
    };
    let zero =
        |level: &String| level.starts_with('0') && level.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    let code_like = nominal.levels.iter().any(zero);
    settle(name, nominal, known, code_like).map_err(|odd| Undecided::Cell(column, odd))
}

fn plain(name: &str, kind: ColumnType) -> ColumnPlan {
    ColumnPlan { name: name.into(), kind, decimal: None, order: None, missing: Vec::new() }
}

/// Whether a column is text to be decided on.
fn is_text(values: &Option<Values>, choice: Choice) -> bool {
    matches!(values, Some(Values::Nominal(_))) && choice != Choice::Ignore
}

fn has_fractions(values: &Option<Values>) -> bool {
    matches!(values, Some(Values::Numeric(cells)) if position(cells, has_fraction).is_some())
}

/// The words that are missing values in a column.
fn words(name: &str, options: &ReadOptions) -> Vec<String> {
    let of = |plan: &Plan| {
        let own = plan.column(name).map(|column| column.missing.clone());
        plan.missing.iter().cloned().chain(own.unwrap_or_default()).collect::<Vec<_>>()
    };
    [of(&options.plan), of(&options.earlier)].concat()
}

/// A column of a file that says its types, without the words that the caller counts as missing.
pub(super) fn blanked(Column { name, values }: Column, options: &ReadOptions) -> Column {
    let words = words(&name, options);
    let is_gone = |level: &str| words.iter().any(|word| word == level);
    let values = match values {
        Values::Numeric(mut cells) => {
            blank(&mut cells, &words);
            Values::Numeric(cells)
        }
        Values::Nominal(nominal) => Values::Nominal(without(nominal, is_gone)),
    };
    Column { name, values }
}

/// The same for a column of texts that came from a file which is not believed in this.
pub(super) fn without_marks(column: Column, options: &ReadOptions) -> Column {
    let Column { name, values } = blanked(column, options);
    match values {
        Values::Nominal(nominal) if !options.keeps_na_of_types() => {
            Column { name, values: Values::Nominal(without(nominal, is_missing)) }
        }
        values => Column { name, values },
    }
}

/// Makes numbers missing that are among the words.
fn blank(cells: &mut [f64], words: &[String]) {
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    if !numbers.is_empty() {
        cells.iter_mut().filter(|x| numbers.contains(*x)).for_each(|x| *x = f64::NAN);
    }
}
