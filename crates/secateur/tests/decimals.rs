//! Gains and thresholds rounded to decimals: rows follow the threshold, and all ways of growing agree.

use crate::common::*;
use secateur::criterion::Criterion;
use secateur::data::{CodedTable, Column, Nominal, Table, Values};
use secateur::grow::{Counting, Grower, RowCounter, grow};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::spec::{GrowSpec, MinLeafRule};
use secateur::tree::{Condition, Tree};

fn two_classes(x: Vec<f64>, codes: Vec<u32>) -> CodedTable {
    let y = Nominal { levels: vec!["a".into(), "b".into()], codes };
    let columns = [("x", Values::Numeric(x)), ("y", Values::Nominal(y))];
    let columns = columns.map(|(name, values)| Column { name: name.into(), values }).into();
    coded(&Table::new("two", columns).unwrap())
}

fn rounded() -> GrowSpec {
    GrowSpec { threshold_decimals: Some(5), ..GrowSpec::best_first(Task::Classification) }
}

fn counted(table: &CodedTable, spec: &GrowSpec) -> Tree {
    let engine = Counting::new(RowCounter::new(table, 0..table.rows()), table, spec).unwrap();
    let mut grower = Grower::new(engine, spec).unwrap();
    while grower.expand().unwrap() {}
    grower.finish(table)
}

#[test]
fn rows_follow_a_rounded_threshold() {
    // The middle 1.515885 is rounded to the even neighbour 1.51588, so rows with that value go right.
    let x = [vec![1.515; 2], vec![1.51588; 3], vec![1.51589; 4]].concat();
    let table = two_classes(x, [vec![0; 5], vec![1; 4]].concat());
    let tree = grow(&table, &rounded(), &Silent).unwrap();
    assert_eq!(
        tree.node(0).condition,
        Some(Condition::Threshold { attribute: 0, below: 1.51588, missing: None })
    );
    let rows: Vec<u64> = tree.nodes().iter().map(|node| node.rows).collect();
    // On the right the same threshold would leave the left side empty: a leaf.
    assert_eq!(rows, [9, 2, 7]);
    assert_eq!(counted(&table, &rounded()), tree);
    let exact = grow(&table, &GrowSpec::best_first(Task::Classification), &Silent).unwrap();
    assert_eq!((exact.leaves(), exact.training_error()), (2, 0.0));
}

#[test]
fn branches_of_a_rounded_threshold_need_their_weight() {
    // Counted, the branches have two and four rows; rounded down, one and five; above both values, none on the right.
    for x in [vec![1.0, 1.51588, 1.51589, 1.51589, 1.6, 1.7], vec![6e-6, 6e-6, 7e-6, 7e-6, 7e-6, 7e-6]] {
        let table = two_classes(x, vec![0, 0, 1, 1, 1, 1]);
        let tree = grow(&table, &rounded(), &Silent).unwrap();
        assert_eq!(tree.leaves(), 1);
        assert_eq!(counted(&table, &rounded()), tree);
    }
}

#[test]
fn with_decimals_all_ways_of_growing_agree() {
    for (classes, seed) in [(2, 1), (3, 2), (5, 3)] {
        let shape = Shape { rows: 700, classes, missing: 0.0, weights: false, nominal_values: 5 };
        let table = coded(&random_table(shape, seed));
        for criterion in [Criterion::Gini, Criterion::Entropy] {
            for min_leaf_rule in [MinLeafRule::Point, MinLeafRule::Node] {
                let spec = GrowSpec {
                    criterion,
                    min_leaf_rule,
                    gain_decimals: Some(7),
                    threshold_decimals: Some(1),
                    ..GrowSpec::best_first(Task::Classification)
                };
                let whole = grow(&table, &spec, &Silent).unwrap();
                let steps = GrowSpec { max_splits: Some(usize::MAX), ..spec.clone() };
                assert!(whole.leaves() > 10);
                assert_eq!(grow(&table, &steps, &Silent).unwrap(), whole);
                assert_eq!(counted(&table, &spec), whole);
            }
        }
    }
}
