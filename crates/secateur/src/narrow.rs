//! What stands for [`wide`](crate::wide) where the processor is another one: nothing that could be called.

use std::ops::Range;

use crate::split::peak::Visit;
use crate::tree::flat::{Next, Rows, Tests};

/// Memory will be read soon; nothing is done about it.
pub(crate) fn prefetch<T>(_: &T) {}

/// Never there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wide {}

impl Wide {
    pub fn detect() -> Option<Self> {
        None
    }

    pub unsafe fn two_ways(self, _: &mut [u32], _: &mut [u32], _: &[u8], _: u32) -> usize {
        match self {}
    }

    pub fn bytes(self, _: &[f64], _: &mut [u8]) -> bool {
        match self {}
    }

    pub fn two_classes(self, _: &[u32], _: f64, _: Range<usize>, _: f64, _: &mut impl Visit) {
        match self {}
    }

    pub fn few_classes(self, _: &[u32], _: u32, _: &[f64], _: Range<usize>, _: f64, _: &mut impl Visit) {
        match self {}
    }

    pub fn round_down(self, _: &[f64], _: &mut [f32]) {
        match self {}
    }

    pub fn step(self, _: &Tests, _: &mut Rows, _: impl FnMut(u32, u32) -> Next) {
        match self {}
    }
}
