//! A C file without dependencies.

use secateur::Result;

use super::flat::{Flat, FlatNode, Test};
use super::nested::{self, Syntax};
use super::source;
use super::template::fill;
use super::text::{c_text, inside, lines, number, words};
use crate::export::{Carries, Format, Job, NAME, Written};
use crate::verify::GCC;

/// C source.
pub(in crate::export) static FORMAT: Format = Format {
    id: "c",
    one_line: "a C file without dependencies: NAME_predict for a row, NAME_predict_many for many",
    extension: "c",
    options: &[NAME],
    carries: Carries::ALL,
    write,
    consumers: |_| vec![&GCC],
};

fn write(job: &Job) -> Result<Written> {
    let mut source = source(FORMAT.id, job)?;
    let flat = &source.flat;
    let name = words(job.options.text("name"));
    let texts = |list: &mut dyn Iterator<Item = &str>| lines(list.map(c_text));
    let values = || flat.inputs.iter().flat_map(|input| input.values());
    source.words.extend([
        ("NAME", name.to_ascii_uppercase()),
        ("name", name),
        ("width", job.classes().len().max(1).to_string()),
        ("target", comment(job.tree().schema().target.name())),
        ("scheme", comment(&job.model.scheme)),
        ("inputs", texts(&mut flat.inputs.iter().map(|input| input.name()))),
        ("values", texts(&mut values().map(String::as_str))),
        ("value lengths", lines(values().map(|value| value.len().to_string()))),
        ("lists", lists(flat)),
        ("class names", texts(&mut job.classes().iter().map(String::as_str))),
        ("cost matrix", numbers(job.tree().costs().map_or(&[][..], |costs| costs.matrix()).iter().copied())),
        ("nodes", lines(flat.nodes.iter().map(|one| node(one, flat.inputs.len())))),
        (
            "shares at",
            lines(
                flat.nodes
                    .iter()
                    .map(|node| format!("{{{}, {}, {}}}", node.shares, node.branches, node.missing)),
            ),
        ),
        ("branches", lines(flat.branches.iter().map(i64::to_string))),
        ("shares", numbers(flat.shares.iter().copied())),
        ("leaves", lines(flat.leaves.iter().map(|(node, said)| format!("{{{node}, {}}}", said.label)))),
        ("leaf numbers", numbers(flat.numbers())),
        ("tests", if nested::is_small(flat) { nested::tests(flat, &SYNTAX, 4) } else { String::new() }),
    ]);
    Ok(fill(include_str!("tree.c"), &source.flags, &source.words).into())
}

pub(super) const SYNTAX: Syntax = Syntax {
    first: |test| format!("if ({test}) {{"),
    next: |test| format!("}} else if ({test}) {{"),
    end: "}",
    below: |input, number| format!("x[{input}] < {number}"),
    not_below: |input, number| format!("x[{input}] >= {number}"),
    one_of: |input, codes| {
        let tests: Vec<String> = codes.iter().map(|code| format!("x[{input}] == {code}")).collect();
        tests.join(" || ")
    },
    missing: |input| format!("x[{input}] != x[{input}]"),
    known: |input| format!("x[{input}] == x[{input}]"),
    not: |test| format!("!({test})"),
    or: " || ",
    leaf: |leaf| format!("return {leaf};"),
    nowhere: "return -1;",
    note: |text| format!(" /* {} */", comment(text)),
};

/// A text in a comment: quoted, and with nothing that could end the comment.
fn comment(text: &str) -> String {
    inside(&c_text(text)).replace("*/", "* /").replace("/*", "/ *")
}

fn numbers(list: impl Iterator<Item = f64>) -> String {
    lines(list.map(number))
}

fn node(node: &FlatNode, inputs: usize) -> String {
    let (test, input, first) = match node.test {
        Test::Leaf(leaf) => ("0".into(), -1, leaf),
        Test::Below(below) => (number(below), node.input as i64, node.first),
        Test::Listed(list) => (list.to_string(), -2 - node.input as i64, node.first),
        Test::Known => ("0".into(), -2 - (inputs + node.input) as i64, node.first),
    };
    format!("{{{test}, {input}, {first}}}")
}

/// Where the list of every input begins, and where the last one ends.
fn lists(flat: &Flat) -> String {
    let mut ends = vec![0];
    for input in flat.inputs.iter() {
        ends.push(ends[ends.len() - 1] + input.values().len());
    }
    lines(ends.iter().map(usize::to_string))
}
