//! The branch of every row of a block, and lists of packed rows split by it.

use crate::simd::{Kernel, SIDES_BEHIND};
use crate::split::packed_rows::RowBits;

/// Branches of all ids, and working memory, for splitting lists of words.
pub(super) struct Branches {
    /// The branch of every id; [`SIDES_BEHIND`] more bytes follow.
    branch: Vec<u8>,
    kernel: Kernel,
}

impl Branches {
    pub(super) fn new(ids: usize) -> Self {
        Self { branch: vec![0; ids + SIDES_BEHIND], kernel: Kernel::detect() }
    }

    pub(super) fn len(&self) -> usize {
        self.branch.len() - SIDES_BEHIND
    }

    #[inline(always)]
    pub(super) fn of(&self, id: usize) -> u8 {
        self.branch[id]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, id: usize, branch: u8) {
        self.branch[id] = branch;
    }

    /// Stable partition of words by side 0 or 1; says how many went to side 0.
    #[inline]
    pub(super) fn two_ways(&self, layout: RowBits, list: &mut [u32], spare: &mut Vec<u32>) -> usize {
        if spare.len() < list.len() {
            spare.resize(list.len(), 0);
        }
        self.kernel.partition(list, spare, &self.branch, layout.class_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Codes;
    use crate::simd::NEW_VALUE;
    use crate::split::packed_rows::in_order;
    use proptest::prelude::*;

    proptest! {
        /// Words stay in order and marked where a new value begins, split by any kernel.
        #[test]
        fn splitting_keeps_order_and_marks(
            rows in prop::collection::vec((0u32..40, 0u32..5, any::<bool>()), 1..200), splits in 1usize..4
        ) {
            let codes = Codes::U32(rows.iter().map(|r| r.0).collect());
            let layout = RowBits::new(rows.len(), 5).unwrap();
            let words = in_order(&codes, 40, layout, |id| rows[id].1);
            let mut sides = Branches::new(rows.len());
            for kernel in [Kernel::detect(), Kernel::Portable] {
                sides.kernel = kernel;
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
                        prop_assert_eq!(rows[a].0 != rows[b].0, pair[1] & NEW_VALUE != 0);
                        prop_assert_eq!(layout.class(pair[1]), rows[b].1);
                    }
                }
            }
        }
    }
}
