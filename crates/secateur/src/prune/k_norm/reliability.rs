//! How reliable a prediction is (Zhong 4.5).
//!
//! The first two moments of the error rate give a mean, a spread and a norm:
//! `E[r]`, `σ[r] = √(E[r²] − E[r]²)` (4.14) and `‖r‖₂ = √E[r²]`. At a leaf they come from its counts (4.30), at a split from
//! its branches (4.12, 4.13), and for a row that goes to several leaves in parts they mix in the same way with its parts.
//!
//! Counts are rows: weights in units of what a row weighs on average, whatever the tree was pruned by.
//!
//! A leaf without training rows predicts with the counts of a node above it, but nothing was seen of the leaf itself: its
//! moments are those of the prior, `E[r] = (J − 1)/J` with a wide spread, and not those of the node above.

use serde::Serialize;

use crate::predict::Predictor;
use crate::threads;
use crate::tree::{LeafValues, NodeId, Tree};

use super::KNorm;
use super::moments::ErrorRate;

/// Mean, standard deviation and 2-norm of an error rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reliability {
    /// `E[r]`: the expected error rate.
    pub error: f64,
    /// `σ[r]`: how far the true error rate may be from it.
    pub sd: f64,
    /// `‖r‖₂`: both in one number, `√(error² + sd²)`.
    pub norm: f64,
}

/// `E[r]` and `E[r²]`.
type Moments = (f64, f64);

impl Reliability {
    fn of((first, second): Moments) -> Self {
        Self { error: first, sd: (second - first * first).max(0.0).sqrt(), norm: second.sqrt() }
    }
}

fn leaf_moments(tree: &Tree, node: NodeId, rule: &KNorm) -> Moments {
    let unit = tree.row_weight();
    let counts: Vec<f64> = tree.class_weights(node).iter().map(|weight| weight / unit).collect();
    let rate = match tree.leaf_values() {
        LeafValues::Raw => ErrorRate::new(&counts, rule.lambda),
        // The class that is predicted need not be the one that most rows had.
        _ => ErrorRate::of_label(&counts, tree.label(node), rule.lambda),
    };
    (rate.log_moment(1.0).exp(), rate.log_moment(2.0).exp())
}

/// The moments of parts with their weights, which add up to 1.
fn mixed(parts: impl Iterator<Item = (f64, Moments)>) -> Moments {
    parts.fold((0.0, 0.0), |sum, (weight, m)| (sum.0 + weight * m.0, sum.1 + weight * m.1))
}

/// The reliability of what a node predicts when it is a leaf (4.30).
pub fn leaf_reliability(tree: &Tree, node: NodeId, rule: &KNorm) -> Reliability {
    Reliability::of(leaf_moments(tree, node, rule))
}

/// The reliability of every node's subtree as it stands (4.12 to 4.14).
pub(crate) fn subtree_reliabilities(tree: &Tree, rule: &KNorm) -> Vec<Reliability> {
    let branches = KNorm { eta: rule.eta * tree.row_weight(), ..*rule };
    let mut moments = vec![(0.0, 0.0); tree.nodes().len()];
    for id in (0..moments.len()).rev() {
        moments[id] = if tree.is_leaf(id) {
            leaf_moments(tree, id, rule)
        } else {
            mixed(tree.children(id).map(|c| (branches.share(tree, id, c), moments[c])))
        };
    }
    moments.into_iter().map(Reliability::of).collect()
}

/// The reliability of a whole tree.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::k_norm::{KNorm, tree_reliability};
///
/// // Iris by its petals, with the three leaves that Zhong's appendix B ends with.
/// let roles = Roles { ignore: vec!["sepallength".into(), "sepalwidth".into()], ..Roles::default() };
/// let coded = CodedTable::new(&builtin::load("iris").unwrap(), &roles).unwrap();
/// let spec = GrowSpec { max_depth: Some(2), ..GrowSpec::cart(Task::Classification) };
/// let tree = grow(&coded, &spec, &Silent).unwrap();
/// let whole = tree_reliability(&tree, &KNorm { lambda: 0.5, eta: 0.5 });
/// assert!((whole.error - 0.05822).abs() < 5e-6); // (B.13)
/// assert!((whole.sd - 0.04966).abs() < 5e-6); // (B.15)
/// assert!((whole.norm - 0.07652).abs() < 5e-6); // (B.16)
/// ```
pub fn tree_reliability(tree: &Tree, rule: &KNorm) -> Reliability {
    subtree_reliabilities(tree, rule)[0]
}

/// The reliability of the prediction for a row that ends in these leaves with these weights.
///
/// The moments of the leaves are mixed in proportion to the weights; each part is judged by the label of its own leaf. A
/// row without any weight is judged at the root.
pub fn row_reliability(tree: &Tree, fragments: &[(NodeId, f64)], rule: &KNorm) -> Reliability {
    in_parts(fragments, |node| leaf_moments(tree, node, rule))
}

fn in_parts(fragments: &[(NodeId, f64)], moments: impl Fn(NodeId) -> Moments) -> Reliability {
    let all: f64 = fragments.iter().map(|f| f.1).sum();
    if all > 0.0 {
        Reliability::of(mixed(fragments.iter().map(|&(node, weight)| (weight / all, moments(node)))))
    } else {
        Reliability::of(moments(0))
    }
}

/// [`row_reliability`] of all rows of a table, on all threads; the leaves are judged once.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::k_norm::{KNorm, row_reliability, rows_reliability};
/// use secateur::predict::Predictor;
///
/// let table = builtin::load("credit?n=200").unwrap(); // with missing values: rows go to several leaves
/// let tree = grow(&CodedTable::new(&table, &Roles::default()).unwrap(), &GrowSpec::cart(Task::Classification), &Silent).unwrap();
/// let predictor = Predictor::bind(&tree, &table).unwrap();
/// let rule = KNorm::of(&tree);
/// let rows = rows_reliability(&predictor, &rule);
/// assert_eq!(rows.len(), table.rows());
/// assert_eq!(rows[7], row_reliability(&tree, &predictor.leaf_weights(7), &rule));
/// ```
pub fn rows_reliability(predictor: &Predictor, rule: &KNorm) -> Vec<Reliability> {
    let tree = predictor.tree();
    // Splits as well: a row stays at one where no branch has any weight.
    let moments: Vec<Moments> = (0..tree.nodes().len()).map(|id| leaf_moments(tree, id, rule)).collect();
    let row = |row| in_parts(&predictor.leaf_weights(row), |node| moments[node]);
    threads::map(predictor.table().rows(), row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::{below, build, classes, each, leaf, nominal, numeric};

    const RULE: KNorm = KNorm { lambda: 0.5, eta: 0.5 };

    fn near(found: f64, printed: f64, unit: f64) {
        assert!((found - printed).abs() <= 0.500_001 * unit, "{found} {printed}");
    }

    /// Section 4.3: an end-cut lowers the mean and raises the spread much more.
    #[test]
    fn end_cut() {
        let sketch = below(0, 0.5, leaf(&[98.0, 0.0]), leaf(&[0.0, 1.0]));
        let tree = build(vec![numeric("x")], classes("c", &["one", "two"]), sketch);
        let before = leaf_reliability(&tree, 0, &RULE);
        near(before.error, 0.015, 1e-6);
        near(before.norm * before.norm, 0.000_371_29, 1e-8);
        near(before.sd, 0.012_095, 1e-6);
        near(RULE.share(&tree, 0, 1), 0.985, 1e-5);
        near(RULE.share(&tree, 0, 2), 0.015, 1e-6);
        let after = tree_reliability(&tree, &RULE);
        near(after.error, 0.008_724_7, 1e-7);
        near(after.norm * after.norm, 0.001_949_6, 1e-7);
        near(after.sd, 0.043_28, 1e-5);
        assert!(!super::super::cut(&tree, &RULE, 1.0, None)[0]);
        assert!(super::super::cut(&tree, &RULE, 2.0, None)[0]);
    }

    /// Appendix B, equations B.1 to B.16.
    #[test]
    fn iris() {
        let second = below(1, 1.75, leaf(&[0.0, 49.0, 5.0]), leaf(&[0.0, 1.0, 45.0]));
        let sketch = below(0, 2.45, leaf(&[50.0, 0.0, 0.0]), second);
        let tree = build(vec![numeric("l"), numeric("w")], classes("c", &["a", "b", "c"]), sketch);
        let all = subtree_reliabilities(&tree, &RULE);
        let squared = |id: usize| all[id].norm * all[id].norm;
        // c1 = 1, c2 = 2, c21 = 3, c22 = 4.
        near(all[3].error, 0.1081, 1e-4);
        near(squared(3), 0.013_39, 1e-5);
        near(RULE.share(&tree, 2, 3), 0.5396, 1e-4);
        near(all[4].error, 0.042_11, 1e-5);
        near(squared(4), 0.002_604, 1e-6);
        near(RULE.share(&tree, 2, 4), 0.4604, 1e-4);
        near(all[2].error, 0.077_72, 1e-5);
        near(squared(2), 0.008_426_5, 1e-7); // printed as 0.008427, from rounded summands
        near(RULE.share(&tree, 0, 2), 0.6656, 1e-4);
        near(all[1].error, 0.019_42, 1e-5);
        near(squared(1), 0.000_739_7, 1e-7);
        near(RULE.share(&tree, 0, 1), 0.3344, 1e-4);
        near(all[0].error, 0.058_22, 1e-5);
        near(squared(0), 0.005_856, 1e-6);
        near(all[0].sd, 0.049_66, 1e-5);
        near(all[0].norm, 0.076_52, 1e-5);
        assert_eq!(all[3], leaf_reliability(&tree, 3, &RULE));
    }

    #[test]
    fn rows_in_parts() {
        let sketch = each(0, vec![leaf(&[8.0, 0.0]), leaf(&[1.0, 3.0]), leaf(&[0.0, 0.0])]);
        let tree = build(vec![nominal("n", &["a", "b", "c"])], classes("c", &["x", "y"]), sketch);
        assert_eq!(row_reliability(&tree, &[(2, 0.4)], &RULE), leaf_reliability(&tree, 2, &RULE));
        // Means 0.5/9, 1.5/5; second moments 0.5·1.5/(9·10), 1.5·2.5/(5·6).
        let row = row_reliability(&tree, &[(1, 0.5), (2, 1.5)], &RULE);
        let (first, second): (f64, f64) = (0.25 * 0.5 / 9.0 + 0.75 * 0.3, 0.25 * 0.75 / 90.0 + 0.75 * 0.125);
        assert!((row.error - first).abs() < 1e-15 && (row.norm - second.sqrt()).abs() < 1e-15);
        assert!((row.sd - (second - first * first).sqrt()).abs() < 1e-15);
        // Nothing was seen of the third branch: Beta(½, ½).
        let blank = leaf_reliability(&tree, 3, &RULE);
        assert!((blank.error - 0.5).abs() < 1e-15 && (blank.sd - 0.125f64.sqrt()).abs() < 1e-15);
        assert_eq!(row_reliability(&tree, &[], &RULE), leaf_reliability(&tree, 0, &RULE));
    }
}
