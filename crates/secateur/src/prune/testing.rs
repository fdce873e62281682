//! What the tests of several methods need: all pruned subtrees of a small tree, sizes of cuts, trees of every kind.

use std::sync::Arc;

use crate::schema::{Schema, Target};
use crate::tree::{Stats, Tree, testing};

/// The training error of every node as a leaf.
pub(super) fn errors(tree: &Tree) -> Vec<f64> {
    (0..tree.nodes().len()).map(|id| tree.error(id)).collect()
}

/// The leaves of the tree that is left when a node is a leaf where `is_leaf` says so.
pub(super) fn leaves_left(tree: &Tree, is_leaf: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut stays = vec![false; tree.nodes().len()];
    stays[0] = true;
    let mut leaves = Vec::new();
    for id in 0..stays.len() {
        if stays[id] && (tree.is_leaf(id) || is_leaf(id)) {
            leaves.push(id);
        } else if stays[id] {
            stays[tree.children(id)].fill(true);
        }
    }
    leaves
}

/// The leaves after a cut.
pub(super) fn after(tree: &Tree, cut: &[bool]) -> Vec<usize> {
    assert_eq!(cut.len(), tree.nodes().len());
    leaves_left(tree, |id| cut[id])
}

/// The leaves of a member of a path.
pub(super) fn member(tree: &Tree, fall: &[f64], parameter: f64) -> Vec<usize> {
    leaves_left(tree, |id| fall[id] <= parameter)
}

/// Every pruned subtree, as the set of its leaves.
pub(super) fn all_subtrees(tree: &Tree) -> Vec<Vec<usize>> {
    let mut at: Vec<Vec<Vec<usize>>> = vec![Vec::new(); tree.nodes().len()];
    for id in (0..tree.nodes().len()).rev() {
        let mut all = vec![vec![]];
        for child in tree.children(id) {
            let joined = |a: &Vec<usize>, b: &Vec<usize>| a.iter().chain(b).copied().collect();
            all = all.iter().flat_map(|a| at[child].iter().map(move |b| joined(a, b))).collect();
        }
        if tree.is_leaf(id) {
            all.clear();
        }
        all.push(vec![id]);
        at[id] = all;
    }
    at.swap_remove(0)
}

/// Checks what every path promises.
pub(super) fn is_path(tree: &Tree, fall: &[f64]) {
    assert_eq!(fall.len(), tree.nodes().len());
    for id in 0..fall.len() {
        assert_eq!(fall[id] == f64::NEG_INFINITY, tree.is_leaf(id), "node {id}: {}", fall[id]);
        if let Some(parent) = tree.node(id).parent {
            assert!(fall[id] <= fall[parent as usize], "node {id}");
        }
    }
}

/// Random trees of all shapes with 1, 2, 3 and 5 classes, parts of rows and branches without rows.
pub(super) fn classifiers(how_many: u64, splits: usize) -> impl Iterator<Item = Tree> {
    (0..how_many).map(move |seed| {
        let tree = testing::random(seed, splits, seed as usize % 3);
        with_classes(&tree, [2, 5, 1, 3][seed as usize / 3 % 4], seed)
    })
}

/// The same splits with other rows.
fn with_classes(tree: &Tree, classes: usize, seed: u64) -> Tree {
    let mut dice = testing::Dice(seed);
    let mut nodes = tree.nodes().to_vec();
    let mut weights = vec![0.0; nodes.len() * classes];
    for id in (0..nodes.len()).rev() {
        if tree.is_leaf(id) && tree.node(id).weight > 0.0 {
            let major = dice.below(classes);
            for j in 0..classes {
                let most = if j == major { 20 } else { 4 };
                let whole = dice.below(most) as f64;
                weights[id * classes + j] = if dice.below(3) == 0 { dice.unit() * whole } else { whole };
            }
            weights[id * classes + major] += 1.0;
        }
        nodes[id].weight = weights[id * classes..][..classes].iter().sum();
        nodes[id].rows = nodes[id].weight.ceil() as u64;
        if let Some(parent) = nodes[id].parent {
            for j in 0..classes {
                weights[parent as usize * classes + j] += weights[id * classes + j];
            }
        }
    }
    let labels: Vec<String> = (0..classes).map(|c| format!("c{c}")).collect();
    let target = Target::Classes { name: "t".into(), classes: labels };
    let schema = Schema { target, ..tree.schema().clone() };
    Tree::from_parts(Arc::new(schema), nodes, Stats::Classes { classes, weights })
}
