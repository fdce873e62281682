//! Which column is the target, which are left out, and what kind of task it is.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Place, Result, shown};
use crate::schema::Task;

use super::{Table, Values};

/// The parts that columns play.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Roles {
    /// The target; the last column that has no other role when not given.
    pub target: Option<String>,
    /// Columns that are left out.
    pub ignore: Vec<String>,
    /// A column of row weights.
    pub weights: Option<String>,
    /// The task; when not given, classes are predicted where the target is nominal and numbers where it is numeric. In
    /// classification the numbers of a numeric target become labels.
    pub task: Option<Task>,
    /// Nominal columns whose values are in the order of their list, from small to large: such a column is divided by its order, as
    /// numbers are.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values};
    /// use secateur::{grow::grow, progress::Silent, spec::GrowSpec};
    /// let nominal = |name: &str, levels: &[&str], codes: &[u32]| Column {
    ///     name: name.into(),
    ///     values: Values::Nominal(Nominal { levels: levels.iter().map(|l| l.to_string()).collect(), codes: codes.to_vec() }),
    /// };
    /// let size = nominal("size", &["small", "medium", "large"], &[0, 1, 2, 0, 1, 2]);
    /// let table = Table::new("clothes", vec![size, nominal("sold", &["no", "yes"], &[0, 1, 0, 0, 1, 0])])?;
    /// let leaves = |roles: &Roles| -> secateur::Result<usize> {
    ///     let coded = CodedTable::new(&table, roles)?;
    ///     Ok(grow(&coded, &GrowSpec::cart(coded.task()), &Silent)?.leaves())
    /// };
    /// assert_eq!(leaves(&Roles::default())?, 2); // medium, or not
    /// assert_eq!(leaves(&Roles { ordered: vec!["size".into()], ..Roles::default() })?, 3);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub ordered: Vec<String>,
    /// Leave out rows without a target instead of refusing them.
    pub drop_missing_target: bool,
}

/// Roles resolved to column numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// The target's column.
    pub target: usize,
    /// The column of weights.
    pub weights: Option<usize>,
    /// The attributes' columns, in table order.
    pub attributes: Vec<usize>,
    /// Whether the target is predicted as a class or as a number.
    pub task: Task,
}

/// The columns of a table with these names.
fn places(table: &Table, names: &[String]) -> Result<HashSet<usize>> {
    // A map of all names is worth its while only where there are several to look for.
    if names.len() < 8 {
        return names.iter().map(|name| table.position(name)).collect();
    }
    let columns = table.columns().iter().enumerate();
    let all: HashMap<&str, usize> = columns.map(|(place, column)| (column.name.as_str(), place)).collect();
    let place =
        |name: &String| all.get(name.as_str()).map_or_else(|| table.position(name), |place| Ok(*place));
    names.iter().map(place).collect()
}

impl Roles {
    /// Finds the columns of a table.
    ///
    /// ```
    /// use secateur::data::{Column, Roles, Table, Values};
    /// let column = |name: &str| Column { name: name.into(), values: Values::Numeric(vec![1.0]) };
    /// let table = Table::new("t", vec![column("x"), column("y"), column("id")]).unwrap();
    /// let roles = Roles { ignore: vec!["id".into()], ..Roles::default() };
    /// let cast = roles.cast(&table).unwrap();
    /// assert_eq!((cast.target, cast.attributes), (1, vec![0]));
    /// ```
    pub fn cast(&self, table: &Table) -> Result<Cast> {
        let ignored = places(table, &self.ignore)?;
        let weights = self.weights.as_deref().map(|name| table.position(name)).transpose()?;
        let free = |&c: &usize| !ignored.contains(&c) && Some(c) != weights;
        let columns = table.columns();
        let target = match &self.target {
            Some(name) => {
                let target = table.position(name)?;
                if !free(&target) {
                    return Err(Error::parameter(format!(
                        "the target {} is also ignored or used as weights",
                        shown(name)
                    )));
                }
                target
            }
            None => (0..columns.len()).rev().find(free).ok_or_else(|| {
                Error::input(Place::file(table.name()), "no column is left to be the target")
            })?,
        };
        let numeric = matches!(columns[target].values, Values::Numeric(_));
        if self.task == Some(Task::Regression) && !numeric {
            return Err(Error::input(
                Place::file(table.name()).attribute(&columns[target].name),
                "regression needs a numeric target, and this column is nominal",
            ));
        }
        Ok(Cast {
            target,
            weights,
            attributes: (0..columns.len()).filter(|c| free(c) && *c != target).collect(),
            task: self.task.unwrap_or(if numeric { Task::Regression } else { Task::Classification }),
        })
    }
}
