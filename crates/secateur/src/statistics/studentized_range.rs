//! The studentized range with infinitely many degrees of freedom: the range of `k` independent standard normal values.
//!
//! With `z` the largest of the values,
//!
//! ```text
//! P(range ≤ q) = k ∫ φ(z) (Φ(z) − Φ(z − q))^{k−1} dz
//! P(range > q) = k ∫ φ(z) Φ(z)^{k−1} (1 − (1 − Φ(z − q) / Φ(z))^{k−1}) dz
//! ```
//!
//! (H. O. Hartley (1942), *The range in random samples*; the second is 1, the distribution of the largest, minus the first).
//! The integrands are analytic and fall like `φ`, so the plain trapezoidal rule converges faster than any power of
//! its step. Small probabilities keep their digits on either side.

use std::f64::consts::SQRT_2;

use super::checks::share;
use super::distributions::{normal_density, normal_quantile, normal_tail};
use crate::error::{Error, Result};

/// Where the probability of a larger range is too small for a double.
const BEYOND: f64 = 80.0;

/// `P(range > q)` of `k ≥ 2` values.
///
/// ```
/// use secateur::statistics::studentized_range;
/// // Two values: their difference is normal with variance 2.
/// assert!((studentized_range::tail(2.771_807_648_699_355, 2)? - 0.05).abs() < 1e-14);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn tail(q: f64, k: usize) -> Result<f64> {
    several(k)?;
    if q.is_nan() {
        return Err(Error::parameter("the range is not a number"));
    }
    Ok(if q <= 0.0 { 1.0 } else { sides(q, k).1 })
}

/// The `q` with `P(range > q) = p`, for `0 < p < 1` and `k ≥ 2` values.
///
/// ```
/// use secateur::statistics::studentized_range;
/// assert!((studentized_range::quantile(0.05, 10)? - 4.474_124_221_7).abs() < 1e-9);
/// # Ok::<(), secateur::error::Error>(())
/// ```
pub fn quantile(p: f64, k: usize) -> Result<f64> {
    several(k)?;
    share("probability", p)?;
    // At least the range of two values, at most what two of all pairs reach together (Bonferroni).
    let pairs = k as f64 * (k as f64 - 1.0) / 2.0;
    let (mut low, mut high) =
        (SQRT_2 * normal_quantile(p / 2.0), SQRT_2 * normal_quantile(p / (2.0 * pairs)));
    high = (high + 1e-9 * (1.0 + high)).min(BEYOND);
    low = (low - 1e-9 * low).max(0.0);
    let mut q = (low + high) / 2.0;
    for _ in 0..200 {
        let (below, above, density) = all(q, k);
        // By Newton's steps on the logarithm of the smaller side, which has the digits and is nearly a parabola,
        // where they stay in the bracket; else by halving it. `off` is above 0 where q is too large.
        let (side, off) = if p < 0.5 { (above, (p / above).ln()) } else { (below, (below / (1.0 - p)).ln()) };
        if off == 0.0 {
            break;
        }
        if off > 0.0 {
            high = q
        } else {
            low = q
        }
        let step = q - off * side / density;
        let next = if step > low && step < high { step } else { (low + high) / 2.0 };
        let moved = (next - q).abs();
        q = next;
        if moved <= 1e-15 * q {
            break;
        }
    }
    Ok(q)
}

fn several(k: usize) -> Result<()> {
    if (2..=1_000_000).contains(&k) {
        return Ok(());
    }
    Err(Error::parameter(format!("the range of {k} values is not known; expected 2 to 1000000")))
}

/// The probabilities of at most and of more than `q`.
fn sides(q: f64, k: usize) -> (f64, f64) {
    let (below, above, _) = all(q, k);
    (below, above)
}

/// Both sides of `q` and the density there.
fn all(q: f64, k: usize) -> (f64, f64, f64) {
    if q >= BEYOND {
        return (1.0, 0.0, 0.0);
    }
    let others = k as f64 - 1.0;
    // The narrowest peak has width 1/√k: five steps of it leave an error below e^{−2π²·25}.
    let step = (0.2 / (k as f64).sqrt()).min(0.1);
    let points = ((q + 18.0) / step).ceil() as usize;
    let (mut below, mut above, mut density) = (0.0, 0.0, 0.0);
    for i in 0..=points {
        // Up from −9, past which nothing counts, to q + 9.
        let z = i as f64 * step - 9.0;
        let (largest, beyond) = (normal_density(z), normal_tail(-z));
        let far = normal_tail(q - z);
        let within = between(z, q);
        below += largest * within.powf(others);
        density += largest * normal_density(z - q) * within.powf(others - 1.0);
        // Φ(z)^{k−1} (1 − (1 − r)^{k−1}) with r = Φ(z − q) / Φ(z); r close to 1 is handled by `within`.
        let ratio = far / beyond;
        let log = if ratio < 0.5 { (-ratio).ln_1p() } else { (within / beyond).ln() };
        above += largest * (others * beyond.ln()).exp() * -(others * log).exp_m1();
    }
    let scale = step * k as f64;
    ((scale * below).min(1.0), (scale * above).min(1.0), scale * others * density)
}

/// `Φ(z) − Φ(z − q)`, from the tails on the side where they are small; over a tiny `q`, the middle of the density.
fn between(z: f64, q: f64) -> f64 {
    if q < 1e-6 {
        return q * normal_density(z - q / 2.0);
    }
    let share =
        if z > q { normal_tail(z - q) - normal_tail(z) } else { normal_tail(-z) - normal_tail(q - z) };
    share.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two values: `P(range > q) = 2 P(Z > q/√2)`.
    #[test]
    fn the_range_of_two_is_a_normal_difference() {
        for q in [1e-3, 0.1, 1.0, 3.0, 8.0, 15.0, 30.0] {
            let want = 2.0 * normal_tail(q / SQRT_2);
            let got = tail(q, 2).unwrap();
            assert!((got - want).abs() <= 1e-12 * want, "{q}: {got} {want}");
        }
    }

    #[test]
    fn both_sides_add_up_and_quantiles_undo_tails() {
        for k in [2, 3, 4, 10, 50, 200, 1000] {
            for p in [1e-10, 1e-3, 0.01, 0.05, 0.1, 0.5, 0.9, 0.999, 0.999_999] {
                let q = quantile(p, k).unwrap();
                let (below, above) = sides(q, k);
                assert!((below + above - 1.0).abs() < 1e-12, "{k} {p}: {below} {above}");
                assert!((above - p).abs() <= 1e-12 * p, "{k} {p}: {above}");
                assert!((below - (1.0 - p)).abs() <= 1e-10 * (1.0 - p), "{k} {p}: {below}");
            }
        }
    }

    #[test]
    fn the_density_is_the_slope_of_the_distribution() {
        for k in [3, 12] {
            for q in [0.5, 2.0, 4.0] {
                let h = 1e-4;
                let slope = (sides(q + h, k).0 - sides(q - h, k).0) / (2.0 * h);
                assert!((slope - all(q, k).2).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        assert!(tail(1.0, 1).is_err() && tail(f64::NAN, 3).is_err());
        assert!(quantile(0.0, 3).is_err() && quantile(1.0, 3).is_err() && quantile(0.5, 0).is_err());
        assert_eq!(tail(-1.0, 3).unwrap(), 1.0);
        assert_eq!(tail(f64::INFINITY, 3).unwrap(), 0.0);
        let (far, near) = (quantile(5e-324, 50).unwrap(), quantile(1.0 - 1e-16, 2).unwrap());
        assert!(far > 50.0 && far < 80.0 && near > 0.0 && near < 1e-15, "{far} {near}");
    }
}
