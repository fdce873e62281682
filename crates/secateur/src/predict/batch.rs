//! A tree laid out for running many rows down it at once.
//!
//! All rows of a chunk take a step before the next step is taken: the processor then waits for many tests at the same time, not
//! for one after the other. A test is eight bytes, so that large trees stay in the cache: thresholds and the numbers of
//! the chunk are rounded down to 32 bits. Where that leaves open which is larger, and at missing values and
//! conditions of other kinds, the row asks the tree itself ([`Condition::route`]); the answers are always the tree's.

use super::binding::Source;
use super::cache_layout::{CacheLayout, Lines};
use crate::schema::AttributeKind;
use crate::simd::{CHUNK, FIRST_ENDS, Kernel, Next, Rows, Tests, number_below};
use crate::tree::{Condition, Tree};

/// A row that has to be sent down in parts.
pub(super) const IN_PARTS: u32 = u32::MAX;

/// See the module's description.
pub(super) struct Batch {
    /// The tests, slot by slot ([`Tests`]).
    lines: Lines,
    shift: u32,
    /// The node in each slot.
    nodes: Vec<u32>,
    /// The attributes whose numbers are tested.
    attributes: Vec<usize>,
    pub(super) kernel: Kernel,
}

impl Batch {
    /// `None` where it would not be faster (no thresholds, or too few rows for the work), or no room for so large a tree.
    pub(super) fn new(tree: &Tree, rows: usize) -> Option<Self> {
        // Laying out a node takes about as long as ten steps of a row.
        if rows < CHUNK / 4 || tree.nodes().len() / 4 > rows {
            return None;
        }
        let mut attributes = Vec::new();
        let mut column = vec![0u32; tree.schema().attributes.len()];
        for node in tree.nodes() {
            if let Some(attribute) = node.condition.as_ref().and_then(|c| number_tested(tree, c)) {
                let place = &mut column[attribute];
                if *place == 0 {
                    attributes.push(attribute);
                    *place = attributes.len() as u32;
                }
            }
        }
        if attributes.is_empty() {
            return None;
        }
        let shift = 2 + usize::BITS - (attributes.len() - 1).leading_zeros();
        let slots = CacheLayout::new(tree);
        if slots.nodes.len() as u64 / 2 > 1 << (32 - shift) || slots.nodes.len() > i32::MAX as usize {
            return None;
        }
        let mut lines = Lines::new(slots.nodes.len());
        let mut leaves = 0u32;
        for (slot, &id) in slots.nodes.iter().enumerate() {
            let Some(node) = tree.nodes().get(id as usize) else { continue };
            let word = &mut lines.words_mut()[slot];
            let (Some(condition), Some(first)) = (&node.condition, node.first_child) else {
                // Nothing is tested at a leaf: its number among the leaves.
                *word = u64::from(leaves);
                leaves += 1;
                continue;
            };
            let children = slots.of[first as usize] >> 1 << shift;
            let (below, to) = match number_tested(tree, condition) {
                Some(attribute) => {
                    let ends = |child: u32| u32::from(tree.is_leaf(child as usize));
                    let ends = ends(first) * FIRST_ENDS + ends(first + 1) * (FIRST_ENDS << 1);
                    let below = match condition {
                        Condition::Threshold { below, .. } => threshold(*below),
                        // Every number is known.
                        _ => f32::INFINITY,
                    };
                    (below, (column[attribute] - 1) << 2 | ends)
                }
                None => (f32::NAN, 0),
            };
            *word = u64::from(children | to) << 32 | u64::from(below.to_bits());
        }
        Some(Self { lines, shift, nodes: slots.nodes, attributes, kernel: Kernel::detect() })
    }

    /// The nodes that are leaves, in the order in which they are numbered.
    pub(super) fn leaf_nodes(&self, tree: &Tree) -> Vec<u32> {
        let mut leaves = Vec::new();
        for &id in &self.nodes {
            if tree.nodes().get(id as usize).is_some_and(|node| node.condition.is_none()) {
                leaves.push(id);
            }
        }
        leaves
    }

    /// Memory for [`run`](Self::run).
    pub(super) fn rows(&self) -> Rows {
        Rows::new(self.attributes.len())
    }

    /// Runs at most [`CHUNK`] rows from `start` on down the tree.
    pub(super) fn run(&self, tree: &Tree, sources: &[Source], start: usize, count: usize, rows: &mut Rows) {
        for (numbers, &attribute) in rows.numbers.chunks_exact_mut(CHUNK).zip(&self.attributes) {
            match &sources[attribute] {
                Source::Numbers(list) => {
                    self.kernel.round_down(&list[start..start + count], numbers);
                }
                Source::Single { numbers: list, first, step } => {
                    let cells = list[first + start * step..].iter().step_by(*step);
                    numbers.iter_mut().zip(cells).take(count).for_each(|(to, &x)| *to = x);
                }
                Source::Double { numbers: list, first, step } => {
                    let cells = list[first + start * step..].iter().step_by(*step);
                    numbers.iter_mut().zip(cells).take(count).for_each(|(to, &x)| *to = number_below(x));
                }
                _ => numbers.fill(f32::NAN),
            }
        }
        rows.start(count);
        let tests = Tests { words: self.lines.words(), shift: self.shift };
        let otherwise = |slot, row| self.otherwise(tree, sources, slot, start + row as usize);
        while rows.running > 0 {
            self.kernel.step(tests, rows, otherwise);
        }
    }

    /// The number of the leaf in which a row of the chunk has arrived, or nothing when it went [`IN_PARTS`].
    #[inline]
    pub(super) fn leaf(&self, rows: &Rows, row: usize) -> Option<usize> {
        let slot = rows.ends[row];
        (slot != IN_PARTS).then(|| self.lines.words()[slot as usize] as u32 as usize)
    }

    /// Where a row goes from a node for which its rounded number, or its having no number, does not decide.
    #[cold]
    fn otherwise(&self, tree: &Tree, sources: &[Source], slot: u32, row: usize) -> Next {
        let id = self.nodes[slot as usize] as usize;
        let node = tree.node(id);
        let (Some(condition), Some(first)) = (&node.condition, node.first_child) else {
            return Next::End(slot);
        };
        match condition.route(sources[condition.attribute()].cell(row)) {
            Some(branch) => {
                let next =
                    ((self.lines.words()[slot as usize] >> 32) as u32 >> self.shift << 1) + branch as u32;
                if tree.is_leaf(first as usize + branch) { Next::End(next) } else { Next::Test(next) }
            }
            None => Next::End(IN_PARTS),
        }
    }
}

/// The attribute of a condition that a number decides.
fn number_tested(tree: &Tree, condition: &Condition) -> Option<usize> {
    let attribute = condition.attribute();
    let is_numeric = tree.schema().attributes[attribute].kind == AttributeKind::Numeric;
    matches!(condition, Condition::Threshold { .. } | Condition::Known { .. } if is_numeric)
        .then_some(attribute)
}

/// A threshold such that numbers rounded down lie above it only when they are not below the given one, and below it only when
/// they are.
fn threshold(below: f64) -> f32 {
    let rounded = number_below(below);
    if f64::from(rounded) == below { rounded.next_down() } else { rounded }
}
