//! The rules of a tree as JSON: for every leaf the tests on the way to it, what it says, and the share of a row without a known value
//! that each branch gets. Nothing is lost: the product of the shares is the part of a row that a rule answers.

use std::io::Write;

use secateur::Result;
use secateur::report::{NodeText, Test};
use secateur::schema::Cell;
use secateur::tree::{Condition, NodeId};
use serde_json::{Value, json};

use super::format::refused;
use super::said::{ends_at_leaves, leaves, said};
use super::{Carries, Format, Job, Written};
use crate::verify::RULES;

/// The most tests in one file: a rule repeats all tests on its way.
const MOST_TESTS: usize = 1_000_000;

/// JSON rules.
pub(super) static FORMAT: Format = Format {
    id: "json-rules",
    one_line: "a rule for every leaf as JSON, for rule engines and for people",
    extension: "json",
    options: &[],
    carries: Carries {
        note: "a rule repeats all tests on its way; the shares of rows without a value stand beside the tests",
        ..Carries::ALL
    },
    write,
    consumers: |_| vec![&RULES],
};

fn write(job: &Job) -> Result<Written> {
    let (tree, schema) = (job.tree(), job.tree().schema());
    let depths = tree.depths();
    let ends = leaves(tree);
    let tests: usize = ends.iter().map(|&leaf| depths[leaf] as usize).sum();
    if tests > MOST_TESTS {
        return Err(refused(
            FORMAT.id,
            format!("its rules would have {tests} tests; at most {MOST_TESTS} are written"),
        ));
    }
    if !ends_at_leaves(tree) {
        return Err(refused(
            FORMAT.id,
            "it is so deep that the shares of a row in parts round to 0; prune it",
        ));
    }
    let inputs: Vec<Value> = job.inputs().iter().map(|input| json!(input.attribute)).collect();
    let head = [
        ("format", json!("secateur-rules")),
        ("version", json!(1)),
        ("made_by", json!(concat!("secateur ", env!("CARGO_PKG_VERSION")))),
        ("scheme", json!(job.model.scheme)),
        ("target", json!(schema.target)),
        ("costs", json!(tree.costs().map(|costs| costs.matrix()))),
        ("inputs", json!(inputs)),
        (
            "how",
            json!(
                "A rule answers the part of a row that is the product of its tests: 1 for a value that passes, 0 for one that does \
                 not (with `any_value` every value passes, or none), and `share` for a value that is missing (unless `missing` says whether it passes), that is not among the \
                 values of its input, or that `unknown` lists. What the rules say is added by these parts, in their order."
            ),
        ),
    ];
    let mut out = b"{\n".to_vec();
    for (name, value) in head {
        let _ = writeln!(out, "  \"{name}\": {value},");
    }
    out.extend(b"  \"rules\": [\n");
    let words = NodeText::new(tree);
    for (place, &leaf) in ends.iter().enumerate() {
        let comma = if place + 1 == ends.len() { "" } else { "," };
        let _ = writeln!(out, "    {}{comma}", rule(job, &words, leaf));
    }
    out.extend(b"  ]\n}\n");
    Ok(out.into())
}

/// One rule.
fn rule(job: &Job, words: &NodeText, leaf: NodeId) -> Value {
    let (tree, said) = (job.tree(), said(job.tree(), leaf));
    let way = tree.get(leaf).map(|leaf| leaf.way()).unwrap_or_default();
    let text: Vec<String> = way.iter().skip(1).map(|node| words.branch(*node)).collect();
    let when: Vec<Value> = way.windows(2).filter_map(|pair| test(job, pair[0].id(), pair[1].id())).collect();
    let mut rule = json!({ "leaf": leaf, "if": text.join(" and "), "when": when });
    match job.classes().get(said.label) {
        Some(class) => {
            rule["prediction"] = json!(class);
            rule["probabilities"] = json!(said.numbers);
        }
        None => rule["prediction"] = json!(said.numbers[0]),
    }
    if tree.has_counts() {
        rule["rows"] = json!(tree.node(leaf).rows);
        rule["weight"] = json!(tree.node(leaf).weight);
    }
    rule
}

/// What a branch asks.
fn test(job: &Job, parent: NodeId, child: NodeId) -> Option<Value> {
    let tree = job.tree();
    let condition = tree.node(parent).condition.as_ref()?;
    let attribute = &tree.schema().attributes[condition.attribute()];
    let branch = child - tree.children(parent).start;
    let mut test = json!({ "node": parent, "branch": branch, "input": attribute.name });
    let text = |code: &u32| attribute.values().get(*code as usize);
    match Test::of_branch(condition, branch) {
        Test::Range { low, high, .. } => {
            if let Some(low) = low {
                test["at_least"] = json!(low);
            }
            if let Some(high) = high {
                test["less_than"] = json!(high);
            }
        }
        Test::Values { codes, .. } => test["one_of"] = json!(codes.iter().map(text).collect::<Vec<_>>()),
        Test::Known | Test::Missing => {}
    }
    if let Condition::Known { .. } = condition {
        test["any_value"] = json!(branch == 0);
    }
    if let Some(takes) = condition.missing() {
        test["missing"] = json!(takes == branch);
    }
    let unknown: Vec<&String> = (0..)
        .zip(attribute.values())
        .filter(|(code, _)| condition.route(Cell::Code(*code)).is_none())
        .map(|(_, value)| value)
        .collect();
    if !unknown.is_empty() {
        test["unknown"] = json!(unknown);
    }
    test["share"] = json!(tree.shares(parent)[branch]);
    Some(test)
}
