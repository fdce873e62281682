//! Runner-up splits: what else the nodes of a grown tree could have asked.
//!
//! The rows go down the tree once more, by its own splits, and at every node in question each column is searched as it was when the
//! tree was grown. That costs about as much as growing as far as those nodes.

use super::block::Block;
use super::check;
use super::engine::Engine;
use super::memory::{Memory, Shared};
use super::training::Training;
use crate::criterion::Criterion;
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::spec::GrowSpec;
use crate::split::Candidate;
use crate::threads;
use crate::tree::{Condition, NodeId, Tree};

/// The best split of one attribute at one node.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// How it sends rows to branches.
    pub condition: Condition,
    /// What it gains, as a node of the tree says it.
    pub gain: f64,
    /// What splits are compared by: the gain, or the gain ratio.
    pub score: f64,
}

/// For each of these nodes the best split of every attribute that could be asked there, the best one first: usually the tree's own
/// and its runner-ups. Table, weights and specification are those that the tree was grown with; leaves have none.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::grow::{grow, rivals};
/// use secateur::progress::Silent;
/// use secateur::spec::GrowSpec;
///
/// let table = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
/// let spec = GrowSpec::cart(table.task());
/// let tree = grow(&table, &spec, &Silent)?;
/// let root = &rivals(&table, None, &spec, &tree, &[0], &Silent)?[0];
/// assert_eq!(Some(&root[0].condition), tree.node(0).condition.as_ref());
/// // Petal length and petal width part setosa from the rest equally well.
/// assert_eq!((root[0].gain, root[1].gain), (root[1].gain, tree.node(0).gain));
/// assert!(root[2].gain < root[1].gain);
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn rivals(
    table: &CodedTable,
    weights: Option<&[f64]>,
    spec: &GrowSpec,
    tree: &Tree,
    nodes: &[NodeId],
    progress: &dyn Progress,
) -> Result<Vec<Vec<Rival>>> {
    check(table, weights, spec)?;
    let training = Training::new(table, weights, spec)?;
    let shared = Shared::new(&training, spec);
    let mut engine = Memory::new(Block::root(&training)?, &shared, threads::count() > 1);
    let on_the_way = on_the_way(tree, nodes);
    let mut found: Vec<Vec<Rival>> = vec![Vec::new(); tree.nodes().len()];
    let (rows, count) = engine.root()?;
    let mut waiting = vec![(0, rows, count)];
    while let Some((id, rows, count)) = waiting.pop() {
        // What is left of a raised subtree may have fewer rows than are searched.
        let wanted = on_the_way[id].filter(|_| !rows.is_nowhere()).zip(tree.node(id).condition.as_ref());
        let Some((is_asked, condition)) = wanted else {
            engine.release(rows);
            continue;
        };
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        if is_asked {
            let told = |(candidate, condition): (Candidate, Condition)| Rival {
                condition: condition.divided_as_shown(table.schema()),
                gain: candidate.gain / shared.rules.unit,
                score: candidate.score
                    / if spec.criterion == Criterion::GainRatio { 1.0 } else { shared.rules.unit },
            };
            found[id] = engine.rivals(&rows, &count).into_iter().map(told).collect();
        }
        let parts = engine.split(rows, condition)?;
        waiting.extend(tree.children(id).zip(parts).map(|(child, (rows, count))| (child, rows, count)));
    }
    Ok(nodes.iter().map(|&id| std::mem::take(&mut found[id])).collect())
}

/// The nodes that lead to some nodes (or are among them), and whether they are among them.
fn on_the_way(tree: &Tree, nodes: &[NodeId]) -> Vec<Option<bool>> {
    let mut marked = vec![None; tree.nodes().len()];
    for &id in nodes {
        marked[id] = Some(true);
        let mut above = tree.node(id).parent;
        while let Some(id) = above.filter(|&id| marked[id as usize].is_none()) {
            marked[id as usize] = Some(false);
            above = tree.node(id as usize).parent;
        }
    }
    marked
}

#[cfg(test)]
#[path = "rivals_tests.rs"]
mod tests;
