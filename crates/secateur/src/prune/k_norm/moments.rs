//! Moments of the error rate of one node seen as a leaf.
//!
//! With the prior count `λ` on each of the `J` classes, the error rate `r` of a leaf has a Beta distribution with
//! the parameters
//!
//! > `B = n − max_j n_j + (J − 1)λ`, `M − B = max_j n_j + λ`, so `M = n + Jλ`,
//!
//! and its moments are (Zhong 2007, equations 4.29 and C.26)
//!
//! > `E[r^k] = Π_{i<k} (B + i)/(M + i) = Γ(B + k) Γ(M) / (Γ(B) Γ(M + k))`,
//!
//! the right-hand side for every real `k`. (C.77 prints `M − B` with `(J − 1)λ`; 4.29 gives `λ`.)
//!
//! Differences of ln Γ lose all digits when `k` is large: ln Γ(10⁹) is 2·10¹⁰. Only *rises* `ln Γ(x + d) − ln Γ(x)`
//! are computed here, for the smaller of the two steps `k` and `M − B`, from Stirling's series with the large
//! terms cancelled by hand. That keeps about 13 digits for `k` up to 10¹⁵⁰.

use crate::tree::{Stats, Tree};

/// Whole `k` up to here are computed as the product.
const PRODUCT: f64 = 16.0;
/// From here on Stirling's series is exact to the last digit.
const LARGE: f64 = 16.0;

/// The Beta distribution of a leaf's error rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ErrorRate {
    /// `B`: the weight of the other classes, with their priors.
    wrong: f64,
    /// `M − B`: the weight of the predicted class, with its prior.
    right: f64,
    /// The error rate where nothing at all is known (`M = 0`).
    blank: f64,
}

impl ErrorRate {
    #[inline(always)]
    pub(super) fn new(counts: &[f64], lambda: f64) -> Self {
        // Adding up the others (and not subtracting from the sum) keeps a pure leaf exactly pure.
        let (mut most, mut others) = (0.0, 0.0);
        for &n in counts {
            others += n.min(most);
            most = n.max(most);
        }
        let classes = counts.len().max(1) as f64;
        let wrong = others + (classes - 1.0) * lambda;
        let right = if counts.is_empty() { 0.0 } else { most + lambda };
        Self { wrong, right, blank: (classes - 1.0) / classes }
    }

    /// The error rate of predicting one class.
    pub(super) fn of_label(counts: &[f64], label: usize, lambda: f64) -> Self {
        let classes = counts.len().max(1) as f64;
        let others = counts.iter().enumerate().filter(|(class, _)| *class != label);
        let wrong = others.map(|(_, n)| n).sum::<f64>() + (classes - 1.0) * lambda;
        let right = counts.get(label).map_or(0.0, |n| n + lambda);
        Self { wrong, right, blank: (classes - 1.0) / classes }
    }

    /// The share of classes of the weight `wrong`, beside others of the weight `right`.
    pub(super) fn of(wrong: f64, right: f64) -> Self {
        Self { wrong, right, blank: 0.0 }
    }

    /// Whether `E[r^k]` is a product.
    fn is_product(k: f64) -> bool {
        k <= PRODUCT && k.fract() == 0.0
    }

    /// [`moment`](Self::moment) of every node, where there is one for this `k`.
    pub(super) fn moments(tree: &Tree, lambda: f64, k: f64) -> Option<Vec<f64>> {
        match tree.stats() {
            // The usual case by itself: with both numbers fixed the compiler computes several nodes at a time.
            Stats::Classes { classes: 2, weights } if k == 2.0 => {
                let pairs = weights.as_chunks().0;
                let mut moments = vec![0.5; pairs.len()];
                for (moment, &[a, b]) in moments.iter_mut().zip(pairs) {
                    let (wrong, right) = (a.min(b) + lambda, a.max(b) + lambda);
                    let all = wrong + right;
                    let product = wrong * (wrong + 1.0) / (all * (all + 1.0));
                    *moment = if all <= 0.0 { 0.5 } else { product };
                }
                Some(moments)
            }
            Stats::Classes { classes, weights } if *classes > 0 && Self::is_product(k) => {
                let of = |counts: &[f64]| Self::new(counts, lambda).moment(k as u32);
                Some(weights.chunks_exact(*classes).map(of).collect())
            }
            _ => None,
        }
    }

    /// `E[r^k]`, the product for a whole `k`; tiny ones have few digits.
    #[inline(always)]
    pub(super) fn moment(self, k: u32) -> f64 {
        let Self { wrong, right, blank } = self;
        let all = wrong + right;
        if all <= 0.0 {
            return blank;
        }
        let factor = |of: f64| (1..k).map(|i| of + f64::from(i)).fold(of, |product, x| product * x);
        factor(wrong) / factor(all)
    }

    /// `ln E[r^k]`.
    pub(super) fn log_moment(self, k: f64) -> f64 {
        let Self { wrong, right, blank } = self;
        let all = wrong + right;
        if all <= 0.0 {
            return blank.ln();
        }
        if wrong <= 0.0 || k == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        if Self::is_product(k) {
            let product: f64 = (0..k as u32).map(|i| (wrong + f64::from(i)) / (all + f64::from(i))).product();
            // Sixteen tiny factors may be too small for a number, though not for its logarithm.
            if product > f64::MIN_POSITIVE {
                return product.ln();
            }
        }
        if k < right { rise(wrong, k) - rise(all, k) } else { rise(wrong, right) - rise(wrong + k, right) }
    }
}

/// `ln E[r^k]` of a node seen as a leaf, for any real `k ≥ 1`; counts may be fractions.
///
/// It is `-∞` where the moment is zero: no weight beside the predicted class and `λ = 0`, or only one class.
/// A node without any weight has the moments of the prior alone; with `λ = 0` their limit, `(J − 1)/J`.
///
/// ```
/// use secateur::prune::k_norm::log_moment;
/// // Zhong (4.16), (4.17): 98 examples of one class, 1 of the other.
/// let moment = |k| log_moment(&[98.0, 1.0], 0.5, k).exp();
/// assert!((moment(1.0) - 0.015).abs() < 1e-15);
/// assert!((moment(2.0) - 0.000_371_29).abs() < 1e-8);
/// // (4.20), where the paper prints 0.00075758: its own fraction is ten times smaller.
/// assert!((log_moment(&[98.0, 0.0], 0.5, 2.0).exp() - 0.000_075_758).abs() < 1e-9);
/// ```
pub fn log_moment(counts: &[f64], lambda: f64, k: f64) -> f64 {
    ErrorRate::new(counts, lambda).log_moment(k)
}

/// `ln Γ(x + d) − ln Γ(x)` for `x > 0`, `d ≥ 0`.
pub(super) fn rise(mut x: f64, d: f64) -> f64 {
    // Γ(x + 1) = x Γ(x), until Stirling's series holds.
    let (mut shifted, mut product) = (0.0, 1.0);
    while x < LARGE {
        product *= 1.0 + d / x;
        if product > 1e200 {
            shifted += f64::ln(product);
            product = 1.0;
        }
        x += 1.0;
    }
    shifted += product.ln();
    // ln Γ(z) = (z − ½) ln z − z + ½ ln 2π + tail(z)
    (x - 0.5) * (d / x).ln_1p() + d * (x + d).ln() - d + (tail(x + d) - tail(x)) - shifted
}

/// What Stirling's formula leaves out: `1/12z − 1/360z³ + 1/1260z⁵ − 1/1680z⁷ + 1/1188z⁹`.
fn tail(z: f64) -> f64 {
    let (y, s) = (1.0 / z, 1.0 / (z * z));
    y * (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0))))
}

/// `ln Σ exp(x)`, in one pass: the sum is kept in units of the largest summand so far.
#[inline]
pub(super) fn log_sum_exp(logs: impl Iterator<Item = f64>) -> f64 {
    let (mut top, mut sum) = (f64::NEG_INFINITY, 0.0);
    for log in logs {
        if log > top {
            sum = 1.0 + sum * f64::exp(top - log);
            top = log;
        } else if log > f64::NEG_INFINITY {
            sum += f64::exp(log - top);
        }
    }
    top + f64::ln(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::function::gamma::ln_gamma;

    /// `k_norm_leaf_moments` of the shared worked examples: counts, λ, and the moments for k = 1, 2, 3, 10.
    const MOMENTS: [(&[f64], f64, [f64; 4]); 7] = [
        (
            &[98., 1.],
            0.5,
            [0.015, 0.000_371_287_128_712_871_3, 1.274_024_461_269_656_3e-5, 8.678_799_603_227_261e-14],
        ),
        (
            &[98., 0.],
            0.5,
            [
                0.005_050_505_050_505_051,
                7.575_757_575_757_576e-5,
                1.875_187_518_751_875_3e-6,
                4.550_212_394_188_663_5e-15,
            ],
        ),
        (&[0., 1.], 0.5, [0.25, 0.125, 0.078_125, 0.016_017_913_818_359_375]),
        (
            &[0., 49., 5.],
            0.5,
            [
                0.108_108_108_108_108_11,
                0.013_393_924_898_349_677,
                0.001_863_502_594_552_998_6,
                1.823_023_680_058_167e-8,
            ],
        ),
        (
            &[0., 1., 45.],
            0.5,
            [
                0.042_105_263_157_894_736,
                0.002_604_449_267_498_643_6,
                0.000_210_460_546_868_577_26,
                2.803_919_526_519_691e-10,
            ],
        ),
        (
            &[50., 0., 0.],
            0.5,
            [
                0.019_417_475_728_155_34,
                0.000_739_713_361_072_584_4,
                4.147_925_389_191_875e-5,
                1.212_296_172_613_541_4e-11,
            ],
        ),
        (
            &[7., 5., 3.],
            1.0,
            [
                0.555_555_555_555_555_6,
                0.321_637_426_900_584_8,
                0.192_982_456_140_350_88,
                0.010_950_080_515_297_906,
            ],
        ),
    ];

    #[test]
    fn worked_examples() {
        for (counts, lambda, moments) in MOMENTS {
            for (k, moment) in [1.0, 2.0, 3.0, 10.0].into_iter().zip(moments) {
                let found = log_moment(counts, lambda, k).exp();
                assert!((found - moment).abs() <= 1e-12 * moment, "{counts:?} {k}: {found} {moment}");
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(log_moment(&[5.0, 0.0], 0.0, 3.0), f64::NEG_INFINITY);
        assert_eq!(log_moment(&[5.0], 0.5, 3.0), f64::NEG_INFINITY);
        assert_eq!(log_moment(&[], 0.5, 3.0), f64::NEG_INFINITY);
        assert_eq!(log_moment(&[5.0, 1.0], 0.5, f64::INFINITY), f64::NEG_INFINITY);
        // Nothing known: 2/3 for k = 1 with every λ, and in the limit λ → 0 for every k.
        assert!((log_moment(&[0.0; 3], 0.7, 1.0).exp() - 2.0 / 3.0).abs() < 1e-15);
        for k in [1.0, 2.5, 40.0] {
            assert!((log_moment(&[0.0; 3], 0.0, k).exp() - 2.0 / 3.0).abs() < 1e-15);
            assert!((log_moment(&[0.0; 3], 1e-12, k).exp() - 2.0 / 3.0).abs() < 1e-10);
        }
    }

    #[test]
    fn sums_of_logarithms() {
        assert_eq!(log_sum_exp([].into_iter()), f64::NEG_INFINITY);
        assert_eq!(log_sum_exp([f64::NEG_INFINITY; 2].into_iter()), f64::NEG_INFINITY);
        for logs in [[1.0, 5.0, -2.0], [5.0, -2.0, 1.0], [f64::NEG_INFINITY, 0.0, -1.0]] {
            let sum: f64 = logs.iter().map(|x: &f64| x.exp()).sum();
            assert!((log_sum_exp(logs.into_iter()) - sum.ln()).abs() < 1e-14);
            assert!((log_sum_exp(logs.into_iter().map(|x| x - 1e4)) - sum.ln() + 1e4).abs() < 1e-11);
        }
    }

    #[test]
    fn neighbouring_large_k_are_told_apart() {
        // E[r^(k+1)] / E[r^k] = (B + k)/(M + k): here ln(1 − 50.5/(101.5 + k)), about −2.8e-6 at 1.78e7.
        for k in [1e3, 17_781_895.0, 1e9] {
            let step = log_moment(&[0.0, 50.0, 50.0], 0.5, k + 1.0) - log_moment(&[0.0, 50.0, 50.0], 0.5, k);
            let exact = (-50.5 / (101.5 + k)).ln_1p();
            assert!((step - exact).abs() < 1e-12, "{k}: {step} {exact}");
        }
    }

    proptest! {
        #[test]
        fn products_and_gamma_functions_agree(
            counts in prop::collection::vec(0.0..500.0f64, 2..5), lambda in 0.001..3.0f64, k in 1u32..200, part in 0.0..1.0f64,
        ) {
            let all: f64 = counts.iter().sum::<f64>() + lambda * counts.len() as f64;
            let right = counts.iter().copied().fold(0.0, f64::max) + lambda;
            let sum: f64 = (0..k).map(|i| ((all - right + f64::from(i)) / (all + f64::from(i))).ln()).sum();
            prop_assert!((log_moment(&counts, lambda, f64::from(k)) - sum).abs() < 1e-11 * (1.0 + sum.abs()));
            let k = f64::from(k) + part;
            let gammas = ln_gamma(all - right + k) + ln_gamma(all) - ln_gamma(all - right) - ln_gamma(all + k);
            prop_assert!((log_moment(&counts, lambda, k) - gammas).abs() < 1e-9 * (1.0 + gammas.abs()));
        }

        #[test]
        fn rises_add_up(x in 1e-6..1e6f64, a in 0.0..1e6f64, b in 0.0..1e6f64) {
            let whole = rise(x, a + b);
            prop_assert!((rise(x, a) + rise(x + a, b) - whole).abs() < 1e-13 * (1.0 + whole.abs() + (a + b) * 15.0));
            prop_assert!((rise(x, 1.0) - x.ln()).abs() < 1e-13 * (1.0 + x.ln().abs()));
        }
    }
}
