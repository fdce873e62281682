//! What is known of one column after a look: which numbers it has, or which texts.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::Add;
use super::amounts::Amounts;
use super::borders::{Cells, or_unknown};
use super::finder::Finder;
use super::look::Look;
use crate::data::{Column, MISSING, Table, Values, key};
use crate::error::{Error, Place, Remedy, Result};
use crate::schema::ShownAs;

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

impl ColumnLooked {
    pub(super) fn empty(question: &Look, table: &Table, column: usize, most: usize) -> Self {
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
    pub(super) fn forget(&mut self) {
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
            KindLooked::Numbers(numbers) => Some(numbers.cells.0.len()),
            KindLooked::Levels(_) => None,
        }
    }

    /// Where numbers are found among the borders.
    pub(super) fn finder(&self) -> Finder {
        Finder::new(match &self.kind {
            KindLooked::Numbers(numbers) => numbers.borders.clone(),
            KindLooked::Levels(_) => Vec::new(),
        })
    }

    /// Adds the cells of a column; rows of no weight do not count, where there are weights.
    pub(super) fn fill(
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

/// Numbers become labels of classes, or whole lists of values, up to this many.
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
