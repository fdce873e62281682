//! A tree as a list of rules, one per leaf.

use std::fmt;

use super::Rule;
use super::conditions::{Conditions, NumberedSets};
use super::formatting::{Glyphs, count, percent, weight};
use super::lines::Lines;
use super::text::{longest, write_lines, write_more, write_sets};
use crate::prune::k_norm::{KNorm, Reliability, leaf_reliability};
use crate::tree::{NodeId, Tree};

/// In which order rules are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RuleOrder {
    /// As the leaves stand in the tree, from left to right.
    #[default]
    Tree,
    /// The rule for most of the training weight first.
    Coverage,
}

/// How rules are printed.
#[derive(Debug, Clone, PartialEq)]
pub struct RulesOptions {
    /// Columns to stay within; at least 40.
    pub width: usize,
    /// Write with plain characters.
    pub ascii: bool,
    /// The order.
    pub order: RuleOrder,
    /// With these priors: also the expected error rate of every rule and its standard deviation (Zhong 4.5), for classes
    /// without costs.
    pub sure: Option<KNorm>,
    /// Rules shown, at most; `None` shows all.
    pub max_rules: Option<usize>,
    /// What the reader is told to do to see more.
    pub hint: String,
}

impl Default for RulesOptions {
    fn default() -> Self {
        Self {
            width: 80,
            ascii: false,
            order: RuleOrder::default(),
            sure: None,
            max_rules: Some(200),
            hint: String::new(),
        }
    }
}

/// Rules that display as text; made by [`rules`].
pub struct Rules<'a> {
    tree: &'a Tree,
    options: RulesOptions,
}

/// The tree as rules, each with the training rows it covers and how many of these it gets wrong. Every row
/// without missing values has exactly one rule.
///
/// ```
/// use secateur::report::{RulesOptions, rules};
/// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
/// #   "attributes": [{"name": "petal width", "type": "numeric"}],
/// #   "target": {"type": "classes", "name": "species", "classes": ["setosa", "other"]},
/// #   "nodes": [
/// #     {"split": {"attribute": "petal width", "less_than": 0.8}, "first_child": 1, "rows": 150, "weight": 150, "counts": [51, 99], "rank": 0},
/// #     {"parent": 0, "rows": 50, "weight": 50, "counts": [50, 0]},
/// #     {"parent": 0, "rows": 100, "weight": 100, "counts": [1, 99]}]}"#;
/// # let tree = secateur::tree::Model::from_json("m", json.as_bytes()).unwrap().tree;
/// assert_eq!(rules(&tree, RulesOptions::default()).to_string(), "\
/// 1. IF petal width < 0.8 THEN setosa  (50 rows, 33.3 %, 0 wrong)
/// 2. IF petal width ≥ 0.8 THEN other  (100 rows, 66.7 %, 1 wrong)
/// ");
/// ```
pub fn rules(tree: &Tree, options: RulesOptions) -> Rules<'_> {
    Rules { tree, options }
}

impl fmt::Display for Rules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = Conditions::new(self.tree, Glyphs::of(self.options.ascii));
        let room = self.options.width.max(40);
        let (all, most) = (self.tree.leaves(), self.options.max_rules.unwrap_or(usize::MAX));
        let mut sets = NumberedSets::new(longest(room));
        for (i, rule) in self.listed().take(most).enumerate() {
            let leaf = rule.node;
            let start = format!("{}. ", i + 1);
            let mut line = Lines::of_columns(room, start.clone(), " ".repeat(start.len()));
            for (k, (attribute, test)) in rule.tests.iter().enumerate() {
                let mut pieces = words.pieces(*attribute, true, test, Some(&mut sets));
                pieces[0].insert_str(0, if k == 0 { "IF " } else { "AND " });
                line.add(" ", &pieces);
            }
            let word = if rule.tests.is_empty() { "ALWAYS" } else { "THEN" };
            let mut predicted = words.prediction_pieces(leaf);
            predicted[0].insert_str(0, &format!("{word} "));
            line.add(" ", &predicted);
            let sure = self.options.sure.as_ref().map_or(String::new(), |rule| expected(&words, leaf, rule));
            let support = format!("{}{sure}", coverage(&words, leaf));
            if !support.is_empty() {
                line.add("  ", &[format!("({support})")]);
            }
            write_lines(f, line)?;
        }
        if all > most {
            let more = format!("{} {} more rules", words.glyphs.more, count((all - most) as u64));
            write_more(f, more, &self.options.hint, room)?;
        }
        write_sets(f, &words, &sets, room)
    }
}

impl Rules<'_> {
    /// The rules in the order in which they are listed.
    fn listed(&self) -> Box<dyn Iterator<Item = Rule> + '_> {
        if self.options.order == RuleOrder::Tree {
            return Box::new(Rule::of_leaves(self.tree));
        }
        let by_weight = |a: NodeId, b: NodeId| self.tree.node(b).weight.total_cmp(&self.tree.node(a).weight);
        if self.options.max_rules.is_some_and(|most| most < self.tree.leaves()) {
            let mut leaves = self.tree.leaves_in_order();
            leaves.sort_by(|&a, &b| by_weight(a, b));
            return Box::new(leaves.into_iter().map(|leaf| Rule::of(self.tree, leaf)));
        }
        let mut rules: Vec<Rule> = Rule::of_leaves(self.tree).collect();
        rules.sort_by(|a, b| by_weight(a.node, b.node));
        Box::new(rules.into_iter())
    }
}

/// The training rows of a leaf, their share and the errors among them.
fn coverage(words: &Conditions<'_>, leaf: NodeId) -> String {
    if !words.tree.has_counts() {
        return words.sureness(leaf);
    }
    let (node, all) = (words.tree.node(leaf), words.tree.node(0).weight);
    let rows = format!("{} {}", count(node.rows), if node.rows == 1 { "row" } else { "rows" });
    let mut out = rows;
    if node.weight != node.rows as f64 {
        out += &format!(", weight {}", weight(node.weight));
    }
    out += &format!(", {}", percent(node.weight / all));
    if words.tree.is_classifier() {
        out += &format!(", {} wrong", weight(words.wrong(leaf).unwrap_or(0.0)));
        out += &words.overruled(leaf);
    }
    out
}

/// The expected error rate of a leaf and its standard deviation.
fn expected(words: &Conditions<'_>, leaf: NodeId, rule: &KNorm) -> String {
    if !words.tree.is_classifier() || words.tree.costs().is_some() || !words.tree.has_counts() {
        return String::new();
    }
    let Reliability { error, sd, .. } = leaf_reliability(words.tree, leaf, rule);
    format!("; expect {:.1} % {} {:.1}", 100.0 * error, words.glyphs.spread, 100.0 * sd)
}

impl Tree {
    /// The leaves from left to right.
    pub(crate) fn leaves_in_order(&self) -> Vec<NodeId> {
        let (mut leaves, mut stack) = (Vec::new(), vec![0]);
        while let Some(id) = stack.pop() {
            if self.is_leaf(id) {
                leaves.push(id);
            } else {
                stack.extend(self.children(id).rev());
            }
        }
        leaves
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
