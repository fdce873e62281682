//! Answers against classes on rows that the trees were not grown from, for the members that selectors choose.

use serde::Serialize;

use super::number::{Number, rough};
use crate::error::Result;
use crate::fit::held_confusion;
use crate::method::Options;
use crate::progress::Progress;
use crate::prune::{Job, Pruner};
use crate::select::Members;
use crate::spec::GrowSpec;
use crate::threads;
use crate::training::TreeCache;
use crate::tree::LeafValues;

use super::paths::Judged;

/// More classes make no table to look at.
const CLASSES: usize = 40;

/// A matrix of one member.
#[derive(Debug, Serialize)]
pub(super) struct Confusion {
    member: usize,
    /// The weight of the rows as they are, a line for every class and a column for every answer.
    weights: Vec<Number>,
}

impl Confusion {
    /// Whether it is the matrix of this member.
    pub(super) fn is_of(&self, member: usize) -> bool {
        self.member == member
    }

    /// Takes the weights of another matrix.
    pub(super) fn replace(&mut self, matrix: &[Vec<f64>]) {
        self.weights = rough(matrix.iter().flatten().copied());
    }
}

/// The matrices of some members, given with their parameters.
pub(super) fn confusions(
    trees: &TreeCache,
    (spec, values): (&GrowSpec, LeafValues),
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
        let matrix = |&p: &f64| {
            let tree = found.tree(&grown.tree, p).with_leaf_values(values)?;
            held_confusion(&tree, &grown.held, trees.table())
        };
        parameters.iter().map(matrix).collect::<Result<Vec<_>>>()
    })?;
    let sum = |place: usize| {
        let mut sum = vec![0.0; classes * classes];
        parts
            .iter()
            .for_each(|part| sum.iter_mut().zip(part[place].iter().flatten()).for_each(|(a, b)| *a += b));
        rough(sum)
    };
    let one =
        |(place, (member, _)): (usize, &(usize, f64))| Confusion { member: *member, weights: sum(place) };
    Ok(members.iter().enumerate().map(one).collect())
}
