//! How the conditions of a tree are written in reports.
//!
//! A threshold is written in full when that takes at most ten characters; a longer one is rounded to
//! eight significant digits (never in its whole part), and to more where two thresholds of the same
//! attribute would look alike. Dates and times are written in full. `x < 2.4500000000000006` is written `x ≤ 2.45`, which is the same. Models keep every digit.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::Test;
use super::formatting::{
    Glyphs, at_most, count, counted, exact, percent, rounded, short, weight, weight_in, width,
};
use crate::tree::{Condition, LeafValues, NodeId, Stats, Tree};

/// Everything needed to put the tests of one tree into words.
pub(crate) struct Conditions<'a> {
    pub tree: &'a Tree,
    pub glyphs: &'static Glyphs,
    /// The different thresholds of every attribute, ascending; looked for when a threshold has many digits.
    thresholds: OnceLock<Vec<Vec<f64>>>,
}

impl<'a> Conditions<'a> {
    pub(crate) fn new(tree: &'a Tree, glyphs: &'static Glyphs) -> Self {
        Self { tree, glyphs, thresholds: OnceLock::new() }
    }

    /// What is below a threshold: whether the number shown belongs to it, and the number. However it is rounded, a value with as many
    /// decimals as are shown goes where the text says.
    fn threshold(&self, attribute: usize, below: f64) -> (bool, String) {
        let shown_as = self.tree.schema().attributes[attribute].shown_as;
        if !shown_as.is_plain() {
            return (false, shown_as.text(below));
        }
        let text = self.digits(attribute, below, at_most(below).unwrap_or(below));
        (text.parse::<f64>().is_ok_and(|shown| shown < below), text)
    }

    /// A threshold that is shown as `x`, in enough digits to tell it from the other thresholds of its attribute.
    fn digits(&self, attribute: usize, below: f64, x: f64) -> String {
        let shortest = exact(x);
        if shortest.len() <= 10 {
            return shortest;
        }
        let all = &self.thresholds.get_or_init(|| self.tree.thresholds())[attribute];
        let place = all.partition_point(|t| *t < below);
        let neighbours = [place.checked_sub(1), Some(place + 1)];
        let neighbours: Vec<f64> =
            neighbours.into_iter().flatten().filter_map(|i| all.get(i).copied()).collect();
        (8..17)
            .map(|digits| (rounded(x, digits), digits))
            .find(|(text, digits)| neighbours.iter().all(|&n| rounded(n, *digits) != *text))
            .map_or(shortest, |(text, _)| text)
    }

    /// A number of a row: whole where that is short, else in eight digits, or in more where it would seem to be on the other side of a threshold.
    pub(super) fn number(&self, attribute: Option<usize>, x: f64) -> String {
        let shortest = exact(x);
        if shortest.len() <= 10 {
            return shortest;
        }
        let thresholds = self.thresholds.get_or_init(|| self.tree.thresholds());
        let all = attribute.map_or(&[][..], |attribute| &thresholds[attribute]);
        let below = |x: f64| all.partition_point(|t| *t <= x);
        (8..17)
            .map(|digits| rounded(x, digits))
            .find(|text| text.parse().is_ok_and(|shown| below(shown) == below(x)))
            .unwrap_or(shortest)
    }

    /// What the branch to a child asks, in at most `room` columns (or a few more, when `room` is tiny).
    pub(crate) fn branch(&self, child: NodeId, room: usize) -> String {
        self.asked(child, true, room)
    }

    /// The same without the name of the attribute.
    pub(crate) fn branch_unnamed(&self, child: NodeId, room: usize) -> String {
        self.asked(child, false, room)
    }

    fn asked(&self, child: NodeId, is_named: bool, room: usize) -> String {
        let Some(parent) = self.tree.node(child).parent.map(|p| p as usize) else { return String::new() };
        let Some(condition) = &self.tree.node(parent).condition else { return String::new() };
        let attribute = condition.attribute();
        let name = is_named.then(|| self.tree.schema().attributes[attribute].name.as_str());
        let test = Test::of_branch(condition, child - self.tree.children(parent).start);
        self.phrase(name, attribute, &test, room)
    }

    /// A test of an attribute, in at most `room` columns.
    pub(super) fn test(&self, attribute: usize, test: &Test, room: usize) -> String {
        self.phrase(Some(&self.tree.schema().attributes[attribute].name), attribute, test, room)
    }

    fn phrase(&self, name: Option<&str>, attribute: usize, test: &Test, room: usize) -> String {
        let named = |room: usize| name.map_or(String::new(), |name| short(name, room.max(8), self.glyphs));
        // Without a name one word says it.
        let is = |word: &str| match name {
            Some(_) => format!("{} is {word}", named(room.saturating_sub(width(word) + 4))),
            None => word.into(),
        };
        let or_missing = match test {
            // Little room is better used for values.
            Test::Range { missing: true, .. } | Test::Values { missing: true, .. } if room < 40 => " or ?",
            Test::Range { missing: true, .. } | Test::Values { missing: true, .. } => " (or missing)",
            _ => "",
        };
        let room = room.saturating_sub(width(or_missing));
        let phrase = match test {
            Test::Known | Test::Range { low: None, high: None, .. } => is("known"),
            Test::Missing => is("missing"),
            Test::Range { low, high, .. } => {
                let low = low.map(|low| self.threshold(attribute, low));
                let high = high.map(|high| self.threshold(attribute, high));
                let less = |or_equal: bool| if or_equal { self.glyphs.at_most } else { "<" };
                let (before, after) = match (low, high) {
                    (Some((is_out, low)), Some((is_in, high))) => {
                        (format!("{low} {} ", less(!is_out)), format!(" {} {high}", less(is_in)))
                    }
                    (None, Some((is_in, high))) => (String::new(), format!(" {} {high}", less(is_in))),
                    (Some((is_out, low)), None) => {
                        let more = if is_out { ">" } else { self.glyphs.at_least };
                        (String::new(), format!(" {more} {low}"))
                    }
                    (None, None) => (String::new(), String::new()),
                };
                format!("{before}{}{after}", named(room.saturating_sub(width(&before) + width(&after))))
            }
            Test::Values { codes, .. } => self.values(named, attribute, codes, room),
        };
        format!("{}{or_missing}", phrase.trim_start())
    }

    /// `colour = red`, `colour in {red, blue}`, or what it is not when that is shorter. The values that
    /// are not named are always exactly the others of the attribute's list.
    fn values(
        &self,
        named: impl Fn(usize) -> String,
        attribute: usize,
        codes: &[u32],
        room: usize,
    ) -> String {
        let values = self.tree.schema().attributes[attribute].values();
        let (without, listed) = listed(values.len(), codes);
        let listed: &[u32] = &listed;
        let value = |code: u32, most: usize| short(&values[code as usize], most, self.glyphs);
        if let [only] = listed {
            let sign = if without { self.glyphs.unequal } else { "=" };
            let space = room.saturating_sub(width(sign) + 2);
            let wanted = value(*only, space.max(8));
            let name = named(space.saturating_sub(width(&wanted)).max(space / 2));
            let wanted = value(*only, space.saturating_sub(width(&name)).max(8));
            return format!("{name} {sign} {wanted}");
        }
        let sign = if without { "not in" } else { "in" };
        let mut out = format!("{} {sign} {{", named(room / 2));
        let apart =
            |text: String| if text.contains([',', '{', '}', '\'']) { format!("'{text}'") } else { text };
        let space = room.saturating_sub(width(&out) + 1);
        if listed.len() <= space {
            let whole: Vec<String> = listed.iter().map(|&code| apart(value(code, space + 1))).collect();
            let whole = whole.join(", ");
            if width(&whole) <= space {
                return out + &whole + "}";
            }
        }
        for (i, &code) in listed.iter().enumerate() {
            let gap = if i == 0 { "" } else { ", " };
            let left = (listed.len() - i - 1) as u64;
            let tail = format!(", {} {} more}}", self.glyphs.more, count(left));
            let space = room.saturating_sub(width(&out) + gap.len() + width(&tail));
            let text = apart(value(code, if i == 0 { space.max(8) } else { space + 1 }));
            if i > 0 && width(&text) > space {
                out += &format!("{gap}{} {} more", self.glyphs.more, count(left + 1));
                break;
            }
            out += gap;
            out += &text;
        }
        out + "}"
    }

    /// The values that the branch to a child asks for, or those that it does not take where they are fewer, at most this many of them. `None`
    /// for a branch that asks for something else. Where the other one of two branches takes all
    /// values that this one does not, and they are fewer, the list is empty: `other` says it.
    pub(crate) fn branch_values(&self, child: NodeId, most: usize) -> Option<BranchValues> {
        let parent = self.tree.node(child).parent? as usize;
        let condition = self.tree.node(parent).condition.as_ref()?;
        let test = Test::of_branch(condition, child - self.tree.children(parent).start);
        let Test::Values { codes, missing } = test else { return None };
        let values = self.tree.schema().attributes[condition.attribute()].values();
        let (without, listed) = listed(values.len(), &codes);
        if let (true, Condition::Subset { subsets, .. }) = (without, condition)
            && subsets.left().len() + subsets.right().len() == values.len()
        {
            return Some(BranchValues { without: true, listed: vec![], all: 0, missing });
        }
        let name = |&code: &u32| short(&values[code as usize], 40, self.glyphs);
        let all = listed.len();
        let listed = listed.iter().take(most).map(name).collect();
        Some(BranchValues { without, listed, all, missing })
    }

    /// What a node predicts, and how well: `setosa  (50)`, `23.4 ± 2.1  (54)`.
    pub(super) fn outcome(&self, id: NodeId, label_room: usize) -> String {
        match self.support(id) {
            support if support.is_empty() => self.prediction(id, label_room),
            support => format!("{}  ({support})", self.prediction(id, label_room)),
        }
    }

    /// The class or number a node predicts; a class with its probability where that is not the share that was counted.
    pub(crate) fn prediction(&self, id: NodeId, label_room: usize) -> String {
        let tree = self.tree;
        let class = if tree.is_classifier() { tree.label(id) } else { 0 };
        match tree.schema().target.classes().get(class) {
            Some(label) if tree.leaf_values() == LeafValues::Raw => short(label, label_room, self.glyphs),
            Some(label) => {
                let probability = percent(tree.answer(id)[class]);
                let room = label_room.saturating_sub(width(&probability) + 1).max(8);
                format!("{} {probability}", short(label, room, self.glyphs))
            }
            None if !tree.has_counts() => rounded(tree.value(id), 5),
            None => {
                let speaker = tree.speaker(id);
                let spread = (tree.error(speaker) / tree.node(speaker).weight).sqrt();
                format!("{} {} {}", rounded(tree.value(id), 5), self.glyphs.spread, rounded(spread, 3))
            }
        }
    }

    /// The training rows behind a node, with their weight where it differs, and the errors among them.
    ///
    /// Without counts only how probable its class is; nothing for numbers.
    pub(super) fn support(&self, id: NodeId) -> String {
        let node = self.tree.node(id);
        if !self.tree.has_counts() {
            return self.sureness(id);
        }
        if node.rows == 0 && node.weight == 0.0 {
            return "no rows".into();
        }
        let mut out = if node.weight == node.rows as f64 {
            count(node.rows)
        } else {
            format!("{}, weight {}", counted(node.rows, "row"), weight(node.weight))
        };
        if let Some(wrong) = self.wrong(id) {
            out += &format!(", {} wrong", weight(wrong));
        }
        if let Some(counted) = self.counted(id) {
            out += &format!(", {counted}");
        }
        out
    }

    /// How probable the class is that a node predicts.
    pub(super) fn sureness(&self, id: NodeId) -> String {
        let share = || self.tree.answer(id).get(self.tree.label(id)).copied().unwrap_or(0.0);
        if self.tree.is_classifier() { percent(share()) } else { String::new() }
    }

    /// The number that was counted at a node, where it predicts another.
    pub(crate) fn counted(&self, id: NodeId) -> Option<String> {
        let tree = self.tree;
        let Stats::Numbers { median, .. } = tree.stats() else { return None };
        let name = if median.is_empty() { "mean" } else { "median" };
        (tree.leaf_values() != LeafValues::Raw && tree.node(id).weight > 0.0)
            .then(|| format!("{name} {}", rounded(tree.counted_value(id), 5)))
    }

    /// The same where there is less and less room: the rows behind a node, or their weight where it differs, and the errors in it; the same
    /// with fewer digits; the rows or their weight alone.
    pub(super) fn short_supports(&self, id: NodeId) -> [String; 3] {
        if !self.tree.has_counts() {
            return std::array::from_fn(|_| self.sureness(id));
        }
        let node = self.tree.node(id);
        let is_count = node.weight == node.rows as f64;
        let size = |name: &str, digits: usize| {
            if is_count { count(node.rows) } else { format!("{name} {}", weight_in(node.weight, digits)) }
        };
        let wrong = |digits: usize| {
            self.wrong(id).map_or(String::new(), |wrong| format!(", {} wrong", weight_in(wrong, digits)))
        };
        [size("weight", 4) + &wrong(4), size("w", 3) + &wrong(3), size("w", 3)]
    }

    /// The weight of the rows a leaf gets wrong, if that is more than rounding.
    pub(crate) fn wrong(&self, id: NodeId) -> Option<f64> {
        let weights = self.tree.class_weights(id);
        // Rows, whatever a mistake costs.
        let right = if weights.is_empty() { 0.0 } else { weights[self.tree.label(id)] };
        let wrong = weights.iter().sum::<f64>() - right;
        (self.tree.is_classifier() && wrong > 1e-9 * self.tree.node(id).weight).then_some(wrong)
    }
}

/// The values that a branch asks for, or those that it does not take.
pub(crate) struct BranchValues {
    /// Whether it does not take them.
    pub without: bool,
    /// The first of them.
    pub listed: Vec<String>,
    /// How many there are.
    pub all: usize,
    /// Whether the branch takes rows without a value, too.
    pub missing: bool,
}

/// The codes that are written for some codes of an attribute with this many values: these, or the others where those are fewer.
fn listed(values: usize, codes: &[u32]) -> (bool, Cow<'_, [u32]>) {
    let without = values - codes.len() < codes.len() && codes.len() < values;
    if !without {
        return (false, Cow::Borrowed(codes));
    }
    let mut rest = codes.iter().copied().peekable();
    (true, (0..values as u32).filter(|c| rest.next_if_eq(c).is_none()).collect())
}

#[cfg(test)]
#[path = "conditions_tests.rs"]
mod tests;
