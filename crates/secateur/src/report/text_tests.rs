use super::*;
use crate::tree::testing::{
    Sketch, below, build, chain, classes, each, iris, leaf, nominal, numeric, random, subset, weather,
};

fn plain(tree: &Tree) -> String {
    text(tree, TextOptions::default()).to_string()
}

#[test]
fn weather_multiway() {
    insta::assert_snapshot!(plain(&weather()), @"
    play: yes, no
    8 nodes, 5 leaves, depth 2, training error 0 % (0 of 14)

    ├─ outlook = sunny
    │  ├─ humidity < 77.5 → yes  (2)
    │  └─ humidity ≥ 77.5 → no  (3)
    ├─ outlook = overcast → yes  (4)
    └─ outlook = rainy
       ├─ windy = TRUE → no  (2)
       └─ windy = FALSE → yes  (3)
    ");
}

#[test]
fn iris_binary() {
    insta::assert_snapshot!(plain(&iris()), @"
    species: setosa, versicolor, virginica
    7 nodes, 4 leaves, depth 3, training error 2.7 % (4 of 150)

    ├─ petal width < 0.8 → setosa  (50)
    └─ petal width ≥ 0.8
       ├─ petal width < 1.75
       │  ├─ petal length < 4.95 → versicolor  (48, 1 wrong)
       │  └─ petal length ≥ 4.95 → virginica  (6, 2 wrong)
       └─ petal width ≥ 1.75 → virginica  (46, 1 wrong)
    ");
    insta::assert_snapshot!(text(&iris(), TextOptions { ascii: true, ..TextOptions::default() }), @"
    species: setosa, versicolor, virginica
    7 nodes, 4 leaves, depth 3, training error 2.7 % (4 of 150)

    |- petal width < 0.8 -> setosa  (50)
    `- petal width >= 0.8
       |- petal width < 1.75
       |  |- petal length < 4.95 -> versicolor  (48, 1 wrong)
       |  `- petal length >= 4.95 -> virginica  (6, 2 wrong)
       `- petal width >= 1.75 -> virginica  (46, 1 wrong)
    ");
    insta::assert_snapshot!(text(&iris(), TextOptions { max_depth: Some(1), ..TextOptions::default() }), @"
    species: setosa, versicolor, virginica
    7 nodes, 4 leaves, depth 3, training error 2.7 % (4 of 150)

    ├─ petal width < 0.8 → setosa  (50)
    └─ petal width ≥ 0.8 → versicolor  (100, 50 wrong) … 4 below
    … 4 more nodes
    ");
}

/// Values unseen at a node are in neither branch's words; fractions are shown.
pub(crate) fn colours() -> Tree {
    let colours = ["red", "green", "blue", "yellow", "mauve", "pink", "black", "white", "orange", "grey"];
    build(
        vec![nominal("colour", &colours), nominal("size", &["small", "large"])],
        classes("buy", &["yes", "no"]),
        subset(
            0,
            "lllrrrrrrr",
            subset(0, "lr--------", leaf(&[7.0, 0.5]), leaf(&[1.25, 4.0])),
            each(1, vec![leaf(&[0.0, 9.0]), leaf(&[0.0, 0.0])]),
        ),
    )
}

#[test]
fn subsets_with_unseen_values_fractions_and_empty_branches() {
    insta::assert_snapshot!(plain(&colours()), @"
    buy: yes, no
    7 nodes, 4 leaves, depth 2, training error 8 % (weight 1.75 of 21.75)

    ├─ colour in {red, green, blue}
    │  ├─ colour = red → yes  (8 rows, weight 7.5, 0.5 wrong)
    │  └─ colour = green → no  (6 rows, weight 5.25, 1.25 wrong)
    └─ colour not in {red, green, blue}
       ├─ size = small → no  (9)
       └─ size = large → no  (no rows)
    ");
    insta::assert_snapshot!(text(&colours(), TextOptions { width: 44, ..TextOptions::default() }), @"
    buy: yes, no
    7 nodes, 4 leaves, depth 2,
    training error 8 % (weight 1.75 of 21.75)

    ├─ colour in {red, green, blue}
    │  ├─ colour = red → yes
    │  │     (8 rows, weight 7.5, 0.5 wrong)
    │  └─ colour = green → no
    │        (6 rows, weight 5.25, 1.25 wrong)
    └─ colour not in {red, green, blue}
       ├─ size = small → no  (9)
       └─ size = large → no  (no rows)
    ");
}

#[test]
fn regression() {
    let tree = build(
        vec![numeric("rooms"), numeric("distance to the nearest employment centre, weighted, in miles")],
        Target::Number { name: "price".into() },
        below(
            0,
            6.941,
            below(1, 1.38485, Sketch::Numbers(5.0, 45.58, 72.0), Sketch::Numbers(425.0, 19.4, 28.5)),
            Sketch::Numbers(76.0, 37.2376, 79.7),
        ),
    );
    insta::assert_snapshot!(plain(&tree), @"
    price: a number
    5 nodes, 3 leaves, depth 2, training RMSE 6.051 (506 rows)

    ├─ rooms < 6.941
    │  ├─ distance to the nearest employment centre, weighted, in miles < 1.38485
    │  │     → 45.58 ± 8.49  (5)
    │  └─ distance to the nearest employment centre, weighted, in miles ≥ 1.38485
    │        → 19.4 ± 5.34  (425)
    └─ rooms ≥ 6.941 → 37.238 ± 8.93  (76)
    ");
}

#[test]
fn a_single_leaf() {
    let tree = build(vec![], classes("play", &["yes", "no"]), leaf(&[9.0, 5.0]));
    insta::assert_snapshot!(plain(&tree), @"
    play: yes, no
    1 node, 1 leaf, depth 0, training error 35.7 % (5 of 14)

    → yes  (14, 5 wrong)
    ");
}

pub(crate) fn hostile() -> Tree {
    build(
        vec![
            nominal(
                "\u{1b}[2J\u{7}name\nwith lines",
                &["", "日本語の長い長い長い長い値", "\u{202e}evil", "b, c}"],
            ),
            numeric(&"long ".repeat(30)),
        ],
        classes("cl\tass", &["{", "a very long class name that goes on and on and on and on", "\r"]),
        each(
            0,
            vec![
                leaf(&[1.0, 0.0, 0.0]),
                below(1, -1e-300, leaf(&[0.0, 3.0, 1.0]), leaf(&[0.0, 0.0, 2.0])),
                leaf(&[0.0, 1.0, 0.0]),
                leaf(&[0.0, 0.0, 1.0]),
            ],
        ),
    )
}

#[test]
fn hostile_names_are_tamed() {
    let shown = plain(&hostile());
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
    insta::assert_snapshot!(shown, @r"
    cl\tass: '{', a very long class name that goes on and on and on and on, \r
    7 nodes, 5 leaves, depth 2, training error 11.1 % (1 of 9)

    ├─ \u{1b}[2J\u{7}name\nwith lines = '' → {  (1)
    ├─ \u{1b}[2J\u{7}name\nwith lines = 日本語の長い長い長い長い値
    │  ├─ 'long long long long long long long long long long long long long long
    │  │     long long long long long long long long long long long long long long
    │  │     long long ' < -1e-300
    │  │     → a very long class name that goes on and on and on and on
    │  │     (4, 1 wrong)
    │  └─ 'long long long long long long long long long long long long long long
    │        long long long long long long long long long long long long long long
    │        long long ' ≥ -1e-300 → \r  (2)
    ├─ \u{1b}[2J\u{7}name\nwith lines = \u{202e}evil
    │     → a very long class name that goes on and on and on and on  (1)
    └─ \u{1b}[2J\u{7}name\nwith lines = b, c} → \r  (1)
    ");
}

#[test]
fn large_trees_are_shortened() {
    let deep = text(&chain(1_000_001), TextOptions::default()).to_string();
    assert!(deep.lines().count() < 40, "{deep}");
    assert!(deep.ends_with("… 999,980 more nodes\n"), "{deep}");
    let wide: Vec<String> = (0..5000).map(|i| format!("value {i}")).collect();
    let names: Vec<&str> = wide.iter().map(String::as_str).collect();
    let leaves = (0..5000).map(|_| leaf(&[1.0, 0.0])).collect();
    let wide = build(vec![nominal("n", &names)], classes("c", &["a", "b"]), each(0, leaves));
    let wide = plain(&wide);
    assert_eq!(wide.lines().count(), 204);
    assert!(wide.ends_with("… 4,800 more nodes\n"));
}

#[test]
fn everything_is_shown_on_request_however_deep() {
    let all = TextOptions { max_lines: None, ..TextOptions::default() };
    insta::assert_snapshot!(text(&chain(35), TextOptions { width: 40, ..all.clone() }), @"
    class: even, odd
    35 nodes, 18 leaves, depth 17,
    training error 0 % (0 of 18)

    ├─ x < 0.5 → even  (1)
    └─ x ≥ 0.5
       ├─ x < 1.5 → odd  (1)
       └─ x ≥ 1.5
          ├─ x < 2.5 → even  (1)
          └─ x ≥ 2.5
             ├─ x < 3.5 → odd  (1)
             └─ x ≥ 3.5
                ├─ x < 4.5 → even  (1)
                └─ x ≥ 4.5 → [1]

    [1] x ≥ 4.5
    ├─ x < 5.5 → odd  (1)
    └─ x ≥ 5.5
       ├─ x < 6.5 → even  (1)
       └─ x ≥ 6.5
          ├─ x < 7.5 → odd  (1)
          └─ x ≥ 7.5
             ├─ x < 8.5 → even  (1)
             └─ x ≥ 8.5
                ├─ x < 9.5 → odd  (1)
                └─ x ≥ 9.5 → [2]

    [2] x ≥ 9.5
    ├─ x < 10.5 → even  (1)
    └─ x ≥ 10.5
       ├─ x < 11.5 → odd  (1)
       └─ x ≥ 11.5
          ├─ x < 12.5 → even  (1)
          └─ x ≥ 12.5
             ├─ x < 13.5 → odd  (1)
             └─ x ≥ 13.5
                ├─ x < 14.5 → even  (1)
                └─ x ≥ 14.5 → [3]

    [3] x ≥ 14.5
    ├─ x < 15.5 → odd  (1)
    └─ x ≥ 15.5
       ├─ x < 16.5 → even  (1)
       └─ x ≥ 16.5 → even  (1)
    ");
    let deep = text(&chain(1_000_001), all).to_string();
    assert!(deep.lines().filter(|l| l.contains('─')).count() == 1_000_000);
    assert!(deep.lines().all(|l| width(l) <= 80));
    assert!(!deep.contains("more node"));
}

#[test]
fn lines_stay_within_the_width() {
    for seed in 0..200 {
        let tree = random(seed, seed as usize % 60, seed as usize % 3);
        for wide in [80, 100, 120] {
            let options = TextOptions { width: wide, max_lines: None, ..TextOptions::default() };
            for line in text(&tree, options).to_string().lines() {
                assert!(width(line) <= wide, "{line}");
            }
        }
    }
}

#[test]
fn with_costs_leaves_count_rows_and_the_head_tells_the_cost() {
    use crate::schema::{CostEntry, Costs};
    let names: Vec<String> = ["setosa", "versicolor", "virginica"].map(String::from).into();
    let entry = CostEntry { actual: "virginica".into(), predicted: "versicolor".into(), cost: 5.0 };
    let plainly = plain(&iris());
    let costly = plain(&iris().with_costs(Some(Costs::new(&names, &[entry]).unwrap().into())).unwrap());
    assert!(costly.contains("training cost ") && costly.contains(" a row"), "{costly}");
    // No label changes, and so neither does what is wrong.
    let leaves = |text: &str| text.lines().filter(|l| l.contains('→')).map(String::from).collect::<Vec<_>>();
    assert_eq!(leaves(&costly), leaves(&plainly));
}
