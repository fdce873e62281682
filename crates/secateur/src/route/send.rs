//! Sending rows down a tree, all rows of a node at once.
//!
//! The rows wait on one pile. The node on top takes its rows off, sorts them by branch ([`Condition::route`]) and puts
//! them back in one heap per child, first child on top. A row without a known value goes to every branch in parts. No
//! memory is taken per row, and nothing recurses.

use crate::data::codes::{Code, each_width};
use crate::data::{CodedColumn, CodedTable};
use crate::tree::{Condition, Node, NodeId};

/// A row, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RowShare {
    pub row: u32,
    pub weight: f64,
}

/// In which proportions a row without a known value is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shares {
    /// By the weights that the children have in the tree, as prediction does.
    OfTree,
    /// By the weight of the rows with a known value that are being sent, as growing does.
    OfRows,
}

/// The branch for "no known value".
const UNKNOWN: u32 = u32::MAX;

/// Sends rows down a tree and shows every node that any of them reach its rows, a node before its children.
pub(crate) fn send(
    nodes: &[Node],
    table: &CodedTable,
    rows: Vec<RowShare>,
    shares: Shares,
    visit: impl FnMut(NodeId, &[RowShare]),
) {
    send_or_keep(nodes, table, rows, shares, None, visit);
}

/// The same; rows without a known value go no further than the node where that is so, but to `apart`, if there is such a list.
pub(crate) fn send_or_keep(
    nodes: &[Node],
    table: &CodedTable,
    rows: Vec<RowShare>,
    shares: Shares,
    mut apart: Option<&mut Vec<RowShare>>,
    mut visit: impl FnMut(NodeId, &[RowShare]),
) {
    let mut pile = rows;
    let mut tasks: Vec<(NodeId, usize)> = Vec::new();
    if !pile.is_empty() {
        tasks.push((0, 0));
    }
    let (mut taken, mut branch, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut share, mut lookup) = (Vec::new(), Vec::new());
    while let Some((id, start)) = tasks.pop() {
        visit(id, &pile[start..]);
        let (Some(condition), Some(first)) = (&nodes[id].condition, nodes[id].first_child) else {
            pile.truncate(start);
            continue;
        };
        let (first, branches) = (first as usize, condition.branches());
        taken.clear();
        taken.extend_from_slice(&pile[start..]);
        route(condition, &table.columns()[condition.attribute()], &taken, &mut lookup, &mut branch);
        counts.clear();
        counts.resize(branches, 0usize);
        let mut unknown = 0;
        for &b in &branch {
            if b == UNKNOWN { unknown += 1 } else { counts[b as usize] += 1 }
        }
        if let Some(apart) = &mut apart
            && unknown > 0
        {
            unknown = 0;
            apart.extend(taken.iter().zip(&branch).filter(|(_, b)| **b == UNKNOWN).map(|(part, _)| *part));
        }
        share.clear();
        if unknown > 0 {
            match shares {
                Shares::OfTree => share.extend(nodes[first..][..branches].iter().map(|n| n.weight)),
                Shares::OfRows => {
                    share.resize(branches, 0.0);
                    for (part, &b) in taken.iter().zip(&branch).filter(|(_, b)| **b != UNKNOWN) {
                        share[b as usize] += part.weight;
                    }
                }
            }
            let mut all = share.iter().sum::<f64>();
            if all <= 0.0 {
                share.fill(1.0);
                all = branches as f64;
            }
            share.iter_mut().for_each(|s| *s /= all);
            for (count, _) in counts.iter_mut().zip(&share).filter(|(_, s)| **s > 0.0) {
                *count += unknown;
            }
        }
        // The last child lies lowest. From here on a count is the place for the child's next row.
        let mut end = start;
        for b in (0..branches).rev() {
            let count = std::mem::replace(&mut counts[b], end);
            if count > 0 {
                tasks.push((first + b, end));
                end += count;
            }
        }
        pile.resize(end, RowShare { row: 0, weight: 0.0 });
        let mut put = |b: usize, part: RowShare| {
            pile[counts[b]] = part;
            counts[b] += 1;
        };
        for (&part, &b) in taken.iter().zip(&branch) {
            if b != UNKNOWN {
                put(b as usize, part);
                continue;
            }
            for (b, s) in share.iter().enumerate().filter(|(_, s)| **s > 0.0) {
                put(b, RowShare { weight: part.weight * s, ..part });
            }
        }
    }
}

/// The branch of every row. [`Condition::route`] is asked once per code where rows outnumber codes, and a threshold is
/// looked for among the codes, which ascend with the values.
fn route(
    condition: &Condition,
    column: &CodedColumn,
    rows: &[RowShare],
    lookup: &mut Vec<u32>,
    branch: &mut Vec<u32>,
) {
    let missing = column.cardinality();
    let ask = |code: u32| condition.route(column.cell(code)).map_or(UNKNOWN, |b| b as u32);
    branch.clear();
    if let (Condition::Threshold { .. }, true) = (condition, column.is_numeric()) {
        let (mut low, mut high) = (0, missing);
        while low < high {
            let middle = low + (high - low) / 2;
            if ask(middle) == 0 { low = middle + 1 } else { high = middle }
        }
        gather(column, rows, branch, |code| if code < missing { u32::from(code >= low) } else { UNKNOWN });
    } else if rows.len() > missing as usize {
        lookup.clear();
        lookup.extend((0..=missing).map(ask));
        gather(column, rows, branch, |code| lookup[code as usize]);
    } else {
        gather(column, rows, branch, ask);
    }
}

fn gather(column: &CodedColumn, rows: &[RowShare], branch: &mut Vec<u32>, of: impl Fn(u32) -> u32) {
    each_width!(&column.codes, list => branch.extend(rows.iter().map(|p| of(list[p.row as usize].wide()))));
}
