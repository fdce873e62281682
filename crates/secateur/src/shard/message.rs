//! Questions and answers as bytes, and large answers in pieces.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

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

/// An answer in pieces, each with a number. Pieces of the same number add up; together they are the whole answer again.
pub struct Pieces;

/// Numbers of an answer that make one piece, at most.
#[derive(Serialize, Deserialize)]
enum Piece {
    Nodes(Vec<NodeAnswer>),
    Counts(Counts),
}

impl Message for Piece {}

impl Pieces {
    /// Cuts an answer into pieces of at most about so many bytes.
    pub fn of(answer: Answer, most_bytes: usize) -> Result<Vec<(u32, Vec<u8>)>> {
        let Answer { nodes, counts } = answer;
        let mut pieces = vec![(0, Piece::Nodes(nodes).to_bytes()?)];
        for (number, part) in (1..).zip(counts.chunks((most_bytes / 9).max(1))) {
            pieces.push((number, Piece::Counts(part).to_bytes()?));
        }
        Ok(pieces)
    }

    /// Two pieces of the same number as one.
    pub fn add(a: &[u8], b: &[u8]) -> Result<Vec<u8>> {
        let sum = match (Piece::from_bytes(a)?, Piece::from_bytes(b)?) {
            (Piece::Nodes(mut a), Piece::Nodes(b)) if a.len() == b.len() => {
                a.iter_mut().zip(b).try_for_each(|(a, b)| a.add(b))?;
                Piece::Nodes(a)
            }
            (Piece::Counts(mut a), Piece::Counts(b)) => {
                a.add(b)?;
                Piece::Counts(a)
            }
            _ => return Err(Error::internal("pieces of different answers")),
        };
        sum.to_bytes()
    }

    /// The whole answer, from one piece of every number.
    pub fn whole(pieces: impl IntoIterator<Item = (u32, Vec<u8>)>) -> Result<Answer> {
        let mut pieces: Vec<(u32, Vec<u8>)> = pieces.into_iter().collect();
        pieces.sort_unstable_by_key(|(number, _)| *number);
        let mut answer = Answer { nodes: Vec::new(), counts: Counts::default() };
        for ((number, bytes), expected) in pieces.iter().zip(0..) {
            if *number != expected {
                return Err(Error::internal(format!("piece {expected} of an answer is missing")));
            }
            match Piece::from_bytes(bytes)? {
                Piece::Nodes(nodes) => answer.nodes = nodes,
                Piece::Counts(part) => answer.counts.append(part)?,
            }
        }
        Ok(answer)
    }
}
