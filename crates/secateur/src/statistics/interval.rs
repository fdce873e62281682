//! Confidence intervals of a mean, of a resampled mean difference and of a proportion.

use serde::Serialize;

use super::checks::{Sample, part, share};
use super::distributions::{normal_quantile, t_quantile};
use super::incomplete_beta::incomplete_beta;
use super::t_test;
use crate::error::Result;

/// From where to where.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// `middle ± half`.
    pub(super) fn around(middle: f64, half: f64) -> Self {
        Self { low: middle - half, high: middle + half }
    }

    /// Whether a value lies in the interval, its ends included.
    ///
    /// ```
    /// use secateur::statistics::Interval;
    /// let interval = Interval { low: -1.0, high: 2.0 };
    /// assert!(interval.contains(2.0) && !interval.contains(2.1));
    /// ```
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The interval of a mean by Student's t: `x̄ ± t √(s²/n)`. At least two values; `level` is such as 0.95.
///
/// ```
/// use secateur::statistics::mean_interval;
/// let interval = mean_interval(&[1.0, 2.0, 3.0], 0.95)?;
/// // 2 ± 4.302653 · √(1/3)
/// assert!((interval.low + 0.484_138).abs() < 1e-6 && (interval.high - 4.484_138).abs() < 1e-6);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn mean_interval(values: &[f64], level: f64) -> Result<Interval> {
    corrected_interval(values, 0.0, level)
}

/// The interval of a mean difference over resampled splits, `d̄ ± t √((1/r + n_test/n_train) s²)`: without 0 exactly when
/// [`corrected_t`](super::corrected_t) calls the difference significant at `1 − level` (Nadeau and Bengio 2003).
///
/// ```
/// use secateur::statistics::{corrected_interval, corrected_t};
/// let differences = [0.02, 0.04, -0.01, 0.03, 0.02];
/// assert!(corrected_interval(&differences, 1.0 / 9.0, 0.95)?.contains(0.0));
/// assert!(corrected_t(&differences, 1.0 / 9.0)?.p > 0.05);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn corrected_interval(differences: &[f64], test_to_train: f64, level: f64) -> Result<Interval> {
    share("level", level)?;
    t_test::ratio(test_to_train)?;
    let sample = Sample::of(differences)?;
    let t = t_quantile((1.0 - level) / 2.0, sample.n as f64 - 1.0);
    Ok(Interval::around(sample.mean, t * t_test::standard_error(sample, test_to_train)))
}

/// Wilson's score interval of a proportion, `count` of `n` (E. B. Wilson (1927), *Probable inference, the law of succession,
/// and statistical inference*): `(p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)`. Never outside 0 to 1.
///
/// ```
/// use secateur::statistics::wilson_interval;
/// let interval = wilson_interval(0, 10, 0.95)?;
/// assert_eq!(interval.low, 0.0);
/// assert!((interval.high - 0.277_533).abs() < 1e-6);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn wilson_interval(count: u64, n: u64, level: f64) -> Result<Interval> {
    part(count, n)?;
    share("level", level)?;
    let z = normal_quantile((1.0 - level) / 2.0);
    let (size, square) = (n as f64, z * z);
    let p = count as f64 / size;
    let middle = (p + square / (2.0 * size)) / (1.0 + square / size);
    let half = z * (p * (1.0 - p) / size + square / (4.0 * size * size)).sqrt() / (1.0 + square / size);
    // At the ends the root is exact on paper only.
    Ok(Interval {
        low: if count == 0 { 0.0 } else { middle - half },
        high: if count == n { 1.0 } else { middle + half },
    })
}

/// Where the share of `n` rows lies with this confidence when each is counted with probability `p`: from the smallest share with at
/// most `(1 − confidence) / 2` of the binomial distribution below it to the largest with at most that much above it.
///
/// ```
/// use secateur::statistics::binomial_band;
/// // Of 10 rows, 7 or fewer come with probability 0.07, 6 or fewer with 0.013.
/// let band = binomial_band(10, 0.9, 0.95)?;
/// assert_eq!((band.low, band.high), (0.7, 1.0));
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn binomial_band(n: u64, p: f64, confidence: f64) -> Result<Interval> {
    part(0, n)?;
    share("probability", p)?;
    share("confidence", confidence)?;
    let tail = (1.0 - confidence) / 2.0;
    // P(at most k) = I_{1−p}(n − k, k + 1).
    let up_to =
        |k: u64| if k >= n { 1.0 } else { incomplete_beta((n - k) as f64, (k + 1) as f64, 1.0 - p, p) };
    let first = |is: &dyn Fn(u64) -> bool| {
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if is(middle) { high = middle } else { low = middle + 1 }
        }
        low
    };
    let (low, high) = (first(&|k| up_to(k) > tail), first(&|k| 1.0 - up_to(k) <= tail));
    Ok(Interval { low: low as f64 / n as f64, high: high as f64 / n as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{corrected_t, paired_t};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_interval_without_zero_is_a_significant_difference(
            values in prop::collection::vec(-1.0..1.0f64, 2..30), shift in -1.0..1.0f64, ratio in 0.0..1.0f64,
        ) {
            let values: Vec<f64> = values.iter().map(|v| v + shift).collect();
            let test = corrected_t(&values, ratio).unwrap();
            for level in [0.5, 0.9, 0.99] {
                if (test.p - (1.0 - level)).abs() > 1e-9 {
                    let zero = corrected_interval(&values, ratio, level).unwrap().contains(0.0);
                    prop_assert_eq!(zero, test.p > 1.0 - level);
                    let zero = mean_interval(&values, level).unwrap().contains(0.0);
                    let plain = paired_t(&values).unwrap().p;
                    prop_assert!(zero == (plain > 1.0 - level) || (plain - (1.0 - level)).abs() < 1e-9);
                }
            }
        }

        /// The ends are the proportions whose score statistic is just `z`.
        #[test]
        fn wilsons_ends_solve_the_score_equation(n in 1u64..500, share in 0.0..1.0f64, level in 0.01..0.999f64) {
            let count = (n as f64 * share).round() as u64;
            let interval = wilson_interval(count, n, level).unwrap();
            prop_assert!(0.0 <= interval.low && interval.low < interval.high && interval.high <= 1.0);
            let z = normal_quantile((1.0 - level) / 2.0);
            for end in [interval.low, interval.high] {
                let off = count as f64 / n as f64 - end;
                prop_assert!((off * off - z * z * end * (1.0 - end) / n as f64).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn levels_and_counts_out_of_range_are_refused() {
        assert!(mean_interval(&[1.0, 2.0], 1.0).is_err());
        assert!(mean_interval(&[1.0], 0.9).is_err());
        assert!(corrected_interval(&[1.0, 2.0], -1.0, 0.9).is_err());
        assert!(wilson_interval(3, 2, 0.9).is_err());
        assert!(wilson_interval(0, 0, 0.9).is_err());
        assert_eq!(mean_interval(&[3.0, 3.0], 0.9).unwrap(), Interval { low: 3.0, high: 3.0 });
    }
}
