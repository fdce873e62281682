//! Small files beside the data: what mistakes cost, and which row is in which fold.

use std::path::Path;

use serde::Deserialize;

use super::{MISSING, Nominal, ReadOptions, Table, Values, read};
use crate::error::{Error, Place, Result};
use crate::progress::Silent;
use crate::schema::{CostEntry, Costs};

/// Reads a loss matrix for these classes: a `.toml` file with `[[cost]]` tables, or a table (`.csv`, `.tsv`, …); either way
/// with `actual`, `predicted` and `cost`. Mistakes that are not named cost 1.
pub fn read_costs(path: impl AsRef<Path>, classes: &[String]) -> Result<Costs> {
    let path = path.as_ref();
    let name = &*path.to_string_lossy();
    let is_toml = name.to_lowercase().ends_with(".toml");
    let entries = if is_toml { toml_entries(name, path)? } else { table_entries(name, path)? };
    Costs::new(classes, &entries).map_err(|e| Error::input(Place::file(name), e.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    cost: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    actual: String,
    predicted: String,
    cost: f64,
}

fn toml_entries(name: &str, path: &Path) -> Result<Vec<CostEntry>> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::Read { file: path.into(), source })?;
    let file: File = toml::from_str(&text).map_err(|e| {
        let line = e.span().map(|span| text[..span.start].matches('\n').count() as u64 + 1);
        let place = Place { line, ..Place::file(name) };
        Error::input(place, format!("{}; expected [[cost]] with actual, predicted and cost", e.message()))
    })?;
    Ok(file
        .cost
        .into_iter()
        .map(|e| CostEntry { actual: e.actual, predicted: e.predicted, cost: e.cost })
        .collect())
}

fn table_entries(name: &str, path: &Path) -> Result<Vec<CostEntry>> {
    let options = ReadOptions {
        nominal: vec!["actual".into(), "predicted".into()],
        numeric: vec!["cost".into()],
        ..ReadOptions::default()
    };
    let table = read(path, &options, &Silent)?;
    let (actual, predicted) = (nominal(&table, "actual")?, nominal(&table, "predicted")?);
    let Values::Numeric(costs) = &table.columns()[table.position("cost")?].values else {
        return Ok(Vec::new());
    };
    (0..table.rows())
        .map(|row| {
            let text = |column: &Nominal, attribute: &str| match column.codes[row] {
                MISSING => Err(Error::input(
                    Place::file(name).attribute(attribute),
                    format!("row {} has no class", row + 1),
                )),
                code => Ok(column.levels[code as usize].clone()),
            };
            let entry = CostEntry {
                actual: text(actual, "actual")?,
                predicted: text(predicted, "predicted")?,
                cost: costs[row],
            };
            Ok(entry)
        })
        .collect()
}

fn nominal<'t>(table: &'t Table, name: &str) -> Result<&'t Nominal> {
    match &table.columns()[table.position(name)?].values {
        Values::Nominal(nominal) => Ok(nominal),
        Values::Numeric(_) => {
            Err(Error::input(Place::file(table.name()).attribute(name), "expected classes"))
        }
    }
}

/// Reads folds: a table with `row` (from 1) and `fold` (whole numbers), which lists every row; one without a fold is left out
/// altogether. A table that lists a row 0 counts them from 0. Folds are numbered anew from 0 in ascending order.
pub fn read_folds(path: impl AsRef<Path>, rows: usize) -> Result<Vec<Option<u32>>> {
    let path = path.as_ref();
    let name = &*path.to_string_lossy();
    let options = ReadOptions { numeric: vec!["row".into(), "fold".into()], ..ReadOptions::default() };
    let table = read(path, &options, &Silent)?;
    let numbers = |column: &str| -> Result<&Vec<f64>> {
        match &table.columns()[table.position(column)?].values {
            Values::Numeric(list) => Ok(list),
            Values::Nominal(_) => Err(Error::input(Place::file(name).attribute(column), "expected numbers")),
        }
    };
    let (row_numbers, folds) = (numbers("row")?, numbers("fold")?);
    let bad = |line: usize, column: &str, problem: String| {
        Error::input(Place::file(name).line(line as u64 + 2).attribute(column), problem)
    };
    // Every row is listed, so a row 0 leaves no doubt.
    let first = if row_numbers.contains(&0.0) { 0 } else { 1 };
    let mut of_row = vec![None; rows];
    let mut seen = vec![false; rows];
    for (i, (&row, &fold)) in row_numbers.iter().zip(folds).enumerate() {
        let place = row - first as f64;
        if row.fract() != 0.0 || !(0.0..rows as f64).contains(&place) {
            let most = (rows + first).saturating_sub(1);
            return Err(bad(
                i,
                "row",
                format!("{row} is not a row; expected a whole number from {first} to {most}"),
            ));
        }
        if std::mem::replace(&mut seen[place as usize], true) {
            return Err(bad(i, "row", format!("row {row} is listed twice")));
        }
        if fold.is_nan() {
            continue;
        }
        if fold.fract() != 0.0 || !(0.0..=1e9).contains(&fold) {
            return Err(bad(
                i,
                "fold",
                format!("{fold} is not a fold; expected a whole number of at least 0"),
            ));
        }
        of_row[place as usize] = Some(fold as u32);
    }
    let unlisted: Vec<String> =
        (0..rows).filter(|&row| !seen[row]).map(|row| (row + first).to_string()).take(11).collect();
    if !unlisted.is_empty() {
        let count = seen.iter().filter(|seen| !**seen).count();
        let more = if count > 10 { ", …" } else { "" };
        return Err(Error::input(
            Place::file(name).attribute("row"),
            format!(
                "{count} of {rows} rows are not listed ({}{more}); give every row a fold, or an empty one to leave it out",
                unlisted[..unlisted.len().min(10)].join(", ")
            ),
        ));
    }
    let mut numbers: Vec<u32> = of_row.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let place = |fold: u32| numbers.partition_point(|&n| n < fold) as u32;
    Ok(of_row.into_iter().map(|fold| fold.map(place)).collect())
}
