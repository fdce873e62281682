//! The rules that splits are searched by.

use super::Sizes;
use super::rounding::to_decimals;
use crate::criterion::plain::Plain;
use crate::criterion::sides::SidesSet;
use crate::criterion::{Criterion, Measure};
use crate::data::{CodedTable, Scale};
use crate::spec::{Count, GrowSpec, MinLeafRule, MissingGain, NominalSplits};

/// The parts of a [`GrowSpec`] that the search for a split needs.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub criterion: Criterion,
    pub measure: Measure,
    /// The number of classes; 0 for numbers.
    pub classes: usize,
    pub guards: bool,
    pub multiway: bool,
    /// The columns that the guard against names of rows looks at.
    pub(super) many_values: Vec<bool>,
    /// The columns whose values are in order: they are divided as numbers are.
    pub(super) in_order: Vec<bool>,
    pub exhaustive: usize,
    pub min_leaf: f64,
    pub min_gain: f64,
    /// An inadmissible best split makes the node a leaf.
    pub node_rule: bool,
    /// Branches are judged by their rows, each part of one as a row, once the best split is known.
    pub count_rows: bool,
    /// What a row counts for the limits.
    pub sizes: Sizes,
    /// Rows without a value are spread over the branches before the gain is computed.
    pub spread: bool,
    /// Rows without a value go to a branch.
    pub branch: bool,
    /// The unit of gains of numbers, which are coded in another one than the target's where that is needed.
    pub unit: f64,
    /// Gains are rounded to this many decimals: those that differ then differ.
    pub(super) decimals: Option<u32>,
}

/// Otherwise gains are rounded to multiples of this, those of numbers to multiples of this share of themselves, so that
/// equal gains stay equal however their sums were added up.
pub(super) const QUANTUM: f64 = 1.0 / (1u64 << QUANTUM_BITS) as f64;
const QUANTUM_BITS: u32 = 40;

/// A column with no more values names no rows, and pays nothing.
const FEW_VALUES: u32 = 10;

/// Sizes are equal within this tolerance, because shares of rows do not add up to the last digit.
pub(super) const TOLERANCE: f64 = 1e-9;

impl Rules {
    pub(crate) fn new(spec: &GrowSpec, table: &CodedTable, sizes: Sizes) -> Self {
        let unit = table.unit();
        let unit = if spec.criterion == Criterion::Mae { unit } else { unit * unit };
        let classes = table.classes();
        Self {
            unit,
            decimals: spec.gain_decimals,
            criterion: spec.criterion,
            measure: Measure::of(spec.criterion),
            classes,
            guards: spec.guards && spec.criterion == Criterion::GainRatio,
            multiway: spec.nominal == NominalSplits::Multiway,
            many_values: table
                .columns()
                .iter()
                .map(|column| spec.value_guard && column.cardinality() > FEW_VALUES)
                .collect(),
            in_order: table.columns().iter().map(|c| matches!(c.scale, Scale::Ordered(_))).collect(),
            exhaustive: spec.exhaustive,
            min_leaf: spec.min_leaf,
            min_gain: spec.min_gain * unit,
            node_rule: spec.min_leaf_rule == MinLeafRule::Node,
            count_rows: matches!(spec.count, Count::Rows | Count::LeafRows),
            sizes,
            spread: spec.missing == MissingGain::Spread,
            branch: spec.missing == MissingGain::Branch,
        }
    }

    /// A gain to compare.
    pub(super) fn rounded(&self, gain: f64) -> f64 {
        match self.decimals {
            Some(decimals) => to_decimals(gain / self.unit, decimals) * self.unit,
            None if self.classes > 0 => (gain / QUANTUM).round() * QUANTUM,
            None => {
                let below = f64::MANTISSA_DIGITS - 1 - QUANTUM_BITS;
                f64::from_bits((gain.to_bits() + (1 << (below - 1))) & (u64::MAX << below))
            }
        }
    }

    /// Whether the gains of one column's splits are computed plainly and compared to the last bit: with gains rounded to
    /// decimals, for classes.
    pub(super) fn plain(&self) -> bool {
        self.decimals.is_some() && self.classes > 0
    }

    /// The sides of a search; `table` as in [`SidesSet::new`].
    pub(crate) fn sides<'t>(&self, table: &'t [f64]) -> SidesSet<'t> {
        SidesSet::new(table, self.plain().then(|| Plain::new(self.measure, self.spread)))
    }

    /// Whether the cuts of a discretised column compete with those of all others by their gain ratio (El-Khouri's ID3), and not by their
    /// gain within the column first.
    pub(crate) fn cuts_compete(&self) -> bool {
        self.criterion == Criterion::GainRatio && !self.guards
    }

    /// The size of a tally.
    pub(crate) fn tally_size(&self) -> usize {
        if self.classes == 0 { 2 } else { self.classes }
    }

    /// The rows a numeric split must leave on each side, of this many with a value.
    pub(super) fn numeric_floor(&self, known: f64) -> f64 {
        if self.guards {
            // C4.5: a tenth of the rows per class, but at most 25 rows.
            (0.1 * known / self.classes as f64).min(25.0).max(self.min_leaf)
        } else {
            self.min_leaf
        }
    }

    /// Whether a branch is large enough.
    pub(crate) fn is_enough(&self, size: f64, floor: f64) -> bool {
        size + TOLERANCE >= floor
    }

    /// The floor a scan over split points enforces: none when the `node` rule judges the best one afterwards.
    pub(crate) fn scan_floor(&self, floor: f64) -> f64 {
        if self.node_rule { 0.0 } else { floor - TOLERANCE }
    }
}
