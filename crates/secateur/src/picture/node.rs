//! What stands in a node of a drawn tree, and on the edge to it.

use crate::drawing::{Anchor, Drawing, Ink, Measure, Pen, Shape, hatched};
use crate::report::conditions::{BranchValues, Conditions, NumberedSets};
use crate::report::formatting::{UNICODE, bare, count, counted, in_list, rounded, weight, whole};
use crate::report::lines::Lines;
use crate::tree::{NodeId, Stats, Tree};

/// Sizes of texts: names and answers, tests, and the rest.
pub(super) const LARGE: f64 = 12.0;
pub(super) const MIDDLE: f64 = 11.0;
pub(super) const SMALL: f64 = 10.0;
/// The distance between the lines of a test, and between those of a name or answer.
pub(super) const LINE: f64 = 13.0;
const LARGE_LINE: f64 = 14.0;

const PADDING: f64 = 8.0;
const LEAST: f64 = 46.0;
const MOST: f64 = 150.0;
const BAR: f64 = 7.0;
/// How wide the lines of a test are at most, and how many of them values take: longer sets get a number.
const TEST_LINES: usize = 4;
const TEST_WIDTH: f64 = 130.0;

/// The texts of a node.
pub(super) struct Label {
    /// What it asks or answers, in lines.
    pub head: Vec<String>,
    /// The rows behind it.
    pub rows: String,
    /// What is not drawn below it.
    pub cut: Option<String>,
    /// What the edge to it says, in lines.
    pub test: Vec<String>,
    /// All of it in words.
    pub words: String,
    /// The size of its box.
    pub width: f64,
    pub height: f64,
    /// The width of its box or its test, whichever is larger.
    pub room: f64,
}

/// What labels are made from.
pub(super) struct Labels<'a> {
    pub tree: &'a Tree,
    pub font: &'a dyn Measure,
    conditions: Conditions<'a>,
    /// Leaves below every node.
    pub leaves: Vec<u32>,
    /// The smallest and largest number within one standard deviation of a mean.
    pub range: (f64, f64),
}

impl<'a> Labels<'a> {
    pub(super) fn new(tree: &'a Tree, font: &'a dyn Measure) -> Self {
        let mut leaves = vec![0u32; tree.nodes().len()];
        for id in (0..leaves.len()).rev() {
            if tree.is_leaf(id) {
                leaves[id] = 1;
            }
            if let Some(parent) = tree.node(id).parent {
                leaves[parent as usize] += leaves[id];
            }
        }
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        if !tree.is_classifier() {
            for id in (0..tree.nodes().len()).filter(|id| tree.node(*id).weight > 0.0) {
                let (mean, sd) = spread(tree, id);
                range = (range.0.min(mean - sd), range.1.max(mean + sd));
            }
        }
        Self { tree, font, conditions: Conditions::new(tree, &UNICODE), leaves, range }
    }

    /// The label of a node; `is_open` says whether what is below it is drawn.
    pub(super) fn of(&self, id: NodeId, is_open: bool, sets: &mut NumberedSets) -> Label {
        let tree = self.tree;
        let head = match &tree.node(id).condition {
            Some(condition) if is_open => {
                whole(&tree.schema().attributes[condition.attribute()].name, &UNICODE)
            }
            _ => self.conditions.prediction(id),
        };
        let head = in_lines(self.font, &[head], LARGE, MOST);
        let rows = self.rows(id, is_open);
        let is_cut = !is_open && !tree.is_leaf(id);
        let cut = is_cut.then(|| format!("… {} leaves below", count(u64::from(self.leaves[id]))));
        let test = self.test(id, sets);
        let small =
            [Some(&rows), cut.as_ref()].into_iter().flatten().map(|text| self.font.width(text, SMALL));
        let large = head.iter().map(|line| self.font.width(line, LARGE));
        let width = small.chain(large).fold(LEAST, f64::max) + 2.0 * PADDING;
        let test_width = test.iter().map(|line| self.font.width(line, MIDDLE)).fold(0.0, f64::max);
        Label {
            words: self.words(id, is_open),
            room: width.max(test_width),
            width,
            height: if is_cut { 64.0 } else { 51.0 } + LARGE_LINE * (head.len() - 1) as f64,
            head,
            rows,
            cut,
            test,
        }
    }

    /// The sets that have numbers, each after its number, in lines of at most this width.
    pub(super) fn numbered(&self, sets: &NumberedSets, most: f64) -> Vec<String> {
        let lines = |set: Vec<String>| in_lines(self.font, &set, SMALL, most);
        self.conditions.numbered(sets).flat_map(lines).collect()
    }

    fn rows(&self, id: NodeId, is_open: bool) -> String {
        let node = self.tree.node(id);
        if !self.tree.has_counts() {
            return String::new();
        }
        let mut out = if node.rows == 0 && node.weight == 0.0 {
            "no rows".into()
        } else if node.weight == node.rows as f64 {
            counted(node.rows, "row")
        } else {
            format!("weight {}", weight(node.weight))
        };
        if !self.tree.is_classifier() && is_open && node.weight > 0.0 {
            out += &format!(", mean {}", rounded(self.tree.counted_value(id), 4));
        }
        if let Some(counted) = self.conditions.counted(id).filter(|_| !is_open) {
            out += &format!(", {counted}");
        }
        if let Some(wrong) = self.conditions.wrong(id).filter(|_| !is_open) {
            out += &format!(", {} wrong{}", weight(wrong), self.conditions.overruled(id));
        }
        out
    }

    /// The test of the edge to a node in a few lines: a condition, values, or the number of a set of them.
    fn test(&self, id: NodeId, sets: &mut NumberedSets) -> Vec<String> {
        let lines = |pieces: &[String]| in_lines(self.font, pieces, MIDDLE, TEST_WIDTH);
        let Some(BranchValues { attribute, without, listed, missing }) = self.conditions.branch_values(id)
        else {
            let pieces = self.conditions.branch_pieces(id, false, None);
            return if pieces.is_empty() { vec![] } else { lines(&pieces) };
        };
        let values = self.tree.schema().attributes[attribute].values();
        let mut pieces: Vec<String> = match listed[..] {
            [] if without => vec!["all others".into()],
            [only] => vec![bare(&values[only as usize], &UNICODE)],
            _ => listed.iter().map(|&code| in_list(&values[code as usize], &UNICODE) + ",").collect(),
        };
        if let (Some(last), 2..) = (pieces.last_mut(), listed.len()) {
            last.pop();
        }
        let sign = match (without, listed.len()) {
            (true, 1) => "≠ ",
            (true, 2..) => "not ",
            _ => "",
        };
        pieces.iter_mut().take(1).for_each(|first| first.insert_str(0, sign));
        let mut test = lines(&pieces);
        if test.len() > TEST_LINES {
            let number = format!("{sign}set {}", sets.number(attribute, &listed));
            test = lines(&[number, format!("({})", counted(listed.len() as u64, "value"))]);
        }
        if missing {
            test.push("(or missing)".into());
        }
        test
    }

    /// A node in words, for readers who point at it.
    fn words(&self, id: NodeId, is_open: bool) -> String {
        let mut out = self.conditions.branch(id);
        if !out.is_empty() {
            out += ": ";
        }
        out += &format!("{}, {}", self.conditions.prediction(id), self.rows(id, is_open));
        if let (Stats::Classes { .. }, true) = (self.tree.stats(), self.tree.node(id).weight > 0.0) {
            let classes = self.tree.schema().target.classes();
            let mut mix: Vec<(usize, f64)> =
                self.tree.class_weights(id).iter().copied().enumerate().collect();
            mix.retain(|(_, w)| *w > 0.0);
            mix.sort_by(|a, b| b.1.total_cmp(&a.1));
            let left = mix.len().saturating_sub(12);
            let mix: Vec<String> = mix
                .iter()
                .take(12)
                .map(|(class, w)| format!("{} {}", whole(&classes[*class], &UNICODE), weight(*w)))
                .collect();
            out += &format!(
                " ({}{})",
                mix.join(", "),
                if left > 0 { format!(", +{left}") } else { String::new() }
            );
        }
        out
    }

    /// Draws a node whose box has its middle and upper edge here.
    pub(super) fn draw(
        &self,
        drawing: &mut Drawing,
        id: NodeId,
        label: &Label,
        x: f64,
        y: f64,
        is_open: bool,
    ) {
        drawing.shapes.push(Shape::Open(label.words.clone()));
        for (i, line) in label.test.iter().rev().enumerate() {
            let base = y - 6.0 - LINE * i as f64;
            drawing.text(x, base, MIDDLE, Anchor::Middle, Ink::Text, line.as_str());
        }
        let edge = Pen::new(if is_open { Ink::Line } else { Ink::Faint }, 1.0);
        drawing.shapes.push(Shape::Rect {
            frame: [x - label.width / 2.0, y, label.width, label.height],
            round: 4.0,
            fill: Some(if is_open { Ink::Paper } else { self.ground(id) }),
            edge: Some(if label.cut.is_some() { edge.dashed() } else { edge }),
        });
        for (i, line) in label.head.iter().enumerate() {
            let base = y + 17.0 + LARGE_LINE * i as f64;
            drawing.text(x, base, LARGE, Anchor::Middle, Ink::Text, line.as_str());
        }
        let y = y + LARGE_LINE * (label.head.len() - 1) as f64;
        drawing.text(x, y + 31.0, SMALL, Anchor::Middle, Ink::Faint, label.rows.as_str());
        let bar = [x - label.width / 2.0 + PADDING, y + 37.0, label.width - 2.0 * PADDING, BAR];
        if self.tree.node(id).weight > 0.0 {
            match self.tree.is_classifier() {
                true => mix(drawing, self.tree.class_weights(id), bar),
                false => self.scale(drawing, id, bar),
            }
        }
        if let Some(cut) = &label.cut {
            drawing.text(x, y + 57.0, SMALL, Anchor::Middle, Ink::Text, cut.as_str());
        }
        drawing.shapes.push(Shape::Close);
    }

    /// The ground of a node without drawn children: the colour of its class, the paler the more others there are; of a number the darker
    /// the larger it is.
    fn ground(&self, id: NodeId) -> Ink {
        if self.tree.is_classifier() {
            let label = self.tree.label(id);
            return Ink::Class(label).paler(0.08 + 0.2 * self.tree.answer(id)[label]);
        }
        let place = (self.tree.value(id) - self.range.0) / (self.range.1 - self.range.0);
        Ink::Accent.paler(0.03 + 0.2 * place)
    }

    /// The mean and one standard deviation to both sides, on the scale of all nodes.
    fn scale(&self, drawing: &mut Drawing, id: NodeId, [x, y, width, height]: [f64; 4]) {
        let (low, high) = self.range;
        let at = |number: f64| {
            let place = if high > low { (number - low) / (high - low) } else { 0.5 };
            x + width * place.clamp(0.0, 1.0)
        };
        let (mean, sd) = spread(self.tree, id);
        let middle = y + height / 2.0;
        drawing.line([[x, middle], [x + width, middle]], Pen::new(Ink::Line, 1.0));
        drawing.line([[at(mean - sd), middle], [at(mean + sd), middle]], Pen::new(Ink::Accent, 3.0));
        drawing.line([[at(mean), y], [at(mean), y + height]], Pen::new(Ink::Text, 1.5));
    }
}

/// The mean of a node and its standard deviation.
fn spread(tree: &Tree, id: NodeId) -> (f64, f64) {
    let sd = (tree.error(id) / tree.node(id).weight).sqrt();
    (tree.value(id), if sd.is_finite() { sd } else { 0.0 })
}

/// Pieces of text in lines of at most this width.
pub(super) fn in_lines(font: &dyn Measure, pieces: &[String], size: f64, most: f64) -> Vec<String> {
    let measure = |text: &str| font.width(text, size);
    let mut lines = Lines::new(most, &measure, String::new(), String::new());
    lines.add("", pieces);
    lines.finish()
}

/// The classes of a node side by side, in their order.
fn mix(drawing: &mut Drawing, weights: &[f64], [x, y, width, height]: [f64; 4]) {
    let all: f64 = weights.iter().sum();
    let mut before = 0.0;
    for (class, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        let left = x + width * before / all;
        before += weight;
        // Slivers are left out: they would be no wider than the line between two others.
        if width * weight / all >= 0.3 {
            hatched(drawing, [left, y, width * weight / all, height], class);
        }
    }
    let frame = [x, y, width, height];
    drawing.shapes.push(Shape::Rect { frame, round: 0.0, fill: None, edge: Some(Pen::new(Ink::Faint, 0.5)) });
}
