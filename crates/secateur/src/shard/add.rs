//! Answers that add up.

use crate::error::Result;

/// What several shards say together.
pub trait Add: Sized {
    /// Adds what others say. The order does not matter.
    ///
    /// # Errors
    /// When the two are answers to different questions.
    fn add(&mut self, other: Self) -> Result<()>;
}
