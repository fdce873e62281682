//! What a training row weighs, and a tree in units of that.

use std::borrow::Cow;

use super::{Node, Stats, Tree};

impl Tree {
    /// What a training row weighs on average; 1 where the rows are not known.
    pub fn row_weight(&self) -> f64 {
        let Node { rows, weight, .. } = *self.node(0);
        let mean = weight / rows as f64;
        if self.has_counts && mean.is_finite() && mean > 0.0 { mean } else { 1.0 }
    }

    /// The same tree with weights in units of what a row weighs on average: what it counts are rows.
    pub(crate) fn in_rows(&self) -> Cow<'_, Self> {
        let unit = self.row_weight();
        if unit == 1.0 {
            return Cow::Borrowed(self);
        }
        let in_rows = |node: &Node| Node { weight: node.weight / unit, ..node.clone() };
        let stats = match self.stats() {
            Stats::Classes { classes, weights } => {
                Stats::Classes { classes: *classes, weights: weights.iter().map(|w| w / unit).collect() }
            }
            numbers @ Stats::Numbers { .. } => numbers.clone(),
        };
        Cow::Owned(self.like(self.nodes().iter().map(in_rows).collect(), stats))
    }
}
