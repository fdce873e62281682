//! Cross-validation of a whole path: fold trees are grown once, and all members are scored in one routing of the held-out rows.

use std::sync::Arc;

use super::{Asked, Losses, Members};
use crate::data::CodedTable;
use crate::error::Result;
use crate::method::Options;
use crate::progress::Progress;
use crate::prune::{Job, Pruner};
use crate::route::Loss;
use crate::spec::GrowSpec;
use crate::threads;
use crate::training::{Curve, FoldLosses, Grown, TreeCache};
use crate::tree::{LeafValues, Tree};

/// Everything a cross-validation needs to know.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Where the trees come from.
    pub tree_cache: &'a TreeCache<'a>,
    /// How trees are grown.
    pub spec: &'a GrowSpec,
    /// The path.
    pub pruner: &'a Pruner,
    /// Its options.
    pub options: &'a Options,
    /// The number of folds.
    pub folds: usize,
}

/// The path of every fold's tree, at the same parameters.
pub struct FoldPaths<'a> {
    table: &'a CodedTable,
    /// The parameters, from large trees to small ones.
    pub parameters: Vec<f64>,
    folds: Vec<FoldPath>,
}

/// The path of one fold's tree.
struct FoldPath {
    grown: Arc<Grown>,
    members: Members,
    /// The leaves at every parameter.
    leaves: Vec<usize>,
}

/// The parameters that fold trees are asked about, from large trees to small ones.
#[derive(Debug, Clone, Copy)]
pub enum Probes<'a> {
    /// These.
    At(&'a [f64]),
    /// All numbers of splits that any fold reaches, and at least up to this one.
    Splits {
        /// The splits of the full tree.
        at_least: usize,
    },
}

impl<'a> FoldPaths<'a> {
    /// The paths of the fold trees at some parameters.
    pub fn of(question: &Question<'a>, probes: Probes, progress: &dyn Progress) -> Result<Self> {
        let grown = question.tree_cache.fold_trees(question.spec, question.folds, progress)?;
        let table = question.tree_cache.table();
        let parameters: Vec<f64> = match probes {
            Probes::At(list) => list.to_vec(),
            Probes::Splits { at_least } => {
                let most = grown.iter().map(|grown| grown.tree.splits()).fold(at_least, usize::max);
                (0..=most).rev().map(|n| n as f64).collect()
            }
        };
        let folds = threads::try_map(grown.len(), |fold| {
            let grown = grown[fold].clone();
            let job = Job::with(&grown.tree, question.options);
            let members = Members::of(question.pruner, &job, &grown, table, Some(&parameters))?;
            let leaves = members.extents(&job, &parameters).iter().map(|extent| extent.leaves).collect();
            drop(job);
            Ok(FoldPath { grown, members, leaves })
        })?;
        Ok(Self { table, parameters, folds })
    }

    /// The losses of every fold's rows at every parameter: for each of the leaf values, and in them each of the losses, a list of folds.
    pub fn losses(&self, values: &[LeafValues], losses: &[Loss]) -> Result<Vec<Vec<FoldLosses>>> {
        let asked = Asked { values, losses, squares_of_numbers: false };
        let mut all: Vec<Vec<FoldLosses>> = vec![Vec::new(); values.len() * losses.len()];
        let of_folds = threads::try_map(self.folds.len(), |fold| {
            let FoldPath { grown, members, .. } = &self.folds[fold];
            members.losses(grown, self.table, &self.parameters, asked)
        })?;
        for (fold, of_fold) in self.folds.iter().zip(of_folds) {
            let (weight, splits) = (fold.grown.held_weight(), fold.grown.tree.splits());
            for (list, Losses { sums, squares }) in all.iter_mut().zip(of_fold) {
                list.push(FoldLosses { loss: sums, square: squares, weight, splits });
            }
        }
        Ok(all)
    }

    /// For every fold the parameter with the lowest of its losses, the one of the smallest tree among equal ones.
    pub fn best(&self, losses: &[FoldLosses]) -> Result<Vec<f64>> {
        let best = self.folds.iter().zip(losses).map(|(fold, losses)| {
            let se = vec![0.0; losses.loss.len()];
            Ok(self.parameters[Curve::new(losses.loss.clone(), se, fold.leaves.clone())?.least()])
        });
        best.collect()
    }

    /// The trees of the folds at one of the parameters, each with what it was cut from.
    pub(crate) fn trees(&self, parameter: f64) -> Result<Vec<(Arc<Grown>, Tree)>> {
        threads::try_map(self.folds.len(), |fold| {
            let FoldPath { grown, members, .. } = &self.folds[fold];
            Ok((grown.clone(), members.tree(&grown.tree, parameter)))
        })
    }
}
