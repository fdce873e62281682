//! A tree as columns: what the page needs of the nodes, in as few characters as that takes.

use serde::Serialize;

use super::number::{Number, exact, steps};
use crate::tree::{Condition, Stats, Tree};

/// The nodes, and what they know of the target.
#[derive(Debug, Serialize)]
pub(super) struct Columns {
    /// The number of nodes.
    nodes: usize,
    /// The nodes that are split, ascending, each as its distance from the one before; the next five are about these alone.
    inner: Vec<i64>,
    /// The first child, as its distance from the node.
    first: Vec<usize>,
    attribute: Vec<usize>,
    test: Vec<Test>,
    gain: Vec<Number>,
    rank: Vec<u32>,
    rows: Vec<u64>,
    /// Left out where it is the number of rows everywhere.
    weight: Option<Vec<Number>>,
    #[serde(flatten)]
    target: Target,
}

/// A condition without its attribute.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Test {
    /// What is below it goes to the first branch.
    Threshold(Number),
    /// The same; rows without a value go to this branch.
    ThresholdOrMissing { below: Number, missing: usize },
    /// The codes for the first branch and for the second.
    Subsets([Vec<u32>; 2]),
    /// The same; rows without a value go to this branch.
    SubsetsOrMissing(Vec<u32>, Vec<u32>, usize),
    /// A branch for each of this many values, and perhaps one more for rows without a value.
    Values {
        values: u32,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        missing: bool,
    },
    /// Rows with a value, and rows without.
    Known { known: bool },
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Target {
    /// The classes with weight: how many there are at every node (or at every leaf, where the others are exact sums), which they are, and
    /// their weights.
    Classes {
        sums: bool,
        present: Vec<u32>,
        classes: Vec<u32>,
        weights: Vec<Number>,
    },
    Numbers {
        mean: Vec<Number>,
        mse: Vec<Number>,
        median: Option<Vec<Number>>,
    },
}

impl Columns {
    pub(super) fn of(tree: &Tree) -> Self {
        let inner: Vec<usize> = (0..tree.nodes().len()).filter(|&id| !tree.is_leaf(id)).collect();
        let nodes = || inner.iter().map(|&id| tree.node(id));
        let counted = tree.nodes().iter().all(|node| node.weight == node.rows as f64);
        Self {
            nodes: tree.nodes().len(),
            first: inner.iter().map(|&id| tree.children(id).start - id).collect(),
            attribute: nodes().filter_map(|n| n.condition.as_ref()).map(Condition::attribute).collect(),
            test: nodes().filter_map(|n| n.condition.as_ref()).map(Test::of).collect(),
            gain: exact(nodes().map(|n| n.gain)),
            rank: nodes().map(|n| n.rank).collect(),
            inner: steps(inner.iter().copied()),
            rows: tree.nodes().iter().map(|n| n.rows).collect(),
            weight: (!counted).then(|| exact(tree.nodes().iter().map(|n| n.weight))),
            target: Target::of(tree),
        }
    }
}

impl Test {
    pub(super) fn of(condition: &Condition) -> Self {
        match condition {
            Condition::Threshold { below, missing, .. } => match missing {
                None => Self::Threshold(Number(*below)),
                Some(side) => Self::ThresholdOrMissing { below: Number(*below), missing: side.branch() },
            },
            Condition::Subset { subsets, missing, .. } => {
                let [left, right] = [subsets.left().to_vec(), subsets.right().to_vec()];
                match missing {
                    None => Self::Subsets([left, right]),
                    Some(side) => Self::SubsetsOrMissing(left, right, side.branch()),
                }
            }
            Condition::EachValue { values, missing, .. } => {
                Self::Values { values: *values, missing: *missing }
            }
            Condition::Known { .. } => Self::Known { known: true },
        }
    }
}

impl Target {
    fn of(tree: &Tree) -> Self {
        let (weights, classes) = match tree.stats() {
            Stats::Classes { classes, weights } => (weights, *classes),
            Stats::Numbers { mean, mse, median } => {
                return Self::Numbers {
                    mean: exact(mean.iter().copied()),
                    mse: exact(mse.iter().copied()),
                    median: (!median.is_empty()).then(|| exact(median.iter().copied())),
                };
            }
        };
        let sums = is_sum_of_leaves(tree, weights, classes);
        let (mut present, mut which, mut of_them) = (vec![], vec![], vec![]);
        for id in (0..tree.nodes().len()).filter(|&id| !sums || tree.is_leaf(id)) {
            let before = which.len();
            for (class, &weight) in tree.class_weights(id).iter().enumerate().filter(|(_, w)| **w != 0.0) {
                which.push(class as u32);
                of_them.push(Number(weight));
            }
            present.push((which.len() - before) as u32);
        }
        Self::Classes { sums, present, classes: which, weights: of_them }
    }
}

/// Whether all weights are whole numbers and those of every split are the sums of its branches', so that the page finds the same bits by
/// adding.
fn is_sum_of_leaves(tree: &Tree, weights: &[f64], classes: usize) -> bool {
    let exact = |w: &f64| w.fract() == 0.0 && *w < 9e15;
    weights.iter().all(exact)
        && (0..tree.nodes().len()).filter(|&id| !tree.is_leaf(id)).all(|id| {
            (0..classes).all(|class| {
                let sum: f64 = tree.children(id).map(|child| weights[child * classes + class]).sum();
                sum == weights[id * classes + class]
            })
        })
}
