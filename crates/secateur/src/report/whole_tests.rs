//! Reports of trees whose names are hard to show: nothing is left out, nothing is wider than it may be, and what differs looks different.

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::formatting::{ASCII, UNICODE, in_list, whole};
use super::*;
use crate::tree::testing::random_hard_to_show;
use crate::tree::{Condition, NodeId, Tree};

/// A text without what lines add to it.
fn dense(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"│├└─|`".contains(*c)).collect()
}

/// The branches of a tree in text, each in one line again: where it stands, and what it says.
fn branches(shown: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in shown.lines() {
        let mut text = line;
        while let Some(rest) = ["│  ", "|  ", "   "].iter().find_map(|bar| text.strip_prefix(bar)) {
            text = rest;
        }
        let depth = line.chars().count() - text.chars().count();
        let begun = ["├─ ", "└─ ", "|- ", "`- "].iter().find_map(|begin| text.strip_prefix(begin));
        match (begun, found.last_mut()) {
            _ if line.is_empty() || line.starts_with('[') => found.push((0, String::new())),
            (Some(begun), _) => found.push((depth + 1, dense(begun))),
            (None, Some((1.., open))) if depth > 0 => *open += &dense(text),
            _ => found.push((0, String::new())),
        }
    }
    found
}

/// Fails where two branches of one node say the same before their arrows.
fn check_siblings(shown: &str) {
    let mut open: Vec<(usize, Vec<String>)> = Vec::new();
    for (depth, text) in branches(shown) {
        open.retain(|family| family.0 <= depth && depth > 0);
        if depth == 0 {
            continue;
        }
        let asked = text.split(['→', '…']).next().unwrap_or_default();
        let asked = asked.split("->").next().unwrap_or_default().to_string();
        match open.last_mut() {
            Some((own, family)) if *own == depth => {
                assert!(!family.contains(&asked), "two branches {asked} in\n{shown}");
                family.push(asked);
            }
            _ => open.push((depth, vec![asked])),
        }
    }
}

/// The values that a test of a set names in full: its own, or the others where those are fewer.
fn set(tree: &Tree, attribute: usize, codes: &[u32], ascii: bool) -> Option<String> {
    let values = tree.schema().attributes[attribute].values();
    let others: Vec<u32> = (0..values.len() as u32).filter(|code| !codes.contains(code)).collect();
    let is_shorter = others.len() < codes.len() && !others.is_empty();
    let named = if is_shorter { &others } else { codes };
    let glyphs = if ascii { &ASCII } else { &UNICODE };
    let named: Vec<String> = named.iter().map(|&code| in_list(&values[code as usize], glyphs)).collect();
    (named.len() > 1).then(|| dense(&format!("{{{}}}", named.join(","))))
}

fn class(tree: &Tree, leaf: NodeId, ascii: bool) -> String {
    let glyphs = if ascii { &ASCII } else { &UNICODE };
    let label = tree.schema().target.classes().get(tree.label(leaf));
    dense(&label.map_or(String::new(), |label| whole(label, glyphs)))
}

fn leaves(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    (0..tree.nodes().len()).filter(|id| tree.is_leaf(*id))
}

fn check_width(shown: &str, most: usize) {
    for line in shown.lines() {
        assert!(line.width() <= most, "{} columns: {line}\nof\n{shown}", line.width());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn text_is_whole_and_within_the_width(seed in any::<u64>(), width in 40usize..130, ascii in any::<bool>()) {
        let tree = random_hard_to_show(seed, 40);
        let options = TextOptions { width, ascii, max_lines: None, ..TextOptions::default() };
        let shown = text(&tree, options).to_string();
        check_width(&shown, width);
        check_siblings(&shown);
        let all = dense(&shown);
        for (id, node) in tree.nodes().iter().enumerate() {
            let Some(Condition::Subset { attribute, subsets, .. }) = &node.condition else { continue };
            for codes in [subsets.left(), subsets.right()] {
                if let Some(set) = set(&tree, *attribute as usize, codes, ascii) {
                    prop_assert!(all.contains(&set), "{set} of node {id} in\n{shown}");
                }
            }
        }
        if tree.is_classifier() {
            for label in tree.schema().target.classes() {
                let label = dense(&in_list(label, if ascii { &ASCII } else { &UNICODE }));
                prop_assert!(all.contains(&label), "{label} in\n{shown}");
            }
            for leaf in leaves(&tree) {
                let answer = format!("{}{}", if ascii { "->" } else { "→" }, class(&tree, leaf, ascii));
                prop_assert!(all.contains(&answer), "{answer} in\n{shown}");
            }
        }
    }

    #[test]
    fn rules_are_whole_and_within_the_width(seed in any::<u64>(), width in 40usize..130, ascii in any::<bool>()) {
        let tree = random_hard_to_show(seed, 40);
        let options = RulesOptions { width, ascii, max_rules: None, ..RulesOptions::default() };
        let shown = rules(&tree, options).to_string();
        check_width(&shown, width);
        let all = dense(&shown);
        for leaf in leaves(&tree) {
            for (attribute, test) in Rule::of(&tree, leaf).tests {
                let Test::Values { codes, .. } = test else { continue };
                if let Some(set) = set(&tree, attribute, &codes, ascii) {
                    prop_assert!(all.contains(&set), "{set} in\n{shown}");
                }
            }
            if tree.is_classifier() && tree.nodes().len() > 1 {
                let answer = format!("THEN{}", class(&tree, leaf, ascii));
                prop_assert!(all.contains(&answer), "{answer} in\n{shown}");
            }
        }
    }

    #[test]
    fn drawings_for_graphviz_are_whole(seed in any::<u64>()) {
        let tree = random_hard_to_show(seed, 40);
        let shown = dot(&tree, DotOptions::default()).to_string();
        let mut edges: Vec<&str> = shown.lines().filter(|line| line.contains(" -> n")).collect();
        let (all, label) = (edges.len(), |line: &&str| line.split(" [label=").map(String::from).collect::<Vec<_>>());
        prop_assert_eq!(all, tree.nodes().len() - 1);
        // Parent and text, without the child.
        let mut asked: Vec<(String, String)> = edges.drain(..).map(|line| {
            let parts = label(&line);
            (parts[0].split(" -> ").next().unwrap_or_default().into(), parts[1..].concat())
        }).collect();
        asked.sort();
        asked.dedup();
        prop_assert_eq!(asked.len(), all, "{}", shown);
    }
}
