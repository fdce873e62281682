//! Criteria: how impure a node is, and what a split gains.

mod class_sides;
mod class_weights;
mod cost;
mod number_sides;
mod own;
pub(crate) mod plain;
pub(crate) mod sides;

pub use cost::Measure;
pub(crate) use cost::NumberSums;
pub(crate) use cost::TIE;
pub(crate) use cost::exceeds;
pub(crate) use cost::xlog2;
pub use own::{Impurity, OwnImpurity, register};
pub(crate) use own::{NAMES, OwnSides};

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
    /// One from outside the library ([`register`]), for classes.
    Own(OwnImpurity),
}

impl Criterion {
    /// The library's own criteria, each with its name in scheme strings.
    pub const ALL: [(&'static str, Self); 5] = [
        ("gini", Self::Gini),
        ("entropy", Self::Entropy),
        ("gain-ratio", Self::GainRatio),
        ("mse", Self::Mse),
        ("mae", Self::Mae),
    ];

    /// The name in scheme strings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own(own) => own.name(),
            _ => Self::ALL.iter().find(|(_, criterion)| *criterion == self).map_or("", |(name, _)| name),
        }
    }

    /// The one with this name, the library's or a registered one.
    pub fn of(name: &str) -> Option<Self> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, criterion)| *criterion);
        known.or_else(|| own::registered(name).map(Self::Own))
    }

    /// The task it is for.
    pub fn task(self) -> Task {
        match self {
            Self::Gini | Self::Entropy | Self::GainRatio | Self::Own(_) => Task::Classification,
            Self::Mse | Self::Mae => Task::Regression,
        }
    }
}
