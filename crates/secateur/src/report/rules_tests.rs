use super::*;
use crate::report::text::tests::{colours, hostile};
use crate::tree::testing::{build, chain, classes, iris, leaf, weather};

fn plain(tree: &Tree) -> String {
    rules(tree, RulesOptions::default()).to_string()
}

#[test]
fn intervals_are_merged() {
    insta::assert_snapshot!(plain(&iris()), @"
    1. IF petal width < 0.8 THEN setosa  (50 rows, 33.3 %, 0 wrong)
    2. IF 0.8 ≤ petal width < 1.75 AND petal length < 4.95 THEN versicolor
       (48 rows, 32 %, 1 wrong)
    3. IF 0.8 ≤ petal width < 1.75 AND petal length ≥ 4.95 THEN virginica
       (6 rows, 4 %, 2 wrong)
    4. IF petal width ≥ 1.75 THEN virginica  (46 rows, 30.7 %, 1 wrong)
    ");
    let by_coverage = RulesOptions { order: RuleOrder::Coverage, ascii: true, ..RulesOptions::default() };
    insta::assert_snapshot!(rules(&iris(), by_coverage), @"
    1. IF petal width < 0.8 THEN setosa  (50 rows, 33.3 %, 0 wrong)
    2. IF 0.8 <= petal width < 1.75 AND petal length < 4.95 THEN versicolor
       (48 rows, 32 %, 1 wrong)
    3. IF petal width >= 1.75 THEN virginica  (46 rows, 30.7 %, 1 wrong)
    4. IF 0.8 <= petal width < 1.75 AND petal length >= 4.95 THEN virginica
       (6 rows, 4 %, 2 wrong)
    ");
}

#[test]
fn rules_say_how_sure_they_are() {
    let sure = RulesOptions { sure: Some(KNorm { lambda: 0.5, eta: 0.5 }), ..RulesOptions::default() };
    insta::assert_snapshot!(rules(&iris(), sure.clone()), @"
    1. IF petal width < 0.8 THEN setosa
       (50 rows, 33.3 %, 0 wrong; expect 1.9 % ± 1.9)
    2. IF 0.8 ≤ petal width < 1.75 AND petal length < 4.95 THEN versicolor
       (48 rows, 32 %, 1 wrong; expect 4.0 % ± 2.8)
    3. IF 0.8 ≤ petal width < 1.75 AND petal length ≥ 4.95 THEN virginica
       (6 rows, 4 %, 2 wrong; expect 40.0 % ± 16.8)
    4. IF petal width ≥ 1.75 THEN virginica
       (46 rows, 30.7 %, 1 wrong; expect 4.2 % ± 2.9)
    ");
    let costs =
        crate::schema::Costs::new(&["setosa".into(), "versicolor".into(), "virginica".into()], &[]).unwrap();
    let costly = iris().with_costs(Some(std::sync::Arc::new(costs))).unwrap();
    assert_eq!(rules(&costly, sure).to_string(), plain(&costly));
}

#[test]
fn weather_as_rules() {
    insta::assert_snapshot!(plain(&weather()), @"
    1. IF outlook = sunny AND humidity < 77.5 THEN yes  (2 rows, 14.3 %, 0 wrong)
    2. IF outlook = sunny AND humidity ≥ 77.5 THEN no  (3 rows, 21.4 %, 0 wrong)
    3. IF outlook = overcast THEN yes  (4 rows, 28.6 %, 0 wrong)
    4. IF outlook = rainy AND windy = TRUE THEN no  (2 rows, 14.3 %, 0 wrong)
    5. IF outlook = rainy AND windy = FALSE THEN yes  (3 rows, 21.4 %, 0 wrong)
    ");
}

#[test]
fn sets_are_intersected() {
    insta::assert_snapshot!(plain(&colours()), @"
    1. IF colour = red THEN yes  (8 rows, weight 7.5, 34.5 %, 0.5 wrong)
    2. IF colour = green THEN no  (6 rows, weight 5.25, 24.1 %, 1.25 wrong)
    3. IF colour not in {red, green, blue} AND size = small THEN no
       (9 rows, 41.4 %, 0 wrong)
    4. IF colour not in {red, green, blue} AND size = large THEN no
       (0 rows, 0 %, 0 wrong)
    ");
}

#[test]
fn long_rules_are_wrapped_and_hostile_names_tamed() {
    let shown = plain(&hostile());
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
    insta::assert_snapshot!(shown, @r"
    1. IF \u{1b}[2J\u{7}name\nwith lines = '' THEN {  (1 row, 11.1 %, 0 wrong)
    2. IF \u{1b}[2J\u{7}name\nwith lines = 日本語の長い長い長い長い値
       AND 'long long long long long long long long long long long long long long
       long long long long long long long long long long long long long long long
       long ' < -1e-300
       THEN a very long class name that goes on and on and on and on
       (4 rows, 44.4 %, 1 wrong)
    3. IF \u{1b}[2J\u{7}name\nwith lines = 日本語の長い長い長い長い値
       AND 'long long long long long long long long long long long long long long
       long long long long long long long long long long long long long long long
       long ' ≥ -1e-300 THEN \r  (2 rows, 22.2 %, 0 wrong)
    4. IF \u{1b}[2J\u{7}name\nwith lines = \u{202e}evil
       THEN a very long class name that goes on and on and on and on
       (1 row, 11.1 %, 0 wrong)
    5. IF \u{1b}[2J\u{7}name\nwith lines = b, c} THEN \r  (1 row, 11.1 %, 0 wrong)
    ");
    let narrow = RulesOptions { width: 40, ..RulesOptions::default() };
    insta::assert_snapshot!(rules(&iris(), narrow), @"
    1. IF petal width < 0.8 THEN setosa
       (50 rows, 33.3 %, 0 wrong)
    2. IF 0.8 ≤ petal width < 1.75
       AND petal length < 4.95
       THEN versicolor
       (48 rows, 32 %, 1 wrong)
    3. IF 0.8 ≤ petal width < 1.75
       AND petal length ≥ 4.95
       THEN virginica
       (6 rows, 4 %, 2 wrong)
    4. IF petal width ≥ 1.75 THEN virginica
       (46 rows, 30.7 %, 1 wrong)
    ");
}

#[test]
fn a_single_leaf_is_always_right_or_wrong() {
    let tree = build(vec![], classes("play", &["yes", "no"]), leaf(&[9.0, 5.0]));
    insta::assert_snapshot!(plain(&tree), @"1. ALWAYS yes  (14 rows, 100 %, 5 wrong)");
}

#[test]
fn a_chain_of_a_million_nodes_has_its_first_rules() {
    let shown = plain(&chain(1_000_001));
    assert_eq!(shown.lines().count(), 201);
    assert!(shown.ends_with("… 499,801 more rules\n"));
    assert!(shown.contains("\n200. IF 198.5 ≤ x < 199.5 THEN odd  (1 row, <0.1 %, 0 wrong)\n"), "{shown}");
}
