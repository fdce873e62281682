//! Where numbers are counted while bins are looked for: the cells between borders.

use serde::{Deserialize, Serialize};

use super::Add;
use super::finder::Finder;
use crate::data::{Table, Values, key};
use crate::error::{Error, Result};

/// Cells between borders, at most.
const MOST: usize = 1 << 15;

/// Borders where nothing is known of a column: between powers of two.
fn unknown() -> Vec<u64> {
    (1..1u64 << 12).map(|exponent| exponent << 52).collect()
}

/// Borders between which about the same number of the numbers lie, for every column of a table that has numbers: some rows of
/// a larger one, from all over it. They make looking faster; what is decided in the end does not depend on them.
pub fn sampled(some: &Table) -> Vec<(String, Vec<u64>)> {
    let column = |column: &crate::data::Column| {
        let Values::Numeric(cells) = &column.values else { return None };
        let mut keys: Vec<u64> = cells.iter().filter(|x| !x.is_nan()).map(|x| key(*x)).collect();
        keys.sort_unstable();
        let step = keys.len().div_ceil(MOST).max(1);
        let mut borders: Vec<u64> = keys.into_iter().step_by(step).collect();
        borders.dedup();
        Some((column.name.clone(), borders))
    };
    some.columns().iter().filter_map(column).collect()
}

/// What lies in the cells between borders: cell `i` begins with border `i − 1`, the first with nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Cells(pub Vec<Cell>);

/// What lies between two borders; together in memory, as a row touches all of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Cell {
    /// The weight of the rows.
    pub sum: i128,
    /// The smallest and the largest key.
    pub least: u64,
    pub largest: u64,
}

impl Cell {
    const EMPTY: Self = Self { sum: 0, least: u64::MAX, largest: 0 };

    #[inline]
    fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
    }
}

impl Cells {
    pub(super) fn new(borders: usize) -> Self {
        Self(vec![Cell::EMPTY; borders + 1])
    }

    /// All of them as one.
    pub(super) fn all(&self) -> Cell {
        let mut all = Cell::EMPTY;
        self.0.iter().for_each(|cell| all.add(*cell));
        all
    }

    #[inline]
    pub(super) fn add_row(&mut self, finder: &Finder, x: f64, amount: i128) {
        let key = key(x);
        self.0[finder.count_key(key)].add(Cell { sum: amount, least: key, largest: key });
    }
}

impl Add for Cells {
    fn add(&mut self, other: Self) -> Result<()> {
        if self.0.len() != other.0.len() {
            return Err(Error::internal("cells between different borders"));
        }
        self.0.iter_mut().zip(other.0).for_each(|(mine, more)| mine.add(more));
        Ok(())
    }
}

/// The borders to look with, of a column that was sampled or not.
pub(super) fn or_unknown(borders: Option<&Vec<u64>>) -> Vec<u64> {
    borders.filter(|borders| !borders.is_empty()).cloned().unwrap_or_else(unknown)
}

/// Borders that divide some ranges of keys evenly. Each range ends before its second key.
pub(super) fn within(ranges: &[(u64, u64)]) -> Vec<u64> {
    let parts = (MOST / ranges.len().max(1)).max(2) as u64;
    let mut borders = Vec::new();
    for &(from, to) in ranges {
        let step = ((to - from) / parts).max(1);
        let steps = ((to - from) / step).min(parts);
        borders.extend((0..steps).map(|i| from + i * step));
        borders.push(to);
    }
    borders.sort_unstable();
    borders.dedup();
    borders
}
