//! A small tree written out: a CASE inside a CASE finds the leaf, and rows without a known value on their way are added up from the
//! shares of all leaves.

use std::fmt::Write;

use secateur::tree::{Condition, NodeId, Tree};

use super::Query;
use super::dialect::Dialect;
use crate::export::said::{leaves, said};

/// Whether a tree is small enough. The sums for rows in parts have a term for every leaf and class, each as long as the way to it.
pub(super) fn is_small(tree: &Tree, dialect: Dialect) -> bool {
    let (leaves, depth) = (tree.leaves(), tree.depth());
    // The parser of SQLite has a stack of 100 symbols, of which a CASE takes six: a view with 13 inside each other is refused.
    let deepest = if dialect == Dialect::Sqlite { 10 } else { 40 };
    let values = |condition: &Condition| tree.schema().attributes[condition.attribute()].values().len();
    let listed: usize = tree.nodes().iter().filter_map(|node| node.condition.as_ref()).map(values).sum();
    leaves <= 128
        && depth <= deepest
        && leaves * depth.max(1) * tree.schema().target.classes().len().max(1) <= 20_000
        && listed <= 5_000
}

/// The steps from the rows to the answers: from the step `secateur_input`, with the inputs as `x0`, `x1` …, to `secateur_answer`.
pub(super) fn steps(query: &Query) -> Vec<(String, String)> {
    let tree = query.job.tree();
    let mut steps = vec![(
        "secateur_way".to_string(),
        format!("SELECT i.*,\n{} AS leaf\n    FROM secateur_input AS i", way(query)),
    )];
    steps.push((leaf_table_head(query), leaf_table(query)));
    let kept = query.kept("w");
    let columns = query.number_columns();
    let whole = format!(
        "SELECT {kept}w.leaf, l.prediction{}\n    FROM secateur_way AS w JOIN secateur_leaves AS l ON l.leaf = w.leaf",
        columns.iter().map(|column| format!(", l.{column}")).collect::<String>()
    );
    if tree.is_leaf(0) {
        steps.push(("secateur_answer".into(), whole));
        return steps;
    }
    parts(query, &mut steps);
    let columns: String = columns.iter().map(|column| format!(", {column}")).collect();
    let parts =
        format!("SELECT {}p.leaf, p.prediction{columns}\n    FROM secateur_decided AS p", query.kept("p"));
    steps.push(("secateur_answer".into(), format!("{whole}\n    UNION ALL\n    {parts}")));
    steps
}

/// What a value must be for a branch.
fn test(query: &Query, node: NodeId, branch: usize) -> String {
    let (tree, dialect) = (query.job.tree(), query.dialect);
    let Some(condition) = &tree.node(node).condition else { return String::new() };
    let x = format!("x{}", query.inputs.place(condition.attribute()));
    let takes_missing = condition.missing() == Some(branch);
    let or_missing = |test: String| match takes_missing {
        true => format!("({test} OR {x} IS NULL)"),
        false => test,
    };
    match condition {
        Condition::Threshold { below, .. } => {
            let sign = if branch == 0 { "<" } else { ">=" };
            return or_missing(format!("{x} {sign} {}", dialect.number(*below)));
        }
        Condition::Known { .. } => return format!("{x} IS {}NULL", if branch == 0 { "NOT " } else { "" }),
        _ => {}
    }
    let values = tree.schema().attributes[condition.attribute()].values();
    let goes = |&(code, _): &(usize, &String)| {
        condition.route(secateur::schema::Cell::Code(code as u32)) == Some(branch)
    };
    let texts: Vec<String> =
        values.iter().enumerate().filter(goes).filter_map(|(_, value)| dialect.text(value)).collect();
    match texts.as_slice() {
        [] if takes_missing => format!("{x} IS NULL"),
        [] => "1 = 0".into(),
        [one] => or_missing(format!("{x} = {one}")),
        _ => or_missing(format!("{x} IN ({})", texts.join(", "))),
    }
}

/// The leaf of a row, or NULL where a value is missing on its way.
fn way(query: &Query) -> String {
    enum Piece {
        Node(NodeId, usize),
        Text(usize, String),
    }
    let tree = query.job.tree();
    if tree.is_leaf(0) {
        return "        0".into();
    }
    let mut out = String::new();
    let mut waiting = vec![Piece::Node(0, 2)];
    while let Some(piece) = waiting.pop() {
        match piece {
            Piece::Text(level, text) => {
                let _ = writeln!(out, "{}{text}", "    ".repeat(level));
            }
            Piece::Node(node, level) => {
                let mut pieces = vec![Piece::Text(level, "CASE".into())];
                for (branch, child) in tree.children(node).enumerate() {
                    let test = test(query, node, branch);
                    if tree.is_leaf(child) {
                        pieces.push(Piece::Text(level + 1, format!("WHEN {test} THEN {child}")));
                    } else {
                        pieces.push(Piece::Text(level + 1, format!("WHEN {test} THEN")));
                        pieces.push(Piece::Node(child, level + 1));
                    }
                }
                pieces.push(Piece::Text(level, "END".into()));
                waiting.extend(pieces.into_iter().rev());
            }
        }
    }
    out.trim_end().to_string()
}

fn leaf_table_head(query: &Query) -> String {
    let columns: String = query.number_columns().iter().map(|column| format!(", {column}")).collect();
    format!("secateur_leaves(leaf, prediction{columns})")
}

/// What every leaf says.
fn leaf_table(query: &Query) -> String {
    let tree = query.job.tree();
    let row = |leaf: NodeId| {
        let said = said(tree, leaf);
        let numbers: Vec<String> = said.numbers.iter().map(|x| query.dialect.number(*x)).collect();
        match query.job.classes().get(said.label) {
            Some(class) => format!("({leaf}, {}, {})", query.label(class), numbers.join(", ")),
            None => format!("({leaf}, {})", numbers[0]),
        }
    };
    let rows: Vec<String> = leaves(tree).into_iter().map(row).collect();
    format!("VALUES\n        {}", rows.join(",\n        "))
}

/// Rows that go down in parts: which branch a row takes at every test, the share of the row that reaches every node, and what the
/// leaves say by their shares.
fn parts(query: &Query, steps: &mut Vec<(String, String)>) {
    let (tree, dialect) = (query.job.tree(), query.dialect);
    let tests: Vec<NodeId> = (0..tree.nodes().len()).filter(|&node| !tree.is_leaf(node)).collect();
    let branch = |&node: &NodeId| {
        let whens = (0..tree.children(node).len())
            .map(|branch| format!(" WHEN {} THEN {branch}", test(query, node, branch)));
        format!(",\n        CASE{} END AS b{node}", whens.collect::<String>())
    };
    let branches: String = tests.iter().map(branch).collect();
    steps.push((
        "secateur_branches".into(),
        format!("SELECT w.*{branches}\n    FROM secateur_way AS w WHERE w.leaf IS NULL"),
    ));
    let depths = tree.depths();
    let mut before = "secateur_branches".to_string();
    for depth in 1..=tree.depth() as u32 {
        let mut columns = String::new();
        for &node in tests.iter().filter(|&&node| depths[node] + 1 == depth) {
            let all = if node == 0 { String::new() } else { format!("s{node} * ") };
            for (branch, (child, share)) in tree.children(node).zip(tree.shares(node)).enumerate() {
                let (one, none) = (dialect.number(1.0), dialect.number(0.0));
                let _ = write!(
                    columns,
                    ",\n        {all}CASE WHEN b{node} = {branch} THEN {one} WHEN b{node} IS NULL THEN {} ELSE {none} END AS s{child}",
                    dialect.number(share)
                );
            }
        }
        let name = format!("secateur_shares_{depth}");
        steps.push((name.clone(), format!("SELECT p.*{columns}\n    FROM {before} AS p")));
        before = name;
    }
    let ends = leaves(tree);
    let mut columns = String::new();
    for (place, column) in query.number_columns().iter().enumerate() {
        let _ = write!(columns, ",\n        {} AS {column}", sum(query, &ends, place));
    }
    if !tree.is_classifier() {
        let _ = write!(columns, ",\n        {} AS prediction", sum(query, &ends, 0));
    }
    let all: Vec<String> = ends.iter().map(|leaf| format!("s{leaf}")).collect();
    let _ = write!(columns, ",\n        {} AS most", dialect.extreme(true, &all));
    let kept = query.kept("p");
    let fence = query.fence();
    if let Some(last) = steps.last_mut() {
        last.0 += fence;
    }
    let all: Vec<String> = ends.iter().map(|leaf| format!("p.s{leaf}")).collect();
    steps.push((
        format!("secateur_sums{fence}"),
        format!("SELECT {kept}{}{columns}\n    FROM {before} AS p", all.join(", ")),
    ));
    let heaviest: String = ends.iter().map(|leaf| format!(" WHEN s{leaf} = most THEN {leaf}")).collect();
    super::decide::steps(query, &kept, &format!("CASE{heaviest} END"), steps);
}

/// What the leaves say to one class (or the number), from left to right. A term of 0 changes no sum.
fn sum(query: &Query, ends: &[NodeId], place: usize) -> String {
    let term = |&leaf: &NodeId| {
        let x = said(query.job.tree(), leaf).numbers[place];
        (x != 0.0).then(|| format!("s{leaf} * {}", query.dialect.number(x)))
    };
    let terms: Vec<String> = ends.iter().filter_map(term).collect();
    if terms.is_empty() { query.dialect.number(0.0) } else { terms.join(" + ") }
}
