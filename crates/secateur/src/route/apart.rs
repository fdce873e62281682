//! Rows that go several ways at once, judged whole: in every pruned tree by the one answer that prediction gives them.
//!
//! A row without a known value goes down every branch with a share `s(t)` of it, and a tree with the leaves `t` answers
//! `Σ s(t) · answer(t)`, a class distribution or a number; the label is decided from the sum ([`Tree::decide`]). Along a nested path
//! the answer of a row changes only where a node falls that the row has reached: then `s(t) · answer(t)` takes the place of
//! what its branches had added. So one walk down the full tree and one sweep over the nodes reached give the row's loss in
//! every member, as steps along the parameter. Cost per such row: `O(v (log v + J))` for `v` nodes reached and `J`
//! classes (for a path that is not nested, that many per member), and memory for one row at a time; rows that reach one leaf in one
//! piece cost nothing here.

use super::send::RowShare;
use super::{Loss, Routed};
use crate::data::{CodedTable, CodedTarget};
use crate::sums::Sum;
use crate::threads;
use crate::tree::{NodeAnswers, NodeId, Tree};

/// Rows that one task works on.
const CHUNK: usize = 256;

/// What nodes answer, and what an answer costs a row.
pub(crate) struct Answers<'a> {
    tree: &'a Tree,
    table: &'a CodedTable,
    loss: Loss,
    answers: NodeAnswers<&'a Tree>,
}

impl<'a> Answers<'a> {
    pub(crate) fn new(tree: &'a Tree, table: &'a CodedTable, loss: Loss) -> Self {
        Self { tree, table, loss, answers: NodeAnswers::new(tree).in_unit(table.unit()) }
    }

    /// What a node says.
    pub(crate) fn of(&self, id: NodeId) -> &[f64] {
        self.answers.of(id)
    }

    /// Adds a share of what a node says.
    #[inline]
    pub(crate) fn add(&self, id: NodeId, share: f64, sum: &mut [f64]) {
        self.answers.add(id, share, sum);
    }

    /// Numbers in an answer: one for every class, or one.
    pub(crate) fn width(&self) -> usize {
        self.answers.width()
    }

    /// What an answer costs a row, and whether it is right.
    pub(crate) fn judge(&self, row: u32, answer: &[f64]) -> (f64, bool) {
        match self.table.target() {
            CodedTarget::Classes { codes, .. } => {
                let actual = codes[row as usize] as usize;
                let costs = self.tree.costs().map(|costs| &**costs);
                let right = self.loss == Loss::Risk && actual == self.tree.decide(answer);
                (self.loss.of_class(costs, actual, answer, 1.0), right)
            }
            CodedTarget::Numbers { values, unit } => {
                let off = values[row as usize] - answer[0];
                (off * off / unit / unit, false)
            }
        }
    }

    /// Walks a row down the tree ([`Tree::walk`]).
    pub(crate) fn walk(
        &self,
        row: u32,
        stack: &mut Vec<(NodeId, f64)>,
        visit: impl FnMut(NodeId, f64, bool),
    ) {
        self.tree.walk(|attribute| self.table.cell(row as usize, attribute), stack, visit);
    }
}

/// Where along the parameters a row's loss changes, and the squared loss.
type Changes = Vec<[Sum; 2]>;

/// What is used again from row to row.
#[derive(Default)]
struct Work {
    stack: Vec<(NodeId, f64)>,
    visited: Vec<(NodeId, f64, bool)>,
    /// The place of a member, a node, and the share that comes (or goes) there.
    events: Vec<(u32, u32, f64)>,
    answer: Vec<f64>,
}

impl Routed {
    /// Adds the losses of the rows kept [apart](Self::apart), and the squared losses, to those of every member.
    ///
    /// `tree` and `table` are those that the rows were sent down with.
    pub(crate) fn add_apart(
        &self,
        (tree, table): (&Tree, &CodedTable),
        states: &States,
        loss: Loss,
        (sums, squares): (&mut [f64], &mut [f64]),
    ) {
        if self.rows_apart().is_empty() {
            return;
        }
        let answers = Answers::new(tree, table, loss);
        let all = || vec![[Sum::default(); 2]; sums.len()];
        let parts: Vec<_> = self.rows_apart().chunks(CHUNK).collect();
        let chunks: Vec<Changes> = threads::map_with(parts.len(), Work::default, |work, part| {
            let mut changes = all();
            for &row in parts[part] {
                match states {
                    States::Nested(places) => along(&answers, row, places, work, &mut changes),
                    States::Cuts(cuts) => one_by_one(&answers, row, cuts, work, &mut changes),
                }
            }
            changes
        });
        let mut changes = all();
        for chunk in chunks {
            for (sums, more) in changes.iter_mut().zip(chunk) {
                sums.iter_mut().zip(more).for_each(|(sum, more)| sum.add_sum(more));
            }
        }
        let mut now = [Sum::default(); 2];
        for ((sum, square), change) in sums.iter_mut().zip(squares).zip(changes) {
            now.iter_mut().zip(change).for_each(|(now, change)| now.add_sum(change));
            *sum += now[0].value().max(0.0);
            *square += now[1].value().max(0.0);
        }
    }
}

/// What the nodes are in the members.
pub(crate) enum States {
    /// For every node the place of the first member in which it is not split.
    Nested(Vec<u32>),
    /// For every member what every node is in it.
    Cuts(Vec<Vec<State>>),
}

/// What a node is in a tree that was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Split,
    Leaf,
    Gone,
}

/// Adds the changes of a row's loss along a nested path.
fn along(answers: &Answers, row: RowShare, places: &[u32], work: &mut Work, changes: &mut Changes) {
    let (tree, end) = (answers.tree, changes.len() as u32);
    let Work { stack, events, answer, .. } = work;
    events.clear();
    answers.walk(row.row, stack, |id, share, ends| {
        let from = if ends { 0 } else { places[id] };
        let to = tree.node(id).parent.map_or(end, |above| places[above as usize]);
        if from < to {
            events.push((from, id as u32, share));
            events.push((to, id as u32, -share));
        }
    });
    events.sort_by_key(|event| event.0);
    let mut sums = vec![Sum::default(); answers.width()];
    let mut before = [0.0; 2];
    for here in events.chunk_by(|a, b| a.0 == b.0).take_while(|events| events[0].0 < end) {
        for &(_, id, share) in here {
            sums.iter_mut().zip(answers.of(id as usize)).for_each(|(sum, p)| sum.add(share * p));
        }
        answer.clear();
        answer.extend(sums.iter().map(|sum| sum.value()));
        let (loss, _) = answers.judge(row.row, answer);
        let now = [row.weight * loss, row.weight * loss * loss];
        for ((change, now), before) in changes[here[0].0 as usize].iter_mut().zip(now).zip(before) {
            change.add(now);
            change.add(-before);
        }
        before = now;
    }
}

/// Adds a row's loss in every member of a path that is not nested.
fn one_by_one(answers: &Answers, row: RowShare, cuts: &[Vec<State>], work: &mut Work, changes: &mut Changes) {
    let Work { stack, visited, answer, .. } = work;
    visited.clear();
    answers.walk(row.row, stack, |id, share, ends| visited.push((id, share, ends)));
    let mut before = [0.0; 2];
    for (states, change) in cuts.iter().zip(changes) {
        answer.clear();
        answer.resize(answers.width(), 0.0);
        for &(id, share, ends) in visited.iter() {
            if states[id] == State::Leaf || ends && states[id] == State::Split {
                answers.add(id, share, answer);
            }
        }
        let (loss, _) = answers.judge(row.row, answer);
        let now = [row.weight * loss, row.weight * loss * loss];
        for ((change, now), before) in change.iter_mut().zip(now).zip(before) {
            change.add(now);
            change.add(-before);
        }
        before = now;
    }
}
