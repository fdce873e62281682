//! Tallies: what some rows say of the target, by name, and how a row is added to one.

use super::moments::Frame;
use crate::criterion::NumberSums;
use crate::data::CodedTarget;

/// What the rows of a node say of the target.
#[derive(Debug, Clone, PartialEq)]
pub enum Tally {
    /// The weight of every class.
    Classes(Vec<f64>),
    /// What the numbers are like.
    Numbers(NumberTally),
}

/// What some numbers are like, in the unit of the coded target.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NumberTally {
    /// Their weight.
    pub weight: f64,
    /// Their mean.
    pub mean: f64,
    /// Their squared distances from the mean, added up.
    pub error: f64,
}

impl Tally {
    /// The weight of every class; nothing for numbers.
    pub(crate) fn class_weights(&self) -> &[f64] {
        match self {
            Self::Classes(weights) => weights,
            Self::Numbers(_) => &[],
        }
    }

    /// What the numbers are like; all 0 for classes.
    pub(crate) fn numbers(&self) -> NumberTally {
        match self {
            Self::Classes(_) => NumberTally::default(),
            Self::Numbers(tally) => *tally,
        }
    }
}

/// The targets of some rows, as they are counted.
#[derive(Clone, Copy)]
pub(crate) enum Targets<'a> {
    Classes(&'a [u32]),
    Numbers(&'a [f64]),
}

impl<'a> From<&'a CodedTarget> for Targets<'a> {
    fn from(target: &'a CodedTarget) -> Self {
        match target {
            CodedTarget::Classes { codes, .. } => Self::Classes(codes),
            CodedTarget::Numbers { values, .. } => Self::Numbers(values),
        }
    }
}

impl Targets<'_> {
    /// Adds a row, or a part of one, to a tally that adds up: class weights, or weight and sum ([`NumberSums`]) in a frame.
    #[inline(always)]
    pub(crate) fn add(self, tally: &mut [f64], frame: &Frame, row: usize, weight: f64) {
        match self {
            Self::Classes(classes) => tally[classes[row] as usize] += weight,
            Self::Numbers(numbers) => NumberSums::add(tally, weight, frame.term(numbers[row], weight)),
        }
    }

    /// Adds rows to class weights; numbers have none.
    pub(crate) fn add_classes(self, weights: &mut [f64], rows: impl Iterator<Item = (usize, f64)>) {
        if let Self::Classes(_) = self {
            rows.for_each(|(row, weight)| self.add(weights, &Frame::default(), row, weight));
        }
    }
}
