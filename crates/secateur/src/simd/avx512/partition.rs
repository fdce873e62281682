//! Partitioning a sorted list of packed rows.

use std::arch::x86_64::*;

use super::first;
use crate::simd::{NEW_VALUE, SIDES_BEHIND};

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
pub(super) fn partition(list: &mut [u32], spare: &mut [u32], side: &[u8], class_bits: u32) -> usize {
    assert!(spare.len() >= list.len() && side.len() > SIDES_BEHIND);
    let ids = _mm512_set1_epi32((side.len() - SIDES_BEHIND).min(i32::MAX as usize) as i32);
    let mut outside = 0;
    let (len, start, other) = (list.len(), list.as_mut_ptr(), spare.as_mut_ptr());
    let (low, top) = (_mm512_set1_epi32(!NEW_VALUE as i32), _mm512_set1_epi32(NEW_VALUE as i32));
    let shift = _mm_cvtsi32_si128(class_bits as i32);
    let none = _mm512_setzero_si512();
    let (mut l, mut r) = (0, 0);
    // Whether a new value began since the last row that went left (right).
    let (mut left_began, mut right_began) = (0u32, 0u32);
    let mut i = 0;
    while i < len {
        let lanes = first(len - i);
        // SAFETY: only lanes inside the list are loaded, and sides only of ids that have one, with room behind for the
        // four bytes that are gathered. Stores go below what has been read (list: `l <= i`) and below `r + 16 <= i + 16`,
        // cut off at the end by the mask.
        unsafe {
            let words = _mm512_maskz_loadu_epi32(lanes, start.add(i).cast());
            let began = u32::from(_mm512_movepi32_mask(words));
            let words = _mm512_and_si512(words, low);
            let id = _mm512_srl_epi32(words, shift);
            let inside = _mm512_mask_cmplt_epu32_mask(lanes, id, ids);
            outside |= inside ^ lanes;
            let sides = _mm512_mask_i32gather_epi32::<1>(none, inside, id, side.as_ptr().cast());
            let goes_right = _mm512_test_epi32_mask(sides, _mm512_set1_epi32(0xff)) & lanes;
            let goes_left = !goes_right & lanes;
            let (right, left) = (u32::from(goes_right), u32::from(goes_left));
            // A beginning among rows that go right is carried to the next row that goes left: adding it to the run of
            // ones that those rows make overflows into that row's bit.
            let carried_left = right + (began & right) + left_began;
            let carried_right = left + (began & left) + right_began;
            left_began = carried_left >> 16;
            right_began = carried_right >> 16;
            let begins = began | (carried_left & left) | (carried_right & right);
            let words = _mm512_mask_or_epi32(words, begins as u16, words, top);
            let to_left = left.count_ones() as usize;
            let to_right = right.count_ones() as usize;
            let lefts = _mm512_maskz_compress_epi32(goes_left, words);
            let rights = _mm512_maskz_compress_epi32(goes_right, words);
            if lanes == !0 {
                _mm512_storeu_si512(start.add(l).cast(), lefts);
                _mm512_storeu_si512(other.add(r).cast(), rights);
            } else {
                _mm512_mask_storeu_epi32(start.add(l).cast(), first(to_left), lefts);
                _mm512_mask_storeu_epi32(other.add(r).cast(), first(to_right), rights);
            }
            l += to_left;
            r += to_right;
        }
        i += 16;
    }
    assert!(outside == 0, "a row without a side");
    if r <= 16 {
        // SAFETY: `l + r` is the length of the list, and the spare list is as long.
        unsafe {
            let rest = _mm512_maskz_loadu_epi32(first(r), other.cast());
            _mm512_mask_storeu_epi32(start.add(l).cast(), first(r), rest);
        }
    } else {
        list[l..].copy_from_slice(&spare[..r]);
    }
    l
}
