//! Growing a whole tree fast: large nodes one after the other with all columns in parallel, small ones as
//! compact blocks of their own, which other threads grow meanwhile.
//!
//! Without a limit on its size a tree does not depend on the order of expansion; the order only numbers the
//! nodes, which is done at the end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::block::Block;
use super::engine::BestSplit;
use super::finished::Finished;
use super::grower::Grower;
use super::memory::{Memory, Rows, Shared};
use super::partial_tree::PartialTree;
use super::training::Training;
use crate::error::{Error, Result};
use crate::progress::{Progress, Stage};
use crate::spec::{GrowSpec, Order};
use crate::threads;
use crate::tree::Tree;

/// A subtree to be grown on its own.
struct Subtree<'a> {
    node: u32,
    depth: u32,
    found: BestSplit,
    block: Block<'a>,
}

/// Nodes of at most this many rows become blocks of their own: their lists then fit into the cache of one core.
fn cutoff(lists: usize) -> usize {
    const CACHE: usize = 1 << 20;
    (CACHE / (4 * lists.max(1))).clamp(1 << 10, 1 << 15)
}

/// Grows the whole tree.
pub(super) fn grow(training: &Training, spec: &GrowSpec, progress: &dyn Progress) -> Result<Tree> {
    let finished = Finished::new(&training.table, spec);
    let (trunk, finished) = grow_part(training, spec, 0, progress, (finished, Finished::graft))?;
    finished.check_memory()?;
    Ok(finished.into_tree(trunk))
}

/// Grows what is below a node at a depth, from its rows: gives the trunk, and what is made of the subtrees as they are done, with the number of
/// the node of the trunk that each belongs to.
pub(super) fn grow_part<F: Send>(
    training: &Training,
    spec: &GrowSpec,
    depth: u32,
    progress: &dyn Progress,
    (finished, graft): (F, impl Fn(&mut F, u32, PartialTree<Rows>) -> Result<()> + Sync),
) -> Result<(PartialTree<Rows>, F)> {
    let depth_first = GrowSpec { order: Order::DepthFirst, ..spec.clone() };
    let block = Block::root(training)?;
    let shared = Shared::new(training, &depth_first);
    let small = cutoff(block.lists());
    let rows = block.members.len();
    let stage = Stage::begin(progress, "growing", rows as u64);
    let run = Run { spec: &depth_first, progress, stage: &stage };
    let parallel = threads::count() > 1;
    let engine = Memory::new(block, &shared, parallel).with_small(small);
    let mut trunk = Grower::at_depth(engine, &depth_first, depth)?;
    let finished = Mutex::new(Ok(finished));
    let waiting = AtomicUsize::new(0);
    let grow_small = |small: Subtree| {
        let node = small.node;
        let grown = run.subtree(small, &shared);
        let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(all) = &mut *finished
            && let Err(error) = grown.and_then(|subtree| graft(all, node, subtree))
        {
            *finished = Err(error);
        }
    };
    threads::scope(|scope| -> Result<()> {
        while let Some(node) = trunk.next() {
            run.check()?;
            if trunk.rows(node).is_none_or(|r| r.len() > small) || rows <= small {
                trunk.split(node)?;
                continue;
            }
            let Some((handle, found, depth)) = trunk.take(node) else { continue };
            let Some(block) = trunk.engine().detach(handle) else { continue };
            let subtree = Subtree { node, depth, found, block };
            // Subtrees that wait for a thread hold memory: when there are some, the next is grown where it was found.
            if !parallel || waiting.load(Ordering::Relaxed) > 2 * threads::count() {
                grow_small(subtree);
            } else {
                waiting.fetch_add(1, Ordering::Relaxed);
                scope.spawn(|| {
                    waiting.fetch_sub(1, Ordering::Relaxed);
                    grow_small(subtree);
                });
            }
        }
        Ok(())
    })?;
    stage.finish();
    let finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    Ok((trunk.into_sprouts(), finished))
}

struct Run<'s> {
    spec: &'s GrowSpec,
    progress: &'s dyn Progress,
    stage: &'s Stage<'s>,
}

impl Run<'_> {
    fn check(&self) -> Result<()> {
        if self.progress.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    fn subtree<'a>(&self, small: Subtree<'a>, shared: &Shared) -> Result<PartialTree<Rows>> {
        let rows = small.block.members.len();
        let engine = Memory::new(small.block, shared, false);
        let mut grower = Grower::below(engine, self.spec, small.depth, small.found)?;
        while grower.expand()? {
            self.check()?;
        }
        self.stage.advance(rows as u64);
        Ok(grower.into_sprouts())
    }
}
