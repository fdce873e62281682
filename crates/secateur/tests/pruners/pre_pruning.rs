//! Best-first pre-pruning: the curve of post-pruning, as far as it is grown.

use secateur::fit::FitOptions;
use secateur::progress::Silent;
use secateur::prune::pre::stop_early;
use secateur::route::Loss;
use secateur::schema::Task;
use secateur::select::{FoldPaths, Probes, Question};
use secateur::spec::GrowSpec;
use secateur::training::{Average, TreeCache};
use secateur::tree::LeafValues;

use super::support::*;
use crate::common::*;

#[test]
fn pre_pruning_sees_the_curve_of_post_pruning() {
    let random = |shape, seed| coded(&random_table(shape, seed));
    let tables = [
        load("iris"),
        load("credit"),
        load("g6c15?n=214&seed=2"),
        random(Shape { classes: 5, missing: 0.1, rows: 214, weights: true, ..SMALL }, 91),
    ];
    let scheme = scheme("best-first/post");
    let pruner = pruner_of(&scheme);
    let own = scheme.pruner.as_ref().unwrap().options(Task::Classification);
    for (i, table) in tables.iter().enumerate() {
        let spec = GrowSpec::best_first(Task::Classification);
        let costs = (i == 3).then(|| costs(5, 1.0));
        for (loss, average, costs) in [
            (Loss::Risk, Average::Folds, None),
            (Loss::Risk, Average::ActiveFolds, None),
            (Loss::Probabilities, Average::Folds, None),
            (Loss::Risk, Average::Folds, costs.as_ref()),
        ] {
            let options = FitOptions { seed: 1 + i as u64, costs: costs.cloned(), ..FitOptions::default() };
            let tree_cache = &TreeCache::new(table, &options).unwrap();
            let question = Question { tree_cache, spec: &spec, pruner, options: &own, folds: 10 };
            let post = FoldPaths::of(&question, Probes::Splits { at_least: 0 }, &Silent).unwrap();
            let losses = post.losses(&[LeafValues::Raw], &[loss]).unwrap();
            let (errors, se) = average.of(tree_cache, loss, &post.parameters, &losses[0]);
            let parameters = &post.parameters;
            for one_se in [false, true] {
                let rule = (loss, average, one_se);
                let pre = stop_early(tree_cache, &spec, 10, rule, &Silent).unwrap();
                let seen = pre.curve.errors().len();
                assert!(pre.splits < seen && seen <= parameters.len(), "table {i}");
                for n in 0..seen {
                    let at = parameters.iter().position(|p| *p == n as f64).unwrap();
                    let (a, b) = (pre.curve.errors()[n], errors[at]);
                    assert!((a - b).abs() < 1e-12, "table {i}, {loss:?} {average:?}, {n} splits: {a} {b}");
                    let (a, b) = (pre.curve.se()[n], se[at]);
                    assert!((a - b).abs() < 1e-12, "table {i}, {loss:?} {average:?}, {n} splits: se {a} {b}");
                }
                // The rule, on the curve as it was seen.
                let errors = pre.curve.errors();
                if !one_se {
                    let rise = errors.windows(2).position(|p| p[1] > p[0] + 1e-12);
                    assert_eq!(rise.unwrap_or(seen - 1), pre.splits, "table {i}");
                    assert!(
                        rise.is_none_or(|r| r + 2 == seen),
                        "table {i}: nothing is grown beyond the rise"
                    );
                }
            }
        }
    }
}

#[test]
fn pre_pruning_stops_at_a_rise_and_not_at_the_last_digit() {
    // With parts of rows the same error is summed up in several ways.
    let scheme = scheme("best-first/post");
    let pruner = pruner_of(&scheme);
    let own = scheme.pruner.as_ref().unwrap().options(Task::Classification);
    let (loss, average, spec) = (Loss::Risk, Average::Folds, GrowSpec::best_first(Task::Classification));
    for seed in 0..400 {
        let shape = Shape { missing: 0.3, weights: true, rows: 40, ..SMALL };
        let table = &coded(&reweighted(&random_table(shape, 400 + seed), |w| 0.3 * w + 0.7));
        let options = FitOptions { seed, ..FitOptions::default() };
        let tree_cache = &TreeCache::new(table, &options).unwrap();
        let question = Question { tree_cache, spec: &spec, pruner, options: &own, folds: 2 };
        let post = FoldPaths::of(&question, Probes::Splits { at_least: 0 }, &Silent).unwrap();
        let losses = post.losses(&[LeafValues::Raw], &[loss]).unwrap();
        let (errors, _) = average.of(tree_cache, loss, &post.parameters, &losses[0]);
        let errors: Vec<f64> = errors.into_iter().rev().collect();
        let rise = errors.windows(2).position(|p| p[1] > p[0] + 1e-12).unwrap_or(errors.len() - 1);
        let pre = stop_early(tree_cache, &spec, 2, (loss, average, false), &Silent).unwrap();
        assert_eq!(pre.splits, rise, "seed {seed}: {:?} {:?}", pre.curve.errors(), &errors[..rise + 2]);
    }
}

#[test]
fn pre_pruning_stops_early() {
    for name in ["iris", "credit", "g6c15?n=214&seed=2", "waveform-21?n=200"] {
        let table = load(name);
        for options in ["", ":1se", ":error=rmse"] {
            let pre = fitted(&table, &format!("best-first/pre{options}"), &FitOptions::default()).tree;
            let full = fitted(&table, "best-first", &FitOptions::default()).tree;
            assert!(pre.leaves() <= full.leaves(), "{name}");
            // It is the beginning of the full tree.
            let splits = pre.nodes().iter().filter(|n| n.condition.is_some()).count();
            let begun = fitted(&table, &format!("best-first/post:splits={splits}"), &FitOptions::default());
            assert_same_splits(&pre, &begun.tree, name);
        }
    }
}
