//! Where a split sends rows, in one shape for all kinds of conditions: what formats with tests of their own are written from.

use secateur::schema::{AttributeKind, Cell};
use secateur::tree::{Condition, NodeId, Tree};

/// Where a split sends rows. A branch of `None` means every branch, in proportion to their weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Ways {
    /// The attribute tested.
    pub attribute: usize,
    /// Where rows without a value go.
    pub missing: Option<usize>,
    /// Where rows with a value go that is not in the attribute's list; as with any number for numbers.
    pub unseen: Option<usize>,
    /// Where rows with a value go.
    pub known: Known,
}

/// Where rows with a value go.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// Numbers below a threshold to the first branch, the others to the second.
    Below(f64),
    /// All numbers to the first branch.
    AnyNumber,
    /// Each value of a list to a branch.
    Values(Vec<Option<usize>>),
}

impl Ways {
    /// Where a node sends rows; `None` for a leaf.
    pub fn of(tree: &Tree, node: NodeId) -> Option<Self> {
        let condition = tree.node(node).condition.as_ref()?;
        let attribute = condition.attribute();
        let known = match (&tree.schema().attributes[attribute].kind, condition) {
            (AttributeKind::Nominal { values }, _) => {
                let codes = 0..u32::try_from(values.len()).unwrap_or(u32::MAX);
                Known::Values(codes.map(|code| condition.route(Cell::Code(code))).collect())
            }
            (AttributeKind::Numeric, Condition::Threshold { below, .. }) => Known::Below(*below),
            (AttributeKind::Numeric, _) => Known::AnyNumber,
        };
        let unseen = match &known {
            Known::Values(_) => condition.route(Cell::Code(Cell::UNSEEN)),
            Known::Below(_) | Known::AnyNumber => Some(0),
        };
        Some(Self { attribute, missing: condition.route(Cell::Missing), unseen, known })
    }

    /// Whether all rows with a value, whatever it is, go to the first branch.
    pub fn is_known_from_missing(&self) -> bool {
        match &self.known {
            Known::AnyNumber => true,
            Known::Below(_) => false,
            Known::Values(branches) => {
                self.unseen == Some(0) && branches.iter().all(|branch| *branch == Some(0))
            }
        }
    }

    /// Whether some rows go down every branch.
    pub fn spread(&self) -> bool {
        let is_known = match &self.known {
            Known::Values(branches) => branches.iter().all(Option::is_some),
            Known::Below(_) | Known::AnyNumber => true,
        };
        self.missing.is_none() || self.unseen.is_none() || !is_known
    }
}

/// Where every node of a tree sends rows; `None` for leaves.
pub fn all(tree: &Tree) -> Vec<Option<Ways>> {
    (0..tree.nodes().len()).map(|node| Ways::of(tree, node)).collect()
}

/// Whether some rows go down several branches of a tree.
pub fn spreads(tree: &Tree) -> bool {
    (0..tree.nodes().len()).any(|node| Ways::of(tree, node).is_some_and(|ways| ways.spread()))
}

/// A warning for formats that send a row down the heaviest branch only, where the tree shares training rows among branches.
pub fn unshared(format: &str, tree: &Tree) -> Option<String> {
    let is_shared = |node: usize| {
        tree.children(node).map(|child| tree.node(child).rows).sum::<u64>() > tree.node(node).rows
    };
    (0..tree.nodes().len()).any(|node| !tree.is_leaf(node) && is_shared(node)).then(|| {
        format!(
            "the tree shares rows with missing or unseen values among the branches, and {format} sends them down the heaviest one: \
             predictions for such rows differ (a tree grown with missing=branch has a branch for missing values)"
        )
    })
}
