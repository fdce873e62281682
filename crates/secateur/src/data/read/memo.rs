//! Short texts seen before, recognised by their bytes in two words.
//!
//! A nominal column has the same few values again and again. Most are short, and comparing two words is much less
//! work than hashing a text and comparing it by a call. A memo forgets: where two texts share a place, the later one has it.

use std::ops::Range;

/// The bytes of a text, with zeros behind them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key([u64; 2]);

impl Key {
    /// The key of a part of a text without NUL bytes. A long or empty part has none, nor have the last few
    /// bytes of the text, where two words cannot be read at once.
    #[inline(always)]
    pub(super) fn of(text: &[u8], part: Range<usize>) -> Option<Self> {
        let length = part.len();
        if length == 0 || length > 16 {
            return None;
        }
        let word = u128::from_le_bytes(*text.get(part.start..)?.first_chunk()?);
        let word = word & (u128::MAX >> (128 - 8 * length));
        Some(Self([word as u64, (word >> 64) as u64]))
    }
}

/// Numbers of texts, by their keys.
pub(super) struct Memo {
    slots: Vec<(Key, u32)>,
    shift: u32,
}

impl Memo {
    const FEWEST: u32 = 8;
    const MOST: u32 = 13;

    /// A memo for a column of this many rows and texts; few rows are not worth one.
    pub(super) fn for_rows(rows: usize, texts: usize) -> Self {
        if rows < 1 << Self::FEWEST {
            return Self { slots: Vec::new(), shift: u64::BITS - Self::FEWEST };
        }
        Self::new(texts)
    }

    /// Room for about this many texts.
    pub(super) fn new(texts: usize) -> Self {
        let bits = usize::BITS - texts.saturating_mul(4).leading_zeros();
        let bits = bits.clamp(Self::FEWEST, Self::MOST);
        Self { slots: vec![(Key([0; 2]), 0); 1 << bits], shift: u64::BITS - bits }
    }

    #[inline(always)]
    fn slot(&self, Key([a, b]): Key) -> usize {
        // Two odd numbers without pattern; the upper bits of the products depend on all of the text.
        let mixed = a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (mixed >> self.shift) as usize
    }

    /// The number of a text, if it is still known.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<u32> {
        let (known, code) = *self.slots.get(self.slot(key))?;
        (known == key).then_some(code)
    }

    /// Remembers the number of a text.
    pub(super) fn set(&mut self, key: Key, code: u32) {
        if self.slots.is_empty() {
            return;
        }
        if code as usize >= self.slots.len() / 4 && self.shift > u64::BITS - Self::MOST {
            *self = Self::new(code as usize * 2);
        }
        let slot = self.slot(key);
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = (key, code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_own_number_or_none() {
        let mut memo = Memo::new(0);
        let texts: Vec<String> = (0..5000).map(|n| format!("{n:b}")).collect();
        let mut known = 0;
        for _ in 0..2 {
            for (code, text) in texts.iter().enumerate() {
                let line = format!("x,{text},                ");
                let key = Key::of(line.as_bytes(), 2..2 + text.len()).unwrap();
                if let Some(found) = memo.get(key) {
                    assert_eq!(found as usize, code);
                    known += 1;
                }
                memo.set(key, code as u32);
                assert_eq!(memo.get(key), Some(code as u32));
            }
        }
        assert!(known > 1000, "{known}");
    }

    #[test]
    fn keys_tell_texts_apart() {
        let key = |text: &[u8], part| Key::of(text, part).map(|key| key.0);
        let line = b"ab,abc,,abcdefghijklmnopqrstuvwxyz";
        assert_ne!(key(line, 0..2), key(line, 3..6));
        assert_eq!(key(line, 0..2), key(line, 3..5));
        assert_ne!(key(line, 8..23), key(line, 8..24));
        assert_eq!(key(line, 7..7), None);
        assert_eq!(key(line, 8..25), None);
        assert_eq!(key(line, 30..33), None);
    }
}
