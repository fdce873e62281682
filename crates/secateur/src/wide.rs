//! The innermost loops of growing, sixteen rows at a time, for processors with 512-bit vectors (AVX-512).
//!
//! A [`Wide`] is the proof that the processor has them. Each loop has a plain twin beside its caller that gives the same
//! answers, for all other processors; tests compare the two. The measured reason for this file: partitioning and scanning
//! sorted lists is nearly all of the time that growing takes, and this makes both about four times as fast.

mod descend;

use std::arch::x86_64::*;
use std::ops::Range;

use crate::grow::words::STEP;
use crate::split::peak::Visit;

/// The processor has 512-bit vectors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wide(());

/// Asks for memory that will be read soon.
pub(crate) fn prefetch<T>(place: &T) {
    // SAFETY: a hint about memory that exists; every such processor has it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
}

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

impl Wide {
    pub fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Self(()))
    }

    /// Stable partition of words by the side of their ids (0 left, others right); says how many went left.
    ///
    /// # Safety
    /// Every id in the list is below `side.len() - 3`, and `spare` is at least as long as the list.
    pub unsafe fn two_ways(self, list: &mut [u32], spare: &mut [u32], side: &[u8], class_bits: u32) -> usize {
        // SAFETY: the processor has what is needed, and the caller promises the rest.
        unsafe { two_ways(list, spare, side, class_bits) }
    }

    /// Turns whole numbers from 0 to 255 into bytes; says whether all were such.
    pub fn bytes(self, cells: &[f64], bytes: &mut [u8]) -> bool {
        // SAFETY: the processor has what is needed.
        unsafe { to_bytes(cells, bytes) }
    }

    /// Visits the cuts of a list of words of two classes whose score `a²/l + b²/r` lies above a bound, where `a` of the `l`
    /// rows on the left and `b` of the `r` rows on the right have the second class.
    pub fn two_classes(
        self,
        words: &[u32],
        ones: f64,
        cuts: Range<usize>,
        bound: f64,
        visit: &mut impl Visit,
    ) {
        // SAFETY: the processor has what is needed.
        unsafe { two_classes(words, ones, cuts, bound, visit) }
    }

    /// The same for up to sixteen classes (of `class_bits` bits), with the score `Σ a²/l + Σ b²/r` over the classes.
    pub fn few_classes(
        self,
        words: &[u32],
        class_bits: u32,
        totals: &[f64],
        cuts: Range<usize>,
        bound: f64,
        visit: &mut impl Visit,
    ) {
        // SAFETY: the processor has what is needed.
        unsafe { few_classes(words, class_bits, totals, cuts, bound, visit) }
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

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,popcnt")]
unsafe fn two_ways(list: &mut [u32], spare: &mut [u32], side: &[u8], class_bits: u32) -> usize {
    debug_assert!(spare.len() >= list.len());
    let (len, start, other) = (list.len(), list.as_mut_ptr(), spare.as_mut_ptr());
    let (low, top) = (_mm512_set1_epi32(!STEP as i32), _mm512_set1_epi32(STEP as i32));
    let shift = _mm_cvtsi32_si128(class_bits as i32);
    let (mut l, mut r) = (0, 0);
    // Whether a new value began since the last row that went left (right).
    let (mut left_began, mut right_began) = (0u32, 0u32);
    let mut i = 0;
    while i < len {
        let lanes = first(len - i);
        // SAFETY: only lanes inside the list are loaded; the caller promises that ids lie inside `side` with room for the
        // four bytes that are gathered. Stores go below what has been read (list: `l <= i`) and below `r + 16 <= i + 16`,
        // cut off at the end by the mask.
        unsafe {
            let words = _mm512_maskz_loadu_epi32(lanes, start.add(i).cast());
            let began = u32::from(_mm512_movepi32_mask(words));
            let words = _mm512_and_si512(words, low);
            let sides = _mm512_i32gather_epi32::<1>(_mm512_srl_epi32(words, shift), side.as_ptr().cast());
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

/// The cuts of a group of sixteen that are looked at.
#[inline(always)]
fn allowed(steps: u16, group: usize, cuts: &Range<usize>) -> u16 {
    steps & first(cuts.end.saturating_sub(group)) & !first(cuts.start.saturating_sub(group))
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

/// The scores of the cuts before eight rows of which some have the second class, after so many that have it.
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
fn two_classes<V: Visit>(words: &[u32], ones: f64, cuts: Range<usize>, mut bound: f64, visit: &mut V) {
    let end = cuts.end.min(words.len());
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
        bound = judge(scores, allowed(steps, group, &cuts), group, bound, visit);
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
fn few_classes<V: Visit>(
    words: &[u32],
    class_bits: u32,
    totals: &[f64],
    cuts: Range<usize>,
    mut bound: f64,
    visit: &mut V,
) {
    // The classes that occur: code, rows on the left so far, all rows.
    let mut classes = [(0i32, 0u32, 0.0f64); 16];
    let mut occurring = 0;
    for (code, &total) in (0..).zip(totals) {
        if total > 0.0 && occurring < classes.len() {
            classes[occurring] = (code, 0, total);
            occurring += 1;
        }
    }
    let classes = &mut classes[..occurring];
    let class_mask = _mm512_set1_epi32((1 << class_bits) - 1);
    let total = _mm512_set1_pd(words.len() as f64);
    let mut lefts = _mm512_setr_pd(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
    let (eight, none) = (_mm512_set1_pd(8.0), _mm512_setzero_pd());
    let end = cuts.end.min(words.len());
    let mut group = 0;
    while group < end {
        let lanes = first(words.len() - group);
        // SAFETY: only lanes inside the list are loaded.
        let list = unsafe { _mm512_maskz_loadu_epi32(lanes, words.as_ptr().add(group).cast()) };
        let allowed = allowed(_mm512_movepi32_mask(list), group, &cuts);
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
