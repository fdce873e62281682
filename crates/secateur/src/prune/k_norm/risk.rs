//! Moments of the cost of a leaf under a loss matrix (Zhong 7.1).
//!
//! The cost of a prediction is `r = Σ_j R_j p_j`, where `R_j` is the cost of the leaf's label when the class is `j`, and the
//! class probabilities `p` have a Dirichlet distribution with the parameters `M_j = n_j + λ`, `M = Σ_j M_j`. Its
//! moments follow from each other (7.14, 7.15):
//!
//! > `E_k = Σ_{m=1..k} (k−1)!/(k−m)! · E_{k−m} · S_m / Π_{i=1..m} (M + k − i)`, `S_m = Σ_j M_j R_j^m`, `E_0 = 1`.
//!
//! (The paper prints the product with `M + k − m`, which does not give its own `k = 2` form 7.12.) The label is the one with
//! the smallest moment (7.16), so it depends on `k` and `λ`. It is the label a leaf is judged by; what a pruned tree then predicts is
//! the label with the smallest expected cost, as in every tree.
//!
//! **Whole `k`.** The sum over `m` is a geometric series for every class, and a series can be carried along:
//!
//! > `E_k = Σ_j M_j R_j D_{j,k−1} / (M + k − 1)`, `D_{j,k} = E_k + R_j D_{j,k−1} · k/(M + k − 1)`, `D_{j,0} = 1`.
//!
//! That is `J k` steps instead of `k²/2`, all terms are positive, and nothing cancels.
//!
//! **Real `k`.** With `G` a Gamma variable of shape `M` that is independent of `r`, `Y = r G = Σ_j R_j G_j` is a sum of independent
//! Gamma variables, and `Y^(k−n) = ∫ s^(δ−1) e^(−sY) ds / Γ(δ)` for a whole `n = k + δ`. Tilting by `e^(−sY)` only changes the costs to
//! `R_j/(1 + R_j s)`, so that
//!
//! > `E[r^k] = Γ(M+n) / (Γ(M+k) Γ(δ)) · ∫_0^∞ s^(δ−1) Π_j (1 + R_j s)^(−M_j) · E_n(s) ds`
//!
//! with the whole moment `E_n(s)` under those costs. Everything in it is positive again; in `ln s` the integrand is smooth and has light
//! tails (`2 < δ ≤ 3`), and the trapezoidal rule gives about 13 digits with some eighty points.
//!
//! **One price.** Where a label has one cost for some classes and none for the others, `r` is that cost times a Beta variable, and the
//! closed form of [`log_moment`](super::log_moment) holds for every real `k`. Two classes with free hits are such a case.

use super::moments::{ErrorRate, log_sum_exp, rise};

/// The largest `k` that is followed for a label with several prices: the work grows with `k`.
pub(super) const MOST: f64 = 1000.0;
/// The step of the trapezoidal rule in `ln s`.
const STEP: f64 = 0.25;
/// Where the sums are brought back to 1, long before they become too small for a number.
const SMALL: f64 = 1e-100;

/// What a label costs at a leaf: the classes with the same cost together.
struct Prices {
    /// The largest cost that can occur; the others are in units of it.
    top: f64,
    /// Costs (above 0, the largest is 1) and weights of the classes that have them.
    terms: Vec<(f64, f64)>,
    /// The weight of the classes without cost.
    free: f64,
    /// The weight of all classes.
    all: f64,
    /// Nothing was seen and nothing is assumed: every class for itself with certainty.
    blank: bool,
}

impl Prices {
    fn new(counts: &[f64], lambda: f64, costs: &[f64]) -> Self {
        let mut all: f64 = counts.iter().map(|n| n + lambda).sum();
        let blank = all <= 0.0;
        let share = |n: f64| if blank { 1.0 } else { n + lambda };
        if blank {
            all = counts.len() as f64;
        }
        let mut free = 0.0;
        let mut terms: Vec<(f64, f64)> = Vec::with_capacity(counts.len());
        for (&n, &cost) in counts.iter().zip(costs) {
            let weight = share(n);
            if cost <= 0.0 {
                free += weight;
            } else if weight > 0.0 {
                match terms.iter_mut().find(|(known, _)| *known == cost) {
                    Some((_, sum)) => *sum += weight,
                    None => terms.push((cost, weight)),
                }
            }
        }
        let top = terms.iter().map(|t| t.0).fold(0.0, f64::max);
        terms.iter_mut().for_each(|(cost, _)| *cost /= top);
        Self { top, terms, free, all, blank }
    }

    /// `ln E[r^k]`.
    fn log_moment(&self, k: f64) -> f64 {
        let unit = match self.terms.as_slice() {
            [] => return f64::NEG_INFINITY,
            terms if self.blank => {
                log_sum_exp(terms.iter().map(|(r, m)| k * r.ln() + m.ln())) - self.all.ln()
            }
            [(_, weight)] => ErrorRate::of(*weight, self.free).log_moment(k),
            terms if k.fract() == 0.0 => whole(terms, self.all, k as usize, |_| {}),
            terms => real(terms, self.all, k),
        };
        unit + k * self.top.ln()
    }

    /// A number that `ln E[r^k]` is not below: the mean (Jensen), and the largest cost alone.
    fn bound(&self, k: f64) -> f64 {
        if self.blank || self.terms.len() < 2 {
            return self.log_moment(k);
        }
        let mean = self.terms.iter().map(|(r, m)| r * m).sum::<f64>() / self.all;
        let (largest, others): (Vec<(f64, f64)>, _) = self.terms.iter().partition(|(r, _)| *r == 1.0);
        let weight = |terms: &[(f64, f64)]| terms.iter().map(|(_, m)| m).sum::<f64>();
        let largest = ErrorRate::of(weight(&largest), self.free + weight(&others)).log_moment(k);
        largest.max(k * mean.ln()) + k * self.top.ln()
    }
}

/// `ln E_k` of whole `k` by the carried series; `see` is called with `ln E_m` for `m = 1, …, k`.
fn whole(terms: &[(f64, f64)], all: f64, k: usize, mut see: impl FnMut(f64)) -> f64 {
    let mut series = vec![1.0; terms.len()];
    let (mut scale, mut log) = (0.0, 0.0);
    for m in 1..=k {
        let above = all + (m - 1) as f64;
        let moment = terms.iter().zip(&series).map(|((r, w), d)| r * w * d).sum::<f64>() / above;
        let mut most = 0.0;
        for ((r, _), d) in terms.iter().zip(&mut series) {
            *d = moment + r * *d * m as f64 / above;
            most = d.max(most);
        }
        log = scale + f64::ln(moment);
        if most < SMALL {
            series.iter_mut().for_each(|d| *d /= most);
            scale += f64::ln(most);
        }
        see(log);
    }
    log
}

/// `ln E[r^k]` of any `k > 0` by the integral.
fn real(terms: &[(f64, f64)], all: f64, k: f64) -> f64 {
    let n = k.floor() + 3.0;
    let delta = n - k;
    let mut tilted = terms.to_vec();
    // The logarithm of the integrand in ln s.
    let mut at = |log_s: f64| {
        let s = log_s.exp();
        let mut log = delta * log_s;
        for ((r, m), tilted) in terms.iter().zip(&mut tilted) {
            log -= m * (r * s).ln_1p();
            tilted.0 = r / (1.0 + r * s);
        }
        log + whole(&tilted, all, n as usize, |_| {})
    };
    // Y^n e^(−sY) s^δ is largest about s = δ/Y, with Y near (M + n) times the n-norm of r.
    let norm = whole(terms, all, n as usize, |_| {}) / n;
    let centre = (delta / (all + n)).ln() - norm;
    let first = at(centre);
    let mut sum = 1.0;
    for side in [-STEP, STEP] {
        let mut place = centre;
        let mut before = 1.0;
        loop {
            place += side;
            let term = f64::exp(at(place) - first);
            sum += term;
            if term <= before && term <= 1e-17 * sum {
                break;
            }
            before = term;
        }
    }
    first + (sum * STEP).ln() + rise(all + k, delta) - rise(1.0, delta - 1.0)
}

/// `ln E[r^m]` for `m = 0, …, k`, of a leaf whose label costs `costs[j] ≥ 0` when the class is `j`.
///
/// Without any weight and with `λ = 0` the limit for a small `λ` is taken: `E[r^m] = Σ_j R_j^m / J`.
pub(crate) fn log_risk_moments(counts: &[f64], lambda: f64, costs: &[f64], k: usize) -> Vec<f64> {
    let prices = Prices::new(counts, lambda, costs);
    let mut logs = vec![0.0];
    if prices.blank || prices.terms.is_empty() {
        logs.extend((1..=k).map(|m| prices.log_moment(m as f64)));
    } else {
        let unit = prices.top.ln();
        whole(&prices.terms, prices.all, k, |log| logs.push(log + logs.len() as f64 * unit));
    }
    logs
}

/// `ln E[r^k]` for any real `k ≥ 1`, of a leaf whose label costs `costs[j] ≥ 0` when the class is `j`.
///
/// `J k` steps when `k` is whole, some eighty times as many otherwise, and few for any `k` when all costs above 0 are the same.
///
/// ```
/// use secateur::prune::k_norm::log_risk_moment;
/// let at = |k| log_risk_moment(&[3.0, 0.5, 1.0], 0.5, &[0.0, 2.0, 0.7], k);
/// assert!(at(2.0) < at(2.5) + 0.5 && 2.0 * at(2.5) <= at(2.0) + at(3.0)); // convex in k
/// ```
pub fn log_risk_moment(counts: &[f64], lambda: f64, costs: &[f64], k: f64) -> f64 {
    Prices::new(counts, lambda, costs).log_moment(k)
}

/// `E[r^m]` for `m = 0, …, k`; see `log_risk_moments`.
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
/// `costs[actual · J + predicted]` is the loss matrix of `J²` entries (those that are not there are 0). `k` is any real number `≥ 1`.
///
/// ```
/// use secateur::prune::k_norm::cheapest_label;
/// // To overlook class 0 costs ten times as much as a false alarm.
/// let costs = [0.0, 10.0, 1.0, 0.0];
/// assert_eq!(cheapest_label(&[2.0, 8.0], 0.5, &costs, 1.0).0, 0);
/// assert_eq!(cheapest_label(&[0.0, 80.0], 0.5, &costs, 1.0).0, 1);
/// ```
pub fn cheapest_label(counts: &[f64], lambda: f64, costs: &[f64], k: f64) -> (usize, f64) {
    let classes = counts.len();
    let mut labels: Vec<(f64, usize, Prices)> = (0..classes)
        .map(|label| {
            let column: Vec<f64> = column(costs, classes, label).collect();
            let prices = Prices::new(counts, lambda, &column);
            (prices.bound(k), label, prices)
        })
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = (0, f64::INFINITY);
    for (bound, label, prices) in labels {
        // Most labels are out of the question by their bounds; equal ones are not.
        if bound > best.1 + 1e-9 * (1.0 + best.1.abs()) {
            break;
        }
        let log = prices.log_moment(k);
        if log < best.1 || log == best.1 && label < best.0 {
            best = (label, log);
        }
    }
    best
}

/// What a label costs for every actual class; numbers that a short matrix lacks are 0.
fn column(costs: &[f64], classes: usize, label: usize) -> impl Iterator<Item = f64> {
    (0..classes).map(move |actual| costs.get(actual * classes + label).copied().unwrap_or(0.0))
}

/// Whether every label of a loss matrix has one price at most, so that its moments have a closed form for every `k`.
pub(super) fn has_one_price(costs: &[f64], classes: usize) -> bool {
    (0..classes).all(|label| {
        let mut prices = column(costs, classes, label).filter(|cost| *cost > 0.0);
        let first = prices.next();
        prices.all(|cost| Some(cost) == first)
    })
}

#[cfg(test)]
#[path = "risk_tests.rs"]
mod tests;
