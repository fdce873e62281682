//! Friedman's test: do schemes differ over many data sets?
//!
//! On every one of `N` data sets the `k` schemes are ranked ([`ranks`](super::ranks())); `R_j` is the average rank of
//! scheme `j`. If they are all alike,
//!
//! ```text
//! χ²_F = 12 N / (k (k + 1)) · (Σ_j R_j² − k (k + 1)² / 4)        about χ² with k − 1 degrees of freedom
//! F_F  = (N − 1) χ²_F / (N (k − 1) − χ²_F)                       about F with k − 1 and (k − 1)(N − 1)
//! ```
//!
//! The second is by Iman and Davenport, as the first is too careful. Source: J. Demšar (2006), *Statistical comparisons of
//! classifiers over multiple data sets*, JMLR 7, section 3.2.2. His χ² makes no allowance for ties;
//! [`Friedman::corrected_for_ties`] does.

use serde::Serialize;

use super::checks::finite;
use super::distributions::{chi2_tail, f_tail};
use super::ranks::{groups, tolerance};
use crate::error::{Error, Result};

/// What Friedman's test says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Friedman {
    /// The number of data sets.
    pub data_sets: usize,
    /// The average rank of every scheme; 1 is the best.
    pub average_ranks: Vec<f64>,
    /// Friedman's statistic.
    pub chi2: f64,
    /// Its degrees of freedom, one less than there are schemes.
    pub df: usize,
    /// The probability of such a `chi2`, or a larger one, if the schemes are alike.
    pub p: f64,
    /// The statistic of Iman and Davenport; infinite where all data sets rank the schemes in the same way.
    pub f: f64,
    /// Its degrees of freedom.
    pub f_df: (usize, usize),
    /// The probability of such an `f`, or a larger one, if the schemes are alike.
    pub f_p: f64,
    /// `1 − Σ (t³ − t) / (N k (k² − 1))` over all groups of `t` equal values: 1 without ties, 0 where all is tied.
    pub ties: f64,
}

impl Friedman {
    fn new(data_sets: usize, average_ranks: Vec<f64>, chi2: f64, ties: f64) -> Self {
        let (n, k) = (data_sets as f64, average_ranks.len() as f64);
        let df = average_ranks.len() - 1;
        let most = n * (k - 1.0);
        let f = if most - chi2 <= 1e-12 * most { f64::INFINITY } else { (n - 1.0) * chi2 / (most - chi2) };
        let f_df = (df, df * (data_sets - 1));
        Self {
            data_sets,
            average_ranks,
            chi2,
            df,
            p: chi2_tail(chi2, df as f64),
            f,
            f_df,
            f_p: f_tail(f, f_df.0 as f64, f_df.1 as f64),
            ties,
        }
    }

    /// The same test with χ² divided by `ties`, which is what it should be when values are equal; with nothing but ties, 0.
    ///
    /// ```
    /// use secateur::statistics::friedman;
    /// let test = friedman(&[vec![0.9, 0.8, 0.8], vec![0.7, 0.6, 0.5]], true)?;
    /// assert_eq!((test.chi2, test.ties), (3.25, 0.875));
    /// assert_eq!(test.corrected_for_ties().chi2, 3.25 / 0.875);
    /// # Ok::<(), secateur::error::Error>(())
    /// ```
    pub fn corrected_for_ties(&self) -> Self {
        let chi2 = if self.ties > 0.0 { self.chi2 / self.ties } else { 0.0 };
        Self::new(self.data_sets, self.average_ranks.clone(), chi2, self.ties)
    }

    /// The standard error of a difference of two average ranks: `√(k (k + 1) / 6N)`.
    ///
    /// ```
    /// use secateur::statistics::friedman;
    /// let test = friedman(&[vec![0.9, 0.8], vec![0.7, 0.6]], true)?;
    /// assert_eq!(test.rank_error(), 0.5f64.sqrt());
    /// # Ok::<(), secateur::error::Error>(())
    /// ```
    pub fn rank_error(&self) -> f64 {
        rank_error(self.average_ranks.len(), self.data_sets)
    }
}

/// `√(k (k + 1) / 6N)` for `k` schemes on `N` data sets.
pub(super) fn rank_error(schemes: usize, data_sets: usize) -> f64 {
    let (k, n) = (schemes as f64, data_sets as f64);
    (k * (k + 1.0) / (6.0 * n)).sqrt()
}

/// Friedman's test on `scores[data set][scheme]`: at least two data sets and two schemes, finite scores.
///
/// ```
/// use secateur::statistics::friedman;
/// let test = friedman(&[vec![0.9, 0.8, 0.7], vec![0.8, 0.9, 0.6], vec![0.7, 0.6, 0.5]], true)?;
/// assert_eq!(format!("{:.3?} {:.3}", test.average_ranks, test.chi2), "[1.333, 1.667, 3.000] 4.667");
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn friedman(scores: &[Vec<f64>], larger_is_better: bool) -> Result<Friedman> {
    let (n, k) = (scores.len(), scores.first().map_or(0, Vec::len));
    if n < 2 || k < 2 {
        return Err(Error::parameter(format!(
            "{k} schemes on {n} data sets cannot be compared by ranks; expected at least two of both"
        )));
    }
    let mut sums = vec![0.0; k];
    let mut tied = 0.0;
    for (i, row) in scores.iter().enumerate() {
        if row.len() != k {
            return Err(Error::parameter(format!(
                "data set {} has {} scores, the first has {k}; every scheme needs a score on every data set",
                i + 1,
                row.len()
            )));
        }
        finite(row).map_err(|e| Error::parameter(format!("data set {}: {e}", i + 1)))?;
        for group in groups(row, larger_is_better, tolerance(row)) {
            let size = group.members.len() as f64;
            tied += size * size * size - size;
            for j in group.members {
                sums[j] += group.rank;
            }
        }
    }
    let (size, wide) = (n as f64, k as f64);
    // Σ R² − k (k + 1)²/4 is the sum of squares around the mean rank (k + 1)/2.
    let around: f64 = sums.iter().map(|sum| (sum / size - (wide + 1.0) / 2.0).powi(2)).sum();
    let chi2 = 12.0 * size / (wide * (wide + 1.0)) * around;
    let ties = 1.0 - tied / (size * wide * (wide * wide - 1.0));
    Ok(Friedman::new(n, sums.iter().map(|sum| sum / size).collect(), chi2, ties))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The ranks printed in Demšar's Table 6: C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets.
    pub(crate) const DEMSAR: [[f64; 4]; 14] = [
        [4.0, 3.0, 2.0, 1.0],
        [1.0, 2.0, 3.0, 4.0],
        [4.0, 1.0, 2.0, 3.0],
        [4.0, 1.0, 3.0, 2.0],
        [4.0, 2.0, 3.0, 1.0],
        [1.0, 2.5, 4.0, 2.5],
        [3.0, 2.0, 4.0, 1.0],
        [2.5, 2.5, 4.0, 1.0],
        [4.0, 3.0, 2.0, 1.0],
        [2.5, 2.5, 2.5, 2.5],
        [4.0, 2.5, 1.0, 2.5],
        [3.0, 2.0, 4.0, 1.0],
        [4.0, 1.0, 2.0, 3.0],
        [3.0, 1.0, 4.0, 2.0],
    ];

    pub(crate) fn demsar() -> Friedman {
        friedman(&DEMSAR.map(|row| row.to_vec()), false).unwrap()
    }

    #[test]
    fn demsars_example_comes_out_as_printed() {
        let test = demsar();
        assert_eq!(format!("{:.3?}", test.average_ranks), "[3.143, 2.000, 2.893, 1.964]");
        assert_eq!(format!("{:.2}", test.chi2), "9.28");
        assert_eq!(format!("{:.2}", test.f), "3.69");
        assert_eq!((test.df, test.f_df), (3, (3, 39)));
        // "The critical value of F(3, 39) for α = 0.05 is 2.85": significant.
        assert!(test.f_p < 0.05 && (f_tail(2.85, 3.0, 39.0) - 0.05).abs() < 5e-4);
    }

    #[test]
    fn schemes_that_always_rank_alike_are_told_apart_and_equal_ones_are_not() {
        let always = friedman(&vec![vec![0.1, 0.2, 0.3]; 5], true).unwrap();
        assert_eq!(always.average_ranks, [3.0, 2.0, 1.0]);
        assert_eq!((always.f, always.f_p), (f64::INFINITY, 0.0));
        assert_eq!(always.chi2, 10.0);
        let equal = friedman(&vec![vec![0.5; 3]; 5], true).unwrap();
        assert_eq!((equal.chi2, equal.p, equal.f, equal.f_p, equal.ties), (0.0, 1.0, 0.0, 1.0, 0.0));
        assert_eq!(equal.corrected_for_ties().p, 1.0);
    }

    #[test]
    fn tables_that_are_no_tables_are_refused() {
        for scores in [
            vec![],
            vec![vec![1.0, 2.0]],
            vec![vec![1.0], vec![2.0]],
            vec![vec![1.0, 2.0], vec![1.0]],
            vec![vec![1.0, 2.0], vec![1.0, f64::NAN]],
        ] {
            assert!(friedman(&scores, true).is_err(), "{scores:?}");
        }
    }
}
