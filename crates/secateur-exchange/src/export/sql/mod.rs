//! SQL for DuckDB, PostgreSQL and SQLite: a query, a view or a function.
//!
//! A small tree is written out ([`inline`]); a large one becomes tables that rows walk down ([`tables`]). Rows with missing
//! values go down every branch in parts, as arithmetic on shares, in the order of additions of `predict`.

mod decide;
mod dialect;
mod inline;
mod names;
mod tables;

use secateur::error::shown;
use secateur::{Error, Result};

use self::dialect::Dialect;
use self::names::Names;
use self::tables::TableNames;
use super::format::refused;
use super::said::{comes_to_nothing, ends_at_leaves};
use super::{Carries, Format, Input, Inputs, Job, OptionKind, OptionSpec, Written};
use crate::verify::{DUCKDB, POSTGRESQL, SQLITE};

/// SQL.
pub(super) static FORMAT: Format = Format {
    id: "sql",
    one_line: "SQL for DuckDB, PostgreSQL or SQLite: a query, a view or a function",
    extension: "sql",
    options: &[
        OptionSpec {
            name: "dialect",
            kind: OptionKind::Words(&["duckdb", "postgresql", "sqlite"]),
            default: "duckdb",
            help: "the database it is for",
        },
        OptionSpec {
            name: "form",
            kind: OptionKind::Words(&["query", "view", "function"]),
            default: "query",
            help: "a SELECT, a view, or a function of one row (not in SQLite)",
        },
        OptionSpec {
            name: "table",
            kind: OptionKind::Text,
            default: "data",
            help: "the table or view to predict",
        },
        OptionSpec {
            name: "name",
            kind: OptionKind::Text,
            default: "predicted",
            help: "the name of the view or function; names of tables for a large tree begin with it",
        },
        OptionSpec {
            name: "keep",
            kind: OptionKind::AnyText,
            default: "",
            help: "columns to give beside the answer, with commas between them; those that the tree tests if none are named",
        },
        OptionSpec {
            name: "dates",
            kind: OptionKind::Words(&["dates", "seconds"]),
            default: "dates",
            help: "whether columns of dates hold dates, or seconds since 1970",
        },
        OptionSpec {
            name: "layout",
            kind: OptionKind::Words(&["auto", "inline", "tables"]),
            default: "auto",
            help: "the tree written out, or as tables; auto: written out up to about 128 leaves (SQLite: and a depth of 10)",
        },
    ],
    carries: Carries { note: "missing values are NULL or NaN; SQLite has no functions", ..Carries::ALL },
    write,
    consumers: |options| match Dialect::of(options.text("dialect")) {
        Dialect::DuckDb => vec![&DUCKDB],
        Dialect::Postgres => vec![&POSTGRESQL],
        Dialect::Sqlite => vec![&SQLITE],
    },
};

/// What is asked for.
struct Query<'a> {
    job: Job<'a>,
    dialect: Dialect,
    inputs: Inputs<'a>,
    names: Names,
    /// Whether the tree stands in tables.
    in_tables: bool,
    /// Whether it is a function of one row.
    is_function: bool,
}

impl Query<'_> {
    /// The columns of the steps that hold numbers beside the prediction: a probability for every class.
    fn number_columns(&self) -> Vec<String> {
        (0..self.job.classes().len()).map(|place| format!("p{place}")).collect()
    }

    /// The same for leaves in tables, which hold the number of a tree that predicts numbers, too.
    fn leaf_columns(&self) -> Vec<String> {
        (0..self.job.classes().len().max(1)).map(|place| format!("p{place}")).collect()
    }

    /// The columns that are kept, from a step under this name.
    fn kept(&self, step: &str) -> String {
        let kept = if self.is_function { 0 } else { self.names.kept.len() };
        (0..kept).map(|place| format!("{step}.k{place}, ")).collect()
    }

    /// What keeps a step from being copied into every place that uses it: sums would be computed over and over.
    fn fence(&self) -> &'static str {
        if self.dialect == Dialect::DuckDb { "" } else { " AS MATERIALIZED" }
    }

    /// A class in quotes; [`check`] has seen that there is such a text.
    fn label(&self, class: &str) -> String {
        self.dialect.text(class).unwrap_or_else(|| "NULL".into())
    }
}

fn write(job: &Job) -> Result<Written> {
    let dialect = Dialect::of(job.options.text("dialect"));
    let (tree, inputs) = (job.tree(), job.inputs());
    let in_tables = match job.options.text("layout") {
        "inline" => false,
        _ if tree.is_leaf(0) => false,
        "tables" => true,
        _ => !inline::is_small(tree, dialect),
    };
    let names = Names::new(dialect, &inputs, job.classes(), job.options.text("keep"))?;
    let is_function = job.options.is("form", "function");
    let query = Query { job: *job, dialect, inputs, names, in_tables, is_function };
    check(&query)?;
    let tables = TableNames::new(&query)?;
    let mut steps = vec![("secateur_input".to_string(), input(&query)?)];
    if in_tables {
        if query.dialect != Dialect::DuckDb || !is_function {
            steps[0].0 += " AS MATERIALIZED";
        }
        steps.extend(tables::steps(&query, &tables));
    } else {
        steps.extend(inline::steps(&query));
    }
    let mut out = head(&query);
    if job.options.is("form", "view") {
        // Before the tables that it reads.
        out += &format!("DROP VIEW IF EXISTS {};\n", dialect.qualified(job.options.text("name"))?);
    }
    if in_tables {
        out += &tables::script(&query, &tables);
    }
    out += &statement(&query, &select(&query, &steps))?;
    Ok(out.into())
}

fn check(query: &Query) -> Result<()> {
    let (tree, dialect) = (query.job.tree(), query.dialect);
    if query.is_function && dialect == Dialect::Sqlite {
        return Err(Error::parameter("sql: SQLite has no functions in SQL; form=view makes a view"));
    }
    if query.is_function && dialect == Dialect::Postgres && query.inputs.len() > 100 {
        return Err(Error::parameter(format!(
            "sql: a function of PostgreSQL has at most 100 arguments, and the tree asks for {}; form=view makes a view",
            query.inputs.len()
        )));
    }
    if !query.in_tables && !inline::is_small(tree, dialect) {
        return Err(refused("sql", "it is too large to be written out; layout=tables makes tables"));
    }
    if !ends_at_leaves(tree) {
        return Err(refused("sql", "it is so deep that the shares of a row in parts round to 0; prune it"));
    }
    if dialect == Dialect::Postgres && comes_to_nothing(tree) {
        let reason = "parts of its numbers are too small to be numbers, which is an error in PostgreSQL";
        return Err(refused("sql", reason));
    }
    if let Some(class) = query.job.classes().iter().find(|class| dialect.text(class).is_none()) {
        let reason = format!(
            "its class {} holds the character 0, which no text of {} can",
            shown(class),
            dialect.name()
        );
        return Err(refused("sql", reason));
    }
    Ok(())
}

/// What stands at the beginning.
fn head(query: &Query) -> String {
    let (job, options) = (&query.job, query.job.options);
    let mut lines = vec![format!(
        "A decision tree for {} ({}), exported by secateur {} for {}.",
        comment(job.tree().schema().target.name()),
        comment(&job.model.scheme),
        env!("CARGO_PKG_VERSION"),
        query.dialect.name()
    )];
    let table = comment(options.text("table"));
    lines.push(match options.text("form") {
        "function" if query.dialect == Dialect::Postgres => {
            format!(
                "Use: SELECT * FROM {table} AS d, LATERAL {}(...) with the columns below.",
                comment(options.text("name"))
            )
        }
        "function" => {
            format!("Use: SELECT {}(...) FROM {table} with the columns below.", comment(options.text("name")))
        }
        _ => format!("It asks for these columns of {table}:"),
    });
    lines.extend(query.inputs.iter().map(|input| {
        let kind = if input.is_numeric() { input.attribute.shown_as.name() } else { "text" };
        format!("    {} ({kind})", comment(input.name()))
    }));
    for (class, name) in job.classes().iter().zip(&query.names.probabilities) {
        if !name.ends_with(&format!("_{class}\"")) {
            lines.push(format!("{} is the probability of {}.", comment(name), comment(class)));
        }
    }
    lines.iter().map(|line| format!("-- {line}\n")).collect()
}

/// A name in a comment, on one line whatever it holds.
fn comment(text: &str) -> String {
    let plain = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    text.chars().map(plain).collect()
}

/// The first step: the rows, with what is kept and what the tree asks for.
fn input(query: &Query) -> Result<String> {
    let dialect = query.dialect;
    let mut columns = Vec::new();
    if query.in_tables {
        columns.push(if query.is_function {
            "1 AS n".into()
        } else {
            "row_number() OVER () AS n".to_string()
        });
    }
    if !query.is_function {
        columns.extend(
            query.names.kept.iter().enumerate().map(|(place, (_, name))| format!("d.{name} AS k{place}")),
        );
    }
    for (place, input) in query.inputs.iter().enumerate() {
        let column = match query.is_function {
            true => argument(query, place)?,
            false => format!("d.{}", dialect.identifier(input.name())?),
        };
        let value = match input.is_numeric() {
            true if input.attribute.shown_as.is_plain() || query.job.options.is("dates", "seconds") => {
                dialect.number_of(&column)
            }
            true => dialect.seconds_of(&column, input.attribute.shown_as),
            false if query.in_tables => code_of(query, &input, &dialect.text_of(&column)),
            false => dialect.text_of(&column),
        };
        columns.push(format!("{value} AS x{place}"));
    }
    if columns.is_empty() {
        columns.push("1 AS no_input".into());
    }
    let from = match query.is_function {
        true => String::new(),
        false => format!("\n    FROM {} AS d", dialect.qualified(query.job.options.text("table"))?),
    };
    Ok(format!("SELECT {}{from}", columns.join(",\n        ")))
}

/// The code of a text; -1 for one that the tree has never seen.
fn code_of(query: &Query, input: &Input, text: &str) -> String {
    let known = input.values().iter().enumerate();
    let whens: String = known
        .filter_map(|(code, value)| Some(format!(" WHEN {} THEN {code}", query.dialect.text(value)?)))
        .collect();
    // A value that is in no list is a value all the same.
    format!("CASE WHEN {text} IS NULL THEN NULL ELSE CASE {text}{whens} ELSE -1 END END")
}

/// How the function knows an input.
fn argument(query: &Query, place: usize) -> Result<String> {
    match query.dialect {
        Dialect::Postgres => Ok(format!("${}", place + 1)),
        // Not the name of the input, which the steps of the query could have.
        _ => query.dialect.identifier(&format!("secateur_{place}")),
    }
}

/// The whole SELECT.
fn select(query: &Query, steps: &[(String, String)]) -> String {
    let recursive = if query.in_tables { " RECURSIVE" } else { "" };
    let steps: Vec<String> = steps
        .iter()
        .map(|(name, text)| match name.contains(" AS ") {
            true => format!("{name} (\n    {text}\n)"),
            false => format!("{name} AS (\n    {text}\n)"),
        })
        .collect();
    let Names { kept, prediction, probabilities, leaf } = &query.names;
    let mut columns: Vec<(String, &String)> = Vec::new();
    if !query.is_function {
        columns.extend(kept.iter().enumerate().map(|(place, (name, _))| (format!("k{place}"), name)));
    }
    columns.push(("prediction".into(), prediction));
    columns.extend(probabilities.iter().enumerate().map(|(place, name)| (format!("p{place}"), name)));
    columns.push(("leaf".into(), leaf));
    let list: Vec<String> = match query.is_function && query.dialect == Dialect::DuckDb {
        true => {
            let fields: Vec<String> =
                columns.iter().map(|(column, name)| format!("{name} := {column}")).collect();
            vec![format!("struct_pack({})", fields.join(", "))]
        }
        false => columns.iter().map(|(column, name)| format!("{column} AS {name}")).collect(),
    };
    format!("WITH{recursive}\n{}\nSELECT {}\nFROM secateur_answer", steps.join(",\n"), list.join(", "))
}

/// The SELECT as what was asked for.
fn statement(query: &Query, select: &str) -> Result<String> {
    let (dialect, options) = (query.dialect, query.job.options);
    let name = dialect.qualified(options.text("name"))?;
    Ok(match (options.text("form"), dialect) {
        ("view", _) => format!("CREATE VIEW {name} AS\n{select};\n"),
        ("function", Dialect::DuckDb) => {
            let arguments: Result<Vec<String>> =
                (0..query.inputs.len()).map(|place| argument(query, place)).collect();
            format!("CREATE OR REPLACE MACRO {name}({}) AS (\n{select}\n);\n", arguments?.join(", "))
        }
        ("function", _) => {
            let kind = |input: Input| match input.is_numeric() {
                true if input.attribute.shown_as.is_plain() || options.is("dates", "seconds") => {
                    "double precision"
                }
                true if input.attribute.shown_as == secateur::schema::ShownAs::Time => "time",
                true => "timestamp",
                false => "text",
            };
            let arguments: Vec<&str> = query.inputs.iter().map(kind).collect();
            let arguments = arguments.join(", ");
            let Names { prediction, probabilities, leaf, .. } = &query.names;
            let said = if query.job.classes().is_empty() { "double precision" } else { "text" };
            let numbers: String =
                probabilities.iter().map(|name| format!(", {name} double precision")).collect();
            let mut tag = "$secateur$".to_string();
            while select.contains(&tag) {
                tag = format!("${}_$", tag.trim_matches('$'));
            }
            format!(
                "DROP FUNCTION IF EXISTS {name}({arguments});\nCREATE FUNCTION {name}({arguments}) RETURNS TABLE ({prediction} \
                 {said}{numbers}, {leaf} integer)\nLANGUAGE sql {} AS {tag}\n{select}\n{tag};\n",
                if query.in_tables { "STABLE" } else { "IMMUTABLE PARALLEL SAFE" }
            )
        }
        _ => format!("{select};\n"),
    })
}
