use proptest::prelude::*;

use super::*;
use crate::schema::{Costs, Schema, Target};
use crate::tree::testing::{
    Sketch, below, build, classes, each, leaf, nominal, numeric, of_all_kinds, random, weather,
};
use crate::tree::{Condition, Node, NodeId, NodeRef};

fn near(found: &[f64], wanted: &[f64]) {
    within(1e-12, found, wanted);
}

fn within(tolerance: f64, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{found:?} {wanted:?}");
    }
}

fn said(tree: &Tree, values: LeafValues, id: NodeId) -> Vec<f64> {
    tree.clone().with_leaf_values(values).unwrap().answer(id).to_vec()
}

/// A leaf's share of the uniform distribution is taken out again.
fn without_even(tree: &Tree, said: &[f64], weight: f64) -> Vec<f64> {
    let row = tree.row_weight().min(1.0);
    let share = row / (weight + row);
    said.iter().map(|p| (p - share / said.len() as f64) / (1.0 - share)).collect()
}

#[test]
fn formulas_by_hand() {
    // Nine rows say yes and five no; those with a sunny outlook are 2 and 3, of which 2 and 0 are at low humidity.
    let tree = weather();
    let low = tree.root().leaves().next().unwrap().id();
    assert_eq!((tree.class_weights(1), tree.class_weights(low)), (&[2.0, 3.0][..], &[2.0, 0.0][..]));
    near(&said(&tree, LeafValues::Raw, low), &[1.0, 0.0]);
    near(&said(&tree, LeafValues::Laplace, low), &[3.0 / 4.0, 1.0 / 4.0]);
    let prior = [10.0 / 16.0, 6.0 / 16.0];
    near(&said(&tree, LeafValues::M(2.0), low), &[(2.0 + 2.0 * prior[0]) / 4.0, 2.0 * prior[1] / 4.0]);
    // From 9/14 by a step of 2/5 − 9/14 over 1 + 10/14, and one of 1 − 2/5 over 1 + 10/5.
    let yes = 9.0 / 14.0 + (0.4 - 9.0 / 14.0) / (1.0 + 10.0 / 14.0) + 0.6 / (1.0 + 10.0 / 5.0);
    let wanted = yes * (2.0 / 3.0) + 0.5 / 3.0;
    near(&said(&tree, LeafValues::Shrink(10.0), low), &[wanted, 1.0 - wanted]);
}

#[test]
fn light_rows_count_as_one_on_average() {
    // A quarter of each row: the row of Laplace, m, λ and the uniform share are quarters, too.
    let sketch = below(0, 1.0, leaf(&[3.0, 1.0]), leaf(&[1.0, 7.0]));
    let heavy = build(vec![numeric("x")], classes("y", &["a", "b"]), sketch);
    let mut nodes = heavy.nodes().to_vec();
    nodes.iter_mut().for_each(|node| node.weight /= 4.0);
    let Stats::Classes { classes: count, weights } = heavy.stats() else { panic!() };
    let stats = Stats::Classes { classes: *count, weights: weights.iter().map(|w| w / 4.0).collect() };
    let quarters = heavy.like(nodes, stats);
    assert_eq!((heavy.row_weight(), quarters.row_weight()), (1.0, 0.25));
    for values in [LeafValues::Raw, LeafValues::Laplace, LeafValues::M(2.0), LeafValues::Shrink(3.0)] {
        for id in 0..3 {
            near(&said(&quarters, values, id), &said(&heavy, values, id));
        }
    }
}

#[test]
fn numbers_by_hand() {
    let sketch = below(0, 1.0, Sketch::Numbers(2.0, 10.0, 1.0), Sketch::Numbers(6.0, 20.0, 4.0));
    let tree = build(vec![numeric("x")], Target::Number { name: "y".into() }, sketch);
    assert_eq!((tree.value(0), said(&tree, LeafValues::Raw, 1)[0]), (17.5, 10.0));
    near(&said(&tree, LeafValues::M(2.0), 1), &[(2.0 * 10.0 + 2.0 * 17.5) / 4.0]);
    near(&said(&tree, LeafValues::Shrink(8.0), 1), &[17.5 - 7.5 / 2.0]);
    let problem = tree.clone().with_leaf_values(LeafValues::Laplace).unwrap_err().to_string();
    assert!(problem.contains("laplace is for classes"), "{problem}");
    // Where leaves predict medians, medians are pulled.
    let Stats::Numbers { mean, mse, .. } = tree.stats().clone() else { panic!() };
    let stats = Stats::Numbers { mean, mse, median: vec![18.0, 9.0, 21.0] };
    let tree = Tree::checked(tree.schema().clone(), tree.nodes().to_vec(), stats).unwrap();
    near(&said(&tree, LeafValues::Shrink(8.0), 1), &[18.0 - 9.0 / 2.0]);
    near(&said(&tree, LeafValues::M(2.0), 2), &[(6.0 * 21.0 + 2.0 * 18.0) / 8.0]);
    // The training error is that of the value that is predicted.
    let tree = tree.with_leaf_values(LeafValues::Shrink(8.0)).unwrap();
    near(&[tree.value(1), tree.error(1)], &[13.5, 2.0 * (1.0 + 3.5 * 3.5)]);
}

#[test]
fn labels_follow_what_leaves_say() {
    // Two of three rows say "b" here, but nearly all rows say "a".
    let sketch = each(0, vec![leaf(&[97.0, 3.0]), leaf(&[1.0, 2.0]), leaf(&[0.0, 0.0])]);
    let tree = build(vec![nominal("n", &["x", "y", "z"])], classes("c", &["a", "b"]), sketch);
    assert_eq!((tree.label(2), tree.error(2)), (1, 1.0));
    let tree = tree.with_leaf_values(LeafValues::M(5.0)).unwrap();
    assert_eq!((tree.label(2), tree.error(2), tree.errors()[2]), (0, 2.0, 2.0));
    assert_eq!(tree.training_error(), 5.0 / 103.0);
    // A branch without rows says what the node above says.
    assert_eq!(tree.answer(3), tree.answer(0));
    // By what is said, too, where mistakes cost differently: one of four is enough for "b" when missing it costs 9.
    let (good, bad) = (leaf(&[8.0, 0.0]), leaf(&[3.0, 9.0]));
    let tree = build(vec![numeric("x")], classes("c", &["a", "b"]), below(0, 1.0, good, bad));
    let costs = Costs::from_matrix(tree.schema().target.classes(), vec![0.0, 1.0, 9.0, 0.0]).unwrap();
    let tree = tree.with_costs(Some(std::sync::Arc::new(costs))).unwrap();
    assert_eq!(tree.label(1), 0);
    assert_eq!(tree.with_leaf_values(LeafValues::Shrink(10.0)).unwrap().label(1), 1);
}

#[test]
fn numbers_of_any_size_are_shrunk() {
    let schema = Schema::new(vec![numeric("x")], Target::Number { name: "y".into() });
    let node = |parent, split: bool, weight: f64| Node {
        parent,
        first_child: split.then_some(1),
        condition: split.then_some(Condition::Threshold { attribute: 0, below: 0.0, missing: None }),
        rows: weight as u64,
        weight,
        gain: 0.0,
        rank: 0,
    };
    let nodes = vec![node(None, true, 4.0), node(Some(0), false, 3.0), node(Some(0), false, 1.0)];
    for scale in [1e150, 5e-324] {
        let mean = vec![-scale, scale, -scale];
        let stats = Stats::Numbers { mean, mse: vec![0.0; 3], median: Vec::new() };
        let tree = Tree::checked(schema.clone(), nodes.clone(), stats).unwrap();
        for values in of_all_kinds(tree.task()) {
            for id in 0..3 {
                assert!(said(&tree, values, id)[0].abs() <= scale, "{values} {scale}");
            }
        }
        assert_eq!(said(&tree, LeafValues::Shrink(0.0), 1), [scale]);
    }
}

/// The definition: step by step from the root, without mixing.
fn by_definition(node: NodeRef, lambda: f64) -> Vec<f64> {
    let raw = |node: NodeRef| match node.tree().stats() {
        Stats::Classes { .. } => node.class_weights().iter().map(|w| w / node.weight()).collect(),
        Stats::Numbers { .. } => vec![node.value().unwrap()],
    };
    let way = node.way();
    let mut value = raw(way[0]);
    for step in way.windows(2).filter(|step| step[1].weight() > 0.0) {
        let (above, here) = (raw(step[0]), raw(step[1]));
        for (value, (above, here)) in value.iter_mut().zip(above.iter().zip(here)) {
            *value += (here - above) / (1.0 + lambda / step[0].weight());
        }
    }
    value
}

/// The node with weight that a node speaks for.
fn speaker(tree: &Tree, id: NodeId) -> &Node {
    tree.node(tree.speaker(id))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn shrinking_is_what_its_definition_says(seed: u64, splits in 0usize..60, shape in 0usize..3, turn in 0usize..5) {
        let tree = random(seed, splits, shape);
        let lambda = [0.0, 0.1, 3.0, 25.0, 1e4][turn];
        let shrunk = tree.clone().with_leaf_values(LeafValues::Shrink(lambda)).unwrap();
        for id in 0..tree.nodes().len() {
            let mut found = shrunk.answer(id).to_vec();
            if tree.is_classifier() {
                found = without_even(&tree, &found, speaker(&tree, id).weight);
            }
            for (found, wanted) in found.iter().zip(by_definition(tree.get(id).unwrap(), lambda * tree.row_weight().min(1.0))) {
                prop_assert!((found - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{} {}", found, wanted);
            }
        }
    }

    #[test]
    fn no_shrinking_is_raw_and_all_of_it_is_the_root(seed: u64, splits in 0usize..60, shape in 0usize..3) {
        let tree = random(seed, splits, shape);
        let none = tree.clone().with_leaf_values(LeafValues::Shrink(0.0)).unwrap();
        let all = tree.clone().with_leaf_values(LeafValues::Shrink(LeafValues::LARGEST)).unwrap();
        for id in 0..tree.nodes().len() {
            if tree.is_classifier() {
                let weight = speaker(&tree, id).weight;
                near(&without_even(&tree, none.answer(id), weight), tree.answer(id));
                within(1e-9, &without_even(&tree, all.answer(id), weight), tree.answer(0));
            } else {
                // To the last bit.
                prop_assert_eq!(none.answer(id), tree.answer(id));
                within(1e-9, all.answer(id), tree.answer(0));
            }
        }
    }

    #[test]
    fn a_node_says_the_same_in_every_tree_it_is_cut_to(seed: u64, splits in 0usize..60, shape in 0usize..3, marks: u64) {
        let tree = random(seed, splits, shape);
        let leaf: Vec<bool> = (0..tree.nodes().len()).map(|id| (marks >> (id % 61)) & 3 == 0).collect();
        let kept = crate::prune::cutting::kept(&tree, &leaf);
        for values in of_all_kinds(tree.task()) {
            let tree = tree.clone().with_leaf_values(values).unwrap();
            let cut = tree.cut(&leaf);
            prop_assert_eq!(cut.leaf_values(), values);
            for (own, &id) in kept.iter().enumerate() {
                prop_assert_eq!(cut.answer(own), tree.answer(id));
                if tree.is_classifier() {
                    prop_assert_eq!(cut.label(own), cut.decide(cut.answer(own)));
                    // Nothing is impossible, and all adds up.
                    prop_assert!(values == LeafValues::Raw || cut.answer(own).iter().all(|p| *p > 0.0));
                    prop_assert!((cut.answer(own).iter().sum::<f64>() - 1.0).abs() < 1e-12);
                } else {
                    prop_assert_eq!(cut.value(own), cut.answer(own)[0]);
                }
            }
        }
    }
}

/// What the package imodels makes of trees of scikit-learn (`conformance/shrinkage.csv`, written by the script beside it).
#[test]
fn shrinking_agrees_with_imodels() {
    const RECORDED: &str = include_str!("../../../../conformance/shrinkage.csv");
    struct Recorded {
        parent: Option<usize>,
        weight: f64,
        raw: Vec<f64>,
        shrunk: Vec<f64>,
    }
    let numbers = |text: &str| text.split(' ').map(|x| x.parse().unwrap()).collect::<Vec<f64>>();
    let mut trees: Vec<((String, f64), Vec<Recorded>)> = Vec::new();
    for line in RECORDED.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let key = (cells[0].to_string(), cells[1].parse().unwrap());
        if trees.last().is_none_or(|(known, _)| *known != key) {
            trees.push((key, Vec::new()));
        }
        let (parent, weight) = (cells[3].parse().ok(), cells[4].parse().unwrap());
        let record = Recorded { parent, weight, raw: numbers(cells[5]), shrunk: numbers(cells[6]) };
        trees.last_mut().unwrap().1.push(record);
    }
    assert_eq!(trees.len(), 4 * 6);
    for ((case, lambda), nodes) in trees {
        let first = |id: usize| nodes.iter().position(|node| node.parent == Some(id));
        let is_class = nodes[0].raw.len() > 1;
        let arena = nodes.iter().enumerate().map(|(id, node)| Node {
            parent: node.parent.map(|parent| parent as u32),
            first_child: first(id).map(|child| child as u32),
            condition: first(id).map(|_| Condition::Threshold {
                attribute: 0,
                below: id as f64,
                missing: None,
            }),
            rows: 1,
            weight: node.weight,
            gain: 0.0,
            rank: id as u32,
        });
        let raw = nodes.iter().flat_map(|node| node.raw.clone());
        let (target, stats) = if is_class {
            let labels: Vec<String> = (0..nodes[0].raw.len()).map(|class| class.to_string()).collect();
            let stats = Stats::Classes { classes: labels.len(), weights: raw.collect() };
            (Target::Classes { name: "y".into(), classes: labels }, stats)
        } else {
            let stats =
                Stats::Numbers { mean: raw.collect(), mse: vec![0.0; nodes.len()], median: Vec::new() };
            (Target::Number { name: "y".into() }, stats)
        };
        let schema = Schema::new(vec![numeric("x")], target);
        let tree = Tree::checked(schema, arena.collect(), stats).unwrap();
        let tree = tree.with_leaf_values(LeafValues::Shrink(lambda)).unwrap();
        for (id, node) in nodes.iter().enumerate() {
            let said = tree.answer(id);
            let said = if is_class { without_even(&tree, said, node.weight) } else { said.to_vec() };
            for (found, wanted) in said.iter().zip(&node.shrunk) {
                let difference = (found - wanted).abs();
                assert!(difference < 1e-9 * wanted.abs().max(1.0), "{case} {lambda} {id}: {found} {wanted}");
            }
        }
    }
}
