//! What the tests of several methods need: all pruned subtrees of a small tree, sizes of cuts, trees of every kind.

use crate::tree::Tree;
use crate::tree::testing;

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

/// Random trees with classes, of all shapes.
pub(super) fn classifiers(how_many: u64, splits: usize) -> impl Iterator<Item = Tree> {
    (0..)
        .map(move |seed| testing::random(seed, splits, seed as usize % 3))
        .filter(Tree::is_classifier)
        .take(how_many as usize)
}
