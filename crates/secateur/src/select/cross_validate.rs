//! Cross-validation of a whole path: fold trees are grown once, and all members are scored in one routing of the held-out rows.

use rayon::prelude::*;

use super::{Curve, Members, TreeCache};
use crate::error::Result;
use crate::method::Method;
use crate::progress::Progress;
use crate::prune::{Job, Pruner};
use crate::route::Loss;
use crate::spec::GrowSpec;
use crate::tree::Tree;

/// How the errors of the folds become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Average {
    /// The losses of all held-out rows together (cost-complexity).
    Pooled,
    /// The mean of the folds' error rates (Shi's best-first trees).
    Folds,
    /// The same over the folds whose trees are still growing at that number of splits (Shi, Table 3.4).
    ActiveFolds,
}

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
}

/// What a fold says: at every parameter the loss and the squared loss of its rows, and the leaves; the rows' weight; the
/// splits of its tree.
struct Fold {
    loss: Vec<f64>,
    square: Vec<f64>,
    leaves: Vec<usize>,
    weight: f64,
    splits: usize,
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
    pub method: &'a Method,
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
    let splits = |tree: &Tree| tree.nodes().iter().filter(|n| n.condition.is_some()).count();
    let most = grown.iter().map(|grown| splits(&grown.tree)).max().unwrap_or(0);
    let parameters = match parameters {
        Some(list) => list.to_vec(),
        None => (0..=most).rev().map(|n| n as f64).collect(),
    };
    let answers: Vec<Fold> = grown
        .par_iter()
        .map(|grown| {
            let job = Job::new(&grown.tree, question.method);
            let members = Members::of(question.pruner, &job, grown, table, Some(&parameters))?;
            let (loss, square) = members.losses(grown, table, &parameters, (question.loss, false))?;
            Ok(Fold {
                loss,
                square,
                leaves: members.extents(&job, &parameters).iter().map(|extent| extent.leaves).collect(),
                weight: grown.held.iter().sum(),
                splits: splits(&grown.tree),
            })
        })
        .collect::<Result<_>>()?;
    let (errors, se) = combine(question, &parameters, &answers);
    let best = answers.into_iter().map(|fold| {
        let se = vec![0.0; fold.loss.len()];
        Ok(parameters[Curve::new(fold.loss, se, fold.leaves)?.least()])
    });
    Ok(Validated { best: best.collect::<Result<_>>()?, parameters, errors, se })
}

/// Error and standard error at every parameter from the folds.
fn combine(question: &Question, parameters: &[f64], folds: &[Fold]) -> (Vec<f64>, Vec<f64>) {
    let options = question.tree_cache.options();
    let classes = question.tree_cache.table().classes();
    let total: f64 = folds.iter().map(|f| f.weight).sum();
    // The number of rows behind a standard error.
    let rows = if options.to_the_bit { question.tree_cache.weight() } else { total };
    let rate = |fold: &Fold, i: usize| match question.loss {
        Loss::Risk => fold.loss[i] / fold.weight,
        Loss::Probabilities => (fold.loss[i] / (fold.weight * classes as f64)).max(0.0).sqrt(),
    };
    let (mut errors, mut se) = (Vec::new(), Vec::new());
    for (i, &parameter) in parameters.iter().enumerate() {
        let active =
            |fold: &&Fold| question.average != Average::ActiveFolds || fold.splits as f64 >= parameter;
        let rates: Vec<f64> = folds.iter().filter(active).map(|fold| rate(fold, i)).collect();
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let error = match question.average {
            Average::Pooled if question.loss == Loss::Risk => {
                folds.iter().map(|f| f.loss[i]).sum::<f64>() / total
            }
            _ => mean,
        };
        let variance = if classes == 0 {
            // Numbers: how far the folds are apart.
            let spread: f64 = rates.iter().map(|r| (r - mean).powi(2)).sum();
            spread / ((rates.len() as f64 - 1.0).max(1.0) * rates.len() as f64)
        } else if options.costs.is_some() && question.loss == Loss::Risk {
            // Averaged as the costs are.
            let square = match question.average {
                Average::Pooled => folds.iter().map(|f| f.square[i]).sum::<f64>() / total,
                _ => {
                    let squares = folds.iter().filter(active).map(|f| f.square[i] / f.weight);
                    squares.sum::<f64>() / rates.len() as f64
                }
            };
            (square - error * error) / rows
        } else {
            error * (1.0 - error) / rows
        };
        errors.push(error);
        se.push(variance.max(0.0).sqrt());
    }
    (errors, se)
}
