//! The best threshold of a node on a sorted list of its rows.

use super::block::{Block, BlockTarget};
use crate::criterion::Measure;
use crate::criterion::sides::{ClassSidesRun, Sides, SidesSet};
use crate::split::packed_rows::RowBits;
use crate::split::peak::{PeakCut, Scored};
use crate::split::threshold::{self, Best, Cut, Entries, Entry};
use crate::split::{Beside, Candidate, Divided, Sizes, View};

/// The best cut of a list in which every row has a value; where it gains less than `least_gain` it need not be found.
pub(super) fn of_packed_rows(
    view: &View,
    block: &Block,
    list: &[u32],
    layout: RowBits,
    column: usize,
    sides: &mut SidesSet,
    least_gain: f64,
) -> Option<Candidate> {
    if view.rules.measure == Measure::Gini && block.weights.is_none() && sides.plain.is_none() {
        let scored = Scored::new(list, layout, view);
        match scored.best_of(view, least_gain) {
            PeakCut::Nothing => return None,
            PeakCut::Place(place) => {
                let cut = scored.cut(place, sides);
                let cost = view.rules.measure.cost(view.tally);
                return threshold::candidate(view, column, cut, view.weight, cost);
            }
            PeakCut::Close => {}
        }
    }
    sides.unknown(&[]);
    let entries = Entries { list, shift: 0 };
    scan(view, block, entries, |w| layout.id(w), column, view.tally, sides)
}

/// The best cut of a list at whose end the rows without a value stand.
pub(super) fn of_entries(
    view: &View,
    block: &Block,
    all: &[u64],
    column: usize,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    let coded = &block.table.columns()[column];
    let (layout, shift) = (block.layout, block.layout.shift());
    let missing = u64::from(coded.cardinality());
    let known = all.partition_point(|e| e >> shift < missing);
    let entries = Entries { list: &all[..known], shift };
    let tally_of = |list: &[u64]| {
        let mut sum = vec![0.0; view.tally.len()];
        let (targets, frame) = (block.target.targets(), &view.frame);
        for id in list.iter().map(|&entry| layout.id(entry)) {
            targets.add(&mut sum, frame, id, block.weight(id));
        }
        sum
    };
    if view.rules.branch && known < all.len() {
        let missing = &all[known..];
        let tallies = [tally_of(entries.list), tally_of(missing)];
        return beside(view, block, (entries, missing), tallies, column, sides);
    }
    if view.rules.spread {
        sides.unknown(&tally_of(&all[known..]));
    }
    let partial;
    let tally = if coded.has_missing {
        partial = tally_of(entries.list);
        &partial[..]
    } else {
        view.tally
    };
    scan(view, block, entries, |e| layout.id(e), column, tally, sides)
}

/// The best threshold of a sorted list, by a walk over all of its rows; `tally` is theirs.
fn scan<E: Entry>(
    view: &View,
    block: &Block,
    entries: Entries<E>,
    id: impl Fn(E) -> usize,
    column: usize,
    tally: &[f64],
    sides: &mut SidesSet,
) -> Option<Candidate> {
    if entries.list.is_empty() {
        return None;
    }
    let rules = view.rules;
    let weight = rules.measure.weight(tally);
    let size = match (block.sizes, &block.shares) {
        (Sizes::Weight(unit), _) => weight / unit,
        (Sizes::Shares, None) => entries.list.len() as f64,
        (Sizes::Shares, Some(shares)) => entries.list.iter().map(|&entry| shares[id(entry)]).sum(),
    };
    let best = view.best(view.numeric_floor(size));
    let cut = match (&block.target, &block.weights) {
        (BlockTarget::Classes(classes), None) => {
            let unit = |entry: E| (classes[id(entry)], 1.0);
            match (rules.measure, &mut sides.plain) {
                (_, Some(plain)) => entries.scan_unit(plain.started(tally), unit, best),
                (Measure::Gini, _) if rules.classes == 2 => {
                    entries.scan_unit(sides.two.started(tally), unit, best)
                }
                (Measure::Gini, _) => entries.scan_unit(sides.many.started(tally), unit, best),
                (Measure::Own(own), _) => entries.scan_unit(sides.own(own).started(tally), unit, best),
                _ => entries.scan_unit(sides.bits.started(tally), unit, best),
            }
        }
        (BlockTarget::Classes(classes), Some(weights)) => {
            let heavy = |entry: E| (classes[id(entry)], weights[id(entry)]);
            match (rules.measure, &mut sides.plain) {
                (_, Some(plain)) => walk(block, entries, &id, plain.started(tally), heavy, best),
                (Measure::Gini, _) if rules.classes == 2 => {
                    walk(block, entries, &id, sides.two.started(tally), heavy, best)
                }
                (Measure::Gini, _) => walk(block, entries, &id, sides.many.started(tally), heavy, best),
                (Measure::Own(own), _) => {
                    walk(block, entries, &id, sides.own(own).started(tally), heavy, best)
                }
                _ => walk(block, entries, &id, sides.bits.started(tally), heavy, best),
            }
        }
        (BlockTarget::Numbers(numbers), None) => {
            let frame = view.frame;
            entries.scan_numbers(tally, |entry| frame.term(numbers[id(entry)], 1.0), best)
        }
        (BlockTarget::Numbers(numbers), Some(weights)) => {
            let frame = view.frame;
            let fetch = |entry: E| {
                let weight = weights[id(entry)];
                (frame.term(numbers[id(entry)], weight), weight)
            };
            walk(block, entries, &id, sides.squares.started(tally), fetch, best)
        }
    }?;
    threshold::candidate(view, column, cut, weight, rules.measure.cost(tally))
}

/// The best split of a sorted list beside which rows without a value stand, from the tallies of both.
fn beside(
    view: &View,
    block: &Block,
    (entries, missing): (Entries<u64>, &[u64]),
    [known, tally]: [Vec<f64>; 2],
    column: usize,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    let known_rows = entries.list;
    if known_rows.is_empty() {
        return None;
    }
    let rules = view.rules;
    let size = |&entry: &u64| block.size(block.layout.id(entry));
    let beside = Beside { tally: &tally, size: missing.iter().map(size).sum() };
    let known_size: f64 = known_rows.iter().map(size).sum();
    let divided = Divided::beside(known, view.tally.to_vec(), beside);
    let best = view.best(view.numeric_floor(known_size + beside.size));
    sides.unknown(&[]);
    let scan = BesideScan { block, entries, view, beside, best };
    let cut = match &block.target {
        BlockTarget::Classes(_) => sides.run_classes(rules.measure, rules.classes, scan),
        BlockTarget::Numbers(numbers) => {
            let frame = view.frame;
            let fetch = |id: usize| (frame.term(numbers[id], block.weight(id)), block.weight(id));
            scan.with(&mut sides.squares, fetch)
        }
    };
    let (weight, cost) = divided.whole(view);
    let best = cut.and_then(|cut| threshold::candidate(view, column, cut, weight, cost));
    divided.or_known(view, column, best, || known_size, sides)
}

/// Scans a sorted list beside which rows without a value stand.
struct BesideScan<'a, 'v> {
    block: &'a Block<'a>,
    entries: Entries<'a, u64>,
    view: &'a View<'v>,
    beside: Beside<'a>,
    best: Best,
}

impl BesideScan<'_, '_> {
    /// `fetch` gives the target and the weight of an id.
    fn with<S: Sides>(self, sides: &mut S, fetch: impl Fn(usize) -> (S::Target, f64)) -> Option<Cut> {
        let Self { block, entries, view, beside, best } = self;
        let id = |entry: u64| block.layout.id(entry);
        let size = |entry: u64| block.size(id(entry));
        entries.scan_beside(sides, |entry| fetch(id(entry)), size, (view.tally, &beside), best)
    }
}

impl ClassSidesRun<Option<Cut>> for BesideScan<'_, '_> {
    fn run<S: Sides<Target = u32>>(self, sides: &mut S) -> Option<Cut> {
        let block = self.block;
        let BlockTarget::Classes(classes) = &block.target else { return None };
        self.with(sides, |id| (classes[id], block.weight(id)))
    }
}

/// Scans a list of rows with weights in the way that counts how many are on each side.
fn walk<E: Entry, S: Sides>(
    block: &Block,
    entries: Entries<E>,
    id: &impl Fn(E) -> usize,
    sides: &mut S,
    fetch: impl Fn(E) -> (S::Target, f64),
    best: Best,
) -> Option<Cut> {
    match (block.sizes, &block.shares) {
        (Sizes::Weight(_), _) => entries.scan(sides, fetch, best),
        (Sizes::Shares, None) => entries.scan_unit(sides, fetch, best),
        (Sizes::Shares, Some(shares)) => entries.scan_shares(sides, fetch, |e| shares[id(e)], best),
    }
}
