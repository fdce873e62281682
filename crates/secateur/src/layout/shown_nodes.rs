//! The nodes of a tree that are shown.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::tree::{NodeId, Tree};

/// The part of a tree that is shown: the root, and the children of every node that is open.
///
/// Its nodes are numbered anew, from 0, in the order of the tree: parents before children, siblings together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownNodes {
    nodes: Vec<NodeId>,
    parents: Vec<u32>,
    /// The first child of every node, and how many it has.
    children: Vec<(u32, u32)>,
    depths: Vec<u32>,
}

impl ShownNodes {
    /// All nodes.
    pub fn whole(tree: &Tree) -> Self {
        Self::open(tree, |_| true)
    }

    /// The nodes down to a depth; the root has depth 0.
    pub fn to_depth(tree: &Tree, depth: usize) -> Self {
        let depths = tree.depths();
        Self::open(tree, |id| (depths[id] as usize) < depth)
    }

    /// The part that is opened by weight: the node with the most weight first, as long as no more than this many leaves are shown.
    pub fn heaviest(tree: &Tree, leaves: usize) -> Self {
        let weight = |id: NodeId| tree.node(id).weight.max(0.0);
        let mut open = vec![false; tree.nodes().len()];
        // Weights are not negative, so their bits are in their order. Of equal ones the first in the tree.
        let entry = |id: NodeId| (weight(id).to_bits(), Reverse(id));
        let (mut waiting, mut shown) = (BinaryHeap::from([entry(0)]), 1);
        while let Some((_, Reverse(id))) = waiting.pop() {
            let children = tree.children(id);
            if children.is_empty() || shown + children.len() - 1 > leaves {
                continue;
            }
            shown += children.len() - 1;
            open[id] = true;
            waiting.extend(children.map(entry));
        }
        Self::open(tree, |id| open[id])
    }

    /// The root and the children of all shown nodes for which `is_open` says so.
    pub fn open(tree: &Tree, is_open: impl Fn(NodeId) -> bool) -> Self {
        let mut own = vec![None; tree.nodes().len()];
        let mut part = Self { nodes: vec![], parents: vec![], children: vec![], depths: vec![] };
        for (id, node) in tree.nodes().iter().enumerate() {
            let parent = match node.parent {
                None => 0,
                Some(parent) => match own[parent as usize] {
                    Some(parent) => parent,
                    None => continue,
                },
            };
            let place = part.nodes.len() as u32;
            if id > 0 {
                let (first, count) = &mut part.children[parent as usize];
                if *count == 0 {
                    *first = place;
                }
                *count += 1;
            }
            let depth = if id == 0 { 0 } else { part.depths[parent as usize] + 1 };
            if !tree.is_leaf(id) && is_open(id) {
                own[id] = Some(place);
            }
            part.nodes.push(id);
            part.parents.push(parent);
            part.children.push((0, 0));
            part.depths.push(depth);
        }
        part
    }

    /// A part of the given shape: the parent of every node but the root, which stands first. Parents come before their children
    /// and siblings stand together.
    #[cfg(test)]
    pub(crate) fn of_shape(parents: Vec<u32>) -> Self {
        let mut part = Self {
            nodes: (0..parents.len()).collect(),
            children: vec![(0, 0); parents.len()],
            depths: vec![0; parents.len()],
            parents,
        };
        for place in 1..part.parents.len() {
            let parent = part.parents[place] as usize;
            part.depths[place] = part.depths[parent] + 1;
            let (first, count) = &mut part.children[parent];
            if *count == 0 {
                *first = place as u32;
            }
            *count += 1;
        }
        part
    }

    /// The number of nodes shown.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the root is always shown.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of the tree behind every place.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The place of the node above; the root has none.
    pub fn parent(&self, place: usize) -> Option<usize> {
        (place > 0).then(|| self.parents[place] as usize)
    }

    /// The places of the children that are shown.
    pub fn children(&self, place: usize) -> std::ops::Range<usize> {
        let (first, count) = self.children[place];
        first as usize..(first + count) as usize
    }

    /// The depth of every place; the root has 0.
    pub fn depths(&self) -> &[u32] {
        &self.depths
    }
}
