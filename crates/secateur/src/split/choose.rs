//! What a candidate split is worth, and which candidate wins.

use std::borrow::Cow;

use super::moments::Frame;
use super::node_count::NodeCount;
use super::place::threshold;
use super::rounding::to_decimals;
use super::threshold::Best;
use super::{Histogram, Sizes};
use crate::criterion::plain::Plain;
use crate::criterion::sides::SidesSet;
use crate::criterion::{Criterion, Measure, TIE, xlog2};
use crate::data::floats::number;
use crate::data::{CodedColumn, CodedTable, Scale};
use crate::spec::{Count, GrowSpec, MinLeafRule, MissingGain, NominalSplits};
use crate::tree::{Condition, Side, Subsets};

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
    many_values: Vec<bool>,
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
    /// Gains are rounded to so many decimals: those that differ then differ.
    decimals: Option<u32>,
}

/// Otherwise gains are rounded to multiples of this, those of numbers to multiples of this share of themselves, so that
/// equal gains stay equal however their sums were added up.
const QUANTUM: f64 = 1.0 / (1u64 << QUANTUM_BITS) as f64;
const QUANTUM_BITS: u32 = 40;

/// A column with no more values names no rows, and pays nothing.
const FEW_VALUES: u32 = 10;

/// Where a value has as many rows at a node or more, on average, it names none of them.
const ROWS_OF_A_VALUE: f64 = 4.0;

/// Sizes are equal within this tolerance, because shares of rows do not add up to the last digit.
const TOLERANCE: f64 = 1e-9;

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
    fn rounded(&self, gain: f64) -> f64 {
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
    fn plain(&self) -> bool {
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

    /// The rows a numeric split must leave on each side, of so many with a value.
    fn numeric_floor(&self, known: f64) -> f64 {
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

/// How a column would split a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum How {
    /// Between two neighbouring codes; rows without a value on a side.
    Cut { lower: u32, upper: u32, missing: Option<Side> },
    /// Codes to the left and codes to the right; rows without a value on a side.
    Subset { left: Vec<u32>, right: Vec<u32>, missing: Option<Side> },
    /// A branch for every value, and perhaps one for rows without a value.
    Each { missing: bool },
    /// Rows with a value, and rows without.
    Known,
}

/// The best split of one column at one node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub column: u32,
    /// What the split gains.
    pub gain: f64,
    /// What it gains beyond chance, where that is asked for; else the gain.
    pub worth: f64,
    /// What candidates are compared by: the worth, or its ratio to the split information.
    pub score: f64,
    /// Scores that differ by no more than this are equal.
    pub tolerance: f64,
    pub how: How,
    /// Whether the branches are large enough.
    pub admissible: bool,
}

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

    /// Whether the node may be split into a branch for each of so many values.
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

    /// The rows a numeric split must leave on each side, of so many with a value.
    pub(crate) fn numeric_floor(&self, known: f64) -> f64 {
        self.rules.numeric_floor(known)
    }

    /// How many rows have each value of a column.
    pub(crate) fn sizes<'h>(&self, histogram: &'h Histogram) -> Cow<'h, [f64]> {
        match self.rules.sizes {
            Sizes::Shares => Cow::Borrowed(&histogram.sizes),
            Sizes::Weight(unit) => {
                let size = |i: usize| self.rules.measure.weight(histogram.tally(i)) / unit;
                Cow::Owned((0..histogram.len()).map(size).collect())
            }
        }
    }

    /// How many rows have no value, where a split sends them to a branch whole.
    pub(crate) fn missing_size(&self, histogram: &Histogram) -> f64 {
        match self.rules.sizes {
            Sizes::Shares => self.size - histogram.sizes.iter().sum::<f64>(),
            Sizes::Weight(unit) => self.rules.measure.weight(&histogram.missing) / unit,
        }
    }

    /// A search for the best cut that leaves so many rows on each side.
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
        let numeric = matches!(how, How::Cut { .. });
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
        if matches!(how, How::Subset { .. } | How::Each { .. }) && rules.many_values[column] {
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

    /// What a column of so many values gains by chance on so many rows: `(values − 1) / (rows − 1)` of their impurity. By Gini and squared
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

/// Candidates of a node in column order, of which one leads: the one with the largest score, the earlier one among equal ones.
pub(crate) struct Race {
    lead: Option<Candidate>,
    tolerance: f64,
}

impl Race {
    pub(crate) fn new(view: &View) -> Self {
        Self { lead: None, tolerance: view.tolerance() }
    }

    /// The candidate, if it leads now.
    pub(crate) fn offer(&mut self, candidate: Candidate) -> Option<&Candidate> {
        let beats = |lead: &Candidate| candidate.score > lead.score + candidate.tolerance.max(lead.tolerance);
        let leads = self.lead.as_ref().is_none_or(beats);
        leads.then(|| &*self.lead.insert(candidate))
    }

    /// What a candidate must gain at least to lead, where the gain is the score. (A little less: gains are rounded.)
    pub(crate) fn least_gain(&self) -> f64 {
        self.lead.as_ref().map_or(0.0, |lead| lead.worth.max(0.0)) + 0.5 * self.tolerance
    }

    /// The one that leads, whether its branches are large enough or not.
    pub(crate) fn lead(self) -> Option<Candidate> {
        self.lead
    }

    /// The winner.
    pub(crate) fn winner(self) -> Option<Candidate> {
        self.lead.filter(|c| c.admissible)
    }
}

/// The candidates that may win: all, or with C4.5's guards those that gain as much as the average.
pub(crate) fn eligible(view: &View, candidates: Vec<Candidate>) -> Vec<Candidate> {
    if !view.rules.guards {
        return candidates;
    }
    let mean = candidates.iter().map(|c| c.worth).sum::<f64>() / candidates.len() as f64;
    // C4.5 lets a gain pass that is a thousandth of a bit below the average.
    candidates.into_iter().filter(|c| c.worth >= mean - 1e-3).collect()
}

/// The winner among the candidates of a node (in column order).
pub(crate) fn choose(view: &View, candidates: impl IntoIterator<Item = Candidate>) -> Option<Candidate> {
    let mut race = Race::new(view);
    eligible(view, candidates.into_iter().collect()).into_iter().for_each(|c| _ = race.offer(c));
    race.winner()
}

impl How {
    /// The condition that sends rows where the candidate counted them.
    pub(crate) fn condition(&self, column: u32, coded: &CodedColumn, spec: &GrowSpec) -> Condition {
        match self {
            Self::Cut { lower, upper, missing } => {
                let below = match &coded.scale {
                    Scale::Values(values) => threshold(values, values, *lower, *upper, spec),
                    Scale::Bins(bins) => threshold(&bins.last, &bins.first, *lower, *upper, spec),
                    Scale::Floats => threshold(&[number(*lower)], &[number(*upper)], 0, 0, spec),
                    Scale::Cuts(cuts) => cuts[*lower as usize],
                    Scale::Levels(_) | Scale::Ordered(_) => f64::from(*upper),
                };
                Condition::Threshold { attribute: column, below, missing: *missing }
            }
            Self::Subset { left, right, missing } => {
                let subsets = Subsets::new(left.clone(), right.clone());
                Condition::Subset { attribute: column, subsets: Box::new(subsets), missing: *missing }
            }
            Self::Each { missing } => {
                Condition::EachValue { attribute: column, values: coded.cardinality(), missing: *missing }
            }
            Self::Known => Condition::Known { attribute: column },
        }
    }
}
