//! Holm's step-down adjustment of several probabilities, and all schemes against a control by it.
//!
//! With the `m` probabilities in ascending order, `p'_i = max_{j ≤ i} min(1, (m − j + 1) p_j)`: a hypothesis is rejected
//! at `α` when its adjusted probability is at most `α` (S. Holm (1979), *A simple sequentially rejective multiple test
//! procedure*).

use super::distributions::normal_tail;
use super::friedman::Friedman;
use crate::error::{Error, Result};

/// The adjusted probabilities, in the order of the given ones, which lie between 0 and 1.
///
/// ```
/// use secateur::statistics::holm;
/// assert_eq!(holm(&[0.04, 0.01, 0.03])?, [0.06, 0.03, 0.06]);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>> {
    if let Some(p) = p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(Error::parameter(format!("{p} is not a probability; expected a number from 0 to 1")));
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut most = 0.0f64;
    for (place, &i) in order.iter().enumerate() {
        most = most.max(((p_values.len() - place) as f64 * p_values[i]).min(1.0));
        adjusted[i] = most;
    }
    Ok(adjusted)
}

/// A scheme against the control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Versus {
    /// The scheme's place in the table.
    pub scheme: usize,
    /// Its average rank minus the control's, over the standard error: above 0 where the control is better.
    pub z: f64,
    /// The probability of such a `z`, or one further out, on either side.
    pub p: f64,
    /// The probability adjusted by [`holm`].
    pub adjusted_p: f64,
}

/// Compares every other scheme with one, the control: `z = (R_i − R_control) / √(k (k + 1) / 6N)`, adjusted by Holm
/// (J. Demšar (2006), *Statistical comparisons of classifiers over multiple data sets*, section 3.2.2).
///
/// ```
/// use secateur::statistics::{against_control, friedman};
/// let test = friedman(&[vec![0.9, 0.8, 0.7], vec![0.8, 0.7, 0.6], vec![0.7, 0.6, 0.5]], true)?;
/// let against = against_control(&test, 0)?;
/// assert_eq!((against[0].scheme, against[1].scheme), (1, 2));
/// assert!((against[1].z - 2.0 / (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
/// assert_eq!(against[1].adjusted_p, 2.0 * against[1].p);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn against_control(test: &Friedman, control: usize) -> Result<Vec<Versus>> {
    let ranks = &test.average_ranks;
    let Some(own) = ranks.get(control) else {
        return Err(Error::parameter(format!(
            "scheme {control} cannot be the control; there are {}, counted from 0",
            ranks.len()
        )));
    };
    let error = test.rank_error();
    let mut against: Vec<Versus> = (0..ranks.len())
        .filter(|&scheme| scheme != control)
        .map(|scheme| {
            let z = (ranks[scheme] - own) / error;
            Versus { scheme, z, p: (2.0 * normal_tail(z.abs())).min(1.0), adjusted_p: 1.0 }
        })
        .collect();
    let p: Vec<f64> = against.iter().map(|versus| versus.p).collect();
    for (versus, adjusted) in against.iter_mut().zip(holm(&p)?) {
        versus.adjusted_p = adjusted;
    }
    Ok(against)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::friedman::tests::demsar;
    use proptest::prelude::*;

    /// Demšar's example with C4.5 as the control: z 2.416, 2.343, 0.512 and p 0.016, 0.019, 0.607.
    #[test]
    fn demsars_control_example_comes_out_as_printed() {
        let against = against_control(&demsar(), 0).unwrap();
        for (scheme, z, p) in [(3, 2.416, 0.016), (1, 2.343, 0.019), (2, 0.512, 0.607)] {
            let versus = against.iter().find(|v| v.scheme == scheme).unwrap();
            assert!((versus.z.abs() - z).abs() < 2e-3 && versus.z < 0.0, "{versus:?}");
            assert!((versus.p - p).abs() < 2e-3, "{versus:?}");
        }
        // At 0.05, Holm rejects the first two hypotheses: 0.016 < 0.017, 0.019 < 0.025.
        assert_eq!(against.iter().filter(|v| v.adjusted_p <= 0.05).count(), 2);
        assert!(against_control(&demsar(), 4).is_err());
    }

    proptest! {
        /// The procedure itself: from the smallest on, reject while `p ≤ α / (m − i)`, then stop.
        #[test]
        fn adjusted_probabilities_reject_what_the_procedure_rejects(
            p in prop::collection::vec(0.0..0.2f64, 0..12), alpha in 0.001..0.5f64,
        ) {
            let mut sorted = p.clone();
            sorted.sort_by(f64::total_cmp);
            let rejected = (0..p.len()).take_while(|&i| sorted[i] * (p.len() - i) as f64 <= alpha).count();
            let adjusted = holm(&p).unwrap();
            prop_assert_eq!(adjusted.iter().filter(|a| **a <= alpha).count(), rejected);
            prop_assert!(adjusted.iter().zip(&p).all(|(a, p)| a >= p && *a <= 1.0));
        }
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        assert!(holm(&[0.5, 1.5]).is_err() && holm(&[-0.1]).is_err() && holm(&[f64::NAN]).is_err());
        assert_eq!(holm(&[0.9, 0.8]).unwrap(), [1.0, 1.0]);
    }
}
