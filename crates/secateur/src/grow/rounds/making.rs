//! A tree in the making, and the way of rows to some of its nodes.

use super::searching::Flat;
use super::trunk::Trunk;
use crate::data::{CodedTable, Scale};
use crate::error::{Error, Result};
use crate::grow::engine::BestSplit;
use crate::shard::{Branching, Coding, Sketch, SketchNode, SketchSplit, Wanted};
use crate::spec::GrowSpec;
use crate::split::NodeCount;
use crate::sums::Steps;
use crate::tree::Condition;

/// A tree in the making.
pub(super) struct Making {
    /// The tag of the rows that it is grown without.
    pub without: Option<u8>,
    /// The nodes; nothing before the root is counted.
    pub partial: Option<Trunk>,
    /// What is known of every node.
    pub nodes: Vec<State>,
    /// What the weights, and the shares, of parts of rows are rounded to.
    pub steps: (Steps, Steps),
    /// What the codes stand for, where that is not the same for all trees.
    pub scales: Option<Vec<Scale>>,
}

/// What is known of a node.
pub(super) enum State {
    /// It is not searched yet.
    New(New),
    /// Its best split is found, and waits.
    Waiting(Box<Waiting>),
    /// It is split here.
    Split(Box<SketchSplit>),
    /// It is not split, or was finished in memory.
    Leaf,
}

pub(super) struct New {
    /// Its counts, where they follow from those of its parent.
    pub count: Option<NodeCount>,
    /// About how many rows it has.
    pub rows: f64,
    /// The parent, as long as its histograms are kept: siblings together have what it has.
    pub parent: Option<u32>,
}

pub(super) struct Waiting {
    pub split: SketchSplit,
    /// Counts of the branches, where they are known, and about how many rows each has.
    pub branches: Vec<(Option<NodeCount>, f64)>,
    /// The histograms, for branches that have what their siblings leave.
    pub flat: Option<Flat>,
    /// Whether no row is in several branches.
    pub is_whole: bool,
}

impl Making {
    pub(super) fn new(without: Option<u8>, coding: &Coding) -> Self {
        let root = New { count: None, rows: coding.rows() as f64, parent: None };
        Self {
            without,
            partial: None,
            nodes: vec![State::New(root)],
            steps: Default::default(),
            scales: None,
        }
    }

    /// The nodes that wait to be split and are to be split now.
    fn demanded(&self, spec: &GrowSpec) -> Vec<u32> {
        let Some(partial) = &self.partial else { return Vec::new() };
        let waits = |node: u32| {
            let is_split = partial.nodes[node as usize].first_child.is_some();
            !is_split && matches!(self.nodes[node as usize], State::Waiting(_))
        };
        if !spec.has_limit() {
            return (0..self.nodes.len() as u32).filter(|node| waits(*node)).collect();
        }
        // As the order would have it, if nothing else was found.
        let mut demanded = Vec::new();
        partial.in_order(spec, |node, _| {
            if waits(node) {
                demanded.push(node);
            }
        });
        demanded
    }

    /// Splits the nodes that are to be split now.
    pub(super) fn split_next(&mut self, spec: &GrowSpec, coding: &Coding) -> Result<()> {
        self.forget_searched();
        for node in self.demanded(spec) {
            let Some(partial) = &mut self.partial else { break };
            let State::Waiting(waiting) = &mut self.nodes[node as usize] else { continue };
            let first = partial.nodes.len() as u32;
            partial.nodes[node as usize].first_child = Some(first);
            let depth = partial.nodes[node as usize].depth + 1;
            let branches = std::mem::take(&mut waiting.branches);
            waiting.split.first_child = first;
            for (count, rows) in branches {
                // What is not known yet is filled in once it is.
                partial.push(Some(node), depth, &count.clone().unwrap_or_else(|| nothing(coding)));
                self.nodes.push(State::New(New { count, rows, parent: Some(node) }));
            }
            if self.nodes.len() > u32::MAX as usize {
                return Err(Error::parameter(
                    "the tree has more than 4 billion nodes; limit it with max-depth or min-leaf",
                ));
            }
        }
        Ok(())
    }

    /// Forgets the histograms of nodes of whose branches none will be searched any more.
    fn forget_searched(&mut self) {
        for node in 0..self.nodes.len() {
            let State::Waiting(waiting) = &self.nodes[node] else { continue };
            let first = waiting.split.first_child as usize;
            let branches = first..first + waiting.split.shares.len();
            if first > 0 && branches.into_iter().all(|b| !matches!(self.nodes[b], State::New(_))) {
                self.forget(node as u32);
            }
        }
    }

    /// The nodes that are not searched yet and matter.
    pub(super) fn open(&self, spec: &GrowSpec) -> Vec<u32> {
        let is_new = |node: &u32| matches!(self.nodes[*node as usize], State::New(_));
        let all = (0..self.nodes.len() as u32).filter(is_new);
        let Some(partial) = self.partial.as_ref() else { return all.collect() };
        if !spec.has_limit() {
            return all.collect();
        }
        let mut reached = vec![false; self.nodes.len()];
        reached[0] = true;
        partial.in_order(spec, |node, _| {
            let growing = &partial.nodes[node as usize];
            let branches = growing.found.as_ref().map_or(0, |found| found.condition.branches());
            if let Some(first) = growing.first_child {
                reached[first as usize..first as usize + branches].fill(true);
            }
        });
        all.filter(|node| reached[*node as usize]).collect()
    }

    /// The way to some nodes, with what is asked about each. Nodes are reported in the order of the sketch.
    pub(super) fn sketch(&self, wanted: &[(u32, Wanted)]) -> (Sketch, Vec<u32>) {
        let mut asked: std::collections::HashMap<u32, Wanted> = wanted.iter().copied().collect();
        let mut on_way = std::collections::HashSet::new();
        for (node, _) in wanted {
            let mut at = *node;
            while let Some(parent) = self.partial.as_ref().and_then(|s| s.nodes[at as usize].parent)
                && on_way.insert(parent)
            {
                at = parent;
            }
        }
        let mut sketch = Sketch { without: self.without, steps: self.steps, ..Sketch::default() };
        let mut order = Vec::new();
        let mut old = vec![0u32];
        let mut next = 0;
        while let Some(&node) = old.get(next) {
            next += 1;
            let split = match &self.nodes[node as usize] {
                State::Split(split) if on_way.contains(&node) => Some(split.as_ref()),
                State::Waiting(waiting) if on_way.contains(&node) => Some(&waiting.split),
                _ => None,
            };
            let split = split.map(|split| {
                let first_child = old.len() as u32;
                old.extend((0..split.shares.len() as u32).map(|b| split.first_child + b));
                SketchSplit { first_child, ..split.clone() }
            });
            let wanted = asked.remove(&node);
            order.extend(wanted.map(|_| node));
            sketch.nodes.push(SketchNode { split, wanted });
        }
        (sketch, order)
    }

    /// The count of a node that was asked for.
    pub(super) fn counted(&mut self, node: u32, count: NodeCount) {
        match &mut self.partial {
            None => {
                self.steps = (Steps::below(count.weight), Steps::below(count.rows as f64));
                self.partial = Some(Trunk::new(&count));
            }
            Some(partial) => partial.fill_in(node, &count),
        }
        if let State::New(new) = &mut self.nodes[node as usize] {
            new.rows = count.rows as f64;
            new.count = Some(count);
        }
    }

    /// The best split of a node, or that there is none.
    pub(super) fn found(&mut self, node: u32, found: Option<(BestSplit, Waiting)>) {
        let place = &mut self.nodes[node as usize];
        match found {
            None => *place = State::Leaf,
            Some((best, waiting)) => {
                *place = State::Waiting(Box::new(waiting));
                if let Some(partial) = &mut self.partial {
                    partial.nodes[node as usize].found = Some(best);
                }
            }
        }
    }

    /// The histograms of a node are not needed any more.
    pub(super) fn forget(&mut self, node: u32) {
        let place = &mut self.nodes[node as usize];
        if let State::Waiting(waiting) = place
            && waiting.split.first_child > 0
        {
            *place = State::Split(Box::new(waiting.split.clone()));
        }
    }
}

/// The count of a node of which nothing is known yet.
pub(super) fn nothing(coding: &Coding) -> NodeCount {
    match coding.classes() {
        0 => NodeCount {
            rows: 0,
            weight: 0.0,
            size: 0.0,
            tally: crate::split::Tally::Numbers(crate::split::NumberTally::default()),
            sum: 0.0,
            median: None,
        },
        classes => NodeCount::of_classes(0, 0.0, 0.0, vec![0.0; classes]),
    }
}

/// The branches of the codes of a condition's column.
pub(crate) fn branching(condition: &Condition, table: &CodedTable) -> Branching {
    let column = &table.columns()[condition.attribute()];
    let missing = column.cardinality();
    let branch = |code: u32| condition.route(column.cell(code)).map_or(u32::MAX, |b| b as u32);
    if let (Condition::Threshold { missing: None, .. }, true) = (condition, column.is_numeric()) {
        return Branching::Below(condition.codes_below(column));
    }
    Branching::Codes((0..=missing).map(branch).collect())
}
