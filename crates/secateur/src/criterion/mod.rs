//! Criteria: how impure a node is, and what a split gains.

mod cost;
pub(crate) mod plain;
pub(crate) mod sides;

pub(crate) use cost::NumberSums;
pub use cost::{Measure, TIE, exceeds, xlog2};

use crate::schema::Task;

/// The measure of impurity a grower lowers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// `1 − Σ p²` (CART, Shi).
    Gini,
    /// `−Σ p log2 p`, in bits (ID3, Shi).
    Entropy,
    /// Entropy gain divided by split information (C4.5, El-Khouri).
    GainRatio,
    /// Mean squared deviation from the mean (CART regression).
    Mse,
    /// Mean absolute deviation from the median.
    Mae,
}

impl Criterion {
    /// Every criterion, with its name in scheme strings.
    pub const ALL: [(&'static str, Self); 5] = [
        ("gini", Self::Gini),
        ("entropy", Self::Entropy),
        ("gain-ratio", Self::GainRatio),
        ("mse", Self::Mse),
        ("mae", Self::Mae),
    ];

    /// The name in scheme strings.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, criterion)| *criterion == self).map_or("", |(name, _)| name)
    }

    /// The task it is for.
    pub fn task(self) -> Task {
        match self {
            Self::Gini | Self::Entropy | Self::GainRatio => Task::Classification,
            Self::Mse | Self::Mae => Task::Regression,
        }
    }
}
