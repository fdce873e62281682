//! Rows of a chunk sent down a sketch, all rows of a node at once.

use super::ask::{Branching, Sketch, SketchSplit, UNKNOWN};
use super::chunk::Chunk;
use super::coding::Coding;
use crate::data::Codes;
use crate::data::codes::{Code, each_width};
use crate::sums::Steps;

/// A row at a node: a whole one, or a part.
pub(super) trait AtNode: Copy {
    fn row(self) -> usize;
    fn weight(self) -> f64;
    fn share(self) -> f64;
    /// The part of it that a branch with this share gets.
    fn part(self, share: f64, steps: (Steps, Steps)) -> Self;
}

/// Whole rows of weight one.
impl AtNode for u32 {
    #[inline(always)]
    fn row(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn weight(self) -> f64 {
        1.0
    }

    #[inline(always)]
    fn share(self) -> f64 {
        1.0
    }

    fn part(self, _: f64, _: (Steps, Steps)) -> Self {
        self
    }
}

/// A row with its weight and how much of the row that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SharedRow {
    pub row: u32,
    pub weight: f64,
    pub share: f64,
}

impl AtNode for SharedRow {
    #[inline(always)]
    fn row(self) -> usize {
        self.row as usize
    }

    #[inline(always)]
    fn weight(self) -> f64 {
        self.weight
    }

    #[inline(always)]
    fn share(self) -> f64 {
        self.share
    }

    fn part(self, share: f64, (weights, shares): (Steps, Steps)) -> Self {
        Self {
            row: self.row,
            weight: weights.round(self.weight * share),
            share: shares.round(self.share * share),
        }
    }
}

/// The rows of a chunk that take part in a tree.
pub(super) fn rows_of(chunk: &Chunk, tree: &Sketch) -> Vec<u32> {
    let rows = 0..chunk.rows() as u32;
    match (&chunk.tags, tree.without, tree.only) {
        (Some(tags), Some(out), _) => rows.filter(|&row| tags[row as usize] != out).collect(),
        (Some(tags), None, Some(only)) => rows.filter(|&row| tags[row as usize] == only).collect(),
        _ => rows.collect(),
    }
}

/// The same with their weights.
pub(super) fn shared_rows(chunk: &Chunk, tree: &Sketch) -> Vec<SharedRow> {
    let weight = |row: u32| chunk.weights.as_ref().map_or(1.0, |weights| weights[row as usize]);
    rows_of(chunk, tree).into_iter().map(|row| SharedRow { row, weight: weight(row), share: 1.0 }).collect()
}

/// Sends rows down a sketch; `visit` is called for every node that is asked about.
pub(super) fn walk<R: AtNode>(
    coding: &Coding,
    chunk: &Chunk,
    tree: &Sketch,
    rows: Vec<R>,
    visit: impl FnMut(usize, &[R]),
) {
    send(coding, chunk, tree, rows, None, visit);
}

/// The same; rows without a known value go no further than the node where that is so, and are reported.
pub(super) fn walk_apart<R: AtNode>(
    coding: &Coding,
    chunk: &Chunk,
    tree: &Sketch,
    rows: Vec<R>,
    apart: &mut Vec<u32>,
    visit: impl FnMut(usize, &[R]),
) {
    send(coding, chunk, tree, rows, Some(apart), visit);
}

fn send<R: AtNode>(
    coding: &Coding,
    chunk: &Chunk,
    tree: &Sketch,
    rows: Vec<R>,
    mut apart: Option<&mut Vec<u32>>,
    mut visit: impl FnMut(usize, &[R]),
) {
    let steps = tree.steps;
    let mut pile = rows;
    let mut tasks = vec![(0usize, 0usize)];
    let (mut taken, mut branch, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    while let Some((id, start)) = tasks.pop() {
        let Some(node) = tree.nodes.get(id) else { continue };
        if node.wanted.is_some() && start < pile.len() {
            visit(id, &pile[start..]);
        }
        let Some(split) = node.split.as_ref().filter(|_| start < pile.len()) else {
            pile.truncate(start);
            continue;
        };
        taken.clear();
        taken.extend_from_slice(&pile[start..]);
        branches(split, &chunk.columns[split.column as usize], coding, &taken, &mut branch);
        counts.clear();
        counts.resize(split.shares.len(), 0usize);
        let mut unknown = 0;
        for &b in &branch {
            if b == UNKNOWN { unknown += 1 } else { counts[b as usize] += 1 }
        }
        if let Some(apart) = &mut apart {
            let without = taken.iter().zip(&branch).filter(|(_, b)| **b == UNKNOWN);
            apart.extend(without.map(|(row, _)| row.row() as u32));
        } else if unknown > 0 {
            let shared = counts.iter_mut().zip(&split.shares).filter(|(_, share)| **share > 0.0);
            shared.for_each(|(count, _)| *count += unknown);
        }
        // The last child lies lowest; from here on a count is the place for the child's next row.
        let mut end = start;
        for b in (0..counts.len()).rev() {
            let count = std::mem::replace(&mut counts[b], end);
            tasks.push((split.first_child as usize + b, end));
            end += count;
        }
        if let Some(&any) = taken.first() {
            pile.resize(end, any);
        }
        let mut put = |b: usize, row: R| {
            pile[counts[b]] = row;
            counts[b] += 1;
        };
        for (&row, &b) in taken.iter().zip(&branch) {
            if b != UNKNOWN {
                put(b as usize, row);
                continue;
            }
            if apart.is_some() {
                continue;
            }
            for (b, &share) in split.shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                put(b, row.part(share, steps));
            }
        }
    }
}

/// The branch of every row.
fn branches<R: AtNode>(split: &SketchSplit, codes: &Codes, coding: &Coding, rows: &[R], out: &mut Vec<u32>) {
    out.clear();
    let missing = coding.cardinality(split.column as usize);
    each_width!(codes, list => match &split.branching {
        Branching::Below(below) => {
            let branch = |row: &R| {
                let code = list[row.row()].wide();
                if code == missing { UNKNOWN } else { u32::from(code >= *below) }
            };
            out.extend(rows.iter().map(branch));
        }
        Branching::Codes(of) => {
            let branch = |row: &R| of.get(list[row.row()].wide() as usize).copied().unwrap_or(UNKNOWN);
            out.extend(rows.iter().map(branch));
        }
    });
}
