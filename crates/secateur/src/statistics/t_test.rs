//! Student's t on paired differences: plain, one-sided, and corrected for resampling.
//!
//! With `r` differences of mean `d̄` and variance `s²`, `t = d̄ / √(c s²)` has `r − 1` degrees of freedom, where
//!
//! - `c = 1/r` in the plain paired test;
//! - `c = 1/r + n_test/n_train` in the corrected resampled test (C. Nadeau and Y. Bengio (2003), *Inference for the
//!   generalization error*, Machine Learning 52, section 5). Training sets overlap when a table is split again
//!   and again, so the differences are not independent, and the plain test calls equal schemes different far too often.
//!
//! With ten times ten folds of 200 rows, at 5 %, the plain test calls two equally good schemes different in more than half of
//! all tables and the corrected one in 4 to 5 %; but still in 9 % if the learner's answer hangs on few rows, as a
//! stump's does (measured in the tests beside this file).
//!
//! Where all differences are equal, `t` is 0 and `p` is 1 if they are 0; else `t` is infinite and `p` is 0.

use super::checks::Sample;
use super::distributions::{t_both_tails, t_tail};
use crate::error::{Error, Result};

/// What a t test says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// The mean difference.
    pub mean: f64,
    /// The standard error of the mean difference, as the test takes it.
    pub standard_error: f64,
    /// The mean over its standard error.
    pub t: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// The probability of such a `t`, or one further out, if there is no difference.
    pub p: f64,
}

/// Which way the difference is expected to go in a one-sided test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tail {
    /// Differences are above 0.
    Greater,
    /// Differences are below 0.
    Less,
}

/// The corrected resampled paired t test, two-tailed. `test_to_train` is `n_test / n_train`, 1/9 for ten folds.
///
/// At least two differences; `test_to_train` is finite and not negative.
///
/// ```
/// use secateur::statistics::corrected_t;
/// let test = corrected_t(&[0.02, 0.04, -0.01, 0.03, 0.02], 1.0 / 9.0)?;
/// // d̄ = 0.02, s² = 0.00035: t = 0.02 / √((1/5 + 1/9) 0.00035)
/// assert_eq!(format!("{:.4} {}", test.t, test.df), "1.9166 4");
/// assert!(test.p > 0.12 && test.p < 0.13);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn corrected_t(differences: &[f64], test_to_train: f64) -> Result<TTest> {
    ratio(test_to_train)?;
    Ok(test(Sample::of(differences)?, test_to_train, t_both_tails))
}

/// The plain paired t test, two-tailed. At least two differences.
///
/// ```
/// use secateur::statistics::paired_t;
/// let test = paired_t(&[1.0, 2.0, 3.0])?;
/// assert!((test.t - 12f64.sqrt()).abs() < 1e-12 && (test.p - 0.0742).abs() < 1e-4);
/// // Equal schemes on every fold: no difference.
/// assert_eq!(paired_t(&[0.0, 0.0])?.p, 1.0);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn paired_t(differences: &[f64]) -> Result<TTest> {
    Ok(test(Sample::of(differences)?, 0.0, t_both_tails))
}

/// The one-sided t test on matched pairs (L. B. Holder (1995), *Intermediate decision trees*). At least two differences.
///
/// ```
/// use secateur::statistics::{Tail, one_sided_t};
/// let differences = [1.0, 2.0, 3.0];
/// assert!((one_sided_t(&differences, Tail::Greater)?.p - 0.0371).abs() < 1e-4);
/// assert!((one_sided_t(&differences, Tail::Less)?.p - 0.9629).abs() < 1e-4);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn one_sided_t(differences: &[f64], tail: Tail) -> Result<TTest> {
    let p = |t: f64, df: f64| match tail {
        Tail::Greater => t_tail(t, df),
        Tail::Less => t_tail(-t, df),
    };
    let mut answer = test(Sample::of(differences)?, 0.0, p);
    // No difference at all says nothing for either side.
    if answer.mean == 0.0 && answer.standard_error == 0.0 {
        answer.p = 1.0;
    }
    Ok(answer)
}

/// Refuses a ratio of rows that cannot be one.
pub(super) fn ratio(test_to_train: f64) -> Result<()> {
    if test_to_train.is_finite() && test_to_train >= 0.0 {
        return Ok(());
    }
    Err(Error::parameter(format!(
        "there are {test_to_train} test rows per training row; expected a number from 0, such as 1/9 for ten folds"
    )))
}

/// `√((1/r + n_test/n_train) s²)`; without a ratio the plain `√(s²/r)`.
pub(super) fn standard_error(sample: Sample, test_to_train: f64) -> f64 {
    ((1.0 / sample.n as f64 + test_to_train) * sample.variance).sqrt()
}

fn test(sample: Sample, test_to_train: f64, p: impl Fn(f64, f64) -> f64) -> TTest {
    let df = sample.n - 1;
    let standard_error = standard_error(sample, test_to_train);
    let t = over(sample.mean, standard_error);
    TTest { mean: sample.mean, standard_error, t, df, p: p(t, df as f64) }
}

/// A difference over its standard error: 0 where there is none, infinite where nothing varies.
pub(super) fn over(difference: f64, standard_error: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / standard_error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correction_widens_the_error_by_the_ratio() {
        let values = [0.3, -0.1, 0.2, 0.25, 0.0, 0.1];
        let (plain, corrected) = (paired_t(&values).unwrap(), corrected_t(&values, 0.25).unwrap());
        let factor = ((1.0 / 6.0 + 0.25) / (1.0 / 6.0f64)).sqrt();
        assert!((plain.t / corrected.t - factor).abs() < 1e-12);
        assert!(corrected.p > plain.p);
        assert_eq!(corrected_t(&values, 0.0).unwrap(), plain);
    }

    #[test]
    fn the_sides_of_a_one_sided_test_add_up() {
        let values = [0.3, -0.1, 0.2, 0.25];
        let greater = one_sided_t(&values, Tail::Greater).unwrap().p;
        let less = one_sided_t(&values, Tail::Less).unwrap().p;
        assert!((greater + less - 1.0).abs() < 1e-15);
        assert!((2.0 * greater - paired_t(&values).unwrap().p).abs() < 1e-15);
    }

    #[test]
    fn without_variance_only_no_difference_is_none() {
        let equal = corrected_t(&[0.0; 5], 0.1).unwrap();
        assert_eq!((equal.t, equal.p), (0.0, 1.0));
        let better = corrected_t(&[0.1; 5], 0.1).unwrap();
        assert_eq!((better.t, better.p), (f64::INFINITY, 0.0));
        assert_eq!(paired_t(&[-0.1; 3]).unwrap().t, f64::NEG_INFINITY);
        assert_eq!(one_sided_t(&[0.1; 3], Tail::Greater).unwrap().p, 0.0);
        assert_eq!(one_sided_t(&[0.1; 3], Tail::Less).unwrap().p, 1.0);
        assert_eq!(one_sided_t(&[0.0; 3], Tail::Less).unwrap().p, 1.0);
    }

    #[test]
    fn too_few_values_and_impossible_ratios_are_refused() {
        assert!(paired_t(&[1.0]).is_err());
        assert!(corrected_t(&[], 0.1).is_err());
        assert!(one_sided_t(&[1.0, f64::NAN], Tail::Less).is_err());
        for ratio in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(corrected_t(&[1.0, 2.0], ratio).is_err());
        }
    }
}
