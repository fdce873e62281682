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
