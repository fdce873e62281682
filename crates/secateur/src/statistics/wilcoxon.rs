//! Wilcoxon's signed ranks: two schemes over many data sets.
//!
//! The differences are ranked by size; `R⁺` is the sum of the ranks of those above 0, `R⁻` of those below. If the
//! schemes are alike every rank is as often above as below. With up to 50 differences that are all distinct, `p` is counted
//! out over all signs; else `R⁺` is taken for normal with
//!
//! ```text
//! mean n (n + 1) / 4,   variance n (n + 1) (2n + 1) / 24 − Σ (t³ − t) / 48   over all groups of t ties
//! ```
//!
//! without continuity correction. F. Wilcoxon (1945), *Individual comparisons by ranking methods*; J. Demšar (2006),
//! *Statistical comparisons of classifiers over multiple data sets*, section 3.1.3.

use serde::Serialize;

use super::checks::finite;
use super::distributions::normal_tail;
use super::ranks::{groups, tolerance};
use crate::error::{Error, Result};

/// With more differences than this the normal distribution is used.
const COUNTED_OUT: usize = 50;

/// What becomes of data sets on which the schemes are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Zeros {
    /// They are left out (Wilcoxon).
    #[default]
    Dropped,
    /// They are ranked, and their ranks go half to either side; one of an odd number is left out (Demšar).
    Split,
}

/// What Wilcoxon's test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Wilcoxon {
    /// How many differences were ranked.
    pub n: usize,
    /// The sum of ranks where the first scheme is larger.
    pub above: f64,
    /// The sum of ranks where the second scheme is larger.
    pub below: f64,
    /// `above` in standard errors from its mean; 0 where nothing was ranked.
    pub z: f64,
    /// The probability of sums as far apart, or further, if the schemes are alike; two-tailed.
    pub p: f64,
    /// Whether `p` was counted out, rather than taken from `z`.
    pub exact: bool,
}

/// Compares the scores of two schemes, data set by data set. Scores that differ by no more than 10⁻¹² of the largest are equal.
///
/// ```
/// use secateur::statistics::{Zeros, wilcoxon};
/// let test = wilcoxon(&[0.9, 0.8, 0.7, 0.6], &[0.8, 0.6, 0.4, 0.7005], Zeros::Dropped)?;
/// assert_eq!((test.above, test.below), (8.0, 2.0));
/// // Of 16 choices of signs, 3 have a sum of at most 2 (none, 1, 2), and as many one of at least 8.
/// assert_eq!((test.p, test.exact), (6.0 / 16.0, true));
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn wilcoxon(a: &[f64], b: &[f64], zeros: Zeros) -> Result<Wilcoxon> {
    if a.len() != b.len() {
        return Err(Error::parameter(format!(
            "the schemes have {} and {} scores; expected one of both for every data set",
            a.len(),
            b.len()
        )));
    }
    if a.is_empty() {
        return Err(Error::parameter("there are no scores; expected at least one data set"));
    }
    finite(a)?;
    finite(b)?;
    let tolerance = tolerance(a).max(tolerance(b));
    let mut differences: Vec<f64> =
        a.iter().zip(b).map(|(a, b)| a - b).map(|d| if d.abs() <= tolerance { 0.0 } else { d }).collect();
    finite(&differences)?;
    let equal = differences.iter().filter(|d| **d == 0.0).count();
    let mut left_out = if zeros == Zeros::Dropped { equal } else { equal % 2 };
    differences.retain(|d| {
        let keep = *d != 0.0 || left_out == 0;
        left_out -= usize::from(!keep);
        keep
    });
    Ok(test(&differences, tolerance))
}

fn test(differences: &[f64], tolerance: f64) -> Wilcoxon {
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let (mut above, mut below, mut tied) = (0.0, 0.0, 0.0);
    for group in groups(&sizes, false, tolerance) {
        let size = group.members.len() as f64;
        tied += size * size * size - size;
        for i in group.members {
            match differences[i] {
                d if d > 0.0 => above += group.rank,
                d if d < 0.0 => below += group.rank,
                _ => {
                    above += group.rank / 2.0;
                    below += group.rank / 2.0;
                }
            }
        }
    }
    let n = differences.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tied / 48.0;
    let off = above - n * (n + 1.0) / 4.0;
    let z = if off == 0.0 { 0.0 } else { off / variance.sqrt() };
    // A single 0 cannot remain: an even number of them is tied.
    let exact = differences.len() <= COUNTED_OUT && tied == 0.0;
    let p = if exact { counted_out(differences.len(), above.min(below)) } else { 2.0 * normal_tail(z.abs()) };
    Wilcoxon { n: differences.len(), above, below, z, p: p.min(1.0), exact }
}

/// Twice the share of all choices among the ranks 1 to `n` whose sum is at most `least`. Counts stay below 2⁵³: exact.
fn counted_out(n: usize, least: f64) -> f64 {
    let most = n * (n + 1) / 2;
    let mut ways = vec![0.0; most + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..=most).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let few: f64 = ways.iter().take(least as usize + 1).sum();
    2.0 * few / 2f64.powi(n as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Demšar's Table 2: C4.5 and C4.5+m on 14 data sets.
    const C45: [f64; 14] =
        [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957];
    const C45_M: [f64; 14] =
        [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978];

    /// `R⁺ = 93`, `R⁻ = 12`: two data sets are equal, and +0.005 ties with −0.005 though their doubles differ.
    #[test]
    fn demsars_example_comes_out_as_printed() {
        let test = wilcoxon(&C45_M, &C45, Zeros::Split).unwrap();
        assert_eq!((test.n, test.above, test.below), (14, 93.0, 12.0));
        // z is −2.54 by the formula, without the allowance for ties.
        assert_eq!(format!("{:.2}", test.z), "2.54");
        assert!(test.p < 0.05 && !test.exact);
        let dropped = wilcoxon(&C45_M, &C45, Zeros::Dropped).unwrap();
        assert_eq!((dropped.n, dropped.above + dropped.below), (12, 78.0));
    }

    /// Every choice of signs, one after another.
    #[test]
    fn exact_probabilities_count_all_signs() {
        for n in 1..=10usize {
            let sums: Vec<usize> = (0..1usize << n)
                .map(|signs| (0..n).filter(|i| signs >> i & 1 == 1).map(|i| i + 1).sum())
                .collect();
            for signs in 0..1usize << n {
                let a: Vec<f64> =
                    (0..n).map(|i| (i + 1) as f64 * if signs >> i & 1 == 1 { 1.0 } else { -1.0 }).collect();
                let test = wilcoxon(&a, &vec![0.0; n], Zeros::Dropped).unwrap();
                let least = sums[signs].min(n * (n + 1) / 2 - sums[signs]);
                let few = sums.iter().filter(|sum| **sum <= least).count();
                assert_eq!(test.p, (2.0 * few as f64 / sums.len() as f64).min(1.0));
                assert!(test.exact && test.above == sums[signs] as f64);
            }
        }
    }

    #[test]
    fn equal_schemes_do_not_differ() {
        for zeros in [Zeros::Dropped, Zeros::Split] {
            for n in 1..4 {
                let test = wilcoxon(&vec![0.3; n], &vec![0.1 + 0.2; n], zeros).unwrap();
                assert_eq!((test.z, test.p), (0.0, 1.0));
            }
        }
    }

    #[test]
    fn scores_that_are_no_pairs_are_refused() {
        assert!(wilcoxon(&[1.0], &[], Zeros::Dropped).is_err());
        assert!(wilcoxon(&[], &[], Zeros::Dropped).is_err());
        assert!(wilcoxon(&[f64::NAN], &[1.0], Zeros::Split).is_err());
        assert!(wilcoxon(&[1.7e308], &[-1.7e308], Zeros::Split).is_err());
    }
}
