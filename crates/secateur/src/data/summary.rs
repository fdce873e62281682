//! What a column holds, in a few numbers.

use super::rank::{key, unkey};
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
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for &x in cells {
            // A missing value (NaN) changes neither bound.
            min = if x < min { x } else { min };
            max = if x > max { x } else { max };
        }
        let mean = mean(cells.iter().copied().filter(|x| !x.is_nan()))?;
        // Adding zero turns -0 into 0.
        Some(Span { min: min + 0.0, max: max + 0.0, mean })
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
                let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
                for x in cells.iter().copied().filter(|x| !x.is_nan()) {
                    *counts.entry(key(x)).or_insert(0) += 1;
                }
                counts.into_iter().map(|(key, rows)| (unkey(key).to_string(), rows)).unzip()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_span_reaches_from_the_first_to_the_last_value_counted(cells in prop::collection::vec(prop_oneof![Just(f64::NAN), Just(-0.0), Just(0.0), -9.5..9.5], 0..20)) {
            let column = Values::Numeric(cells);
            let (values, rows) = column.counts();
            let span = column.span().map(|span| (span.min.to_string(), span.max.to_string()));
            prop_assert_eq!(span, values.first().cloned().zip(values.last().cloned()));
            let Values::Numeric(cells) = column else { unreachable!("a column of numbers") };
            prop_assert_eq!(rows.iter().sum::<u64>(), cells.iter().filter(|x| !x.is_nan()).count() as u64);
        }
    }
}
