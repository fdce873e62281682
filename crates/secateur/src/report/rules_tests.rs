use super::*;
use crate::report::text::tests::{colours, hostile};
use crate::tree::testing::{build, chain, classes, iris, leaf, weather};

fn plain(tree: &Tree) -> String {
    rules(tree, RulesOptions::default()).to_string()
}

#[test]
fn intervals_are_merged() {
    insta::assert_snapshot!(plain(&iris()), @"");
    let by_coverage = RulesOptions { order: RuleOrder::Coverage, ascii: true, ..RulesOptions::default() };
    insta::assert_snapshot!(rules(&iris(), by_coverage), @"");
}

#[test]
fn weather_as_rules() {
    insta::assert_snapshot!(plain(&weather()), @"");
}

#[test]
fn sets_are_intersected() {
    insta::assert_snapshot!(plain(&colours()), @"");
}

#[test]
fn long_rules_are_wrapped_and_hostile_names_tamed() {
    let shown = plain(&hostile());
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
    insta::assert_snapshot!(shown, @"");
    let narrow = RulesOptions { width: 40, ..RulesOptions::default() };
    insta::assert_snapshot!(rules(&iris(), narrow), @"");
}

#[test]
fn a_single_leaf_is_always_right_or_wrong() {
    let tree = build(vec![], classes("play", &["yes", "no"]), leaf(&[9.0, 5.0]));
    insta::assert_snapshot!(plain(&tree), @"");
}

#[test]
fn a_chain_of_a_million_nodes_has_its_first_rules() {
    let shown = plain(&chain(1_000_001));
    assert_eq!(shown.lines().count(), 201);
    assert!(shown.ends_with("… 499,801 more rules (use --all)\n"));
    assert!(shown.contains("\n200. IF 198.5 ≤ x < 199.5 THEN odd  (1 row, <0.1 %, 0 wrong)\n"), "{shown}");
}
