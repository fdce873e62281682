//! Scoring the cuts of a sorted list.

use std::arch::x86_64::*;
use std::ops::Range;

use super::first;
use crate::simd::{Cuts, Visit};

/// The classes that are scored one by one.
pub(in crate::simd) const MOST_CLASSES: usize = 16;

/// For every byte the number of ones below each of its bits.
static BELOW: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut ones) = (0, 0u64);
        while bit < 8 {
            table[byte] |= ones << (8 * bit);
            ones += (byte as u64 >> bit) & 1;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The cuts of a group of sixteen that are looked at.
#[inline(always)]
fn allowed(steps: u16, group: usize, places: &Range<usize>) -> u16 {
    steps & first(places.end.saturating_sub(group)) & !first(places.start.saturating_sub(group))
}

/// Scores of sixteen cuts as fractions, eight and eight.
type Fractions = [(__m512d, __m512d); 2];

/// Visits the cuts of a group whose score lies above the bound; returns the new bound.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
fn judge<V: Visit>(scores: Fractions, allowed: u16, group: usize, mut bound: f64, visit: &mut V) -> f64 {
    let bounds = _mm512_set1_pd(bound);
    let [(upper, lower), (upper8, lower8)] = scores;
    let over = u16::from(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(upper, _mm512_mul_pd(bounds, lower)));
    let over8 = u16::from(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(upper8, _mm512_mul_pd(bounds, lower8)));
    let above = (over | over8 << 8) & allowed;
    if above == 0 {
        return bound;
    }
    for (half, (upper, lower)) in scores.into_iter().enumerate() {
        let mut lanes = (above >> (8 * half)) as u8;
        let scores = _mm512_div_pd(upper, lower);
        if V::LARGEST {
            if lanes != 0 {
                bound = visit.visit(group, _mm512_mask_reduce_max_pd(lanes, scores));
            }
        } else {
            let mut list = [0.0; 8];
            // SAFETY: eight numbers have room in the list.
            unsafe { _mm512_storeu_pd(list.as_mut_ptr(), scores) };
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                bound = visit.visit(group + 8 * half + lane, list[lane]);
                lanes &= lanes - 1;
            }
        }
    }
    bound
}

/// The scores of the cuts before eight rows of which some have the second class, after this many that have it.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
fn two_class_scores(
    bits: u8,
    counted: u32,
    lefts: __m512d,
    ones: __m512d,
    total: __m512d,
) -> (__m512d, __m512d) {
    let below = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(BELOW[usize::from(bits)] as i64));
    let a = _mm512_add_pd(_mm512_set1_pd(f64::from(counted)), _mm512_cvtepi32_pd(below));
    let b = _mm512_sub_pd(ones, a);
    fraction((_mm512_mul_pd(a, a), _mm512_mul_pd(b, b)), lefts, total)
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
pub(super) fn two_classes<V: Visit>(cuts: &Cuts, mut bound: f64, visit: &mut V) {
    let (words, ones, end) = (cuts.rows, cuts.totals[1], cuts.end());
    let (total, all_ones) = (_mm512_set1_pd(words.len() as f64), _mm512_set1_pd(ones));
    let mut counted = 0u32;
    let mut lefts = _mm512_setr_pd(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
    let mut group = 0;
    while group < end {
        // SAFETY: only lanes inside the list are loaded.
        let list =
            unsafe { _mm512_maskz_loadu_epi32(first(words.len() - group), words.as_ptr().add(group).cast()) };
        let second = _mm512_test_epi32_mask(list, _mm512_set1_epi32(1));
        let (lower_half, upper_half) = (second as u8, (second >> 8) as u8);
        let first_eight = two_class_scores(lower_half, counted, lefts, all_ones, total);
        counted += lower_half.count_ones();
        lefts = _mm512_add_pd(lefts, _mm512_set1_pd(8.0));
        let scores = [first_eight, two_class_scores(upper_half, counted, lefts, all_ones, total)];
        counted += upper_half.count_ones();
        lefts = _mm512_add_pd(lefts, _mm512_set1_pd(8.0));
        let steps = _mm512_movepi32_mask(list);
        bound = judge(scores, allowed(steps, group, &cuts.places), group, bound, visit);
        group += 16;
    }
}

/// Sums of squares on the left and on the right of eight cuts.
type Squares = (__m512d, __m512d);

/// Adds a class to the squares: `counted` rows of it are on the left, and those of the eight rows that have it (`bits`) follow.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
fn add_class(squares: Squares, bits: u8, counted: u32, total: f64) -> Squares {
    let below = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(BELOW[usize::from(bits)] as i64));
    let a = _mm512_add_pd(_mm512_set1_pd(f64::from(counted)), _mm512_cvtepi32_pd(below));
    let b = _mm512_sub_pd(_mm512_set1_pd(total), a);
    (_mm512_fmadd_pd(a, a, squares.0), _mm512_fmadd_pd(b, b, squares.1))
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
pub(super) fn few_classes<V: Visit>(cuts: &Cuts, mut bound: f64, visit: &mut V) {
    let (words, end) = (cuts.rows, cuts.end());
    assert!(cuts.totals.len() <= MOST_CLASSES);
    // The classes that occur: code, rows on the left so far, all rows.
    let mut classes = [(0i32, 0u32, 0.0f64); MOST_CLASSES];
    let mut occurring = 0;
    for (code, &total) in (0..).zip(cuts.totals) {
        if total > 0.0 {
            classes[occurring] = (code, 0, total);
            occurring += 1;
        }
    }
    let classes = &mut classes[..occurring];
    let class_mask = _mm512_set1_epi32((1 << cuts.class_bits) - 1);
    let total = _mm512_set1_pd(words.len() as f64);
    let mut lefts = _mm512_setr_pd(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
    let (eight, none) = (_mm512_set1_pd(8.0), _mm512_setzero_pd());
    let mut group = 0;
    while group < end {
        let lanes = first(words.len() - group);
        // SAFETY: only lanes inside the list are loaded.
        let list = unsafe { _mm512_maskz_loadu_epi32(lanes, words.as_ptr().add(group).cast()) };
        let allowed = allowed(_mm512_movepi32_mask(list), group, &cuts.places);
        let list = _mm512_and_si512(list, class_mask);
        let (mut squares, mut squares8) = ((none, none), (none, none));
        for (code, counted, total) in classes.iter_mut() {
            let bits = _mm512_mask_cmpeq_epi32_mask(lanes, list, _mm512_set1_epi32(*code));
            if allowed != 0 {
                squares = add_class(squares, bits as u8, *counted, *total);
                let counted = *counted + (bits as u8).count_ones();
                squares8 = add_class(squares8, (bits >> 8) as u8, counted, *total);
            }
            *counted += bits.count_ones();
        }
        let lefts8 = _mm512_add_pd(lefts, eight);
        if allowed != 0 {
            let scores = [fraction(squares, lefts, total), fraction(squares8, lefts8, total)];
            bound = judge(scores, allowed, group, bound, visit);
        }
        lefts = _mm512_add_pd(lefts8, eight);
        group += 16;
    }
}

/// The scores of eight cuts.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
fn fraction(squares: Squares, lefts: __m512d, total: __m512d) -> (__m512d, __m512d) {
    let rights = _mm512_sub_pd(total, lefts);
    let upper = _mm512_fmadd_pd(squares.0, rights, _mm512_mul_pd(squares.1, lefts));
    (upper, _mm512_mul_pd(lefts, rights))
}
