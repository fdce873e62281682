//! The best threshold of an ordered column, from a histogram or from rows sorted by code.

use super::{Candidate, Histogram, How, View};
use crate::criterion::sides::{Sides, SidesRun, SidesSet};

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

/// Rows sorted by code: an entry holds its code in the bits from `shift` on.
pub(crate) struct Entries<'a> {
    pub list: &'a [u64],
    pub shift: u32,
}

impl Entries<'_> {
    /// Scans the entries; `fetch` tells an entry's target and weight.
    #[inline(always)]
    pub fn scan<S: Sides>(
        &self,
        sides: &mut S,
        fetch: impl Fn(u64) -> (S::Target, f64),
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
        fetch: impl Fn(u64) -> (S::Target, f64),
        best: Best,
    ) -> Option<Cut> {
        let floor = (best.floor.ceil().max(1.0)) as usize;
        let end = (self.list.len() + 1).saturating_sub(floor);
        self.range::<S, false>(sides, fetch, best, floor, end)
    }

    /// Offers the boundaries before the entries `from..to`.
    #[inline(always)]
    fn range<S: Sides, const WEIGH: bool>(
        &self,
        sides: &mut S,
        fetch: impl Fn(u64) -> (S::Target, f64),
        mut best: Best,
        from: usize,
        to: usize,
    ) -> Option<Cut> {
        if from >= to {
            return None;
        }
        let code = |entry: u64| (entry >> self.shift) as u32;
        for &entry in &self.list[..from] {
            let (target, weight) = fetch(entry);
            sides.row(target, weight);
        }
        let mut last = self.list[from - 1];
        for &entry in &self.list[from..to] {
            // Two codes differ when the entries do so above the lower bits.
            if (entry ^ last) >> self.shift != 0 && (!WEIGH || best.allows(sides)) {
                best.tries += 1;
                if sides.is_below(best.limit) {
                    best.take(sides.left(), sides.right(), sides.cost(), code(last), code(entry));
                }
            }
            last = entry;
            let (target, weight) = fetch(entry);
            sides.row(target, weight);
        }
        best.cut()
    }
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
