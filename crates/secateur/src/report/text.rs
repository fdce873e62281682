//! A tree as indented text, shortened so that it can be read.

use std::collections::VecDeque;
use std::fmt;

use super::conditions::Conditions;
use super::formatting::{Glyphs, count, counted, leaf_values, percent, rounded, short, weight, width};
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
        if self.options.has_header {
            header(f, self.tree, glyphs, width)?;
        }
        if self.tree.is_leaf(0) {
            return writeln!(f, "{} {}", glyphs.arrow, words.outcome(0, width - 30));
        }
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
            width,
        };
        let mut part = 0;
        while let Some(root) = page.parts.pop_front() {
            if part > 0 {
                if page.lines == 0 {
                    break;
                }
                writeln!(f, "\n[{part}] {}", page.words.branch(root, width.saturating_sub(8)))?;
            }
            page.part(f, root)?;
            part += 1;
        }
        let hidden = self.tree.nodes().len() - page.shown;
        if hidden > 0 {
            let hint = &self.options.hint;
            let hint = if hint.is_empty() { String::new() } else { format!(" ({hint})") };
            writeln!(f, "{} {}{hint}", glyphs.more, counted(hidden as u64, "more node"))?;
        }
        Ok(())
    }
}

impl Text<'_> {
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
struct Page<'a> {
    words: Conditions<'a>,
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

impl Page<'_> {
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
            let mut line = String::new();
            for &last in &lasts {
                line += if last { "   " } else { self.words.glyphs.bar };
            }
            // A node is the last of its family when what waits next stands higher up.
            let last = stack.last().is_none_or(|next| next.1 < depth);
            lasts.push(last);
            line += if last { self.words.glyphs.last } else { self.words.glyphs.branch };
            let is_open = !tree.is_leaf(id) && start + depth < self.limit;
            let room = self.width.saturating_sub(width(&line));
            let tail = self.tail(id, is_open && depth == self.deepest, room);
            let room = room.saturating_sub(width(&tail)).max(16);
            writeln!(f, "{line}{}{tail}", self.words.branch(id, room))?;
            if is_open && depth == self.deepest {
                self.parts.push_back(id);
            } else if is_open {
                stack.extend(tree.children(id).rev().map(|c| (c, depth + 1)));
            }
        }
        Ok(())
    }

    /// What stands after a branch: nothing when its children follow, else what becomes of its rows.
    fn tail(&mut self, id: NodeId, is_part: bool, room: usize) -> String {
        let glyphs = self.words.glyphs;
        let tree = self.words.tree;
        if is_part {
            self.named += 1;
            return format!(" {} [{}]", glyphs.arrow, self.named);
        }
        if !tree.is_leaf(id) && !self.is_cut(id) {
            return String::new();
        }
        let mut end = String::new();
        if self.below[id] > 0 {
            end = format!(" {} {} below", glyphs.more, count(u64::from(self.below[id])));
        }
        let (label, support) = (self.words.prediction(id, self.width / 3), self.words.support(id));
        let bracketed = |text: String| if text.is_empty() { String::new() } else { format!("  ({text})") };
        let full = format!(" {} {label}{}{end}", glyphs.arrow, bracketed(support));
        // The condition gets half of what is left, or as much as most of them need.
        let most = room.saturating_sub((room / 2).min(28));
        if width(&full) <= most {
            return full;
        }
        let shorter = |support: String| {
            let rest = bracketed(support) + &end;
            let label = self.words.prediction(id, most.saturating_sub(width(&rest) + 3).max(8));
            format!(" {} {label}{rest}", glyphs.arrow)
        };
        let [first, second, third] = self.words.short_supports(id).map(shorter);
        [first, second].into_iter().find(|text| width(text) <= most).unwrap_or(third)
    }

    /// Whether a node's children are not shown because they are too deep.
    fn is_cut(&self, id: NodeId) -> bool {
        self.depths[id] as usize >= self.limit
    }
}

/// Two lines on the whole tree and an empty one.
fn header(f: &mut fmt::Formatter<'_>, tree: &Tree, glyphs: &Glyphs, room: usize) -> fmt::Result {
    let target = &tree.schema().target;
    let mut line = format!("{}: ", short(target.name(), room / 3, glyphs));
    match target {
        Target::Number { .. } => line += "a number",
        Target::Classes { classes, .. } => {
            for (i, class) in classes.iter().enumerate() {
                let left = classes.len() - i;
                let class = short(class, room / 3, glyphs);
                let gap = if i == 0 { "" } else { ", " };
                let tail = if left == 1 { 0 } else { 9 + width(glyphs.more) + count(left as u64).len() };
                if i > 0 && width(&line) + gap.len() + width(&class) + tail > room {
                    line += &format!("{gap}{} {} more", glyphs.more, count(left as u64));
                    break;
                }
                line += gap;
                line += &class;
            }
        }
    }
    writeln!(f, "{line}")?;
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
    let gap = if width(&size) + 1 + width(&error) > room { "\n" } else { " " };
    writeln!(f, "{size}{gap}{error}")?;
    if let Some(values) = leaf_values(tree.leaf_values(), glyphs) {
        writeln!(f, "{values}")?;
    }
    writeln!(f)
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
