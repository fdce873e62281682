//! Rows in the order of a column, a word of 32 bits for each: its class, its id, and whether a new value begins with it.
//!
//! The values themselves are not needed to find a cut, only where one ends. What a cut is between is looked up by id, once
//! for a node and not for every row.

use crate::data::Codes;
use crate::data::codes::{Code, each_width};
use crate::wide::Wide;

/// The mark of the first row of a value. (It says nothing at the first row of a node.)
pub(crate) const STEP: u32 = 1 << 31;

/// Which bits of a word hold what: class, then id, then the mark.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordLayout {
    pub class_bits: u32,
}

impl WordLayout {
    /// The layout for this many ids and classes, if they fit into a word.
    pub fn new(ids: usize, classes: usize) -> Option<Self> {
        let bits = |n: usize| usize::BITS - n.saturating_sub(1).leading_zeros();
        let class_bits = bits(classes);
        (bits(ids) + class_bits < u32::BITS).then_some(Self { class_bits })
    }

    #[inline(always)]
    pub fn word(self, class: u32, id: u32) -> u32 {
        id << self.class_bits | class
    }

    #[inline(always)]
    pub fn id(self, word: u32) -> usize {
        ((word & !STEP) >> self.class_bits) as usize
    }

    #[inline(always)]
    pub fn class(self, word: u32) -> u32 {
        word & ((1 << self.class_bits) - 1)
    }
}

/// The words of a column in which every row has a value, in the order of its codes (and ids): a counting sort.
pub(super) fn in_order(
    codes: &Codes,
    values: u32,
    layout: WordLayout,
    class: impl Fn(usize) -> u32,
) -> Vec<u32> {
    each_width!(codes, list => {
        if values as usize == list.len() && let Some(words) = in_places(list, layout, &class) {
            return words;
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
                *word |= STEP;
            }
        }
        words
    })
}

/// The words of a column whose codes are all different: the code is the place. `None` when two are equal.
fn in_places<C: Code>(list: &[C], layout: WordLayout, class: impl Fn(usize) -> u32) -> Option<Vec<u32>> {
    let mut words = vec![0u32; list.len()];
    for (id, code) in list.iter().enumerate() {
        let place = &mut words[code.wide() as usize];
        if *place & STEP != 0 {
            return None;
        }
        *place = layout.word(class(id), id as u32) | STEP;
    }
    Some(words)
}

/// The rows of every class in a list.
pub(crate) fn tally(list: &[u32], layout: WordLayout, classes: usize) -> Vec<f64> {
    if classes == 2 {
        let ones: u32 = list.iter().map(|word| word & 1).sum();
        return vec![(list.len() - ones as usize) as f64, f64::from(ones)];
    }
    // Four lists of counts: the processor need not wait for one increment before it makes the next.
    let mut counts = vec![[0u32; 4]; classes];
    let mut quads = list.chunks_exact(4);
    for quad in &mut quads {
        for (lane, &word) in quad.iter().enumerate() {
            counts[layout.class(word) as usize][lane] += 1;
        }
    }
    for &word in quads.remainder() {
        counts[layout.class(word) as usize][0] += 1;
    }
    counts.iter().map(|c| f64::from(c.iter().sum::<u32>())).collect()
}

/// Branches of all ids, and working memory, for splitting lists of words.
pub(super) struct Sides {
    /// The branch of every id; three more bytes follow, because four are read at a time.
    branch: Vec<u8>,
    wide: Option<Wide>,
}

impl Sides {
    pub fn new(ids: usize) -> Self {
        Self { branch: vec![0; ids + 3], wide: Wide::detect() }
    }

    pub fn len(&self) -> usize {
        self.branch.len() - 3
    }

    #[inline(always)]
    pub fn of(&self, id: usize) -> u8 {
        self.branch[id]
    }

    #[inline(always)]
    pub fn set(&mut self, id: usize, branch: u8) {
        self.branch[id] = branch;
    }

    /// Stable partition of words by side 0 or 1; says how many went to side 0.
    pub fn two_ways(&self, layout: WordLayout, list: &mut [u32], spare: &mut Vec<u32>) -> usize {
        if spare.len() < list.len() {
            spare.resize(list.len(), 0);
        }
        if let Some(wide) = self.wide {
            debug_assert!(list.iter().all(|&word| layout.id(word) < self.len()));
            // SAFETY: lists hold ids of their block, for which there are branches.
            return unsafe { wide.two_ways(list, spare, &self.branch, layout.class_bits) };
        }
        self.two_ways_plain(layout, list, spare)
    }

    fn two_ways_plain(&self, layout: WordLayout, list: &mut [u32], spare: &mut [u32]) -> usize {
        let spare = &mut spare[..list.len()];
        let (mut l, mut r) = (0, 0);
        // Whether a new value began since the last row that went left (right), as a mark.
        let (mut left_began, mut right_began) = (0, 0);
        for i in 0..list.len() {
            let word = list[i];
            let right = usize::from(self.branch[layout.id(word)]);
            left_began |= word & STEP;
            right_began |= word & STEP;
            // No branch that the processor would have to guess: both places are written, one is kept.
            list[l] = word | left_began;
            spare[r] = word | right_began;
            l += 1 - right;
            r += right;
            let all = (right as u32).wrapping_neg();
            left_began &= all;
            right_began &= !all;
        }
        list[l..].copy_from_slice(&spare[..r]);
        l
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Words stay in order and marked where a new value begins, split in plain or wide steps.
        #[test]
        fn splitting_keeps_order_and_marks(
            rows in prop::collection::vec((0u32..40, 0u32..5, any::<bool>()), 1..200), splits in 1usize..4
        ) {
            let codes = Codes::U32(rows.iter().map(|r| r.0).collect());
            let layout = WordLayout::new(rows.len(), 5).unwrap();
            let words = in_order(&codes, 40, layout, |id| rows[id].1);
            let mut sides = Sides::new(rows.len());
            for wide in [sides.wide, None] {
                sides.wide = wide;
                let mut list = words.clone();
                let mut segments = vec![std::ops::Range { start: 0, end: rows.len() }];
                for split in 0..splits {
                    for (id, row) in rows.iter().enumerate() {
                        sides.set(id, u8::from(row.2 ^ (id >> split & 1 == 1)));
                    }
                    let mut next = Vec::new();
                    for segment in segments {
                        let l = sides.two_ways(layout, &mut list[segment.clone()], &mut Vec::new());
                        next.push(segment.start..segment.start + l);
                        next.push(segment.start + l..segment.end);
                        let ids = |range: std::ops::Range<usize>| list[range].iter().map(|&w| layout.id(w)).collect::<Vec<_>>();
                        prop_assert!(ids(segment.start..segment.start + l).iter().all(|&id| sides.of(id) == 0));
                        prop_assert!(ids(segment.start + l..segment.end).iter().all(|&id| sides.of(id) == 1));
                    }
                    segments = next;
                }
                for segment in segments {
                    for pair in list[segment].windows(2) {
                        let (a, b) = (layout.id(pair[0]), layout.id(pair[1]));
                        prop_assert!((rows[a].0, a) < (rows[b].0, b));
                        prop_assert_eq!(rows[a].0 != rows[b].0, pair[1] & STEP != 0);
                        prop_assert_eq!(layout.class(pair[1]), rows[b].1);
                    }
                }
            }
        }
    }
}
