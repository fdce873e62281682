//! Taking the rows of some nodes.

use serde::{Deserialize, Serialize};

use super::Message;
use super::ask::Ask;
use super::chunk::Chunk;
use super::coding::Coding;
use super::walk::{rows_of, shared_rows, walk};
use crate::error::{Error, Result};

/// The rows of one node, in whole or in part.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The rows; their weights are those at the node.
    pub rows: Chunk,
    /// How much of its row every one is, where not all are whole.
    pub shares: Option<Vec<f64>>,
}

/// The rows of a chunk at every node that is asked about (whatever is asked), in the order of the question; nothing for a node
/// that no row reaches.
pub fn take(coding: &Coding, question: &Ask, chunk: &Chunk) -> Vec<Option<Taken>> {
    let mut taken = Vec::new();
    for tree in &question.trees {
        let first = taken.len();
        let mut numbers = Vec::with_capacity(tree.nodes.len());
        for node in &tree.nodes {
            numbers.push(taken.len() - first);
            taken.extend(node.wanted.map(|_| None));
        }
        let own = &mut taken[first..];
        if tree.has_parts(coding) {
            walk(coding, chunk, tree, shared_rows(chunk, tree), |id, parts| {
                let rows: Vec<u32> = parts.iter().map(|part| part.row).collect();
                let mut rows = chunk.gather(&rows);
                rows.weights = Some(parts.iter().map(|part| part.weight).collect());
                let shares = Some(parts.iter().map(|part| part.share).collect());
                own[numbers[id]] = Some(Taken { rows, shares });
            });
        } else {
            walk(coding, chunk, tree, rows_of(chunk, tree), |id, rows| {
                own[numbers[id]] = Some(Taken { rows: chunk.gather(rows), shares: None });
            });
        }
    }
    taken
}

/// Rows of a node on their way: columns and target, weights, shares.
#[derive(Serialize, Deserialize)]
struct Sent {
    bare: Vec<u8>,
    weights: Option<Vec<f64>>,
    shares: Option<Vec<f64>>,
}

impl Message for Sent {}

impl Taken {
    /// As bytes, to be sent.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let weights = self.rows.weights.clone();
        Sent { bare: self.rows.bare_bytes(), weights, shares: self.shares.clone() }.to_bytes()
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// When they are not the bytes of such rows.
    pub fn from_bytes(coding: &Coding, bytes: &[u8]) -> Result<Self> {
        let Sent { bare, weights, shares } = Sent::from_bytes(bytes)?;
        let rows = Chunk::from_bare(coding, &bare, weights)?;
        let is_wrong = |list: &Option<Vec<f64>>| list.as_ref().is_some_and(|list| list.len() != rows.rows());
        if is_wrong(&rows.weights) || is_wrong(&shares) {
            return Err(Error::internal("rows of a node that were cut off"));
        }
        Ok(Self { rows, shares })
    }

    /// Rows of the same node as one.
    pub fn joined(parts: Vec<Self>) -> Option<Self> {
        let has_shares = parts.iter().any(|part| part.shares.is_some());
        let mut shares = Vec::new();
        let mut chunks = Vec::with_capacity(parts.len());
        for part in parts {
            shares.extend(part.shares.unwrap_or_default());
            chunks.push(part.rows);
        }
        Some(Self { rows: Chunk::joined(chunks)?, shares: has_shares.then_some(shares) })
    }

    /// Adds rows of the same node.
    pub fn append(&mut self, other: Self) {
        self.rows.append(other.rows);
        if let (Some(mine), Some(more)) = (&mut self.shares, other.shares) {
            mine.extend(more);
        }
    }
}
