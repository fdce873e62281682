use super::*;
use crate::drawing::{Anchor, Arimo, Drawing, Measure, Shape, svg};
use crate::tree::Tree;
use crate::tree::testing::{
    below, build, chain, classes, each, iris, leaf, nominal, numeric, random, random_hard_to_show, subset,
    weather,
};
use proptest::prelude::*;

fn drawn(tree: &Tree) -> String {
    svg(&super::tree(tree, TreeOptions::default(), &Arimo::new()).drawing).to_string()
}

/// The boxes that texts take: left, top, right, bottom.
fn texts(drawing: &Drawing) -> Vec<([f64; 4], &str)> {
    let font = Arimo::new();
    let mut found = Vec::new();
    for shape in &drawing.shapes {
        if let Shape::Text { place: [x, y], size, anchor, text, .. } = shape {
            let width = font.width(text, *size);
            let left = match anchor {
                Anchor::Start => *x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            found.push(([left, y - 0.75 * size, left + width, y + 0.2 * size], text.as_str()));
        }
    }
    found
}

fn check(drawing: &Drawing) {
    let texts = texts(drawing);
    for (i, (a, first)) in texts.iter().enumerate() {
        assert!(
            a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= drawing.width && a[3] <= drawing.height,
            "'{first}' at {a:?} is outside {} × {}",
            drawing.width,
            drawing.height
        );
        for (b, second) in &texts[..i] {
            let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            assert!(apart, "'{first}' at {a:?} and '{second}' at {b:?}");
        }
    }
}

proptest! {
    #[test]
    fn texts_never_overlap_and_stay_inside(seed in any::<u64>(), splits in 0usize..60, shape in 0usize..3) {
        let tree = random(seed, splits, shape);
        for options in [
            TreeOptions::default(),
            TreeOptions { max_depth: Some(3), ..TreeOptions::default() },
            TreeOptions { max_depth: None, max_leaves: 9 },
        ] {
            check(&super::tree(&tree, options, &Arimo::new()).drawing);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn pictures_are_whole(seed in any::<u64>()) {
        use crate::report::formatting::{UNICODE, in_list, whole};
        use crate::picture::node::Labels;
        use crate::report::conditions::NumberedSets;
        use crate::tree::Condition;
        let dense = |text: &str| -> String { text.split_whitespace().collect() };
        let tree = random_hard_to_show(seed, 6);
        let options = TreeOptions { max_leaves: usize::MAX, ..TreeOptions::default() };
        let drawing = super::tree(&tree, options, &Arimo::new()).drawing;
        check(&drawing);
        let all = dense(&texts(&drawing).iter().map(|(_, text)| *text).collect::<String>());
        for label in tree.schema().target.classes() {
            prop_assert!(all.contains(&dense(&whole(label, &UNICODE))), "{label} in {all}");
        }
        let (font, mut sets) = (Arimo::new(), NumberedSets::default());
        let labels = Labels::new(&tree, &font);
        let tests: Vec<Vec<String>> =
            (0..tree.nodes().len()).map(|id| labels.of(id, false, &mut sets).test).collect();
        let mut told = String::new();
        for id in 0..tree.nodes().len() {
            let mut asked: Vec<&Vec<String>> = Vec::new();
            for test in tree.children(id).map(|child| &tests[child]) {
                prop_assert!(!asked.contains(&test), "two branches {test:?}");
                prop_assert!(test.iter().all(|line| all.contains(&dense(line))), "{test:?} in {all}");
                told += &dense(&test.concat());
                asked.push(test);
            }
        }
        let numbered = dense(&labels.numbered(&sets, 1e9).concat());
        prop_assert!(all.contains(&numbered), "{numbered} in {all}");
        told += &numbered;
        for (id, node) in tree.nodes().iter().enumerate() {
            // Of two sides that are all there is, one names its values.
            let Some(Condition::Subset { attribute, subsets, .. }) = &node.condition else { continue };
            let values = tree.schema().attributes[*attribute as usize].values();
            let (left, right) = (subsets.left(), subsets.right());
            let is_named = |codes: &[u32]| {
                let named: Vec<String> =
                    codes.iter().map(|&code| in_list(&values[code as usize], &UNICODE)).collect();
                told.contains(&dense(&named.join(",")))
            };
            let is_side_named = |codes: &[u32]| {
                let others: Vec<u32> =
                    (0..values.len() as u32).filter(|code| !codes.contains(code)).collect();
                is_named(codes) || is_named(&others)
            };
            let is_whole = match left.len() + right.len() == values.len() {
                true => is_named(left) || is_named(right),
                false => is_side_named(left) && is_side_named(right),
            };
            prop_assert!(is_whole, "{values:?} of node {id} in {told}");
        }
    }
}

/// A name of the data that would like to be something else.
const HOSTILE: &str = "<script>alert(\"1\")</script>&'\u{202e}\n日本語";

#[test]
fn hostile_names_are_texts() {
    let long = "x".repeat(300);
    let tree = build(
        vec![nominal(HOSTILE, &[HOSTILE, "'", "", &long, "a, b"]), numeric(&long)],
        classes("\u{7}]]>", &[HOSTILE, "b"]),
        subset(0, "lrrlr", below(1, 1e-7, leaf(&[3.0, 0.0]), leaf(&[0.0, 1.0])), leaf(&[0.0, 2.5])),
    );
    let picture = super::tree(&tree, TreeOptions::default(), &Arimo::new());
    check(&picture.drawing);
    let text = svg(&picture.drawing).to_string();
    assert!(
        !text.contains("<script") && !text.contains('\u{202e}') && text.contains("&lt;script&gt;"),
        "{text}"
    );
    assert!(picture.drawing.width < 1000.0);
}

#[test]
fn long_value_lists_have_numbers_and_stand_below() {
    let values: Vec<String> = (0..40).map(|i| format!("value {i}")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let sides = "l".repeat(18) + &"r".repeat(20) + "--";
    let tree = build(
        vec![nominal("n", &values)],
        classes("c", &["a", "b"]),
        subset(0, &sides, leaf(&[9.0, 1.0]), leaf(&[0.0, 9.0])),
    );
    let picture = super::tree(&tree, TreeOptions::default(), &Arimo::new());
    check(&picture.drawing);
    let all: Vec<&str> = texts(&picture.drawing).into_iter().map(|(_, text)| text).collect();
    assert!(all.contains(&"set 1 (18 values)") && all.contains(&"set 2 (20 values)"), "{all:?}");
    let all = all.join(" ");
    for set in [0..18, 18..38] {
        let values: Vec<String> = set.map(|i| format!("value {i}")).collect();
        assert!(all.contains(&format!("of n = {{{}}}", values.join(", "))), "{all}");
    }
}

#[test]
fn a_depth_and_a_number_of_leaves_limit_the_picture() {
    let tree = iris();
    let picture =
        super::tree(&tree, TreeOptions { max_depth: Some(1), ..TreeOptions::default() }, &Arimo::new());
    assert_eq!((picture.shown, picture.is_whole), (2, false));
    let text = svg(&picture.drawing).to_string();
    assert!(text.contains(">… 3 leaves below</text>") && text.contains("stroke-dasharray"), "{text}");
    let large = chain(20_001);
    let picture = super::tree(&large, TreeOptions::default(), &Arimo::new());
    assert_eq!((picture.shown, picture.is_whole), (80, false));
    assert!(svg(&picture.drawing).to_string().contains("10,001 leaves, 80 nodes shown as leaves"));
}

/// Houses by size and garden: a regression tree, with a date.
fn houses() -> Tree {
    use crate::schema::{Attribute, ShownAs, Target};
    use crate::tree::testing::Sketch::Numbers;
    let sold = Attribute { shown_as: ShownAs::Date, ..numeric("sold") };
    build(
        vec![numeric("area"), nominal("garden", &["none", "small", "large"]), sold],
        Target::Number { name: "price".into() },
        below(
            0,
            92.5,
            below(2, 1_577_923_200.0, Numbers(40.0, 180.5, 400.0), Numbers(35.0, 221.25, 625.0)),
            each(
                1,
                vec![Numbers(20.0, 310.0, 900.0), Numbers(12.0, 345.5, 1600.0), Numbers(7.0, 490.0, 0.0)],
            ),
        ),
    )
}

/// Loans: subsets of values, more of them than fit.
fn loans() -> Tree {
    let purposes = [
        "car",
        "furniture",
        "radio/television",
        "education",
        "repairs",
        "business",
        "holiday",
        "retraining",
        "other",
    ];
    build(
        vec![
            nominal("checking account", &["none", "below 0", "0 to 200", "200 and more"]),
            numeric("duration in months"),
            nominal("purpose", &purposes),
        ],
        classes("risk", &["good", "bad"]),
        subset(
            0,
            "lrrl",
            leaf(&[397.0, 60.0]),
            below(
                1,
                22.5,
                subset(2, "llrrlllrr", leaf(&[160.0, 60.0]), leaf(&[34.0, 52.0])),
                leaf(&[109.0, 128.0]),
            ),
        ),
    )
}

/// The pictures that are kept; looked at, then written with INSTA_UPDATE=always.
#[test]
fn pictures_are_those_that_were_looked_at() {
    for (name, tree) in [("iris", iris()), ("weather", weather()), ("loans", loans()), ("houses", houses())] {
        let path = format!("{}/tests/pictures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        let text = drawn(&tree);
        check(&super::tree(&tree, TreeOptions::default(), &Arimo::new()).drawing);
        kept(&path, &text);
    }
}

#[test]
fn charts_are_those_that_were_looked_at() {
    use crate::fit::Step;
    let step = |(leaves, training_error, error): (usize, f64, f64)| Step {
        parameter: 1.0 / leaves as f64,
        leaves,
        nodes: 2 * leaves - 1,
        training_error,
        validated: Some((error, 0.02)),
        counted: None,
        log_loss: None,
        brier: None,
    };
    let steps =
        [(40, 0.05, 0.29), (21, 0.1, 0.27), (9, 0.18, 0.24), (5, 0.21, 0.25), (2, 0.28, 0.3), (1, 0.4, 0.4)];
    let report = path_with(steps.map(step).to_vec(), 3);
    let options = CurveOptions { title: "loans <b>".into(), error: "error rate".into(), percent: true };
    // Demšar's example: four schemes on 14 data sets.
    let names = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"].map(String::from);
    let average = [3.143, 2.0, 2.893, 1.964];
    let points: Vec<Scattered> = (names.iter().zip([40.0, 12.0, 25.0, 8.0]).zip([0.21, 0.19, 0.2, 0.192]))
        .map(|((name, size), error)| Scattered { name: name.clone(), size, error })
        .collect();
    let font = Arimo::new();
    for (name, drawing) in [
        ("curve", curve(&report, &options, &font)),
        ("ranks", ranks(&names, &average, 1.12, 0.1, &font)),
        ("scatter", scatter(&points, ("leaves (mean)", "error rate"), true, &font)),
    ] {
        check(&drawing);
        kept(
            &format!("{}/tests/pictures/{name}.svg", env!("CARGO_MANIFEST_DIR")),
            &svg(&drawing).to_string(),
        );
    }
    // At 0.10, C4.5+m+cf and C4.5+m differ from C4.5, and nothing else does (Demšar's figure 1).
    assert_eq!(cliques(&[1.964, 2.0, 2.893, 3.143], 1.12), [0..3, 2..4]);
}

#[test]
fn charts_of_few_or_odd_numbers_are_drawn() {
    use crate::fit::Step;
    let font = Arimo::new();
    let options = CurveOptions { title: "x".repeat(300), error: "error".into(), percent: false };
    let root = Step {
        parameter: 0.0,
        leaves: 1,
        nodes: 1,
        training_error: 0.0,
        validated: None,
        counted: None,
        log_loss: None,
        brier: None,
    };
    for steps in [vec![], vec![root]] {
        let report = path_with(steps, 0);
        let text = svg(&curve(&report, &options, &font)).to_string();
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
    let same = vec![Scattered { name: "a".into(), size: 1.0, error: 0.0 }; 3];
    check(&scatter(&same, ("leaves", "error"), true, &font));
    let many: Vec<String> = (0..30).map(|i| format!("scheme {i} {}", "long ".repeat(i))).collect();
    let average: Vec<f64> = (0..30).map(|i| 1.0 + f64::from(i) * 0.9).collect();
    check(&ranks(&many, &average, 3.0, 0.05, &font));
}

fn kept(path: &str, text: &str) {
    if std::env::var("INSTA_UPDATE").is_ok_and(|word| word == "always") {
        std::fs::write(path, text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == text, "{path} is not what is drawn now (INSTA_UPDATE=always writes it)");
}

/// A path with these members, of which one was taken.
fn path_with(steps: Vec<crate::fit::Step>, selected: usize) -> crate::fit::TreePath {
    let mut path = crate::tree::testing::iris().path("cost-complexity").unwrap();
    (path.parameter, path.steps, path.selected) = ("alpha", steps, Some(selected));
    path
}
