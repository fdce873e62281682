//! Where the rows of an experiment come from: a folder with an `INDEX.csv`, or the data sets that are built in.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::experiment::Source;
use secateur::data::{Column, MISSING, Nominal, ReadOptions, Table, Values, builtin, read};
use secateur::error::{Error, Place, Result};
use secateur::progress::Silent;

/// A folder of data sets, or none.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    files: HashMap<String, PathBuf>,
}

impl Folder {
    /// Reads the `INDEX.csv` of a folder: columns `name` and `file`, the latter relative to the folder.
    pub fn open(folder: &Path) -> Result<Self> {
        let index = folder.join("INDEX.csv");
        let name = index.display().to_string();
        let bad = |line: u64, problem: String| Error::input(Place::file(&*name).line(line), problem);
        let mut reader = csv::Reader::from_path(&index)
            .map_err(|e| Error::input(Place::file(&*name), format!("cannot be read: {e}")))?;
        let heads = reader.headers().map_err(|e| bad(1, e.to_string()))?.clone();
        let place = |head: &str| {
            let found = heads.iter().position(|h| h.trim() == head);
            found.ok_or_else(|| bad(1, format!("there is no column {head}")))
        };
        let (names, files) = (place("name")?, place("file")?);
        let mut folder_files = HashMap::new();
        for (i, row) in reader.records().enumerate() {
            let row = row.map_err(|e| bad(i as u64 + 2, e.to_string()))?;
            let (Some(name), Some(file)) = (row.get(names), row.get(files)) else { continue };
            folder_files.insert(name.to_string(), folder.join(file));
        }
        Ok(Self { files: folder_files })
    }

    /// The same with data sets in files of their own, by name.
    pub fn with_files(mut self, files: &[(String, PathBuf)]) -> Self {
        self.files.extend(files.iter().cloned());
        self
    }

    /// The data sets and their files, in the order of their names.
    pub fn named(&self) -> impl Iterator<Item = (&str, &Path)> {
        let mut list: Vec<_> =
            self.files.iter().map(|(name, path)| (name.as_str(), path.as_path())).collect();
        list.sort_unstable();
        list.into_iter()
    }

    /// The files that the index names.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.values().map(PathBuf::as_path)
    }

    /// Where a data set comes from, as [`load`] reads it; an error says why it cannot be had.
    pub fn find(&self, source: &Source) -> Result<String> {
        if let Some(file) = self.files.get(&source.indexed) {
            return Ok(file.display().to_string());
        }
        if let Some(builtin) = &source.builtin {
            return Ok(builtin.clone());
        }
        let why = source
            .missing
            .clone()
            .unwrap_or_else(|| "it is not built in; give a folder that has it with --data DIR".to_string());
        Err(Error::parameter(format!("{}: {why}", source.indexed)))
    }
}

/// Reads a data set, without the columns to be left out.
pub fn load(name: &str, ignore: &[String]) -> Result<Table> {
    let table = match name.starts_with("builtin:") {
        true => builtin::load(name)?,
        false => read(name, &ReadOptions::default(), &Silent)?,
    };
    if ignore.is_empty() {
        return Ok(table);
    }
    for column in ignore {
        table.position(column)?;
    }
    let (name, columns) = (table.name().to_string(), table.into_columns());
    Table::new(name, columns.into_iter().filter(|c| !ignore.contains(&c.name)).collect())
}

/// Makes nominal columns of numeric ones, a value for every number.
pub fn with_nominal(table: Table, names: &[String]) -> Result<Table> {
    let places = names.iter().map(|name| table.position(name)).collect::<Result<Vec<_>>>()?;
    let (name, mut columns) = (table.name().to_string(), table.into_columns());
    for place in places {
        if let Values::Numeric(numbers) = &columns[place].values {
            let mut known: Vec<f64> = numbers.iter().copied().filter(|x| !x.is_nan()).collect();
            known.sort_by(f64::total_cmp);
            known.dedup();
            let code = |x: &f64| known.iter().position(|k| k == x).map_or(MISSING, |c| c as u32);
            let codes = numbers.iter().map(code).collect();
            let levels = known.iter().map(f64::to_string).collect();
            columns[place].values = Values::Nominal(Nominal { levels, codes });
        }
    }
    Table::new(name, columns)
}

/// Declares classes that no row has.
pub fn with_classes(table: Table, classes: &[String]) -> Result<Table> {
    let (name, mut columns) = (table.name().to_string(), table.into_columns());
    match columns.last_mut() {
        Some(Column { values: Values::Nominal(target), .. }) => {
            let new = classes.iter().filter(|class| !target.levels.contains(class)).cloned();
            let new: Vec<String> = new.collect();
            target.levels.extend(new);
        }
        _ => return Err(Error::parameter(format!("{name} has no classes to add others to"))),
    }
    Table::new(name, columns)
}

/// Brings a numeric target to mean 0 and standard deviation 1.
pub fn normalised(table: Table) -> Result<Table> {
    let (name, mut columns) = (table.name().to_string(), table.into_columns());
    if let Some(Column { values: Values::Numeric(numbers), .. }) = columns.last_mut() {
        let known = || numbers.iter().filter(|x| !x.is_nan());
        let n = known().count().max(1) as f64;
        let mean = known().sum::<f64>() / n;
        let sd = (known().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
        let sd = if sd > 0.0 { sd } else { 1.0 };
        numbers.iter_mut().for_each(|x| *x = (*x - mean) / sd);
    }
    Table::new(name, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_values_and_classes_are_declared() {
        let weather = builtin::load("weather").unwrap();
        let changed = with_nominal(weather, &["humidity".into(), "outlook".into()]).unwrap();
        let Values::Nominal(humidity) = &changed.columns()[2].values else { panic!("nominal") };
        assert_eq!((humidity.levels.len(), humidity.levels[0].as_str()), (10, "65"));
        assert_eq!(humidity.levels[humidity.codes[0] as usize], "85");
        let changed = with_classes(changed, &["perhaps".into(), "yes".into()]).unwrap();
        let Values::Nominal(play) = &changed.columns()[4].values else { panic!("nominal") };
        assert_eq!(play.levels, ["yes", "no", "perhaps"]);
        assert!(with_nominal(changed, &["sky".into()]).unwrap_err().to_string().contains("sky"));
    }
}
