//! Rows in the order of a column, a word of 32 bits for each: its class, its id, and whether a new value begins with it.
//!
//! The values themselves are not needed to find a cut, only where one ends. What a cut is between is looked up by id, once
//! for a node and not for every row.

use crate::data::codes::{Code, each_width};
use crate::data::{Codes, rows_in_order};
use crate::memory::ShortList;
use crate::simd::NEW_VALUE;

/// Which bits of a word hold what: class, then id, then the mark.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowBits {
    pub class_bits: u32,
}

impl RowBits {
    /// The layout for this many ids and classes, if they fit into a word.
    pub(crate) fn new(ids: usize, classes: usize) -> Option<Self> {
        let bits = |n: usize| usize::BITS - n.saturating_sub(1).leading_zeros();
        let class_bits = bits(classes);
        (bits(ids) + class_bits < u32::BITS).then_some(Self { class_bits })
    }

    #[inline(always)]
    pub(crate) fn word(self, class: u32, id: u32) -> u32 {
        id << self.class_bits | class
    }

    #[inline(always)]
    pub(crate) fn id(self, word: u32) -> usize {
        ((word & !NEW_VALUE) >> self.class_bits) as usize
    }

    #[inline(always)]
    pub(crate) fn class(self, word: u32) -> u32 {
        word & ((1 << self.class_bits) - 1)
    }
}

/// The words of a column in which every row has a value, in the order of its codes (and ids): a counting sort.
pub(crate) fn in_order(
    codes: &Codes,
    values: u32,
    layout: RowBits,
    class: impl Fn(usize) -> u32 + Copy,
) -> Vec<u32> {
    each_width!(codes, list => {
        if values as usize == list.len() && let Some(words) = in_places(list, layout, class) {
            return words;
        }
        if is_sparse(values, list.len()) {
            return by_sorting(list, layout, class);
        }
        let mut words = vec![0u32; list.len()];
        let mut ends = vec![0u32; values as usize + 1];
        for code in list {
            ends[code.wide() as usize + 1] += 1;
        }
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        for (id, code) in list.iter().enumerate() {
            let slot = &mut ends[code.wide() as usize];
            words[*slot as usize] = layout.word(class(id), id as u32);
            *slot += 1;
        }
        // Where one value ends the next one begins.
        for &end in &ends {
            if let Some(word) = words.get_mut(end as usize) {
                *word |= NEW_VALUE;
            }
        }
        words
    })
}

/// Whether this many codes are too many to count how many rows each of them has.
pub(crate) fn is_sparse(values: u32, rows: usize) -> bool {
    values as usize / 8 > rows
}

/// The same words, where there are many more codes than rows.
fn by_sorting<C: Code>(list: &[C], layout: RowBits, class: impl Fn(usize) -> u32) -> Vec<u32> {
    let mut last = None;
    let word = |ordered: u64| {
        let (code, id) = (ordered >> 32, ordered as u32);
        let mark = if last.replace(code) == Some(code) { 0 } else { NEW_VALUE };
        layout.word(class(id as usize), id) | mark
    };
    rows_in_order(list.iter().map(|code| code.wide())).into_iter().map(word).collect()
}

/// The words of a column whose codes are all different: the code is the place. `None` when two are equal.
fn in_places<C: Code>(list: &[C], layout: RowBits, class: impl Fn(usize) -> u32) -> Option<Vec<u32>> {
    let mut words = vec![0u32; list.len()];
    for (id, code) in list.iter().enumerate() {
        let place = &mut words[code.wide() as usize];
        if *place & NEW_VALUE != 0 {
            return None;
        }
        *place = layout.word(class(id), id as u32) | NEW_VALUE;
    }
    Some(words)
}

/// The rows of every class in a list.
pub(crate) fn tally(list: &[u32], layout: RowBits, classes: usize) -> Vec<f64> {
    if classes == 2 {
        let ones: u32 = list.iter().map(|word| word & 1).sum();
        return vec![(list.len() - ones as usize) as f64, f64::from(ones)];
    }
    // Four lists of counts: the processor need not wait for one increment before it makes the next.
    let mut counts = ShortList::filled([0; 4], classes);
    let counts = counts.entries();
    let mut quads = list.chunks_exact(4);
    for quad in &mut quads {
        for (lane, &word) in quad.iter().enumerate() {
            counts[layout.class(word) as usize][lane] += 1;
        }
    }
    for &word in quads.remainder() {
        counts[layout.class(word) as usize][0] += 1;
    }
    let mut tally = vec![0.0; classes];
    for (weight, [a, b, c, d]) in tally.iter_mut().zip(counts) {
        *weight = f64::from(*a + *b + *c + *d);
    }
    tally
}
