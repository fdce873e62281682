//! Splits of a nominal column: a branch per value, or the best two subsets.

use super::histogram::add;
use super::threshold::{Best, RunningSizes};
use super::{Candidate, Histogram, How, View, principal_order};
use crate::criterion::TIE;
use crate::criterion::sides::{Sides, SidesRun, SidesSet};

/// The best split of a nominal column of so many values from its histogram.
pub(crate) fn best(
    view: &View,
    column: usize,
    levels: u32,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    if histogram.len() < 2 {
        return None;
    }
    if view.rules.multiway {
        each(view, column, levels, histogram)
    } else {
        subset(view, column, histogram, sides)
    }
}

/// The best split of a nominal column whose values are in order: small values on one side, large ones on the other.
pub(crate) fn best_in_order(
    view: &View,
    column: usize,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    if histogram.len() < 2 {
        return None;
    }
    sides.unknown(&histogram.missing);
    let groups = (0..histogram.len()).map(|i| vec![i]).collect();
    candidate(view, column, histogram, prefixes(view, histogram, groups, sides)?)
}

fn each(view: &View, column: usize, levels: u32, histogram: &Histogram) -> Option<Candidate> {
    if !view.can_branch(levels) {
        return None;
    }
    let measure = view.rules.measure;
    let known = histogram.known();
    let tallies = || (0..histogram.len()).map(|i| histogram.tally(i));
    let weights: Vec<f64> = tallies().map(|t| measure.weight(t)).collect();
    let weight = measure.weight(&known);
    let (cost, whole) = if view.rules.spread {
        let spread = |(tally, w): (&[f64], &f64)| {
            let parts = tally.iter().zip(&histogram.missing).map(|(t, m)| t + w / weight * m);
            measure.cost(&parts.collect::<Vec<f64>>())
        };
        (tallies().zip(&weights).map(spread).sum(), (weight, measure.cost(view.tally)))
    } else {
        (tallies().map(|t| measure.cost(t)).sum(), (weight, measure.cost(&known)))
    };
    view.candidate(column, How::Each, whole, cost, (&weights, &view.sizes(histogram)), 1)
}

fn subset(view: &View, column: usize, histogram: &Histogram, sides: &mut SidesSet) -> Option<Candidate> {
    let rules = view.rules;
    sides.unknown(&histogram.missing);
    let cut = if rules.classes <= 2 {
        prefixes(view, histogram, by_share(view, histogram), sides)?
    } else if histogram.len() <= rules.exhaustive {
        let (known, best) = (&histogram.known(), view.best(rules.min_leaf));
        sides.run(rules.measure, rules.classes, AllSubsets { histogram, known, best })?
    } else {
        prefixes(view, histogram, principal_order(&histogram.tallies, rules.classes), sides)?
    };
    candidate(view, column, histogram, cut)
}

/// The best of all prefixes of groups of values.
fn prefixes(
    view: &View,
    histogram: &Histogram,
    groups: Vec<Vec<usize>>,
    sides: &mut SidesSet,
) -> Option<SubsetCut> {
    let (known, best) = (&histogram.known(), view.best(view.rules.min_leaf));
    sides.run(view.rules.measure, view.rules.classes, Prefixes { histogram, known, groups, best })
}

fn candidate(
    view: &View,
    column: usize,
    histogram: &Histogram,
    (cut, left, right): SubsetCut,
) -> Option<Candidate> {
    let known = histogram.known();
    let code = |list: Vec<usize>| list.into_iter().map(|i| histogram.codes[i]).collect();
    let how = How::Subset { left: code(left), right: code(right) };
    let whole = (view.rules.measure.weight(&known), view.rules.measure.cost(&known));
    view.candidate(column, how, whole, cut.cost, (&cut.weights, &cut.sizes), 1)
}

/// Two classes: values in the order of the second class's share. Numbers: in the order of the mean. The
/// best of all subsets is then a prefix (Breiman et al., 1984). Shares that differ by rounding only are equal.
fn by_share(view: &View, histogram: &Histogram) -> Vec<Vec<usize>> {
    let measure = view.rules.measure;
    let grid = TIE * view.scale.sqrt();
    let share = |i: usize| {
        let tally = histogram.tally(i);
        let share = tally.get(1).copied().unwrap_or(0.0) / measure.weight(tally);
        if grid > 0.0 { (share / grid).round() } else { share }
    };
    let mut order: Vec<(f64, usize)> = (0..histogram.len()).map(|i| (share(i), i)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order.into_iter().map(|(_, i)| vec![i]).collect()
}

type SubsetCut = (super::threshold::Cut, Vec<usize>, Vec<usize>);

/// Groups of values in an order; every prefix is tried.
struct Prefixes<'a> {
    histogram: &'a Histogram,
    known: &'a [f64],
    groups: Vec<Vec<usize>>,
    best: Best,
}

impl SidesRun<Option<SubsetCut>> for Prefixes<'_> {
    fn run<S: Sides>(mut self, sides: &mut S) -> Option<SubsetCut> {
        sides.start(self.known);
        let mut running = RunningSizes::new(self.histogram);
        for prefix in 1..self.groups.len() {
            let mut sizes = None;
            for &i in &self.groups[prefix - 1] {
                sides.tally(self.histogram.tally(i));
                sizes = running.after(i);
            }
            self.best.offer(sides, sizes, prefix as u32, 0);
        }
        let cut = self.best.cut()?;
        let right = self.groups.split_off(cut.lower as usize);
        Some((cut, self.groups.concat(), right.concat()))
    }
}

/// Every way to put the values on two sides; the last value is always on the right.
struct AllSubsets<'a> {
    histogram: &'a Histogram,
    known: &'a [f64],
    best: Best,
}

impl SidesRun<Option<SubsetCut>> for AllSubsets<'_> {
    fn run<S: Sides>(mut self, sides: &mut S) -> Option<SubsetCut> {
        let values = self.histogram.len();
        let mut left = vec![0.0; self.known.len()];
        for mask in 1..1u32 << (values - 1) {
            left.fill(0.0);
            let (mut running, mut sizes) = (RunningSizes::new(self.histogram), None);
            for i in (0..values).filter(|i| mask >> i & 1 == 1) {
                add(&mut left, self.histogram.tally(i));
                sizes = running.after(i);
            }
            sides.start(self.known);
            sides.tally(&left);
            self.best.offer(sides, sizes, mask, 0);
        }
        let cut = self.best.cut()?;
        let (left, right) = (0..values).partition(|i| cut.lower >> i & 1 == 1);
        Some((cut, left, right))
    }
}
