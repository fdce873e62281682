//! Growing from counts alone: the narrow seam for rows that live elsewhere.
//!
//! A [`Counter`] answers one question, the histograms of some nodes, and keeps track of which rows are where. The
//! histograms of several parts of a table add up, so a counter can be a file that is streamed or a cluster whose
//! workers count their own rows: [`Parts`] is that sum.

use std::collections::HashMap;

use super::engine::{Engine, Found, NodeCount};
use super::significance::is_significant;
use super::{Count, GrowSpec, LeafValue, MissingGain};
use crate::criterion::Criterion;
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::split::rounding::{is_admissible, is_moved};
use crate::split::{Histogram, Rules, Sizes, View, choose, column};
use crate::tree::Condition;

/// A place that can count its rows. Nodes have numbers that the caller chooses; the root is 0.
pub trait Counter {
    /// The count of all rows, which are at node 0.
    fn root(&mut self) -> Result<NodeCount>;

    /// For each of these nodes the histogram of every column.
    fn histograms(&mut self, nodes: &[u32]) -> Result<Vec<Vec<Histogram>>>;

    /// Moves the rows of a node to the children `first..`, as the condition says; rows without a value go to every child,
    /// their weight multiplied by its share. Returns the children's counts.
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
    /// An engine for a counter. `table` tells the columns' scales; its rows are not read.
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
}

impl<C: Counter> Engine for Counting<'_, C> {
    type Rows = u32;

    fn root(&mut self) -> Result<(u32, NodeCount)> {
        Ok((0, self.counter.root()?))
    }

    fn search(&mut self, nodes: &[(&u32, &NodeCount)]) -> Result<Vec<Option<Found>>> {
        let numbers: Vec<u32> = nodes.iter().map(|(node, _)| **node).collect();
        let counted = self.counter.histograms(&numbers)?;
        let mut sides = self.rules.sides(&[]);
        let mut answers = Vec::with_capacity(nodes.len());
        for ((node, count), mut histograms) in nodes.iter().zip(counted) {
            // Where weight is counted, the node's rows say nothing.
            let size = if self.spec.count == Count::Weight { count.weight } else { count.size };
            let view = View { rules: &self.rules, tally: &count.tally, weight: count.weight, size };
            let columns = self.table.columns();
            let candidates = histograms
                .iter()
                .enumerate()
                .filter_map(|(c, histogram)| column::best(&view, c, &columns[c], histogram, &mut sides));
            let best = choose(&view, candidates);
            answers.push(best.and_then(|best| {
                let column = best.column as usize;
                let condition = best.how.condition(best.column, &columns[column], self.spec);
                let histogram = histograms.swap_remove(column);
                if is_moved(&best.how, &condition, &columns[column])
                    && !is_admissible(&view, &condition, &columns[column], &histogram)
                {
                    return None;
                }
                let passes = |level| is_significant(&view, &condition, &columns[column], &histogram, level);
                if !self.spec.chi2.is_none_or(passes) {
                    return None;
                }
                self.kept.insert(**node, histogram);
                Some(Found { condition, gain: best.gain })
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
        let total: f64 = known.iter().sum();
        let shares: Vec<f64> = known.iter().map(|k| k / total).collect();
        let first = self.next;
        self.next += shares.len() as u32;
        let counts = self.counter.split(node, condition, &shares, first)?;
        Ok((first..).zip(counts).collect())
    }

    fn release(&mut self, node: u32) {
        self.kept.remove(&node);
        self.counter.release(node);
    }
}

/// A counter over some rows of a coded table in memory.
pub struct RowCounter<'a> {
    table: &'a CodedTable,
    /// For every live node its rows and their weights.
    nodes: HashMap<u32, Vec<(u32, f64)>>,
}

impl<'a> RowCounter<'a> {
    /// Counts the rows in a range of a table.
    pub fn new(table: &'a CodedTable, rows: std::ops::Range<usize>) -> Self {
        let rows = rows.map(|row| (row as u32, table.weight(row))).filter(|(_, w)| *w > 0.0).collect();
        Self { table, nodes: HashMap::from([(0, rows)]) }
    }

    /// How much of a row a part of this weight is.
    fn share(&self, &(row, weight): &(u32, f64)) -> f64 {
        weight / self.table.weight(row as usize)
    }

    fn tally_size(&self) -> usize {
        if self.table.classes() == 0 { 3 } else { self.table.classes() }
    }

    fn put(&self, tally: &mut [f64], row: usize, weight: f64) {
        match self.table.target() {
            CodedTarget::Classes { codes, .. } => tally[codes[row] as usize] += weight,
            CodedTarget::Numbers { values, .. } => {
                tally[0] += weight;
                tally[1] += weight * values[row];
                tally[2] += weight * values[row] * values[row];
            }
        }
    }

    fn count(&self, node: u32) -> NodeCount {
        let rows = self.nodes.get(&node).map_or(&[][..], Vec::as_slice);
        let mut tally = vec![0.0; self.tally_size()];
        for &(row, weight) in rows {
            self.put(&mut tally, row as usize, weight);
        }
        let size = rows.iter().map(|part| self.share(part)).sum();
        let weight = rows.iter().map(|r| r.1).sum();
        NodeCount { rows: rows.len() as u64, weight, size, tally, median: None }
    }
}

impl Counter for RowCounter<'_> {
    fn root(&mut self) -> Result<NodeCount> {
        Ok(self.count(0))
    }

    fn histograms(&mut self, nodes: &[u32]) -> Result<Vec<Vec<Histogram>>> {
        let size = self.tally_size();
        let histogram = |node: &u32, column: &crate::data::CodedColumn| {
            let mut keys: Vec<(u32, u32, f64)> = self
                .nodes
                .get(node)
                .into_iter()
                .flatten()
                .map(|&(r, w)| (column.codes.get(r as usize), r, w))
                .collect();
            keys.sort_by_key(|k| (k.0, k.1));
            let mut histogram = Histogram::new(size);
            for (code, row, weight) in keys {
                if code == column.cardinality() {
                    self.put(&mut histogram.missing, row as usize, weight);
                    continue;
                }
                if histogram.codes.last() != Some(&code) {
                    histogram.codes.push(code);
                    histogram.tallies.resize(histogram.codes.len() * size, 0.0);
                    histogram.sizes.push(0.0);
                }
                if let Some(rows) = histogram.sizes.last_mut() {
                    *rows += self.share(&(row, weight));
                }
                let last = histogram.tallies.len() - size;
                self.put(&mut histogram.tallies[last..], row as usize, weight);
            }
            histogram
        };
        Ok(nodes
            .iter()
            .map(|node| self.table.columns().iter().map(|column| histogram(node, column)).collect())
            .collect())
    }

    fn split(
        &mut self,
        node: u32,
        condition: &Condition,
        shares: &[f64],
        first: u32,
    ) -> Result<Vec<NodeCount>> {
        let column = &self.table.columns()[condition.attribute()];
        let mut parts = vec![Vec::new(); shares.len()];
        for (row, weight) in self.nodes.remove(&node).unwrap_or_default() {
            match condition.route(column.cell(column.codes.get(row as usize))) {
                Some(branch) => parts[branch].push((row, weight)),
                None => {
                    for (part, share) in parts.iter_mut().zip(shares).filter(|(_, s)| **s > 0.0) {
                        part.push((row, weight * share));
                    }
                }
            }
        }
        for (child, part) in (first..).zip(parts) {
            self.nodes.insert(child, part);
        }
        Ok((first..).take(shares.len()).map(|child| self.count(child)).collect())
    }

    fn release(&mut self, node: u32) {
        self.nodes.remove(&node);
    }
}

/// Several counters as one: their answers are added up.
pub struct Parts<C>(
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
            crate::split::add_tally(&mut sum.tally, &part.tally);
            sum
        }
    })
}

impl<C: Counter> Counter for Parts<C> {
    fn root(&mut self) -> Result<NodeCount> {
        let counts = self.0.iter_mut().map(Counter::root).collect::<Result<Vec<_>>>()?;
        counts.into_iter().fold(None, add_counts).ok_or_else(|| Error::parameter("there is no part to count"))
    }

    fn histograms(&mut self, nodes: &[u32]) -> Result<Vec<Vec<Histogram>>> {
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
