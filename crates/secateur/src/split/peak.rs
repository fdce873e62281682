//! The best cut of a sorted list by Gini where every row counts as one.
//!
//! A side of `n` rows of which `a` have a class costs `n − Σ a²/n`. So a cut is the cheaper the higher its *score* is, the sum
//! of `Σ a²/n` over both sides. (With two classes the second one says all: a side costs `2(a − a²/n)`, and the score is the
//! sum of its `a²/n`.) A list is first asked for its peak only, and only above what another column has reached; most lists
//! are then done with. The peak is the cut that a walk from the first to the last cut would take, unless others come within
//! rounding of it: that is noticed and left to the walk.

use std::ops::Range;

use super::View;
use super::packed_rows::{RowBits, tally};
use super::threshold::{Cut, unit_cuts};
use crate::criterion::Measure;
use crate::criterion::sides::{Sides, SidesRun, SidesSet};
use crate::simd::{Cuts, Kernel, Visit};

/// A sorted list of a node, with what has to be known to score its cuts.
pub(crate) struct Scored<'a> {
    pub words: &'a [u32],
    pub layout: RowBits,
    /// The rows of every class.
    pub tally: &'a [f64],
    /// Where a cut is allowed: before these places.
    pub cuts: Range<usize>,
    pub kernel: Kernel,
}

struct Peak(f64);

impl Visit for Peak {
    const LARGEST: bool = true;

    fn visit(&mut self, _: usize, score: f64) -> f64 {
        self.0 = self.0.max(score);
        self.0
    }
}

/// Finds the first cut at a level, and whether others lie a little below.
struct Find {
    first: Option<usize>,
    level: f64,
    low: f64,
    alone: bool,
}

impl Visit for Find {
    const LARGEST: bool = false;

    fn visit(&mut self, place: usize, score: f64) -> f64 {
        if score < self.level {
            self.alone = false;
        } else if self.first.is_none() {
            self.first = Some(place);
        }
        self.low
    }
}

/// What was found in a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PeakCut {
    /// No cut scores above the bound.
    Nothing,
    /// The cut before this place.
    Place(usize),
    /// Some cuts are so close that only a walk can tell.
    Close,
}

impl<'a> Scored<'a> {
    /// The list of a whole node.
    pub(crate) fn new(words: &'a [u32], layout: RowBits, view: &View<'a>) -> Self {
        let cuts = unit_cuts(view.rules.scan_floor(view.numeric_floor(view.size)), words.len());
        Self { words, layout, tally: view.tally, cuts, kernel: Kernel::detect() }
    }

    /// The best cut of the node's list, if it gains more than this.
    pub(crate) fn best_of(&self, view: &View, least_gain: f64) -> PeakCut {
        let limit = Measure::Gini.cost(self.tally) - least_gain * view.weight;
        self.best(limit, view.tolerance() * view.weight)
    }

    /// The cut before a place, as a walk would have it.
    pub(crate) fn cut(&self, place: usize, sides: &mut SidesSet) -> Cut {
        let left = tally(&self.words[..place], self.layout, self.tally.len());
        sides.run(Measure::Gini, self.tally.len(), At { place, left: &left, all: self.tally })
    }

    /// The score that a cost means.
    pub(crate) fn of_cost(&self, cost: f64) -> f64 {
        if self.tally.len() == 2 { self.tally[1] - 0.5 * cost } else { self.words.len() as f64 - cost }
    }

    /// The first of the cheapest cuts, where costs closer than `tolerance` are equal, if its cost is below `limit`.
    pub(crate) fn best(&self, limit: f64, tolerance: f64) -> PeakCut {
        let bound = self.of_cost(limit);
        let mut peak = Peak(bound);
        self.above(bound, &mut peak);
        if peak.0 <= bound {
            return PeakCut::Nothing;
        }
        // Scores are right to far less than half the tolerance. A walk takes the first cut at the level if all cuts
        // before it are worse by more than the tolerance.
        let tolerance = if self.tally.len() == 2 { 0.5 * tolerance } else { tolerance };
        let (level, low) = (peak.0 - 0.5 * tolerance, peak.0 - 2.5 * tolerance);
        let mut find = Find { first: None, level, low, alone: true };
        self.above(low, &mut find);
        match find.first {
            Some(place) if find.alone => PeakCut::Place(place),
            _ => PeakCut::Close,
        }
    }

    fn above(&self, bound: f64, visit: &mut impl Visit) {
        let places = self.cuts.clone();
        let cuts = Cuts { rows: self.words, class_bits: self.layout.class_bits, totals: self.tally, places };
        self.kernel.visit_cuts(&cuts, bound, visit);
    }
}

struct At<'a> {
    place: usize,
    left: &'a [f64],
    all: &'a [f64],
}

impl SidesRun<Cut> for At<'_> {
    fn run<S: Sides>(self, sides: &mut S) -> Cut {
        sides.start(self.all);
        sides.tally(self.left);
        let place = self.place as u32;
        let weights = [sides.left(), sides.right()];
        Cut {
            lower: place - 1,
            upper: place,
            cost: sides.cost(),
            weights,
            sizes: weights,
            tries: 0,
            missing: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::NEW_VALUE;
    use proptest::prelude::*;

    /// The walk's answer from the definition.
    fn walk(
        words: &[u32],
        layout: RowBits,
        tally: &[f64],
        cuts: Range<usize>,
        tolerance: f64,
    ) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for place in cuts.filter(|&p| words[p] & NEW_VALUE != 0) {
            let mut sides = [vec![0.0; tally.len()], vec![0.0; tally.len()]];
            for (i, &word) in words.iter().enumerate() {
                sides[usize::from(i >= place)][layout.class(word) as usize] += 1.0;
            }
            let cost = Measure::Gini.cost(&sides[0]) + Measure::Gini.cost(&sides[1]);
            if best.is_none_or(|(_, least)| cost < least - tolerance) {
                best = Some((place, cost));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn all_kernels_find_the_cut_of_a_walk(
            (classes, rows) in (2usize..20).prop_flat_map(|c|
                (Just(c), prop::collection::vec((0..c as u32, any::<bool>()), 2..150))),
            floor in 1usize..4
        ) {
            let layout = RowBits::new(rows.len(), classes).unwrap();
            let words: Vec<u32> = rows.iter().enumerate()
                .map(|(id, r)| layout.word(r.0, id as u32) | if r.1 { NEW_VALUE } else { 0 }).collect();
            let mut tally = vec![0.0; classes];
            rows.iter().for_each(|r| tally[r.0 as usize] += 1.0);
            let cuts = unit_cuts(floor as f64, rows.len());
            let tolerance = 1e-12 * rows.len() as f64;
            let expected = walk(&words, layout, &tally, cuts.clone(), tolerance);
            for kernel in [Kernel::detect(), Kernel::Portable] {
                let scored = Scored { words: &words, layout, tally: &tally, cuts: cuts.clone(), kernel };
                match (scored.best(f64::MAX, tolerance), expected) {
                    (PeakCut::Place(place), Some((walked, cost))) => {
                        prop_assert_eq!(place, walked);
                        prop_assert_eq!(scored.best(cost - 1e-9, tolerance), PeakCut::Nothing);
                        prop_assert_eq!(scored.best(cost + 1e-9, tolerance), PeakCut::Place(place));
                    }
                    (found, expected) => prop_assert!(found == PeakCut::Nothing && expected.is_none(), "{found:?}"),
                }
            }
        }
    }
}
