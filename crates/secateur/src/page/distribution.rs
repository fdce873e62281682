//! How the target's numbers are distributed at the heaviest nodes.

use serde::Serialize;

use super::number::{Number, rough, steps};
use super::rivals::heaviest;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::route::{Shares, rows_for, send};
use crate::tree::Tree;

/// Nodes that are shown, and the bars of each.
const NODES: usize = 2_000;
const BARS: usize = 16;

/// Histograms with the same intervals at every node.
#[derive(Debug, Serialize)]
pub(super) struct Distribution {
    /// Where the intervals begin and end.
    low: Number,
    high: Number,
    bars: usize,
    /// The nodes, ascending, each as its distance from the one before.
    nodes: Vec<i64>,
    /// The weight in every interval, node after node.
    weights: Vec<Number>,
}

impl Distribution {
    /// Of the rows a tree was grown from; `None` for classes.
    pub(super) fn of(tree: &Tree, table: &CodedTable, weights: Option<&[f64]>) -> Result<Option<Self>> {
        let CodedTarget::Numbers { values, unit } = table.target() else { return Ok(None) };
        let rows = rows_for(tree, table, weights)?;
        let numbers = || rows.iter().map(|part| values[part.row as usize] / unit);
        let (low, high) =
            numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        let nodes = heaviest(tree, (0..tree.nodes().len()).collect(), NODES);
        let mut place = vec![None; tree.nodes().len()];
        nodes.iter().enumerate().for_each(|(i, &id)| place[id] = Some(i));
        let bar = |y: f64| {
            // Halves, so that the width of the widest range is a number.
            let share = (y / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
            if share.is_nan() { 0 } else { ((share * BARS as f64) as usize).min(BARS - 1) }
        };
        let mut weights = vec![0.0; nodes.len() * BARS];
        send(tree.nodes(), table, rows.clone(), Shares::OfTree, |arrived| {
            let Some(place) = place[arrived.node] else { return };
            for part in arrived.rows {
                weights[place * BARS + bar(values[part.row as usize] / unit)] += part.weight;
            }
        });
        let (low, high) = (Number(low), Number(high));
        Ok(Some(Self { low, high, bars: BARS, nodes: steps(nodes), weights: rough(weights) }))
    }
}
