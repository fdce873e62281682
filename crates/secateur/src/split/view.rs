//! A node as the search for a split sees it, and what a split of it is worth.

use std::borrow::Cow;

use super::choose::{Candidate, How};
use super::moments::Frame;
use super::node_count::NodeCount;
use super::rules::{QUANTUM, Rules, TOLERANCE};
use super::threshold::Best;
use super::{Histogram, Sizes};
use crate::criterion::{Criterion, TIE, xlog2};

/// A node as the search for a split sees it.
pub(crate) struct View<'a> {
    pub rules: &'a Rules,
    /// The tally of all its rows.
    pub tally: &'a [f64],
    /// Its weight.
    pub weight: f64,
    /// Its rows, as the limits count them.
    pub size: f64,
    /// What its gains are compared with: 1 for classes; for numbers the mean squared error or, by the absolute error, its
    /// root.
    pub scale: f64,
    /// How its numbers are summed.
    pub frame: Frame,
}

/// Where a value has as many rows at a node or more, on average, it names none of them.
const ROWS_OF_A_VALUE: f64 = 4.0;

/// An attribute with more values than this is not split into a branch for each at a node with fewer rows than values:
/// nearly all branches would be empty, and a tree of such splits would not fit into memory.
const MOST_EMPTY_BRANCHES: u32 = 1024;

impl<'a> View<'a> {
    /// A node with these counts; for numbers `sums` are their weight and their sum in the node's frame.
    pub(crate) fn new(rules: &'a Rules, count: &'a NodeCount, sums: &'a [f64; 2]) -> Self {
        let (weight, size) = (count.weight, count.size);
        if rules.classes > 0 {
            let tally = count.tally.class_weights();
            return Self { rules, tally, weight, size, scale: 1.0, frame: Frame::default() };
        }
        let error = count.error();
        let scale = if rules.criterion == Criterion::Mae { error.sqrt() } else { error };
        Self { rules, tally: sums, weight, size, scale, frame: count.frame() }
    }

    /// Whether the node may be split into a branch for each of this many values.
    pub(crate) fn can_branch(&self, levels: u32) -> bool {
        levels <= MOST_EMPTY_BRANCHES || self.size >= f64::from(levels)
    }

    /// Differences of gain below this are rounding.
    pub(crate) fn tolerance(&self) -> f64 {
        let rounding = if self.rules.decimals.is_some() { 0.0 } else { 1.5 * QUANTUM };
        TIE.max(rounding) * self.scale
    }

    /// Costs of one column's splits closer than this are equal.
    pub(crate) fn cost_tolerance(&self) -> f64 {
        if self.rules.plain() { 0.0 } else { self.tolerance() * self.weight }
    }

    /// The rows a numeric split must leave on each side, of this many with a value.
    pub(crate) fn numeric_floor(&self, known: f64) -> f64 {
        self.rules.numeric_floor(known)
    }

    /// How many rows have each value of a column.
    pub(crate) fn sizes<'h>(&self, histogram: &'h Histogram) -> Cow<'h, [f64]> {
        match self.rules.sizes {
            Sizes::Shares => Cow::Borrowed(&histogram.sizes),
            Sizes::Weight(_) => (0..histogram.len()).map(|value| self.size_of(histogram, value)).collect(),
        }
    }

    /// How many rows have a value.
    pub(crate) fn known_size(&self, histogram: &Histogram) -> f64 {
        let mut size = 0.0;
        for value in 0..histogram.len() {
            size += self.size_of(histogram, value);
        }
        size
    }

    /// How many rows have this value.
    #[inline]
    fn size_of(&self, histogram: &Histogram, value: usize) -> f64 {
        match self.rules.sizes {
            Sizes::Shares => histogram.sizes[value],
            Sizes::Weight(unit) => self.rules.measure.weight(histogram.tally(value)) / unit,
        }
    }

    /// How many rows have no value, where a split sends them to a branch whole.
    pub(crate) fn missing_size(&self, histogram: &Histogram) -> f64 {
        match self.rules.sizes {
            Sizes::Shares => self.size - self.known_size(histogram),
            Sizes::Weight(unit) => self.rules.measure.weight(&histogram.missing) / unit,
        }
    }

    /// A search for the best cut that leaves this many rows on each side.
    pub(crate) fn best(&self, floor: f64) -> Best {
        Best::new(self.rules.scan_floor(floor), self.rules.sizes.unit(), self.cost_tolerance())
    }

    /// Judges a split: `known` is the weight of the rows that have a value (or of all, where the others have a branch, too) and `known_cost`
    /// their cost, `cost` the cost of the branches, `branches` their weights and sizes and `tries` the number of thresholds it was chosen from, or of the
    /// values that it divides.
    ///
    /// The gain on the known rows counts in proportion to their weight, unless the others were spread over the branches (then
    /// `known_cost` is the cost of all rows); the weight of the unknown rows is
    /// one more branch in the split information (C4.5).
    pub(crate) fn candidate(
        &self,
        column: usize,
        how: How,
        (known, known_cost): (f64, f64),
        cost: f64,
        (branches, sizes): (&[f64], &[f64]),
        tries: u32,
    ) -> Option<Candidate> {
        let rules = self.rules;
        let mut gain = if rules.plain() && !matches!(how, How::Each { .. }) {
            // The cost is minus the gain of a known row, or of any row where the others are spread.
            if rules.spread { -cost } else { -cost * (known / self.weight) }
        } else {
            (known_cost - cost) / self.weight
        };
        let in_order = rules.in_order[column] && matches!(how, How::Subset { .. });
        let numeric = in_order || matches!(how, How::Cut { .. });
        if rules.guards && numeric {
            gain -= f64::from(tries).log2() / self.size;
        }
        gain = rules.rounded(gain);
        if gain <= self.tolerance() || gain <= rules.min_gain {
            return None;
        }
        let floor = if numeric { self.numeric_floor(sizes.iter().sum()) } else { rules.min_leaf };
        let enough = sizes.iter().filter(|size| rules.is_enough(**size, floor)).count();
        let admissible = rules.count_rows || enough >= 2;
        if !admissible && !rules.node_rule {
            return None;
        }
        let mut worth = gain;
        if matches!(how, How::Subset { .. } | How::Each { .. }) && rules.many_values[column] && !in_order {
            let (values, rows) = (f64::from(tries), sizes.iter().sum());
            if values * ROWS_OF_A_VALUE > rows {
                worth -= self.chance((known, known_cost), values, rows);
                // What gains no more than chance is no better than another such split, and names of rows are the worst of them.
                if worth <= self.tolerance() && 2.0 * values > rows {
                    return None;
                }
            }
        }
        let (score, tolerance) = if rules.criterion == Criterion::GainRatio {
            let unknown = self.weight - known;
            let parts =
                branches.iter().copied().chain((unknown > TOLERANCE * self.weight).then_some(unknown));
            let information = (xlog2(self.weight) - parts.map(xlog2).sum::<f64>()) / self.weight;
            if information <= TIE {
                return None;
            }
            let ratio = worth / information;
            // A gain that is off by rounding is so all the more when it is divided by little.
            match rules.decimals {
                Some(_) => (rules.rounded(ratio), TIE),
                None => (ratio, self.tolerance() / information),
            }
        } else {
            (worth, self.tolerance())
        };
        Some(Candidate { column: column as u32, gain, worth, score, tolerance, how, admissible })
    }

    /// What a column of this many values gains by chance on this many rows: `(values − 1) / (rows − 1)` of their impurity. By Gini and squared
    /// error this is the mean gain of a branch for each value over all orders of the target (as of R², to which adjusted R² owes its name);
    /// at one value for all rows, and at one for each, by any criterion. Two subsets of the values gain no more.
    fn chance(&self, (known, known_cost): (f64, f64), values: f64, rows: f64) -> f64 {
        // Of numbers, costs are without the sum of squares.
        let impurity = match self.rules.criterion {
            Criterion::Mse => self.scale * known / self.weight,
            _ => known_cost / self.weight,
        };
        if rows > 1.0 { impurity * ((values - 1.0) / (rows - 1.0)).min(1.0) } else { impurity }
    }
}
