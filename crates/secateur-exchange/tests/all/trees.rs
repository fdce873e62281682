//! The trees that every format is tried with.

use secateur::data::builtin;
use secateur::prelude::*;
use secateur::tree::LeafValues;

/// A tree and rows to ask it about.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) model: Model,
    pub(crate) table: Table,
}

/// Numbers that look random, from 0 to 1 (splitmix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }
}

/// A table of two columns of numbers and one of `values` values; the target follows from them with some noise. Every so manieth
/// cell is missing.
pub(crate) fn mixed(rows: usize, values: usize, classes: usize, missing: f64, seed: u64) -> Table {
    let mut random = Numbers(seed);
    let (mut x, mut y, mut colour, mut class) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let (a, b, c) = (random.next() * 10.0, random.next() - 0.5, random.below(values));
        let score = (a + 8.0 * b + (c * 7 % values) as f64).floor() as usize;
        let noisy = if random.next() < 0.1 { random.below(classes) } else { score % classes };
        let mut gap = || random.next() < missing;
        x.push((!gap()).then_some(a));
        y.push((!gap()).then_some(b / 3.0));
        colour.push((!gap()).then(|| format!("value {c}")));
        class.push(format!("class {noisy}"));
    }
    Table::builder()
        .numeric("x", x)
        .numeric("y one", y)
        .text("colour", colour)
        .text("class", class)
        .build()
        .unwrap()
}

fn fitted(name: &'static str, table: Table, scheme: &str) -> Sample {
    let model = Fit::new(&table, "class").scheme(scheme).model().unwrap();
    Sample { name, model, table }
}

/// All kinds of trees.
pub(crate) fn samples() -> Vec<Sample> {
    let two = builtin::load("credit?n=300").unwrap();
    let costly = Fit::new(&two, "class").scheme("cart:max-leaves=20").cost("bad", "good", 5.0);
    let costly = Sample { name: "costs", model: costly.model().unwrap(), table: two.clone() };
    let numbers = builtin::load("friedman?n=300").unwrap();
    let target = numbers.columns().last().unwrap().name.clone();
    let regression = Fit::new(&numbers, &*target).scheme("cart:max-leaves=25").model().unwrap();
    let six = mixed(500, 6, 6, 0.0, 3);
    let six_costly =
        Fit::new(&six, "class").scheme("cart:max-leaves=15").cost("class 1", "class 2", 3.5).model().unwrap();
    let shrunk = fitted("shrunk leaf values", mixed(400, 5, 3, 0.05, 5), "cart:max-leaves=16");
    let values = shrunk.model.tree.clone().with_leaf_values(LeafValues::Laplace).unwrap();
    vec![
        fitted("two classes", two, "cart:max-leaves=24"),
        fitted("six classes", six.clone(), "cart:max-leaves=40"),
        fitted("30 values, multiway", mixed(600, 30, 3, 0.0, 7), "c45:min-leaf=4"),
        fitted("missing values spread", mixed(400, 8, 3, 0.2, 9), "c45:min-leaf=6"),
        costly,
        Sample { name: "regression", model: regression, table: numbers },
        Sample { name: "six classes with costs", model: six_costly, table: six },
        Sample { model: Model { tree: values, ..shrunk.model }, ..shrunk },
        fitted("one leaf", mixed(30, 3, 2, 0.1, 11), "cart:max-leaves=1"),
    ]
}
