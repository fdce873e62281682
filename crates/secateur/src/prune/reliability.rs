//! How reliable predictions are by the training rows alone: of classes by the k-norm's moments, of numbers by the spread at the leaves.
//!
//! Of classes it is the error rate ([`k_norm`](super::k_norm), Zhong 4.5), of numbers the root of the mean squared error, in the unit of the
//! target (`tree/spread`, with the formula and its source). Both as mean, standard deviation and 2-norm.

use super::k_norm::{KNorm, Reliability, row_reliability, rows_reliability, tree_reliability};
use crate::error::{Error, Result};
use crate::predict::Predictor;
use crate::threads;
use crate::tree::{NodeId, Spreads, Tree};

impl Reliability {
    /// From the first two moments of a squared error: its root, and by how much that may be off.
    fn of_numbers((first, second): (f64, f64)) -> Self {
        let error = first.max(0.0).sqrt();
        let sd = (second - first * first).max(0.0).sqrt() / (2.0 * error);
        let sd = if error > 0.0 { sd } else { 0.0 };
        Self { error, sd, norm: error.hypot(sd) }
    }
}

/// The reliability of the prediction for every row.
///
/// ```
/// use secateur::Fit;
/// use secateur::predict::Predictor;
/// use secateur::prune::reliabilities;
/// let table = secateur::data::builtin::load("houses?n=300")?;
/// let tree = Fit::new(&table, "price").model()?.tree;
/// let rows = reliabilities(&Predictor::bind(&tree, &table)?)?;
/// assert!(rows[0].error > rows[0].sd && rows[0].norm > rows[0].error);
/// # Ok::<(), secateur::Error>(())
/// ```
///
/// # Errors
/// For a tree that was made for the least cost (its labels are not those with the fewest errors) and for one that has no
/// counts of training rows.
pub fn reliabilities(predictor: &Predictor) -> Result<Vec<Reliability>> {
    let tree = predictor.tree();
    if tree.costs().is_some() {
        return Err(Error::parameter(
            "reliability is about the error rate, and this tree was made for the least cost",
        ));
    }
    if !tree.has_counts() {
        return Err(Error::parameter(
            "reliability needs the counts of training rows, which this tree does not have",
        ));
    }
    if tree.is_classifier() {
        return Ok(rows_reliability(predictor, &KNorm::of(tree)));
    }
    let spreads = Spreads::of(tree);
    let row = |row: usize| {
        let ends = predictor.leaf_weights(row);
        Reliability::of_numbers(spreads.moments(&ends, value(tree, &ends)))
    };
    Ok(threads::map(predictor.table().rows(), row))
}

/// The reliability of the prediction for one row; `None` for a tree that was made for the least cost, or has no counts.
pub fn reliability_at(predictor: &Predictor, row: usize) -> Option<Reliability> {
    let (tree, ends) = (predictor.tree(), predictor.leaf_weights(row));
    if !is_judged(tree) {
        return None;
    }
    Some(match tree.is_classifier() {
        true => row_reliability(tree, &ends, &KNorm::of(tree)),
        false => Reliability::of_numbers(Spreads::of(tree).moments(&ends, value(tree, &ends))),
    })
}

/// Whether the counts of a tree say how often it is wrong.
fn is_judged(tree: &Tree) -> bool {
    tree.costs().is_none() && tree.has_counts()
}

/// The number that is predicted for a row that ends at these nodes.
fn value(tree: &Tree, ends: &[(NodeId, f64)]) -> f64 {
    ends.iter().map(|(node, share)| share * tree.value(*node)).sum()
}

/// The reliability of a whole tree: that of a row like those it was grown from. `None` for a tree with costs, and for one without counts.
pub fn reliability_of(tree: &Tree) -> Option<Reliability> {
    if !is_judged(tree) {
        return None;
    }
    if tree.is_classifier() {
        return Some(tree_reliability(tree, &KNorm::of(tree)));
    }
    let (spreads, all) = (Spreads::of(tree), tree.node(0).weight);
    let mut moments = (0.0, 0.0);
    for leaf in (0..tree.nodes().len()).filter(|&id| tree.is_leaf(id)) {
        let (share, own) = (tree.node(leaf).weight / all, spreads.moments(&[(leaf, 1.0)], tree.value(leaf)));
        moments.0 += share * own.0;
        moments.1 += share * own.1;
    }
    Some(Reliability::of_numbers(moments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CodedTable, Roles, Table, builtin};
    use crate::grow::grow;
    use crate::progress::Silent;
    use crate::spec::GrowSpec;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} {b}");
    }

    /// Two leaves of four and three rows, by hand.
    #[test]
    fn numbers_by_hand() {
        let table = Table::builder()
            .numeric("x", [1, 1, 1, 1, 2, 2, 2])
            .numeric("y", [1.0, 2.0, 3.0, 4.0, 10.0, 12.0, 14.0])
            .build()
            .unwrap();
        let roles = Roles { target: Some("y".into()), ..Roles::default() };
        let coded = CodedTable::new(&table, &roles).unwrap();
        let tree =
            grow(&coded, &GrowSpec { max_depth: Some(1), ..GrowSpec::cart(coded.task()) }, &Silent).unwrap();
        assert_eq!(tree.leaves(), 2);
        let rows = reliabilities(&Predictor::bind(&tree, &table).unwrap()).unwrap();
        // S is 5 and 8; v = 1/7 Σ (y − 46/7)²; s₀² = (13 + v) / (7 − 2 + 1).
        let all = [1.0, 2.0, 3.0, 4.0, 10.0, 12.0, 14.0f64];
        let v = all.iter().map(|y| (y - 46.0 / 7.0).powi(2)).sum::<f64>() / 7.0;
        let common = (13.0 + v) / 6.0;
        for (row, n, squares) in [(0, 4.0, 5.0), (6, 3.0, 8.0f64)] {
            let d = 4.0 + n - 1.0;
            let r = (4.0 * common + squares) / d * (1.0 + 1.0 / n);
            near(rows[row].error, r.sqrt());
            near(rows[row].sd, r * (2.0f64 / d).sqrt() / (2.0 * r.sqrt()));
            near(rows[row].norm.powi(2), rows[row].error.powi(2) + rows[row].sd.powi(2));
        }
        let whole = reliability_of(&tree).unwrap();
        near(whole.error.powi(2), (4.0 * rows[0].error.powi(2) + 3.0 * rows[6].error.powi(2)) / 7.0);
    }

    /// A missing value: the prediction is the mean of both leaves, and is further off than at either.
    #[test]
    fn a_row_in_parts_has_the_distance_of_its_leaves() {
        let table = Table::builder()
            .numeric("x", [1, 1, 1, 1, 2, 2, 2, 2])
            .numeric("y", [1.0, 2.0, 1.0, 2.0, 9.0, 10.0, 9.0, 10.0])
            .build()
            .unwrap();
        let roles = Roles { target: Some("y".into()), ..Roles::default() };
        let coded = CodedTable::new(&table, &roles).unwrap();
        let tree =
            grow(&coded, &GrowSpec { max_depth: Some(1), ..GrowSpec::cart(coded.task()) }, &Silent).unwrap();
        let asked = Table::builder().numeric("x", [1.0, f64::NAN]).build().unwrap();
        let rows = reliabilities(&Predictor::bind(&tree, &asked).unwrap()).unwrap();
        // Both leaves are 4 from 5.5, which is predicted.
        near(rows[1].error.powi(2), rows[0].error.powi(2) + 16.0);
    }

    #[test]
    fn the_unit_of_weights_and_of_the_target_changes_nothing_but_the_unit() {
        let table = builtin::load("houses?n=200").unwrap();
        let roles = Roles { target: Some("price".into()), ..Roles::default() };
        let coded = CodedTable::new(&table, &roles).unwrap();
        let spec = GrowSpec { max_depth: Some(4), ..GrowSpec::cart(coded.task()) };
        let tree = grow(&coded, &spec, &Silent).unwrap();
        let heavy = crate::grow::grow_weighted(&coded, Some(&[2.5; 200]), &spec, &Silent).unwrap();
        let (a, b) = (reliability_of(&tree).unwrap(), reliability_of(&heavy).unwrap());
        assert!((a.error / b.error - 1.0).abs() < 1e-9 && (a.sd / b.sd - 1.0).abs() < 1e-9);
        let iris = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
        let spec = GrowSpec::cart(iris.task());
        let of = |weights: Option<&[f64]>| {
            let tree = crate::grow::grow_weighted(&iris, weights, &spec, &Silent).unwrap();
            let rows = reliabilities(&Predictor::bind(&tree, &builtin::load("iris").unwrap()).unwrap());
            (reliability_of(&tree).unwrap(), rows.unwrap()[77])
        };
        let (plain, light) = (of(None), of(Some(&[1.0 / 150.0; 150])));
        for (a, b) in [(plain.0, light.0), (plain.1, light.1)] {
            assert!((a.error / b.error - 1.0).abs() < 1e-9 && (a.sd / b.sd - 1.0).abs() < 1e-9);
        }
    }
}
