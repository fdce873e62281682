//! Cost-complexity pruning against brute force, against step-by-step weakest links, and Shi's table.

use super::*;
use crate::data::{CodedTable, Roles, builtin};
use crate::grow::grow;
use crate::progress::Silent;
use crate::prune::testing::{all_subtrees, errors, is_path, member};
use crate::schema::Task;
use crate::spec::{GrowSpec, MinLeafRule};
use crate::tree::testing::{Dice, build, chain, leaf, random, weather};
use proptest::prelude::*;

/// Weakest links by the book: look at all nodes, collapse the weakest, all over again.
fn by_the_book(tree: &Tree, risk: &[f64], total: f64) -> Vec<f64> {
    let nodes = tree.nodes().len();
    let mut fall = vec![f64::NEG_INFINITY; nodes];
    let mut is_leaf: Vec<bool> = (0..nodes).map(|id| tree.is_leaf(id)).collect();
    // First, from the bottom up, all that costs nothing.
    let mut kept = risk.to_vec();
    for id in (0..nodes).rev().filter(|&id| !tree.is_leaf(id)) {
        kept[id] = tree.children(id).map(|c| kept[c]).sum();
        if risk[id] <= kept[id] + 1e-12 * risk[0] {
            (kept[id], is_leaf[id], fall[id]) = (risk[id], true, 0.0);
        }
    }
    for id in 1..nodes {
        if is_leaf[tree.node(id).parent.unwrap() as usize] && !tree.is_leaf(id) {
            (is_leaf[id], fall[id]) = (true, 0.0);
        }
    }
    let mut last = 0.0f64;
    while !is_leaf[0] {
        let (mut below, mut leaves) = (risk.to_vec(), vec![1.0; nodes]);
        let mut weakest = f64::INFINITY;
        let mut g = vec![f64::INFINITY; nodes];
        for id in (0..nodes).rev().filter(|&id| !is_leaf[id]).collect::<Vec<_>>() {
            below[id] = tree.children(id).map(|c| below[c]).sum();
            leaves[id] = tree.children(id).map(|c| leaves[c]).sum();
            g[id] = (risk[id] - below[id]) / (total * (leaves[id] - 1.0));
            weakest = weakest.min(g[id]);
        }
        last = last.max(weakest);
        for id in 0..nodes {
            let above = tree.node(id).parent.is_some_and(|p| is_leaf[p as usize]);
            let weak = g[id] <= last + 1e-11 * risk[0] / total;
            if !tree.is_leaf(id) && !is_leaf[id] && (weak || above) {
                (is_leaf[id], fall[id]) = (true, last);
            }
        }
    }
    fall
}

/// Risks with many ties, or with none; a split may even add risk.
fn risks(tree: &Tree, seed: u64) -> Vec<f64> {
    let mut dice = Dice(seed);
    let ties = dice.below(2) == 0;
    (0..tree.nodes().len()).map(|_| if ties { dice.below(12) as f64 } else { dice.unit() * 10.0 }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn members_are_the_smallest_minimisers(seed in 0u64.., splits in 0usize..7, shape in 0usize..3, own in any::<bool>()) {
        let tree = random(seed, splits, shape);
        prop_assume!(tree.leaves() <= 12);
        let risk = if own { errors(&tree) } else { risks(&tree, seed) };
        let total = tree.node(0).weight;
        let fall = fall(&tree, &risk, total);
        is_path(&tree, &fall);
        let all = all_subtrees(&tree);
        let scale = risk.iter().copied().fold(1.0, f64::max);
        let mut alphas: Vec<f64> = (0..60).map(|i| f64::from(i * i) * 0.0007 * scale / total).collect();
        alphas.extend(fall.iter().copied().filter(|a| a.is_finite()));
        for alpha in alphas {
            let cost = |leaves: &[usize]| leaves.iter().map(|&id| risk[id]).sum::<f64>() / total + alpha * leaves.len() as f64;
            let least = all.iter().map(|l| cost(l)).fold(f64::INFINITY, f64::min);
            let room = 1e-11 * scale / total;
            let smallest = all.iter().filter(|l| cost(l) <= least + room).min_by_key(|l| l.len()).unwrap();
            let mut want = smallest.clone();
            want.sort_unstable();
            prop_assert_eq!(member(&tree, &fall, alpha), want, "alpha {}", alpha);
        }
    }

    #[test]
    fn paths_are_those_of_the_book(seed in 0u64.., splits in 0usize..80, shape in 0usize..3, own in any::<bool>()) {
        let tree = random(seed, splits, shape);
        let risk = if own { errors(&tree) } else { risks(&tree, seed) };
        let total = tree.node(0).weight;
        let (got, want) = (fall(&tree, &risk, total), by_the_book(&tree, &risk, total));
        is_path(&tree, &got);
        for id in 0..got.len() {
            prop_assert!(got[id] == want[id] || (got[id] - want[id]).abs() <= 1e-10 * risk[0] / total, "node {}: {} {}", id, got[id], want[id]);
        }
    }
}

#[test]
fn shis_table_2_1() {
    const LEAVES: [usize; 16] = [61, 58, 50, 45, 17, 14, 13, 11, 10, 8, 7, 5, 4, 3, 2, 1];
    const ALPHA: &str = "0.0000 0.0005 0.0012 0.0013 0.0016 0.0021 0.0048 0.0072 0.0096 0.0120 0.0144 0.0160 0.0240 0.0336 0.0496 0.1744";
    const MORE: [f64; 16] = [0., 1., 6., 4., 28., 4., 3., 9., 6., 15., 9., 20., 15., 21., 31., 109.];
    let coded = CodedTable::new(&builtin::load("balance-scale").unwrap(), &Roles::default()).unwrap();
    for min_leaf_rule in [MinLeafRule::Point, MinLeafRule::Node] {
        let spec = GrowSpec { min_leaf: 2.0, min_leaf_rule, ..GrowSpec::cart(Task::Classification) };
        let tree = grow(&coded, &spec, &Silent).unwrap();
        let risk = errors(&tree);
        let fall = fall(&tree, &risk, 625.0);
        let mut alphas: Vec<f64> = fall.iter().copied().filter(|a| a.is_finite()).collect();
        alphas.sort_by(f64::total_cmp);
        alphas.dedup();
        let printed: Vec<String> = alphas.iter().map(|a| format!("{a:.4}")).collect();
        assert_eq!(printed.join(" "), ALPHA);
        let members: Vec<Vec<usize>> = alphas.iter().map(|&a| member(&tree, &fall, a)).collect();
        assert_eq!(members.iter().map(Vec::len).collect::<Vec<_>>(), LEAVES);
        let mut wrong = 56.0;
        for (leaves, more) in members.iter().zip(MORE) {
            wrong += more;
            assert_eq!(leaves.iter().map(|&id| risk[id]).sum::<f64>(), wrong);
        }
    }
}

#[test]
fn regression_by_hand() {
    // Squared errors 10 at the root, 4 and 0 below, 1 and 1 at the bottom: g = 2/3 below, (10 − 4)/3 at the root.
    let tree = random(3, 0, 0);
    assert_eq!(fall(&tree, &[4.0], 1.0), [f64::NEG_INFINITY]);
    let tree = chain(5);
    let risk = [10.0, 0.0, 4.0, 1.0, 1.0];
    let got = fall(&tree, &risk, 3.0);
    assert_eq!([got[0], got[2]], [6.0 / 3.0, 2.0 / 3.0]);
}

#[test]
fn ties_fall_together() {
    // Both splits of a chain save the same: the whole tree goes at once; and multiway splits count all their leaves.
    let got = fall(&chain(5), &[2.0, 0.0, 1.0, 0.0, 0.0], 10.0);
    assert_eq!(got[0], 0.1);
    assert_eq!(got[2], 0.1);
    let tree = weather();
    let got = fall(&tree, &errors(&tree), 14.0);
    assert!(got.iter().all(|a| !a.is_finite() || *a == 5.0 / (14.0 * 4.0)));
}

#[test]
fn one_class_and_one_leaf() {
    let tree = build(vec![], crate::tree::testing::classes("c", &["only"]), leaf(&[3.0]));
    assert_eq!(fall(&tree, &[0.0], 3.0), [f64::NEG_INFINITY]);
    let tree = chain(7);
    assert_eq!(member(&tree, &fall(&tree, &[0.0; 7], 4.0), 0.0), [0]);
}

#[test]
fn classes_and_parts_of_rows() {
    for tree in crate::prune::testing::classifiers(60, 40) {
        let (risk, total) = (errors(&tree), tree.node(0).weight);
        let (got, want) = (fall(&tree, &risk, total), by_the_book(&tree, &risk, total));
        is_path(&tree, &got);
        assert!((0..got.len()).all(|id| got[id] == want[id] || (got[id] - want[id]).abs() < 1e-10));
        // At 0 the smallest tree without more errors than the full one; at the largest α the root.
        let of = |leaves: Vec<usize>| leaves.into_iter().map(|id| risk[id]).sum::<f64>();
        let full: f64 = (0..risk.len()).filter(|&id| tree.is_leaf(id)).map(|id| risk[id]).sum();
        assert!((of(member(&tree, &got, 0.0)) - full).abs() < 1e-9);
        assert_eq!(member(&tree, &got, got[0]), [0]);
    }
}

#[test]
fn long_chains_take_no_time() {
    let nodes = 200_001;
    let tree = chain(nodes);
    let mut dice = Dice(1);
    // The hardest case: the weakness grows towards the bottom, or towards the top, or at random.
    for kind in 0..3 {
        let mut risk = vec![0.0; nodes];
        for id in (0..nodes).rev() {
            let steps = (nodes - id) as f64;
            let more = [1.0 + 1.0 / steps, steps, dice.unit()][kind];
            risk[id] =
                tree.children(id).map(|c| risk[c]).sum::<f64>() + if tree.is_leaf(id) { 0.0 } else { more };
        }
        let got = fall(&tree, &risk, nodes as f64);
        is_path(&tree, &got);
    }
}
