//! Choosing a member of a path: on held-out rows, or by cross-validation.

use super::{Estimate, Fit, Fitted, average_of, loss_of, raising, report};
use crate::error::{Error, Result};
use crate::method::{Method, Value};
use crate::prune::intermediate::average_rule;
use crate::prune::routed::squared_losses;
use crate::prune::{Job, Path, Pruner, Routed, Spacing};
use crate::select::{Curve, Loss, Question, cross_validate, losses};
use crate::tree::Tree;

impl Fit<'_> {
    pub(super) fn by_held_out(
        &self,
        method: &Method,
        pruner: &Pruner,
        share: f64,
        se: f64,
    ) -> Result<Fitted> {
        let table = self.nursery.table();
        let full = self.nursery.without(share, self.spec, self.progress)?;
        let job = Job::new(&full.tree, method);
        let path = pruner.path(&job)?;
        let loss = loss_of(method, self.regression);
        let curve = self.held_out_curve(&full.tree, &path, full.routed(table)?, &full.held, loss)?;
        let chosen = curve.choose(se);
        let report = report(pruner, &job, &path, Some(&curve), Some(chosen));
        let parameter = path.parameters()[chosen];
        let tree = match raising(pruner, &job) {
            Some(raise) => raise(&job, table, full.weights.as_deref(), parameter)?,
            None => full.tree.cut(&path.cut(parameter)),
        };
        let method = match self.nursery.options().held_out {
            Some(_) => "the rows held out (also used to choose)".to_string(),
            None => format!("{share} of the rows held out (also used to choose)"),
        };
        let estimate = Estimate { error: curve.errors[chosen], se: curve.se[chosen], method };
        Ok(self.fitted(&full, tree, Some(estimate), Some(report)))
    }

    /// Error and standard error of every member on held-out rows.
    fn held_out_curve(
        &self,
        full: &Tree,
        path: &Path,
        routed: &Routed,
        held: &[f64],
        loss: Loss,
    ) -> Result<Curve> {
        let weight: f64 = held.iter().sum();
        let (sum, mut square) = losses(full, routed, loss);
        if self.regression {
            square = squared_losses(full, self.nursery.table(), held)?;
        }
        let mut curve = Curve::default();
        for (sum, square) in path.sums(full, &sum).into_iter().zip(path.sums(full, &square)) {
            let (error, square) = match loss {
                Loss::Risk => (sum / weight, square / weight),
                // As in cross-validation: the root mean square, and the standard error of a rate of that size.
                Loss::Probabilities => {
                    let root = (sum.max(0.0) / (weight * self.nursery.table().classes() as f64)).sqrt();
                    (root, root)
                }
            };
            curve.errors.push(error);
            curve.se.push(((square - error * error).max(0.0) / weight).sqrt());
        }
        Ok(curve)
    }

    pub(super) fn by_cross_validation(
        &self,
        method: &Method,
        pruner: &Pruner,
        folds: usize,
        se: f64,
    ) -> Result<Fitted> {
        let (nursery, options) = (self.nursery, self.nursery.options());
        let full = nursery.full(self.spec, self.progress)?;
        let job = Job::new(&full.tree, method);
        let path = pruner.path(&job)?;
        let spacing = pruner.parameter().map_or(Spacing::Exact, |p| p.spacing);
        let loss = loss_of(method, self.regression);
        let average = average_of(method, self.regression, spacing);
        let question = Question { nursery, spec: self.spec, pruner, method, folds, loss, average };
        let probes = probes(path.parameters(), spacing);
        let asked = (spacing != Spacing::Splits).then_some(probes.as_slice());
        let (parameters, validated) = cross_validate(&question, asked, self.progress)?;
        let curve = validated.curve;
        let chosen = if method.value("rule", self.regression) == Some(Value::Word("average")) {
            if se > 0.0 {
                return Err(Error::parameter("rule=average has no standard errors; leave out 1se and se"));
            }
            let best: Vec<usize> = validated.best.iter().map(|p| -p as usize).collect();
            let splits = average_rule(&best);
            parameters.iter().position(|p| -p as usize == splits).unwrap_or(0)
        } else {
            curve.choose_within(se, options.room())
        };
        let leaf =
            path.cut(if spacing == Spacing::Splits { parameters[chosen] } else { path.parameters()[chosen] });
        // A number of splits that only a fold reached means all of this tree's.
        let (shown, selected) = if spacing == Spacing::Splits {
            let of = |p: &f64| parameters.iter().position(|q| q == p);
            let pick = |list: &[f64]| -> Vec<f64> {
                path.parameters().iter().map(|p| of(p).map_or(f64::NAN, |i| list[i])).collect()
            };
            let shown = Curve { errors: pick(&curve.errors), se: pick(&curve.se) };
            let selected = path.parameters().iter().position(|p| *p >= parameters[chosen]);
            (shown, selected)
        } else {
            (curve.clone(), Some(chosen))
        };
        let report = report(pruner, &job, &path, Some(&shown), selected);
        let estimate = Estimate {
            error: curve.errors[chosen],
            se: curve.se[chosen],
            method: format!("{}-fold cross-validation (also used to choose)", nursery.folds(folds)?.len()),
        };
        let tree = match raising(pruner, &job) {
            Some(raise) => raise(&job, nursery.table(), full.weights.as_deref(), path.parameters()[chosen])?,
            None => full.tree.cut(&leaf),
        };
        Ok(self.fitted(&full, tree, Some(estimate), Some(report)))
    }
}

/// Where fold trees are asked about each member.
fn probes(parameters: &[f64], spacing: Spacing) -> Vec<f64> {
    match spacing {
        Spacing::Exact | Spacing::Splits => parameters.to_vec(),
        Spacing::Geometric => (0..parameters.len())
            .map(|i| match parameters.get(i + 1) {
                Some(next) => (parameters[i] * next).sqrt(),
                None => f64::INFINITY,
            })
            .collect(),
    }
}
