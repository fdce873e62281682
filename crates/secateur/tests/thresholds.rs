//! No threshold that is printed contradicts a training row: whatever its size, in every report and picture.

use proptest::prelude::*;
use secateur::data::{CodedTable, Roles};
use secateur::drawing::{Arimo, svg};
use secateur::fit::{FitOptions, fit};
use secateur::page::{Page, PageInfo};
use secateur::picture::TreeOptions;
use secateur::progress::Silent;
use secateur::report::{DotOptions, RulesOptions, TextOptions, dot, rules, text};
use secateur::tree::{Model, ModelInfo, Tree};
use secateur::{Table, picture};

/// What is printed of a tree, by every renderer, with plain signs.
fn printed(tree: &Tree) -> Vec<(&'static str, String)> {
    let picture = svg(&picture::tree(tree, TreeOptions::default(), &Arimo::new()).drawing).to_string();
    let narrow = TextOptions { width: 40, ascii: true, ..TextOptions::default() };
    let all = vec![
        ("text", text(tree, TextOptions::default()).to_string()),
        ("narrow text", text(tree, narrow).to_string()),
        ("rules", rules(tree, RulesOptions::default()).to_string()),
        ("dot", dot(tree, DotOptions::default()).to_string()),
        ("picture", picture),
    ];
    let plain = |text: String| {
        let signs = [("&lt;", "<"), ("&gt;", ">"), ("≤", "<="), ("≥", ">=")];
        signs.iter().fold(text, |text, (from, to)| text.replace(from, to))
    };
    all.into_iter().map(|(name, text)| (name, plain(text))).collect()
}

/// Every comparison with a number in a text: its sign and the number.
fn comparisons(text: &str) -> Vec<(&'static str, f64)> {
    let mut found = Vec::new();
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || "\"\\".contains(c)).collect();
    for pair in words.windows(2) {
        let sign = ["<=", ">=", "<", ">"].into_iter().find(|sign| pair[0] == *sign);
        let number: String =
            pair[1].chars().take_while(|c| c.is_ascii_alphanumeric() || "+-.".contains(*c)).collect();
        if let (Some(sign), Ok(number)) = (sign, number.parse()) {
            found.push((sign, number));
        }
    }
    found
}

/// A tree of one split, and what is left of it and right of it.
fn one_split(values: &[f64], cut: usize, scheme: &str) -> Tree {
    let class = |row: usize| if row < cut { "left" } else { "right" };
    let table = Table::builder()
        .numeric("x", values.iter().copied())
        .text("class", (0..values.len()).map(class))
        .build()
        .unwrap();
    let coded = CodedTable::new(&table, &Roles::default()).unwrap();
    fit(&coded, &scheme.parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree
}

fn check(values: &[f64], cut: usize) -> Result<(), TestCaseError> {
    for scheme in
        ["cart:min-leaf=1,min-split=2", "c45:min-leaf=1", "cart:min-leaf=1,min-split=2,threshold=data-value"]
    {
        let tree = one_split(values, cut, scheme);
        // The gain of a split may be lost beside numbers of another size; then there is nothing to print.
        prop_assume!(tree.leaves() == 2);
        for (name, text) in printed(&tree) {
            let found = comparisons(&text);
            prop_assert!(found.len() >= 2, "{}: {}", name, text);
            for (sign, number) in found {
                for (row, &x) in values.iter().enumerate() {
                    let holds = match sign {
                        "<" => x < number,
                        "<=" => x <= number,
                        ">" => x > number,
                        _ => x >= number,
                    };
                    let is_left = sign.starts_with('<') == holds;
                    prop_assert_eq!(
                        is_left,
                        row < cut,
                        "{} of {}: {} is not {} {} in {}",
                        name,
                        scheme,
                        x,
                        sign,
                        number,
                        text
                    );
                }
            }
        }
        let page = Page::of_model(
            &Model { tree: tree.clone(), scheme: scheme.into(), about: ModelInfo::default() },
            &PageInfo::default(),
        );
        let page = page.unwrap().to_string();
        let below = tree.nodes()[0].condition.as_ref().and_then(|condition| match condition {
            secateur::tree::Condition::Threshold { below, .. } => Some(*below),
            _ => None,
        });
        let written = serde_json::to_string(&below.unwrap()).unwrap();
        let short = written.trim_end_matches(".0");
        prop_assert!(page.contains(&written) || page.contains(short), "the page has not {}", written);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn numbers_of_any_size_are_divided_as_printed(
        digits in 1i64..10_000_000_000_000_000,
        exponent in -300i32..285,
        negative: bool,
        steps in prop::collection::vec((0i32..4, 0u64..50), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut x: f64 = format!("{}{digits}e{exponent}", if negative { "-" } else { "" }).parse().unwrap();
        let mut values = vec![x];
        // Neighbours: the next few doubles, numbers that differ in late digits, or other ones altogether.
        for (kind, step) in steps {
            let next = match kind {
                0 => (0..=step % 3).fold(x, |x, _| x.next_up()),
                1 => x + x.abs() * 1e-9 * (step + 1) as f64,
                2 => x + x.abs() * 1e-14 * (step + 1) as f64,
                _ => x + x.abs() * (step + 1) as f64,
            };
            prop_assume!(next > x && next.is_finite());
            values.push(next);
            x = next;
        }
        check(&values, 1 + cut.index(values.len() - 1))?;
    }

    #[test]
    fn whole_numbers_times_and_decimals_are_divided_as_printed(
        start in prop_oneof![Just(9_000_000_000_000_000i64), Just(1_700_040_712_345_678_000), Just(41_000), Just(0)],
        steps in prop::collection::vec(1i64..100_000, 1..6),
        scale in prop_oneof![Just(1.0), Just(100.0), Just(1e4), Just(3.0)],
        cut in any::<prop::sample::Index>(),
    ) {
        let ends = steps.iter().scan(start, |sum, step| { *sum += step; Some(*sum) });
        let mut values: Vec<f64> = std::iter::once(start).chain(ends).map(|x| x as f64 / scale).collect();
        values.dedup();
        prop_assume!(values.len() > 1);
        check(&values, 1 + cut.index(values.len() - 1))?;
    }
}
