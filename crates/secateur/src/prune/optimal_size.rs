//! Optimal trees of every size: among all pruned subtrees with `l` leaves, one with the least risk.
//!
//! `best_t(1) = R(t)`, and for more leaves `best_t(l) = min Σ_c best_c(l_c)` over all ways to share `l = Σ_c l_c`
//! among the children (Bohanec and Bratko 1994). The trees of different sizes need not be nested, so this is not
//! a path.
//!
//! Needs the risk of every node. For sizes up to `m` it takes `O(L m)` steps: two children with `a` and `b` leaves
//! are joined in `min(a, m) · min(b, m)` steps, which add up to that. The tables of values in use never hold more
//! than `L` numbers; a tree is found again from two bytes for every size, kept only where two children with several
//! leaves each are joined. A split with more than two branches leaves gaps: sizes that no pruned subtree has.
//!
//! Selectors try every size up to 64 leaves, and none above.

use crate::method::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
use crate::method::{For, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::{Job, Parameter, PruneKind, Pruner, Spacing};

use super::cutting::{at_most, for_all};
use crate::tree::Tree;

/// The most leaves that can be asked for.
pub(crate) const MOST: usize = u16::MAX as usize;

/// The largest size that selectors try.
const TRIED: usize = 64;

/// The least risk for every attainable number of leaves up to `most`, ascending. A risk that is missing counts 0.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
/// use secateur::prune::optimal_size::sequence;
///
/// // Outlook has three values, so no tree has two leaves; the whole tree has five.
/// let coded = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
/// let tree = grow(&coded, &GrowSpec::c45(Task::Classification), &Silent).unwrap();
/// let risk: Vec<f64> = (0..tree.nodes().len()).map(|id| tree.error(id)).collect();
/// assert_eq!(sequence(&tree, &risk, 10), [(1, 5.0), (3, 4.0), (4, 2.0), (5, 0.0)]);
/// ```
pub fn sequence(tree: &Tree, risk: &[f64], most: usize) -> Vec<(usize, f64)> {
    let table = solve(tree, risk, most.min(MOST), None);
    (1..).zip(table).filter(|(_, risk)| *risk < f64::INFINITY).collect()
}

/// The cut that leaves the tree with exactly this many leaves and the least risk; `None` when no pruned subtree has that many
/// leaves, or more than [`MOST`] are asked for.
pub(crate) fn best(tree: &Tree, risk: &[f64], leaves: usize) -> Option<Vec<bool>> {
    let nodes = tree.nodes().len();
    if leaves == 0 || leaves > MOST {
        return None;
    }
    let mut shares = vec![Box::default(); nodes];
    let table = solve(tree, risk, leaves, Some(&mut shares));
    if !table.get(leaves - 1).is_some_and(|risk| *risk < f64::INFINITY) {
        return None;
    }
    // From the top down: how many leaves every node gets; what lies below a cut gets none.
    let mut gets = vec![0usize; nodes];
    gets[0] = leaves;
    for id in 0..nodes {
        let children = tree.children(id);
        if gets[id] < 2 {
            continue;
        }
        let mut rest = gets[id];
        for (before, child) in children.enumerate().rev() {
            gets[child] = share(tree, &shares, child, before, rest);
            rest -= gets[child];
        }
    }
    Some((0..nodes).map(|id| gets[id] < 2).collect())
}

/// How many of `all` leaves go to a child with `before` siblings before it, which get the rest.
fn share(tree: &Tree, shares: &[Box<[u16]>], child: usize, before: usize, all: usize) -> usize {
    let stored = &shares[child];
    if !stored.is_empty() {
        usize::from(stored[all - before - 1])
    } else if tree.is_leaf(child) {
        1
    } else {
        // Nothing stored: the siblings before it have one leaf each.
        all - before
    }
}

/// Fills the tables from the bottom up and returns the root's: entry `l − 1` is the least risk with `l` leaves.
fn solve(tree: &Tree, risk: &[f64], most: usize, mut shares: Option<&mut Vec<Box<[u16]>>>) -> Vec<f64> {
    let risk = &*for_all(tree, risk);
    let mut tables: Vec<Vec<f64>> = vec![Vec::new(); tree.nodes().len()];
    if most == 0 {
        return Vec::new();
    }
    for id in (0..tables.len()).rev() {
        // Entry `i` of `sum`: the least risk of the first `k` children with `k + i` leaves.
        let mut sum = vec![0.0];
        let mut children = 0;
        for child in tree.children(id) {
            let table = std::mem::take(&mut tables[child]);
            let room = (most + 1).saturating_sub(children + 1);
            sum = if sum.len() == 1 {
                shifted(table, sum[0], room)
            } else if table.len() == 1 && tree.is_leaf(child) {
                shifted(sum, table[0], room)
            } else {
                let (joined, chosen) = joined(&sum, &table, room);
                if let Some(shares) = shares.as_deref_mut() {
                    shares[child] = chosen.into();
                }
                joined
            };
            children += 1;
        }
        // A single branch adds no leaf, and the node itself is the tree with one.
        tables[id] = if children == 0 {
            vec![risk[id]]
        } else {
            let mut table = vec![f64::INFINITY; children - 1];
            table.append(&mut sum);
            table.truncate(most);
            if table.is_empty() {
                table.push(risk[id])
            } else {
                table[0] = risk[id]
            }
            table
        };
    }
    tables.swap_remove(0)
}

/// A table with one more node of fixed risk beside it.
fn shifted(mut table: Vec<f64>, risk: f64, room: usize) -> Vec<f64> {
    table.truncate(room);
    for entry in &mut table {
        *entry += risk;
    }
    table
}

/// Every sum of one entry of each: the least for every number of leaves, and the second one's share of them. Of equal
/// sums (up to rounding) the one with the smallest share.
fn joined(sum: &[f64], table: &[f64], room: usize) -> (Vec<f64>, Vec<u16>) {
    let sizes = (sum.len() + table.len() - 1).min(room);
    let mut best = vec![f64::INFINITY; sizes];
    let mut chosen = vec![1; sizes];
    for (more, &risk) in table.iter().enumerate().take(sizes) {
        if risk == f64::INFINITY {
            continue;
        }
        for (i, &other) in sum.iter().enumerate().take(sizes - more) {
            let both = risk + other;
            let least = best[i + more];
            if least == f64::INFINITY || both < least && !at_most(least, both) {
                (best[i + more], chosen[i + more]) = (both, (more + 1) as u16);
            }
        }
    }
    (best, chosen)
}

/// The most accurate tree of a size.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "optimal-size",
        one_line: "for a number of leaves, the cut with the fewest training errors",
        paper: "Bohanec and Bratko: Trading accuracy for simplicity in decision trees, 1994",
        params: &[
            ParamSpec::new(
                "leaves",
                ParamKind::Integer { min: 1, max: 1000 },
                "the number of leaves, at most (without it, sizes up to 64 are tried)",
            ),
            CV,
            HOLDOUT,
            ONE_SE,
            SE,
            CHOOSE_BY,
        ],
        needs: Needs::Folds,
        exceptions: &[],
    },
    only: For::Both,
    kind: PruneKind::Family {
        parameter: Parameter { name: "leaves", spacing: Spacing::Exact },
        grid: |job: &Job| (1..=job.tree.leaves().min(TRIED)).rev().map(|n| n as f64).collect(),
        cut: |job: &Job, leaves: f64| {
            // Splits of many branches leave gaps: the next smaller size then.
            let sizes = (1..=leaves as usize).rev();
            let found = sizes.take(1000).find_map(|n| best(job.tree, job.risk(), n));
            found.ok_or_else(|| crate::error::Error::parameter("the tree cannot be cut to that size"))
        },
        raise: None,
    },
};

typed_options! {
    /// The best tree of a size.
    OptimalSize of PRUNER {
        leaves "leaves": usize = "the number of leaves, at most (without it, sizes up to 64 are tried)",
        ..SELECTORS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::testing::{after, all_subtrees, errors};
    use crate::tree::testing::{
        Dice, below, build, chain, classes, each, leaf, nominal, numeric, random, weather,
    };
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_subtree_is_better(seed in 0u64.., splits in 0usize..8, shape in 0usize..3, own in any::<bool>()) {
            let tree = random(seed, splits, shape);
            prop_assume!(tree.leaves() <= 14);
            let mut dice = Dice(seed);
            let risk = if own { errors(&tree) } else { tree.nodes().iter().map(|_| dice.below(30) as f64).collect() };
            let of = |leaves: &[usize]| leaves.iter().map(|&id| risk[id]).sum::<f64>();
            let mut least = vec![f64::INFINITY; tree.leaves() + 3];
            for subtree in all_subtrees(&tree) {
                least[subtree.len()] = least[subtree.len()].min(of(&subtree));
            }
            let most = 1 + dice.below(tree.leaves() + 1);
            let got = sequence(&tree, &risk, most);
            let want: Vec<usize> = (1..=most).filter(|&l| least[l] < f64::INFINITY).collect();
            prop_assert_eq!(got.iter().map(|g| g.0).collect::<Vec<_>>(), want);
            for (leaves, risk) in got {
                prop_assert!((risk - least[leaves]).abs() < 1e-9);
            }
            for (leaves, &least) in least.iter().enumerate() {
                let cut = best(&tree, &risk, leaves);
                prop_assert_eq!(cut.is_some(), least < f64::INFINITY, "{} leaves", leaves);
                if let Some(cut) = cut {
                    let kept = after(&tree, &cut);
                    prop_assert_eq!(kept.len(), leaves);
                    prop_assert!((of(&kept) - least).abs() < 1e-9);
                }
            }
        }

        #[test]
        fn larger_trees_are_found_again(seed in 0u64.., splits in 20usize..120, shape in 0usize..3) {
            let tree = random(seed, splits, shape);
            let risk = errors(&tree);
            for (leaves, least) in sequence(&tree, &risk, 40) {
                let kept = after(&tree, &best(&tree, &risk, leaves).unwrap());
                let of: f64 = kept.iter().map(|&id| risk[id]).sum();
                prop_assert!(kept.len() == leaves && (of - least).abs() < 1e-9 * (1.0 + of));
            }
        }
    }

    #[test]
    fn sums_that_differ_by_rounding_are_equal() {
        // Three leaves: the third comes from the first child or from the second, and both save as much up to rounding.
        let pair = || below(0, 1.0, leaf(&[1.0]), leaf(&[1.0]));
        let tree = build(vec![numeric("x")], classes("c", &["a"]), below(0, 2.0, pair(), pair()));
        let third = 1.0_f64 / 3.0;
        let (a, b) = (third + third + third - 0.7, 0.3);
        assert!(a != b && (a - b).abs() < 1e-15);
        for (first, second) in [(a, b), (b, a)] {
            let risk = [9.0, 1.0, 1.0, first / 2.0, first / 2.0, second / 2.0, second / 2.0];
            // The second child gets the smaller share.
            assert_eq!(after(&tree, &best(&tree, &risk, 3).unwrap()), [2, 3, 4]);
        }
    }

    #[test]
    fn gaps_of_multiway_splits() {
        let tree = weather();
        assert_eq!(best(&tree, &errors(&tree), 2), None);
        assert_eq!(best(&tree, &errors(&tree), 6), None);
        assert!(sequence(&tree, &errors(&tree), 0).is_empty());
        assert_eq!(after(&tree, &best(&tree, &errors(&tree), 5).unwrap()).len(), 5);
    }

    #[test]
    fn splits_with_one_branch_add_no_leaf() {
        let pair = || below(0, 1.0, leaf(&[3.0, 0.0]), leaf(&[0.0, 2.0]));
        let one = each(1, vec![leaf(&[1.0, 2.0])]);
        let attributes = vec![numeric("x"), nominal("a", &["only"])];
        let tree = build(attributes, classes("c", &["p", "q"]), below(0, 2.0, pair(), one));
        let risk = errors(&tree);
        assert_eq!(sequence(&tree, &risk, 9), [(1, 4.0), (2, 3.0), (3, 1.0)]);
        assert_eq!(after(&tree, &best(&tree, &risk, 3).unwrap()), [2, 3, 4]);
        assert!(crate::prune::cost_complexity::fall(&tree, &risk, 8.0)[2] <= 0.0);
    }

    #[test]
    fn long_chains() {
        let tree = chain(200_001);
        let risk = errors(&tree);
        let sizes = sequence(&tree, &risk, 20);
        assert_eq!(sizes.len(), 20);
        assert!(sizes.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert_eq!(after(&tree, &best(&tree, &risk, 20).unwrap()).len(), 20);
        assert_eq!(best(&tree, &risk, MOST + 1), None);
    }
}
