//! Nemenyi's test: which of all schemes differ, once [`friedman`](super::friedman()) says that some do?
//!
//! Two schemes differ at `α` when their average ranks are at least `CD = q_α √(k (k + 1) / 6N)` apart, with `q_α` the upper
//! `α` point of the [studentized range](super::studentized_range) of `k` values, divided by √2. Source: J. Demšar (2006),
//! *Statistical comparisons of classifiers over multiple data sets*, section 3.2.2.

use std::f64::consts::SQRT_2;

use super::friedman::{Friedman, rank_error};
use super::studentized_range;
use crate::error::{Error, Result};

/// How far apart the average ranks of two of `k` schemes on `n` data sets must be at `alpha`.
///
/// ```
/// use secateur::statistics::nemenyi_critical_difference;
/// // Demšar's example: four schemes, 14 data sets.
/// assert_eq!(format!("{:.2}", nemenyi_critical_difference(4, 14, 0.05)?), "1.25");
/// assert_eq!(format!("{:.2}", nemenyi_critical_difference(4, 14, 0.10)?), "1.12");
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn nemenyi_critical_difference(k: usize, n: usize, alpha: f64) -> Result<f64> {
    if n == 0 {
        return Err(Error::parameter("there are no data sets; a critical difference needs at least one"));
    }
    Ok(studentized_range::quantile(alpha, k)? / SQRT_2 * rank_error(k, n))
}

/// The probability, for every two schemes, of average ranks as far apart if all schemes are alike; 1 on the diagonal.
/// Adjusted for comparing all pairs: at most `α` exactly when the ranks are the critical difference apart.
///
/// ```
/// use secateur::statistics::{friedman, nemenyi};
/// let test = friedman(&[vec![0.9, 0.8], vec![0.7, 0.6], vec![0.8, 0.5]], true)?;
/// let p = nemenyi(&test)?;
/// // Two schemes: z = 1 / √(1/3), two-tailed.
/// assert!((p[0][1] - 0.083_265).abs() < 1e-6 && p[0][1] == p[1][0] && p[0][0] == 1.0);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn nemenyi(test: &Friedman) -> Result<Vec<Vec<f64>>> {
    let ranks = &test.average_ranks;
    let error = test.rank_error();
    let mut p = vec![vec![1.0; ranks.len()]; ranks.len()];
    for i in 0..ranks.len() {
        for j in 0..i {
            let apart = (ranks[i] - ranks[j]).abs() / error * SQRT_2;
            p[i][j] = studentized_range::tail(apart, ranks.len())?;
            p[j][i] = p[i][j];
        }
    }
    Ok(p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::friedman::tests::demsar;

    /// Demšar's Table 5(a), rounded there to three digits.
    #[test]
    fn critical_values_are_those_printed() {
        let five = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        let ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
        for k in 2..=10 {
            for (alpha, want) in [(0.05, five[k - 2]), (0.10, ten[k - 2])] {
                let got = studentized_range::quantile(alpha, k).unwrap() / SQRT_2;
                assert!((got - want).abs() < 0.0011, "{k} {alpha}: {got} {want}");
            }
        }
    }

    #[test]
    fn a_pair_is_significant_exactly_when_its_ranks_are_the_critical_difference_apart() {
        let test = demsar();
        let p = nemenyi(&test).unwrap();
        for alpha in [0.05, 0.10, 0.3] {
            let apart = nemenyi_critical_difference(4, 14, alpha).unwrap();
            for (row, i) in p.iter().zip(&test.average_ranks) {
                for (p, j) in row.iter().zip(&test.average_ranks) {
                    assert_eq!(*p <= alpha, (i - j).abs() >= apart, "{i} {j} {alpha}");
                }
            }
        }
        // At 0.10 C4.5+m+cf differs from C4.5, and C4.5+m does.
        assert!(p[0][3] < 0.10 && p[0][1] < 0.10 && p[2][3] > 0.10);
    }

    #[test]
    fn no_data_sets_and_impossible_levels_are_refused() {
        assert!(nemenyi_critical_difference(4, 0, 0.05).is_err());
        assert!(nemenyi_critical_difference(1, 5, 0.05).is_err());
        assert!(nemenyi_critical_difference(4, 5, 1.0).is_err());
    }
}
