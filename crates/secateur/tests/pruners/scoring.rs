//! Every member of a path is scored from one routing of the rows, as its predictions would be.

use secateur::fit::{FitOptions, path_of};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::route::{Loss, Routed};
use secateur::training::{Folds, held_out};
use secateur::tree::{NodeId, Tree};

use super::paths::{PathCase, each_path};
use super::support::*;
use crate::common::*;

/// The cost of a row of a class, or of a number, at a node.
fn loss_at(tree: &Tree, node: NodeId, y: f64) -> f64 {
    if !tree.is_classifier() {
        return (tree.value(node) - y).powi(2);
    }
    match tree.costs() {
        Some(costs) => costs.cost(y as usize, tree.label(node)),
        None => f64::from(u8::from(tree.label(node) != y as usize)),
    }
}

#[test]
fn one_routing_scores_every_member() {
    each_path(0, |PathCase { scheme: text, job, path, .. }| {
        let tree = job.tree;
        // New rows: other values, other gaps.
        let classes = tree.schema().target.classes().len();
        let new = random_table(Shape { classes, missing: 0.2, weights: true, rows: 80, ..SMALL }, 99);
        let (rows, coded) = (plain(&new), coded(&new));
        // Numbers have codes of their own in every table, but conditions compare values.
        let routed = Routed::apart(tree, &coded, None).unwrap();
        let (sums, _) = path.losses(&routed, tree, &coded, path.parameters(), Loss::Risk);
        let in_parts = Routed::new(tree, &coded, None).unwrap();
        let (parts, _) = path.losses(&in_parts, tree, &coded, path.parameters(), Loss::Risk);
        for (i, &parameter) in path.parameters().iter().enumerate() {
            let member = tree.cut(&path.cut(parameter));
            let predictor = Predictor::bind(&member, &new).unwrap();
            let predictions = predictor.predict();
            let (mut by_rows, mut by_parts) = (0.0, 0.0);
            for row in 0..new.rows() {
                by_rows += rows.weights[row] * loss_of(&member, &predictions, row, rows.y[row]);
                for (leaf, share) in predictor.leaf_weights(row) {
                    by_parts += rows.weights[row] * share * loss_at(&member, leaf, rows.y[row]);
                }
            }
            for (sum, want) in [(sums[i], by_rows), (parts[i], by_parts)] {
                assert!((sum - want).abs() < 1e-9 * want.max(1.0), "{text}: member {i} has {sum} and {want}");
            }
        }
    });
}

#[test]
fn a_held_out_part_gives_error_and_standard_error() {
    // The estimate of the chosen member, from its predictions for the rows held out, one by one.
    for (classes, setting, seed) in [
        (3, "cost-complexity:holdout=0.3,1se", 101),
        (3, "post:holdout=0.3,error=rmse,1se", 102),
        (2, "k-norm:holdout=0.4", 103),
        (0, "cost-complexity:holdout=0.3,1se", 104),
        (0, "early-stop:holdout=0.3", 105),
        (0, "breadth-first:holdout=0.3,se=0.5", 106),
    ] {
        let table = random_table(Shape { classes, missing: 0.1, weights: true, rows: 200, ..SMALL }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let text = format!("cart/{setting}");
        for options in [None, (classes > 0).then(|| costs(classes, 1.0))] {
            let options = FitOptions { costs: options, ..FitOptions::default() };
            let fitted = fitted(&coded, &text, &options);
            let tree = &fitted.tree;
            let (_, held) = held_out(&coded, None, if text.contains("0.4") { 0.4 } else { 0.3 }, 1).unwrap();
            let predictions = Predictor::bind(tree, &table).unwrap().predict();
            let (mut sum, mut squares, mut weight) = (0.0, 0.0, 0.0);
            for row in (0..table.rows()).filter(|&row| held[row] > 0.0) {
                weight += held[row];
                let loss = if text.contains("rmse") {
                    let p = &predictions.probabilities[row * classes..][..classes];
                    let off = |j: usize| f64::from(u8::from(rows.y[row] == j as f64)) - p[j];
                    (0..classes).map(|j| off(j).powi(2)).sum::<f64>() / classes as f64
                } else {
                    loss_of(tree, &predictions, row, rows.y[row])
                };
                sum += held[row] * loss;
                squares += held[row] * loss * loss;
            }
            let (mut error, mut square) = (sum / weight, squares / weight);
            if text.contains("rmse") {
                (error, square) = (error.sqrt(), error.sqrt());
            }
            // Standard errors count rows of average weight.
            let mean = (0..coded.rows()).map(|row| coded.weight(row)).sum::<f64>() / coded.rows() as f64;
            let se = ((square - error * error) / (weight / mean)).sqrt();
            let estimate = fitted.estimate.unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.max(1.0);
            if text.contains("rmse") {
                // The estimate is of errors; what was counted stands on the path.
                let path = fitted.path.unwrap();
                let (counted, counted_se) = path.steps[path.selected.unwrap()].counted.unwrap();
                assert!(near(counted, error) && near(counted_se, se), "{text}: {counted} {error}");
                continue;
            }
            assert!(near(estimate.apparent(), error), "{text}: {estimate:?} {error}");
            // Of a corrected error the standard error is that of the rows as the others judge them.
            if estimate.bias_correction.is_none_or(|correction| correction == 0.0) {
                assert!(near(estimate.se, se), "{text}: {estimate:?} {se}");
            }
            assert!(se > 0.0 && estimate.se > 0.0);
        }
    }
}

#[test]
fn the_cross_validated_cost_of_the_root_by_hand() {
    for (classes, seed) in [(2, 81), (3, 82), (5, 83)] {
        let table = random_table(Shape { classes, rows: 157, weights: true, ..SMALL }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let costs = costs(classes, 1.0);
        let options = FitOptions { seed, ..with_costs(costs.clone()) };
        let path = path_of(&coded, &scheme("cart/cost-complexity"), Some(10), &options, &Silent).unwrap();
        let folds = Folds::stratified(&coded, None, 10, seed).unwrap();
        let (mut cost, mut square, mut all) = (0.0, 0.0, 0.0);
        for fold in 0..10 {
            let (train, held) = folds.weights(&coded, None, fold);
            let mut counts = vec![0.0; classes];
            (0..table.rows()).for_each(|row| counts[rows.y[row] as usize] += train[row]);
            let risk = |label: usize| (0..classes).map(|j| counts[j] * costs.cost(j, label)).sum::<f64>();
            let label = (0..classes).rev().min_by(|&a, &b| risk(a).total_cmp(&risk(b)).then(b.cmp(&a)));
            #[allow(clippy::needless_range_loop, reason = "three lists are read by row")]
            for row in 0..table.rows() {
                let one = costs.cost(rows.y[row] as usize, label.unwrap());
                cost += held[row] * one;
                square += held[row] * one * one;
                all += held[row];
            }
        }
        assert!((all - rows.weights.iter().sum::<f64>()).abs() < 1e-9);
        let mean = cost / all;
        // Weights are not rows.
        let used = rows.weights.iter().filter(|weight| **weight > 0.0).count();
        let se = ((square / all - mean * mean) / used as f64).sqrt();
        let root = path.steps.last().unwrap();
        assert_eq!(root.leaves, 1);
        let (error, error_se) = root.validated.unwrap();
        assert!((error - mean).abs() < 1e-12, "{error} {mean}");
        assert!((error_se - se).abs() < 1e-12, "{error_se} {se}");
    }
}
