//! The order of nodes in memory: nodes that follow each other on the way of many rows share a line of the cache.
//!
//! Siblings stand together and begin at an even slot. A line has room for four pairs: it begins with the children of one node, and
//! goes on with the children of the heaviest node in it, so that a row finds several tests of its way in one line. Lines
//! near the root come first.

use std::collections::VecDeque;

use crate::tree::Tree;

/// The words of a line of the cache.
const LINE: usize = 8;

/// Words that begin where a line of the cache does.
pub(super) struct Lines {
    words: Vec<u64>,
    start: usize,
    len: usize,
}

impl Lines {
    /// This many zeros.
    pub(super) fn new(len: usize) -> Self {
        let words = vec![0u64; len + LINE];
        // Where the place is not known, the words are only a little slower to reach.
        let start = words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        Self { words, start, len }
    }

    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        &self.words[self.start..self.start + self.len]
    }

    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.start..self.start + self.len]
    }
}

/// The slot of no node.
const NONE: u32 = u32::MAX;

/// Pairs in a line.
const PAIRS: usize = LINE / 2;

/// See the module's description.
pub(super) struct CacheLayout {
    /// The slot of every node.
    pub of: Vec<u32>,
    /// The node in every slot; `u32::MAX` where there is none.
    pub nodes: Vec<u32>,
}

impl CacheLayout {
    /// Places all nodes; the root has slot 0.
    pub(super) fn new(tree: &Tree) -> Self {
        let mut of = vec![NONE; tree.nodes().len()];
        of[0] = 0;
        let mut nodes = Vec::with_capacity(tree.nodes().len() + 2);
        nodes.extend([0, NONE]);
        // Nodes whose children have no slots: near (placed in the line at hand), and all others.
        let mut near: Vec<usize> = Vec::new();
        let mut far: VecDeque<usize> = VecDeque::from([0]);
        let mut line = 0;
        loop {
            if nodes.len() >= line + 2 * PAIRS {
                line = nodes.len() - nodes.len() % (2 * PAIRS);
                far.extend(near.drain(..));
            }
            let weight = |&place: &usize| tree.node(near[place]).weight;
            let heaviest = (0..near.len()).max_by(|a, b| weight(a).total_cmp(&weight(b)));
            let Some(id) = heaviest.map(|place| near.swap_remove(place)).or_else(|| far.pop_front()) else {
                break;
            };
            let children = tree.children(id);
            for child in children.clone() {
                of[child] = nodes.len() as u32;
                nodes.push(child as u32);
                if !tree.is_leaf(child) {
                    near.push(child);
                }
            }
            if nodes.len() % 2 == 1 {
                nodes.push(NONE);
            }
        }
        Self { of, nodes }
    }
}
