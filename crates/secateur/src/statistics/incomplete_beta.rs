//! The regularised incomplete beta function, to twelve digits with parameters up to some thousands and to nine up to
//! some millions.
//!
//! The function of the same name in `statrs` stops after 140 terms of its fraction and takes differences of logarithms of
//! gamma functions: with many thousands of degrees of freedom, or a `t` near 0, fewer than nine digits are left.

use statrs::function::gamma::ln_gamma;
use std::f64::consts::PI;

/// More terms than the fraction needs with a thousand million degrees of freedom (about the square root of them).
const TERMS: usize = 100_000;

/// What Stirling's formula lacks: `δ(z) = ln Γ(z) − (z − ½) ln z + z − ½ ln 2π`.
fn stirling_error(z: f64) -> f64 {
    if z < 15.0 {
        return ln_gamma(z) - (z - 0.5) * z.ln() + z - 0.5 * (2.0 * PI).ln();
    }
    // Abramowitz and Stegun (1964), 6.1.41.
    let w = 1.0 / (z * z);
    (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0)))) / z
}

/// `x^a y^b / B(a, b)` with `y = 1 − x`, both given, as either may be too close to 1 to tell the other.
///
/// With Γ by Stirling's formula and its error δ, and `u = bx − ay`, this is
/// `√(ab / 2π(a+b)) · exp(δ(a+b) − δ(a) − δ(b) + a ln(1 + u/a) + b ln(1 − u/b))`: no large numbers cancel.
pub(crate) fn power(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 || y <= 0.0 {
        return 0.0;
    }
    let u = b * x - a * y;
    // Far from the mean, 1 + u/a = (a + b) x / a is close to 0 and better computed from x itself.
    let log =
        |of: f64, u: f64, x: f64| if u.abs() < 0.5 * of { (u / of).ln_1p() } else { ((a + b) / of * x).ln() };
    let exponent =
        stirling_error(a + b) - stirling_error(a) - stirling_error(b) + a * log(a, u, x) + b * log(b, -u, y);
    (a * b / (2.0 * PI * (a + b))).sqrt() * exponent.exp()
}

/// `I_x(a, b)` with `y = 1 − x` given; small values keep their digits.
pub(crate) fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if y <= 0.0 {
        1.0
    } else if x > (a + 1.0) / (a + b + 2.0) {
        1.0 - power(b, a, y, x) * fraction(b, a, y) / b
    } else {
        power(a, b, x, y) * fraction(a, b, x) / a
    }
}

/// The continued fraction of Abramowitz and Stegun (1964), 26.5.8, by the method of Lentz.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let away = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut h = d;
    for m in 1..TERMS {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            change = c * d;
            h *= change;
        }
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `I_x(a, 1) = x^a`, `I_x(1, b) = 1 − y^b`, and the two sides add up to 1.
    #[test]
    fn closed_forms_hold() {
        for a in [0.5, 1.0, 3.0, 40.0, 1e4, 1e7] {
            for x in [1e-9, 0.1, 0.5, 0.9, 1.0 - 1e-6] {
                let y = 1.0 - x;
                let exact = if x < 0.5 { a * f64::ln(x) } else { a * f64::ln_1p(-y) };
                let close = |got: f64, want: f64| (got - want).abs() <= 1e-12 * want.max(1e-200);
                // The logarithm of a power is only as exact as its size allows.
                if exact > -50.0 {
                    assert!(close(incomplete_beta(a, 1.0, x, y), exact.exp()), "{a} {x}");
                }
                let both = incomplete_beta(a, 2.5, x, y) + incomplete_beta(2.5, a, y, x);
                assert!((both - 1.0).abs() < 1e-13, "{a} {x}: {both}");
            }
        }
        assert_eq!(incomplete_beta(2.0, 3.0, 0.0, 1.0), 0.0);
        assert_eq!(incomplete_beta(2.0, 3.0, 1.0, 0.0), 1.0);
    }
}
