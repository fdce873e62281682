//! Holder's tuner at work: minimum leaf weight and confidence by hill climbing, each pair judged by cross-validation.

use std::collections::HashMap;

use super::{Estimate, Fit, Fitted, cv};
use crate::error::Result;
use crate::method::{Method, Value};
use crate::prune::error_based::{self, Limit};
use crate::prune::intermediate::hill_climb;
use crate::prune::{Job, Path};
use crate::route::Loss;
use crate::spec::GrowSpec;

impl Fit<'_> {
    pub(super) fn tuned(&self, method: &Method) -> Result<Fitted> {
        let tree_cache = self.tree_cache;
        let folds = cv(method, self.task);
        let number = |name: &str, default: f64| match method.value(name, self.task) {
            Some(Value::Number(x)) => x,
            _ => default,
        };
        let start = (self.spec.min_leaf, number("cf", 0.25));
        let steps = (number("leaf-step", 1.0), number("cf-step", 0.05));
        let with = |min_leaf: f64| GrowSpec { min_leaf, ..self.spec.clone() };
        // Pairs differ by whole steps; what was asked once is known.
        let mut known: HashMap<(u64, u64), (f64, f64)> = HashMap::new();
        let ((min_leaf, cf), error) = hill_climb(start, steps, |(min_leaf, cf)| {
            if min_leaf < 1.0 || !(1e-9..=1.0).contains(&cf) {
                return Ok(f64::INFINITY);
            }
            let key = (min_leaf.to_bits(), cf.to_bits());
            if let Some(error) = known.get(&key) {
                return Ok(error.0);
            }
            let (mut lost, mut squares, mut weight) = (0.0, 0.0, 0.0);
            for grown in tree_cache.fold_trees(&with(min_leaf), folds, self.progress)? {
                let job = Job::new(&grown.tree, method);
                let leaf = error_based::cut(&grown.tree, &job.bounded_risk(), cf, Limit::Exact);
                let table = tree_cache.table();
                let path = Path::cuts(vec![cf], vec![leaf])?;
                let (loss, square) = path.losses(grown.routed(table)?, &grown.tree, table, &[cf], Loss::Risk);
                lost += loss[0];
                squares += square[0];
                weight += grown.held.iter().sum::<f64>();
            }
            let error = lost / weight;
            let variance = (squares / weight - error * error) / weight;
            known.insert(key, (error, variance.max(0.0).sqrt()));
            Ok(error)
        })?;
        let full = tree_cache.full(&with(min_leaf), self.progress)?;
        let job = Job::new(&full.tree, method);
        let leaf = error_based::cut(&full.tree, &job.bounded_risk(), cf, Limit::Exact);
        let estimate = Estimate {
            error,
            se: known.get(&(min_leaf.to_bits(), cf.to_bits())).map_or(0.0, |known| known.1),
            method: self.in_words(format!(
                "{}-fold cross-validation (also used to choose min-leaf={min_leaf} and cf={}",
                tree_cache.folds(folds)?.len(),
                (cf * 1e9).round() / 1e9
            )),
        };
        Ok(self.fitted(&full, full.tree.cut(&leaf), Some(estimate), None))
    }
}
