//! Some rows of a table, wherever they are: what they say, in messages that add up.
//!
//! A table that is larger than memory is worked on chunk by chunk, on one machine or on many. Whoever holds a chunk answers four
//! questions about it, and the answers of several chunks [add up](Add) to that of all, whatever their order:
//!
//! 1. `look`: what its columns hold. From that it is decided how they are coded ([`Decision`]): values where a column has few, else
//!    exact bins of the same weight, the very ones that a table in memory has.
//! 2. [`Coding::chunk`]: its rows as small whole numbers ([`Chunk`]), a byte for each cell as a rule. These are kept; the rest works on them.
//! 3. [`Counter`]: how many rows of the nodes of some trees have which values and targets. Several trees (folds) are asked about at once.
//! 4. `take`: the rows of some nodes, when they are few enough for the memory of whoever asks.
//!
//! Every sum is exact, so that the answer does not depend on how rows are dealt out to chunks. Counts are whole numbers. Weights, and
//! parts of rows, are multiples of a step of `2⁻⁵¹` of the weight of the table ([`crate::sums::Steps`]), to which weights with fractions are
//! rounded; sums of numbers are taken
//! on grids ([`crate::sums::ExactSum`], [`crate::split::moments::Frame`]).

mod add;
mod amounts;
mod ask;
mod borders;
mod chunk;
mod coding;
mod column_looked;
mod count;
mod cutting;
mod decide;
mod finder;
mod held;
mod look;
mod message;
mod near;
mod take;
mod walk;

pub use add::Add;
pub use ask::{Answer, Ask, Branching, NodeAnswer, Sketch, SketchNode, SketchSplit, Wanted};
pub use borders::sampled;
pub(crate) use chunk::Layout;
pub use chunk::{Chunk, ChunkTarget};
pub use coding::{Coder, Coding, Tagging, TargetCoding};
pub(crate) use count::Places;
pub use count::{Counter, Counts};
pub use decide::{Decision, Levels, Next};
pub use held::{Held, HeldAnswer, Holder};
pub use look::{Look, Looked, Looker, look};
pub use message::{Cut, Message, Pieces};
pub use near::{Near, NearLooker, NearValues, near};
pub use take::{Taken, take};

#[cfg(test)]
mod tests;
