//! The trees that every format is tried with.

use secateur::data::{Nominal, Roles, Values, builtin};
use secateur::prelude::*;
use secateur::schema::ShownAs;
use secateur::tree::LeafValues;
use serde_json::{Value, json};

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

/// A model with other leaf values.
fn with(model: &Model, values: LeafValues) -> Model {
    Model { tree: model.tree.clone().with_leaf_values(values).unwrap(), ..model.clone() }
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
    vec![
        fitted("two classes", two, "cart:max-leaves=24"),
        fitted("six classes", six.clone(), "cart:max-leaves=40"),
        fitted("30 values, multiway", mixed(600, 30, 3, 0.0, 7), "c45:min-leaf=4"),
        fitted("missing values spread", mixed(400, 8, 3, 0.2, 9), "c45:min-leaf=6"),
        costly,
        Sample {
            name: "regression, m",
            model: with(&regression, LeafValues::M(2.0)),
            table: numbers.clone(),
        },
        Sample { name: "regression", model: regression, table: numbers },
        Sample { name: "six classes with costs", model: six_costly, table: six },
        fitted(
            "shrunk leaf values",
            mixed(400, 5, 3, 0.05, 5),
            "cart:max-leaves=16,leaf-values=shrink,leaf-lambda=5",
        ),
        fitted("laplace", mixed(300, 5, 3, 0.0, 6), "cart:max-leaves=16,leaf-values=laplace"),
        fitted("missing in a branch", mixed(400, 6, 3, 0.2, 21), "cart:max-leaves=20,missing=branch"),
        fitted("missing in a branch of many", mixed(400, 6, 2, 0.2, 22), "c45:missing=branch,min-leaf=8"),
        fitted(
            "gaps in numbers",
            mixed(400, 4, 3, 0.2, 23).without(&["colour".into()]),
            "cart:max-leaves=20",
        ),
        fitted("one leaf", mixed(30, 3, 2, 0.1, 11), "cart:max-leaves=1"),
        fitted("bins and a guard", mixed(500, 6, 3, 0.05, 33), "cart:max-leaves=20,bins=16,value-guard"),
        sent(),
        sent_by_hand(),
        dated(),
        ordered(),
        deep(),
        extreme("extreme thresholds", false),
        extreme("extreme numbers", true),
    ]
}

/// A model changed as a file.
fn changed(model: &Model, change: impl FnOnce(&mut Value)) -> Model {
    let mut bytes = Vec::new();
    model.to_json(&mut bytes).unwrap();
    let mut value: Value = serde_json::from_slice(&bytes).unwrap();
    change(&mut value);
    model_of(value)
}

/// A model of version 2 from its parts.
fn model_of(mut value: Value) -> Model {
    let parts = value.as_object_mut().unwrap();
    parts.remove("format");
    parts.remove("version");
    // The nodes come last, whatever order the parts are kept in.
    let mut nodes = parts.remove("nodes").unwrap();
    let splits = nodes.as_array_mut().unwrap().iter_mut().filter(|node| node.get("split").is_some());
    for (rank, node) in splits.enumerate() {
        node.as_object_mut().unwrap().entry("rank").or_insert(json!(rank));
    }
    let rest = value.to_string();
    let rest = &rest[1..rest.len() - 1];
    let text = format!("{{\"format\": \"secateur-model\", \"version\": 2, {rest}, \"nodes\": {nodes}}}");
    Model::from_json("made", text.as_bytes()).unwrap()
}

/// Missing values go to one side at two of three tests.
fn sent() -> Sample {
    let sample = fitted("missing values sent", mixed(400, 6, 3, 0.1, 13), "cart:max-leaves=30");
    let model = changed(&sample.model, |value| {
        for (place, node) in value["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
            if let (Some(split), 1..) = (node.get_mut("split"), place % 3) {
                split["missing"] = json!(if place % 3 == 1 { "left" } else { "right" });
            }
        }
    });
    Sample { model, ..sample }
}

/// Every kind of test that says where missing values go.
fn sent_by_hand() -> Sample {
    let leaf = |parent: usize, counts: [f64; 2]| json!({"parent": parent, "rows": 9, "weight": counts[0] + counts[1], "counts": counts});
    let split = |parent: Option<usize>, split: Value, first_child: usize, counts: [f64; 2]| {
        let weight = counts[0] + counts[1];
        json!({"parent": parent, "split": split, "first_child": first_child, "rows": 9, "weight": weight, "counts": counts})
    };
    let nodes = [
        split(None, json!({"attribute": "x", "less_than": 5.5, "missing": "right"}), 1, [60.0, 70.0]),
        split(
            Some(0),
            json!({"attribute": "colour", "each_value": true, "missing": "branch"}),
            3,
            [25.0, 35.0],
        ),
        split(Some(0), json!({"attribute": "y one", "known": true}), 7, [35.0, 35.0]),
        leaf(1, [1.0, 9.0]),
        leaf(1, [7.0, 3.0]),
        leaf(1, [9.0, 12.0]),
        leaf(1, [8.0, 11.0]),
        split(Some(2), json!({"attribute": "y one", "less_than": 0.05, "missing": "left"}), 9, [15.0, 25.0]),
        split(
            Some(2),
            json!({"attribute": "colour", "left": ["value 0"], "right": ["value 2"], "missing": "left"}),
            11,
            [20.0, 10.0],
        ),
        leaf(7, [4.0, 16.0]),
        split(Some(7), json!({"attribute": "colour", "known": true}), 13, [11.0, 9.0]),
        leaf(8, [13.0, 3.0]),
        leaf(8, [7.0, 7.0]),
        leaf(10, [10.0, 2.0]),
        leaf(10, [1.0, 7.0]),
    ];
    let values: Vec<String> = (0..3).map(|value| format!("value {value}")).collect();
    let model = json!({
        "scheme": "cart",
        "attributes": [
            {"name": "x", "type": "numeric"},
            {"name": "y one", "type": "numeric"},
            {"name": "colour", "type": "nominal", "values": values},
        ],
        "target": {"type": "classes", "name": "class", "classes": ["class 0", "class 1"]},
        "nodes": nodes,
    });
    Sample { name: "missing values sent, by hand", model: model_of(model), table: mixed(200, 4, 2, 0.2, 15) }
}

/// Columns of dates and of times of day.
fn dated() -> Sample {
    let mut random = Numbers(19);
    let (mut begun, mut at, mut class) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..300 {
        let (day, second) =
            ((random.next() * 20_000.0).floor() - 4_000.0, (random.next() * 86_399.0).floor());
        begun.push(day * 86_400.0);
        at.push(second);
        class.push(if (day / 700.0).floor() as i64 % 2 == 0 || second > 50_000.0 { "a" } else { "b" });
    }
    let table =
        Table::builder().numeric("begun", begun).numeric("at", at).text("class", class).build().unwrap();
    fitted("dates", table.with_shown_as(vec![ShownAs::Date, ShownAs::Time]), "cart:max-leaves=20")
}

/// Values that have an order, which splits keep.
fn ordered() -> Sample {
    let mut random = Numbers(37);
    let sizes = ["XS", "S", "M", "L", "XL", "XXL"];
    let picked: Vec<usize> = (0..400).map(|_| random.below(sizes.len())).collect();
    let x: Vec<f64> = (0..400).map(|_| random.next() * 8.0).collect();
    let class =
        picked.iter().zip(&x).map(|(&size, x)| if size as f64 + x > 6.0 || size == 1 { "a" } else { "b" });
    let levels = sizes.map(String::from).to_vec();
    let codes = picked.iter().map(|&size| size as u32).collect();
    let table = Table::builder()
        .column("size", Values::Nominal(Nominal { levels, codes }))
        .numeric("x", x.clone())
        .text("class", class.collect::<Vec<_>>())
        .build()
        .unwrap();
    let roles = Roles { target: Some("class".into()), ordered: vec!["size".into()], ..Roles::default() };
    let model = Fit::with_roles(&table, roles).scheme("cart:max-leaves=20").model().unwrap();
    Sample { name: "ordered values", model, table }
}

/// A chain: every split takes off one row more.
fn deep() -> Sample {
    let x: Vec<f64> = (0..26).map(f64::from).collect();
    let table = Table::builder()
        .numeric("x", x.clone())
        .numeric("class", x.iter().map(|x| 3f64.powf(*x)).collect::<Vec<_>>())
        .build()
        .unwrap();
    let sample = fitted("deep", table, "cart:min-leaf=1");
    assert!(sample.model.tree.depth() > 20, "{}", sample.model.tree.depth());
    sample
}

/// Thresholds of all sizes, whose digits no text may lose; with `all` numbers, too, and a threshold with nothing below it.
fn extreme(name: &'static str, all: bool) -> Sample {
    let cuts = [
        f64::MIN,
        -1e300,
        -16_777_217.0,
        -1e-310,
        -5e-324,
        0.0,
        5e-324,
        f64::MIN_POSITIVE,
        1e-10,
        0.1 + 0.2,
        16_777_217.0,
        9_007_199_254_740_993.0,
        1e22,
        123_456_789_012_345_680_000.0,
        1e300,
        f64::MAX,
    ];
    let says = [
        -0.0,
        5e-324,
        1e-310,
        -1e150,
        1.0 / 3.0,
        0.1 + 0.2,
        1e22,
        -123_456_789.123_456_79,
        1e150,
        9_007_199_254_740_993.0,
        2.5e-7,
        -1e-7,
        1e15,
        1e16,
        1e17,
        3.0,
        -7.0,
    ];
    let says = if all { says } else { std::array::from_fn(|place| place as f64 / 3.0) };
    let cuts = &cuts[usize::from(!all)..];
    let mut nodes = Vec::new();
    for (place, (cut, said)) in cuts.iter().zip(&says).enumerate() {
        let (node, left) = (2 * place, cuts.len() - place + 1);
        let parent = if place == 0 { Value::Null } else { json!(node - 2) };
        nodes.push(json!({"parent": parent, "split": {"attribute": "x", "less_than": cut}, "first_child": node + 1, "rows": left,
            "weight": left, "mean": 1.0, "mse": 1.0}));
        nodes.push(json!({"parent": node, "rows": 1, "weight": 1, "mean": said, "mse": 0.0}));
    }
    let last = 2 * cuts.len() - 2;
    nodes.push(json!({"parent": last, "rows": 1, "weight": 1, "mean": says[cuts.len()], "mse": 0.0}));
    let model = json!({
        "scheme": "cart",
        "attributes": [{"name": "x", "type": "numeric"}],
        "target": {"type": "number", "name": "y"},
        "nodes": nodes,
    });
    let x: Vec<f64> = cuts.iter().flat_map(|cut| [*cut, cut / 3.0]).collect();
    let table = Table::builder().numeric("x", x).build().unwrap();
    Sample { name, model: model_of(in_order(model)), table }
}

/// A model whose nodes are put into the order of the arena: every split appends its children.
fn in_order(mut model: Value) -> Value {
    let nodes: Vec<Value> = model["nodes"].as_array().unwrap().clone();
    let children = |place: usize| -> Vec<usize> {
        (0..nodes.len()).filter(|&node| nodes[node]["parent"].as_u64() == Some(place as u64)).collect()
    };
    let mut order = vec![0];
    let mut at = 0;
    while at < order.len() {
        order.extend(children(order[at]));
        at += 1;
    }
    let place = |node: usize| order.iter().position(|&other| other == node).unwrap();
    let moved = order.iter().map(|&node| {
        let mut moved = nodes[node].clone();
        if let Some(parent) = nodes[node]["parent"].as_u64() {
            moved["parent"] = json!(place(parent as usize));
        }
        if let Some(&first) = children(node).first() {
            moved["first_child"] = json!(place(first));
        }
        moved
    });
    model["nodes"] = moved.collect();
    model
}
