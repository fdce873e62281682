use super::*;
use crate::tree::testing::{
    Sketch, below, build, chain, classes, each, iris, leaf, nominal, numeric, random, subset, weather,
};

fn plain(tree: &Tree) -> String {
    text(tree, TextOptions::default()).to_string()
}

#[test]
fn weather_multiway() {
    insta::assert_snapshot!(plain(&weather()), @"");
}

#[test]
fn iris_binary() {
    insta::assert_snapshot!(plain(&iris()), @"");
    insta::assert_snapshot!(text(&iris(), TextOptions { ascii: true, ..TextOptions::default() }), @"");
    insta::assert_snapshot!(text(&iris(), TextOptions { max_depth: Some(1), ..TextOptions::default() }), @"");
}

/// Values unseen at a node are in neither branch's words; long lists are cut; fractions are shown.
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
    insta::assert_snapshot!(plain(&colours()), @"");
    insta::assert_snapshot!(text(&colours(), TextOptions { width: 44, ..TextOptions::default() }), @"");
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
    insta::assert_snapshot!(plain(&tree), @"");
}

#[test]
fn a_single_leaf() {
    let tree = build(vec![], classes("play", &["yes", "no"]), leaf(&[9.0, 5.0]));
    insta::assert_snapshot!(plain(&tree), @"");
}

pub(crate) fn hostile() -> Tree {
    build(
        vec![
            nominal(
                "\u{1b}[2J\u{7}name\nwith lines",
                &["", "日本語の長い長い長い長い値", "\u{202e}evil", "b, c}"],
            ),
            numeric(&"long ".repeat(100)),
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
    insta::assert_snapshot!(shown, @"");
}

#[test]
fn large_trees_are_shortened() {
    let deep = text(&chain(1_000_001), TextOptions::default()).to_string();
    assert!(deep.lines().count() < 40, "{deep}");
    assert!(deep.ends_with("… 999,974 more nodes (use --depth N or --all)\n"), "{deep}");
    let wide: Vec<String> = (0..5000).map(|i| format!("value {i}")).collect();
    let names: Vec<&str> = wide.iter().map(String::as_str).collect();
    let leaves = (0..5000).map(|_| leaf(&[1.0, 0.0])).collect();
    let wide = build(vec![nominal("n", &names)], classes("c", &["a", "b"]), each(0, leaves));
    let wide = plain(&wide);
    assert_eq!(wide.lines().count(), 204);
    assert!(wide.ends_with("… 4,800 more nodes (use --depth N or --all)\n"));
}

#[test]
fn everything_is_shown_on_request_however_deep() {
    let all = TextOptions { max_lines: None, ..TextOptions::default() };
    insta::assert_snapshot!(text(&chain(35), TextOptions { width: 40, ..all.clone() }), @"");
    let deep = text(&chain(1_000_001), all).to_string();
    assert!(deep.lines().filter(|l| l.contains('─')).count() == 1_000_000);
    assert!(deep.lines().all(|l| width(l) <= 80));
    assert!(!deep.contains("more node"));
}

#[test]
fn lines_stay_within_the_width() {
    for seed in 0..200 {
        let tree = random(seed, seed as usize % 60, seed as usize % 3);
        for wide in [60, 80, 120] {
            let options = TextOptions { width: wide, max_lines: None, ..TextOptions::default() };
            for line in text(&tree, options).to_string().lines() {
                assert!(width(line) <= wide, "{line}");
            }
        }
    }
}
