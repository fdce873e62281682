//! How often the sets of classes, or the intervals, of a tree have the truth inside, and how large they are.

use serde::{Deserialize, Serialize};

use super::Measured;
use super::measured_rows::judge;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::route::{RowShare, rows_for};
use crate::tree::{NodeAnswers, Reach, Spreads, Tree};

/// What was seen of sets or intervals on some rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Covered {
    /// For every class (or for all numbers) the weight of its rows, and of those with the truth inside.
    pub classes: Vec<(f64, f64)>,
    /// The weight of the rows whose set has one class.
    pub single: f64,
    /// The sum of the sizes of the sets, or of the widths of the intervals, by the weight of their rows.
    pub size: f64,
    /// The sum of the shares that were to be expected, by the weight of the rows.
    pub expected: f64,
}

impl Covered {
    /// The weight of all rows.
    pub fn weight(&self) -> f64 {
        self.classes.iter().map(|class| class.0).sum()
    }

    /// The share of the rows with the truth inside; `None` without rows.
    pub fn share(&self) -> Option<f64> {
        let all = self.weight();
        (all > 0.0).then(|| self.classes.iter().map(|class| class.1).sum::<f64>() / all)
    }

    /// Whether some rows can have come to this: parts are not above the whole, and nothing is above what weights and widths can add up to.
    pub(super) fn is_possible(&self, weight: f64, width: f64) -> bool {
        let all = self.weight();
        let within = |part: f64, whole: f64| (0.0..=whole * (1.0 + 1e-9)).contains(&part);
        within(all, weight)
            && self.classes.iter().all(|(rows, inside)| within(*rows, weight) && within(*inside, *rows))
            && within(self.single, all)
            && within(self.expected, all)
            && within(self.size, width)
    }

    /// Adds what was seen on other rows.
    pub fn join(&mut self, other: &Self) {
        self.classes.resize(self.classes.len().max(other.classes.len()), (0.0, 0.0));
        for (own, other) in self.classes.iter_mut().zip(&other.classes) {
            own.0 += other.0;
            own.1 += other.1;
        }
        self.single += other.single;
        self.size += other.size;
        self.expected += other.expected;
    }
}

impl Measured {
    /// The same with how often sets that reach so far have the truth inside, on the rows of a table whose weight is above 0.
    pub(in crate::evaluate) fn with_sets(
        mut self,
        tree: &Tree,
        table: &CodedTable,
        held: &[f64],
        reach: Reach,
    ) -> Result<Self> {
        let rows = rows_for(tree, table, Some(held))?;
        let covered = match table.target() {
            CodedTarget::Classes { codes, .. } => of_classes(tree, table, &rows, codes, reach),
            CodedTarget::Numbers { values, .. } => of_numbers(tree, table, &rows, values, reach),
        };
        let all = covered.weight();
        if let Some(share) = covered.share() {
            let size = if tree.is_classifier() { "set-size" } else { "interval-width" };
            self.set("coverage", share)?;
            self.set(size, covered.size / all)?;
        }
        self.sets = Some(covered);
        Ok(self)
    }
}

fn of_classes(tree: &Tree, table: &CodedTable, rows: &[RowShare], codes: &[u32], reach: Reach) -> Covered {
    let mut covered = Covered { classes: vec![(0.0, 0.0); table.classes()], ..Covered::default() };
    for (actual, label, p, weight) in judge(tree, table, rows, codes).rows() {
        let has = |class: usize| reach.has(p[class], class == label);
        let size = (0..p.len()).filter(|&class| has(class)).count();
        let class = &mut covered.classes[actual];
        class.0 += weight;
        class.1 += if has(actual) { weight } else { 0.0 };
        covered.single += if size == 1 { weight } else { 0.0 };
        covered.size += weight * size as f64;
        covered.expected += weight * reach.expected;
    }
    covered
}

fn of_numbers(tree: &Tree, table: &CodedTable, rows: &[RowShare], values: &[f64], reach: Reach) -> Covered {
    let (answers, spreads, unit) = (NodeAnswers::new(tree), Spreads::of(tree), table.unit());
    let mut covered = Covered { classes: vec![(0.0, 0.0)], ..Covered::default() };
    let (mut stack, mut ends) = (Vec::new(), Vec::new());
    for RowShare { row, weight } in rows {
        let (row, weight) = (*row as usize, *weight);
        let mut told = [0.0];
        ends.clear();
        tree.walk(
            |attribute| table.cell(row, attribute),
            &mut stack,
            |id, share, is_end| {
                if is_end {
                    answers.add(id, share, &mut told);
                    ends.push((id, share));
                }
            },
        );
        let half = reach.half(spreads.moments(&ends, told[0]).0.sqrt());
        // The smallest difference of a number in the unit of the file counts as none.
        let off = (values[row] / unit - told[0]).abs();
        let all = &mut covered.classes[0];
        all.0 += weight;
        all.1 += if off <= half * (1.0 + 1e-9) { weight } else { 0.0 };
        covered.size += weight * 2.0 * half;
        covered.expected += weight * reach.expected;
    }
    covered
}
