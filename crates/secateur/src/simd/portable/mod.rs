//! The loops for any processor.

mod descend;
mod scores;

use super::{NEW_VALUE, SIDES_BEHIND, WHOLE};

pub(crate) use descend::round_down;
pub(super) use descend::step;
pub(super) use scores::{any_classes, two_classes};

/// See [`Kernel::partition`](super::Kernel::partition). Kept out of line: inlined, it takes more instructions.
#[inline(never)]
pub(super) fn partition(list: &mut [u32], spare: &mut [u32], side: &[u8], class_bits: u32) -> usize {
    let spare = &mut spare[..list.len()];
    let side = &side[..side.len() - SIDES_BEHIND];
    let (mut l, mut r) = (0, 0);
    // Whether a new value began since the last row that went left (right), as a mark.
    let (mut left_began, mut right_began) = (0, 0);
    for i in 0..list.len() {
        let word = list[i];
        let right = usize::from(side[((word & !NEW_VALUE) >> class_bits) as usize]);
        left_began |= word & NEW_VALUE;
        right_began |= word & NEW_VALUE;
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

/// See [`Kernel::bytes`](super::Kernel::bytes).
pub(super) fn bytes(cells: &[f64], bytes: &mut [u8]) -> bool {
    cells.iter().zip(bytes).fold(true, |fit, (&x, byte)| {
        *byte = (x + WHOLE).to_bits() as u8;
        fit & (f64::from(*byte) == x)
    })
}
