//! McNemar's test: two schemes judged on the same rows differ only where one is right and the other is wrong.
//!
//! If neither is better, every such row is a fair coin. With `b` rows only the first scheme gets right, `c` only the
//! second, and `n = b + c`:
//!
//! - exact: twice the probability that a binomial count of `n` fair coins is at most `min(b, c)`, at most 1;
//! - approximate: `χ² = (|b − c| − 1)² / (b + c)` with one degree of freedom, corrected for continuity (A. L. Edwards
//!   (1948), *Note on the "correction for continuity"*). `|b − c| − 1` is not taken below 0.
//!
//! Q. McNemar (1947), *Note on the sampling error of the difference between correlated proportions*.

use super::distributions::chi2_tail;

/// Up to how many differing rows the exact sum is taken; beyond, the approximation has as many digits.
const SUMMED: f64 = 1e10;

/// What McNemar's test says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemar {
    /// The exact probability, two-tailed.
    pub exact_p: f64,
    /// χ² with continuity correction; 0 where the schemes never differ.
    pub chi2: f64,
    /// The probability that belongs to `chi2`.
    pub chi2_p: f64,
}

/// Compares two schemes by the rows that only one of them got right.
///
/// ```
/// use secateur::statistics::mcnemar;
/// let test = mcnemar(1, 7);
/// // All eight against, or seven, on either side.
/// assert!((test.exact_p - 2.0 * (1.0 + 8.0) / 256.0).abs() < 1e-15);
/// assert_eq!(test.chi2, 25.0 / 8.0);
/// ```
pub fn mcnemar(only_a_right: u64, only_b_right: u64) -> McNemar {
    let apart = only_a_right.abs_diff(only_b_right).saturating_sub(1) as f64;
    let n = only_a_right as f64 + only_b_right as f64;
    let chi2 = if n == 0.0 { 0.0 } else { apart * apart / n };
    let chi2_p = chi2_tail(chi2, 1.0);
    let exact_p = if n <= SUMMED { fair_coins(only_a_right, only_b_right) } else { chi2_p };
    McNemar { exact_p, chi2, chi2_p }
}

/// Twice the probability of at most `min(b, c)` heads among `b + c` fair coins, at most 1.
///
/// The counts `C(n, i)` are summed in units of the middle one, down from it until they no longer count: about `40 √n` terms
/// that never overflow, and their sum over all `i` stands for `2ⁿ`.
fn fair_coins(b: u64, c: u64) -> f64 {
    let least = b.min(c) as f64;
    let n = b as f64 + c as f64;
    let middle = (n / 2.0).floor();
    let (mut i, mut term, mut tail, mut half) = (middle, 1.0f64, 0.0f64, 0.0f64);
    while term > 0.0 && i >= 0.0 {
        half += term;
        if i <= least {
            tail += term;
        }
        term *= i / (n - i + 1.0);
        i -= 1.0;
    }
    // With an even n the middle count stands alone, with an odd one it stands twice.
    let all = if n % 2.0 == 0.0 { 2.0 * half - 1.0 } else { 2.0 * half };
    (2.0 * tail / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pascal's triangle, row by row.
    #[test]
    fn exact_probabilities_are_sums_of_pascals_triangle() {
        let mut row = vec![1u64];
        for n in 1..50u64 {
            row = (0..=n as usize)
                .map(|i| (if i > 0 { row[i - 1] } else { 0 }) + row.get(i).copied().unwrap_or(0))
                .collect();
            for b in 0..=n {
                let tail: u64 = row[..=b.min(n - b) as usize].iter().sum();
                let want = (2.0 * tail as f64 / 2f64.powi(n as i32)).min(1.0);
                let got = mcnemar(b, n - b).exact_p;
                assert!((got - want).abs() <= 1e-13 * want, "{b} of {n}: {got} {want}");
            }
        }
    }

    #[test]
    fn no_difference_is_none() {
        let none = mcnemar(0, 0);
        assert_eq!((none.exact_p, none.chi2, none.chi2_p), (1.0, 0.0, 1.0));
        let equal = mcnemar(6, 6);
        assert_eq!((equal.exact_p, equal.chi2, equal.chi2_p), (1.0, 0.0, 1.0));
    }

    #[test]
    fn many_rows_take_no_long_sum_and_meet_the_approximation() {
        let test = mcnemar(50_000_000, 50_012_000);
        assert!((test.exact_p / test.chi2_p - 1.0).abs() < 1e-4, "{test:?}");
        assert_eq!(mcnemar(0, u64::MAX).exact_p, 0.0);
    }
}
