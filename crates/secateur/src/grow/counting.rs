//! Growing from counts alone: the narrow seam for rows that live elsewhere.
//!
//! A [`Counter`] answers one question, the histograms of some nodes, and keeps track of which rows are where. The
//! histograms of several parts of a table add up, so a counter can be a file that is streamed or a cluster whose
//! workers count their own rows: [`Counters`] is that sum.

use std::collections::HashMap;

use super::engine::{BestSplit, Engine};
use super::significance::is_significant;
use crate::criterion::Criterion;
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::spec::{Count, GrowSpec, LeafValue, MissingGain};
use crate::split::moments::{self, Frame, Span, Terms};
use crate::split::rounding::{is_admissible, is_moved};
use crate::split::{Histogram, NodeCount, Rules, Sizes, Tally, View, add_tally, choose, column};
use crate::sums::ExactSum;
use crate::tree::{Condition, share_out};

/// A place that can count its rows. Nodes have numbers that the caller chooses; the root is 0.
pub trait Counter {
    /// The count of all rows, which are at node 0. The tally of numbers is left empty: what it needs is asked for.
    fn root(&mut self) -> Result<NodeCount>;

    /// For numbers: how far those of each of these nodes reach.
    fn spans(&mut self, nodes: &[u32]) -> Result<Vec<Span>>;

    /// For numbers: a sum over the rows of each of these nodes.
    fn sums(&mut self, nodes: &[(u32, Terms)]) -> Result<Vec<ExactSum>>;

    /// For each of these nodes the histogram of every column; numbers are summed in the node's frame.
    fn histograms(&mut self, nodes: &[(u32, Frame)]) -> Result<Vec<Vec<Histogram>>>;

    /// Moves the rows of a node to the children `first..`, as the condition says; rows without a value go to every child,
    /// their weight multiplied by its share. Returns the children's counts, as [`root`](Self::root) does.
    fn split(
        &mut self,
        node: u32,
        condition: &Condition,
        shares: &[f64],
        first: u32,
    ) -> Result<Vec<NodeCount>>;

    /// A node's rows are not asked for again.
    fn release(&mut self, node: u32);
}

/// An engine on top of a counter.
pub struct Counting<'a, C> {
    counter: C,
    table: &'a CodedTable,
    spec: &'a GrowSpec,
    rules: Rules,
    next: u32,
    /// The histograms of nodes that wait to be split, for the columns of their best splits.
    kept: HashMap<u32, Histogram>,
}

impl<'a, C: Counter> Counting<'a, C> {
    /// An engine for a counter. `table` gives the columns' scales; its rows are not read.
    pub fn new(counter: C, table: &'a CodedTable, spec: &'a GrowSpec) -> Result<Self> {
        if spec.criterion == Criterion::Mae || spec.leaf == LeafValue::Median {
            return Err(Error::parameter(
                "medians cannot be computed from counts; use criterion=mse and leaf=mean",
            ));
        }
        if matches!(spec.count, Count::Rows | Count::LeafRows) || spec.missing == MissingGain::Spread {
            return Err(Error::parameter(
                "from counts, rows cannot be told apart and parts of rows not added to the last bit; use count=shares and \
                 missing=known",
            ));
        }
        let sizes = if spec.count == Count::Weight { Sizes::Weight(1.0) } else { Sizes::Shares };
        let rules = Rules::new(spec, table, sizes);
        Ok(Self { counter, table, spec, rules, next: 1, kept: HashMap::new() })
    }

    /// Fills in the tallies of numbers.
    fn completed(&mut self, nodes: &[u32], mut counts: Vec<NodeCount>) -> Result<Vec<NodeCount>> {
        if self.table.classes() == 0 {
            let spans = self.counter.spans(nodes)?;
            for ((&node, count), span) in nodes.iter().zip(&mut counts).zip(spans) {
                let sum =
                    |terms| Ok(self.counter.sums(&[(node, terms)])?.first().copied().unwrap_or_default());
                count.tally = Tally::Numbers(moments::tally_of(&span, count.weight, sum)?);
            }
        }
        Ok(counts)
    }
}

impl<C: Counter> Engine for Counting<'_, C> {
    type Rows = u32;

    fn unit(&self) -> f64 {
        self.table.unit()
    }

    fn root(&mut self) -> Result<(u32, NodeCount)> {
        let root = self.counter.root()?;
        let root = self.completed(&[0], vec![root])?.pop();
        root.map(|count| (0, count)).ok_or_else(|| Error::parameter("there is nothing to count"))
    }

    fn search(&mut self, nodes: &[(&u32, &NodeCount)]) -> Result<Vec<Option<BestSplit>>> {
        let numbers = self.table.classes() == 0;
        let frame = |count: &NodeCount| if numbers { count.frame() } else { Frame::default() };
        let asked: Vec<(u32, Frame)> = nodes.iter().map(|(node, count)| (**node, frame(count))).collect();
        let counted = self.counter.histograms(&asked)?;
        let mut answers = Vec::with_capacity(nodes.len());
        for ((node, count), histograms) in nodes.iter().zip(counted) {
            let best = best_from_histograms(&self.rules, self.table, self.spec, count, histograms);
            answers.push(best.map(|(best, histogram)| {
                self.kept.insert(**node, histogram);
                best
            }));
        }
        Ok(answers)
    }

    fn split(&mut self, node: u32, condition: &Condition) -> Result<Vec<(u32, NodeCount)>> {
        let column = &self.table.columns()[condition.attribute()];
        let mut known = vec![0.0; condition.branches()];
        if let Some(histogram) = self.kept.remove(&node) {
            for (i, &code) in histogram.codes.iter().enumerate() {
                if let Some(branch) = condition.route(column.cell(code)) {
                    known[branch] += self.rules.measure.weight(histogram.tally(i));
                }
            }
        }
        let shares: Vec<f64> = share_out(known.iter().copied()).collect();
        let first = self.next;
        self.next += shares.len() as u32;
        let counts = self.counter.split(node, condition, &shares, first)?;
        let children: Vec<u32> = (first..self.next).collect();
        let counts = self.completed(&children, counts)?;
        Ok(children.into_iter().zip(counts).collect())
    }

    fn release(&mut self, node: u32) {
        self.kept.remove(&node);
        self.counter.release(node);
    }
}

/// The best split of a node from the histograms of its columns, and that of the column it tests.
pub(super) fn best_from_histograms(
    rules: &Rules,
    table: &CodedTable,
    spec: &GrowSpec,
    count: &NodeCount,
    mut histograms: Vec<Histogram>,
) -> Option<(BestSplit, Histogram)> {
    let numbers = table.classes() == 0;
    // Rows with a value and without one are all rows, in any column.
    let sum = histograms.first().filter(|_| numbers).map_or(0.0, Histogram::sum_of_numbers);
    let sums = [count.weight, sum];
    // Where weight is counted, the node's rows say nothing.
    let size = if spec.count == Count::Weight { count.weight } else { count.size };
    let view = View { size, ..View::new(rules, count, &sums) };
    let (columns, mut sides) = (table.columns(), rules.sides(&[]));
    let candidates = histograms
        .iter()
        .enumerate()
        .filter_map(|(c, histogram)| column::best(&view, c, &columns[c], histogram, &mut sides));
    let best = choose(&view, candidates)?;
    let column = best.column as usize;
    let condition = best.how.condition(best.column, &columns[column], spec);
    let histogram = histograms.swap_remove(column);
    if is_moved(&best.how, &condition, &columns[column])
        && !is_admissible(&view, &condition, &columns[column], &histogram)
    {
        return None;
    }
    let passes = |level| is_significant(&view, &condition, &columns[column], &histogram, level);
    if !spec.chi2.is_none_or(passes) {
        return None;
    }
    Some((BestSplit { condition, gain: best.gain }, histogram))
}

/// Several counters as one: their answers are added up.
pub struct Counters<C>(
    /// The counters of the parts.
    pub Vec<C>,
);

fn add_counts(sum: Option<NodeCount>, part: NodeCount) -> Option<NodeCount> {
    Some(match sum {
        None => part,
        Some(mut sum) => {
            sum.rows += part.rows;
            sum.weight += part.weight;
            sum.size += part.size;
            // Numbers are asked for when all parts are counted.
            if let Tally::Classes(weights) = &mut sum.tally {
                add_tally(weights, part.tally.class_weights());
            }
            sum
        }
    })
}

/// Answers of the parts, joined node by node.
fn joined<C, A>(
    parts: &mut [C],
    ask: impl FnMut(&mut C) -> Result<Vec<A>>,
    join: impl Fn(&mut A, &A),
) -> Result<Vec<A>> {
    let mut answers = parts.iter_mut().map(ask).collect::<Result<Vec<_>>>()?.into_iter();
    let mut sum = answers.next().unwrap_or_default();
    for answer in answers {
        sum.iter_mut().zip(&answer).for_each(|(sum, part)| join(sum, part));
    }
    Ok(sum)
}

impl<C: Counter> Counter for Counters<C> {
    fn root(&mut self) -> Result<NodeCount> {
        let counts = self.0.iter_mut().map(Counter::root).collect::<Result<Vec<_>>>()?;
        counts.into_iter().fold(None, add_counts).ok_or_else(|| Error::parameter("there is no part to count"))
    }

    fn spans(&mut self, nodes: &[u32]) -> Result<Vec<Span>> {
        joined(&mut self.0, |part| part.spans(nodes), Span::join)
    }

    fn sums(&mut self, nodes: &[(u32, Terms)]) -> Result<Vec<ExactSum>> {
        joined(&mut self.0, |part| part.sums(nodes), ExactSum::join)
    }

    fn histograms(&mut self, nodes: &[(u32, Frame)]) -> Result<Vec<Vec<Histogram>>> {
        let mut sum: Option<Vec<Vec<Histogram>>> = None;
        for part in &mut self.0 {
            let answer = part.histograms(nodes)?;
            match &mut sum {
                None => sum = Some(answer),
                Some(sum) => {
                    for (mine, theirs) in sum.iter_mut().flatten().zip(answer.iter().flatten()) {
                        mine.add(theirs);
                    }
                }
            }
        }
        Ok(sum.unwrap_or_default())
    }

    fn split(
        &mut self,
        node: u32,
        condition: &Condition,
        shares: &[f64],
        first: u32,
    ) -> Result<Vec<NodeCount>> {
        let mut sums: Vec<Option<NodeCount>> = vec![None; shares.len()];
        for part in &mut self.0 {
            for (sum, count) in sums.iter_mut().zip(part.split(node, condition, shares, first)?) {
                *sum = add_counts(sum.take(), count);
            }
        }
        Ok(sums.into_iter().flatten().collect())
    }

    fn release(&mut self, node: u32) {
        for part in &mut self.0 {
            part.release(node);
        }
    }
}
