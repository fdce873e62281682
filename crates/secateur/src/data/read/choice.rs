//! What the options say about each column of a file.

use super::ReadOptions;
use crate::data::ColumnType;
use crate::error::{Error, Place, Result, shown};
use hashbrown::{HashMap, HashSet};

/// What is to be done with a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// As the file says.
    Auto,
    Numeric,
    Nominal,
    Ignore,
    /// Dates or times.
    Dated(ColumnType),
}

/// A choice for each column; unknown names and contradictions are errors.
pub(super) fn choices(file: &str, names: &[String], options: &ReadOptions) -> Result<Vec<Choice>> {
    let places: HashMap<&str, usize> = names.iter().enumerate().map(|(i, n)| (n.as_str(), i)).collect();
    let position = |name: &str| {
        let place = places.get(name).copied();
        place.ok_or_else(|| Error::no_column(file, name, names.iter().map(String::as_str)))
    };
    let mut choices = vec![Choice::Auto; names.len()];
    for plan in &options.plan.columns {
        if let Some(&column) = places.get(plan.name.as_str()) {
            choices[column] = match plan.kind {
                ColumnType::Numeric => Choice::Numeric,
                ColumnType::Nominal => Choice::Nominal,
                ColumnType::Ignore => Choice::Ignore,
                kind => Choice::Dated(kind),
            };
        }
    }
    for (list, choice) in
        [(&options.nominal_if_present, Choice::Nominal), (&options.numeric_if_present, Choice::Numeric)]
    {
        for &column in list.iter().filter_map(|name| places.get(name.as_str())) {
            choices[column] = choice;
        }
    }
    for name in &options.nominal {
        choices[position(name)?] = Choice::Nominal;
    }
    for name in &options.numeric {
        let column = position(name)?;
        if options.nominal.contains(name) {
            return Err(Error::parameter(format!(
                "column {} is asked to be both nominal and numeric; choose one",
                shown(name)
            )));
        }
        choices[column] = Choice::Numeric;
    }
    for name in &options.ignore {
        choices[position(name)?] = Choice::Ignore;
    }
    if choices.iter().all(|&choice| choice == Choice::Ignore) {
        return Err(Error::input(Place::file(file), "all columns are ignored; leave at least one"));
    }
    Ok(choices)
}

/// Checks that names are neither empty nor repeated; gives the first bad column and what is wrong with it.
pub(super) fn bad_name(names: &[String]) -> Option<(usize, String)> {
    let mut seen = HashSet::new();
    names.iter().enumerate().find_map(|(column, name)| {
        if name.is_empty() {
            Some((column, "the column has no name; give it one in the header".to_string()))
        } else if !seen.insert(name.as_str()) {
            let first = names.iter().position(|n| n == name).unwrap_or(0) + 1;
            Some((column, format!("column {first} has the same name; names must be different")))
        } else {
            None
        }
    })
}
