//! Choosing a member of a path: on held-out rows, or by cross-validation.

use super::{Fitted, Fitting, TreePath};
use crate::error::Result;
use crate::prune::intermediate::average_rule;
use crate::prune::{Job, Spacing};
use crate::route::Loss;
use crate::select::{Members, Pruning, Question, Validated, cross_validate};
use crate::threads;
use crate::training::{Curve, FoldLosses, Folds, Grown, judged_by_others};

impl Fitting<'_> {
    pub(super) fn by_held_out(&self, pruning: &Pruning, share: f64, se: f64) -> Result<Fitted> {
        let Pruning { pruner, options, loss, .. } = pruning;
        let table = self.tree_cache.table();
        let full = self.tree_cache.without(share, &self.plan.spec, self.progress)?;
        let job = Job::with(&full.tree, options);
        let members = Members::of(pruner, &job, &full, table, None)?;
        let parameters = members.parameters().to_vec();
        let (sums, squares) = members.losses(&full, table, &parameters, (*loss, true))?;
        let (errors, errors_se) = self.rates(&sums, &squares, full.held_weight(), *loss);
        let leaves = members.extents(&job, &parameters).iter().map(|extent| extent.leaves).collect();
        let curve = Curve::new(errors, errors_se, leaves)?;
        let chosen = curve.choose(se);
        let (chosen_at, tree) = (Some(parameters[chosen]), members.tree(&full.tree, parameters[chosen]));
        let method = match self.tree_cache.options().held_out {
            Some(_) => "the rows held out".to_string(),
            None => format!("{share} of the rows held out"),
        };
        let apparent = (curve.errors()[chosen], curve.se()[chosen]);
        // Rows that are elsewhere cannot be parted again; there are so many of them that the choice hardly matters. A single row has no parts.
        let is_one_part =
            full.held_elsewhere() || full.held.iter().filter(|weight| **weight > 0.0).count() < 2;
        let estimate = Some(match is_one_part {
            true => self.tree_cache.estimate(apparent, &format!("{method} (also used to choose)")),
            false => {
                let judged = self.held_parts(&full, &members, *loss, |sums, squares, weight| {
                    let (errors, errors_se) = self.rates(sums, squares, weight, *loss);
                    Ok(Curve::new(errors, errors_se, curve.leaves().to_vec())?.choose(se))
                })?;
                self.tree_cache.corrected(apparent.0, judged, &method, "")
            }
        });
        let errors = Some((curve.errors(), curve.se()));
        let path = TreePath::new(pruning, &job, &full.tree, members, errors, Some(chosen));
        Ok(Fitted { estimate, path: Some(path), chosen_at, ..self.fitted(&full, tree) })
    }

    /// The error, with its standard error, when every tenth of the held-out rows is judged by what the others would have chosen.
    fn held_parts(
        &self,
        full: &Grown,
        members: &Members,
        loss: Loss,
        choose: impl Fn(&[f64], &[f64], f64) -> Result<usize>,
    ) -> Result<(f64, f64)> {
        let (table, seed) = (self.tree_cache.table(), self.tree_cache.options().seed);
        let held = full.held.iter().filter(|weight| **weight > 0.0).count();
        let folds = Folds::stratified(table, Some(&full.held), held.clamp(2, 10), seed)?;
        let parameters = members.parameters();
        let parts: Vec<FoldLosses> = threads::try_map(folds.len(), |part| {
            let held = folds.weights(table, Some(&full.held), part).1;
            let weight = held.iter().sum();
            let (loss, square) = members.losses(&full.judged_on(held), table, parameters, (loss, true))?;
            Ok(FoldLosses { loss, square, weight, splits: full.tree.splits() })
        })?;
        let sum = |parts: &mut dyn Iterator<Item = &FoldLosses>| {
            let (mut loss, mut square, mut weight) = (Vec::new(), Vec::new(), 0.0);
            for part in parts {
                loss.resize(part.loss.len(), 0.0);
                square.resize(part.square.len(), 0.0);
                loss.iter_mut().zip(&part.loss).for_each(|(sum, more)| *sum += more);
                square.iter_mut().zip(&part.square).for_each(|(sum, more)| *sum += more);
                weight += part.weight;
            }
            (loss, square, weight)
        };
        let judged = judged_by_others(&parts, |others| {
            let (sums, squares, weight) = sum(&mut others.iter().map(|&part| &parts[part]));
            choose(&sums, &squares, weight)
        })?;
        let (sums, squares, weight) = sum(&mut judged.iter());
        let (errors, se) = self.rates(&sums, &squares, weight, loss);
        Ok((errors[0], se[0]))
    }

    /// Error and standard error of every member from the sums over held-out rows.
    pub(super) fn rates(
        &self,
        sums: &[f64],
        squares: &[f64],
        weight: f64,
        loss: Loss,
    ) -> (Vec<f64>, Vec<f64>) {
        let rate = |(sum, square): (&f64, &f64)| {
            let (error, square) = match loss {
                Loss::Risk => (sum / weight, square / weight),
                // As in cross-validation: the root mean square, and the standard error of a rate of that size.
                Loss::Probabilities => {
                    let root = (sum.max(0.0) / (weight * self.tree_cache.table().classes() as f64)).sqrt();
                    (root, root)
                }
            };
            (error, ((square - error * error).max(0.0) / weight).sqrt())
        };
        sums.iter().zip(squares).map(rate).unzip()
    }

    pub(super) fn by_cross_validation(&self, pruning: &Pruning, folds: usize, se: f64) -> Result<Fitted> {
        let Pruning { pruner, options, loss, average, .. } = pruning;
        let (tree_cache, spec) = (self.tree_cache, &self.plan.spec);
        let full = tree_cache.full(spec, self.progress)?;
        let job = Job::with(&full.tree, options);
        let members = Members::of(pruner, &job, &full, tree_cache.table(), None)?;
        let parameters = members.parameters();
        let spacing = pruner.parameter().map_or(Spacing::Exact, |p| p.spacing);
        let (loss, average) = (*loss, *average);
        let question = Question { tree_cache, spec, pruner, options, folds, loss, average };
        let by_splits = spacing == Spacing::Splits;
        let probes = probes(parameters, spacing);
        let mut validated =
            cross_validate(&question, (!by_splits).then_some(probes.as_slice()), self.progress)?;
        if by_splits {
            carry_on(&mut validated, parameters[0]);
        }
        // The member of this tree behind every error. A number of splits that only a fold reached means all of this tree's.
        let beyond = validated.parameters.len() - parameters.len();
        let member = |i: usize| i.saturating_sub(beyond);
        let extents = members.extents(&job, parameters);
        let leaves: Vec<usize> = (0..validated.parameters.len()).map(|i| extents[member(i)].leaves).collect();
        let tolerance = tree_cache.options().tolerance();
        let choose = |curve: &Curve, best: &[f64]| match pruning.averages_numbers {
            true => {
                let splits = average_rule(&best.iter().map(|p| *p as usize).collect::<Vec<_>>());
                validated.parameters.iter().position(|p| *p as usize == splits).unwrap_or(0)
            }
            false => curve.choose_within(se, tolerance),
        };
        let by_others = judged_by_others(&validated.folds, |others| {
            let folds: Vec<&FoldLosses> = others.iter().map(|&fold| &validated.folds[fold]).collect();
            let (errors, se) = average.of(tree_cache, loss, &validated.parameters, &folds);
            let best: Vec<f64> = others.iter().map(|&fold| validated.best[fold]).collect();
            Ok(choose(&Curve::new(errors, se, leaves.clone())?, &best))
        })?;
        let judged = average.of(tree_cache, loss, &[0.0], &by_others);
        let curve = Curve::new(validated.errors.clone(), validated.se.clone(), leaves)?;
        let chosen = choose(&curve, &validated.best);
        let shown = (&curve.errors()[beyond..], &curve.se()[beyond..]);
        let (at, tree) = (member(chosen), members.tree(&full.tree, parameters[member(chosen)]));
        let path = TreePath::new(pruning, &job, &full.tree, members, Some(shown), Some(at));
        let method = format!("{}-fold cross-validation", tree_cache.folds(folds)?.len());
        let judged = (judged.0[0], judged.1[0]);
        let estimate = Some(tree_cache.corrected(curve.errors()[chosen], judged, &method, ""));
        let (chosen_at, fold_paths) = (Some(validated.parameters[chosen]), validated.paths.into());
        Ok(Fitted { estimate, path: Some(path), chosen_at, fold_paths, ..self.fitted(&full, tree) })
    }
}

/// Carries the errors on to this many splits: a fold tree that has no more keeps its last error.
fn carry_on(validated: &mut Validated, splits: f64) {
    let reached = validated.parameters.first().copied().unwrap_or(0.0) as usize;
    let more = (splits as usize).saturating_sub(reached);
    let mut lists = vec![
        (&mut validated.errors, None),
        (&mut validated.se, None),
        (&mut validated.parameters, Some(reached)),
    ];
    for fold in &mut validated.folds {
        lists.extend([(&mut fold.loss, None), (&mut fold.square, None)]);
    }
    for (list, last) in lists {
        let first = list.first().copied().unwrap_or(f64::NAN);
        let front = (1..=more).rev().map(|n| last.map_or(first, |last| (last + n) as f64));
        list.splice(0..0, front);
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
