//! `secateur compare`: several schemes on several data sets, with tests of their differences.

use std::time::Instant;

use clap::Args;
use secateur::drawing::svg;
use secateur::evaluate::comparison::{
    Comparison, Difference, Failed, Heads, Overall, Sheet, Test, TestKind, failures, key, list, one_dataset,
    overview, ranks_picture, size_picture, table,
};
use secateur::evaluate::measures::Measure;
use secateur::evaluate::{Details, Named, Protocol, Record};
use secateur::report::grid::{Cover, Figure, Format, Report};
use secateur::schema::Task;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::args::{Output, Parts, Threads, WeightArgs};
use crate::experiment::{
    self, Asked, Mean, ProtocolArgs, ReportArgs, ResultsArgs, SetSummary, Sets, failed, judges_once, load,
    measures, run,
};
use crate::failure::{Failure, Result};
use crate::files::{InFile, OutFolder};
use crate::output;
use crate::progress::Bars;

/// Compare schemes on data sets, with tests of their differences
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur compare builtin:iris builtin:credit         a dozen schemes
  secateur compare *.arff -s cart/cost-complexity:1se -s c45/error-based
  secateur compare train.csv -s cart -s cart/mdl --cv 10 --repeats 10
  secateur compare *.csv --test paired-t --level 0.01 --threshold 0.01
  secateur compare *.csv --repeats 10 --results results.jsonl -o t.html

A mark says that a number differs from the base scheme's by the test: + larger,
- smaller. Every scheme sees the same divisions of the rows. With --results the
result of every division is kept: the same call resumes a run, and a call with
more schemes adds them. A line that was edited is refused.")]
pub struct Compare {
    /// Files (.csv, .tsv, .json, .jsonl, .arff, .parquet, plain or .gz) or builtin:NAME
    #[arg(required = true)]
    data: Vec<InFile>,
    /// LEARNER[:option=value,...][/PRUNER[:option=value,...]], once for each [default: a dozen]
    #[arg(long, short)]
    scheme: Vec<String>,
    /// The scheme that others are tested against [default: the first]
    #[arg(long, value_name = "SCHEME")]
    base: Option<String>,
    /// corrected-t, paired-t, one-sided-t, proportions or one-sided-proportions
    #[arg(long, default_value = "corrected-t")]
    test: String,
    /// The level of the test
    #[arg(long, default_value_t = 0.05, allow_negative_numbers = true)]
    level: f64,
    /// Smaller differences do not count: a number for the first measure (0.01 is one point of accuracy), or MEASURE=NUMBER
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    threshold: Vec<String>,
    /// What to compare, such as accuracy,auc,leaves [default: accuracy or mse, and nodes]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    measure: Vec<String>,
    /// Learn from all rows of DATA, test on the rows of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cv", "repeats", "validation", "window", "random", "folds"])]
    test_data: Option<InFile>,
    #[command(flatten)]
    results: ResultsArgs,
    #[command(flatten)]
    report: ReportArgs,
    /// Write the pictures of the HTML report to this folder too, as SVG: ranks.svg, size.svg
    #[arg(long, value_name = "DIR")]
    pictures: Option<OutFolder>,
    /// Leave out rows without a target instead of refusing them
    #[arg(long)]
    drop_missing_target: bool,
    #[command(flatten)]
    weighing: WeightArgs,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    dividing: ProtocolArgs,
}

/// The schemes that are compared when none is named; those that do not fit the target are left out.
const USUAL: [&str; 13] = [
    "cart",
    "cart/cost-complexity:cv=10",
    "cart/cost-complexity:cv=10,1se",
    "best-first/post",
    "best-first/pre:1se",
    "cart/k-norm:k=2",
    "cart/k-norm:cv=10,1se",
    "c45/error-based",
    "c45/size-pessimistic:c=0.2",
    "cart/pessimistic",
    "cart/min-error:m=2",
    "cart/mdl",
    "cart/reduced-error",
];

/// What `compare --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    datasets: Vec<SetSummary<'a>>,
    schemes: &'a [String],
    base: &'a str,
    measures: Vec<&'static str>,
    protocol: String,
    divisions: usize,
    seed: u64,
    test: Test,
    results: Vec<Value>,
    tests: Vec<TestSummary<'a>>,
    counts: Vec<Value>,
    overall: Vec<OverallSummary<'a>>,
    failures: &'a [Failed],
    seconds: f64,
    results_file: Option<String>,
}

#[derive(Serialize)]
struct TestSummary<'a> {
    measure: &'static str,
    test: &'static str,
    #[serde(flatten)]
    difference: &'a Difference,
}

#[derive(Serialize)]
struct OverallSummary<'a> {
    measure: &'static str,
    #[serde(flatten)]
    overall: &'a Overall,
}

/// Tests of proportions are for rows that are judged once.
fn check_trials(test: Test, protocol: &Protocol) -> Result<()> {
    if test.kind.of_proportions() && !judges_once(protocol) {
        return Err(Failure::call(format!(
            "--test {}: rows that are judged several times are no independent trials; use corrected-t, or one \
             repetition",
            test.kind.id()
        )));
    }
    Ok(())
}

impl Compare {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        experiment::schemes(&self.scheme, self.parts.task())?;
        let format = self.report.format()?;
        self.results.note_renamed(how);
        let test = Test { kind: TestKind::parse(&self.test)?, level: self.level, threshold: None };
        test.check()?;
        let shares = self.dividing.shares()?;
        self.threads.start()?;
        let bars = Bars::new(how.quiet);
        let begun = Instant::now();
        let sets = load(
            &self.data,
            self.test_data.as_ref(),
            &self.parts,
            &self.weighing,
            self.drop_missing_target,
            &bars,
        )?;
        let (protocol, _) = self.dividing.protocol(&sets, self.weighing.seed)?;
        check_trials(test, &protocol)?;
        let schemes = self.schemes(&sets)?;
        let base = self.base(&schemes)?;
        let measures = self.measures(&sets)?;
        let tests = self.thresholds(test, &measures)?;
        let names: Vec<String> = schemes.iter().map(|s| s.name.clone()).collect();
        let (seed, out) = (self.weighing.seed, self.results.file());
        let asked = Asked { schemes, protocol: protocol.clone(), shares, seed, details: Details::default() };
        let records = run(&sets, asked, out, &bars)?;
        drop(bars);

        let sheets: Vec<Sheet> = measures.iter().map(|m| Sheet::of(&records, m)).collect();
        let pairs = sheets.iter().zip(&tests);
        let comparisons: Vec<Comparison> =
            pairs.map(|(sheet, test)| sheet.against(&base, test)).collect::<secateur::Result<_>>()?;
        let failures = failures(&records);
        if records.iter().all(|record| record.measured.is_none()) {
            let list: Vec<String> = failures.iter().map(failed).collect();
            return Err(Failure::Work(list.join("\nerror: ")));
        }
        let cover = cover(&comparisons, &records, &sets);
        if let Some(folder) = &self.pictures {
            save(folder, &cover)?;
        }
        if how.json {
            output::json(&Summary {
                datasets: sets.summary(),
                schemes: &names,
                base: &base,
                measures: measures.iter().map(|m| m.id).collect(),
                protocol: protocol.in_words(),
                divisions: protocol.count(),
                seed,
                test,
                results: results(&comparisons, &records),
                tests: tests_summary(&comparisons),
                counts: counts(&comparisons),
                overall: overall_summary(&comparisons),
                failures: &failures,
                seconds: begun.elapsed().as_secs_f64(),
                results_file: self.results.file().map(ToString::to_string),
            })?;
        } else {
            let style = self.report.style(how);
            let mut report = report(&comparisons, format, style.width);
            report.paragraphs.push(self.divided(&protocol));
            if format == Format::Html {
                report.title = title(&sets, names.len());
                report.cover = cover;
            }
            report.notes.extend(failures.iter().map(failed));
            self.report.write(how, &report.render(format, &style))?;
            if let Some(path) = self.results.file() {
                how.note(&format!("the results are in {path}"));
            }
        }
        Ok(())
    }

    /// The schemes of the call, or the usual ones.
    fn schemes(&self, sets: &Sets) -> Result<Vec<Named>> {
        if !self.scheme.is_empty() {
            return experiment::schemes(&self.scheme, Some(sets.task));
        }
        let all = USUAL.map(String::from);
        let all = experiment::schemes(&all, None)?;
        Ok(all.into_iter().filter(|named| named.scheme.check(sets.task).is_ok()).collect())
    }

    /// The name of the base.
    fn base(&self, schemes: &[Named]) -> Result<String> {
        let Some(text) = &self.base else { return Ok(schemes[0].name.clone()) };
        let wanted = experiment::schemes(std::slice::from_ref(text), None)?.remove(0).name;
        if schemes.iter().any(|named| named.name == wanted) {
            return Ok(wanted);
        }
        let meant = secateur::error::suggestion(&wanted, schemes.iter().map(|s| s.name.as_str()));
        Err(Failure::call(format!("--base: {wanted} is none of the schemes{meant}; add it with --scheme")))
    }

    fn measures(&self, sets: &Sets) -> Result<Vec<&'static Measure>> {
        let usual: &[&str] = match (sets.task, sets.has_costs()) {
            (Task::Regression, _) => &["mse", "nodes"],
            (Task::Classification, true) => &["loss", "accuracy", "nodes"],
            (Task::Classification, false) => &["accuracy", "nodes"],
        };
        match self.measure.as_slice() {
            [] => measures(&usual.iter().map(|m| m.to_string()).collect::<Vec<_>>(), sets.task),
            names => measures(names, sets.task),
        }
    }

    /// The test of every measure, with its threshold.
    fn thresholds(&self, test: Test, measures: &[&'static Measure]) -> Result<Vec<Test>> {
        let mut tests = vec![test; measures.len()];
        for text in &self.threshold {
            let (place, number) = match text.split_once('=') {
                None => (Some(0), text.as_str()),
                Some((name, number)) => (measures.iter().position(|m| m.id == name.trim()), number),
            };
            let (Some(place), Ok(least)) = (place, number.trim().parse::<f64>()) else {
                return Err(Failure::call(format!(
                    "--threshold: '{text}' is neither a number nor MEASURE=NUMBER with a measure that is compared"
                )));
            };
            tests[place].threshold = Some(least);
            tests[place].check().map_err(|problem| Failure::call(format!("--threshold: {problem}")))?;
        }
        Ok(tests)
    }

    /// How the rows were divided, in a sentence.
    fn divided(&self, protocol: &Protocol) -> String {
        let divided = self.rows_in_words(protocol);
        let priors = " Measures are over the test rows as they are, not weighted to the priors.";
        divided + if self.weighing.has_priors() { priors } else { "" }
    }

    fn rows_in_words(&self, protocol: &Protocol) -> String {
        match protocol {
            Protocol::TrainTest { .. } | Protocol::Given(_) => format!("{}.", protocol.in_words()),
            _ => format!(
                "{}, seed {}; every scheme has the same divisions.",
                protocol.in_words(),
                self.weighing.seed
            ),
        }
    }
}

/// The report: a table for every measure, or one of all measures where there is one data set only.
fn report(comparisons: &[Comparison], format: Format, width: usize) -> Report {
    let mut report = Report::default();
    let Some(sheet) = comparisons.first().map(|c| c.sheet) else { return report };
    if format == Format::Csv {
        report.grids.push(list(comparisons));
    } else if sheet.datasets.len() == 1 && sheet.shares.len() == 1 {
        report.grids.push(one_dataset(comparisons, 0, 0));
    } else {
        // Names that do not fit beside each other are numbered.
        let wide: usize = sheet.schemes.iter().map(|name| name.chars().count().max(16) + 2).sum();
        let long = format == Format::Text && wide + 22 > width;
        let heads = if long { Heads::Numbers } else { Heads::Names };
        report.grids.extend(long.then(|| key(sheet)));
        report.grids.extend(comparisons.iter().map(|comparison| table(comparison, heads)));
    }
    report
}

fn title(sets: &Sets, schemes: usize) -> String {
    match sets.list.as_slice() {
        [only] => format!("{schemes} schemes on {}", only.name),
        several => format!("{schemes} schemes on {} data sets", several.len()),
    }
}

/// What the page begins with: an overview, ranks with their critical difference, error against size.
fn cover(comparisons: &[Comparison], records: &[Record], sets: &Sets) -> Cover {
    let mut cover = Cover { call: output::call(), ..Cover::default() };
    let Some(first) = comparisons.first() else { return cover };
    let error = match (sets.task, sets.has_costs()) {
        (Task::Regression, _) => "mse",
        (Task::Classification, true) => "loss",
        (Task::Classification, false) => "error",
    };
    let sheet = |id: &str| Measure::of(id).map(|measure| Sheet::of(records, measure));
    let (Ok(error), Ok(leaves)) = (sheet(error), sheet("leaves")) else { return cover };
    cover.overview = Some(overview(first, &leaves)).filter(|grid| grid.rows() > 0 && sets.list.len() > 1);
    if let Some(drawing) = ranks_picture(first) {
        let caption = format!(
            "Average ranks by {}. Schemes that a bar joins do not differ (Nemenyi at {}).",
            first.sheet.measure.title, first.test.level
        );
        cover.figures.push(Figure { name: "ranks", caption, drawing });
    }
    if let Some(drawing) = size_picture(&error, &leaves) {
        let over = if sets.list.len() > 1 { ", means over all data sets" } else { "" };
        let caption = format!(
            "{} against leaves{over}. No scheme is both smaller and better than those on the line.",
            capital(error.measure.title)
        );
        cover.figures.push(Figure { name: "size", caption, drawing });
    }
    cover
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// Writes the pictures to a folder.
fn save(folder: &OutFolder, cover: &Cover) -> Result<()> {
    if cover.figures.is_empty() {
        return Err(Failure::call("--pictures: there is nothing to draw; compare two schemes or more"));
    }
    for figure in &cover.figures {
        folder.write(&format!("{}.svg", figure.name), |out| write!(out, "{}", svg(&figure.drawing)))?;
    }
    Ok(())
}

/// Every scheme on every data set: its means, by measure.
fn results(comparisons: &[Comparison], records: &[Record]) -> Vec<Value> {
    let Some(sheet) = comparisons.first().map(|c| c.sheet) else { return Vec::new() };
    let mut results = Vec::new();
    for (dataset, data) in sheet.datasets.iter().enumerate() {
        for (share, value) in sheet.shares.iter().enumerate() {
            for (scheme, name) in sheet.schemes.iter().enumerate() {
                let first =
                    records.iter().find(|r| &r.dataset == data && &r.scheme == name && r.share == *value);
                let mut result = Map::new();
                result.insert("dataset".into(), json!(data));
                result.insert("scheme".into(), json!(name));
                result.insert("share".into(), json!(value));
                result.insert("train".into(), json!(first.map(|r| r.train)));
                result.insert("test".into(), json!(first.map(|r| r.test)));
                result.insert("failures".into(), json!(sheet.cell(dataset, scheme, share).failures));
                for comparison in comparisons {
                    let sheet = comparison.sheet;
                    let mean = Mean::of(sheet, sheet.cell(dataset, scheme, share));
                    result.insert(sheet.measure.key(), json!(mean));
                }
                results.push(result.into());
            }
        }
    }
    results
}

fn tests_summary<'a>(comparisons: &'a [Comparison]) -> Vec<TestSummary<'a>> {
    let of = |comparison: &'a Comparison| {
        let (measure, test) = (comparison.sheet.measure.id, comparison.test.kind.id());
        comparison.differences.iter().map(move |difference| TestSummary { measure, test, difference })
    };
    comparisons.iter().flat_map(of).collect()
}

fn counts(comparisons: &[Comparison]) -> Vec<Value> {
    let mut counts = Vec::new();
    for comparison in comparisons {
        let sheet = comparison.sheet;
        for (i, (scheme, marks)) in sheet.schemes.iter().zip(&comparison.counts).enumerate() {
            if i != comparison.base {
                counts.push(json!({
                    "measure": sheet.measure.id, "scheme": scheme, "base": sheet.schemes[comparison.base],
                    "larger": marks.larger, "same": marks.same, "smaller": marks.smaller,
                }));
            }
        }
    }
    counts
}

fn overall_summary<'a>(comparisons: &'a [Comparison]) -> Vec<OverallSummary<'a>> {
    let of = |c: &'a Comparison| {
        let measure = c.sheet.measure.id;
        c.overall.iter().map(move |overall| OverallSummary { measure, overall })
    };
    comparisons.iter().flat_map(of).collect()
}
