//! Cost-complexity pruning: a subtree stays as long as it saves more risk than its leaves cost at `α` each.
//!
//! `g(t) = (R(t) − R(T_t)) / (N (L_t − 1))`, with `R(t)` the risk of `t` as a leaf, `R(T_t)` and `L_t` risk and
//! number of leaves of the subtree that is still there. First everything that costs nothing is collapsed (`α = 0`),
//! then again and again all nodes with the smallest `g` (Breiman, Friedman, Olshen and Stone 1984, chapter 3; Shi
//! 2007, 2.1.1). The members of the path are the smallest minimisers of `R(T) / N + α L(T)`.
//!
//! Needs the risk of every node: training errors, losses or squared errors. Takes `O(L log L)`, whatever the shape:
//! the least cost of the subtree at `t`, seen as a function of `α`, is `F_t(α) = min(R(t) / N + α, Σ F_c(α))` over
//! the children `c`. It is concave and consists of lines; a line's height at 0 is the risk of a subtree, its slope
//! the number of leaves, and its kinks are the `α` at which nodes below fall. From right to left, the kinks of the
//! sum are taken off a heap until the line `R(t) / N + α` meets it: there `t` falls, and the kinks taken off fall
//! with it. Every node is put on a heap once and taken off at most once; the heaps of siblings melt together in
//! constant time.

use std::borrow::Cow;

use crate::criterion::Measure;
use crate::method::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
use crate::method::{Choice, Exception, For, Law, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::{Job, Parameter, PruneKind, Pruner, Spacing, Tried};

use super::cutting::for_all;
use super::heap::Heaps;
use crate::tree::Tree;

/// Differences of risk below this share of the root's risk (of numbers: of the node's own, because errors of small numbers may
/// stand beside those of large ones), and of `α` below this share of it, are rounding.
const ROUNDING: f64 = 1e-12;

/// The `α` at which every node falls: `t` is internal in the member at `α` when `fall[t] > α`. Leaves have −∞.
///
/// `risk` is the risk of every node as a leaf, `total` the weight of all training rows.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::cost_complexity::fall;
///
/// // Shi, Table 2.1: the last split of balance-scale costs 109 of 625 rows.
/// let coded = CodedTable::new(&builtin::load("balance-scale").unwrap(), &Roles::default()).unwrap();
/// let spec = GrowSpec { min_leaf: 2.0, ..GrowSpec::cart(Task::Classification) };
/// let tree = grow(&coded, &spec, &Silent).unwrap();
/// let risk: Vec<f64> = (0..tree.nodes().len()).map(|id| tree.error(id)).collect();
/// assert_eq!(fall(&tree, &risk, 625.0)[0], 109.0 / 625.0);
/// ```
pub fn fall(tree: &Tree, risk: &[f64], total: f64) -> Vec<f64> {
    let nodes = tree.nodes().len();
    let risk = &*for_all(tree, risk);
    let mut fall = vec![f64::NEG_INFINITY; nodes];
    // What the fall of a node adds to the risk, and how many leaves it saves.
    let mut dearer = vec![0.0; nodes];
    let mut fewer = vec![0.0; nodes];
    let mut heaps = Heaps::new(nodes);
    let is_classifier = tree.is_classifier();
    for id in (0..nodes).rev() {
        let children = tree.children(id);
        if children.is_empty() {
            continue;
        }
        let nothing = ROUNDING * risk[if is_classifier { 0 } else { id }].abs();
        // Far to the right all children have fallen.
        let mut below = 0.0;
        let mut leaves = 0.0;
        let mut heap = None;
        for child in children {
            below += risk[child];
            leaves += 1.0;
            let kinks = heaps.take(child);
            heap = heaps.meld(heap, kinks, &fall);
        }
        loop {
            (dearer[id], fewer[id]) = (risk[id] - below, leaves - 1.0);
            fall[id] = weakness(dearer[id], fewer[id], total, nothing);
            match heap {
                Some(kink) if fall[kink as usize] > fall[id] => {
                    below -= dearer[kink as usize];
                    leaves += fewer[kink as usize];
                    heap = heaps.pop(kink, &fall);
                }
                _ => break,
            }
        }
        // What falls at 0 leaves no kink.
        if fall[id] > 0.0 {
            let own = heaps.meld(Some(id as u32), heap, &fall);
            heaps.put(id, own);
        }
    }
    for id in 1..nodes {
        if let Some(parent) = tree.node(id).parent {
            fall[id] = fall[id].min(fall[parent as usize]);
        }
    }
    together(&mut fall);
    fall
}

/// `g` of a node; 0 when its fall costs nothing.
fn weakness(dearer: f64, fewer: f64, total: f64, nothing: f64) -> f64 {
    if dearer <= nothing || total <= 0.0 { 0.0 } else { dearer / (total * fewer) }
}

/// Makes those equal that differ by rounding only.
fn together(fall: &mut [f64]) {
    // The bits of positive numbers are in their order.
    let mut order: Vec<(u64, u32)> = Vec::with_capacity(fall.len());
    for (&fall, id) in fall.iter().zip(0u32..) {
        if fall > 0.0 {
            order.push((fall.to_bits(), id));
        }
    }
    order.sort_unstable_by_key(|&(bits, _)| bits);
    let mut least = 0.0;
    for (_, id) in order {
        let alpha = &mut fall[id as usize];
        if *alpha - least <= ROUNDING * *alpha {
            *alpha = least;
        } else {
            least = *alpha;
        }
    }
}

/// Minimal cost-complexity pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "cost-complexity",
        one_line: "cuts where one more leaf gains too little: error + alpha x leaves",
        paper: "Breiman, Friedman, Olshen and Stone: Classification and Regression Trees, 1984; Shi 2.1.1",
        params: &[
            ParamSpec::new("alpha", ParamKind::POSITIVE, "the price of a leaf, as a share of all rows")
                .except(&[Exception::new(Law::UnitOfCosts, "alpha is a price in the unit of the costs")]),
            CV,
            HOLDOUT,
            ONE_SE,
            SE,
            CHOOSE_BY,
            ParamSpec::new(
                "of",
                ParamKind::Choice(&[Choice::any("error"), Choice::any("gini"), Choice::any("entropy")]),
                "the risk that a leaf must reduce: errors (or their costs), Gini impurity, entropy",
            )
            .default("error")
            .only(For::Classes),
        ],
        needs: Needs::Folds,
        exceptions: &[],
    },
    only: For::Both,
    kind: PruneKind::Nested {
        parameter: Parameter { name: "alpha", spacing: Spacing::Geometric },
        tried: Tried::All(|_| 0.0),
        fall: |job: &Job| Ok(fall(job.tree, &risk(job), job.total())),
        cut: None,
    },
};

typed_options! {
    /// Cost-complexity pruning.
    CostComplexity of PRUNER {
        alpha "alpha": f64 = "the price of a leaf, as a share of all rows",
        ..SELECTORS,
        of "of": PruneBy = "the risk that a leaf must reduce: errors (or their costs), Gini impurity, entropy",
    }
}

/// The risk that a leaf must reduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PruneBy {
    /// Errors, or their costs.
    #[default]
    Error,
    /// Weight times Gini impurity.
    Gini,
    /// Weight times entropy, in bits.
    Entropy,
}

words!(PruneBy { Error = "error", Gini = "gini", Entropy = "entropy" });

/// The risk of every node as a leaf, as the option `of` says. An impurity is a risk as well: it is concave, so no split adds to it.
fn risk<'a>(job: &'a Job) -> Cow<'a, [f64]> {
    let impurity = match job.tree.is_classifier().then(|| job.word("of")) {
        Some("gini") => Measure::Gini,
        Some("entropy") => Measure::Entropy,
        _ => return Cow::Borrowed(job.risk()),
    };
    let of = |id: usize| impurity.cost(job.tree.class_weights(id));
    Cow::Owned((0..job.tree.nodes().len()).map(of).collect())
}

#[cfg(test)]
#[path = "cost_complexity_tests.rs"]
mod tests;
