//! The cuts of a sorted list of packed rows, and what gets the good ones.

use std::ops::Range;

/// Gets the cuts with a high score.
pub(crate) trait Visit {
    /// Whether only the largest score of cuts that are close together matters; its place is then not exact.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "only vectors score many cuts at once")
    )]
    const LARGEST: bool;

    /// A cut before `place` whose score lies above the bound; returns the new bound.
    fn visit(&mut self, place: usize, score: f64) -> f64;
}

/// A sorted list of packed rows: class in the lowest bits, id above, and [`NEW_VALUE`](super::NEW_VALUE) where a value begins.
///
/// A cut with `l` rows on the left and `r` on the right scores `Σ a²/l + Σ b²/r`, where `a` and `b` rows of a class are on
/// the two sides; the sum goes over all classes, and over the second one only when there are two.
#[derive(Debug, Clone)]
pub(crate) struct Cuts<'a> {
    pub rows: &'a [u32],
    /// The lowest bits of a row that say its class.
    pub class_bits: u32,
    /// The rows of every class.
    pub totals: &'a [f64],
    /// Where a cut is allowed: before these places.
    pub places: Range<usize>,
}

impl Cuts<'_> {
    /// The end of the places that exist.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.places.end.min(self.rows.len())
    }
}
