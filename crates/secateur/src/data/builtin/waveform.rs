//! Breiman's waves: every row is a random mixture of two of three triangular waves, plus noise.
//!
//! The waves rise to 6 at positions 7, 15 and 11 of 21: h₁(i) = max(6 − |i − 7|, 0), and so on. A class
//! is a pair of waves (0: h₁ and h₂, 1: h₁ and h₃, 2: h₂ and h₃), equally probable;
//! xᵢ = u h(i) + (1 − u) h′(i) + ε with one uniform u per row and unit normal noise. `waveform-40` has 19
//! more attributes of noise alone. The best possible error is about 14 %. The numbers are not
//! rounded to two decimals as those in the UCI repository are.
//!
//! ```
//! let waves = secateur::data::builtin::load("waveform-40?n=300").unwrap();
//! assert_eq!((waves.rows(), waves.columns().len()), (300, 41));
//! ```

use super::parameters::{Parameters, SEED, rows};
use super::{BuiltinInfo, nominal, numeric, room};
use crate::data::Column;
use crate::error::Result;
use rand::RngExt;
use rand_distr::StandardNormal;

const SOURCE: &str = "L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone (1984), Classification and regression trees, pages 49 to 55";

pub(super) const WAVEFORM_21: BuiltinInfo = BuiltinInfo {
    name: "waveform-21",
    about: "mixtures of two of three waves at 21 positions; the best error is about 14 % (classification)",
    source: SOURCE,
    parameters: &[rows("5000"), SEED],
    make: |parameters| make::<21>(parameters),
};

pub(super) const WAVEFORM_40: BuiltinInfo = BuiltinInfo {
    name: "waveform-40",
    about: "the 21 positions of waveform-21 and 19 attributes of noise (classification)",
    source: SOURCE,
    parameters: &[rows("5000"), SEED],
    make: |parameters| make::<40>(parameters),
};

/// Where the three waves are highest.
const PEAKS: [f64; 3] = [7.0, 15.0, 11.0];

/// The waves of each class.
const PAIRS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// The height of a wave at a position, from 1; nothing beyond 21.
fn wave(which: usize, position: usize) -> f64 {
    (6.0 - (position as f64 - PEAKS[which]).abs()).max(0.0)
}

fn make<const A: usize>(parameters: &Parameters) -> Result<Vec<Column>> {
    let n = parameters.rows(A as u64 + 1)?;
    let mut random = parameters.random();
    let mut attributes = room(A, n);
    let mut classes = Vec::with_capacity(n);
    for _ in 0..n {
        let class = random.random_range(0..3_u32);
        let [one, other] = PAIRS[class as usize];
        let u: f64 = random.random();
        for (i, column) in attributes.iter_mut().enumerate() {
            let height = u * wave(one, i + 1) + (1.0 - u) * wave(other, i + 1);
            column.push(height + random.sample::<f64, _>(StandardNormal));
        }
        classes.push(class);
    }
    let attribute = |(i, values)| numeric(format!("x{}", i + 1), values);
    let mut columns: Vec<_> = attributes.into_iter().enumerate().map(attribute).collect();
    columns.push(nominal("class", &["0", "1", "2"], classes));
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};
    use super::*;

    #[test]
    fn means_and_variances_are_those_of_the_mixture() {
        let table = load("waveform-40?n=30000").unwrap();
        let class = codes(&table, "class");
        for count in class_counts(&table) {
            assert!((9_700..=10_300).contains(&count), "{count}");
        }
        for (c, [one, other]) in PAIRS.into_iter().enumerate() {
            for i in 1..=40 {
                let column = numbers(&table, &format!("x{i}"));
                let rows = column.iter().zip(class).filter(|(_, k)| **k as usize == c).map(|(v, _)| *v);
                let (mean, variance) = moments(rows);
                // u has mean 1/2 and variance 1/12.
                let expected = (wave(one, i) + wave(other, i)) / 2.0;
                let spread = 1.0 + (wave(one, i) - wave(other, i)).powi(2) / 12.0;
                assert!((mean - expected).abs() < 0.08, "class {c} x{i}: {mean} {expected}");
                assert!((variance / spread - 1.0).abs() < 0.07, "class {c} x{i}: {variance} {spread}");
            }
        }
    }

    #[test]
    fn only_noise_lies_beyond_the_waves() {
        assert!((22..=40).all(|i| (0..3).all(|w| wave(w, i) == 0.0)));
        assert_eq!(load("waveform-21?n=10").unwrap().columns().len(), 22);
    }
}
