//! Sending rows down a tree, all rows of a node at once.
//!
//! The rows wait on one pile. The node on top takes its rows off, sorts them by branch ([`Condition::route`]) and puts
//! them back in one heap per child, first child on top. A row without a known value goes to every branch in parts
//! ([`share_out`]); where no branch has weight it ends at the node. No memory is taken per row, and nothing recurses.

use crate::data::codes::{Code, each_width};
use crate::data::{CodedColumn, CodedTable};
use crate::tree::{Condition, Node, NodeId, share_out};

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

/// What comes to a node.
#[derive(Clone, Copy)]
pub(crate) struct Arrived<'a> {
    pub node: NodeId,
    /// All rows that reach it, in whole or in part.
    pub rows: &'a [RowShare],
    /// Those whose way ends there: at a leaf all of them, at a split those without a known value when no branch has weight.
    pub ended: &'a [RowShare],
}

/// Sends rows down a tree and shows every node that any of them reach its rows, a node before its children.
pub(crate) fn send(
    nodes: &[Node],
    table: &CodedTable,
    rows: Vec<RowShare>,
    shares: Shares,
    visit: impl FnMut(Arrived),
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
    mut visit: impl FnMut(Arrived),
) {
    let mut pile = rows;
    let mut tasks: Vec<(NodeId, usize)> = Vec::new();
    if !pile.is_empty() {
        tasks.push((0, 0));
    }
    let (mut taken, mut branch, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut share, mut lookup, mut ended) = (Vec::new(), Vec::new(), Vec::new());
    while let Some((id, start)) = tasks.pop() {
        let (Some(condition), Some(first)) = (&nodes[id].condition, nodes[id].first_child) else {
            let rows = &pile[start..];
            visit(Arrived { node: id, rows, ended: rows });
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
        share.clear();
        ended.clear();
        let without = || taken.iter().zip(&branch).filter(|(_, b)| **b == UNKNOWN).map(|(part, _)| *part);
        if let Some(apart) = &mut apart {
            apart.extend(without());
        } else if unknown > 0 {
            match shares {
                Shares::OfTree => {
                    share.extend(share_out(nodes[first..][..branches].iter().map(|n| n.weight)))
                }
                Shares::OfRows => {
                    share.extend(share_out(known_weights(&taken, &branch, branches).iter().copied()))
                }
            }
            for (count, _) in counts.iter_mut().zip(&share).filter(|(_, s)| **s > 0.0) {
                *count += unknown;
            }
            if share.iter().all(|s| *s == 0.0) {
                ended.extend(without());
            }
        }
        visit(Arrived { node: id, rows: &taken, ended: &ended });
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
        deal(&taken, &branch, &share, &mut pile, &mut counts);
    }
}

/// Puts rows where their branches lie on the pile; `places` says where the next row of every branch comes.
fn deal(rows: &[RowShare], branch: &[u32], shares: &[f64], pile: &mut [RowShare], places: &mut [usize]) {
    let mut put = |b: usize, part: RowShare| {
        pile[places[b]] = part;
        places[b] += 1;
    };
    for (&part, &b) in rows.iter().zip(branch) {
        if b != UNKNOWN {
            put(b as usize, part);
            continue;
        }
        for (b, s) in shares.iter().enumerate().filter(|(_, s)| **s > 0.0) {
            put(b, RowShare { weight: part.weight * s, ..part });
        }
    }
}

/// The weight of the rows of every branch that have a known value.
fn known_weights(rows: &[RowShare], branch: &[u32], branches: usize) -> Vec<f64> {
    let mut known = vec![0.0; branches];
    for (part, &b) in rows.iter().zip(branch).filter(|(_, b)| **b != UNKNOWN) {
        known[b as usize] += part.weight;
    }
    known
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
        let (low, otherwise) = (condition.codes_below(column), ask(missing));
        gather(column, rows, branch, |code| if code < missing { u32::from(code >= low) } else { otherwise });
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
