//! Cross-validation of a whole path: fold trees are grown once, and all members are scored in one routing of the held-out rows.

use super::Members;
use crate::error::Result;
use crate::method::Options;
use crate::progress::Progress;
use crate::prune::{Job, Path, Pruner};
use crate::route::Loss;
use crate::spec::GrowSpec;
use crate::threads;
use crate::training::{Average, Curve, FoldLosses, TreeCache};

/// A cross-validated path.
#[derive(Debug, Clone, PartialEq)]
pub struct Validated {
    /// The parameters asked for.
    pub parameters: Vec<f64>,
    /// The error at every parameter.
    pub errors: Vec<f64>,
    /// The standard error of each.
    pub se: Vec<f64>,
    /// For every fold the parameter with the least loss, the one of the smallest tree among equal ones.
    pub best: Vec<f64>,
    /// What every fold has lost at every parameter.
    pub folds: Vec<FoldLosses>,
    /// The path of every fold's tree, where it is nested: one number per node.
    pub(crate) paths: Vec<Path>,
}

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
    /// What is counted.
    pub loss: Loss,
    /// How folds are averaged.
    pub average: Average,
}

/// The errors of the members at some parameters (from large trees to small ones; `None` for all numbers of splits that any fold
/// reaches).
pub fn cross_validate(
    question: &Question,
    parameters: Option<&[f64]>,
    progress: &dyn Progress,
) -> Result<Validated> {
    let grown = question.tree_cache.fold_trees(question.spec, question.folds, progress)?;
    let table = question.tree_cache.table();
    let most = grown.iter().map(|grown| grown.tree.splits()).max().unwrap_or(0);
    let parameters = match parameters {
        Some(list) => list.to_vec(),
        None => (0..=most).rev().map(|n| n as f64).collect(),
    };
    let answers: Vec<(FoldLosses, Vec<usize>, Option<Path>)> = threads::try_map(grown.len(), |fold| {
        let grown = &grown[fold];
        let job = Job::with(&grown.tree, question.options);
        let members = Members::of(question.pruner, &job, grown, table, Some(&parameters))?;
        let (loss, square) = members.losses(grown, table, &parameters, (question.loss, false))?;
        let leaves = members.extents(&job, &parameters).iter().map(|extent| extent.leaves).collect();
        let weight = grown.held_weight();
        Ok((FoldLosses { loss, square, weight, splits: grown.tree.splits() }, leaves, members.into_nested()))
    })?;
    let (mut folds, mut leaves, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    for (losses, fold_leaves, path) in answers {
        folds.push(losses);
        leaves.push(fold_leaves);
        paths.extend(path);
    }
    let (errors, se) = question.average.of(question.tree_cache, question.loss, &parameters, &folds);
    let best = folds.iter().zip(leaves).map(|(fold, leaves)| {
        let se = vec![0.0; fold.loss.len()];
        Ok(parameters[Curve::new(fold.loss.clone(), se, leaves)?.least()])
    });
    Ok(Validated { best: best.collect::<Result<_>>()?, parameters, errors, se, folds, paths })
}
