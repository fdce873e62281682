//! Rows on their way down a tree that is laid out as words.

/// Rows that run together.
pub(crate) const CHUNK: usize = 512;

/// Room behind the lists of a chunk: vectors are stored whole.
const BEHIND: usize = 16;

/// The first child is a leaf; the next bit says the same of the second.
pub(crate) const FIRST_ENDS: u32 = 1;

/// The tests of a tree, slot by slot. The low half of a word is the threshold (not a number where only the tree knows the
/// way); the high half says where the children are, in which column to look, and which of two children are leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tests<'a> {
    pub words: &'a [u64],
    /// The bits of a word's upper half below the place of the children, of which the lowest two say who is a leaf.
    pub shift: u32,
}

/// Where a row is after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// At a test.
    Test(u32),
    /// At an end, which can be any number.
    End(u32),
}

/// The rows of a chunk on their way: those that have not arrived, with the slots they have reached.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    pub slots: [u32; CHUNK + BEHIND],
    pub rows: [u32; CHUNK + BEHIND],
    pub running: usize,
    /// Column by column, rounded down.
    pub numbers: Vec<f32>,
    /// The ends where rows have arrived.
    pub ends: [u32; CHUNK],
}

impl Rows {
    /// Room for a chunk of rows with this many columns.
    pub(crate) fn new(columns: usize) -> Self {
        Self {
            slots: [0; CHUNK + BEHIND],
            rows: [0; CHUNK + BEHIND],
            running: 0,
            numbers: vec![f32::NAN; columns * CHUNK],
            ends: [0; CHUNK],
        }
    }

    /// Puts the first `count` rows to slot 0.
    pub(crate) fn start(&mut self, count: usize) {
        self.slots[..count].fill(0);
        self.rows.iter_mut().zip(0..).take(count).for_each(|(row, i)| *row = i);
        self.running = count;
    }
}
