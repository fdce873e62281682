//! `secateur data`: what is in a table, and which data sets ship with the program.

use clap::Args;
use secateur::data::builtin::{self, BuiltinInfo};
use secateur::data::{ColumnType, Table, Values};
use secateur::report::safe;
use secateur::schema::{ShownAs, Task};
use serde::Serialize;

use crate::args::{Loaded, Output, RoleArgs, Threads};
use crate::failure::Result;
use crate::files::{InFile, OutFile};
use crate::output::{self, Align, table};
use crate::progress::Bars;
use crate::tables::{NoteSummary, words};
use crate::terminal;

/// Look at data: columns, types, missing values, classes
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur data builtin:weather
  secateur data train.csv.gz --target price
  secateur data sales.csv --schema sales.toml       write how it is read
  secateur data --list              the built-in data sets and their parameters
  secateur data 'builtin:g2c15?n=5000&seed=3'")]
pub struct Data {
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; - for standard input; or builtin:NAME
    #[arg(conflicts_with = "list")]
    data: Option<InFile>,
    /// List the built-in data sets, as without DATA
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    columns: RoleArgs<SchemaOut>,
    #[command(flatten)]
    threads: Threads,
}

/// A file to write what was decided.
#[derive(Args)]
pub struct SchemaOut {
    /// Write how the table is read here, to be corrected and given to other commands
    #[arg(long, value_name = "OUT.toml", requires = "data")]
    schema: Option<OutFile>,
}

/// What `data --json` prints.
#[derive(Serialize)]
struct Summary {
    data: String,
    rows: usize,
    columns: Vec<ColumnSummary>,
    target: TargetSummary,
    /// Identifiers and row numbers, which no tree is grown from.
    left_out: Vec<String>,
    notes: Vec<NoteSummary>,
    /// The file with what was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
}

/// One column.
#[derive(Serialize)]
struct ColumnSummary {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    missing: usize,
    /// The values of a nominal column.
    values: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip)]
    shown_as: ShownAs,
}

#[derive(Serialize)]
struct TargetSummary {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    /// The classes; none when numbers are predicted.
    classes: Option<Vec<String>>,
    /// The rows of every class.
    counts: Option<Vec<u64>>,
    missing: usize,
}

impl Data {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let Some(name) = &self.data else { return list(how) };
        self.threads.start();
        let bars = Bars::new(how.quiet);
        let Loaded { table: data, notes, left_out, mut plan } = self.columns.look(name, None, &bars)?;
        let cast = self.columns.roles(false).cast(&data)?;
        drop(bars);
        let column = &data.columns()[cast.target];
        let classes = (cast.task == Task::Classification).then(|| column.values.counts());
        let (classes, counts) = classes.map_or((None, None), |(c, n)| (Some(c), Some(n)));
        let summary = Summary {
            data: data.name().into(),
            rows: data.rows(),
            columns: (0..data.columns().len()).map(|column| column_summary(&data, column)).collect(),
            target: TargetSummary {
                name: column.name.clone(),
                kind: if cast.task == Task::Regression { "numeric" } else { "nominal" },
                classes,
                counts,
                missing: column.values.missing(),
            },
            notes: notes.iter().map(NoteSummary::of).collect(),
            left_out,
            schema: self.columns.schema().schema.as_ref().map(ToString::to_string),
        };
        if let Some(file) = &self.columns.schema().schema {
            for column in plan.columns.iter_mut().filter(|column| summary.left_out.contains(&column.name)) {
                column.kind = ColumnType::Ignore;
            }
            let text = format!("{SCHEMA_HEAD}{}", plan.to_toml());
            file.write(|out| out.write_all(text.as_bytes()))?;
        }
        if how.json {
            output::json(&summary)?;
        } else {
            let width = terminal::here().width.saturating_sub(6);
            let notes: String = notes
                .iter()
                .map(|note| format!("note: {}\n", output::wrapped(&safe(&words(note)), width, 6)))
                .collect();
            let gap = if notes.is_empty() { "" } else { "\n" };
            output::text(&(shown(&summary, &data) + gap + &notes))?;
            if let Some(file) = &self.columns.schema().schema {
                how.note(&format!("how the table is read is in {file}; correct it and give it to other commands with --schema"));
            }
        }
        Ok(())
    }
}

/// The first lines of a schema.
const SCHEMA_HEAD: &str = "\
# How a table is read. A type is numeric, nominal, date, date-time, time or ignore;
# dates have an order (year-month-day, day-month-year, month-day-year); missing
# lists words that are missing values, of the file or of one column.
";

fn column_summary(table: &Table, number: usize) -> ColumnSummary {
    let column = &table.columns()[number];
    let mut summary = ColumnSummary {
        name: column.name.clone(),
        kind: "nominal",
        missing: column.values.missing(),
        values: None,
        min: None,
        max: None,
        mean: None,
        shown_as: ShownAs::Plain,
    };
    match &column.values {
        Values::Nominal(nominal) => summary.values = Some(nominal.levels.clone()),
        Values::Numeric(_) => {
            summary.kind = table.shown_as(number).name();
            summary.shown_as = table.shown_as(number);
            let span = column.values.span();
            summary.min = span.map(|span| span.min);
            summary.max = span.map(|span| span.max);
            summary.mean = span.map(|span| span.mean);
        }
    }
    summary
}

/// Classes shown one by one, at most.
const MOST_CLASSES: usize = 20;

fn shown(summary: &Summary, data: &Table) -> String {
    let mut out = format!(
        "{}: {}, {}\n\n",
        secateur::report::safe(&summary.data),
        output::count(summary.rows as u64, "row", "rows"),
        output::count(data.columns().len() as u64, "column", "columns")
    );
    let head = ["column", "type", "missing", "values"].map(String::from).to_vec();
    let mut rows = vec![head];
    for column in &summary.columns {
        rows.push(vec![
            column.name.clone(),
            if summary.left_out.contains(&column.name) { "left out".into() } else { column.kind.into() },
            output::thousands(column.missing as u64),
            values(column),
        ]);
    }
    out += &table(&[Align::Left, Align::Left, Align::Right, Align::Left], 28, &rows);
    let target = &summary.target;
    out += &format!("\ntarget {}: ", output::shortened(&target.name, 50));
    if let (Some(classes), Some(counts)) = (&target.classes, &target.counts) {
        out += &format!("{}\n", output::count(classes.len() as u64, "class", "classes"));
        let all = counts.iter().sum::<u64>().max(1) as f64;
        let line = |(class, &n): (&String, &u64)| {
            vec![format!("  {class}"), output::thousands(n), format!("{:.1} %", 100.0 * n as f64 / all)]
        };
        let rows: Vec<_> = classes.iter().zip(counts).take(MOST_CLASSES).map(line).collect();
        if !rows.is_empty() {
            out += &table(&[Align::Left, Align::Right, Align::Right], 42, &rows);
        }
        if classes.len() > MOST_CLASSES {
            out += &format!("  … and {} more\n", output::thousands((classes.len() - MOST_CLASSES) as u64));
        }
    } else {
        out += "numbers\n";
    }
    if target.missing > 0 {
        out += &format!(
            "  {} without a target; `fit` needs --drop-missing-target\n",
            output::count(target.missing as u64, "row", "rows")
        );
    }
    out
}

/// What a column holds, in a few words.
fn values(column: &ColumnSummary) -> String {
    if let Some(values) = &column.values {
        let some: Vec<String> = values.iter().take(6).map(|v| output::shortened(v, 16)).collect();
        let more = if values.len() > some.len() { ", …" } else { "" };
        return format!("{}: {}{more}", output::thousands(values.len() as u64), some.join(", "));
    }
    match (column.min, column.max, column.mean) {
        (Some(min), Some(max), _) if !column.shown_as.is_plain() => {
            format!("{} to {}", column.shown_as.text(min), column.shown_as.text(max))
        }
        (Some(min), Some(max), Some(mean)) => {
            format!("{} to {}, mean {}", output::number(min), output::number(max), output::number(mean))
        }
        _ => "none".into(),
    }
}

/// What `data --list --json` prints.
#[derive(Serialize)]
struct ListSummary {
    builtin: Vec<SetSummary>,
}

#[derive(Serialize)]
struct SetSummary {
    name: String,
    about: &'static str,
    source: &'static str,
    parameters: Vec<ParameterSummary>,
}

#[derive(Serialize)]
struct ParameterSummary {
    name: &'static str,
    default: &'static str,
    help: &'static str,
}

/// Lists the built-in data sets.
fn list(how: &Output) -> Result<()> {
    if how.json {
        let set = |info: &BuiltinInfo| SetSummary {
            name: format!("builtin:{}", info.name),
            about: info.about,
            source: info.source,
            parameters: info
                .parameters
                .iter()
                .map(|p| ParameterSummary { name: p.name, default: p.default, help: p.help })
                .collect(),
        };
        output::json(&ListSummary { builtin: builtin::all().iter().map(set).collect() })?;
        return Ok(());
    }
    let mut rows = Vec::new();
    for info in builtin::all() {
        rows.push(vec![format!("builtin:{}", info.name), info.about.into()]);
        rows.push(vec![String::new(), info.source.into()]);
        for p in info.parameters {
            rows.push(vec![String::new(), format!("?{}={}  {}", p.name, p.default, p.help)]);
        }
    }
    let list = table(&[Align::Left, Align::Left], 40, &rows);
    output::text(&(list + "\nSet parameters after a question mark: 'builtin:g2c15?n=5000&seed=3'\n"))?;
    Ok(())
}
