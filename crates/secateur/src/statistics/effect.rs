//! How large a difference is, in units that do not grow with the number of runs.

use super::checks::{Sample, finite};
use super::t_test::over;
use crate::error::{Error, Result};

/// Cohen's d of paired differences, their mean over their standard deviation: 0 where the mean is, infinite where nothing
/// varies (J. Cohen (1988), *Statistical power analysis for the behavioral sciences*, section 2.3.5). At least two.
///
/// ```
/// use secateur::statistics::cohens_d;
/// assert_eq!(cohens_d(&[1.0, 2.0, 3.0])?, 2.0);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn cohens_d(differences: &[f64]) -> Result<f64> {
    let sample = Sample::of(differences)?;
    Ok(over(sample.mean, sample.variance.sqrt()))
}

/// Cliff's delta: how much more often a value of the first is larger than one of the second than it is smaller, over all
/// pairs, from −1 to 1 (N. Cliff (1993), *Dominance statistics: ordinal analyses to answer ordinal questions*).
/// At least one value of both; O((n + m) log(n + m)).
///
/// ```
/// use secateur::statistics::cliffs_delta;
/// // Of six pairs four are larger, one is smaller, one is equal.
/// assert_eq!(cliffs_delta(&[2.0, 3.0, 4.0], &[1.0, 3.0])?, 0.5);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn cliffs_delta(a: &[f64], b: &[f64]) -> Result<f64> {
    if a.is_empty() || b.is_empty() {
        return Err(Error::parameter("a side has no values; Cliff's delta needs at least one of both"));
    }
    finite(a)?;
    finite(b)?;
    let mut sorted = b.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut more = 0.0;
    for value in a {
        let smaller = sorted.partition_point(|other| other < value);
        let larger = sorted.len() - sorted.partition_point(|other| other <= value);
        more += smaller as f64 - larger as f64;
    }
    Ok(more / (a.len() as f64 * b.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cliffs_delta_counts_all_pairs(
            a in prop::collection::vec(-5i32..6, 1..20), b in prop::collection::vec(-5i32..6, 1..20),
        ) {
            let sum: i32 = a.iter().flat_map(|a| b.iter().map(move |b| (a - b).signum())).sum();
            let [x, y] = [&a, &b].map(|v| v.iter().map(|v| f64::from(*v)).collect::<Vec<_>>());
            let want = f64::from(sum) / (a.len() * b.len()) as f64;
            prop_assert_eq!(cliffs_delta(&x, &y).unwrap(), want);
        }
    }

    #[test]
    fn zeros_of_either_sign_are_equal() {
        assert_eq!(cliffs_delta(&[0.0], &[-0.0]).unwrap(), 0.0);
        assert_eq!(cliffs_delta(&[-0.0], &[0.0, 0.0]).unwrap(), 0.0);
    }

    #[test]
    fn without_variance_an_effect_is_none_or_infinite() {
        assert_eq!(cohens_d(&[0.0, 0.0]).unwrap(), 0.0);
        assert_eq!(cohens_d(&[-0.5, -0.5]).unwrap(), f64::NEG_INFINITY);
        assert!(cohens_d(&[0.1]).is_err());
        assert!(cliffs_delta(&[], &[1.0]).is_err());
        assert!(cliffs_delta(&[1.0], &[f64::NAN]).is_err());
    }
}
