//! What every learner promises, over the whole registry and every value of every option.

use crate::laws::sample::{Sample, classifiers, mixed_samples, samples, without_ties};
use crate::laws::settings::{all_learners, never_given};
use crate::laws::trees::{counts_its_rows, same_looks, same_splits, saved_and_loaded};
use crate::laws::{Compare, hold, law_of_learners, with_threads};
use secateur::method::Law;
use secateur::scheme::{LEARNERS, Scheme};
use secateur::spec::Count;

fn learners(sample: &Sample, _: usize) -> Vec<Scheme> {
    all_learners(sample.task(), &[])
}

const SPLITS: Compare = &|a, b| same_splits(&a.tree, &b.tree);
const LOOKS: Compare = &|a, b| same_looks(&a.tree, &b.tree);

#[test]
fn a_row_of_weight_three_equals_three_rows() {
    law_of_learners(Law::RepeatedRows, |v| {
        let by_weight = |s: &Sample, _| all_learners(s.task(), &["count=weight"]);
        hold(v, &samples(v.round), by_weight, Sample::repeated, SPLITS);
        hold(v, &samples(v.round)[..1], learners, Sample::repeated, SPLITS);
    });
}

#[test]
fn the_unit_of_weights_does_not_matter() {
    law_of_learners(Law::UnitOfWeights, |v| {
        for unit in [0.7, 1e-6, 3.0] {
            hold(v, &samples(v.round), learners, |s| s.reweighted(|_, w| unit * w), SPLITS);
        }
    });
}

#[test]
fn the_order_of_rows_does_not_matter() {
    law_of_learners(Law::OrderOfRows, |v| {
        hold(v, &mixed_samples(v.round), learners, Sample::shuffled, SPLITS);
    });
}

#[test]
fn names_and_order_of_classes_do_not_matter() {
    law_of_learners(Law::OrderOfClasses, |v| {
        hold(v, &without_ties(classifiers(v.round)), learners, Sample::other_classes, LOOKS);
    });
}

#[test]
fn the_order_of_attributes_does_not_matter() {
    // Two attributes may divide few rows alike: in large leaves they do not.
    let large = |s: &Sample, _| {
        let mut all = all_learners(s.task(), &["min-leaf=6"]);
        all.retain(|scheme| scheme.grow_spec(s.task()).unwrap().min_leaf >= 6.0);
        all
    };
    law_of_learners(Law::OrderOfAttributes, |v| {
        hold(v, &without_ties(samples(v.round)), large, Sample::other_attributes, LOOKS);
    });
}

#[test]
fn every_value_of_every_option_grows_a_tree() {
    let fits = |sample: Sample| {
        let ready = sample.ready();
        learners(&sample, 0)
            .into_iter()
            .filter(|scheme| ready.trees().fit(scheme).is_ok())
            .collect::<Vec<_>>()
    };
    let fitted: Vec<Scheme> = samples(0).into_iter().flat_map(fits).collect();
    assert_eq!(never_given(LEARNERS.iter().copied(), fitted.iter()), Vec::<String>::new());
}

#[test]
fn threads_do_not_matter() {
    for sample in samples(0) {
        let ready = sample.ready();
        for scheme in learners(&sample, 0) {
            let tree = |threads| with_threads(threads, || ready.trees().fit(&scheme).map(|f| f.tree).ok());
            assert_eq!(tree(1), tree(3), "{scheme} on {}", sample.name);
        }
    }
}

#[test]
fn every_node_counts_the_rows_that_reach_it_and_a_saved_tree_is_the_same() {
    for sample in mixed_samples(0) {
        let (ready, rows) = (sample.ready(), sample.rows());
        let trees = ready.trees();
        for scheme in learners(&sample, 0) {
            let Ok(fitted) = trees.fit(&scheme) else { continue };
            let what = format!("{scheme} on {}", sample.name);
            counts_its_rows(&fitted.tree, &rows).unwrap_or_else(|how| panic!("{what}: {how}"));
            assert_eq!(saved_and_loaded(&fitted.tree, &scheme.to_string()).tree, fitted.tree, "{what}");
        }
    }
}

#[test]
fn limits_are_kept() {
    for sample in samples(0) {
        let (task, ready) = (sample.task(), sample.ready());
        let trees = ready.trees();
        for scheme in learners(&sample, 0) {
            let Ok(fitted) = trees.fit(&scheme) else { continue };
            let (tree, spec) = (fitted.tree, scheme.grow_spec(task).unwrap());
            let what = format!("{scheme} on {}", sample.name);
            let splits = tree.nodes().iter().filter(|n| n.condition.is_some()).count();
            assert!(spec.max_depth.is_none_or(|most| tree.depth() <= most), "{what}");
            assert!(spec.max_leaves.is_none_or(|most| tree.leaves() <= most), "{what}");
            assert!(spec.max_splits.is_none_or(|most| splits <= most), "{what}");
            for (id, node) in tree.nodes().iter().enumerate().filter(|(_, n)| n.condition.is_some()) {
                assert!(node.gain > spec.min_gain, "{what}: node {id} gains {}", node.gain);
                assert!(
                    node.rows as f64 >= spec.min_split || spec.count == Count::Weight,
                    "{what}: node {id}"
                );
                // A multiway split may have smaller branches, as long as two are large enough.
                let enough = |child: &usize| match spec.count {
                    Count::Weight => tree.node(*child).weight >= spec.min_leaf,
                    _ => tree.node(*child).rows as f64 >= spec.min_leaf,
                };
                assert!(tree.children(id).filter(enough).count() >= 2, "{what}: node {id}");
            }
        }
    }
}
