//! The rows of a column in one row group, filled batch by batch.

use crate::data::arrow::{Coder, fill_numbers};
use crate::data::intern::Interner;
use crate::data::natural::places_in_natural_order;
use crate::data::{MISSING, Nominal, Values};
use arrow_array::{Array, ArrayRef};

/// The rows of a column in a row group, while they are read.
pub(super) trait ColumnPart: Send {
    /// Adds the cells of an array; the error says which is wrong.
    fn push(&mut self, array: &ArrayRef) -> Result<(), String>;

    /// Whether all rows have their cells.
    fn is_full(&self) -> bool;
}

/// Takes the next rows from those that are still to be filled.
fn next_rows<'c, T>(rest: &mut &'c mut [T], rows: usize) -> Result<&'c mut [T], String> {
    if rows > rest.len() {
        return Err("a row group has more rows than it says; fetch or write the file again".into());
    }
    let (part, tail) = std::mem::take(rest).split_at_mut(rows);
    *rest = tail;
    Ok(part)
}

/// Numbers of a column in a row group.
pub(super) struct Numbers<'c> {
    rest: &'c mut [f64],
    /// The row that comes next, from 0.
    row: usize,
}

impl<'c> Numbers<'c> {
    /// Rows to be filled; the first of them has this number.
    pub(super) fn new(cells: &'c mut [f64], row: usize) -> Self {
        Self { rest: cells, row }
    }
}

impl ColumnPart for Numbers<'_> {
    fn push(&mut self, array: &ArrayRef) -> Result<(), String> {
        let cells = next_rows(&mut self.rest, array.len())?;
        let first = self.row;
        self.row += array.len();
        fill_numbers(cells, first, array)
    }

    fn is_full(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Codes of a column in a row group, and what they mean there.
pub(super) struct Codes<'c> {
    cells: &'c mut [u32],
    filled: usize,
    coder: Coder,
}

impl<'c> Codes<'c> {
    /// Rows to be filled.
    pub(super) fn new(cells: &'c mut [u32]) -> Self {
        Self { cells, filled: 0, coder: Coder::new(Interner::default()) }
    }

    /// The rows and the texts of their codes.
    pub(super) fn into_levels(self) -> (&'c mut [u32], Vec<String>) {
        (self.cells, self.coder.into_levels())
    }
}

impl ColumnPart for Codes<'_> {
    fn push(&mut self, array: &ArrayRef) -> Result<(), String> {
        let mut rest = self.cells.get_mut(self.filled..).unwrap_or_default();
        let cells = next_rows(&mut rest, array.len())?;
        self.filled += array.len();
        self.coder.fill(cells, array)
    }

    fn is_full(&self) -> bool {
        self.filled == self.cells.len()
    }
}

/// A column with its values in order: as integers, else as numbers, else as text.
pub(in super::super) fn sorted(levels: Vec<String>, mut codes: Vec<u32>) -> Values {
    let order = places_in_natural_order(&levels);
    let mut rank = vec![0; levels.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old] = new as u32;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING) {
        *code = rank[*code as usize];
    }
    let levels = order.into_iter().map(|level| levels[level].clone()).collect();
    Values::Nominal(Nominal { levels, codes })
}
