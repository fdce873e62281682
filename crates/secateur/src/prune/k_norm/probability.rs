//! Errors of the class probabilities a leaf gives out (Zhong 7.2).
//!
//! A leaf predicts `p*_j = M_j/M` with `M_j = n_j + λ`, and the true `p_j` has a Beta distribution around it. The central
//! moments `μ_k = E[(p_j − p*_j)^k]` are summed over the classes so that they still add up over branches (7.18). The paper prints
//! (7.21, 7.22)
//!
//! > `μ_2 = M_j (M − M_j) / (M² (M + 1))`,
//! > `μ_4 = 3 M_j (M − M_j) (M² M_j − M M_j² + 6 M_j² − 6 M M_j + 2 M²) / (M⁴ (M + 1)(M + 2)(M + 3))`;
//!
//! all of them follow from each other as those of every distribution of Pearson's system do:
//!
//! > `μ_{i+1} = i/(M + i) · ((M − 2 M_j)/M · μ_i + M_j (M − M_j)/M² · μ_{i−1})`, `μ_0 = 1`, `μ_1 = 0`.
//!
//! Even moments are the same for `M_j` and `M − M_j`; with the smaller of the two every term is positive and nothing cancels.
//! Odd moments can be negative and are of no use here. A node costs `J k` steps.

use crate::error::{Error, Result};
use crate::tree::Tree;

use super::KNorm;
use super::collapse::{by_logs, directly};
use super::moments::log_sum_exp;

/// The largest `k` for class probabilities.
const MOST: u32 = 1000;

/// `ln Σ_j E[(p_j − p*_j)^k]` of a node seen as a leaf, for an even `k ≥ 2`.
///
/// Without any weight and with `λ = 0` it is the limit for a small `λ`: the moments of a class drawn at random.
///
/// ```
/// use secateur::prune::k_norm::log_probability_moment;
/// // Two classes with prior 1 and nothing seen: p is uniform, with the variance 1/12 and the fourth moment 1/80.
/// assert!((log_probability_moment(&[0.0, 0.0], 1.0, 2).exp() - 2.0 / 12.0).abs() < 1e-15);
/// assert!((log_probability_moment(&[0.0, 0.0], 1.0, 4).exp() - 2.0 / 80.0).abs() < 1e-15);
/// ```
pub fn log_probability_moment(counts: &[f64], lambda: f64, k: u32) -> f64 {
    let classes = counts.len() as f64;
    let all: f64 = counts.iter().map(|n| n + lambda).sum();
    if all <= 0.0 {
        let p = 1.0 / classes.max(1.0);
        let q = 1.0 - p;
        let power = f64::from(k);
        return (classes * (p * q.powf(power) + q * p.powf(power))).ln();
    }
    log_sum_exp(counts.iter().map(|n| {
        // The share of the class or of the others, whichever is smaller.
        let share = (n + lambda) / all;
        let small = share.min(1.0 - share);
        log_central_moment(small, all, k)
    }))
}

/// The moment itself; not a number where only its logarithm is good.
fn probability_moment(counts: &[f64], lambda: f64, k: u32) -> f64 {
    let all: f64 = counts.iter().map(|n| n + lambda).sum();
    if all <= 0.0 {
        return f64::NAN;
    }
    let one = |n: &f64| {
        let share = (n + lambda) / all;
        match central_moment(share.min(1.0 - share), all, k) {
            (moment, 0.0) => moment,
            _ => f64::NAN,
        }
    };
    counts.iter().map(one).sum()
}

/// `ln μ_k` of the share `small ≤ ½` of a total weight `all`.
fn log_central_moment(small: f64, all: f64, k: u32) -> f64 {
    let (moment, scale) = central_moment(small, all, k);
    scale + f64::ln(moment)
}

/// `μ_k` in units of `e^scale`, and the scale.
fn central_moment(small: f64, all: f64, k: u32) -> (f64, f64) {
    let (skew, spread) = (1.0 - 2.0 * small, small * (1.0 - small));
    // The moment before the last and the last one, in units of e^scale.
    let (mut before, mut last, mut scale) = (1.0, 0.0, 0.0);
    for i in 1..k {
        let i = f64::from(i);
        let next = i / (all + i) * (skew * last + spread * before);
        (before, last) = (last, next);
        let most = f64::max(before, last);
        if most < 1e-100 {
            before /= most;
            last /= most;
            scale += f64::ln(most);
        }
    }
    (last, scale)
}

/// Which splits are gone when a tree is pruned for its class probabilities, in the form of [`cut`](super::cut). `k` is even; 2 is the mean
/// squared error, which the paper recommends.
///
/// # Errors
/// When `k` is odd, 0 or above 1000.
pub(crate) fn probability_cut(tree: &Tree, rule: &KNorm, k: u32) -> Result<Vec<bool>> {
    if k == 0 || k % 2 == 1 || k > MOST {
        return Err(Error::parameter(format!(
            "k-norm: for class probabilities k is an even number from 2 to {MOST}"
        )));
    }
    let moment = |id| probability_moment(tree.class_weights(id), rule.lambda, k);
    let direct = directly(tree, rule, (0..tree.nodes().len()).map(moment).collect());
    Ok(direct.unwrap_or_else(|| by_logs(tree, rule, |counts| log_probability_moment(counts, rule.lambda, k))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// (7.20), and (7.22) as printed.
    fn by_definition(counts: &[f64], lambda: f64, k: u32) -> f64 {
        let all: f64 = counts.iter().map(|n| n + lambda).sum();
        let choose = |m: u32| (0..m).map(|i| f64::from(k - i) / f64::from(i + 1)).product::<f64>();
        let one = |n: &f64| -> f64 {
            let own = n + lambda;
            let power = |m: u32| (0..m).map(|i| (own + f64::from(i)) / (all + f64::from(i))).product::<f64>();
            (0..=k)
                .map(|m| choose(m) * (-1f64).powi(m as i32) * power(m) * (own / all).powi((k - m) as i32))
                .sum()
        };
        counts.iter().map(one).sum()
    }

    fn printed(counts: &[f64], lambda: f64) -> f64 {
        let m: f64 = counts.iter().map(|n| n + lambda).sum();
        let one = |n: &f64| {
            let j = n + lambda;
            let bracket = m * m * j - m * j * j + 6.0 * j * j - 6.0 * j * m + 2.0 * m * m;
            3.0 * j * (m - j) * bracket / (m.powi(4) * (m + 1.0) * (m + 2.0) * (m + 3.0))
        };
        counts.iter().map(one).sum()
    }

    proptest! {
        #[test]
        fn closed_forms(counts in prop::collection::vec(0.0..30.0f64, 2..5), lambda in 0.05..2.0f64) {
            for k in [2, 4, 6, 8] {
                let moment = log_probability_moment(&counts, lambda, k).exp();
                prop_assert!((moment - by_definition(&counts, lambda, k)).abs() < 1e-13);
            }
            let fourth = log_probability_moment(&counts, lambda, 4).exp();
            prop_assert!((fourth - printed(&counts, lambda)).abs() < 1e-10 * fourth);
        }
    }

    #[test]
    fn limits_without_weight() {
        for k in [2, 4, 30] {
            let [blank, nearly] =
                [0.0, 1e-10].map(|lambda| log_probability_moment(&[0.0; 3], lambda, k).exp());
            assert!((blank - nearly).abs() < 1e-8, "{k}: {blank} {nearly}");
        }
        assert_eq!(log_probability_moment(&[4.0], 0.5, 2), f64::NEG_INFINITY);
        // Far too small for a number: a normal distribution's moments, 63!! σ^64, at this weight.
        let found = log_probability_moment(&[5e11, 5e11], 0.5, 64);
        let normal =
            (1..=32).map(|i| f64::from(2 * i - 1).ln()).sum::<f64>() - 32.0 * 4e12f64.ln() + 2f64.ln();
        assert!((found - normal).abs() < 1e-6, "{found} {normal}");
    }

    #[test]
    fn odd_powers_are_refused() {
        let tree = crate::tree::testing::iris();
        let rule = KNorm { lambda: 0.5, eta: 0.5 };
        for k in [0, 1, 3, 1001, 1002] {
            let problem = probability_cut(&tree, &rule, k).unwrap_err().to_string();
            assert_eq!(problem, "k-norm: for class probabilities k is an even number from 2 to 1000");
        }
        assert!(probability_cut(&tree, &rule, 1000).is_ok());
    }
}
