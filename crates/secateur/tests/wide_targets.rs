//! Targets whose sizes are far apart, checked against exact rational arithmetic: values and errors of all nodes, every
//! split, every pruned tree.

use crate::common::{Rows, all_splits, plain, rng, roles, rows_at_nodes, send};
use num_rational::BigRational;
use proptest::prelude::*;
use rand::RngExt;
use secateur::criterion::Criterion;
use secateur::data::{CodedTable, Column, Nominal, Table, Values};
use secateur::grow::{Counters, Counting, Grower, RowCounter, grow};
use secateur::progress::Silent;
use secateur::prune::{Path, cost_complexity};
use secateur::route::Routed;
use secateur::schema::Task;
use secateur::spec::{GrowSpec, LeafValue, NominalSplits, Order};
use secateur::tree::{Condition, Stats, Tree};

const KINDS: usize = 9;

/// Targets of one of several hard kinds.
fn targets(kind: usize, rows: usize, seed: u64) -> Vec<f64> {
    let mut rng = rng(seed);
    let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    let mut dice = crate::common::rng(seed ^ 9);
    let mut whole = |below: u32| f64::from(dice.random_range(0..below));
    (0..rows)
        .map(|row| match kind {
            // One huge number among zeros and ones.
            0 => {
                if row == rows / 2 {
                    1e9
                } else {
                    whole(2)
                }
            }
            // Log-normal with a deviation of 10: some 35 orders of magnitude.
            1 => (10.0 * normal()).exp(),
            // Decimals, few of them.
            2 => whole(8) / 10.0,
            // Far from zero and close together.
            3 => 1e9 + whole(5) * 0.1,
            // Neighbours among the floating-point numbers.
            4 => 1.0 + whole(3) * f64::EPSILON,
            // Anything from 1e-50 to 1e50 with either sign.
            5 => normal() * 10f64.powi(whole(100) as i32 - 50),
            // Squares of these are too small for numbers.
            6 => whole(6) * 1e-160,
            // Squares of these are nearly too large.
            7 => (whole(6) - 2.0) * 1e149,
            // Huge numbers that cancel.
            _ => [1e15, -1e15, 0.1, 0.3, 0.3][whole(5) as usize],
        })
        .collect()
}

/// Two numeric columns, the first once more the other way round, a nominal one, weights if asked for, and the target.
fn table(kind: usize, rows: usize, seed: u64, weighted: bool) -> Table {
    let mut rng = rng(seed ^ 77);
    let mut numbers = |distinct: u32| -> Vec<f64> {
        (0..rows).map(|_| f64::from(rng.random_range(0..distinct)) / 4.0).collect()
    };
    let (a, b, w) = (numbers(9), numbers(500), numbers(3).iter().map(|w| w * 4.0 + 1.0).collect());
    let mirror = a.iter().map(|x| -x).collect();
    let codes = numbers(4).iter().map(|x| (x * 4.0) as u32).collect();
    let levels = ["p", "q", "r", "s"].map(String::from).to_vec();
    let column = |name: &str, values| Column { name: name.into(), values };
    let mut columns = vec![
        column("a", Values::Numeric(a)),
        column("b", Values::Numeric(b)),
        column("mirror", Values::Numeric(mirror)),
        column("c", Values::Nominal(Nominal { levels, codes })),
    ];
    if weighted {
        columns.push(column("w", Values::Numeric(w)));
    }
    columns.push(column("y", Values::Numeric(targets(kind, rows, seed))));
    Table::new("wide", columns).unwrap()
}

/// The target is a number, however few different ones there are.
fn coded(table: &Table) -> CodedTable {
    CodedTable::new(table, &roles(table)).unwrap()
}

fn exact(x: f64) -> BigRational {
    BigRational::from_float(x).unwrap()
}

/// Weight, mean and squared error of some rows, exactly.
fn moments(rows: &Rows, part: &[(usize, f64)]) -> [BigRational; 3] {
    let [mut weight, mut sum, mut squares] = [exact(0.0), exact(0.0), exact(0.0)];
    for &(row, w) in part {
        let (y, w) = (exact(rows.y[row]), exact(w));
        weight += &w;
        sum += &w * &y;
        squares += &w * &y * &y;
    }
    if weight == exact(0.0) {
        return [weight, sum, squares];
    }
    let mean = &sum / &weight;
    [weight, mean.clone(), squares - sum * mean]
}

/// The sum of distances from the best constant, exactly.
fn deviation(rows: &Rows, part: &[(usize, f64)]) -> BigRational {
    let distance = |from: f64| -> BigRational {
        let abs = |x: BigRational| if x < exact(0.0) { -x } else { x };
        part.iter().map(|&(row, w)| exact(w) * abs(exact(rows.y[row]) - exact(from))).sum()
    };
    part.iter().map(|p| distance(rows.y[p.0])).min().unwrap_or(exact(0.0))
}

/// What a split gains in all, exactly.
fn gain(rows: &Rows, part: &[(usize, f64)], condition: &Condition, absolute: bool) -> BigRational {
    let (branches, _) = send(rows, part, condition);
    let cost = |part: &[(usize, f64)]| match absolute {
        true => deviation(rows, part),
        false => moments(rows, part)[2].clone(),
    };
    cost(part) - branches.iter().map(|b| cost(b)).sum::<BigRational>()
}

/// Whether a number is what it should be, except for a share of it and of another number (and for what no number can say).
fn near(got: f64, want: &BigRational, share: f64, room: f64) -> bool {
    let abs = |x: BigRational| if x < exact(0.0) { -x } else { x };
    abs(exact(got) - want) <= abs(want.clone()) * exact(share) + exact(room) + exact(1e-323)
}

fn check(rows: &Rows, tree: &Tree, spec: &GrowSpec) -> Result<(), TestCaseError> {
    let Stats::Numbers { mean, mse, .. } = tree.stats() else { panic!("numbers") };
    let absolute = spec.criterion == Criterion::Mae;
    for (id, part) in rows_at_nodes(rows, tree).iter().enumerate() {
        let node = tree.node(id);
        let [weight, own_mean, error] = moments(rows, part);
        if part.is_empty() {
            continue;
        }
        let largest = part.iter().map(|p| rows.y[p.0].abs()).fold(0.0, f64::max);
        prop_assert!(near(mean[id], &own_mean, 1e-15, 1e-26 * largest), "node {}: mean {}", id, mean[id]);
        prop_assert!(near(mse[id], &(&error / &weight), 1e-14, 0.0), "node {}: error {}", id, mse[id]);
        if part.iter().all(|p| rows.y[p.0] == rows.y[part[0].0]) {
            prop_assert_eq!((mean[id], mse[id]), (rows.y[part[0].0], 0.0));
            prop_assert_eq!(tree.value(id), rows.y[part[0].0]);
            prop_assert!(tree.is_leaf(id));
        }
        // Costs closer than this are equal; the absolute ones are compared with the root of the squared ones.
        let scale = match absolute {
            true => exact((node.weight * tree.node(id).weight * mse[id]).sqrt()),
            false => error.clone(),
        };
        let tie = scale * exact(2e-12);
        let multiway = spec.nominal == NominalSplits::Multiway;
        let splits = all_splits(rows, part, multiway);
        let gains: Vec<BigRational> = splits.iter().map(|s| gain(rows, part, s, absolute)).collect();
        let best = gains.iter().max().cloned().unwrap_or(exact(0.0));
        match &node.condition {
            Some(condition) => {
                prop_assert!(condition.attribute() != 2, "node {}: an equal column is earlier", id);
                let own = gain(rows, part, condition, absolute);
                prop_assert!(&own + &tie >= best, "node {}: {:?} is not the best", id, condition);
                let room = 1e-14 * if absolute { mse[id].sqrt() } else { mse[id] };
                prop_assert!(
                    near(node.gain, &(own / &weight), 1e-11, room),
                    "node {}: gain {}",
                    id,
                    node.gain
                );
            }
            None => prop_assert!(best <= tie, "node {} is a leaf, but something can be gained", id),
        }
    }
    Ok(())
}

fn shuffled(table: &Table, seed: u64) -> Table {
    let mut order: Vec<usize> = (0..table.rows()).collect();
    let mut rng = rng(seed);
    (1..order.len()).rev().for_each(|i| order.swap(i, rng.random_range(0..=i)));
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
    Table::new("wide", columns.collect()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_node_is_exact_and_every_split_the_best(
        kind in 0..KINDS, rows in 2usize..40, seed in any::<u64>(), weighted: bool, multiway: bool,
    ) {
        let table = table(kind, rows, seed, weighted);
        let nominal = if multiway { NominalSplits::Multiway } else { NominalSplits::Subset };
        let spec = GrowSpec { nominal, min_leaf: 0.0, ..GrowSpec::cart(Task::Regression) };
        check(&plain(&table), &grow(&coded(&table), &spec, &Silent).unwrap(), &spec)?;
    }

    #[test]
    fn medians_are_exact_and_their_splits_the_best(kind in 0..KINDS, rows in 2usize..16, seed in any::<u64>(), weighted: bool) {
        let table = table(kind, rows, seed, weighted);
        let spec = GrowSpec {
            criterion: Criterion::Mae,
            leaf: LeafValue::Median,
            nominal: NominalSplits::Multiway,
            min_leaf: 0.0,
            ..GrowSpec::cart(Task::Regression)
        };
        check(&plain(&table), &grow(&coded(&table), &spec, &Silent).unwrap(), &spec)?;
    }

    /// The order of rows, who counts them and in how many parts make no bit of difference.
    #[test]
    fn order_and_parts_give_the_same_bits(kind in 0..KINDS, rows in 2usize..120, seed in any::<u64>(), weighted: bool, parts in 1usize..5) {
        let table = table(kind, rows, seed, weighted);
        let coded_table = coded(&table);
        let spec = GrowSpec { order: Order::BestFirst, ..GrowSpec::cart(Task::Regression) };
        let tree = grow(&coded_table, &spec, &Silent).unwrap();
        prop_assert_eq!(&tree, &grow(&coded(&shuffled(&table, seed)), &spec, &Silent).unwrap());
        let cut = |i: usize| rows * i / parts;
        let counters = (0..parts).map(|i| RowCounter::new(&coded_table, cut(i)..cut(i + 1))).collect();
        let mut grower = Grower::new(Counting::new(Counters(counters), &coded_table, &spec).unwrap(), &spec).unwrap();
        while grower.expand().unwrap() {}
        prop_assert_eq!(&tree, &grower.finish(&coded_table));
    }

    /// A target times a power of two has the same tree, with everything scaled.
    #[test]
    fn the_unit_of_the_target_does_not_matter(kind in 0..6usize, rows in 2usize..60, seed in any::<u64>(), power in -250i32..250) {
        let own = table(kind, rows, seed, false);
        let scale = 2f64.powi(power);
        let mut columns = own.columns().to_vec();
        let last = columns.last_mut().unwrap();
        let Values::Numeric(y) = &mut last.values else { panic!("numbers") };
        y.iter_mut().for_each(|y| *y *= scale);
        let other = Table::new("wide", columns).unwrap();
        let spec = GrowSpec::cart(Task::Regression);
        let [a, b] = [own, other].map(|t| grow(&coded(&t), &spec, &Silent).unwrap());
        prop_assert_eq!(a.nodes().len(), b.nodes().len());
        for id in 0..a.nodes().len() {
            prop_assert_eq!(&a.node(id).condition, &b.node(id).condition);
            prop_assert_eq!(a.value(id) * scale, b.value(id));
        }
    }

    /// The errors of all members of a path, on training rows and on others.
    #[test]
    fn errors_of_pruned_trees_are_exact(kind in 0..6usize, rows in 4usize..40, seed in any::<u64>()) {
        // Without the nominal column: values that half of the rows do not have would send others down both branches.
        let columns = table(kind, rows, seed, false).columns().iter().filter(|c| c.name != "c").cloned().collect();
        let table = Table::new("wide", columns).unwrap();
        let (coded, plain) = (coded(&table), plain(&table));
        // Grown on half of the rows and judged on all.
        let half: Vec<f64> = (0..rows).map(|row| f64::from(u8::from(row % 2 == 0))).collect();
        let tree = secateur::grow::grow_weighted(&coded, Some(&half), &GrowSpec::cart(Task::Regression), &Silent).unwrap();
        let every = rows_at_nodes(&plain, &tree);
        // The rows it was grown on are judged by their mean, which the value of the node is up to its last digit.
        let square = |id: usize, all: bool| -> BigRational {
            let trained: Vec<(usize, f64)> = every[id].iter().filter(|p| p.0 % 2 == 0).copied().collect();
            let off = |p: &(usize, f64)| exact(plain.y[p.0]) - exact(tree.value(id));
            match all {
                true => every[id].iter().map(|p| off(p) * off(p)).sum(),
                false => moments(&plain, &trained)[2].clone(),
            }
        };
        let routed = Routed::new(&tree, &coded, None).unwrap();
        let training: Vec<f64> = (0..tree.nodes().len()).map(|id| tree.error(id)).collect();
        let judged = routed.risks(&tree);
        let fall = cost_complexity::fall(&tree, &training, half.iter().sum());
        // Ordered by what they cost, in exact arithmetic too: a split that gains more than rounding is there.
        for (id, &fall) in fall.iter().enumerate() {
            prop_assert!(tree.is_leaf(id) || fall > 0.0, "split {} is gone at 0", id);
        }
        let path = Path::nested(&tree, fall, 0.0);
        for (all, values) in [(false, &training), (true, &judged)] {
            for (p, sum) in path.parameters().iter().zip(path.sums(&tree, values)) {
                let cut = path.cut(*p);
                let mut want = exact(0.0);
                let mut gone = vec![false; cut.len()];
                for id in 0..cut.len() {
                    gone[id] = tree.node(id).parent.is_some_and(|p| gone[p as usize] || cut[p as usize]);
                    if !gone[id] && cut[id] {
                        want += square(id, all);
                    }
                }
                let most = values.iter().copied().fold(0.0, f64::max);
                prop_assert!(near(sum, &want, 1e-12, 1e-26 * most), "at {}: {}", p, sum);
            }
        }
    }
}

/// Where a threshold of the mean squared error is met exactly, the node is a leaf.
#[test]
fn a_node_at_the_threshold_is_not_split() {
    for (y, mse) in [(vec![0.0, 1.0], 0.25), (vec![0.1, 0.3], 0.01), (vec![1e9 + 0.1, 1e9 + 0.3], 0.01)] {
        for copies in [1, 3, 7] {
            let list = |numbers: &[f64]| numbers.iter().flat_map(|&x| vec![x; copies]).collect::<Vec<f64>>();
            let column = |name: &str, values| Column { name: name.into(), values: Values::Numeric(values) };
            let table =
                Table::new("two", vec![column("x", list(&[1.0, 2.0])), column("y", list(&y))]).unwrap();
            let coded = coded(&table);
            let leaves = |stop: f64| {
                let spec = GrowSpec { stop_mse: Some(stop), ..GrowSpec::cart(Task::Regression) };
                let full = grow(&coded, &GrowSpec::cart(Task::Regression), &Silent).unwrap();
                let fall = secateur::prune::early_stop::fall(&full).unwrap();
                let cut = full.cut(&secateur::prune::early_stop::cut(&fall, stop));
                let grown = grow(&coded, &spec, &Silent).unwrap();
                assert_eq!(cut.leaves(), grown.leaves());
                grown.leaves()
            };
            let near_one = if y[0] > 1e8 { 1e-4 } else { 1e-9 };
            assert_eq!(leaves(mse * (1.0 - near_one)), 2, "{y:?}");
            if y[0] < 1e8 {
                assert_eq!(leaves(mse), 1, "{y:?} × {copies}");
            }
            assert_eq!(leaves(mse * (1.0 + near_one)), 1);
        }
    }
}

/// A hundred zeros and ones with one huge number: the huge one goes first, and the rest is split as if it were alone.
#[test]
fn one_huge_number_hides_nothing() {
    let rows = 101;
    let column = |name: &str, of: &dyn Fn(usize) -> f64| Column {
        name: name.into(),
        values: Values::Numeric((0..rows).map(of).collect()),
    };
    let y = |row: usize| if row == 100 { 1e9 } else { f64::from(u8::from(row >= 50)) };
    let table = Table::new("huge", vec![column("x", &|row| row as f64), column("y", &y)]).unwrap();
    let tree = grow(&coded(&table), &GrowSpec::cart(Task::Regression), &Silent).unwrap();
    let below = |id: usize| match &tree.node(id).condition {
        Some(Condition::Threshold { below, .. }) => *below,
        _ => f64::NAN,
    };
    assert_eq!((tree.leaves(), tree.training_error()), (3, 0.0));
    assert_eq!((below(0), below(1)), (99.5, 49.5));
    let mut values: Vec<f64> = (0..5).filter(|&id| tree.is_leaf(id)).map(|id| tree.value(id)).collect();
    values.sort_by(f64::total_cmp);
    assert_eq!(values, [0.0, 1.0, 1e9]);
}
