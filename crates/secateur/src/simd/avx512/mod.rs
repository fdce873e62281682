//! The loops for processors with 512-bit vectors: sixteen rows at a time.
//!
//! An [`Avx512`] is the proof that the processor has them.

mod descend;
mod partition;
mod scores;

use std::arch::x86_64::*;

use super::{Cuts, Next, Rows, Tests, Visit};

pub(super) use scores::MOST_CLASSES;

/// The processor has 512-bit vectors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Self(()))
    }

    /// See [`Kernel::partition`](super::Kernel::partition).
    pub(crate) fn partition(
        self,
        list: &mut [u32],
        spare: &mut [u32],
        side: &[u8],
        class_bits: u32,
    ) -> usize {
        // SAFETY: the processor has what is needed.
        unsafe { partition::partition(list, spare, side, class_bits) }
    }

    /// See [`Kernel::bytes`](super::Kernel::bytes).
    pub(crate) fn bytes(self, cells: &[f64], bytes: &mut [u8]) -> bool {
        // SAFETY: the processor has what is needed.
        unsafe { to_bytes(cells, bytes) }
    }

    /// The cuts of a list of two classes.
    pub(crate) fn two_classes(self, cuts: &Cuts, bound: f64, visit: &mut impl Visit) {
        // SAFETY: the processor has what is needed.
        unsafe { scores::two_classes(cuts, bound, visit) }
    }

    /// The cuts of a list of at most [`MOST_CLASSES`] classes.
    pub(crate) fn few_classes(self, cuts: &Cuts, bound: f64, visit: &mut impl Visit) {
        // SAFETY: the processor has what is needed.
        unsafe { scores::few_classes(cuts, bound, visit) }
    }

    /// See [`Kernel::round_down`](super::Kernel::round_down).
    pub(crate) fn round_down(self, numbers: &[f64], to: &mut [f32]) {
        // SAFETY: the processor has what is needed.
        unsafe { descend::round_down(numbers, to) }
    }

    /// See [`Kernel::step`](super::Kernel::step).
    pub(crate) fn step(self, tests: Tests, rows: &mut Rows, otherwise: impl FnMut(u32, u32) -> Next) {
        // SAFETY: the processor has what is needed.
        unsafe { descend::step(tests, rows, otherwise) }
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
fn to_bytes(cells: &[f64], bytes: &mut [u8]) -> bool {
    let mut fit = 0xff;
    for (cells, bytes) in cells.chunks(8).zip(bytes.chunks_mut(8)) {
        let lanes = first(cells.len()) as u8;
        // SAFETY: only lanes inside both lists are loaded and stored; they are equally long where it matters.
        unsafe {
            let numbers = _mm512_maskz_loadu_pd(lanes, cells.as_ptr());
            let whole = _mm512_cvttpd_epi32(numbers);
            let small = _mm256_and_si256(whole, _mm256_set1_epi32(0xff));
            fit &= _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(_mm512_cvtepi32_pd(small), numbers);
            _mm256_mask_cvtepi32_storeu_epi8(
                bytes.as_mut_ptr().cast(),
                lanes & first(bytes.len()) as u8,
                small,
            );
        }
    }
    fit == 0xff
}

/// The first `n` of sixteen lanes.
#[inline(always)]
fn first(n: usize) -> u16 {
    if n >= 16 { !0 } else { (1 << n) - 1 }
}
