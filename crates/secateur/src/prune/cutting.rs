//! Cutting: the tree that is left when some nodes become leaves.
//!
//! A cut is one `bool` per node: `true` makes the node a leaf, and what is below it goes. The nodes that stay keep
//! their order, their statistics and the rank of their split, so the result is again a prefix-ordered arena; ranks have
//! gaps where splits were removed. Needs the tree alone; linear in its nodes.

use std::borrow::Cow;

use crate::tree::{Node, Stats, Tree};

impl Tree {
    /// The tree in which the marked nodes are leaves.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::grow::grow;
    /// use secateur::schema::Task;
    /// use secateur::spec::GrowSpec;
    /// let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    /// let tree = grow(&table, &GrowSpec::cart(Task::Classification), &secateur::progress::Silent).unwrap();
    /// let stump = tree.cut(&(0..tree.nodes().len()).map(|id| id > 0).collect::<Vec<_>>());
    /// assert_eq!((stump.nodes().len(), stump.leaves()), (3, 2));
    /// ```
    ///
    /// A node without a mark stays as it is.
    pub fn cut(&self, leaf: &[bool]) -> Tree {
        let kept = kept(self, leaf);
        let marked = |id: usize| leaf.get(id).copied().unwrap_or(false);
        // The new number of every node that stays.
        let mut place = vec![0u32; self.nodes().len()];
        kept.iter().zip(0..).for_each(|(&id, own)| place[id] = own);
        let node = |&id: &usize| {
            let node = self.node(id);
            let (rows, weight) = (node.rows, node.weight);
            let parent = node.parent.map(|p| place[p as usize]);
            if marked(id) || node.condition.is_none() {
                return Node { parent, first_child: None, condition: None, rows, weight, gain: 0.0, rank: 0 };
            }
            Node { parent, first_child: node.first_child.map(|c| place[c as usize]), ..node.clone() }
        };
        self.like(kept.iter().map(node).collect(), gathered(self.stats(), &kept))
    }
}

/// The nodes that a cut leaves, in order. Looks at those only: a small tree is cut out of a large one in little time.
pub(crate) fn kept(tree: &Tree, leaf: &[bool]) -> Vec<usize> {
    let mut stays = vec![false; tree.nodes().len()];
    stays[0] = true;
    let mut kept = Vec::new();
    for id in 0..stays.len() {
        if stays[id] {
            kept.push(id);
            if !leaf.get(id).copied().unwrap_or(false) {
                for child in tree.children(id) {
                    stays[child] = true;
                }
            }
        }
    }
    kept
}

/// The statistics of some nodes, in the order given.
fn gathered(stats: &Stats, kept: &[usize]) -> Stats {
    match stats {
        Stats::Classes { classes, weights } => {
            let mut own = Vec::with_capacity(kept.len() * classes);
            kept.iter().for_each(|&id| own.extend_from_slice(&weights[id * classes..][..*classes]));
            Stats::Classes { classes: *classes, weights: own }
        }
        Stats::Numbers { mean, mse, median } => {
            let of = |numbers: &[f64]| kept.iter().map(|&id| numbers[id]).collect();
            let median = if median.is_empty() { Vec::new() } else { of(median) };
            Stats::Numbers { mean: of(mean), mse: of(mse), median }
        }
    }
}

/// One number for every node: what is missing is 0.
pub(crate) fn for_all<'a>(tree: &Tree, numbers: &'a [f64]) -> Cow<'a, [f64]> {
    if numbers.len() >= tree.nodes().len() {
        return Cow::Borrowed(numbers);
    }
    let mut all = numbers.to_vec();
    all.resize(tree.nodes().len(), 0.0);
    Cow::Owned(all)
}

/// Whether one sum of errors is at most another, with room for the rounding of sums over many nodes.
pub(crate) fn at_most(a: f64, b: f64) -> bool {
    a <= b + 1e-10 * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::{chain, iris, random};
    use proptest::prelude::*;

    fn check(tree: &Tree) {
        Tree::checked(tree.schema().clone(), tree.nodes().to_vec(), tree.stats().clone()).unwrap();
    }

    #[test]
    fn what_is_below_a_mark_goes_and_the_rest_stays() {
        let tree = iris();
        let mut marks = vec![false; 7];
        assert_eq!(tree.cut(&marks), tree);
        marks[3] = true;
        let cut = tree.cut(&marks);
        assert_eq!((cut.nodes().len(), cut.leaves()), (5, 3));
        assert_eq!(cut.class_weights(3), [0.0, 49.0, 5.0]);
        assert_eq!(tree.cut(&[true; 7]).nodes().len(), 1);
        check(&cut);
    }

    #[test]
    fn lists_that_are_too_short_are_no_panic() {
        use crate::prune::path::sum_of_leaves;
        use crate::prune::{Path, size_pessimistic};
        use crate::prune::{cost_complexity, error_based, intermediate, optimal_size, path, reduced_error};
        let tree = iris();
        for short in [&[][..], &[1.0, 2.0]] {
            assert_eq!(tree.cut(&vec![false; short.len()]), tree);
            assert_eq!(sum_of_leaves(&tree, &[], short), short.iter().skip(1).sum::<f64>());
            let path = Path::nested(&tree, short.to_vec(), 0.0);
            assert_eq!(path.sums(&tree, short).len(), path.parameters().len());
            assert_eq!(error_based::cut(&tree, short, 0.25, error_based::Limit::Exact).len(), 7);
            assert_eq!(size_pessimistic::cut(&tree, short, 0.2, 4).len(), 7);
            assert_eq!(reduced_error::cut(&tree, short).len(), 7);
            assert_eq!(intermediate::best_prefix(&tree, short).1.len(), 4);
            assert_eq!(optimal_size::sequence(&tree, short, 4).len(), 4);
            assert_eq!(cost_complexity::fall(&tree, short, 150.0).len(), 7);
        }
        assert!(path::Path::cuts(vec![], vec![]).is_err());
        assert!(Path::cuts(vec![1.0], vec![]).is_err());
    }

    #[test]
    fn a_chain_is_cut_in_one_pass() {
        let tree = chain(400_001);
        let marks: Vec<bool> = (0..400_001).map(|id| id >= 200_000).collect();
        assert_eq!(tree.cut(&marks).nodes().len(), 200_001);
    }

    proptest! {
        #[test]
        fn a_cut_is_a_good_tree_and_keeps_what_its_nodes_know(
            seed in any::<u64>(), splits in 0usize..60, shape in 0usize..3, marked in any::<u64>(),
        ) {
            let tree = random(seed, splits, shape);
            let marks: Vec<bool> = (0..tree.nodes().len()).map(|id| (marked >> (id * 7 % 64)) & 3 == 0).collect();
            let cut = tree.cut(&marks);
            check(&cut);
            prop_assert!(cut.leaves() <= tree.leaves());
            // Walk both trees in step from the root.
            let mut pairs = vec![(0, 0)];
            let mut met = 0;
            while let Some((new, old)) = pairs.pop() {
                met += 1;
                let (a, b) = (cut.node(new), tree.node(old));
                prop_assert_eq!((a.rows, a.weight), (b.rows, b.weight));
                prop_assert_eq!(cut.error(new), tree.error(old));
                prop_assert_eq!(cut.is_leaf(new), marks[old] || tree.is_leaf(old));
                if !cut.is_leaf(new) {
                    prop_assert_eq!((a.rank, &a.condition), (b.rank, &b.condition));
                    pairs.extend(cut.children(new).zip(tree.children(old)));
                }
            }
            prop_assert_eq!(met, cut.nodes().len());
            prop_assert_eq!(cut.cut(&vec![false; met]), cut);
        }
    }
}
