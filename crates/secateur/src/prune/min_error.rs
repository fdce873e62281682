//! Minimum-error pruning: a subtree stays when the error expected of it is smaller than the error expected of its
//! node as a leaf.
//!
//! Expected error of a leaf with `n` rows, `n_j` of class `j`, of `J` classes:
//! - Niblett and Bratko (1986), all classes equally likely beforehand: `(n − max_j n_j + J − 1) / (n + J)`;
//! - Cestnik and Bratko (1991), with `m` rows' worth of trust in the classes' shares at the root, `prior_j`:
//!   `min_j (n − n_j + m (1 − prior_j)) / (n + m)`, that is `1 − max_j p_j` with
//!   `p_j = (n_j + m prior_j) / (n + m)`.
//!
//! With costs `R_{jl}` of predicting `l` when `j` is right, the expected cost takes its place: `min_l Σ_j p_j R_{jl}`.
//!
//! A subtree's is the mean of its children's, weighted by their rows. From the bottom up, each node takes the
//! smaller of the two, and becomes a leaf when they are equal. (Zhong 2007 has it as the first moment,
//! with Lidstone's law of succession, sections 2 and 3.2.)
//!
//! Needs the class weights; one traversal, `O(J L)`. A larger `m` mostly prunes more, but the trees of two `m` need
//! not be nested, and a split that helps at all can outlast every `m`.

use crate::method::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
use crate::method::{For, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::counted::COUNT;
use crate::prune::{Counted, Job, Parameter, PruneKind, Pruner, Spacing};

use crate::schema::Costs;
use crate::tree::Tree;

/// The nodes that become leaves; `None` for Niblett's estimate, else `m ≥ 0`. A regression tree stays as it is.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::min_error::cut;
///
/// // The sunny branch of the weather tree has 2 and 3 rows: (2 + 1)/(5 + 2) as a leaf,
/// // 2/5 · 1/4 + 3/5 · 1/5 as a split, which is less.
/// let coded = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
/// let tree = grow(&coded, &GrowSpec::c45(Task::Classification), &Silent).unwrap();
/// let cut = cut(&tree, None);
/// assert!((0..cut.len()).all(|id| cut[id] == tree.is_leaf(id)));
/// ```
pub fn cut(tree: &Tree, m: Option<f64>) -> Vec<bool> {
    let nodes = tree.nodes().len();
    let mut cut: Vec<bool> = (0..nodes).map(|id| tree.is_leaf(id)).collect();
    let root = tree.class_weights(0);
    let all: f64 = root.iter().sum();
    if root.is_empty() {
        return cut;
    }
    let classes = root.len() as f64;
    let (m, prior) = match m {
        Some(m) if all > 0.0 => (m, root.iter().map(|w| w / all).collect()),
        _ => (classes, vec![1.0 / classes; root.len()]),
    };
    let mut expected = vec![0.0; nodes];
    for id in (0..nodes).rev() {
        let as_leaf = expected_error(tree.class_weights(id), m, &prior, tree.costs().map(AsRef::as_ref));
        expected[id] = as_leaf;
        if tree.is_leaf(id) {
            continue;
        }
        let weight: f64 = tree.children(id).map(|c| tree.node(c).weight).sum();
        let sum: f64 = tree.children(id).map(|c| tree.node(c).weight * expected[c]).sum();
        if weight <= 0.0 || as_leaf <= sum / weight * (1.0 + 1e-12) {
            cut[id] = true;
        } else {
            expected[id] = sum / weight;
        }
    }
    cut
}

/// `1 − max_j p_j`, or the least expected cost; a leaf that nothing is known of has no error to count.
fn expected_error(counts: &[f64], m: f64, prior: &[f64], costs: Option<&Costs>) -> f64 {
    let n: f64 = counts.iter().sum();
    if n + m <= 0.0 {
        return 0.0;
    }
    if let Some(costs) = costs {
        let weights: Vec<f64> = counts.iter().zip(prior).map(|(count, prior)| count + m * prior).collect();
        return costs.risk(&weights, costs.label(&weights)) / (n + m);
    }
    let wrong = counts.iter().zip(prior).map(|(count, prior)| (n - count) + m * (1.0 - prior));
    wrong.fold(f64::INFINITY, f64::min).max(0.0) / (n + m)
}

/// Minimum-error pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "min-error",
        one_line: "cuts where the expected error with m prior rows is no larger",
        paper: "Niblett and Bratko, 1986; Cestnik and Bratko: On estimating probabilities in tree pruning, 1991",
        params: &[
            ParamSpec::new("m", ParamKind::POSITIVE, "prior rows, in the shares of the classes at the root")
                .default("2"),
            CV,
            HOLDOUT,
            ONE_SE,
            SE,
            CHOOSE_BY,
            COUNT,
        ],
        needs: Needs::Counts,
        exceptions: &[],
    },
    only: For::Classes,
    kind: PruneKind::Family {
        parameter: Parameter { name: "m", spacing: Spacing::Exact },
        grid: |_| vec![0.01, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 999.0],
        cut: |job: &Job, m: f64| Ok(cut(job.counted(), Some(m))),
        raise: None,
    },
};

typed_options! {
    /// Minimum-error pruning.
    MinError of PRUNER {
        m "m": f64 = "prior rows, in the shares of the classes at the root",
        ..SELECTORS,
        count "count": Counted = "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::testing::{after, all_subtrees, classifiers};
    use crate::tree::testing::{build, chain, classes, each, leaf, nominal, random};

    #[test]
    fn estimates_by_hand() {
        // Niblett: (e + J − 1)/(n + J).
        let even = [1.0 / 3.0; 3];
        assert!((expected_error(&[7.0, 5.0, 3.0], 3.0, &even, None) - 10.0 / 18.0).abs() < 1e-15);
        // m = 2, priors 0.75 and 0.25: p = (1 + 1.5)/5 and (2 + 0.5)/5.
        assert!((expected_error(&[1.0, 2.0], 2.0, &[0.75, 0.25], None) - 0.5).abs() < 1e-15);
        assert_eq!(expected_error(&[0.0, 0.0], 0.0, &[0.5, 0.5], None), 0.0);
        // To mistake the first class costs 3: p = ½ each, so 0.5 for calling it the first.
        let costs = Costs::from_matrix(&["a".into(), "b".into()], vec![0.0, 3.0, 1.0, 0.0]).unwrap();
        assert!((expected_error(&[1.0, 2.0], 2.0, &[0.75, 0.25], Some(&costs)) - 0.5).abs() < 1e-15);
        assert!((expected_error(&[0.0, 8.0], 2.0, &[0.5, 0.5], Some(&costs)) - 0.3).abs() < 1e-15);
    }

    #[test]
    fn ineffective_splits_go() {
        let tree = build(
            vec![nominal("a", &["x", "y", "z"])],
            classes("c", &["p", "q"]),
            each(0, vec![leaf(&[4.0, 2.0]), leaf(&[2.0, 1.0]), leaf(&[0.0, 0.0])]),
        );
        for m in [None, Some(0.0), Some(2.0)] {
            assert!(cut(&tree, m)[0], "{m:?}");
        }
    }

    #[test]
    fn the_expected_error_is_the_least_of_all_subtrees() {
        for tree in classifiers(120, 5).filter(|t| t.leaves() <= 12) {
            let root = tree.class_weights(0).to_vec();
            let (all, j) = (root.iter().sum::<f64>(), root.len() as f64);
            for m in [None, Some(0.0), Some(0.5), Some(2.0), Some(20.0)] {
                let error = |id: usize| {
                    let counts = tree.class_weights(id);
                    let n: f64 = counts.iter().sum();
                    let most = (0..root.len())
                        .map(|c| match m {
                            None => (counts[c] + 1.0) / (n + j),
                            Some(m) => (counts[c] + m * root[c] / all) / (n + m),
                        })
                        .fold(0.0, f64::max);
                    if n > 0.0 { n / all * (1.0 - most) } else { 0.0 }
                };
                let of = |leaves: &[usize]| leaves.iter().map(|&id| error(id)).sum::<f64>();
                let least = all_subtrees(&tree).iter().map(|l| of(l)).fold(f64::INFINITY, f64::min);
                let got = after(&tree, &cut(&tree, m));
                assert!((of(&got) - least).abs() < 1e-9, "{m:?}: {} {least}", of(&got));
            }
        }
    }

    #[test]
    fn costs_of_one_are_errors_and_others_matter() {
        let mut different = 0;
        for tree in classifiers(60, 15) {
            let j = tree.class_weights(0).len();
            let with = |price: &dyn Fn(usize, usize) -> f64| {
                let matrix =
                    (0..j * j).map(|i| if i / j == i % j { 0.0 } else { price(i / j, i % j) }).collect();
                let costs = Costs::from_matrix(tree.schema().target.classes(), matrix).unwrap();
                cut(&tree.clone().with_costs(Some(std::sync::Arc::new(costs))).unwrap(), Some(2.0))
            };
            assert_eq!(with(&|_, _| 1.0), cut(&tree, Some(2.0)));
            different += usize::from(with(&|actual, _| 1.0 + 9.0 * actual as f64) != cut(&tree, Some(2.0)));
        }
        assert!(different > 10);
    }

    #[test]
    fn numbers_stay_and_long_chains_work() {
        let tree = (0..).map(|seed| random(seed, 9, 2)).find(|t| !t.is_classifier()).unwrap();
        assert_eq!(after(&tree, &cut(&tree, None)).len(), tree.leaves());
        let tree = chain(200_001);
        assert!(after(&tree, &cut(&tree, Some(1.0))).len() <= tree.leaves());
        assert_eq!(after(&chain(1), &cut(&chain(1), None)), [0]);
    }
}
