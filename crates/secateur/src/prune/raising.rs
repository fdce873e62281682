//! Subtree raising: from the bottom up a node is kept, made a leaf, or replaced by its largest branch.
//!
//! When a branch is raised, the rows of the other branches are sent through it, and the nodes they reach are judged
//! again, from the bottom up, with their new counts. Rows lie in lists at the leaves, and only the rows of the smaller branches ever
//! move, so a row moves at most `log₂ n` times before anything is raised (a row's branch at least doubles each time).
//! A branch that is tried needs new estimates only at the leaves that the moved rows reach.
//!
//! A row with a missing value lies in parts at several leaves; its parts move like rows, shared out by the weights the
//! branches have at that moment. A split whose branches have no weight becomes a leaf. At the end all rows are sent
//! through the finished tree once more and its counts are taken as growing takes them, so that the tree is one that could
//! have been grown.

use std::collections::BinaryHeap;

use super::bottom_up::{Estimator, SubtreeEstimate, Verdict, estimate, together};
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::method::{Exception, Law, ParamKind, ParamSpec};
use crate::route::{Arrived, RowShare, Shares, add, add_up, rows_for, send};
use crate::tree::{Node, NodeId, Stats, Tree, share_out};

/// The option of pruners that can raise subtrees.
pub(super) const RAISING: ParamSpec = ParamSpec::new(
    "raising",
    ParamKind::Flag,
    "also try the largest branch in place of its parent (needs the rows)",
)
.default("off")
.except(&[Exception::new(Law::Subtree, "a raised branch stands where its parent stood, with other rows")]);

/// Bottom-up with raising; needs the training rows, with their weights and the weight that counts as one row.
pub(crate) fn raise(
    tree: &Tree,
    table: &CodedTable,
    (weights, unit): (Option<&[f64]>, f64),
    estimator: &impl Estimator,
) -> Result<Tree> {
    let CodedTarget::Classes { classes, .. } = table.target() else {
        return Err(Error::parameter("raising subtrees is for classes; the target holds numbers"));
    };
    let rows = rows_for(tree, table, weights)?;
    let mut work = Work::new(tree, table, *classes, &rows, (estimator, unit));
    for id in (0..tree.nodes().len()).rev() {
        work.settle(id);
    }
    Ok(work.finish(rows))
}

/// The end of a list.
const NONE: u32 = u32::MAX;

/// The tree while it changes. Numbers of nodes are those of the tree it began as.
struct Work<'a, J> {
    tree: &'a Tree,
    table: &'a CodedTable,
    classes: usize,
    estimator: &'a J,
    /// The weight that counts as one row.
    unit: f64,
    /// The node whose split a node has: its own, or that of the branch raised into its place.
    source: Vec<u32>,
    parent: Vec<u32>,
    children: Vec<std::ops::Range<NodeId>>,
    gone: Vec<bool>,
    tallies: Vec<f64>,
    seen: Vec<SubtreeEstimate>,
    /// The rows of every leaf, and every part with the next one in its list.
    lists: Vec<List>,
    parts: Vec<(RowShare, u32)>,
    trial: Trial,
}

/// A list of parts: the place of its first and of its last one.
#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { first: NONE, last: NONE }
    }
}

/// What happens when a branch is raised, so far only in thought.
#[derive(Default)]
struct Trial {
    moved: Vec<RowShare>,
    arrivals: Vec<(u32, RowShare)>,
    /// The leaves reached, and the class weights that come to each.
    leaves: Vec<u32>,
    extra: Vec<f64>,
    /// The place of a leaf among those reached.
    slot: Vec<u32>,
    stack: Vec<(NodeId, f64)>,
}

impl<'a, J: Estimator> Work<'a, J> {
    fn new(
        tree: &'a Tree,
        table: &'a CodedTable,
        classes: usize,
        rows: &[RowShare],
        (estimator, unit): (&'a J, f64),
    ) -> Self {
        let nodes = tree.nodes().len();
        let mut work = Self {
            tree,
            table,
            classes,
            estimator,
            unit,
            source: (0..nodes as u32).collect(),
            parent: tree.nodes().iter().map(|n| n.parent.unwrap_or(NONE)).collect(),
            children: (0..nodes).map(|id| tree.children(id)).collect(),
            gone: vec![false; nodes],
            tallies: vec![0.0; nodes * classes],
            seen: vec![SubtreeEstimate { estimate: 0.0, nodes: 1 }; nodes],
            lists: vec![List::default(); nodes],
            parts: Vec::with_capacity(rows.len()),
            trial: Trial { slot: vec![NONE; nodes], ..Trial::default() },
        };
        send(tree.nodes(), table, rows.to_vec(), Shares::OfTree, |Arrived { node, ended, .. }| {
            add(&mut work.tallies[node * classes..][..classes], table.target(), ended);
            ended.iter().for_each(|&part| lay(&mut work.parts, &mut work.lists[node], part));
        });
        add_up(tree.nodes(), &mut work.tallies, classes);
        work
    }

    fn tally(&self, id: NodeId) -> &[f64] {
        &self.tallies[id * self.classes..][..self.classes]
    }

    fn weight(&self, id: NodeId) -> f64 {
        self.tally(id).iter().sum()
    }

    /// Judges a node whose branches are settled, and whatever has to be judged again because of that.
    fn settle(&mut self, id: NodeId) {
        let mut waiting = BinaryHeap::from([id]);
        // The largest number first: children come before their parents.
        while let Some(id) = waiting.pop() {
            if waiting.peek() == Some(&id) || self.gone[id] {
                continue;
            }
            let (weight, leaf) = estimate(self.tree, self.estimator, self.tally(id), self.unit);
            let children = self.children[id].clone();
            if children.is_empty() {
                self.seen[id].estimate = leaf;
                continue;
            }
            let subtree = together(&self.seen[children.clone()]);
            // Rows end here, or none come to the branches: it answers itself.
            if self.lists[id].first != NONE || children.clone().all(|c| self.weight(c) == 0.0) {
                self.make_leaf(id, leaf);
                continue;
            }
            let largest = children.fold(None, |best: Option<(NodeId, f64)>, c| {
                let weight = self.weight(c);
                if best.is_some_and(|(_, most)| most >= weight) { best } else { Some((c, weight)) }
            });
            let branch = largest.map(|(c, _)| c).filter(|&c| !self.children[c].is_empty());
            let raised = branch.map(|branch| self.try_raising(id, branch));
            match (self.estimator.decide(weight, leaf, subtree, raised), branch) {
                (Verdict::Leaf, _) => self.make_leaf(id, leaf),
                (Verdict::Raise, Some(branch)) => {
                    self.raise(id, branch, &mut waiting);
                    waiting.push(id);
                }
                _ => self.seen[id] = subtree,
            }
        }
    }

    /// Makes a node a leaf with an estimate; all rows below it become its own.
    fn make_leaf(&mut self, id: NodeId, estimate: f64) {
        let (own, below) = (std::mem::take(&mut self.lists[id]), std::mem::take(&mut self.children[id]));
        self.lists[id] = self.remove(own, below);
        self.seen[id] = SubtreeEstimate { estimate, nodes: 1 };
    }

    /// Takes subtrees out of the tree; their rows are added to a list.
    fn remove(&mut self, mut all: List, roots: impl Iterator<Item = NodeId>) -> List {
        let mut stack: Vec<NodeId> = roots.collect();
        while let Some(id) = stack.pop() {
            self.gone[id] = true;
            stack.extend(self.children[id].clone());
            let list = std::mem::take(&mut self.lists[id]);
            match self.parts.get_mut(all.last as usize) {
                Some(last) if list.first != NONE => (last.1, all.last) = (list.first, list.last),
                Some(_) => (),
                None => all = list,
            }
        }
        all
    }

    /// The branch in the place of the node: the rows of the other branches are sent through it.
    fn try_raising(&mut self, id: NodeId, branch: NodeId) -> SubtreeEstimate {
        let mut trial = std::mem::take(&mut self.trial);
        trial.leaves.iter().for_each(|&leaf| trial.slot[leaf as usize] = NONE);
        trial.leaves.clear();
        trial.extra.clear();
        trial.arrivals.clear();
        trial.moved.clear();
        let mut stack: Vec<NodeId> = self.children[id].clone().filter(|&c| c != branch).collect();
        while let Some(id) = stack.pop() {
            stack.extend(self.children[id].clone());
            let mut next = self.lists[id].first;
            while let Some((part, after)) = self.parts.get(next as usize) {
                trial.moved.push(*part);
                next = *after;
            }
        }
        // The parts of one row become one again.
        trial.moved.sort_unstable_by_key(|p| p.row);
        trial.moved.dedup_by(|next, kept| {
            let same = next.row == kept.row;
            kept.weight += if same { next.weight } else { 0.0 };
            same
        });
        for i in 0..trial.moved.len() {
            self.send_on(branch, trial.moved[i], &mut trial);
        }
        let mut seen = self.seen[branch];
        for (&leaf, extra) in trial.leaves.iter().zip(trial.extra.chunks_exact(self.classes)) {
            let leaf = leaf as usize;
            let tally: Vec<f64> = self.tally(leaf).iter().zip(extra).map(|(a, b)| a + b).collect();
            seen.estimate +=
                estimate(self.tree, self.estimator, &tally, self.unit).1 - self.seen[leaf].estimate;
        }
        self.trial = trial;
        seen
    }

    /// Sends one row from a node to the leaves below it.
    fn send_on(&self, from: NodeId, row: RowShare, trial: &mut Trial) {
        trial.stack.push((from, row.weight));
        while let Some((id, weight)) = trial.stack.pop() {
            let children = &self.children[id];
            let Some(condition) = self.tree.node(self.source[id] as usize).condition.as_ref() else {
                continue;
            };
            let arrive = |leaf: NodeId, weight: f64, trial: &mut Trial| {
                if trial.slot[leaf] == NONE {
                    trial.slot[leaf] = trial.leaves.len() as u32;
                    trial.leaves.push(leaf as u32);
                    trial.extra.resize(trial.leaves.len() * self.classes, 0.0);
                }
                let (extra, part) = (trial.slot[leaf] as usize * self.classes, RowShare { weight, ..row });
                add(&mut trial.extra[extra..][..self.classes], self.table.target(), &[part]);
                trial.arrivals.push((leaf as u32, part));
            };
            let mut go = |child: NodeId, weight: f64| {
                if self.children[child].is_empty() {
                    arrive(child, weight, trial);
                } else {
                    trial.stack.push((child, weight));
                }
            };
            let column = &self.table.columns()[condition.attribute()];
            if let Some(b) = condition.route(column.cell(column.codes.get(row.row as usize))) {
                go(children.start + b, weight);
                continue;
            }
            // Some branch has weight: otherwise the node had become a leaf when it was settled.
            let shares = share_out(children.clone().map(|c| self.weight(c))).map(|s| weight * s);
            for (child, share) in children.clone().zip(shares).filter(|(_, share)| *share > 0.0) {
                go(child, share);
            }
        }
    }

    /// Does what was tried last.
    fn raise(&mut self, id: NodeId, branch: NodeId, waiting: &mut BinaryHeap<NodeId>) {
        let trial = std::mem::take(&mut self.trial);
        let others = self.children[id].clone().filter(|&c| c != branch);
        self.remove(List::default(), others);
        self.gone[branch] = true;
        self.source[id] = self.source[branch];
        self.children[id] = std::mem::take(&mut self.children[branch]);
        for c in self.children[id].clone() {
            self.parent[c] = id as u32;
        }
        for (&leaf, extra) in trial.leaves.iter().zip(trial.extra.chunks_exact(self.classes)) {
            let mut at = leaf as usize;
            while at != id {
                self.tallies[at * self.classes..][..self.classes]
                    .iter_mut()
                    .zip(extra)
                    .for_each(|(a, b)| *a += b);
                waiting.push(at);
                at = self.parent[at] as usize;
            }
        }
        for &(leaf, part) in &trial.arrivals {
            lay(&mut self.parts, &mut self.lists[leaf as usize], part);
        }
        self.trial = trial;
    }

    /// The tree as it stands, with the counts of the rows sent through it.
    fn finish(self, rows: Vec<RowShare>) -> Tree {
        let mut place = vec![NONE; self.gone.len()];
        let mut nodes: Vec<Node> = Vec::new();
        for id in (0..place.len()).filter(|&id| !self.gone[id]) {
            let own = nodes.len() as u32;
            place[id] = own;
            let parent = place.get(self.parent[id] as usize).copied();
            if let Some(above) = parent.map(|p| &mut nodes[p as usize]) {
                above.first_child.get_or_insert(own);
            }
            let split = self.tree.node(self.source[id] as usize);
            let condition = if self.children[id].is_empty() { None } else { split.condition.clone() };
            let (gain, rank) = if condition.is_some() { (split.gain, split.rank) } else { (0.0, 0) };
            nodes.push(Node { parent, first_child: None, condition, rows: 0, weight: 0.0, gain, rank });
        }
        let classes = self.classes;
        let mut weights = vec![0.0; nodes.len() * classes];
        let mut reached = vec![0u64; nodes.len()];
        send(&nodes, self.table, rows, Shares::OfRows, |Arrived { node, rows, ended }| {
            reached[node] = rows.len() as u64;
            add(&mut weights[node * classes..][..classes], self.table.target(), ended);
        });
        add_up(&nodes, &mut weights, classes);
        for ((node, tally), rows) in nodes.iter_mut().zip(weights.chunks_exact(classes)).zip(reached) {
            (node.weight, node.rows) = (tally.iter().sum(), rows);
        }
        let tree = self.tree.like(nodes, Stats::Classes { classes, weights });
        // No row with a known value comes to such a split: it becomes a leaf.
        let is_bare = |id| !tree.is_leaf(id) && tree.children(id).all(|c| tree.node(c).weight == 0.0);
        let bare: Vec<bool> = (0..tree.nodes().len()).map(is_bare).collect();
        if bare.contains(&true) { tree.cut(&bare) } else { tree }
    }
}

/// Puts a part at the head of a list.
fn lay(parts: &mut Vec<(RowShare, u32)>, list: &mut List, part: RowShare) {
    let place = parts.len() as u32;
    parts.push((part, list.first));
    list.first = place;
    if list.last == NONE {
        list.last = place;
    }
}

#[cfg(test)]
#[path = "raising_tests.rs"]
mod tests;
