//! Critical-value pruning: a subtree stays when some split in it gains more than the threshold.
//!
//! `fall(t) = max { gain(s) : s a split in T_t }`. A weak split above a strong one is kept for the strong one's
//! sake (Mingers 1987; Shi 2007, 2.1.2).
//!
//! Needs the gains of the splits, in the units of the criterion the tree was grown by; takes `O(L)`.

use crate::method::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
use crate::method::{For, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::{Job, Parameter, PruneKind, Pruner, Spacing, Tried};

use crate::tree::Tree;

/// The threshold at which every node falls: the largest gain in its subtree; leaves have −∞.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::critical_value::fall;
///
/// let coded = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
/// let tree = grow(&coded, &GrowSpec::c45(Task::Classification), &Silent).unwrap();
/// let largest = tree.nodes().iter().map(|node| node.gain).fold(0.0, f64::max);
/// assert_eq!(fall(&tree)[0], largest);
/// ```
pub fn fall(tree: &Tree) -> Vec<f64> {
    let mut fall: Vec<f64> =
        tree.nodes().iter().map(|n| if n.condition.is_some() { n.gain } else { f64::NEG_INFINITY }).collect();
    for id in (1..fall.len()).rev() {
        if let Some(parent) = tree.node(id).parent {
            fall[parent as usize] = fall[parent as usize].max(fall[id]);
        }
    }
    fall
}

/// Critical-value pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "critical-value",
        one_line: "cuts where no split further down gains more than a threshold",
        paper: "Mingers: Expert systems, rule induction with statistical data, 1987; Shi 2.1.2",
        params: &[
            ParamSpec::new("gain", ParamKind::POSITIVE, "the gain a split must exceed"),
            CV,
            HOLDOUT,
            ONE_SE,
            SE,
            CHOOSE_BY,
        ],
        needs: Needs::Folds,
        exceptions: &[],
    },
    only: For::Both,
    kind: PruneKind::Nested {
        parameter: Parameter { name: "gain", spacing: Spacing::Geometric },
        tried: Tried::All(|_| 0.0),
        fall: |job: &Job| Ok(fall(job.tree)),
        cut: None,
    },
};

typed_options! {
    /// Pruning by critical values.
    CriticalValue of PRUNER {
        gain "gain": f64 = "the gain a split must exceed",
        ..SELECTORS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::testing::{is_path, member};
    use crate::tree::Node;
    use crate::tree::testing::{Dice, chain, random};

    fn with_gains(tree: &Tree, gains: impl Fn(usize) -> f64) -> Tree {
        let nodes: Vec<Node> = (0..tree.nodes().len())
            .map(|id| Node { gain: if tree.is_leaf(id) { 0.0 } else { gains(id) }, ..tree.node(id).clone() })
            .collect();
        Tree::from_parts(std::sync::Arc::new(tree.schema().clone()), nodes, tree.stats().clone())
    }

    #[test]
    fn a_strong_split_keeps_what_is_above_it() {
        let tree = with_gains(&chain(7), |id| [0.1, 0.0, 0.5, 0.0, 0.2][id]);
        let fall = fall(&tree);
        assert_eq!([fall[0], fall[2], fall[4]], [0.5, 0.5, 0.2]);
        assert_eq!(member(&tree, &fall, 0.3), [1, 3, 4]);
        assert_eq!(member(&tree, &fall, 0.5), [0]);
    }

    #[test]
    fn collapsed_are_those_without_a_gain_above_the_threshold() {
        for seed in 0..40 {
            let mut dice = Dice(seed);
            let tree = random(seed, 30, seed as usize % 3);
            let gains: Vec<f64> = tree.nodes().iter().map(|_| dice.below(9) as f64).collect();
            let tree = with_gains(&tree, |id| gains[id]);
            let fall = fall(&tree);
            is_path(&tree, &fall);
            // Every split lifts all its ancestors.
            for threshold in 0..9 {
                let mut internal = vec![false; fall.len()];
                for id in (0..fall.len()).filter(|&id| tree.node(id).gain > f64::from(threshold)) {
                    let mut at = Some(id as u32);
                    while let Some(up) = at {
                        internal[up as usize] = true;
                        at = tree.node(up as usize).parent;
                    }
                }
                for id in 0..fall.len() {
                    assert_eq!(fall[id] > f64::from(threshold), internal[id]);
                }
            }
        }
    }

    #[test]
    fn a_leaf_and_a_long_chain() {
        assert_eq!(fall(&chain(1)), [f64::NEG_INFINITY]);
        let tree = chain(200_001);
        is_path(&tree, &fall(&tree));
    }
}
