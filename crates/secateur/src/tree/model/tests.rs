use proptest::prelude::*;

use super::*;
use crate::predict::Predictor;
use crate::report;
use crate::tree::testing::{
    Dice, build, chain, classes, iris, leaf, nominal, of_all_kinds, random, random_table, subset, weather,
};
use crate::tree::{Condition, Stats};

fn model(tree: Tree) -> Model {
    let about = ModelInfo {
        data: "a \"file\".csv".into(),
        rows: tree.node(0).rows,
        seed: u64::MAX,
        full: tree.size(),
        ..ModelInfo::default()
    };
    Model { tree, scheme: "cart/cost-complexity:cv=10,1se".into(), about }
}

fn json(model: &Model) -> Vec<u8> {
    let mut out = Vec::new();
    model.to_json(&mut out).unwrap();
    out
}

fn problem(json: &str) -> String {
    match Model::from_json("m.json", json.as_bytes()) {
        Err(Error::Model { file, problem }) => {
            assert_eq!(file, "m.json");
            problem
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_file_reads_well() {
    let mut small = model(build(
        vec![nominal("colour", &["red", "green", "blue"])],
        classes("taste", &["good", "bad"]),
        subset(0, "lr-", leaf(&[2.0, 0.25]), leaf(&[0.0, 1.0])),
    ));
    small.about.made_by = "secateur 0.0.0".into();
    insta::assert_snapshot!(String::from_utf8(json(&small)).unwrap(), @r#"
    {
    "format": "secateur-model",
    "version": 1,
    "scheme": "cart/cost-complexity:cv=10,1se",
    "made_by": "secateur 0.0.0",
    "data": "a \"file\".csv",
    "rows": 4,
    "seed": 18446744073709551615,
    "full": {"nodes":3,"leaves":2,"depth":1},
    "unknown": "fractional",
    "attributes": [
    {"name":"colour","type":"nominal","values":["red","green","blue"]}
    ],
    "target": {"type":"classes","name":"taste","classes":["good","bad"]},
    "nodes": [
    {"parent":null,"split":{"attribute":"colour","left":["red"],"right":["green"]},"first_child":1,"rows":4,"weight":3.25,"counts":[2,1.25],"gain":0.5,"rank":0},
    {"parent":0,"rows":3,"weight":2.25,"counts":[2,0.25]},
    {"parent":0,"rows":1,"weight":1,"counts":[0,1]}
    ]
    }
    "#);
}

#[test]
fn saving_and_loading_gives_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    for tree in [weather(), iris(), chain(11)] {
        let model = model(tree);
        model.save(&path).unwrap();
        assert_eq!(Model::load(&path).unwrap(), model);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let nowhere = folder.path().join("no").join("model.json");
    assert!(matches!(model(iris()).save(&nowhere), Err(Error::Write { .. })));
    assert!(matches!(Model::load(&nowhere), Err(Error::Read { .. })));
}

#[test]
fn a_chain_of_a_million_nodes_is_saved_and_loaded() {
    let model = model(chain(1_000_001));
    let saved = json(&model);
    assert!(saved.len() < 150_000_000);
    assert!(Model::from_json("chain", saved.as_slice()).unwrap() == model);
}

#[test]
fn a_value_list_of_fifty_thousand_is_quick() {
    let names: Vec<String> = (0..50_000).map(|i| format!("city {i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut sides = "-".repeat(50_000 - 2);
    sides += "lr";
    let tree = build(
        vec![nominal("city", &names)],
        classes("c", &["a", "b"]),
        subset(0, &sides, leaf(&[1.0, 0.0]), leaf(&[0.0, 1.0])),
    );
    let model = model(tree);
    assert_eq!(Model::from_json("m", json(&model).as_slice()).unwrap(), model);
}

#[test]
fn floats_keep_every_bit() {
    let numbers = [-0.0, 0.1 + 0.2, 1e300, 5e-324, -1.7e-9, 1e15, 9_007_199_254_740_993.0, f64::MAX, 123.0];
    for below in numbers {
        let (schema, stats) = (iris().schema().clone(), iris().stats().clone());
        let mut nodes = iris().nodes().to_vec();
        nodes[0].condition = Some(Condition::Threshold { attribute: 1, below, missing: None });
        nodes[0].gain = below;
        let model = model(Tree::checked(schema, nodes, stats).unwrap());
        let again = Model::from_json("m", json(&model).as_slice()).unwrap();
        let Some(Condition::Threshold { below: read, .. }) = again.tree.node(0).condition else { panic!() };
        assert_eq!(read.to_bits(), below.to_bits());
        assert_eq!(again.tree.node(0).gain.to_bits(), below.to_bits());
    }
}

#[test]
fn medians_are_kept() {
    use crate::tree::testing::{Sketch, below, numeric};
    let tree = build(
        vec![numeric("x")],
        crate::schema::Target::Number { name: "y".into() },
        below(0, 1.0, Sketch::Numbers(2.0, 10.0, 1.0), Sketch::Numbers(6.0, 20.0, 4.0)),
    );
    let Stats::Numbers { mean, mse, .. } = tree.stats().clone() else { panic!() };
    let stats = Stats::Numbers { mean, mse, median: vec![19.0, 9.5, 20.5] };
    let model = model(Tree::checked(tree.schema().clone(), tree.nodes().to_vec(), stats).unwrap());
    let saved = String::from_utf8(json(&model)).unwrap();
    assert_eq!(Model::from_json("m", saved.as_bytes()).unwrap(), model);
    assert!(problem(&saved.replace(",\"median\":9.5", "")).contains("either all nodes have a 'median'"));
    assert!(problem(&saved.replace("\"mse\":1", "\"mse\":-1")).contains("mean squared error"));
}

#[test]
fn bad_files_are_explained() {
    let good = String::from_utf8(json(&model(weather()))).unwrap();
    Model::from_json("good", good.as_bytes()).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from} not in {good}");
        problem(&good.replacen(from, to, 1))
    };
    let cases = [
        ("cut short", problem(&good[..good.len() / 2])),
        ("cut short", problem("")),
        ("not a file written by secateur", problem("{}")),
        ("not a file written by secateur", problem(r#"{"feature_names": []}"#)),
        ("not a file written by secateur", problem(r#"{"format": 7}"#)),
        ("a model as an object", problem("[1, 2]")),
        ("expected value", problem("\u{7f}ELF")),
        ("version 3, but this program reads versions up to 2", changed("\"version\": 1", "\"version\": 3")),
        ("no version 0", changed("\"version\": 1", "\"version\": 0")),
        ("expected \"version\"", changed("\"version\": 1,", "")),
        ("expected value", changed("\"less_than\":77.5", "\"less_than\":NaN")),
        ("out of range", changed("\"less_than\":77.5", "\"less_than\":1e999")),
        ("expected f64", changed("\"less_than\":77.5", "\"less_than\":\"77.5\"")),
        ("class weight is -2", changed("\"counts\":[2,0]", "\"counts\":[-2,4]")),
        ("2 classes", changed("\"counts\":[2,0]", "\"counts\":[2]")),
        ("2 classes", changed(",\"counts\":[2,0]", "")),
        ("invalid value", changed("\"rows\":4", "\"rows\":-4")),
        ("invalid", changed("\"rows\":4", "\"rows\":4000000000000000000000")),
        ("does not stand before", changed("{\"parent\":1,", "{\"parent\":99,")),
        ("invalid", changed("{\"parent\":1,", "{\"parent\":99999999999,")),
        ("expects its children", changed("\"first_child\":4", "\"first_child\":1")),
        (
            "no attribute 'humidty' (did you mean 'humidity'?)",
            changed("\"split\":{\"attribute\":\"humidity\"", "\"split\":{\"attribute\":\"humidty\""),
        ),
        ("is numeric", changed("\"less_than\":77.5", "\"left\":[\"a\"],\"right\":[\"b\"]")),
        ("is numeric", changed("\"less_than\":77.5", "\"each_value\":true")),
        ("either 'less_than'", changed("\"less_than\":77.5", "\"each_value\":false")),
        ("either 'less_than'", changed("\"less_than\":77.5", "\"known\":false")),
        ("either 'less_than'", changed("\"less_than\":77.5", "\"known\":true,\"missing\":\"right\"")),
        (
            "is \"left\" or \"right\"",
            changed("\"less_than\":77.5", "\"less_than\":77.5,\"missing\":\"branch\""),
        ),
        ("is \"branch\"", changed("\"each_value\":true", "\"each_value\":true,\"missing\":\"left\"")),
        ("4 branches", changed("\"each_value\":true", "\"each_value\":true,\"missing\":\"branch\"")),
        ("unknown variant", changed("\"less_than\":77.5", "\"less_than\":77.5,\"missing\":\"both\"")),
        ("either 'less_than'", changed("\"less_than\":77.5", "\"less_than\":1,\"each_value\":true")),
        ("'humidity' appears twice", changed("\"temperature\"", "\"humidity\"")),
        ("'yes' appears twice", changed("\"classes\":[\"yes\",\"no\"]", "\"classes\":[\"yes\",\"yes\"]")),
        ("'sunny' appears twice", changed("\"overcast\"", "\"sunny\"")),
        ("unknown variant", changed("\"fractional\"", "\"\\u001b[31m\"")),
        ("missing field `scheme`", changed("\"scheme\"", "\"scheme!\"")),
        ("'seed' appears twice", changed("\"rows\": 14", "\"seed\": 14")),
        ("must come after", changed("\"target\":", "\"target!\":")),
        ("recursion limit", problem(&format!("{{\"format\": {}", "[".repeat(100_000)))),
    ];
    for (expected, found) in cases {
        assert!(found.contains(expected), "{expected:?} not in {found:?}");
        assert!(!found.contains('\u{1b}'));
    }
}

#[test]
fn the_documented_example_loads() {
    let page = include_str!("../../../../../docs/model-format.md");
    let example = page.split("```json").nth(1).unwrap().split("```").next().unwrap();
    let model = Model::from_json("example", example.as_bytes()).unwrap();
    assert_eq!(model.about.full, model.tree.size());
    assert_eq!(json(&model), example.trim_start().as_bytes());
}

#[test]
fn what_a_later_writer_adds_is_ignored() {
    let good = String::from_utf8(json(&model(weather()))).unwrap();
    let more = good.replacen("\"rows\": 14", "\"rows\": 14, \"colour\": {\"a\": [1, null]}", 1);
    assert_eq!(Model::from_json("m", more.as_bytes()).unwrap(), model(weather()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_trees_come_back_equal(seed: u64, splits in 0usize..80, shape in 0usize..3) {
        let model = model(random(seed, splits, shape));
        prop_assert_eq!(Model::from_json("m", json(&model).as_slice()).unwrap(), model);
    }

    #[test]
    fn damaged_files_never_panic(seed: u64, splits in 0usize..20, flips in 0usize..4, cut: bool) {
        let mut saved = json(&model(random(seed, splits, 2)));
        let mut dice = Dice(seed ^ 77);
        for _ in 0..flips {
            let place = dice.below(saved.len());
            saved[place] = if dice.below(2) == 0 { b"0123456789-,[]{}\".e:"[dice.below(20)] } else { dice.next() as u8 };
        }
        if cut {
            saved.truncate(dice.below(saved.len()));
        }
        match Model::from_json("m", saved.as_slice()) {
            Ok(model) => {
                prop_assert_eq!(&Model::from_json("m", json(&model).as_slice()).unwrap(), &model);
                // What was let in can be read and used.
                let tree = &model.tree;
                report::text(tree, report::TextOptions::default()).to_string();
                report::rules(tree, report::RulesOptions::default()).to_string();
                report::dot(tree, report::DotOptions::default()).to_string();
                let table = random_table(tree, 5, seed, 0.5);
                for values in of_all_kinds(tree.task()) {
                    Predictor::bind(tree, &table).unwrap().try_predict_by(values).unwrap();
                }
            }
            Err(e) => prop_assert!(matches!(e, Error::Model { .. }), "{}", e),
        }
    }
}

#[test]
fn a_tree_without_counts_stays_one() {
    let known = model(iris());
    let unknown = model(iris().without_counts());
    let text = String::from_utf8(json(&unknown)).unwrap();
    assert!(text.contains("\"version\": 2") && text.contains("\"counts\": \"unknown\""));
    let again = Model::from_json("m", text.as_bytes()).unwrap();
    assert_eq!(again, unknown);
    assert_ne!(again, known);
    assert!(!String::from_utf8(json(&known)).unwrap().contains("unknown\",\n\"nodes"));
    for problem in [
        again.tree.prune("mdl").unwrap_err(),
        again.tree.path("cost-complexity").unwrap_err(),
        again.tree.clone().with_leaf_values(crate::tree::LeafValues::Laplace).unwrap_err(),
    ] {
        assert!(problem.to_string().contains("which this tree does not have"), "{problem}");
    }
    assert!(!again.tree.to_string().contains("wrong"), "{}", again.tree);
}
