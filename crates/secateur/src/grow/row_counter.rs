//! A counter over rows in memory.

use std::collections::HashMap;

use super::Counter;
use crate::data::{CodedColumn, CodedTable, CodedTarget};
use crate::error::Result;
use crate::split::moments::{Frame, Span, Terms};
use crate::split::{Histogram, NodeCount, NumberTally, Tally, Targets};
use crate::sums::{ExactSum, Steps};
use crate::tree::Condition;

/// A counter over some rows of a coded table in memory.
pub struct RowCounter<'a> {
    table: &'a CodedTable,
    /// For every live node its rows and their weights.
    nodes: HashMap<u32, Vec<(u32, f64)>>,
    /// What the weights of parts of rows are rounded to.
    steps: Steps,
}

impl<'a> RowCounter<'a> {
    /// Counts the rows in a range of a table.
    pub fn new(table: &'a CodedTable, rows: std::ops::Range<usize>) -> Self {
        let rows = rows.map(|row| (row as u32, table.weight(row))).filter(|(_, w)| *w > 0.0).collect();
        let total = (0..table.rows()).map(|row| table.weight(row)).sum();
        Self { table, nodes: HashMap::from([(0, rows)]), steps: Steps::below(total) }
    }

    /// How much of a row a part of this weight is.
    fn share(&self, &(row, weight): &(u32, f64)) -> f64 {
        weight / self.table.weight(row as usize)
    }

    fn rows(&self, node: u32) -> &[(u32, f64)] {
        self.nodes.get(&node).map_or(&[][..], Vec::as_slice)
    }

    fn count(&self, node: u32) -> NodeCount {
        let rows = self.rows(node);
        let mut tally = Tally::Numbers(NumberTally::default());
        if self.table.classes() > 0 {
            let mut weights = vec![0.0; self.table.classes()];
            let rows = rows.iter().map(|&(row, weight)| (row as usize, weight));
            Targets::from(self.table.target()).add_classes(&mut weights, rows);
            tally = Tally::Classes(weights);
        }
        let size = rows.iter().map(|part| self.share(part)).sum();
        let weight = rows.iter().map(|r| r.1).sum();
        NodeCount { rows: rows.len() as u64, weight, size, tally, sum: 0.0, median: None }
    }

    /// The numbers of a node and their weights.
    fn numbers(&self, node: u32) -> (Vec<f64>, Vec<f64>) {
        let CodedTarget::Numbers { values, .. } = self.table.target() else { return Default::default() };
        self.rows(node).iter().map(|&(row, weight)| (values[row as usize], weight)).unzip()
    }
}

impl Counter for RowCounter<'_> {
    fn root(&mut self) -> Result<NodeCount> {
        Ok(self.count(0))
    }

    fn spans(&mut self, nodes: &[u32]) -> Result<Vec<Span>> {
        let span = |&node: &u32| {
            let (numbers, weights) = self.numbers(node);
            Span::new(&numbers, Some(&weights))
        };
        Ok(nodes.iter().map(span).collect())
    }

    fn sums(&mut self, nodes: &[(u32, Terms)]) -> Result<Vec<ExactSum>> {
        let sum = |&(node, terms): &(u32, Terms)| {
            let (numbers, weights) = self.numbers(node);
            terms.sum(&numbers, Some(&weights))
        };
        Ok(nodes.iter().map(sum).collect())
    }

    fn histograms(&mut self, nodes: &[(u32, Frame)]) -> Result<Vec<Vec<Histogram>>> {
        let size = if self.table.classes() == 0 { 2 } else { self.table.classes() };
        let targets = Targets::from(self.table.target());
        let histogram = |(node, frame): &(u32, Frame), column: &CodedColumn| {
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
                    targets.add(&mut histogram.missing, frame, row as usize, weight);
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
                targets.add(&mut histogram.tallies[last..], frame, row as usize, weight);
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
                        part.push((row, self.steps.round(weight * share)));
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
