//! Coding a numeric column: every value becomes its dense rank among the distinct values.

use super::Codes;

/// A key that sorts as the number does.
fn key(x: f64) -> u64 {
    // Adding zero turns -0 into 0, so that the two are one value.
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn unkey(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// The distinct values in ascending order and the rank of every cell; a missing cell (NaN) gets the
/// number of distinct values. `O(n)` for large columns (radix sort).
///
/// ```
/// let (values, codes) = secateur::data::ranks(&[2.5, f64::NAN, -1.0, 2.5]);
/// assert_eq!(values, [-1.0, 2.5]);
/// assert_eq!((0..4).map(|i| codes.get(i)).collect::<Vec<_>>(), [1, 2, 0, 1]);
/// ```
pub fn ranks(cells: &[f64]) -> (Vec<f64>, Codes) {
    if let Some(coded) = small_whole_numbers(cells) {
        return coded;
    }
    let order = sorted(cells);
    let mut values = Vec::new();
    let mut last = None;
    let mut rank_of = Vec::with_capacity(order.len());
    for &row in &order {
        let key = key(cells[row as usize]);
        if last != Some(key) {
            last = Some(key);
            values.push(unkey(key));
        }
        rank_of.push(values.len() as u32 - 1);
    }
    values.shrink_to_fit();
    let missing = values.len() as u32;
    let codes = match missing {
        0..=0xff => Codes::U8(scatter(&order, &rank_of, missing as u8, cells.len(), |r| r as u8)),
        0x100..=0xffff => Codes::U16(scatter(&order, &rank_of, missing as u16, cells.len(), |r| r as u16)),
        _ => Codes::U32(scatter(&order, &rank_of, missing, cells.len(), |r| r)),
    };
    (values, codes)
}

/// Whole numbers from a small range need no sorting: a list says which of them occur.
fn small_whole_numbers(cells: &[f64]) -> Option<(Vec<f64>, Codes)> {
    const MOST: f64 = 65_536.0;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for chunk in cells.chunks(4096) {
        let mut whole = true;
        for &x in chunk {
            whole &= (x as i64 as f64 == x) | x.is_nan();
            // A missing value (NaN) changes neither.
            low = low.min(x);
            high = high.max(x);
        }
        if !whole || high - low >= MOST.min(4.0 * cells.len() as f64) {
            return None;
        }
    }
    if low > high || low.abs() > 1e15 || high.abs() > 1e15 {
        return None;
    }
    let place = |x: f64| (x - low) as usize;
    let mut rank = vec![0u32; place(high) + 1];
    for &x in cells.iter().filter(|x| !x.is_nan()) {
        rank[place(x)] = 1;
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
    let code = |x: &f64| if x.is_nan() { missing } else { rank[place(*x)] };
    Some((values, Codes::pack(cells.iter().map(code), missing)))
}

fn scatter<T: Copy>(
    order: &[u32],
    ranks: &[u32],
    missing: T,
    len: usize,
    narrow: impl Fn(u32) -> T,
) -> Vec<T> {
    let mut codes = vec![missing; len];
    for (&row, &rank) in order.iter().zip(ranks) {
        codes[row as usize] = narrow(rank);
    }
    codes
}

/// The rows that have a value, in the order of their values.
///
/// The upper half of the key is sorted together with the row number as one word, by radix; rows that agree in it are
/// then put in order among themselves, which is rarely more than a few at a time.
fn sorted(cells: &[f64]) -> Vec<u32> {
    let mut words: Vec<u64> = Vec::with_capacity(cells.len());
    let known = cells.iter().enumerate().filter(|(_, x)| !x.is_nan());
    words.extend(known.map(|(row, &x)| key(x) & !0xffff_ffff | row as u64));
    sort_upper_half(&mut words);
    let mut order: Vec<u32> = words.iter().map(|w| *w as u32).collect();
    let mut start = 0;
    for run in words.chunk_by(|a, b| a >> 32 == b >> 32) {
        let rows = &mut order[start..start + run.len()];
        start += run.len();
        if rows.len() > 1 && !rows.is_sorted_by_key(|&row| key(cells[row as usize])) {
            rows.sort_by_key(|&row| key(cells[row as usize]));
        }
    }
    order
}

/// Sorts by the upper 32 bits, stably: least-significant-digit radix sort that skips digits equal everywhere.
fn sort_upper_half(words: &mut Vec<u64>) {
    const BITS: u32 = 11;
    const SIZE: usize = 1 << BITS;
    if words.len() < 2048 {
        words.sort_unstable();
        return;
    }
    let digit = |word: u64, d: usize| (word >> (32 + d as u32 * BITS)) as usize & (SIZE - 1);
    let mut counts = vec![[0u32; SIZE]; 3];
    for &word in words.iter() {
        for (d, count) in counts.iter_mut().enumerate() {
            count[digit(word, d)] += 1;
        }
    }
    let mut other = vec![0u64; words.len()];
    for (d, count) in counts.iter_mut().enumerate() {
        if count[digit(words[0], d)] as usize == words.len() {
            continue;
        }
        let mut offset = 0;
        for c in count.iter_mut() {
            offset += std::mem::replace(c, offset);
        }
        for &word in words.iter() {
            let slot = &mut count[digit(word, d)];
            other[*slot as usize] = word;
            *slot += 1;
        }
        std::mem::swap(words, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_rebuild_the_column(cells in prop::collection::vec(
            prop_oneof![Just(f64::NAN), Just(-0.0), Just(0.0), (-3i32..3).prop_map(f64::from), any::<i32>().prop_map(f64::from), any::<f64>()
                .prop_filter("finite", |x| x.is_finite())], 0..60), copies in 1usize..60)
        {
            let cells: Vec<f64> = cells.iter().copied().cycle().take(cells.len() * copies).collect();
            let (values, codes) = ranks(&cells);
            prop_assert!(values.windows(2).all(|w| w[0] < w[1]));
            for (row, &x) in cells.iter().enumerate() {
                let code = codes.get(row) as usize;
                if x.is_nan() { prop_assert_eq!(code, values.len()) } else { prop_assert_eq!(values[code], x) }
            }
        }
    }
}
