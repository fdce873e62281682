//! Splits of a nominal column: a branch per value, or the best two subsets.

use super::histogram::add;
use super::threshold::{Best, RunningSizes};
use super::{Beside, Candidate, Divided, Histogram, How, View, principal_order};
use crate::criterion::TIE;
use crate::criterion::sides::{Sides, SidesRun, SidesSet};

/// The best split of a nominal column of this many values from its histogram.
pub(crate) fn best(
    view: &View,
    column: usize,
    levels: u32,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    let divided = Divided::of(view, histogram)?;
    if view.rules.multiway {
        each(view, column, levels, histogram, &divided)
    } else {
        let best = subset(view, column, histogram, &divided, sides);
        divided.or_known(view, column, best, || view.known_size(histogram), sides)
    }
}

/// The best split of a nominal column whose values are in order: small values on one side, large ones on the other.
pub(crate) fn best_in_order(
    view: &View,
    column: usize,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    let divided = Divided::of(view, histogram)?;
    sides.unknown(&histogram.missing);
    let known_size = view.known_size(histogram);
    // Values in order are divided as numbers are.
    let floor = view.numeric_floor(known_size + divided.missing_size());
    let groups = Groups::single((0..histogram.len() as u32).collect());
    let cut = prefixes(view, histogram, &divided, groups, floor, sides);
    let best = cut.and_then(|cut| {
        let tries = cut.0.tries;
        candidate(view, column, histogram, &divided, cut, tries)
    });
    divided.or_known(view, column, best, || known_size, sides)
}

fn each(
    view: &View,
    column: usize,
    levels: u32,
    histogram: &Histogram,
    divided: &Divided,
) -> Option<Candidate> {
    if !view.can_branch(levels) {
        return None;
    }
    let measure = view.rules.measure;
    let beside = divided.beside.as_ref();
    let (weight, mut whole_cost) = divided.whole(view);
    if view.rules.spread {
        whole_cost = measure.cost(view.tally);
    }
    let mut weights = Vec::with_capacity(histogram.len() + 1);
    let (mut cost, mut parts) = (0.0, if view.rules.spread { histogram.missing.clone() } else { Vec::new() });
    let mut branch = |tally: &[f64]| {
        let own = measure.weight(tally);
        weights.push(own);
        cost += if view.rules.spread {
            for (i, part) in parts.iter_mut().enumerate() {
                *part = tally[i] + own / weight * histogram.missing[i];
            }
            measure.cost(&parts)
        } else {
            measure.cost(tally)
        };
    };
    (0..histogram.len()).for_each(|i| branch(histogram.tally(i)));
    beside.iter().for_each(|beside| branch(beside.tally));
    let mut sizes = view.sizes(histogram);
    if let Some(beside) = beside {
        sizes.to_mut().push(beside.size);
    }
    let (how, values) = (How::Each { missing: beside.is_some() }, weights.len() as u32);
    view.candidate(column, how, (weight, whole_cost), cost, (&weights, &sizes), values)
}

fn subset(
    view: &View,
    column: usize,
    histogram: &Histogram,
    divided: &Divided,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    let rules = view.rules;
    sides.unknown(&histogram.missing);
    let cut = if rules.classes <= 2 {
        prefixes(view, histogram, divided, by_share(view, histogram), rules.min_leaf, sides)?
    } else if histogram.len() <= rules.exhaustive {
        let best = view.best(rules.min_leaf);
        sides.run(rules.measure, rules.classes, AllSubsets { histogram, divided, best })?
    } else {
        let groups = principal_order(&histogram.tallies, rules.classes);
        prefixes(view, histogram, divided, Groups::of(&groups), rules.min_leaf, sides)?
    };
    let values = histogram.len() + usize::from(divided.beside.is_some());
    candidate(view, column, histogram, divided, cut, values as u32)
}

/// The best of all prefixes of groups of values.
fn prefixes(
    view: &View,
    histogram: &Histogram,
    divided: &Divided,
    groups: Groups,
    floor: f64,
    sides: &mut SidesSet,
) -> Option<SubsetCut> {
    let best = view.best(floor);
    sides.run(view.rules.measure, view.rules.classes, Prefixes { histogram, divided, groups, best })
}

fn candidate(
    view: &View,
    column: usize,
    histogram: &Histogram,
    divided: &Divided,
    (cut, left, right): SubsetCut,
    values: u32,
) -> Option<Candidate> {
    let code = |mut list: Vec<u32>| {
        list.iter_mut().for_each(|value| *value = histogram.codes[*value as usize]);
        list
    };
    let how = How::Subset { left: code(left), right: code(right), missing: cut.missing };
    view.candidate(column, how, divided.whole(view), cut.cost, (&cut.weights, &cut.sizes), values)
}

/// Two classes: values in the order of the second class's share. Numbers: in the order of the mean. The
/// best of all subsets is then a prefix (Breiman et al., 1984). Shares that differ by rounding only are equal.
fn by_share(view: &View, histogram: &Histogram) -> Groups {
    let measure = view.rules.measure;
    let grid = TIE * view.scale.sqrt();
    let share = |i: u32| {
        let tally = histogram.tally(i as usize);
        let share = tally.get(1).copied().unwrap_or(0.0) / measure.weight(tally);
        if grid > 0.0 { (share / grid).round() } else { share }
    };
    let mut order: Vec<(f64, u32)> = (0..histogram.len() as u32).map(|i| (share(i), i)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    Groups::single(order.into_iter().map(|(_, i)| i).collect())
}

/// Values in an order; some of them stay together.
struct Groups {
    order: Vec<u32>,
    /// Where each group ends in the order, unless every value is one.
    ends: Option<Vec<usize>>,
}

impl Groups {
    /// Every value by itself.
    fn single(order: Vec<u32>) -> Self {
        Self { order, ends: None }
    }

    fn of(groups: &[Vec<usize>]) -> Self {
        let mut end = 0;
        let ends = groups.iter().map(|group| {
            end += group.len();
            end
        });
        let order = groups.iter().flatten().map(|&value| value as u32);
        Self { ends: Some(ends.collect()), order: order.collect() }
    }

    /// How many groups there are.
    fn len(&self) -> usize {
        self.ends.as_ref().map_or(self.order.len(), Vec::len)
    }

    /// Where a group ends in the order.
    fn end(&self, group: usize) -> usize {
        self.ends.as_ref().map_or(group + 1, |ends| ends[group])
    }
}

/// A cut, and the values on both sides of it.
type SubsetCut = (super::threshold::Cut, Vec<u32>, Vec<u32>);

/// Every prefix of groups of values is tried.
struct Prefixes<'a> {
    histogram: &'a Histogram,
    divided: &'a Divided<'a>,
    groups: Groups,
    best: Best,
}

impl SidesRun<Option<SubsetCut>> for Prefixes<'_> {
    fn run<S: Sides>(mut self, sides: &mut S) -> Option<SubsetCut> {
        for &side in Beside::tried(self.divided.beside.as_ref()) {
            self.best.missing = side;
            let left = self.divided.start(side, sides);
            let mut running = RunningSizes::new(self.histogram, left, self.divided.missing_size());
            let mut start = 0;
            // What is left of the last group is not a split.
            for group in 1..self.groups.len() {
                let end = self.groups.end(group - 1);
                let mut sizes = None;
                for &i in &self.groups.order[start..end] {
                    sides.tally(self.histogram.tally(i as usize));
                    sizes = running.after(i as usize);
                }
                self.best.offer(sides, sizes, end as u32, 0);
                start = end;
            }
        }
        let cut = self.best.cut()?;
        let right = self.groups.order.split_off(cut.lower as usize);
        Some((cut, self.groups.order, right))
    }
}

/// Every way to put the values on two sides; the last value is always on the right.
struct AllSubsets<'a> {
    histogram: &'a Histogram,
    divided: &'a Divided<'a>,
    best: Best,
}

impl SidesRun<Option<SubsetCut>> for AllSubsets<'_> {
    fn run<S: Sides>(mut self, sides: &mut S) -> Option<SubsetCut> {
        let values = self.histogram.len();
        let mut left = vec![0.0; self.divided.all().len()];
        for &side in Beside::tried(self.divided.beside.as_ref()) {
            self.best.missing = side;
            for mask in 1..1u32 << (values - 1) {
                left.fill(0.0);
                let start = self.divided.start(side, sides);
                let mut running = RunningSizes::new(self.histogram, start, self.divided.missing_size());
                let mut sizes = None;
                for i in (0..values).filter(|i| mask >> i & 1 == 1) {
                    add(&mut left, self.histogram.tally(i));
                    sizes = running.after(i);
                }
                sides.tally(&left);
                self.best.offer(sides, sizes, mask, 0);
            }
        }
        let cut = self.best.cut()?;
        let (left, right) = (0..values as u32).partition(|i| cut.lower >> i & 1 == 1);
        Some((cut, left, right))
    }
}
