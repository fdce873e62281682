//! `secateur compare`: several schemes on several data sets, with tests of their differences.

mod report;
mod summary;

use std::time::Instant;

use clap::Args;
use secateur::Scheme;
use secateur::evaluate::comparison::{Comparison, Sheet, Test, TestKind, failures};
use secateur::evaluate::measures::Measure;
use secateur::evaluate::{Details, Named, Protocol, Record};
use secateur::report::grid::Format;
use secateur::schema::Task;

use self::report::{cover, report, save, title};
use self::summary::{Summary, counts, overall_summary, results, tests_summary};

use crate::args::{Output, RoleArgs, Threads, WeightArgs};
use crate::experiment::{
    self, Asked, ProtocolArgs, ReportArgs, ResultsArgs, Sets, failed, judges_once, load, measures, run,
};
use crate::failure::{Failure, Result};
use crate::files::{InFile, OutFolder};
use crate::output;
use crate::progress::Bars;

/// Compare schemes on data sets, with tests of their differences
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur compare builtin:iris builtin:credit         the default and a dozen others
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
    /// LEARNER[:option=value,...][/PRUNER[:option=value,...]], once for each [default: the default of `fit`, and a dozen others]
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
    columns: RoleArgs,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    dividing: ProtocolArgs,
}

/// The schemes that are compared with the default when none is named; those that do not fit the target are left out.
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

/// Tests of proportions are for rows that are judged once.
fn check_trials(test: Test, protocol: &Protocol) -> Result<()> {
    if test.kind.of_proportions() && !judges_once(protocol) {
        return Err(Failure::call(format!(
            "--test {}: rows that are judged several times are not independent trials; use corrected-t, or one \
             repetition",
            test.kind.id()
        )));
    }
    Ok(())
}

/// What was asked for, and what came of it.
struct Ran {
    sets: Sets,
    names: Vec<String>,
    base: String,
    measures: Vec<&'static Measure>,
    /// The test as it was asked for, and for each measure with its own threshold.
    test: Test,
    tests: Vec<Test>,
    protocol: Protocol,
    records: Vec<Record>,
}

impl Compare {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        experiment::schemes(&self.scheme, self.columns.task())?;
        let format = self.report.format()?;
        let begun = Instant::now();
        let ran = self.ran(how)?;
        let Ran { sets, names, base, measures, protocol, records, .. } = &ran;
        let sheets: Vec<Sheet> = measures.iter().map(|m| Sheet::of(records, m)).collect();
        let pairs = sheets.iter().zip(&ran.tests);
        let comparisons: Vec<Comparison> =
            pairs.map(|(sheet, test)| sheet.against(base, test)).collect::<secateur::Result<_>>()?;
        let failures = failures(records);
        if records.iter().all(|record| record.measured.is_none()) {
            return Err(Failure::Work(failures.iter().map(failed).collect()));
        }
        let cover = cover(&comparisons, records, sets);
        if let Some(folder) = &self.pictures {
            save(folder, &cover)?;
        }
        if how.json {
            output::json(&Summary {
                datasets: sets.summary(),
                schemes: names,
                base,
                measures: measures.iter().map(|m| m.id).collect(),
                protocol: protocol.in_words(),
                divisions: protocol.count(),
                seed: self.weighing.seed,
                test: ran.test,
                results: results(&comparisons, records),
                tests: tests_summary(&comparisons),
                counts: counts(&comparisons),
                overall: overall_summary(&comparisons),
                failures: &failures,
                seconds: begun.elapsed().as_secs_f64(),
                results_file: self.results.file().map(ToString::to_string),
            })?;
            return Ok(());
        }
        let style = self.report.style(how);
        let mut report = report(&comparisons, format, style.width);
        report.paragraphs.push(self.divided(protocol));
        if format == Format::Html {
            report.title = title(sets, names.len());
            report.cover = cover;
        }
        report.notes.extend(failures.iter().map(failed));
        self.report.write(how, &report.render(format, &style))?;
        if let Some(path) = self.results.file() {
            how.note(&format!("the results are in {path}"));
        }
        Ok(())
    }

    /// Checks the call, loads the tables and tries the schemes on them.
    fn ran(&self, how: &Output) -> Result<Ran> {
        self.results.note_renamed(how);
        let test = Test { kind: TestKind::parse(&self.test)?, level: self.level, threshold: None };
        test.check()?;
        let shares = self.dividing.shares()?;
        self.threads.start();
        let bars = Bars::new(how.quiet);
        let sets = load(
            &self.data,
            self.test_data.as_ref(),
            &self.columns,
            &self.weighing,
            self.drop_missing_target,
            &bars,
        )?;
        let (protocol, least) = self.dividing.protocol(&sets, self.weighing.seed)?;
        check_trials(test, &protocol)?;
        let schemes = self.schemes(&sets, (least as f64 * shares[0]) as usize)?;
        let base = self.base(&schemes)?;
        let measures = self.measures(&sets)?;
        let tests = self.thresholds(test, &measures)?;
        let names: Vec<String> = schemes.iter().map(|s| s.name.clone()).collect();
        let (seed, out) = (self.weighing.seed, self.results.file());
        let asked = Asked { schemes, protocol: protocol.clone(), shares, seed, details: Details::default() };
        let records = run(&sets, asked, out, &bars)?;
        Ok(Ran { sets, names, base, measures, test, tests, protocol, records })
    }

    /// The schemes of the call; or the default scheme for this many rows to learn from, and the usual other ones.
    fn schemes(&self, sets: &Sets, rows: usize) -> Result<Vec<Named>> {
        if !self.scheme.is_empty() {
            return experiment::schemes(&self.scheme, Some(sets.task));
        }
        let all = USUAL.map(String::from);
        let mut all = experiment::schemes(&all, None)?;
        let default = Named::plain(Scheme::default_for(sets.task, rows)?);
        all.retain(|named| named.scheme.check(sets.task).is_ok() && named.name != default.name);
        all.insert(0, default);
        Ok(all)
    }

    /// The name of the base.
    fn base(&self, schemes: &[Named]) -> Result<String> {
        let Some(text) = &self.base else { return Ok(schemes[0].name.clone()) };
        let wanted = experiment::schemes(std::slice::from_ref(text), None)?.remove(0).name;
        if schemes.iter().any(|named| named.name == wanted) {
            return Ok(wanted);
        }
        let meant = secateur::error::suggestion(&wanted, schemes.iter().map(|s| s.name.as_str()));
        Err(Failure::call(format!("--base: {wanted} is not one of the schemes{meant}; add it with --scheme")))
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
