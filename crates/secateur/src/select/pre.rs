//! Best-first pre-pruning (Shi 3.4): fold trees are grown in step, and growing stops when their error on held-out rows rises.
//!
//! Nothing beyond the stopping point is grown, in the folds or in the final tree.

use std::sync::Arc;

use super::{Average, Curve, Loss, Nursery};
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::grow::{GrowSpec, InMemory, Stepwise};
use crate::progress::Progress;
use crate::tree::Costs;

/// Where growing stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Stopped {
    /// The number of splits to make.
    pub splits: usize,
    /// Error and standard error after every number of splits that was tried, from 0.
    pub curve: Curve,
}

/// Held-out rows of one fold, kept at the nodes of its growing tree.
struct Held<'a> {
    table: &'a CodedTable,
    costs: Option<&'a Arc<Costs>>,
    loss: Loss,
    /// Row and weight, for every node that is a leaf so far.
    rows: Vec<Vec<(u32, f64)>>,
    /// The loss of every node's rows, and the squared loss.
    losses: Vec<[f64; 2]>,
    sum: [f64; 2],
    weight: f64,
}

impl Held<'_> {
    /// The loss and the squared loss of some rows at a leaf with these class weights.
    fn at(&self, rows: &[(u32, f64)], weights: &[f64]) -> [f64; 2] {
        let CodedTarget::Classes { codes, .. } = self.table.target() else { return [0.0; 2] };
        let all: f64 = weights.iter().sum();
        let label = match self.costs {
            Some(costs) => costs.label(weights),
            None => crate::tree::largest(weights),
        };
        let squares: f64 = weights.iter().map(|w| (w / all).powi(2)).sum();
        let one = |class: usize| match (self.loss, self.costs) {
            (Loss::Probabilities, _) => 1.0 - 2.0 * weights[class] / all + squares,
            (Loss::Risk, Some(costs)) => costs.cost(class, label),
            (Loss::Risk, None) => f64::from(u8::from(class != label)),
        };
        rows.iter().fold([0.0; 2], |[sum, squares], &(row, w)| {
            let loss = one(codes[row as usize] as usize);
            [sum + w * loss, squares + w * loss * loss]
        })
    }

    /// Follows the split of a node.
    fn follow(&mut self, grower: &Stepwise, node: u32) {
        let Some((condition, first)) = grower.split_of(node) else { return };
        let column = &self.table.columns()[condition.attribute()];
        let branches = condition.branches();
        let children: Vec<f64> = (0..branches as u32).map(|b| grower.weight(first + b)).collect();
        let total: f64 = children.iter().sum();
        let mut parts = vec![Vec::new(); branches];
        for (row, weight) in std::mem::take(&mut self.rows[node as usize]) {
            match condition.route(column.cell(column.codes.get(row as usize))) {
                Some(branch) => parts[branch].push((row, weight)),
                None => {
                    for (part, share) in parts.iter_mut().zip(&children).filter(|(_, c)| **c > 0.0) {
                        part.push((row, weight * share / total));
                    }
                }
            }
        }
        let before = self.losses[node as usize];
        self.sum.iter_mut().zip(before).for_each(|(sum, loss)| *sum -= loss);
        for (child, part) in (first..).zip(parts) {
            // An empty branch predicts as its parent does.
            let speaker = if grower.weight(child) > 0.0 { child } else { node };
            let loss = self.at(&part, grower.tally(speaker));
            self.sum.iter_mut().zip(loss).for_each(|(sum, loss)| *sum += loss);
            self.losses.push(loss);
            self.rows.push(part);
        }
    }

    fn rate(&self, classes: usize) -> f64 {
        match self.loss {
            Loss::Risk => self.sum[0].max(0.0) / self.weight,
            Loss::Probabilities => (self.sum[0].max(0.0) / (self.weight * classes as f64)).sqrt(),
        }
    }
}

/// When growing stops: what is counted, how folds are averaged, and whether one standard error is allowed for. Without it
/// growing stops when the error is larger than the one before; with it when the error exceeds the least one so far by more
/// than its standard error, and then the fewest splits within one standard error of the least are taken.
pub type StoppingRule = (Loss, Average, bool);

/// Where an error curve from 0 splits on would have stopped growing; `room` is what counts as rounding, relative to the first
/// error.
pub fn stopping_point(curve: &Curve, one_se: bool, room: f64) -> Stopped {
    let mut watch = Watch { least: 0, one_se, room };
    let seen = (0..curve.errors.len()).find(|&n| watch.stops(curve, n)).map_or(curve.errors.len(), |n| n + 1);
    let curve = Curve { errors: curve.errors[..seen].to_vec(), se: curve.se[..seen].to_vec() };
    watch.chosen(curve)
}

/// Looks at an error curve while it grows.
struct Watch {
    least: usize,
    one_se: bool,
    room: f64,
}

impl Watch {
    /// Whether growing stops after `n` splits.
    fn stops(&mut self, curve: &Curve, n: usize) -> bool {
        // Sums of the same losses in another order differ in their last digits.
        let room = self.room * curve.errors[0];
        let error = curve.errors[n];
        if error < curve.errors[self.least] - room {
            self.least = n;
        }
        if self.one_se {
            error > curve.errors[self.least] + curve.se[self.least] + room
        } else {
            n > 0 && error > curve.errors[n - 1] + room
        }
    }

    /// The number of splits to make.
    fn chosen(self, curve: Curve) -> Stopped {
        let last = curve.errors.len() - 1;
        let room = self.room * curve.errors[0];
        let splits = if self.one_se {
            let limit = curve.errors[self.least] + curve.se[self.least] + room;
            (0..=last).find(|&n| curve.errors[n] <= limit).unwrap_or(self.least)
        } else if last > 0 && curve.errors[last] > curve.errors[last - 1] + room {
            last - 1
        } else {
            last
        };
        Stopped { splits, curve }
    }
}

/// Grows the folds in step until the rule says stop.
pub fn stop_early(
    nursery: &Nursery,
    spec: &GrowSpec,
    folds: usize,
    (loss, average, one_se): StoppingRule,
    progress: &dyn Progress,
) -> Result<Stopped> {
    let (table, options) = (nursery.table(), nursery.options());
    let costs = options.costs.as_ref();
    let classes = table.classes();
    let mut total = 0.0;
    let folds = nursery.folds(folds)?;
    let weights: Vec<(Vec<f64>, Vec<f64>)> =
        (0..folds.len()).map(|f| folds.weights(table, options.weights.as_deref(), f)).collect();
    if weights.iter().any(|(_, held)| held.iter().all(|w| *w == 0.0)) {
        return Err(Error::parameter("a fold has no rows"));
    }
    let engines =
        weights.iter().map(|(grow, _)| InMemory::new(table, Some(grow), spec)).collect::<Result<Vec<_>>>()?;
    let mut growing = Vec::new();
    for (engine, (_, held)) in engines.iter().zip(&weights) {
        let grower = engine.grower()?;
        let rows: Vec<(u32, f64)> = (0..).zip(held.iter().copied()).filter(|(_, w)| *w > 0.0).collect();
        let weight: f64 = held.iter().sum();
        total += weight;
        let mut held =
            Held { table, costs, loss, rows: vec![rows], losses: Vec::new(), sum: [0.0; 2], weight };
        held.sum = held.at(&held.rows[0], grower.tally(0));
        held.losses.push(held.sum);
        growing.push((grower, held, true));
    }
    progress.stage("growing folds in step", 0);
    if options.to_the_bit {
        total = nursery.weight();
    }
    let mut curve = Curve::default();
    let mut watch = Watch { least: 0, one_se, room: options.room() };
    loop {
        let counted = || growing.iter().filter(|(_, _, active)| average != Average::ActiveFolds || *active);
        let rates: Vec<f64> = counted().map(|(_, held, _)| held.rate(classes)).collect();
        let error = rates.iter().sum::<f64>() / rates.len() as f64;
        let last = curve.errors.len();
        if rates.is_empty() {
            break;
        }
        curve.errors.push(error);
        // The mean of the squares: a mistake without costs counts 1, and so does its square.
        let square = match (loss, costs) {
            (Loss::Risk, Some(_)) => {
                counted().map(|(_, held, _)| held.sum[1] / held.weight).sum::<f64>() / rates.len() as f64
            }
            _ => error,
        };
        curve.se.push(((square - error * error) / total).max(0.0).sqrt());
        if watch.stops(&curve, last) {
            break;
        }
        let mut moved = false;
        for (grower, held, active) in &mut growing {
            *active = *active
                && match grower.step()? {
                    Some(node) => {
                        held.follow(grower, node);
                        true
                    }
                    None => false,
                };
            moved |= *active;
        }
        if !moved {
            break;
        }
        progress.advance(1);
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    Ok(watch.chosen(curve))
}
