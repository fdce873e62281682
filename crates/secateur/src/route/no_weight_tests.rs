//! One law for all who send rows down a tree: where a row has no known value and no branch has weight, the node itself answers.
//!
//! Trees that are grown or read from a file have weight below every split; here it is taken away.

use proptest::prelude::*;

use super::{Loss, Routed};
use crate::data::{CodedTable, CodedTarget, Column, Roles, Table, Values};
use crate::evaluate::measures::measure;
use crate::predict::{Predictions, Predictor};
use crate::prune::error_based::{self, Limit};
use crate::prune::rows_bottom_up::rows_bottom_up;
use crate::prune::{Path, order};
use crate::schema::Cell;
use crate::tree::testing::{Dice, random, with_target};
use crate::tree::{NodeId, Stats, Tree};

/// The same tree without weight below some of its splits.
fn without_weight(tree: &Tree, dice: &mut Dice) -> Tree {
    let (mut nodes, mut stats) = (tree.nodes().to_vec(), tree.stats().clone());
    let mut bare = vec![false; nodes.len()];
    let mut chosen = Vec::new();
    for id in 0..nodes.len() {
        bare[id] = nodes[id].parent.is_some_and(|p| bare[p as usize] || chosen.contains(&(p as usize)));
        if !bare[id] && !tree.is_leaf(id) && dice.below(3) == 0 {
            chosen.push(id);
        }
        if bare[id] {
            (nodes[id].weight, nodes[id].rows) = (0.0, 0);
            match &mut stats {
                Stats::Classes { classes, weights } => weights[id * *classes..][..*classes].fill(0.0),
                Stats::Numbers { mean, mse, .. } => (mean[id], mse[id]) = (0.0, 0.0),
            }
        }
    }
    tree.like(nodes, stats)
}

/// What a tree says to a row, by the law.
fn answer(tree: &Tree, id: NodeId, cell: &impl Fn(usize) -> Cell, at: &mut Vec<NodeId>) -> Vec<f64> {
    let said = || match tree.stats() {
        Stats::Numbers { .. } => vec![tree.value(id)],
        Stats::Classes { .. } => {
            let weights = tree.class_weights(tree.speaker(id));
            weights.iter().map(|w| w / weights.iter().sum::<f64>()).collect()
        }
    };
    let Some(condition) = &tree.node(id).condition else {
        at.push(id);
        return said();
    };
    let children = tree.children(id);
    if let Some(branch) = condition.route(cell(condition.attribute())) {
        return answer(tree, children.start + branch, cell, at);
    }
    let all: f64 = children.clone().map(|c| tree.node(c).weight).sum();
    if all == 0.0 {
        at.push(id);
        return said();
    }
    let mut sum = vec![0.0; said().len()];
    for c in children.filter(|&c| tree.node(c).weight > 0.0) {
        let below = answer(tree, c, cell, at);
        sum.iter_mut().zip(below).for_each(|(s, p)| *s += tree.node(c).weight / all * p);
    }
    sum
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn said(tree: &Tree, predictions: &Predictions, row: usize) -> Vec<f64> {
    match tree.stats() {
        Stats::Classes { classes, .. } => predictions.probabilities[row * classes..][..*classes].to_vec(),
        Stats::Numbers { .. } => vec![predictions.values[row]],
    }
}

/// The squared loss of an answer to a row.
fn loss(table: &CodedTable, row: usize, answer: &[f64]) -> f64 {
    match table.target() {
        CodedTarget::Numbers { values, unit } => (values[row] / unit - answer[0]).powi(2),
        CodedTarget::Classes { codes, .. } => {
            let off = |(j, p): (usize, &f64)| (f64::from(j == codes[row] as usize) - p).powi(2);
            answer.iter().enumerate().map(off).sum()
        }
    }
}

/// The losses of all rows by the predictions of a tree.
fn predicted_loss(tree: &Tree, table: &Table, coded: &CodedTable) -> f64 {
    let predictions = Predictor::bind(tree, table).unwrap().predict();
    (0..table.rows()).map(|row| loss(coded, row, &said(tree, &predictions, row))).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn the_node_itself_answers_where_no_branch_has_weight(
        seed in any::<u64>(), splits in 1usize..25, shape in 0usize..3, many in any::<bool>(),
    ) {
        let tree = without_weight(&random(seed, splits, shape), &mut Dice(seed ^ 9));
        // Enough rows to be run in a batch, or too few.
        let rows = if many { 256 } else { 40 };
        let (table, coded) = with_target(&tree, rows, seed, 0.4);
        let predictor = Predictor::bind(&tree, &table).unwrap();
        let predictions = predictor.predict();
        for row in 0..rows {
            let mut at = Vec::new();
            let expected = answer(&tree, 0, &|a| coded.cell(row, a), &mut at);
            prop_assert!(said(&tree, &predictions, row).iter().zip(&expected).all(|(a, b)| close(*a, *b)));
            let leaves = predictor.leaf_weights(row);
            prop_assert!(leaves.iter().map(|l| l.0).eq(at));
            prop_assert!(close(leaves.iter().map(|l| l.1).sum(), 1.0));
            let has_weight = |id| tree.children(id).any(|c| tree.node(c).weight > 0.0);
            prop_assert!(!leaves.iter().any(|l| has_weight(l.0)));
        }
        let all = predicted_loss(&tree, &table, &coded);
        let measured = measure(&tree, &coded, &vec![1.0; rows]).unwrap();
        let id = if tree.is_classifier() { "brier" } else { "mse" };
        prop_assert!(close(measured.get(id).unwrap(), all / rows as f64));
        // Of every pruned tree, too; and no row is lost.
        let path = Path::splits(&tree, &order::expansion(&tree));
        let kind = if tree.is_classifier() { Loss::Probabilities } else { Loss::Risk };
        let apart = Routed::apart(&tree, &coded, None).unwrap();
        let (losses, _) = path.losses(&apart, &tree, &coded, path.parameters(), kind);
        for (&parameter, loss) in path.parameters().iter().zip(&losses) {
            let expected = predicted_loss(&tree.cut(&path.cut(parameter)), &table, &coded);
            prop_assert!(close(*loss, expected), "{} {}", loss, expected);
        }
        for routed in [&apart, &Routed::new(&tree, &coded, None).unwrap()] {
            let weights: Vec<f64> = (0..tree.nodes().len()).map(|id| routed.weight(id)).collect();
            let apart: f64 = routed.rows_apart().iter().map(|row| row.weight).sum();
            for weight in path.sums_at(&tree, path.parameters(), &weights) {
                prop_assert!(close(weight + apart, rows as f64), "{} {}", weight, apart);
            }
        }
        // Looked at from the bottom up, the rows kept apart hear the same.
        rows_bottom_up(&tree, &coded, apart.rows_apart(), |id, choices| {
            if id == 0 {
                let split: Vec<f64> = choices.iter().map(|choice| choice.split.0).collect();
                let own = apart.rows_apart().iter().map(|part| {
                    let row = part.row as usize;
                    match coded.target() {
                        CodedTarget::Classes { codes, .. } => f64::from(predictions.labels[row] != codes[row]),
                        CodedTarget::Numbers { .. } => loss(&coded, row, &said(&tree, &predictions, row)),
                    }
                });
                assert!(split.iter().zip(own).all(|(a, b)| close(*a, b)), "{split:?}");
            }
            false
        });
        if tree.is_classifier() {
            let raised = error_based::raise(&tree, &coded, (None, 1.0), 0.25, Limit::Exact).unwrap();
            let again = Tree::checked(raised.schema().clone(), raised.nodes().to_vec(), raised.stats().clone());
            prop_assert!(again.is_ok(), "{}", again.unwrap_err());
            prop_assert!(close(raised.node(0).weight, rows as f64));
        }
    }
}

#[test]
fn a_split_that_no_row_has_a_value_for_becomes_a_leaf_when_subtrees_are_raised() {
    let (mut leaves, mut splits) = (0, 0);
    for seed in 0..200 {
        let tree = random(seed, 12, 2);
        let (table, _) = with_target(&tree, 60, seed, 0.1);
        let mut columns: Vec<Column> = table.columns().to_vec();
        for column in columns.iter_mut().take(1) {
            match &mut column.values {
                Values::Numeric(numbers) => numbers.fill(f64::NAN),
                Values::Nominal(nominal) => nominal.codes.fill(crate::data::MISSING),
            }
        }
        let coded = CodedTable::new(&Table::new("rows", columns).unwrap(), &Roles::default()).unwrap();
        if !tree.is_classifier() || coded.schema().attributes != tree.schema().attributes {
            continue;
        }
        let raised = error_based::raise(&tree, &coded, (None, 1.0), 1.0, Limit::Exact).unwrap();
        let tests = |tree: &Tree| {
            tree.nodes().iter().filter_map(|n| n.condition.as_ref()).filter(|c| c.attribute() == 0).count()
        };
        Tree::checked(raised.schema().clone(), raised.nodes().to_vec(), raised.stats().clone()).unwrap();
        assert_eq!(tests(&raised), 0);
        assert!(close(raised.node(0).weight, 60.0));
        (leaves, splits) = (leaves + tests(&tree), splits + raised.nodes().len());
    }
    assert!(leaves > 100 && splits > 200, "{leaves} {splits}");
}
