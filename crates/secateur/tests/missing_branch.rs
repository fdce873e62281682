//! Rows without a value that go to a branch (`missing=branch`), against the definitions and between engines.

use crate::common::*;
use proptest::prelude::*;
use rand::RngExt;
use secateur::criterion::Criterion;
use secateur::data::{Column, Nominal, Table, Values};
use secateur::grow::{Counters, Counting, Grower, RowCounter, grow};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::schema::{Cell, Task};
use secateur::spec::{Discretise, GrowSpec, LeafValue, MinLeafRule, MissingGain, NominalSplits, Order};
use secateur::tree::{Condition, Side, Tree};

/// Every split of every attribute at a node, with every place for the rows without a value where there are any.
fn splits_with_sides(rows: &Rows, part: &[(usize, f64)], multiway: bool) -> Vec<Condition> {
    let lacks = |attribute: usize| part.iter().any(|p| rows.cells[p.0][attribute] == Cell::Missing);
    let has = |attribute: usize| part.iter().any(|p| rows.cells[p.0][attribute] != Cell::Missing);
    let mut splits = Vec::new();
    for split in all_splits(rows, part, multiway) {
        if !lacks(split.attribute()) {
            splits.push(split);
            continue;
        }
        for side in [Side::Left, Side::Right].map(Some) {
            match split.clone() {
                Condition::Threshold { attribute, below, .. } => {
                    splits.push(Condition::Threshold { attribute, below, missing: side });
                }
                Condition::Subset { attribute, subsets, .. } => {
                    splits.push(Condition::Subset { attribute, subsets, missing: side });
                }
                _ => {}
            }
        }
    }
    for (attribute, &levels) in rows.levels.iter().enumerate() {
        if lacks(attribute) && has(attribute) {
            let (attribute, values) = (attribute as u32, levels as u32);
            splits.push(if multiway && levels > 0 {
                Condition::EachValue { attribute, values, missing: true }
            } else {
                Condition::Known { attribute }
            });
        }
    }
    splits
}

/// Checks a tree node by node: every row is whole, rows counted while growing are the rows routed afterwards, a condition says where
/// missing values go exactly where a training row lacked one, every split is the best one, and a leaf can gain nothing.
fn check(rows: &Rows, tree: &Tree, spec: &GrowSpec, impurity: Impurity) -> Result<(), TestCaseError> {
    let at = rows_at_nodes(rows, tree);
    let multiway = spec.nominal == NominalSplits::Multiway;
    for (id, node) in tree.nodes().iter().enumerate() {
        prop_assert_eq!(node.rows as usize, at[id].len());
        prop_assert_eq!(node.weight, at[id].iter().map(|p| p.1).sum::<f64>());
        prop_assert!(at[id].iter().all(|p| p.1 == rows.weights[p.0]), "a row in parts");
        for (j, got) in tree.class_weights(id).iter().enumerate() {
            let own = at[id].iter().filter(|p| rows.y[p.0] == j as f64);
            prop_assert_eq!(*got, own.map(|p| p.1).sum::<f64>());
        }
        let large = |split: &Condition| {
            let (branches, _) = send(rows, &at[id], split);
            branches.iter().filter(|branch| branch.len() as f64 >= spec.min_leaf.max(1.0)).count() >= 2
        };
        let splits = splits_with_sides(rows, &at[id], multiway);
        let possible = splits.iter().filter(|split| large(split));
        let best = possible.map(|split| gain(rows, &at[id], split, impurity).0).fold(0.0, f64::max);
        match &node.condition {
            Some(condition) => {
                let lacks = |p: &&(usize, f64)| rows.cells[p.0][condition.attribute()] == Cell::Missing;
                prop_assert_eq!(condition.missing().is_some(), at[id].iter().find(lacks).is_some());
                let (got, _) = gain(rows, &at[id], condition, impurity);
                prop_assert!((got - node.gain).abs() < 1e-9, "{} counted, {got} by definition", node.gain);
                prop_assert!(large(condition));
                prop_assert!(got >= best - 1e-9, "node {id}: {got} found, {best} possible by {condition:?}");
            }
            None => {
                prop_assert!(at[id].len() < 2 || best < 1e-9, "node {id} is a leaf, but {best} is possible")
            }
        }
    }
    Ok(())
}

fn shapes() -> impl Strategy<Value = Shape> {
    let missing = prop_oneof![Just(0.0), Just(0.15), Just(0.6)];
    (2usize..80, 2usize..6, missing, any::<bool>(), 2u32..7).prop_map(
        |(rows, classes, missing, weights, nominal_values)| Shape {
            rows,
            classes,
            missing,
            weights,
            nominal_values,
        },
    )
}

fn branch(spec: GrowSpec) -> GrowSpec {
    GrowSpec { missing: MissingGain::Branch, ..spec }
}

/// Among subsets in an order the best one is exact only without a least size.
fn floor(min_leaf: u32, exact: bool) -> f64 {
    if exact { f64::from(min_leaf) } else { 0.0 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn class_trees_take_the_best_split_and_side_everywhere(shape in shapes(), seed in any::<u64>(), gini in any::<bool>(),
        multiway in any::<bool>(), min_leaf in 1u32..4)
    {
        let table = random_table(shape, seed);
        let (criterion, impurity) =
            if gini { (Criterion::Gini, Impurity::Gini) } else { (Criterion::Entropy, Impurity::Entropy) };
        let spec = branch(GrowSpec {
            criterion,
            nominal: if multiway { NominalSplits::Multiway } else { NominalSplits::Subset },
            exhaustive: 8,
            min_leaf: floor(min_leaf, multiway || shape.classes > 2),
            ..GrowSpec::cart(Task::Classification)
        });
        check(&plain(&table), &grow(&coded(&table), &spec, &Silent).unwrap(), &spec, impurity)?;
    }

    #[test]
    fn number_trees_take_the_best_split_and_side_everywhere(shape in shapes(), seed in any::<u64>(),
        multiway in any::<bool>(), min_leaf in 1u32..4)
    {
        let table = random_table(Shape { classes: 0, ..shape }, seed);
        let spec = branch(GrowSpec {
            nominal: if multiway { NominalSplits::Multiway } else { NominalSplits::Subset },
            min_leaf: floor(min_leaf, multiway),
            ..GrowSpec::cart(Task::Regression)
        });
        check(&plain(&table), &grow(&coded(&table), &spec, &Silent).unwrap(), &spec, Impurity::Mse)?;
    }

    #[test]
    fn median_trees_take_the_best_split_and_side_everywhere(shape in shapes(), seed in any::<u64>(), min_leaf in 1u32..4) {
        let table = random_table(Shape { classes: 0, rows: shape.rows.min(16), ..shape }, seed);
        let spec = branch(GrowSpec {
            criterion: Criterion::Mae,
            leaf: LeafValue::Median,
            nominal: NominalSplits::Multiway,
            min_leaf: f64::from(min_leaf),
            ..GrowSpec::cart(Task::Regression)
        });
        check(&plain(&table), &grow(&coded(&table), &spec, &Silent).unwrap(), &spec, Impurity::Mae)?;
    }

    /// By the gain ratio of whole splits: one branch for each value, and cuts that compete with all others.
    #[test]
    fn ratios_count_the_branch_of_missing_values(shape in shapes(), seed in any::<u64>()) {
        let table = random_table(shape, seed);
        let rows = plain(&table);
        let spec = branch(GrowSpec {
            criterion: Criterion::GainRatio,
            discretise: Discretise::Median,
            max_depth: Some(1),
            ..GrowSpec::id3(Task::Classification)
        });
        let tree = grow(&coded(&table), &spec, &Silent).unwrap();
        let part = &rows_at_nodes(&rows, &tree)[0];
        let Some(taken) = &tree.node(0).condition else { return Ok(()) };
        let ratio = |split: &Condition| {
            let (gain, weights) = gain(&rows, part, split, Impurity::Entropy);
            let all: f64 = weights.iter().sum();
            let shares = weights.iter().map(|w| w / all).filter(|p| *p > 0.0);
            let information = -shares.map(|p| p * p.log2()).sum::<f64>();
            if gain < 1e-9 { 0.0 } else { gain / information }
        };
        // Of numbers the medians alone are cuts.
        let mut splits = splits_with_sides(&rows, part, true);
        splits.retain(|split| !matches!(split, Condition::Threshold { .. }));
        let best = splits.iter().map(ratio).fold(0.0, f64::max);
        prop_assert!(ratio(taken) >= best - 1e-9, "{taken:?} {} {best}", ratio(taken));
    }

    /// On one thread or several, step by step, and from the counts of parts.
    #[test]
    fn all_engines_grow_the_same_tree(shape in shapes(), seed in any::<u64>(), numbers in any::<bool>(), order in 0usize..4,
        rule in 0usize..3, parts in 1usize..4)
    {
        let shape = Shape { classes: if numbers { 0 } else { shape.classes }, ..shape };
        let coded = coded(&random_table(shape, seed));
        let orders = [Order::DepthFirst, Order::BreadthFirst, Order::BestFirst, Order::BestFirstWeighted];
        let learner = if rule == 2 { GrowSpec::c45(coded.task()) } else { GrowSpec::cart(coded.task()) };
        let spec = branch(GrowSpec {
            order: orders[order],
            min_leaf_rule: if rule == 1 { MinLeafRule::Node } else { MinLeafRule::Point },
            min_leaf: 2.0,
            bins: (seed % 2 == 0).then_some(8),
            ..learner
        });
        let whole = grow(&coded, &spec, &Silent).unwrap();
        let stepwise = grow(&coded, &GrowSpec { max_splits: Some(usize::MAX), ..spec.clone() }, &Silent).unwrap();
        prop_assert_eq!(&whole, &stepwise);
        if spec.bins.is_some() {
            return Ok(());
        }
        let cut = |i: usize| shape.rows * i / parts;
        let counters = (0..parts).map(|i| RowCounter::new(&coded, cut(i)..cut(i + 1))).collect();
        let mut grower = Grower::new(Counting::new(Counters(counters), &coded, &spec).unwrap(), &spec).unwrap();
        while grower.expand().unwrap() {}
        let counted = grower.finish(&coded);
        if !numbers {
            // No row is in parts, so all sums are of whole numbers.
            prop_assert_eq!(&whole, &counted);
        }
        prop_assert_eq!(whole.nodes().len(), counted.nodes().len());
        for (a, b) in whole.nodes().iter().zip(counted.nodes()) {
            prop_assert_eq!(&a.condition, &b.condition);
            prop_assert!((a.weight - b.weight).abs() < 1e-9 && (a.gain - b.gain).abs() < 1e-9);
        }
    }

    /// Without missing values the option changes nothing.
    #[test]
    fn without_missing_values_nothing_changes(shape in shapes(), seed in any::<u64>(), learner in 0usize..3) {
        let coded = coded(&random_table(Shape { missing: 0.0, ..shape }, seed));
        let task = Task::Classification;
        let spec = [GrowSpec::cart(task), GrowSpec::c45(task), GrowSpec::id3(task)][learner].clone();
        let known = grow(&coded, &spec, &Silent).unwrap();
        prop_assert_eq!(known, grow(&coded, &branch(spec), &Silent).unwrap());
    }

    /// What was counted at a leaf is what prediction brings there.
    #[test]
    fn training_rows_reach_the_leaves_that_counted_them(shape in shapes(), seed in any::<u64>(), multiway in any::<bool>()) {
        let table = random_table(Shape { weights: false, ..shape }, seed);
        let spec = if multiway { GrowSpec::c45(Task::Classification) } else { GrowSpec::cart(Task::Classification) };
        let tree = grow(&coded(&table), &branch(spec), &Silent).unwrap();
        let predictor = Predictor::bind(&tree, &table).unwrap();
        let mut arrived = vec![0; tree.nodes().len()];
        for row in 0..table.rows() {
            let ends = predictor.leaf_weights(row);
            prop_assert_eq!(ends.len(), 1);
            prop_assert_eq!(ends[0].1, 1.0);
            arrived[ends[0].0] += 1;
        }
        for (id, node) in tree.nodes().iter().enumerate().filter(|(id, _)| tree.is_leaf(*id)) {
            prop_assert_eq!(arrived[id], node.rows);
        }
    }
}

/// So many rows and so few values that nodes are counted, flags that are rare, and lists: all answer alike.
#[test]
fn large_nodes_are_counted_as_small_ones_are() {
    let mut rng = rng(5);
    let rows = 40_000;
    let mut column = |values: u32, missing: f64, usual: f64| -> Vec<f64> {
        let mut cell = || {
            if rng.random::<f64>() < missing {
                f64::NAN
            } else if rng.random::<f64>() < usual {
                0.0
            } else {
                f64::from(rng.random_range(0..values))
            }
        };
        (0..rows).map(|_| cell()).collect()
    };
    let mut columns: Vec<Vec<f64>> = vec![column(6, 0.2, 0.0), column(30_000, 0.1, 0.0)];
    columns.extend((0..4).map(|_| column(2, 0.02, 0.95)));
    let classes: Vec<u32> = (0..rows)
        .map(|i| {
            let signal = columns[0][i].is_nan() || columns[1][i] > 20_000.0 || columns[2][i].is_nan();
            u32::from(signal != (i % 11 == 0)) + u32::from(i % 7 == 0 && columns[3][i] == 1.0)
        })
        .collect();
    let mut table: Vec<Column> = columns
        .into_iter()
        .enumerate()
        .map(|(i, numbers)| Column { name: format!("x{i}"), values: Values::Numeric(numbers) })
        .collect();
    let levels = ["a", "b", "c"].map(String::from).to_vec();
    table.push(Column { name: "y".into(), values: Values::Nominal(Nominal { levels, codes: classes }) });
    let coded = coded(&Table::new("large", table).unwrap());
    for criterion in [Criterion::Gini, Criterion::Entropy] {
        let spec = branch(GrowSpec { criterion, max_depth: Some(7), ..GrowSpec::cart(Task::Classification) });
        let whole = grow(&coded, &spec, &Silent).unwrap();
        assert!(whole.leaves() > 20);
        let engine = Counting::new(RowCounter::new(&coded, 0..rows), &coded, &spec).unwrap();
        let mut grower = Grower::new(engine, &spec).unwrap();
        while grower.expand().unwrap() {}
        assert_eq!(whole, grower.finish(&coded));
        assert_eq!(whole, grow(&coded, &GrowSpec { max_splits: Some(usize::MAX), ..spec }, &Silent).unwrap());
    }
}

/// A column of whose values only one thing matters: whether there is one.
#[test]
fn where_missingness_is_the_signal_it_is_found() {
    let mut rng = rng(3);
    let rows = 400;
    let codes: Vec<u32> = (0..rows).map(|_| rng.random_range(0..2)).collect();
    let x = codes.iter().map(|&c| if c == 1 { f64::NAN } else { rng.random::<f64>() }).collect();
    let y = Nominal { levels: vec!["no".into(), "yes".into()], codes: codes.clone() };
    let columns = [("x", Values::Numeric(x)), ("y", Values::Nominal(y))];
    let columns = columns.map(|(name, values)| Column { name: name.into(), values });
    let table = Table::new("signal", columns.into()).unwrap();
    let spec = GrowSpec::cart(Task::Classification);
    assert_eq!(grow(&coded(&table), &spec, &Silent).unwrap().leaves(), 1);
    let tree = grow(&coded(&table), &branch(spec), &Silent).unwrap();
    assert_eq!(tree.node(0).condition, Some(Condition::Known { attribute: 0 }));
    assert_eq!(Predictor::bind(&tree, &table).unwrap().predict().labels, codes);
}
