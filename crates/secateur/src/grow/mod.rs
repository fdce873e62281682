//! Growing: one incremental grower, of which the learners are presets.

mod spec;

pub use spec::{Discretise, GrowSpec, LeafValue, MinLeafRule, NominalSplits, Order, ThresholdRule};
