//! Coding a numeric column: every value becomes its dense rank among the distinct values.

use super::Codes;
use super::table::has_fraction;
use crate::error::Result;
use crate::memory;
use crate::simd::{Kernel, WHOLE};

/// A key that sorts as the number does.
#[inline]
pub(crate) fn key(x: f64) -> u64 {
    // Adding zero turns -0 into 0, so that the two are one value.
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The number of a key.
#[inline]
pub(crate) fn unkey(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// The distinct values in ascending order and the rank of every cell; a missing cell (NaN) gets the
/// number of distinct values. `O(n)` for large columns (radix sort).
///
/// ```
/// let (values, codes) = secateur::data::ranks(&[2.5, f64::NAN, -1.0, 2.5])?;
/// assert_eq!(values, [-1.0, 2.5]);
/// assert_eq!((0..4).map(|i| codes.get(i)).collect::<Vec<_>>(), [1, 2, 0, 1]);
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn ranks(cells: &[f64]) -> Result<(Vec<f64>, Codes)> {
    Ranker::default().ranks(cells)
}

/// Codes one column after the other and keeps its working memory in between.
#[derive(Default)]
pub(super) struct Ranker {
    words: Vec<u64>,
    other: Vec<u64>,
    places: Vec<u16>,
}

impl Ranker {
    /// See [`ranks`].
    pub(super) fn ranks(&mut self, cells: &[f64]) -> Result<(Vec<f64>, Codes)> {
        if let Some(coded) = bytes(cells, Kernel::detect())? {
            return Ok(coded);
        }
        if let Some(coded) = self.small_whole_numbers(cells)? {
            return Ok(coded);
        }
        self.sort(cells)?;
        let (rows, keys) = (&self.words, &self.other);
        let distinct = keys.windows(2).filter(|pair| pair[0] != pair[1]).count() + keys.len().min(1);
        let mut values = Vec::new();
        memory::reserve(&mut values, distinct, CODING)?;
        for (i, &key) in keys.iter().enumerate() {
            if i == 0 || keys[i - 1] != key {
                values.push(unkey(key));
            }
        }
        let codes = match distinct {
            0..=0xff => Codes::U8(scatter(rows, keys, distinct as u8, cells.len(), |r| r as u8)?),
            0x100..=0xffff => Codes::U16(scatter(rows, keys, distinct as u16, cells.len(), |r| r as u16)?),
            _ => Codes::U32(scatter(rows, keys, distinct as u32, cells.len(), |r| r)?),
        };
        Ok((values, codes))
    }

    /// Whole numbers from a small range need no sorting: a list says which of them occur.
    fn small_whole_numbers(&mut self, cells: &[f64]) -> Result<Option<(Vec<f64>, Codes)>> {
        const MOST: f64 = 65_536.0;
        let (mut low, mut high, mut holes) = (f64::INFINITY, f64::NEG_INFINITY, false);
        for chunk in cells.chunks(4096) {
            let mut whole = true;
            for &x in chunk {
                // A missing value (NaN) changes neither bound.
                low = if x < low { x } else { low };
                high = if x > high { x } else { high };
                whole &= !has_fraction(x);
                holes |= x.is_nan();
            }
            if !whole || high - low >= MOST.min(4.0 * cells.len() as f64) {
                return Ok(None);
            }
        }
        if low > high || low.abs() > 1e15 || high.abs() > 1e15 {
            return Ok(None);
        }
        // The last bits of the sum are the whole number.
        let place = |x: f64| (x - low + WHOLE).to_bits() as u16;
        self.places.clear();
        memory::reserve(&mut self.places, cells.len(), CODING)?;
        self.places.extend(cells.iter().map(|&x| place(x)));
        let mut rank = vec![0u32; usize::from(place(high)) + 1];
        if rank.len() <= 2 {
            rank.fill(1);
        } else if holes {
            cells.iter().filter(|x| !x.is_nan()).for_each(|&x| rank[usize::from(place(x))] = 1);
        } else {
            self.places.iter().for_each(|&place| rank[usize::from(place)] = 1);
        }
        let mut values = Vec::new();
        for (i, rank) in rank.iter_mut().enumerate() {
            if *rank == 1 {
                *rank = values.len() as u32;
                // Adding zero turns -0 into 0.
                values.push(low + i as f64 + 0.0);
            }
        }
        let missing = values.len() as u32;
        memory::ask(cells.len() * size_of::<u16>(), CODING)?;
        let codes = if holes {
            let code = |x: &f64| if x.is_nan() { missing } else { rank[usize::from(place(*x))] };
            Codes::pack(cells.iter().map(code), missing)
        } else if rank.len() == values.len() {
            Codes::pack(self.places.iter().map(|&place| u32::from(place)), missing)
        } else {
            Codes::pack(self.places.iter().map(|&place| rank[usize::from(place)]), missing)
        };
        Ok(Some((values, codes)))
    }

    /// The rows that have a value in the order of their values (`words`), and their keys (`other`).
    ///
    /// The upper half of the key is sorted together with the row number as one word, by radix; rows that agree in it are
    /// then put in order among themselves, which is rarely more than a few at a time.
    fn sort(&mut self, cells: &[f64]) -> Result<()> {
        let Self { words, other, .. } = self;
        words.clear();
        other.clear();
        memory::reserve(words, cells.len(), CODING)?;
        memory::reserve(other, cells.len(), CODING)?;
        for (row, &x) in cells.iter().enumerate() {
            if !x.is_nan() {
                words.push(key(x) & !0xffff_ffff | row as u64);
            }
        }
        sort_upper_half(words, other);
        other.clear();
        other.extend(words.iter_mut().map(|word| {
            *word &= 0xffff_ffff;
            key(cells[*word as usize])
        }));
        let mut start = 0;
        while start < other.len() {
            let upper = other[start] >> 32;
            let mut end = start + 1;
            while end < other.len() && other[end] >> 32 == upper {
                end += 1;
            }
            if end == start + 2 {
                // The most frequent case by far.
                if other[start] > other[start + 1] {
                    words.swap(start, start + 1);
                    other.swap(start, start + 1);
                }
            } else if end > start + 1 && !other[start..end].is_sorted() {
                let rows = &mut words[start..end];
                rows.sort_by_key(|&row| key(cells[row as usize]));
                for (key_of, &row) in other[start..end].iter_mut().zip(rows.iter()) {
                    *key_of = key(cells[row as usize]);
                }
            }
            start = end;
        }
        Ok(())
    }
}

/// What memory is wanted for.
const CODING: &str = "the codes of a column";

/// Whole numbers from 0 to 255 (flags, classes, small counts) are read once; nothing when there is another one, or a hole.
fn bytes(cells: &[f64], kernel: Kernel) -> Result<Option<(Vec<f64>, Codes)>> {
    let mut codes = memory::filled(0u8, cells.len(), CODING)?;
    for (chunk, codes) in cells.chunks(1024).zip(codes.chunks_mut(1024)) {
        if !kernel.bytes(chunk, codes) {
            return Ok(None);
        }
    }
    let mut occurs = [false; 256];
    if codes.iter().all(|&code| code <= 1) {
        occurs[0] = codes.contains(&0);
        occurs[1] = codes.contains(&1);
    } else {
        codes.iter().for_each(|&code| occurs[usize::from(code)] = true);
    }
    let values: Vec<f64> = (0u8..=255).filter(|&v| occurs[usize::from(v)]).map(f64::from).collect();
    // All 256 leave no code for a missing value.
    let Some(largest) = values.len().checked_sub(1).filter(|_| values.len() < 256) else { return Ok(None) };
    if values[largest] != largest as f64 {
        let mut rank = [0u8; 256];
        (0..).zip(&values).for_each(|(r, &v)| rank[v as usize] = r);
        codes.iter_mut().for_each(|code| *code = rank[usize::from(*code)]);
    }
    Ok(Some((values, Codes::U8(codes))))
}

/// The rank of every row, from rows in the order of their keys.
fn scatter<T: Copy>(
    rows: &[u64],
    keys: &[u64],
    missing: T,
    len: usize,
    narrow: impl Fn(u32) -> T,
) -> Result<Vec<T>> {
    let mut codes = memory::filled(missing, len, CODING)?;
    let (mut rank, mut last) = (0, keys.first().copied().unwrap_or(0));
    for (&row, &key) in rows.iter().zip(keys) {
        rank += u32::from(key != last);
        last = key;
        codes[row as usize] = narrow(rank);
    }
    Ok(codes)
}

/// The rows of a column in the order of their codes: words with the code in the upper half and the row in the lower.
pub(crate) fn rows_in_order(codes: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut words: Vec<u64> = (0u64..).zip(codes).map(|(row, code)| u64::from(code) << 32 | row).collect();
    sort_upper_half(&mut words, &mut Vec::new());
    words
}

/// Sorts by the upper 32 bits, stably: least-significant-digit radix sort that skips digits equal everywhere.
fn sort_upper_half(words: &mut Vec<u64>, other: &mut Vec<u64>) {
    const BITS: u32 = 11;
    const SIZE: usize = 1 << BITS;
    if words.len() < 2048 {
        words.sort_unstable();
        return;
    }
    let digit = |word: u64, d: usize| (word >> (32 + d as u32 * BITS)) as usize & (SIZE - 1);
    let mut counts = Box::new([[0u32; SIZE]; 3]);
    let [lowest, middle, highest] = &mut *counts;
    for &word in words.iter() {
        lowest[digit(word, 0)] += 1;
        middle[digit(word, 1)] += 1;
        highest[digit(word, 2)] += 1;
    }
    other.resize(words.len(), 0);
    for (d, count) in counts.iter_mut().enumerate() {
        if count[digit(words[0], d)] as usize == words.len() {
            continue;
        }
        let mut offset = 0;
        for c in count.iter_mut() {
            offset += std::mem::replace(c, offset);
        }
        let (from, to) = (&words[..], &mut other[..]);
        for &word in from {
            let slot = &mut count[digit(word, d)];
            to[*slot as usize] = word;
            *slot += 1;
        }
        std::mem::swap(words, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn small_numbers_are_coded_in_one_pass(cells in prop::collection::vec(0u8..=255, 1..3000), odd in
            prop::option::of((any::<prop::sample::Index>(), prop_oneof![Just(256.0), Just(-1.0), Just(0.5), Just(f64::NAN), Just(1e300)])))
        {
            let mut cells: Vec<f64> = cells.into_iter().map(f64::from).collect();
            if let Some((place, x)) = odd {
                let place = place.index(cells.len());
                cells[place] = x;
            }
            let plain = bytes(&cells, Kernel::Portable).unwrap();
            prop_assert_eq!(&plain, &bytes(&cells, Kernel::detect()).unwrap());
            let all = (0..=255).all(|v| cells.contains(&f64::from(v)));
            prop_assert_eq!(plain.is_some(), odd.is_none() && !all);
            if let Some((values, codes)) = plain {
                prop_assert!(values.windows(2).all(|w| w[0] < w[1]));
                prop_assert!(cells.iter().enumerate().all(|(row, &x)| values[codes.get(row) as usize] == x));
            }
        }

        #[test]
        fn ranks_rebuild_the_column(cells in prop::collection::vec(
            prop_oneof![Just(f64::NAN), Just(-0.0), Just(0.0), (-3i32..3).prop_map(f64::from), (0u8..=255).prop_map(f64::from), any::<i32>().prop_map(f64::from), any::<f64>()
                .prop_filter("finite", |x| x.is_finite())], 0..60), copies in 1usize..60)
        {
            let cells: Vec<f64> = cells.iter().copied().cycle().take(cells.len() * copies).collect();
            let (values, codes) = ranks(&cells).unwrap();
            prop_assert!(values.windows(2).all(|w| w[0] < w[1]));
            for (row, &x) in cells.iter().enumerate() {
                let code = codes.get(row) as usize;
                if x.is_nan() { prop_assert_eq!(code, values.len()) } else { prop_assert_eq!(values[code], x) }
            }
        }
    }
}
