//! Tails and quantiles of the normal, t, χ² and F distributions.
//!
//! A tail is the probability of a larger value; small ones keep their digits, which a difference from 1 would lose.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf::erfc_inv;
use statrs::function::gamma::gamma_ur;

use super::incomplete_beta::{incomplete_beta, power};

/// The density of the standard normal distribution.
pub(crate) fn normal_density(z: f64) -> f64 {
    (-z * z / 2.0).exp() / (2.0 * PI).sqrt()
}

/// `P(Z > z)` of the standard normal distribution, to about fourteen digits (`erfc` of `statrs` has ten).
///
/// Near the middle `½ − φ(z) (z + z³/3 + z⁵/(3·5) + …)`, further out `φ(z) / (z + 1/(z + 2/(z + 3/(z + …))))`
/// (Abramowitz and Stegun 1964, 26.2.11 and 26.2.14).
pub(crate) fn normal_tail(z: f64) -> f64 {
    let size = z.abs();
    if size > 2.5 {
        // The terms needed fall with the square of z: 68 here, a handful far out.
        let terms = (20.0 + 300.0 / (size * size)) as u32;
        let fraction = (1..=terms).rev().fold(size, |below, i| size + f64::from(i) / below);
        let tail = normal_density(size) / fraction;
        return if z > 0.0 { tail } else { 1.0 - tail };
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > f64::EPSILON * 0.1 * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    0.5 - normal_density(z) * sum
}

/// The `z` with `P(Z > z) = p`.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    SQRT_2 * erfc_inv(2.0 * p)
}

/// `P(T > t)` with `df` degrees of freedom: `½ I_{df/(df+t²)}(df/2, ½)` for `t ≥ 0`.
pub(crate) fn t_tail(t: f64, df: f64) -> f64 {
    if t < 0.0 {
        return 1.0 - t_tail(-t, df);
    }
    if t.is_infinite() {
        return 0.0;
    }
    let (far, near) = shares(t, df);
    // Near the middle the other share has the digits.
    if t < 1.0 {
        0.5 - 0.5 * incomplete_beta(0.5, df / 2.0, near, far)
    } else {
        0.5 * incomplete_beta(df / 2.0, 0.5, far, near)
    }
}

/// `df/(df+t²)` and `t²/(df+t²)`, without overflow.
fn shares(t: f64, df: f64) -> (f64, f64) {
    let root = df.sqrt();
    let (far, near) = (root / root.hypot(t), t / root.hypot(t));
    (far * far, near * near)
}

/// `P(|T| > |t|)`.
pub(crate) fn t_both_tails(t: f64, df: f64) -> f64 {
    (2.0 * t_tail(t.abs(), df)).min(1.0)
}

/// The `t` with `P(T > t) = p`, for `0 < p < 1`.
pub(crate) fn t_quantile(p: f64, df: f64) -> f64 {
    if p > 0.5 {
        return -t_quantile(1.0 - p, df);
    }
    // The tail of t is heavier than the normal one and convex: Newton's steps from the normal quantile go up and never past it.
    let mut t = normal_quantile(p);
    if t <= 0.0 {
        return 0.0;
    }
    for _ in 0..2000 {
        let (far, near) = shares(t, df);
        let density = power(df / 2.0, 0.5, far, near) / t;
        let next = t + (t_tail(t, df) - p) / density;
        if !next.is_finite() || (next - t).abs() <= 2.0 * f64::EPSILON * t {
            break;
        }
        t = next;
    }
    t
}

/// `P(X > x)` of χ² with `df` degrees of freedom.
pub(crate) fn chi2_tail(x: f64, df: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if x.is_infinite() {
        0.0
    } else {
        gamma_ur(df / 2.0, x / 2.0)
    }
}

/// `P(F > f)` with `df1` and `df2` degrees of freedom: `I_{df2/(df2 + df1 f)}(df2/2, df1/2)`.
pub(crate) fn f_tail(f: f64, df1: f64, df2: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    let whole = df2 + df1 * f;
    if whole.is_infinite() {
        return 0.0;
    }
    incomplete_beta(df2 / 2.0, df1 / 2.0, df2 / whole, df1 * f / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With one degree of freedom `P(T > t) = ½ − arctan(t)/π`.
    #[test]
    fn quantiles_undo_tails() {
        for df in [1.0, 2.0, 5.0, 99.0, 1e6] {
            for p in [1e-12, 1e-4, 0.025, 0.3, 0.499, 0.5, 0.501, 0.975] {
                let t = t_quantile(p, df);
                let digits = if df < 1e4 { 1e-12 } else { 1e-9 };
                assert!((t_tail(t, df) - p).abs() <= digits * p, "{df} {p}: {t}");
            }
        }
        assert!((t_tail(3.0, 1.0) - (0.5 - 3.0f64.atan() / std::f64::consts::PI)).abs() < 1e-15);
        assert_eq!(t_tail(f64::INFINITY, 3.0), 0.0);
        assert_eq!(t_tail(f64::NEG_INFINITY, 3.0), 1.0);
        assert_eq!(t_both_tails(0.0, 3.0), 1.0);
        assert_eq!(f_tail(f64::INFINITY, 2.0, 3.0), 0.0);
    }
}
