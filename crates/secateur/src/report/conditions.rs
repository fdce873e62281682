//! How the conditions of a tree are written in reports.
//!
//! Thresholds, dates and times are written in full: a row that goes one way by the text goes the same way down the tree.
//! `x < 2.4500000000000006` is written `x ≤ 2.45`, which is the same.
//!
//! Names, values and classes are never shortened, and different ones are written differently. Tests come in pieces, of which lines are
//! made ([`lines`](super::lines)); a set that is too long for that gets a number and is written elsewhere ([`NumberedSets`]).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::Test;
use super::formatting::{
    Glyphs, count, counted, exact, in_list, percent, rounded, threshold, weight, whole, width,
};
use crate::schema::ShownAs;
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

    /// What is below a threshold: whether the number shown belongs to it, and the number.
    fn threshold(&self, attribute: usize, below: f64) -> (bool, String) {
        match self.tree.schema().attributes[attribute].shown_as {
            ShownAs::Plain => threshold(below),
            shown_as => (false, shown_as.text(below)),
        }
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

    /// What the branch to a child asks.
    pub(crate) fn branch(&self, child: NodeId) -> String {
        self.branch_pieces(child, true, None).join(" ")
    }

    /// The same without the name of the attribute where that is said elsewhere, in pieces that lines are made of; sets that are too long
    /// for a line are numbered, where there are numbers for them.
    pub(crate) fn branch_pieces(
        &self,
        child: NodeId,
        is_named: bool,
        sets: Option<&mut NumberedSets>,
    ) -> Vec<String> {
        let Some(parent) = self.tree.node(child).parent.map(|p| p as usize) else { return vec![] };
        let Some(condition) = &self.tree.node(parent).condition else { return vec![] };
        let test = Test::of_branch(condition, child - self.tree.children(parent).start);
        self.pieces(condition.attribute(), is_named, &test, sets)
    }

    /// A test of an attribute.
    pub(super) fn test(&self, attribute: usize, test: &Test) -> String {
        self.pieces(attribute, true, test, None).join(" ")
    }

    /// A test of an attribute in pieces.
    pub(super) fn pieces(
        &self,
        attribute: usize,
        is_named: bool,
        test: &Test,
        sets: Option<&mut NumberedSets>,
    ) -> Vec<String> {
        let name = is_named.then(|| whole(&self.tree.schema().attributes[attribute].name, self.glyphs));
        let (is_missing_too, mut pieces) = match test {
            Test::Range { missing, .. } | Test::Values { missing, .. } => (*missing, Vec::from_iter(name)),
            Test::Known | Test::Missing => (false, Vec::from_iter(name)),
        };
        // Without a name one word says it.
        let is = |word: &str| if is_named { format!("is {word}") } else { word.into() };
        match test {
            Test::Known | Test::Range { low: None, high: None, .. } => pieces.push(is("known")),
            Test::Missing => pieces.push(is("missing")),
            Test::Range { low, high, .. } => {
                let low = low.map(|low| self.threshold(attribute, low));
                let high = high.map(|high| self.threshold(attribute, high));
                let less = |or_equal: bool| if or_equal { self.glyphs.at_most } else { "<" };
                match (low, &high) {
                    (Some((is_out, low)), Some(_)) => pieces.insert(0, format!("{low} {}", less(!is_out))),
                    (Some((is_out, low)), None) => {
                        let more = if is_out { ">" } else { self.glyphs.at_least };
                        pieces.push(format!("{more} {low}"));
                    }
                    (None, _) => {}
                }
                pieces.extend(high.map(|(is_in, high)| format!("{} {high}", less(is_in))));
            }
            Test::Values { codes, .. } => pieces.extend(self.values(attribute, codes, sets)),
        }
        if is_missing_too {
            pieces.push("(or missing)".into());
        }
        pieces
    }

    /// `= red`, `in {red, blue}`, or what it is not when that is shorter, in pieces. The values that
    /// are not named are always exactly the others of the attribute's list.
    fn values(&self, attribute: usize, codes: &[u32], sets: Option<&mut NumberedSets>) -> Vec<String> {
        let values = self.tree.schema().attributes[attribute].values();
        let (without, listed) = listed(values.len(), codes);
        if let [only] = listed[..] {
            let sign = if without { self.glyphs.unequal } else { "=" };
            return vec![format!("{sign} {}", whole(&values[only as usize], self.glyphs))];
        }
        let sign = if without { "not in" } else { "in" };
        let named = self.set(attribute, &listed);
        if let Some(sets) = sets
            && named.iter().map(|value| width(value) + 1).sum::<usize>() > sets.longest
        {
            let number = sets.number(attribute, &listed);
            return vec![
                format!("{sign} set {number}"),
                format!("({})", counted(listed.len() as u64, "value")),
            ];
        }
        let mut named = named.into_iter();
        let first = format!("{sign} {}", named.next().unwrap_or_default());
        std::iter::once(first).chain(named).collect()
    }

    /// Some values of an attribute in pieces: `{red,` `blue}`.
    pub(crate) fn set(&self, attribute: usize, codes: &[u32]) -> Vec<String> {
        let values = self.tree.schema().attributes[attribute].values();
        let piece = |(place, code): (usize, &u32)| {
            let before = if place == 0 { "{" } else { "" };
            let after = if place + 1 == codes.len() { "}" } else { "," };
            format!("{before}{}{after}", in_list(&values[*code as usize], self.glyphs))
        };
        match codes {
            [] => vec!["{}".into()],
            _ => codes.iter().enumerate().map(piece).collect(),
        }
    }

    /// The sets that have numbers, each after its number: `set 1 of colour = {red, blue}`, in pieces.
    pub(crate) fn numbered<'s>(&'s self, sets: &'s NumberedSets) -> impl Iterator<Item = Vec<String>> + 's {
        sets.sets.iter().enumerate().map(|(place, (attribute, codes))| {
            let name = whole(&self.tree.schema().attributes[*attribute].name, self.glyphs);
            let head = [format!("set {} of", place + 1), name, "=".into()];
            head.into_iter().chain(self.set(*attribute, codes)).collect()
        })
    }

    /// The values that the branch to a child asks for, or those that it does not take where they are fewer. `None`
    /// for a branch that asks for something else. Where the other one of two branches takes all
    /// values that this one does not, and they are fewer, the list is empty: `other` says it.
    pub(crate) fn branch_values(&self, child: NodeId) -> Option<BranchValues> {
        let parent = self.tree.node(child).parent? as usize;
        let condition = self.tree.node(parent).condition.as_ref()?;
        let test = Test::of_branch(condition, child - self.tree.children(parent).start);
        let Test::Values { codes, missing } = test else { return None };
        let attribute = condition.attribute();
        let values = self.tree.schema().attributes[attribute].values();
        let (without, listed) = listed(values.len(), &codes);
        let mut listed = listed.into_owned();
        if let (true, Condition::Subset { subsets, .. }) = (without, condition)
            && subsets.left().len() + subsets.right().len() == values.len()
        {
            listed.clear();
        }
        Some(BranchValues { attribute, without, listed, missing })
    }

    /// What a node predicts, and how well: `setosa  (50)`, `23.4 ± 2.1  (54)`.
    pub(super) fn outcome(&self, id: NodeId) -> String {
        match self.support(id) {
            support if support.is_empty() => self.prediction(id),
            support => format!("{}  ({support})", self.prediction(id)),
        }
    }

    /// The class or number a node predicts; a class with its probability where that is not the share that was counted.
    pub(crate) fn prediction(&self, id: NodeId) -> String {
        self.prediction_pieces(id).join(" ")
    }

    /// The same in pieces.
    pub(super) fn prediction_pieces(&self, id: NodeId) -> Vec<String> {
        let tree = self.tree;
        let class = if tree.is_classifier() { tree.label(id) } else { 0 };
        match tree.schema().target.classes().get(class) {
            Some(label) if tree.leaf_values() == LeafValues::Raw => vec![whole(label, self.glyphs)],
            Some(label) => vec![whole(label, self.glyphs), percent(tree.answer(id)[class])],
            None if !tree.has_counts() => vec![rounded(tree.value(id), 5)],
            None => {
                let speaker = tree.speaker(id);
                let spread = (tree.error(speaker) / tree.node(speaker).weight).sqrt();
                vec![format!("{} {} {}", rounded(tree.value(id), 5), self.glyphs.spread, rounded(spread, 3))]
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
        out += &self.overruled(id);
        if let Some(counted) = self.counted(id) {
            out += &format!(", {counted}");
        }
        out
    }

    /// The class that most rows of a node have, where it predicts another: `, most fraud`.
    pub(crate) fn overruled(&self, id: NodeId) -> String {
        let class = self.tree.overruled(id).and_then(|class| self.tree.schema().target.classes().get(class));
        class.map_or(String::new(), |class| format!(", most {}", whole(class, self.glyphs)))
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

    /// The same where there is less room: the rows behind a node, or their weight where it differs, and the errors in it.
    pub(super) fn short_support(&self, id: NodeId) -> String {
        if !self.tree.has_counts() {
            return self.sureness(id);
        }
        let node = self.tree.node(id);
        let is_count = node.weight == node.rows as f64;
        let size = if is_count { count(node.rows) } else { format!("weight {}", weight(node.weight)) };
        size + &self.wrong(id).map_or(String::new(), |wrong| format!(", {} wrong", weight(wrong)))
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
    /// Whose values they are.
    pub attribute: usize,
    /// Whether it does not take them.
    pub without: bool,
    /// Their codes.
    pub listed: Vec<u32>,
    /// Whether the branch takes rows without a value, too.
    pub missing: bool,
}

/// Sets of values that are too long to stand where they are asked for: each is written once, elsewhere, under its number.
#[derive(Default)]
pub(crate) struct NumberedSets {
    /// Columns that a set without a number takes at most.
    pub longest: usize,
    sets: Vec<(usize, Vec<u32>)>,
    numbers: HashMap<(usize, Vec<u32>), usize>,
}

impl NumberedSets {
    /// No sets yet.
    pub(crate) fn new(longest: usize) -> Self {
        Self { longest, ..Self::default() }
    }

    /// The number of a set, from 1.
    pub(crate) fn number(&mut self, attribute: usize, codes: &[u32]) -> usize {
        let set = (attribute, codes.to_vec());
        if let Some(number) = self.numbers.get(&set) {
            return *number;
        }
        self.sets.push(set.clone());
        self.numbers.insert(set, self.sets.len());
        self.sets.len()
    }
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
