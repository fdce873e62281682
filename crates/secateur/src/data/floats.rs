//! Numbers of 32 bits coded by what they are: a number's code is its place among all such numbers.
//!
//! Ranks need a list of the values beside the codes, three times the memory. For a single tree they are not needed: all that growing
//! asks of codes is their order.

use hashbrown::HashSet;

use super::rank::ranks;
use super::{CodedColumn, Codes, Scale};
use crate::error::Result;
use crate::memory;

/// The number of codes: that of infinity, which is none of them.
pub(super) const CODES: u32 = 0xff80_0000;

/// With fewer rows the values take no memory that is worth saving.
const FEWEST_ROWS: usize = 1 << 16;
/// With more rows there is no room for a code in the entry of a list.
const MOST_ROWS: usize = 1 << 26;
/// This many cells are looked at to see whether most values occur once.
const SAMPLE: usize = 1 << 12;

/// The code of a finite number.
fn code(x: f32) -> u32 {
    // Adding zero turns -0 into 0, so that the two are one value.
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// The number of a code.
pub(crate) fn number(code: u32) -> f64 {
    f64::from(f32::from_bits(if code >> 31 == 1 { code & !(1 << 31) } else { !code }))
}

/// A column of numbers that all have 32 bits and of which most occur once or twice; `None` for any other.
pub(super) fn of_cells(cells: &[f64]) -> Result<Option<CodedColumn>> {
    if !are_worth_it(cells.len(), |row| cells[row]) {
        return Ok(None);
    }
    coded(cells)
}

/// Whether numbers are worth such codes: rows neither few nor too many, and at least a quarter as many values as rows, as far as some
/// of the cells show.
pub(super) fn are_worth_it(rows: usize, cell: impl Fn(usize) -> f64) -> bool {
    if !(FEWEST_ROWS..=MOST_ROWS).contains(&rows) {
        return false;
    }
    let mut seen = HashSet::new();
    let some = (0..rows).step_by(rows / SAMPLE + 1);
    let again = some.filter(|&row| !seen.insert(cell(row).to_bits())).count();
    again <= 4 + 2 * SAMPLE * SAMPLE / rows
}

/// Codes a column of numbers of 32 bits part by part.
pub(super) struct Coder {
    codes: Vec<u32>,
    is_finite: bool,
}

impl Coder {
    pub(super) fn new(rows: usize) -> Result<Self> {
        let mut codes = Vec::new();
        memory::reserve(&mut codes, rows, "the codes of a column")?;
        Ok(Self { codes, is_finite: true })
    }

    /// The next cells.
    pub(super) fn push<'a>(&mut self, cells: impl Iterator<Item = &'a f32>) {
        let mut is_finite = self.is_finite;
        self.codes.extend(cells.map(|&x| {
            is_finite &= !x.is_infinite();
            if x.is_nan() { CODES } else { code(x) }
        }));
        self.is_finite = is_finite;
    }

    /// The column, if all of its numbers are finite or missing.
    pub(super) fn finish(self) -> Option<CodedColumn> {
        self.is_finite.then(|| CodedColumn::of(Codes::U32(self.codes), Scale::Floats))
    }
}

/// A column of numbers that all have 32 bits.
pub(crate) fn coded(cells: &[f64]) -> Result<Option<CodedColumn>> {
    let is_float = |x: f64| x.is_nan() || x.is_finite() && f64::from(x as f32) == x;
    if !cells.iter().all(|x| is_float(*x)) {
        return Ok(None);
    }
    let mut codes = Vec::new();
    memory::reserve(&mut codes, cells.len(), "the codes of a column")?;
    codes.extend(cells.iter().map(|x| if x.is_nan() { CODES } else { code(*x as f32) }));
    Ok(Some(CodedColumn::of(Codes::U32(codes), Scale::Floats)))
}

impl CodedColumn {
    /// The same column with ranks for codes.
    pub(crate) fn ranked(&self) -> Result<Self> {
        if self.scale != Scale::Floats {
            return Ok(self.clone());
        }
        let number = |row: usize| match self.codes.get(row) {
            CODES => f64::NAN,
            code => number(code),
        };
        let (values, codes) = ranks(&(0..self.codes.len()).map(number).collect::<Vec<f64>>())?;
        Ok(Self::of(codes, Scale::Values(values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_ascend_with_numbers(x in any::<f32>(), y in any::<f32>()) {
            prop_assume!(x.is_finite() && y.is_finite());
            prop_assert_eq!(x.partial_cmp(&y), Some(code(x).cmp(&code(y))));
            prop_assert_eq!(number(code(x)), f64::from(x));
            prop_assert!(code(x) < CODES);
        }
    }

    #[test]
    fn a_column_of_floats_is_the_ranked_one() {
        let mut cells: Vec<f64> = (0..FEWEST_ROWS).map(|i| f64::from(((i * 7919) as f32).sin())).collect();
        cells[9] = f64::NAN;
        let column = of_cells(&cells).unwrap().unwrap();
        assert!(column.has_missing);
        let (values, codes) = ranks(&cells).unwrap();
        assert_eq!(column.ranked().unwrap(), CodedColumn::of(codes, Scale::Values(values)));
        for (row, x) in cells.iter().enumerate().filter(|(row, _)| *row != 9) {
            assert_eq!(column.cell(column.codes.get(row)), crate::schema::Cell::Number(*x));
        }
        cells[10] = 0.1;
        assert_eq!(of_cells(&cells).unwrap(), None, "a number of 64 bits");
        let few: Vec<f64> = (0..FEWEST_ROWS).map(|i| f64::from((i * i % 5003) as f32 / 3.0)).collect();
        assert_eq!(of_cells(&few).unwrap(), None, "few values");
    }
}
