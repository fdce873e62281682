//! From a table to its coded form: weights, target and columns, with what can be wrong with them.

use std::sync::{Arc, Mutex, PoisonError};

use super::rank::Ranker;
use super::roles::Cast;
use super::{CodedColumn, CodedTable, CodedTarget, Column, MISSING, Roles, Table, Values, ranks};
use crate::error::{Error, Place, Remedy, Result};
use crate::memory;
use crate::schema::{Attribute, AttributeKind, Schema, ShownAs, Target, Task};
use crate::sums::unit_for;
use crate::threads;

/// How numbers are coded.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum NumberCoding {
    /// By their ranks.
    Ranks,
    /// Into at most this many bins, where the weights of rows allow it.
    Bins(usize),
    /// As they are, where they have 32 bits.
    Floats,
}

/// Codes the columns that have a role.
pub(super) fn coded(table: &Table, roles: &Roles, numbers: NumberCoding) -> Result<CodedTable> {
    let (cast, numbers, coded) = without_columns(table, roles, numbers)?;
    with_columns(coded, &cast, |place, ranker| code(&table.columns()[place], roles, numbers, ranker))
}

/// The same, of a table that is not needed any more: every column is given up once it is coded.
pub(super) fn coded_in_place(table: Table, roles: &Roles, numbers: NumberCoding) -> Result<CodedTable> {
    let (cast, numbers, coded) = without_columns(&table, roles, numbers)?;
    let waiting: Vec<Mutex<Option<Column>>> =
        table.into_columns().into_iter().map(|column| Mutex::new(Some(column))).collect();
    for (place, column) in waiting.iter().enumerate() {
        if cast.attributes.binary_search(&place).is_err() {
            column.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
    with_columns(coded, &cast, |place, ranker| {
        let column = waiting[place].lock().unwrap_or_else(PoisonError::into_inner).take();
        code(&column.ok_or_else(|| Error::internal("a column that is coded twice"))?, roles, numbers, ranker)
    })
}

/// The coded table without its columns; which of them are attributes, and how their numbers are coded.
pub(super) fn without_columns(
    table: &Table,
    roles: &Roles,
    numbers: NumberCoding,
) -> Result<(Cast, NumberCoding, CodedTable)> {
    let cast = roles.cast(table)?;
    check_rows(table)?;
    let columns = table.columns();
    let weights = cast.weights.map(|c| row_weights(table, &columns[c])).transpose()?;
    let weights = without_targetless(table, cast.target, roles.drop_missing_target, weights)?;
    check_numbers(table, &columns[cast.target], cast.task)?;
    let (kind, target) = code_target(&columns[cast.target], cast.task)?;
    // Bins count weight. Where rows differ in it, that is left to growing.
    let is_even = weights.as_ref().is_none_or(|w| w.iter().all(|x| *x > 0.0 && *x == w[0]));
    let numbers =
        if matches!(numbers, NumberCoding::Bins(_)) && !is_even { NumberCoding::Ranks } else { numbers };
    let attributes = cast.attributes.iter().map(|&c| attribute(&columns[c], table.shown_as(c))).collect();
    let schema = Arc::new(Schema::new(attributes, kind));
    let (name, rows) = (table.name().into(), table.rows());
    Ok((cast, numbers, CodedTable { name, schema, columns: Vec::new(), target, weights, rows }))
}

/// The table with its columns, coded in parallel.
fn with_columns(
    mut table: CodedTable,
    cast: &Cast,
    code: impl Fn(usize, &mut Ranker) -> Result<CodedColumn> + Sync,
) -> Result<CodedTable> {
    let coded = threads::map_with(cast.attributes.len(), Ranker::default, |ranker, place| {
        code(cast.attributes[place], ranker)
    });
    table.columns = coded.into_iter().collect::<Result<_>>()?;
    Ok(table)
}

/// A column, with its numbers coded as is asked for where that can be.
pub(super) fn code(
    column: &Column,
    roles: &Roles,
    numbers: NumberCoding,
    ranker: &mut Ranker,
) -> Result<CodedColumn> {
    let is_ordered = roles.ordered.contains(&column.name);
    let numbers = CodedColumn::of_numbers(column, numbers)?;
    numbers.map_or_else(|| CodedColumn::new(column, is_ordered, ranker), Ok)
}

fn attribute(column: &Column, shown_as: ShownAs) -> Attribute {
    let kind = match &column.values {
        Values::Numeric(_) => AttributeKind::Numeric,
        Values::Nominal(nominal) => AttributeKind::Nominal { values: nominal.levels.clone() },
    };
    Attribute { name: column.name.clone(), kind, shown_as }
}

fn check_rows(table: &Table) -> Result<()> {
    if table.rows() == 0 {
        return Err(Error::input(Place::file(table.name()), "the table has no rows"));
    }
    if table.rows() > u32::MAX as usize - 1 {
        return Err(Error::input(
            Place::file(table.name()),
            format!("{} rows are more than the 4,294,967,294 that are supported", table.rows()),
        ));
    }
    Ok(())
}

/// The weights, in which rows without a target have none: a row of no weight takes no part in growing.
fn without_targetless(
    table: &Table,
    target: usize,
    dropped: bool,
    mut weights: Option<Vec<f64>>,
) -> Result<Option<Vec<f64>>> {
    if let Some(rows) = without_target(table, target) {
        if !dropped {
            return Err(missing_target(table, target, &rows));
        }
        if rows.len() == table.rows() {
            return Err(Error::input(
                Place::file(table.name()).attribute(&table.columns()[target].name),
                "every row lacks a value of the target",
            ));
        }
        let weights = weights.get_or_insert_with(|| vec![1.0; table.rows()]);
        for row in rows {
            weights[row as usize] = 0.0;
        }
    }
    if weights.as_ref().is_some_and(|w| w.iter().all(|w| *w == 0.0)) {
        return Err(Error::input(Place::file(table.name()), "no row has a weight above 0"));
    }
    Ok(weights)
}

fn check_numbers(table: &Table, target: &Column, task: Task) -> Result<()> {
    if let (Task::Regression, Values::Numeric(cells)) = (task, &target.values)
        && let Some(row) = cells.iter().position(|x| x.abs() > MOST)
    {
        return Err(Error::input(
            Place::file(table.name()).attribute(&target.name),
            format!("row {} is {:e}; expected a target between -1e150 and 1e150", row + 1, cells[row]),
        ));
    }
    Ok(())
}

fn row_weights(table: &Table, column: &Column) -> Result<Vec<f64>> {
    let place = || Place::file(table.name()).attribute(&column.name);
    let Values::Numeric(weights) = &column.values else {
        return Err(Error::input(place(), "weights must be numbers, and this column is nominal"));
    };
    if let Some(row) = weights.iter().position(|w| w.is_nan() || *w < 0.0) {
        return Err(Error::input(
            place(),
            format!("row {} has weight {}; expected a number of at least 0", row + 1, weights[row]),
        ));
    }
    if let Some(row) = weights.iter().position(|w| *w > 0.0 && !(1e-60..=1e60).contains(w)) {
        return Err(Error::input(
            place(),
            format!(
                "row {} has weight {:e}; expected 0 or a number from 1e-60 to 1e60",
                row + 1,
                weights[row]
            ),
        ));
    }
    Ok(weights.clone())
}

/// The rows without a target, if there are any.
fn without_target(table: &Table, target: usize) -> Option<Vec<u32>> {
    let values = &table.columns()[target].values;
    let rows: Vec<u32> = match values {
        Values::Numeric(cells) => (0..).zip(cells).filter(|(_, x)| x.is_nan()).map(|(i, _)| i).collect(),
        Values::Nominal(n) => (0..).zip(&n.codes).filter(|(_, c)| **c == MISSING).map(|(i, _)| i).collect(),
    };
    (!rows.is_empty()).then_some(rows)
}

fn missing_target(table: &Table, target: usize, rows: &[u32]) -> Error {
    let shown: Vec<String> = rows.iter().take(5).map(|r| (r + 1).to_string()).collect();
    let more = if rows.len() > 5 { ", …" } else { "" };
    Error::input(
        Place::file(table.name()).attribute(&table.columns()[target].name),
        format!(
            "{} of {} rows have no value of the target (row {}{more}); complete them or leave them out",
            rows.len(),
            table.rows(),
            shown.join(", "),
        ),
    )
    .with_remedies(&[Remedy::DropMissingTarget])
}

/// Larger targets have squares that overflow.
const MOST: f64 = 1e150;

fn code_target(column: &Column, task: Task) -> Result<(Target, CodedTarget)> {
    let name = column.name.clone();
    memory::ask(column.values.len() * size_of::<f64>(), "the target")?;
    let classes = |labels: Vec<String>, codes: Vec<u32>| {
        let count = labels.len();
        (
            Target::Classes { name: name.clone(), classes: labels },
            CodedTarget::Classes { classes: count, codes },
        )
    };
    Ok(match &column.values {
        Values::Numeric(cells) if task == Task::Regression => {
            // A row without a target has no weight; its number is never read.
            let unit = unit_for(cells.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
            let values = cells.iter().map(|x| if x.is_nan() { 0.0 } else { x * unit }).collect();
            (Target::Number { name }, CodedTarget::Numbers { unit, values })
        }
        Values::Numeric(cells) => {
            let (values, codes) = ranks(cells)?;
            let last = values.len() as u32 - 1;
            let labels = values.iter().map(|v| v.to_string()).collect();
            classes(labels, (0..codes.len()).map(|i| codes.get(i).min(last)).collect())
        }
        Values::Nominal(nominal) => {
            let last = nominal.levels.len() as u32 - 1;
            classes(nominal.levels.clone(), nominal.codes.iter().map(|&c| c.min(last)).collect())
        }
    })
}
