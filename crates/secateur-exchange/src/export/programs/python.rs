//! A Python module without dependencies.

use secateur::Result;

use super::flat::{Flat, Test};
use super::nested::{self, Syntax};
use super::source;
use super::template::fill;
use super::text::{inside, lines, number, python_text};
use crate::export::{Carries, Format, Job, Written};
use crate::verify::PYTHON;

/// Python source.
pub(in crate::export) static FORMAT: Format = Format {
    id: "python",
    one_line: "a Python module without dependencies: predict(row), predict_many(rows)",
    extension: "py",
    options: &[],
    carries: Carries::ALL,
    write,
    consumers: |_| vec![&PYTHON],
};

fn write(job: &Job) -> Result<Written> {
    let mut source = source(FORMAT.id, job)?;
    let flat = &source.flat;
    let texts = |list: &mut dyn Iterator<Item = &str>| lines(list.map(python_text));
    source.words.extend([
        ("target", python_text(job.tree().schema().target.name())),
        ("scheme", python_text(&job.model.scheme)),
        ("inputs", texts(&mut flat.inputs.iter().map(|input| input.name()))),
        ("values", values(flat)),
        ("class names", texts(&mut job.classes().iter().map(String::as_str))),
        ("cost matrix", numbers(job.tree().costs().map_or(&[][..], |costs| costs.matrix()).iter().copied())),
        ("nodes", lines(flat.nodes.iter().map(node))),
        ("branches", lines(flat.branches.iter().map(i64::to_string))),
        ("shares", numbers(flat.shares.iter().copied())),
        ("leaves", lines(flat.leaves.iter().map(|(node, said)| format!("({node}, {})", said.label)))),
        ("leaf numbers", numbers(flat.numbers())),
        ("tests", if nested::is_small(flat) { nested::tests(flat, &SYNTAX, 4) } else { String::new() }),
    ]);
    Ok(fill(include_str!("tree.py"), &source.flags, &source.words).into())
}

const SYNTAX: Syntax = Syntax {
    first: |test| format!("if {test}:"),
    next: |test| format!("elif {test}:"),
    end: "",
    below: |input, number| format!("x[{input}] < {number}"),
    not_below: |input, number| format!("x[{input}] >= {number}"),
    one_of: |input, codes| match codes {
        [one] => format!("x[{input}] == {one}"),
        _ => format!("x[{input}] in {codes:?}"),
    },
    missing: |input| format!("x[{input}] != x[{input}]"),
    known: |input| format!("x[{input}] == x[{input}]"),
    not: |test| format!("not {test}"),
    or: " or ",
    leaf: |leaf| format!("return {leaf}"),
    nowhere: "return -1",
    note: |text| format!("  # {}", inside(&python_text(text))),
};

fn numbers(list: impl Iterator<Item = f64>) -> String {
    lines(list.map(number))
}

fn node(node: &super::flat::FlatNode) -> String {
    let test = match node.test {
        Test::Leaf(leaf) => return format!("({leaf},)"),
        Test::Below(below) => number(below),
        Test::Listed(list) => list.to_string(),
        Test::Known => "None".into(),
    };
    format!("({}, {test}, {}, {}, {}, {})", node.input, node.first, node.shares, node.branches, node.missing)
}

/// The values of every input.
fn values(flat: &Flat) -> String {
    let list = |input: crate::export::Input| match input.is_numeric() {
        true => "    None,\n".to_string(),
        false => format!("    (\n{}    ),\n", lines(input.values().iter().map(|value| python_text(value)))),
    };
    flat.inputs.iter().map(list).collect()
}
