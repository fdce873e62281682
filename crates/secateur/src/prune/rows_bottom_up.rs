//! From the bottom up with rows that go several ways at once: what each of them would lose or win if a node became a leaf.
//!
//! All such rows start at the root and are handed down, in parts, to the branches, one branch after the other; on the way back
//! every node knows what its subtree, as pruned so far, says to each of its rows. Together with what the rest of the tree says to
//! a row this gives its answer with the node split and as a leaf. Cost: `O(J)` per row and node on its way; memory
//! for the rows of the nodes on one path from the root.

use crate::data::CodedTable;
use crate::route::Loss;
use crate::route::{Answers, RowShare};
use crate::tree::{NodeId, Tree, share_out};

/// A row at a node: its weight, and loss and rightness of its answer with the node split and as a leaf.
pub(crate) struct Choice {
    pub weight: f64,
    pub split: (f64, bool),
    pub leaf: (f64, bool),
}

/// A part of a row at a node: which row, its share, and its place among the rows of the node above.
#[derive(Clone, Copy)]
struct Share {
    row: u32,
    share: f64,
    above: u32,
}

struct Frame {
    id: NodeId,
    next: usize,
    rows: Vec<Share>,
    /// What the branches say to each of the rows, as far as they are done.
    below: Vec<f64>,
    /// The rows of the branches that are still to come.
    branches: Vec<Vec<Share>>,
}

/// Looks at every split from the bottom up, with the rows that reach it; `becomes_leaf` decides. Returns the cut.
pub(crate) fn rows_bottom_up(
    tree: &Tree,
    table: &CodedTable,
    mixed: &[RowShare],
    mut becomes_leaf: impl FnMut(NodeId, &[Choice]) -> bool,
) -> Vec<bool> {
    let answers = Answers::new(tree, table, Loss::Risk);
    let width = answers.width();
    // What the whole tree, as pruned so far, says to each row.
    let mut said = vec![0.0; mixed.len() * width];
    let mut stack = Vec::new();
    for (part, said) in mixed.iter().zip(said.chunks_exact_mut(width)) {
        answers.walk(part.row, &mut stack, |id, share, ends| {
            if ends {
                answers.add(id, share, said);
            }
        });
    }
    let mut leaf = vec![true; tree.nodes().len()];
    let all = (0..mixed.len() as u32).map(|row| Share { row, share: 1.0, above: row });
    let mut frames = vec![open(&answers, tree, table, mixed, 0, all.collect())];
    let (mut choices, mut answer) = (Vec::new(), vec![0.0; width]);
    while let Some(frame) = frames.last_mut() {
        let children = tree.children(frame.id);
        if let Some(child) = children.clone().nth(frame.next) {
            let rows = frame.branches.get_mut(frame.next).map(std::mem::take).unwrap_or_default();
            frame.next += 1;
            let next = open(&answers, tree, table, mixed, child, rows);
            frames.push(next);
            continue;
        }
        let Some(mut frame) = frames.pop() else { break };
        if !children.is_empty() {
            choices.clear();
            for (own, below) in frame.rows.iter().zip(frame.below.chunks_exact(width)) {
                let part = mixed[own.row as usize];
                let said = &said[own.row as usize * width..][..width];
                for (j, answer) in answer.iter_mut().enumerate() {
                    *answer = (said[j] - below[j]) + own.share * answers.of(frame.id)[j];
                }
                choices.push(Choice {
                    weight: part.weight,
                    split: answers.judge(part.row, said),
                    leaf: answers.judge(part.row, &answer),
                });
            }
            leaf[frame.id] = becomes_leaf(frame.id, &choices);
        }
        if leaf[frame.id] {
            for (own, below) in frame.rows.iter().zip(frame.below.chunks_exact_mut(width)) {
                let said = &mut said[own.row as usize * width..][..width];
                for (j, below) in below.iter_mut().enumerate() {
                    let here = own.share * answers.of(frame.id)[j];
                    if !children.is_empty() {
                        said[j] += here - *below;
                    }
                    *below = here;
                }
            }
        }
        if let Some(above) = frames.last_mut() {
            for (own, below) in frame.rows.iter().zip(frame.below.chunks_exact(width)) {
                let to = &mut above.below[own.above as usize * width..][..width];
                to.iter_mut().zip(below).for_each(|(sum, p)| *sum += p);
            }
        }
    }
    leaf
}

/// A node with its rows, shared out to its branches.
fn open(
    answers: &Answers,
    tree: &Tree,
    table: &CodedTable,
    mixed: &[RowShare],
    id: NodeId,
    rows: Vec<Share>,
) -> Frame {
    let width = answers.width();
    let mut below = vec![0.0; rows.len() * width];
    let mut branches = Vec::new();
    let children = tree.children(id);
    if let Some(condition) = &tree.node(id).condition
        && !rows.is_empty()
    {
        branches = vec![Vec::new(); children.len()];
        let column = &table.columns()[condition.attribute()];
        let shares = || share_out(tree.nodes()[children.clone()].iter().map(|child| child.weight));
        for (above, own) in rows.iter().enumerate() {
            let above = above as u32;
            let code = column.codes.get(mixed[own.row as usize].row as usize);
            if let Some(branch) = condition.route(column.cell(code)) {
                branches[branch].push(Share { above, ..*own });
                continue;
            }
            let mut ends = true;
            for (branch, share) in branches.iter_mut().zip(shares()) {
                let share = own.share * share;
                if share > 0.0 {
                    branch.push(Share { share, above, ..*own });
                    ends = false;
                }
            }
            if ends {
                let to = &mut below[above as usize * width..][..width];
                to.iter_mut().zip(answers.of(id)).for_each(|(sum, p)| *sum = own.share * p);
            }
        }
    }
    Frame { id, next: 0, rows, below, branches }
}
