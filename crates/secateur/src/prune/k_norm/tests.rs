//! The theorems of chapters 4 and 5 on random trees, appendix B, and comparisons with the definitions. One file, as they share their random
//! trees.

use proptest::prelude::*;

use super::oracles::{all_prunings, errors, minimum_error, most, prune_tree};
use super::path::{probability_fall, risk_fall};
use super::*;
use crate::data::{CodedTable, Roles, builtin};
use crate::grow::grow;
use crate::progress::Silent;
use crate::schema::Task;
use crate::spec::GrowSpec;
use crate::tree::Condition;
use crate::tree::testing::{Dice, Shape, build, chain, classes, each, leaf, nominal, numeric, random};

/// A random classification tree as a grower makes them: most leaves nearly pure, sizes of all orders.
/// `shape` 0 is deep, 1 is wide, others mixed; some splits have three branches, one of them perhaps without weight.
fn grown(seed: u64, splits: usize, shape: usize, is_whole: bool) -> Tree {
    let mut dice = Dice(seed);
    let labels = &["a", "b", "c", "d"][..2 + dice.below(3)];
    let mut arena = Shape::new();
    let mut frontier = vec![0];
    for _ in 0..splits {
        let place = [frontier.len() - 1, 0, dice.below(frontier.len())][shape.min(2)];
        let condition = match dice.below(3) {
            0 => Condition::EachValue { attribute: 1, values: 3, missing: false },
            _ => Condition::Threshold { attribute: 0, below: dice.unit(), missing: None },
        };
        let branches = condition.branches();
        let first = arena.expand(frontier.remove(place), condition);
        frontier.extend(first..first + branches);
    }
    let leaves = frontier.into_iter().map(|id| {
        let major = dice.below(labels.len());
        let size = [1.0, 4.0, 30.0][dice.below(3)];
        let counts = (0..labels.len()).map(|j| {
            let n = match (j == major, dice.below(3)) {
                (true, _) => 1.0 + size * dice.unit(),
                (_, 0) => 0.4 * size * dice.unit(),
                _ => 0.0,
            };
            if is_whole { n.round() } else { n }
        });
        (id, counts.collect())
    });
    let leaves = leaves.collect();
    let attributes = vec![numeric("x"), nominal("n", &["u", "v", "w"])];
    arena.finish(crate::schema::Schema::new(attributes, classes("class", labels)), leaves)
}

/// Trees of both generators.
fn trees() -> impl Strategy<Value = Tree> {
    let ours =
        (any::<u64>(), 1usize..40, 0usize..3, any::<bool>()).prop_map(|(a, b, c, d)| grown(a, b, c, d));
    let usual = (any::<u64>(), 1usize..40, 0usize..3).prop_map(|(a, b, c)| random(a, b, c));
    let usual = usual.prop_filter("at least two classes", |t| t.class_weights(0).len() > 1);
    prop_oneof![2 => ours, 1 => usual]
}

fn rules() -> impl Strategy<Value = KNorm> {
    (0.01..2.0f64, 0.0..2.0f64).prop_map(|(lambda, eta)| KNorm { lambda, eta })
}

/// Also without priors, where moments can be zero.
fn all_rules() -> impl Strategy<Value = KNorm> {
    let bare = (0.0..2.0f64, any::<bool>())
        .prop_map(|(x, both)| KNorm { lambda: 0.0, eta: if both { 0.0 } else { x } });
    prop_oneof![3 => rules(), 1 => bare]
}

/// One split with leaves of these counts.
fn split(leaves: &[Vec<f64>]) -> Tree {
    let values: Vec<String> = (0..leaves.len()).map(|v| format!("v{v}")).collect();
    let labels: Vec<String> = (0..leaves[0].len()).map(|c| format!("c{c}")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let children = leaves.iter().map(|counts| leaf(counts)).collect();
    build(vec![nominal("n", &values)], classes("class", &labels), each(0, children))
}

/// Some leaves with whole counts, none of them empty.
fn leaves() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (2usize..5, 2usize..5).prop_flat_map(|(branches, classes)| {
        let counts = prop::collection::vec(prop_oneof![Just(0u32), 0u32..4, 0u32..60], classes);
        let counts = counts.prop_filter("not empty", |c| c.iter().sum::<u32>() > 0);
        let counts = counts.prop_map(|c| c.into_iter().map(f64::from).collect::<Vec<f64>>());
        prop::collection::vec(counts, branches)
    })
}

/// `ln E[r^k]` of a split above leaves and of its node as a leaf.
fn both(tree: &Tree, rule: &KNorm, k: f64) -> (f64, f64) {
    (k * norms(tree, rule, k)[0].ln(), log_moment(tree.class_weights(0), rule.lambda, k))
}

/// The splits that are not gone, in order.
fn staying(tree: &Tree, gone: &[bool]) -> Vec<NodeId> {
    (0..gone.len()).filter(|&id| !tree.is_leaf(id) && !gone[id]).collect()
}

fn sorted(mut ids: Vec<NodeId>) -> Vec<NodeId> {
    ids.sort_unstable();
    ids
}

#[test]
fn iris_by_its_petals() {
    let roles = Roles { ignore: vec!["sepallength".into(), "sepalwidth".into()], ..Roles::default() };
    let coded = CodedTable::new(&builtin::load("iris").unwrap(), &roles).unwrap();
    let tree = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
    let rule = KNorm::new(&tree, Lambda::Fixed(0.5), 0.5);
    let falls = fall(&tree, &rule);
    let by_k = [(1.0, 7), (2.0, 3), (100.0, 3), (17_781_895.0, 3), (17_781_896.0, 2), (f64::MAX, 2)];
    for (k, leaves) in by_k {
        let gone = cut(&tree, &rule, k, None);
        assert_eq!(1 + staying(&tree, &gone).len(), leaves, "{k}");
        assert_eq!(1 + falls.iter().filter(|&&f| f > k).count(), leaves, "{k}");
    }
    assert!(cut(&tree, &rule, f64::INFINITY, None)[0]);
    // The root separates one of three equal classes (theorem 5.9); three leaves at k = 2.
    assert_eq!(falls[0], f64::INFINITY);
    let gone = cut(&tree, &rule, 2.0, None);
    let kept = |id: NodeId| !tree.is_leaf(id) && !gone[id];
    let mut counts: Vec<&[f64]> = (1..tree.nodes().len())
        .filter(|&id| !kept(id) && kept(tree.node(id).parent.unwrap() as usize))
        .map(|id| tree.class_weights(id))
        .collect();
    counts.sort_by(|a, b| b.partial_cmp(a).unwrap());
    assert_eq!(counts, [[50.0, 0.0, 0.0], [0.0, 49.0, 5.0], [0.0, 1.0, 45.0]]);
}

/// The two subtrees of figure 5.1: the same 1-norm of 12 %, 2-norms of 16.2 % and 12.8 %; all leaves have 48 rows.
#[test]
fn equal_means_and_different_spreads() {
    let rule = KNorm { lambda: 1.0, eta: 0.5 };
    let [diverse, even] = [[0.0, 10.0], [5.0, 5.0]]
        .map(|wrong: [f64; 2]| split(&[vec![48.0 - wrong[0], wrong[0]], vec![48.0 - wrong[1], wrong[1]]]));
    for (tree, second) in [(diverse, 0.162), (even, 0.128)] {
        assert!((norms(&tree, &rule, 1.0)[0] - 0.12).abs() < 1e-12);
        assert!((norms(&tree, &rule, 2.0)[0] - second).abs() < 0.0005);
    }
}

#[test]
fn long_chains() {
    // Neither depth nor width costs more than another pass.
    let tree = chain(40_001);
    let rule = KNorm { lambda: 0.1, eta: 0.1 };
    let falls = fall(&tree, &rule);
    for k in [1.0, 1.5, 2.0, 7.0] {
        let gone = cut(&tree, &rule, k, None);
        assert!((0..falls.len()).all(|id| gone[id] == (!tree.is_leaf(id) && falls[id] <= k)), "{k}");
    }
}

#[test]
fn other_targets() {
    let numbers = (0..).map(|seed| random(seed, 9, 2)).find(|t| !t.is_classifier()).unwrap();
    let rule = KNorm::new(&numbers, Lambda::default(), 0.5);
    assert!(cut(&numbers, &rule, 2.0, None).iter().all(|gone| !gone));
    assert!(probability_cut(&numbers, &rule, 2).unwrap().iter().all(|gone| !gone));
    let single = (0..).map(|seed| random(seed, 9, 2)).find(|t| t.class_weights(0).len() == 1).unwrap();
    let falls = fall(&single, &rule);
    assert!((0..falls.len()).all(|id| falls[id] == if single.is_leaf(id) { f64::NEG_INFINITY } else { 1.0 }));
}

#[test]
fn costs_change_what_is_kept() {
    // Rare class 0 is 2 of 12 on the right; only when it is dear is it worth a split.
    let tree = split(&[vec![0.0, 60.0], vec![5.0, 12.0]]);
    let rule = KNorm { lambda: 0.5, eta: 0.5 };
    assert!(cut(&tree, &rule, 2.0, None)[0]);
    assert!(cut(&tree, &rule, 2.0, Some(&[0.0, 1.0, 1.0, 0.0]))[0]);
    assert!(!cut(&tree, &rule, 2.0, Some(&[0.0, 9.0, 1.0, 0.0]))[0]);
}

/// A loss matrix with the same price for every error.
fn unit_costs(tree: &Tree, price: f64) -> Vec<f64> {
    let j = tree.class_weights(0).len();
    (0..j * j).map(|i| if i / j == i % j { 0.0 } else { price }).collect()
}

/// Theorem 5.3 does not hold for costs: this split pays at 5, 6 and 7 and at no other whole k.
#[test]
fn a_split_may_pay_again_with_costs() {
    let tree = split(&[vec![1.0, 0.0], vec![3.0, 1.0]]);
    let rule = KNorm { lambda: 0.5, eta: 0.5 };
    let costs = [0.0, 1.0, 2.0, 0.0];
    let pays: Vec<u32> = (1..200).filter(|&k| !cut(&tree, &rule, f64::from(k), Some(&costs))[0]).collect();
    assert_eq!(pays, [5, 6, 7]);
    assert_eq!(risk_fall(&tree, &rule, &costs)[0], 1.0);
    assert!(cut(&tree, &rule, f64::INFINITY, Some(&costs))[0]);
}

proptest! {
    #[test]
    fn the_printed_algorithm(tree in trees(), rule in all_rules(), k in 1u32..30) {
        let mut stays = vec![];
        let is_defined = rule.lambda > 0.0 || tree.nodes().iter().all(|node| node.weight > 0.0);
        if is_defined && prune_tree(&tree, 0, &rule, k, &mut stays).is_some() {
            prop_assert_eq!(staying(&tree, &cut(&tree, &rule, f64::from(k), None)), sorted(stays));
        }
    }

    /// Property 1 (5.1.1): no other pruned version has a smaller moment.
    #[test]
    fn the_best_of_all_prunings(seed in any::<u64>(), splits in 1usize..7, rule in rules(), k in 1.0..20.0f64) {
        let tree = grown(seed, splits, 2, false);
        let mut all = all_prunings(&tree, 0, &rule, k);
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        if all.get(1).is_none_or(|second| second.0 > all[0].0 * (1.0 + 1e-9)) {
            let best = sorted(all.swap_remove(0).1);
            prop_assert_eq!(staying(&tree, &cut(&tree, &rule, k, None)), best);
        }
    }

    #[test]
    fn minimum_error_pruning_is_the_1_norm(tree in trees(), lambda in 0.01..2.0f64) {
        let mut stays = vec![];
        let full = (0..tree.nodes().len()).all(|id| tree.node(id).weight > 0.0 || tree.is_leaf(id));
        if full && minimum_error(&tree, 0, lambda, &mut stays).is_some() {
            let rule = KNorm { lambda, eta: 0.0 };
            prop_assert_eq!(staying(&tree, &cut(&tree, &rule, 1.0, None)), sorted(stays));
        }
    }

    #[test]
    fn unit_costs_are_errors(tree in trees(), rule in rules(), k in 1u32..12) {
        let costs = unit_costs(&tree, 3.0);
        let mut stays = vec![];
        if prune_tree(&tree, 0, &rule, k, &mut stays).is_some() {
            let k = f64::from(k);
            prop_assert_eq!(cut(&tree, &rule, k, Some(&costs)), cut(&tree, &rule, k, None));
        }
    }

    /// Also far out, and between whole numbers.
    #[test]
    fn the_path_of_unit_costs_is_that_of_errors(tree in trees(), rule in rules()) {
        let (errors, costs) = (fall(&tree, &rule), risk_fall(&tree, &rule, &unit_costs(&tree, 1.0)));
        for (id, (a, b)) in errors.into_iter().zip(costs).enumerate() {
            prop_assert!(a == b || (a - b).abs() < 1e-11 * a, "{}: {} {}", id, a, b);
        }
    }

    /// Every member is pruned from the one before, so it has no split that the tree pruned at its k alone lacks.
    #[test]
    fn paths_with_costs_are_nested_and_within_the_cuts(
        tree in trees(), rule in rules(), prices in prop::collection::vec(0.0..9.0f64, 16), few in any::<bool>(), log_k in 0.0..5.0f64,
    ) {
        let j = tree.class_weights(0).len();
        let costs: Vec<f64> = (0..j * j)
            .map(|i| match (i / j == i % j, few) {
                (true, _) => 0.0,
                (_, true) => prices[i % j],
                _ => prices[i],
            })
            .collect();
        let falls = risk_fall(&tree, &rule, &costs);
        for (id, node) in tree.nodes().iter().enumerate() {
            prop_assert_eq!(tree.is_leaf(id), falls[id] == f64::NEG_INFINITY);
            prop_assert!(tree.is_leaf(id) || falls[id] >= 1.0);
            prop_assert!(node.parent.is_none_or(|p| falls[id] <= falls[p as usize]));
        }
        let whole = log_k.exp().floor().min(32.0);
        for k in [1.0, whole, if few { log_k.exp() } else { whole }] {
            let gone = cut(&tree, &rule, k, Some(&costs));
            for id in 0..falls.len() {
                let is_kept = !tree.is_leaf(id) && falls[id] > k;
                let is_close = (falls[id] - k).abs() < 1e-9 * k;
                prop_assert!(!is_kept || !gone[id] || is_close, "{} at {}", id, k);
                prop_assert!(k > 1.0 || tree.is_leaf(id) || is_kept != gone[id]);
            }
        }
    }

    #[test]
    fn paths_for_probabilities_are_nested_and_within_the_cuts(tree in trees(), rule in rules(), half in 1u32..32) {
        let falls = probability_fall(&tree, &rule);
        let gone = probability_cut(&tree, &rule, 2 * half).unwrap();
        let first = probability_cut(&tree, &rule, 2).unwrap();
        for (id, node) in tree.nodes().iter().enumerate() {
            prop_assert!(node.parent.is_none_or(|p| falls[id] <= falls[p as usize]));
            prop_assert!(falls[id] <= f64::from(2 * half) || !gone[id]);
            prop_assert!(tree.is_leaf(id) || (falls[id] <= 2.0) == first[id]);
        }
    }

    /// (7.18) with (7.20): the recursion of figure 4.1 on sums of squared (or fourth-power) errors.
    #[test]
    fn pruning_for_probabilities(tree in trees(), rule in rules(), k in prop_oneof![Just(2u32), Just(4), Just(10)]) {
        let gone = probability_cut(&tree, &rule, k).unwrap();
        let mut moments = vec![0.0; gone.len()];
        for id in (0..gone.len()).rev() {
            let as_leaf = log_probability_moment(tree.class_weights(id), rule.lambda, k).exp();
            let children = tree.children(id);
            let total = tree.node(id).weight + rule.eta * children.len() as f64;
            let subtree: f64 = children.map(|c| (tree.node(c).weight + rule.eta) / total * moments[c]).sum();
            moments[id] = if tree.is_leaf(id) { as_leaf } else { subtree.min(as_leaf) };
            let is_below = tree.node(id).parent.is_some_and(|p| gone[p as usize]);
            let is_close = (subtree - as_leaf).abs() < 1e-9 * as_leaf || total <= 0.0;
            if !tree.is_leaf(id) && !is_close {
                prop_assert_eq!(gone[id], is_below || subtree > as_leaf);
            }
        }
    }

    /// Corollary 5.4, for whole and for real steps.
    #[test]
    fn larger_k_prune_more(tree in trees(), rule in all_rules(), log_k in 0.0..20.0f64, step in 0.0..3.0f64) {
        let k = log_k.exp();
        for larger in [k + 1.0, k + step] {
            let [few, more] = [k, larger].map(|k| cut(&tree, &rule, k, None));
            prop_assert!(few.iter().zip(&more).all(|(few, more)| !few | more));
        }
    }

    #[test]
    fn the_path_is_the_cuts(tree in trees(), rule in all_rules(), whole in 1u32..60, log_k in 0.0..60.0f64) {
        let falls = fall(&tree, &rule);
        for (id, node) in tree.nodes().iter().enumerate() {
            prop_assert_eq!(tree.is_leaf(id), falls[id] == f64::NEG_INFINITY);
            prop_assert!(tree.is_leaf(id) || falls[id] >= 1.0);
            prop_assert!(node.parent.is_none_or(|p| falls[id] <= falls[p as usize]));
        }
        let own = falls.iter().copied().filter(|f| f.is_finite());
        let around = own.flat_map(|f| [f, f * (1.0 - 1e-9), f * (1.0 + 1e-9)]).filter(|&k| k >= 1.0);
        for k in [1.0, f64::from(whole), log_k.exp()].into_iter().chain(around) {
            let expected: Vec<bool> = (0..falls.len()).map(|id| !tree.is_leaf(id) && falls[id] <= k).collect();
            prop_assert_eq!(cut(&tree, &rule, k, None), expected, "{}", k);
        }
    }

    /// Theorems 5.5 and 5.8.
    #[test]
    fn norms_grow_to_one(tree in trees(), rule in rules(), log_k in 0.0..6.0f64, step in 0.05..3.0f64) {
        let k = log_k.exp();
        for (less, more) in norms(&tree, &rule, k).into_iter().zip(norms(&tree, &rule, k + step)) {
            prop_assert!(less < more && more < 1.0, "{} {}", less, more);
        }
        prop_assert!(norms(&tree, &rule, 1e9).iter().all(|&norm| norm > 1.0 - 1e-4 && norm < 1.0));
    }

    /// Theorem 5.3.
    #[test]
    fn what_does_not_pay_never_will(leaves in leaves(), rule in rules(), log_k in 0.0..5.0f64, step in 0.1..3.0f64) {
        let (tree, k) = (split(&leaves), log_k.exp());
        let (subtree, as_leaf) = both(&tree, &rule, k);
        if subtree >= as_leaf {
            for larger in [k + 1.0, k + step] {
                let (subtree, as_leaf) = both(&tree, &rule, larger);
                prop_assert!(subtree > as_leaf, "{} {}", subtree, as_leaf);
            }
        }
    }

    /// Theorem 4.3 (effective splits pay at k = 1), theorem 5.6 and corollary 5.7 (ineffective ones never do).
    #[test]
    fn effective_splits(leaves in leaves(), lambda in 0.001..1.0f64, eta in 0.0..=1.0f64, log_k in 0.0..9.0f64) {
        let tree = split(&leaves);
        let (branches, classes) = (leaves.len() as f64, leaves[0].len() as f64);
        let all = tree.class_weights(0);
        let is_effective = leaves.iter().map(|c| errors(c)).sum::<f64>() < errors(all);
        if is_effective {
            let lambda = lambda / ((branches - 1.0) * (classes - 1.0));
            let rule = KNorm { lambda, eta: eta * lambda * classes };
            let (subtree, as_leaf) = both(&tree, &rule, 1.0);
            prop_assert!(subtree < as_leaf);
            prop_assert!(!cut(&tree, &rule, 1.0, None)[0]);
            prop_assert!(fall(&tree, &rule)[0] > 1.0);
        } else {
            let rule = KNorm { lambda: 3.0 * lambda, eta: eta * 3.0 * lambda * classes };
            prop_assert!(cut(&tree, &rule, 1.0, None)[0]);
            prop_assert!(cut(&tree, &rule, log_k.exp(), None)[0]);
            prop_assert_eq!(fall(&tree, &rule)[0], 1.0);
            let (subtree, as_leaf) = both(&tree, &rule, 1.0);
            let is_even = leaves.iter().all(|c| c.iter().all(|&n| n == c[0]));
            prop_assert_eq!(is_even, (subtree - as_leaf).abs() < 1e-13, "{} {}", subtree, as_leaf);
        }
    }

    /// Theorem 5.9: a split survives every finite k if and only if every leaf has all rows of a largest class.
    #[test]
    fn splits_that_survive(leaves in leaves(), perfect in any::<bool>(), rule in rules(), log_k in 0.0..300.0f64) {
        let mut leaves: Vec<Vec<f64>> = leaves.into_iter().map(|c| c.into_iter().map(|n| n.min(9.0)).collect()).collect();
        if perfect {
            // As many largest classes as leaves, 10 rows each, and a small class spread over the leaves.
            let branches = leaves.len();
            leaves = (0..branches).map(|b| (0..=branches).map(|j| match j {
                _ if j == b => 10.0,
                _ if j == branches => leaves[b][0] / branches as f64,
                _ => 0.0,
            }).collect()).collect();
        }
        let tree = split(&leaves);
        let largest = most(tree.class_weights(0));
        let is_perfect = leaves.iter().all(|c| most(c) == largest);
        prop_assert!(is_perfect || !perfect);
        let survives = fall(&tree, &rule)[0] == f64::INFINITY;
        prop_assert_eq!(survives, is_perfect);
        prop_assert!(!survives || !cut(&tree, &rule, log_k.exp(), None)[0]);
    }
}

/// Pruning twice is pruning once, with the heuristic's prior count and with costs: a tree that was cut still knows of how many
/// leaves it was. By its own leaves the prior count would be another one, and now and then so would the tree.
#[test]
fn pruning_again_changes_nothing() {
    let (mut by_own_leaves, mut members) = (0, 0);
    for seed in 0..400 {
        let tree = grown(seed, 30, 2, seed % 2 == 0);
        let mut dice = Dice(seed);
        let names = tree.schema().target.classes().to_vec();
        let matrix = (0..names.len().pow(2))
            .map(|i| if i % (names.len() + 1) == 0 { 0.0 } else { 1.0 + dice.below(9) as f64 });
        let costs = crate::schema::Costs::from_matrix(&names, matrix.collect()).unwrap();
        let tree = tree.with_costs(Some(std::sync::Arc::new(costs))).unwrap();
        let again = |tree: &Tree, k| {
            let rule = KNorm::new(tree, Lambda::default(), 0.5);
            tree.cut(&cut(tree, &rule, k, Some(tree.costs().unwrap().matrix())))
        };
        for k in [1.0, 2.0, 5.0] {
            let once = again(&tree, k);
            assert_eq!(again(&once, k), once, "seed {seed}, k = {k}");
            let forgetful =
                Tree::checked(once.schema().clone(), once.nodes().to_vec(), once.stats().clone()).unwrap();
            let forgetful = forgetful.with_costs(once.costs().cloned()).unwrap();
            by_own_leaves += usize::from(again(&forgetful, k).leaves() != once.leaves());
        }
        let path = |tree: &Tree| {
            let rule = KNorm::new(tree, Lambda::default(), 0.5);
            risk_fall(tree, &rule, tree.costs().unwrap().matrix())
        };
        let falls = path(&tree);
        let mut at: Vec<f64> = falls.iter().copied().filter(|f| f.is_finite()).collect();
        at.sort_by(f64::total_cmp);
        at.dedup();
        for k in at {
            let member = tree.cut(&falls.iter().map(|f| *f <= k).collect::<Vec<_>>());
            assert!(path(&member).iter().all(|f| *f > k || *f == f64::NEG_INFINITY), "seed {seed}, k = {k}");
            members += 1;
        }
    }
    assert!(by_own_leaves > 50 && members > 1000, "{by_own_leaves} {members}");
}
