//! Moments of the cost of a leaf under a loss matrix (Zhong 7.1).
//!
//! The cost of a prediction is `r = Σ_j R_j p_j`, where `R_j` is the cost of the leaf's label when the class is `j`, and the
//! class probabilities `p` have a Dirichlet distribution with the parameters `M_j = n_j + λ`, `M = Σ_j M_j`. Its
//! moments follow from each other (7.14, 7.15):
//!
//! > `E_k = Σ_{m=1..k} (k−1)!/(k−m)! · E_{k−m} · S_m / Π_{i=1..m} (M + k − i)`, `S_m = Σ_j M_j R_j^m`, `E_0 = 1`.
//!
//! (The paper prints the product with `M + k − m`, which does not give its own `k = 2` form 7.12.) The label is the one with
//! the smallest moment (7.16), so it depends on `k` and `λ`. The recursion is for whole `k` only and takes `k²/2` steps for each
//! label; all its terms are positive, and logarithms keep them from becoming too small.

use super::moments::log_sum_exp;

/// `ln E[r^m]` for `m = 0, …, k`, of a leaf whose label costs `costs[j] ≥ 0` when the class is `j`.
///
/// Without any weight and with `λ = 0` the limit for a small `λ` is taken: `E[r^m] = Σ_j R_j^m / J`.
pub fn log_risk_moments(counts: &[f64], lambda: f64, costs: &[f64], k: usize) -> Vec<f64> {
    let mut shares: Vec<f64> = counts.iter().map(|n| n + lambda).collect();
    let all: f64 = shares.iter().sum();
    if all <= 0.0 {
        shares.fill(1.0);
    }
    // The largest cost that can occur becomes 1, so that no S_m is too small for a number.
    let possible = costs.iter().zip(&shares).filter(|(_, m)| **m > 0.0);
    let top = possible.map(|(r, _)| *r).fold(0.0, f64::max);
    let mut logs = vec![0.0; k + 1];
    if top <= 0.0 {
        logs[1..].fill(f64::NEG_INFINITY);
        return logs;
    }
    let mut terms: Vec<(f64, f64)> = costs.iter().zip(&shares).map(|(r, m)| (r / top, *m)).collect();
    let powers: Vec<f64> = (1..=k)
        .map(|_| {
            terms.iter_mut().for_each(|(r, m)| *m *= *r);
            terms.iter().map(|(_, m)| m).sum::<f64>().ln()
        })
        .collect();
    let mut summands = Vec::with_capacity(k);
    for order in 1..=k {
        if all <= 0.0 {
            logs[order] = powers[order - 1] - (counts.len() as f64).ln();
            continue;
        }
        summands.clear();
        let mut factor = 0.0; // ln of (k−1)!/(k−m)! / Π (M + k − i)
        for m in 1..=order {
            let above = if m == 1 { 1.0 } else { (order - m + 1) as f64 };
            factor += (above / (all + (order - m) as f64)).ln();
            summands.push(factor + logs[order - m] + powers[m - 1]);
        }
        logs[order] = log_sum_exp(summands.iter().copied());
    }
    let scale = top.ln();
    logs.iter_mut().enumerate().for_each(|(m, log)| *log += m as f64 * scale);
    logs
}

/// `E[r^m]` for `m = 0, …, k`; see [`log_risk_moments`].
///
/// ```
/// use secateur::prune::k_norm::risk_moments;
/// // Costs 1 for every wrong class are the error rate: Zhong (B.1), (B.2).
/// let moments = risk_moments(&[0.0, 49.0, 5.0], 0.5, &[1.0, 0.0, 1.0], 2);
/// assert!((moments[1] - 6.0 / 55.5).abs() < 1e-15);
/// assert!((moments[2] - 6.0 * 7.0 / (55.5 * 56.5)).abs() < 1e-15);
/// ```
pub fn risk_moments(counts: &[f64], lambda: f64, costs: &[f64], k: usize) -> Vec<f64> {
    log_risk_moments(counts, lambda, costs, k).into_iter().map(f64::exp).collect()
}

/// The label with the smallest `k`-th moment of the cost, the first of equal ones, and the logarithm of that moment (7.16).
///
/// `costs[actual · J + predicted]` is the loss matrix; it must have `J²` entries.
///
/// ```
/// use secateur::prune::k_norm::cheapest_label;
/// // To overlook class 0 costs ten times as much as a false alarm.
/// let costs = [0.0, 10.0, 1.0, 0.0];
/// assert_eq!(cheapest_label(&[2.0, 8.0], 0.5, &costs, 1).0, 0);
/// assert_eq!(cheapest_label(&[0.0, 80.0], 0.5, &costs, 1).0, 1);
/// ```
pub fn cheapest_label(counts: &[f64], lambda: f64, costs: &[f64], k: usize) -> (usize, f64) {
    let classes = counts.len();
    let mut best = (0, f64::INFINITY);
    for label in 0..classes {
        let column: Vec<f64> = (0..classes).map(|actual| costs[actual * classes + label]).collect();
        let log = log_risk_moments(counts, lambda, &column, k)[k];
        if log < best.1 {
            best = (label, log);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::log_moment;
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, Gamma};

    proptest! {
        #[test]
        fn errors_are_a_special_case(counts in prop::collection::vec(0.0..40.0f64, 2..5), lambda in 0.01..2.0f64, k in 1usize..40) {
            let classes = counts.len();
            let costs: Vec<f64> = (0..classes * classes).map(|i| f64::from(i / classes != i % classes)).collect();
            let (label, log) = cheapest_label(&counts, lambda, &costs, k);
            let expected = log_moment(&counts, lambda, k as f64);
            prop_assert!((log - expected).abs() < 1e-10 * (1.0 + expected.abs()), "{log} {expected}");
            prop_assert_eq!(counts[label], counts.iter().copied().fold(0.0, f64::max));
        }

        #[test]
        fn second_moments_have_a_closed_form(
            leaf in prop::collection::vec((0.0..40.0f64, 0.0..9.0f64), 2..6), lambda in 0.01..2.0f64,
        ) {
            // Zhong (7.9) and (7.12).
            let (counts, costs): (Vec<f64>, Vec<f64>) = leaf.into_iter().unzip();
            let all: f64 = counts.iter().map(|n| n + lambda).sum();
            let sum = |power| counts.iter().zip(&costs).map(|(n, r)| (n + lambda) * r.powi(power)).sum::<f64>();
            let moments = risk_moments(&counts, lambda, &costs, 2);
            prop_assert!((moments[1] - sum(1) / all).abs() < 1e-12 * moments[1]);
            let second = (sum(1).powi(2) + sum(2)) / (all * (all + 1.0));
            prop_assert!((moments[2] - second).abs() < 1e-12 * second, "{} {second}", moments[2]);
        }
    }

    #[test]
    fn sampled_moments_agree() {
        let (counts, lambda, costs) = ([3.0, 0.5, 1.0], 0.5, [0.0, 2.0, 0.7]);
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let gammas = counts.map(|n| Gamma::new(n + lambda, 1.0).unwrap());
        let draws = 200_000;
        let mut sums = [0.0; 5];
        let mut squares = [0.0; 5];
        for _ in 0..draws {
            let p = gammas.map(|gamma| gamma.sample(&mut random));
            let cost = p.iter().zip(costs).map(|(p, r)| p * r).sum::<f64>() / p.iter().sum::<f64>();
            for k in 0..5 {
                sums[k] += cost.powi(k as i32);
                squares[k] += cost.powi(2 * k as i32);
            }
        }
        let moments = risk_moments(&counts, lambda, &costs, 4);
        for k in 1..5 {
            let mean = sums[k] / f64::from(draws);
            let error = ((squares[k] / f64::from(draws) - mean * mean) / f64::from(draws)).sqrt();
            assert!((moments[k] - mean).abs() < 4.0 * error, "{k}: {} {mean} ± {error}", moments[k]);
            assert!(error < 0.02 * mean); // tells the misprinted denominator apart
        }
    }

    #[test]
    fn edges() {
        assert_eq!(risk_moments(&[3.0, 0.0], 0.0, &[0.0, 5.0], 3), [1.0, 0.0, 0.0, 0.0]);
        let blank = risk_moments(&[0.0, 0.0], 0.0, &[0.0, 3.0], 3);
        let nearly = risk_moments(&[0.0, 0.0], 1e-12, &[0.0, 3.0], 3);
        for (m, expected) in [1.0, 1.5, 4.5, 13.5].into_iter().enumerate() {
            assert!((blank[m] - expected).abs() < 1e-12 && (nearly[m] - expected).abs() < 1e-9);
        }
        // Far too small for a number, not for its logarithm.
        let log = log_risk_moments(&[1e6, 0.0], 0.5, &[0.0, 1.0], 150)[150];
        assert!((log - log_moment(&[1e6, 0.0], 0.5, 150.0)).abs() < 1e-10 * log.abs());
    }
}
