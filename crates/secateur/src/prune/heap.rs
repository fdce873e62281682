//! Heaps of node numbers that melt together: the largest key first (pairing heaps, Fredman, Sedgewick, Sleator and
//! Tarjan 1986).
//!
//! All heaps of one tree live in the same three arrays, for a node is in at most one heap. Two heaps are melded in
//! constant time, the largest is taken off in `O(log n)` on average over all steps. Keys stand in a slice of the
//! caller.

/// Many heaps over the nodes of one tree.
pub(super) struct Heaps {
    /// The first of the nodes that hang below a node.
    below: Vec<Option<u32>>,
    /// The next one that hangs below the same node.
    beside: Vec<Option<u32>>,
    /// The heap that belongs to a node of the tree, by its largest entry.
    owned: Vec<Option<u32>>,
}

impl Heaps {
    /// No heaps yet.
    pub(super) fn new(nodes: usize) -> Self {
        Self { below: vec![None; nodes], beside: vec![None; nodes], owned: vec![None; nodes] }
    }

    /// Takes over the heap of a node.
    #[inline]
    pub(super) fn take(&mut self, owner: usize) -> Option<u32> {
        self.owned[owner].take()
    }

    /// Gives a node a heap.
    #[inline]
    pub(super) fn put(&mut self, owner: usize, heap: Option<u32>) {
        self.owned[owner] = heap;
    }

    /// One heap of two.
    #[inline]
    pub(super) fn meld(&mut self, a: Option<u32>, b: Option<u32>, keys: &[f64]) -> Option<u32> {
        let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
        let (above, under) = if keys[b as usize] > keys[a as usize] { (b, a) } else { (a, b) };
        self.beside[under as usize] = self.below[above as usize];
        self.below[above as usize] = Some(under);
        Some(above)
    }

    /// The heap without its largest entry.
    #[inline]
    pub(super) fn pop(&mut self, largest: u32, keys: &[f64]) -> Option<u32> {
        let mut next = self.below[largest as usize].take();
        // In pairs from left to right, which turns the list around, then all together from right to left.
        let mut pairs = None;
        while let Some(a) = next {
            let b = self.beside[a as usize].take();
            next = b.and_then(|b| self.beside[b as usize].take());
            if let Some(pair) = self.meld(Some(a), b, keys) {
                self.beside[pair as usize] = pairs;
                pairs = Some(pair);
            }
        }
        let mut heap = None;
        while let Some(pair) = pairs {
            pairs = self.beside[pair as usize].take();
            heap = self.meld(heap, Some(pair), keys);
        }
        heap
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::Dice;

    #[test]
    fn entries_come_off_in_order() {
        let mut dice = Dice(7);
        let keys: Vec<f64> = (0..500).map(|_| dice.below(200) as f64).collect();
        let mut heaps = Heaps::new(keys.len());
        // Ten heaps that melt together.
        for id in 0..keys.len() as u32 {
            let owner = id as usize % 10;
            let heap = heaps.take(owner);
            let heap = heaps.meld(heap, Some(id), &keys);
            heaps.put(owner, heap);
        }
        let mut all = None;
        for owner in 0..10 {
            let heap = heaps.take(owner);
            all = heaps.meld(heap, all, &keys);
        }
        let mut got = Vec::new();
        while let Some(id) = all {
            got.push(keys[id as usize]);
            all = heaps.pop(id, &keys);
        }
        let mut want = keys;
        want.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(got, want);
    }
}
