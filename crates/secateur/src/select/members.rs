//! The members of a path on one grown tree: cuts of it, or trees of their own where subtrees are raised.

use crate::data::CodedTable;
use crate::error::Result;
use crate::prune::{Job, Path, Pruner};
use crate::route::{Loss, Routed, squared_losses};
use crate::training::Grown;
use crate::tree::Tree;

/// See the module's description.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Members {
    Cuts(Path),
    Raised { parameters: Vec<f64>, trees: Vec<Tree> },
}

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    pub leaves: usize,
    pub nodes: usize,
    /// The sum of the training errors.
    pub risk: f64,
}

impl Members {
    /// The members at these parameters, or at the pruner's own; a nested path has them all. Raising sends the rows the tree was
    /// grown from through it again.
    pub(crate) fn of(
        pruner: &Pruner,
        job: &Job,
        grown: &Grown,
        table: &CodedTable,
        parameters: Option<&[f64]>,
    ) -> Result<Self> {
        let raise = pruner.raising(job.options());
        let parameters = match (parameters, raise) {
            (Some(given), _) => given.to_vec(),
            (None, Some(_)) => pruner.grid(job),
            (None, None) => return Ok(Self::Cuts(pruner.path(job)?)),
        };
        let Some(raise) = raise else { return Ok(Self::Cuts(pruner.path_at(job, parameters)?)) };
        let weights = grown.weights.as_deref();
        let trees = parameters.iter().map(|&p| raise(job, table, weights, p)).collect::<Result<_>>()?;
        Ok(Self::Raised { parameters, trees })
    }

    /// The path, where it is nested.
    pub(crate) fn into_nested(self) -> Option<Path> {
        match self {
            Self::Cuts(path) => path.is_nested().then_some(path),
            Self::Raised { .. } => None,
        }
    }

    /// The parameters, from large trees to small ones (as far as the pruner knows).
    pub(crate) fn parameters(&self) -> &[f64] {
        match self {
            Self::Cuts(path) => path.parameters(),
            Self::Raised { parameters, .. } => parameters,
        }
    }

    /// The size and the training errors of the member at each of these parameters.
    pub(crate) fn extents(&self, job: &Job, parameters: &[f64]) -> Vec<Extent> {
        let tree = job.tree;
        match self {
            Self::Cuts(path) => {
                let ones = vec![1.0; tree.nodes().len()];
                // Nodes of a member: all but those below its leaves.
                let mut below: Vec<f64> = (0..ones.len()).map(|id| tree.children(id).len() as f64).collect();
                for id in (1..ones.len()).rev() {
                    if let Some(parent) = tree.node(id).parent {
                        below[parent as usize] += below[id];
                    }
                }
                let leaves = path.sums_at(tree, parameters, &ones);
                let gone = path.sums_at(tree, parameters, &below);
                let risk = path.sums_at(tree, parameters, job.risk());
                (0..parameters.len())
                    .map(|i| Extent {
                        leaves: leaves[i].round() as usize,
                        nodes: ones.len() - gone[i].round() as usize,
                        risk: risk[i],
                    })
                    .collect()
            }
            Self::Raised { .. } => parameters
                .iter()
                .filter_map(|&p| self.raised(p))
                .map(|tree| Extent {
                    leaves: tree.leaves(),
                    nodes: tree.nodes().len(),
                    risk: tree.training_error() * tree.node(0).weight,
                })
                .collect(),
        }
    }

    /// The member at a parameter.
    pub(crate) fn tree(&self, full: &Tree, parameter: f64) -> Tree {
        match self {
            Self::Cuts(path) => full.cut(&path.cut(parameter)),
            Self::Raised { .. } => self.raised(parameter).unwrap_or(full).clone(),
        }
    }

    fn raised(&self, parameter: f64) -> Option<&Tree> {
        let Self::Raised { parameters, trees } = self else { return None };
        parameters.iter().position(|p| *p == parameter).and_then(|i| trees.get(i))
    }

    /// The sum of the losses of the held-out rows, and of the squared losses, in the member at each of these parameters; the
    /// squares of numbers are only whole when asked for, as they take another pass over the rows.
    pub(crate) fn losses(
        &self,
        grown: &Grown,
        table: &CodedTable,
        parameters: &[f64],
        (loss, squares_of_numbers): (Loss, bool),
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        match self {
            Self::Cuts(path) => {
                let routed = grown.routed(table)?;
                let (sums, mut squares) = path.losses(routed, &grown.tree, table, parameters, loss);
                if squares_of_numbers && !grown.tree.is_classifier() {
                    let more = grown.squared_losses(table, routed)?;
                    let more = path.sums_at(&grown.tree, parameters, &more);
                    squares.iter_mut().zip(more).for_each(|(square, more)| *square += more);
                }
                Ok((sums, squares))
            }
            Self::Raised { trees, .. } => {
                let of = |tree: &Tree| whole_losses(tree, grown, table, (loss, false));
                trees.iter().map(of).collect::<Result<Vec<_>>>().map(|pairs| pairs.into_iter().unzip())
            }
        }
    }
}

/// The sum of the losses of the held-out rows in a tree as it is, and of the squared losses; the squares of numbers when asked for.
pub(crate) fn whole_losses(
    tree: &Tree,
    grown: &Grown,
    table: &CodedTable,
    (loss, squares_of_numbers): (Loss, bool),
) -> Result<(f64, f64)> {
    let held = squares_of_numbers.then_some(grown.held.as_slice());
    routed_losses(tree, &grown.route(tree, table)?, table, loss, held)
}

/// The sum of the losses of some rows in a tree as it is, each judged whole, and of the squared losses of classes.
pub(crate) fn tree_losses(tree: &Tree, rows: &[f64], table: &CodedTable, loss: Loss) -> Result<(f64, f64)> {
    routed_losses(tree, &Routed::apart(tree, table, Some(rows))?, table, loss, None)
}

/// The losses of rows that were sent down; the squares of numbers where the weights of the rows are given.
fn routed_losses(
    tree: &Tree,
    routed: &Routed,
    table: &CodedTable,
    loss: Loss,
    held: Option<&[f64]>,
) -> Result<(f64, f64)> {
    let whole = Path::nested(tree, vec![f64::INFINITY; tree.nodes().len()], 0.0);
    let (sum, mut square) = whole.losses(routed, tree, table, &[0.0], loss);
    if let (Some(held), false) = (held, tree.is_classifier()) {
        let more = squared_losses(tree, table, held, routed)?;
        square[0] += whole.sums_at(tree, &[0.0], &more)[0];
    }
    Ok((sum[0], square[0]))
}
