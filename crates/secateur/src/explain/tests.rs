use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::data::{Column, MISSING, Table, Values};
use crate::predict::Predictor;
use crate::schema::{CostEntry, Costs};
use crate::tree::Condition;
use crate::tree::testing::{iris, random, random_table, weather};

/// The cell of a table whose columns are the tree's attributes.
fn cell_of(table: &Table, row: usize, attribute: usize) -> Cell {
    match &table.columns()[attribute].values {
        Values::Numeric(x) if x[row].is_nan() => Cell::Missing,
        Values::Numeric(x) => Cell::Number(x[row]),
        Values::Nominal(n) if n.codes[row] == MISSING => Cell::Missing,
        Values::Nominal(n) => Cell::Code(n.codes[row]),
    }
}

/// What prediction says to one row with some cells changed: a class, or a number.
fn predicted(tree: &Tree, table: &Table, row: usize, changes: &[(usize, Cell)]) -> f64 {
    let columns: Vec<Column> = table
        .columns()
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let change = changes.iter().find(|(attribute, _)| *attribute == place).map(|(_, to)| *to);
            let cell = change.unwrap_or_else(|| match place < tree.schema().attributes.len() {
                true => cell_of(table, row, place),
                false => Cell::Missing,
            });
            let mut column = column.clone();
            match &mut column.values {
                Values::Numeric(x) => *x = vec![if let Cell::Number(to) = cell { to } else { f64::NAN }],
                Values::Nominal(n) => n.codes = vec![if let Cell::Code(to) = cell { to } else { MISSING }],
            }
            column
        })
        .collect();
    let one = Table::new("one", columns).unwrap();
    let said = Predictor::bind(tree, &one).unwrap().predict();
    said.labels.first().map_or_else(|| said.values[0], |&label| f64::from(label))
}

fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-9 * a.abs().max(b.abs())
}

/// Every value of an attribute that might matter: all of a list, and numbers at and around all thresholds, or any where it only matters whether
/// there is one.
fn candidates(tree: &Tree, attribute: usize) -> Vec<Cell> {
    let values = tree.schema().attributes[attribute].values();
    if !values.is_empty() {
        return (0..values.len() as u32).map(Cell::Code).collect();
    }
    let mut list = vec![0.0];
    for node in tree.nodes() {
        if let Some(Condition::Threshold { attribute: own, below, .. }) = node.condition
            && own as usize == attribute
        {
            list.extend([below.next_down(), below, below - 0.1, below + 0.1, below.next_up()]);
        }
    }
    list.into_iter().map(Cell::Number).collect()
}

fn distance(ranges: &Ranges, attribute: usize, from: Cell, to: Cell) -> f64 {
    match (from, to) {
        (Cell::Number(a), Cell::Number(b)) => ranges.distance(attribute, a, b),
        _ => f64::from(u8::from(from != to)),
    }
}

proptest! {
    #[test]
    fn the_answer_changes_and_no_smaller_change_of_one_attribute_does_it(
        seed: u64, splits in 0usize..25, shape in 0usize..3, costly: bool, missing in prop_oneof![Just(0.0), Just(0.3)],
    ) {
        let mut tree = random(seed, splits, shape);
        let classes = tree.schema().target.classes().to_vec();
        if costly && classes.len() > 1 {
            let entry = CostEntry { actual: classes[0].clone(), predicted: classes[1].clone(), cost: 5.0 };
            tree = tree.with_costs(Some(Arc::new(Costs::new(&classes, &[entry]).unwrap()))).unwrap();
        }
        let table = random_table(&tree, 6, seed ^ 7, missing);
        let ranges = Ranges::of(&tree, &table);
        for row in 0..table.rows() {
            let cell = |attribute: usize| cell_of(&table, row, attribute);
            let now = predicted(&tree, &table, row, &[]);
            // By brute force: the nearest change of one attribute.
            let mut least = f64::INFINITY;
            for attribute in 0..tree.schema().attributes.len() {
                for to in candidates(&tree, attribute) {
                    if differ(predicted(&tree, &table, row, &[(attribute, to)]), now) {
                        least = least.min(distance(&ranges, attribute, cell(attribute), to));
                    }
                }
            }
            let Some(near) = nearest_change(&tree, cell, &ranges) else {
                prop_assert_eq!(least, f64::INFINITY);
                continue;
            };
            let changes: Vec<(usize, Cell)> = near.changes.iter().map(|c| (c.attribute, c.to)).collect();
            let then = predicted(&tree, &table, row, &changes);
            prop_assert!(differ(then, now), "{:?}", near);
            for change in &near.changes {
                prop_assert!(change.test.passes(change.to), "{:?}", change);
            }
            if least.is_finite() {
                prop_assert_eq!(near.changes.len(), 1);
                prop_assert!((near.distance - least).abs() < 1e-9, "{} is not {least}", near.distance);
                // Wherever the test passes, the answer is the new one.
                let Change { attribute, test, .. } = &near.changes[0];
                for to in candidates(&tree, *attribute).into_iter().filter(|to| test.passes(*to)) {
                    prop_assert!(!differ(predicted(&tree, &table, row, &[(*attribute, to)]), then));
                }
            } else {
                prop_assert!(near.changes.len() > 1);
            }
        }
    }
}

#[test]
fn where_no_single_attribute_will_do_several_change() {
    // Overcast days are "yes" whatever else: only the outlook can change that, together with humidity or wind.
    let tree = weather();
    let cells = [Cell::Code(1), Cell::Number(70.0), Cell::Number(70.0), Cell::Code(0)];
    let table = random_table(&tree, 1, 3, 0.0);
    let near = nearest_change(&tree, |a| cells[a], &Ranges::of(&tree, &table)).unwrap();
    assert_eq!(near.changes[0].attribute, 0);
    assert_eq!(tree.decide(&near.numbers), 1);
}

#[test]
fn a_tree_of_one_node_has_no_other_answer() {
    let tree = iris().cut(&[true]);
    let table = random_table(&tree, 1, 3, 0.0);
    assert_eq!(nearest_change(&tree, |_| Cell::Missing, &Ranges::of(&tree, &table)), None);
}
