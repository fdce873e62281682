//! A tree as lists of numbers, which programs in other languages walk down: the same walk as
//! [`predict`](secateur::predict), with the same sums in the same order.

use std::collections::HashMap;

use secateur::schema::Cell;
use secateur::tree::{Condition, NodeId, Tree};

use crate::export::Inputs;
use crate::export::said::{Said, leaves, said};

/// What a node asks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Test {
    /// Numbers below this go to the first branch, all others to the second.
    Below(f64),
    /// The branch of every code stands in a list, from here on.
    Listed(usize),
    /// Rows with a value go to the first branch.
    Known,
    /// Nothing: the leaf of this number, from left to right.
    Leaf(usize),
}

/// One node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlatNode {
    pub(super) test: Test,
    /// The input that is tested; 0 for a leaf.
    pub(super) input: usize,
    /// The first child; 0 for a leaf.
    pub(super) first: usize,
    /// Where the shares of its branches begin in their list; 0 for a leaf.
    pub(super) shares: usize,
    /// How many there are; 0 for a leaf.
    pub(super) branches: usize,
    /// The branch of rows without a value, or [`NOWHERE`] where they go down every branch.
    pub(super) missing: i64,
}

/// A whole tree, its nodes in the order of the arena.
pub(super) struct Flat<'t> {
    pub(super) tree: &'t Tree,
    pub(super) inputs: Inputs<'t>,
    pub(super) nodes: Vec<FlatNode>,
    /// Branches of codes: [`NOWHERE`] where a code has none.
    pub(super) branches: Vec<i64>,
    /// Shares of rows without a known value, for every branch of every test.
    pub(super) shares: Vec<f64>,
    /// The leaves from left to right: their nodes, and what they say.
    pub(super) leaves: Vec<(NodeId, Said)>,
    /// The parts of a row that wait at most while it goes down.
    pub(super) most_parts: usize,
}

/// No branch.
pub(super) const NOWHERE: i64 = -1;

impl<'t> Flat<'t> {
    pub(super) fn of(tree: &'t Tree) -> Self {
        let inputs = Inputs::of(tree);
        let ends = leaves(tree);
        let number: HashMap<NodeId, usize> = ends.iter().copied().zip(0..).collect();
        let (mut branches, mut all_shares) = (Vec::new(), Vec::new());
        let mut known: HashMap<Vec<i64>, usize> = HashMap::new();
        let mut nodes = Vec::with_capacity(tree.nodes().len());
        for (id, node) in tree.nodes().iter().enumerate() {
            let Some(condition) = &node.condition else {
                nodes.push(FlatNode {
                    test: Test::Leaf(number[&id]),
                    input: 0,
                    first: 0,
                    shares: 0,
                    branches: 0,
                    missing: NOWHERE,
                });
                continue;
            };
            let test = match condition {
                Condition::Threshold { below, .. } => Test::Below(*below),
                Condition::Known { .. } => Test::Known,
                _ => {
                    let list = listed(tree, condition);
                    let begin = *known.entry(list).or_insert_with_key(|list| {
                        branches.extend(list);
                        branches.len() - list.len()
                    });
                    Test::Listed(begin)
                }
            };
            nodes.push(FlatNode {
                test,
                input: inputs.place(condition.attribute()),
                first: tree.children(id).start,
                shares: all_shares.len(),
                branches: condition.branches(),
                missing: condition.missing().map_or(NOWHERE, |branch| branch as i64),
            });
            all_shares.extend(tree.shares(id));
        }
        let leaves = ends.into_iter().map(|node| (node, said(tree, node))).collect();
        let most_parts = most_parts(tree);
        Self { tree, inputs, nodes, branches, shares: all_shares, leaves, most_parts }
    }

    /// Whether values from lists are tested.
    pub(super) fn has_lists(&self) -> bool {
        self.inputs.iter().any(|input| !input.is_numeric())
    }

    /// Whether numbers are tested.
    pub(super) fn has_numbers(&self) -> bool {
        self.inputs.iter().any(|input| input.is_numeric())
    }

    /// Whether a test sends rows without a value to one branch.
    pub(super) fn sends_missing(&self) -> bool {
        self.nodes.iter().any(|node| node.missing != NOWHERE)
    }

    /// Whether a test only asks whether there is a value.
    pub(super) fn asks_known(&self) -> bool {
        self.nodes.iter().any(|node| node.test == Test::Known)
    }

    /// Whether the tree has more than one leaf.
    pub(super) fn has_tests(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// The numbers of all leaves, leaf by leaf.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.leaves.iter().flat_map(|(_, said)| said.numbers.iter().copied())
    }
}

/// The branch of every code at a test of values from a list.
fn listed(tree: &Tree, condition: &Condition) -> Vec<i64> {
    let codes = 0..tree.schema().attributes[condition.attribute()].values().len() as u32;
    codes.map(|code| condition.route(Cell::Code(code)).map_or(NOWHERE, |branch| branch as i64)).collect()
}

/// The parts of a row that wait at most: on the way to a node all later branches of the nodes above do, and then its own.
fn most_parts(tree: &Tree) -> usize {
    let mut waiting = vec![0usize; tree.nodes().len()];
    let mut most = 1;
    for node in 0..waiting.len() {
        let children = tree.children(node);
        most = most.max(waiting[node] + children.len());
        for child in children.clone() {
            waiting[child] = waiting[node] + (children.end - child - 1);
        }
    }
    most
}
