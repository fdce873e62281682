//! Rows in parts, to the last bit: a derived field for the share of the row that reaches every node, and output fields that add
//! up what the leaves say to it.
//!
//! `weightedConfidence`, which would say the same, is refused by one evaluator and mixes the nearest branches only in
//! another; these functions are computed by both. No text stands between tags, where one of them loses characters that XML escapes:
//! values are compared by `NormDiscrete`, and labels come from `Discretize`.

use secateur::tree::{NodeId, Tree};

use super::xml::Xml;
use super::{Names, number};
use crate::export::said::Said;
use crate::export::ways::{Known, Ways};

/// The most nodes for which there are derived fields, and the most levels: evaluators compute them by recursion.
pub(super) const MOST_NODES: usize = 2000;
pub(super) const DEEPEST: usize = 100;

/// The most additions in each other.
const NESTED: usize = 40;

/// Whether a tree is small enough for this.
pub(super) fn fits(tree: &Tree) -> bool {
    tree.nodes().len() <= MOST_NODES && tree.depth() <= DEEPEST
}

/// An expression while it is written.
impl Xml {
    fn apply(&mut self, function: &str, write: impl FnOnce(&mut Self)) {
        self.begin("Apply", &[("function", function)]);
        write(self);
        self.end();
    }

    fn field(&mut self, name: &str) {
        self.empty("FieldRef", &[("field", name)]);
    }

    fn number(&mut self, x: f64) {
        self.text("Constant", &[("dataType", "double")], &number(x));
    }

    /// How many of these values a field has: 1 or 0.
    fn among(&mut self, field: &str, values: &[&str]) {
        let one =
            |xml: &mut Self, value: &str| xml.empty("NormDiscrete", &[("field", field), ("value", value)]);
        match values {
            [only] => one(self, only),
            all => self.apply("sum", |xml| all.iter().for_each(|value| one(xml, value))),
        }
    }

    /// Whether a field has one of these values.
    fn is_among(&mut self, field: &str, values: &[&str]) {
        self.apply("equal", |xml| {
            xml.among(field, values);
            xml.number(1.0);
        });
    }
}

/// The derived fields.
pub(super) fn derived_fields(xml: &mut Xml, tree: &Tree, names: &Names, leaves: &[NodeId], said: &[Said]) {
    xml.begin("LocalTransformations", &[]);
    unknown(xml, tree, names);
    for node in 1..tree.nodes().len() {
        share(xml, tree, names, node);
    }
    let width = said[0].numbers.len();
    for place in 0..width {
        let terms = leaves.iter().zip(said).map(|(leaf, said)| (names.share(*leaf), said.numbers[place]));
        products(xml, &names.sum(place), terms);
    }
    if tree.is_classifier() {
        limit(xml, tree, names, width);
        place_of_label(xml, tree, names, width);
    }
    xml.end();
}

/// A derived field for the sum of fields times numbers, added up one after the other. (The function `sum` adds with more digits in one
/// evaluator, and gives other last bits.) Additions stand in each other, so that a long sum is several fields.
fn products(xml: &mut Xml, name: &str, terms: impl Iterator<Item = (String, f64)>) {
    let terms: Vec<(String, f64)> = terms.filter(|(_, number)| *number != 0.0).collect();
    let pieces: Vec<&[(String, f64)]> = terms.chunks(NESTED).collect();
    let begin = |xml: &mut Xml, name: &str| {
        xml.begin("DerivedField", &[("name", name), ("optype", "continuous"), ("dataType", "double")]);
    };
    if pieces.is_empty() {
        begin(xml, name);
        xml.number(0.0);
        return xml.end();
    }
    for (at, piece) in pieces.iter().enumerate() {
        let is_last = at + 1 == pieces.len();
        begin(xml, &if is_last { name.to_string() } else { format!("{name} up to {at}") });
        let additions = if at == 0 { piece.len() - 1 } else { piece.len() };
        (0..additions).for_each(|_| xml.begin("Apply", &[("function", "+")]));
        if at > 0 {
            xml.field(&format!("{name} up to {}", at - 1));
        }
        for (place, (field, number)) in piece.iter().enumerate() {
            xml.apply("*", |xml| {
                xml.field(field);
                xml.number(*number);
            });
            if at > 0 || place > 0 {
                xml.end();
            }
        }
        xml.end();
    }
}

/// Whether the row has a value that is unknown at some split of its column.
fn unknown(xml: &mut Xml, tree: &Tree, names: &Names) {
    let attributes = &tree.schema().attributes;
    let mut is_spread = vec![false; attributes.len()];
    // Whether unseen values go down every branch somewhere, and the values that go one way everywhere.
    let mut is_strange = vec![false; attributes.len()];
    let mut good: Vec<Vec<bool>> = attributes.iter().map(|a| vec![true; a.values().len()]).collect();
    for ways in (0..tree.nodes().len()).filter_map(|node| Ways::of(tree, node)) {
        is_spread[ways.attribute] |= ways.missing.is_none();
        is_strange[ways.attribute] |= ways.unseen.is_none();
        if let Known::Values(branches) = &ways.known {
            let good = good[ways.attribute].iter_mut().zip(branches);
            good.for_each(|(good, branch)| *good &= branch.is_some());
        }
    }
    let flag = |xml: &mut Xml, is_set: bool| xml.number(f64::from(u8::from(is_set)));
    xml.begin(
        "DerivedField",
        &[("name", &names.unknown), ("optype", "categorical"), ("dataType", "boolean")],
    );
    xml.apply("greaterThan", |xml| {
        xml.apply("sum", |xml| {
            for (place, attribute) in attributes.iter().enumerate() {
                if !is_spread[place] && !is_strange[place] {
                    continue;
                }
                let values = attribute.values().iter().zip(&good[place]).filter(|(_, good)| **good);
                let values: Vec<&str> = values.map(|(value, _)| value.as_str()).collect();
                xml.apply("if", |xml| {
                    xml.apply("isMissing", |xml| xml.field(&attribute.name));
                    flag(xml, is_spread[place]);
                    match (is_strange[place], values.is_empty()) {
                        (false, _) => flag(xml, false),
                        (true, true) => flag(xml, true),
                        (true, false) => xml.apply("-", |xml| {
                            flag(xml, true);
                            xml.among(&attribute.name, &values);
                        }),
                    }
                });
            }
        });
        xml.number(0.0);
    });
    xml.end();
}

/// The share of the row that reaches a node: all, nothing or a part of what reaches its parent.
fn share(xml: &mut Xml, tree: &Tree, names: &Names, node: NodeId) {
    let parent = tree.node(node).parent.map_or(0, |parent| parent as usize);
    let Some(ways) = Ways::of(tree, parent) else { return };
    let branch = node - tree.children(parent).start;
    let attribute = &tree.schema().attributes[ways.attribute];
    let part = tree.shares(parent)[branch];
    let of_parent = |xml: &mut Xml| match parent {
        0 => xml.number(1.0),
        _ => xml.field(&names.share(parent)),
    };
    let for_missing = |xml: &mut Xml| match ways.missing {
        None => xml.apply("*", |xml| {
            of_parent(xml);
            xml.number(part);
        }),
        Some(way) if way == branch => of_parent(xml),
        Some(_) => xml.number(0.0),
    };
    xml.begin(
        "DerivedField",
        &[("name", &names.share(node)), ("optype", "continuous"), ("dataType", "double")],
    );
    xml.begin("Apply", &[("function", "if")]);
    xml.apply("isMissing", |xml| xml.field(&attribute.name));
    for_missing(xml);
    match &ways.known {
        _ if ways.is_known_from_missing() => match branch {
            0 => of_parent(xml),
            _ => xml.number(0.0),
        },
        Known::AnyNumber => {}
        Known::Below(threshold) => xml.apply("if", |xml| {
            xml.apply(if branch == 0 { "lessThan" } else { "greaterOrEqual" }, |xml| {
                xml.field(&attribute.name);
                xml.number(*threshold);
            });
            of_parent(xml);
            xml.number(0.0);
        }),
        Known::Values(branches) => by_value(xml, attribute, branches, branch, &of_parent, part),
    }
    xml.end();
    xml.end();
}

fn by_value(
    xml: &mut Xml,
    attribute: &secateur::schema::Attribute,
    branches: &[Option<usize>],
    branch: usize,
    of_parent: &dyn Fn(&mut Xml),
    part: f64,
) {
    let listed = |wanted: Option<usize>| -> Vec<&str> {
        let values = attribute.values().iter().zip(branches);
        values.filter(|(_, way)| **way == wanted).map(|(value, _)| value.as_str()).collect()
    };
    let own = listed(Some(branch));
    let elsewhere: Vec<&str> = (attribute.values().iter().zip(branches))
        .filter(|(_, way)| way.is_some_and(|way| way != branch))
        .map(|(value, _)| value.as_str())
        .collect();
    // Values that no training row at the node had, listed or not, go down every branch.
    let strange = |xml: &mut Xml| {
        xml.apply("*", |xml| {
            of_parent(xml);
            xml.number(part);
        });
    };
    let others = |xml: &mut Xml| match elsewhere.is_empty() {
        true => strange(xml),
        false => xml.apply("if", |xml| {
            xml.is_among(&attribute.name, &elsewhere);
            xml.number(0.0);
            strange(xml);
        }),
    };
    if own.is_empty() {
        return others(xml);
    }
    xml.apply("if", |xml| {
        xml.is_among(&attribute.name, &own);
        of_parent(xml);
        others(xml);
    });
}

/// How probable, or how cheap, a class has to be to be the label: the best one up to rounding.
fn limit(xml: &mut Xml, tree: &Tree, names: &Names, classes: usize) {
    if let Some(costs) = tree.costs() {
        for label in 0..classes {
            let terms = (0..classes).map(|actual| (names.sum(actual), costs.cost(actual, label)));
            products(xml, &names.risk(label), terms);
        }
    }
    let (best, sign) = if tree.costs().is_some() { ("min", "+") } else { ("max", "-") };
    let all = |xml: &mut Xml| {
        xml.apply(best, |xml| (0..classes).for_each(|class| xml.field(&judged(tree, names, class))));
    };
    xml.begin("DerivedField", &[("name", &names.limit), ("optype", "continuous"), ("dataType", "double")]);
    xml.apply(sign, |xml| {
        all(xml);
        xml.apply("*", |xml| {
            xml.number(1e-10);
            all(xml);
        });
    });
    xml.end();
}

/// The field that a class is judged by.
fn judged(tree: &Tree, names: &Names, class: usize) -> String {
    if tree.costs().is_some() { names.risk(class) } else { names.sum(class) }
}

/// The place of the label among the classes: the first that is good enough.
fn place_of_label(xml: &mut Xml, tree: &Tree, names: &Names, classes: usize) {
    let better = if tree.costs().is_some() { "lessOrEqual" } else { "greaterOrEqual" };
    xml.begin("DerivedField", &[("name", &names.place), ("optype", "continuous"), ("dataType", "double")]);
    for class in 0..classes - 1 {
        xml.begin("Apply", &[("function", "if")]);
        xml.apply(better, |xml| {
            xml.field(&judged(tree, names, class));
            xml.field(&names.limit);
        });
        xml.number(class as f64);
    }
    xml.number((classes - 1) as f64);
    (0..classes).for_each(|_| xml.end());
}

/// The label: what the tree says, or for a row in parts the first class that is good enough.
pub(super) fn label(xml: &mut Xml, names: &Names, classes: &[String], of_tree: &str) {
    xml.apply("if", |xml| {
        xml.field(&names.unknown);
        xml.begin("Discretize", &[("field", &names.place)]);
        for (place, class) in classes.iter().enumerate() {
            let (from, to) = (number(place as f64), number(place as f64 + 1.0));
            xml.begin("DiscretizeBin", &[("binValue", class)]);
            xml.empty("Interval", &[("closure", "closedOpen"), ("leftMargin", &from), ("rightMargin", &to)]);
            xml.end();
        }
        xml.end();
        xml.field(of_tree);
    });
}

/// A probability or number: what the tree says, or for a row in parts the sum.
pub(super) fn sum(xml: &mut Xml, names: &Names, place: usize, of_tree: impl FnOnce(&mut Xml)) {
    xml.apply("if", |xml| {
        xml.field(&names.unknown);
        xml.field(&names.sum(place));
        of_tree(xml);
    });
}
