//! The pruning paths that the page moves along: which nodes are split in which member, and the errors of the members.

use serde::Serialize;

use super::confusion::{Confusion, confusions};
use super::number::{Number, exact, rough, steps};
use crate::error::Result;
use crate::fit::{TreePath, fit_in, probes};
use crate::method::{Method, MethodKind, ParamKind};
use crate::progress::Progress;
use crate::prune::cutting::kept;
use crate::prune::k_norm::prior_counts;
use crate::prune::{Job, Path, PruneKind, Pruner, Spacing, Tried};
use crate::scheme::{Scheme, pruners};
use crate::select::Selector;
use crate::spec::GrowSpec;
use crate::training::{Curve, TreeCache};
use crate::tree::{KNorm, LeafValues, Tree};

/// The paths of every page, as far as they are made for its tree.
const PATHS: [&str; 8] = [
    "cost-complexity",
    "k-norm",
    "post",
    "breadth-first",
    "size-pessimistic",
    "error-based",
    "critical-value",
    "min-error",
];

/// Options that say which member is taken and not what the members are.
const CHOICES: [&str; 9] =
    ["cv", "holdout", "1se", "se", "raising", "rule", "choose-by", "error", "fold-average"];

/// By which rows the members are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Judged {
    Folds(usize),
    HeldOut(f64),
}

/// One path.
#[derive(Debug, Serialize)]
pub(super) struct PathColumns {
    pruner: &'static str,
    one_line: &'static str,
    paper: &'static str,
    parameter: &'static str,
    /// What stands before and after the parameter in the pruner's text, and the text where it has its default.
    text: [String; 3],
    default: Option<Number>,
    is_whole: bool,
    /// Whether a member is there at its own parameter alone, and not up to the next one.
    is_exact: bool,
    parameters: Vec<Number>,
    /// For a nested path: the number of members in which each split of the tree is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    split_in: Option<Vec<u32>>,
    /// For any other: the nodes that are cut off in every member, each as its distance from the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    cuts: Option<Vec<Vec<i64>>>,
    prior_counts: Option<KNorm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    se: Option<Vec<Number>>,
    /// What stands where: the label and the member.
    marks: Vec<(String, usize)>,
    /// The parameter that the scheme fixes: of members that are the same tree the one that is meant.
    #[serde(skip)]
    fixed: Option<f64>,
    /// The parameters at which fold trees stand for the members.
    #[serde(skip)]
    asked: Vec<f64>,
    /// Of marked members, where the page begins with this path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    confusions: Vec<Confusion>,
}

/// The methods whose paths are shown: those of the list, each with the scheme's own options where it is the scheme's pruner, and the
/// scheme's pruner first.
pub(super) fn methods(tree: &Tree, own: Option<&Method>) -> Vec<Method> {
    let own = own.filter(|method| Pruner::of(method).is_ok_and(|pruner| pruner.parameter().is_some()));
    let first = own.map(without_choices);
    let rest = PATHS.iter().filter(|id| own.is_none_or(|own| own.info().id != **id));
    let rest = rest.filter_map(|id| Method::parse(id, MethodKind::Pruner, &pruners()).ok());
    let fits = |method: &Method| Pruner::of(method).is_ok_and(|pruner| pruner.check(tree.task()).is_ok());
    first.into_iter().chain(rest).filter(fits).collect()
}

/// A method without the options that choose a member.
fn without_choices(method: &Method) -> Method {
    let text = method.to_string();
    let parameter = Pruner::of(method).ok().and_then(Pruner::parameter).map_or("", |p| p.name);
    let (id, options) = text.split_once(':').unwrap_or((&text, ""));
    let name = |option: &&str| option.split('=').next().unwrap_or_default().to_owned();
    let kept = options.split(',').filter(|o| !o.is_empty()).filter(|option| {
        let name = name(option);
        name != parameter && !CHOICES.contains(&name.as_str())
    });
    let kept: Vec<&str> = kept.collect();
    let text = if kept.is_empty() { id.to_owned() } else { format!("{id}:{}", kept.join(",")) };
    Method::parse(&text, MethodKind::Pruner, &pruners()).unwrap_or_else(|_| method.clone())
}

/// Numbers that no pruner has as a default, for every range of a parameter.
const PLACES: [&str; 3] = ["7654321", "765", "0.7654321"];

/// The text of a method before and after its parameter, and without it.
fn text(method: &Method, parameter: &str) -> Option<[String; 3]> {
    let plain = method.to_string();
    let join = if plain.contains(':') { ',' } else { ':' };
    PLACES.iter().find_map(|place| {
        let with = format!("{plain}{join}{parameter}={place}");
        let with = Method::parse(&with, MethodKind::Pruner, &pruners()).ok()?.to_string();
        let (before, after) = with.split_once(place)?;
        Some([before.into(), after.into(), plain.clone()])
    })
}

impl PathColumns {
    /// The path of a method on a tree; `own` is the scheme's pruner.
    pub(super) fn of(tree: &Tree, method: &Method, own: Option<&Method>) -> Result<Option<Self>> {
        let pruner = Pruner::of(method)?;
        let options = method.options(tree.task());
        let Some(parameter) = pruner.parameter() else { return Ok(None) };
        let Some(text) = text(method, parameter.name) else { return Ok(None) };
        let default = options.optional(parameter.name);
        let own = own.filter(|own| own.info().id == pruner.info.id);
        let selector = own.and_then(|own| Selector::of(pruner, &own.options(tree.task())).ok().flatten());
        let fixed = if let Some(Selector::Fixed(p)) = selector { Some(p) } else { None };
        let path = path(pruner, &Job::with(tree, &options))?;
        let inner = || (0..tree.nodes().len()).filter(|&id| !tree.is_leaf(id));
        let split_in = path.split_in().map(|list| inner().map(|id| list[id]).collect());
        let cuts = || path.parameters().iter().map(|&p| steps(new_leaves(tree, &path.cut(p)))).collect();
        let spec = pruner.info.param(parameter.name);
        let tries_all = matches!(pruner.kind, PruneKind::Nested { tried: Tried::All(_), .. });
        let mut found = Self {
            pruner: pruner.info.id,
            one_line: pruner.info.one_line,
            paper: pruner.info.paper,
            parameter: parameter.name,
            text,
            default: default.map(Number),
            is_whole: spec.is_some_and(|spec| matches!(spec.kind, ParamKind::Integer { .. })),
            is_exact: !(tries_all && path.is_nested()),
            parameters: exact(path.parameters().iter().copied()),
            cuts: if split_in.is_none() { Some(cuts()) } else { None },
            split_in,
            prior_counts: prior_counts(tree, &options),
            errors: None,
            se: None,
            marks: Vec::new(),
            fixed,
            asked: Vec::new(),
            confusions: Vec::new(),
        };
        if let Some(x) = default {
            let place = path.parameters().iter().rposition(|p| *p <= x && (!found.is_exact || *p == x));
            found.marks.extend(place.map(|place| (format!("{} = {x}", parameter.name), place)));
        }
        Ok(Some(found))
    }

    /// The path with the errors of its members on rows they were not grown from.
    pub(super) fn measured(
        &self,
        trees: &TreeCache,
        learner: &Method,
        judged: Judged,
        progress: &dyn Progress,
    ) -> Result<Option<TreePath>> {
        let join = if self.text[2].contains(':') { ',' } else { ':' };
        let by = match judged {
            Judged::Folds(folds) => format!("cv={folds}"),
            Judged::HeldOut(share) => format!("holdout={share}"),
        };
        let scheme: Scheme = format!("{learner}/{}{join}{by}", self.text[2]).parse()?;
        Ok(fit_in(trees, &scheme, progress)?.path)
    }

    /// Adds the errors of the members as measured, and what selectors choose by them.
    pub(super) fn judge(&mut self, report: &TreePath) -> Result<()> {
        let spacing = self.method()?.and_then(|method| Some(Pruner::of(&method).ok()?.parameter()?.spacing));
        // The same members, in the same order, unless the path is shown at fewer of them.
        let (mut steps, nan) = (report.steps.iter(), (f64::NAN, f64::NAN));
        let mut of_member =
            |p: &Number| steps.find(|step| step.parameter == p.0).and_then(|step| step.validated);
        let (errors, se): (Vec<f64>, Vec<f64>) =
            self.parameters.iter().map(|p| of_member(p).unwrap_or(nan)).unzip();
        let all =
            |of: fn((f64, f64)) -> f64| report.steps.iter().map(|s| of(s.validated.unwrap_or(nan))).collect();
        let all_parameters: Vec<f64> = report.steps.iter().map(|step| step.parameter).collect();
        let asked = probes(&all_parameters, spacing.unwrap_or(Spacing::Exact));
        let probe =
            |p: &Number| all_parameters.iter().position(|q| *q == p.0).map_or(p.0, |place| asked[place]);
        self.asked = self.parameters.iter().map(probe).collect();
        let leaves = report.steps.iter().map(|step| step.leaves).collect();
        let curve = Curve::new(all(|v| v.0), all(|v| v.1), leaves)?;
        for (label, se) in [("lowest error", 0.0), ("1-SE rule", 1.0)] {
            let chosen = report.steps[curve.choose(se)].parameter;
            let place = self.parameters.iter().position(|p| p.0 == chosen);
            self.marks.extend(place.map(|place| (label.to_owned(), place)));
        }
        (self.errors, self.se) = (Some(rough(errors)), Some(rough(se)));
        Ok(())
    }

    /// The pruner without the options that choose a member; `None` for a tree of no path, which has no members to judge.
    fn method(&self) -> Result<Option<Method>> {
        if self.parameter.is_empty() {
            return Ok(None);
        }
        Method::parse(&self.text[2], MethodKind::Pruner, &pruners()).map(Some)
    }

    /// Adds the confusion matrices of the marked members; that of the fitted one is known where its fit had one.
    pub(super) fn confuse(
        &mut self,
        trees: &TreeCache,
        grown: (&GrowSpec, LeafValues),
        judged: Judged,
        fitted: Option<(usize, &[Vec<f64>])>,
        progress: &dyn Progress,
    ) -> Result<()> {
        let Some(method) = self.method()? else { return Ok(()) };
        let mut members: Vec<usize> = self.marks.iter().map(|(_, member)| *member).collect();
        members.sort_unstable();
        members.dedup();
        let asked = |member: usize| self.asked.get(member).copied().unwrap_or(self.parameters[member].0);
        let members: Vec<(usize, f64)> = members.into_iter().map(|m| (m, asked(m))).collect();
        let options = method.options(trees.task());
        let how = (Pruner::of(&method)?, &options);
        self.confusions = confusions(trees, grown, how, &members, judged, progress)?;
        if let Some((member, matrix)) = fitted {
            self.confusions.iter_mut().filter(|one| one.is_of(member)).for_each(|one| one.replace(matrix));
        }
        Ok(())
    }

    /// The member that a tree is, if it is one: the one with these leaves. Of several, the one at the parameter that was chosen.
    pub(super) fn member(&self, tree: &Tree, leaves: &[usize], chosen: Option<f64>) -> Option<usize> {
        let inner: Vec<usize> = (0..tree.nodes().len()).filter(|&id| !tree.is_leaf(id)).collect();
        if let Some(cuts) = &self.cuts {
            let wanted = steps(leaves.iter().copied());
            let mut same = (0..cuts.len()).filter(|&member| cuts[member] == wanted).peekable();
            let first = same.peek().copied();
            let wanted = chosen.or(self.fixed);
            return same.find(|&member| wanted == Some(self.parameters[member].0)).or(first);
        }
        // The splits that are left are those with a larger number.
        let split_in = self.split_in.as_ref()?;
        let mut number = vec![0; tree.nodes().len()];
        inner.iter().zip(split_in).for_each(|(&id, &members)| number[id] = members);
        let mut cut = vec![false; tree.nodes().len()];
        leaves.iter().for_each(|&id| cut[id] = true);
        let kept = kept(tree, &cut);
        let still = kept.iter().filter(|&&id| !cut[id] && !tree.is_leaf(id)).map(|&id| number[id]).min();
        let gone = leaves.iter().map(|&id| number[id]).max().unwrap_or(0);
        let last = self.parameters.len() as u32 - 1;
        let member = still.map_or(last, |still| still.saturating_sub(1)).min(last);
        let is_same = |member: u32| gone <= member && still.is_none_or(|still| still > member);
        let chosen = self.parameters.iter().position(|p| Some(p.0) == chosen).map(|place| place as u32);
        chosen.into_iter().chain([member]).find(|member| is_same(*member)).map(|member| member as usize)
    }

    /// A path of one member: the tree with these leaves, which a pruner gave that has no path with it.
    pub(super) fn single(tree: &Tree, method: &Method, leaves: &[usize]) -> Self {
        let (info, text) = (method.info(), method.to_string());
        Self {
            pruner: info.id,
            one_line: info.one_line,
            paper: info.paper,
            parameter: "",
            text: [text.clone(), String::new(), text],
            default: None,
            is_whole: false,
            is_exact: true,
            parameters: exact([0.0]),
            split_in: None,
            cuts: Some(vec![steps(leaves.iter().copied())]),
            prior_counts: prior_counts(tree, &method.options(tree.task())),
            errors: None,
            se: None,
            marks: Vec::new(),
            fixed: None,
            asked: Vec::new(),
            confusions: Vec::new(),
        }
    }

    #[cfg(test)]
    pub(super) fn pruner(&self) -> &str {
        self.pruner
    }

    /// For every member the text of the pruner, and its leaves as the page counts them.
    #[cfg(test)]
    pub(super) fn members_in_words(&self, tree: &Tree) -> Vec<(String, usize)> {
        let inner: Vec<usize> = (0..tree.nodes().len()).filter(|&id| !tree.is_leaf(id)).collect();
        let member = |(place, parameter): (usize, &Number)| {
            let mut cut = vec![false; tree.nodes().len()];
            if let Some(split_in) = &self.split_in {
                inner.iter().zip(split_in).for_each(|(&id, &members)| cut[id] = members as usize <= place);
            } else if let Some(cuts) = &self.cuts {
                let mut id = 0;
                cuts[place].iter().for_each(|step| {
                    id += step;
                    cut[id as usize] = true;
                });
            }
            (format!("{}{}{}", self.text[0], parameter.0, self.text[1]), tree.cut(&cut).leaves())
        };
        self.parameters.iter().enumerate().map(member).collect()
    }

    /// Marks the member that the page begins with. Where members are there at their own parameter alone, it has the one that the scheme
    /// fixes, which gives the same tree.
    pub(super) fn mark_start(&mut self, label: &str, member: usize) {
        if let Some(p) = self.fixed.filter(|_| self.is_exact) {
            self.parameters[member] = Number(p);
            let label = format!("{} = {p}", self.parameter);
            if !self.marks.iter().any(|(other, _)| *other == label) {
                self.mark(&label, member);
            }
        }
        self.mark(label, member);
    }

    /// Marks a member.
    pub(super) fn mark(&mut self, label: &str, member: usize) {
        self.marks.push((label.to_owned(), member));
    }
}

/// The path; at fewer parameters where a member is not what is pruned at its parameter.
fn path(pruner: &Pruner, job: &Job) -> Result<Path> {
    let path = pruner.path(job)?;
    let differs = matches!(pruner.kind, PruneKind::Nested { cut: Some(_), .. }) && job.tree.costs().is_some();
    if !differs {
        return Ok(path);
    }
    /// Each of these is pruned on its own.
    const MOST: usize = 40;
    let all = path.parameters();
    let every = all.len().div_ceil(MOST).max(1);
    let some: Vec<f64> = all.iter().copied().step_by(every).collect();
    let cuts = some.iter().map(|&p| pruner.cut_at(job, p)).collect::<Result<Vec<_>>>()?;
    Path::cuts(some, cuts)
}

/// The splits of the tree that are leaves of what a cut leaves, ascending.
fn new_leaves(tree: &Tree, cut: &[bool]) -> Vec<usize> {
    let marked = |id: &usize| cut.get(*id).copied().unwrap_or(false) && !tree.is_leaf(*id);
    kept(tree, cut).into_iter().filter(marked).collect()
}
