//! Held-out rows sent down whole trees: what reaches every node, from which the error of every pruned tree follows.
//!
//! A row that goes several ways at once is judged whole, by the answer that prediction gives it: such rows are not counted but handed
//! over.

use serde::{Deserialize, Serialize};

use super::Add;
use super::ask::{Ask, NodeAnswer, Wanted};
use super::chunk::{Chunk, ChunkTarget};
use super::coding::Coding;
use super::walk::{SharedRow, shared_rows, walk_apart};
use crate::data::codes::{Code, each_width};
use crate::error::{Error, Result};

/// A question about held-out rows: whole trees, each with the tag of its rows ([`Sketch::only`](super::Sketch::only)).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Held {
    /// The trees. Of classes every leaf is asked about; of numbers every node, with a sum.
    pub ask: Ask,
}

/// What some rows say.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HeldAnswer {
    /// Node by node, in the order of the question.
    pub nodes: Vec<NodeAnswer>,
    /// For every tree the rows that go several ways at once, as bytes with their weights.
    pub apart: Vec<Vec<(Vec<u8>, Vec<f64>)>>,
}

/// Sends one chunk after the other down the trees.
pub struct Holder<'a> {
    coding: &'a Coding,
    question: &'a Held,
    answer: HeldAnswer,
}

impl<'a> Holder<'a> {
    /// No rows yet.
    pub fn new(coding: &'a Coding, question: &'a Held) -> Self {
        let node = |wanted: &Wanted| NodeAnswer {
            classes: vec![0.0; if wanted.classes { coding.classes() } else { 0 }],
            sum: wanted.sum.map(|_| Default::default()),
            ..NodeAnswer::default()
        };
        let nodes = question.ask.wanted().map(node).collect();
        let apart = question.ask.trees.iter().map(|_| Vec::new()).collect();
        Self { coding, question, answer: HeldAnswer { nodes, apart } }
    }

    /// Adds the rows of a chunk.
    pub fn add(&mut self, chunk: &Chunk) {
        let mut first = 0;
        let coding = self.coding;
        for (t, tree) in self.question.ask.trees.iter().enumerate() {
            let mut numbers = Vec::with_capacity(tree.nodes.len());
            for node in &tree.nodes {
                numbers.push(first);
                first += usize::from(node.wanted.is_some());
            }
            let rows = shared_rows(chunk, tree);
            let is_parted = tree.has_parts(coding);
            let mut apart: Vec<u32> = Vec::new();
            if is_parted {
                walk_apart(coding, chunk, tree, rows.clone(), &mut apart, |_, _| {});
                apart.sort_unstable();
            }
            let is_whole = |part: &SharedRow| apart.binary_search(&part.row).is_err();
            let (whole, mixed): (Vec<SharedRow>, Vec<SharedRow>) = rows.into_iter().partition(is_whole);
            walk_apart(coding, chunk, tree, whole, &mut Vec::new(), |id, rows| {
                let node = &mut self.answer.nodes[numbers[id]];
                add(node, tree.nodes[id].wanted.unwrap_or_default(), chunk, rows);
            });
            if !mixed.is_empty() {
                let rows: Vec<u32> = mixed.iter().map(|part| part.row).collect();
                let weights = mixed.iter().map(|part| part.weight).collect();
                self.answer.apart[t].push((chunk.gather(&rows).bare_bytes(), weights));
            }
        }
    }

    /// What was seen.
    pub fn finish(self) -> HeldAnswer {
        self.answer
    }
}

/// Adds rows at a node.
fn add(node: &mut NodeAnswer, wanted: Wanted, chunk: &Chunk, rows: &[SharedRow]) {
    node.rows += rows.len() as u64;
    node.weight += rows.iter().map(|part| part.weight).sum::<f64>();
    match &chunk.target {
        ChunkTarget::Classes(codes) if wanted.classes => each_width!(codes, list => {
            for part in rows {
                node.classes[list[part.row as usize].wide() as usize] += part.weight;
            }
        }),
        ChunkTarget::Numbers(list) => {
            if let (Some(sum), Some(terms)) = (&mut node.sum, &wanted.sum) {
                let numbers: Vec<f64> = rows.iter().map(|part| list[part.row as usize]).collect();
                let weights: Vec<f64> = rows.iter().map(|part| part.weight).collect();
                sum.join(&terms.sum(&numbers, Some(&weights)));
            }
        }
        ChunkTarget::Classes(_) => {}
    }
}

impl Add for HeldAnswer {
    fn add(&mut self, other: Self) -> Result<()> {
        if self.nodes.len() != other.nodes.len() || self.apart.len() != other.apart.len() {
            return Err(Error::internal("answers to different questions"));
        }
        self.nodes.iter_mut().zip(other.nodes).try_for_each(|(a, b)| a.add(b))?;
        self.apart.iter_mut().zip(other.apart).for_each(|(a, b)| a.extend(b));
        Ok(())
    }
}
