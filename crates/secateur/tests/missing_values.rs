//! What rows without a value mean for gains (`missing=spread`) and for the size of branches (`count=rows`), against the
//! definitions.

use crate::common::*;
use proptest::prelude::*;
use secateur::criterion::Criterion;
use secateur::data::{CodedTable, Column, Nominal, Table, Values};
use secateur::grow::{Counting, RowCounter, grow, grow_weighted};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::spec::{Count, GrowSpec, MinLeafRule, MissingGain, NominalSplits};
use secateur::tree::Condition;

/// The gain of the branches with their parts of the rows without a value, and the number of rows in each.
fn spread(
    rows: &Rows,
    part: &[(usize, f64)],
    condition: &Condition,
    impurity: Impurity,
) -> (f64, Vec<usize>) {
    let (_, branches) = send(rows, part, condition);
    let total: f64 = part.iter().map(|p| p.1).sum();
    let after: f64 = branches.iter().map(|b| cost(rows, b, impurity)).sum();
    ((cost(rows, part, impurity) - after) / total, branches.iter().map(Vec::len).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn the_gain_is_that_of_branches_with_their_parts_of_the_rows(
        (size, classes, values) in (2usize..70, 2usize..5, 2u32..6), weights in any::<bool>(), seed in any::<u64>(),
        gini in any::<bool>(), multiway in any::<bool>(), least_rows in 0u32..5, all_rows in any::<bool>())
    {
        let shape = Shape { rows: size, classes, missing: 0.25, weights, nominal_values: values };
        let table = random_table(shape, seed);
        let rows = plain(&table);
        let (criterion, impurity) =
            if gini { (Criterion::Gini, Impurity::Gini) } else { (Criterion::Entropy, Impurity::Entropy) };
        let spec = GrowSpec {
            criterion,
            nominal: if multiway { NominalSplits::Multiway } else { NominalSplits::Subset },
            exhaustive: 8,
            gain_decimals: Some(11),
            missing: MissingGain::Spread,
            count: if all_rows { Count::Rows } else { Count::LeafRows },
            min_leaf: f64::from(least_rows),
            min_leaf_rule: MinLeafRule::Node,
            // Nodes of tiny parts of rows would say nothing of gains.
            min_split: if all_rows { 5.0 } else { 0.5 },
            max_depth: Some(4),
            ..GrowSpec::cart(Task::Classification)
        };
        let tree = grow(&coded(&table), &spec, &Silent).unwrap();
        let at = rows_at_nodes(&rows, &tree);
        let enough = |branches: &[usize]| {
            branches.iter().filter(|n| **n > 0 && **n >= least_rows as usize).count() >= 2
        };
        let mut depth = vec![0; tree.nodes().len()];
        for (id, node) in tree.nodes().iter().enumerate() {
            depth[id] = node.parent.map_or(0, |parent| depth[parent as usize] + 1);
            let shares = at[id].iter().map(|p| p.1 / rows.weights[p.0]).sum();
            let size = if all_rows { at[id].len() as f64 } else { shares };
            let splits: Vec<_> = all_splits(&rows, &at[id], multiway)
                .iter()
                .map(|split| spread(&rows, &at[id], split, impurity))
                .collect();
            let best = splits.iter().map(|s| s.0).fold(0.0, f64::max);
            if let Some(condition) = &node.condition {
                let (gain, branches) = spread(&rows, &at[id], condition, impurity);
                prop_assert!((gain - node.gain).abs() < 1e-9, "{} counted, {gain} by definition", node.gain);
                prop_assert!(gain >= best - 1e-9, "{gain} found, {best} possible");
                prop_assert!(enough(&branches) && size + 1e-9 >= spec.min_split, "{branches:?}");
                let children: Vec<u64> = tree.nodes().iter().filter(|n| n.parent == Some(id as u32))
                    .map(|n| n.rows).collect();
                prop_assert!(children.iter().zip(&branches).all(|(a, b)| *a == *b as u64));
            } else if at[id].len() >= 2 && size - 1e-9 >= spec.min_split && depth[id] < 4 && best > 1e-9 {
                let mut leading = splits.iter().filter(|s| s.0 > best - 1e-9);
                prop_assert!(leading.any(|s| !enough(&s.1)), "node {id} is a leaf, but {best} can be gained");
            }
        }
    }
}

/// One row of class a, one without a value, four of class b.
fn six_rows() -> CodedTable {
    let x = Values::Numeric(vec![1.0, f64::NAN, 5.0, 6.0, 7.0, 8.0]);
    let y = Values::Nominal(Nominal { levels: vec!["a".into(), "b".into()], codes: vec![0, 0, 1, 1, 1, 1] });
    let columns = [("x", x), ("y", y)].map(|(name, values)| Column { name: name.into(), values });
    coded(&Table::new("six", columns.into()).unwrap())
}

fn by_rows() -> GrowSpec {
    GrowSpec {
        min_leaf_rule: MinLeafRule::Node,
        count: Count::Rows,
        gain_decimals: Some(7),
        missing: MissingGain::Spread,
        ..GrowSpec::best_first(Task::Classification)
    }
}

#[test]
fn a_part_of_a_row_counts_as_a_row() {
    let table = six_rows();
    let tree = grow(&table, &by_rows(), &Silent).unwrap();
    let counts: Vec<u64> = tree.nodes().iter().map(|node| node.rows).collect();
    assert_eq!(counts, [6, 2, 5]);
    // The known rows gain 0.32. By Gini the row without a value costs the square of its share.
    assert_eq!(tree.node(0).gain, 0.2222222);
    // Six rows, whatever they weigh, unless weight is counted.
    let leaves = |count, min_split, weights: &[f64]| {
        let spec = GrowSpec { count, min_split, ..by_rows() };
        grow_weighted(&table, Some(weights), &spec, &Silent).unwrap().leaves()
    };
    let light = [1.0, 0.5, 1.0, 1.0, 1.0, 1.0];
    assert_eq!(
        [Count::Rows, Count::LeafRows, Count::Weight].map(|count| leaves(count, 6.0, &light)),
        [2, 2, 1]
    );
    assert_eq!(leaves(Count::Rows, 6.5, &light), 1);
    let by_weight = GrowSpec { count: Count::Weight, ..by_rows() };
    assert_eq!(grow(&table, &by_weight, &Silent).unwrap().leaves(), 1);
    let known = GrowSpec { missing: MissingGain::Known, ..by_rows() };
    assert_eq!(grow(&table, &known, &Silent).unwrap().node(0).gain, 0.2666667);
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let table = six_rows();
    let refused = [
        GrowSpec { gain_decimals: None, ..by_rows() },
        GrowSpec { min_leaf_rule: MinLeafRule::Point, ..by_rows() },
    ];
    for spec in refused {
        assert!(grow(&table, &spec, &Silent).is_err());
    }
    let numbers = coded(&random_table(
        Shape { rows: 9, classes: 0, missing: 0.0, weights: false, nominal_values: 2 },
        1,
    ));
    let spec =
        GrowSpec { missing: MissingGain::Spread, gain_decimals: Some(7), ..GrowSpec::cart(Task::Regression) };
    assert!(grow(&numbers, &spec, &Silent).is_err());
    for spec in [
        GrowSpec { missing: MissingGain::Known, ..by_rows() },
        GrowSpec { count: Count::Weight, ..by_rows() },
    ] {
        assert!(Counting::new(RowCounter::new(&table, 0..6), &table, &spec).is_err());
    }
}
