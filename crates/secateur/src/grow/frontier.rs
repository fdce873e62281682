//! The frontier: nodes that wait to be split, and the order in which they are.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use super::{Order, Ties};

/// A node that waits, with its priority.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Waiting {
    priority: f64,
    node: u32,
    ties: Ties,
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    /// The larger priority first; among equal ones the node made first, or last.
    fn cmp(&self, other: &Self) -> Ordering {
        let older = other.node.cmp(&self.node);
        let tie = if self.ties == Ties::Oldest { older } else { older.reverse() };
        self.priority.total_cmp(&other.priority).then(tie)
    }
}

/// Nodes that wait, in one of the orders. Nodes are numbered in the order in which they are made.
pub(crate) enum Frontier {
    Depth(Vec<u32>),
    Breadth(VecDeque<u32>),
    Best(BinaryHeap<Waiting>, Ties),
    BestWeighted(BinaryHeap<Waiting>, Ties),
}

impl Frontier {
    pub fn new(order: Order, ties: Ties) -> Self {
        match order {
            Order::DepthFirst => Self::Depth(Vec::new()),
            Order::BreadthFirst => Self::Breadth(VecDeque::new()),
            Order::BestFirst => Self::Best(BinaryHeap::new(), ties),
            Order::BestFirstWeighted => Self::BestWeighted(BinaryHeap::new(), ties),
        }
    }

    /// Adds the children of a node, in branch order: number, gain and weight of each that can be split.
    pub fn push(&mut self, children: &[(u32, f64, f64)]) {
        match self {
            // The first child must come out first.
            Self::Depth(stack) => stack.extend(children.iter().rev().map(|c| c.0)),
            Self::Breadth(queue) => queue.extend(children.iter().map(|c| c.0)),
            Self::Best(heap, ties) => heap.extend(children.iter().map(|&(node, gain, _)| Waiting {
                priority: gain,
                node,
                ties: *ties,
            })),
            Self::BestWeighted(heap, ties) => {
                heap.extend(children.iter().map(|&(node, gain, weight)| Waiting {
                    priority: gain * weight,
                    node,
                    ties: *ties,
                }))
            }
        }
    }

    /// The node to split next.
    pub fn pop(&mut self) -> Option<u32> {
        match self {
            Self::Depth(stack) => stack.pop(),
            Self::Breadth(queue) => queue.pop_front(),
            Self::Best(heap, _) | Self::BestWeighted(heap, _) => heap.pop().map(|w| w.node),
        }
    }
}
