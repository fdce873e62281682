//! The members of a path on one grown tree: cuts of it, or trees of their own where subtrees are raised.

use crate::data::CodedTable;
use crate::error::Result;
use crate::prune::{Job, Path, Pruner};
use crate::route::{Loss, Routed};
use crate::training::Grown;
use crate::tree::{LeafValues, Tree};

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

    /// The losses of the held-out rows in the member at each of these parameters, for each of the leaf values asked for and, in them, each of the
    /// losses.
    pub(crate) fn losses(
        &self,
        grown: &Grown,
        table: &CodedTable,
        parameters: &[f64],
        asked: Asked,
    ) -> Result<Vec<Losses>> {
        match self {
            Self::Cuts(path) => {
                asked.of_path(path, &grown.tree, grown, (grown.routed(table)?, table), parameters)
            }
            Self::Raised { trees, .. } => {
                let mut all = vec![Losses::default(); asked.values.len() * asked.losses.len()];
                for tree in trees {
                    let whole = asked.of_tree(tree, grown, table)?;
                    for (all, Losses { sums, squares }) in all.iter_mut().zip(whole) {
                        all.sums.extend(sums);
                        all.squares.extend(squares);
                    }
                }
                Ok(all)
            }
        }
    }
}

/// The losses of held-out rows in some trees.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Losses {
    /// The sum of the losses, tree by tree.
    pub sums: Vec<f64>,
    /// The sum of the squared losses; of numbers where that is asked for.
    pub squares: Vec<f64>,
}

/// What is measured on held-out rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The leaf values with which trees predict.
    pub values: &'a [LeafValues],
    /// The losses of their predictions.
    pub losses: &'a [Loss],
    /// Whether the squared losses of numbers are needed: they take another pass over the rows.
    pub squares_of_numbers: bool,
}

impl Asked<'_> {
    /// The losses of rows that were sent down a tree, in the members of its path.
    fn of_path(
        &self,
        path: &Path,
        tree: &Tree,
        grown: &Grown,
        (routed, table): (&Routed, &CodedTable),
        parameters: &[f64],
    ) -> Result<Vec<Losses>> {
        let mut all = Vec::with_capacity(self.values.len() * self.losses.len());
        for &values in self.values {
            let tree = &tree.clone().with_leaf_values(values)?;
            let fourth = match self.squares_of_numbers && !tree.is_classifier() {
                true => Some(grown.squared_losses(tree, table, routed)?),
                false => None,
            };
            for &loss in self.losses {
                let (sums, mut squares) = path.losses(routed, tree, table, parameters, loss);
                if let Some(fourth) = &fourth {
                    let more = path.sums_at(tree, parameters, fourth);
                    squares.iter_mut().zip(more).for_each(|(square, more)| *square += more);
                }
                all.push(Losses { sums, squares });
            }
        }
        Ok(all)
    }

    /// The losses of the rows held out from a tree, in another one that was made from it.
    pub(crate) fn of_tree(&self, tree: &Tree, grown: &Grown, table: &CodedTable) -> Result<Vec<Losses>> {
        self.of_path(&whole(tree), tree, grown, (&grown.route(tree, table)?, table), &[0.0])
    }
}

/// The path of a tree that is not pruned.
fn whole(tree: &Tree) -> Path {
    Path::nested(tree, vec![f64::INFINITY; tree.nodes().len()], 0.0)
}

/// The sum of the losses of some rows in a tree as it is, each judged whole, and of the squared losses of classes.
pub(crate) fn tree_losses(tree: &Tree, rows: &[f64], table: &CodedTable, loss: Loss) -> Result<(f64, f64)> {
    let routed = Routed::apart(tree, table, Some(rows))?;
    let (sum, square) = whole(tree).losses(&routed, tree, table, &[0.0], loss);
    Ok((sum[0], square[0]))
}
