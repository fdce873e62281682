//! Best-first pre-pruning (Shi 3.4): fold trees are grown in step, and growing stops when their error on held-out rows rises.
//!
//! Nothing beyond the stopping point is grown, in the folds or in the final tree. Held-out rows wait at the leaves; one that
//! goes several ways is judged by what its leaves say together, and when one of these is split, its part is taken off
//! and those of the branches are added.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::order::{ERROR, FOLD_AVERAGE, average, expansion, loss};
use super::{Fitting, Found, Path, PruneKind, Pruner};
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::grow::{InMemory, Stepwise, grow_weighted};
use crate::method::{CV, For, MethodInfo, Needs, ONE_SE};
use crate::progress::Progress;
use crate::route::Loss;
use crate::schema::{Costs, decide, probabilities};
use crate::spec::GrowSpec;
use crate::sums::Sum;
use crate::training::{Average, Curve, FoldLosses, Grown, TreeCache};
use crate::tree::share_out;

/// Best-first pre-pruning.
pub static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "pre",
        one_line: "stops growing when the cross-validated error rises",
        paper: "Shi: Best-first Decision Tree Learning, 2007, section 3.4.1",
        params: &[CV.default("10"), ONE_SE, ERROR, FOLD_AVERAGE],
        needs: Needs::Folds,
        exceptions: &[],
    },
    only: For::Classes,
    kind: PruneKind::Own { fit, stops_growing: true },
};

fn fit(fitting: &Fitting) -> Result<Found> {
    let Fitting { trees, spec, options, progress } = *fitting;
    let folds = options.number("cv") as usize;
    let one_se = options.flag("1se");
    let (loss, average) = (loss(options), average(options).unwrap_or(Average::Folds));
    let shared = trees.expects(spec, folds);
    let stopped = if shared {
        // The folds are grown to the end anyway: the curve stops where growing would have.
        let curve = splits_curve(trees, spec, folds, (loss, average), progress)?;
        stopping_point(&curve, one_se, trees.options().tolerance())?
    } else {
        stop_early(trees, spec, folds, (loss, average, one_se), progress)?
    };
    let limit = spec.max_splits.map_or(stopped.splits, |most| most.min(stopped.splits));
    let (tree, grow_seconds) = if shared {
        let full = trees.full(spec, progress)?;
        let splits = |rank: u32| (rank as usize) < limit;
        let leaf: Vec<bool> =
            full.tree.nodes().iter().map(|n| n.condition.is_none() || !splits(n.rank)).collect();
        (full.tree.cut(&leaf).grown_this_far(), full.seconds)
    } else {
        let begun = Instant::now();
        let spec = GrowSpec { max_splits: Some(limit), ..spec.clone() };
        let tree = grow_weighted(trees.table(), trees.learning_weights().as_deref(), &spec, progress)?;
        (tree.with_costs(trees.costs().cloned())?, begun.elapsed().as_secs_f64())
    };
    let error = (stopped.curve.errors()[stopped.splits], stopped.curve.se()[stopped.splits]);
    let method = format!("{}-fold cross-validation", trees.folds(folds)?.len());
    let estimate = Some(trees.estimate(error, &method, "stop"));
    Ok(Found { full: tree.size(), tree, grow_seconds, estimate })
}

/// The cross-validated error after every number of splits in the order of growing, from 0.
pub fn splits_curve(
    trees: &TreeCache,
    spec: &GrowSpec,
    folds: usize,
    (loss, average): (Loss, Average),
    progress: &dyn Progress,
) -> Result<Curve> {
    let grown = trees.fold_trees(spec, folds, progress)?;
    let most = grown.iter().map(|grown| grown.tree.splits()).max().unwrap_or(0);
    let numbers: Vec<f64> = (0..=most).rev().map(|n| n as f64).collect();
    let of_fold = |grown: &Arc<Grown>| {
        let (tree, table) = (&grown.tree, trees.table());
        let path = Path::splits(tree, &expansion(tree));
        let (loss, square) = path.losses(grown.routed(table)?, tree, table, &numbers, loss);
        Ok(FoldLosses { loss, square, weight: grown.held.iter().sum(), splits: tree.splits() })
    };
    let losses = grown.par_iter().map(of_fold).collect::<Result<Vec<_>>>()?;
    let (mut errors, mut se) = average.of(trees, loss, &numbers, &losses);
    errors.reverse();
    se.reverse();
    // More splits are more leaves, and how many does not matter here.
    let leaves = (1..=errors.len()).collect();
    Curve::new(errors, se, leaves)
}

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
    costs: Option<&'a Costs>,
    loss: Loss,
    /// Whether rows that go several ways are judged in parts, leaf by leaf.
    in_parts: bool,
    /// Row and weight, for every node that is a leaf so far.
    rows: Vec<Vec<(u32, f64)>>,
    /// The loss of every node's rows, and the squared loss.
    losses: Vec<[f64; 2]>,
    sum: [f64; 2],
    weight: f64,
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

impl Held<'_> {
    /// What a row of a class costs where the class weights are these.
    fn one(&self, class: usize, weights: &[f64]) -> f64 {
        let all: f64 = weights.iter().sum();
        match self.loss {
            Loss::Probabilities => {
                let squares: f64 = weights.iter().map(|w| (w / all).powi(2)).sum();
                1.0 - 2.0 * weights[class] / all + squares
            }
            Loss::Risk => {
                let label = decide(self.costs, weights);
                self.costs.map_or(f64::from(u8::from(class != label)), |costs| costs.cost(class, label))
            }
        }
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
    fn follow(&mut self, grower: &Stepwise, node: u32) {
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

/// Where an error curve from 0 splits on would have stopped growing; `tolerance` is what counts as rounding, relative to the first
/// error.
pub fn stopping_point(curve: &Curve, one_se: bool, tolerance: f64) -> Result<Stopped> {
    let mut watch = Watch { least: 0, one_se, tolerance };
    let (errors, se) = (curve.errors(), curve.se());
    let seen = (0..errors.len()).find(|&n| watch.stops(errors, se, n)).map_or(errors.len(), |n| n + 1);
    watch.chosen(errors[..seen].to_vec(), se[..seen].to_vec())
}

/// Looks at an error curve while it grows.
struct Watch {
    least: usize,
    one_se: bool,
    tolerance: f64,
}

impl Watch {
    /// Whether growing stops after `n` splits.
    fn stops(&mut self, errors: &[f64], se: &[f64], n: usize) -> bool {
        // Sums of the same losses in another order differ in their last digits.
        let tolerance = self.tolerance * errors[0];
        let error = errors[n];
        if error < errors[self.least] - tolerance {
            self.least = n;
        }
        if self.one_se {
            error > errors[self.least] + se[self.least] + tolerance
        } else {
            n > 0 && error > errors[n - 1] + tolerance
        }
    }

    /// The number of splits to make: more splits are more leaves, so the first number within the limit is the smallest tree.
    fn chosen(self, errors: Vec<f64>, se: Vec<f64>) -> Result<Stopped> {
        let last = errors.len().saturating_sub(1);
        let leaves = (1..=errors.len()).collect();
        let curve = Curve::new(errors, se, leaves)?;
        let errors = curve.errors();
        let tolerance = self.tolerance * errors[0];
        let splits = if self.one_se {
            let limit = errors[self.least] + curve.se()[self.least] + tolerance;
            (0..=last).find(|&n| errors[n] <= limit).unwrap_or(self.least)
        } else if last > 0 && errors[last] > errors[last - 1] + tolerance {
            last - 1
        } else {
            last
        };
        Ok(Stopped { splits, curve })
    }
}

/// Grows the folds in step until the rule says stop.
pub fn stop_early(
    tree_cache: &TreeCache,
    spec: &GrowSpec,
    folds: usize,
    (loss, average, one_se): StoppingRule,
    progress: &dyn Progress,
) -> Result<Stopped> {
    let (table, options) = (tree_cache.table(), tree_cache.options());
    let costs = tree_cache.costs().map(AsRef::as_ref);
    let classes = table.classes();
    let mut total = 0.0;
    let folds = tree_cache.folds(folds)?;
    let weights: Vec<(Vec<f64>, Vec<f64>)> =
        (0..folds.len()).map(|fold| tree_cache.fold_weights(&folds, fold)).collect();
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
        let mut held = Held {
            table,
            costs,
            loss,
            in_parts: options.to_the_bit,
            rows: vec![rows],
            losses: Vec::new(),
            sum: [0.0; 2],
            weight,
            mixed: Vec::new(),
            shares: vec![Vec::new()],
        };
        held.sum = held.at(&held.rows[0], grower.class_weights(0));
        held.losses.push(held.sum);
        growing.push((grower, held, true));
    }
    progress.stage("growing folds in step", 0);
    if options.to_the_bit {
        total = tree_cache.weight();
    }
    let (mut errors, mut se) = (Vec::new(), Vec::new());
    let mut watch = Watch { least: 0, one_se, tolerance: options.tolerance() };
    loop {
        let counted = || growing.iter().filter(|(_, _, active)| average != Average::ActiveFolds || *active);
        let rates: Vec<f64> = counted().map(|(_, held, _)| held.rate(classes)).collect();
        let error = rates.iter().sum::<f64>() / rates.len() as f64;
        let last = errors.len();
        if rates.is_empty() {
            break;
        }
        errors.push(error);
        // The mean of the squares: a mistake without costs counts 1, and so does its square.
        let square = match (loss, costs) {
            (Loss::Risk, Some(_)) => {
                counted().map(|(_, held, _)| held.sum[1] / held.weight).sum::<f64>() / rates.len() as f64
            }
            _ => error,
        };
        se.push(((square - error * error) / total).max(0.0).sqrt());
        if watch.stops(&errors, &se, last) {
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
    watch.chosen(errors, se)
}
