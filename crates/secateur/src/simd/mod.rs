//! The innermost loops of growing and predicting, over plain slices.
//!
//! Every loop exists twice and gives the same answers: [`portable`], and for processors with 512-bit vectors [`avx512`]. A
//! [`Kernel`] is the choice between the two, made once; a test compares them. Nothing here knows of trees, and all functions are
//! safe to call: places that come from a caller are checked, sixteen at a time. The measured reason for this room: partitioning and
//! scanning sorted lists is nearly all of the time that growing takes, and vectors make both about four times as fast.

#![allow(unsafe_code, reason = "vector instructions read and write through pointers")]

#[cfg(target_arch = "x86_64")]
mod avx512;
mod cuts;
mod descend;
mod portable;
mod prefetch;

#[cfg(test)]
mod tests;

pub(crate) use cuts::{Cuts, Visit};
pub(crate) use descend::{CHUNK, FIRST_ENDS, Next, Rows, Tests};
pub(crate) use portable::round_down as number_below;
pub(crate) use prefetch::prefetch;

/// The mark of the first row of a value in a list of packed rows. (It says nothing at the first row of a node.)
pub(crate) const NEW_VALUE: u32 = 1 << 31;

/// The bytes that must follow the side of the last row: four are read at a time.
pub(crate) const SIDES_BEHIND: usize = 3;

/// A sum with this number has no digits after the point: it rounds to a whole number, which its last bits are.
pub(crate) const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Which loops are run.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kernel {
    /// The loops for any processor.
    Portable,
    /// The loops for 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
}

impl Kernel {
    /// The fastest loops that this processor can run.
    #[inline]
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = avx512::Avx512::detect() {
            return Self::Avx512(vectors);
        }
        Self::Portable
    }

    /// Stable partition of packed rows by the side of their ids (0 left, 1 right); says how many went left.
    ///
    /// `spare` is at least as long as the list, and [`SIDES_BEHIND`] bytes follow the side of the last id.
    ///
    /// # Panics
    /// When an id has no side.
    #[inline]
    pub(crate) fn partition(
        self,
        list: &mut [u32],
        spare: &mut [u32],
        side: &[u8],
        class_bits: u32,
    ) -> usize {
        match self {
            Self::Portable => portable::partition(list, spare, side, class_bits),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(vectors) => vectors.partition(list, spare, side, class_bits),
        }
    }

    /// Turns whole numbers from 0 to 255 into bytes, as far as both lists reach; says whether all were such.
    pub(crate) fn bytes(self, cells: &[f64], bytes: &mut [u8]) -> bool {
        match self {
            Self::Portable => portable::bytes(cells, bytes),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(vectors) => vectors.bytes(cells, bytes),
        }
    }

    /// Visits the cuts of a list whose score lies above a bound ([`Cuts`]).
    pub(crate) fn visit_cuts(self, cuts: &Cuts, bound: f64, visit: &mut impl Visit) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(vectors) if cuts.totals.len() == 2 => vectors.two_classes(cuts, bound, visit),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(vectors) if cuts.totals.len() <= avx512::MOST_CLASSES => {
                vectors.few_classes(cuts, bound, visit);
            }
            _ if cuts.totals.len() == 2 => portable::two_classes(cuts, bound, visit),
            _ => portable::any_classes(cuts, bound, visit),
        }
    }

    /// Rounds numbers down to 32 bits; `to` has at least as many places.
    pub(crate) fn round_down(self, numbers: &[f64], to: &mut [f32]) {
        match self {
            Self::Portable => {
                to[..numbers.len()]
                    .iter_mut()
                    .zip(numbers)
                    .for_each(|(to, &x)| *to = portable::round_down(x));
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(vectors) => vectors.round_down(numbers, to),
        }
    }

    /// Lets every running row take a step; `otherwise` is asked (slot, row) where the numbers do not decide.
    ///
    /// # Panics
    /// When a slot, a row or a column lies outside its list.
    pub(crate) fn step(self, tests: Tests, rows: &mut Rows, otherwise: impl FnMut(u32, u32) -> Next) {
        match self {
            Self::Portable => portable::step(tests, rows, otherwise),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(vectors) => vectors.step(tests, rows, otherwise),
        }
    }
}
