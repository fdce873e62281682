//! What is asked about the nodes of trees in the making, and what is answered.

use serde::{Deserialize, Serialize};

use super::Add;
use super::coding::Coding;
use super::count::Counts;
use crate::error::{Error, Result};
use crate::split::moments::{Frame, Span, Terms};
use crate::sums::{ExactSum, Steps};

/// The branch of a row without a known value.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// A question about nodes of some trees.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ask {
    /// The trees, as far as rows have to be sent down.
    pub trees: Vec<Sketch>,
}

/// A tree so far: only what lies on the way to nodes that are asked about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Sketch {
    /// Which rows take part: those that do not have this tag; or all.
    pub without: Option<u8>,
    /// Only the rows with this tag take part.
    pub only: Option<u8>,
    /// What the weights, and the shares, of parts of rows are rounded to.
    pub steps: (Steps, Steps),
    /// The nodes, children behind their parents; the root is the first.
    pub nodes: Vec<SketchNode>,
}

/// A node of a sketch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SketchNode {
    /// Where its rows go on to; where that is nothing, they go no further.
    pub split: Option<SketchSplit>,
    /// What is asked about it.
    pub wanted: Option<Wanted>,
}

/// How rows are sent on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SketchSplit {
    /// The column that is tested.
    pub column: u32,
    /// The branches of its codes.
    pub branching: Branching,
    /// The node of the first branch; the others follow.
    pub first_child: u32,
    /// The share of every branch in a row without a known value.
    pub shares: Vec<f64>,
}

/// The branches of the codes of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Branching {
    /// Codes below this go to the first of two branches.
    Below(u32),
    /// The branch of every code; the largest number for one that has none.
    Codes(Vec<u32>),
}

/// What is asked about a node; its rows and their weights are always answered.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// For numbers: how far they reach.
    pub span: bool,
    /// For numbers: a sum over the rows.
    pub sum: Option<Terms>,
    /// The histogram of every column; numbers are summed in this frame.
    pub histograms: Option<Frame>,
    /// The weight of every class.
    pub classes: bool,
}

/// What some rows say: for every node that is asked about, in the order of the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Node by node.
    pub nodes: Vec<NodeAnswer>,
    /// The histograms, one after the other.
    pub counts: Counts,
}

/// What is answered about a node beside its histograms.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NodeAnswer {
    /// Its rows, in whole or in part.
    pub rows: u64,
    /// Their weight.
    pub weight: f64,
    /// How many whole rows they are together.
    pub size: f64,
    /// The weight of every class, where it is asked for.
    pub classes: Vec<f64>,
    /// How far numbers reach, where it is asked for.
    pub span: Option<Span>,
    /// A sum of numbers, where it is asked for.
    pub sum: Option<ExactSum>,
}

impl Ask {
    /// What is wanted, in the order of the answers.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &Wanted> {
        self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| node.wanted.as_ref())
    }

    /// The number of nodes whose histograms are wanted.
    pub(super) fn histograms(&self) -> usize {
        self.wanted().filter(|wanted| wanted.histograms.is_some()).count()
    }

    /// Which columns have to be read for an answer.
    pub(crate) fn columns(&self, coding: &Coding) -> Vec<bool> {
        let mut needed = vec![self.histograms() > 0; coding.width()];
        for split in self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| node.split.as_ref()) {
            needed[split.column as usize] = true;
        }
        needed
    }

    /// Whether rows can come to nodes in parts.
    pub(super) fn has_parts(&self, coding: &Coding) -> bool {
        self.trees.iter().any(|tree| tree.has_parts(coding))
    }
}

impl Sketch {
    /// Whether rows can come to nodes in parts: those without a value, and held-out rows with one that is not known there.
    pub(crate) fn has_parts(&self, coding: &Coding) -> bool {
        let splits = self.nodes.iter().filter_map(|node| node.split.as_ref());
        let unknown = |split: &SketchSplit| match &split.branching {
            Branching::Below(_) => false,
            Branching::Codes(codes) => {
                self.only.is_some() && codes.iter().rev().skip(1).any(|b| *b == UNKNOWN)
            }
        };
        let is_shared = |split: &SketchSplit| match &split.branching {
            Branching::Below(_) => true,
            Branching::Codes(codes) => codes.last() == Some(&UNKNOWN),
        };
        splits
            .into_iter()
            .any(|split| coding.has_missing(split.column as usize) && is_shared(split) || unknown(split))
    }
}

impl Add for NodeAnswer {
    fn add(&mut self, other: Self) -> Result<()> {
        self.rows += other.rows;
        self.weight += other.weight;
        self.size += other.size;
        self.classes.iter_mut().zip(&other.classes).for_each(|(a, b)| *a += b);
        if let (Some(mine), Some(more)) = (&mut self.span, &other.span) {
            mine.join(more);
        }
        if let (Some(mine), Some(more)) = (&mut self.sum, &other.sum) {
            mine.join(more);
        }
        Ok(())
    }
}

impl Add for Answer {
    fn add(&mut self, other: Self) -> Result<()> {
        if self.nodes.len() != other.nodes.len() {
            return Err(Error::internal("answers to different questions"));
        }
        self.nodes.iter_mut().zip(other.nodes).try_for_each(|(a, b)| a.add(b))?;
        self.counts.add(other.counts)
    }
}
