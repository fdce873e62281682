//! A brute-force oracle: every node of trees grown on random small tables is checked against all possible splits.

use crate::common::*;
use proptest::prelude::*;
use secateur::criterion::Criterion;
use secateur::grow::{Counters, Counting, Grower, RowCounter, grow};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::spec::{GrowSpec, MinLeafRule, NominalSplits, Order};
use secateur::tree::{Condition, Tree};

/// Checks a tree node by node: rows counted while growing are the rows routed afterwards, every split is the best one,
/// and every leaf is a leaf because nothing admissible gains.
fn check(rows: &Rows, tree: &Tree, spec: &GrowSpec, impurity: Impurity) -> Result<(), TestCaseError> {
    let at = rows_at_nodes(rows, tree);
    let multiway = spec.nominal == NominalSplits::Multiway;
    for (id, node) in tree.nodes().iter().enumerate() {
        let weight: f64 = at[id].iter().map(|p| p.1).sum();
        prop_assert_eq!(node.rows as usize, at[id].len());
        prop_assert!((node.weight - weight).abs() < 1e-9);
        if rows.classes > 0 {
            for (j, got) in tree.class_weights(id).iter().enumerate() {
                let want: f64 = at[id].iter().filter(|p| rows.y[p.0] == j as f64).map(|p| p.1).sum();
                prop_assert!((got - want).abs() < 1e-9);
            }
        } else if weight > 0.0 {
            let mean = at[id].iter().map(|p| p.1 * rows.y[p.0]).sum::<f64>() / weight;
            prop_assert!(
                (tree.value(id) - mean).abs() < 1e-9 || spec.leaf == secateur::spec::LeafValue::Median
            );
        }
        // The rows with a value in every branch, a part of a row by its share, whatever they weigh.
        let large = |split: &Condition| {
            let size = |part: &[(usize, f64)]| part.iter().map(|p| p.1 / rows.weights[p.0]).sum::<f64>();
            let (known, _) = send(rows, &at[id], split);
            known.iter().filter(|branch| size(branch) + 1e-9 >= spec.min_leaf).count() >= 2
        };
        let size: f64 = at[id].iter().map(|p| p.1 / rows.weights[p.0]).sum();
        let best = all_splits(rows, &at[id], multiway)
            .iter()
            .filter(|split| large(split))
            .map(|split| gain(rows, &at[id], split, impurity).0)
            .fold(0.0, f64::max);
        match &node.condition {
            Some(condition) => {
                let (got, _) = gain(rows, &at[id], condition, impurity);
                prop_assert!(
                    (got - node.gain).abs() < 1e-9,
                    "gain {} counted, {} by definition",
                    node.gain,
                    got
                );
                prop_assert!(large(condition));
                prop_assert!(got >= best - 1e-9, "node {id}: {got} found, {best} possible by {condition:?}");
            }
            None => {
                let stopped = size + 1e-9 < spec.min_split || at[id].len() < 2;
                prop_assert!(stopped || best < 1e-9, "node {id} is a leaf, but {best} can be gained");
            }
        }
    }
    Ok(())
}

/// Ordered by share the best subset is a prefix, but the best among those that are large enough need not be one: there
/// the search is exact only without a least size.
fn floor(min_leaf: u32, exact: bool) -> f64 {
    if exact { f64::from(min_leaf) } else { 0.0 }
}

fn shapes() -> impl Strategy<Value = Shape> {
    (2usize..90, 2usize..7, prop_oneof![Just(0.0), Just(0.15)], any::<bool>(), 2u32..7).prop_map(
        |(rows, classes, missing, weights, nominal_values)| Shape {
            rows,
            classes,
            missing,
            weights,
            nominal_values,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn class_trees_take_the_best_split_everywhere(shape in shapes(), seed in any::<u64>(), gini in any::<bool>(),
        multiway in any::<bool>(), min_leaf in 1u32..4)
    {
        let table = random_table(shape, seed);
        let rows = plain(&table);
        let spec = GrowSpec {
            criterion: if gini { Criterion::Gini } else { Criterion::Entropy },
            nominal: if multiway { NominalSplits::Multiway } else { NominalSplits::Subset },
            exhaustive: 8,
            min_leaf: floor(min_leaf, multiway || shape.classes > 2),
            ..GrowSpec::cart(Task::Classification)
        };
        let tree = grow(&coded(&table), &spec, &Silent).unwrap();
        check(&rows, &tree, &spec, if gini { Impurity::Gini } else { Impurity::Entropy })?;
    }

    #[test]
    fn number_trees_take_the_best_split_everywhere(shape in shapes(), seed in any::<u64>(), multiway in any::<bool>(),
        min_leaf in 1u32..4)
    {
        let table = random_table(Shape { classes: 0, ..shape }, seed);
        let rows = plain(&table);
        let spec = GrowSpec {
            nominal: if multiway { NominalSplits::Multiway } else { NominalSplits::Subset },
            min_leaf: floor(min_leaf, multiway),
            ..GrowSpec::cart(Task::Regression)
        };
        let tree = grow(&coded(&table), &spec, &Silent).unwrap();
        check(&rows, &tree, &spec, Impurity::Mse)?;
    }

    /// Subsets of nominal values are ordered by median, which is a heuristic: numeric and multiway splits are exact.
    #[test]
    fn median_trees_take_the_best_split_everywhere(shape in shapes(), seed in any::<u64>(), min_leaf in 1u32..4) {
        let table = random_table(Shape { classes: 0, rows: shape.rows.min(16), ..shape }, seed);
        let rows = plain(&table);
        let spec = GrowSpec {
            criterion: Criterion::Mae,
            leaf: secateur::spec::LeafValue::Median,
            nominal: NominalSplits::Multiway,
            min_leaf: f64::from(min_leaf),
            ..GrowSpec::cart(Task::Regression)
        };
        let tree = grow(&coded(&table), &spec, &Silent).unwrap();
        check(&rows, &tree, &spec, Impurity::Mae)?;
    }

    #[test]
    fn the_incremental_grower_and_counted_parts_grow_the_same_tree(shape in shapes(), seed in any::<u64>(),
        numbers in any::<bool>(), order in 0usize..4, node_rule in any::<bool>(), parts in 1usize..4)
    {
        let shape = Shape { classes: if numbers { 0 } else { shape.classes }, ..shape };
        let table = random_table(shape, seed);
        let coded = coded(&table);
        let orders = [Order::DepthFirst, Order::BreadthFirst, Order::BestFirst, Order::BestFirstWeighted];
        let spec = GrowSpec {
            order: orders[order],
            min_leaf_rule: if node_rule { MinLeafRule::Node } else { MinLeafRule::Point },
            min_leaf: 2.0,
            ..GrowSpec::cart(coded.task())
        };
        let whole = grow(&coded, &spec, &Silent).unwrap();
        let limited = GrowSpec { max_splits: Some(usize::MAX), ..spec.clone() };
        let stepwise = grow(&coded, &limited, &Silent).unwrap();
        prop_assert_eq!(&whole, &stepwise);

        let cut = |i: usize| shape.rows * i / parts;
        let counters = (0..parts).map(|i| RowCounter::new(&coded, cut(i)..cut(i + 1))).collect();
        let engine = Counting::new(Counters(counters), &coded, &spec).unwrap();
        let mut grower = Grower::new(engine, &spec).unwrap();
        while grower.expand().unwrap() {}
        let counted = grower.finish(&coded);
        if shape.missing == 0.0 && !numbers {
            prop_assert_eq!(&whole, &counted);
        } else {
            // Sums of fractions and of numbers depend on the order of addition in their last digits.
            prop_assert_eq!(whole.nodes().len(), counted.nodes().len());
            for (a, b) in whole.nodes().iter().zip(counted.nodes()) {
                prop_assert_eq!(&a.condition, &b.condition);
                prop_assert!((a.weight - b.weight).abs() < 1e-9 && (a.gain - b.gain).abs() < 1e-9);
            }
        }
    }

    /// The tree after N expansions is the first part of the whole tree.
    #[test]
    fn a_limit_on_splits_keeps_the_beginning(shape in shapes(), seed in any::<u64>(), order in 0usize..4, n in 0usize..12) {
        let coded = coded(&random_table(shape, seed));
        let orders = [Order::DepthFirst, Order::BreadthFirst, Order::BestFirst, Order::BestFirstWeighted];
        let spec = GrowSpec { order: orders[order], ..GrowSpec::cart(Task::Classification) };
        let whole = grow(&coded, &spec, &Silent).unwrap();
        let part = grow(&coded, &GrowSpec { max_splits: Some(n), ..spec }, &Silent).unwrap();
        for (id, node) in part.nodes().iter().enumerate() {
            let full = whole.node(id);
            prop_assert_eq!((node.rows, node.weight, node.parent), (full.rows, full.weight, full.parent));
            if node.condition.is_some() {
                prop_assert_eq!(node, full);
                prop_assert!((node.rank as usize) < n);
            }
        }
        prop_assert_eq!(part.nodes().len() - part.leaves(), n.min(whole.nodes().len() - whole.leaves()));
    }
}
