//! What a pruned tree is: the grown tree with some nodes made leaves, whose counts are those of its rows.

use secateur::data::{Column, Nominal, Table, Values};
use secateur::fit::{FitOptions, fit};
use secateur::method::Law;
use secateur::progress::Silent;
use secateur::scheme::{LEARNERS, Scheme};
use secateur::tree::Tree;

use super::support::*;
use crate::common::*;
use crate::laws::law_of_pruners;
use crate::laws::sample::{Sample, mixed_samples, samples};
use crate::laws::settings::{all_pruners, never_given};
use crate::laws::trees::counts_its_rows;

fn pruners(sample: &Sample, turn: usize) -> Vec<Scheme> {
    all_pruners(sample.task(), turn, &[])
}

/// Every node of the pruned tree is the node of the full tree at the same place, with the same counts, or a leaf there.
fn is_cut_from(pruned: &Tree, full: &Tree) -> Result<(), String> {
    let mut place = vec![0];
    for (id, node) in pruned.nodes().iter().enumerate() {
        let whole = full.node(place[id]);
        if (node.rows, node.weight) != (whole.rows, whole.weight)
            || pruned.class_weights(id) != full.class_weights(place[id])
        {
            return Err(format!("node {id} has other counts than node {} of the full tree", place[id]));
        }
        if node.condition.is_some() {
            if node.condition != whole.condition {
                return Err(format!("node {id} is split otherwise than node {} of the full tree", place[id]));
            }
            // The children of a node stand together; those of all nodes come in one order in both trees.
            place.resize(pruned.nodes().len(), 0);
            pruned.children(id).zip(full.children(place[id])).for_each(|(own, there)| place[own] = there);
        }
    }
    Ok(())
}

#[test]
fn pruning_only_turns_nodes_into_leaves() {
    law_of_pruners(Law::Subtree, |verdict| {
        for (turn, sample) in mixed_samples(verdict.round).iter().enumerate() {
            let ready = sample.ready();
            let trees = ready.trees();
            for scheme in pruners(sample, turn) {
                if !verdict.wants(&scheme) {
                    continue;
                }
                let Ok(fitted) = trees.fit(&scheme) else { continue };
                let what = format!("{scheme} on {}", sample.name);
                // Holds for every pruner: no more leaves than before, and rows where they are counted.
                assert!(fitted.tree.size().leaves <= fitted.full.leaves, "{what}");
                counts_its_rows(&fitted.tree, &sample.rows()).unwrap_or_else(|how| panic!("{what}: {how}"));
                let full = trees.full(&scheme).unwrap();
                verdict.add(&scheme, sample.name, is_cut_from(&fitted.tree, &full.tree));
                if let Some(estimate) = &fitted.estimate {
                    assert!(estimate.error >= 0.0 && estimate.se >= 0.0, "{what}: {estimate:?}");
                }
                if let Some(path) = &fitted.path {
                    let chosen = &path.steps[path.selected.unwrap()];
                    assert_eq!(chosen.leaves, fitted.tree.leaves(), "{what}");
                    assert_eq!(chosen.nodes, fitted.tree.nodes().len(), "{what}");
                    let error = fitted.tree.training_error();
                    assert!((chosen.training_error - error).abs() < 1e-9, "{what}");
                }
            }
        }
    });
}

#[test]
fn every_value_of_every_option_prunes_a_tree() {
    let fits = |(turn, sample): (usize, &Sample)| {
        let ready = sample.ready();
        let fitted = pruners(sample, turn).into_iter().filter(|scheme| ready.trees().fit(scheme).is_ok());
        fitted.collect::<Vec<_>>()
    };
    let fitted: Vec<Scheme> = samples(0).iter().enumerate().flat_map(fits).collect();
    let all = crate::laws::outside::pruners().into_iter().map(|p| &p.info);
    assert_eq!(never_given(all, fitted.iter()), Vec::<String>::new());
}

#[test]
fn every_learner_goes_with_every_pruner() {
    for classes in [0, 3] {
        let table = coded(&random_table(Shape { classes, missing: 0.05, rows: 90, ..SMALL }, 11));
        for pruner in crate::laws::outside::pruners().into_iter().filter(|p| p.only.fits(task_of(classes))) {
            for learner in LEARNERS {
                let text = format!("{}/{}", learner.id, pruner.info.id);
                let fitted = fitted(&table, &text, &FitOptions::default());
                assert!(fitted.tree.size().leaves <= fitted.full.leaves);
            }
        }
    }
}

#[test]
fn a_single_leaf_stays() {
    // All rows of one class, with and without another class by name; all targets equal; nothing to split on.
    let table = random_table(SMALL, 1);
    let constant = |values: Values| {
        let mut columns = table.clone().into_columns();
        columns.retain(|c| c.name != "y");
        columns.push(Column { name: "y".into(), values });
        coded(&Table::new("constant", columns).unwrap())
    };
    let levels = |names: &[&str]| names.iter().map(|n| n.to_string()).collect();
    let codes = vec![0; table.rows()];
    let tables = [
        constant(Values::Nominal(Nominal { levels: levels(&["c0"]), codes: codes.clone() })),
        constant(Values::Nominal(Nominal { levels: levels(&["c0", "c1"]), codes })),
        constant(Values::Numeric(vec![2.5; table.rows()])),
    ];
    for (turn, table) in tables.iter().enumerate() {
        for scheme in all_pruners(table.task(), turn, &[]) {
            let Ok(fitted) = fit(table, &scheme, &FitOptions::default(), &Silent) else { continue };
            let sizes = (fitted.full.leaves, fitted.tree.nodes().len());
            assert_eq!(sizes, (1, 1), "{scheme} on table {turn}");
            assert!(fitted.estimate.is_none_or(|e| e.error == 0.0), "{scheme} on table {turn}");
        }
    }
}

#[test]
fn one_row_is_a_leaf_or_too_few() {
    let one = |classes| coded(&picked(&random_table(Shape { classes, ..SMALL }, 1), &[3]));
    for table in [one(2), one(0)] {
        let task = table.task();
        for scheme in all_pruners(task, 0, &[]) {
            match fit(&table, &scheme, &FitOptions::default(), &Silent) {
                Ok(fitted) => assert_eq!(fitted.tree.nodes().len(), 1, "{scheme}"),
                Err(problem) => {
                    let problem = problem.to_string();
                    let plan = scheme.plan(task);
                    let by_folds = plan.as_ref().is_ok_and(|plan| plan.folds().is_some());
                    let by_held = plan.as_ref().is_ok_and(|plan| plan.holds_out());
                    let folds = by_folds && problem.contains("expected at least 2 folds and no more");
                    let held = by_held && problem.contains("; hold out ");
                    // A setting that no table suits is refused on any.
                    let never =
                        fit(&coded(&random_table(SMALL, 2)), &scheme, &FitOptions::default(), &Silent);
                    assert!(folds || held || never.is_err(), "{scheme}: {problem}");
                }
            }
        }
    }
}
