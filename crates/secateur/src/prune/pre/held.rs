//! The held-out rows of a fold while its tree grows.

use crate::data::{CodedTable, CodedTarget};
use crate::grow::Stepwise;
use crate::route::Loss;
use crate::schema::{Costs, probabilities};
use crate::sums::Sum;
use crate::tree::share_out;

/// Held-out rows of one fold, kept at the nodes of its growing tree.
pub(super) struct Held<'a> {
    table: &'a CodedTable,
    costs: Option<&'a Costs>,
    pub loss: Loss,
    /// Whether rows that go several ways are judged in parts, leaf by leaf.
    in_parts: bool,
    /// Row and weight, for every node that is a leaf so far.
    rows: Vec<Vec<(u32, f64)>>,
    /// The loss of every node's rows, and the squared loss.
    losses: Vec<[f64; 2]>,
    pub sum: [f64; 2],
    pub weight: f64,
    /// Rows that go several ways, judged whole, and which of them have how large a share at every node.
    mixed: Vec<Mixed>,
    shares: Vec<Vec<(u32, f64)>>,
}

/// A row that goes several ways: what its leaves say together.
struct Mixed {
    row: u32,
    weight: f64,
    answer: Vec<Sum>,
    loss: [f64; 2],
}

impl Mixed {
    /// Adds what a node with these class weights says to a share of the row.
    fn add(&mut self, share: f64, weights: &[f64]) {
        self.answer.iter_mut().zip(probabilities(weights)).for_each(|(sum, p)| sum.add(share * p));
    }
}

impl<'a> Held<'a> {
    /// All rows held out from a fold, at the root.
    pub(super) fn at_root(
        table: &'a CodedTable,
        costs: Option<&'a Costs>,
        loss: Loss,
        in_parts: bool,
        weights: &[f64],
        class_weights: &[f64],
    ) -> Self {
        let rows: Vec<(u32, f64)> = (0..).zip(weights.iter().copied()).filter(|(_, w)| *w > 0.0).collect();
        let mut held = Self {
            table,
            costs,
            loss,
            in_parts,
            rows: vec![rows],
            losses: Vec::new(),
            sum: [0.0; 2],
            weight: weights.iter().sum(),
            mixed: Vec::new(),
            shares: vec![Vec::new()],
        };
        held.sum = held.at(&held.rows[0], class_weights);
        held.losses.push(held.sum);
        held
    }

    /// What a row of a class costs where the class weights are these.
    fn one(&self, class: usize, weights: &[f64]) -> f64 {
        self.loss.of_class(self.costs, class, weights, weights.iter().sum())
    }

    fn class(&self, row: u32) -> usize {
        match self.table.target() {
            CodedTarget::Classes { codes, .. } => codes[row as usize] as usize,
            CodedTarget::Numbers { .. } => 0,
        }
    }

    /// The loss and the squared loss of some rows at a leaf with these class weights.
    fn at(&self, rows: &[(u32, f64)], weights: &[f64]) -> [f64; 2] {
        let by_class: Vec<f64> = (0..weights.len()).map(|class| self.one(class, weights)).collect();
        rows.iter().fold([0.0; 2], |[sum, squares], &(row, w)| {
            let loss = by_class[self.class(row)];
            [sum + w * loss, squares + w * loss * loss]
        })
    }

    fn change(&mut self, by: [f64; 2], sign: f64) {
        self.sum.iter_mut().zip(by).for_each(|(sum, loss)| *sum += sign * loss);
    }

    /// Follows the split of a node.
    pub(super) fn follow(&mut self, grower: &Stepwise, node: u32) {
        let Some((condition, first)) = grower.split_of(node) else { return };
        let column = &self.table.columns()[condition.attribute()];
        let route = |row: u32| condition.route(column.cell(column.codes.get(row as usize)));
        let branches = condition.branches();
        let children: Vec<f64> = (0..branches as u32).map(|b| grower.weight(first + b)).collect();
        let shares: Vec<f64> = share_out(children.iter().copied()).collect();
        let spread = |share: f64| {
            let to = shares.iter().enumerate().filter(|(_, s)| **s > 0.0);
            to.map(move |(b, s)| (b, share * s))
        };
        // Where no branch has weight the node itself answers.
        let is_end = shares.iter().all(|s| *s == 0.0);
        let mut ended = Vec::new();
        // An empty branch predicts as its parent does.
        let speaker = |b: usize| if children[b] > 0.0 { first + b as u32 } else { node };
        self.change(self.losses[node as usize], -1.0);
        let mut parts = vec![Vec::new(); branches];
        let mut shares_of = vec![Vec::new(); branches];
        let mut here = std::mem::take(&mut self.shares[node as usize]);
        for (row, weight) in std::mem::take(&mut self.rows[node as usize]) {
            match route(row) {
                Some(branch) => parts[branch].push((row, weight)),
                None if self.in_parts && is_end => ended.push((row, weight)),
                None if self.in_parts => spread(weight).for_each(|(b, w)| parts[b].push((row, w))),
                None => {
                    // So far it was in one piece.
                    let answer = vec![Sum::default(); self.table.classes()];
                    let mut mixed = Mixed { row, weight, answer, loss: [0.0; 2] };
                    mixed.add(1.0, grower.class_weights(node));
                    here.push((self.mixed.len() as u32, 1.0));
                    self.mixed.push(mixed);
                }
            }
        }
        for (place, share) in here {
            let place = place as usize;
            let mixed = &mut self.mixed[place];
            mixed.add(-share, grower.class_weights(node));
            let to = route(mixed.row);
            let mut go = |b: usize, share: f64| {
                mixed.add(share, grower.class_weights(speaker(b)));
                shares_of[b].push((place as u32, share));
            };
            match to {
                Some(b) => go(b, share),
                None if is_end => mixed.add(share, grower.class_weights(node)),
                None => spread(share).for_each(|(b, share)| go(b, share)),
            }
            let answer: Vec<f64> = mixed.answer.iter().map(|sum| sum.value()).collect();
            let (row, weight, before) = (mixed.row, mixed.weight, mixed.loss);
            let loss = self.one(self.class(row), &answer);
            let loss = [weight * loss, weight * loss * loss];
            self.mixed[place].loss = loss;
            self.change(before, -1.0);
            self.change(loss, 1.0);
        }
        if !ended.is_empty() {
            self.change(self.at(&ended, grower.class_weights(node)), 1.0);
        }
        for (b, (part, share)) in parts.into_iter().zip(shares_of).enumerate() {
            let loss = self.at(&part, grower.class_weights(speaker(b)));
            self.change(loss, 1.0);
            self.losses.push(loss);
            self.rows.push(part);
            self.shares.push(share);
        }
    }

    pub(super) fn rate(&self, classes: usize) -> f64 {
        self.loss.mean(self.sum[0].max(0.0), self.weight, classes)
    }
}
