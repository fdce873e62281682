//! Moments of the risk against formulas, samples and edges.

use super::super::log_moment;
use super::*;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Gamma};

#[test]
fn a_short_matrix_is_no_panic() {
    assert_eq!(cheapest_label(&[1.0, 2.0, 3.0], 0.5, &[], 2.0).1, f64::NEG_INFINITY);
    assert_eq!(cheapest_label(&[2.0, 8.0], 0.5, &[0.0, 10.0], 1.0).0, 0);
    assert!(has_one_price(&[0.0, 1.0], 3));
}

proptest! {
    #[test]
    fn errors_are_a_special_case(counts in prop::collection::vec(0.0..40.0f64, 2..5), lambda in 0.01..2.0f64, k in 1.0..40.0f64) {
        let classes = counts.len();
        let costs: Vec<f64> = (0..classes * classes).map(|i| f64::from(i / classes != i % classes)).collect();
        let (label, log) = cheapest_label(&counts, lambda, &costs, k);
        let expected = log_moment(&counts, lambda, k);
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

/// (7.14), (7.15) with the product put right: the recursion of the paper.
fn printed(counts: &[f64], lambda: f64, costs: &[f64], k: usize) -> f64 {
    let all: f64 = counts.iter().map(|n| n + lambda).sum();
    let power =
        |m: usize| counts.iter().zip(costs).map(|(n, r)| (n + lambda) * r.powi(m as i32)).sum::<f64>();
    let mut moments = vec![1.0];
    for order in 1..=k {
        let term = |m: usize| {
            let ratio: f64 = (1..m).map(|i| (order - i) as f64).product();
            let below: f64 = (1..=m).map(|i| all + (order - i) as f64).product();
            ratio / below * moments[order - m] * power(m)
        };
        moments.push((1..=order).map(term).sum());
    }
    moments[k].ln()
}

proptest! {
    #[test]
    fn the_recursion_of_the_paper(
        leaf in prop::collection::vec((0.0..40.0f64, prop_oneof![Just(0.0), Just(1.0), 0.0..9.0f64]), 2..6),
        lambda in 0.01..2.0f64, k in 1usize..30,
    ) {
        let (counts, costs): (Vec<f64>, Vec<f64>) = leaf.into_iter().unzip();
        prop_assume!(costs.iter().any(|cost| *cost > 0.0));
        let expected = printed(&counts, lambda, &costs, k);
        let found = log_risk_moment(&counts, lambda, &costs, k as f64);
        prop_assert!((found - expected).abs() < 1e-11 * (1.0 + expected.abs()), "{found} {expected}");
    }

    /// The integral at whole k, where the series knows the answer, and on one price, where the closed form does.
    #[test]
    fn the_integral_continues_the_whole_moments(
        leaf in prop::collection::vec((prop_oneof![Just(0.0), 0.0..3.0f64, 0.0..2000.0f64], 0.0..1.0f64), 2..6),
        lambda in prop_oneof![0.001..0.1f64, 0.1..2.0f64], log_k in 0.0..6.0f64,
    ) {
        let (counts, costs): (Vec<f64>, Vec<f64>) = leaf.into_iter().unzip();
        let prices = Prices::new(&counts, lambda, &costs);
        let k = log_k.exp();
        let series = whole(&prices.terms, prices.all, k as usize, |_| {});
        let integral = real(&prices.terms, prices.all, k.floor());
        prop_assert!((series - integral).abs() < 2e-12 * (1.0 + series.abs()), "{k} {series} {integral}");
        let one = [(1.0, prices.terms[0].1)];
        let closed = ErrorRate::of(one[0].1, prices.all - one[0].1).log_moment(k);
        let integral = real(&one, prices.all, k);
        prop_assert!((closed - integral).abs() < 2e-12 * (1.0 + closed.abs()), "{k} {closed} {integral}");
    }

    #[test]
    fn bounds_are_below_and_the_cheapest_label_is_found(
        counts in prop::collection::vec(prop_oneof![Just(0.0), 0.0..40.0f64], 4), costs in prop::collection::vec(0.0..9.0f64, 16),
        lambda in 0.01..2.0f64, k in prop_oneof![Just(1.0), Just(7.0), 1.0..60.0f64],
    ) {
        let all: Vec<f64> = (0..4).map(|label| {
            let column: Vec<f64> = (0..4).map(|actual| costs[actual * 4 + label]).collect();
            let prices = Prices::new(&counts, lambda, &column);
            assert!(prices.bound(k) <= prices.log_moment(k) + 1e-9);
            prices.log_moment(k)
        }).collect();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let (label, log) = cheapest_label(&counts, lambda, &costs, k);
        prop_assert_eq!((all[label], log), (least, least));
    }
}

#[test]
fn one_price_is_seen() {
    assert!(has_one_price(&[0.0, 9.0, 2.0, 0.0], 2));
    assert!(has_one_price(&[0.0, 3.0, 3.0, 3.0, 0.0, 3.0, 3.0, 3.0, 0.0], 3));
    assert!(!has_one_price(&[1.0, 9.0, 2.0, 0.0], 2));
}

#[test]
fn sampled_moments_agree() {
    let (counts, lambda, costs) = ([3.0, 0.5, 1.0], 0.5, [0.0, 2.0, 0.7]);
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let gammas = counts.map(|n| Gamma::new(n + lambda, 1.0).unwrap());
    let draws = 200_000;
    let powers = [0.0, 1.0, 2.0, 3.0, 4.0, 1.5, 3.7];
    let mut sums = [0.0; 7];
    let mut squares = [0.0; 7];
    for _ in 0..draws {
        let p = gammas.map(|gamma| gamma.sample(&mut random));
        let cost = p.iter().zip(costs).map(|(p, r)| p * r).sum::<f64>() / p.iter().sum::<f64>();
        for k in 0..7 {
            sums[k] += cost.powf(powers[k]);
            squares[k] += cost.powf(2.0 * powers[k]);
        }
    }
    let moments = powers.map(|k| log_risk_moment(&counts, lambda, &costs, k).exp());
    for k in 1..7 {
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
