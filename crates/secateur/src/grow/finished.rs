//! Nodes that are grown to their end, as they will stand in the tree, and how they become one.
//!
//! Subtrees are laid down one after the other as they are grown, by whatever thread: every node is written once and then
//! only moved to its place, so that a tree of millions of leaves takes little more memory in the making than it takes itself.

use super::frontier::Frontier;
use super::partial_tree::{GrowingNode, PartialTree};
use crate::criterion::Criterion;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::memory;
use crate::spec::{GrowSpec, LeafValue};
use crate::split::NumberTally;
use crate::tree::{Node, Stats, Tree};

/// Nodes without an order; `first_child` is a place in this list, and gains are in the unit of the coded target.
pub(super) struct Finished<'a> {
    table: &'a CodedTable,
    spec: &'a GrowSpec,
    nodes: Vec<Node>,
    stats: Stats,
    /// The roots of the subtrees: the node of the trunk, and the root itself.
    roots: Vec<(u32, Node)>,
}

/// Room for more entries: twice as many where a list has to move.
pub(super) fn make_room<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    if list.capacity() - list.len() < more {
        memory::reserve(list, more.max(list.len()), WHAT)?;
    }
    Ok(())
}

/// What memory is wanted for.
const WHAT: &str = "the nodes of a tree";

impl<'a> Finished<'a> {
    pub(super) fn new(table: &'a CodedTable, spec: &'a GrowSpec) -> Self {
        let stats = match table.target() {
            CodedTarget::Classes { classes, .. } => Stats::Classes { classes: *classes, weights: Vec::new() },
            CodedTarget::Numbers { .. } => {
                Stats::Numbers { mean: Vec::new(), mse: Vec::new(), median: Vec::new() }
            }
        };
        Self { table, spec, nodes: Vec::new(), stats, roots: Vec::new() }
    }

    /// A node in the place it will have if the first one of its own tree is at `shift`.
    fn node<R>(&self, growing: GrowingNode<R>, shift: u32) -> Node {
        let split = growing.first_child.zip(growing.found);
        let (first_child, found) = split.map(|(child, found)| (child + shift, found)).unzip();
        Node {
            parent: None,
            first_child,
            gain: found.as_ref().map_or(0.0, |found| found.gain),
            condition: found.map(|found| found.condition.divided_as_shown(self.table.schema())),
            rows: growing.rows,
            weight: growing.weight,
            rank: 0,
        }
    }

    /// Room for this many more nodes.
    fn make_room(&mut self, more: usize) -> Result<()> {
        make_room(&mut self.nodes, more)?;
        match &mut self.stats {
            Stats::Classes { classes, weights } => make_room(weights, more * *classes),
            Stats::Numbers { mean, mse, .. } => make_room(mean, more).and_then(|()| make_room(mse, more)),
        }
    }

    /// Lays down what the nodes of a tree, except for the first ones, know of the target.
    fn lay_down_stats<R>(&mut self, grown: &PartialTree<R>, first: usize) {
        let unit = self.table.unit();
        match &mut self.stats {
            Stats::Classes { classes, weights } => {
                weights.extend_from_slice(&grown.class_weights[first * *classes..]);
            }
            Stats::Numbers { mean, mse, median } => {
                for &NumberTally { weight, mean: centre, error } in &grown.numbers[first..] {
                    let weight = if weight > 0.0 { weight } else { 1.0 };
                    mean.push(centre / unit);
                    mse.push(error / weight / unit / unit);
                }
                if self.spec.leaf == LeafValue::Median {
                    median.extend(grown.medians[first..].iter().map(|m| m / unit));
                }
            }
        }
    }

    /// Takes a subtree; its root is a node of the trunk, grown further.
    pub(super) fn graft<R>(&mut self, node: u32, subtree: PartialTree<R>) -> Result<()> {
        self.make_room(subtree.nodes.len())?;
        self.lay_down_stats(&subtree, 1);
        // Node `i > 0` of the subtree gets the place `shift + i - 1`; the root is the child of none.
        let shift = self.nodes.len() as u32;
        let mut partial = subtree.nodes.into_iter();
        let place = |growing: GrowingNode<R>| GrowingNode {
            first_child: growing.first_child.map(|c| c - 1),
            ..growing
        };
        if let Some(root) = partial.next() {
            let root = self.node(place(root), shift);
            self.roots.push((node, root));
        }
        for growing in partial {
            let node = self.node(place(growing), shift);
            self.nodes.push(node);
        }
        Ok(())
    }

    /// Asks for the memory that putting all nodes in order takes.
    pub(super) fn check_memory(&self) -> Result<()> {
        let numbers = self.table.classes().max(1) * size_of::<f64>();
        memory::ask(self.nodes.len().saturating_mul(size_of::<u32>() + numbers), WHAT)
    }

    /// Takes the trunk; gives the tree, its nodes numbered in the spec's order of expansion.
    pub(super) fn into_tree<R>(mut self, trunk: PartialTree<R>) -> Tree {
        self.lay_down_stats(&trunk, 0);
        let first = self.nodes.len() as u32;
        for growing in trunk.nodes {
            let node = self.node(growing, first);
            self.nodes.push(node);
        }
        for (node, root) in std::mem::take(&mut self.roots) {
            let place = &mut self.nodes[(first + node) as usize];
            (place.first_child, place.condition, place.gain) = (root.first_child, root.condition, root.gain);
        }
        let order = self.number(first);
        let stats = in_order(self.stats, &order);
        move_to_places(&mut self.nodes, order);
        self.nodes.shrink_to_fit();
        Tree::from_parts(self.table.schema().clone(), self.nodes, stats)
    }

    /// Gives parents, children and ranks their numbers; says the place of every number.
    fn number(&mut self, root: u32) -> Vec<u32> {
        let (nodes, unit) = (&mut self.nodes, self.table.unit());
        let unit = if self.spec.criterion == Criterion::Mae { unit } else { unit * unit };
        let mut places = Vec::with_capacity(nodes.len());
        places.push(root);
        let mut frontier = Frontier::new(self.spec, nodes[root as usize].weight);
        if nodes[root as usize].first_child.is_some() {
            frontier.push(&[(0, nodes[root as usize].gain, nodes[root as usize].weight)]);
        }
        let mut ready = Vec::new();
        let mut rank = 0;
        while let Some(id) = frontier.pop() {
            let node = &mut nodes[places[id as usize] as usize];
            let branches = node.condition.as_ref().map_or(0, |condition| condition.branches() as u32);
            let Some(first) = node.first_child.replace(places.len() as u32) else { continue };
            node.gain /= unit;
            node.rank = rank;
            rank += 1;
            ready.clear();
            for child in first..first + branches {
                let node = &mut nodes[child as usize];
                node.parent = Some(id);
                if node.first_child.is_some() {
                    ready.push((places.len() as u32, node.gain, node.weight));
                }
                places.push(child);
            }
            frontier.push(&ready);
        }
        places
    }
}

/// What the nodes know of the target, in the order of these places.
fn in_order(stats: Stats, places: &[u32]) -> Stats {
    let numbers = |list: Vec<f64>| -> Vec<f64> {
        if list.is_empty() { list } else { places.iter().map(|&place| list[place as usize]).collect() }
    };
    match stats {
        Stats::Classes { classes, weights } => {
            let of = |&place: &u32| &weights[place as usize * classes..(place as usize + 1) * classes];
            let mut ordered = Vec::with_capacity(places.len() * classes);
            places.iter().for_each(|place| ordered.extend_from_slice(of(place)));
            Stats::Classes { classes, weights: ordered }
        }
        Stats::Numbers { mean, mse, median } => {
            Stats::Numbers { mean: numbers(mean), mse: numbers(mse), median: numbers(median) }
        }
    }
}

/// Moves every entry to its number, which is where its place stands in the list.
fn move_to_places<T>(list: &mut [T], mut places: Vec<u32>) {
    for start in 0..places.len() {
        // Around the circle of entries that take each other's places.
        let mut here = start;
        while places[here] as usize != start {
            let from = places[here] as usize;
            list.swap(here, from);
            places[here] = here as u32;
            here = from;
        }
        places[here] = here as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_are_moved_to_their_places(places in (1usize..50).prop_flat_map(|n| Just((0..n as u32).collect::<Vec<_>>()).prop_shuffle())) {
            let mut list: Vec<String> = (0..places.len()).map(|i| format!("entry {i}")).collect();
            let wanted: Vec<String> = places.iter().map(|&place| list[place as usize].clone()).collect();
            move_to_places(&mut list, places);
            prop_assert_eq!(list, wanted);
        }
    }
}
