//! The frontier: nodes that wait to be split, and the order in which they are.

use std::collections::{BTreeSet, VecDeque};

use crate::criterion::TIE;
use crate::schema::Task;
use crate::spec::{GrowSpec, Order, Ties};

/// Nodes that wait, in one of the orders. Nodes are numbered in the order in which they are made.
pub(crate) enum Frontier {
    Depth(Vec<u32>),
    Breadth(VecDeque<u32>),
    Best(Waiting),
}

/// Nodes that wait by their priority: the gain, or the gain times the weight.
pub(crate) struct Waiting {
    /// Level and number of every node.
    nodes: BTreeSet<(u64, u32)>,
    weighted: bool,
    ties: Ties,
    grid: Grid,
}

/// How priorities become levels. Equal priorities that differ by rounding lie on the same level or on neighbouring ones.
enum Grid {
    /// Levels of this width: gains of classes.
    Even(f64),
    /// Levels whose width is a tiny share of the priority: gains of numbers.
    Relative,
}

impl Grid {
    /// The level of a priority (of at least 0): the larger the higher.
    fn level(&self, priority: f64) -> u64 {
        // The first forty bits of a number.
        const OTHER_BITS: u32 = 13;
        match self {
            Self::Even(width) => (priority / width) as u64,
            Self::Relative => priority.to_bits() >> OTHER_BITS,
        }
    }
}

impl Waiting {
    fn push(&mut self, node: u32, gain: f64, weight: f64) {
        let priority = if self.weighted { gain * weight } else { gain };
        self.nodes.insert((self.grid.level(priority), node));
    }

    /// The node of the largest priority; among equal ones the one made first, or last.
    fn pop(&mut self) -> Option<u32> {
        let top = self.nodes.last()?.0;
        let on = |level: u64| {
            let mut nodes = self.nodes.range((level, 0)..=(level, u32::MAX));
            if self.ties == Ties::Oldest { nodes.next() } else { nodes.next_back() }
        };
        let near = on(top).into_iter().chain(top.checked_sub(1).and_then(on));
        let next = match self.ties {
            Ties::Oldest => near.min_by_key(|waiting| waiting.1),
            Ties::Newest => near.max_by_key(|waiting| waiting.1),
        };
        let next = *next?;
        self.nodes.remove(&next);
        Some(next.1)
    }
}

impl Frontier {
    /// A frontier in the order of a spec, for a tree of this weight.
    pub(super) fn new(spec: &GrowSpec, weight: f64) -> Self {
        let best = |weighted: bool| {
            let grid = if spec.criterion.task() == Task::Regression {
                Grid::Relative
            } else {
                Grid::Even(TIE * if weighted { weight } else { 1.0 })
            };
            Self::Best(Waiting { nodes: BTreeSet::new(), weighted, ties: spec.ties, grid })
        };
        match spec.order {
            Order::DepthFirst => Self::Depth(Vec::new()),
            Order::BreadthFirst => Self::Breadth(VecDeque::new()),
            Order::BestFirst => best(false),
            Order::BestFirstWeighted => best(true),
        }
    }

    /// Adds the children of a node, in branch order: number, gain and weight of each that can be split.
    pub(super) fn push(&mut self, children: &[(u32, f64, f64)]) {
        match self {
            // The first child must come out first.
            Self::Depth(stack) => stack.extend(children.iter().rev().map(|c| c.0)),
            Self::Breadth(queue) => queue.extend(children.iter().map(|c| c.0)),
            Self::Best(waiting) => {
                children.iter().for_each(|&(node, gain, weight)| waiting.push(node, gain, weight));
            }
        }
    }

    /// The node to split next.
    pub(super) fn pop(&mut self) -> Option<u32> {
        match self {
            Self::Depth(stack) => stack.pop(),
            Self::Breadth(queue) => queue.pop_front(),
            Self::Best(waiting) => waiting.pop(),
        }
    }
}
