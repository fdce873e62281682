//! Upper confidence limits of an error rate: how bad a leaf may really be when it gets `e` of `n` training rows
//! wrong.
//!
//! *Exact* (Clopper and Pearson 1934): the rate `U` at which `e` or fewer errors in `n` draws have probability
//! `CF`, `P(X ≤ e | n, U) = CF`. As `P(X ≤ e | n, U) = 1 − I_U(e + 1, n − e)` with the incomplete beta function
//! `I`, it is defined for parts of rows too.
//!
//! *C4.5* (Quinlan 1993, the program's own estimate): for `e = 0` the exact `1 − CF^{1/n}`; for `0 < e < 1` on the
//! line between the limits at 0 and 1; for `e + ½ ≥ n` two thirds (0.67) of the way from `e` to `n`; and otherwise
//! the normal approximation with continuity correction, `f = e + ½`,
//! `U = (f + z²/2 + z √(f (1 − f/n) + z²/4)) / (n + z²)`, where `z` lies on the lines between the quantiles of a
//! short table (0.6925 for `CF = 0.25`).
//!
//! *Normal*: the same with the exact quantile of the normal distribution (0.6745 for `CF = 0.25`), and 1 for `e + ½ ≥ n`. That
//! is what Weka's J48 answers.
//!
//! All need only `e` and `n` and cost constant time.

use crate::statistics::distributions::normal_quantile;
use crate::statistics::incomplete_beta::{incomplete_beta, power};

/// The exact limit: at most 1, and 1 where there are no rows. A share of about `n · 10⁻¹⁵` of it is rounding.
///
/// ```
/// use secateur::prune::binomial::exact;
/// assert!((exact(0.0, 6.0, 0.25) - (1.0 - 0.25f64.powf(1.0 / 6.0))).abs() < 1e-15);
/// assert!((exact(1.0, 99.0, 0.25) - 0.026_966_783_818).abs() < 1e-12);
/// ```
pub fn exact(errors: f64, n: f64, cf: f64) -> f64 {
    let errors = errors.max(0.0);
    if n <= 0.0 || errors >= n || cf <= 0.0 {
        return 1.0;
    }
    if cf >= 1.0 {
        return errors / n;
    }
    if errors == 0.0 {
        return none_of(n, cf);
    }
    // I_U(a, b) = 1 − CF, by Newton's steps where they stay in the bracket, else by halving it.
    let (a, b, want) = (errors + 1.0, n - errors, 1.0 - cf);
    let (mut low, mut high) = (0.0f64, 1.0f64);
    let mut u = c45(errors, n, cf).clamp(1e-300, 1.0 - 1e-16);
    for _ in 0..200 {
        let off = incomplete_beta(a, b, u, 1.0 - u) - want;
        if off == 0.0 {
            break;
        }
        if off < 0.0 {
            low = u
        } else {
            high = u
        }
        let density = power(a, b, u, 1.0 - u) / (u * (1.0 - u));
        let step = u - off / density;
        let next = if step > low && step < high { step } else { (low + high) / 2.0 };
        let moved = (next - u).abs();
        u = next;
        if moved <= 1e-15 * u {
            break;
        }
    }
    u
}

/// C4.5's limit, between `errors / n` and 1; 1 where there are no rows.
///
/// ```
/// use secateur::prune::binomial::c45;
/// assert!((c45(0.0, 9.0, 0.25) - 0.142_756_017_146).abs() < 1e-12);
/// // Above 1 error the normal approximation: (1.5 + 0.2398 + 0.6925 √(1.5 · 14.5/16 + 0.1199)) / 16.4796.
/// assert!((c45(1.0, 16.0, 0.25) - 0.156_681).abs() < 1e-6);
/// ```
pub fn c45(errors: f64, n: f64, cf: f64) -> f64 {
    from_parts(errors, n, cf, |errors| {
        let nearly_all = (errors + 0.67 * (n - errors)) / n;
        if errors + 0.5 < n { corrected(errors, n, deviate(cf)) } else { nearly_all }
    })
}

/// The same with the exact quantile of the normal distribution.
///
/// ```
/// use secateur::prune::binomial::{c45, normal};
/// assert_eq!(normal(0.0, 9.0, 0.25), c45(0.0, 9.0, 0.25));
/// // (1.5 + 0.2275 + 0.6745 √(1.5 · 14.5/16 + 0.1137)) / 16.4549
/// assert!((normal(1.0, 16.0, 0.25) - 0.154_732).abs() < 1e-6);
/// ```
pub fn normal(errors: f64, n: f64, cf: f64) -> f64 {
    from_parts(
        errors,
        n,
        cf,
        |errors| {
            if errors + 0.5 < n { corrected(errors, n, normal_quantile(cf)) } else { 1.0 }
        },
    )
}

/// A limit from its part for one error or more, kept between `errors / n` and 1.
fn from_parts(errors: f64, n: f64, cf: f64, many_of: impl Fn(f64) -> f64) -> f64 {
    let errors = errors.max(0.0);
    if n <= 0.0 || errors >= n || cf <= 0.0 {
        return 1.0;
    }
    if cf >= 1.0 {
        return errors / n;
    }
    let limit = if errors < 1e-6 {
        none_of(n, cf)
    } else if errors < 0.9999 {
        let none = none_of(n, cf);
        none + errors * (many_of(1.0) - none)
    } else {
        many_of(errors)
    };
    limit.clamp(errors / n, 1.0)
}

/// Without an error: `(1 − U)^n = CF`.
fn none_of(n: f64, cf: f64) -> f64 {
    -(cf.ln() / n).exp_m1()
}

/// The normal approximation with continuity correction, at a deviate.
fn corrected(errors: f64, n: f64, z: f64) -> f64 {
    let (f, z2) = (errors + 0.5, z * z);
    (f + z2 / 2.0 + z * (f * (1.0 - f / n) + z2 / 4.0).sqrt()) / (n + z2)
}

/// C4.5's quantiles of the normal distribution: the deviate that is exceeded with probability `cf`.
fn deviate(cf: f64) -> f64 {
    const TABLE: [(f64, f64); 9] = [
        (0.0, 4.0),
        (0.001, 3.09),
        (0.005, 2.58),
        (0.01, 2.33),
        (0.05, 1.65),
        (0.10, 1.28),
        (0.20, 0.84),
        (0.40, 0.25),
        (1.0, 0.0),
    ];
    for pair in TABLE.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        if cf <= x1 {
            return y0 + (y1 - y0) * (cf - x0) / (x1 - x0);
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// P(X ≤ e) for whole numbers, term by term; from the other end where the first term would vanish.
    fn at_most(e: u32, n: u32, p: f64) -> f64 {
        if p > 0.5 {
            return 1.0 - at_most(n - e - 1, n, 1.0 - p);
        }
        let mut term = (1.0 - p).powi(n as i32);
        let mut sum = term;
        for i in 0..e {
            term *= f64::from(n - i) / f64::from(i + 1) * p / (1.0 - p);
            sum += term;
        }
        sum
    }

    #[test]
    fn exact_limits_as_recorded() {
        for (e, n, cf, upper) in [
            (0.0, 6.0, 0.25, 0.20629947401590026),
            (0.0, 9.0, 0.25, 0.14275601714692718),
            (0.0, 1.0, 0.25, 0.75),
            (1.0, 16.0, 0.25, 0.1596107137218113),
            (1.0, 99.0, 0.25, 0.026966783818484392),
            (1.0, 99.0, 0.01, 0.06517620958834709),
            (5.0, 100.0, 0.1, 0.09077146961407018),
        ] {
            let got = exact(e, n, cf);
            assert!((got - upper).abs() < 1e-13, "{e} of {n} at {cf}: {got}, not {upper}");
        }
    }

    #[test]
    fn no_rows_all_wrong_and_the_ends_of_cf() {
        for limit in [exact, c45, normal] {
            assert_eq!(limit(0.0, 0.0, 0.25), 1.0);
            assert_eq!(limit(3.0, 3.0, 0.25), 1.0);
            assert_eq!(limit(1.0, 4.0, 0.0), 1.0);
            assert_eq!(limit(1.0, 4.0, 1.0), 0.25);
        }
    }

    #[test]
    fn exact_limits_of_many_rows() {
        // By the normal approximation with z² terms, good to about 1/n.
        for (e, n) in [(1e3, 1e5), (5e4, 1e6), (3e6, 1e7)] {
            let (p, z) = (e / n, 0.674_489_75);
            let near = p + z * f64::sqrt(p * (1.0 - p) / n);
            let got = exact(e, n, 0.25);
            assert!((got - near).abs() < 2.0 / n, "{e} of {n}: {got} {near}");
        }
        // Few of many: Poisson, P(X ≤ 1 | 2.6926) = ¼.
        assert!((exact(1.0, 1e6, 0.25) * 1e6 - 2.692_634_5).abs() < 1e-5);
    }

    #[test]
    fn c45_by_hand() {
        // Two thirds of the way: e + ½ ≥ n.
        assert!((c45(2.5, 3.0, 0.25) - (2.5 + 0.67 * 0.5) / 3.0).abs() < 1e-15);
        // Half an error of 16: in the middle between none and one.
        let middle = (c45(0.0, 16.0, 0.25) + c45(1.0, 16.0, 0.25)) / 2.0;
        assert!((c45(0.5, 16.0, 0.25) - middle).abs() < 1e-15);
        assert!((deviate(0.25) - 0.6925).abs() < 1e-12);
        assert_eq!(deviate(0.05), 1.65);
    }

    #[test]
    fn exact_quantiles_by_hand() {
        // z is 1.644854 at 0.05 and 0 at one half; a leaf that errs on all but half a row is expected to err on all.
        assert!((normal(10.0, 100.0, 0.05) - corrected(10.0, 100.0, 1.644_853_626_951_472)).abs() < 1e-12);
        assert!((normal(10.0, 100.0, 0.5) - 0.105).abs() < 1e-12);
        assert_eq!(normal(2.5, 3.0, 0.25), 1.0);
        assert_eq!(normal(10.0, 100.0, 0.9), 0.1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_exact_limit_has_its_probability(n in 1u32..300, share in 0.0..1.0f64, cf in 0.001..0.999f64) {
            let e = ((f64::from(n) * share) as u32).min(n - 1);
            let u = exact(f64::from(e), f64::from(n), cf);
            prop_assert!((at_most(e, n, u) - cf).abs() < 1e-9, "{} of {}: {}", e, n, u);
        }

        #[test]
        fn limits_are_rates_and_grow_with_errors(n in 0.01..2000.0f64, a in 0.0..1.0f64, b in 0.0..1.0f64, cf in 0.001..0.5f64) {
            let (a, b) = (n * a.min(b), n * a.max(b));
            let (low, high) = (exact(a, n, cf), exact(b, n, cf));
            prop_assert!(low <= high + 1e-12 && high <= 1.0 && low > 0.0, "{} {}", low, high);
            for u in [c45(a, n, cf), c45(b, n, cf), normal(a, n, cf), normal(b, n, cf)] {
                prop_assert!(u >= a / n && u <= 1.0);
            }
            // Less confidence asked for, a lower limit.
            prop_assert!(exact(a, n, cf * 1.5) <= low + 1e-12);
        }
    }
}
