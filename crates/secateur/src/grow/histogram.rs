//! What a column of a node says of the target: value by value, or row by row.

use std::ops::Range;

use super::block::{Block, BlockColumn, BlockTarget};
use super::search::Scratch;
use crate::data::Codes;
use crate::data::codes::{Code, each_width};
use crate::split::absolute::Row;
use crate::split::moments::Frame;
use crate::split::{Sizes, View};

/// Adds a row to a tally; `frame` says how numbers are summed.
#[inline(always)]
fn put(tally: &mut [f64], frame: &Frame, block: &Block, id: usize) {
    block.target.targets().add(tally, frame, id, block.weight(id));
}

/// Bins beyond this many numbers are not worth clearing: rows are sorted by code instead.
const MOST_BINS: usize = 1 << 22;

/// Fills the scratch histogram for a column of a segment.
pub(super) fn histogram(
    view: &View,
    block: &Block,
    segment: Range<usize>,
    column: usize,
    scratch: &mut Scratch,
) {
    let values = block.table.columns()[column].cardinality() as usize;
    let histogram = &mut scratch.histogram;
    histogram.codes.clear();
    histogram.tallies.clear();
    histogram.missing.fill(0.0);
    histogram.sizes.clear();
    match &block.columns[column] {
        BlockColumn::Counted(codes)
            if segment.len() >= values / 8 && values * view.rules.tally_size() <= MOST_BINS =>
        {
            by_counting(view, block, &block.members[segment], codes, values, scratch);
        }
        _ => by_sorting(view, block, segment, column, scratch),
    }
}

/// Weights do not say how many rows there are.
fn is_sized(block: &Block) -> bool {
    block.sizes == Sizes::Shares
}

/// For many rows of few values: a bin for every value.
fn by_counting(
    view: &View,
    block: &Block,
    members: &[u32],
    codes: &Codes,
    missing: usize,
    scratch: &mut Scratch,
) {
    let Scratch { histogram, bins, seen, sizes, .. } = scratch;
    let (size, frame, sized) = (view.rules.tally_size(), &view.frame, is_sized(block));
    // One more bin, for the rows without a value. Bins are all zero between calls.
    let needed = (missing + 1) * size;
    if bins.len() < needed {
        bins.resize(needed, 0.0);
    }
    seen.resize(seen.len().max(missing + 1), false);
    if sized {
        sizes.resize(sizes.len().max(missing + 1), 0.0);
        each_width!(codes, list => for &id in members {
            sizes[list[id as usize].wide() as usize] += block.size(id as usize);
        });
    }
    each_width!(codes, list => match (&block.target, &block.weights) {
        (BlockTarget::Classes(classes), None) => for &id in members {
            let code = list[id as usize].wide() as usize;
            seen[code] = true;
            bins[code * size + classes[id as usize] as usize] += 1.0;
        },
        _ => for &id in members {
            let code = list[id as usize].wide() as usize;
            seen[code] = true;
            put(&mut bins[code * size..(code + 1) * size], frame, block, id as usize);
        },
    });
    for code in 0..missing {
        if std::mem::take(&mut seen[code]) {
            histogram.codes.push(code as u32);
            for part in &mut bins[code * size..(code + 1) * size] {
                histogram.tallies.push(std::mem::take(part));
            }
            if sized {
                histogram.sizes.push(std::mem::take(&mut sizes[code]));
            }
        }
    }
    if sized {
        sizes[missing] = 0.0;
    }
    if std::mem::take(&mut seen[missing]) {
        let bin = &mut bins[missing * size..needed];
        histogram.missing.copy_from_slice(bin);
        bin.fill(0.0);
    }
}

/// For few rows of many values: rows in the order of their codes.
fn by_sorting(view: &View, block: &Block, segment: Range<usize>, column: usize, scratch: &mut Scratch) {
    let Scratch { histogram, keys, .. } = scratch;
    let missing = block.table.columns()[column].cardinality();
    let (size, frame, sized) = (view.rules.tally_size(), &view.frame, is_sized(block));
    let key = |code: u64, id: usize| code << 32 | id as u64;
    let members = block.members[segment.clone()].iter().map(|&id| id as usize);
    keys.clear();
    match &block.columns[column] {
        BlockColumn::Counted(codes) => each_width!(codes.as_ref(), list => keys
            .extend(members.map(|id| key(u64::from(list[id].wide()), id)))),
        BlockColumn::Ordered(words) => keys.extend(words[segment].iter().map(|&word| {
            let id = block.word_id(word);
            key(u64::from(block.code(column, id)), id)
        })),
        BlockColumn::Rare => keys.extend(members.map(|id| key(u64::from(block.code(column, id)), id))),
        BlockColumn::Sorted(entries) => {
            keys.extend(entries[segment].iter().map(|&e| key(e >> block.layout.shift(), block.layout.id(e))))
        }
    }
    keys.sort_unstable();
    for &key in keys.iter() {
        let (code, id) = ((key >> 32) as u32, (key & 0xffff_ffff) as usize);
        if code == missing {
            put(&mut histogram.missing, frame, block, id);
            continue;
        }
        if histogram.codes.last() != Some(&code) {
            histogram.codes.push(code);
            histogram.tallies.resize(histogram.codes.len() * size, 0.0);
            histogram.sizes.extend(sized.then_some(0.0));
        }
        if let Some(rows) = histogram.sizes.last_mut() {
            *rows += block.size(id);
        }
        let last = histogram.tallies.len() - size;
        put(&mut histogram.tallies[last..], frame, block, id);
    }
}

/// The rows of a segment that have a value in a column, and those that have none where these go to a branch; targets are distances from the node's mean, of which sums lose less.
pub(super) fn rows(view: &View, block: &Block, segment: Range<usize>, column: usize, rows: &mut Vec<Row>) {
    rows.clear();
    let BlockTarget::Numbers(numbers) = &block.target else { return };
    let missing = block.table.columns()[column].cardinality();
    let centre = view.frame.centre();
    let row = |code: u32, id: usize| Row {
        code,
        y: numbers[id] - centre,
        weight: block.weight(id),
        size: block.size(id),
    };
    let is_divided = |row: &Row| row.code < missing || view.rules.branch;
    match &block.columns[column] {
        BlockColumn::Ordered(words) => rows.extend(words[segment].iter().map(|&word| {
            let id = block.word_id(word);
            row(block.code(column, id), id)
        })),
        BlockColumn::Sorted(entries) => rows.extend(
            entries[segment]
                .iter()
                .map(|&e| row((e >> block.layout.shift()) as u32, block.layout.id(e)))
                .filter(is_divided),
        ),
        BlockColumn::Rare => rows.extend(
            block.members[segment]
                .iter()
                .map(|&id| row(block.code(column, id as usize), id as usize))
                .filter(is_divided),
        ),
        BlockColumn::Counted(codes) => rows.extend(
            block.members[segment]
                .iter()
                .map(|&id| row(codes.get(id as usize), id as usize))
                .filter(is_divided),
        ),
    }
}
