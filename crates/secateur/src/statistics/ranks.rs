//! Ranks with ties: 1 is the best, equal values share the mean of their places.

/// How much of the largest magnitude two values may differ and still be equal: averages of the same numbers in another
/// order must tie.
const TOLERANCE: f64 = 1e-12;

/// The average ranks of values. Values that differ by no more than 10⁻¹² of the largest are equal; a value that is not a
/// number ranks last.
///
/// ```
/// use secateur::statistics::ranks;
/// assert_eq!(ranks(&[0.9, 0.7, 0.8, 0.7], true), [1.0, 3.5, 2.0, 3.5]);
/// assert_eq!(ranks(&[0.9, 0.7, 0.8, 0.7], false), [4.0, 1.5, 3.0, 1.5]);
/// ```
pub fn ranks(values: &[f64], larger_is_better: bool) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    for group in groups(values, larger_is_better, tolerance(values)) {
        for &i in &group.members {
            ranks[i] = group.rank;
        }
    }
    ranks
}

/// The difference below which values are equal.
pub(super) fn tolerance(values: &[f64]) -> f64 {
    TOLERANCE * values.iter().filter(|v| v.is_finite()).fold(0.0, |most: f64, v| most.max(v.abs()))
}

/// Values that tie, and the rank they share.
pub(super) struct Group {
    pub(super) members: Vec<usize>,
    pub(super) rank: f64,
}

/// The groups of equal values, best first. A value belongs to the group whose first value is within `tolerance`.
pub(super) fn groups(values: &[f64], larger_is_better: bool, tolerance: f64) -> Vec<Group> {
    let key = |i: usize| match values[i] {
        v if v.is_nan() => f64::INFINITY,
        v if larger_is_better => -v,
        v => v,
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| {
        values[a].is_nan().cmp(&values[b].is_nan()).then(key(a).total_cmp(&key(b))).then(a.cmp(&b))
    });
    let mut groups: Vec<Group> = Vec::new();
    let mut start = 0;
    while start < order.len() {
        let first = order[start];
        let same = |i: usize| {
            values[i].is_nan() == values[first].is_nan()
                && (key(i) == key(first) || key(i) - key(first) <= tolerance)
        };
        let end = start + order[start..].iter().take_while(|&&i| same(i)).count();
        // Places start + 1 to end.
        let rank = (start + 1 + end) as f64 / 2.0;
        groups.push(Group { members: order[start..end].to_vec(), rank });
        start = end;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// From the definition: one more than the number of better values, and half a place for every equal one.
        #[test]
        fn a_rank_counts_what_is_better_and_half_of_what_is_equal(
            values in prop::collection::vec(-4i32..5, 0..20), larger in any::<bool>(),
        ) {
            let values: Vec<f64> = values.iter().map(|v| f64::from(*v)).collect();
            for (value, rank) in values.iter().zip(ranks(&values, larger)) {
                let better = values.iter().filter(|v| if larger { *v > value } else { *v < value }).count();
                let equal = values.iter().filter(|v| *v == value).count();
                prop_assert_eq!(rank, better as f64 + (equal as f64 + 1.0) / 2.0);
            }
        }
    }

    #[test]
    fn rounding_does_not_break_a_tie() {
        assert_eq!(ranks(&[0.1 + 0.2, 0.3, 0.2], true), [1.5, 1.5, 3.0]);
        assert_eq!(ranks(&[0.0, -0.0], true), [1.5, 1.5]);
        assert_eq!(ranks(&[1e-6, 2e-6, 1.0], false), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn values_that_are_no_number_rank_last() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        assert_eq!(ranks(&[nan, 1.0, inf, -inf, nan], true), [4.5, 2.0, 1.0, 3.0, 4.5]);
        assert_eq!(ranks(&[nan, 1.0, inf, -inf, inf], false), [5.0, 2.0, 3.5, 1.0, 3.5]);
        assert!(ranks(&[], true).is_empty());
    }
}
