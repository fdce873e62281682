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
    let mut pairs: Vec<(u64, u32)> = Vec::with_capacity(cells.len());
    pairs.extend(cells.iter().enumerate().filter(|(_, x)| !x.is_nan()).map(|(row, &x)| (key(x), row as u32)));
    sort(&mut pairs);
    let mut values = Vec::new();
    let mut last = None;
    for pair in &mut pairs {
        if last != Some(pair.0) {
            last = Some(pair.0);
            values.push(unkey(pair.0));
        }
        pair.0 = values.len() as u64 - 1;
    }
    values.shrink_to_fit();
    let missing = values.len() as u32;
    let codes = match missing {
        0..=0xff => Codes::U8(scatter(&pairs, missing as u8, cells.len(), |r| r as u8)),
        0x100..=0xffff => Codes::U16(scatter(&pairs, missing as u16, cells.len(), |r| r as u16)),
        _ => Codes::U32(scatter(&pairs, missing, cells.len(), |r| r as u32)),
    };
    (values, codes)
}

fn scatter<T: Copy>(pairs: &[(u64, u32)], missing: T, len: usize, narrow: impl Fn(u64) -> T) -> Vec<T> {
    let mut codes = vec![missing; len];
    for &(rank, row) in pairs {
        codes[row as usize] = narrow(rank);
    }
    codes
}

/// Sorts by key: least-significant-digit radix sort, skipping digits that are the same everywhere.
fn sort(pairs: &mut Vec<(u64, u32)>) {
    const BITS: u32 = 11;
    const DIGITS: usize = 6;
    const SIZE: usize = 1 << BITS;
    if pairs.len() < 2048 {
        pairs.sort_unstable();
        return;
    }
    let digit = |key: u64, d: usize| (key >> (d as u32 * BITS)) as usize & (SIZE - 1);
    let mut counts = vec![[0u32; SIZE]; DIGITS];
    for &(key, _) in pairs.iter() {
        for (d, count) in counts.iter_mut().enumerate() {
            count[digit(key, d)] += 1;
        }
    }
    let mut other = vec![(0u64, 0u32); pairs.len()];
    for (d, count) in counts.iter_mut().enumerate() {
        if count[digit(pairs[0].0, d)] as usize == pairs.len() {
            continue;
        }
        let mut offset = 0;
        for c in count.iter_mut() {
            offset += std::mem::replace(c, offset);
        }
        for &pair in pairs.iter() {
            let slot = &mut count[digit(pair.0, d)];
            other[*slot as usize] = pair;
            *slot += 1;
        }
        std::mem::swap(pairs, &mut other);
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
