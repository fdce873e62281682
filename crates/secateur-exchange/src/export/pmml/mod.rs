//! PMML 4.4: a `TreeModel` as people read it, and output fields that say what the tree says to rows in parts too.
//!
//! The tree sends rows without a known value to one branch (`defaultChild`): the one the tree names, or the heaviest. That is
//! not what a tree says that shares such rows out, so its answer is in the output fields `label`, `probability(…)` and `value`
//! (`exact`).

mod exact;
mod output;
mod xml;

use std::collections::HashSet;

use output::Output;
use secateur::Result;
use secateur::error::shown;
use secateur::schema::Attribute;
use secateur::tree::{LeafValues, NodeId, Stats, Tree};
use xml::Xml;

use super::format::refused;
use super::said::{self, Said, default_branch};
use super::ways::{self, Known, Ways};
use super::{Carries, Format, Job, OptionKind, OptionSpec, Written};
use crate::verify::{JPMML, PYPMML};

/// The deepest tree that is written: evaluators read nodes inside nodes by recursion.
const DEEPEST: usize = 500;

/// PMML.
pub(super) static FORMAT: Format = Format {
    id: "pmml",
    one_line: "a PMML 4.4 tree model, for JPMML and other evaluators",
    extension: "pmml",
    options: &[OptionSpec {
        name: "missing",
        kind: OptionKind::Words(&["exact", "default-child", "last-prediction"]),
        default: "exact",
        help: "rows in parts: exact in the output fields; or sent to the heaviest branch, or answered by the node they are at",
    }],
    carries: Carries {
        note: "read the output fields: the target itself sends missing values to the heaviest branch, as the fields do past 2000 nodes",
        ..Carries::ALL
    },
    write,
    consumers: |_| vec![&JPMML, &PYPMML],
};

/// How numbers are written: in the fewest digits that give the same number.
fn number(x: f64) -> String {
    format!("{x:?}")
}

/// Names of fields that are not those of columns.
struct Names {
    /// What stands before them, so that no column has such a name.
    before: String,
    unknown: String,
    limit: String,
    place: String,
    label: String,
    value: String,
    probabilities: Vec<String>,
    leaf: String,
}

impl Names {
    fn new(tree: &Tree) -> Self {
        let schema = tree.schema();
        let mut taken: HashSet<String> = schema.attributes.iter().map(|a| a.name.clone()).collect();
        taken.insert(schema.target.name().to_string());
        let mut before = String::from("secateur:");
        while taken.iter().any(|name| name.starts_with(&before)) {
            before.push(':');
        }
        let mut free = |name: String| {
            let mut name = name;
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        };
        Self {
            unknown: format!("{before}unknown"),
            limit: format!("{before}limit"),
            place: format!("{before}label"),
            label: free("label".into()),
            value: free("value".into()),
            leaf: free("leaf".into()),
            probabilities: schema
                .target
                .classes()
                .iter()
                .map(|class| free(format!("probability({class})")))
                .collect(),
            before,
        }
    }

    fn share(&self, node: NodeId) -> String {
        format!("{}share of node {node}", self.before)
    }

    fn sum(&self, place: usize) -> String {
        format!("{}sum {place}", self.before)
    }

    fn risk(&self, class: usize) -> String {
        format!("{}risk {class}", self.before)
    }

    /// What the tree itself says.
    fn of_tree(&self, what: &str) -> String {
        format!("{}tree {what}", self.before)
    }
}

fn write(job: &Job) -> Result<Written> {
    let tree = job.tree();
    if tree.depth() > DEEPEST {
        return Err(refused(
            "pmml",
            format!("it has {} levels, of which evaluators take {DEEPEST}", tree.depth()),
        ));
    }
    check_names(job)?;
    let names = Names::new(tree);
    let in_parts = ways::spreads(tree);
    let exact = in_parts && job.options.is("missing", "exact") && exact::fits(tree);
    let leaves = said::leaves(tree);
    let said: Vec<Said> = leaves.iter().map(|&leaf| said::said(tree, leaf)).collect();

    let mut xml = Xml::default();
    begin(&mut xml, job);
    let is_binary = (0..tree.nodes().len()).all(|node| tree.is_leaf(node) || tree.children(node).len() == 2);
    xml.begin(
        "TreeModel",
        &[
            ("modelName", tree.schema().target.name()),
            ("functionName", if tree.is_classifier() { "classification" } else { "regression" }),
            ("splitCharacteristic", if is_binary { "binarySplit" } else { "multiSplit" }),
            (
                "missingValueStrategy",
                if job.options.is("missing", "last-prediction") { "lastPrediction" } else { "defaultChild" },
            ),
            ("noTrueChildStrategy", "returnLastPrediction"),
        ],
    );
    mining_schema(&mut xml, job);
    extensions(&mut xml, tree, exact);
    // Where rows in parts are not answered by derived fields, some end at inner nodes.
    let ends = if in_parts && !exact { (0..tree.nodes().len()).collect() } else { leaves.clone() };
    Output { job, names: &names, ends: &ends, exact }.write(&mut xml);
    if exact {
        exact::derived_fields(&mut xml, tree, &names, &leaves, &said);
    }
    nodes(&mut xml, job);
    let text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", xml.finish());
    let mut written = Written::from(text);
    written.tolerance = output::tolerance(ends.len());
    if in_parts && !exact {
        written.whole_rows_only = true;
        written.notes.push(inexact(job));
    }
    Ok(written)
}

/// What is lost.
fn inexact(job: &Job) -> String {
    let why = if job.options.is("missing", "exact") {
        format!("the tree has more than {} nodes or {} levels; ", exact::MOST_NODES, exact::DEEPEST)
    } else {
        String::new()
    };
    let where_to = match job.options.text("missing") {
        "last-prediction" => "are answered by the node at which the value is unknown",
        _ => "go to the heaviest branch",
    };
    format!(
        "{why}rows with missing or unseen values {where_to}, and not down every branch as in the tree itself"
    )
}

/// An error for a name that XML cannot hold.
fn check_names(job: &Job) -> Result<()> {
    let schema = job.tree().schema();
    let inputs = job.inputs();
    let names = inputs
        .iter()
        .flat_map(|input| std::iter::once(input.name()).chain(input.values().iter().map(String::as_str)));
    let own = std::iter::once(schema.target.name()).chain(schema.target.classes().iter().map(String::as_str));
    let mut fields = inputs.iter().map(|input| input.name()).chain([schema.target.name()]);
    if fields.any(str::is_empty) {
        return Err(refused("pmml", "a column has an empty name, and a field cannot be without one"));
    }
    for name in names.chain(own) {
        if let Some(c) = xml::unwritable(name) {
            let reason =
                format!("{} has the character U+{:04X}, which XML cannot hold", shown(name), u32::from(c));
            return Err(refused("pmml", reason));
        }
    }
    Ok(())
}

fn begin(xml: &mut Xml, job: &Job) {
    xml.begin("PMML", &[("xmlns", "http://www.dmg.org/PMML-4_4"), ("version", "4.4")]);
    xml.begin("Header", &[("description", &job.model.scheme)]);
    xml.empty("Application", &[("name", "secateur"), ("version", env!("CARGO_PKG_VERSION"))]);
    xml.end();
    xml.begin("DataDictionary", &[]);
    for input in job.inputs().iter() {
        data_field(xml, input.name(), input.values());
    }
    let target = &job.tree().schema().target;
    data_field(xml, target.name(), target.classes());
    xml.end();
}

fn data_field(xml: &mut Xml, name: &str, values: &[String]) {
    if values.is_empty() {
        return xml.empty("DataField", &[("name", name), ("optype", "continuous"), ("dataType", "double")]);
    }
    xml.begin("DataField", &[("name", name), ("optype", "categorical"), ("dataType", "string")]);
    values.iter().for_each(|value| xml.empty("Value", &[("value", value)]));
    xml.end();
}

fn mining_schema(xml: &mut Xml, job: &Job) {
    let tree = job.tree();
    // Values that are not in a list are missing ones to PMML, unless the tree treats them otherwise.
    let mut apart = vec![false; tree.schema().attributes.len()];
    for ways in (0..tree.nodes().len()).filter_map(|node| Ways::of(tree, node)) {
        apart[ways.attribute] |= matches!(ways.known, Known::Values(_)) && ways.unseen != ways.missing;
    }
    xml.begin("MiningSchema", &[]);
    for input in job.inputs().iter() {
        let treatment = if apart[input.place] { "asIs" } else { "asMissing" };
        xml.empty("MiningField", &[("name", input.name()), ("invalidValueTreatment", treatment)]);
    }
    xml.empty("MiningField", &[("name", tree.schema().target.name()), ("usageType", "target")]);
    xml.end();
}

/// What PMML has no place for and `secateur import` reads.
fn extensions(xml: &mut Xml, tree: &Tree, exact: bool) {
    let mut one = |name: &str, value: &str| {
        xml.empty("Extension", &[("extender", "secateur"), ("name", name), ("value", value)]);
    };
    if let Some(costs) = tree.costs() {
        let rows: Vec<&[f64]> = costs.matrix().chunks(costs.classes().len()).collect();
        one("costs", &serde_json::json!(rows).to_string());
    }
    if tree.leaf_values() != LeafValues::Raw {
        one("leaf-values", &tree.leaf_values().to_string());
    }
    if !tree.has_counts() {
        one("counts", "unknown");
    }
    let is_shared = |node: &NodeId| Ways::of(tree, *node).is_some_and(|ways| ways.missing.is_none());
    let shared: Vec<NodeId> = (0..tree.nodes().len()).filter(is_shared).collect();
    if exact && !shared.is_empty() {
        one("missing-shared", &serde_json::json!(shared).to_string());
    }
    if let Stats::Numbers { mean, mse, median } = tree.stats()
        && median.is_empty()
    {
        one("mean", &serde_json::json!(mean).to_string());
        one("mse", &serde_json::json!(mse).to_string());
    }
    // Weights have a place; rows are others where rows weigh something or are counted in parts.
    if tree.nodes().iter().any(|node| node.rows as f64 != node.weight) {
        let rows: Vec<u64> = tree.nodes().iter().map(|node| node.rows).collect();
        one("rows", &serde_json::json!(rows).to_string());
    }
}

fn nodes(xml: &mut Xml, job: &Job) {
    let tree = job.tree();
    // A node, or the end of one that was begun.
    let mut waiting = vec![Some(0)];
    while let Some(next) = waiting.pop() {
        let Some(node) = next else {
            xml.end();
            continue;
        };
        begin_node(xml, job, node);
        waiting.push(None);
        waiting.extend(tree.children(node).rev().map(Some));
    }
}

fn begin_node(xml: &mut Xml, job: &Job, node: NodeId) {
    let tree = job.tree();
    let said = said::said(tree, node);
    let score = match tree.is_classifier() {
        true => job.classes()[said.label].clone(),
        false => number(said.numbers[0]),
    };
    let (id, count) = (node.to_string(), number(tree.node(node).weight));
    let mut attributes = vec![("id", id.as_str()), ("score", &score), ("recordCount", &count)];
    let default = default_child(tree, node).map(|child| child.to_string());
    if let Some(default) = default.as_ref().filter(|_| !job.options.is("missing", "last-prediction")) {
        attributes.push(("defaultChild", default));
    }
    xml.begin("Node", &attributes);
    predicate(xml, job, node);
    for ((class, probability), weight) in
        job.classes().iter().zip(&said.numbers).zip(tree.class_weights(node))
    {
        let (count, probability) = (number(*weight), number(*probability));
        xml.empty(
            "ScoreDistribution",
            &[("value", class), ("recordCount", &count), ("probability", &probability)],
        );
    }
}

/// Where rows without a value go: where the tree says, or to the heaviest branch.
fn default_child(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let ways = Ways::of(tree, node)?;
    Some(tree.children(node).start + default_branch(tree, node, &ways))
}

/// Which rows of its parent go to a node.
fn predicate(xml: &mut Xml, job: &Job, node: NodeId) {
    let tree = job.tree();
    let Some((parent, ways)) =
        tree.node(node).parent.and_then(|p| Some((p as usize, Ways::of(tree, p as usize)?)))
    else {
        return xml.empty("True", &[]);
    };
    let branch = node - tree.children(parent).start;
    let attribute: &Attribute = &tree.schema().attributes[ways.attribute];
    // Without default children a test that sends missing values somewhere must say so, in both its branches.
    let is_told = job.options.is("missing", "last-prediction") && !ways.is_known_from_missing();
    if let Some(missing) = ways.missing.filter(|_| is_told) {
        let (operator, first) = if missing == branch { ("or", "isMissing") } else { ("and", "isNotMissing") };
        xml.begin("CompoundPredicate", &[("booleanOperator", operator)]);
        xml.empty("SimplePredicate", &[("field", &attribute.name), ("operator", first)]);
        test(xml, attribute, &ways, branch);
        xml.end();
    } else {
        test(xml, attribute, &ways, branch);
    }
}

/// The test of a branch.
fn test(xml: &mut Xml, attribute: &Attribute, ways: &Ways, branch: usize) {
    let simple = |xml: &mut Xml, operator: &str, value: Option<&str>| {
        let mut attributes = vec![("field", attribute.name.as_str()), ("operator", operator)];
        attributes.extend(value.map(|value| ("value", value)));
        xml.empty("SimplePredicate", &attributes);
    };
    match &ways.known {
        Known::Below(threshold) => {
            let operator = if branch == 0 { "lessThan" } else { "greaterOrEqual" };
            simple(xml, operator, Some(&number(*threshold)));
        }
        _ if ways.is_known_from_missing() => {
            simple(xml, if branch == 0 { "isNotMissing" } else { "isMissing" }, None);
        }
        Known::AnyNumber => {}
        Known::Values(branches) => {
            let values = attribute.values().iter().zip(branches);
            let own: Vec<&str> =
                values.filter(|(_, way)| **way == Some(branch)).map(|(v, _)| v.as_str()).collect();
            match &own[..] {
                [] => simple(xml, "isMissing", None),
                [only] => simple(xml, "equal", Some(only)),
                // Not every evaluator knows how a quote in a list is written, or reads what XML escapes there.
                several if !several.iter().all(|value| value.chars().all(is_plain)) => {
                    xml.begin("CompoundPredicate", &[("booleanOperator", "or")]);
                    several.iter().for_each(|value| simple(xml, "equal", Some(value)));
                    xml.end();
                }
                several => {
                    xml.begin(
                        "SimpleSetPredicate",
                        &[("field", &attribute.name), ("booleanOperator", "isIn")],
                    );
                    let list: Vec<String> = several.iter().map(|value| format!("\"{value}\"")).collect();
                    xml.text("Array", &[("type", "string"), ("n", &list.len().to_string())], &list.join(" "));
                    xml.end();
                }
            }
        }
    }
}

/// Whether a character stands for itself everywhere.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || (c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '&' | '<' | '>'))
}
