//! The condition of a split, and the one function that routes a cell through it.

use super::Tree;
use crate::data::CodedColumn;
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

/// One of two branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Left,
    /// The second.
    Right,
}

impl Side {
    /// The number of the branch.
    #[inline]
    pub fn branch(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

/// How a node sends rows to its branches.
///
/// A condition may say to which branch rows without a value go (`missing`). Where it says nothing they go down every branch, in
/// proportion to the branches' weights.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// Two branches: `x < below` goes to the first, the rest to the second.
    Threshold {
        /// The attribute tested.
        attribute: u32,
        /// The threshold.
        below: f64,
        /// Where rows without a value go.
        missing: Option<Side>,
    },
    /// Two branches, each for a subset of the values.
    Subset {
        /// The attribute tested.
        attribute: u32,
        /// Which value goes where.
        subsets: Box<Subsets>,
        /// Where rows without a value go.
        missing: Option<Side>,
    },
    /// One branch per value of the attribute, in the order of its list.
    EachValue {
        /// The attribute tested.
        attribute: u32,
        /// The number of values, each of which has a branch.
        values: u32,
        /// Whether rows without a value have a branch of their own, after those of the values.
        missing: bool,
    },
    /// Two branches: rows with a value, whatever it is, go to the first, rows without one to the second.
    Known {
        /// The attribute tested.
        attribute: u32,
    },
}

impl Condition {
    /// The attribute tested.
    pub fn attribute(&self) -> usize {
        match self {
            Self::Threshold { attribute, .. }
            | Self::Subset { attribute, .. }
            | Self::EachValue { attribute, .. }
            | Self::Known { attribute } => *attribute as usize,
        }
    }

    /// The number of branches.
    pub fn branches(&self) -> usize {
        match self {
            Self::Threshold { .. } | Self::Subset { .. } | Self::Known { .. } => 2,
            Self::EachValue { values, missing, .. } => *values as usize + usize::from(*missing),
        }
    }

    /// The branch of rows without a value; `None` where they go down every branch.
    ///
    /// ```
    /// use secateur::tree::{Condition, Side};
    /// assert_eq!(Condition::Threshold { attribute: 0, below: 0.8, missing: Some(Side::Left) }.missing(), Some(0));
    /// assert_eq!(Condition::EachValue { attribute: 0, values: 3, missing: true }.missing(), Some(3));
    /// assert_eq!(Condition::EachValue { attribute: 0, values: 3, missing: false }.missing(), None);
    /// assert_eq!(Condition::Known { attribute: 0 }.missing(), Some(1));
    /// ```
    #[inline]
    pub fn missing(&self) -> Option<usize> {
        match self {
            Self::Threshold { missing, .. } | Self::Subset { missing, .. } => missing.map(Side::branch),
            Self::EachValue { values, missing, .. } => missing.then_some(*values as usize),
            Self::Known { .. } => Some(1),
        }
    }

    /// The same condition with a threshold that is shown shortest: dates are divided at midnight, which moves none of them.
    pub(crate) fn divided_as_shown(self, schema: &Schema) -> Self {
        match self {
            Self::Threshold { attribute, below, missing } => {
                let shown_as = schema.attributes[attribute as usize].shown_as;
                Self::Threshold { attribute, below: shown_as.threshold(below), missing }
            }
            other => other,
        }
    }

    /// The branch a cell goes to; `None` when the row goes down every branch in proportion to the branches' weights: its value is
    /// missing and the condition says nothing of that, or no training row at the node had it.
    ///
    /// Growing, prediction, scoring and every export follow this function.
    ///
    /// ```
    /// use secateur::tree::{Condition, Side};
    /// use secateur::schema::Cell;
    /// let split = Condition::Threshold { attribute: 0, below: 0.8, missing: None };
    /// assert_eq!(split.route(Cell::Number(0.2)), Some(0));
    /// assert_eq!(split.route(Cell::Number(0.8)), Some(1));
    /// assert_eq!(split.route(Cell::Missing), None);
    /// let split = Condition::Threshold { attribute: 0, below: 0.8, missing: Some(Side::Right) };
    /// assert_eq!(split.route(Cell::Missing), Some(1));
    /// ```
    #[inline]
    pub fn route(&self, cell: Cell) -> Option<usize> {
        match (self, cell) {
            (Self::Threshold { below, .. }, Cell::Number(x)) if !x.is_nan() => Some(usize::from(x >= *below)),
            (Self::Subset { subsets, .. }, Cell::Code(code)) => subsets.branch(code),
            (Self::EachValue { values, .. }, Cell::Code(code)) => (code < *values).then_some(code as usize),
            (Self::Known { .. }, cell) => Some(usize::from(cell.is_missing())),
            (_, cell) if cell.is_missing() => self.missing(),
            _ => None,
        }
    }

    /// How many codes of a column of numbers a threshold sends to its first branch. Codes ascend with the values, so that these come
    /// first.
    pub(crate) fn codes_below(&self, column: &CodedColumn) -> u32 {
        let (mut low, mut high) = (0, column.cardinality());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.route(column.cell(middle)) == Some(0) { low = middle + 1 } else { high = middle }
        }
        low
    }
}
impl Tree {
    /// The different thresholds of every attribute, ascending.
    pub(crate) fn thresholds(&self) -> Vec<Vec<f64>> {
        let mut thresholds = vec![Vec::new(); self.schema().attributes.len()];
        for node in self.nodes() {
            if let Some(Condition::Threshold { attribute, below, .. }) = &node.condition {
                thresholds[*attribute as usize].push(*below);
            }
        }
        for own in &mut thresholds {
            own.sort_by(f64::total_cmp);
            own.dedup();
        }
        thresholds
    }
}
