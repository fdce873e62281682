//! Pessimistic pruning: a subtree stays when it beats its node by more than a standard error, half an error being
//! added for every leaf.
//!
//! With `e` training errors, `n` rows and `L` leaves: `e'(t) = e(t) + ½`, `e'(T_t) = e(T_t) + L_t / 2`,
//! `SE = √(e'(T_t) (n − e'(T_t)) / n)`; from the top down, a node is collapsed when `e'(t) ≤ e'(T_t) + SE` (Quinlan
//! 1987, "Simplifying decision trees").
//!
//! Half an error is half a row, of which `count` says what it is.
//!
//! Needs the training errors of a classification tree; no held-out rows, no parameter. Takes `O(L)`, each node
//! being looked at once and the subtrees being those of the full tree.

use crate::method::{Exception, For, Law, MethodInfo, Needs};
use crate::prune::counted::COUNT;
use crate::prune::{Counted, Job, PruneKind, Pruner};

use crate::tree::Tree;

/// The nodes that become leaves. `errors` are the training errors of every node as a leaf.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::pessimistic::cut;
///
/// // The weather tree: 5 + ½ against 0 + 5/2 + √(2.5 · 11.5 / 14) = 3.93, so the root stays a split.
/// let coded = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
/// let tree = grow(&coded, &GrowSpec::c45(Task::Classification), &Silent).unwrap();
/// let errors: Vec<f64> = (0..tree.nodes().len()).map(|id| tree.error(id)).collect();
/// assert_eq!(errors[0], 5.0);
/// assert!(!cut(&tree, &errors)[0]);
/// ```
pub fn cut(tree: &Tree, errors: &[f64]) -> Vec<bool> {
    let nodes = tree.nodes().len();
    let mut below = errors.to_vec();
    let mut leaves = vec![1.0; nodes];
    for id in (0..nodes).rev().filter(|&id| !tree.is_leaf(id)) {
        below[id] = tree.children(id).map(|c| below[c]).sum();
        leaves[id] = tree.children(id).map(|c| leaves[c]).sum();
    }
    // Below a collapsed node the test goes on, to no effect.
    (0..nodes)
        .map(|id| tree.is_leaf(id) || falls(errors[id], below[id], leaves[id], tree.node(id).weight))
        .collect()
}

/// Quinlan's test of one node.
fn falls(as_leaf: f64, as_subtree: f64, leaves: f64, n: f64) -> bool {
    let subtree = as_subtree + leaves / 2.0;
    let variance = if n > 0.0 { (subtree * (n - subtree) / n).max(0.0) } else { 0.0 };
    as_leaf + 0.5 <= (subtree + variance.sqrt()) * (1.0 + 1e-12)
}

/// Pessimistic pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "pessimistic",
        one_line: "adds half an error per leaf; cuts what is within a standard error",
        paper: "Quinlan: Simplifying decision trees, 1987",
        params: &[COUNT],
        needs: Needs::Counts,
        exceptions: &[Exception::new(
            Law::PruningAgain,
            "a node is judged by the leaves below it in the tree at hand: a smaller subtree is judged anew",
        )],
    },
    only: For::Classes,
    kind: PruneKind::Cut(|job: &Job| Ok(cut(job.counted(), &job.bounded_risk()))),
};

typed_options! {
    /// Pessimistic pruning.
    Pessimistic of PRUNER {
        count "count": Counted = "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::testing::{after, classifiers, errors};
    use crate::tree::testing::{chain, iris, weather};

    #[test]
    fn by_hand() {
        // 5.5 > 2.5 + √(2.5 · 11.5/14) = 3.93; below, with 5 rows each: 2.5 > 1 + √(1 · 4/5) = 1.89.
        let tree = weather();
        assert_eq!(after(&tree, &cut(&tree, &errors(&tree))).len(), 5);
        // Iris: the lowest split has 5 + ½ against 3 + 1 + √(4 · 50/54) = 5.92 and falls; the one above stays.
        let tree = iris();
        let cut = cut(&tree, &errors(&tree));
        assert_eq!(after(&tree, &cut).len(), 3);
    }

    #[test]
    fn more_leaves_than_rows_and_no_rows() {
        assert!(falls(1.0, 0.0, 5.0, 3.0));
        assert!(falls(0.0, 0.0, 2.0, 0.0));
    }

    #[test]
    fn from_the_top_down_by_the_definition() {
        for tree in classifiers(80, 25) {
            let errors = errors(&tree);
            let cut = cut(&tree, &errors);
            let kept = after(&tree, &cut);
            assert!(kept.len() <= tree.leaves());
            // Top-down, with the leaves of each subtree collected anew.
            let mut todo = vec![0];
            let mut want = Vec::new();
            while let Some(id) = todo.pop() {
                let (mut stack, mut leaves) = (vec![id], Vec::new());
                while let Some(at) = stack.pop() {
                    if tree.is_leaf(at) {
                        leaves.push(at);
                    }
                    stack.extend(tree.children(at));
                }
                let subtree: f64 = leaves.iter().map(|&l| errors[l] + 0.5).sum();
                let n = tree.node(id).weight;
                let error = if subtree < n { (subtree * (1.0 - subtree / n)).sqrt() } else { 0.0 };
                if tree.is_leaf(id) || errors[id] + 0.5 <= subtree + error + 1e-9 {
                    want.push(id);
                } else {
                    todo.extend(tree.children(id));
                }
            }
            want.sort_unstable();
            assert_eq!(kept, want);
        }
    }

    #[test]
    fn a_leaf_and_a_long_chain() {
        let tree = chain(1);
        assert_eq!(after(&tree, &cut(&tree, &errors(&tree))), [0]);
        let tree = chain(200_001);
        assert!(after(&tree, &cut(&tree, &errors(&tree))).len() <= tree.leaves());
    }
}
