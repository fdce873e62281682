//! A large tree as tables: rows walk down them step by step, in parts where a value is missing.

use std::fmt::Write;

use secateur::Result;
use secateur::schema::Cell;
use secateur::tree::{Condition, NodeId};

use super::Query;
use super::dialect::Dialect;
use crate::export::said::{leaves, said};

/// The most rows of one INSERT.
const ROWS: usize = 500;

/// The names of the tables, in quotes.
pub(super) struct TableNames {
    pub(super) branches: String,
    pub(super) codes: String,
    pub(super) leaves: String,
}

impl TableNames {
    pub(super) fn new(query: &Query) -> Result<Self> {
        let name = query.job.options.text("name");
        let table = |part: &str| query.dialect.qualified(&format!("{name}_{part}"));
        Ok(Self { branches: table("branches")?, codes: table("codes")?, leaves: table("leaves")? })
    }
}

/// The statements that make the tables.
pub(super) fn script(query: &Query, names: &TableNames) -> String {
    let (tree, dialect) = (query.job.tree(), query.dialect);
    let temporary = if query.job.options.is("form", "query") { "TEMPORARY " } else { "" };
    let double = dialect.double();
    let key = |columns: &str| match dialect {
        Dialect::DuckDb => String::new(),
        _ => format!(", PRIMARY KEY ({columns})"),
    };
    let mut out = String::new();
    let mut table = |name: &str, columns: String, rows: Vec<String>| {
        let _ = writeln!(out, "DROP TABLE IF EXISTS {name};\nCREATE {temporary}TABLE {name} ({columns});");
        for rows in rows.chunks(ROWS) {
            let _ = writeln!(out, "INSERT INTO {name} VALUES\n{};", rows.join(",\n"));
        }
        if dialect != Dialect::DuckDb {
            let _ = writeln!(out, "ANALYZE {name};");
        }
    };
    table(
        &names.branches,
        format!(
            "node INTEGER, branch INTEGER, child INTEGER, share {double}, input INTEGER, side INTEGER, below {double}, missing INTEGER{}",
            key("node, branch")
        ),
        (0..tree.nodes().len()).flat_map(|node| branch_rows(query, node)).collect(),
    );
    if query.inputs.iter().any(|input| !input.is_numeric()) {
        let rows = (0..tree.nodes().len()).flat_map(|node| code_rows(query, node)).collect();
        table(&names.codes, format!("node INTEGER, code INTEGER, branch INTEGER{}", key("node, code")), rows);
    }
    let columns: String = query.leaf_columns().iter().map(|column| format!(", {column} {double}")).collect();
    let row = |(place, leaf): (usize, NodeId)| {
        let numbers: String =
            said(tree, leaf).numbers.iter().map(|x| format!(", {}", dialect.number(*x))).collect();
        format!("({leaf}, {place}{numbers})")
    };
    table(
        &names.leaves,
        format!("leaf INTEGER, place INTEGER{columns}{}", key("leaf")),
        leaves(tree).into_iter().enumerate().map(row).collect(),
    );
    out
}

/// A row for every branch of a test: 0 and 1 are the sides of a threshold, 2 is for values from a list, 3 for whether there is a
/// value. Whether rows without a value go there is NULL where they go down every branch.
fn branch_rows(query: &Query, node: NodeId) -> Vec<String> {
    let (tree, dialect) = (query.job.tree(), query.dialect);
    let Some(condition) = &tree.node(node).condition else { return Vec::new() };
    let input = query.inputs.place(condition.attribute());
    let row = |(branch, (child, share)): (usize, (NodeId, f64))| {
        let share = dialect.number(share);
        let (side, below) = match condition {
            Condition::Threshold { below, .. } => (branch, dialect.number(*below)),
            Condition::Known { .. } => (3, "NULL".into()),
            _ => (2, "NULL".into()),
        };
        let missing = condition.missing().map_or("NULL".into(), |one| usize::from(one == branch).to_string());
        format!("({node}, {branch}, {child}, {share}, {input}, {side}, {below}, {missing})")
    };
    tree.children(node).zip(tree.shares(node)).enumerate().map(row).collect()
}

/// The branch of every value at a test of values from a list.
fn code_rows(query: &Query, node: NodeId) -> Vec<String> {
    let tree = query.job.tree();
    let Some(condition) =
        tree.node(node).condition.as_ref().filter(|one| !matches!(one, Condition::Known { .. }))
    else {
        return Vec::new();
    };
    let codes = 0..tree.schema().attributes[condition.attribute()].values().len() as u32;
    let row = |code: u32| Some(format!("({node}, {code}, {})", condition.route(Cell::Code(code))?));
    codes.filter_map(row).collect()
}

/// The steps from the rows (`secateur_input`, numbered `n`, lists as codes) to `secateur_answer`.
pub(super) fn steps(query: &Query, names: &TableNames) -> Vec<(String, String)> {
    let (inputs, dialect) = (&query.inputs, query.dialect);
    let xs: String = (0..inputs.len()).map(|place| format!(", x{place}")).collect();
    let pxs: String = (0..inputs.len()).map(|place| format!(", p.x{place}")).collect();
    let whens: String = (0..inputs.len()).map(|place| format!(" WHEN {place} THEN p.x{place}")).collect();
    let value = format!("CASE b.input{whens} END");
    let mut codes = String::new();
    if inputs.iter().any(|input| !input.is_numeric()) {
        let _ =
            write!(codes, "\n        LEFT JOIN {} AS c ON c.node = b.node AND c.code = {value}", names.codes);
    }
    let branch = if codes.is_empty() { "" } else { " WHEN 2 THEN c.branch = b.branch" };
    let fits = format!(
        "CASE WHEN {value} IS NULL THEN b.missing = 1 ELSE CASE b.side WHEN 0 THEN {value} < b.below WHEN 1 THEN {value} >= \
         b.below{branch} WHEN 3 THEN b.branch = 0 END END"
    );
    let one = dialect.number(1.0);
    let parts = format!(
        "SELECT n, 0, {one}{xs} FROM secateur_input\n    UNION ALL\n    SELECT p.n, b.child, CASE WHEN {fits} IS NULL THEN p.share * \
         b.share ELSE p.share END{pxs}\n    FROM secateur_parts AS p JOIN {} AS b ON b.node = p.node{codes}\n    WHERE \
         COALESCE({fits}, p.share * b.share > 0)",
        names.branches
    );
    let mut steps = vec![(format!("secateur_parts(n, node, share{xs})"), parts)];
    let columns: String = query.leaf_columns().iter().map(|column| format!(", l.{column}")).collect();
    let heaviest = "first_value(l.leaf) OVER (PARTITION BY p.n ORDER BY p.share DESC, l.place)";
    let order = "row_number() OVER (PARTITION BY p.n ORDER BY l.place)";
    steps.push((
        "secateur_ends".to_string() + if dialect == Dialect::Sqlite { " AS MATERIALIZED" } else { "" },
        format!(
            "SELECT p.n, {order} AS k, p.share, {heaviest} AS heaviest{columns}\n    FROM secateur_parts AS p JOIN {} AS l ON \
             l.leaf = p.node",
            names.leaves
        ),
    ));
    sums(query, &mut steps);
    let kept = query.kept("i");
    let answers: String = query.number_columns().iter().map(|column| format!(", d.{column}")).collect();
    super::decide::steps(query, "n, ", "heaviest", &mut steps);
    steps.push((
        "secateur_answer".into(),
        format!("SELECT {kept}d.leaf, d.prediction{answers}\n    FROM secateur_input AS i JOIN secateur_decided AS d ON d.n = i.n"),
    ));
    steps
}

/// What the leaves say by their shares, added from left to right.
fn sums(query: &Query, steps: &mut Vec<(String, String)>) {
    let columns = query.leaf_columns();
    let named =
        |column: &String| if query.job.classes().is_empty() { "prediction".into() } else { column.clone() };
    if query.dialect != Dialect::Sqlite {
        let sums: String = columns
            .iter()
            .map(|column| format!(", sum(share * {column} ORDER BY k) AS {}", named(column)))
            .collect();
        steps.push((
            "secateur_sums".into(),
            format!("SELECT n, min(heaviest) AS heaviest{sums}\n    FROM secateur_ends GROUP BY n"),
        ));
        return;
    }
    // SQLite's own sum corrects for rounding: here every term is added as elsewhere.
    let list: String = columns.iter().map(|column| format!(", {column}")).collect();
    let first: String = columns.iter().map(|column| format!(", share * {column}")).collect();
    let next: String = columns.iter().map(|column| format!(", s.{column} + e.share * e.{column}")).collect();
    steps.push((
        format!("secateur_running(n, k, heaviest{list})"),
        format!(
            "SELECT n, k, heaviest{first} FROM secateur_ends WHERE k = 1\n    UNION ALL\n    SELECT e.n, e.k, e.heaviest{next}\n    FROM \
             secateur_running AS s JOIN secateur_ends AS e ON e.n = s.n AND e.k = s.k + 1"
        ),
    ));
    let last: String = columns.iter().map(|column| format!(", {column} AS {}", named(column))).collect();
    steps.push((
        "secateur_sums".into(),
        format!("SELECT n, max(k) AS k, heaviest{last}\n    FROM secateur_running GROUP BY n"),
    ));
}
