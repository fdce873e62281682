//! The χ² test of independence: is a split more than chance? (Quinlan 1986; CHAID)

use crate::data::CodedColumn;
use crate::split::{Histogram, View};
use crate::statistics::distributions::chi2_tail;
use crate::tree::Condition;

/// The probability that branches as different as these, or more so, arise by chance: rows are branches,
/// columns classes. Branches and classes without weight take no part.
///
/// ```
/// // outlook in the weather data: (2, 3), (4, 0), (3, 2); χ² = 3.5467 with 2 degrees of freedom.
/// let p = secateur::grow::independence(&[vec![2., 3.], vec![4., 0.], vec![3., 2.]]);
/// assert!((p - 0.169_766).abs() < 1e-6);
/// ```
pub fn independence(branches: &[Vec<f64>]) -> f64 {
    let rows: Vec<(f64, &Vec<f64>)> =
        branches.iter().map(|b| (b.iter().sum::<f64>(), b)).filter(|(w, _)| *w > 0.0).collect();
    let total: f64 = rows.iter().map(|r| r.0).sum();
    let classes: Vec<(usize, f64)> = (0..branches.first().map_or(0, Vec::len))
        .map(|j| (j, rows.iter().map(|r| r.1[j]).sum::<f64>()))
        .filter(|(_, w)| *w > 0.0)
        .collect();
    let freedom = rows.len().saturating_sub(1) * classes.len().saturating_sub(1);
    let mut statistic = 0.0;
    for (weight, counts) in &rows {
        for (j, class) in &classes {
            let expected = weight * class / total;
            statistic += (counts[*j] - expected).powi(2) / expected;
        }
    }
    if freedom == 0 { 1.0 } else { chi2_tail(statistic, freedom as f64) }
}

/// Whether a split is significant at a level. The test is for counts: weights are scaled to add up to the rows of the node.
pub(super) fn is_significant(
    view: &View,
    condition: &Condition,
    column: &CodedColumn,
    histogram: &Histogram,
    level: f64,
) -> bool {
    let mut branches = vec![vec![0.0; histogram.missing.len()]; condition.branches()];
    let mut add = |branch: usize, tally: &[f64]| {
        for (sum, x) in branches[branch].iter_mut().zip(tally) {
            *sum += x * (view.size / view.weight);
        }
    };
    for (i, &code) in histogram.codes.iter().enumerate() {
        if let Some(branch) = condition.route(column.cell(code)) {
            add(branch, histogram.tally(i));
        }
    }
    if let Some(branch) = condition.missing() {
        add(branch, &histogram.missing);
    }
    independence(&branches) <= level
}
