//! A tree laid out for running many rows down it at once.
//!
//! A test is sixteen bytes, and all rows of a chunk take a step before the next step is taken: the processor then waits for
//! many tests at the same time, not for one after the other. The numbers of a row are copied side by side first: in
//! the table they lie a column apart, where they would drive each other out of the cache.

use super::bind::Source;
use super::{Condition, Tree};

/// One node. Siblings stand together, in the places they have in the tree.
#[derive(Debug, Clone, Copy)]
struct Test {
    /// Not a number at nodes that are no thresholds.
    below: f64,
    /// The place among the numbers of a row.
    number: u32,
    /// The first child; where there is no threshold the node itself.
    first: u32,
}

/// The place of a node with another condition than a threshold.
const OTHER: u32 = u32::MAX;

/// A row that has to be sent down in parts.
pub(super) const IN_PARTS: u32 = u32::MAX;

/// Rows that run together.
pub(super) const CHUNK: usize = 128;

/// See the module's description.
pub(super) struct Flat {
    tests: Vec<Test>,
    /// The attributes whose numbers are tested.
    attributes: Vec<usize>,
}

impl Flat {
    /// `None` when no node has a threshold: there is nothing to win.
    pub fn new(tree: &Tree) -> Option<Self> {
        let mut attributes = Vec::new();
        let mut place = vec![OTHER; tree.schema().attributes.len()];
        let tests = tree.nodes().iter().enumerate().map(|(id, node)| {
            // Leaves look at some number too, and stay where they are.
            let stay = Test { below: f64::NAN, number: 0, first: id as u32 };
            match (&node.condition, node.first_child) {
                (Some(Condition::Threshold { attribute, below }), Some(first)) => {
                    let number = &mut place[*attribute as usize];
                    if *number == OTHER {
                        *number = attributes.len() as u32;
                        attributes.push(*attribute as usize);
                    }
                    Test { below: *below, number: *number, first }
                }
                (Some(_), _) => Test { number: OTHER, ..stay },
                (None, _) => stay,
            }
        });
        let tests = tests.collect();
        (!attributes.is_empty()).then_some(Self { tests, attributes })
    }

    /// The leaf of each of at most [`CHUNK`] rows from `start` on; [`IN_PARTS`] where a value is missing on the way.
    pub fn leaves(&self, tree: &Tree, sources: &[Source], start: usize, at: &mut [u32]) {
        let width = self.attributes.len();
        let mut numbers = vec![f64::NAN; width * at.len()];
        for (number, &attribute) in self.attributes.iter().enumerate() {
            if let Source::Numbers(list) = &sources[attribute] {
                let places = numbers[number..].iter_mut().step_by(width);
                places.zip(&list[start..]).for_each(|(place, &x)| *place = x);
            }
        }
        at.fill(0);
        let mut active: [u16; CHUNK] = std::array::from_fn(|i| i as u16);
        let mut running = at.len();
        while running > 0 {
            let mut left = 0;
            for i in 0..running {
                let row = usize::from(active[i]);
                let here = at[row];
                let test = self.tests[here as usize];
                let x = match test.number {
                    OTHER => f64::NAN,
                    number => numbers[row * width + number as usize],
                };
                let next = if x.is_nan() {
                    otherwise(tree, sources, start + row, here)
                } else {
                    test.first + u32::from(x >= test.below)
                };
                if let Some(test) = self.tests.get(next as usize) {
                    fetch_ahead(test);
                }
                at[row] = next;
                active[left] = row as u16;
                left += usize::from((next != here) & (next != IN_PARTS));
            }
            running = left;
        }
    }
}

/// Asks for a test that is needed when the other rows have taken their step. Measured: most of the time went into waiting for
/// tests that were not in the cache.
#[inline(always)]
fn fetch_ahead(test: &Test) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint to the cache reads and changes nothing, and the address is that of a test.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(test).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = test;
}

/// Where a row goes from a node that has no threshold, or for which it has no number.
#[cold]
fn otherwise(tree: &Tree, sources: &[Source], row: usize, here: u32) -> u32 {
    let node = tree.node(here as usize);
    let (Some(condition), Some(first)) = (&node.condition, node.first_child) else { return here };
    match condition.route(sources[condition.attribute()].cell(row)) {
        Some(branch) => first + branch as u32,
        None => IN_PARTS,
    }
}
