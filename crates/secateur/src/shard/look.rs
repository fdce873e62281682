//! Looking at columns: everything from which it is decided how they are coded.

use std::collections::BTreeSet;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Add;
use super::borders::{Cells, or_unknown};
use super::finder::Finder;
use crate::data::{Cast, Column, MISSING, Roles, Table, Values, key};
use crate::error::{Error, Place, Remedy, Result};
use crate::schema::{ShownAs, Task};

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
    /// Whether identifiers and row numbers are left out, but for the columns named here.
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

/// Weights are added up as whole multiples of this, in the look at a table.
pub(super) const AMOUNT: f64 = (1u128 << 64) as f64;
/// Smaller and larger weights than these could not be.
const WEIGHTS: std::ops::RangeInclusive<f64> = 1e-12..=1e12;

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

/// What is known of the weights of rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct WeightsLooked {
    /// Whether there are any.
    pub given: bool,
    /// The rows that have one above 0.
    pub rows: u64,
    pub total: i128,
    pub heaviest: f64,
    pub lightest: f64,
    /// Whether all are whole numbers.
    pub whole: bool,
}

/// What is known of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ColumnLooked {
    pub name: String,
    pub shown_as: ShownAs,
    /// Whether any row with weight has no value.
    pub missing: bool,
    /// The rows with a value.
    pub known: u64,
    /// Whether the numbers count the rows, from 0 or from 1.
    pub counts_rows: [bool; 2],
    pub kind: KindLooked,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum KindLooked {
    Numbers(NumbersLooked),
    Levels(LevelsLooked),
}

/// The values of a list, with the place where each comes first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LevelsLooked {
    pub order: ListOrder,
    pub places: HashMap<String, (u64, u32)>,
    pub bytes: usize,
    pub most: usize,
    /// Whether there are more texts than can be kept; then none are.
    pub too_many: bool,
}

/// In which order the values of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ListOrder {
    /// As they come.
    Free,
    /// As their list has them, which means something.
    Ordered,
    /// As numbers, or by their texts.
    Natural,
}

/// Numbers: those of rows with weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NumbersLooked {
    /// All values by their keys, while they are no more than `most`.
    pub values: Option<BTreeSet<u64>>,
    pub most: usize,
    /// The largest absolute value of any row.
    pub size: f64,
    pub borders: Vec<u64>,
    pub cells: Cells,
}

/// What a row weighs in the look at a table, and whether it takes part.
pub(super) struct Amounts {
    given: Option<Vec<f64>>,
    /// Rows that are left out.
    out: Vec<bool>,
}

impl Amounts {
    /// The weights of a table's rows; those without a target have none.
    pub(super) fn new(table: &Table, roles: &Roles, at: u64) -> Result<Self> {
        let cast = roles.cast(table)?;
        let column = |c: usize| &table.columns()[c];
        let given = cast.weights.map(|c| weights(table, column(c), at)).transpose()?;
        let out = match &column(cast.target).values {
            Values::Numeric(cells) => cells.iter().map(|x| x.is_nan()).collect(),
            Values::Nominal(nominal) => nominal.codes.iter().map(|c| *c == MISSING).collect(),
        };
        Ok(Self { given, out })
    }

    pub(super) fn has_target(&self, row: usize) -> bool {
        !self.out[row]
    }

    /// The weight; 0 for a row that is left out.
    #[inline]
    pub(super) fn weight(&self, row: usize) -> f64 {
        if self.out[row] { 0.0 } else { self.given.as_ref().map_or(1.0, |weights| weights[row]) }
    }

    /// The weight as it is added up.
    #[inline]
    pub(super) fn amount(&self, row: usize) -> i128 {
        match &self.given {
            None => i128::from(!self.out[row]),
            Some(_) => (self.weight(row) * AMOUNT) as i128,
        }
    }
}

fn weights(table: &Table, column: &Column, at: u64) -> Result<Vec<f64>> {
    let place = || Place::file(table.name()).attribute(&column.name);
    let Values::Numeric(cells) = &column.values else {
        return Err(Error::input(place(), "weights must be numbers, and this column is nominal"));
    };
    let wrong = |w: &f64| w.is_nan() || *w < 0.0 || *w > 0.0 && !WEIGHTS.contains(w);
    match cells.iter().position(wrong) {
        None => Ok(cells.clone()),
        Some(row) => Err(Error::input(
            place(),
            format!(
                "row {} has weight {:e}; expected 0 or a number from 1e-12 to 1e12",
                at + row as u64 + 1,
                cells[row]
            ),
        )),
    }
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

impl WeightsLooked {
    fn add_rows(&mut self, amounts: &Amounts, rows: usize) {
        for row in 0..rows {
            let weight = amounts.weight(row);
            if weight > 0.0 {
                self.rows += 1;
                self.total += amounts.amount(row);
                self.heaviest = self.heaviest.max(weight);
                self.lightest = self.lightest.min(weight);
                self.whole &= weight.fract() == 0.0;
            }
        }
    }
}

impl ColumnLooked {
    fn empty(question: &Look, table: &Table, column: usize, most: usize) -> Self {
        let Column { name, values } = &table.columns()[column];
        let kind = match values {
            Values::Numeric(_) => {
                let borders = if most == usize::MAX {
                    Vec::new()
                } else {
                    or_unknown(question.borders.iter().find(|(of, _)| of == name).map(|(_, list)| list))
                };
                let cells = Cells::new(borders.len());
                let values = Some(BTreeSet::new());
                KindLooked::Numbers(NumbersLooked {
                    values,
                    most: most.min(MOST_LABELS),
                    size: 0.0,
                    borders,
                    cells,
                })
            }
            Values::Nominal(_) => KindLooked::Levels(LevelsLooked {
                order: if question.roles.ordered.contains(name) {
                    ListOrder::Ordered
                } else if question.natural.contains(name) {
                    ListOrder::Natural
                } else {
                    ListOrder::Free
                },
                places: HashMap::new(),
                bytes: 0,
                most: question.most_text,
                too_many: false,
            }),
        };
        let shown_as = table.shown_as(column);
        Self { name: name.clone(), shown_as, missing: false, known: 0, counts_rows: [true; 2], kind }
    }

    /// As if no row had been looked at.
    fn forget(&mut self) {
        (self.missing, self.known) = (false, 0);
        match &mut self.kind {
            KindLooked::Numbers(numbers) => {
                numbers.values = Some(BTreeSet::new());
                numbers.size = 0.0;
                numbers.cells = Cells::new(numbers.borders.len());
            }
            KindLooked::Levels(levels) => {
                (levels.places, levels.bytes, levels.too_many) = (HashMap::new(), 0, false);
            }
        }
    }

    /// The number of its cells, if it has numbers.
    pub(super) fn cells(&self) -> Option<usize> {
        match &self.kind {
            KindLooked::Numbers(numbers) => Some(numbers.cells.sums.len()),
            KindLooked::Levels(_) => None,
        }
    }

    /// Where numbers are found among the borders.
    fn finder(&self) -> Finder {
        Finder::new(match &self.kind {
            KindLooked::Numbers(numbers) => numbers.borders.clone(),
            KindLooked::Levels(_) => Vec::new(),
        })
    }

    /// Adds the cells of a column; rows of no weight do not count, where there are weights.
    fn fill(
        &mut self,
        column: &Column,
        amounts: Option<&Amounts>,
        (finder, at): (&Finder, u64),
    ) -> Result<()> {
        let amount = |row: usize| amounts.map_or(1, |amounts| amounts.amount(row));
        let values = &column.values;
        if column.name != self.name {
            return Err(other_column(&self.name, &column.name));
        }
        self.known += (values.len() - values.missing()) as u64;
        match (&mut self.kind, values) {
            (KindLooked::Numbers(looked), Values::Numeric(cells)) => {
                self.missing |= looked.fill(cells, finder, amount);
                for (from, counts) in self.counts_rows.iter_mut().enumerate().filter(|(_, counts)| **counts) {
                    *counts = (at + from as u64..).zip(cells).all(|(row, x)| *x == row as f64);
                }
            }
            (KindLooked::Levels(looked), Values::Nominal(nominal)) => {
                self.counts_rows = [false; 2];
                self.missing |= (0..).zip(&nominal.codes).any(|(row, c)| *c == MISSING && amount(row) > 0);
                for (place, level) in (0..).zip(&nominal.levels) {
                    looked.put(level, (at, place));
                }
            }
            _ => return Err(two_kinds(&self.name)),
        }
        Ok(())
    }
}

fn two_kinds(name: &str) -> Error {
    Error::input(
        Place::default().attribute(name),
        "it holds numbers in one part of the table and text in another",
    )
    .with_remedies(&[Remedy::ReadAsNominal, Remedy::LeaveColumnOut])
}

fn other_column(name: &str, other: &str) -> Error {
    let problem =
        format!("another part of the table has the column {} in its place", crate::error::shown(other));
    Error::input(Place::default().attribute(name), problem)
}

/// Numbers become labels of classes, or whole lists of values, up to so many.
const MOST_LABELS: usize = 1 << 16;

impl NumbersLooked {
    /// Adds numbers; says whether any row with weight has none.
    fn fill(&mut self, cells: &[f64], finder: &Finder, amount: impl Fn(usize) -> i128) -> bool {
        let counts = !self.borders.is_empty();
        let mut missing = false;
        let mut last = u64::MAX;
        for (row, &x) in cells.iter().enumerate() {
            if x.is_nan() {
                missing |= amount(row) > 0;
                continue;
            }
            self.size = self.size.max(x.abs());
            let amount = amount(row);
            if amount == 0 {
                continue;
            }
            if counts {
                self.cells.add_row(finder, x, amount);
            }
            if let Some(values) = &mut self.values
                && key(x) != last
            {
                last = key(x);
                values.insert(last);
                if values.len() > self.most {
                    self.values = None;
                }
            }
        }
        missing
    }
}

impl LevelsLooked {
    fn put(&mut self, level: &str, place: (u64, u32)) {
        if self.too_many {
            return;
        }
        match self.places.get_mut(level) {
            Some(first) => *first = (*first).min(place),
            None => {
                self.bytes += level.len() + 80;
                self.places.insert(level.to_string(), place);
            }
        }
        if self.bytes > self.most {
            self.too_many = true;
            self.places = HashMap::new();
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

impl Add for WeightsLooked {
    fn add(&mut self, other: Self) -> Result<()> {
        self.rows += other.rows;
        self.total += other.total;
        self.heaviest = self.heaviest.max(other.heaviest);
        self.lightest = self.lightest.min(other.lightest);
        self.whole &= other.whole;
        Ok(())
    }
}

impl Add for ColumnLooked {
    fn add(&mut self, other: Self) -> Result<()> {
        let same = self.name == other.name;
        self.missing |= other.missing;
        self.known += other.known;
        for (mine, more) in self.counts_rows.iter_mut().zip(other.counts_rows) {
            *mine &= more;
        }
        match (&mut self.kind, other.kind) {
            (KindLooked::Numbers(mine), KindLooked::Numbers(more)) if same => {
                mine.size = mine.size.max(more.size);
                mine.cells.add(more.cells)?;
                mine.values = match (mine.values.take(), more.values) {
                    (Some(mut a), Some(b)) => {
                        a.extend(b);
                        Some(a)
                    }
                    _ => None,
                };
                mine.values = mine.values.take().filter(|values| values.len() <= mine.most);
                Ok(())
            }
            (KindLooked::Levels(mine), KindLooked::Levels(more)) if same => {
                more.places.iter().for_each(|(level, place)| mine.put(level, *place));
                if more.too_many {
                    (mine.too_many, mine.places) = (true, HashMap::new());
                }
                Ok(())
            }
            _ if same => Err(two_kinds(&self.name)),
            _ => Err(other_column(&self.name, &other.name)),
        }
    }
}
