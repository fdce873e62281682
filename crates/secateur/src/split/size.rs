//! How large a node or a branch is for the limits on growth: its rows, whatever they weigh, a part of a row by its share.

use crate::spec::Count;

/// What a row, or a part of one, counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sizes {
    /// Its weight divided by this: all rows weigh the same, so that a part weighs its share. (Or weight is to be counted.)
    Weight(f64),
    /// Its share: rows weigh differently, and shares are kept beside the weights.
    Shares,
}

impl Sizes {
    /// What rows of these weights count; without any they weigh one.
    pub(crate) fn new(count: Count, weights: Option<&[f64]>) -> Self {
        match weights {
            Some(weights) if count != Count::Weight => match weights.first() {
                Some(first) if weights.iter().all(|w| w == first) => Self::Weight(*first),
                _ => Self::Shares,
            },
            _ => Self::Weight(1.0),
        }
    }

    /// The weight of a row, where all rows weigh the same.
    pub(crate) fn unit(self) -> f64 {
        match self {
            Self::Weight(unit) => unit,
            Self::Shares => 1.0,
        }
    }
}
