//! The best threshold of an ordered column, from a histogram or from rows sorted by code.

use std::ops::Range;

use super::{Candidate, Histogram, How, View};
use crate::criterion::sides::{Sides, SidesRun, SidesSet};
use crate::grow::words::STEP;

/// The best place to cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    pub lower: u32,
    pub upper: u32,
    pub cost: f64,
    pub left: f64,
    pub right: f64,
    pub tries: u32,
}

/// Keeps the best cut of a scan from small to large codes; among equal ones the first.
pub(crate) struct Best {
    cut: Option<Cut>,
    limit: f64,
    floor: f64,
    tolerance: f64,
    tries: u32,
}

impl Best {
    /// `floor`: the least weight on each side; `tolerance`: costs closer than this are equal.
    pub fn new(floor: f64, tolerance: f64) -> Self {
        Self { cut: None, limit: f64::INFINITY, floor, tolerance, tries: 0 }
    }

    /// Offers the sides as they are, cut between two codes.
    #[inline(always)]
    pub fn offer<S: Sides>(&mut self, sides: &S, lower: u32, upper: u32) {
        if self.allows(sides) {
            self.tries += 1;
            if sides.is_below(self.limit) {
                self.take(sides.left(), sides.right(), sides.cost(), lower, upper);
            }
        }
    }

    #[inline(always)]
    fn allows<S: Sides>(&self, sides: &S) -> bool {
        sides.left() >= self.floor && sides.right() >= self.floor
    }

    /// Offers a cut whose cost is known.
    pub fn offer_cost(&mut self, left: f64, right: f64, cost: f64, lower: u32, upper: u32) {
        if left >= self.floor && right >= self.floor {
            self.tries += 1;
            if cost < self.limit {
                self.take(left, right, cost, lower, upper);
            }
        }
    }

    #[cold]
    fn take(&mut self, left: f64, right: f64, cost: f64, lower: u32, upper: u32) {
        self.limit = cost - self.tolerance;
        self.cut = Some(Cut { lower, upper, cost, left, right, tries: 0 });
    }

    pub fn cut(self) -> Option<Cut> {
        self.cut.map(|cut| Cut { tries: self.tries, ..cut })
    }
}

/// A row in a list sorted by code.
pub(crate) trait Entry: Copy {
    /// Whether its code is another than that of the entry before.
    fn begins(self, last: Self, shift: u32) -> bool;
}

/// A code in the bits from `shift` on.
impl Entry for u64 {
    #[inline(always)]
    fn begins(self, last: Self, shift: u32) -> bool {
        // Two codes differ when the entries do so above the lower bits.
        (self ^ last) >> shift != 0
    }
}

/// A word with a mark.
impl Entry for u32 {
    #[inline(always)]
    fn begins(self, _: Self, _: u32) -> bool {
        self & STEP != 0
    }
}

/// Rows sorted by code. The cuts that are found here lie between places of the list, not yet between codes.
pub(crate) struct Entries<'a, E> {
    pub list: &'a [E],
    pub shift: u32,
}

impl<E: Entry> Entries<'_, E> {
    /// Scans the entries; `fetch` tells an entry's target and weight.
    #[inline(always)]
    pub fn scan<S: Sides>(
        &self,
        sides: &mut S,
        fetch: impl Fn(E) -> (S::Target, f64),
        best: Best,
    ) -> Option<Cut> {
        self.range::<S, true>(sides, fetch, best, 1, self.list.len())
    }

    /// Scans entries that all have weight one: the least weight on each side is then a number of entries, and nothing else
    /// has to be looked at.
    #[inline(always)]
    pub fn scan_unit<S: Sides>(
        &self,
        sides: &mut S,
        fetch: impl Fn(E) -> (S::Target, f64),
        best: Best,
    ) -> Option<Cut> {
        let cuts = unit_cuts(best.floor, self.list.len());
        self.range::<S, false>(sides, fetch, best, cuts.start, cuts.end)
    }

    /// Offers the boundaries before the entries `from..to`.
    #[inline(always)]
    fn range<S: Sides, const WEIGH: bool>(
        &self,
        sides: &mut S,
        fetch: impl Fn(E) -> (S::Target, f64),
        mut best: Best,
        from: usize,
        to: usize,
    ) -> Option<Cut> {
        if from >= to {
            return None;
        }
        for &entry in &self.list[..from] {
            let (target, weight) = fetch(entry);
            sides.row(target, weight);
        }
        let mut last = self.list[from - 1];
        for (place, &entry) in (from as u32..).zip(&self.list[from..to]) {
            if entry.begins(last, self.shift) && (!WEIGH || best.allows(sides)) {
                best.tries += 1;
                if sides.is_below(best.limit) {
                    best.take(sides.left(), sides.right(), sides.cost(), place - 1, place);
                }
            }
            last = entry;
            let (target, weight) = fetch(entry);
            sides.row(target, weight);
        }
        best.cut()
    }
}

/// The cuts that leave a least weight on each side when all rows have weight one: before these places of a list.
pub(crate) fn unit_cuts(floor: f64, rows: usize) -> Range<usize> {
    let floor = floor.ceil().max(1.0) as usize;
    let end = (rows + 1).saturating_sub(floor);
    if floor < end { floor..end } else { 0..0 }
}

struct Bins<'a>(&'a Histogram, &'a [f64], Best);

impl SidesRun<Option<Cut>> for Bins<'_> {
    fn run<S: Sides>(self, sides: &mut S) -> Option<Cut> {
        let Self(histogram, known, mut best) = self;
        sides.start(known);
        for i in 1..histogram.len() {
            sides.tally(histogram.tally(i - 1));
            best.offer(sides, histogram.codes[i - 1], histogram.codes[i]);
        }
        best.cut()
    }
}

/// The best threshold of an ordered column from its histogram.
pub(crate) fn best(
    view: &View,
    column: usize,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    if histogram.len() < 2 {
        return None;
    }
    let rules = view.rules;
    let known = histogram.known();
    let weight = rules.measure.weight(&known);
    let best = Best::new(rules.scan_floor(view.numeric_floor(weight)), view.cost_tolerance());
    let cut = sides.run(rules.measure, rules.classes, Bins(histogram, &known, best))?;
    candidate(view, column, cut, weight, rules.measure.cost(&known))
}

/// The candidate a cut makes.
pub(crate) fn candidate(
    view: &View,
    column: usize,
    cut: Cut,
    known: f64,
    known_cost: f64,
) -> Option<Candidate> {
    let how = How::Cut { lower: cut.lower, upper: cut.upper };
    view.candidate(column, how, (known, known_cost), cut.cost, &[cut.left, cut.right], cut.tries)
}
