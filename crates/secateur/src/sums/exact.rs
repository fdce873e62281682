//! Sums that do not depend on the order of their terms.
//!
//! Every term is rounded to a coarse grid, what is left of it to a fine one, and both are added up as whole numbers, which is
//! exact. Sums of several parts of a table, counted by any number of threads or machines, add up to the same bits. The grids
//! follow from the largest term and the number of terms, which must be known beforehand: with `b = min(51, 61 − log2(terms))`
//! bits for each grid a term is off by at most `2^(1−2b)` of the largest one (2⁻¹⁰¹ up to a thousand terms, 2⁻⁸¹ up to
//! a million, 2⁻⁶¹ up to a thousand million).

use serde::{Deserialize, Serialize};

/// The grids of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Adding this rounds to the coarse (fine) grid: 1.5 × 2⁵² steps of it.
    coarse: f64,
    fine: f64,
}

/// A sum in the making; sums on the same grid add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExactSum {
    coarse: i64,
    fine: i64,
    terms: i64,
}

/// 1.5 × 2⁵²: its last bit is worth one, and stays so when anything below 2⁵¹ is added.
pub(crate) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The smallest power of two above a number from 2⁻⁹⁰⁰ on (smaller ones are taken for that).
pub(crate) fn power_above(x: f64) -> f64 {
    const LEAST: u64 = 123 << 52;
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits((x.abs().to_bits() & EXPONENT).max(LEAST) + (1 << 52))
}

impl Grid {
    /// The grids for this many terms of at most this size.
    pub fn new(largest: f64, terms: u64) -> Self {
        let bits = (61 - i32::min(60, (u64::BITS - terms.leading_zeros()) as i32)).min(51);
        let step = f64::from_bits(((1023 - bits) as u64) << 52);
        let coarse = power_above(largest) * step;
        Self { coarse: coarse * ROUNDER, fine: coarse * step * ROUNDER }
    }
}

impl ExactSum {
    /// Adds a term.
    #[inline(always)]
    pub fn add(&mut self, grid: &Grid, term: f64) {
        let coarse = term + grid.coarse;
        let fine = (term - (coarse - grid.coarse)) + grid.fine;
        self.coarse = self.coarse.wrapping_add(coarse.to_bits() as i64);
        self.fine = self.fine.wrapping_add(fine.to_bits() as i64);
        self.terms += 1;
    }

    /// Adds another part's sum on the same grid.
    pub fn join(&mut self, other: &Self) {
        self.coarse = self.coarse.wrapping_add(other.coarse);
        self.fine = self.fine.wrapping_add(other.fine);
        self.terms += other.terms;
    }

    /// The sum: a number, and what is missing from it.
    pub fn value(&self, grid: &Grid) -> (f64, f64) {
        // Each addition has added the bits of the rounder too.
        let steps =
            |sum: i64, rounder: f64| sum.wrapping_sub(self.terms.wrapping_mul(rounder.to_bits() as i64));
        let coarse = steps(self.coarse, grid.coarse);
        let whole = coarse as f64;
        let rest = (coarse - whole as i64) as f64;
        let (coarse_step, fine_step) = (grid.coarse / ROUNDER, grid.fine / ROUNDER);
        two_sum(whole * coarse_step, rest * coarse_step + steps(self.fine, grid.fine) as f64 * fine_step)
    }
}

/// `a + b` as a number and what is missing from it, exactly (Knuth).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// `a · b` as a number and what is missing from it (Dekker), for numbers far from overflow.
#[inline(always)]
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let halves = |x: f64| {
        let far = 134_217_729.0 * x;
        let high = far - (far - x);
        (high, x - high)
    };
    let (product, (a, aa), (b, bb)) = (a * b, halves(a), halves(b));
    (product, ((a * b - product) + a * bb + aa * b) + aa * bb)
}

/// A sum divided by a weight, rounded once.
pub(crate) fn quotient((sum, missing): (f64, f64), weight: f64) -> f64 {
    let quotient = sum / weight;
    let (product, rest) = two_product(quotient, weight);
    quotient + (((sum - product) - rest) + missing) / weight
}

/// The mean of some numbers: that of their exact values, rounded once. `None` without any.
///
/// ```
/// use secateur::sums::mean;
/// assert_eq!(mean([0.1; 1000]), Some(0.1));
/// assert_eq!(mean([0.1, 0.2, 0.3]), Some(0.2));
/// assert_eq!(mean([1e308, 1e308]), Some(1e308));
/// assert_eq!(mean([]), None);
/// ```
pub fn mean(numbers: impl IntoIterator<Item = f64, IntoIter: Clone>) -> Option<f64> {
    let numbers = numbers.into_iter();
    let span = |(count, least, most): (u64, f64, f64), x: f64| (count + 1, least.min(x), most.max(x));
    let (count, least, most) = numbers.clone().fold((0, f64::INFINITY, f64::NEG_INFINITY), span);
    if count == 0 || least == most {
        return (count > 0).then_some(least);
    }
    // Brought to the middle of what a number can be; a power of two costs no digits.
    let largest = least.abs().max(most.abs());
    let unit = unit_for(largest);
    let grid = Grid::new(largest * unit, count);
    let mut sum = ExactSum::default();
    numbers.for_each(|x| sum.add(&grid, x * unit));
    Some((quotient(sum.value(&grid), count as f64) / unit).clamp(least, most))
}

/// A power of two that brings a number towards 1, when squares of it would be too large or too small; else 1. Its own square
/// is still a number.
pub(crate) fn unit_for(largest: f64) -> f64 {
    let (mut unit, step) = (1.0, 2f64.powi(100));
    while largest > 0.0 && largest * unit < 1e-30 && unit < step.powi(5) {
        unit *= step;
    }
    while largest * unit > 1e30 && unit > step.powi(-5) {
        unit /= step;
    }
    unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The sum in steps of 2⁻²⁰⁰, which all terms here are multiples of after scaling.
    fn whole(x: f64) -> i128 {
        let scaled = x * 2f64.powi(60);
        assert_eq!(scaled, scaled.trunc());
        scaled as i128
    }

    proptest! {
        #[test]
        fn the_order_of_terms_and_parts_does_not_matter(
            terms in prop::collection::vec((-1i64 << 53..1 << 53, 0u32..60), 1..200), seed in any::<u64>(), cut in 0usize..200
        ) {
            // Whole multiples of 2⁻⁶⁰ of very different sizes.
            let terms: Vec<f64> = terms.iter().map(|&(m, e)| (m >> (e / 2)) as f64 * 2f64.powi(-(e as i32))).collect();
            let largest = terms.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            let grid = Grid::new(largest, terms.len() as u64);
            let sum = |terms: &[f64]| {
                let mut sum = ExactSum::default();
                terms.iter().for_each(|&t| sum.add(&grid, t));
                sum
            };
            let mut other = terms.clone();
            other.sort_by_key(|t| t.to_bits().wrapping_mul(seed | 1));
            let cut = cut.min(terms.len());
            let mut parts = sum(&other[cut..]);
            parts.join(&sum(&other[..cut]));
            prop_assert_eq!(sum(&terms), parts);
            // Fifty-one bits twice hold these terms to the last one.
            let exact: i128 = terms.iter().map(|&t| whole(t)).sum();
            let (value, missing) = sum(&terms).value(&grid);
            prop_assert_eq!(value, exact as f64 * 2f64.powi(-60));
            let off = exact - whole(value);
            prop_assert!((missing - off as f64 * 2f64.powi(-60)).abs() <= largest * 2f64.powi(-90));
        }

        #[test]
        fn a_mean_lies_within_and_scales(numbers in prop::collection::vec(-1e3f64..1e3, 1..100), power in -300i32..300) {
            let scale = 2f64.powi(power);
            let own = mean(numbers.iter().copied()).unwrap();
            prop_assert_eq!(mean(numbers.iter().map(|x| x * scale)).unwrap(), own * scale);
            let plain = numbers.iter().sum::<f64>() / numbers.len() as f64;
            prop_assert!((own - plain).abs() < 1e-12);
        }
    }

    #[test]
    fn powers_of_two() {
        assert_eq!((power_above(1.0), power_above(0.75), power_above(-3.0)), (2.0, 1.0, 4.0));
        assert_eq!(power_above(0.0), 2f64.powi(-899));
        assert_eq!((unit_for(3.0), unit_for(0.0)), (1.0, 1.0));
        for x in [1e-170, 1e-31, 1e31, 1e150, 1e170] {
            assert!((1e-30..=1e30).contains(&(x * unit_for(x))), "{x}");
        }
        for x in [5e-324, f64::MAX] {
            let unit = unit_for(x);
            assert!((unit * unit).is_normal() && (x * unit) / unit == x, "{x}");
        }
    }

    #[test]
    fn many_terms_fit() {
        let grid = Grid::new(1e9, 3_000_000);
        let mut sum = ExactSum::default();
        sum.add(&grid, 1e9);
        (1..3_000_000).for_each(|_| sum.add(&grid, 0.1));
        // Exactly 1e9 + 2,999,999 times the number nearest to 0.1.
        let exact = 1e9 + 299_999.9;
        assert!((sum.value(&grid).0 - exact).abs() < 2e-7, "{:?}", sum.value(&grid));
        assert!((quotient(sum.value(&grid), 3e6) * 3e6 - exact).abs() < 2e-7);
    }
}
