//! Questions and answers as bytes, and large answers in pieces.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ask::{Answer, NodeAnswer};
use super::count::Counts;
use super::{Add, Ask, Coding, Held, HeldAnswer, Look, Looked, Near, NearValues};
use crate::error::{Error, Result};

/// What can be sent to another machine.
pub trait Message: Serialize + DeserializeOwned {
    /// As bytes.
    fn to_bytes(&self) -> Result<Vec<u8>> {
        postcard::to_allocvec(self).map_err(|error| Error::internal(format!("a message: {error}")))
    }

    /// From bytes.
    ///
    /// # Errors
    /// When they are not those of such a message of this version of the library.
    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        postcard::from_bytes(bytes).map_err(|error| {
            Error::parameter(format!(
                "a message cannot be read ({error}); all machines must have the same version of secateur"
            ))
        })
    }
}

impl Message for Look {}
impl Message for Looked {}
impl Message for Near {}
impl Message for NearValues {}
impl Message for Coding {}
impl Message for Ask {}
impl Message for Answer {}
impl Message for Held {}
impl Message for HeldAnswer {}

/// A text in a message, for what is written as text elsewhere.
pub(super) mod as_text {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in super::super) fn serialize<T: Serialize, S: Serializer>(
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_str(&serde_json::to_string(value).map_err(S::Error::custom)?)
    }

    pub(in super::super) fn deserialize<'d, T: DeserializeOwned, D: Deserializer<'d>>(
        from: D,
    ) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// An answer that can be cut into pieces, so that no message is much larger than a bound. Pieces of the same number [add up](Add); behind one another they
/// are the whole answer again.
pub trait Cut: Add + Message {
    /// Numbered pieces of at most about this many bytes. Whoever answers the same question cuts at the same places.
    fn cut(self, most_bytes: usize) -> Vec<(u32, Self)>;

    /// The piece of the next number behind this.
    fn join(&mut self, next: Self) -> Result<()>;
}

/// Answers that arrive in pieces, in any order.
pub struct Pieces<T>(BTreeMap<u32, T>);

impl<T: Cut> Pieces<T> {
    /// None yet.
    pub fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The pieces of an answer, as bytes.
    pub fn of(answer: T, most_bytes: usize) -> Result<Vec<(u32, Vec<u8>)>> {
        answer.cut(most_bytes).into_iter().map(|(number, piece)| Ok((number, piece.to_bytes()?))).collect()
    }

    /// Adds a piece.
    pub fn add(&mut self, number: u32, bytes: &[u8]) -> Result<()> {
        let piece = T::from_bytes(bytes)?;
        match self.0.entry(number) {
            Entry::Vacant(place) => {
                place.insert(piece);
                Ok(())
            }
            Entry::Occupied(mut sum) => sum.get_mut().add(piece),
        }
    }

    /// One piece of every number, as bytes.
    pub fn sums(self) -> Result<Vec<(u32, Vec<u8>)>> {
        self.0.into_iter().map(|(number, piece)| Ok((number, piece.to_bytes()?))).collect()
    }

    /// The whole answer; nothing where no piece came.
    pub fn whole(self) -> Result<Option<T>> {
        let mut pieces = self.0.into_values();
        let Some(mut whole) = pieces.next() else { return Ok(None) };
        pieces.try_for_each(|piece| whole.join(piece))?;
        Ok(Some(whole))
    }
}

impl<T: Cut> Default for Pieces<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A node of an answer has about this many bytes.
const NODE: usize = 64;
/// A number in a message has at most this many bytes.
const NUMBER: usize = 10;

/// The bytes of nodes in a message, at most.
pub(super) fn node_bytes(nodes: &[NodeAnswer]) -> usize {
    nodes.iter().map(|node| NODE + 8 * node.classes.len()).sum()
}

/// Nodes in lists of this many bytes, at least one list.
fn node_lists(nodes: Vec<NodeAnswer>, most_bytes: usize) -> Vec<Vec<NodeAnswer>> {
    let mut lists = vec![Vec::new()];
    let mut bytes = 0;
    for node in nodes {
        bytes += node_bytes(std::slice::from_ref(&node));
        if bytes > most_bytes && lists.last().is_some_and(|list| !list.is_empty()) {
            lists.push(Vec::new());
            bytes = node_bytes(std::slice::from_ref(&node));
        }
        if let Some(list) = lists.last_mut() {
            list.push(node);
        }
    }
    lists
}

impl Cut for Answer {
    fn cut(self, most_bytes: usize) -> Vec<(u32, Self)> {
        let nodes = node_lists(self.nodes, most_bytes).into_iter();
        let nodes = nodes.map(|nodes| Self { nodes, counts: Counts::None });
        let counts = self.counts.chunks((most_bytes / NUMBER).max(1)).into_iter();
        let counts = counts.map(|counts| Self { nodes: Vec::new(), counts });
        (0..).zip(nodes.chain(counts)).collect()
    }

    fn join(&mut self, next: Self) -> Result<()> {
        self.nodes.extend(next.nodes);
        match next.counts {
            Counts::None => Ok(()),
            counts => self.counts.append(counts),
        }
    }
}

/// The pieces of rows that go several ways have numbers from here on.
const APART: u32 = 1 << 31;

impl Cut for HeldAnswer {
    fn cut(self, most_bytes: usize) -> Vec<(u32, Self)> {
        let none = vec![Vec::new(); self.apart.len()];
        let nodes = node_lists(self.nodes, most_bytes).into_iter();
        let mut pieces: Vec<_> = (0..).zip(nodes.map(|nodes| Self { nodes, apart: none.clone() })).collect();
        for (tree, rows) in self.apart.into_iter().enumerate() {
            for part in rows {
                // Rows are not added up: pieces of several machines stay apart, as far as their numbers differ.
                let number = APART | (fnv1a(&part.0) as u32 >> 1);
                let mut apart = none.clone();
                apart[tree].push(part);
                pieces.push((number, Self { nodes: Vec::new(), apart }));
            }
        }
        pieces
    }

    fn join(&mut self, next: Self) -> Result<()> {
        self.nodes.extend(next.nodes);
        self.apart.iter_mut().zip(next.apart).for_each(|(mine, more)| mine.extend(more));
        Ok(())
    }
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

impl Cut for Looked {
    /// By columns: a text column is a piece of its own, for nobody knows what others find in it.
    fn cut(mut self, most_bytes: usize) -> Vec<(u32, Self)> {
        let attributes = std::mem::take(&mut self.attributes);
        let rest = self.without_rows();
        let mut pieces = vec![self];
        for list in by_bytes(attributes, most_bytes, |column| column.cells().map(|cells| cells * 2 * NUMBER))
        {
            pieces.push(Self { attributes: list, ..rest.clone() });
        }
        (0..).zip(pieces).collect()
    }

    fn join(&mut self, next: Self) -> Result<()> {
        self.attributes.extend(next.attributes);
        Ok(())
    }
}

impl Cut for NearValues {
    fn cut(self, most_bytes: usize) -> Vec<(u32, Self)> {
        let lists =
            by_bytes(self.columns, most_bytes, |column| column.cells().map(|cells| cells * 2 * NUMBER));
        let pieces = lists.into_iter().map(|columns| Self { columns });
        (0..).zip(pieces).collect()
    }

    fn join(&mut self, next: Self) -> Result<()> {
        self.columns.extend(next.columns);
        Ok(())
    }
}

/// Lists of this many bytes together; what nobody knows the size of is alone.
fn by_bytes<T>(all: Vec<T>, most: usize, bytes: impl Fn(&T) -> Option<usize>) -> Vec<Vec<T>> {
    let mut lists: Vec<Vec<T>> = Vec::new();
    let mut left = 0;
    for one in all {
        let size = bytes(&one).unwrap_or(most.max(1));
        match lists.last_mut() {
            Some(list) if size <= left => list.push(one),
            _ => {
                lists.push(vec![one]);
                left = most;
            }
        }
        left = left.saturating_sub(size);
    }
    lists
}
