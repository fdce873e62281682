//! Codes: small integers in the narrowest type that holds them.

use crate::threads;

/// A column of codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// Fewer than 256 codes and the missing one.
    U8(Vec<u8>),
    /// Fewer than 65,536.
    U16(Vec<u16>),
    /// Any number.
    U32(Vec<u32>),
}

/// A type that codes are kept in.
pub(crate) trait Code: Copy + Send + Sync {
    fn wide(self) -> u32;
}

impl Code for u8 {
    fn wide(self) -> u32 {
        u32::from(self)
    }
}

impl Code for u16 {
    fn wide(self) -> u32 {
        u32::from(self)
    }
}

impl Code for u32 {
    fn wide(self) -> u32 {
        self
    }
}

/// What some rows have in a list, in the order given.
#[inline]
pub(crate) fn pick<T: Copy + Default>(list: &[T], rows: &[u32]) -> Vec<T> {
    let mut picked = vec![T::default(); rows.len()];
    for i in 0..rows.len() {
        picked[i] = list[rows[i] as usize];
    }
    picked
}

/// Runs the same code for whichever width a column has.
macro_rules! each_width {
    ($codes:expr, $list:ident => $body:expr) => {
        match $codes {
            $crate::data::Codes::U8($list) => $body,
            $crate::data::Codes::U16($list) => $body,
            $crate::data::Codes::U32($list) => $body,
        }
    };
}
pub(crate) use each_width;

impl Codes {
    /// Packs codes that are at most `largest`.
    pub fn pack(codes: impl Iterator<Item = u32>, largest: u32) -> Self {
        match largest {
            0..=0xff => Self::U8(codes.map(|c| c as u8).collect()),
            0x100..=0xffff => Self::U16(codes.map(|c| c as u16).collect()),
            _ => Self::U32(codes.collect()),
        }
    }

    /// The code of a row.
    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        each_width!(self, list => list[row].wide())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        each_width!(self, list => list.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The codes of some rows, in the order given.
    pub(crate) fn gather(&self, rows: &[u32]) -> Self {
        match self {
            Self::U8(list) => Self::U8(pick(list, rows)),
            Self::U16(list) => Self::U16(pick(list, rows)),
            Self::U32(list) => Self::U32(pick(list, rows)),
        }
    }

    /// Whether any row has this code.
    pub(crate) fn contains(&self, code: u32) -> bool {
        // No way out within a chunk: that lets the compiler compare many at a time.
        let occurs = |found: bool, c: u32| found | (c == code);
        each_width!(self, list => {
            let chunks: Vec<_> = list.chunks(1 << 14).collect();
            threads::any(chunks.len(), |i| chunks[i].iter().fold(false, |found, c| occurs(found, c.wide())))
        })
    }
}
