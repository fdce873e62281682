//! The condition of a split, and the one function that routes a cell through it.

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

/// Where a nominal value goes at a subset split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// To the first branch.
    Left,
    /// To the second branch.
    Right,
    /// No training row with this value reached the node: the row is treated as if the value were missing.
    Unseen,
}

/// How a node sends rows to its branches.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Two branches: `x < below` goes to the first, the rest to the second.
    Threshold {
        /// The attribute tested.
        attribute: u32,
        /// The threshold.
        below: f64,
    },
    /// Two branches: a list says where every value goes.
    Subset {
        /// The attribute tested.
        attribute: u32,
        /// A side for every value of the attribute.
        sides: Box<[Side]>,
    },
    /// One branch per value of the attribute, in the order of its list.
    EachValue {
        /// The attribute tested.
        attribute: u32,
        /// The number of values, which is the number of branches.
        values: u32,
    },
}

impl Condition {
    /// The attribute tested.
    pub fn attribute(&self) -> usize {
        match self {
            Self::Threshold { attribute, .. }
            | Self::Subset { attribute, .. }
            | Self::EachValue { attribute, .. } => *attribute as usize,
        }
    }

    /// The number of branches.
    pub fn branches(&self) -> usize {
        match self {
            Self::Threshold { .. } | Self::Subset { .. } => 2,
            Self::EachValue { values, .. } => *values as usize,
        }
    }

    /// The branch a cell goes to; `None` when the value is missing or unknown here, in which case the
    /// row goes down every branch in proportion to the branches' weights.
    ///
    /// Growing, prediction, scoring and every export follow this function.
    ///
    /// ```
    /// use secateur::tree::{Cell, Condition};
    /// let split = Condition::Threshold { attribute: 0, below: 0.8 };
    /// assert_eq!(split.route(Cell::Number(0.2)), Some(0));
    /// assert_eq!(split.route(Cell::Number(0.8)), Some(1));
    /// assert_eq!(split.route(Cell::Missing), None);
    /// ```
    #[inline]
    pub fn route(&self, cell: Cell) -> Option<usize> {
        match (self, cell) {
            (Self::Threshold { below, .. }, Cell::Number(x)) if !x.is_nan() => Some(usize::from(x >= *below)),
            (Self::Subset { sides, .. }, Cell::Code(code)) => match sides.get(code as usize) {
                Some(Side::Left) => Some(0),
                Some(Side::Right) => Some(1),
                Some(Side::Unseen) | None => None,
            },
            (Self::EachValue { values, .. }, Cell::Code(code)) if code < *values => Some(code as usize),
            _ => None,
        }
    }
}
