//! A JavaScript file without dependencies.

use secateur::Result;

use super::flat::{Flat, FlatNode, Test};
use super::nested::{self, Syntax};
use super::source;
use super::template::fill;
use super::text::{inside, javascript_text, lines, number, words};
use crate::export::{Carries, Format, Job, NAME, OptionKind, OptionSpec, Written};
use crate::verify::NODE;

/// JavaScript source.
pub(in crate::export) static FORMAT: Format = Format {
    id: "javascript",
    one_line: "a JavaScript file without dependencies: predict(row), predictMany(rows)",
    extension: "js",
    options: &[
        OptionSpec {
            name: "module",
            kind: OptionKind::Words(&["common", "es"]),
            default: "common",
            help: "common: for require and for pages, under a global name; es: for import",
        },
        OptionSpec { help: "the global name in a page", ..NAME },
    ],
    carries: Carries::ALL,
    write,
    consumers: |_| vec![&NODE],
};

fn write(job: &Job) -> Result<Written> {
    let mut source = source(FORMAT.id, job)?;
    let flat = &source.flat;
    let texts = |list: &mut dyn Iterator<Item = &str>| lines(list.map(javascript_text));
    source.flags.push(("es", job.options.is("module", "es")));
    source.words.extend([
        ("name", words(job.options.text("name"))),
        ("target", javascript_text(job.tree().schema().target.name())),
        ("scheme", javascript_text(&job.model.scheme)),
        ("inputs", texts(&mut flat.inputs.iter().map(|input| input.name()))),
        ("values", values(flat)),
        ("class names", texts(&mut job.classes().iter().map(String::as_str))),
        ("cost matrix", numbers(job.tree().costs().map_or(&[][..], |costs| costs.matrix()).iter().copied())),
        ("nodes", lines(flat.nodes.iter().map(node))),
        ("branches", lines(flat.branches.iter().map(i64::to_string))),
        ("shares", numbers(flat.shares.iter().copied())),
        ("leaves", lines(flat.leaves.iter().map(|(node, said)| format!("{node}, {}", said.label)))),
        ("leaf numbers", numbers(flat.numbers())),
        ("tests", if nested::is_small(flat) { nested::tests(flat, &SYNTAX, 4) } else { String::new() }),
    ]);
    Ok(fill(include_str!("tree.js"), &source.flags, &source.words).into())
}

const SYNTAX: Syntax = Syntax {
    one_of: |input, codes| match codes {
        [one] => format!("x[{input}] === {one}"),
        _ => format!("{codes:?}.includes(x[{input}])"),
    },
    note: |text| format!(" // {}", inside(&javascript_text(text))),
    ..super::c::SYNTAX
};

fn numbers(list: impl Iterator<Item = f64>) -> String {
    lines(list.map(number))
}

fn node(node: &FlatNode) -> String {
    let (input, test, first) = match node.test {
        Test::Leaf(leaf) => (-1, "0".into(), leaf),
        Test::Below(below) => (node.input as i64, number(below), node.first),
        Test::Listed(list) => (node.input as i64, list.to_string(), node.first),
        Test::Known => (node.input as i64, "null".into(), node.first),
    };
    format!("{input}, {test}, {first}, {}, {}, {}", node.shares, node.branches, node.missing)
}

/// The values of every input.
fn values(flat: &Flat) -> String {
    let list = |input: crate::export::Input| match input.is_numeric() {
        true => "    null,\n".to_string(),
        false => {
            format!("    [\n{}    ],\n", lines(input.values().iter().map(|value| javascript_text(value))))
        }
    };
    flat.inputs.iter().map(list).collect()
}
