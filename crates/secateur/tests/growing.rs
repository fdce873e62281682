//! What every grown tree promises: threads, row order and repeated rows do not matter, rules stop growth, chains are fine.

use crate::common::*;
use proptest::prelude::*;
use secateur::criterion::Criterion;
use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values, builtin};
use secateur::grow::{grow, grow_weighted};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::scheme::{LEARNERS, MethodInfo, Scheme};
use secateur::spec::{
    Count, Discretise, GrowSpec, LeafValue, MinLeafRule, NominalSplits, Order, ThresholdRule,
};
use secateur::tree::{Condition, Tree};

fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Every learner, for classes or for numbers.
fn learners(task: Task) -> Vec<GrowSpec> {
    let spec = |info: &&MethodInfo| info.id.parse::<Scheme>().unwrap().grow_spec(task).unwrap();
    LEARNERS.iter().map(spec).collect()
}

/// The table with its rows in another order.
fn reordered(table: &Table, order: &[usize]) -> Table {
    let columns = table.columns().iter().map(|c| Column {
        name: c.name.clone(),
        values: match &c.values {
            Values::Numeric(v) => Values::Numeric(order.iter().map(|&i| v[i]).collect()),
            Values::Nominal(v) => Values::Nominal(Nominal {
                levels: v.levels.clone(),
                codes: order.iter().map(|&i| v.codes[i]).collect(),
            }),
        },
    });
    Table::new(table.name(), columns.collect()).unwrap()
}

fn shuffled(rows: usize, seed: u64) -> Vec<usize> {
    use rand::RngExt;
    let mut rng = rng(seed);
    let mut order: Vec<usize> = (0..rows).collect();
    for i in (1..rows).rev() {
        order.swap(i, rng.random_range(0..=i));
    }
    order
}

/// Equal up to the last digits of sums.
fn assert_alike(a: &Tree, b: &Tree, same_rows: bool) {
    assert_eq!(a.nodes().len(), b.nodes().len());
    for (id, (x, y)) in a.nodes().iter().zip(b.nodes()).enumerate() {
        assert_eq!(x.condition, y.condition, "node {id}");
        assert_eq!((x.parent, x.first_child, x.rank), (y.parent, y.first_child, y.rank));
        assert!((x.weight - y.weight).abs() < 1e-9 * x.weight.max(1.0));
        assert!((x.gain - y.gain).abs() < 1e-9 * x.gain.max(1.0));
        assert!(!same_rows || x.rows == y.rows);
        assert!((a.value(id) - b.value(id)).abs() < 1e-9 || a.is_classifier());
        assert!(a.class_weights(id).iter().zip(b.class_weights(id)).all(|(p, q)| (p - q).abs() < 1e-9));
    }
}

const LARGE: Shape = Shape { rows: 3000, classes: 3, missing: 0.0, weights: false, nominal_values: 9 };

#[test]
fn threads_do_not_matter() {
    for shape in
        [LARGE, Shape { classes: 0, ..LARGE }, Shape { missing: 0.02, rows: 1500, weights: true, ..LARGE }]
    {
        let table = random_table(shape, 5);
        for spec in learners(task_of(shape.classes)) {
            let trees: Vec<Tree> = [1, 2, 8]
                .map(|threads| with_threads(threads, || grow(&coded(&table), &spec, &Silent).unwrap()))
                .into();
            assert_eq!(trees[0], trees[1]);
            assert_eq!(trees[0], trees[2]);
        }
    }
}

#[test]
fn large_tables_grow_the_same_whole_and_step_by_step() {
    for (shape, seed) in [(LARGE, 1), (Shape { classes: 2, ..LARGE }, 2), (Shape { classes: 0, ..LARGE }, 3)]
    {
        let coded = coded(&random_table(shape, seed));
        for spec in learners(task_of(shape.classes)) {
            let limited = GrowSpec { max_splits: Some(usize::MAX), ..spec.clone() };
            assert_eq!(grow(&coded, &spec, &Silent).unwrap(), grow(&coded, &limited, &Silent).unwrap());
        }
    }
}

/// Flags and one-hot columns, in which nearly all rows have the same value, are counted by their exceptions.
#[test]
fn rare_values_are_counted_like_any_others() {
    use rand::RngExt;
    use secateur::grow::{Counting, Grower, RowCounter};
    let mut rng = rng(17);
    let rows = 1500;
    let hot: Vec<usize> = (0..rows).map(|_| rng.random_range(0..12usize)).collect();
    let mut columns: Vec<Column> = (0..12)
        .map(|c| {
            let flag =
                |row: usize| u32::from(hot[row] == c) + u32::from(hot[row] == c && row.is_multiple_of(7));
            let levels = ["no", "yes", "twice"].map(String::from).to_vec();
            // Every third column is numeric, and in one of them some values are missing.
            let values = if c % 3 == 0 {
                let cell = |row: usize| {
                    if c == 6 && row.is_multiple_of(40) { f64::NAN } else { f64::from(flag(row)) }
                };
                Values::Numeric((0..rows).map(cell).collect())
            } else {
                Values::Nominal(Nominal { levels, codes: (0..rows).map(flag).collect() })
            };
            Column { name: format!("flag {c}"), values }
        })
        .collect();
    columns.push(Column {
        name: "noise".into(),
        values: Values::Numeric((0..rows).map(|_| rng.random::<f64>()).collect()),
    });
    let codes = (0..rows).map(|row| (hot[row] as u32 * 5 + rng.random_range(0..3u32)) % 4).collect();
    let levels = (0..4).map(|j| format!("c{j}")).collect();
    columns.push(Column { name: "y".into(), values: Values::Nominal(Nominal { levels, codes }) });
    for ignore in [vec![], vec!["flag 6".to_string()]] {
        let table = Table::new("flags", columns.clone()).unwrap();
        let coded = CodedTable::new(&table, &Roles { ignore: ignore.clone(), ..Roles::default() }).unwrap();
        for spec in [
            GrowSpec::cart(Task::Classification),
            GrowSpec::c45(Task::Classification),
            GrowSpec { chi2: Some(0.01), ..GrowSpec::cart(Task::Classification) },
        ] {
            let engine = Counting::new(RowCounter::new(&coded, 0..rows), &coded, &spec).unwrap();
            let mut grower = Grower::new(engine, &spec).unwrap();
            while grower.expand().unwrap() {}
            let (whole, counted) = (grow(&coded, &spec, &Silent).unwrap(), grower.finish(&coded));
            if ignore.is_empty() {
                assert_alike(&whole, &counted, true)
            } else {
                assert_eq!(whole, counted)
            }
            assert!(whole.leaves() > 4);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn row_order_does_not_matter(seed in any::<u64>(), rows in 2usize..120, classes in 0usize..5, missing in any::<bool>()) {
        let classes = if classes == 1 { 2 } else { classes };
        let shape = Shape { rows, classes, missing: if missing { 0.1 } else { 0.0 }, weights: seed % 2 == 0,
            nominal_values: 6 };
        let table = random_table(shape, seed);
        let other = reordered(&table, &shuffled(rows, seed));
        for spec in learners(task_of(classes)) {
            let (a, b) = (grow(&coded(&table), &spec, &Silent).unwrap(), grow(&coded(&other), &spec, &Silent).unwrap());
            if classes > 0 && !missing { prop_assert_eq!(a, b) } else { assert_alike(&a, &b, true) }
        }
    }

    #[test]
    fn whole_weights_equal_repeated_rows(seed in any::<u64>(), rows in 2usize..60, classes in 0usize..5, missing in any::<bool>()) {
        let classes = if classes == 1 { 2 } else { classes };
        let shape = Shape { rows, classes, missing: if missing { 0.1 } else { 0.0 }, weights: true, nominal_values: 5 };
        let table = random_table(shape, seed);
        let weights = plain(&table).weights;
        let repeated: Vec<usize> = (0..rows).flat_map(|i| vec![i; weights[i] as usize]).collect();
        let copies = reordered(&table, &repeated);
        let unweighted = CodedTable::new(&copies, &Roles { ignore: vec!["w".into()], ..Roles::default() }).unwrap();
        // Limits count rows, so they must count weight here, or be such that no branch can miss them.
        let by_weight = learners(task_of(classes)).into_iter().map(|spec| GrowSpec { count: Count::Weight, ..spec });
        let free = GrowSpec { min_leaf: 0.0, min_split: 0.0, ..GrowSpec::cart(task_of(classes)) };
        let whole_rows = (!missing).then(|| GrowSpec::cart(task_of(classes)));
        for spec in by_weight.chain([free]).chain(whole_rows) {
            let a = grow(&coded(&table), &spec, &Silent).unwrap();
            let b = grow(&unweighted, &spec, &Silent).unwrap();
            assert_alike(&a, &b, false);
        }
    }

    /// Rows of no weight do not exist: a fold is a weight vector.
    #[test]
    fn weight_zero_leaves_a_row_out(seed in any::<u64>(), rows in 4usize..80, classes in 0usize..5) {
        let classes = if classes == 1 { 2 } else { classes };
        let shape = Shape { rows, classes, missing: 0.05, weights: false, nominal_values: 5 };
        let table = random_table(shape, seed);
        let kept: Vec<usize> = (0..rows).filter(|i| i % 3 != 1).collect();
        let fold: Vec<f64> = (0..rows).map(|i| if i % 3 != 1 { 1.0 } else { 0.0 }).collect();
        for spec in learners(task_of(classes)) {
            let a = grow_weighted(&coded(&table), Some(&fold), &spec, &Silent).unwrap();
            let b = grow(&coded(&reordered(&table, &kept)), &spec, &Silent).unwrap();
            assert_alike(&a, &b, true);
        }
    }
}

fn fit(name: &str, spec: &GrowSpec) -> Tree {
    grow(&CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap(), spec, &Silent).unwrap()
}

/// One sorted column with alternating classes makes one long chain or something close to it.
#[test]
fn a_table_that_is_a_chain_grows() {
    let tree = fit("chain?n=20000", &GrowSpec::cart(Task::Classification));
    assert_eq!((tree.leaves(), tree.training_error()), (20000, 0.0));
    assert!(tree.depth() > 5000, "{}", tree.depth());
}

#[test]
fn every_rule_stops_growth() {
    let cart = GrowSpec::cart(Task::Classification);
    let full = fit("tic-tac-toe", &cart);
    let smaller = |spec: GrowSpec| {
        let tree = fit("tic-tac-toe", &spec);
        assert!(tree.leaves() < full.leaves() && tree.leaves() > 1, "{spec:?}: {}", tree.leaves());
        tree
    };
    assert_eq!(smaller(GrowSpec { max_depth: Some(3), ..cart.clone() }).depth(), 3);
    assert_eq!(smaller(GrowSpec { max_leaves: Some(7), ..cart.clone() }).leaves(), 7);
    assert_eq!(smaller(GrowSpec { max_splits: Some(4), ..cart.clone() }).leaves(), 5);
    let heavy = smaller(GrowSpec { min_leaf: 20.0, ..cart.clone() });
    assert!(heavy.nodes().iter().all(|n| n.rows >= 20));
    let split = smaller(GrowSpec { min_split: 60.0, ..cart.clone() });
    assert!(split.nodes().iter().all(|n| n.condition.is_none() || n.rows >= 60));
    let gain = smaller(GrowSpec { min_gain: 0.05, ..cart.clone() });
    assert!(gain.nodes().iter().all(|n| n.condition.is_none() || n.gain > 0.05));
    smaller(GrowSpec { chi2: Some(1e-6), ..cart.clone() });
    let node_rule = smaller(GrowSpec { min_leaf: 20.0, min_leaf_rule: MinLeafRule::Node, ..cart });
    assert!(node_rule.leaves() < heavy.leaves(), "{} {}", node_rule.leaves(), heavy.leaves());

    let numbers = GrowSpec::cart(Task::Regression);
    let full = fit("friedman?n=300", &numbers);
    let stopped = fit("friedman?n=300", &GrowSpec { stop_mse: Some(4.0), ..numbers });
    assert!(stopped.leaves() < full.leaves() && stopped.leaves() > 1);
    let secateur::tree::Stats::Numbers { mse, .. } = stopped.stats() else { panic!("numbers") };
    for (id, mse) in mse.iter().enumerate() {
        assert!(stopped.is_leaf(id) || *mse > 4.0);
    }
}

/// Every option of the spec changes some tree.
#[test]
fn every_option_changes_something() {
    let differ =
        |name: &str, a: GrowSpec, b: GrowSpec| assert_ne!(fit(name, &a), fit(name, &b), "{name}: {b:?}");
    let (cart, c45, id3, numbers) = (
        GrowSpec::cart(Task::Classification),
        GrowSpec::c45(Task::Classification),
        GrowSpec::id3(Task::Classification),
        GrowSpec::cart(Task::Regression),
    );
    for criterion in [Criterion::Entropy, Criterion::GainRatio] {
        differ("credit", cart.clone(), GrowSpec { criterion, ..cart.clone() });
    }
    differ("credit", c45.clone(), GrowSpec { guards: false, ..c45.clone() });
    differ("credit", cart.clone(), GrowSpec { nominal: NominalSplits::Multiway, ..cart.clone() });
    differ("iris", c45.clone(), GrowSpec { threshold: ThresholdRule::Midpoint, ..c45.clone() });
    for order in [Order::BreadthFirst, Order::BestFirst, Order::BestFirstWeighted] {
        differ("credit", cart.clone(), GrowSpec { order, ..cart.clone() });
    }
    differ(
        "credit",
        GrowSpec::best_first(Task::Classification),
        GrowSpec { order: Order::BestFirstWeighted, ..GrowSpec::best_first(Task::Classification) },
    );
    differ("iris", id3.clone(), GrowSpec { discretise: Discretise::Median, ..id3.clone() });
    differ("iris", id3.clone(), GrowSpec { discretise: Discretise::Off, ..id3.clone() });
    differ("iris", id3.clone(), GrowSpec { cuts: Some(1), ..id3 });
    differ("iris", cart.clone(), GrowSpec { bins: Some(5), ..cart.clone() });
    differ("friedman", numbers.clone(), GrowSpec { criterion: Criterion::Mae, ..numbers.clone() });
    differ("friedman", numbers.clone(), GrowSpec { leaf: LeafValue::Median, min_leaf: 5.0, ..numbers });
    // Six values and three classes: all subsets, or the principal component's order.
    let table = random_table(Shape { nominal_values: 6, ..LARGE }, 11);
    let all = GrowSpec { exhaustive: 6, ..cart.clone() };
    let trees = [cart, all].map(|spec| grow(&coded(&table), &spec, &Silent).unwrap());
    assert_ne!(trees[0], trees[1]);
}

/// El-Khouri's cuts: midpoints of the class medians; merged down to at most m.
#[test]
fn id3_asks_only_for_cuts_between_class_medians() {
    let medians = [[4.9, 5.9, 6.5], [2.8, 3.0, 3.4], [1.5, 4.35, 5.55], [0.2, 1.3, 2.0]];
    for (cuts, allowed) in [(None, 2), (Some(1), 1)] {
        let tree = fit("iris", &GrowSpec { cuts, ..GrowSpec::id3(Task::Classification) });
        let mut seen = std::collections::BTreeSet::new();
        for node in tree.nodes() {
            if let Some(Condition::Threshold { attribute, below, .. }) = &node.condition {
                let mut list: Vec<f64> = medians[*attribute as usize].into();
                list.sort_by(f64::total_cmp);
                let mut middles = secateur::grow::midpoints(&list);
                if allowed == 1 {
                    middles = secateur::grow::midpoints(&middles);
                }
                assert!(middles.iter().any(|m| (m - below).abs() < 0.051), "{below} is none of {middles:?}");
                seen.insert((*attribute, below.to_bits()));
            }
        }
        assert!(seen.len() > 1);
    }
}

/// ID3 on nominal data uses an attribute once on a path; an empty branch predicts its parent's majority.
#[test]
fn multiway_splits_use_an_attribute_once_and_empty_branches_ask_their_parent() {
    let tree =
        fit("weather", &GrowSpec { discretise: Discretise::Median, ..GrowSpec::id3(Task::Classification) });
    for id in 0..tree.nodes().len() {
        let mut used = Vec::new();
        let mut at = id;
        while let Some(parent) = tree.node(at).parent {
            let condition = tree.node(parent as usize).condition.as_ref().unwrap();
            if matches!(condition, Condition::EachValue { .. }) {
                assert!(!used.contains(&condition.attribute()));
                used.push(condition.attribute());
            }
            at = parent as usize;
        }
    }
    let tic = fit("tic-tac-toe", &GrowSpec::id3(Task::Classification));
    let empty = (0..tic.nodes().len()).find(|&id| tic.node(id).rows == 0).expect("some branch is empty");
    assert_eq!(tic.label(empty), tic.label(tic.node(empty).parent.unwrap() as usize));
}

/// A threshold between two neighbouring floats still sends both to the side they were counted on.
#[test]
fn thresholds_between_neighbouring_floats_hold() {
    for low in [0.1f64, 1.0, 1e308, -1.0, 5e-324, -5e-324, 0.0, f64::MAX.next_down()] {
        let high = low.next_up();
        let x = Column { name: "x".into(), values: Values::Numeric(vec![low, high, low, high]) };
        let y = Nominal { levels: vec!["a".into(), "b".into()], codes: vec![0, 1, 0, 1] };
        let table =
            Table::new("two", vec![x, Column { name: "y".into(), values: Values::Nominal(y) }]).unwrap();
        let tree = grow(&coded(&table), &GrowSpec::cart(Task::Classification), &Silent).unwrap();
        let Some(Condition::Threshold { below, .. }) = tree.node(0).condition else { panic!("a split") };
        assert!(low < below && below <= high);
        assert_eq!(tree.training_error(), 0.0);
    }
}

#[test]
fn what_does_not_fit_the_target_is_an_error() {
    let numbers = CodedTable::new(&builtin::load("friedman?n=50").unwrap(), &Roles::default()).unwrap();
    let classes = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    let fails = |table: &CodedTable, spec: GrowSpec, word: &str| {
        let error = grow(table, &spec, &Silent).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    };
    fails(&numbers, GrowSpec::cart(Task::Classification), "gini");
    fails(&classes, GrowSpec::cart(Task::Regression), "mse");
    fails(&numbers, GrowSpec { chi2: Some(0.05), ..GrowSpec::cart(Task::Regression) }, "χ²");
    fails(&classes, GrowSpec { stop_mse: Some(1.0), ..GrowSpec::cart(Task::Classification) }, "squared");
    fails(
        &numbers,
        GrowSpec { discretise: Discretise::ClassMedians, ..GrowSpec::cart(Task::Regression) },
        "class medians",
    );
    let error =
        grow_weighted(&classes, Some(&[1.0]), &GrowSpec::cart(Task::Classification), &Silent).unwrap_err();
    assert!(error.to_string().contains("weights"));
}
