//! A tree as a picture: questions in the nodes, answers on the edges, which are the thicker the more rows take them.

use super::node::{LARGE, LINE, Label, Labels, SMALL, in_lines};
use crate::drawing::{Anchor, Drawing, Ink, Measure, Pen, Shape, hatched};
use crate::layout::{Gaps, Placed, ShownNodes, tidy};
use crate::report::conditions::NumberedSets;
use crate::report::formatting::{UNICODE, count, counted, rounded, whole};
use crate::tree::Tree;

/// Which part of a tree is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeOptions {
    /// Everything down to this depth; the root has 0.
    pub max_depth: Option<usize>,
    /// Without a depth: at most this many leaves, those of the heaviest nodes.
    pub max_leaves: usize,
}

impl Default for TreeOptions {
    /// Eighty leaves: more cannot be read on a page.
    fn default() -> Self {
        Self { max_depth: None, max_leaves: 80 }
    }
}

/// A drawn tree.
#[derive(Debug, Clone, PartialEq)]
pub struct TreePicture {
    /// The drawing.
    pub drawing: Drawing,
    /// The nodes without children in it.
    pub shown: usize,
    /// Whether the whole tree is drawn.
    pub is_whole: bool,
}

/// The space around the drawing, and between two entries of the legend.
const MARGIN: f64 = 14.0;
/// How wide the sets below the drawing may be where that is narrower.
const SET_WIDTH: f64 = 560.0;
const GAP: f64 = 16.0;

/// Draws a tree. The size follows from the number of leaves and the widths of their texts; nothing overlaps. A node below which something is
/// left out has a dashed line around it and says how much.
///
/// ```
/// use secateur::drawing::{Arimo, svg};
/// use secateur::picture::{TreeOptions, tree};
/// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
/// #   "attributes": [],
/// #   "target": {"type": "classes", "name": "play", "classes": ["yes", "no"]},
/// #   "nodes": [{"rows": 14, "weight": 14, "counts": [9, 5]}]}"#;
/// # let model = secateur::tree::Model::from_json("m", json.as_bytes()).unwrap();
/// let picture = tree(&model.tree, TreeOptions::default(), &Arimo::new());
/// assert!(svg(&picture.drawing).to_string().contains(">14 rows, 5 wrong</text>"));
/// ```
pub fn tree(tree: &Tree, options: TreeOptions, font: &dyn Measure) -> TreePicture {
    let part = match options.max_depth {
        Some(depth) => ShownNodes::to_depth(tree, depth),
        None => ShownNodes::heaviest(tree, options.max_leaves),
    };
    let labels = Labels::new(tree, font);
    let is_open = |place: usize| !part.children(place).is_empty();
    let mut sets = NumberedSets::default();
    let nodes = part.nodes().iter().enumerate();
    let texts: Vec<Label> = nodes.map(|(place, &id)| labels.of(id, is_open(place), &mut sets)).collect();
    let sizes: Vec<(f64, f64)> = texts.iter().map(|label| (label.room, label.height)).collect();
    let lines = texts.iter().map(|label| label.test.len()).max().unwrap_or(0);
    let gaps = Gaps { siblings: 10.0, cousins: 18.0, levels: 34.0 + LINE * lines as f64 };
    let placed = tidy(&part, &sizes, gaps);
    let shown = (0..part.len()).filter(|place| !is_open(*place)).count();
    let is_whole = part.len() == tree.nodes().len();

    let mut drawing = Drawing::new(0.0, 0.0, in_words(tree, shown, is_whole));
    let most = placed.width.max(360.0);
    let (head_width, top) = head(&mut drawing, &labels, most, (shown, is_whole));
    let below = labels.numbered(&sets, placed.width.max(head_width).max(SET_WIDTH));
    let below_width = below.iter().map(|line| font.width(line, SMALL)).fold(0.0, f64::max);
    let width = placed.width.max(head_width).max(below_width);
    let left = MARGIN + (width - placed.width) / 2.0;
    let mut bottom = top + placed.height;
    for (i, line) in below.into_iter().enumerate() {
        bottom += if i == 0 { 24.0 } else { LINE };
        drawing.text(MARGIN, bottom, SMALL, Anchor::Start, Ink::Text, line);
    }
    (drawing.width, drawing.height) = (width + 2.0 * MARGIN, bottom + MARGIN);
    drawing.shapes.insert(
        0,
        Shape::Rect {
            frame: [0.0, 0.0, drawing.width, drawing.height],
            round: 0.0,
            fill: Some(Ink::Paper),
            edge: None,
        },
    );
    edges(&mut drawing, tree, &part, &placed, &texts, (left, top, gaps.levels));
    for (place, label) in texts.iter().enumerate() {
        let (x, y) = (left + placed.x[place], top + placed.y[place]);
        labels.draw(&mut drawing, part.nodes()[place], label, x, y, is_open(place));
    }
    TreePicture { drawing, shown, is_whole }
}

fn in_words(tree: &Tree, shown: usize, is_whole: bool) -> String {
    let name = whole(tree.schema().target.name(), &UNICODE);
    let all = leaves(tree.leaves());
    let part =
        if is_whole { String::new() } else { format!("; {} nodes are shown as leaves", count(shown as u64)) };
    format!("Decision tree for {name}: {all}{part}")
}

/// `1 leaf`, `2 leaves`.
fn leaves(n: usize) -> String {
    if n == 1 { "1 leaf".into() } else { format!("{} leaves", count(n as u64)) }
}

/// The edges, from the lower edge of a level to the text of the test.
fn edges(
    drawing: &mut Drawing,
    tree: &Tree,
    part: &ShownNodes,
    placed: &Placed,
    texts: &[Label],
    (left, top, gap): (f64, f64, f64),
) {
    let all = tree.node(0).weight;
    for place in 1..part.len() {
        let Some(parent) = part.parent(place) else { continue };
        let share = tree.node(part.nodes()[place]).weight / all;
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        let pen = Pen::new(Ink::Line, 1.0 + 7.0 * share);
        let level = top + placed.y[place] - gap;
        let from = [left + placed.x[parent], level];
        let bottom = top + placed.y[parent] + texts[parent].height;
        if level > bottom && part.children(parent).start == place {
            let down = Pen::new(Ink::Line, 1.0 + 7.0 * tree.node(part.nodes()[parent]).weight / all);
            drawing.line([[from[0], bottom], from], down);
        }
        let to =
            [left + placed.x[place], top + placed.y[place] - 6.0 - LINE * texts[place].test.len() as f64];
        drawing.shapes.push(Shape::Curve { from, to, pen });
    }
}

/// The name of the target and the legend, in lines of at most this width; gives the width they take and where the tree begins.
fn head(drawing: &mut Drawing, labels: &Labels, most: f64, (shown, is_whole): (usize, bool)) -> (f64, f64) {
    let (tree, font) = (labels.tree, labels.font);
    let name = whole(tree.schema().target.name(), &UNICODE);
    let part =
        if is_whole { String::new() } else { format!(", {} nodes shown as leaves", count(shown as u64)) };
    let mut flow = Flow { most, x: 0.0, line: 0, widest: 0.0 };
    for line in in_lines(font, &[name], LARGE + 1.0, most) {
        let (x, y) = flow.place(font.width(&line, LARGE + 1.0));
        drawing.text(x, y, LARGE + 1.0, Anchor::Start, Ink::Text, line);
    }
    let about = format!("{}, {}{part}", counted(tree.node(0).rows, "row"), leaves(tree.leaves()));
    let (x, y) = flow.place(font.width(&about, SMALL));
    drawing.text(x, y, SMALL, Anchor::Start, Ink::Faint, about);
    flow.next_line();
    if tree.is_classifier() {
        classes(drawing, labels, &mut flow);
    } else if labels.range.0 < labels.range.1 {
        let [low, high] = [labels.range.0, labels.range.1].map(|x| rounded(x, 3));
        let text = format!("mean, and one standard deviation to both sides, from {low} to {high}");
        let (x, y) = flow.place(26.0 + font.width(&text, SMALL));
        drawing.line([[x, y - 4.0], [x + 20.0, y - 4.0]], Pen::new(Ink::Line, 1.0));
        drawing.line([[x + 5.0, y - 4.0], [x + 15.0, y - 4.0]], Pen::new(Ink::Accent, 3.0));
        drawing.line([[x + 10.0, y - 7.5], [x + 10.0, y - 0.5]], Pen::new(Ink::Text, 1.5));
        drawing.text(x + 26.0, y, SMALL, Anchor::Start, Ink::Text, text);
    }
    (flow.widest, flow.bottom() + 12.0)
}

/// The classes with their colours and lines.
fn classes(drawing: &mut Drawing, labels: &Labels, flow: &mut Flow) {
    const MOST: usize = 300;
    const SIGN: f64 = 18.0;
    let classes = labels.tree.schema().target.classes();
    for (class, name) in classes.iter().enumerate().take(MOST) {
        let lines = in_lines(labels.font, &[whole(name, &UNICODE)], SMALL, flow.most - SIGN);
        for (i, line) in lines.iter().enumerate() {
            if i > 0 {
                flow.next_line();
            }
            let (x, y) = flow.place(SIGN + labels.font.width(line, SMALL));
            if i == 0 {
                let frame = [x, y - 8.5, 14.0, 10.0];
                hatched(drawing, frame, class);
                let edge = Some(Pen::new(Ink::Faint, 0.5));
                drawing.shapes.push(Shape::Rect { frame, round: 0.0, fill: None, edge });
            }
            drawing.text(x + SIGN, y, SMALL, Anchor::Start, Ink::Text, line.as_str());
        }
    }
    if classes.len() > MOST {
        let rest = format!("+{} classes", count((classes.len() - MOST) as u64));
        let (x, y) = flow.place(labels.font.width(&rest, SMALL));
        drawing.text(x, y, SMALL, Anchor::Start, Ink::Text, rest);
    }
}

/// Texts one after the other, in lines.
struct Flow {
    most: f64,
    x: f64,
    line: usize,
    widest: f64,
}

impl Flow {
    /// Where the next piece of this width begins, and its base line.
    fn place(&mut self, width: f64) -> (f64, f64) {
        if self.x > 0.0 && self.x + width > self.most {
            self.next_line();
        }
        let x = self.x;
        self.x += width + GAP;
        self.widest = self.widest.max(x + width);
        (MARGIN + x, self.bottom() - 4.0)
    }

    fn next_line(&mut self) {
        (self.x, self.line) = (0.0, self.line + 1);
    }

    fn bottom(&self) -> f64 {
        MARGIN + 16.0 * (self.line + 1) as f64
    }
}
