//! Limits on growth: those on rows count rows, whatever they weigh, and those on leaves and splits keep what helps most.

use crate::common::*;
use proptest::prelude::*;
use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values};
use secateur::fit::{FitOptions, fit};
use secateur::grow::{grow, grow_weighted};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::scheme::Scheme;
use secateur::spec::{Count, GrowSpec};
use secateur::tree::Tree;

fn same_splits(a: &Tree, b: &Tree, what: &str) {
    assert_eq!(a.nodes().len(), b.nodes().len(), "{what}");
    for (id, (x, y)) in a.nodes().iter().zip(b.nodes()).enumerate() {
        assert_eq!((&x.condition, x.rows, x.rank), (&y.condition, y.rows, y.rank), "{what}: node {id}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Every branch with a split has enough rows on both sides, and a tree with higher limits is not larger.
    #[test]
    fn rows_are_counted_and_not_weight(seed in any::<u64>(), min_leaf in 1u32..6, classes in 0usize..4) {
        let classes = if classes == 1 { 2 } else { classes };
        let table = random_table(Shape { rows: 60, classes, missing: 0.0, weights: true, nominal_values: 4 }, seed);
        let heavy = coded(&table);
        // Very unequal weights, as boosting makes them.
        let weights: Vec<f64> = (0..60).map(|row| heavy.weight(row).powi(9) * 1e-7 / (1.0 + row as f64)).collect();
        for base in [GrowSpec::cart(task_of(classes)), GrowSpec::best_first(heavy.task())] {
            let spec = GrowSpec { min_leaf: f64::from(min_leaf), min_split: f64::from(2 * min_leaf), ..base };
            let tree = grow_weighted(&heavy, Some(&weights), &spec, &Silent).unwrap();
            prop_assert!(tree.leaves() > 1);
            prop_assert!(tree.nodes().iter().all(|node| node.rows >= u64::from(min_leaf)));
            let by_weight = GrowSpec { count: Count::Weight, ..spec };
            prop_assert_eq!(grow_weighted(&heavy, Some(&weights), &by_weight, &Silent).unwrap().leaves(), 1);
        }
    }
}

/// Weights of 1/n are not a reason for a single leaf.
#[test]
fn weights_that_add_up_to_one_grow_the_same_tree() {
    for name in ["iris", "credit?n=200", "friedman?n=200"] {
        let table = secateur::data::builtin::load(name).unwrap();
        let coded = CodedTable::new(&table, &Roles::default()).unwrap();
        let weights = vec![1.0 / table.rows() as f64; table.rows()];
        for learner in ["cart", "best-first", "c45", "id3"] {
            let scheme: Scheme = learner.parse().unwrap();
            let spec = scheme.grow_spec(coded.task()).unwrap();
            let plain = grow(&coded, &spec, &Silent).unwrap();
            let light = grow_weighted(&coded, Some(&weights), &spec, &Silent).unwrap();
            assert!(plain.leaves() > 3, "{name} {learner}");
            same_splits(&plain, &light, &format!("{name} {learner}"));
        }
    }
}

/// What is taken by default does not depend on the unit of the weights: neither its splits nor, where rows are light, what it says.
#[test]
fn the_default_counts_rows_whatever_they_weigh() {
    for name in ["iris", "credit?n=300", "friedman?n=300"] {
        let table = secateur::data::builtin::load(name).unwrap();
        let coded = CodedTable::new(&table, &Roles::default()).unwrap();
        let scheme = Scheme::default_for(coded.task(), coded.rows()).unwrap();
        let fitted = |unit: f64| {
            let weights = Some((0..coded.rows()).map(|row| unit * (1.0 + (row % 3) as f64)).collect());
            fit(&coded, &scheme, &FitOptions { weights, ..FitOptions::default() }, &Silent).unwrap().tree
        };
        let plain = fitted(0.1);
        assert!(plain.leaves() > 2, "{name}");
        for unit in [1e-6, 1e-3, 0.02, 100.0, 1e6] {
            let other = fitted(unit);
            same_splits(&plain, &other, &format!("{name} in units of {unit}"));
            if unit > 0.1 {
                continue;
            }
            for id in 0..plain.nodes().len() {
                let answers = plain.answer(id).iter().zip(other.answer(id));
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
                assert!(answers.clone().all(near), "{name} in units of {unit}, node {id}");
            }
        }
    }
}

/// AdaBoost (Freund and Schapire) over small trees: a line that one small tree cannot draw.
#[test]
fn boosting_over_the_tree_works() {
    let side = 20;
    let points: Vec<(f64, f64)> =
        (0..side * side).map(|i| (f64::from(i % side), f64::from(i / side))).collect();
    let truth: Vec<u32> = points.iter().map(|(x, y)| u32::from(x + y > f64::from(side))).collect();
    let column = |name: &str, values| Column { name: name.into(), values };
    let levels = vec!["below".into(), "above".into()];
    let table = Table::new(
        "line",
        vec![
            column("x", Values::Numeric(points.iter().map(|p| p.0).collect())),
            column("y", Values::Numeric(points.iter().map(|p| p.1).collect())),
            column("side", Values::Nominal(Nominal { levels, codes: truth.clone() })),
        ],
    )
    .unwrap();
    let coded = CodedTable::new(&table, &Roles::default()).unwrap();
    let n = points.len();
    for learner in ["cart:max-depth=2", "best-first:max-leaves=4", "c45:max-depth=2"] {
        let scheme: Scheme = learner.parse().unwrap();
        let (mut weights, mut votes) = (vec![1.0 / n as f64; n], vec![0.0; n]);
        let wrong =
            |votes: &[f64]| votes.iter().zip(&truth).filter(|(v, t)| (**v > 0.0) != (**t == 1)).count();
        let mut first = None;
        for _ in 0..40 {
            let options = FitOptions { weights: Some(weights.clone()), ..FitOptions::default() };
            let tree = fit(&coded, &scheme, &options, &Silent).unwrap().tree;
            assert!(tree.leaves() > 1, "{learner}");
            let said = Predictor::bind(&tree, &table).unwrap().predict().labels;
            let error: f64 = (0..n).filter(|&i| said[i] != truth[i]).map(|i| weights[i]).sum();
            let vote = 0.5 * ((1.0 - error) / error.max(1e-12)).ln();
            for i in 0..n {
                weights[i] *= (if said[i] == truth[i] { -vote } else { vote }).exp();
                votes[i] += if said[i] == 1 { vote } else { -vote };
            }
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|w| *w /= sum);
            first.get_or_insert_with(|| wrong(&votes));
        }
        let (first, last) = (first.unwrap(), wrong(&votes));
        assert!(3 * last < first, "{learner}: {first} wrong with one tree, {last} with forty");
    }
}

/// What the splits of a tree gain in all.
fn gained(tree: &Tree) -> f64 {
    tree.nodes().iter().filter(|node| node.condition.is_some()).map(|node| node.gain * node.weight).sum()
}

/// What the first splits of a tree gain when `next` chooses among the nodes that wait, from left to right.
fn first_splits(full: &Tree, splits: usize, next: impl Fn(&[usize]) -> usize) -> f64 {
    let (mut waiting, mut sum) = (vec![0], 0.0);
    for _ in 0..splits {
        waiting.retain(|&id| !full.is_leaf(id));
        if waiting.is_empty() {
            break;
        }
        let id = waiting.remove(next(&waiting));
        sum += full.node(id).gain * full.node(id).weight;
        waiting.splice(0..0, full.children(id));
    }
    sum
}

/// The splits of a limited tree are those of the full one that help most, one after the other; an order that is named is kept.
#[test]
fn a_limited_tree_takes_the_splits_that_help_most() {
    let mut differ = 0;
    for name in ["credit", "waveform-21?n=300", "friedman?n=300", "houses?n=300"] {
        let table = secateur::data::builtin::load(name).unwrap();
        let coded = CodedTable::new(&table, &Roles::default()).unwrap();
        let grown = |scheme: &str| {
            let scheme: Scheme = scheme.parse().unwrap();
            grow(&coded, &scheme.grow_spec(coded.task()).unwrap(), &Silent).unwrap()
        };
        for learner in ["cart", "c45", "id3"] {
            let full = grown(learner);
            let weight = |id: usize| full.node(id).gain * full.node(id).weight;
            let most = |waiting: &[usize]| {
                (0..waiting.len()).max_by(|&a, &b| weight(waiting[a]).total_cmp(&weight(waiting[b]))).unwrap()
            };
            for splits in [1, 2, 4, 7, 12] {
                let same = |scheme: &str, expected: f64| {
                    let tree = grown(scheme);
                    assert!((gained(&tree) - expected).abs() <= 1e-9 * expected, "{scheme} on {name}");
                };
                let best = first_splits(&full, splits, most);
                let depth_first = first_splits(&full, splits, |_| 0);
                differ += usize::from(best > depth_first * 1.05);
                same(&format!("{learner}:max-splits={splits}"), best);
                same(&format!("{learner}:max-splits={splits},order=depth-first"), depth_first);
                if learner == "cart" {
                    let leaves = splits + 1;
                    same(&format!("cart:max-leaves={leaves}"), best);
                    same(&format!("cart:max-leaves={leaves},order=depth-first"), depth_first);
                    same(&format!("cart:max-leaves={leaves},ties=newest"), best);
                }
            }
        }
    }
    assert!(differ > 10, "{differ}: the orders are hardly ever different");
}

/// Eight leaves of the credit table that are worth their place.
#[test]
fn eight_leaves_tell_credits_apart() {
    let table = secateur::data::builtin::load("credit").unwrap();
    let coded = CodedTable::new(&table, &Roles::default()).unwrap();
    let error = |scheme: &str| {
        let scheme: Scheme = scheme.parse().unwrap();
        fit(&coded, &scheme, &FitOptions::default(), &Silent).unwrap().tree.training_error()
    };
    assert!(error("cart:max-leaves=8") < 0.14, "{}", error("cart:max-leaves=8"));
    assert!(error("cart:max-leaves=8,order=depth-first") > 0.25);
}

#[test]
fn the_order_of_ties_needs_an_order_with_ties() {
    let parsed = |text: &str| text.parse::<Scheme>();
    for text in ["cart:max-leaves=8,ties=newest", "c45:max-splits=8,ties=newest", "best-first:ties=newest"] {
        assert!(parsed(text).is_ok(), "{text}");
    }
    for text in ["cart:ties=newest", "cart:max-leaves=8,order=depth-first,ties=newest"] {
        let error = parsed(text).unwrap_err().to_string();
        assert!(error.contains("order=best-first or best-first-weighted"), "{error}");
    }
}
