//! Cutting: the tree that is left when some nodes become leaves.
//!
//! A cut is one `bool` per node: `true` makes the node a leaf, and what is below it goes. The nodes that stay keep
//! their order, their statistics and the rank of their split, so the result is again a prefix-ordered arena; ranks have
//! gaps where splits were removed. Needs the tree alone; linear in its nodes.

use crate::tree::{Node, Stats, Tree};

impl Tree {
    /// The tree in which the marked nodes are leaves.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::grow::{GrowSpec, grow};
    /// let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    /// let tree = grow(&table, &GrowSpec::cart(false), &secateur::progress::Silent).unwrap();
    /// let stump = tree.cut(&(0..tree.nodes().len()).map(|id| id > 0).collect::<Vec<_>>());
    /// assert_eq!((stump.nodes().len(), stump.leaves()), (3, 2));
    /// ```
    ///
    /// # Panics
    /// When there is not one mark for every node.
    pub fn cut(&self, leaf: &[bool]) -> Tree {
        assert_eq!(leaf.len(), self.nodes().len(), "a cut has one mark for every node");
        let kept = kept(self, leaf);
        // The new number of every node that stays.
        let mut place = vec![0u32; leaf.len()];
        kept.iter().zip(0..).for_each(|(&id, own)| place[id] = own);
        let node = |&id: &usize| {
            let node = self.node(id);
            let (rows, weight) = (node.rows, node.weight);
            let parent = node.parent.map(|p| place[p as usize]);
            if leaf[id] || node.condition.is_none() {
                return Node { parent, first_child: None, condition: None, rows, weight, gain: 0.0, rank: 0 };
            }
            Node { parent, first_child: node.first_child.map(|c| place[c as usize]), ..node.clone() }
        };
        self.like(kept.iter().map(node).collect(), gathered(self.stats(), &kept))
    }
}

/// The nodes that a cut leaves, in order. Looks at those only: a small tree is cut out of a large one in little time.
pub(crate) fn kept(tree: &Tree, leaf: &[bool]) -> Vec<usize> {
    let mut stays = vec![false; leaf.len()];
    stays[0] = true;
    let mut kept = Vec::new();
    for id in 0..leaf.len() {
        if stays[id] {
            kept.push(id);
            if !leaf[id] {
                stays[tree.children(id)].fill(true);
            }
        }
    }
    kept
}

/// The statistics of some nodes, in the order given.
fn gathered(stats: &Stats, kept: &[usize]) -> Stats {
    match stats {
        Stats::Classes { classes, weights } => Stats::Classes {
            classes: *classes,
            weights: kept.iter().flat_map(|&id| &weights[id * classes..][..*classes]).copied().collect(),
        },
        Stats::Numbers { mean, mse, median } => {
            let of = |numbers: &[f64]| kept.iter().map(|&id| numbers[id]).collect();
            let median = if median.is_empty() { Vec::new() } else { of(median) };
            Stats::Numbers { mean: of(mean), mse: of(mse), median }
        }
    }
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
