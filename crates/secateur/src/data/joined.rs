//! Two tables in one: the rows of the first, then those of the second.

use std::collections::{HashMap, HashSet};

use super::{Column, MISSING, Nominal, Table, Values};
use crate::error::{Error, Place, Remedy, Result, shown};
use crate::schema::{Meaning, MissingTexts, ShownAs, Texts};

/// The rows of one table followed by those of another with the same columns, in any order. Values that only the second
/// table has come after those of the first; a column without any value takes the kind it has in the other table.
///
/// ```
/// use secateur::data::{builtin, joined};
/// let (train, test) = (builtin::load("credit?n=100")?, builtin::load("credit?n=50&seed=2")?);
/// assert_eq!(joined(train, test)?.rows(), 150);
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn joined(first: Table, second: Table) -> Result<Table> {
    joined_by(first, second, &MissingTexts { keep_na: true, ..MissingTexts::default() })
}

/// The rows of two tables like [`joined`]; texts of the second are missing values by the rule of the first.
pub fn joined_by(first: Table, second: Table, missing: &MissingTexts) -> Result<Table> {
    let (name, other, rows) = (first.name().to_string(), second.name().to_string(), second.rows());
    let names: HashSet<&str> = first.columns().iter().map(|c| c.name.as_str()).collect();
    if let Some(extra) = second.columns().iter().find(|c| !names.contains(c.name.as_str())) {
        let problem = format!("{name} has no such column; both need the same ones");
        return Err(Error::input(Place::file(other).attribute(&extra.name), problem)
            .with_remedies(&[Remedy::LeaveColumnOut]));
    }
    let shown_as: Vec<ShownAs> = (0..names.len()).map(|column| first.shown_as(column)).collect();
    check_dates(&first, &second)?;
    let mut theirs: HashMap<String, Values> =
        second.into_columns().into_iter().map(|c| (c.name, c.values)).collect();
    let mut columns = Vec::with_capacity(names.len());
    for Column { name: column, values } in first.into_columns() {
        let Some(more) = theirs.remove(&column) else {
            return Err(Error::input(
                Place::file(other),
                format!("there is no column {}, which {name} has; both need the same ones", shown(&column)),
            ));
        };
        let values = match (values, more) {
            (Values::Numeric(mut ours), Values::Numeric(more)) => {
                ours.extend(more);
                Values::Numeric(ours)
            }
            (Values::Nominal(ours), Values::Nominal(more)) => {
                Values::Nominal(followed(ours, more, &column, missing))
            }
            (Values::Nominal(ours), more) if more.missing() == rows => {
                Values::Nominal(followed(ours, empty(rows), &column, missing))
            }
            (Values::Numeric(mut ours), more) if more.missing() == rows => {
                ours.extend(std::iter::repeat_n(f64::NAN, rows));
                Values::Numeric(ours)
            }
            (ours, Values::Nominal(more)) if ours.missing() == ours.len() => {
                Values::Nominal(followed(empty(ours.len()), more, &column, missing))
            }
            (ours, Values::Numeric(more)) if ours.missing() == ours.len() => {
                Values::Numeric(std::iter::repeat_n(f64::NAN, ours.len()).chain(more).collect())
            }
            (ours, _) => {
                let kind = |numeric: bool| if numeric { "numbers" } else { "text" };
                let numeric = matches!(ours, Values::Numeric(_));
                let problem = format!(
                    "the column has {} here and {} in {name}; both need the same",
                    kind(!numeric),
                    kind(numeric)
                );
                return Err(Error::input(Place::file(other).attribute(&column), problem)
                    .with_remedies(&[Remedy::ReadAsNominal]));
            }
        };
        columns.push(Column { name: column, values });
    }
    Ok(Table::new(name, columns)?.with_shown_as(shown_as))
}

/// Refuses plain values beside dates or times.
fn check_dates(first: &Table, second: &Table) -> Result<()> {
    let is_empty = |table: &Table, place: usize| table.columns()[place].values.missing() == table.rows();
    for (place, column) in first.columns().iter().enumerate() {
        let Ok(other) = second.position(&column.name) else { continue };
        let (ours, theirs) = (first.shown_as(place), second.shown_as(other));
        if ours.is_plain() == theirs.is_plain() || is_empty(first, place) || is_empty(second, other) {
            continue;
        }
        let kind = |shown_as: ShownAs| if shown_as.is_plain() { "plain values" } else { "dates or times" };
        let problem = format!(
            "the column has {} here and {} in {}; both need the same",
            kind(theirs),
            kind(ours),
            first.name()
        );
        return Err(Error::input(Place::file(second.name()).attribute(&column.name), problem)
            .with_remedies(&[Remedy::LeaveColumnOut]));
    }
    Ok(())
}

fn empty(rows: usize) -> Nominal {
    Nominal { levels: Vec::new(), codes: vec![MISSING; rows] }
}

fn followed(first: Nominal, second: Nominal, column: &str, missing: &MissingTexts) -> Nominal {
    let Nominal { mut levels, mut codes } = first;
    let texts = Texts::<String>::new(column, &levels, missing);
    let code = |level: String| match texts.meaning(&level) {
        Meaning::Value(code) => code,
        Meaning::Missing => MISSING,
        Meaning::Unknown => {
            levels.push(level);
            levels.len() as u32 - 1
        }
    };
    let to: Vec<u32> = second.levels.into_iter().map(code).collect();
    codes.extend(second.codes.iter().map(|&code| to.get(code as usize).copied().unwrap_or(MISSING)));
    Nominal { levels, codes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nominal(name: &str, levels: &[&str], codes: &[u32]) -> Column {
        let levels = levels.iter().map(|l| l.to_string()).collect();
        Column { name: name.into(), values: Values::Nominal(Nominal { levels, codes: codes.to_vec() }) }
    }

    fn numeric(name: &str, values: &[f64]) -> Column {
        Column { name: name.into(), values: Values::Numeric(values.to_vec()) }
    }

    fn table(name: &str, columns: &[Column]) -> Table {
        Table::new(name, columns.to_vec()).unwrap()
    }

    #[test]
    fn columns_are_found_by_name_and_values_keep_their_meaning() {
        let first = table("a", &[numeric("x", &[1.0]), nominal("y", &["p", "q"], &[1])]);
        let second =
            table("b", &[nominal("y", &["r", "q"], &[0, 1, MISSING]), numeric("x", &[2.0, 3.0, 4.0])]);
        let both = joined(first, second).unwrap();
        assert_eq!((both.name(), both.rows()), ("a", 4));
        assert_eq!(both.columns()[0], numeric("x", &[1.0, 2.0, 3.0, 4.0]));
        assert_eq!(both.columns()[1], nominal("y", &["p", "q", "r"], &[1, 2, 1, MISSING]));
    }

    #[test]
    fn a_column_without_values_takes_the_kind_of_the_other() {
        let known = [nominal("x", &["p"], &[0]), numeric("y", &[2.0])];
        let none = [numeric("x", &[f64::NAN]), nominal("y", &[], &[MISSING])];
        let both = joined(table("a", &known), table("b", &none)).unwrap();
        assert_eq!(both.columns()[0], nominal("x", &["p"], &[0, MISSING]));
        assert_eq!(both.columns()[1].values.missing(), 1);
        let both = joined(table("b", &none), table("a", &known)).unwrap();
        assert_eq!(both.columns()[0], nominal("x", &["p"], &[MISSING, 0]));
        assert!(matches!(&both.columns()[1].values, Values::Numeric(v) if v[0].is_nan() && v[1] == 2.0));
    }

    #[test]
    fn columns_that_differ_are_named() {
        let problem =
            |a: &[Column], b: &[Column]| joined(table("a", a), table("b", b)).unwrap_err().to_string();
        let (x, y) = (numeric("x", &[1.0]), numeric("y", &[1.0]));
        let said = problem(std::slice::from_ref(&x), &[x.clone(), y.clone()]);
        assert_eq!(said, "b, attribute 'y': a has no such column; both need the same ones");
        let said = problem(&[x.clone(), y], std::slice::from_ref(&x));
        assert_eq!(said, "b: there is no column 'y', which a has; both need the same ones");
        let said = problem(&[x], &[nominal("x", &["p"], &[0])]);
        assert!(said.starts_with("b, attribute 'x': the column has text here and numbers in a"), "{said}");
    }
}
