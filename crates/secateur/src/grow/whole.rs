//! Growing a whole tree fast: large nodes one after the other with all columns in parallel, small ones as
//! compact blocks of their own, many at a time.
//!
//! Without a limit on its size a tree does not depend on the order of expansion; the order only numbers the
//! nodes, which is done at the end.

use rayon::prelude::*;

use super::block::Block;
use super::engine::Found;
use super::grower::Grower;
use super::memory::{Memory, Shared};
use super::sprouts::Sprouts;
use super::{GrowSpec, Order};
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::tree::Tree;

/// A subtree to be grown on its own.
struct Task<'a> {
    node: u32,
    depth: u32,
    found: Found,
    block: Block<'a>,
}

/// Nodes of at most this many rows become blocks of their own: their lists then fit into the cache of one core.
fn cutoff(columns: usize) -> usize {
    const CACHE: usize = 1 << 20;
    (CACHE / (8 * columns.max(1))).clamp(1 << 9, 1 << 15)
}

/// Grows the whole tree.
pub(super) fn grow(
    table: &CodedTable,
    weights: Option<&[f64]>,
    spec: &GrowSpec,
    progress: &dyn Progress,
) -> Result<Tree> {
    let depth_first = GrowSpec { order: Order::DepthFirst, ..spec.clone() };
    let block = Block::root(table, weights)?;
    let shared = Shared::new(table, &depth_first, block.weights.is_none());
    let small = cutoff(table.columns().len());
    let rows = block.members.len();
    progress.stage("growing", rows as u64);
    let run = Run { spec: &depth_first, progress };
    let parallel = rayon::current_num_threads() > 1;
    let mut trunk = Grower::new(Memory::new(block, &shared, parallel), &depth_first)?;
    let mut tasks = Vec::new();
    while let Some(node) = trunk.next() {
        run.check()?;
        if trunk.rows(node).is_some_and(|r| r.len() <= small) && rows > small {
            if let Some((handle, found, depth)) = trunk.take(node)
                && let Some(block) = trunk.engine().detach(handle)
            {
                tasks.push(Task { node, depth, found, block });
            }
        } else {
            trunk.split(node)?;
        }
    }
    let mut sprouts = trunk.into_sprouts();
    // Large tasks first: the last ones to finish are then small.
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(tasks[i].block.members.len()));
    let mut slots: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
    let tasks: Vec<Task> = order.into_iter().filter_map(|i| slots[i].take()).collect();
    let mut grown: Vec<(u32, Sprouts<_>)> =
        tasks.into_par_iter().map(|task| run.subtree(task, &shared)).collect::<Result<_>>()?;
    grown.sort_by_key(|(node, _)| *node);
    for (node, subtree) in grown {
        sprouts.graft(node, subtree);
    }
    Ok(sprouts.into_tree(table, spec))
}

struct Run<'s> {
    spec: &'s GrowSpec,
    progress: &'s dyn Progress,
}

impl Run<'_> {
    fn check(&self) -> Result<()> {
        if self.progress.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    fn subtree<'a, 's>(
        &'s self,
        task: Task<'a>,
        shared: &'s Shared<'s>,
    ) -> Result<(u32, Sprouts<super::memory::Rows>)> {
        let rows = task.block.members.len();
        let engine = Memory::new(task.block, shared, false);
        let mut grower = Grower::below(engine, self.spec, task.depth, task.found)?;
        while grower.expand()? {
            self.check()?;
        }
        self.progress.advance(rows as u64);
        Ok((task.node, grower.into_sprouts()))
    }
}
