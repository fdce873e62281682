//! Walks over a tree: a node that knows its tree.

use super::{Condition, Node, NodeId, Tree};
use crate::schema::Attribute;

/// A node of a tree, to walk from. What it asks in words is given by [`branch_text`](Self::branch_text) and
/// [`outcome_text`](Self::outcome_text) of the room `report`.
///
/// ```
/// # let table = secateur::data::builtin::load("iris")?;
/// # let coded = secateur::data::CodedTable::new(&table, &secateur::data::Roles::default())?;
/// # let spec = secateur::spec::GrowSpec::cart(coded.task());
/// # let tree = secateur::grow::grow(&coded, &secateur::spec::GrowSpec { max_depth: Some(2), ..spec }, &secateur::progress::Silent)?;
/// for leaf in tree.root().leaves() {
///     println!("{} rows are {}: {}", leaf.rows(), leaf.label().unwrap_or("?"), leaf.branch_text());
/// }
/// let words: Vec<String> = tree.root().descendants().map(|node| node.branch_text()).collect();
/// assert_eq!(words, ["", "petallength < 2.45", "petallength ≥ 2.45", "petalwidth < 1.75", "petalwidth ≥ 1.75"]);
/// assert_eq!(tree.root().class_weights(), [50.0, 50.0, 50.0]);
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct NodeRef<'t> {
    pub(super) tree: &'t Tree,
    pub(super) id: NodeId,
}

impl Tree {
    /// The root, to walk from.
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { tree: self, id: 0 }
    }

    /// The node with this number, to walk from; `None` where the tree has no such node.
    pub fn get(&self, id: NodeId) -> Option<NodeRef<'_>> {
        (id < self.nodes().len()).then_some(NodeRef { tree: self, id })
    }
}

impl<'t> NodeRef<'t> {
    /// Its number in the tree.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The same without the tree.
    pub fn node(self) -> &'t Node {
        self.tree.node(self.id)
    }

    fn at(self, id: NodeId) -> Self {
        Self { id, ..self }
    }

    /// The node above; the root has none.
    pub fn parent(self) -> Option<Self> {
        self.node().parent.map(|id| self.at(id as usize))
    }

    /// The nodes above, the nearest first and the root last.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// The splits above it.
    pub fn depth(self) -> usize {
        self.ancestors().count()
    }

    /// The way from the root to this node, both with them.
    pub fn way(self) -> Vec<Self> {
        let mut way: Vec<Self> = std::iter::once(self).chain(self.ancestors()).collect();
        way.reverse();
        way
    }

    /// The nodes below, in branch order; none for a leaf.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        self.tree.children(self.id).map(move |id| self.at(id))
    }

    /// Which branch of its parent it is; `None` for the root.
    pub fn branch(self) -> Option<usize> {
        self.parent().map(|parent| self.id - self.tree.children(parent.id).start)
    }

    /// This node and all below it, a node before what is below it, the first branch before the second.
    pub fn descendants(self) -> Descendants<'t> {
        Descendants { waiting: vec![self] }
    }

    /// The leaves at or below this node, from left to right.
    pub fn leaves(self) -> impl Iterator<Item = Self> {
        self.descendants().filter(|node| node.is_leaf())
    }

    /// Whether it is a leaf.
    pub fn is_leaf(self) -> bool {
        self.condition().is_none()
    }

    /// How it sends rows to its children; a leaf has none.
    pub fn condition(self) -> Option<&'t Condition> {
        self.node().condition.as_ref()
    }

    /// The attribute that it tests; a leaf tests none.
    pub fn attribute(self) -> Option<&'t Attribute> {
        self.condition().map(|condition| &self.tree.schema().attributes[condition.attribute()])
    }

    /// The training rows that reach it, in whole or in part.
    pub fn rows(self) -> u64 {
        self.node().rows
    }

    /// Their weight.
    pub fn weight(self) -> f64 {
        self.node().weight
    }

    /// Its part of the weight of all training rows.
    pub fn support(self) -> f64 {
        self.weight() / self.tree.node(0).weight
    }

    /// What its split gains, per unit of weight; 0 for a leaf.
    pub fn gain(self) -> f64 {
        self.node().gain
    }

    /// The weight of every class among its rows; none for regression.
    pub fn class_weights(self) -> &'t [f64] {
        self.tree.class_weights(self.id)
    }

    /// The class that it predicts, as a leaf; `None` for regression.
    pub fn label(self) -> Option<&'t str> {
        let classes = self.tree.schema().target.classes();
        classes.get(self.tree.label(self.id)).map(String::as_str)
    }

    /// The number that it predicts, as a leaf; `None` for classification.
    pub fn value(self) -> Option<f64> {
        (!self.tree.is_classifier()).then(|| self.tree.value(self.id))
    }

    /// Its training error, as a leaf: the weight of the rows that it gets wrong (or what they cost), or their squared error.
    pub fn error(self) -> f64 {
        self.tree.error(self.id)
    }
}

impl PartialEq for NodeRef<'_> {
    /// Whether both are the same node of the same tree.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl Eq for NodeRef<'_> {}

impl std::fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeRef").field("id", &self.id).field("node", self.node()).finish()
    }
}

/// A node and all below it ([`NodeRef::descendants`]).
#[derive(Debug, Clone)]
pub struct Descendants<'t> {
    waiting: Vec<NodeRef<'t>>,
}

impl<'t> Iterator for Descendants<'t> {
    type Item = NodeRef<'t>;

    fn next(&mut self) -> Option<NodeRef<'t>> {
        let node = self.waiting.pop()?;
        self.waiting.extend(node.children().rev());
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::testing::{chain, random, weather};

    #[test]
    fn a_node_knows_its_place() {
        let tree = weather();
        let root = tree.root();
        assert_eq!((root.depth(), root.parent(), root.branch(), root.support()), (0, None, None, 1.0));
        assert_eq!(root.attribute().unwrap().name, "outlook");
        let last = root.leaves().last().unwrap();
        assert_eq!((last.depth(), last.branch(), last.label()), (2, Some(1), Some("yes")));
        assert_eq!(last.way().iter().map(|node| node.id()).collect::<Vec<_>>(), [0, 3, last.id()]);
        assert_eq!(tree.get(last.id()), Some(last));
        assert_eq!((tree.get(tree.nodes().len()), last.value()), (None, None));
    }

    proptest! {
        #[test]
        fn a_walk_sees_every_node_once_and_parents_first(seed: u64, splits in 0usize..40, shape in 0usize..3) {
            let tree = random(seed, splits, shape);
            let walk: Vec<NodeRef> = tree.root().descendants().collect();
            let mut place = vec![None; tree.nodes().len()];
            for (step, node) in walk.iter().enumerate() {
                prop_assert_eq!(place[node.id()].replace(step), None);
                prop_assert!(node.parent().is_none_or(|parent| place[parent.id()].is_some_and(|p| p < step)));
                prop_assert_eq!(node.depth() as u32, tree.depths()[node.id()]);
                prop_assert_eq!(node.way().len(), node.depth() + 1);
                // A node and all below it stand together.
                prop_assert_eq!(&walk[step..][..node.descendants().count()], &node.descendants().collect::<Vec<_>>()[..]);
            }
            prop_assert_eq!(walk.len(), tree.nodes().len());
            prop_assert_eq!(tree.root().leaves().count(), tree.leaves());
        }
    }

    #[test]
    fn a_long_chain_is_walked() {
        let tree = chain(300_001);
        assert_eq!(tree.root().leaves().last().unwrap().depth(), 150_000);
    }
}
