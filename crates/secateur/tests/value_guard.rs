//! Columns that only name rows do not win where `value-guard` is on: the definition, chance itself, and what must not change.

use crate::common::*;
use proptest::prelude::*;
use rand::RngExt;
use secateur::criterion::Criterion;
use secateur::data::{Column, Nominal, Table, Values};
use secateur::grow::{Counting, Grower, RowCounter, grow};
use secateur::progress::Silent;
use secateur::schema::{Cell, Task};
use secateur::spec::{GrowSpec, MissingGain, NominalSplits};
use secateur::tree::Condition;

fn guarded(spec: GrowSpec) -> GrowSpec {
    GrowSpec { value_guard: true, ..spec }
}

/// What a split is worth by definition: its gain, less `(values − 1) / (rows − 1)` of the impurity for a list of more than ten values that have
/// fewer than four rows each; `None` for one that gains no more than chance and has more values than half the rows. All rows have values here.
fn worth(rows: &Rows, part: &[(usize, f64)], split: &Condition, impurity: Impurity) -> Option<f64> {
    let (gain, _) = gain(rows, part, split, impurity);
    if matches!(split, Condition::Threshold { .. }) {
        return Some(gain);
    }
    let mut codes: Vec<u32> = part
        .iter()
        .map(|p| match rows.cells[p.0][split.attribute()] {
            Cell::Code(code) => code,
            cell => panic!("{cell:?}"),
        })
        .collect();
    codes.sort_unstable();
    codes.dedup();
    let (values, n) = (codes.len() as f64, part.len() as f64);
    if rows.levels[split.attribute()] <= 10 || 4.0 * values <= n {
        return Some(gain);
    }
    let all: f64 = part.iter().map(|p| p.1).sum();
    let worth = gain - cost(rows, part, impurity) / all * (values - 1.0) / (n - 1.0);
    (worth > 1e-9 || 2.0 * values <= n).then_some(worth)
}

/// A table with a column of names: this many different ones.
fn with_names(table: &Table, names: usize, seed: u64) -> Table {
    let mut rng = rng(seed);
    let mut codes: Vec<u32> = (0..table.rows()).map(|row| (row % names) as u32).collect();
    for i in (1..codes.len()).rev() {
        codes.swap(i, rng.random_range(0..=i));
    }
    let levels = (0..names).map(|name| format!("n{name}")).collect();
    let names = Column { name: "name".into(), values: Values::Nominal(Nominal { levels, codes }) };
    let columns = std::iter::once(names).chain(table.columns().iter().cloned()).collect();
    Table::new(table.name(), columns).unwrap()
}

fn shape(rows: usize, classes: usize, weights: bool) -> Shape {
    Shape { rows, classes, missing: 0.0, weights, nominal_values: 4 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_split_is_the_one_of_the_most_worth(rows in 2usize..40, classes in prop_oneof![Just(0usize), Just(2), Just(4)],
        weights in any::<bool>(), multiway in any::<bool>(), gini in any::<bool>(), seed in any::<u64>(), names in 8usize..13)
    {
        let table = with_names(&random_table(shape(rows, classes, weights), seed), names.min(rows), seed);
        let impurity = match (classes, gini) {
            (0, _) => Impurity::Mse,
            (_, true) => Impurity::Gini,
            (_, false) => Impurity::Entropy,
        };
        let criterion = [Criterion::Mse, Criterion::Gini, Criterion::Entropy]
            [if classes == 0 { 0 } else if gini { 1 } else { 2 }];
        let spec = guarded(GrowSpec {
            criterion,
            nominal: if multiway { NominalSplits::Multiway } else { NominalSplits::Subset },
            exhaustive: 12,
            ..GrowSpec::cart(task_of(classes))
        });
        let tree = grow(&coded(&table), &spec, &Silent).unwrap();
        let rows = plain(&table);
        let at = rows_at_nodes(&rows, &tree);
        for (id, node) in tree.nodes().iter().enumerate() {
            let splits = all_splits(&rows, &at[id], multiway);
            let gains = splits.iter().filter(|split| gain(&rows, &at[id], split, impurity).0 > 1e-9);
            let best = gains.filter_map(|split| worth(&rows, &at[id], split, impurity)).reduce(f64::max);
            match (&node.condition, best) {
                (Some(condition), Some(best)) => {
                    let got = worth(&rows, &at[id], condition, impurity).unwrap();
                    prop_assert!(got >= best - 1e-9, "node {id}: {got} by {condition:?}, {best} possible");
                    // What is known of the node is the whole gain.
                    prop_assert!((node.gain - gain(&rows, &at[id], condition, impurity).0).abs() < 1e-9);
                }
                (None, best) => prop_assert!(best.is_none(), "node {id} is a leaf, but {best:?} is possible"),
                (Some(condition), None) => prop_assert!(false, "node {id}: {condition:?}"),
            }
        }
    }

    /// On whole counts; sums of numbers differ in their last digits.
    #[test]
    fn rows_and_counts_grow_the_same_tree(rows in 2usize..90, classes in 2usize..5, seed in any::<u64>(), branch in any::<bool>()) {
        let shape = Shape { missing: if branch { 0.2 } else { 0.0 }, ..shape(rows, classes, false) };
        let coded = coded(&with_names(&random_table(shape, seed), rows.div_ceil(2), seed));
        let missing = if branch { MissingGain::Branch } else { MissingGain::Known };
        for spec in [GrowSpec::cart(Task::Classification), GrowSpec::c45(Task::Classification)] {
            let spec = guarded(GrowSpec { missing, ..spec });
            let whole = grow(&coded, &spec, &Silent).unwrap();
            let engine = Counting::new(RowCounter::new(&coded, 0..rows), &coded, &spec).unwrap();
            let mut grower = Grower::new(engine, &spec).unwrap();
            while grower.expand().unwrap() {}
            prop_assert_eq!(whole, grower.finish(&coded));
        }
    }

    /// Without nominal columns the option changes nothing, whatever the limits.
    #[test]
    fn numbers_are_left_alone(rows in 2usize..90, classes in 2usize..5, seed in any::<u64>()) {
        let table = random_table(shape(rows, classes, false), seed);
        let numbers = table.columns().iter().filter(|c| !["c", "d"].contains(&c.name.as_str())).cloned().collect();
        let coded = coded(&Table::new("numbers", numbers).unwrap());
        let spec = GrowSpec::cart(Task::Classification);
        prop_assert_eq!(grow(&coded, &spec, &Silent).unwrap(), grow(&coded, &guarded(spec), &Silent).unwrap());
    }
}

/// All orders of some things.
fn orders(things: &[f64]) -> Vec<Vec<f64>> {
    if things.len() < 2 {
        return vec![things.to_vec()];
    }
    let mut all = Vec::new();
    for i in 0..things.len() {
        let mut rest = things.to_vec();
        let first = rest.remove(i);
        all.extend(orders(&rest).into_iter().map(|order| [vec![first], order].concat()));
    }
    all
}

/// What is taken for chance is the mean over all orders of the target, by Gini and squared error.
#[test]
fn chance_is_the_mean_gain_over_all_orders_of_the_target() {
    let levels: [&[u32]; 4] =
        [&[0, 0, 0, 1, 1, 1], &[0, 0, 1, 2, 2, 2], &[0, 1, 1, 2, 3, 3], &[0, 1, 2, 3, 4, 5]];
    for codes in levels {
        for (y, impurity, classes) in [
            (vec![0.0, 0.0, 1.0, 1.0, 2.0, 0.0], Impurity::Gini, 3),
            (vec![0.5, 2.0, -1.0, 7.0, 7.0, 3.0], Impurity::Mse, 0),
        ] {
            let values = codes.iter().max().unwrap() + 1;
            let split = Condition::EachValue { attribute: 0, values, missing: false };
            let part: Vec<(usize, f64)> = (0..6).map(|row| (row, 1.0)).collect();
            let all = orders(&y);
            let rows = |y: &Vec<f64>| Rows {
                cells: codes.iter().map(|&code| vec![Cell::Code(code)]).collect(),
                levels: vec![values as usize],
                weights: vec![1.0; 6],
                classes,
                y: y.clone(),
            };
            let mean =
                all.iter().map(|y| gain(&rows(y), &part, &split, impurity).0).sum::<f64>() / all.len() as f64;
            let chance = cost(&rows(&y), &part, impurity) / 6.0 * (f64::from(values) - 1.0) / 5.0;
            assert!((mean - chance).abs() < 1e-12, "{codes:?} {impurity:?}: {mean} {chance}");
        }
    }
}

/// A column of names beside one that says something: without the guard the names win, with it they never do.
#[test]
fn names_of_rows_do_not_win() {
    let mut rng = rng(8);
    let rows = 120;
    let codes: Vec<u32> = (0..rows).map(|_| rng.random_range(0..2)).collect();
    let hint = codes.iter().map(|&c| if rng.random::<f64>() < 0.8 { c } else { 1 - c }).collect();
    let nominal = |levels: &[&str], codes| {
        Values::Nominal(Nominal { levels: levels.iter().map(|l| l.to_string()).collect(), codes })
    };
    let columns = vec![
        Column { name: "hint".into(), values: nominal(&["a", "b"], hint) },
        Column { name: "class".into(), values: nominal(&["no", "yes"], codes) },
    ];
    let table = Table::new("hints", columns).unwrap();
    let plain_tree = grow(&coded(&table), &GrowSpec::cart(Task::Classification), &Silent).unwrap();
    assert_eq!(plain_tree.leaves(), 2);
    for names in [rows, rows - 1, rows / 2] {
        let coded = coded(&with_names(&table, names, 4));
        for nominal in [NominalSplits::Subset, NominalSplits::Multiway] {
            let spec = GrowSpec { nominal, ..GrowSpec::cart(Task::Classification) };
            let first =
                |spec: &GrowSpec| grow(&coded, spec, &Silent).unwrap().node(0).condition.clone().unwrap();
            assert_eq!(first(&spec).attribute(), 0, "names win without the guard");
            assert_eq!(first(&guarded(spec)).attribute(), 1, "{names} {nominal:?}");
        }
    }
}

/// Two columns that say nothing alone and all together: growth goes on where no column gains more than chance.
#[test]
fn what_shows_itself_later_is_still_found() {
    let mut rng = rng(2);
    let draw = |rng: &mut rand_chacha::ChaCha8Rng| -> Vec<u32> {
        (0..300).map(|_| rng.random_range(0..3)).collect()
    };
    for round in 0..20 {
        let (a, b) = (draw(&mut rng), draw(&mut rng));
        let class = a.iter().zip(&b).map(|(a, b)| u32::from((a + b) % 3 == 0)).collect();
        let nominal = |name: &str, codes| {
            let levels = (0..3).map(|v| format!("v{v}")).collect();
            Column { name: name.into(), values: Values::Nominal(Nominal { levels, codes }) }
        };
        let table = Table::new("later", vec![nominal("a", a), nominal("b", b), nominal("y", class)]).unwrap();
        let spec = guarded(GrowSpec::cart(Task::Classification));
        let tree = grow(&coded(&table), &spec, &Silent).unwrap();
        assert_eq!(tree.training_error(), 0.0, "{round}");
    }
}
