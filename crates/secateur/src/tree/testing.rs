//! Trees for tests: small ones built by hand, long chains, and random ones of every shape.

use super::{Condition, LeafValues, Node, Side, Stats, Subsets, Tree};
use crate::data::{CodedTable, Column, MISSING, Nominal, Roles, Table, Values};
use crate::schema::{Attribute, AttributeKind, Schema, ShownAs, Target, Task};

/// A tree as it is written down in a test.
pub(crate) enum Sketch {
    /// A leaf with class weights.
    Counts(Vec<f64>),
    /// A leaf with weight, mean and mean squared error.
    Numbers(f64, f64, f64),
    /// A split.
    Split(Condition, Vec<Sketch>),
}

pub(crate) fn leaf(counts: &[f64]) -> Sketch {
    Sketch::Counts(counts.to_vec())
}

pub(crate) fn below(attribute: u32, below: f64, left: Sketch, right: Sketch) -> Sketch {
    Sketch::Split(Condition::Threshold { attribute, below, missing: None }, vec![left, right])
}

pub(crate) fn each(attribute: u32, children: Vec<Sketch>) -> Sketch {
    Sketch::Split(Condition::EachValue { attribute, values: children.len() as u32, missing: false }, children)
}

/// A subset split; `sides` has `l`, `r` or `-` (unseen) for every value.
pub(crate) fn subset(attribute: u32, sides: &str, left: Sketch, right: Sketch) -> Sketch {
    let codes =
        |side: char| (0..).zip(sides.chars()).filter(|(_, c)| *c == side).map(|(code, _)| code).collect();
    let subsets = Box::new(Subsets::new(codes('l'), codes('r')));
    Sketch::Split(Condition::Subset { attribute, subsets, missing: None }, vec![left, right])
}

pub(crate) fn numeric(name: &str) -> Attribute {
    Attribute { name: name.into(), kind: AttributeKind::Numeric, shown_as: ShownAs::Plain }
}

pub(crate) fn nominal(name: &str, values: &[&str]) -> Attribute {
    let values = values.iter().map(|v| (*v).to_string()).collect();
    Attribute { name: name.into(), kind: AttributeKind::Nominal { values }, shown_as: ShownAs::Plain }
}

pub(crate) fn classes(name: &str, labels: &[&str]) -> Target {
    Target::Classes { name: name.into(), classes: labels.iter().map(|v| (*v).to_string()).collect() }
}

/// Lays a sketch out breadth-first.
pub(crate) fn build(attributes: Vec<Attribute>, target: Target, sketch: Sketch) -> Tree {
    let mut shape = Shape::new();
    let mut queue = std::collections::VecDeque::from([(0, sketch)]);
    let mut leaves = Vec::new();
    while let Some((id, sketch)) = queue.pop_front() {
        match sketch {
            Sketch::Split(condition, children) => {
                let first = shape.expand(id, condition);
                queue.extend(children.into_iter().enumerate().map(|(i, c)| (first + i, c)));
            }
            Sketch::Counts(counts) => leaves.push((id, counts)),
            Sketch::Numbers(weight, mean, mse) => leaves.push((id, vec![weight, mean, mse])),
        }
    }
    shape.finish(Schema::new(attributes, target), leaves)
}

/// An arena while it is made.
pub(crate) struct Shape {
    nodes: Vec<Node>,
    splits: u32,
}

impl Shape {
    pub(crate) fn new() -> Self {
        Self { nodes: vec![bare(None)], splits: 0 }
    }

    /// Splits a leaf and returns its first child.
    pub(crate) fn expand(&mut self, id: usize, condition: Condition) -> usize {
        let first = self.nodes.len();
        let branches = condition.branches();
        let gain = 0.5 / f64::from(self.splits + 1);
        let node = &mut self.nodes[id];
        (node.condition, node.first_child) = (Some(condition), Some(first as u32));
        (node.rank, node.gain) = (self.splits, gain);
        self.splits += 1;
        self.nodes.extend((0..branches).map(|_| bare(Some(id as u32))));
        first
    }

    /// Fills in weights and statistics from the leaves up: class weights, or weight, mean and error.
    pub(crate) fn finish(mut self, schema: Schema, leaves: Vec<(usize, Vec<f64>)>) -> Tree {
        let width = if schema.target.classes().is_empty() { 3 } else { schema.target.classes().len() };
        let mut own = vec![0.0; self.nodes.len() * width];
        for (id, numbers) in leaves {
            assert_eq!(numbers.len(), width);
            own[id * width..][..width].copy_from_slice(&numbers);
            if schema.target.classes().is_empty() {
                // As sums, which add up: weight, Σy, Σy².
                let [weight, mean, mse] = [numbers[0], numbers[1], numbers[2]];
                own[id * width + 1] = weight * mean;
                own[id * width + 2] = weight * (mse + mean * mean);
            }
        }
        for id in (1..self.nodes.len()).rev() {
            let parent = self.nodes[id].parent.unwrap() as usize;
            for j in 0..width {
                own[parent * width + j] += own[id * width + j];
            }
        }
        let is_classes = !schema.target.classes().is_empty();
        for (id, node) in self.nodes.iter_mut().enumerate() {
            let numbers = &own[id * width..][..width];
            node.weight = if is_classes { numbers.iter().sum() } else { numbers[0] };
            node.rows = node.weight.ceil() as u64;
        }
        let stats = if is_classes {
            Stats::Classes { classes: width, weights: own }
        } else {
            let at = |id: usize, j: usize| own[id * width + j] / own[id * width].max(1e-300);
            let all = 0..self.nodes.len();
            let mean: Vec<f64> = all.clone().map(|id| at(id, 1)).collect();
            let mse = all.map(|id| (at(id, 2) - mean[id] * mean[id]).max(0.0)).collect();
            Stats::Numbers { mean, mse, median: vec![] }
        };
        Tree::checked(schema, self.nodes, stats).expect("a test's tree is a good one")
    }
}

fn bare(parent: Option<u32>) -> Node {
    Node { parent, first_child: None, condition: None, rows: 0, weight: 0.0, gain: 0.0, rank: 0 }
}

/// The weather tree: multiway splits, one threshold.
pub(crate) fn weather() -> Tree {
    build(
        vec![
            nominal("outlook", &["sunny", "overcast", "rainy"]),
            numeric("temperature"),
            numeric("humidity"),
            nominal("windy", &["TRUE", "FALSE"]),
        ],
        classes("play", &["yes", "no"]),
        each(
            0,
            vec![
                below(2, 77.5, leaf(&[2.0, 0.0]), leaf(&[0.0, 3.0])),
                leaf(&[4.0, 0.0]),
                each(3, vec![leaf(&[0.0, 2.0]), leaf(&[3.0, 0.0])]),
            ],
        ),
    )
}

/// An iris tree of three splits.
pub(crate) fn iris() -> Tree {
    build(
        vec![numeric("petal length"), numeric("petal width")],
        classes("species", &["setosa", "versicolor", "virginica"]),
        below(
            1,
            0.8,
            leaf(&[50.0, 0.0, 0.0]),
            below(
                1,
                1.75,
                below(0, 4.95, leaf(&[0.0, 47.0, 1.0]), leaf(&[0.0, 2.0, 4.0])),
                leaf(&[0.0, 1.0, 45.0]),
            ),
        ),
    )
}

/// A chain: split `k` sends `x < k + 0.5` to a leaf and the rest on. `nodes` is odd.
pub(crate) fn chain(nodes: usize) -> Tree {
    let schema = Schema::new(vec![numeric("x")], classes("class", &["even", "odd"]));
    let mut shape = Shape::new();
    let (mut id, mut leaves) = (0, Vec::new());
    for k in 0..nodes / 2 {
        let first =
            shape.expand(id, Condition::Threshold { attribute: 0, below: k as f64 + 0.5, missing: None });
        leaves.push((first, if k % 2 == 0 { vec![1.0, 0.0] } else { vec![0.0, 1.0] }));
        id = first + 1;
    }
    leaves.push((id, vec![1.0, 0.0]));
    shape.finish(schema, leaves)
}

/// A small generator of numbers (SplitMix64).
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n - 1`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number from 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A random tree: `shape` 0 is deep, 1 is wide, others mixed; every kind of split; leaves without weight;
/// values unseen at nodes; classes or numbers.
pub(crate) fn random(seed: u64, splits: usize, shape: usize) -> Tree {
    random_named(seed, splits, shape, 6, |kind, place| format!("{kind}{place}"))
}

/// The same with up to this many values, and names by kind (numeric and nominal attributes x and n, values v, classes c) and place.
pub(crate) fn random_named(
    seed: u64,
    splits: usize,
    shape: usize,
    most_values: usize,
    name: impl Fn(char, usize) -> String,
) -> Tree {
    let mut dice = Dice(seed);
    let attributes: Vec<Attribute> = (0..2 + dice.below(4))
        .map(|a| match dice.below(3) {
            0 => numeric(&name('x', a)),
            _ => {
                let values: Vec<String> =
                    (0..2 + dice.below(most_values - 1)).map(|v| name('v', v)).collect();
                Attribute {
                    name: name('n', a),
                    kind: AttributeKind::Nominal { values },
                    shown_as: ShownAs::Plain,
                }
            }
        })
        .collect();
    let is_classes = dice.below(3) > 0;
    let width = if is_classes { 1 + dice.below(4) } else { 3 };
    let labels: Vec<String> = (0..width).map(|c| name('c', c)).collect();
    let mut arena = Shape::new();
    let mut frontier = vec![0];
    for _ in 0..splits {
        let place = match shape {
            0 => frontier.len() - 1,
            1 => 0,
            _ => dice.below(frontier.len()),
        };
        let id = frontier.remove(place);
        let a = dice.below(attributes.len());
        let values = attributes[a].values().len();
        let attribute = a as u32;
        let missing = [None, None, Some(Side::Left), Some(Side::Right)][dice.below(4)];
        let condition = if dice.below(12) == 0 {
            Condition::Known { attribute }
        } else if values == 0 {
            Condition::Threshold { attribute, below: dice.unit() * 10.0, missing }
        } else if dice.below(2) == 0 {
            Condition::EachValue { attribute, values: values as u32, missing: missing.is_some() }
        } else {
            // A side for every value, 2 being none; at least one value on each side.
            let mut sides: Vec<usize> = (0..values).map(|_| dice.below(5) % 3).collect();
            let first = dice.below(values);
            sides[first] = 0;
            sides[(first + 1) % values] = 1;
            let codes = |side| (0..values as u32).filter(|&code| sides[code as usize] == side).collect();
            Condition::Subset { attribute, subsets: Box::new(Subsets::new(codes(0), codes(1))), missing }
        };
        let branches = condition.branches();
        let first = arena.expand(id, condition);
        frontier.extend(first..first + branches);
    }
    let leaves = frontier
        .into_iter()
        .map(|id| {
            let parent = arena.nodes[id].parent.map(|p| &arena.nodes[p as usize]);
            let later = parent.is_some_and(|p| {
                matches!(p.condition, Some(Condition::EachValue { .. })) && p.first_child != Some(id as u32)
            });
            let scale = if later && dice.below(4) == 0 { 0.0 } else { 1.0 };
            let mut numbers: Vec<f64> = (0..width)
                .map(|_| scale * if dice.below(2) == 0 { dice.below(9) as f64 } else { dice.unit() * 9.0 })
                .collect();
            numbers[0] += scale * 0.25;
            (id, numbers)
        })
        .collect();
    let target = if is_classes {
        Target::Classes { name: "t".into(), classes: labels }
    } else {
        Target::Number { name: "t".into() }
    };
    // A split whose branches all came out empty would be no good tree: the first branch never is.
    arena.finish(Schema::new(attributes, target), leaves)
}

/// A random tree with names that are hard to show: long, wide, empty, with equal beginnings; and with many values.
pub(crate) fn random_hard_to_show(seed: u64, most_splits: usize) -> Tree {
    let name = |kind: char, place: usize| match Dice(seed ^ (place as u64) << 8 ^ kind as u64).below(9) {
        0 => format!("the number of all months since this was opened at a bank, case {kind}{place}"),
        1 => format!("{}{kind}{place}", "日本語の長い名前".repeat(1 + place % 5)),
        2 => format!("{}{kind}{place}", "x".repeat(90)),
        3 => format!("a, b{{{kind}{place}}} 'c'"),
        4 => format!("{}{kind}{place}", "☃\u{fe0f}".repeat(30)),
        5 => format!("tab\t{kind}{place}"),
        6 => format!("  {kind}   {place} "),
        7 if place == 0 => String::new(),
        _ => format!("{kind}{place}"),
    };
    random_named(
        seed,
        seed as usize % (most_splits + 1),
        seed as usize % 3,
        [6, 30, 300][seed as usize / 3 % 3],
        name,
    )
}

/// A table with the attributes of a tree and random cells, a share of them missing.
pub(crate) fn random_table(tree: &Tree, rows: usize, seed: u64, missing: f64) -> Table {
    let mut dice = Dice(seed);
    let columns = tree.schema().attributes.iter().map(|attribute| {
        let values = match &attribute.kind {
            AttributeKind::Numeric => Values::Numeric(
                (0..rows)
                    .map(|_| if dice.unit() < missing { f64::NAN } else { dice.unit() * 10.0 })
                    .collect(),
            ),
            AttributeKind::Nominal { values } => Values::Nominal(Nominal {
                levels: values.clone(),
                codes: (0..rows)
                    .map(|_| if dice.unit() < missing { MISSING } else { dice.below(values.len()) as u32 })
                    .collect(),
            }),
        };
        Column { name: attribute.name.clone(), values }
    });
    Table::new("random", columns.collect()).unwrap()
}

/// A random table with the attributes and the target of a tree.
pub(crate) fn with_target(tree: &Tree, rows: usize, seed: u64, missing: f64) -> (Table, CodedTable) {
    let mut dice = Dice(seed ^ 77);
    let labels = tree.schema().target.classes();
    let values = if labels.is_empty() {
        Values::Numeric((0..rows).map(|_| 100.0 + dice.unit() * 20.0).collect())
    } else {
        let codes = (0..rows).map(|_| dice.below(labels.len()) as u32).collect();
        Values::Nominal(Nominal { levels: labels.to_vec(), codes })
    };
    let mut columns = random_table(tree, rows, seed, missing).columns().to_vec();
    columns.push(Column { name: tree.schema().target.name().into(), values });
    let table = Table::new("rows", columns).unwrap();
    let coded = CodedTable::new(&table, &Roles::default()).unwrap();
    (table, coded)
}

/// Leaf values of every kind that fits a task.
pub(crate) fn of_all_kinds(task: Task) -> Vec<LeafValues> {
    let kinds = [0.0, 0.3, 10.0, 1e6].map(LeafValues::Shrink);
    let kinds = kinds.into_iter().chain([
        LeafValues::Raw,
        LeafValues::Laplace,
        LeafValues::M(0.5),
        LeafValues::M(20.0),
    ]);
    kinds.filter(|values| values.check(task).is_ok()).collect()
}
