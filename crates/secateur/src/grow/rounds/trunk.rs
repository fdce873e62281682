//! The nodes of a tree that is grown in rounds, more of them than it may keep, and how they become a tree.

use crate::criterion::Criterion;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::grow::engine::BestSplit;
use crate::grow::frontier::Frontier;
use crate::grow::partial_tree::PartialTree;
use crate::memory;
use crate::spec::GrowSpec;
use crate::split::{NodeCount, NumberTally, Tally};
use crate::tree::{Node, Stats, Tree};

/// A node.
pub(super) struct TrunkNode {
    /// The node above, for nodes that are split here.
    pub parent: Option<u32>,
    pub first_child: Option<u32>,
    pub depth: u32,
    pub rows: u64,
    pub weight: f64,
    /// The best split, whether it has been made or waits.
    pub found: Option<BestSplit>,
}

/// See the module's description.
pub(super) struct Trunk {
    pub nodes: Vec<TrunkNode>,
    classes: usize,
    class_weights: Vec<f64>,
    numbers: Vec<NumberTally>,
}

impl Trunk {
    pub(super) fn new(root: &NodeCount) -> Self {
        let classes = root.tally.class_weights().len();
        let mut trunk = Self { nodes: Vec::new(), classes, class_weights: Vec::new(), numbers: Vec::new() };
        trunk.push(None, 0, root);
        trunk
    }

    /// The bytes that a node takes, here and in the tree.
    pub(super) fn bytes_of_node(classes: usize) -> usize {
        size_of::<TrunkNode>() + size_of::<Node>() + 2 * 8 * classes.max(3) + 64
    }

    pub(super) fn push(&mut self, parent: Option<u32>, depth: u32, count: &NodeCount) {
        match &count.tally {
            Tally::Classes(weights) => self.class_weights.extend_from_slice(weights),
            Tally::Numbers(tally) => self.numbers.push(*tally),
        }
        let (rows, weight) = (count.rows, count.weight);
        self.nodes.push(TrunkNode { parent, first_child: None, depth, rows, weight, found: None });
    }

    /// Fills in the count of a node that was not known when the node was made.
    pub(super) fn fill_in(&mut self, node: u32, count: &NodeCount) {
        let node = node as usize;
        match &count.tally {
            Tally::Classes(weights) => {
                self.class_weights[node * self.classes..(node + 1) * self.classes].copy_from_slice(weights);
            }
            Tally::Numbers(tally) => self.numbers[node] = *tally,
        }
        (self.nodes[node].rows, self.nodes[node].weight) = (count.rows, count.weight);
    }

    /// Puts a subtree in the place of a node; its root is that node grown further.
    pub(super) fn graft<R>(&mut self, node: u32, subtree: PartialTree<R>) {
        // Node `i > 0` of the subtree gets the number `shift + i`.
        let shift = self.nodes.len() as u32 - 1;
        let at = node as usize;
        match self.classes {
            0 => {
                self.numbers[at] = subtree.numbers[0];
                self.numbers.extend_from_slice(&subtree.numbers[1..]);
            }
            classes => {
                let (root, rest) = subtree.class_weights.split_at(classes);
                self.class_weights[at * classes..(at + 1) * classes].copy_from_slice(root);
                self.class_weights.extend_from_slice(rest);
            }
        }
        for (i, growing) in subtree.nodes.into_iter().enumerate() {
            let first_child = growing.first_child.map(|child| shift + child);
            let (depth, rows, weight, found) = (growing.depth, growing.rows, growing.weight, growing.found);
            if i == 0 {
                let place = &mut self.nodes[at];
                (place.first_child, place.found) = (first_child, found);
                (place.rows, place.weight) = (rows, weight);
            } else {
                self.nodes.push(TrunkNode { parent: None, first_child, depth, rows, weight, found });
            }
        }
    }

    /// Asks for the memory of the tree.
    pub(super) fn check_memory(&self, table: &CodedTable) -> Result<()> {
        let numbers = table.classes().max(3) * size_of::<f64>();
        let bytes = self.nodes.len().saturating_mul(size_of::<Node>() + size_of::<u32>() + numbers);
        memory::ask(bytes, &format!("a tree of {} nodes", self.nodes.len()))
    }

    /// Goes through the splits in the order of the spec, up to its limits: gives the number that a node has here, and the one it
    /// will have.
    pub(super) fn in_order(&self, spec: &GrowSpec, mut made: impl FnMut(u32, u32)) -> Vec<u32> {
        let entry = |old: u32, new: u32| {
            let node = &self.nodes[old as usize];
            node.found.as_ref().map(|found| (new, found.gain, node.weight))
        };
        let mut frontier = Frontier::new(spec, self.nodes[0].weight);
        let mut old = vec![0u32];
        frontier.push(&entry(0, 0).into_iter().collect::<Vec<_>>());
        let (mut leaves, mut splits) = (1, 0);
        let mut children = Vec::new();
        while let Some(id) = frontier.pop() {
            let number = old[id as usize];
            let node = &self.nodes[number as usize];
            let branches = node.found.as_ref().map_or(2, |found| found.condition.branches());
            if spec.max_splits.is_some_and(|most| splits >= most)
                || spec.max_leaves.is_some_and(|most| leaves + branches - 1 > most)
            {
                break;
            }
            made(number, id);
            (leaves, splits) = (leaves + branches - 1, splits + 1);
            let Some(first) = node.first_child else { continue };
            children.clear();
            for child in first..first + branches as u32 {
                old.push(child);
                children.extend(entry(child, old.len() as u32 - 1));
            }
            frontier.push(&children);
        }
        old
    }

    /// The tree, its nodes numbered in the spec's order of expansion. Splits beyond the spec's limits are left out.
    pub(super) fn into_tree(mut self, table: &CodedTable, spec: &GrowSpec) -> Tree {
        let unit = table.unit();
        let unit = if spec.criterion == Criterion::Mae { unit } else { unit * unit };
        let mut made = Vec::new();
        let old = self.in_order(spec, |old, new| made.push((old, new)));
        let node = |&old: &u32| {
            let node = &self.nodes[old as usize];
            Node {
                parent: None,
                first_child: None,
                condition: None,
                rows: node.rows,
                weight: node.weight,
                gain: 0.0,
                rank: 0,
            }
        };
        let mut nodes: Vec<Node> = old.iter().map(node).collect();
        let mut next = 1;
        for (rank, (old, new)) in (0..).zip(made) {
            let growing = &mut self.nodes[old as usize];
            let (Some(_), Some(found)) = (growing.first_child, growing.found.take()) else { continue };
            let branches = found.condition.branches() as u32;
            let node = &mut nodes[new as usize];
            node.first_child = Some(next);
            node.condition = Some(found.condition.divided_as_shown(table.schema()));
            node.gain = found.gain / unit;
            node.rank = rank;
            for child in next..next + branches {
                nodes[child as usize].parent = Some(new);
            }
            next += branches;
        }
        let stats = self.stats(table, &old);
        Tree::from_parts(table.schema().clone(), nodes, stats)
    }

    fn stats(&self, table: &CodedTable, order: &[u32]) -> Stats {
        match table.target() {
            CodedTarget::Classes { classes, .. } => {
                let own = |&i: &u32| &self.class_weights[i as usize * classes..(i as usize + 1) * classes];
                Stats::Classes { classes: *classes, weights: order.iter().flat_map(own).copied().collect() }
            }
            CodedTarget::Numbers { unit, .. } => {
                let mut mean = Vec::with_capacity(order.len());
                let mut mse = Vec::with_capacity(order.len());
                for &i in order {
                    let tally = self.numbers[i as usize];
                    let weight = if tally.weight > 0.0 { tally.weight } else { 1.0 };
                    mean.push(tally.mean / unit);
                    mse.push(tally.error / weight / unit / unit);
                }
                Stats::Numbers { mean, mse, median: Vec::new() }
            }
        }
    }
}
