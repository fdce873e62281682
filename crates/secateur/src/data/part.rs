//! A part of a coded table: the rows that are learned from, coded as if there were no others.
//!
//! A fold, a held-out part or a row of weight zero is left out by its weight. What is derived from a column afterwards (thresholds
//! that are values of the data, bins, medians) must not know the values of such rows: for that the codes of the others are made
//! dense again. Where nothing is derived the codes stay as they are, which takes half the time.

use super::bins::Bins;
use super::codes::{Code, each_width, pick};
use super::{CodedColumn, CodedTable, CodedTarget, Codes, Scale};
use crate::threads;

impl CodedTable {
    /// The rows that have weight, as a table of their own with these weights (the table's own ones where none are given); `None`
    /// where that is all of them. Names, classes and the lists of nominal values stay; so do the values of numeric columns, unless
    /// the codes are to be `dense`.
    pub(crate) fn part(&self, weights: Option<&[f64]>, dense: bool) -> Option<Self> {
        let weights = weights.or(self.weights())?;
        if !weights.contains(&0.0) {
            return None;
        }
        let rows: Vec<u32> = (0..).zip(weights).filter(|(_, w)| **w > 0.0).map(|(row, _)| row).collect();
        let kept: Vec<f64> = rows.iter().map(|&row| weights[row as usize]).collect();
        let target = match self.target() {
            CodedTarget::Classes { classes, codes } => {
                CodedTarget::Classes { classes: *classes, codes: pick(codes, &rows) }
            }
            CodedTarget::Numbers { unit, values } => {
                CodedTarget::Numbers { unit: *unit, values: pick(values, &rows) }
            }
        };
        let columns = threads::map(self.columns().len(), |c| self.columns()[c].part(&rows, dense));
        let weights = kept.iter().any(|w| *w != 1.0).then_some(kept);
        Some(self.with_rows(columns, target, weights, rows.len()))
    }
}

impl CodedColumn {
    /// The column of some rows, its values those that occur in them if codes are to be dense.
    fn part(&self, rows: &[u32], dense: bool) -> Self {
        // Floats have their codes whether they occur or not.
        if !dense || self.scale == Scale::Floats {
            let codes = self.codes.gather(rows);
            let has_missing = self.has_missing && codes.contains(self.cardinality());
            return Self { codes, scale: self.scale.clone(), has_missing };
        }
        let missing = self.cardinality() as usize;
        let mut occurs = vec![false; missing + 1];
        each_width!(&self.codes, list => rows.iter().for_each(|&row| occurs[list[row as usize].wide() as usize] = true));
        let has_missing = occurs[missing];
        let all = || occurs[..missing].iter().all(|occurs| *occurs);
        if !self.is_numeric() || all() {
            return Self { codes: self.codes.gather(rows), scale: self.scale.clone(), has_missing };
        }
        let only = |list: &[f64]| -> Vec<f64> {
            list.iter().zip(&occurs).filter(|(_, occurs)| **occurs).map(|(x, _)| *x).collect()
        };
        let scale = match &self.scale {
            Scale::Values(values) => Scale::Values(only(values)),
            Scale::Bins(bins) => Scale::Bins(Bins { first: only(&bins.first), last: only(&bins.last) }),
            // The intervals between cuts, and levels, are what they are.
            Scale::Cuts(_) | Scale::Floats | Scale::Levels(_) | Scale::Ordered(_) => {
                return Self { codes: self.codes.gather(rows), scale: self.scale.clone(), has_missing };
            }
        };
        // The new code of every old one is the number of smaller ones that occur.
        let mut next = 0;
        let mut dense = Vec::with_capacity(missing + 1);
        for occurs in &occurs[..missing] {
            dense.push(next);
            next += u32::from(*occurs);
        }
        dense.push(next);
        let codes = each_width!(&self.codes, list => Codes::pack(
            rows.iter().map(|&row| dense[list[row as usize].wide() as usize]), next));
        Self { codes, scale, has_missing }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::data::{CodedTable, Column, MISSING, Nominal, Roles, Table, Values};

    proptest! {
        /// The part is what coding the rows alone gives.
        #[test]
        fn rows_without_weight_leave_no_trace(
            rows in prop::collection::vec((prop_oneof![1 => Just(f64::NAN), 6 => (-9i32..9).prop_map(f64::from)], 0u32..4, 0u32..3, 0u8..3), 1..40),
        ) {
            prop_assume!(rows.iter().any(|r| r.3 > 0));
            let table = |rows: &[&(f64, u32, u32, u8)]| {
                let column = |name: &str, values| Column { name: name.into(), values };
                let list = |n: usize| (0..n).map(|i| format!("v{i}")).collect::<Vec<_>>();
                let nominal = |n: usize, codes| Values::Nominal(Nominal { levels: list(n), codes });
                let table = Table::new("t", vec![
                    column("x", Values::Numeric(rows.iter().map(|r| r.0).collect())),
                    column("n", nominal(3, rows.iter().map(|r| if r.1 == 3 { MISSING } else { r.1 }).collect())),
                    column("w", Values::Numeric(rows.iter().map(|r| f64::from(r.3)).collect())),
                    column("y", nominal(3, rows.iter().map(|r| r.2).collect())),
                ]).unwrap();
                CodedTable::new(&table, &Roles { weights: Some("w".into()), ..Roles::default() }).unwrap()
            };
            let all: Vec<_> = rows.iter().collect();
            let kept: Vec<_> = rows.iter().filter(|r| r.3 > 0).collect();
            let part = table(&all).part(None, true);
            prop_assert_eq!(part.is_some(), kept.len() < all.len());
            let (part, alone) = (part.unwrap_or_else(|| table(&all)), table(&kept));
            prop_assert_eq!(part.columns(), alone.columns());
            prop_assert_eq!(part.target(), alone.target());
            for row in 0..kept.len() {
                prop_assert_eq!(part.weight(row), alone.weight(row));
            }
        }
    }
}
