//! Answers against classes on rows that the trees were not grown from, for the members that selectors choose.

use serde::Serialize;

use super::number::{Number, rough};
use crate::data::CodedTarget;
use crate::error::Result;
use crate::method::Options;
use crate::progress::Progress;
use crate::prune::{Job, Pruner};
use crate::select::Members;
use crate::spec::GrowSpec;
use crate::threads;
use crate::training::{Grown, TreeCache};
use crate::tree::{NodeAnswers, Smoothing, Tree};

use super::paths::Judged;

/// More classes make no table to look at.
const CLASSES: usize = 40;

/// A matrix of one member.
#[derive(Debug, Serialize)]
pub(super) struct Confusion {
    member: usize,
    /// The weight of the rows, a line for every class and a column for every answer.
    weights: Vec<Number>,
}

/// The matrices of some members, given with their parameters.
pub(super) fn confusions(
    trees: &TreeCache,
    spec: &GrowSpec,
    (pruner, options): (&Pruner, &Options),
    members: &[(usize, f64)],
    judged: Judged,
    progress: &dyn Progress,
) -> Result<Vec<Confusion>> {
    let classes = trees.table().classes();
    if !(1..=CLASSES).contains(&classes) || members.is_empty() {
        return Ok(Vec::new());
    }
    let grown = match judged {
        Judged::Folds(folds) => trees.fold_trees(spec, folds, progress)?,
        Judged::HeldOut(share) => vec![trees.without(share, spec, progress)?],
    };
    let parameters: Vec<f64> = members.iter().map(|(_, p)| *p).collect();
    let parts = threads::try_map(grown.len(), |i| {
        let (grown, job) = (&grown[i], Job::with(&grown[i].tree, options));
        let found = Members::of(pruner, &job, grown, trees.table(), Some(&parameters))?;
        let matrix = |&p: &f64| matrix(&found.tree(&grown.tree, p), grown, trees);
        Ok(parameters.iter().map(matrix).collect::<Vec<_>>())
    })?;
    let sum = |place: usize| {
        let mut sum = vec![0.0; classes * classes];
        parts.iter().for_each(|part| sum.iter_mut().zip(&part[place]).for_each(|(a, b)| *a += b));
        rough(sum)
    };
    let one =
        |(place, (member, _)): (usize, &(usize, f64))| Confusion { member: *member, weights: sum(place) };
    Ok(members.iter().enumerate().map(one).collect())
}

/// What a tree answers to the rows that are held out from it.
fn matrix(tree: &Tree, grown: &Grown, trees: &TreeCache) -> Vec<f64> {
    let (table, answers) = (trees.table(), NodeAnswers::new(tree, Smoothing::Raw));
    let classes = table.classes();
    let mut matrix = vec![0.0; classes * classes];
    let CodedTarget::Classes { codes, .. } = table.target() else { return matrix };
    let (mut stack, mut numbers) = (Vec::new(), vec![0.0; classes]);
    for (row, &weight) in grown.held.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        numbers.fill(0.0);
        let cell = |attribute: usize| {
            let column = &table.columns()[attribute];
            column.cell(column.codes.get(row))
        };
        answers.add_row(cell, &mut stack, &mut numbers);
        matrix[codes[row] as usize * classes + tree.decide(&numbers)] += weight;
    }
    matrix
}
