//! `secateur evaluate`: how good the trees of one scheme are on rows they have not seen.

mod calibration;
mod report;
mod sets;
mod streamed;
mod summary;

use std::time::Instant;

use clap::Args;
use secateur::Scheme;
use secateur::drawing::svg;
use secateur::evaluate::comparison::{Sheet, failures};
use secateur::evaluate::measures::{MEASURES, Measure, cost_with_shares};
use secateur::evaluate::{Baseline, Details, Named, Protocol, Record, SetsAsked};
use secateur::report::grid::{Figure, Format};
use secateur::schema::Task;

use crate::args::{Output, RoleArgs, Threads, WeightArgs};
use crate::experiment::{
    Asked, ProtocolArgs, ReportArgs, ResultsArgs, Set, Sets, failed, load, measures, run,
};
use crate::failure::{Failure, Hint, Result};
use crate::files::{InFile, OutFolder};
use crate::output;
use crate::progress::Bars;
use crate::scheme_args::{SCHEMES, SchemeArgs};
use crate::streaming::StreamArgs;

/// Judge one scheme on rows that its trees have not seen
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur evaluate builtin:iris
  secateur evaluate train.csv --scheme c45/error-based --cv 10 --repeats 10
  secateur evaluate train.csv --test-data test.csv
  secateur evaluate train.csv --sets 0.9              do sets hold what they say?
  secateur evaluate train.csv --random 20 --train 0.7  random trials
  secateur evaluate train.csv --learning-curve 0.1,0.2,0.5,1
  secateur evaluate a.csv b.csv --repeats 10 --results results.jsonl
  secateur evaluate train.parquet --test-data big.parquet --memory 1GB

Whatever a scheme chooses, it chooses inside the rows to learn from. With
--results every division's result is kept, and the same call resumes a run.
With --memory, tables to learn from and to test on may be of any length:
what is larger is streamed.")]
pub struct Evaluate {
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; - for standard input; or builtin:NAME
    #[arg(required = true)]
    data: Vec<InFile>,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Learn from all rows of DATA, test on the rows of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cv", "repeats", "validation", "window", "random", "folds"])]
    test_data: Option<InFile>,
    /// The old name of --test-data
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["test_data", "cv", "repeats", "validation", "window", "random", "folds"])]
    test: Option<InFile>,
    /// What to print, such as accuracy,auc,leaves [default: all that matters]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    measure: Vec<String>,
    #[command(flatten)]
    results: ResultsArgs,
    #[command(flatten)]
    report: ReportArgs,
    /// Verify the sets or intervals of `predict --sets` for this share of the rows, such as 0.9
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    sets: Option<f64>,
    /// Make them with this share of the rows to learn from, set aside for that [default: by the scheme's own folds]
    #[arg(long, value_name = "SHARE", requires = "sets", allow_negative_numbers = true)]
    calibrate: Option<f64>,
    /// Write the pictures of the HTML report to this folder too, as SVG: calibration.svg
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
    streaming: StreamArgs,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    dividing: ProtocolArgs,
}

/// A run, however the rows were read.
struct Ran {
    sets: Sets,
    scheme: String,
    protocol: Protocol,
    records: Vec<Record>,
    /// The best constant answer, for every data set.
    baselines: Vec<Baseline>,
}

/// What was done, for the report and for JSON.
struct Done<'a> {
    scheme: &'a str,
    protocol: &'a Protocol,
    seed: u64,
    records: &'a [Record],
    sheets: &'a [Sheet],
    /// The best constant answer, for every data set.
    baselines: &'a [Baseline],
    /// The sets or intervals that were looked at.
    sets: Option<SetsAsked>,
}

impl Evaluate {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let given = self.scheme.given(&self.columns)?;
        let format = self.report.format()?;
        self.results.note_renamed(how);
        if self.test.is_some() {
            how.note_renamed("--test FILE", "--test-data");
        }
        self.dividing.shares()?;
        self.threads.start();
        let bars = Bars::new(how.quiet);
        let begun = Instant::now();
        let ran = match self.streamed(given.as_ref(), &bars)? {
            Some(ran) => ran,
            None => self.in_memory(given, &bars)?,
        };
        drop(bars);
        self.tell(&ran, begun, format, how)
    }

    /// The rows to test on.
    fn test_file(&self) -> Option<&InFile> {
        self.test_data.as_ref().or(self.test.as_ref())
    }

    /// Judges with all rows in memory.
    fn in_memory(&self, given: Option<Scheme>, bars: &Bars) -> Result<Ran> {
        let shares = self.dividing.shares()?;
        let (test, dropped) = (self.test_file(), self.drop_missing_target);
        let sets = load(&self.data, test, &self.columns, &self.weighing, dropped, bars)?;
        let (protocol, least) = self.dividing.protocol(&sets, self.weighing.seed)?;
        if !self.measure.is_empty() {
            measures(&self.measure, sets.task)?;
        }
        let usual = || Scheme::default_for(sets.task, (least as f64 * shares[0]) as usize);
        let scheme = self.scheme.or_else(given, usual)?;
        scheme.check(sets.task).hint(SCHEMES)?;
        let schemes = vec![Named::plain(scheme)];
        let scheme = schemes[0].name.clone();
        let (seed, out) = (self.weighing.seed, self.results.file());
        let details = Details { calibration: true, sets: self.sets()? };
        let asked = Asked { schemes, protocol: protocol.clone(), shares, seed, details };
        let records = run(&sets, asked, out, bars)?;
        let baseline = |set: &Set| Baseline::of(&set.coded, &set.options, &protocol, seed);
        let baselines = sets.list.iter().map(baseline).collect::<secateur::Result<_>>()?;
        Ok(Ran { sets, scheme, protocol, records, baselines })
    }

    /// Prints the results.
    fn tell(&self, ran: &Ran, begun: Instant, format: Format, how: &Output) -> Result<()> {
        let Ran { sets, scheme, protocol, records, baselines } = ran;
        let printed = match self.measure.as_slice() {
            [] => usual(sets.task, sets.has_costs()),
            names => measures(names, sets.task)?,
        };
        let failures = failures(records);
        if records.iter().all(|record| record.measured.is_none()) {
            return Err(Failure::Work(failures.iter().map(failed).take(1).collect()));
        }
        let existing = MEASURES.iter().filter(|m| m.only.fits(sets.task));
        let sheets: Vec<Sheet> = existing.map(|m| Sheet::of(records, m)).collect();
        let (seed, asked_sets) = (self.weighing.seed, self.sets()?);
        let done = Done { scheme, protocol, seed, records, sheets: &sheets, baselines, sets: asked_sets };
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(folder) = &self.pictures {
            save(folder, &done.pictures(sets))?;
        }
        if how.json {
            output::json(&done.summary(sets, seconds, &failures))?;
        } else {
            let mut report = done.report(sets, &printed, format, &self.report.style(how));
            report.notes.extend(failures.iter().map(failed));
            if format == Format::Html {
                let data: Vec<&str> = sets.list.iter().map(|set| set.name.as_str()).collect();
                report.title = format!("{scheme} on {}", shortened_list(&data));
                report.cover.call = output::call();
                report.cover.overview = Some(done.overview(sets));
                report.cover.figures = done.pictures(sets).into_iter().map(|(_, figure)| figure).collect();
            }
            self.report.write(how, &report.render(format, &self.report.style(how)))?;
            if let Some(path) = self.results.file() {
                how.note(&format!("the results are in {path}"));
            }
        }
        Ok(())
    }
}

impl Evaluate {
    /// The sets that are asked for.
    fn sets(&self) -> Result<Option<SetsAsked>> {
        let Some(level) = self.sets else { return Ok(None) };
        for (flag, share) in [("--sets", Some(level)), ("--calibrate", self.calibrate)] {
            if let Some(share) = share.filter(|share| !(*share > 0.0 && *share < 1.0)) {
                return Err(Failure::call(format!(
                    "{flag}: {share} is not a share; expected a number between 0 and 1"
                )));
            }
        }
        Ok(Some(SetsAsked { level, aside: self.calibrate }))
    }
}

/// Writes the pictures to a folder: under the names of the data sets where there are several.
fn save(folder: &OutFolder, pictures: &[(String, Figure)]) -> Result<()> {
    if pictures.is_empty() {
        return Err(Failure::call("--pictures: there is nothing to draw; calibration is for classes"));
    }
    for (place, (name, figure)) in pictures.iter().enumerate() {
        // Names of data sets can be paths.
        let name: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
        let file = match pictures.len() {
            1 => format!("{}.svg", figure.name),
            _ => format!("{}-{}-{name}.svg", figure.name, place + 1),
        };
        folder.write(&file, |out| write!(out, "{}", svg(&figure.drawing)))?;
    }
    Ok(())
}

/// The first of some names, and how many more there are.
fn shortened_list(names: &[&str]) -> String {
    match names.len() {
        0..=3 => names.join(", "),
        n => format!("{} and {} more", names[..2].join(", "), n - 2),
    }
}

/// The error rate and the mean cost of all test rows together, weighted to the priors that trees were grown for.
fn to_priors(set: &Set, confusion: &[Vec<f64>]) -> Option<(f64, f64)> {
    let priors = &set.options.priors.as_ref()?.shares(set.coded.schema().target.classes()).ok()?;
    let wrong = |actual: usize, label: usize| f64::from(u8::from(actual != label));
    let error = cost_with_shares(confusion, priors, wrong)?;
    let loss = match &set.options.costs {
        Some(costs) => cost_with_shares(confusion, priors, |actual, label| costs.cost(actual, label))?,
        None => error,
    };
    Some((error, loss))
}

/// The measures that are printed when none is named.
fn usual(task: Task, costs: bool) -> Vec<&'static Measure> {
    let left_out: &[&str] = match (task, costs) {
        (Task::Classification, false) => &["loss", "apparent", "expansions", "prune-seconds"],
        (Task::Classification, true) => &["apparent", "expansions", "prune-seconds"],
        // Its root is in the unit of the target.
        (Task::Regression, _) => &["mse", "estimate", "apparent", "expansions", "prune-seconds"],
    };
    MEASURES.iter().filter(|m| m.only.fits(task) && !left_out.contains(&m.id)).collect()
}

impl Done<'_> {
    /// The numbers of the largest share, for every data set.
    fn last(&self) -> usize {
        self.sheets.first().map_or(0, |sheet| sheet.shares.len() - 1)
    }

    /// The confusion matrices of all divisions, added up.
    fn confusion(&self, dataset: &str, share: f64) -> Option<Vec<Vec<f64>>> {
        let mine = self.records.iter().filter(|r| r.dataset == dataset && r.share == share);
        let mut sum: Option<Vec<Vec<f64>>> = None;
        for matrix in mine.filter_map(|r| r.measured.as_ref()?.confusion.as_ref()) {
            match &mut sum {
                None => sum = Some(matrix.clone()),
                Some(sum) => {
                    let cells = sum.iter_mut().flatten().zip(matrix.iter().flatten());
                    cells.for_each(|(sum, more)| *sum += more);
                }
            }
        }
        sum
    }

    /// The rows learned from and judged on, in one division on average.
    fn rows(&self, dataset: &str, share: f64) -> (f64, f64) {
        let mine: Vec<&Record> = self
            .records
            .iter()
            .filter(|r| r.dataset == dataset && r.share == share && r.measured.is_some())
            .collect();
        let mean =
            |of: fn(&Record) -> usize| mine.iter().map(|r| of(r) as f64).sum::<f64>() / mine.len() as f64;
        (mean(|r| r.train), mean(|r| r.test))
    }

    /// The share of the scored rows' squared distances from their own mean that the trees explain.
    fn r2(&self, dataset: usize, share: usize) -> Option<f64> {
        let sheet = self.sheets.iter().find(|sheet| sheet.measure.id == "mse")?;
        self.baselines[dataset].r2(sheet.cell(dataset, 0, share).mean?)
    }
}
