//! The tables of a suite: those of a folder and those that the suite names, how they are read, and what they are like.

use std::path::{Path, PathBuf};

use secateur::data::{CodedTable, CodedTarget, Column, MISSING, Nominal, Roles, Table, Values, notice};
use secateur::error::{Error, Result};
use secateur::schema::Task;
use serde::Serialize;

use super::file::{NamedTable, Suite};
use crate::data::{Folder, load};

/// A table that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    pub name: String,
    /// A file, or `builtin:NAME`.
    pub from: String,
    target: Option<String>,
}

/// What a table is like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// Whether classes or numbers are predicted.
    #[serde(skip)]
    pub task: Task,
    /// Rows that take part.
    pub rows: usize,
    /// Rows that the file has, with a target.
    pub of_rows: usize,
    /// Columns to predict from.
    pub columns: usize,
    /// Those of them with values from a list.
    pub nominal: usize,
    /// The share of cells without a value.
    pub missing: f64,
    /// Classes that some row has; 0 for numbers.
    pub classes: usize,
    /// The share of the rows that the rarest of these classes has; 0 for numbers.
    pub rarest: f64,
    /// How often the folds were drawn.
    pub repeats: usize,
}

/// All tables of a suite, in the order of their names, and those that it names but nobody has given. `data` are folders, files and
/// `builtin:NAME`s.
pub(super) fn sources(suite: &Suite, data: &[String]) -> Result<(Vec<Source>, Vec<String>)> {
    let mut list: Vec<Source> = Vec::new();
    for given in data {
        list.extend(named(given)?.into_iter().map(|(name, from)| Source { name, from, target: None }));
    }
    let (mut more, mut absent) = (Vec::new(), Vec::new());
    for NamedTable { name, data, target } in &suite.tables {
        let given = list.iter().find(|source| source.name == *data).map(|source| source.from.clone());
        let Some(from) = given.or_else(|| data.starts_with("builtin:").then(|| data.clone())) else {
            absent.push(name.clone());
            continue;
        };
        more.push(Source { name: name.clone(), from, target: target.clone() });
    }
    list.extend(more);
    list.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(pair) = list.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(Error::parameter(format!("the table {} appears twice", pair[0].name)));
    }
    Ok((list, absent))
}

/// The tables that a name stands for, each with the place it comes from: a folder's are those of its `INDEX.csv`, or else all files that
/// are tables by their extension.
fn named(given: &str) -> Result<Vec<(String, String)>> {
    if let Some(name) = given.strip_prefix("builtin:") {
        return Ok(vec![(name.into(), given.into())]);
    }
    let path = Path::new(given);
    if !path.is_dir() {
        let stem = stem(path).unwrap_or(given);
        return Ok(vec![(stem.into(), given.into())]);
    }
    let files = files_of(path)?;
    Ok(files.into_iter().map(|(name, path)| (name, path.display().to_string())).collect())
}

/// The tables of a folder: those of its `INDEX.csv`, or else all files that are tables by their extension.
pub fn files_of(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    if folder.join("INDEX.csv").exists() {
        return Ok(Folder::open(folder)?.named().map(|(name, path)| (name.into(), path.into())).collect());
    }
    let failed = |source| Error::Read { file: folder.into(), source };
    let mut list = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(stem) = stem(&path) {
            list.push((stem.to_owned(), path.clone()));
        }
    }
    Ok(list)
}

/// The name of a file that is a table by its extension.
fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    match name.strip_suffix(".gz").unwrap_or(name).rsplit_once('.')? {
        (stem, "arff" | "csv" | "tsv" | "json" | "jsonl" | "parquet") => Some(stem),
        _ => None,
    }
}

impl Source {
    /// The table, and what it is like.
    pub fn load(&self, suite: &Suite) -> Result<(CodedTable, Facts)> {
        let roles = Roles { target: self.target.clone(), ..Roles::default() };
        let mut table = load(&self.from, &[])?;
        // As every command does with a file.
        if !self.from.starts_with("builtin:") {
            let identifiers = notice(&table, &roles, &[])?.left_out;
            table = table.without(&identifiers);
        }
        let target = roles.cast(&table)?.target;
        let with_target = known(&table.columns()[target].values);
        let step = suite.most_rows.map_or(1, |most| with_target.len().div_ceil(most).max(1));
        let kept: Vec<usize> = with_target.iter().copied().step_by(step).collect();
        let target = table.columns()[target].name.clone();
        let table = if kept.len() < table.rows() { of_rows(table, &kept)? } else { table };
        let coded = CodedTable::new(&table, &roles)?;
        let others = || table.columns().iter().filter(|column| column.name != target);
        let cells = others().count() * kept.len();
        let missing: usize = others().map(|column| column.values.missing()).sum();
        let facts = Facts {
            name: self.name.clone(),
            task: coded.task(),
            rows: kept.len(),
            of_rows: with_target.len(),
            columns: others().count(),
            nominal: others().filter(|column| matches!(column.values, Values::Nominal(_))).count(),
            missing: missing as f64 / cells.max(1) as f64,
            classes: coded.classes(),
            rarest: rarest(&coded),
            repeats: suite.repeats(kept.len()),
        };
        Ok((coded, facts))
    }
}

/// The share of the rows that the rarest class has.
fn rarest(table: &CodedTable) -> f64 {
    let CodedTarget::Classes { codes, .. } = table.target() else { return 0.0 };
    let mut rows = vec![0usize; table.classes()];
    codes.iter().for_each(|&class| rows[class as usize] += 1);
    let fewest = rows.into_iter().filter(|rows| *rows > 0).min().unwrap_or(0);
    fewest as f64 / table.rows() as f64
}

/// The rows with a value.
fn known(values: &Values) -> Vec<usize> {
    let has = |row: &usize| match values {
        Values::Numeric(numbers) => !numbers[*row].is_nan(),
        Values::Nominal(Nominal { codes, .. }) => codes[*row] != MISSING,
    };
    (0..values.len()).filter(has).collect()
}

/// Some rows of a table.
fn of_rows(table: Table, rows: &[usize]) -> Result<Table> {
    let name = table.name().to_string();
    let columns = table.into_columns().into_iter().map(|Column { name, values }| {
        let values = match values {
            Values::Numeric(numbers) => Values::Numeric(rows.iter().map(|&row| numbers[row]).collect()),
            Values::Nominal(Nominal { levels, codes }) => {
                Values::Nominal(Nominal { levels, codes: rows.iter().map(|&row| codes[row]).collect() })
            }
        };
        Column { name, values }
    });
    Table::new(name, columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(more: &str) -> Suite {
        let text = format!(
            "id = 'a'\ntitle = 'b'\n{more}\n[[table]]\nname = 'sky'\ndata = 'builtin:weather'\ntarget = 'temperature'\n\
             [[table]]\nname = 'gone'\ndata = 'nowhere'"
        );
        Suite::parse(&text, "a.toml").unwrap()
    }

    #[test]
    fn tables_are_those_of_the_folder_and_those_that_are_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b.csv"), "x,y\n1,a\n2,b\n3,a\n4,\n5,b\n").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "nothing").unwrap();
        let (list, absent) = sources(&suite(""), &[folder.path().display().to_string()]).unwrap();
        assert_eq!(list.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["b", "sky"]);
        assert_eq!(absent, ["gone"]);
        let (_, facts) = list[0].load(&suite("")).unwrap();
        assert_eq!((facts.rows, facts.of_rows, facts.columns, facts.classes), (4, 4, 1, 2));
        let (_, facts) = list[1].load(&suite("")).unwrap();
        assert_eq!((facts.task, facts.rows, facts.columns, facts.nominal), (Task::Regression, 14, 4, 3));
    }

    #[test]
    fn of_large_tables_every_other_row_takes_part() {
        let suite = suite("most_rows = 5");
        let (list, _) = sources(&suite, &[]).unwrap();
        let (coded, facts) = list[0].load(&suite).unwrap();
        assert_eq!((coded.rows(), facts.rows, facts.of_rows), (5, 5, 14));
    }
}
