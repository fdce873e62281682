//! What the tests demand of their input, and the mean and variance they share.

use crate::error::{Error, Result};

/// A number strictly between 0 and 1.
pub(super) fn share(what: &str, value: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Error::parameter(format!(
        "the {what} is {value}; expected a number between 0 and 1, such as 0.95 or 0.05"
    )))
}

/// Only finite numbers.
pub(super) fn finite(values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(i) => {
            let value = values[i];
            Err(Error::parameter(format!("value {} is {value}; a test needs finite numbers", i + 1)))
        }
    }
}

/// `part` of `n`, which is not 0.
pub(super) fn part(part: u64, n: u64) -> Result<()> {
    if n == 0 {
        return Err(Error::parameter("there are no rows; a proportion needs at least one"));
    }
    if part > n {
        return Err(Error::parameter(format!("{part} of {n} is not a proportion; expected at most {n}")));
    }
    Ok(())
}

/// Number, mean and unbiased variance of at least two finite values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) n: usize,
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Sample {
    pub(super) fn of(values: &[f64]) -> Result<Self> {
        let n = values.len();
        if n < 2 {
            return Err(Error::parameter(format!(
                "{n} value{} cannot show how much values vary; expected at least two",
                if n == 1 { "" } else { "s" }
            )));
        }
        finite(values)?;
        // Equal values have variance 0 exactly, whatever the rounding of their mean.
        if values.iter().all(|v| *v == values[0]) {
            return Ok(Self { n, mean: values[0], variance: 0.0 });
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let (mut squares, mut rest) = (0.0, 0.0);
        for value in values {
            squares += (value - mean).powi(2);
            rest += value - mean;
        }
        // The second term would be 0 without rounding (Chan, Golub and LeVeque 1983, equation 1.7).
        let variance = (squares - rest * rest / n as f64) / (n as f64 - 1.0);
        if !variance.is_finite() {
            return Err(Error::parameter("the values are too large for a variance; scale them down"));
        }
        Ok(Self { n, mean, variance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_are_those_of_the_definition() {
        let sample = Sample::of(&[1.0, 2.0, 4.0, 9.0]).unwrap();
        assert_eq!((sample.n, sample.mean), (4, 4.0));
        assert!((sample.variance - 38.0 / 3.0).abs() < 1e-14);
        assert_eq!(Sample::of(&[0.1; 7]).unwrap().variance, 0.0);
    }

    #[test]
    fn what_has_no_variance_is_refused() {
        for values in [&[][..], &[1.0], &[1.0, f64::NAN], &[1.0, f64::INFINITY], &[1e300, -1e300]] {
            assert!(Sample::of(values).is_err(), "{values:?}");
        }
        for level in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(share("level", level).is_err());
        }
        assert!(share("level", 0.5).is_ok());
        assert!(part(0, 0).is_err() && part(2, 1).is_err() && part(1, 1).is_ok());
    }
}
