//! The difference of two proportions, as of the error rates of two schemes on separate test sets.
//!
//! `z = (p_a − p_b) / e` is compared with the normal distribution, where `e²` is
//!
//! - `p_a (1 − p_a) / n_a + p_b (1 − p_b) / n_b`, every proportion with its own variance (the test at 90 % of
//!   Y. Mansour (1997), *Pessimistic decision tree pruning based on tree size*), or
//! - pooled, `p (1 − p) (1/n_a + 1/n_b)` with `p` the proportion of both together, as if there were no difference.
//!
//! Two schemes judged on the *same* rows are compared better by [`mcnemar`](super::mcnemar()).

use super::checks::{part, share};
use super::distributions::{normal_quantile, normal_tail};
use super::interval::Interval;
use super::t_test::over;
use crate::error::Result;

/// What the test of two proportions says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZTest {
    /// The first proportion minus the second.
    pub difference: f64,
    /// The standard error the test divides by, pooled or not.
    pub standard_error: f64,
    /// The standard error of the difference, not pooled, as intervals need it.
    pub unpooled_error: f64,
    /// The difference over its standard error; 0 if there is no difference, infinite where nothing varies.
    pub z: f64,
    /// The probability of such a `z`, or one further out, on either side if there is no difference.
    pub p: f64,
}

impl ZTest {
    /// The interval of the difference: `difference ± z √(p_a (1 − p_a) / n_a + p_b (1 − p_b) / n_b)`.
    ///
    /// ```
    /// use secateur::statistics::proportions;
    /// let interval = proportions(30, 100, 20, 100)?.interval(0.90)?;
    /// // 0.1 ± 1.644854 · 0.0608276
    /// assert!((interval.low + 0.000_053).abs() < 1e-6 && (interval.high - 0.200_053).abs() < 1e-6);
    /// # Ok::<(), secateur::error::Error>(())
    /// ```
    pub fn interval(&self, level: f64) -> Result<Interval> {
        share("level", level)?;
        let z = normal_quantile((1.0 - level) / 2.0);
        Ok(Interval::around(self.difference, z * self.unpooled_error))
    }
}

/// Compares `errors_a` of `n_a` with `errors_b` of `n_b`, each with its own variance; two-tailed.
///
/// ```
/// use secateur::statistics::proportions;
/// let test = proportions(30, 100, 20, 100)?;
/// assert_eq!(format!("{:.4} {:.4}", test.z, test.p), "1.6440 0.1002");
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn proportions(errors_a: u64, n_a: u64, errors_b: u64, n_b: u64) -> Result<ZTest> {
    test(errors_a, n_a, errors_b, n_b, false)
}

/// Compares `errors_a` of `n_a` with `errors_b` of `n_b` with the variance of both together; two-tailed.
///
/// ```
/// use secateur::statistics::pooled_proportions;
/// let test = pooled_proportions(30, 100, 20, 100)?;
/// assert_eq!(format!("{:.4} {:.4}", test.z, test.p), "1.6330 0.1025");
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn pooled_proportions(errors_a: u64, n_a: u64, errors_b: u64, n_b: u64) -> Result<ZTest> {
    test(errors_a, n_a, errors_b, n_b, true)
}

fn test(errors_a: u64, n_a: u64, errors_b: u64, n_b: u64, pooled: bool) -> Result<ZTest> {
    part(errors_a, n_a)?;
    part(errors_b, n_b)?;
    let [errors_a, n_a, errors_b, n_b] = [errors_a, n_a, errors_b, n_b].map(|count| count as f64);
    let (a, b) = (errors_a / n_a, errors_b / n_b);
    let unpooled_error = (a * (1.0 - a) / n_a + b * (1.0 - b) / n_b).sqrt();
    let standard_error = if pooled {
        let both = (errors_a + errors_b) / (n_a + n_b);
        (both * (1.0 - both) * (1.0 / n_a + 1.0 / n_b)).sqrt()
    } else {
        unpooled_error
    };
    let difference = a - b;
    let z = over(difference, standard_error);
    Ok(ZTest { difference, standard_error, unpooled_error, z, p: 2.0 * normal_tail(z.abs()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_variance_means_no_difference_or_a_certain_one() {
        let same = proportions(0, 5, 0, 9).unwrap();
        assert_eq!((same.z, same.p), (0.0, 1.0));
        let all = proportions(5, 5, 0, 9).unwrap();
        assert_eq!((all.z, all.p), (f64::INFINITY, 0.0));
        // Together they vary: the pooled test stays finite.
        assert!(pooled_proportions(5, 5, 0, 9).unwrap().z.is_finite());
    }

    #[test]
    fn the_order_of_the_schemes_changes_the_sign_only() {
        for test in [proportions, pooled_proportions] {
            let (ab, ba) = (test(7, 40, 12, 60).unwrap(), test(12, 60, 7, 40).unwrap());
            assert_eq!((ab.z, ab.p), (-ba.z, ba.p));
        }
    }

    #[test]
    fn what_is_no_proportion_is_refused() {
        assert!(proportions(1, 0, 1, 2).is_err());
        assert!(pooled_proportions(1, 2, 3, 2).is_err());
        assert!(proportions(1, 2, 1, 2).unwrap().interval(90.0).is_err());
    }
}
