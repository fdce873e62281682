//! Errors of the class probabilities a leaf gives out (Zhong 7.2).
//!
//! A leaf predicts `p*_j = M_j/M` with `M_j = n_j + λ`, and the true `p_j` has a Beta distribution around it. The central
//! moments, summed over the classes so that they still add up over branches (7.18), are (7.21, 7.22)
//!
//! > `E[(p_j − p*_j)²] = M_j (M − M_j) / (M² (M + 1))`,
//! > `E[(p_j − p*_j)⁴] = 3 M_j (M − M_j) (M² M_j − M M_j² + 6 M_j² − 6 M M_j + 2 M²) / (M⁴ (M + 1)(M + 2)(M + 3))`.
//!
//! Odd moments can be negative and are of no use here.

use crate::tree::Tree;

use super::{KNorm, collapse};

/// `Σ_j E[(p_j − p*_j)^k]` of a node seen as a leaf: the second moment for `k = 2`, the fourth for `k = 4` (and above).
///
/// Without any weight and with `λ = 0` it is the limit for a small `λ`: the moments of a class drawn at random.
///
/// ```
/// use secateur::prune::k_norm::probability_moment;
/// // Two classes with prior 1 and nothing seen: p is uniform, with the variance 1/12 and the fourth moment 1/80.
/// assert!((probability_moment(&[0.0, 0.0], 1.0, 2) - 2.0 / 12.0).abs() < 1e-15);
/// assert!((probability_moment(&[0.0, 0.0], 1.0, 4) - 2.0 / 80.0).abs() < 1e-15);
/// ```
pub fn probability_moment(counts: &[f64], lambda: f64, k: u32) -> f64 {
    let classes = counts.len() as f64;
    let all: f64 = counts.iter().map(|n| n + lambda).sum();
    if all <= 0.0 {
        let p = 1.0 / classes.max(1.0);
        let q = 1.0 - p;
        let power = if k >= 4 { 4 } else { 2 };
        return classes * (p * q.powi(power) + q * p.powi(power));
    }
    let sum = counts.iter().map(|n| {
        // The share of the class and of the others; M_j (M − M_j) = M² · p · q.
        let p = (n + lambda) / all;
        let pq = p * (1.0 - p);
        if k >= 4 {
            let rest = 2.0 + pq * (all - 6.0);
            3.0 * pq * rest / ((all + 1.0) * (all + 2.0) * (all + 3.0))
        } else {
            pq / (all + 1.0)
        }
    });
    sum.sum()
}

/// Which splits are gone when a tree is pruned for its class probabilities, in the form of [`super::cut`]. `k` is 2 (the
/// mean squared error, which the paper recommends) or 4; from other numbers the lower of the two that fits is taken.
pub fn probability_cut(tree: &Tree, rule: &KNorm, k: u32) -> Vec<bool> {
    collapse(tree, rule, |counts| probability_moment(counts, rule.lambda, k).ln())
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
            for k in [2, 4] {
                let moment = probability_moment(&counts, lambda, k);
                prop_assert!((moment - by_definition(&counts, lambda, k)).abs() < 1e-13);
            }
            let fourth = probability_moment(&counts, lambda, 4);
            prop_assert!((fourth - printed(&counts, lambda)).abs() < 1e-10 * fourth);
        }
    }

    #[test]
    fn limits_without_weight() {
        for k in [2, 4] {
            let [blank, nearly] = [0.0, 1e-10].map(|lambda| probability_moment(&[0.0; 3], lambda, k));
            assert!((blank - nearly).abs() < 1e-8, "{k}: {blank} {nearly}");
        }
        assert_eq!(probability_moment(&[4.0], 0.5, 2), 0.0);
    }
}
