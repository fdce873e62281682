//! Running many rows down a tree.

use crate::simd::{CHUNK, FIRST_ENDS, Next, Rows, Tests, prefetch};

/// The largest number of 32 bits that is not above.
pub(crate) fn round_down(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) > x { near.next_down() } else { near }
}

/// See [`Kernel::step`](crate::simd::Kernel::step).
#[inline(never)] // in its caller it has too few registers
pub(in crate::simd) fn step(tests: Tests, rows: &mut Rows, mut otherwise: impl FnMut(u32, u32) -> Next) {
    let Tests { words, shift } = tests;
    let mut left = 0;
    for i in 0..rows.running {
        let (slot, row) = (rows.slots[i], rows.rows[i]);
        let word = words[slot as usize];
        let (below, to) = (f32::from_bits(word as u32), (word >> 32) as u32);
        let column = (to & ((1 << shift) - 1)) >> 2;
        let x = rows.numbers[column as usize * CHUNK + row as usize];
        let (is_left, is_right) = (x < below, x > below);
        let next = if is_left | is_right {
            let right = u32::from(is_right);
            let next = (to >> shift << 1) | right;
            if to & (FIRST_ENDS << right) == 0 { Next::Test(next) } else { Next::End(next) }
        } else {
            otherwise(slot, row)
        };
        match next {
            Next::End(slot) => rows.ends[row as usize] = slot,
            Next::Test(slot) => {
                prefetch(&words[slot as usize]);
                (rows.slots[left], rows.rows[left]) = (slot, row);
                left += 1;
            }
        }
    }
    rows.running = left;
}
