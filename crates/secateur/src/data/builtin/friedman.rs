//! Friedman's three regression problems.
//!
//! - `friedman`: ten attributes, uniform on \[0, 1\], the last five irrelevant;
//!   y = 10 sin(π x₁ x₂) + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ + noise.
//! - `friedman2`: y = √(x₁² + (x₂ x₃ − 1/(x₂ x₄))²) + noise,
//! - `friedman3`: y = arctan((x₂ x₃ − 1/(x₂ x₄)) / x₁) + noise, both with x₁ uniform on \[0, 100\], x₂ on
//!   \[40π, 560π\], x₃ on \[0, 1\] and x₄ on \[1, 11\]: the impedance and the phase of a circuit.
//!
//! The noise is normal; its default standard deviations (1, 125 and 0.1) are those in general use.
//!
//! ```
//! let table = secateur::data::builtin::load("friedman?n=200&noise=0").unwrap();
//! assert_eq!(table.columns().last().unwrap().name, "y");
//! ```

use super::parameters::{BuiltinParam, ParamKind, Parameters, SEED, rows};
use super::{BuiltinInfo, numeric, room};
use crate::data::Column;
use crate::error::Result;
use rand::RngExt;
use rand_distr::StandardNormal;
use std::f64::consts::PI;

const SOURCE: &str = "J. H. Friedman (1991), Multivariate adaptive regression splines";

pub(super) const FRIEDMAN: BuiltinInfo = BuiltinInfo {
    name: "friedman",
    about: "five attributes that matter and five that do not, a smooth function with noise (regression)",
    source: SOURCE,
    parameters: &[rows("1000"), SEED, noise("1")],
    make: |parameters| {
        make(parameters, [(0.0, 1.0); 10], |[x1, x2, x3, x4, x5, ..]| {
            10.0 * (PI * x1 * x2).sin() + 20.0 * (x3 - 0.5).powi(2) + 10.0 * x4 + 5.0 * x5
        })
    },
};

pub(super) const FRIEDMAN2: BuiltinInfo = BuiltinInfo {
    name: "friedman2",
    about: "the impedance of a circuit, four attributes (regression)",
    source: SOURCE,
    parameters: &[rows("1000"), SEED, noise("125")],
    make: |parameters| make(parameters, CIRCUIT, |x| x[0].hypot(reactance(x))),
};

pub(super) const FRIEDMAN3: BuiltinInfo = BuiltinInfo {
    name: "friedman3",
    about: "the phase angle of a circuit, four attributes (regression)",
    source: SOURCE,
    parameters: &[rows("1000"), SEED, noise("0.1")],
    make: |parameters| make(parameters, CIRCUIT, |x| reactance(x).atan2(x[0])),
};

const fn noise(default: &'static str) -> BuiltinParam {
    let kind = ParamKind::Number { least: 0.0, most: 1e6 };
    BuiltinParam { name: "noise", default, kind, help: "standard deviation of the noise" }
}

/// The ranges of resistance, frequency, inductance and capacitance.
const CIRCUIT: [(f64, f64); 4] = [(0.0, 100.0), (40.0 * PI, 560.0 * PI), (0.0, 1.0), (1.0, 11.0)];

fn reactance([_, frequency, inductance, capacitance]: [f64; 4]) -> f64 {
    frequency * inductance - 1.0 / (frequency * capacitance)
}

/// Attributes uniform in their ranges, and a function of them with noise.
fn make<const A: usize>(
    parameters: &Parameters,
    ranges: [(f64, f64); A],
    function: fn([f64; A]) -> f64,
) -> Result<Vec<Column>> {
    let n = parameters.rows(A as u64 + 1)?;
    let (noise, mut random) = (parameters.number("noise"), parameters.random());
    let mut attributes = room(A, n);
    let mut target = Vec::with_capacity(n);
    for _ in 0..n {
        let x = ranges.map(|(low, high)| low + (high - low) * random.random::<f64>());
        attributes.iter_mut().zip(x).for_each(|(column, value)| column.push(value));
        target.push(function(x) + noise * random.sample::<f64, _>(StandardNormal));
    }
    let attribute = |(i, values)| numeric(format!("x{}", i + 1), values);
    let mut columns: Vec<_> = attributes.into_iter().enumerate().map(attribute).collect();
    columns.push(numeric("y", target));
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    /// The noise in every row: the target less the target of the same rows without noise.
    fn noise(set: &str) -> Vec<f64> {
        let [noisy, plain] = ["", "&noise=0"].map(|more| load(&format!("{set}?n=50000{more}")).unwrap());
        let columns = plain.columns().len();
        assert_eq!(noisy.columns()[..columns - 1], plain.columns()[..columns - 1]);
        numbers(&noisy, "y").iter().zip(numbers(&plain, "y")).map(|(a, b)| a - b).collect()
    }

    #[test]
    fn the_noise_is_normal_with_the_given_deviation() {
        for (set, sd) in [("friedman", 1.0), ("friedman2", 125.0), ("friedman3", 0.1)] {
            let noise = noise(set);
            let (mean, variance) = moments(noise.iter().map(|e| e / sd));
            assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{set} {mean} {variance}");
            let within = noise.iter().filter(|e| e.abs() < sd).count() as f64 / 50_000.0;
            assert!((within - 0.6827).abs() < 0.01, "{set} {within}");
        }
    }

    #[test]
    fn the_signal_has_the_known_mean() {
        // E[sin(π x₁ x₂)] = 0.5241…, E[(x₃ − ½)²] = 1/12: 5.241 + 1.667 + 5 + 2.5.
        let table = load("friedman?n=50000").unwrap();
        let (mean, _) = moments(numbers(&table, "y").iter().copied());
        assert!((mean - 14.41).abs() < 0.1, "{mean}");
        for i in 1..=10 {
            let (mean, variance) = moments(numbers(&table, &format!("x{i}")).iter().copied());
            assert!((mean - 0.5).abs() < 0.01 && (variance - 1.0 / 12.0).abs() < 0.002, "x{i}");
        }
    }

    #[test]
    fn the_circuit_follows_its_formula() {
        let [two, three] = ["friedman2", "friedman3"].map(|s| load(&format!("{s}?n=500&noise=0")).unwrap());
        for row in 0..500 {
            let [r, f, l, c] = [1, 2, 3, 4].map(|i| numbers(&two, &format!("x{i}"))[row]);
            let x = f * l - 1.0 / (f * c);
            assert!((numbers(&two, "y")[row] - (r * r + x * x).sqrt()).abs() < 1e-9);
            assert!((numbers(&three, "y")[row] - (x / r).atan()).abs() < 1e-9);
        }
    }
}
