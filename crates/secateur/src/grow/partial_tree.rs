//! A tree in the making, and how it becomes a [`Tree`].

use super::engine::BestSplit;
use super::frontier::Frontier;
use crate::criterion::Criterion;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::memory;
use crate::spec::{GrowSpec, LeafValue};
use crate::split::{NodeCount, NumberTally, Tally};
use crate::tree::{Node, Stats, Tree};

/// A node in the making.
#[derive(Debug)]
pub(super) struct Sprout<R> {
    pub parent: Option<u32>,
    /// The first child, once the node is split.
    pub first_child: Option<u32>,
    pub depth: u32,
    pub rows: u64,
    pub weight: f64,
    /// The best split, whether it has been made or waits.
    pub found: Option<BestSplit>,
    /// The engine's handle, while the split waits.
    pub handle: Option<R>,
}

/// Nodes in the making, in the order in which they were made.
#[derive(Debug)]
pub(super) struct PartialTree<R> {
    pub nodes: Vec<Sprout<R>>,
    /// For classes: how many there are, and their weights in each node.
    classes: usize,
    class_weights: Vec<f64>,
    /// For numbers: what they are like in each node.
    numbers: Vec<NumberTally>,
    medians: Vec<f64>,
}

impl<R> PartialTree<R> {
    pub(super) fn new(root: NodeCount, depth: u32) -> Self {
        let mut sprouts = Self {
            nodes: Vec::new(),
            classes: root.tally.class_weights().len(),
            class_weights: Vec::new(),
            numbers: Vec::new(),
            medians: Vec::new(),
        };
        sprouts.push(None, depth, &root);
        sprouts
    }

    pub(super) fn push(&mut self, parent: Option<u32>, depth: u32, count: &NodeCount) {
        match &count.tally {
            Tally::Classes(weights) => self.class_weights.extend_from_slice(weights),
            Tally::Numbers(tally) => self.numbers.push(*tally),
        }
        // An empty branch has no median of its own; it predicts with its parent's.
        self.medians.extend(count.median.or((!self.medians.is_empty()).then_some(0.0)));
        self.nodes.push(Sprout {
            parent,
            first_child: None,
            depth,
            rows: count.rows,
            weight: count.weight,
            found: None,
            handle: None,
        });
    }

    pub(super) fn class_weights(&self, node: usize) -> &[f64] {
        &self.class_weights[node * self.classes..(node + 1) * self.classes]
    }

    /// The same nodes without their handles, for a tree that is grown to its end.
    pub(super) fn without_handles(self) -> PartialTree<()> {
        let nodes = self.nodes.into_iter().map(|sprout| Sprout {
            parent: sprout.parent,
            first_child: sprout.first_child,
            depth: sprout.depth,
            rows: sprout.rows,
            weight: sprout.weight,
            found: sprout.found,
            handle: None,
        });
        PartialTree {
            nodes: nodes.collect(),
            classes: self.classes,
            class_weights: self.class_weights,
            numbers: self.numbers,
            medians: self.medians,
        }
    }

    /// Makes room for so many more nodes.
    pub(super) fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve_exact(nodes);
        self.class_weights.reserve_exact(nodes * self.classes);
        if !self.numbers.is_empty() {
            self.numbers.reserve_exact(nodes);
        }
    }

    /// Puts a subtree in the place of a node; its root is that node grown further.
    pub(super) fn graft<S>(&mut self, node: u32, subtree: PartialTree<S>) {
        // Node `i > 0` of the subtree gets the number `shift + i`.
        let shift = self.nodes.len() as u32 - 1;
        let renumber = |i: u32| if i == 0 { node } else { shift + i };
        self.class_weights.extend_from_slice(&subtree.class_weights[self.classes..]);
        self.numbers.extend(subtree.numbers.iter().skip(1));
        self.medians.extend(subtree.medians.iter().skip(1));
        for (i, sprout) in subtree.nodes.into_iter().enumerate() {
            let first_child = sprout.first_child.map(renumber);
            if i == 0 {
                let place = &mut self.nodes[node as usize];
                (place.first_child, place.found, place.handle) = (first_child, sprout.found, None);
            } else {
                self.nodes.push(Sprout {
                    parent: sprout.parent.map(renumber),
                    first_child,
                    depth: sprout.depth,
                    rows: sprout.rows,
                    weight: sprout.weight,
                    found: sprout.found,
                    handle: None,
                });
            }
        }
    }

    /// Asks for the memory of the tree.
    pub(super) fn check_memory(&self, table: &CodedTable) -> Result<()> {
        let numbers = table.classes().max(3) * size_of::<f64>();
        let bytes = self.nodes.len().saturating_mul(size_of::<Node>() + size_of::<u32>() + numbers);
        memory::ask(bytes, &format!("a tree of {} nodes", self.nodes.len()))
    }

    /// The tree, its nodes numbered in the spec's order of expansion.
    pub(super) fn into_tree(mut self, table: &CodedTable, spec: &GrowSpec) -> Tree {
        let total = self.nodes.len();
        let unit = table.unit();
        let unit = if spec.criterion == Criterion::Mae { unit } else { unit * unit };
        let mut nodes: Vec<Node> = Vec::with_capacity(total);
        let mut old: Vec<u32> = Vec::with_capacity(total);
        let mut frontier = Frontier::new(spec, self.nodes[0].weight);
        let add = |nodes: &mut Vec<Node>, sprout: &Sprout<R>, parent: Option<u32>| {
            nodes.push(Node {
                parent,
                first_child: None,
                condition: None,
                rows: sprout.rows,
                weight: sprout.weight,
                gain: 0.0,
                rank: 0,
            });
        };
        let gain = |sprout: &Sprout<R>| sprout.found.as_ref().map_or(0.0, |f| f.gain);
        add(&mut nodes, &self.nodes[0], None);
        old.push(0);
        if self.nodes[0].first_child.is_some() {
            frontier.push(&[(0, gain(&self.nodes[0]), self.nodes[0].weight)]);
        }
        let mut rank = 0;
        let mut ready = Vec::new();
        while let Some(id) = frontier.pop() {
            let sprout = &mut self.nodes[old[id as usize] as usize];
            let (Some(first), Some(found)) = (sprout.first_child, sprout.found.take()) else { continue };
            let node = &mut nodes[id as usize];
            let branches = found.condition.branches() as u32;
            node.first_child = Some(old.len() as u32);
            node.condition = Some(found.condition.divided_as_shown(table.schema()));
            node.gain = found.gain / unit;
            node.rank = rank;
            rank += 1;
            ready.clear();
            for child in first..first + branches {
                let sprout = &self.nodes[child as usize];
                if sprout.first_child.is_some() {
                    ready.push((old.len() as u32, gain(sprout), sprout.weight));
                }
                add(&mut nodes, sprout, Some(id));
                old.push(child);
            }
            frontier.push(&ready);
        }
        let stats = self.stats(table, &old, spec.leaf);
        Tree::from_parts(table.schema().clone(), nodes, stats)
    }

    fn stats(&self, table: &CodedTable, order: &[u32], leaf: LeafValue) -> Stats {
        match table.target() {
            CodedTarget::Classes { classes, .. } => Stats::Classes {
                classes: *classes,
                weights: order.iter().flat_map(|&i| self.class_weights(i as usize)).copied().collect(),
            },
            CodedTarget::Numbers { unit, .. } => {
                let mut mean = Vec::with_capacity(order.len());
                let mut mse = Vec::with_capacity(order.len());
                for &i in order {
                    let tally = self.numbers[i as usize];
                    let weight = if tally.weight > 0.0 { tally.weight } else { 1.0 };
                    mean.push(tally.mean / unit);
                    mse.push(tally.error / weight / unit / unit);
                }
                let median = match leaf {
                    LeafValue::Mean => Vec::new(),
                    LeafValue::Median => order.iter().map(|&i| self.medians[i as usize] / unit).collect(),
                };
                Stats::Numbers { mean, mse, median }
            }
        }
    }
}
