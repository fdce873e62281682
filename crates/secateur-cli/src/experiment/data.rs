//! Data sets by name, loaded and checked before anything runs.

use std::collections::HashSet;
use std::sync::Arc;

use secateur::data::{CodedTable, Column, Note, NoteKind, Roles, Table, Values, joined_by};
use secateur::error::Place;
use secateur::evaluate::measures::unknown_class_in_words;
use secateur::evaluate::{DataSet, fingerprint};
use secateur::fit::FitOptions;
use secateur::schema::Task;
use serde::Serialize;

use crate::args::{ReadTable, RoleArgs, WeightArgs};
use crate::failure::{Failure, Result};
use crate::files::InFile;
use crate::progress::Bars;
use crate::tables::{self, NoteSummary};

/// Data sets, all with classes or all with numbers.
pub struct Sets {
    /// The data sets, in the order of the call.
    pub list: Vec<Set>,
    /// Whether numbers are predicted.
    pub task: Task,
    /// With a file to test on: how many rows come before those of that file.
    pub train: Option<usize>,
}

/// A loaded data set.
pub struct Set {
    /// Its name in tables.
    pub name: String,
    /// What the user calls it.
    pub data: String,
    /// All rows, to learn from and to test on.
    pub rows: u64,
    /// The table; of one that is streamed all but the rows.
    pub coded: Arc<CodedTable>,
    pub options: FitOptions,
    notes: Vec<NoteSummary>,
}

/// A data set as JSON.
#[derive(Serialize)]
pub struct Summary<'a> {
    name: &'a str,
    data: &'a str,
    rows: u64,
    attributes: usize,
    target: &'a secateur::schema::Target,
    notes: &'a [NoteSummary],
}

/// Loads all data sets.
pub fn load(
    names: &[InFile],
    test: Option<&InFile>,
    columns: &RoleArgs,
    weighing: &WeightArgs,
    drop_missing_target: bool,
    bars: &Bars,
) -> Result<Sets> {
    let titles = titles(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>())?;
    if test.is_some() && names.len() > 1 {
        return Err(Failure::call("a file to test on goes with one data set to learn from"));
    }
    let roles = columns.roles(drop_missing_target);
    let mut list: Vec<Set> = Vec::new();
    let mut train = None;
    for (data, name) in names.iter().zip(titles) {
        let mut read = columns.load(data, bars)?;
        if let Some(test) = test {
            train = Some(read.table.rows());
            let test = columns.load_test(test, &read, bars)?;
            read.notes.extend(test.notes);
            let (file, known) = (test.table.name().to_string(), listed(&read.table));
            let rows = read.table.rows();
            read.table = joined_by(read.table, test.table, &read.plan.missing_texts())?;
            let unseen = unseen(&read.table, rows, &known, &file, &roles)?;
            read.notes.extend(tables::told(&unseen, &file, bars));
        }
        let ReadTable { table, notes, .. } = read;
        let coded = Arc::new(CodedTable::new(&table, &roles)?);
        let options = weighing.options(&coded)?;
        if let Some(first) = list.first()
            && first.coded.task() != coded.task()
        {
            let (numbers, classes) = match coded.task() {
                Task::Regression => (&name, &first.name),
                Task::Classification => (&first.name, &name),
            };
            return Err(Failure::call(format!(
                "the target of {numbers} has numbers and that of {classes} classes, which have no measure in common; \
                 take them in two calls, or read numbers as classes with --task classification"
            )));
        }
        list.push(Set { name, data: data.to_string(), rows: coded.rows() as u64, coded, options, notes });
    }
    let task = list.first().map_or(Task::Classification, |set| set.coded.task());
    Ok(Sets { list, task, train })
}

/// The number of values in each column's list; 0 for numeric columns.
fn listed(table: &Table) -> Vec<usize> {
    let listed = |column: &Column| match &column.values {
        Values::Nominal(nominal) => nominal.levels.len(),
        Values::Numeric(_) => 0,
    };
    table.columns().iter().map(listed).collect()
}

/// Notes on values that only the rows to test on have, which follow the training rows; a class of that kind is an error.
fn unseen(both: &Table, rows: usize, listed: &[usize], file: &str, roles: &Roles) -> Result<Vec<Note>> {
    let target = roles.cast(both)?.target;
    let mut notes = Vec::new();
    for (place, (column, &known)) in both.columns().iter().zip(listed).enumerate() {
        let new: Vec<(usize, String)> = match &column.values {
            Values::Nominal(nominal) => {
                let codes = nominal.codes[rows..].iter().enumerate();
                let value = |code: u32| nominal.levels.get(code as usize).cloned();
                codes
                    .filter(|(_, code)| **code as usize >= known)
                    .filter_map(|(row, code)| Some((row, value(*code)?)))
                    .collect()
            }
            Values::Numeric(numbers) if place == target && roles.task == Some(Task::Classification) => {
                let learned: HashSet<u64> = numbers[..rows].iter().map(|x| (x + 0.0).to_bits()).collect();
                let tested = numbers[rows..].iter().enumerate();
                let is_new = |x: &f64| !x.is_nan() && !learned.contains(&(x + 0.0).to_bits());
                tested.filter(|(_, x)| is_new(x)).map(|(row, x)| (row, x.to_string())).collect()
            }
            Values::Numeric(_) => Vec::new(),
        };
        let Some((row, value)) = new.first() else { continue };
        if place == target {
            let problem = unknown_class_in_words(*row as u64 + 1, value);
            return Err(secateur::Error::input(Place::file(file).attribute(&column.name), problem).into());
        }
        let mut seen = HashSet::new();
        let values: Vec<&String> =
            new.iter().map(|(_, value)| value).filter(|value| seen.insert(*value)).collect();
        let note = Note::new(NoteKind::Unseen).column(&column.name).cells(new.len(), values.len());
        notes.push(note.values(values.into_iter().take(5)));
    }
    Ok(notes)
}

impl Sets {
    /// One data set with rows to test on, of which not all are in memory.
    pub fn streamed(
        data: &InFile,
        (train, rows): (usize, u64),
        coded: CodedTable,
        options: FitOptions,
        notes: Vec<NoteSummary>,
    ) -> Result<Self> {
        let name = titles(&[data.to_string()])?.remove(0);
        let task = coded.task();
        let set = Set { name, data: data.to_string(), rows, coded: Arc::new(coded), options, notes };
        Ok(Self { list: vec![set], task, train: Some(train) })
    }

    /// The data sets of an experiment. A result file knows the rows again by a fingerprint.
    pub fn datasets(&self, kept: bool) -> Vec<DataSet> {
        let of = |set: &Set| {
            let ready = DataSet::ready(&set.name, set.coded.clone(), set.options.clone());
            if kept { ready.with_fingerprint(fingerprint(&set.coded, &set.options)) } else { ready }
        };
        self.list.iter().map(of).collect()
    }

    /// The data sets as JSON.
    pub fn summary(&self) -> Vec<Summary<'_>> {
        self.list.iter().map(Set::summary).collect()
    }

    /// Whether mistakes cost differently.
    pub fn has_costs(&self) -> bool {
        self.list.iter().any(|set| set.options.costs.is_some())
    }
}

impl Set {
    /// The data set as JSON.
    pub fn summary(&self) -> Summary<'_> {
        let schema = self.coded.schema();
        Summary {
            name: &self.name,
            data: &self.data,
            rows: self.rows,
            attributes: schema.attributes.len(),
            target: &schema.target,
            notes: &self.notes,
        }
    }
}

/// Short names for tables: the file without folder and extension, where that tells data sets apart.
fn titles(names: &[String]) -> Result<Vec<String>> {
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            return Err(Failure::call(format!("the data set {name} appears twice")));
        }
    }
    let short: Vec<String> = names.iter().map(|name| short(name)).collect();
    let alone = |title: &String| short.iter().filter(|other| *other == title).count() == 1;
    Ok(names
        .iter()
        .zip(&short)
        .map(|(name, title)| if alone(title) { title } else { name }.clone())
        .collect())
}

fn short(name: &str) -> String {
    if name == "-" {
        return "standard input".into();
    }
    if let Some(builtin) = name.strip_prefix("builtin:") {
        return builtin.into();
    }
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let file = file.strip_suffix(".gz").unwrap_or(file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if stem.is_empty() { name.into() } else { stem.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_where_that_tells_them_apart() {
        let of = |names: &[&str]| titles(&names.iter().map(|n| n.to_string()).collect::<Vec<_>>());
        assert_eq!(
            of(&["builtin:iris", "a/glass.arff.gz", "-"]).unwrap(),
            ["iris", "glass", "standard input"]
        );
        assert_eq!(of(&["a/x.csv", "b/x.csv", "y.csv"]).unwrap(), ["a/x.csv", "b/x.csv", "y"]);
        assert!(of(&["x.csv", "x.csv"]).is_err());
    }
}
