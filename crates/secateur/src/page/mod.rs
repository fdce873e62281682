//! The explorer page: a tree, every pruning of it and how it was made, in one HTML file that needs nothing else.
//!
//! The page itself is written in TypeScript (`web/`); what is built from it is the template `explorer.html` beside this file. Here
//! the tree is put into it, as columns of numbers in JSON. The page allows the script and the style of the template, by their
//! hashes, and nothing else: it cannot load anything, and names from the data are text, whatever they contain.

mod columns;
mod confusion;
mod distribution;
mod estimate;
mod model_text;
mod number;
mod paths;
mod rivals;
mod summary;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use serde::Serialize;

use crate::drawing::CLASS_COLOURS;
use crate::error::{Error, Result};
use crate::fit::{FitReport, Validation};
use crate::method::Method;
use crate::progress::Progress;
use crate::report::{TextOptions, text};
use crate::schema::{Attribute, Target};
use crate::scheme::Scheme;
use crate::select::Selector;
use crate::training::TreeCache;
use crate::tree::{KNorm, LeafValues, Model, Tree};
use columns::Columns;
use distribution::Distribution;
use estimate::PageEstimate;
use model_text::ModelText;
use number::{Number, exact};
use paths::{Judged, PathColumns, methods};
use rivals::Rivals;
use summary::Summary;

/// The page without a tree; `web/build` makes it.
const TEMPLATE: &str = include_str!("explorer.html");

/// Where the tree stands in it.
const PLACE: &str = "<!--tree-->";

/// What a page says of how it came about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageInfo {
    /// What stands at its top; the name of the data when empty.
    pub title: String,
    /// The command that made it; may be empty.
    pub command: String,
    /// A command that gives a pruned tree, with `{}` where the pruner goes.
    pub recipe: String,
    /// Whether the whole scheme goes there, and not the pruner alone.
    pub recipe_takes_scheme: bool,
    /// How to have the members of the paths judged by rows they were not grown from, for pages on which they are not; may be empty.
    pub judging_hint: String,
}

/// A page.
pub struct Page {
    title: String,
    /// The tree in words, for readers without scripts.
    words: String,
    payload: String,
}

/// What the page's script reads.
#[derive(Serialize)]
struct Payload<'a> {
    version: u32,
    title: &'a str,
    made_by: &'a str,
    written_by: &'static str,
    data: &'a str,
    rows: u64,
    seed: u64,
    scheme: &'a str,
    /// The scheme's part that grows.
    learner: String,
    command: &'a str,
    recipe: &'a str,
    recipe_takes_scheme: bool,
    judging_hint: &'a str,
    /// A colour for every class, then again.
    palette: [[u8; 3]; 7],
    attributes: &'a [Attribute],
    target: &'a Target,
    costs: Option<Vec<Number>>,
    /// How what was counted becomes what is said, where that is not the same.
    leaf_values: Option<LeafValues>,
    /// The prior counts that reliability is computed with, where it is shown.
    rule: Option<KNorm>,
    full_leaves: usize,
    tree: Columns,
    model: ModelText,
    paths: Vec<PathColumns>,
    /// The path and the member that are shown first.
    start: (usize, Option<usize>),
    /// By what the errors of the members are judged.
    judged: Option<String>,
    estimate: Option<PageEstimate<'a>>,
    summary: Option<Summary>,
    rivals: Option<Rivals>,
    distribution: Option<Distribution>,
    notes: Vec<&'static str>,
}

/// What is known beside the tree.
#[derive(Default)]
struct Known<'a> {
    summary: Option<Summary>,
    rivals: Option<Rivals>,
    distribution: Option<Distribution>,
    judged: Option<String>,
    estimate: Option<PageEstimate<'a>>,
    notes: Vec<&'static str>,
    start: (usize, Option<usize>),
}

/// Without the rows nothing can be said of these.
const NO_ROWS: &str = "This page was made from a model file alone. Validated errors, runner-up splits and the summary of the \
                       data need the data: a page that is made while fitting has them.";
const RAISED: &str = "The tree as fitted is not a pruned version of the tree as grown (branches were raised or it was grown \
                      otherwise): the slider prunes the tree as fitted, and its members have no validated errors.";

impl Page {
    /// The page of a saved tree.
    ///
    /// ```
    /// use secateur::page::{Page, PageInfo};
    /// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
    /// #   "attributes": [],
    /// #   "target": {"type": "classes", "name": "play", "classes": ["yes", "no"]},
    /// #   "nodes": [{"rows": 14, "weight": 14, "counts": [9, 5]}]}"#;
    /// # let model = secateur::tree::Model::from_json("m", json.as_bytes()).unwrap();
    /// let page = Page::of_model(&model, &PageInfo::default())?;
    /// assert!(page.to_string().starts_with("<!doctype html>"));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn of_model(model: &Model, info: &PageInfo) -> Result<Self> {
        let own = model.scheme.parse::<Scheme>().ok().and_then(|scheme| scheme.pruner);
        // Pruning goes by what was counted, whatever the leaves make of it.
        let counted = model.tree.clone().with_leaf_values(LeafValues::Raw)?;
        let mut paths = paths_of(&counted, own.as_ref())?;
        let start = start(&mut paths, &counted, Start { label: "as saved", ..Start::default() });
        Self::new(model, info, paths, Known { notes: vec![NO_ROWS], start, ..Known::default() })
    }

    /// Returns the page of a tree that was just fitted: `fitted` is the model, the trees it was made from are in `trees`. It opens at this tree, on
    /// the scheme's own path. Tree sizes are compared by the folds or held-out rows of the scheme, or else by `folds` folds; 0 leaves that
    /// out.
    pub fn of_fit(
        report: &FitReport,
        (trees, scheme): (&TreeCache, &Scheme),
        folds: usize,
        info: &PageInfo,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let FitReport { model: fitted, estimate, validation, path, .. } = report;
        let chosen = path.as_ref().and_then(|path| Some(path.steps.get(path.selected?)?.parameter));
        let plan = scheme.plan(trees.task())?;
        let selector = plan.pruning.as_ref().and_then(|pruning| pruning.selector);
        let (grown, judged) = match selector {
            Some(Selector::HeldOut { share, .. }) => {
                (trees.without(share, &plan.spec, progress)?, Some(Judged::HeldOut(share)))
            }
            Some(Selector::CrossValidated { folds, .. }) => {
                (trees.full(&plan.spec, progress)?, Some(Judged::Folds(folds)))
            }
            _ => (trees.full(&plan.spec, progress)?, (folds > 1).then_some(Judged::Folds(folds))),
        };
        let leaves = leaves_within(&grown.tree, &fitted.tree);
        let shown: &Tree = if leaves.is_some() { &grown.tree } else { &fitted.tree };
        let rows = (trees.table(), grown.weights.as_deref());
        let known = Known {
            summary: Some(Summary::of(trees.table())),
            rivals: Some(Rivals::of(shown, rows, &plan.spec, progress)?),
            distribution: Distribution::of(shown, rows.0, rows.1)?,
            estimate: estimate
                .as_ref()
                .map(|estimate| PageEstimate::of(estimate, validation.as_ref(), &fitted.tree)),
            ..Known::default()
        };
        let values = fitted.tree.leaf_values();
        let Some(leaves) = leaves else {
            let counted = fitted.tree.clone().with_leaf_values(LeafValues::Raw)?;
            let mut paths = paths_of(&counted, scheme.pruner.as_ref())?;
            let start = start(&mut paths, &fitted.tree, Start { label: "as fitted", ..Start::default() });
            return Self::new(fitted, info, paths, Known { notes: vec![RAISED], start, ..known });
        };
        let mut paths = paths_of(&grown.tree, scheme.pruner.as_ref())?;
        if let Some(judged) = judged {
            // With the leaf values of the tree that is shown.
            let valued = scheme.clone().naming(values)?;
            for (place, shown) in paths.iter_mut().enumerate() {
                // The scheme's own path comes first; where its fit has measured it, nothing is measured again.
                match path.as_ref().filter(|_| place == 0) {
                    Some(path) => shown.judge(path)?,
                    None => {
                        let path = shown.measured(trees, &valued.learner, judged, progress)?;
                        path.iter().try_for_each(|path| shown.judge(path))?;
                    }
                }
            }
        }
        let start = {
            let own = scheme.pruner.as_ref();
            start(&mut paths, &grown.tree, Start { label: "as fitted", leaves: &leaves, own, chosen })
        };
        if let Some(judged) = judged {
            let fitted = match (start, validation) {
                ((0, Some(member)), Some(Validation::Classes { confusion, .. })) if path.is_some() => {
                    Some((member, confusion.as_slice()))
                }
                _ => None,
            };
            paths[start.0].confuse(trees, (&plan.spec, values), judged, fitted, progress)?;
        }
        let judged = judged.map(|judged| match judged {
            Judged::Folds(folds) => format!("{folds}-fold cross-validation"),
            Judged::HeldOut(_) => "held-out rows".into(),
        });
        let base = Model {
            tree: Tree::clone(&grown.tree).with_leaf_values(values)?,
            scheme: fitted.scheme.clone(),
            about: fitted.about.clone(),
        };
        Self::new(&base, info, paths, Known { judged, start, ..known })
    }

    fn new(model: &Model, info: &PageInfo, paths: Vec<PathColumns>, known: Known) -> Result<Self> {
        let (tree, about) = (&model.tree, &model.about);
        let schema = tree.schema();
        let learner = model.scheme.parse::<Scheme>().and_then(|scheme| scheme.naming(tree.leaf_values()));
        let learner = learner.map(|scheme| scheme.learner.to_string());
        let title = match (info.title.as_str(), about.data.as_str()) {
            ("", "") => "A decision tree",
            // A file is known by its name, wherever it is.
            ("", data) => data.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(data),
            (title, _) => title,
        };
        let failed = |source: io::Error| Error::parameter(format!("the page cannot be made: {source}"));
        let payload = Payload {
            version: 1,
            title,
            made_by: &about.made_by,
            written_by: concat!("secateur ", env!("CARGO_PKG_VERSION")),
            data: &about.data,
            rows: about.rows,
            seed: about.seed,
            scheme: &model.scheme,
            learner: learner.unwrap_or_else(|_| "cart".into()),
            command: &info.command,
            recipe: &info.recipe,
            recipe_takes_scheme: info.recipe_takes_scheme,
            judging_hint: if known.judged.is_none() { &info.judging_hint } else { "" },
            palette: CLASS_COLOURS,
            attributes: &schema.attributes,
            target: &schema.target,
            costs: tree.costs().map(|costs| exact(costs.matrix().iter().copied())),
            leaf_values: Some(tree.leaf_values()).filter(|values| *values != LeafValues::Raw),
            rule: (tree.is_classifier() && tree.costs().is_none() && tree.has_counts())
                .then(|| KNorm::of(tree)),
            full_leaves: tree.full_leaves(),
            tree: Columns::of(tree),
            model: ModelText::of(model).map_err(failed)?,
            paths,
            start: known.start,
            judged: known.judged,
            estimate: known.estimate,
            summary: known.summary,
            rivals: known.rivals,
            distribution: known.distribution,
            notes: known.notes,
        };
        let payload = serde_json::to_string(&payload).map_err(|e| failed(e.into()))?;
        let words = text(tree, TextOptions { hint: String::new(), ..TextOptions::default() }).to_string();
        Ok(Self { title: title.into(), words, payload })
    }

    /// Writes the page.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let (before, after) = TEMPLATE.split_once(PLACE).unwrap_or((TEMPLATE, ""));
        let (head, top) = before.split_once("<!--title-->").unwrap_or((before, ""));
        out.write_all(head.as_bytes())?;
        out.write_all(escaped(&self.title).as_bytes())?;
        out.write_all(top.as_bytes())?;
        writeln!(out, "<noscript><pre>{}</pre></noscript>", escaped(&self.words))?;
        out.write_all(b"<script type=\"application/json\" id=\"tree-data\">")?;
        // Inside a script element nothing but `<` can end it or begin a comment.
        out.write_all(self.payload.replace('<', "\\u003c").as_bytes())?;
        out.write_all(b"</script>")?;
        out.write_all(after.as_bytes())
    }
}

impl std::fmt::Display for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = Vec::new();
        self.write(&mut text).map_err(|_| std::fmt::Error)?;
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// A user's text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn paths_of(tree: &Tree, own: Option<&Method>) -> Result<Vec<PathColumns>> {
    let mut paths = Vec::new();
    if !tree.has_counts() {
        return Ok(paths);
    }
    for method in methods(tree, own) {
        paths.extend(PathColumns::of(tree, &method, own)?);
    }
    Ok(paths)
}

/// The tree that a page begins with.
#[derive(Default)]
struct Start<'a> {
    /// What its mark says.
    label: &'a str,
    /// The splits of the whole tree that are its leaves.
    leaves: &'a [usize],
    /// The pruner of the scheme.
    own: Option<&'a Method>,
    /// The parameter of that pruner that rows chose.
    chosen: Option<f64>,
}

/// Marks the members that are the tree with these leaves, and says where the page begins: at the first of them. A tree that is in no path
/// gets one of its own; the whole tree is there in any case, and has no member's number.
fn start(
    paths: &mut Vec<PathColumns>,
    tree: &Tree,
    Start { label, leaves, own, chosen }: Start,
) -> (usize, Option<usize>) {
    let mut start = None;
    for (place, path) in paths.iter_mut().enumerate() {
        // The parameter that was chosen is one of the scheme's own path, which comes first.
        if let Some(member) = path.member(tree, leaves, chosen.filter(|_| place == 0)) {
            path.mark_start(label, member);
            start = start.or(Some((place, Some(member))));
        }
    }
    match (start, own) {
        (Some(start), _) => start,
        (None, Some(method)) if !leaves.is_empty() => {
            let mut path = PathColumns::single(tree, method, leaves);
            path.mark(label, 0);
            paths.insert(0, path);
            (0, Some(0))
        }
        _ => (0, None),
    }
}

/// The splits of a tree that are leaves of another one, which is a pruned version of it; `None` if it is not.
fn leaves_within(whole: &Tree, pruned: &Tree) -> Option<Vec<usize>> {
    let (mut pairs, mut leaves) = (vec![(0, 0)], vec![]);
    while let Some((own, of)) = pairs.pop() {
        let (a, b) = (pruned.node(own), whole.node(of));
        if a.rows != b.rows || a.weight != b.weight {
            return None;
        }
        match (&a.condition, &b.condition) {
            (None, Some(_)) => leaves.push(of),
            (None, None) => {}
            (a, b) if a == b => pairs.extend(pruned.children(own).zip(whole.children(of))),
            _ => return None,
        }
    }
    leaves.sort_unstable();
    Some(leaves)
}
