//! Trees grown from shards: several at once, a round of questions for every level.
//!
//! In a round the shards count the histograms of all nodes that are to be split (of two branches only the smaller one where the other
//! has what is left), the best split of each is found here, and rows go on to the branches. A node whose rows fit into memory is
//! taken there and finished by the engine in memory. With numbers, three small rounds come before: how far those of
//! new nodes reach, their sums, and their squared distances from the mean.
//!
//! With a limit on the number of leaves, nodes are split ahead: those that the order would come to if nodes not yet searched had
//! nothing to gain. When all that matters is known, the order says which splits are made.

mod finishing;
mod making;
mod moments;
mod searching;
mod trunk;

use super::{GrowSpec, check};
use crate::criterion::Criterion;
use crate::data::{CodedTable, Codes};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::shard::{Answer, Ask, Chunk, ChunkTarget, Coding, Taken};
use crate::spec::{Count, Discretise, LeafValue, MissingGain, ThresholdRule};
use crate::tree::Tree;
pub(crate) use making::branching as branching_of;
use making::{Making, State};
use searching::Searching;
use trunk::Trunk;

/// Where the rows are: all shards together.
pub trait Shards {
    /// Asks all shards; the sum of their answers.
    fn ask(&mut self, question: &Ask) -> Result<Answer>;

    /// Hands over the rows of every node that a question names. Nodes are in groups, by their numbers in the order of the question;
    /// no more than the rows of one group are in memory at a time.
    fn take(
        &mut self,
        question: &Ask,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> Result<()>,
    ) -> Result<()>;
}

/// What may be used of the memory of whoever grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Bytes for histograms.
    pub histograms: usize,
    /// Bytes for rows that are taken into memory, and what is made of them there.
    pub rows: usize,
    /// Bytes for the trees.
    pub trees: usize,
}

/// Whether trees can be grown from counts as a spec says; the error names what can be done instead.
pub fn check_counts(spec: &GrowSpec) -> Result<()> {
    let refused = |what: &str, instead: &str| {
        Err(Error::parameter(format!("{what} needs all rows in memory; for a streamed table use {instead}")))
    };
    if spec.criterion == Criterion::Mae {
        return refused("criterion=mae", "criterion=mse");
    }
    if spec.leaf == LeafValue::Median {
        return refused("leaf=median", "leaf=mean");
    }
    if spec.discretise != Discretise::Off {
        return refused("discretise (the default of id3)", "discretise=off, or c45 in place of id3");
    }
    if spec.threshold_decimals.is_some() {
        return refused("threshold-decimals", "bins alone");
    }
    if matches!(spec.count, Count::Rows | Count::LeafRows) {
        return refused("count=rows", "count=shares");
    }
    if spec.missing == MissingGain::Spread {
        return refused("missing=spread", "missing=known");
    }
    Ok(())
}

/// Grows a tree for every part of the rows: all of them, or all but those with a tag.
pub fn grow_from_shards(
    shards: &mut dyn Shards,
    coding: &Coding,
    spec: &GrowSpec,
    parts: &[Option<u8>],
    budget: Budget,
    progress: &dyn Progress,
) -> Result<Vec<Tree>> {
    check_counts(spec)?;
    let table = coding.table(no_rows(coding))?;
    // The columns are cut already.
    let spec = &GrowSpec { bins: None, ..spec.clone() };
    check(&table, None, spec)?;
    let searching = Searching::new(coding, spec, &table);
    let mut rounds = Rounds {
        trees: parts.iter().map(|part| Making::new(*part, coding)).collect(),
        searching,
        coding,
        spec,
        table,
        budget,
        progress,
    };
    while rounds.round(shards)? {
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    rounds.finish()
}

/// A chunk without rows.
pub(crate) fn no_rows(coding: &Coding) -> Chunk {
    let columns = (0..coding.width()).map(|c| Codes::pack(std::iter::empty(), coding.cardinality(c)));
    let target = match coding.classes() {
        0 => ChunkTarget::Numbers(Vec::new()),
        classes => ChunkTarget::Classes(Codes::pack(std::iter::empty(), classes as u32)),
    };
    Chunk { columns: columns.collect(), target, weights: None, tags: None }
}

struct Rounds<'a> {
    trees: Vec<Making>,
    searching: Searching<'a>,
    coding: &'a Coding,
    spec: &'a GrowSpec,
    /// The table without its rows.
    table: CodedTable,
    budget: Budget,
    progress: &'a dyn Progress,
}

/// A node: the number of its tree, and its own.
type At = (usize, u32);

impl Rounds<'_> {
    /// Makes one round; says whether there was something to do.
    fn round(&mut self, shards: &mut dyn Shards) -> Result<bool> {
        self.check_memory()?;
        let mut open: Vec<At> = Vec::new();
        for (t, tree) in self.trees.iter_mut().enumerate() {
            tree.split_next(self.spec, self.coding)?;
            open.extend(tree.open(self.spec).into_iter().map(|node| (t, node)));
        }
        if self.coding.classes() == 0 {
            self.count_numbers(shards, &open)?;
        }
        let (mut large, mut small) = (Vec::new(), Vec::new());
        for at in open {
            match self.fate(at) {
                Fate::Leaf => self.trees[at.0].nodes[at.1 as usize] = State::Leaf,
                Fate::Memory => small.push(at),
                Fate::Counted => large.push(at),
            }
        }
        if !large.is_empty() {
            self.search(shards, &large)?;
            return Ok(true);
        }
        if small.is_empty() {
            return Ok(false);
        }
        self.take_into_memory(shards, &small)?;
        Ok(true)
    }

    /// What becomes of a node that is not searched yet.
    fn fate(&self, (tree, node): At) -> Fate {
        let State::New(new) = &self.trees[tree].nodes[node as usize] else { return Fate::Leaf };
        if let Some(count) = &new.count
            && (self.is_deep(&self.trees[tree], node)
                || !super::grower::may_split(self.spec, self.table.unit(), count))
        {
            return Fate::Leaf;
        }
        let bytes = finishing::bytes_of_row(self.coding) as f64 * new.rows;
        if bytes <= self.budget.rows as f64 { Fate::Memory } else { Fate::Counted }
    }

    /// Whether a node lies as deep as the tree may reach.
    fn is_deep(&self, tree: &Making, node: u32) -> bool {
        let depth = tree.partial.as_ref().map_or(0, |s| s.nodes[node as usize].depth as usize);
        self.spec.max_depth.is_some_and(|most| depth >= most)
    }

    fn check_memory(&self) -> Result<()> {
        let nodes: usize =
            self.trees.iter().filter_map(|tree| tree.partial.as_ref()).map(|s| s.nodes.len()).sum();
        let bytes = nodes.saturating_mul(Trunk::bytes_of_node(self.coding.classes()));
        if bytes <= self.budget.trees {
            return Ok(());
        }
        Err(Error::parameter(format!(
            "{nodes} nodes of trees do not fit into the memory that was given; limit them with max-leaves, min-leaf or max-depth, \
             or give more memory"
        )))
    }

    fn finish(self) -> Result<Vec<Tree>> {
        let mut trees = Vec::with_capacity(self.trees.len());
        for tree in self.trees {
            let partial = tree.partial.ok_or_else(|| Error::internal("a tree without a root"))?;
            partial.check_memory(&self.table)?;
            trees.push(partial.into_tree(&self.table, self.spec));
        }
        Ok(trees)
    }
}

/// What becomes of a node.
enum Fate {
    Leaf,
    Memory,
    Counted,
}

/// Whether a learner takes more from a column's values than where they differ at a node.
fn needs_values(spec: &GrowSpec) -> bool {
    spec.threshold == ThresholdRule::DataValue
}
