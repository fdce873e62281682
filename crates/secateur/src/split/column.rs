//! The best split of one column at one node, from its histogram.

use super::{Candidate, Histogram, View, nominal, threshold};
use crate::criterion::sides::SidesSet;
use crate::data::{CodedColumn, Scale};

/// The best split of a column.
pub(crate) fn best(
    view: &View,
    column: usize,
    coded: &CodedColumn,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    match &coded.scale {
        Scale::Levels(levels) => nominal::best(view, column, *levels, histogram, sides),
        Scale::Ordered(_) => nominal::best_in_order(view, column, histogram, sides),
        Scale::Cuts(_) if view.rules.cuts_compete() => threshold::best_ratio(view, column, histogram, sides),
        Scale::Values(_) | Scale::Bins(_) | Scale::Cuts(_) | Scale::Floats => {
            threshold::best(view, column, histogram, sides)
        }
    }
}
