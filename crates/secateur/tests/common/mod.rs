//! Random small tables and a brute-force search for splits, shared by the tests.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use secateur::data::{CodedTable, Column, MISSING, Nominal, Roles, Table, Values};
use secateur::schema::{Cell, Task};
use secateur::tree::{Condition, Tree};

/// Rows, or nodes, each with a share.
type Shares = Vec<(usize, f64)>;

/// What a random table looks like.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub rows: usize,
    pub classes: usize, // 0: numbers
    pub missing: f64,
    pub weights: bool,
    pub nominal_values: u32,
}

/// The task of a table with this many classes, 0 for numbers.
pub fn task_of(classes: usize) -> Task {
    if classes == 0 { Task::Regression } else { Task::Classification }
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Two numeric columns (one with ties, one with few), two nominal ones, a weight and a target that depends on some of them.
pub fn random_table(shape: Shape, seed: u64) -> Table {
    let mut rng = rng(seed);
    let n = shape.rows;
    let missing = |rng: &mut ChaCha8Rng| rng.random::<f64>() < shape.missing;
    let number = |rng: &mut ChaCha8Rng, distinct: u32| {
        if missing(rng) { f64::NAN } else { f64::from(rng.random_range(0..distinct)) / 4.0 - 1.0 }
    };
    let a: Vec<f64> = (0..n).map(|_| number(&mut rng, 12)).collect();
    let b: Vec<f64> = (0..n).map(|_| number(&mut rng, 1000)).collect();
    let nominal = |rng: &mut ChaCha8Rng, values: u32| Nominal {
        levels: (0..values).map(|v| format!("v{v}")).collect(),
        codes: (0..n).map(|_| if missing(rng) { MISSING } else { rng.random_range(0..values) }).collect(),
    };
    let c = nominal(&mut rng, shape.nominal_values);
    let d = nominal(&mut rng, 2);
    let signal = |i: usize| {
        let a = if a[i].is_nan() { 0.0 } else { a[i] };
        let c = if c.codes[i] == MISSING { 0 } else { c.codes[i] };
        (a * 2.0).floor() as i64 + i64::from(c % 3)
    };
    let target = if shape.classes == 0 {
        Values::Numeric(
            (0..n).map(|i| signal(i) as f64 + f64::from(rng.random_range(0..8u32)) / 2.0).collect(),
        )
    } else {
        let classes = shape.classes as i64;
        Values::Nominal(Nominal {
            levels: (0..classes).map(|j| format!("c{j}")).collect(),
            codes: (0..n)
                .map(|i| {
                    let noise = if rng.random::<f64>() < 0.3 { rng.next_u32() as i64 } else { 0 };
                    (signal(i) + noise).rem_euclid(classes) as u32
                })
                .collect(),
        })
    };
    let column = |name: &str, values| Column { name: name.into(), values };
    let mut columns = vec![
        column("a", Values::Numeric(a)),
        column("c", Values::Nominal(c)),
        column("b", Values::Numeric(b)),
        column("d", Values::Nominal(d)),
    ];
    if shape.weights {
        let weights = (0..n).map(|_| f64::from(rng.random_range(1..4u32))).collect();
        columns.push(column("w", Values::Numeric(weights)));
    }
    columns.push(column("y", target));
    Table::new("random", columns).unwrap()
}

pub fn roles(table: &Table) -> Roles {
    let weights = table.columns().iter().any(|c| c.name == "w").then(|| "w".to_string());
    Roles { weights, ..Roles::default() }
}

pub fn coded(table: &Table) -> CodedTable {
    CodedTable::new(table, &roles(table)).unwrap()
}

/// The rows of a table as plain cells, with weights and targets.
pub struct Rows {
    pub cells: Vec<Vec<Cell>>,
    pub levels: Vec<usize>,
    pub weights: Vec<f64>,
    pub classes: usize,
    pub y: Vec<f64>,
}

pub fn plain(table: &Table) -> Rows {
    let cast = roles(table).cast(table).unwrap();
    let columns = table.columns();
    let cell = |c: usize, row: usize| match &columns[c].values {
        Values::Numeric(v) if v[row].is_nan() => Cell::Missing,
        Values::Numeric(v) => Cell::Number(v[row]),
        Values::Nominal(v) if v.codes[row] == MISSING => Cell::Missing,
        Values::Nominal(v) => Cell::Code(v.codes[row]),
    };
    let numbers = |c: usize| match &columns[c].values {
        Values::Numeric(v) => v.clone(),
        Values::Nominal(v) => v.codes.iter().map(|&c| f64::from(c)).collect(),
    };
    Rows {
        cells: (0..table.rows()).map(|row| cast.attributes.iter().map(|&c| cell(c, row)).collect()).collect(),
        levels: cast
            .attributes
            .iter()
            .map(|&c| match &columns[c].values {
                Values::Numeric(_) => 0,
                Values::Nominal(v) => v.levels.len(),
            })
            .collect(),
        weights: cast.weights.map_or(vec![1.0; table.rows()], numbers),
        classes: match &columns[cast.target].values {
            Values::Numeric(_) => 0,
            Values::Nominal(v) => v.levels.len(),
        },
        y: numbers(cast.target),
    }
}

/// How a brute-force search measures impurity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Impurity {
    Gini,
    Entropy,
    Mse,
    Mae,
}

/// Weight times impurity of some (row, weight) pairs, from the definition.
pub fn cost(rows: &Rows, part: &[(usize, f64)], impurity: Impurity) -> f64 {
    let total: f64 = part.iter().map(|p| p.1).sum();
    if total == 0.0 {
        return 0.0;
    }
    let shares = || {
        (0..rows.classes)
            .map(|j| part.iter().filter(|p| rows.y[p.0] == j as f64).map(|p| p.1).sum::<f64>() / total)
    };
    total
        * match impurity {
            Impurity::Gini => 1.0 - shares().map(|p| p * p).sum::<f64>(),
            Impurity::Entropy => -shares().filter(|p| *p > 0.0).map(|p| p * p.log2()).sum::<f64>(),
            Impurity::Mse => {
                let mean = part.iter().map(|p| p.1 * rows.y[p.0]).sum::<f64>() / total;
                part.iter().map(|p| p.1 * (rows.y[p.0] - mean).powi(2)).sum::<f64>() / total
            }
            Impurity::Mae => {
                // The best constant is one of the targets.
                part.iter()
                    .map(|c| {
                        part.iter().map(|p| p.1 * (rows.y[p.0] - rows.y[c.0]).abs()).sum::<f64>() / total
                    })
                    .fold(f64::INFINITY, f64::min)
            }
        }
}

/// The rows of a node sent through a condition: branches with known rows whole and the others in proportion.
pub fn send(rows: &Rows, part: &[(usize, f64)], condition: &Condition) -> (Vec<Shares>, Vec<Shares>) {
    let mut known = vec![Vec::new(); condition.branches()];
    let mut unknown = Vec::new();
    for &(row, weight) in part {
        match condition.route(rows.cells[row][condition.attribute()]) {
            Some(branch) => known[branch].push((row, weight)),
            None => unknown.push((row, weight)),
        }
    }
    let weight = |part: &[(usize, f64)]| part.iter().map(|p| p.1).sum::<f64>();
    let total: f64 = known.iter().map(|k| weight(k)).sum();
    let all = known
        .iter()
        .map(|k| {
            let share = weight(k) / total;
            let mut all = k.clone();
            if share > 0.0 {
                all.extend(unknown.iter().map(|&(row, w)| (row, w * share)));
            }
            all
        })
        .collect();
    (known, all)
}

/// The gain of a condition at a node, from the definition: on the known rows, in proportion to their weight.
pub fn gain(
    rows: &Rows,
    part: &[(usize, f64)],
    condition: &Condition,
    impurity: Impurity,
) -> (f64, Vec<f64>) {
    let (known, _) = send(rows, part, condition);
    let whole: Vec<(usize, f64)> = known.concat();
    let total: f64 = part.iter().map(|p| p.1).sum();
    let branches: f64 = known.iter().map(|k| cost(rows, k, impurity)).sum();
    let weights = known.iter().map(|k| k.iter().map(|p| p.1).sum()).collect();
    ((cost(rows, &whole, impurity) - branches) / total, weights)
}

/// Every split of every attribute at a node.
pub fn all_splits(rows: &Rows, part: &[(usize, f64)], multiway: bool) -> Vec<Condition> {
    use secateur::tree::Subsets;
    let mut splits = Vec::new();
    for attribute in 0..rows.levels.len() {
        let mut numbers = Vec::new();
        let mut codes = Vec::new();
        for &(row, _) in part {
            match rows.cells[row][attribute] {
                Cell::Number(x) => numbers.push(x),
                Cell::Code(c) => codes.push(c),
                Cell::Missing => {}
            }
        }
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        for pair in numbers.windows(2) {
            splits.push(Condition::Threshold {
                attribute: attribute as u32,
                below: (pair[0] + pair[1]) / 2.0,
                missing: None,
            });
        }
        codes.sort_unstable();
        codes.dedup();
        if codes.len() < 2 {
            continue;
        }
        if multiway {
            splits.push(Condition::EachValue {
                attribute: attribute as u32,
                values: rows.levels[attribute] as u32,
                missing: false,
            });
            continue;
        }
        for mask in 1..(1u32 << (codes.len() - 1)) {
            let (left, right) = (0..codes.len()).partition::<Vec<usize>, _>(|i| mask >> i & 1 == 1);
            let pick = |list: Vec<usize>| list.into_iter().map(|i| codes[i]).collect();
            let subsets = Box::new(Subsets::new(pick(left), pick(right)));
            splits.push(Condition::Subset { attribute: attribute as u32, subsets, missing: None });
        }
    }
    splits
}

/// The rows at every node of a tree, by sending all rows down from the root.
pub fn rows_at_nodes(rows: &Rows, tree: &Tree) -> Vec<Vec<(usize, f64)>> {
    let mut at: Vec<Vec<(usize, f64)>> = vec![Vec::new(); tree.nodes().len()];
    at[0] = (0..rows.y.len()).map(|row| (row, rows.weights[row])).filter(|p| p.1 > 0.0).collect();
    for id in 0..tree.nodes().len() {
        if let Some(condition) = &tree.node(id).condition {
            let (_, parts) = send(rows, &at[id], condition);
            for (child, part) in tree.children(id).zip(parts) {
                at[child] = part;
            }
        }
    }
    at
}

/// The table with these rows, in this order, as often as they stand there. Lists of values and classes stay as they are.
pub fn picked(table: &Table, rows: &[usize]) -> Table {
    let columns = table.columns().iter().map(|c| Column {
        name: c.name.clone(),
        values: match &c.values {
            Values::Numeric(v) => Values::Numeric(rows.iter().map(|&i| v[i]).collect()),
            Values::Nominal(v) => Values::Nominal(Nominal {
                levels: v.levels.clone(),
                codes: rows.iter().map(|&i| v.codes[i]).collect(),
            }),
        },
    });
    Table::new(table.name(), columns.collect()).unwrap()
}
