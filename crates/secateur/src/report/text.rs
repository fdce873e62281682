//! A tree as indented text: the upper part of a large one, with everything it asks and predicts.

use std::collections::VecDeque;
use std::fmt;

use super::conditions::{Conditions, NumberedSets};
use super::formatting::{
    Glyphs, count, counted, in_list, leaf_values, percent, rounded, weight, whole, width,
};
use super::lines::Lines;
use crate::schema::Target;
use crate::tree::{NodeId, Tree};

/// How a tree is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns to stay within; at least 40.
    pub width: usize,
    /// Draw with plain characters.
    pub ascii: bool,
    /// Nodes further down are not shown. Without it the depth is chosen to fit `max_lines`.
    pub max_depth: Option<usize>,
    /// Branches shown, at most; `None` shows all.
    pub max_lines: Option<usize>,
    /// What the reader is told to do to see more, if anything.
    pub hint: String,
    /// Whether lines on the whole tree (its classes, size and training error) stand above it.
    pub has_header: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            width: 80,
            ascii: false,
            max_depth: None,
            max_lines: Some(200),
            hint: String::new(),
            has_header: true,
        }
    }
}

/// A tree that displays as text; made by [`text`].
pub struct Text<'a> {
    tree: &'a Tree,
    options: TextOptions,
}

/// The tree as text: one line per branch, with what the leaves predict, the training rows behind them
/// and how many of these they get wrong. A missing or unknown value goes down every branch.
///
/// No line is wider than asked for, and no name is shortened: a branch that needs more room takes further lines, and a long set of values
/// a number under which it is written below the tree.
///
/// ```
/// use secateur::report::{TextOptions, text};
/// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
/// #   "attributes": [{"name": "petal width", "type": "numeric"}],
/// #   "target": {"type": "classes", "name": "species", "classes": ["setosa", "other"]},
/// #   "nodes": [
/// #     {"split": {"attribute": "petal width", "less_than": 0.8}, "first_child": 1, "rows": 150, "weight": 150, "counts": [51, 99], "rank": 0},
/// #     {"parent": 0, "rows": 50, "weight": 50, "counts": [50, 0]},
/// #     {"parent": 0, "rows": 100, "weight": 100, "counts": [1, 99]}]}"#;
/// # let tree = secateur::tree::Model::from_json("m", json.as_bytes()).unwrap().tree;
/// assert_eq!(text(&tree, TextOptions::default()).to_string(), "\
/// species: setosa, other
/// 3 nodes, 2 leaves, depth 1, training error 0.7 % (1 of 150)
///
/// ├─ petal width < 0.8 → setosa  (50)
/// └─ petal width ≥ 0.8 → other  (100, 1 wrong)
/// ");
/// ```
pub fn text(tree: &Tree, options: TextOptions) -> Text<'_> {
    Text { tree, options }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let glyphs = Glyphs::of(self.options.ascii);
        let width = self.options.width.max(40);
        let words = Conditions::new(self.tree, glyphs);
        let names_classes_below = self.options.has_header && header(f, self.tree, glyphs, width)?;
        let mut sets = NumberedSets::new(longest(width));
        if self.tree.is_leaf(0) {
            let mut line = Lines::of_columns(width, String::new(), "  ".into());
            line.add("", &answer(&words, 0));
            let support = words.support(0);
            if !support.is_empty() {
                line.add("  ", &[format!("({support})")]);
            }
            write_lines(f, line)?;
        } else {
            self.branches(f, &words, &mut sets, width)?;
        }
        write_sets(f, &words, &sets, width)?;
        if names_classes_below {
            let target = &self.tree.schema().target;
            let mut line = Lines::of_columns(width, String::new(), "  ".into());
            line.add("", &class_list(target, glyphs));
            writeln!(f)?;
            write_lines(f, line)?;
        }
        Ok(())
    }
}

/// Columns that a list takes at most where it stands in a line of this width; a longer one is written below.
pub(super) fn longest(width: usize) -> usize {
    width + width / 2
}

pub(super) fn write_lines(f: &mut fmt::Formatter<'_>, lines: Lines<'_>) -> fmt::Result {
    lines.finish().iter().try_for_each(|line| writeln!(f, "{}", line.trim_end()))
}

/// Writes how much is left out, and how it can be seen.
pub(super) fn write_more(f: &mut fmt::Formatter<'_>, more: String, hint: &str, width: usize) -> fmt::Result {
    let mut line = Lines::of_columns(width, String::new(), "  ".into());
    line.add("", &[more]);
    if !hint.is_empty() {
        line.add(" ", &[format!("({hint})")]);
    }
    write_lines(f, line)
}

/// Writes the sets that have numbers, below what asks for them.
pub(super) fn write_sets(
    f: &mut fmt::Formatter<'_>,
    words: &Conditions<'_>,
    sets: &NumberedSets,
    width: usize,
) -> fmt::Result {
    for (place, set) in words.numbered(sets).enumerate() {
        let mut line = Lines::of_columns(width, String::new(), "  ".into());
        line.add("", &set);
        if place == 0 {
            writeln!(f)?;
        }
        write_lines(f, line)?;
    }
    Ok(())
}

impl Text<'_> {
    /// The branches, and how many of them are left out.
    fn branches(
        &self,
        f: &mut fmt::Formatter<'_>,
        words: &Conditions<'_>,
        sets: &mut NumberedSets,
        width: usize,
    ) -> fmt::Result {
        // Deeper parts are listed on their own, so that most of the width is left for words.
        let deepest = (width / 8).max(4);
        let mut page = Page {
            limit: self.depth_limit(deepest),
            deepest,
            lines: self.options.max_lines.unwrap_or(usize::MAX),
            shown: 1,
            parts: VecDeque::from([0]),
            named: 0,
            below: self.tree.nodes_below(),
            depths: self.tree.depths(),
            words,
            sets,
            width,
        };
        let mut part = 0;
        while let Some(root) = page.parts.pop_front() {
            if part > 0 {
                if page.lines == 0 {
                    break;
                }
                let start = format!("[{part}] ");
                let mut line = Lines::of_columns(width, start.clone(), " ".repeat(start.len()));
                line.add("", &words.branch_pieces(root, true, Some(page.sets)));
                writeln!(f)?;
                write_lines(f, line)?;
            }
            page.part(f, root)?;
            part += 1;
        }
        let hidden = self.tree.nodes().len() - page.shown;
        if hidden > 0 {
            let more = format!("{} {}", words.glyphs.more, counted(hidden as u64, "more node"));
            write_more(f, more, &self.options.hint, width)?;
        }
        Ok(())
    }

    /// The depth down to which nodes are shown: as asked, or as far as the lines go.
    fn depth_limit(&self, deepest: usize) -> usize {
        match (self.options.max_depth, self.options.max_lines) {
            (Some(depth), _) => depth.max(1),
            (None, None) => usize::MAX,
            (None, Some(lines)) => {
                if self.tree.nodes().len() <= lines {
                    return usize::MAX;
                }
                let depths = self.tree.depths();
                let mut level = vec![0usize; deepest + 1];
                for &depth in depths.iter().filter(|&&d| d > 0) {
                    if let Some(nodes) = level.get_mut(depth as usize) {
                        *nodes += 1;
                    }
                }
                let (mut limit, mut sum) = (1, level[1]);
                while limit < deepest && sum + level[limit + 1] <= lines {
                    sum += level[limit + 1];
                    limit += 1;
                }
                limit
            }
        }
    }
}

/// What has been written, and what may still be.
struct Page<'a, 't> {
    words: &'a Conditions<'t>,
    sets: &'a mut NumberedSets,
    width: usize,
    /// The last depth shown.
    limit: usize,
    /// The last depth shown within one part.
    deepest: usize,
    /// Lines left.
    lines: usize,
    /// Nodes shown.
    shown: usize,
    /// Nodes whose children are to be listed in a part of their own.
    parts: VecDeque<NodeId>,
    /// The number of the last part that was announced.
    named: usize,
    below: Vec<u32>,
    depths: Vec<u32>,
}

impl Page<'_, '_> {
    /// Writes what is below a node, as deep as one part goes.
    fn part(&mut self, f: &mut fmt::Formatter<'_>, root: NodeId) -> fmt::Result {
        let tree = self.words.tree;
        let start = self.depths[root] as usize;
        let mut stack: Vec<(NodeId, usize)> = tree.children(root).rev().map(|c| (c, 1)).collect();
        let mut lasts: Vec<bool> = Vec::new();
        while let Some((id, depth)) = stack.pop() {
            if self.lines == 0 {
                break;
            }
            self.lines -= 1;
            self.shown += 1;
            lasts.truncate(depth - 1);
            let bar = |last: bool| if last { "   " } else { self.words.glyphs.bar };
            let above: String = lasts.iter().map(|&last| bar(last)).collect();
            // A node is the last of its family when what waits next stands higher up.
            let last = stack.last().is_none_or(|next| next.1 < depth);
            lasts.push(last);
            let is_open = !tree.is_leaf(id) && start + depth < self.limit;
            let is_part = is_open && depth == self.deepest;
            let start = above.clone() + if last { self.words.glyphs.last } else { self.words.glyphs.branch };
            let indent = above + bar(last) + bar(!is_open || is_part);
            self.line(id, is_part, Lines::of_columns(self.width, start, indent), f)?;
            if is_open && depth == self.deepest {
                self.parts.push_back(id);
            } else if is_open {
                stack.extend(tree.children(id).rev().map(|c| (c, depth + 1)));
            }
        }
        Ok(())
    }

    /// Writes a branch: what it asks, and where its children do not follow, what becomes of its rows.
    fn line(
        &mut self,
        id: NodeId,
        is_part: bool,
        mut line: Lines<'_>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let (glyphs, tree, words) = (self.words.glyphs, self.words.tree, self.words);
        let asked = words.branch_pieces(id, true, Some(self.sets));
        let mut tail = Vec::new();
        if is_part {
            self.named += 1;
            tail.push((" ", vec![format!("{} [{}]", glyphs.arrow, self.named)]));
        } else if tree.is_leaf(id) || self.is_cut(id) {
            let answer = answer(words, id);
            let cut = self.below[id];
            let cut = (cut > 0).then(|| format!("{} {} below", glyphs.more, count(u64::from(cut))));
            let used = asked.iter().chain(&answer).chain(&cut).map(|piece| width(piece) + 1).sum::<usize>();
            let room = line.room().saturating_sub(used + "  ()".len());
            tail.push((" ", answer));
            // Fractions of rows are told by their weight alone where that saves a line.
            let supports = [words.support(id), words.short_support(id)];
            let fitting = supports.iter().find(|text| width(text) <= room).unwrap_or(&supports[0]);
            if !fitting.is_empty() {
                tail.push(("  ", vec![format!("({fitting})")]));
            }
            tail.extend(cut.map(|cut| (" ", vec![cut])));
        }
        line.add("", &asked);
        tail.iter().for_each(|(gap, pieces)| line.add(gap, pieces));
        write_lines(f, line)
    }

    /// Whether a node's children are not shown because they are too deep.
    fn is_cut(&self, id: NodeId) -> bool {
        self.depths[id] as usize >= self.limit
    }
}

/// `→ setosa 98.1 %` in pieces.
fn answer(words: &Conditions<'_>, id: NodeId) -> Vec<String> {
    let mut pieces = words.prediction_pieces(id);
    pieces[0].insert_str(0, &format!("{} ", words.glyphs.arrow));
    pieces
}

/// Two lines on the whole tree and an empty one. Whether the classes are too many for that.
fn header(f: &mut fmt::Formatter<'_>, tree: &Tree, glyphs: &Glyphs, room: usize) -> Result<bool, fmt::Error> {
    let target = &tree.schema().target;
    let list = class_list(target, glyphs);
    let is_long = list.iter().map(|piece| width(piece) + 1).sum::<usize>() > longest(room);
    let mut line = Lines::of_columns(room, String::new(), "  ".into());
    if is_long {
        line.add("", &[&list[0], &format!("{} classes, listed below", count(target.classes().len() as u64))]);
    } else {
        line.add("", &list);
    }
    write_lines(f, line)?;
    let size = tree.size();
    let leaves = if size.leaves == 1 { "1 leaf".into() } else { format!("{} leaves", count(size.leaves)) };
    let size = format!("{}, {leaves}, depth {},", counted(size.nodes, "node"), count(size.depth));
    let (error, all) = (tree.training_error(), tree.node(0).weight);
    let error = if !tree.has_counts() {
        "counts not known".into()
    } else if tree.is_classifier() && tree.costs().is_some() {
        format!("training cost {} a row", rounded(error, 4))
    } else if tree.is_classifier() {
        let unit = if all == tree.node(0).rows as f64 { "" } else { "weight " };
        format!("training error {} ({unit}{} of {})", percent(error), weight(tidy(error * all)), weight(all))
    } else {
        format!("training RMSE {} ({} rows)", rounded(error.max(0.0).sqrt(), 4), count(tree.node(0).rows))
    };
    let mut line = Lines::of_columns(room, String::new(), String::new());
    line.add("", &[size]);
    line.add(" ", &[error]);
    write_lines(f, line)?;
    let by_costs = tree.costs().is_some().then(|| BY_COSTS.to_string());
    for words in [leaf_values(tree.leaf_values(), glyphs), by_costs].into_iter().flatten() {
        let mut line = Lines::of_columns(room, String::new(), "  ".into());
        line.add("", &[words]);
        write_lines(f, line)?;
    }
    writeln!(f)?;
    Ok(is_long)
}

/// Why a leaf may predict another class than most of its rows have.
const BY_COSTS: &str = "each leaf predicts the class with the lowest expected cost";

/// `species: setosa, versicolor, virginica` in pieces.
fn class_list(target: &Target, glyphs: &Glyphs) -> Vec<String> {
    let mut list = vec![format!("{}:", whole(target.name(), glyphs))];
    match target {
        Target::Number { .. } => list.push("a number".into()),
        Target::Classes { classes, .. } => {
            list.extend(classes.iter().map(|class| in_list(class, glyphs) + ","));
            if let Some(last) = list.last_mut().filter(|last| last.ends_with(',')) {
                last.pop();
            }
        }
    }
    list
}

/// A sum of weights without the dust of adding them up.
fn tidy(x: f64) -> f64 {
    if (x - x.round()).abs() < 1e-6 { x.round() } else { x }
}

impl Tree {
    /// The number of nodes below every node.
    pub(crate) fn nodes_below(&self) -> Vec<u32> {
        let mut below = vec![0u32; self.nodes().len()];
        for id in (1..below.len()).rev() {
            if let Some(parent) = self.node(id).parent {
                below[parent as usize] += below[id] + 1;
            }
        }
        below
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
pub(super) mod tests;
