//! `secateur reproduce`: published tables, run again.

mod grids;
mod page;
mod report;
mod summary;

use std::path::PathBuf;

use clap::Args;
use secateur::report::grid::{Format, Report, Style};
use secateur_papers::{
    Agreement, Experiment, Finding, Published, Run, RunOptions, SUMMARY, catalogue, conclusions, run, run_all,
};
use serde::Serialize;
use serde_json::json;

use crate::args::{Output, Threads};
use crate::experiment::ReportArgs;
use crate::failure::{Failure, Hint, Result};
use crate::files::{InExperiment, InFolder, InNamedFile, OutFolder, ResultFile};
use crate::output;
use crate::progress::Bars;

/// Run a published table again: printed and measured side by side
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur reproduce                       list the experiments
  secateur reproduce shi-2.1               on built-in data
  secateur reproduce shi-4.14 --data uci --datasets iris,glass
  secateur reproduce zhong-6.2 --data uci --full -o zhong.html
  secateur reproduce shi-b.1 shi-b.2 --data uci        several, with a summary
  secateur reproduce all --data uci --full --format markdown --reports reports
  secateur reproduce shi-4.17 --file arti1000=made.arff    a file that you have
  secateur reproduce mine.toml --data uci              an experiment of your own

Without --full or --datasets a quick form runs: small data sets, with all
repetitions. DIR holds the data sets and an INDEX.csv with the columns name and
file; the environment variable SECATEUR_DATA can name it too. Tables with the
same protocol share their trees when they are run together.")]
pub struct Reproduce {
    /// The experiments, or .toml files that describe some, or all [default: list them]
    #[arg(id = "data", value_name = "ID")]
    ids: Vec<InExperiment>,
    /// Only these data sets
    #[arg(long, value_name = "A,B", value_delimiter = ',', requires = "data")]
    datasets: Vec<String>,
    /// A folder with data sets and an INDEX.csv
    #[arg(long = "data", value_name = "DIR")]
    folder: Option<InFolder>,
    /// A data set of the table from a file of your own (may be given again)
    #[arg(long = "file", value_name = "NAME=FILE", requires = "data")]
    files: Vec<InNamedFile>,
    /// All data sets
    #[arg(long, requires = "data")]
    full: bool,
    /// The seed, where the document's own divisions are not known
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep results here, and go on from them after an interruption (for one experiment)
    #[arg(long, value_name = "FILE", requires = "data")]
    results: Option<ResultFile>,
    /// Write a report per experiment, and a summary of all, to this folder
    #[arg(long, value_name = "DIR", requires = "data")]
    reports: Option<OutFolder>,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Serialize)]
struct Listed {
    id: String,
    title: String,
    document: String,
}

/// An experiment that was run.
struct Done<'a> {
    experiment: &'a Experiment,
    run: Run,
    agreement: Agreement<'a>,
    findings: Vec<Finding<'a>>,
}

/// Runs experiments and holds what comes out against what was printed.
fn all_of<'a>(
    experiments: &'a [(Experiment, Published)],
    options: &RunOptions,
    bars: &Bars,
) -> Result<Vec<Done<'a>>> {
    let runs = match experiments {
        [(experiment, published)] => vec![run(experiment, published, options, bars)?],
        several => {
            let borrowed: Vec<_> = several.iter().map(|(e, p)| (e, p)).collect();
            run_all(&borrowed, options, bars)?
        }
    };
    let done = |((experiment, published), run): (&'a (Experiment, Published), Run)| Done {
        experiment,
        agreement: Agreement::of(experiment, published, &run.results, |name| run.rows.get(name).copied()),
        findings: conclusions::check(experiment, published, &run.results),
        run,
    };
    Ok(experiments.iter().zip(runs).map(done).collect())
}

impl Reproduce {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let format = self.report.format()?;
        if self.ids.is_empty() {
            return list(how);
        }
        let experiments = self.experiments()?;
        if self.results.is_some() && experiments.len() > 1 {
            return Err(Failure::call("--results is for one experiment; name one, or leave it out"));
        }
        self.threads.start();
        let options = RunOptions {
            full: self.full,
            datasets: self.datasets.clone(),
            data: InFolder::named(self.folder.as_ref()),
            files: self.files.iter().map(InNamedFile::named).collect(),
            seed: self.seed,
            file: self.results.as_ref().map(|file| file.path().to_path_buf()),
        };
        let bars = Bars::new(how.quiet);
        let all = all_of(&experiments, &options, &bars)?;
        drop(bars);
        if let Some(folder) = &self.reports {
            self.write_reports(folder, format, &all)?;
        }
        if how.json {
            let summary: Vec<_> = all.iter().map(summary::summary).collect();
            match &summary[..] {
                [one] => output::json(one)?,
                several => output::json(&json!({ "experiments": several }))?,
            }
            return Ok(());
        }
        self.report.write(how, &self.told(&all, format, &self.report.style(how)))
    }

    /// The reports of all experiments, unless they stand in files of their own, and a summary of several.
    fn told(&self, all: &[Done], format: Format, style: &Style) -> String {
        if format == Format::Html && self.reports.is_none() {
            return page::page(all, self.is_quick(), &output::call()).render(format, style);
        }
        let mut parts: Vec<String> = Vec::new();
        if self.reports.is_none() {
            parts.extend(all.iter().map(|done| report::report(done, self.is_quick()).render(format, style)));
        }
        if all.len() > 1 || self.reports.is_some() {
            let (title, grids) = ("Summary".into(), vec![page::summary(all)]);
            parts.push(Report { title, grids, ..Report::default() }.render(format, style));
        }
        parts.join("\n")
    }

    fn is_quick(&self) -> bool {
        !self.full && self.datasets.is_empty()
    }

    /// The experiments that are asked for, with what was printed.
    fn experiments(&self) -> Result<Vec<(Experiment, Published)>> {
        let ids: Vec<String> = match &self.ids[..] {
            [all] if &**all == "all" => catalogue::ids().into_iter().map(str::to_owned).collect(),
            ids => ids.iter().map(|id| id.to_string()).collect(),
        };
        let mut experiments: Vec<(Experiment, Published)> = Vec::new();
        for id in ids {
            let (experiment, published) = if id.ends_with(".toml") {
                let path = PathBuf::from(&id);
                let experiment = catalogue::load_file(&path)?;
                let published = catalogue::published_beside(&experiment, &path)?;
                (experiment, published)
            } else {
                let experiment = catalogue::find(&id).hint("`secateur reproduce` lists all experiments")?;
                let published = catalogue::published(&experiment)?;
                (experiment, published)
            };
            if experiments.iter().any(|(known, _)| known.id == experiment.id) {
                return Err(Failure::call(format!("{} is asked for twice", experiment.id)));
            }
            experiments.push((experiment, published));
        }
        Ok(experiments)
    }

    fn write_reports(&self, folder: &OutFolder, format: Format, all: &[Done]) -> Result<()> {
        let extension = match format {
            Format::Text => "txt",
            Format::Markdown => "md",
            Format::Csv => "csv",
            Format::Latex => "tex",
            Format::Html => "html",
        };
        let write = |name: &str, report: &Report| {
            let text = report.render(format, &Style::default());
            folder.write(&format!("{name}.{extension}"), |out| out.write_all(text.as_bytes()))
        };
        for done in all {
            let one = std::slice::from_ref(done);
            write(&done.experiment.id, &page::page(one, self.is_quick(), &output::call()))?;
        }
        let title = "Printed and measured: every table".to_owned();
        write(SUMMARY, &Report { title, grids: vec![page::summary(all)], ..Report::default() })?;
        Ok(())
    }
}

fn list(how: &Output) -> Result<()> {
    let experiments = catalogue::experiments()?;
    if how.json {
        let listed =
            experiments.into_iter().map(|e| Listed { id: e.id, title: e.title, document: e.document });
        return Ok(output::json(&json!({ "experiments": listed.collect::<Vec<_>>() }))?);
    }
    output::stream(|out| {
        let mut document = String::new();
        for e in &experiments {
            let (whose, place) = e.document.split_once(',').unwrap_or((&e.document, ""));
            if document != whose {
                writeln!(out, "{}{whose}", if document.is_empty() { "" } else { "\n" })?;
                document = whose.to_string();
            }
            writeln!(out, "  {:<20}{} ({})", e.id, e.title, place.trim())?;
        }
        writeln!(out, "\nRun one with `secateur reproduce ID`.")
    })?;
    Ok(())
}
