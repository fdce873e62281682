//! What a column holds, in a few numbers.

use super::{MISSING, Values};
use crate::sums::mean;
use std::collections::BTreeMap;

/// The numbers of a column that are not missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The least.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The mean of their exact values, rounded once.
    pub mean: f64,
}

/// A whole number that grows with a number: the order of bits is that of numbers for one sign.
#[inline]
fn in_order(x: f64) -> i64 {
    turned(x.to_bits() as i64)
}

/// The number that [`in_order`] was told.
fn number(place: i64) -> f64 {
    f64::from_bits(turned(place) as u64)
}

/// Bits of negative numbers the other way round.
#[inline]
fn turned(bits: i64) -> i64 {
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

impl Values {
    /// Of numbers their span; `None` of values from a list, and where all are missing.
    ///
    /// ```
    /// use secateur::data::Values;
    /// let span = Values::Numeric(vec![1.0, f64::NAN, 4.0]).span().unwrap();
    /// assert_eq!((span.min, span.max, span.mean), (1.0, 4.0, 2.5));
    /// ```
    pub fn span(&self) -> Option<Span> {
        let Self::Numeric(cells) = self else { return None };
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        for &x in cells {
            if !x.is_nan() {
                (least, most) = (least.min(in_order(x)), most.max(in_order(x)));
            }
        }
        let mean = mean(cells.iter().copied().filter(|x| !x.is_nan()))?;
        Some(Span { min: number(least), max: number(most), mean })
    }

    /// The different values that are not missing and how many rows have each: of a list in its order, of numbers from the least on.
    ///
    /// ```
    /// use secateur::data::Values;
    /// let (values, rows) = Values::Numeric(vec![2.0, f64::NAN, 1.0, 2.0]).counts();
    /// assert_eq!((values, rows), (vec!["1".to_string(), "2".into()], vec![1, 2]));
    /// ```
    pub fn counts(&self) -> (Vec<String>, Vec<u64>) {
        match self {
            Self::Nominal(nominal) => {
                let mut counts = vec![0; nominal.levels.len()];
                for &code in nominal.codes.iter().filter(|&&code| code != MISSING) {
                    counts[code as usize] += 1;
                }
                (nominal.levels.clone(), counts)
            }
            Self::Numeric(cells) => {
                let mut counts: BTreeMap<i64, (f64, u64)> = BTreeMap::new();
                for x in cells.iter().map(|x| x + 0.0).filter(|x| !x.is_nan()) {
                    counts.entry(in_order(x)).or_insert((x, 0)).1 += 1;
                }
                counts.into_values().map(|(x, n)| (x.to_string(), n)).unzip()
            }
        }
    }
}
