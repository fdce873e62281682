//! Numbers rounded to decimals: gains before they are compared, and thresholds.
//!
//! A rounded threshold can send the values next to it to the other side than the one they were counted on, or leave a side
//! empty. The branches follow the threshold, and it is their weight that must suffice.

use super::{Histogram, How, View};
use crate::data::CodedColumn;
use crate::tree::Condition;

/// Rounds to this many decimals; what lies in the middle goes to the even neighbour.
pub(super) fn to_decimals(x: f64, decimals: u32) -> f64 {
    let scale = 10f64.powi(decimals as i32);
    let scaled = x * scale;
    // From here on a number has no such decimals (and may overflow).
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if scaled.abs() < WHOLE { scaled.round_ties_even() / scale } else { x }
}

/// Whether a condition sends rows elsewhere than its candidate counted them.
pub(crate) fn is_moved(how: &How, condition: &Condition, column: &CodedColumn) -> bool {
    let side = |code: u32| condition.route(column.cell(code));
    match how {
        How::Cut { lower, upper, .. } => (side(*lower), side(*upper)) != (Some(0), Some(1)),
        How::Subset { .. } | How::Each { .. } | How::Known => false,
    }
}

/// Whether the branches of a moved threshold are large enough.
pub(crate) fn is_admissible(
    view: &View,
    condition: &Condition,
    column: &CodedColumn,
    histogram: &Histogram,
) -> bool {
    let mut branches = vec![0.0; condition.branches()];
    for (size, &code) in view.sizes(histogram).iter().zip(&histogram.codes) {
        if let Some(branch) = condition.route(column.cell(code)) {
            branches[branch] += size;
        }
    }
    if let Some(branch) = condition.missing() {
        branches[branch] += view.missing_size(histogram);
    }
    let floor = view.numeric_floor(branches.iter().sum());
    branches.iter().all(|&size| size > 0.0 && view.rules.is_enough(size, floor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_goes_to_the_even_neighbour_and_large_numbers_stay() {
        assert_eq!(to_decimals(1.512155, 5), 1.51216);
        assert_eq!(to_decimals(1.513145, 5), 1.51314);
        assert_eq!(to_decimals(-1.513145, 5), -1.51314);
        assert_eq!(to_decimals(0.25, 1), 0.2);
        assert_eq!(to_decimals(1e300, 15), 1e300);
        assert_eq!(to_decimals(123456789.125, 15), 123456789.125);
    }
}
