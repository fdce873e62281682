//! What an exported tree asks for: the attributes that it tests, in the order of the table it was grown from.

use secateur::schema::{Attribute, AttributeKind};
use secateur::tree::Tree;

/// One input.
#[derive(Debug, Clone, Copy)]
pub struct Input<'t> {
    /// The place of the attribute in the schema of the tree.
    pub place: usize,
    /// The attribute.
    pub attribute: &'t Attribute,
}

impl<'t> Input<'t> {
    /// Its name.
    pub fn name(&self) -> &'t str {
        &self.attribute.name
    }

    /// Whether it holds numbers.
    pub fn is_numeric(&self) -> bool {
        self.attribute.kind == AttributeKind::Numeric
    }

    /// Its values, for one that holds values from a list.
    pub fn values(&self) -> &'t [String] {
        self.attribute.values()
    }
}

/// The inputs of a tree.
#[derive(Debug, Clone)]
pub struct Inputs<'t> {
    list: Vec<Input<'t>>,
    /// For every attribute of the schema its place among the inputs.
    places: Vec<Option<usize>>,
}

impl<'t> Inputs<'t> {
    /// The attributes that a tree tests.
    pub fn of(tree: &'t Tree) -> Self {
        let attributes = &tree.schema().attributes;
        let mut tested = vec![false; attributes.len()];
        for condition in tree.nodes().iter().filter_map(|node| node.condition.as_ref()) {
            tested[condition.attribute()] = true;
        }
        let (mut list, mut places) = (Vec::new(), Vec::new());
        for (place, (attribute, tested)) in attributes.iter().zip(tested).enumerate() {
            places.push(tested.then_some(list.len()));
            if tested {
                list.push(Input { place, attribute });
            }
        }
        Self { list, places }
    }

    /// All inputs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Input<'t>> + '_ {
        self.list.iter().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the tree tests nothing: it is a single leaf.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The place among the inputs of a tested attribute of the schema.
    pub fn place(&self, attribute: usize) -> usize {
        self.places[attribute].unwrap_or(usize::MAX)
    }
}
