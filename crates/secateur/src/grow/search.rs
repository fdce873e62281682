//! The best split of a node in memory, column by column.

use std::ops::Range;

use super::block::{Block, BlockColumn, BlockTarget, PARALLEL_CELLS};
use super::engine::BestSplit;
use super::histogram::{histogram, rows};
use super::memory::Shared;
use super::node_histograms::NodeHistograms;
use super::significance::is_significant;
use super::sorted_list::{of_entries, of_packed_rows};
use super::sparse::SparseScratch;
use crate::criterion::sides::SidesSet;
use crate::criterion::{Criterion, Measure};
use crate::split::NodeCount;
use crate::split::absolute::{self, Row};
use crate::split::rounding::{is_admissible, is_moved};
use crate::split::row_counts::{has_rows, rows_of_branches};
use crate::split::{Candidate, Histogram, Race, View};
use crate::split::{choose, column, eligible};
use crate::threads;
use crate::tree::Condition;

/// Working memory of one thread.
pub(super) struct Scratch<'a> {
    pub sides: SidesSet<'a>,
    pub histogram: Histogram,
    pub bins: Vec<f64>,
    pub seen: Vec<bool>,
    pub sizes: Vec<f64>,
    pub keys: Vec<u64>,
    pub rows: Vec<Row>,
    pub sparse: SparseScratch,
}

impl<'a> Scratch<'a> {
    pub(super) fn new(shared: &'a Shared) -> Self {
        Self {
            sides: shared.rules.sides(&shared.logs),
            histogram: Histogram::new(shared.rules.tally_size()),
            bins: Vec::new(),
            seen: Vec::new(),
            sizes: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            sparse: SparseScratch::default(),
        }
    }
}

/// A node to search.
pub(super) struct Node<'n, 'a> {
    pub block: &'n Block<'a>,
    pub segment: Range<usize>,
    pub count: &'n NodeCount,
    /// Its counts, in a block that has them.
    pub histograms: Option<&'n NodeHistograms>,
}

/// The best split of a segment, and where it cuts a sorted list.
pub(super) fn search(
    shared: &Shared,
    node: &Node,
    scratch: &mut Scratch,
    parallel: bool,
) -> Option<(BestSplit, Option<usize>)> {
    let Node { block, segment, count, .. } = node;
    let rules = &shared.rules;
    let sums = [count.weight, count.sum];
    let view = View::new(rules, count, &sums);
    let columns = block.columns.len();
    let rare = rare_candidates(&view, node, scratch, false);
    let best = if rules.guards || is_parallel(node, parallel) {
        choose(&view, candidates(shared, &view, node, &rare, scratch, parallel))
    } else {
        let mut race = Race::new(&view);
        for c in 0..columns {
            let candidate = of_column(&view, node, &rare, c, scratch, race.least_gain());
            let lead = candidate.and_then(|candidate| race.offer(candidate));
            if let Some(lead) = lead.filter(|_| is_listed(&view)) {
                block.foresee(&lead.how, c, segment.start);
            }
        }
        race.winner()
    }?;
    let gain = best.gain;
    let (condition, cut) = settled(shared, &view, node, best, scratch)?;
    Some((BestSplit { condition, gain }, cut))
}

/// The best splits of all columns that a node could be split by, the one with the largest score first.
pub(super) fn rivals(
    shared: &Shared,
    node: &Node,
    scratch: &mut Scratch,
    parallel: bool,
) -> Vec<(Candidate, Condition)> {
    let sums = [node.count.weight, node.count.sum];
    let view = View::new(&shared.rules, node.count, &sums);
    let rare = rare_candidates(&view, node, scratch, true);
    let found = eligible(&view, candidates(shared, &view, node, &rare, scratch, parallel));
    let settle = |c: Candidate| Some((c.clone(), settled(shared, &view, node, c, scratch)?.0));
    let mut found: Vec<_> = found.into_iter().filter(|c| c.admissible).filter_map(settle).collect();
    found.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
    found
}

/// Whether the columns of a node are worth the threads.
fn is_parallel(node: &Node, parallel: bool) -> bool {
    let columns = node.block.columns.len();
    parallel && columns > 1 && node.segment.len() * columns >= PARALLEL_CELLS
}

/// Whether splits are found on sorted lists: the mean absolute deviation is not.
fn is_listed(view: &View) -> bool {
    view.rules.criterion != Criterion::Mae
}

/// The best splits of all columns, in their order.
fn candidates(
    shared: &Shared,
    view: &View,
    node: &Node,
    rare: &[Candidate],
    scratch: &mut Scratch,
    parallel: bool,
) -> Vec<Candidate> {
    let columns = node.block.columns.len();
    let of = |scratch: &mut Scratch, c: usize| of_column(view, node, rare, c, scratch, 0.0);
    if is_parallel(node, parallel) {
        threads::map_with(columns, || Scratch::new(shared), of).into_iter().flatten().collect()
    } else {
        (0..columns).filter_map(|c| of(scratch, c)).collect()
    }
}

/// The best split of one column, which may be among those with rare exceptions.
#[inline]
fn of_column(
    view: &View,
    node: &Node,
    rare: &[Candidate],
    column: usize,
    scratch: &mut Scratch,
    least_gain: f64,
) -> Option<Candidate> {
    match &node.block.sparse {
        Some(sparse) if sparse.has(column) => rare.iter().find(|r| r.column as usize == column).cloned(),
        _ => candidate(view, node, column, scratch, least_gain),
    }
}

/// The condition of a candidate and where it cuts a sorted list, unless what its threshold was rounded to, its rows or the χ² test
/// forbid it.
fn settled(
    shared: &Shared,
    view: &View,
    node: &Node,
    mut best: Candidate,
    scratch: &mut Scratch,
) -> Option<(Condition, Option<usize>)> {
    let (block, segment, rules) = (node.block, &node.segment, view.rules);
    let column = best.column as usize;
    let mut cut =
        is_listed(view).then(|| block.between_codes(&mut best.how, column, segment.start)).flatten();
    let coded = &block.table.columns()[column];
    let condition = best.how.condition(best.column, coded, shared.spec);
    if is_moved(&best.how, &condition, coded) {
        // Rows follow the threshold, not the place it was made from.
        cut = None;
        histogram(view, block, segment.clone(), column, scratch);
        if !rules.count_rows && !is_admissible(view, &condition, coded, &scratch.histogram) {
            return None;
        }
    }
    if rules.count_rows {
        let codes = block.members[segment.clone()].iter().map(|&id| block.code(column, id as usize));
        let branches = rows_of_branches(&condition, codes.map(|code| coded.cell(code)));
        if !has_rows(view, &condition, &branches) {
            return None;
        }
    }
    if let Some(level) = shared.spec.chi2 {
        histogram(view, block, segment.clone(), column, scratch);
        if !is_significant(view, &condition, coded, &scratch.histogram, level) {
            return None;
        }
    }
    Some((condition, cut))
}

/// The best splits of the columns in which exceptions are rare, counted together; unless `all` are wanted, without those that an
/// earlier one beats.
fn rare_candidates(view: &View, node: &Node, scratch: &mut Scratch, all: bool) -> Vec<Candidate> {
    let block = node.block;
    let mut found = Vec::new();
    if let (Some(sparse), BlockTarget::Classes(classes)) = (&block.sparse, &block.target) {
        let Scratch { sides, sparse: working, .. } = scratch;
        let members = &block.members[node.segment.clone()];
        let gini = view.rules.measure == Measure::Gini;
        let cost = view.rules.measure.cost(view.tally);
        // What one of these columns gains, less rounding: a later one that gains no more cannot win.
        let mut most = 0.5 * view.tolerance();
        sparse.count(view.tally, members, classes, working, |exceptions| {
            let worth = |split: f64| all || cost - split > most * view.weight;
            if gini && !exceptions.binary_cost(view.tally).is_none_or(worth) {
                return;
            }
            let (column, histogram) = exceptions.histogram(block.table, view.tally);
            let candidate = from_histogram(view, block, column, histogram, sides);
            if let Some(candidate) = candidate {
                most = most.max(candidate.worth - 0.5 * view.tolerance());
                found.push(candidate);
            }
        });
    }
    found
}

fn from_histogram(
    view: &View,
    block: &Block,
    column: usize,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    column::best(view, column, &block.table.columns()[column], histogram, sides)
}

/// The best split of one column. Where it gains less than `least_gain` it need not be found. Cuts of sorted lists lie between
/// places, not yet between codes.
fn candidate(
    view: &View,
    node: &Node,
    column: usize,
    scratch: &mut Scratch,
    least_gain: f64,
) -> Option<Candidate> {
    let (block, segment) = (node.block, node.segment.clone());
    if let (Some(plan), Some(histograms)) =
        (block.histograms.as_ref().filter(|plan| plan.has(column)), node.histograms)
    {
        plan.fill(histograms, column, block.table, &mut scratch.histogram);
        return from_histogram(view, block, column, &scratch.histogram, &mut scratch.sides);
    }
    let coded = &block.table.columns()[column];
    if view.rules.criterion == Criterion::Mae {
        rows(view, block, segment, column, &mut scratch.rows);
        return absolute::best(view, column, coded, &mut scratch.rows);
    }
    match (&block.columns[column], block.words) {
        (BlockColumn::Ordered(list), Some(layout)) => {
            of_packed_rows(view, block, &list[segment], layout, column, &mut scratch.sides, least_gain)
        }
        (BlockColumn::Sorted(entries), _) => {
            of_entries(view, block, &entries[segment], column, &mut scratch.sides)
        }
        _ => {
            histogram(view, block, segment, column, scratch);
            from_histogram(view, block, column, &scratch.histogram, &mut scratch.sides)
        }
    }
}
