//! One cell of a row.

/// One cell of a row, as a condition sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// A number of a numeric attribute.
    Number(f64),
    /// The code of a nominal value, an index into the attribute's list.
    Code(u32),
    /// No value.
    Missing,
}

impl Cell {
    /// The code of a value that is in no list: the tree has never seen it. It is a value all the same, and not missing.
    pub const UNSEEN: u32 = u32::MAX - 1;

    /// Whether there is no value.
    #[inline]
    pub fn is_missing(self) -> bool {
        match self {
            Self::Number(x) => x.is_nan(),
            Self::Code(_) => false,
            Self::Missing => true,
        }
    }
}
