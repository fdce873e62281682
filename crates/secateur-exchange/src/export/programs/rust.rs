//! A Rust module without dependencies.

use secateur::Result;

use super::flat::{Flat, FlatNode, Test};
use super::nested::{self, Syntax};
use super::source;
use super::template::fill;
use super::text::{inside, lines, number, rust_text};
use crate::export::{Carries, Format, Job, Written};
use crate::verify::RUSTC;

/// Rust source.
pub(in crate::export) static FORMAT: Format = Format {
    id: "rust",
    one_line: "a Rust module without dependencies: predict(&row), predict_many(rows)",
    extension: "rs",
    options: &[],
    carries: Carries::ALL,
    write,
    consumers: |_| vec![&RUSTC],
};

fn write(job: &Job) -> Result<Written> {
    let mut source = source(FORMAT.id, job)?;
    let flat = &source.flat;
    let texts = |list: &mut dyn Iterator<Item = &str>| lines(list.map(rust_text));
    let numbers = |list: &mut dyn Iterator<Item = f64>| lines(list.map(number));
    let leaf_numbers = flat.leaves.iter().map(|(_, said)| {
        let numbers: Vec<String> = said.numbers.iter().map(|x| number(*x)).collect();
        format!("[{}]", numbers.join(", "))
    });
    source.words.extend([
        ("width", job.classes().len().max(1).to_string()),
        ("share count", flat.shares.len().to_string()),
        ("branch count", flat.branches.len().to_string()),
        ("target", rust_text(job.tree().schema().target.name())),
        ("scheme", rust_text(&job.model.scheme)),
        ("inputs", texts(&mut flat.inputs.iter().map(|input| input.name()))),
        ("values", values(flat)),
        ("class names", texts(&mut job.classes().iter().map(String::as_str))),
        (
            "cost matrix",
            numbers(&mut job.tree().costs().map_or(&[][..], |costs| costs.matrix()).iter().copied()),
        ),
        ("nodes", lines(flat.nodes.iter().map(|one| node(one, flat.inputs.len())))),
        (
            "shares at",
            lines(
                flat.nodes
                    .iter()
                    .map(|node| format!("({}, {}, {})", node.shares, node.branches, node.missing)),
            ),
        ),
        ("branches", lines(flat.branches.iter().map(i64::to_string))),
        ("shares", numbers(&mut flat.shares.iter().copied())),
        ("leaves", lines(flat.leaves.iter().map(|(node, said)| format!("({node}, {})", said.label)))),
        ("leaf numbers", lines(leaf_numbers)),
        ("tests", if nested::is_small(flat) { nested::tests(flat, &SYNTAX, 4) } else { String::new() }),
    ]);
    Ok(fill(include_str!("tree.rs.txt"), &source.flags, &source.words).into())
}

const SYNTAX: Syntax = Syntax {
    first: |test| format!("if {test} {{"),
    next: |test| format!("}} else if {test} {{"),
    one_of: |input, codes| {
        let tests: Vec<String> = codes.iter().map(|code| format!("x[{input}] == {code}.0")).collect();
        tests.join(" || ")
    },
    leaf: |leaf| format!("return Some({leaf});"),
    nowhere: "return None;",
    note: |text| format!(" // {}", inside(&rust_text(text))),
    ..super::c::SYNTAX
};

fn node(node: &FlatNode, inputs: usize) -> String {
    let (test, input, first) = match node.test {
        Test::Leaf(leaf) => ("0.0".into(), -1, leaf),
        Test::Below(below) => (number(below), node.input as i64, node.first),
        Test::Listed(list) => (format!("{list}.0"), -2 - node.input as i64, node.first),
        Test::Known => ("0.0".into(), -2 - (inputs + node.input) as i64, node.first),
    };
    format!("({test}, {input}, {first})")
}

/// The values of every input.
fn values(flat: &Flat) -> String {
    let list = |input: crate::export::Input| match input.is_numeric() {
        true => "    &[],\n".to_string(),
        false => format!("    &[\n{}    ],\n", lines(input.values().iter().map(|value| rust_text(value)))),
    };
    flat.inputs.iter().map(list).collect()
}
