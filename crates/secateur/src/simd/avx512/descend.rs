//! Running many rows down a tree.

use std::arch::x86_64::*;

use super::first;
use crate::simd::{CHUNK, Next, Rows, Tests};

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
pub(super) fn round_down(numbers: &[f64], to: &mut [f32]) {
    assert!(numbers.len() <= to.len());
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
pub(super) fn step(tests: Tests, rows: &mut Rows, mut otherwise: impl FnMut(u32, u32) -> Next) {
    assert!(rows.running <= CHUNK);
    let words: *const i64 = tests.words.as_ptr().cast();
    let shift = _mm_cvtsi32_si128(tests.shift as i32);
    let columns = _mm512_set1_epi32((1 << tests.shift) - 1);
    let limit = |len: usize| _mm512_set1_epi32(len.min(i32::MAX as usize) as i32);
    let (slots, numbers, chunk) = (limit(tests.words.len()), limit(rows.numbers.len()), limit(CHUNK));
    let (none, unknown) = (_mm512_setzero_si512(), _mm512_setzero_ps());
    let mut outside = 0;
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    let (one, two) = (_mm512_set1_epi32(1), _mm512_set1_epi32(2));
    let (at, number) = (rows.slots.as_mut_ptr(), rows.rows.as_mut_ptr());
    let (mut left, mut i) = (0, 0);
    while i < rows.running {
        let lanes = first(rows.running - i);
        // SAFETY: only running rows are loaded, and words, numbers and ends only at places inside their lists. Rows that go
        // on are stored below `i + 16`, for which the lists have room, and what is overwritten there has been read.
        unsafe {
            let slot = _mm512_maskz_loadu_epi32(lanes, at.add(i).cast());
            let row = _mm512_maskz_loadu_epi32(lanes, number.add(i).cast());
            let inside = _mm512_mask_cmplt_epu32_mask(lanes, slot, slots);
            let inside = _mm512_mask_cmplt_epu32_mask(inside, row, chunk);
            let (slot_low, slot_high) = (_mm512_castsi512_si256(slot), _mm512_extracti64x4_epi64::<1>(slot));
            let low = _mm512_mask_i32gather_epi64::<8>(none, inside as u8, slot_low, words);
            let high = _mm512_mask_i32gather_epi64::<8>(none, (inside >> 8) as u8, slot_high, words);
            let below = _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, even, high));
            let to = _mm512_permutex2var_epi32(low, odd, high);
            let column = _mm512_srli_epi32::<2>(_mm512_and_si512(to, columns));
            let place = _mm512_add_epi32(_mm512_mullo_epi32(column, _mm512_set1_epi32(CHUNK as i32)), row);
            let inside = _mm512_mask_cmplt_epu32_mask(inside, place, numbers);
            outside |= inside ^ lanes;
            let x = _mm512_mask_i32gather_ps::<4>(unknown, inside, place, rows.numbers.as_ptr());
            let right = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, below);
            let mut open = _mm512_cmp_ps_mask::<_CMP_EQ_UQ>(x, below) & inside;
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
            ends &= inside;
            if ends != 0 {
                _mm512_mask_i32scatter_epi32::<4>(rows.ends.as_mut_ptr().cast(), ends, row, next);
            }
            let on = inside & !ends;
            _mm512_storeu_si512(at.add(left).cast(), _mm512_maskz_compress_epi32(on, next));
            _mm512_storeu_si512(number.add(left).cast(), _mm512_maskz_compress_epi32(on, row));
            left += on.count_ones() as usize;
        }
        i += 16;
    }
    rows.running = left;
    assert!(outside == 0, "a row outside the tests");
}
