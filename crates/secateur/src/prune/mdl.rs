//! Pruning by description length: a subtree stays when encoding it and the classes in its leaves takes fewer bits
//! than encoding the classes at its node.
//!
//! Bits, after Mehta, Rissanen and Agrawal (1995):
//! - *structure*: 1 for every node, leaf or split;
//! - *split*: `log₂ d` for the attribute, one of `d`, and then its value: for a threshold `log₂ (n − 1)`, `n` being
//!   the weight of the training rows at the node (at most this many thresholds can be told apart; a tree does not know
//!   how many really could); for subsets of `v` values at the node `log₂ (2^v − 2)`; for one branch per value nothing;
//! - *classes* of `n` rows, `n_j` of class `j`, of `J`: the code of Krichevsky and Trofimov (1981),
//!   `−log₂ [Γ(J/2) / Γ(½)^J · Π_j Γ(n_j + ½) / Γ(n + J/2)]`. For large counts that is
//!   `Σ_j n_j log₂(n / n_j) + (J−1)/2 · log₂(n / 2π) + log₂(π^{J/2} / Γ(J/2))`, the stochastic complexity of
//!   Rissanen (1996). Papers on this method print `n/2` for `n/2π`, which is `(J−1)/2 · log₂ π` bits more for every
//!   leaf and no code any more where counts are small; the exact code is right there too, is defined for parts of
//!   rows, and is 0 for no rows.
//!
//! A code describes classes, whatever mistakes cost: costs change the labels of the leaves and nothing here.
//!
//! Needs the class weights; no held-out rows, no parameter. One traversal from the bottom up, `O(J L)`.

use crate::method::{For, MethodInfo, Needs};
use crate::prune::counted::COUNT;
use crate::prune::{Counted, Job, PruneKind, Pruner};

use std::f64::consts::{LN_2, PI};

use statrs::function::gamma::ln_gamma;

use crate::tree::{Condition, Tree};

/// The nodes that become leaves. A regression tree stays as it is.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::mdl::{class_bits, cut};
///
/// // 14 rows are too few to pay for the weather tree.
/// let coded = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
/// let tree = grow(&coded, &GrowSpec::c45(Task::Classification), &Silent).unwrap();
/// assert!(cut(&tree)[0]);
/// // Two rows of different classes: ½ for the first, then 1/4 for the other class.
/// assert!((class_bits(&[1.0, 1.0]) - 3.0).abs() < 1e-12);
/// ```
pub fn cut(tree: &Tree) -> Vec<bool> {
    let nodes = tree.nodes().len();
    let mut cut: Vec<bool> = (0..nodes).map(|id| tree.is_leaf(id)).collect();
    if tree.class_weights(0).is_empty() {
        return cut;
    }
    let mut bits = vec![0.0; nodes];
    let attribute = attribute_bits(tree);
    let mut code = Code::new(tree.class_weights(0).len());
    for id in (0..nodes).rev() {
        bits[id] = 1.0 + code.bits(tree.class_weights(id));
        if let Some(condition) = &tree.node(id).condition {
            let below: f64 = tree.children(id).map(|c| bits[c]).sum();
            let split = 1.0 + (attribute + value_bits(condition, tree.node(id).weight)) + below;
            cut[id] = bits[id] <= split * (1.0 + 1e-12);
            bits[id] = bits[id].min(split);
        }
    }
    cut
}

/// The bits that encode the classes of some rows, given how many there are of each.
pub fn class_bits(counts: &[f64]) -> f64 {
    Code::new(counts.len()).bits(counts)
}

/// The code of Krichevsky and Trofimov for this many classes.
struct Code {
    /// Half the number of classes.
    half: f64,
    ln_gamma_half: f64,
    /// `ln Γ(n + ½)` and `ln Γ(n + J/2)` for whole `n`, as far as they were needed: most nodes are small.
    known: [Vec<f64>; 2],
}

/// Counts from here on are not kept.
const FEW: f64 = 4096.0;

impl Code {
    fn new(classes: usize) -> Self {
        let half = classes as f64 / 2.0;
        Self { half, ln_gamma_half: ln_gamma(half), known: [Vec::new(), Vec::new()] }
    }

    fn bits(&mut self, counts: &[f64]) -> f64 {
        let [small, large] = &mut self.known;
        let n: f64 = counts.iter().sum();
        let each: f64 = counts.iter().map(|n_j| risen(small, *n_j, 0.5) - PI.ln() / 2.0).sum();
        ((risen(large, n, self.half) - self.ln_gamma_half - each) / LN_2).max(0.0)
    }
}

/// `ln Γ(n + more)`, from the list for this `more` where it has it.
fn risen(known: &mut Vec<f64>, n: f64, more: f64) -> f64 {
    let place = n as usize;
    if n < FEW && place as f64 == n {
        while known.len() <= place {
            known.push(ln_gamma(known.len() as f64 + more));
        }
        known[place]
    } else {
        ln_gamma(n + more)
    }
}

/// The bits that encode the attribute of a split.
fn attribute_bits(tree: &Tree) -> f64 {
    (tree.schema().attributes.len().max(1) as f64).log2()
}

/// The bits that encode the value of a split of a node with this much weight.
fn value_bits(condition: &Condition, weight: f64) -> f64 {
    // One bit where it is encoded what becomes of rows without a value.
    let missing = if condition.missing().is_some() { 1.0 } else { 0.0 };
    missing
        + match condition {
            Condition::Threshold { .. } => (weight - 1.0).max(1.0).log2(),
            Condition::Subset { subsets, .. } => {
                // log₂ (2^v − 2), also when 2^v overflows.
                let v = (subsets.left().len() + subsets.right().len()) as f64;
                if v < 2.0 { 0.0 } else { v + (-(1.0 - v).exp2()).ln_1p() / LN_2 }
            }
            Condition::EachValue { .. } | Condition::Known { .. } => 0.0,
        }
}

/// Pruning by minimum description length.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "mdl",
        one_line: "keeps what makes the description of tree and classes shorter",
        paper: "Mehta, Rissanen and Agrawal: MDL-based decision tree pruning, 1995; cited by Zhong",
        params: &[COUNT],
        needs: Needs::Counts,
        exceptions: &[],
    },
    only: For::Classes,
    kind: PruneKind::Cut(|job: &Job| Ok(cut(job.counted()))),
};

typed_options! {
    /// Minimum description length.
    Mdl of PRUNER {
        count "count": Counted = "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::testing::{after, all_subtrees, classifiers};
    use crate::tree::testing::{below, build, chain, classes, leaf, numeric, random, subset};

    #[test]
    fn classes_one_row_after_the_other() {
        // Krichevsky and Trofimov encode the next row's class by (n_j + ½)/(n + J/2).
        for rows in [vec![0usize, 1, 1, 2, 0, 1], vec![2, 2, 2], vec![]] {
            let (mut seen, mut bits) = ([0.0; 3], 0.0);
            for &class in &rows {
                bits -= ((seen[class] + 0.5) / (seen.iter().sum::<f64>() + 1.5f64)).log2();
                seen[class] += 1.0;
            }
            assert!((class_bits(&seen) - bits).abs() < 1e-10);
        }
        assert_eq!(class_bits(&[17.0]), 0.0);
    }

    #[test]
    fn large_counts_have_the_stochastic_complexity() {
        let counts = [4000.0, 2500.5, 1500.0, 9000.0, 800.0f64];
        let (n, j) = (counts.iter().sum::<f64>(), counts.len() as f64);
        let want = counts.iter().map(|c| c * (n / c).log2()).sum::<f64>()
            + (j - 1.0) / 2.0 * (n / (2.0 * PI)).log2()
            + (PI.powf(j / 2.0) / statrs::function::gamma::gamma(j / 2.0)).log2();
        assert!((class_bits(&counts) - want).abs() < 0.01, "{} {want}", class_bits(&counts));
    }

    #[test]
    fn splits_by_hand() {
        let attributes = || vec![numeric("x"), crate::tree::testing::nominal("a", &["p", "q", "r", "s"])];
        let two = || classes("c", &["u", "v"]);
        let tree = build(attributes(), two(), below(0, 1.0, leaf(&[9.0, 0.0]), leaf(&[0.0, 8.0])));
        let bits = |tree: &Tree| value_bits(tree.node(0).condition.as_ref().unwrap(), tree.node(0).weight);
        assert!((bits(&tree) - 16f64.log2()).abs() < 1e-12);
        // Three of the four values are at the node: 2³ − 2 = 6 ways.
        let tree = build(attributes(), two(), subset(1, "lr-l", leaf(&[9.0, 0.0]), leaf(&[0.0, 8.0])));
        assert!((bits(&tree) - 6f64.log2()).abs() < 1e-12);
        assert!(!cut(&tree)[0]);
    }

    #[test]
    fn no_subtree_is_told_in_fewer_bits() {
        for tree in classifiers(120, 5).filter(|t| t.leaves() <= 12) {
            let of = |leaves: &[usize]| {
                let mut inner = vec![false; tree.nodes().len()];
                for &id in leaves {
                    let mut at = tree.node(id).parent;
                    while let Some(up) = at {
                        inner[up as usize] = true;
                        at = tree.node(up as usize).parent;
                    }
                }
                let splits = (0..inner.len()).filter(|&id| inner[id]).map(|id| {
                    let node = tree.node(id);
                    1.0 + (attribute_bits(&tree) + value_bits(node.condition.as_ref().unwrap(), node.weight))
                });
                splits.sum::<f64>()
                    + leaves.iter().map(|&id| 1.0 + class_bits(tree.class_weights(id))).sum::<f64>()
            };
            let least = all_subtrees(&tree).iter().map(|l| of(l)).fold(f64::INFINITY, f64::min);
            assert!((of(&after(&tree, &cut(&tree))) - least).abs() < 1e-9);
        }
    }

    #[test]
    fn numbers_stay_and_long_chains_work() {
        let tree = (0..).map(|seed| random(seed, 9, 2)).find(|t| !t.is_classifier()).unwrap();
        assert_eq!(after(&tree, &cut(&tree)).len(), tree.leaves());
        let tree = chain(200_001);
        assert!(after(&tree, &cut(&tree)).len() <= tree.leaves());
        assert_eq!(after(&chain(1), &cut(&chain(1))), [0]);
    }
}
