//! Weight, mean and squared error of the numbers at a node, and the frame in which their sums are compared.
//!
//! All of it is a function of the numbers and their weights alone: neither their order nor who counted them matters
//! ([`crate::sums`]). Three questions are asked of the rows, each after the answer to the one before: their span, their
//! sum, and their squared distances from the mean. Nothing is subtracted that is larger than the answer, so that a leaf of
//! small numbers is right however large the others of the table are.

use serde::{Deserialize, Serialize};

use super::tally::NumberTally;
use crate::sums::{ExactSum, Grid, ROUNDER, power_above, quotient, two_product};

/// How far some numbers and their weights reach.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// How many there are.
    pub rows: u64,
    /// The smallest number.
    pub least: f64,
    /// The largest number.
    pub most: f64,
    /// The largest weight.
    pub heaviest: f64,
}

impl Span {
    /// The span of some numbers; `weights` when they are not all one.
    pub fn new(numbers: &[f64], weights: Option<&[f64]>) -> Self {
        let heaviest = weights.map_or(1.0, |w| w.iter().copied().fold(0.0, f64::max));
        // Four at a time: the processor need not wait for one comparison before it makes the next.
        let (mut least, mut most) = ([f64::INFINITY; 4], [f64::NEG_INFINITY; 4]);
        let (fours, rest) = numbers.as_chunks::<4>();
        let mut look = |four: &[f64; 4]| {
            for i in 0..4 {
                least[i] = if four[i] < least[i] { four[i] } else { least[i] };
                most[i] = if four[i] > most[i] { four[i] } else { most[i] };
            }
        };
        fours.iter().for_each(&mut look);
        rest.iter().for_each(|&x| look(&[x; 4]));
        let least = least.into_iter().fold(f64::INFINITY, f64::min);
        let most = most.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Self { rows: numbers.len() as u64, least, most, heaviest }
    }

    /// The span of these and others.
    pub fn join(&mut self, other: &Self) {
        self.rows += other.rows;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.heaviest = self.heaviest.max(other.heaviest);
    }

    /// How far the numbers can be from one of them.
    fn reach(&self, from: f64) -> f64 {
        (self.most - from).max(from - self.least)
    }
}

/// What is summed over the rows of a node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// Distances from this number, their squares or their fourth powers.
    around: f64,
    power: u8,
    grid: Grid,
}

impl Terms {
    /// The numbers.
    pub fn numbers(span: &Span) -> Self {
        Self::distances(span, 0.0)
    }

    /// Their distances from a number.
    fn distances(span: &Span, around: f64) -> Self {
        let reach = (span.most - around).abs().max((around - span.least).abs());
        // A product with a weight is two terms.
        Self { around, power: 1, grid: Grid::new(reach * span.heaviest, 2 * span.rows) }
    }

    /// Their squared distances from their mean.
    pub fn squares(span: &Span, mean: f64) -> Self {
        let reach = span.reach(mean);
        Self { around: mean, power: 2, grid: Grid::new(reach * reach * span.heaviest, span.rows) }
    }

    /// The powers of their distances from a number: of the first, second or fourth degree; `span` is that of at least these numbers.
    pub(crate) fn powers(span: &Span, around: f64, power: u8) -> Self {
        let reach = span.reach(around).abs().powi(i32::from(power));
        Self { around, power, grid: Grid::new(reach * span.heaviest, span.rows) }
    }

    /// What a sum of such terms is.
    pub(crate) fn value(&self, sum: &ExactSum) -> f64 {
        sum.value(&self.grid).0
    }

    /// Sums over some rows.
    pub fn sum(&self, numbers: &[f64], weights: Option<&[f64]>) -> ExactSum {
        let mut sum = ExactSum::default();
        let (grid, c) = (&self.grid, self.around);
        match (self.power, weights) {
            (1, None) => numbers.iter().for_each(|y| sum.add(grid, y - c)),
            (1, Some(w)) => numbers.iter().zip(w).for_each(|(y, w)| {
                let (product, rest) = two_product(*w, y - c);
                sum.add(grid, product);
                sum.add(grid, rest);
            }),
            (2, None) => numbers.iter().for_each(|y| sum.add(grid, (y - c) * (y - c))),
            (2, Some(w)) => numbers.iter().zip(w).for_each(|(y, w)| sum.add(grid, w * ((y - c) * (y - c)))),
            (_, weights) => numbers.iter().enumerate().for_each(|(row, y)| {
                let square = (y - c) * (y - c);
                sum.add(grid, weights.map_or(1.0, |w| w[row]) * (square * square));
            }),
        }
        sum
    }
}

/// The tally of some numbers: weight, mean, and squared error around the mean.
pub(crate) fn tally(numbers: &[f64], weights: Option<&[f64]>) -> NumberTally {
    let weight = weights.map_or(numbers.len() as f64, |w| w.iter().sum());
    let span = Span::new(numbers, weights);
    match tally_of::<std::convert::Infallible>(&span, weight, |terms| Ok(terms.sum(numbers, weights))) {
        Ok(tally) => tally,
        Err(never) => match never {},
    }
}

/// The same where somebody else sums.
pub(crate) fn tally_of<E>(
    span: &Span,
    weight: f64,
    mut sum: impl FnMut(Terms) -> Result<ExactSum, E>,
) -> Result<NumberTally, E> {
    if span.rows == 0 || span.least == span.most {
        let mean = if span.rows == 0 { 0.0 } else { span.least };
        return Ok(NumberTally { weight, mean, error: 0.0 });
    }
    let terms = Terms::numbers(span);
    let total = sum(terms)?.value(&terms.grid);
    let mean = quotient(total, weight).clamp(span.least, span.most);
    let terms = Terms::squares(span, mean);
    let (mut error, _) = sum(terms)?.value(&terms.grid);
    // The mean is rounded, which matters only where the numbers are nearly as close together as it is exact.
    if span.reach(mean) < mean.abs() * 1e-8 {
        let terms = Terms::distances(span, mean);
        let (off, _) = sum(terms)?.value(&terms.grid);
        error = (error - off * off / weight).max(0.0);
    }
    Ok(NumberTally { weight, mean, error })
}

/// How the sums of a node are taken while its splits are compared: of distances from a centre near the mean, each rounded to
/// a step so coarse that no sum of them is rounded. Sums are then the same in any order, and to the last bit what
/// the parts of a table add up to.
///
/// With the standard deviation `σ` of the node's `n` rows the step is at most `2⁻⁵⁰ σ n`: the sums are about as exact as
/// plain ones.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Frame {
    centre: f64,
    /// Adding this rounds to a whole number of steps.
    rounder: f64,
}

impl Frame {
    /// The frame of a node with this tally.
    pub fn new(tally: NumberTally) -> Self {
        let NumberTally { weight, mean, error } = tally;
        // Σ w |d| ≤ √(Σ w · Σ w d²)
        let step = power_above((weight * error).sqrt()) * 2f64.powi(-51);
        // Numbers that are whole steps apart from each other are so from the centre, if it is a whole number of steps.
        let steps = mean / step;
        let fine = step * step * weight < error * 1e-12;
        let centre = if fine && steps.abs() < 1e15 { steps.round() * step } else { mean };
        Self { centre, rounder: step * ROUNDER }
    }

    /// Where distances are measured from.
    pub(crate) fn centre(&self) -> f64 {
        self.centre
    }

    /// What a row adds to a sum.
    #[inline(always)]
    pub fn term(&self, number: f64, weight: f64) -> f64 {
        (weight * (number - self.centre) + self.rounder) - self.rounder
    }

    /// What rows of weight one add up to.
    pub(crate) fn sum(&self, numbers: &[f64]) -> f64 {
        let mut sums = [0.0; 4];
        let (fours, rest) = numbers.as_chunks::<4>();
        for four in fours {
            for (lane, y) in four.iter().enumerate() {
                sums[lane] += self.term(*y, 1.0);
            }
        }
        sums.iter().sum::<f64>() + rest.iter().map(|y| self.term(*y, 1.0)).sum::<f64>()
    }
}
