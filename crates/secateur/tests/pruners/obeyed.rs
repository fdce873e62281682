//! Laws about what must not matter: weights or repeated rows, units, orders, names, threads.

use secateur::fit::{Fitted, TreePath};
use secateur::method::Law;
use secateur::predict::LeafValues;
use secateur::schema::Task;
use secateur::scheme::Scheme;

use crate::laws::sample::{Sample, classifiers, mixed_samples, samples, without_ties};
use crate::laws::settings::all_pruners;
use crate::laws::trees::{same_looks, same_splits};
use crate::laws::{Compare, for_classes, hold, law_of_pruners, law_of_those_pruners, with_threads};

fn pruners(sample: &Sample, turn: usize) -> Vec<Scheme> {
    all_pruners(sample.task(), turn, &[])
}

const SPLITS: Compare = &|a, b| same_splits(&a.tree, &b.tree);
const LOOKS: Compare = &|a, b| same_looks(&a.tree, &b.tree);

#[test]
fn a_row_of_weight_three_equals_three_rows() {
    // The learners' limits count weight here, so that both tables give the same tree.
    let by_weight = |s: &Sample, turn| all_pruners(s.task(), turn, &["count=weight"]);
    law_of_pruners(Law::RepeatedRows, |v| hold(v, &samples(v.round), by_weight, Sample::repeated, SPLITS));
}

#[test]
fn the_unit_of_weights_does_not_matter() {
    let compare = |a: &Fitted, b: &Fitted| {
        same_splits(&a.tree, &b.tree)?;
        let (Some(one), Some(light)) = (&a.estimate, &b.estimate) else { return Ok(()) };
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1e-9);
        if near(one.error, light.error) && near(one.se, light.se) {
            Ok(())
        } else {
            Err(format!("estimates {one:?} and {light:?}"))
        }
    };
    // Weights that add up to about one, as shares of a whole do.
    law_of_pruners(Law::UnitOfWeights, |v| {
        hold(v, &samples(v.round), pruners, |s| s.reweighted(|_, w| 0.003 * w), &compare);
    });
}

#[test]
fn the_order_of_rows_does_not_matter() {
    law_of_pruners(Law::OrderOfRows, |v| {
        hold(v, &mixed_samples(v.round), pruners, Sample::shuffled, SPLITS);
    });
}

#[test]
fn names_and_order_of_classes_do_not_matter() {
    law_of_those_pruners(Law::OrderOfClasses, for_classes, |v| {
        hold(v, &without_ties(classifiers(v.round)), pruners, Sample::other_classes, LOOKS);
    });
}

#[test]
fn the_order_of_attributes_does_not_matter() {
    // Large leaves, no gain ratio: no two splits gain the same.
    let apart = |s: &Sample, turn| {
        let criterion = if s.task() == Task::Regression { "criterion=mse" } else { "criterion=gini" };
        all_pruners(s.task(), turn, &["min-leaf=8", criterion])
    };
    law_of_pruners(Law::OrderOfAttributes, |v| {
        hold(v, &without_ties(samples(v.round)), apart, Sample::other_attributes, LOOKS);
    });
}

#[test]
fn the_unit_of_costs_does_not_matter() {
    let dear = |round| classifiers(round).into_iter().filter(Sample::has_costs).collect::<Vec<_>>();
    // Errors are counted in the unit of the costs, errors of probabilities are not.
    let compare = |a: &Fitted, b: &Fitted| {
        same_splits(&a.tree, &b.tree)?;
        let (Some(one), Some(seven)) = (&a.estimate, &b.estimate) else { return Ok(()) };
        let near = |times: f64| {
            (times * one.error - seven.error).abs() < 1e-9 && (times * one.se - seven.se).abs() < 1e-9
        };
        if near(7.0) || near(1.0) { Ok(()) } else { Err(format!("estimates {one:?} and {seven:?}")) }
    };
    law_of_those_pruners(Law::UnitOfCosts, for_classes, |v| {
        hold(v, &dear(v.round), pruners, |s| s.dearer(7.0), &compare)
    });
}

#[test]
fn trees_that_are_shared_with_other_schemes_do_not_matter() {
    for (turn, sample) in samples(0).iter().enumerate() {
        let ready = sample.ready();
        let shared = ready.trees();
        for scheme in pruners(sample, turn) {
            let (alone, among) = (ready.trees().fit(&scheme).ok(), shared.fit(&scheme).ok());
            let found = |f: Option<Fitted>| f.map(|f| (f.tree, f.estimate, f.path));
            assert_eq!(found(alone), found(among), "{scheme} on {}", sample.name);
        }
    }
}

/// Where sizes are compared by errors; other losses follow the leaf values.
#[test]
fn leaf_values_do_not_matter_for_the_tree() {
    let shape = |path: &TreePath| -> Vec<(f64, usize, f64)> {
        path.iter().map(|step| (step.parameter, step.leaves, step.training_error)).collect()
    };
    let mut compared = 0;
    for (turn, sample) in samples(0).iter().enumerate() {
        let ready = sample.ready();
        let trees = ready.trees();
        for scheme in all_pruners(sample.task(), turn, &["leaf-values=shrink", "leaf-lambda=3"]) {
            let raw = format!("{}/{}", scheme.learner.info().id, scheme.pruner.as_ref().unwrap());
            let raw = trees.fit(&raw.parse().unwrap()).ok();
            let found = match trees.fit(&scheme) {
                Ok(fitted) => Some(fitted),
                // What is refused because it changes nothing is no part of the scheme's text.
                Err(problem)
                    if ["leaf-values", "changes nothing"].iter().any(|o| problem.to_string().contains(o)) =>
                {
                    continue;
                }
                Err(_) => None,
            };
            assert_eq!(found.is_some(), raw.is_some(), "{scheme} on {}", sample.name);
            let (Some(found), Some(raw)) = (found, raw) else { continue };
            assert_ne!(found.tree.leaf_values(), LeafValues::Raw, "{scheme}");
            let shapes = |fitted: &Fitted| fitted.path.as_ref().map(shape);
            assert_eq!(shapes(&found), shapes(&raw), "{scheme} on {}", sample.name);
            let text = scheme.to_string();
            if ["choose-by=brier", "choose-by=log-loss", "error=rmse"].iter().any(|loss| text.contains(loss))
            {
                continue;
            }
            compared += 1;
            let found = found.tree.with_leaf_values(LeafValues::Raw).unwrap();
            assert_eq!(found, raw.tree, "{scheme} on {}", sample.name);
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn threads_do_not_matter() {
    for (turn, sample) in samples(0).iter().enumerate() {
        let ready = sample.ready();
        let all = |threads| {
            with_threads(threads, || {
                let trees = ready.trees();
                let fit = |scheme: &Scheme| trees.fit(scheme).ok().map(|f| (f.tree, f.estimate, f.path));
                pruners(sample, turn).iter().map(fit).collect::<Vec<_>>()
            })
        };
        for (scheme, (one, three)) in pruners(sample, turn).iter().zip(all(1).into_iter().zip(all(3))) {
            assert_eq!(one, three, "{scheme} on {}", sample.name);
        }
    }
}
