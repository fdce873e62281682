//! Exact ties follow the stated rule (earlier attribute, smaller threshold, older node), whatever rounding does to the sums; and
//! El-Khouri's ID3 against a search written from its definition.

use crate::common::rng;
use proptest::prelude::*;
use rand::RngExt;
use secateur::criterion::Criterion;
use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values};
use secateur::grow::grow;
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::spec::{Discretise, GrowSpec, Order, Ties};
use secateur::tree::{Condition, Tree};

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("v{i}")).collect()
}

fn numeric(name: &str, values: Vec<f64>) -> Column {
    Column { name: name.into(), values: Values::Numeric(values) }
}

fn nominal(name: &str, levels: usize, codes: Vec<u32>) -> Column {
    Column { name: name.into(), values: Values::Nominal(Nominal { levels: names(levels), codes }) }
}

/// A tree from columns of which the last is the target, all rows of this weight.
fn tree(mut columns: Vec<Column>, weight: f64, spec: &GrowSpec) -> Tree {
    let rows = columns[0].values.len();
    columns.insert(0, numeric("w", vec![weight; rows]));
    let table = Table::new("ties", columns).unwrap();
    let roles = Roles { weights: Some("w".into()), ..Roles::default() };
    grow(&CodedTable::new(&table, &roles).unwrap(), spec, &Silent).unwrap()
}

fn shuffled<T: Clone>(list: &[T], seed: u64) -> Vec<T> {
    let mut rng = rng(seed);
    let mut list = list.to_vec();
    for i in (1..list.len()).rev() {
        list.swap(i, rng.random_range(0..=i));
    }
    list
}

/// Limits that no branch here misses, whatever the rows weigh.
fn free(spec: GrowSpec) -> GrowSpec {
    GrowSpec { min_leaf: 0.0, min_split: 0.0, ..spec }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Two flags mark as many rows of every class, except for the names of the classes: their gain ratios are equal.
    #[test]
    fn of_equal_gain_ratios_the_earlier_attribute_wins(
        marked in prop::collection::vec(0usize..3, 3..6), more in 0usize..400, weight in prop::sample::select(vec![1.0, 0.1, 1.0 / 3.0, 7.3]),
        seed in any::<u64>(),
    ) {
        let classes = marked.len();
        prop_assume!(marked.iter().any(|m| *m != marked[0]));
        let mut rows: Vec<(usize, f64, f64)> = Vec::new();
        for class in 0..classes {
            for row in 0..3 + more {
                let flag = |marked: usize| f64::from(u8::from(row < marked));
                // The second flag marks other rows, so that the two are not copies.
                let second = f64::from(u8::from(2 + more - row < marked[(class + 1) % classes]));
                rows.push((class, flag(marked[class]), second));
            }
        }
        let rows = shuffled(&rows, seed);
        let columns = || vec![
            numeric("first", rows.iter().map(|r| r.1).collect()),
            numeric("second", rows.iter().map(|r| r.2).collect()),
            nominal("y", classes, rows.iter().map(|r| r.0 as u32).collect()),
        ];
        let ratio = GrowSpec { criterion: Criterion::GainRatio, max_splits: Some(1), ..GrowSpec::cart(Task::Classification) };
        let specs = [
            GrowSpec { guards: false, ..ratio.clone() },
            GrowSpec { discretise: Discretise::Median, ..ratio.clone() },
            GrowSpec { criterion: Criterion::Gini, ..ratio.clone() },
            GrowSpec { criterion: Criterion::Entropy, ..ratio },
        ];
        for spec in specs {
            let tree = tree(columns(), weight, &free(spec));
            if let Some(condition) = &tree.node(0).condition {
                prop_assert_eq!(condition.attribute(), 0);
            }
        }
    }

    /// Nodes of 9 and 8 rows whose splits gain 4/9 and 1/2 a row: the same in all.
    #[test]
    fn of_equal_weighted_gains_the_older_node_is_split(weight in prop::sample::select(vec![1.0, 0.1, 1.0 / 3.0, 7.3]), times in 1usize..5, seed in any::<u64>()) {
        // Rows: side, what parts the classes there, class.
        let part = |side: u32, flip: u32, a: usize, b: usize| {
            let of = move |class: u32, n: usize| std::iter::repeat_n((side, class ^ flip, class), n);
            of(0, a * times).chain(of(1, b * times))
        };
        for (left, right) in [((3, 6), (4, 4)), ((4, 4), (3, 6)), ((6, 3), (4, 4)), ((12, 4), (6, 6))] {
            let rows: Vec<_> = part(0, 0, left.0, left.1).chain(part(1, 1, right.0, right.1)).collect();
            let rows = shuffled(&rows, seed);
            let columns = || vec![
                nominal("side", 2, rows.iter().map(|r| r.0).collect()),
                nominal("part", 2, rows.iter().map(|r| r.1).collect()),
                nominal("y", 2, rows.iter().map(|r| r.2).collect()),
            ];
            for (ties, second) in [(Ties::Oldest, 1), (Ties::Newest, 2)] {
                let spec = GrowSpec { order: Order::BestFirstWeighted, ties, ..GrowSpec::cart(Task::Classification) };
                let tree = tree(columns(), weight, &free(spec));
                prop_assert_eq!(tree.node(0).condition.as_ref().unwrap().attribute(), 0);
                prop_assert_eq!(tree.node(second).rank, 1, "{:?} {:?}", left, right);
            }
        }
    }
}

/// A bit of the class, and the class itself: gains of 1 and 2 bits, by 1 and 2 bits of split information.
#[test]
fn equal_ratios_of_different_gains_are_ties() {
    for weight in [1.0, 0.1, 1.0 / 3.0] {
        let classes: Vec<u32> = (0..20).map(|i| i % 4).collect();
        let bit = || nominal("bit", 2, classes.iter().map(|c| c % 2).collect());
        let all = || nominal("all", 4, classes.clone());
        let y = || nominal("y", 4, classes.clone());
        for columns in [vec![bit(), all(), y()], vec![all(), bit(), y()]] {
            let tree = tree(columns, weight, &free(GrowSpec::id3(Task::Classification)));
            assert_eq!(tree.node(0).condition.as_ref().unwrap().attribute(), 0, "weight {weight}");
        }
    }
}

// ID3 from its definition.

struct Row {
    cells: Vec<f64>,
    class: usize,
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    let n = list.len();
    if n % 2 == 1 { list[n / 2] } else { (list[n / 2 - 1] + list[n / 2]) / 2.0 }
}

fn middles(list: &[f64]) -> Vec<f64> {
    let mut list: Vec<f64> = list.windows(2).map(|w| (w[0] + w[1]) / 2.0).collect();
    list.dedup();
    list
}

fn bits(counts: &[usize]) -> f64 {
    let n: usize = counts.iter().sum();
    counts.iter().filter(|c| **c > 0).map(|&c| -(c as f64 / n as f64) * (c as f64 / n as f64).log2()).sum()
}

/// Gain and gain ratio of rows dealt to branches.
fn worth(branches: &[Vec<&Row>], classes: usize) -> (f64, f64) {
    let counts = |rows: &[&Row]| {
        (0..classes).map(|c| rows.iter().filter(|r| r.class == c).count()).collect::<Vec<_>>()
    };
    let all: Vec<&Row> = branches.iter().flatten().copied().collect();
    let n = all.len() as f64;
    let rest: f64 = branches.iter().map(|b| b.len() as f64 / n * bits(&counts(b))).sum();
    let gain = bits(&counts(&all)) - rest;
    (gain, gain / bits(&branches.iter().map(Vec::len).collect::<Vec<_>>()))
}

/// Checks a node and everything below it: the first of the features with the largest gain ratio is taken. Features are all cuts of all
/// columns; the nominal column (the last) has a branch for every value.
fn check<'r>(tree: &Tree, id: usize, rows: &[&'r Row], cuts: &[Vec<f64>], levels: usize, classes: usize) {
    let mut best: Option<(f64, Condition, Vec<Vec<&'r Row>>)> = None;
    let offer = |condition: Condition, branches: Vec<Vec<&'r Row>>| {
        if branches.iter().filter(|b| !b.is_empty()).count() < 2 {
            return None;
        }
        let (gain, ratio) = worth(&branches, classes);
        (gain > 1e-9).then_some((ratio, condition, branches))
    };
    let mut take = |found: Option<(f64, Condition, Vec<Vec<&'r Row>>)>| {
        if let Some(found) = found
            && best.as_ref().is_none_or(|b| found.0 > b.0 + 1e-9)
        {
            best = Some(found);
        }
    };
    for (attribute, cuts) in cuts.iter().enumerate() {
        for &below in cuts {
            let (left, right) = rows.iter().copied().partition(|r: &&'r Row| r.cells[attribute] < below);
            take(offer(
                Condition::Threshold { attribute: attribute as u32, below, missing: None },
                vec![left, right],
            ));
        }
    }
    let mut each = vec![Vec::new(); levels];
    rows.iter().for_each(|r| each[r.cells[cuts.len()] as usize].push(*r));
    take(offer(
        Condition::EachValue { attribute: cuts.len() as u32, values: levels as u32, missing: false },
        each,
    ));
    assert_eq!(tree.node(id).rows as usize, rows.len(), "node {id}");
    assert_eq!(tree.node(id).condition.as_ref(), best.as_ref().map(|b| &b.1), "node {id}");
    if let Some((_, _, branches)) = best {
        for (child, rows) in tree.children(id).zip(&branches) {
            check(tree, child, rows, cuts, levels, classes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn id3_takes_the_largest_gain_ratio_over_all_cuts_of_all_columns(seed in any::<u64>(), n in 4usize..90, classes in 2usize..6, most in 0usize..3) {
        let mut rng = rng(seed);
        let rows: Vec<Row> = (0..n).map(|_| {
            let class = rng.random_range(0..classes);
            let near = |rng: &mut rand_chacha::ChaCha8Rng, by: usize| f64::from(rng.random_range(0..24u32)) + (class * by) as f64;
            Row { cells: vec![near(&mut rng, 5), near(&mut rng, 2), f64::from((rng.random_range(0..6u32) + class as u32) % 4)], class }
        }).collect();
        let columns = vec![
            numeric("a", rows.iter().map(|r| r.cells[0]).collect()),
            numeric("b", rows.iter().map(|r| r.cells[1]).collect()),
            nominal("n", 4, rows.iter().map(|r| r.cells[2] as u32).collect()),
            nominal("y", classes, rows.iter().map(|r| r.class as u32).collect()),
        ];
        let cuts: Vec<Vec<f64>> = (0..2).map(|c| {
            let of_class = |class| rows.iter().filter(|r| r.class == class).map(|r| r.cells[c]).collect::<Vec<_>>();
            let mut medians: Vec<f64> = (0..classes).map(of_class).filter(|l| !l.is_empty()).map(median).collect();
            medians.sort_by(f64::total_cmp);
            medians.dedup();
            let mut cuts = middles(&medians);
            while most > 0 && cuts.len() > most {
                cuts = middles(&cuts);
            }
            cuts
        }).collect();
        let spec = GrowSpec { cuts: (most > 0).then_some(most), ..GrowSpec::id3(Task::Classification) };
        let tree = tree(columns, 1.0, &spec);
        check(&tree, 0, &rows.iter().collect::<Vec<_>>(), &cuts, 4, classes);
    }
}
