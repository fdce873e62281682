//! Where a threshold lies between two neighbouring values of a node.

use super::rounding::to_decimals;
use crate::spec::{GrowSpec, ThresholdRule};

/// The middle of two numbers, rounded once: the same whichever comes first, and never out of range.
pub(crate) fn middle(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Only numbers far from zero have a sum out of range, and those have exact halves.
    if sum.is_finite() { sum / 2.0 } else { a / 2.0 + b / 2.0 }
}

/// The number below which rows go left when a node is cut between `lasts[lower]` and `firsts[upper]` (the largest values of bins
/// and the smallest, or values that are both). Both go where they were counted, unless rounding to decimals was asked for.
pub(super) fn threshold(lasts: &[f64], firsts: &[f64], lower: u32, upper: u32, spec: &GrowSpec) -> f64 {
    let (lower, upper) = (lower as usize, upper as usize);
    let (low, high) = (lasts[lower], firsts[upper]);
    let middle = middle(low, high);
    match spec.threshold {
        ThresholdRule::Midpoint => {
            // The middle of two neighbouring floats may round onto the lower one, which would then go right.
            let middle = if low < middle && middle <= high { middle } else { high };
            spec.threshold_decimals.map_or(middle, |decimals| to_decimals(middle, decimals))
        }
        ThresholdRule::DataValue => {
            let between = lasts.get(lower + 1..upper).unwrap_or_default();
            let value = lasts[lower + between.partition_point(|v| *v <= middle)];
            // What is below the next number is at most the value. (Adding zero turns -0 into 0.)
            value.next_up() + 0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Task;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_sides_go_where_they_were_counted(bits in prop::collection::vec(any::<f64>(), 2..9), at in any::<prop::sample::Index>()) {
            let mut values: Vec<f64> = bits.into_iter().filter(|x| x.is_finite()).map(|x| x + 0.0).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            prop_assume!(values.len() > 1);
            let lower = at.index(values.len() - 1);
            for upper in lower + 1..values.len() {
                for rule in [ThresholdRule::Midpoint, ThresholdRule::DataValue] {
                    let spec = GrowSpec { threshold: rule, ..GrowSpec::cart(Task::Classification) };
                    let below = threshold(&values, &values, lower as u32, upper as u32, &spec);
                    prop_assert!(values[lower] < below && below <= values[upper], "{values:?} {below}");
                    if rule == ThresholdRule::DataValue {
                        prop_assert!(values.contains(&(below.next_down() + 0.0)));
                    }
                }
            }
        }
    }

    #[test]
    fn middles_at_the_ends_of_the_range() {
        let most = f64::MAX;
        assert_eq!(middle(most, most.next_down()), middle(most.next_down(), most));
        assert_eq!((middle(-most, most), middle(5e-324, 1.5e-323)), (0.0, 1e-323));
        // In decimals this is the middle, and so it is here; the exact middle of the two doubles is a little less.
        assert_eq!((middle(3.9, 4.1), middle(4.1, 3.9)), (4.0, 4.0));
    }

    #[test]
    fn a_value_of_the_data_is_the_largest_one_not_above_the_middle() {
        let spec = GrowSpec::c45(Task::Classification);
        let values = [1.0, 1.5, 1.75, 2.5, 9.0];
        assert_eq!(threshold(&[3.9, 4.0, 4.1], &[3.9, 4.0, 4.1], 0, 2, &spec).next_down(), 4.0);
        let at_most = |lower, upper| threshold(&values, &values, lower, upper, &spec).next_down();
        assert_eq!((at_most(0, 1), at_most(0, 3), at_most(0, 4), at_most(3, 4)), (1.0, 1.75, 2.5, 2.5));
    }
}
