//! The next of two bytes, eight bytes at a time.
//!
//! Fields are short: a call to a vector search costs more than it saves.

/// Where the first of two bytes is, from a place on; the end if there is none.
#[inline(always)]
pub(super) fn next_of(bytes: &[u8], from: usize, a: u8, b: u8) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let (all_a, all_b) = (ONES * u64::from(a), ONES * u64::from(b));
    let mut at = from;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*word);
        // The top bit of the first byte that is zero in `x` is set, and none before it.
        let zero = |x: u64| x.wrapping_sub(ONES) & !x & TOPS;
        let found = zero(word ^ all_a) | zero(word ^ all_b);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| byte == a || byte == b).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_first_of_both(bytes in prop::collection::vec(0u8..6, 0..40), high: bool, from in 0usize..45) {
            let (a, b) = if high { (4 | 0x80, 5) } else { (0, 1) };
            let bytes: Vec<u8> = bytes.iter().map(|&x| if x == 4 && high { x | 0x80 } else { x }).collect();
            let expected = (from..bytes.len()).find(|&at| [a, b].contains(&bytes[at]));
            prop_assert_eq!(next_of(&bytes, from, a, b), expected.unwrap_or(bytes.len().max(from)));
        }
    }
}
