//! The rows that the splits of a column divide: those with a value or, where rows without one go to a branch, all rows.
//!
//! Of two branches, each is tried for the rows without a value. They go to the second first: of splits that gain the same, that one is
//! taken, then the one between smaller values.

use super::histogram::add;
use super::{Candidate, Histogram, How, Race, View};
use crate::criterion::sides::{Sides, SidesRun, SidesSet};
use crate::tree::Side;

/// Rows without a value that stand on one side of every cut: what they say of the target, and how many they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside<'h> {
    pub tally: &'h [f64],
    pub size: f64,
}

/// The sides for rows without a value, in the order in which they are tried.
const SIDES: [Option<Side>; 2] = [Some(Side::Right), Some(Side::Left)];

impl<'h> Beside<'h> {
    /// Where the rows go, in the order in which it is tried; nowhere where there are none.
    pub(crate) fn tried(beside: Option<&Self>) -> &'static [Option<Side>] {
        if beside.is_some() { &SIDES } else { &[None] }
    }

    /// Puts the rows on a side of two at which all rows have just started, on the right; says how many are on the left.
    pub(crate) fn put<S: Sides>(&self, side: Option<Side>, sides: &mut S) -> f64 {
        if side != Some(Side::Left) {
            return 0.0;
        }
        sides.tally(self.tally);
        self.size
    }
}

/// See the module's description.
pub(crate) struct Divided<'h> {
    /// What the rows with a value say of the target.
    known: Vec<f64>,
    /// What all rows do, where it is more.
    all: Option<Vec<f64>>,
    /// The rows without a value, where they go to a branch.
    pub beside: Option<Beside<'h>>,
}

impl<'h> Divided<'h> {
    /// `None` where there is nothing to divide: one value, and no rows without one that could be told from it.
    pub(crate) fn of(view: &View, histogram: &'h Histogram) -> Option<Self> {
        let has_beside = view.rules.branch && view.rules.measure.weight(&histogram.missing) != 0.0;
        if histogram.is_empty() || (histogram.len() < 2 && !has_beside) {
            return None;
        }
        let known = histogram.known();
        if !has_beside {
            return Some(Self { known, all: None, beside: None });
        }
        let mut all = known.clone();
        add(&mut all, &histogram.missing);
        let beside = Beside { tally: &histogram.missing, size: view.missing_size(histogram) };
        Some(Self::beside(known, all, beside))
    }

    /// Rows with a value, and others that stand beside them.
    pub(crate) fn beside(known: Vec<f64>, all: Vec<f64>, beside: Beside<'h>) -> Self {
        Self { known, all: Some(all), beside: Some(beside) }
    }

    /// What the divided rows say of the target.
    pub(crate) fn all(&self) -> &[f64] {
        self.all.as_ref().unwrap_or(&self.known)
    }

    /// How many rows without a value are divided.
    pub(crate) fn missing_size(&self) -> f64 {
        self.beside.map_or(0.0, |beside| beside.size)
    }

    /// The weight of the divided rows, and what they cost.
    pub(crate) fn whole(&self, view: &View) -> (f64, f64) {
        let measure = view.rules.measure;
        (measure.weight(self.all()), measure.cost(self.all()))
    }

    /// Starts two sides with all rows on the right except those without a value, which go where the caller says; says how many are on the left.
    pub(crate) fn start<S: Sides>(&self, side: Option<Side>, sides: &mut S) -> f64 {
        sides.start(self.all());
        self.beside.as_ref().map_or(0.0, |beside| beside.put(side, sides))
    }

    /// The better one of a candidate and the split into rows with a value, of which there are this many, and rows without, where there is
    /// such a split.
    pub(crate) fn or_known(
        &self,
        view: &View,
        column: usize,
        candidate: Option<Candidate>,
        known_size: impl Fn() -> f64,
        sides: &mut SidesSet,
    ) -> Option<Candidate> {
        let Some(beside) = &self.beside else { return candidate };
        let (cost, weights) = sides.run(view.rules.measure, view.rules.classes, KnownRows(self));
        let sizes = [known_size(), beside.size];
        let known = view.candidate(column, How::Known, self.whole(view), cost, (&weights, &sizes), 1);
        better(view, candidate, known)
    }
}

/// The better one of two candidates of a column, the first of equal ones.
pub(crate) fn better(view: &View, first: Option<Candidate>, second: Option<Candidate>) -> Option<Candidate> {
    let mut race = Race::new(view);
    first.into_iter().chain(second).for_each(|candidate| _ = race.offer(candidate));
    race.lead()
}

struct KnownRows<'a, 'h>(&'a Divided<'h>);

impl SidesRun<(f64, [f64; 2])> for KnownRows<'_, '_> {
    fn run<S: Sides>(self, sides: &mut S) -> (f64, [f64; 2]) {
        sides.start(self.0.all());
        sides.tally(&self.0.known);
        (sides.cost(), [sides.left(), sides.right()])
    }
}
