//! `secateur reproduce`: a published table, run again.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use secateur::report::grid::{Cell, Column, Emphasis, Format, Grid, Report, Style};
use secateur::reproduce::{
    Agreement, Experiment, Finding, Grade, Judged, Outcome, Run, RunOptions, Verdict, catalogue, conclusions,
    run,
};
use serde::Serialize;

use crate::args::{Output, Threads};
use crate::failure::{Hint, Result};
use crate::output;
use crate::progress::Bars;

/// Run a published table again: printed and measured side by side
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur reproduce                                    list the experiments
  secateur reproduce shi-2.1                            on built-in data
  secateur reproduce shi-4.14 --data uci --datasets iris,glass
  secateur reproduce zhong-6.2 --data uci --full --format html > zhong.html
  secateur reproduce shi-4.17 --file arti1000=made.arff a data set that you have
  secateur reproduce mine.toml --data uci               an experiment of your own

Without --full or --datasets a quick form runs: fewer repetitions, small data sets. DIR holds the data sets and an
INDEX.csv with the columns name and file; the environment variable SECATEUR_DATA can name it too.")]
pub struct Reproduce {
    /// The experiment, or a .toml file that describes one [default: list all]
    #[arg(value_name = "ID")]
    data: Option<String>,
    /// Only these data sets, with all repetitions
    #[arg(long, value_name = "A,B", value_delimiter = ',', requires = "data")]
    datasets: Vec<String>,
    /// A folder with data sets and an INDEX.csv
    #[arg(long = "data", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// A data set of the table from a file of your own (may be given again)
    #[arg(long = "file", value_name = "NAME=FILE", value_parser = named_file, requires = "data")]
    files: Vec<(String, PathBuf)>,
    /// All data sets and all repetitions
    #[arg(long, requires = "data")]
    full: bool,
    /// The seed, where the document's own divisions are not known
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep results here, and go on from them after an interruption
    #[arg(long, value_name = "FILE", requires = "data")]
    results: Option<PathBuf>,
    /// text, markdown, csv, latex or html
    #[arg(long, default_value = "text")]
    format: String,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Serialize)]
struct Listed {
    id: String,
    title: String,
    document: String,
}

#[derive(Serialize)]
struct Told<'a> {
    id: &'a str,
    title: &'a str,
    document: &'a str,
    protocol: &'a str,
    cells: Vec<ToldCell<'a>>,
    agreement: ToldAgreement,
    conclusions: Vec<ToldConclusion<'a>>,
    missing: &'a [(String, String)],
    failures: &'a [(String, String, String)],
    seconds: f64,
}

#[derive(Serialize)]
struct ToldCell<'a> {
    dataset: &'a str,
    scheme: &'a str,
    metric: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    published: f64,
    measured: f64,
    difference: f64,
    agreement: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<&'a str>,
}

#[derive(Serialize)]
struct ToldAgreement {
    exact: usize,
    close: usize,
    off: usize,
    unjudged: usize,
    unmeasured: usize,
    share: Option<f64>,
}

#[derive(Serialize)]
struct ToldConclusion<'a> {
    text: &'a str,
    measured: &'static str,
    published: &'static str,
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'a str>,
}

fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Exact => "exact",
        Grade::Close => "close",
        Grade::Off => "off",
        Grade::Unjudged => "not judged",
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Mixed => "mixed",
        Verdict::Fails => "fails",
        Verdict::NotChecked => "not checked",
    }
}

/// `NAME=FILE`.
fn named_file(text: &str) -> std::result::Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.into(), file.into())),
        _ => Err("expected the data set's name in the table, = and a file".into()),
    }
}

impl Reproduce {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let format = Format::parse(&self.format)?;
        let Some(id) = &self.data else { return list(how) };
        let (experiment, published) = if id.ends_with(".toml") {
            let path = PathBuf::from(id);
            let experiment = catalogue::load_file(&path)?;
            let published = catalogue::published_beside(&experiment, &path)?;
            (experiment, published)
        } else {
            let experiment = catalogue::find(id).hint("`secateur reproduce` lists all experiments")?;
            let published = catalogue::published(&experiment)?;
            (experiment, published)
        };
        self.threads.start()?;
        let options = RunOptions {
            full: self.full,
            datasets: self.datasets.clone(),
            data: self.folder.clone().or_else(|| std::env::var_os("SECATEUR_DATA").map(PathBuf::from)),
            files: self.files.clone(),
            seed: self.seed,
            file: self.results.clone(),
        };
        let bars = Bars::new(how.quiet);
        let begun = Instant::now();
        let done = run(&experiment, &published, &options, &bars)?;
        drop(bars);
        let seconds = begun.elapsed().as_secs_f64();
        let agreement =
            Agreement::of(&experiment, &published, &done.results, |name| done.rows.get(name).copied());
        let findings = conclusions::check(&experiment, &published, &done.results);
        if how.json {
            return Ok(output::json(&told(&experiment, &done, &agreement, &findings, seconds))?);
        }
        let report = report(&experiment, &done, &agreement, &findings, seconds, self.full);
        output::stream(|out| write!(out, "{}", report.render(format, &Style::default())))?;
        Ok(())
    }
}

fn list(how: &Output) -> Result<()> {
    let experiments = catalogue::experiments()?;
    if how.json {
        let listed =
            experiments.into_iter().map(|e| Listed { id: e.id, title: e.title, document: e.document });
        return Ok(output::json(&listed.collect::<Vec<_>>())?);
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

fn told<'a>(
    experiment: &'a Experiment,
    done: &'a Run,
    agreement: &'a Agreement,
    findings: &'a [Finding],
    seconds: f64,
) -> Told<'a> {
    Told {
        id: &experiment.id,
        title: &experiment.title,
        document: &experiment.document,
        protocol: &done.protocol,
        cells: agreement
            .cells
            .iter()
            .map(|j| ToldCell {
                dataset: &j.cell.key.dataset,
                scheme: &j.cell.key.scheme,
                metric: &j.cell.key.metric,
                group: j.cell.key.group.as_deref(),
                published: j.cell.value,
                measured: j.measured.mean,
                difference: j.difference,
                agreement: grade(j.grade),
                doubt: j.doubt.map(|d| d.because.as_str()),
            })
            .collect(),
        agreement: ToldAgreement {
            exact: agreement.count(Grade::Exact),
            close: agreement.count(Grade::Close),
            off: agreement.count(Grade::Off),
            unjudged: agreement.count(Grade::Unjudged),
            unmeasured: agreement.unmeasured,
            share: agreement.share(),
        },
        conclusions: findings
            .iter()
            .map(|f| ToldConclusion {
                text: &f.conclusion.text,
                measured: verdict(f.measured.verdict),
                published: verdict(f.published.verdict),
                says: f.measured.sentence(),
                because: f.conclusion.because.as_deref(),
            })
            .collect(),
        missing: &done.missing,
        failures: &done.failures,
        seconds,
    }
}

/// The whole report.
fn report(
    experiment: &Experiment,
    done: &Run,
    agreement: &Agreement,
    findings: &[Finding],
    seconds: f64,
    full: bool,
) -> Report {
    let mut report =
        Report { title: format!("{}: {}", experiment.id, experiment.title), ..Report::default() };
    report.paragraphs.push(format!("{}. {}. {seconds:.1} s.", experiment.document, done.protocol));
    report.paragraphs.extend(experiment.note.clone());
    if let Some(share) = agreement.share() {
        let count = |g| agreement.count(g);
        report.paragraphs.push(format!(
            "Of {} printed numbers that were measured and judged, {} are equal in all digits, {} close and {} off: \
             {:.1} % agree.",
            count(Grade::Exact) + count(Grade::Close) + count(Grade::Off),
            count(Grade::Exact),
            count(Grade::Close),
            count(Grade::Off),
            100.0 * share
        ));
    }
    report.grids = cells(agreement);
    if report.grids.is_empty() {
        report.grids = measured_only(done);
    }
    if !findings.is_empty() {
        report.grids.push(conclusions_grid(findings));
    }
    for (name, why) in &done.missing {
        report.notes.push(format!("{name} was not run: {why}"));
    }
    for (dataset, scheme, why) in &done.failures {
        report.notes.push(format!("{scheme} failed on {dataset}: {why}"));
    }
    if !full && !experiment.quick.datasets.is_empty() {
        report.notes.push("A quick run; --full runs all data sets and all repetitions.".into());
    }
    report
}

/// One grid for every metric: data sets (and groups) down, schemes across, with printed and measured numbers.
fn cells(agreement: &Agreement) -> Vec<Grid> {
    let mut metrics: Vec<&str> = Vec::new();
    for judged in &agreement.cells {
        if !metrics.contains(&judged.cell.key.metric.as_str()) {
            metrics.push(&judged.cell.key.metric);
        }
    }
    metrics.into_iter().map(|metric| metric_grid(metric, agreement)).collect()
}

fn metric_grid(metric: &str, agreement: &Agreement) -> Grid {
    let mine: Vec<&Judged> = agreement.cells.iter().filter(|j| j.cell.key.metric == metric).collect();
    let mut schemes: Vec<&str> = Vec::new();
    let mut rows: Vec<(&str, Option<&str>)> = Vec::new();
    for judged in &mine {
        let key = &judged.cell.key;
        if !schemes.contains(&key.scheme.as_str()) {
            schemes.push(&key.scheme);
        }
        let row = (key.dataset.as_str(), key.group.as_deref());
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let grouped = rows.iter().any(|row| row.1.is_some());
    let mut columns = vec![Column::left("data set")];
    if grouped {
        columns.push(Column::right("group"));
    }
    for scheme in &schemes {
        columns.push(Column::decimal("printed").under(*scheme));
        columns.push(Column::decimal("measured").under(*scheme));
    }
    let mut grid = Grid::new(format!("{}, printed and measured", metric.replace('_', " ")), columns);
    let mut doubts: Vec<String> = Vec::new();
    for (dataset, group) in rows {
        let mut cells: Vec<Cell> = vec![dataset.into()];
        if grouped {
            cells.push(group.unwrap_or_default().into());
        }
        for scheme in &schemes {
            let found = mine.iter().find(|j| {
                let key = &j.cell.key;
                (key.dataset.as_str(), key.group.as_deref(), key.scheme.as_str()) == (dataset, group, *scheme)
            });
            let Some(judged) = found else {
                cells.extend([Cell::from(""), Cell::from("")]);
                continue;
            };
            cells.push(judged.cell.text.clone().into());
            let decimals = judged.cell.text.split_once('.').map_or(0, |(_, d)| d.len());
            let (mark, emphasis) = match judged.grade {
                Grade::Exact => ("=", Emphasis::Good),
                Grade::Close => ("", Emphasis::Plain),
                Grade::Off => ("!", Emphasis::Bad),
                Grade::Unjudged => ("", Emphasis::Faint),
            };
            cells.push(Cell::new(format!("{:.decimals$}{mark}", judged.measured.mean), emphasis));
            if let Some(doubt) = judged.doubt {
                doubts.push(format!("{dataset}, {scheme}: the print is doubtful: {}", doubt.because));
            }
        }
        grid.row(cells);
    }
    grid.notes.push("= equal in all printed digits, ! further off than the experiment allows".into());
    grid.notes.extend(doubts);
    grid
}

/// Where nothing was printed: the measured numbers alone.
fn measured_only(done: &Run) -> Vec<Grid> {
    let mut metrics: Vec<&str> = done.results.values().map(|(key, _)| key.metric.as_str()).collect();
    metrics.sort_unstable();
    metrics.dedup();
    metrics
        .into_iter()
        .map(|metric| {
            let mine = || done.results.values().filter(|(key, _)| key.metric == metric);
            let mut schemes: Vec<&str> = Vec::new();
            let mut datasets: Vec<&str> = Vec::new();
            for (key, _) in mine() {
                if !schemes.contains(&key.scheme.as_str()) {
                    schemes.push(&key.scheme);
                }
                if !datasets.contains(&key.dataset.as_str()) {
                    datasets.push(&key.dataset);
                }
            }
            let columns =
                std::iter::once(Column::left("data set")).chain(schemes.iter().map(|s| Column::decimal(*s)));
            let mut grid = Grid::new(format!("{}, measured", metric.replace('_', " ")), columns);
            for dataset in datasets {
                let value = |scheme: &&str| {
                    let found = mine().find(|(k, _)| k.dataset == dataset && k.scheme == **scheme);
                    Cell::from(found.map_or(String::new(), |(_, v)| format!("{:.2}", v.mean)))
                };
                grid.row(std::iter::once(Cell::from(dataset)).chain(schemes.iter().map(value)));
            }
            grid
        })
        .collect()
}

fn conclusions_grid(findings: &[Finding]) -> Grid {
    let columns = vec![Column::right("no."), Column::left("here"), Column::left("in print")];
    let mut grid = Grid::new("What the document concludes", columns);
    let cell = |outcome: &Outcome| {
        let emphasis = match outcome.verdict {
            Verdict::Holds => Emphasis::Good,
            Verdict::Fails => Emphasis::Bad,
            Verdict::Mixed => Emphasis::Plain,
            Verdict::NotChecked => Emphasis::Faint,
        };
        Cell::new(verdict(outcome.verdict), emphasis)
    };
    for (i, finding) in findings.iter().enumerate() {
        let number = (i + 1).to_string();
        grid.row([Cell::from(number), cell(&finding.measured), cell(&finding.published)]);
        let mut note = format!("{}. {}.", i + 1, finding.conclusion.text);
        let sentence = finding.measured.sentence();
        if !sentence.is_empty() {
            note += &format!(" Here: {sentence}.");
        }
        if let Some(because) = &finding.conclusion.because {
            note += &format!(" ({because})");
        }
        grid.notes.push(note);
    }
    grid
}
