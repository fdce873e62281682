//! Zhong's Gaussian data: `g2c15` has 2 classes and a Bayes error of 15 %, and so on.
//!
//! In every class the attributes x and y are independent and normal with variance 1 (Zhong, section
//! 6.2). Classes are equally frequent. The thesis does not say where the means are; here the mean of
//! class k of K is
//!
//! ```text
//! r · (cos 2πk/K, sin 2πk/K),   k = 0 … K − 1,
//! ```
//!
//! with the radius r at which the best possible classifier errs on 15 or 25 % of the rows. With two
//! classes that classifier is one threshold, x at 0, and the trees of two leaves reported for g2c15
//! find it. With six it is a star of six sectors, which thresholds on x and y can only approach, as
//! in Zhong's Tables 6.2 and 6.3: cost-complexity pruning is reported with 82.4 % and 16.1 leaves on half
//! of g6c15, and 72.7 % and 13.0 leaves on half of g6c25. A trial of it with the one-standard-error rule on
//! these means gave 82.9 % and 16 leaves, 72.8 % and 13 leaves; on a 3 × 2 grid of means, where
//! six leaves are optimal, it gave 84.6 % and 74.2 % with six leaves.
//!
//! Rows are in the order of the classes 1, 2, …, K, 1, 2, …
//!
//! ```
//! let table = secateur::data::builtin::load("g6c15").unwrap();
//! assert_eq!((table.rows(), table.columns().len()), (5004, 3));
//! ```

use super::parameters::{Parameters, SEED, rows};
use super::{BuiltinInfo, nominal, numeric};
use crate::data::Column;
use crate::error::Result;
use rand::RngExt;
use rand_distr::StandardNormal;
use std::f64::consts::PI;

const SOURCE: &str =
    "M. Zhong (2007), An analysis of misclassification rates for decision trees, section 6.2";

pub(super) const G2C15: BuiltinInfo = BuiltinInfo {
    name: "g2c15",
    about: "two Gaussian classes in the plane; the best error is 15 % (classification)",
    source: SOURCE,
    parameters: &[rows("5000"), SEED],
    make: |parameters| make(parameters, 2, R2C15),
};

pub(super) const G2C25: BuiltinInfo = BuiltinInfo {
    name: "g2c25",
    about: "two Gaussian classes in the plane; the best error is 25 % (classification)",
    source: SOURCE,
    parameters: &[rows("5000"), SEED],
    make: |parameters| make(parameters, 2, R2C25),
};

pub(super) const G6C15: BuiltinInfo = BuiltinInfo {
    name: "g6c15",
    about: "six Gaussian classes in the plane; the best error is 15 % (classification)",
    source: SOURCE,
    parameters: &[rows("5004"), SEED],
    make: |parameters| make(parameters, 6, R6C15),
};

pub(super) const G6C25: BuiltinInfo = BuiltinInfo {
    name: "g6c25",
    about: "six Gaussian classes in the plane; the best error is 25 % (classification)",
    source: SOURCE,
    parameters: &[rows("5004"), SEED],
    make: |parameters| make(parameters, 6, R6C25),
};

// The radii at which `bayes_error` is 0.15 and 0.25.
const R2C15: f64 = 1.036_433_389_493_789;
const R2C25: f64 = 0.674_489_750_196_081;
const R6C15: f64 = 2.877_200_454_887_71;
const R6C25: f64 = 2.292_585_471_312_945;

fn make(parameters: &Parameters, classes: usize, radius: f64) -> Result<Vec<Column>> {
    let n = parameters.rows(3)?;
    let mut random = parameters.random();
    let means: Vec<_> = (0..classes).map(|class| mean(class, classes, radius)).collect();
    let [mut x, mut y] = [(); 2].map(|()| Vec::with_capacity(n));
    let mut codes = Vec::with_capacity(n);
    for (class, mean) in means.iter().enumerate().cycle().take(n) {
        x.push(mean[0] + random.sample::<f64, _>(StandardNormal));
        y.push(mean[1] + random.sample::<f64, _>(StandardNormal));
        codes.push(class as u32);
    }
    let levels = ["c1", "c2", "c3", "c4", "c5", "c6"];
    Ok(vec![numeric("x", x), numeric("y", y), nominal("class", &levels[..classes], codes)])
}

/// The mean of a class (from 0) of this many on a circle of this radius.
///
/// ```
/// use secateur::data::builtin::gaussian::mean;
/// assert_eq!(mean(0, 6, 2.0), [2.0, 0.0]);
/// ```
pub fn mean(class: usize, classes: usize, radius: f64) -> [f64; 2] {
    let (sin, cos) = (2.0 * PI * class as f64 / classes as f64).sin_cos();
    [radius * cos, radius * sin]
}

/// The error of the best possible classifier of unit Gaussians whose means stand on a circle.
///
/// A row is lost when it leaves the sector of its class; its probability is
///
/// ```text
/// (1/π) ∫ exp(−(r sin π/K)² / (2 sin² θ)) dθ   from 0 to π − π/K,
/// ```
///
/// known as the symbol error of phase-shift keying (Craig 1991); with K = 2 it is Φ(−r).
///
/// ```
/// use secateur::data::builtin::gaussian::bayes_error;
/// assert!((bayes_error(2, 1.0) - 0.158_655_253_931).abs() < 1e-9);
/// ```
pub fn bayes_error(classes: usize, radius: f64) -> f64 {
    const STEPS: usize = 2_000;
    let sector = PI / classes as f64;
    let across = radius * sector.sin();
    let step = (PI - sector) / STEPS as f64;
    let density = |i: usize| {
        let sin = (i as f64 * step).sin();
        if sin == 0.0 { 0.0 } else { (-0.5 * (across / sin).powi(2)).exp() }
    };
    // Simpson's rule.
    let inner: f64 = (1..STEPS).map(|i| density(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
    (density(0) + inner + density(STEPS)) * step / 3.0 / PI
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};
    use super::*;

    /// Name, classes, radius and Bayes error.
    const SETS: [(&str, usize, f64, f64); 4] = [
        ("g2c15", 2, R2C15, 0.15),
        ("g2c25", 2, R2C25, 0.25),
        ("g6c15", 6, R6C15, 0.15),
        ("g6c25", 6, R6C25, 0.25),
    ];

    #[test]
    fn the_best_classifier_errs_as_often_as_the_name_says() {
        for (name, classes, radius, error) in SETS {
            let table = load(&format!("{name}?n=200000&seed=11")).unwrap();
            let (x, y, class) = (numbers(&table, "x"), numbers(&table, "y"), codes(&table, "class"));
            let sector = 2.0 * PI / classes as f64;
            let wrong = (0..table.rows()).filter(|&row| {
                let nearest = (y[row].atan2(x[row]) / sector).round().rem_euclid(classes as f64);
                nearest as u32 != class[row]
            });
            let measured = wrong.count() as f64 / 200_000.0;
            assert!((measured - error).abs() < 0.003, "{name}: {measured}");
            assert!((bayes_error(classes, radius) - error).abs() < 1e-12, "{name}");
        }
    }

    #[test]
    fn rows_stand_where_the_radius_says() {
        for (name, classes, radius, _) in SETS {
            let table = load(&format!("{name}?n=120000")).unwrap();
            let class = codes(&table, "class");
            for k in 0..classes {
                for (axis, expected) in ["x", "y"].into_iter().zip(mean(k, classes, radius)) {
                    let column = numbers(&table, axis).iter().zip(class);
                    let (mean, variance) =
                        moments(column.filter(|(_, c)| **c as usize == k).map(|(v, _)| *v));
                    assert!((mean - expected).abs() < 0.03, "{name} {k} {axis}: {mean} {expected}");
                    assert!((variance - 1.0).abs() < 0.05, "{name} {k} {axis}: {variance}");
                }
            }
        }
    }

    #[test]
    fn classes_are_as_equal_as_can_be() {
        assert_eq!(class_counts(&load("g2c15").unwrap()), [2500, 2500]);
        assert_eq!(class_counts(&load("g6c25").unwrap()), [834; 6]);
        assert_eq!(class_counts(&load("g6c15?n=8").unwrap()), [2, 2, 1, 1, 1, 1]);
    }
}
