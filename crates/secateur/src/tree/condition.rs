//! The condition of a split, and the one function that routes a cell through it.

use crate::schema::{Cell, Schema};

/// Which nominal values go where at a subset split. A value on neither side is one that no training row at the node had:
/// a row with it is treated as if the value were missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subsets {
    left: Box<[u32]>,
    right: Box<[u32]>,
}

impl Subsets {
    /// The codes that go to the first branch, and those that go to the second.
    ///
    /// ```
    /// use secateur::tree::Subsets;
    /// let subsets = Subsets::new(vec![4, 1], vec![2]);
    /// assert_eq!(subsets.left(), [1, 4]);
    /// assert_eq!((subsets.branch(4), subsets.branch(2), subsets.branch(3)), (Some(0), Some(1), None));
    /// ```
    pub fn new(mut left: Vec<u32>, mut right: Vec<u32>) -> Self {
        left.sort_unstable();
        right.sort_unstable();
        Self { left: left.into(), right: right.into() }
    }

    /// The codes that go to the first branch, ascending.
    pub fn left(&self) -> &[u32] {
        &self.left
    }

    /// The codes that go to the second branch, ascending.
    pub fn right(&self) -> &[u32] {
        &self.right
    }

    /// The branch of a code.
    #[inline]
    pub fn branch(&self, code: u32) -> Option<usize> {
        if self.left.binary_search(&code).is_ok() {
            Some(0)
        } else {
            self.right.binary_search(&code).is_ok().then_some(1)
        }
    }
}

/// How a node sends rows to its branches.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// Two branches: `x < below` goes to the first, the rest to the second.
    Threshold {
        /// The attribute tested.
        attribute: u32,
        /// The threshold.
        below: f64,
    },
    /// Two branches, each for a subset of the values.
    Subset {
        /// The attribute tested.
        attribute: u32,
        /// Which value goes where.
        subsets: Box<Subsets>,
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

    /// The same condition with a threshold that is shown shortest: dates are divided at midnight, which moves none of them.
    pub(crate) fn divided_as_shown(self, schema: &Schema) -> Self {
        match self {
            Self::Threshold { attribute, below } => {
                let shown_as = schema.attributes[attribute as usize].shown_as;
                Self::Threshold { attribute, below: shown_as.threshold(below) }
            }
            other => other,
        }
    }

    /// The branch a cell goes to; `None` when the value is missing or unknown here, in which case the
    /// row goes down every branch in proportion to the branches' weights.
    ///
    /// Growing, prediction, scoring and every export follow this function.
    ///
    /// ```
    /// use secateur::tree::Condition;
    /// use secateur::schema::Cell;
    /// let split = Condition::Threshold { attribute: 0, below: 0.8 };
    /// assert_eq!(split.route(Cell::Number(0.2)), Some(0));
    /// assert_eq!(split.route(Cell::Number(0.8)), Some(1));
    /// assert_eq!(split.route(Cell::Missing), None);
    /// ```
    #[inline]
    pub fn route(&self, cell: Cell) -> Option<usize> {
        match (self, cell) {
            (Self::Threshold { below, .. }, Cell::Number(x)) if !x.is_nan() => Some(usize::from(x >= *below)),
            (Self::Subset { subsets, .. }, Cell::Code(code)) => subsets.branch(code),
            (Self::EachValue { values, .. }, Cell::Code(code)) if code < *values => Some(code as usize),
            _ => None,
        }
    }
}
