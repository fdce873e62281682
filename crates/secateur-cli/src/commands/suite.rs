//! `secateur suite`: many schemes on many tables, the rule that picks a default, and the page about it.

use clap::Args;
use secateur::report::grid::{Format, Report};
use secateur_papers::suite::{self, Ran, Results, Suite, page, rule};
use serde_json::{Value, json};

use crate::args::{Output, Threads};
use crate::experiment::{failed, style};
use crate::failure::{Failure, Result};
use crate::files::{InFile, InSuite, OutFolder, OutPage};
use crate::output;
use crate::progress::Bars;

/// Run many schemes on many tables, and find the default by a rule
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur suite which-tree uci --results kept
  secateur suite which-tree uci --results kept --page docs/which-tree.md
  secateur suite which-tree uci --tables iris,glass     some tables of a folder
  secateur suite mine.toml a.csv b.csv builtin:iris     a suite of your own

A folder gives the tables of its INDEX.csv (columns name and file), or all data
files where there is none. Every table has a result file in the folder --results:
the same call resumes a run and runs tables and schemes that are new. The page
shows ranks, tests, sizes and, by a rule that it states, which scheme should be
the default for classes and for numbers.")]
pub struct RunSuite {
    /// which-tree, or a .toml file
    suite: InSuite,
    /// Folders, files (.csv, .tsv, .json, .jsonl, .arff, .parquet, plain or .gz) and builtin:NAME
    #[arg(required = true)]
    data: Vec<InFile>,
    /// Only these tables
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    tables: Vec<String>,
    /// Keep the result of every division in this folder; the same call resumes a run
    #[arg(long, value_name = "DIR")]
    results: Option<OutFolder>,
    /// Write the page here, its pictures and numbers to a folder of its name beside it
    #[arg(long, value_name = "FILE.md")]
    page: Option<OutPage>,
    /// What other programs came to, for the page: a file of bench/which_tree.py
    #[arg(long, value_name = "FILE.csv", requires = "page")]
    peers: Option<InFile>,
    #[command(flatten)]
    threads: Threads,
}

impl RunSuite {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let suite = self.suite.load()?;
        let peers = self.peers.as_ref().map(|file| page::Peers::read(file.as_ref())).transpose()?;
        self.threads.start();
        let data: Vec<String> = self.data.iter().map(|file| file.to_string()).collect();
        let bars = Bars::new(how.quiet);
        let kept = self.results.as_ref().map(OutFolder::path);
        let ran = suite::run(&suite, &data, &self.tables, kept, &bars)?;
        drop(bars);
        if ran.classes.is_none() && ran.numbers.is_none() {
            let why: Vec<String> = ran.left_out.iter().map(|(name, why)| format!("{name}: {why}")).collect();
            return Err(Failure::call(format!("there is no table to run the suite on; {}", why.join("; "))));
        }
        if let Some(page) = &self.page {
            let mut call = format!("secateur suite {} DIR --results RESULTS --page {page}", self.suite);
            if let Some(file) = &self.peers {
                call.push_str(" --peers ");
                call.push_str(file);
            }
            page.write(&page::write(&suite, &ran, peers.as_ref(), &page.folder_name(), &call)?)?;
            how.note(&format!("the page is in {page}"));
        }
        if how.json {
            return Ok(output::json(&summary(&suite, &ran)?)?);
        }
        let mut report = Report { title: suite.title.clone(), ..Report::default() };
        for results in [&ran.classes, &ran.numbers].into_iter().flatten() {
            report.grids.push(page::overview(results)?);
        }
        report.notes.extend(ran.left_out.iter().map(|(name, why)| format!("{name} took no part: {why}.")));
        report.notes.extend(ran.failures.iter().map(failed));
        Ok(output::text(&report.render(Format::Text, &style()))?)
    }
}

/// What `suite --json` prints.
fn summary(suite: &Suite, ran: &Ran) -> Result<Value> {
    let contest = |results: &Option<Results>| -> Result<Value> {
        let Some(results) = results else { return Ok(Value::Null) };
        let decision = rule::decide(results, &results.all())?;
        let all = results.all();
        let scheme = |(place, standing): (usize, &Option<rule::Standing>)| {
            let averages = results.averages(&all, place);
            json!({
                "scheme": results.schemes[place], "accuracy": averages.accuracy, "log_loss": averages.log_loss,
                "brier": averages.brier, "auc": averages.auc, "relative_rmse": averages.rmse,
                "relative_mae": averages.mae, "leaves": averages.leaves, "bare_roots": averages.bare_roots,
                "log_leaves": decision.log_leaves[place],
                "behind": standing.as_ref().map(|standing| &standing.behind),
                "is_worse": standing.as_ref().map(|standing| &standing.is_worse),
                "left": decision.left.contains(&place),
            })
        };
        Ok(json!({
            "default": decision.chosen().map(|place| &results.schemes[place]),
            "before": results.schemes[results.before],
            "tables": results.tables,
            "incomplete": results.incomplete,
            "schemes": decision.standings.iter().enumerate().map(scheme).collect::<Vec<_>>(),
        }))
    };
    let left_out: Vec<Value> =
        ran.left_out.iter().map(|(name, why)| json!({"table": name, "because": why})).collect();
    Ok(json!({
        "suite": suite.id, "classes": contest(&ran.classes)?, "numbers": contest(&ran.numbers)?,
        "left_out": left_out, "failures": ran.failures,
    }))
}
