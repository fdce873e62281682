//! Paths: nested where they say so, and every member is the tree that its parameter alone gives.

use secateur::fit::{FitOptions, path_of};
use secateur::method::Law;
use secateur::progress::Silent;
use secateur::prune::{Job, Path, PruneKind, Pruner, Tried};
use secateur::scheme::Scheme;
use secateur::tree::{NodeId, Tree};

use super::support::*;
use crate::laws::sample::mixed_samples;
use crate::laws::settings::all_pruners;
use crate::laws::trees::same_splits;
use crate::laws::{for_classes, law_of_those_pruners};

/// A path with where it comes from.
pub struct PathCase<'a> {
    pub scheme: &'a Scheme,
    pub sample: &'static str,
    pub pruner: &'a Pruner,
    pub job: &'a Job<'a>,
    pub path: &'a Path,
}

/// Every setting that gives a path of its own, on all samples of a round.
pub fn each_path(round: u64, mut look: impl FnMut(PathCase)) {
    for (turn, sample) in mixed_samples(round).iter().enumerate() {
        let ready = sample.ready();
        let trees = ready.trees();
        for scheme in all_pruners(sample.task(), turn, &[]) {
            let (pruner, method) = (pruner_of(&scheme), scheme.pruner.as_ref().unwrap());
            let Some(own) = pruner.parameter() else { continue };
            // Selectors and single parameters are not other paths.
            let selects = [own.name, "cv", "holdout", "1se", "se"];
            if method.given().iter().any(|(spec, _)| selects.contains(&spec.name)) {
                continue;
            }
            let full = trees.full(&scheme).unwrap();
            let job = Job::new(&full.tree, method);
            let path = pruner.path(&job).unwrap();
            look(PathCase { scheme: &scheme, sample: sample.name, pruner, job: &job, path: &path });
        }
    }
}

/// The nodes that a cut keeps.
fn kept(tree: &Tree, leaf: &[bool]) -> Vec<NodeId> {
    let mut kept = vec![true; leaf.len()];
    for id in 1..leaf.len() {
        let above = tree.node(id).parent.unwrap() as usize;
        kept[id] = kept[above] && !leaf[above];
    }
    (0..leaf.len()).filter(|&id| kept[id]).collect()
}

#[test]
fn nested_paths_are_nested() {
    let mut members = 0;
    each_path(0, |PathCase { scheme, pruner, job, path, .. }| {
        let nested = matches!(pruner.kind, PruneKind::Nested { .. } | PruneKind::Order(_));
        assert_eq!(path.is_nested(), nested, "{scheme}");
        if !nested {
            return;
        }
        // No node need fall between two parameters of a grid.
        let by_grid = matches!(pruner.kind, PruneKind::Nested { tried: Tried::Grid(_), .. });
        let falls = matches!(pruner.kind, PruneKind::Order(_));
        assert!(path.parameters().is_sorted_by(|a, b| if falls { a > b } else { a < b }), "{scheme}");
        let cuts: Vec<Vec<bool>> = path.parameters().iter().map(|&p| path.cut(p)).collect();
        for (i, pair) in cuts.windows(2).enumerate() {
            let (large, small) = (&pair[0], &pair[1]);
            assert!(large.iter().zip(small).all(|(l, s)| !l || *s), "{scheme}: member {i}");
            let (fewer, more) = (job.tree.cut(small).leaves(), job.tree.cut(large).leaves());
            assert!(fewer < more || by_grid && fewer == more, "{scheme}: member {i}");
            // The smaller member is a pruned version of the larger one: cutting that gives it.
            let member = job.tree.cut(large);
            let again: Vec<bool> = kept(job.tree, large).iter().map(|&id| small[id]).collect();
            assert_same_splits(&member.cut(&again), &job.tree.cut(small), &scheme.to_string());
        }
        members += cuts.len();
    });
    assert!(members > 100);
}

/// Holds the paths on trees with or without costs to the law that members are single cuts.
fn members_are_single_cuts(which: Law, costs: bool) {
    let has_path = |p: &Pruner| p.parameter().is_some() && (!costs || for_classes(p));
    law_of_those_pruners(which, has_path, |verdict| {
        each_path(verdict.round, |PathCase { scheme, sample, pruner, job, path }| {
            if job.tree.costs().is_some() != costs || !verdict.wants(scheme) {
                return;
            }
            // At the members, and where every parameter has one also between them.
            let between = path.parameters().windows(2).map(|p| f64::midpoint(p[0], p[1]));
            let between = between.filter(|_| path.is_nested());
            for parameter in path.parameters().iter().copied().chain(between) {
                let Ok(direct) = pruner.cut_at(job, parameter) else { continue };
                let same = same_splits(&job.tree.cut(&path.cut(parameter)), &job.tree.cut(&direct));
                verdict.add(scheme, sample, same.map_err(|how| format!("at {parameter}: {how}")));
            }
        });
    });
}

#[test]
fn a_member_is_the_tree_cut_at_its_parameter() {
    members_are_single_cuts(Law::OneMember, false);
}

#[test]
fn with_costs_a_member_is_the_tree_cut_at_its_parameter() {
    members_are_single_cuts(Law::OneMemberWithCosts, true);
}

/// The last member of k-norm's path may keep splits that outlast every k; its error is that of the folds' last members.
#[test]
fn a_last_member_with_splits_has_its_error() {
    let table = load("iris");
    let path = path_of(&table, &scheme("cart/k-norm:lambda=0.5"), Some(10), &FitOptions::default(), &Silent);
    let last = path.unwrap().steps.pop().unwrap();
    assert_eq!(last.leaves, 2);
    assert!(last.validated.unwrap().0 > 0.3, "{last:?}");
}
