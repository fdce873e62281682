//! Running many rows down a tree, sixteen at a time ([`flat`](crate::tree)).

use std::arch::x86_64::*;

use super::{Wide, first};
use crate::tree::flat::{CHUNK, Next, Rows, Tests};

impl Wide {
    /// Rounds numbers down to 32 bits; `to` has at least as many places.
    pub fn round_down(self, numbers: &[f64], to: &mut [f32]) {
        assert!(numbers.len() <= to.len());
        // SAFETY: the processor has what is needed, and there are enough places.
        unsafe { round_down(numbers, to) }
    }

    /// Lets every running row take a step; `otherwise` is asked (slot, row) where the numbers do not decide.
    pub fn step(self, tests: &Tests, rows: &mut Rows, otherwise: impl FnMut(u32, u32) -> Next) {
        // SAFETY: the processor has what is needed. The slots of rows are those of tests: 0, or what a test or `otherwise`
        // has given. Rows are below `CHUNK`, and there are so many numbers for every column that a test names.
        unsafe { step(tests, rows, otherwise) }
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
unsafe fn round_down(numbers: &[f64], to: &mut [f32]) {
    const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    let mut i = 0;
    while i < numbers.len() {
        let lanes = first((numbers.len() - i).min(8)) as u8;
        // SAFETY: only lanes inside both lists are loaded and stored.
        unsafe {
            let x = _mm512_maskz_loadu_pd(lanes, numbers.as_ptr().add(i));
            _mm256_mask_storeu_ps(to.as_mut_ptr().add(i), lanes, _mm512_cvt_roundpd_ps::<DOWN>(x));
        }
        i += 8;
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
unsafe fn step(tests: &Tests, rows: &mut Rows, mut otherwise: impl FnMut(u32, u32) -> Next) {
    let words = tests.words();
    let shift = _mm_cvtsi32_si128(tests.shift() as i32);
    let columns = _mm512_set1_epi32((1 << tests.shift()) - 1);
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    let (one, two) = (_mm512_set1_epi32(1), _mm512_set1_epi32(2));
    let (at, number) = (rows.slots.as_mut_ptr(), rows.rows.as_mut_ptr());
    let (mut left, mut i) = (0, 0);
    while i < rows.running {
        let lanes = first(rows.running - i);
        // SAFETY: only running rows are loaded; the caller promises that their slots and numbers are there (other lanes
        // have slot 0 and row 0). Rows that go on are stored below `i + 16`, for which the lists have room, and what is overwritten there
        // has been read.
        unsafe {
            let slot = _mm512_maskz_loadu_epi32(lanes, at.add(i).cast());
            let row = _mm512_maskz_loadu_epi32(lanes, number.add(i).cast());
            let words = words.cast();
            let low = _mm512_i32gather_epi64::<8>(_mm512_castsi512_si256(slot), words);
            let high = _mm512_i32gather_epi64::<8>(_mm512_extracti64x4_epi64::<1>(slot), words);
            let below = _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, even, high));
            let to = _mm512_permutex2var_epi32(low, odd, high);
            let column = _mm512_srli_epi32::<2>(_mm512_and_si512(to, columns));
            let place = _mm512_add_epi32(_mm512_mullo_epi32(column, _mm512_set1_epi32(CHUNK as i32)), row);
            let x = _mm512_i32gather_ps::<4>(place, rows.numbers.as_ptr());
            let right = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, below);
            let mut open = _mm512_cmp_ps_mask::<_CMP_EQ_UQ>(x, below) & lanes;
            let mut next = _mm512_slli_epi32::<1>(_mm512_srl_epi32(to, shift));
            next = _mm512_mask_or_epi32(next, right, next, one);
            let mut ends = _mm512_test_epi32_mask(to, _mm512_mask_blend_epi32(right, one, two));
            if open != 0 {
                let mut list = [0u32; 16];
                _mm512_storeu_si512(list.as_mut_ptr().cast(), next);
                while open != 0 {
                    let lane = open.trailing_zeros() as usize;
                    let (slot, is_end) = match otherwise(*at.add(i + lane), *number.add(i + lane)) {
                        Next::Test(slot) => (slot, 0),
                        Next::End(slot) => (slot, 1),
                    };
                    list[lane] = slot;
                    ends = ends & !(1 << lane) | is_end << lane;
                    open &= open - 1;
                }
                next = _mm512_loadu_si512(list.as_ptr().cast());
            }
            ends &= lanes;
            if ends != 0 {
                _mm512_mask_i32scatter_epi32::<4>(rows.ends.as_mut_ptr().cast(), ends, row, next);
            }
            let on = lanes & !ends;
            _mm512_storeu_si512(at.add(left).cast(), _mm512_maskz_compress_epi32(on, next));
            _mm512_storeu_si512(number.add(left).cast(), _mm512_maskz_compress_epi32(on, row));
            left += on.count_ones() as usize;
        }
        i += 16;
    }
    rows.running = left;
}
