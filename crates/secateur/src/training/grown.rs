//! A grown tree, the rows it was grown from, and what the rows held out from it say.

use std::sync::{Arc, OnceLock};

use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::route::{Routed, squared_losses};
use crate::schema::Costs;
use crate::tree::Tree;

/// A grown tree with the rows it was grown from and those held out from it.
pub struct Grown {
    /// The tree.
    pub tree: Arc<Tree>,
    /// The weights it was grown with; `None` for the table's own.
    pub weights: Option<Vec<f64>>,
    /// The weights of the rows held out; empty for a full tree.
    pub held: Vec<f64>,
    /// How long growing took.
    pub seconds: f64,
    /// The weight of the rows held out.
    held_weight: f64,
    /// For numbers whose held-out rows are elsewhere: the squared losses of every node.
    squares: Option<Vec<f64>>,
    /// Whether the rows held out are not in the table: they are known as sums only.
    held_elsewhere: bool,
    /// Whether held-out rows that go several ways are judged in parts ([`FitOptions::to_the_bit`](super::FitOptions::to_the_bit)).
    in_parts: bool,
    routed: OnceLock<Routed>,
}

impl Grown {
    /// A tree with its rows; it takes the costs, and `in_parts` says whether held-out rows that go several ways are judged in parts.
    pub(super) fn new(
        tree: Tree,
        costs: Option<Arc<Costs>>,
        (weights, held): (Option<Vec<f64>>, Vec<f64>),
        seconds: f64,
        in_parts: bool,
    ) -> Result<Self> {
        let tree = Arc::new(tree.with_costs(costs)?);
        Ok(Self::with_rows(tree, (weights, held), seconds, in_parts))
    }

    fn with_rows(
        tree: Arc<Tree>,
        (weights, held): (Option<Vec<f64>>, Vec<f64>),
        seconds: f64,
        in_parts: bool,
    ) -> Self {
        Self {
            tree,
            weights,
            held_weight: held.iter().sum(),
            held,
            seconds,
            squares: None,
            held_elsewhere: false,
            in_parts,
            routed: OnceLock::new(),
        }
    }

    /// A tree that was grown from rows which are not here.
    pub(crate) fn elsewhere(tree: Tree, costs: Option<Arc<Costs>>, seconds: f64) -> Result<Self> {
        Self::new(tree, costs, (None, Vec::new()), seconds, false)
    }

    /// The same with what its held-out rows say; `held` are the weights of those in the table.
    pub(crate) fn judged(
        self,
        routed: Routed,
        squares: Option<Vec<f64>>,
        held_weight: f64,
        held: Vec<f64>,
    ) -> Self {
        Self { held, held_weight, squares, held_elsewhere: true, routed: OnceLock::from(routed), ..self }
    }

    /// The weight of the rows held out.
    pub fn held_weight(&self) -> f64 {
        self.held_weight
    }

    /// Whether the rows held out are known as sums only.
    pub(crate) fn held_elsewhere(&self) -> bool {
        self.held_elsewhere
    }

    /// For numbers: the squared losses of the held-out rows at every node of a tree seen as a leaf, as far as they are counted there. The tree
    /// is this one, or one that was made from it.
    pub(crate) fn squared_losses(
        &self,
        tree: &Tree,
        table: &CodedTable,
        routed: &Routed,
    ) -> Result<Vec<f64>> {
        match &self.squares {
            Some(squares) => Ok(squares.clone()),
            None => squared_losses(tree, table, &self.held, routed),
        }
    }

    /// The held-out rows, sent down the tree.
    pub fn routed(&self, table: &CodedTable) -> Result<&Routed> {
        if self.routed.get().is_none() {
            // Whoever is first: the result is the same.
            let _ = self.routed.set(self.route(&self.tree, table)?);
        }
        self.routed.get().ok_or_else(|| Error::internal("no rows are held out"))
    }

    /// The same tree with other rows to be judged by.
    pub(crate) fn judged_on(&self, held: Vec<f64>) -> Self {
        Self::with_rows(self.tree.clone(), (self.weights.clone(), held), self.seconds, self.in_parts)
    }

    /// The held-out rows, sent down another tree.
    pub(crate) fn route(&self, tree: &Tree, table: &CodedTable) -> Result<Routed> {
        let route = if self.in_parts { Routed::new } else { Routed::apart };
        route(tree, table, Some(&self.held))
    }
}
