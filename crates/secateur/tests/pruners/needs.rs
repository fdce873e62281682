//! What a pruner says it needs is what it reads: counts alone, folds, or held-out rows.

use secateur::fit::Fitted;
use secateur::method::{Law, Needs};
use secateur::prune::{PruneKind, Pruner};
use secateur::schema::Task;
use secateur::scheme::{LEARNERS, Scheme};
use secateur::tree::Tree;

use super::support::*;
use crate::laws::sample::{Sample, mixed_samples, samples};
use crate::laws::settings::all_pruners;
use crate::laws::trees::{same_splits, saved_and_loaded};
use crate::laws::{for_classes, law_of_those_pruners};

/// A saved tree, without a row in sight, is pruned as it was when it was grown; or the rows are asked for.
#[test]
fn a_saved_tree_is_pruned_as_the_grown_one() {
    for (turn, sample) in samples(0).iter().enumerate() {
        let (task, ready) = (sample.task(), sample.ready());
        let trees = ready.trees();
        for scheme in all_pruners(task, turn, &[]) {
            let Ok(fitted) = trees.fit(&scheme) else { continue };
            let what = format!("{scheme} on {}", sample.name);
            let saved = saved_and_loaded(&trees.full(&scheme).unwrap().tree, &scheme.learner.to_string());
            let plan = scheme.plan(task).unwrap();
            let by_rows = plan.folds().is_some() || plan.holds_out();
            let method = scheme.pruner.as_ref().unwrap();
            match saved.prune(&method.to_string()) {
                Ok(model) => {
                    assert!(!by_rows, "{what} chooses by rows, and did without them");
                    assert_eq!(model.tree, fitted.tree, "{what}");
                }
                Err(problem) => {
                    assert!(problem.to_string().contains("needs the data"), "{what}: {problem}");
                    let alone = method.given().is_empty() && method.info().needs == Needs::Counts;
                    assert!(!alone, "{what} says that it needs counts alone: {problem}");
                }
            }
        }
    }
}

/// Whether a change of the samples for its targets changes what a method finds with its defaults.
fn default_changes(schemes: &[Scheme], change: impl Fn(&Sample) -> Sample) -> bool {
    let differ = |sample: Sample| {
        let changed = change(&sample);
        let fit = |sample: &Sample, scheme| sample.ready().trees().fit(scheme).ok().map(answer);
        let mut fitting = schemes.iter().filter(|scheme| scheme.check(sample.task()).is_ok());
        fitting.any(|scheme| fit(&sample, scheme) != fit(&changed, scheme))
    };
    samples(0).into_iter().any(differ)
}

fn answer(fitted: Fitted) -> (Tree, Option<f64>) {
    (fitted.tree, fitted.estimate.map(|e| e.error))
}

#[test]
fn what_a_learner_needs_is_what_its_defaults_read() {
    for learner in LEARNERS {
        let alone = [scheme(learner.id)];
        assert_eq!(learner.needs, Needs::TrainingRows, "{}", learner.id);
        assert!(!default_changes(&alone, Sample::other_folds), "{} reads folds", learner.id);
        assert!(!default_changes(&alone, Sample::other_held_rows), "{} holds rows out", learner.id);
        assert!(
            default_changes(&alone, |s| s.reweighted(|row, w| w * (1 + row % 3) as f64)),
            "{}",
            learner.id
        );
    }
}

#[test]
fn what_a_pruner_needs_is_what_its_defaults_read() {
    for pruner in crate::laws::outside::pruners() {
        let id = pruner.info.id;
        let task = if for_classes(pruner) { Task::Classification } else { Task::Regression };
        let plan = scheme(&format!("cart/{id}")).plan(task).unwrap();
        let by_folds = plan.folds().is_some();
        let by_held = plan.holds_out();
        let reads = match (by_folds, by_held) {
            (true, _) => Needs::Folds,
            (_, true) => Needs::HeldOutRows,
            // One that grows trees of its own needs what they are grown from.
            _ if matches!(pruner.kind, PruneKind::Own { .. }) => Needs::TrainingRows,
            _ => Needs::Counts,
        };
        assert_eq!(pruner.info.needs, reads, "{id} says that it needs {}", pruner.info.needs);
        // Other folds, or other rows held out, are other evidence: what is said to be read is read, and nothing else.
        let schemes: Vec<Scheme> = LEARNERS.iter().map(|l| scheme(&format!("{}/{id}", l.id))).collect();
        assert_eq!(default_changes(&schemes, Sample::other_folds), by_folds, "{id} and folds");
        assert_eq!(default_changes(&schemes, Sample::other_held_rows), by_held, "{id} and held-out rows");
    }
}

#[test]
fn pruning_again_changes_nothing() {
    // Those that always need rows, and so cannot prune a saved tree, are not asked.
    let is_cut = |p: &Pruner| !matches!(p.kind, PruneKind::Own { .. }) && p.info.needs != Needs::HeldOutRows;
    law_of_those_pruners(Law::PruningAgain, is_cut, |verdict| {
        for (turn, sample) in mixed_samples(verdict.round).iter().enumerate() {
            let ready = sample.ready();
            let trees = ready.trees();
            for scheme in all_pruners(sample.task(), turn, &[]) {
                if !verdict.wants(&scheme) {
                    continue;
                }
                let Ok(full) = trees.full(&scheme) else { continue };
                let with = scheme.pruner.as_ref().unwrap().to_string();
                let saved = saved_and_loaded(&full.tree, &scheme.learner.to_string());
                let Ok(once) = saved.prune(&with) else { continue };
                assert_eq!(once.tree.full_leaves(), full.tree.leaves(), "{scheme}");
                let twice = once.clone().prune(&with).unwrap();
                verdict.add(&scheme, sample.name, same_splits(&once.tree, &twice.tree));
            }
        }
    });
}
