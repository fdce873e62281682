//! Conditions in words: thresholds that differ look different, and what is written sends every number to the side of the tree.

use super::*;
use crate::report::formatting::{ASCII, UNICODE};
use crate::tree::testing::{below, build, classes, leaf, numeric};
use proptest::prelude::*;

#[test]
fn thresholds_that_differ_look_different() {
    let (a, b) = (1.000_000_000_01, 1.000_000_000_02);
    let tree = build(
        vec![numeric("x")],
        classes("c", &["n", "y"]),
        below(0, a, leaf(&[1.0, 0.0]), below(0, b, leaf(&[0.0, 1.0]), leaf(&[1.0, 0.0]))),
    );
    let words = Conditions::new(&tree, &UNICODE);
    assert_ne!(words.threshold(0, a), words.threshold(0, b));
    assert_eq!(words.threshold(0, a), (false, "1.00000000001".into()));
}

#[test]
fn dates_are_shown_as_dates() {
    let day = crate::schema::Attribute { shown_as: crate::schema::ShownAs::Date, ..numeric("day") };
    let tree = build(
        vec![day],
        classes("c", &["n", "y"]),
        below(0, 1_577_923_200.0, leaf(&[1.0, 0.0]), leaf(&[0.0, 1.0])),
    );
    let words = Conditions::new(&tree, &ASCII);
    let shown: Vec<String> = (1..3).map(|id| words.branch(id)).collect();
    assert_eq!(shown, ["day < 2020-01-02", "day >= 2020-01-02"]);
}

#[test]
fn the_number_before_is_shown_where_it_is_shorter() {
    let value = 2.45f64;
    let tree = build(
        vec![numeric("x")],
        classes("c", &["n", "y"]),
        below(
            0,
            value.next_up(),
            below(0, 1.5, leaf(&[1.0, 0.0]), leaf(&[0.0, 1.0])),
            below(0, 4.75, leaf(&[0.0, 1.0]), leaf(&[1.0, 0.0])),
        ),
    );
    let words = Conditions::new(&tree, &ASCII);
    let shown: Vec<String> = (1..7).map(|id| words.branch(id)).collect();
    assert_eq!(shown, ["x <= 2.45", "x > 2.45", "x < 1.5", "x >= 1.5", "x < 4.75", "x >= 4.75"]);
    let rule = |node| words.test(0, &crate::report::Rule::of(&tree, node).tests[0].1);
    assert_eq!((rule(4), rule(5)), ("1.5 <= x <= 2.45".into(), "2.45 < x < 4.75".into()));
    assert_eq!(crate::report::at_most(0.0f64.next_up()), Some(0.0));
}

/// How the branches below and above a threshold are written.
fn written(threshold: f64) -> (String, String) {
    let tree = build(
        vec![numeric("x")],
        classes("c", &["n", "y"]),
        below(0, threshold, leaf(&[1.0, 0.0]), leaf(&[0.0, 1.0])),
    );
    let words = Conditions::new(&tree, &ASCII);
    (words.branch(1), words.branch(2))
}

#[test]
fn a_threshold_keeps_its_value_on_its_side() {
    let both = |below: &str, above: &str| (below.to_string(), above.to_string());
    // The middle of 4.1 and 4.1184 is a little less than 4.1092, which goes right.
    assert_eq!(written(f64::midpoint(4.1, 4.1184)), both("x < 4.1092", "x >= 4.1092"));
    assert_eq!(written(4.1092f64.next_up()), both("x <= 4.1092", "x > 4.1092"));
    // Nothing is rounded, however many digits that takes.
    assert_eq!(written(4.109_234_512_3), both("x < 4.1092345123", "x >= 4.1092345123"));
    assert_eq!(written(9e15 + 2.0), both("x < 9.000000000000002e15", "x >= 9.000000000000002e15"));
    assert_eq!(
        written(1_700_040_712_345_678_848.0),
        both("x < 1.7000407123456788e18", "x >= 1.7000407123456788e18")
    );
}

proptest! {
    #[test]
    fn values_of_few_digits_go_where_the_text_says(at in -50_000_000i64..50_000_000, decimals in 0..7, steps in -3i32..4, far in -1.0..1.0f64) {
        let unit = 10f64.powi(decimals);
        let value = at as f64 / unit;
        // A few floats beside the value, or somewhere near it.
        let near = (0..steps.abs()).fold(value, |x, _| if steps > 0 { x.next_up() } else { x.next_down() });
        for threshold in [near, value + far / unit] {
            let (text, _) = written(threshold);
            let words: Vec<&str> = text.split(' ').collect();
            let shown: f64 = words[2].parse().unwrap();
            // Numbers right beside the threshold, too, as far as they are not between it and a shorter one.
            let beside = [threshold.next_down(), threshold.next_up(), near];
            let beside = beside.into_iter().filter(|x| *x != threshold);
            for value in [value, (at - 1) as f64 / unit, (at + 1) as f64 / unit].into_iter().chain(beside) {
                let goes_left = if words[1] == "<" { value < shown } else { value <= shown };
                prop_assert_eq!(goes_left, value < threshold, "{} beside {}: {}", value, threshold, text);
            }
        }
    }
}
