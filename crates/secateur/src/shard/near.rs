//! Looking closer: what is still to be known of some columns before their bins are.

use serde::{Deserialize, Serialize};

use super::Add;
use super::amounts::Amounts;
use super::borders::Cells;
use super::finder::Finder;
use crate::data::{Roles, Table, Values, key};
use crate::error::{Error, Result};

/// What is asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Near {
    /// The parts that columns play.
    pub roles: Roles,
    pub(super) columns: Vec<(String, Closer)>,
}

impl Near {
    /// The columns that have to be read: those that are asked about, the target and the weights.
    pub fn needs(&self) -> impl Iterator<Item = &str> {
        let own = self.columns.iter().map(|(name, _)| name.as_str());
        own.chain(self.roles.target.as_deref()).chain(self.roles.weights.as_deref())
    }
}

/// What is asked of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Closer {
    /// What lies between borders.
    Cells(Vec<u64>),
    /// The numbers within ranges, which ascend and end before their second key.
    Values(Vec<(u64, u64)>),
}

/// What some rows say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearValues {
    pub(super) columns: Vec<CloserAnswer>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum CloserAnswer {
    Cells(Cells),
    /// Keys, ascending, with their weights.
    Values(Vec<(u64, i128)>),
}

impl CloserAnswer {
    /// The number of its cells, if it has cells.
    pub(super) fn cells(&self) -> Option<usize> {
        match self {
            Self::Cells(cells) => Some(cells.0.len()),
            Self::Values(_) => None,
        }
    }
}

/// Looks closer at some columns of a table, whose first row has this number.
pub fn near(question: &Near, table: &Table, at: u64) -> Result<NearValues> {
    let mut looker = NearLooker::new(question);
    looker.add(table, at)?;
    looker.finish()
}

/// Looks closer at one table after the other.
pub struct NearLooker<'a> {
    question: &'a Near,
    columns: Vec<(Finder, CloserAnswer)>,
    /// Values that are not in order yet.
    waiting: Vec<Vec<(u64, i128)>>,
}

/// This many values wait before they are put in order.
const WAITING: usize = 1 << 18;

impl<'a> NearLooker<'a> {
    /// Nothing looked at yet.
    pub fn new(question: &'a Near) -> Self {
        let column = |(_, closer): &(String, Closer)| match closer {
            Closer::Cells(borders) => {
                (Finder::new(borders.clone()), CloserAnswer::Cells(Cells::new(borders.len())))
            }
            Closer::Values(ranges) => {
                let borders = ranges.iter().flat_map(|range| [range.0, range.1]).collect();
                (Finder::new(borders), CloserAnswer::Values(Vec::new()))
            }
        };
        let columns = question.columns.iter().map(column).collect();
        Self { question, columns, waiting: vec![Vec::new(); question.columns.len()] }
    }

    /// Looks at the rows of a table, as [`near`] does.
    pub fn add(&mut self, table: &Table, at: u64) -> Result<()> {
        let amounts = Amounts::new(table, &self.question.roles, at)?;
        let parts = self.columns.iter_mut().zip(&mut self.waiting).zip(&self.question.columns);
        for (((finder, answer), waiting), (name, _)) in parts {
            let Values::Numeric(cells) = &table.columns()[table.position(name)?].values else {
                return Err(Error::internal("a column that was numeric is nominal"));
            };
            let known = cells.iter().enumerate().filter(|(_, x)| !x.is_nan());
            match answer {
                CloserAnswer::Cells(answer) => {
                    for (row, &x) in known {
                        let amount = amounts.amount(row);
                        if amount > 0 {
                            answer.add_row(finder, x, amount);
                        }
                    }
                }
                CloserAnswer::Values(values) => {
                    let inside = known.filter(|(_, x)| finder.count(**x) % 2 == 1);
                    let found = inside.map(|(row, &x)| (key(x), amounts.amount(row)));
                    waiting.extend(found.filter(|(_, amount)| *amount > 0));
                    if waiting.len() > WAITING {
                        settle(values, waiting);
                    }
                }
            }
        }
        Ok(())
    }

    /// What was seen.
    pub fn finish(mut self) -> Result<NearValues> {
        for ((_, answer), waiting) in self.columns.iter_mut().zip(&mut self.waiting) {
            if let CloserAnswer::Values(values) = answer {
                settle(values, waiting);
            }
        }
        Ok(NearValues { columns: self.columns.into_iter().map(|(_, answer)| answer).collect() })
    }
}

/// Puts values that wait in order among the others.
fn settle(values: &mut Vec<(u64, i128)>, waiting: &mut Vec<(u64, i128)>) {
    waiting.sort_unstable_by_key(|(key, _)| *key);
    *values = merged(std::mem::take(values), std::mem::take(waiting));
}

/// Two ascending lists as one, without repetition.
fn merged(a: Vec<(u64, i128)>, b: Vec<(u64, i128)>) -> Vec<(u64, i128)> {
    let mut out: Vec<(u64, i128)> = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    loop {
        let first = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.0 <= y.0,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        let Some((key, amount)) = (if first { a.next() } else { b.next() }) else { break };
        match out.last_mut() {
            Some(last) if last.0 == key => last.1 += amount,
            _ => out.push((key, amount)),
        }
    }
    out
}

impl Add for NearValues {
    fn add(&mut self, other: Self) -> Result<()> {
        for (mine, more) in self.columns.iter_mut().zip(other.columns) {
            match (mine, more) {
                (CloserAnswer::Cells(mine), CloserAnswer::Cells(more)) => mine.add(more)?,
                (CloserAnswer::Values(mine), CloserAnswer::Values(more)) => {
                    *mine = merged(std::mem::take(mine), more);
                }
                _ => return Err(Error::internal("answers to different questions")),
            }
        }
        Ok(())
    }
}
