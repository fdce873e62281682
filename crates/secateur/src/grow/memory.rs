//! The engine in memory: blocks of rows, searched column by column.

use std::cell::Cell;
use std::ops::Range;

use rayon::prelude::*;

use super::block::{Block, BlockColumn, BlockTarget, PARALLEL_CELLS, Parts};
use super::engine::{Engine, Found, NodeCount};
use super::significance::is_significant;
use super::sparse::SparseScratch;
use super::{GrowSpec, LeafValue};
use crate::criterion::sides::{Sides, SidesSet};
use crate::criterion::{Criterion, Measure, xlog2};
use crate::data::CodedTable;
use crate::data::codes::{Code, each_width};
use crate::error::Result;
use crate::split::absolute::{self, Row};
use crate::split::peak::{Found as Peak, Scored};
use crate::split::rounding::{is_admissible, is_moved};
use crate::split::threshold::{Best, Entries, Entry};
use crate::split::{Candidate, Histogram, Race, Rules, View, choose, nominal, threshold};

/// What all blocks of one growing share.
pub(super) struct Shared<'a> {
    pub spec: &'a GrowSpec,
    pub rules: Rules,
    /// `i log2 i`, for entropy on whole counts.
    logs: Vec<f64>,
}

impl<'a> Shared<'a> {
    pub fn new(table: &CodedTable, spec: &'a GrowSpec, unit_weights: bool) -> Self {
        let rules = Rules::new(spec, table);
        // Fractional rows would need logarithms of anything; the table is for whole counts only.
        let whole = unit_weights && table.columns().iter().all(|c| !c.has_missing);
        let entries = if whole && rules.measure == Measure::Entropy { table.rows() + 1 } else { 0 };
        Self { spec, rules, logs: (0..entries).map(|i| xlog2(i as f64)).collect() }
    }
}

/// Working memory of one thread.
struct Scratch<'a> {
    sides: SidesSet<'a>,
    histogram: Histogram,
    bins: Vec<f64>,
    seen: Vec<bool>,
    keys: Vec<u64>,
    rows: Vec<Row>,
    sparse: SparseScratch,
}

impl<'a> Scratch<'a> {
    fn new(shared: &'a Shared) -> Self {
        Self {
            sides: shared.rules.sides(&shared.logs),
            histogram: Histogram::new(shared.rules.tally_size()),
            bins: Vec::new(),
            seen: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            sparse: SparseScratch::default(),
        }
    }
}

/// The rows of a node: a segment of a block. Small, because every node in the making has one.
pub(super) struct Rows {
    block: u32,
    start: u32,
    end: u32,
    /// Where in the sorted list of its column the best split cuts, once that was found; 0 where it is not known.
    cut: Cell<u32>,
}

impl Rows {
    fn new(block: usize, segment: Range<usize>) -> Self {
        let (start, end) = (segment.start as u32, segment.end as u32);
        Self { block: block as u32, start, end, cut: Cell::new(0) }
    }

    fn block(&self) -> usize {
        self.block as usize
    }

    fn segment(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    fn cut(&self) -> Option<usize> {
        Some(self.cut.get() as usize).filter(|cut| *cut > 0)
    }

    pub fn len(&self) -> usize {
        self.segment().len()
    }
}

/// The engine in memory.
pub(super) struct Memory<'a, 's> {
    shared: &'s Shared<'s>,
    /// A block and the number of nodes that still use it.
    blocks: Vec<Option<(Block<'a>, usize)>>,
    free: Vec<usize>,
    scratch: Scratch<'s>,
    parallel: bool,
}

impl<'a, 's> Memory<'a, 's> {
    pub fn new(block: Block<'a>, shared: &'s Shared<'s>, parallel: bool) -> Self {
        Self {
            shared,
            blocks: vec![Some((block, 0))],
            free: Vec::new(),
            scratch: Scratch::new(shared),
            parallel,
        }
    }

    /// Takes the rows of a node out of this engine, as a block of their own.
    pub fn detach(&mut self, rows: Rows) -> Option<Block<'a>> {
        let block = self.blocks[rows.block()].as_mut().map(|(block, _)| block.detach(rows.segment()));
        self.drop_user(rows.block());
        block
    }

    fn drop_user(&mut self, block: usize) {
        if let Some((_, users)) = &mut self.blocks[block] {
            *users -= 1;
            if *users == 0 {
                self.blocks[block] = None;
                self.free.push(block);
            }
        }
    }

    fn keep(&mut self, block: Block<'a>) -> usize {
        match self.free.pop() {
            Some(place) => {
                self.blocks[place] = Some((block, 1));
                place
            }
            None => {
                self.blocks.push(Some((block, 1)));
                self.blocks.len() - 1
            }
        }
    }

    fn median(&self) -> bool {
        self.shared.spec.leaf == LeafValue::Median || self.shared.spec.criterion == Criterion::Mae
    }
}

impl Engine for Memory<'_, '_> {
    type Rows = Rows;

    fn root(&mut self) -> Result<(Rows, NodeCount)> {
        let median = self.median();
        let (block, users) = self.blocks[0].as_mut().expect("a new engine has its root block");
        *users += 1;
        let segment = 0..block.members.len();
        let count = block.count(segment.clone(), median);
        Ok((Rows::new(0, segment), count))
    }

    fn search(&mut self, nodes: &[(&Rows, &NodeCount)]) -> Result<Vec<Option<Found>>> {
        let mut answers = Vec::with_capacity(nodes.len());
        for (rows, count) in nodes {
            let answer = self.blocks[rows.block()].as_ref().and_then(|(block, _)| {
                search(self.shared, block, rows.segment(), count, &mut self.scratch, self.parallel)
            });
            answers.push(answer.map(|(found, cut)| {
                rows.cut.set(cut.map_or(0, |cut| cut as u32));
                found
            }));
        }
        Ok(answers)
    }

    fn split(&mut self, rows: Rows, condition: &crate::tree::Condition) -> Result<Vec<(Rows, NodeCount)>> {
        let (median, parallel) = (self.median(), self.parallel);
        let Some((block, users)) = &mut self.blocks[rows.block()] else { return Ok(Vec::new()) };
        Ok(match block.split(rows.segment(), condition, rows.cut(), parallel) {
            Parts::Segments(segments) => {
                *users += segments.len() - 1;
                let part = |segment: Range<usize>| {
                    let count = block.count(segment.clone(), median);
                    (Rows::new(rows.block(), segment), count)
                };
                segments.into_iter().map(part).collect()
            }
            Parts::Blocks(parts) => {
                let mut children = Vec::with_capacity(parts.len());
                for part in parts {
                    let segment = 0..part.members.len();
                    let count = part.count(segment.clone(), median);
                    children.push((Rows::new(self.keep(part), segment), count));
                }
                self.drop_user(rows.block());
                children
            }
        })
    }

    fn release(&mut self, rows: Rows) {
        self.drop_user(rows.block());
    }
}

/// The best split of a segment, and where it cuts a sorted list.
fn search(
    shared: &Shared,
    block: &Block,
    segment: Range<usize>,
    count: &NodeCount,
    scratch: &mut Scratch,
    parallel: bool,
) -> Option<(Found, Option<usize>)> {
    let rules = &shared.rules;
    let view = View { rules, tally: &count.tally, weight: count.weight };
    let columns = block.columns.len();
    let rare = rare_candidates(&view, block, segment.clone(), scratch);
    let of_column = |scratch: &mut Scratch, c: usize, least_gain: f64| match &block.sparse {
        Some(sparse) if sparse.has(c) => rare.iter().find(|r| r.column as usize == c).cloned(),
        _ => candidate(&view, block, segment.clone(), c, scratch, least_gain),
    };
    let mut best = if parallel && columns > 1 && segment.len() * columns >= PARALLEL_CELLS {
        let candidates: Vec<Option<Candidate>> = (0..columns)
            .into_par_iter()
            .map_init(|| Scratch::new(shared), |scratch, c| of_column(scratch, c, 0.0))
            .collect();
        choose(&view, candidates.into_iter().flatten())
    } else if rules.guards {
        choose(&view, (0..columns).filter_map(|c| of_column(scratch, c, 0.0)))
    } else {
        let mut race = Race::new(&view);
        for c in 0..columns {
            if let Some(candidate) = of_column(scratch, c, race.least_gain()) {
                race.offer(candidate);
            }
        }
        race.winner()
    }?;
    let column = best.column as usize;
    // The mean absolute deviation is not found on sorted lists.
    let listed = rules.criterion != Criterion::Mae;
    let mut cut = listed.then(|| block.between_codes(&mut best.how, column, segment.start)).flatten();
    let coded = &block.table.columns()[column];
    let condition = best.how.condition(best.column, coded, shared.spec);
    if is_moved(&best.how, &condition, coded) {
        // Rows follow the threshold, not the place it was made from.
        cut = None;
        histogram(rules, block, segment.clone(), column, scratch);
        if !is_admissible(&view, &condition, coded, &scratch.histogram) {
            return None;
        }
    }
    if let Some(level) = shared.spec.chi2 {
        histogram(rules, block, segment, column, scratch);
        if !is_significant(&condition, coded, &scratch.histogram, level) {
            return None;
        }
    }
    Some((Found { condition, gain: best.gain }, cut))
}

/// The best splits of the columns in which exceptions are rare, counted together.
fn rare_candidates(
    view: &View,
    block: &Block,
    segment: Range<usize>,
    scratch: &mut Scratch,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let (Some(sparse), BlockTarget::Classes(classes)) = (&block.sparse, &block.target) {
        let Scratch { sides, sparse: working, .. } = scratch;
        let members = &block.members[segment];
        let gini = view.rules.measure == Measure::Gini;
        let cost = view.rules.measure.cost(view.tally);
        // What one of these columns gains, less rounding: a later one that gains no more cannot win.
        let mut most = 0.5 * view.tolerance();
        sparse.count(view.tally, members, classes, working, |exceptions| {
            let worth = |split: f64| cost - split > most * view.weight;
            if gini && !exceptions.binary_cost(view.tally).is_none_or(worth) {
                return;
            }
            let (column, histogram) = exceptions.histogram(block.table, view.tally);
            let candidate = from_histogram(view, block, column, histogram, sides);
            if let Some(candidate) = candidate {
                most = most.max(candidate.gain - 0.5 * view.tolerance());
                found.push(candidate);
            }
        });
    }
    found
}

fn from_histogram(
    view: &View,
    block: &Block,
    column: usize,
    histogram: &Histogram,
    sides: &mut SidesSet,
) -> Option<Candidate> {
    let coded = &block.table.columns()[column];
    if coded.is_numeric() {
        threshold::best(view, column, histogram, sides)
    } else {
        nominal::best(view, column, coded.cardinality(), histogram, sides)
    }
}

/// The best split of one column. Where it gains less than `least_gain` it need not be found. Cuts of sorted lists lie between
/// places, not yet between codes.
fn candidate(
    view: &View,
    block: &Block,
    segment: Range<usize>,
    column: usize,
    scratch: &mut Scratch,
    least_gain: f64,
) -> Option<Candidate> {
    let coded = &block.table.columns()[column];
    if view.rules.criterion == Criterion::Mae {
        rows(block, segment, column, &mut scratch.rows);
        let levels = (!coded.is_numeric()).then(|| coded.cardinality());
        return absolute::best(view, column, levels, &mut scratch.rows);
    }
    match (&block.columns[column], block.words) {
        (BlockColumn::Ordered(list), Some(layout)) => {
            let list = &list[segment];
            if view.rules.measure == Measure::Gini && block.weights.is_none() && scratch.sides.plain.is_none()
            {
                let scored = Scored::new(list, layout, view);
                match scored.best_of(view, least_gain) {
                    Peak::Nothing => return None,
                    Peak::Place(place) => {
                        let cut = scored.cut(place, &mut scratch.sides);
                        let cost = view.rules.measure.cost(view.tally);
                        return threshold::candidate(view, column, cut, view.weight, cost);
                    }
                    Peak::Close => {}
                }
            }
            let entries = Entries { list, shift: 0 };
            scan(view, block, entries, |w| layout.id(w), column, view.tally, &mut scratch.sides)
        }
        (BlockColumn::Sorted(entries), _) => {
            let (layout, shift) = (block.layout, block.layout.shift());
            let entries = &entries[segment];
            let missing = u64::from(coded.cardinality());
            let known = entries.partition_point(|e| e >> shift < missing);
            let entries = Entries { list: &entries[..known], shift };
            let partial;
            let tally = if coded.has_missing {
                let mut sum = vec![0.0; view.tally.len()];
                for &entry in entries.list {
                    put(&mut sum, block, layout.id(entry));
                }
                partial = sum;
                &partial[..]
            } else {
                view.tally
            };
            scan(view, block, entries, |e| layout.id(e), column, tally, &mut scratch.sides)
        }
        _ => {
            histogram(view.rules, block, segment, column, scratch);
            from_histogram(view, block, column, &scratch.histogram, &mut scratch.sides)
        }
    }
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
    let best = Best::new(rules.scan_floor(view.numeric_floor(weight)), view.cost_tolerance());
    let cut = match (&block.target, &block.weights) {
        (BlockTarget::Classes(classes), None) => {
            let unit = |entry: E| (classes[id(entry)], 1.0);
            match (rules.measure, &mut sides.plain) {
                (_, Some(plain)) => entries.scan_unit(plain.started(tally), unit, best),
                (Measure::Gini, _) if rules.classes == 2 => {
                    entries.scan_unit(sides.two.started(tally), unit, best)
                }
                (Measure::Gini, _) => entries.scan_unit(sides.many.started(tally), unit, best),
                _ => entries.scan_unit(sides.bits.started(tally), unit, best),
            }
        }
        (BlockTarget::Classes(classes), Some(weights)) => {
            let heavy = |entry: E| (classes[id(entry)], weights[id(entry)]);
            match (rules.measure, &mut sides.plain) {
                (_, Some(plain)) => entries.scan(plain.started(tally), heavy, best),
                (Measure::Gini, _) if rules.classes == 2 => {
                    entries.scan(sides.two.started(tally), heavy, best)
                }
                (Measure::Gini, _) => entries.scan(sides.many.started(tally), heavy, best),
                _ => entries.scan(sides.bits.started(tally), heavy, best),
            }
        }
        (BlockTarget::Numbers(numbers), None) => {
            let fetch = |entry: E| (numbers[id(entry)], 1.0);
            entries.scan_unit(sides.squares.started(tally), fetch, best)
        }
        (BlockTarget::Numbers(numbers), Some(weights)) => {
            let fetch = |entry: E| (numbers[id(entry)], weights[id(entry)]);
            entries.scan(sides.squares.started(tally), fetch, best)
        }
    }?;
    threshold::candidate(view, column, cut, weight, rules.measure.cost(tally))
}

/// Adds a row to a tally.
#[inline(always)]
fn put(tally: &mut [f64], block: &Block, id: usize) {
    let weight = block.weight(id);
    match &block.target {
        BlockTarget::Classes(classes) => tally[classes[id] as usize] += weight,
        BlockTarget::Numbers(numbers) => {
            tally[0] += weight;
            tally[1] += weight * numbers[id];
            tally[2] += weight * numbers[id] * numbers[id];
        }
    }
}

/// Bins beyond this many numbers are not worth clearing: rows are sorted by code instead.
const MOST_BINS: usize = 1 << 22;

/// Fills the scratch histogram for a column of a segment.
fn histogram(rules: &Rules, block: &Block, segment: Range<usize>, column: usize, scratch: &mut Scratch) {
    let Scratch { histogram, bins, seen, keys, .. } = scratch;
    let members = &block.members[segment.clone()];
    let missing = block.table.columns()[column].cardinality();
    let size = rules.tally_size();
    histogram.codes.clear();
    histogram.tallies.clear();
    histogram.missing.fill(0.0);
    let codes = match &block.columns[column] {
        BlockColumn::Counted(codes)
            if members.len() >= missing as usize / 8 && missing as usize * size <= MOST_BINS =>
        {
            codes
        }
        list => {
            keys.clear();
            match list {
                BlockColumn::Counted(codes) => each_width!(codes.as_ref(), list => keys
                    .extend(members.iter().map(|&id| u64::from(list[id as usize].wide()) << 32 | u64::from(id)))),
                BlockColumn::Ordered(words) => keys.extend(words[segment].iter().map(|&word| {
                    let id = block.word_id(word);
                    u64::from(block.code(column, id)) << 32 | id as u64
                })),
                BlockColumn::Rare => keys.extend(
                    members
                        .iter()
                        .map(|&id| u64::from(block.code(column, id as usize)) << 32 | u64::from(id)),
                ),
                BlockColumn::Sorted(entries) => keys.extend(
                    entries[segment]
                        .iter()
                        .map(|&e| (e >> block.layout.shift()) << 32 | block.layout.id(e) as u64),
                ),
            }
            keys.sort_unstable();
            for &key in keys.iter() {
                let (code, id) = ((key >> 32) as u32, (key & 0xffff_ffff) as usize);
                if code == missing {
                    put(&mut histogram.missing, block, id);
                    continue;
                }
                if histogram.codes.last() != Some(&code) {
                    histogram.codes.push(code);
                    histogram.tallies.resize(histogram.codes.len() * size, 0.0);
                }
                let last = histogram.tallies.len() - size;
                put(&mut histogram.tallies[last..], block, id);
            }
            return;
        }
    };
    // One more bin, for the rows without a value. Bins are all zero between calls.
    let needed = (missing as usize + 1) * size;
    if bins.len() < needed {
        bins.resize(needed, 0.0);
        seen.resize(seen.len().max(missing as usize + 1), false);
    }
    seen.resize(seen.len().max(missing as usize + 1), false);
    each_width!(codes.as_ref(), list => match (&block.target, &block.weights) {
        (BlockTarget::Classes(classes), None) => for &id in members {
            let code = list[id as usize].wide() as usize;
            seen[code] = true;
            bins[code * size + classes[id as usize] as usize] += 1.0;
        },
        _ => for &id in members {
            let code = list[id as usize].wide() as usize;
            seen[code] = true;
            put(&mut bins[code * size..(code + 1) * size], block, id as usize);
        },
    });
    for code in 0..missing as usize {
        if std::mem::take(&mut seen[code]) {
            histogram.codes.push(code as u32);
            let bin = &mut bins[code * size..(code + 1) * size];
            histogram.tallies.extend_from_slice(bin);
            bin.fill(0.0);
        }
    }
    if std::mem::take(&mut seen[missing as usize]) {
        let bin = &mut bins[missing as usize * size..needed];
        histogram.missing.copy_from_slice(bin);
        bin.fill(0.0);
    }
}

/// The rows of a segment that have a value in a column.
fn rows(block: &Block, segment: Range<usize>, column: usize, rows: &mut Vec<Row>) {
    rows.clear();
    let BlockTarget::Numbers(numbers) = &block.target else { return };
    let missing = block.table.columns()[column].cardinality();
    let row = |code: u32, id: usize| Row { code, y: numbers[id], weight: block.weight(id) };
    match &block.columns[column] {
        BlockColumn::Ordered(words) => rows.extend(words[segment].iter().map(|&word| {
            let id = block.word_id(word);
            row(block.code(column, id), id)
        })),
        BlockColumn::Sorted(entries) => rows.extend(
            entries[segment]
                .iter()
                .map(|&e| row((e >> block.layout.shift()) as u32, block.layout.id(e)))
                .filter(|r| r.code < missing),
        ),
        BlockColumn::Rare => rows.extend(
            block.members[segment]
                .iter()
                .map(|&id| row(block.code(column, id as usize), id as usize))
                .filter(|r| r.code < missing),
        ),
        BlockColumn::Counted(codes) => rows.extend(
            block.members[segment]
                .iter()
                .map(|&id| row(codes.get(id as usize), id as usize))
                .filter(|r| r.code < missing),
        ),
    }
}
