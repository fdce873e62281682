//! Reduced-error pruning: what does not pay on held-out rows goes, from the bottom up.
//!
//! With `r(t)` the held-out risk of `t` as a leaf and `R(t)` that of the subtree as pruned so far, `t` becomes a leaf when
//! `r(t) ≤ R(t) = Σ_{children} R(c)`. The result has the smallest held-out error of all pruned trees, and of those the
//! fewest leaves (Quinlan 1987; protocol with a tenth of the rows held out: El-Khouri, section 2). A row that goes several ways
//! at once is judged whole: by its answer from the tree as pruned so far, with `t` split and with `t` as a leaf.
//!
//! [`cut_significant`] asks for more (after E. Frank 2000, *Pruning decision trees and lists*, cited by Shi): the
//! subtree must be better by more than chance. Among the held-out rows that only one of the two gets right, let `b` be
//! those the subtree gets right and `c` those the leaf does. If both were equally good, a permutation would swap
//! the two at random, and `b` would be binomial with probability ½: the one-sided `p = P(X ≥ b) = I_½(b, c + 1)` (sign test,
//! McNemar; the incomplete beta function takes parts of rows too). The node stays split only when `b > c` and `p < level`;
//! level 1 is reduced-error pruning. The test counts rows: costs decide the labels, but not what a row counts.
//!
//! Needs held-out risks, or for the test what [`Routed`] keeps. Cost: linear in the nodes (times classes for the test), and
//! the classes times the nodes reached for every row that goes several ways.
//!
//! ```
//! use secateur::data::{CodedTable, Roles, builtin};
//! use secateur::grow::grow_weighted;
//! use secateur::schema::Task;
//! use secateur::spec::GrowSpec;
//! use secateur::prune::reduced_error;
//! use secateur::route::Routed;
//!
//! let table = CodedTable::new(&builtin::load("waveform-21?n=600").unwrap(), &Roles::default()).unwrap();
//! let (train, held): (Vec<f64>, Vec<f64>) =
//!     (0..600).map(|row| if row % 3 == 0 { (0.0, 1.0) } else { (1.0, 0.0) }).unzip();
//! let tree = grow_weighted(&table, Some(&train), &GrowSpec::cart(Task::Classification), &secateur::progress::Silent).unwrap();
//! let routed = Routed::new(&tree, &table, Some(&held)).unwrap();
//! let pruned = tree.cut(&reduced_error::cut(&tree, &routed.risks(&tree)));
//! let small = tree.cut(&reduced_error::cut_significant(&tree, &routed, 0.05).unwrap());
//! assert!(1 < small.leaves() && small.leaves() < pruned.leaves() && pruned.leaves() < tree.leaves());
//! ```

use crate::method::HOLDOUT;
use crate::method::{Exception, For, Law, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::{HeldRows, Job, PruneKind, Pruner};
use crate::route::{Loss, losses};

use super::cutting::{at_most, for_all};
use super::rows_bottom_up::{Choice, rows_bottom_up};
use crate::error::{Error, Result};
use crate::route::Routed;
use crate::statistics::incomplete_beta::incomplete_beta;
use crate::tree::Tree;

/// The pruned tree with the smallest held-out error, and of those the smallest. A risk that is missing counts 0.
pub fn cut(tree: &Tree, held_out_risk: &[f64]) -> Vec<bool> {
    let mut best = for_all(tree, held_out_risk).into_owned();
    let mut leaf = vec![true; best.len()];
    for id in (0..leaf.len()).rev().filter(|&id| !tree.is_leaf(id)) {
        let below: f64 = tree.children(id).map(|c| best[c]).sum();
        leaf[id] = at_most(best[id], below);
        if !leaf[id] {
            best[id] = below;
        }
    }
    leaf
}

/// As [`cut`], but a split stays only when its subtree is better on the held-out rows at a level of significance. Rows kept
/// [apart](Routed::apart) are not looked at.
pub fn cut_significant(tree: &Tree, routed: &Routed, level: f64) -> Result<Vec<bool>> {
    let mut test = Significance::new(tree, routed, level)?;
    let mut leaf = vec![true; tree.nodes().len()];
    for id in (0..leaf.len()).rev() {
        leaf[id] = test.becomes_leaf(id, 0.0, 0.0);
    }
    Ok(leaf)
}

/// The test of errors on its way up.
struct Significance<'a> {
    tree: &'a Tree,
    routed: &'a Routed,
    level: f64,
    classes: usize,
    /// For every node and class the held-out weight that the leaves of this label below it get right.
    right: Vec<f64>,
}

impl<'a> Significance<'a> {
    fn new(tree: &'a Tree, routed: &'a Routed, level: f64) -> Result<Self> {
        if !routed.has_classes() {
            return Err(Error::parameter("the test of errors is for classes; the target holds numbers"));
        }
        if !(level > 0.0 && level <= 1.0) {
            return Err(Error::parameter(format!(
                "the level is {level}; expected a number above 0, up to 1"
            )));
        }
        let classes = routed.class_weights(0).len();
        Ok(Self { tree, routed, level, classes, right: vec![0.0; tree.nodes().len() * classes] })
    }

    /// Whether a node becomes a leaf, with this much more weight that only the subtree, or only the leaf, gets right.
    fn becomes_leaf(&mut self, id: usize, subtree: f64, alone: f64) -> bool {
        let (classes, right, label) = (self.classes, &mut self.right, self.tree.label(id));
        let own = self.routed.class_weights(id)[label];
        let mut leaf = true;
        if !self.tree.is_leaf(id) {
            for c in self.tree.children(id) {
                let (above, below) = right.split_at_mut(c * classes);
                above[id * classes..][..classes].iter_mut().zip(&below[..classes]).for_each(|(a, b)| *a += b);
            }
            let below = &right[id * classes..][..classes];
            let b = subtree + (0..classes).filter(|&j| j != label).map(|j| below[j]).sum::<f64>();
            let c = alone + (own - below[label]).max(0.0);
            leaf = at_most(b, c) || chance(b, c) >= self.level;
        }
        if leaf {
            right[id * classes..][..classes].fill(0.0);
            right[id * classes + label] = own;
        }
        leaf
    }
}

/// The same with rows that go several ways, judged whole.
fn cut_rows(tree: &Tree, rows: &HeldRows, level: Option<f64>) -> Result<Vec<bool>> {
    let routed = rows.routed;
    let Some(level) = level else {
        let mut best = losses(tree, routed, Loss::Risk).0;
        return Ok(rows_bottom_up(tree, rows.table, routed.rows_apart(), |id, choices| {
            let below: f64 = tree.children(id).map(|c| best[c]).sum();
            let sum = |of: fn(&Choice) -> f64| choices.iter().map(|c| c.weight * of(c)).sum::<f64>();
            let leaf = at_most(best[id] + sum(|c| c.leaf.0), below + sum(|c| c.split.0));
            if !leaf {
                best[id] = below;
            }
            leaf
        }));
    };
    let mut test = Significance::new(tree, routed, level)?;
    // Leaves first: they are not asked about.
    for id in (0..tree.nodes().len()).filter(|&id| tree.is_leaf(id)) {
        test.becomes_leaf(id, 0.0, 0.0);
    }
    Ok(rows_bottom_up(tree, rows.table, routed.rows_apart(), |id, choices| {
        let only = |of: fn(&Choice) -> bool| choices.iter().filter(|c| of(c)).map(|c| c.weight).sum::<f64>();
        let subtree = only(|c| c.split.1 && !c.leaf.1);
        test.becomes_leaf(id, subtree, only(|c| c.leaf.1 && !c.split.1))
    }))
}

/// The probability of at least `b` heads in `b + c` throws of a coin.
fn chance(b: f64, c: f64) -> f64 {
    if b <= 0.0 { 1.0 } else { incomplete_beta(b, c + 1.0, 0.5, 0.5) }
}

/// Reduced-error pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "reduced-error",
        one_line: "cuts, from the leaves up, what does not help on held-out rows",
        paper: "Quinlan: Simplifying decision trees, 1987; the test after Frank, 2000; El-Khouri",
        params: &[
            HOLDOUT.default("0.1"),
            ParamSpec::new(
                "significance",
                ParamKind::SHARE,
                "keep a split only if its help on held-out rows is significant at this level",
            )
            .only(For::Classes)
            .except(&[Exception::new(Law::UnitOfWeights, "the test counts a heavier row as more evidence")]),
        ],
        needs: Needs::HeldOutRows,
        exceptions: &[],
    },
    only: For::Both,
    kind: PruneKind::HeldOut(|job: &Job, rows: &HeldRows| {
        cut_rows(job.tree, rows, job.optional("significance"))
    }),
};

typed_options! {
    /// Reduced-error pruning.
    ReducedError of PRUNER {
        holdout "holdout": f64 = "choose on a held-out share of the rows",
        significance "significance": f64 = "keep a split only if its help on held-out rows is significant at this level",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CodedTable, Roles, builtin};
    use crate::grow::grow_weighted;
    use crate::progress::Silent;
    use crate::schema::Task;
    use crate::spec::GrowSpec;
    use crate::tree::testing::{chain, iris, random};
    use proptest::prelude::*;

    #[test]
    fn a_split_that_does_not_help_goes() {
        let tree = iris();
        let risk = [10.0, 1.0, 5.0, 2.0, 3.0, 1.0, 1.0];
        let marks = cut(&tree, &risk);
        assert_eq!(marks, [false, true, true, true, true, true, true]);
        assert_eq!(cut(&random(1, 0, 0), &[3.0]), [true]);
    }

    #[test]
    fn chains_are_pruned_in_one_pass() {
        let tree = chain(400_001);
        let risk: Vec<f64> = (0..400_001).map(|id| tree.error(id)).collect();
        // The last split tells two leaves of classes odd and even apart: everything stays.
        assert_eq!(tree.cut(&cut(&tree, &risk)).leaves(), tree.leaves());
        assert_eq!(tree.cut(&cut(&tree, &vec![0.0; 400_001])).leaves(), 1);
    }

    #[test]
    fn chance_is_the_tail_of_the_binomial() {
        assert!((chance(5.0, 0.0) - 1.0 / 32.0).abs() < 1e-12);
        assert!((chance(3.0, 1.0) - 5.0 / 16.0).abs() < 1e-12);
        assert_eq!(chance(0.0, 4.0), 1.0);
    }

    #[test]
    fn a_stricter_level_gives_a_smaller_tree_and_level_one_is_plain() {
        for (name, seed) in [("waveform-21?n=900", 1), ("waveform-40?n=900", 2), ("credit", 3)] {
            let table = CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap();
            let held: Vec<f64> = (0..table.rows()).map(|row| f64::from((row * 7 + seed) % 3 == 0)).collect();
            let train: Vec<f64> = held.iter().map(|h| 1.0 - h).collect();
            let tree =
                grow_weighted(&table, Some(&train), &GrowSpec::cart(Task::Classification), &Silent).unwrap();
            let routed = Routed::new(&tree, &table, Some(&held)).unwrap();
            let at = |level| cut_significant(&tree, &routed, level).unwrap();
            assert_eq!(tree.cut(&at(1.0)), tree.cut(&cut(&tree, &routed.risks(&tree))), "{name}");
            let sizes = [1.0, 0.3, 0.1, 0.01, 1e-12].map(|level| tree.cut(&at(level)).leaves());
            assert!(sizes[0] > sizes[3] && sizes[3] >= sizes[4], "{name} {sizes:?}");
            assert!(cut_significant(&tree, &routed, 0.0).is_err());
        }
    }

    proptest! {
        #[test]
        fn no_pruned_tree_is_better_and_no_better_one_is_smaller(
            seed in any::<u64>(), splits in 0usize..7, shape in 0usize..3, noise in any::<u64>(),
        ) {
            let tree = random(seed, splits, shape);
            let nodes = tree.nodes().len();
            let risk: Vec<f64> = (0..nodes).map(|id| ((noise >> (id * 5 % 60)) & 7) as f64).collect();
            let score = |marks: &[bool]| {
                let (mut stack, mut error, mut leaves) = (vec![0], 0.0, 0);
                while let Some(id) = stack.pop() {
                    if marks[id] || tree.is_leaf(id) {
                        (error, leaves) = (error + risk[id], leaves + 1);
                    } else {
                        stack.extend(tree.children(id));
                    }
                }
                (error, leaves)
            };
            let own = score(&cut(&tree, &risk));
            prop_assert!(own.1 <= tree.leaves());
            let inner: Vec<usize> = (0..nodes).filter(|&id| !tree.is_leaf(id)).collect();
            for choice in 0..1usize << inner.len() {
                let mut marks = vec![false; nodes];
                inner.iter().enumerate().for_each(|(i, &id)| marks[id] = choice >> i & 1 == 1);
                prop_assert!(own <= score(&marks));
            }
        }
    }
}
