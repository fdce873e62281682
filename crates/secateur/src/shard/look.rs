//! Looking at columns: everything from which it is decided how they are coded.

use serde::{Deserialize, Serialize};

use super::Add;
use super::amounts::{Amounts, WeightsLooked};
use super::column_looked::ColumnLooked;
use super::finder::Finder;
use crate::data::{Cast, Roles, Table};
use crate::error::{Error, Result};
use crate::schema::Task;

/// What is asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Look {
    /// The parts that columns play.
    pub roles: Roles,
    /// A column of numbers with more values than this is cut into bins.
    pub bins: usize,
    /// The texts of a column that are kept, at most, in bytes.
    pub most_text: usize,
    /// Columns whose values stand in their natural order: as numbers, or by their texts.
    pub natural: Vec<String>,
    /// Whether identifiers and row numbers are left out, except for the columns named here.
    pub leave_out: Option<Vec<String>>,
    /// Borders between which the numbers of some columns are counted ([`sampled`](super::sampled)), by name.
    pub borders: Vec<(String, Vec<u64>)>,
}

impl Look {
    /// A question with nothing known beforehand.
    pub fn new(roles: Roles, bins: usize) -> Self {
        Self { roles, bins, most_text: 256 << 20, natural: Vec::new(), leave_out: None, borders: Vec::new() }
    }
}

/// What some rows say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Looked {
    /// The number of rows.
    pub rows: u64,
    pub(super) task: bool,
    pub(super) without_target: u64,
    /// The first of them.
    pub(super) first_without: Vec<u64>,
    pub(super) weights: WeightsLooked,
    pub(super) target: ColumnLooked,
    pub(super) attributes: Vec<ColumnLooked>,
}

/// Looks at the rows of a table, whose first one has this number (from 0) among all. Values stand in the list of a column in the
/// order of these numbers.
pub fn look(question: &Look, table: &Table, at: u64) -> Result<Looked> {
    let mut looker = Looker::new(question);
    looker.add(table, at)?;
    looker.finish()
}

/// Looks at one table after the other.
pub struct Looker<'a> {
    question: &'a Look,
    finders: Vec<Finder>,
    looked: Option<Looked>,
}

impl<'a> Looker<'a> {
    /// Nothing looked at yet.
    pub fn new(question: &'a Look) -> Self {
        Self { question, finders: Vec::new(), looked: None }
    }

    /// Looks at the rows of a table, as [`look`] does.
    pub fn add(&mut self, table: &Table, at: u64) -> Result<()> {
        let question = self.question;
        let cast = question.roles.cast(table)?;
        let amounts = Amounts::new(table, &question.roles, at)?;
        let looked = self.looked.get_or_insert_with(|| Looked::empty(question, table, &cast));
        if self.finders.is_empty() {
            self.finders = looked.attributes.iter().map(ColumnLooked::finder).collect();
        }
        looked.rows += table.rows() as u64;
        for row in (0..table.rows()).filter(|&row| !amounts.has_target(row)) {
            looked.without_target += 1;
            if looked.first_without.len() < 6 {
                looked.first_without.push(at + row as u64 + 1);
            }
        }
        looked.weights.add_rows(&amounts, table.rows());
        let target = &table.columns()[cast.target];
        looked.target.fill(target, None, (&Finder::new(Vec::new()), at))?;
        if looked.attributes.len() != cast.attributes.len() {
            return Err(Error::parameter("the parts of the table do not have the same columns"));
        }
        let work: Vec<_> = looked.attributes.iter_mut().zip(&cast.attributes).zip(&self.finders).collect();
        let failed = std::sync::Mutex::new(None);
        crate::threads::for_each_with(
            work,
            || (),
            |(), ((looked, &column), finder)| {
                if let Err(error) = looked.fill(&table.columns()[column], Some(&amounts), (finder, at)) {
                    *failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
                }
            },
        );
        failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// What was seen.
    pub fn finish(self) -> Result<Looked> {
        self.looked.ok_or_else(|| Error::parameter("there are no rows to look at"))
    }
}

impl Looked {
    /// The same without attributes, and as if no row had been looked at.
    pub(super) fn without_rows(&self) -> Self {
        let weights = WeightsLooked {
            rows: 0,
            total: 0,
            heaviest: 0.0,
            lightest: f64::INFINITY,
            whole: true,
            ..self.weights
        };
        let mut target = self.target.clone();
        target.forget();
        Self {
            rows: 0,
            task: self.task,
            without_target: 0,
            first_without: Vec::new(),
            weights,
            target,
            attributes: Vec::new(),
        }
    }

    fn empty(question: &Look, table: &Table, cast: &Cast) -> Self {
        let attribute = |&column: &usize| ColumnLooked::empty(question, table, column, question.bins);
        Self {
            rows: 0,
            task: cast.task == Task::Classification,
            without_target: 0,
            first_without: Vec::new(),
            weights: WeightsLooked {
                given: cast.weights.is_some(),
                rows: 0,
                total: 0,
                heaviest: 0.0,
                lightest: f64::INFINITY,
                whole: true,
            },
            target: ColumnLooked::empty(question, table, cast.target, usize::MAX),
            attributes: cast.attributes.iter().map(attribute).collect(),
        }
    }
}

impl Add for Looked {
    fn add(&mut self, other: Self) -> Result<()> {
        if self.attributes.len() != other.attributes.len() || self.task != other.task {
            return Err(Error::parameter("the parts of the table do not have the same columns"));
        }
        self.rows += other.rows;
        self.without_target += other.without_target;
        self.first_without.extend(other.first_without);
        self.first_without.sort_unstable();
        self.first_without.truncate(6);
        self.weights.add(other.weights)?;
        self.target.add(other.target)?;
        self.attributes.iter_mut().zip(other.attributes).try_for_each(|(a, b)| a.add(b))
    }
}
