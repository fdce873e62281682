//! Entries of sorted lists in which rows may lack a value: code, class and id in one long word.

use super::BlockTarget;
use crate::data::codes::{Code, each_width};
use crate::data::{Codes, rows_in_order};
use crate::error::{Error, Place, Result};
use crate::split::packed_rows::is_sparse;

/// Which bits of an entry hold what: class, then id, then code.
#[derive(Debug, Clone, Copy)]
pub(in crate::grow) struct Layout {
    pub id_bits: u32,
    pub class_bits: u32,
}

impl Layout {
    pub(crate) fn new(ids: usize, classes: usize, codes: u32, name: &str) -> Result<Self> {
        let bits = |n: usize| usize::BITS - n.saturating_sub(1).leading_zeros();
        let layout = Self { id_bits: bits(ids), class_bits: bits(classes) };
        if layout.shift() + (u32::BITS - codes.leading_zeros()) > u64::BITS {
            return Err(Error::input(
                Place::file(name),
                format!("{ids} rows of {classes} classes are more than can be grown from in memory"),
            ));
        }
        Ok(layout)
    }

    pub(crate) fn shift(self) -> u32 {
        self.id_bits + self.class_bits
    }

    pub(crate) fn entry(self, code: u32, class: u32, id: u32) -> u64 {
        // A shift by all 64 bits cannot happen: codes take at least one.
        u64::from(code) << self.shift() | u64::from(id) << self.class_bits | u64::from(class)
    }

    #[inline(always)]
    pub(crate) fn id(self, entry: u64) -> usize {
        ((entry >> self.class_bits) & ((1 << self.id_bits) - 1)) as usize
    }

    #[inline(always)]
    pub(crate) fn class(self, entry: u64) -> u32 {
        (entry & ((1 << self.class_bits) - 1)) as u32
    }
}

/// Entries sorted by code (and id): a counting sort.
pub(super) fn sorted(codes: &Codes, missing: u32, layout: Layout, target: &BlockTarget) -> Vec<u64> {
    each_width!(codes, list => {
        if is_sparse(missing, list.len()) {
            let entry = |ordered: u64| {
                let id = ordered as u32;
                layout.entry((ordered >> 32) as u32, target.class(id as usize), id)
            };
            return rows_in_order(list.iter().map(|code| code.wide())).into_iter().map(entry).collect();
        }
        let mut starts = vec![0u32; missing as usize + 2];
        for code in list {
            starts[code.wide() as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut entries = vec![0u64; list.len()];
        for (id, code) in list.iter().enumerate() {
            let slot = &mut starts[code.wide() as usize];
            entries[*slot as usize] = layout.entry(code.wide(), target.class(id), id as u32);
            *slot += 1;
        }
        entries
    })
}
