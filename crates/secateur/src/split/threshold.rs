//! The best threshold of an ordered column, from a histogram or from rows sorted by code.

use std::ops::Range;

use super::{Beside, Candidate, Divided, Histogram, How, Race, View};
use crate::criterion::sides::{Sides, SidesRun, SidesSet};
use crate::criterion::{Measure, NumberSums};
use crate::simd::NEW_VALUE;
use crate::tree::Side;

/// The best place to cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    pub lower: u32,
    pub upper: u32,
    pub cost: f64,
    /// The weight on each side.
    pub weights: [f64; 2],
    /// The rows on each side, as the limits count them.
    pub sizes: [f64; 2],
    pub tries: u32,
    /// The side of rows without a value.
    pub missing: Option<Side>,
}

/// Keeps the best cut of a scan from small to large codes; among equal ones the first.
pub(crate) struct Best {
    cut: Option<Cut>,
    limit: f64,
    /// The least size of a side, and the least weight where all rows weigh the same.
    floor: f64,
    floor_weight: f64,
    unit: f64,
    tolerance: f64,
    tries: u32,
    /// The side of rows without a value in the cuts that are offered.
    pub missing: Option<Side>,
}

impl Best {
    /// `floor`: the least size of each side; `unit`: the weight of a row, where all rows weigh the same; `tolerance`: costs closer than
    /// this are equal.
    pub(crate) fn new(floor: f64, unit: f64, tolerance: f64) -> Self {
        let floor_weight = floor * unit;
        let limit = f64::INFINITY;
        Self { cut: None, limit, floor, floor_weight, unit, tolerance, tries: 0, missing: None }
    }

    /// Offers the sides as they are, cut between two codes; their sizes are given where weights do not say them.
    #[inline(always)]
    pub(crate) fn offer<S: Sides>(&mut self, sides: &S, sizes: Option<[f64; 2]>, lower: u32, upper: u32) {
        let allowed = match sizes {
            Some(sizes) => self.allows_sizes(sizes),
            None => self.allows(sides),
        };
        if allowed {
            self.tries += 1;
            if sides.is_below(self.limit) {
                let sizes = sizes.unwrap_or_else(|| self.sizes(sides));
                self.take([sides.left(), sides.right()], sizes, sides.cost(), lower, upper);
            }
        }
    }

    #[inline(always)]
    fn allows<S: Sides>(&self, sides: &S) -> bool {
        sides.left() >= self.floor_weight && sides.right() >= self.floor_weight
    }

    #[inline(always)]
    fn allows_sizes(&self, [left, right]: [f64; 2]) -> bool {
        left >= self.floor && right >= self.floor
    }

    /// The sizes of the sides, where all rows weigh the same.
    fn sizes<S: Sides>(&self, sides: &S) -> [f64; 2] {
        [sides.left() / self.unit, sides.right() / self.unit]
    }

    /// Offers a cut whose cost is known.
    pub(crate) fn offer_cost(
        &mut self,
        weights: [f64; 2],
        sizes: [f64; 2],
        cost: f64,
        lower: u32,
        upper: u32,
    ) {
        if self.allows_sizes(sizes) {
            self.tries += 1;
            if cost < self.limit {
                self.take(weights, sizes, cost, lower, upper);
            }
        }
    }

    #[cold]
    fn take(&mut self, weights: [f64; 2], sizes: [f64; 2], cost: f64, lower: u32, upper: u32) {
        self.limit = cost - self.tolerance;
        self.cut = Some(Cut { lower, upper, cost, weights, sizes, tries: 0, missing: self.missing });
    }

    pub(crate) fn cut(self) -> Option<Cut> {
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
        self & NEW_VALUE != 0
    }
}

/// Rows sorted by code. The cuts that are found here lie between places of the list, not yet between codes.
pub(crate) struct Entries<'a, E> {
    pub list: &'a [E],
    pub shift: u32,
}

impl<E: Entry> Entries<'_, E> {
    /// Scans entries of rows that weigh the same, or of parts of such rows; `fetch` gives an entry's target and weight.
    #[inline(always)]
    pub(crate) fn scan<S: Sides>(
        &self,
        sides: &mut S,
        fetch: impl Fn(E) -> (S::Target, f64),
        best: Best,
    ) -> Option<Cut> {
        self.range::<S, true>(sides, fetch, best, 1, self.list.len())
    }

    /// Scans entries of whole rows: the least size of each side is then a number of entries, and nothing else has to be
    /// looked at.
    #[inline(always)]
    pub(crate) fn scan_unit<S: Sides>(
        &self,
        sides: &mut S,
        fetch: impl Fn(E) -> (S::Target, f64),
        best: Best,
    ) -> Option<Cut> {
        let cuts = unit_cuts(best.floor, self.list.len());
        self.range::<S, false>(sides, fetch, best, cuts.start, cuts.end)
    }

    /// Scans entries of parts of rows that weigh differently; `share` says how much of a row an entry is.
    pub(crate) fn scan_shares<S: Sides>(
        &self,
        sides: &mut S,
        fetch: impl Fn(E) -> (S::Target, f64),
        share: impl Fn(E) -> f64,
        mut best: Best,
    ) -> Option<Cut> {
        let all: f64 = self.list.iter().map(|&entry| share(entry)).sum();
        let mut left = 0.0;
        let mut last = *self.list.first()?;
        for (place, &entry) in (0u32..).zip(self.list) {
            if place > 0 && entry.begins(last, self.shift) {
                best.offer(sides, Some([left, all - left]), place - 1, place);
            }
            last = entry;
            let (target, weight) = fetch(entry);
            sides.row(target, weight);
            left += share(entry);
        }
        best.cut()
    }

    /// Scans entries of rows beside which others without a value stand, on one side and then on the other; `all` is the tally of all
    /// these rows, and `size` says how much of a row an entry is.
    pub(crate) fn scan_beside<S: Sides>(
        &self,
        sides: &mut S,
        fetch: impl Fn(E) -> (S::Target, f64),
        size: impl Fn(E) -> f64,
        (all, beside): (&[f64], &Beside),
        mut best: Best,
    ) -> Option<Cut> {
        let whole = beside.size + self.list.iter().map(|&entry| size(entry)).sum::<f64>();
        for &side in Beside::tried(Some(beside)) {
            best.missing = side;
            sides.start(all);
            let mut left = beside.put(side, sides);
            let mut last = *self.list.first()?;
            for (place, &entry) in (0u32..).zip(self.list) {
                if place > 0 && entry.begins(last, self.shift) {
                    best.offer(sides, Some([left, whole - left]), place - 1, place);
                }
                last = entry;
                let (target, weight) = fetch(entry);
                sides.row(target, weight);
                left += size(entry);
            }
        }
        best.cut()
    }

    /// Scans entries of whole rows of weight one with numbers, of which `tally` is the whole and `term` what an entry adds to a sum.
    /// The same as with sides, kept in a few registers: with `T` the sum on the left less its share, a cut
    /// costs `T² n / (l r)` less than the whole.
    #[inline(always)]
    pub(crate) fn scan_numbers(&self, tally: &[f64], term: impl Fn(E) -> f64, mut best: Best) -> Option<Cut> {
        let cuts = unit_cuts(best.floor, self.list.len());
        let mut last = *self.list.get(cuts.start.checked_sub(1)?)?;
        let NumberSums { weight: n, sum: total } = NumberSums::of(tally);
        let (mean, whole) = (total / n, Measure::Mse.cost(tally));
        let mut sum: f64 = self.list[..cuts.start].iter().map(|&entry| term(entry)).sum();
        // What `T² / (l r)` must exceed.
        let mut least = f64::NEG_INFINITY;
        for (place, &entry) in (cuts.start as u32..).zip(&self.list[cuts]) {
            let l = f64::from(place);
            let off = sum - l * mean;
            let (square, product) = (off * off, l * (n - l));
            if square > least * product && entry.begins(last, self.shift) {
                let sides = [l, n - l];
                best.take(sides, sides, whole - square * n / product, place - 1, place);
                least = (whole - best.limit) / n;
            }
            last = entry;
            sum += term(entry);
        }
        best.cut()
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
                    let places = [f64::from(place), (self.list.len() - place as usize) as f64];
                    let sizes = if WEIGH { best.sizes(sides) } else { places };
                    best.take([sides.left(), sides.right()], sizes, sides.cost(), place - 1, place);
                }
            }
            last = entry;
            let (target, weight) = fetch(entry);
            sides.row(target, weight);
        }
        best.cut()
    }
}

/// The cuts that leave this many rows on each side: before these places of a list.
pub(crate) fn unit_cuts(floor: f64, rows: usize) -> Range<usize> {
    let floor = floor.ceil().max(1.0) as usize;
    let end = (rows + 1).saturating_sub(floor);
    if floor < end { floor..end } else { 0..0 }
}

/// The sizes of both sides while the values of a histogram move to the left, where weights do not say them.
pub(crate) struct RunningSizes<'a> {
    sizes: &'a [f64],
    left: f64,
    all: f64,
}

impl<'a> RunningSizes<'a> {
    /// `left` rows without a value are on the left already, of `missing` ones.
    pub(crate) fn new(histogram: &'a Histogram, left: f64, missing: f64) -> Self {
        Self { sizes: &histogram.sizes, left, all: histogram.sizes.iter().sum::<f64>() + missing }
    }

    /// The sizes after one more value has moved.
    pub(crate) fn after(&mut self, value: usize) -> Option<[f64; 2]> {
        self.left += self.sizes.get(value)?;
        Some([self.left, self.all - self.left])
    }
}

struct Bins<'a>(&'a Histogram, &'a Divided<'a>, Best);

impl SidesRun<Option<Cut>> for Bins<'_> {
    fn run<S: Sides>(self, sides: &mut S) -> Option<Cut> {
        let Self(histogram, divided, mut best) = self;
        for &side in Beside::tried(divided.beside.as_ref()) {
            best.missing = side;
            let left = divided.start(side, sides);
            let mut sizes = RunningSizes::new(histogram, left, divided.missing_size());
            for i in 1..histogram.len() {
                sides.tally(histogram.tally(i - 1));
                best.offer(sides, sizes.after(i - 1), histogram.codes[i - 1], histogram.codes[i]);
            }
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
    let divided = Divided::of(view, histogram)?;
    let rules = view.rules;
    let known_size = view.known_size(histogram);
    let best = view.best(view.numeric_floor(known_size + divided.missing_size()));
    sides.unknown(&histogram.missing);
    let cut = sides.run(rules.measure, rules.classes, Bins(histogram, &divided, best));
    let (weight, cost) = divided.whole(view);
    let best = cut.and_then(|cut| candidate(view, column, cut, weight, cost));
    divided.or_known(view, column, best, || known_size, sides)
}

struct Features<'a, 'v> {
    view: &'a View<'v>,
    column: usize,
    histogram: &'a Histogram,
    divided: &'a Divided<'a>,
    floor: f64,
}

impl SidesRun<Option<Candidate>> for Features<'_, '_> {
    fn run<S: Sides>(self, sides: &mut S) -> Option<Candidate> {
        let Self { view, column, histogram, divided, floor } = self;
        let (weight, cost) = divided.whole(view);
        let mut race = Race::new(view);
        for &side in Beside::tried(divided.beside.as_ref()) {
            let left = divided.start(side, sides);
            let mut sizes = RunningSizes::new(histogram, left, divided.missing_size());
            for i in 1..histogram.len() {
                sides.tally(histogram.tally(i - 1));
                let mut only = view.best(floor);
                only.missing = side;
                only.offer(sides, sizes.after(i - 1), histogram.codes[i - 1], histogram.codes[i]);
                let feature = only.cut().and_then(|cut| candidate(view, column, cut, weight, cost));
                if let Some(feature) = feature {
                    race.offer(feature);
                }
            }
        }
        race.lead()
    }
}

/// The threshold of an ordered column with the largest gain ratio, the smallest among equal ones: every cut is a feature of its own.
pub(crate) fn best_ratio(
    view: &View,
    column: usize,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    let divided = Divided::of(view, histogram)?;
    let known_size = view.known_size(histogram);
    let floor = view.numeric_floor(known_size + divided.missing_size());
    sides.unknown(&histogram.missing);
    let features = Features { view, column, histogram, divided: &divided, floor };
    let best = sides.run(view.rules.measure, view.rules.classes, features);
    divided.or_known(view, column, best, || known_size, sides)
}

/// The candidate a cut makes.
pub(crate) fn candidate(
    view: &View,
    column: usize,
    cut: Cut,
    known: f64,
    known_cost: f64,
) -> Option<Candidate> {
    let how = How::Cut { lower: cut.lower, upper: cut.upper, missing: cut.missing };
    view.candidate(column, how, (known, known_cost), cut.cost, (&cut.weights, &cut.sizes), cut.tries)
}
