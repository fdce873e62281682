//! Choosing a member of a path, and the leaf values it predicts with: on held-out rows, or by cross-validation.
//!
//! *By errors* or their costs (of numbers by squared errors) the size is chosen first, with leaf values as they were counted: the smallest tree within the lowest
//! mean loss plus `se` standard errors of it. Then λ is chosen for this size: the one with the lowest *score*, which is the log loss (with costs the
//! mean cost, then the log loss; of numbers the squared error), the smallest among equal ones. Choosing both at once by errors gave trees a quarter larger that were no more accurate
//! (`docs/which-tree.md`): of many pairs that differ by luck alone, one with a large tree often comes first.
//!
//! A leaf may so predict another class than most of its own rows have, which reports mark. Leaving such λ out cost 0.15 points of accuracy and 1.6 % of
//! log loss in the mean over 87 tables.
//!
//! *By another loss* (`choose-by`) both are chosen together, as leaf values decide such losses. Every pair of a member and leaf values has a mean
//! loss. Of the pairs within the lowest mean plus `se` standard errors of it, the smallest tree is taken; and of the leaf values that are within it for
//! this tree, those with the lowest score: the loss itself.

use super::leaves::{FoldTree, LambdaChoice, is_lower, tried_values};
use super::measured::Measured;
use super::{Fitted, Fitting, TreePath};
use crate::error::Result;
use crate::prune::intermediate::average_rule;
use crate::prune::{Job, Spacing};
use crate::route::Loss;
use crate::select::{Asked, FoldPaths, Losses, Members, Probes, Pruning, Question};
use crate::threads;
use crate::training::{Average, Curve, FoldLosses, Folds, Grown, judged_by_others};
use crate::tree::{LeafValues, Tree};

impl Fitting<'_> {
    pub(super) fn by_held_out(&self, pruning: &Pruning, share: f64, se: f64) -> Result<Fitted> {
        let Pruning { pruner, options, .. } = pruning;
        let table = self.tree_cache.table();
        let full = self.tree_cache.without(share, &self.plan.spec, self.progress)?;
        let job = Job::with(&full.tree, options);
        let members = Members::of(pruner, &job, &full, table, None)?;
        let leaves = members.extents(&job, members.parameters()).iter().map(|extent| extent.leaves).collect();
        let losses_of = |grown: &Grown, values: &[LeafValues], losses: &[Loss]| -> Result<Vec<FoldLosses>> {
            let asked = Asked { values, losses, squares_of_numbers: true };
            let (weight, splits) = (grown.held_weight(), full.tree.splits());
            let of = |Losses { sums, squares }| FoldLosses { loss: sums, square: squares, weight, splits };
            Ok(members.losses(grown, table, members.parameters(), asked)?.into_iter().map(of).collect())
        };
        let mut sheet = Sheet {
            fit: self,
            pruning,
            by: By::HeldOut,
            se,
            values: self.values_to_measure(pruning, &full.tree),
            losses: self.losses_to_measure(pruning),
            parameters: members.parameters().to_vec(),
            leaves,
            parts: Vec::new(),
            best: Vec::new(),
        };
        let whole = losses_of(&full, &sheet.values, &sheet.losses)?;
        sheet.parts = whole.into_iter().map(|all| vec![all]).collect();
        let chosen = sheet.choose(&[0])?;
        let values = sheet.values[chosen.values];
        let method = match self.tree_cache.options().held_out {
            Some(_) => "the rows held out".to_string(),
            None => format!("{share} of the rows held out"),
        };
        let shown = sheet
            .shown(chosen.values, losses_of(&full, &[values], &EXTRA)?.into_iter().map(|all| vec![all]))?;
        let apparent = (shown.errors[chosen.member], shown.se[chosen.member]);
        let lambda = sheet.lambda(&[0], chosen, &method);
        // Rows that are elsewhere cannot be parted again; there are so many of them that the choice hardly matters. A single row has no parts.
        let is_one_part =
            full.held_elsewhere() || full.held.iter().filter(|weight| **weight > 0.0).count() < 2;
        let estimate = Some(match is_one_part {
            true => self.tree_cache.estimate(apparent, &format!("{method} (also used to choose)")),
            false => {
                let parts = self.held_parts(&full, |part| losses_of(part, &sheet.values, &sheet.losses))?;
                sheet.parts = parts;
                self.tree_cache.corrected(apparent.0, sheet.judged_by_others()?, &method, "the tree size")
            }
        });
        let tree = members.tree(&full.tree, sheet.parameters[chosen.member]);
        let path = TreePath::new(pruning, &job, &full.tree, members, Some(&shown), Some(chosen.member));
        drop(job);
        let judges = vec![FoldTree { tree: tree.clone(), grown: full.clone() }];
        let fitted = Fitted { estimate, path: Some(path), lambda, ..self.fitted(&full, tree) };
        fitted.with_chosen_values(values, judges)
    }

    /// What is measured on every tenth of the held-out rows, list by list.
    fn held_parts(
        &self,
        full: &Grown,
        losses_of: impl Fn(&Grown) -> Result<Vec<FoldLosses>> + Sync,
    ) -> Result<Vec<Vec<FoldLosses>>> {
        let (table, seed) = (self.tree_cache.table(), self.tree_cache.options().seed);
        let held = full.held.iter().filter(|weight| **weight > 0.0).count();
        let folds = Folds::stratified(table, Some(&full.held), held.clamp(2, 10), seed)?;
        let parts = threads::try_map(folds.len(), |part| {
            losses_of(&full.judged_on(folds.weights(table, Some(&full.held), part).1))
        })?;
        let lists = parts.first().map_or(0, Vec::len);
        let mut all: Vec<Vec<FoldLosses>> = (0..lists).map(|_| Vec::new()).collect();
        for part in parts {
            all.iter_mut().zip(part).for_each(|(list, losses)| list.push(losses));
        }
        Ok(all)
    }

    pub(super) fn by_cross_validation(&self, pruning: &Pruning, folds: usize, se: f64) -> Result<Fitted> {
        let Pruning { pruner, options, average, .. } = pruning;
        let (tree_cache, spec) = (self.tree_cache, &self.plan.spec);
        let full = tree_cache.full(spec, self.progress)?;
        let job = Job::with(&full.tree, options);
        let members = Members::of(pruner, &job, &full, tree_cache.table(), None)?;
        let parameters = members.parameters();
        let spacing = pruner.parameter().map_or(Spacing::Exact, |p| p.spacing);
        let asked_at = probes(parameters, spacing);
        let probes = match spacing {
            Spacing::Splits => Probes::Splits { at_least: full.tree.splits() },
            _ => Probes::At(&asked_at),
        };
        let question = Question { tree_cache, spec, pruner, options, folds };
        let paths = FoldPaths::of(&question, probes, self.progress)?;
        // The member of this tree behind every error. A number of splits that only a fold reached means all of this tree's.
        let beyond = paths.parameters.len() - parameters.len();
        let member = |i: usize| i.saturating_sub(beyond);
        let extents = members.extents(&job, parameters);
        let (values, losses) = (self.values_to_measure(pruning, &full.tree), self.losses_to_measure(pruning));
        let parts = paths.losses(&values, &losses)?;
        // Of the last leaf values: those that sizes are compared with, where there are such.
        let counted = (values.len() - 1) * losses.len()
            + losses.iter().position(|loss| *loss == pruning.loss).unwrap_or(0);
        let sheet = Sheet {
            fit: self,
            pruning,
            by: By::Folds(*average),
            se,
            leaves: (0..paths.parameters.len()).map(|i| extents[member(i)].leaves).collect(),
            best: if pruning.averages_numbers { paths.best(&parts[counted])? } else { Vec::new() },
            parameters: paths.parameters.clone(),
            values,
            losses,
            parts,
        };
        let all: Vec<usize> = (0..tree_cache.folds(folds)?.len()).collect();
        let chosen = sheet.choose(&all)?;
        let values = sheet.values[chosen.values];
        let method = format!("{}-fold cross-validation", all.len());
        let shown = sheet.shown(chosen.values, paths.losses(&[values], &EXTRA)?.into_iter())?;
        let (error, lambda) = (shown.errors[chosen.member], sheet.lambda(&all, chosen, &method));
        let estimate = Some(tree_cache.corrected(error, sheet.judged_by_others()?, &method, "the tree size"));
        let (at, asked) = (member(chosen.member), paths.parameters[chosen.member]);
        let tree = members.tree(&full.tree, parameters[at]);
        let path = TreePath::new(
            pruning,
            &job,
            &full.tree,
            members,
            Some(&shown.from(beyond, chosen.member)),
            Some(at),
        );
        drop(job);
        let judges = paths.trees(asked)?.into_iter().map(|(grown, tree)| FoldTree { grown, tree });
        let fitted = Fitted { estimate, path: Some(path), lambda, ..self.fitted(&full, tree) };
        fitted.with_chosen_values(values, judges.collect())
    }

    /// The leaf values that are measured: those to choose from, and where sizes are compared by what was counted, that as well, at the end.
    fn values_to_measure(&self, pruning: &Pruning, tree: &Tree) -> Vec<LeafValues> {
        let mut values = tried_values(self.plan, tree);
        values.extend(compares_counted(pruning).then_some(LeafValues::Raw));
        values
    }

    /// The losses that are measured for every leaf values: the risk, the loss that is counted, and those of the score.
    fn losses_to_measure(&self, pruning: &Pruning) -> Vec<Loss> {
        let mut losses = vec![Loss::Risk];
        for loss in [pruning.loss].into_iter().chain(self.score(pruning)) {
            if !losses.contains(&loss) {
                losses.push(loss);
            }
        }
        losses
    }

    /// The losses by which leaf values are chosen, the first that differs decides.
    fn score(&self, pruning: &Pruning) -> Vec<Loss> {
        let has_classes = self.tree_cache.table().classes() > 0;
        match pruning.loss {
            Loss::Risk if has_classes && self.tree_cache.costs().is_some() => vec![Loss::Risk, Loss::LogLoss],
            Loss::Risk if has_classes => vec![Loss::LogLoss],
            Loss::Probabilities => vec![Loss::Brier],
            loss => vec![loss],
        }
    }
}

/// The scores of every member that a path has beside its errors.
const EXTRA: [Loss; 2] = [Loss::LogLoss, Loss::Brier];

/// How the losses of parts become a curve.
enum By {
    Folds(Average),
    HeldOut,
}

/// A pair of leaf values and a member, by their places.
#[derive(Clone, Copy)]
struct Chosen {
    values: usize,
    member: usize,
}

/// The measurements that a choice is made by: for each of the leaf values, and in them each of the losses, a list of parts.
struct Sheet<'a> {
    fit: &'a Fitting<'a>,
    pruning: &'a Pruning,
    by: By,
    se: f64,
    values: Vec<LeafValues>,
    losses: Vec<Loss>,
    /// The parameters that trees were asked about.
    parameters: Vec<f64>,
    /// The leaves of the members.
    leaves: Vec<usize>,
    parts: Vec<Vec<FoldLosses>>,
    /// For every part its best number of splits, where their average is taken.
    best: Vec<f64>,
}

impl Sheet<'_> {
    /// The losses of some leaf values, part by part.
    fn list(&self, values: usize, loss: Loss) -> &[FoldLosses] {
        let place = self.losses.iter().position(|known| *known == loss).unwrap_or(0);
        &self.parts[values * self.losses.len() + place]
    }

    /// The curve of a loss, with its standard errors, over some parts.
    fn rates(&self, loss: Loss, parameters: &[f64], parts: &[&FoldLosses]) -> (Vec<f64>, Vec<f64>) {
        let cache = self.fit.tree_cache;
        match self.by {
            By::Folds(average) => average.of(cache, loss, parameters, parts),
            By::HeldOut => {
                let weight: f64 = parts.iter().map(|part| part.weight).sum();
                let sum = |of: fn(&FoldLosses) -> &[f64], i: usize| {
                    parts.iter().map(|part| of(part)[i]).sum::<f64>()
                };
                let rate = |i: usize| {
                    let (loss_sum, square) =
                        (sum(|part| &part.loss, i), sum(|part| &part.square, i) / weight);
                    let error = loss.mean(loss_sum.max(0.0), weight, cache.table().classes());
                    // As in cross-validation: a root mean square has the standard error of a rate of that size.
                    let square = if loss == Loss::Probabilities { error } else { square };
                    (error, ((square - error * error).max(0.0) / cache.rows_of(weight)).sqrt())
                };
                (0..parts.first().map_or(0, |part| part.loss.len())).map(rate).unzip()
            }
        }
    }

    fn curve(&self, values: usize, loss: Loss, parts: &[usize]) -> (Vec<f64>, Vec<f64>) {
        let list = self.list(values, loss);
        let parts: Vec<&FoldLosses> = parts.iter().map(|&part| &list[part]).collect();
        self.rates(loss, &self.parameters, &parts)
    }

    /// The losses of one member by which its leaf values are compared.
    fn score(&self, Chosen { values, member }: Chosen, parts: &[usize]) -> Vec<f64> {
        let of = |loss: Loss| {
            let one = |&part: &usize| self.list(values, loss)[part].at(member);
            let parts: Vec<FoldLosses> = parts.iter().map(one).collect();
            self.rates(loss, &self.parameters[member..=member], &parts.iter().collect::<Vec<_>>()).0[0]
        };
        self.fit.score(self.pruning).into_iter().map(of).collect()
    }

    /// The leaf values and the member that some parts choose.
    fn choose(&self, parts: &[usize]) -> Result<Chosen> {
        let (member, within) = if self.pruning.averages_numbers {
            let best: Vec<usize> = parts.iter().map(|&part| self.best[part] as usize).collect();
            let splits = average_rule(&best);
            let member = self.parameters.iter().position(|p| *p as usize == splits).unwrap_or(0);
            (member, vec![true; self.choices()])
        } else if compares_counted(self.pruning) {
            let (errors, se) = self.curve(self.choices(), Loss::Risk, parts);
            let curve = Curve::new(errors, se, self.leaves.clone())?;
            let member = curve.choose_within(self.se, self.fit.tree_cache.options().tolerance());
            (member, vec![true; self.choices()])
        } else {
            self.smallest_within(parts)?
        };
        let mut best: Option<(Chosen, Vec<f64>)> = None;
        for values in (0..self.choices()).filter(|&values| within[values]) {
            let next = Chosen { values, member };
            let score = self.score(next, parts);
            if best.as_ref().is_none_or(|(_, lowest)| is_lower(&score, lowest)) {
                best = Some((next, score));
            }
        }
        Ok(best.map_or(Chosen { values: 0, member }, |(chosen, _)| chosen))
    }

    /// How many leaf values there are to choose from.
    fn choices(&self) -> usize {
        self.values.len() - usize::from(compares_counted(self.pruning))
    }

    /// The smallest member within the tolerance of the lowest loss of all pairs, and for each of the leaf values whether they are within it there.
    fn smallest_within(&self, parts: &[usize]) -> Result<(usize, Vec<bool>)> {
        let members = self.parameters.len();
        let (errors, se): (Vec<_>, Vec<_>) =
            (0..self.values.len()).map(|values| self.curve(values, self.pruning.loss, parts)).unzip();
        let curve = Curve::new(errors.concat(), se.concat(), self.leaves.repeat(self.values.len()))?;
        let tolerance = self.fit.tree_cache.options().tolerance();
        let member = curve.choose_within(self.se, tolerance) % members;
        let limit = curve.limit(self.se, tolerance);
        // Where nothing is known, everything is as good.
        let is_within = |errors: &Vec<f64>| errors[member] <= limit || errors[member].is_nan();
        Ok((member, errors.iter().map(is_within).collect()))
    }

    /// How λ was chosen, where there was a choice.
    fn lambda(&self, parts: &[usize], chosen: Chosen, method: &str) -> Option<LambdaChoice> {
        if self.choices() == 1 {
            return None;
        }
        let of = |(values, tried): (usize, &LeafValues)| {
            (tried.number().unwrap_or(0.0), self.score(Chosen { values, ..chosen }, parts)[0])
        };
        let losses: Vec<(f64, f64)> = self.values[..self.choices()].iter().enumerate().map(of).collect();
        Some(LambdaChoice { lambda: losses[chosen.values].0, losses, method: method.into() })
    }

    /// The error, with its standard error, when every part is judged by what the others choose.
    fn judged_by_others(&self) -> Result<(f64, f64)> {
        let members = self.parameters.len();
        let parts = self.list(0, Loss::Risk).len();
        let all = |part: usize| {
            let mut joined = self.list(0, Loss::Risk)[part].clone();
            for values in 1..self.values.len() {
                let FoldLosses { loss, square, .. } = &self.list(values, Loss::Risk)[part];
                joined.loss.extend(loss);
                joined.square.extend(square);
            }
            joined
        };
        let all: Vec<FoldLosses> = (0..parts).map(all).collect();
        let judged = judged_by_others(&all, |others| {
            let Chosen { values, member } = self.choose(others)?;
            Ok(values * members + member)
        })?;
        let (errors, se) = self.rates(Loss::Risk, &[0.0], &judged.iter().collect::<Vec<_>>());
        Ok((errors[0], se[0]))
    }

    /// The curves of the chosen leaf values; `scores` has their log loss and Brier score.
    fn shown(&self, values: usize, scores: impl Iterator<Item = Vec<FoldLosses>>) -> Result<Measured> {
        let all: Vec<usize> = (0..self.list(values, Loss::Risk).len()).collect();
        let (errors, se) = self.curve(values, Loss::Risk, &all);
        let counted = self.pruning.loss;
        let counted = (counted != Loss::Risk).then(|| self.curve(values, counted, &all));
        let curves = EXTRA
            .into_iter()
            .zip(scores)
            .map(|(loss, list)| self.rates(loss, &self.parameters, &list.iter().collect::<Vec<_>>()).0);
        let mut curves = curves.collect::<Vec<_>>().into_iter();
        let scores = curves.next().zip(curves.next()).filter(|_| self.fit.tree_cache.table().classes() > 0);
        Ok(Measured { errors, se, counted, scores })
    }
}

/// Whether tree sizes are compared with leaf values as they were counted.
fn compares_counted(pruning: &Pruning) -> bool {
    pruning.loss == Loss::Risk
}

/// The parameters at which fold trees stand for the members of a path.
pub(crate) fn probes(parameters: &[f64], spacing: Spacing) -> Vec<f64> {
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
