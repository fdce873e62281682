//! A tree laid out for running many rows down it at once.
//!
//! All rows of a chunk take a step before the next step is taken: the processor then waits for many tests at the same time, not
//! for one after the other. A test is eight bytes, so that large trees stay in the cache: thresholds and the numbers of
//! the chunk are rounded down to 32 bits. Where that leaves open which is larger, and at missing values and
//! conditions of other kinds, the row asks the tree itself ([`Condition::route`]); the answers are always the tree's.

use super::bind::Source;
use super::slots::{Line, Slots};
use super::{Condition, Tree};
use crate::ahead::fetch_ahead;
use crate::wide::Wide;

/// A row that has to be sent down in parts.
pub(super) const IN_PARTS: u32 = u32::MAX;

/// Rows that run together.
pub(crate) const CHUNK: usize = 512;

/// Room behind the lists of a chunk: vectors are stored whole.
const BEHIND: usize = 16;

/// The first child is a leaf.
const FIRST_ENDS: u32 = 1;

/// The tests of a tree, slot by slot. The low half of a word is the threshold (not a number where only the tree knows the
/// way); the high half says where the children are ([`slots`](super::slots)), in which column to look, and which of
/// two children are leaves.
pub(crate) struct Tests {
    lines: Vec<Line>,
    /// The bits of a word's upper half below the place of the children.
    shift: u32,
}

/// Where a row is after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// At a test.
    Test(u32),
    /// At its leaf, or [`IN_PARTS`].
    End(u32),
}

/// The rows of a chunk on their way: those that have not arrived, with the slots they have reached.
pub(crate) struct Rows {
    pub slots: [u32; CHUNK + BEHIND],
    pub rows: [u32; CHUNK + BEHIND],
    pub running: usize,
    /// Column by column, rounded down.
    pub numbers: Vec<f32>,
    /// The slots where rows have arrived.
    pub ends: [u32; CHUNK],
}

impl Tests {
    #[inline(always)]
    fn word(&self, slot: u32) -> u64 {
        self.lines[slot as usize / 8].0[slot as usize % 8]
    }

    /// All words, for reading eight bytes at any slot that a step has given.
    pub fn words(&self) -> *const u64 {
        self.lines.as_ptr().cast()
    }

    /// The bits below the place of the children, of which the lowest two say who is a leaf.
    pub fn shift(&self) -> u32 {
        self.shift
    }

    /// Lets every running row take a step; `otherwise` is asked (slot, row) where the numbers do not decide.
    fn step(&self, rows: &mut Rows, mut otherwise: impl FnMut(u32, u32) -> Next) {
        let mut left = 0;
        for i in 0..rows.running {
            let (slot, row) = (rows.slots[i], rows.rows[i]);
            let word = self.word(slot);
            let (below, to) = (f32::from_bits(word as u32), (word >> 32) as u32);
            let column = (to & ((1 << self.shift) - 1)) >> 2;
            let x = rows.numbers[column as usize * CHUNK + row as usize];
            let (is_left, is_right) = (x < below, x > below);
            let next = if is_left | is_right {
                let right = u32::from(is_right);
                let next = (to >> self.shift << 1) | right;
                if to & (FIRST_ENDS << right) == 0 { Next::Test(next) } else { Next::End(next) }
            } else {
                otherwise(slot, row)
            };
            match next {
                Next::End(slot) => rows.ends[row as usize] = slot,
                Next::Test(slot) => {
                    fetch_ahead(&self.lines[slot as usize / 8]);
                    (rows.slots[left], rows.rows[left]) = (slot, row);
                    left += 1;
                }
            }
        }
        rows.running = left;
    }
}

impl Rows {
    fn new(columns: usize) -> Self {
        Self {
            slots: [0; CHUNK + BEHIND],
            rows: [0; CHUNK + BEHIND],
            running: 0,
            numbers: vec![f32::NAN; columns * CHUNK],
            ends: [0; CHUNK],
        }
    }
}

/// See the module's description.
pub(super) struct Flat {
    tests: Tests,
    /// The node in each slot.
    nodes: Vec<u32>,
    /// The attributes whose numbers are tested.
    attributes: Vec<usize>,
    pub(super) wide: Option<Wide>,
}

impl Flat {
    /// `None` where there is nothing to win (no thresholds, or too few rows for the work), or no room for so large a tree.
    pub fn new(tree: &Tree, rows: usize) -> Option<Self> {
        // Laying out a node takes about as long as ten steps of a row.
        if rows < CHUNK / 4 || tree.nodes().len() / 4 > rows {
            return None;
        }
        let mut attributes = Vec::new();
        let mut column = vec![0u32; tree.schema().attributes.len()];
        for node in tree.nodes() {
            if let Some(Condition::Threshold { attribute, .. }) = node.condition {
                let place = &mut column[attribute as usize];
                if *place == 0 {
                    attributes.push(attribute as usize);
                    *place = attributes.len() as u32;
                }
            }
        }
        if attributes.is_empty() {
            return None;
        }
        let shift = 2 + usize::BITS - (attributes.len() - 1).leading_zeros();
        let slots = Slots::new(tree);
        if slots.nodes.len() as u64 / 2 > 1 << (32 - shift) || slots.nodes.len() > i32::MAX as usize {
            return None;
        }
        let mut lines = vec![Line([0; 8]); slots.nodes.len().div_ceil(8)];
        let mut leaves = 0u32;
        for (slot, &id) in slots.nodes.iter().enumerate() {
            let Some(node) = tree.nodes().get(id as usize) else { continue };
            let word = &mut lines[slot / 8].0[slot % 8];
            let (Some(condition), Some(first)) = (&node.condition, node.first_child) else {
                // Nothing is tested at a leaf: its number among the leaves.
                *word = u64::from(leaves);
                leaves += 1;
                continue;
            };
            let children = slots.of[first as usize] >> 1 << shift;
            let (below, to) = match condition {
                Condition::Threshold { attribute, below } => {
                    let ends = |child: u32| u32::from(tree.is_leaf(child as usize));
                    let ends = ends(first) * FIRST_ENDS + ends(first + 1) * (FIRST_ENDS << 1);
                    (threshold(*below), (column[*attribute as usize] - 1) << 2 | ends)
                }
                _ => (f32::NAN, 0),
            };
            *word = u64::from(children | to) << 32 | u64::from(below.to_bits());
        }
        Some(Self { tests: Tests { lines, shift }, nodes: slots.nodes, attributes, wide: Wide::detect() })
    }

    /// The nodes that are leaves, in the order in which they are numbered.
    pub fn leaf_nodes(&self, tree: &Tree) -> Vec<u32> {
        let is_leaf = |id: u32| tree.nodes().get(id as usize).is_some_and(|node| node.condition.is_none());
        self.nodes.iter().copied().filter(|&id| is_leaf(id)).collect()
    }

    /// Memory for [`run`](Self::run).
    pub fn rows(&self) -> Rows {
        Rows::new(self.attributes.len())
    }

    /// Runs at most [`CHUNK`] rows from `start` on down the tree.
    pub fn run(&self, tree: &Tree, sources: &[Source], start: usize, count: usize, rows: &mut Rows) {
        for (numbers, &attribute) in rows.numbers.chunks_exact_mut(CHUNK).zip(&self.attributes) {
            match &sources[attribute] {
                Source::Numbers(list) => {
                    let list = &list[start..start + count];
                    match self.wide {
                        Some(wide) => wide.round_down(list, numbers),
                        None => numbers.iter_mut().zip(list).for_each(|(place, &x)| *place = down(x)),
                    }
                }
                _ => numbers.fill(f32::NAN),
            }
        }
        rows.slots[..count].fill(0);
        rows.rows.iter_mut().zip(0..).take(count).for_each(|(row, i)| *row = i);
        rows.running = count;
        let otherwise = |slot, row| self.otherwise(tree, sources, slot, start + row as usize);
        while rows.running > 0 {
            match self.wide {
                Some(wide) => wide.step(&self.tests, rows, otherwise),
                None => self.tests.step(rows, otherwise),
            }
        }
    }

    /// The number of the leaf in which a row of the chunk has arrived, or nothing when it went [`IN_PARTS`].
    #[inline]
    pub fn leaf(&self, rows: &Rows, row: usize) -> Option<usize> {
        let slot = rows.ends[row];
        (slot != IN_PARTS).then(|| self.tests.word(slot) as u32 as usize)
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
                let next = ((self.tests.word(slot) >> 32) as u32 >> self.tests.shift << 1) + branch as u32;
                if tree.is_leaf(first as usize + branch) { Next::End(next) } else { Next::Test(next) }
            }
            None => Next::End(IN_PARTS),
        }
    }
}

/// The largest number of 32 bits that is not above.
fn down(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) > x { near.next_down() } else { near }
}

/// A threshold such that numbers rounded down lie above it only when they are not below the given one, and below it only when
/// they are.
fn threshold(below: f64) -> f32 {
    let rounded = down(below);
    if f64::from(rounded) == below { rounded.next_down() } else { rounded }
}
