//! k-norm pruning: an error estimate that distrusts small leaves (Zhong 2007).
//!
//! The error rate `r` of a tree is a random variable: nobody knows the class probabilities in a leaf or the share of
//! a branch, and the training counts only say which values are likely. The estimate of a subtree is the k-norm
//! `‖r‖_k = E[r^k]^(1/k)`: for `k = 1` the mean, for `k = 2` mean and standard deviation together, and more
//! pessimistic with every `k`.
//!
//! - A leaf: `E[r^k]` from its class counts with a prior `λ` on every class (4.29; [`log_moment`]).
//! - A split: `E[r_t^k] = Σ_c P*[c|t] E[r_c^k]` with `P*[c|t] = (n_c + η)/(n_t + ηK)`, `K` branches (4.28, 4.11).
//! - Bottom-up, a split stays when its moment is smaller than that of its node as a leaf (figure 4.1): [`cut`].
//!
//! A larger `k` prunes a pruned version (corollary 5.4), so there is a path in `k`: [`fall`]. The same recursion works
//! for costs ([`cut`] with a loss matrix, `risk_fall`, 7.1) and for errors of class probabilities (`probability_cut`,
//! `probability_fall`, 7.2), and its first two moments say how reliable a prediction is ([`leaf_reliability`], 4.5).
//!
//! Everything is compared in logarithms, counts may be fractions, and nothing recurses. A branch without training
//! rows is a leaf about which only the prior is known: its mean error rate is `(J − 1)/J`.

mod collapse;
mod mixture;
mod moments;
#[cfg(test)]
mod oracles;
mod path;
mod probability;
pub(super) mod pruner;
mod reliability;
mod risk;
#[cfg(test)]
mod tests;

pub use moments::log_moment;
pub use path::fall;
pub use probability::log_probability_moment;
pub(crate) use probability::probability_cut;
pub use pruner::NormOf;
pub(crate) use pruner::PRUNER;
pub(crate) use pruner::prior_counts;
pub use reliability::{Reliability, leaf_reliability, row_reliability, rows_reliability, tree_reliability};
pub use risk::{cheapest_label, log_risk_moment, risk_moments};

pub use crate::tree::KNorm;
use crate::tree::{NodeId, Tree};
use collapse::{by_logs, directly};
use mixture::Mixture;
use moments::ErrorRate;

/// How the prior count `λ` of every class is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lambda {
    /// This number.
    Fixed(f64),
    /// `λ0 · L / (J² N)`: `L` leaves of the full tree, `J` classes, training weight `N` (Zhong 6.3).
    Heuristic(f64),
}

impl Default for Lambda {
    fn default() -> Self {
        Self::Heuristic(100.0)
    }
}

impl Lambda {
    /// The `λ` for a full tree, or for what was cut from it.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::grow::grow;
    /// use secateur::schema::Task;
    /// use secateur::spec::GrowSpec;
    /// use secateur::progress::Silent;
    /// use secateur::prune::k_norm::Lambda;
    ///
    /// let coded = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    /// let tree = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
    /// assert_eq!(Lambda::Fixed(0.5).of(&tree), 0.5);
    /// assert_eq!(Lambda::default().of(&tree), 100.0 * tree.leaves() as f64 / (9.0 * 150.0));
    /// ```
    pub fn of(self, tree: &Tree) -> f64 {
        match self {
            Self::Fixed(lambda) => lambda,
            Self::Heuristic(lambda0) => {
                let classes = tree.class_weights(0).len() as f64;
                let scale = classes * classes * tree.node(0).weight;
                if scale > 0.0 { lambda0 * tree.full_leaves() as f64 / scale } else { 0.0 }
            }
        }
    }
}

impl KNorm {
    /// The rule for a full tree, or for what was cut from it.
    pub fn new(tree: &Tree, lambda: Lambda, eta: f64) -> Self {
        Self { lambda: lambda.of(tree), eta }
    }

    /// The rule that gives a tree's reliability, in rows: the one it was pruned with, or the usual one (`λ0 = 100`, `η = ½`).
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::fit::{FitOptions, fit};
    /// use secateur::progress::Silent;
    /// use secateur::prune::k_norm::{KNorm, Lambda};
    ///
    /// let coded = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
    /// let tree = |scheme: &str| Ok::<_, secateur::Error>(fit(&coded, &scheme.parse()?, &FitOptions::default(), &Silent)?.tree);
    /// assert_eq!(KNorm::of(&tree("cart/k-norm:lambda=0.2,eta=1")?), KNorm { lambda: 0.2, eta: 1.0 });
    /// // Nine leaves before pruning, three classes, 150 rows.
    /// assert_eq!(KNorm::of(&tree("cart/mdl")?), KNorm { lambda: 100.0 * 9.0 / (9.0 * 150.0), eta: 0.5 });
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn of(tree: &Tree) -> Self {
        tree.prior_counts().unwrap_or_else(|| Self::new(&tree.in_rows(), Lambda::default(), 0.5))
    }

    /// `P*[child | parent]` (4.11).
    ///
    /// A split without any weight (and `η = 0`) has equal shares, which is the limit.
    pub fn share(&self, tree: &Tree, parent: NodeId, child: NodeId) -> f64 {
        let branches = tree.children(parent).len() as f64;
        let all = tree.node(parent).weight + self.eta * branches;
        if all > 0.0 { (tree.node(child).weight + self.eta) / all } else { 1.0 / branches }
    }
}

/// Which splits are gone at this `k`, in one pass from the bottom up (figure 4.1).
///
/// `true` stands at every split of the full tree that the pruned tree lacks: a split that collapses, and all splits
/// below it. Leaves of the full tree have `false`. `k` is any real number `≥ 1`; at infinity every split is gone.
///
/// `costs` is a loss matrix (7.1) of `J²` entries, `costs[actual · J + predicted] ≥ 0`. Where a label has several prices, the work
/// grows with `k`: `J k` steps for each label of a node when `k` is whole, some eighty times as many otherwise.
///
/// A regression tree has no class counts and keeps all its splits.
pub fn cut(tree: &Tree, rule: &KNorm, k: f64, costs: Option<&[f64]>) -> Vec<bool> {
    match costs {
        None => {
            let moments = ErrorRate::moments(tree, rule.lambda, k);
            let direct = moments.and_then(|moments| directly(tree, rule, moments));
            direct.unwrap_or_else(|| by_logs(tree, rule, |counts| log_moment(counts, rule.lambda, k)))
        }
        // In the limit nothing is smaller.
        Some(_) if k == f64::INFINITY => by_logs(tree, rule, |_| 0.0),
        Some(costs) => by_logs(tree, rule, |counts| cheapest_label(counts, rule.lambda, costs, k).1),
    }
}

/// The k-norm `‖r‖_k` of every node's subtree as it stands, without any pruning.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::k_norm::{KNorm, norms};
///
/// let coded = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
/// let tree = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
/// let rule = KNorm { lambda: 0.5, eta: 0.5 };
/// let [one, two] = [1.0, 2.0].map(|k| norms(&tree, &rule, k)[0]);
/// assert!(0.0 < one && one < two && two < 1.0); // theorem 5.5
/// ```
pub fn norms(tree: &Tree, rule: &KNorm, k: f64) -> Vec<f64> {
    let mixture = Mixture::new(tree, rule);
    let mut logs = vec![0.0; tree.nodes().len()];
    for id in (0..logs.len()).rev() {
        logs[id] = if tree.is_leaf(id) {
            log_moment(tree.class_weights(id), rule.lambda, k)
        } else {
            mixture.log_moment(id, |c| logs[c])
        };
    }
    logs.into_iter().map(|log| (log / k).exp()).collect()
}
