//! What rows weigh in the look at a table.

use serde::{Deserialize, Serialize};

use super::Add;
use crate::data::{Column, MISSING, Roles, Table, Values};
use crate::error::{Error, Place, Result};

/// Weights are added up as whole multiples of this, in the look at a table.
pub(super) const AMOUNT: f64 = (1u128 << 64) as f64;
/// Smaller and larger weights than these could not be.
const WEIGHTS: std::ops::RangeInclusive<f64> = 1e-12..=1e12;

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

impl WeightsLooked {
    pub(super) fn add_rows(&mut self, amounts: &Amounts, rows: usize) {
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
