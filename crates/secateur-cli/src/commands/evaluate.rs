//! `secateur evaluate`: how good the trees of one scheme are on rows they have not seen.

use std::time::Instant;

use clap::Args;
use secateur::Scheme;
use secateur::evaluate::comparison::{Failed, Sheet, failures, heading, shown};
use secateur::evaluate::measures::{MEASURES, Measure, class_scores, cost_with_shares, macro_average};
use secateur::evaluate::{Baseline, Named, Protocol, Record};
use secateur::report::grid::{Cell, Column, Format, Grid, Report};
use secateur::schema::Task;
use serde_json::{Map, Value, json};

use crate::args::{Output, Parts, Threads, WeightArgs};
use crate::experiment::{
    self, Mean, ProtocolArgs, ReportArgs, ResultsArgs, Set, Sets, failed, load, measures, run,
};
use crate::failure::{Failure, Result};
use crate::files::InFile;
use crate::output;
use crate::progress::Bars;

/// Judge one scheme on rows that its trees have not seen
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur evaluate builtin:iris
  secateur evaluate train.csv --scheme c45/error-based --cv 10 --repeats 10
  secateur evaluate train.csv --test-data test.csv
  secateur evaluate train.csv --random 20 --train 0.7  random trials
  secateur evaluate train.csv --learning-curve 0.1,0.2,0.5,1
  secateur evaluate a.csv b.csv --repeats 10 --results results.jsonl

Whatever a scheme chooses, it chooses inside the rows to learn from. With
--results every division's result is kept, and the same call resumes a run.")]
pub struct Evaluate {
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; - for standard input; or builtin:NAME
    #[arg(required = true)]
    data: Vec<InFile>,
    /// LEARNER[:option=value,...][/PRUNER[:option=value,...]] [default: cart/cost-complexity:cv=10,1se]
    #[arg(long, short)]
    scheme: Option<String>,
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

/// What was done, for the report and for JSON.
struct Done<'a> {
    scheme: &'a str,
    protocol: &'a Protocol,
    seed: u64,
    records: &'a [Record],
    sheets: &'a [Sheet],
    /// The best constant answer, for every data set.
    baselines: &'a [Baseline],
}

impl Evaluate {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        experiment::schemes(self.scheme.as_slice(), self.parts.task())?;
        let format = self.report.format()?;
        self.results.note_renamed(how);
        if self.test.is_some() {
            how.note_renamed("--test FILE", "--test-data");
        }
        let shares = self.dividing.shares()?;
        self.threads.start()?;
        let bars = Bars::new(how.quiet);
        let begun = Instant::now();
        let sets = load(
            &self.data,
            self.test_data.as_ref().or(self.test.as_ref()),
            &self.parts,
            &self.weighing,
            self.drop_missing_target,
            &bars,
        )?;
        let (protocol, least) = self.dividing.protocol(&sets, self.weighing.seed)?;
        let printed = match self.measure.as_slice() {
            [] => usual(sets.task, sets.has_costs()),
            names => measures(names, sets.task)?,
        };
        let schemes = match self.scheme {
            Some(_) => experiment::schemes(self.scheme.as_slice(), Some(sets.task))?,
            None => vec![Named::plain(Scheme::default_for((least as f64 * shares[0]) as usize)?)],
        };
        let scheme = schemes[0].name.clone();
        let (seed, out) = (self.weighing.seed, self.results.file());
        let records = run(&sets, schemes, protocol.clone(), shares, seed, out, &bars)?;
        drop(bars);
        let failures = failures(&records);
        if records.iter().all(|record| record.measured.is_none()) {
            let why = failures.first().map(failed).unwrap_or_default();
            return Err(Failure::Work(why));
        }
        let existing = MEASURES.iter().filter(|m| m.only.fits(sets.task));
        let sheets: Vec<Sheet> = existing.map(|m| Sheet::of(&records, m)).collect();
        let baseline = |set: &Set| Baseline::of(&set.coded, &set.options, &protocol, seed);
        let baselines: Vec<Baseline> = sets.list.iter().map(baseline).collect::<secateur::Result<_>>()?;
        let done = Done {
            scheme: &scheme,
            protocol: &protocol,
            seed,
            records: &records,
            sheets: &sheets,
            baselines: &baselines,
        };
        let seconds = begun.elapsed().as_secs_f64();
        if how.json {
            output::json(&done.summary(&sets, seconds, &failures))?;
        } else {
            let mut report = done.report(&sets, &printed, format, self.report.style(how).width);
            report.notes.extend(failures.iter().map(failed));
            if format == Format::Html {
                let data: Vec<&str> = sets.list.iter().map(|set| set.name.as_str()).collect();
                report.title = format!("{scheme} on {}", shortened_list(&data));
                report.cover.call = output::call();
                report.cover.overview = Some(done.overview(&sets));
            }
            self.report.write(how, &report.render(format, &self.report.style(how)))?;
            if let Some(path) = self.results.file() {
                how.note(&format!("the results are in {path}"));
            }
        }
        Ok(())
    }
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
        (Task::Classification, false) => &["loss", "expansions", "prune-seconds"],
        (Task::Classification, true) => &["expansions", "prune-seconds"],
        // Its root is in the unit of the target.
        (Task::Regression, _) => &["mse", "expansions", "prune-seconds"],
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

    /// The share of the baseline's mean squared error that the trees explain.
    fn r2(&self, dataset: usize, share: usize) -> Option<f64> {
        let sheet = self.sheets.iter().find(|sheet| sheet.measure.id == "mse")?;
        let (mse, constant) = (sheet.cell(dataset, 0, share).mean?, self.baselines[dataset].get("mse")?);
        (constant > 0.0).then(|| 1.0 - mse / constant)
    }

    /// All means of a data set with one share, by measure.
    fn means(&self, dataset: usize, share: usize) -> Map<String, Value> {
        let of = |sheet: &Sheet| {
            let summary = sheet.cell(dataset, 0, share);
            summary.mean?;
            Some((sheet.measure.key(), json!(Mean::of(sheet, summary))))
        };
        self.sheets.iter().filter_map(of).collect()
    }

    fn summary(&self, sets: &Sets, seconds: f64, failures: &[Failed]) -> Value {
        let common = json!({
            "scheme": self.scheme, "protocol": self.protocol.in_words(), "divisions": self.protocol.count(),
            "seed": self.seed, "seconds": seconds,
        });
        let mut summary: Vec<Value> = Vec::new();
        for (i, set) in sets.list.iter().enumerate() {
            let mine: Vec<_> = failures.iter().filter(|f| f.dataset == set.name).collect();
            summary.push(self.summary_of(i, set, json!(mine)));
        }
        let mut all = match summary.len() {
            1 => summary.remove(0),
            _ => json!({ "results": summary }),
        };
        if let (Value::Object(all), Value::Object(common)) = (&mut all, common) {
            all.extend(common);
        }
        all
    }

    /// One data set as JSON; the numbers beside the curve are those of its largest share.
    fn summary_of(&self, place: usize, set: &Set, failures: Value) -> Value {
        let shares = &self.sheets[0].shares;
        let mut summary = self.means(place, self.last());
        summary.insert("dataset".into(), json!(set.summary()));
        summary.insert("failures".into(), failures);
        let baseline = &self.baselines[place];
        let mut constant: Map<String, Value> =
            baseline.measures().iter().map(|(name, x)| (name.to_string(), json!(x))).collect();
        constant.insert("answer".into(), json!(answer(set, baseline)));
        summary.insert("baseline".into(), constant.into());
        if let Some(r2) = self.r2(place, self.last()) {
            summary.insert("r2".into(), json!(r2));
        }
        if shares.len() > 1 {
            let point = |share: usize| {
                let mut point = self.means(place, share);
                let (train, test) = self.rows(&set.name, shares[share]);
                point.extend([
                    ("share".to_string(), json!(shares[share])),
                    ("train".into(), json!(train)),
                    ("test".into(), json!(test)),
                ]);
                point
            };
            summary.insert("curve".into(), (0..shares.len()).map(point).collect::<Vec<_>>().into());
        }
        if let Some(confusion) = self.confusion(&set.name, shares[self.last()]) {
            let names = set.coded.schema().target.classes();
            let classes = names.iter().zip(class_scores(&confusion)).map(|(name, s)| {
                json!({"class": name, "precision": s.precision, "recall": s.recall, "f1": s.f1, "support": s.support})
            });
            summary.insert("classes".into(), classes.collect());
            let mean = macro_average(&confusion);
            let mean = mean.map(|s| json!({"precision": s.precision, "recall": s.recall, "f1": s.f1}));
            summary.insert("macro".into(), json!(mean));
            summary.insert("confusion".into(), json!(confusion));
            if let Some((error, loss)) = to_priors(set, &confusion) {
                let to = json!({"accuracy": 1.0 - error, "error": error, "loss": loss});
                summary.insert("weighted_to_priors".into(), to);
            }
        }
        summary.into()
    }

    fn report(&self, sets: &Sets, printed: &[&'static Measure], format: Format, width: usize) -> Report {
        // The extremes have no room in a narrow terminal.
        let is_wide = format != Format::Text || width >= 90;
        let sheets: Vec<&Sheet> =
            printed.iter().filter_map(|m| self.sheets.iter().find(|s| s.measure == *m)).collect();
        if format == Format::Csv {
            return Report { grids: vec![self.list(&sheets)], ..Report::default() };
        }
        let mut report = Report { title: self.scheme.into(), ..Report::default() };
        let seed = match self.protocol {
            Protocol::TrainTest { .. } | Protocol::Given(_) => String::new(),
            _ => format!(", seed {}", self.seed),
        };
        report.paragraphs.push(format!("{}{seed}.", self.protocol.in_words()));
        for (place, set) in sets.list.iter().enumerate() {
            if sheets.first().is_some_and(|sheet| sheet.shares.len() > 1) {
                report.grids.push(self.curve(&sheets, place, &set.name));
            } else {
                report.grids.push(self.numbers(&sheets, place, set, is_wide));
            }
            let share = self.sheets[0].shares[self.last()];
            if let Some(confusion) = self.confusion(&set.name, share) {
                let classes = set.coded.schema().target.classes();
                let several = sets.list.len() > 1;
                report.grids.extend(by_class(classes, &confusion).into_iter().map(|mut grid| {
                    if several {
                        grid.title = format!("{}: {}", set.name, grid.title.to_lowercase());
                    }
                    grid
                }));
                if let Some((error, loss)) = to_priors(set, &confusion) {
                    let cost = set
                        .options
                        .costs
                        .as_ref()
                        .map_or(String::new(), |_| format!(", mean cost {loss:.4}"));
                    report.notes.push(format!(
                        "{}: measures are over the test rows as they are; weighted exactly to the priors (all test parts \
                         together): accuracy {:.2} %{cost}.",
                        set.name,
                        100.0 * (1.0 - error)
                    ));
                }
            }
        }
        if !matches!(self.protocol, Protocol::TrainTest { .. }) {
            report.notes.push(
                "Intervals are for 95 % and allow for training parts that overlap (Nadeau and Bengio 2003)."
                    .into(),
            );
        }
        report
    }

    fn numbers(&self, sheets: &[&Sheet], place: usize, set: &Set, is_wide: bool) -> Grid {
        let heads = ["mean ± sd", "baseline", "95 % interval", "smallest", "largest"];
        let heads = &heads[..if is_wide { 5 } else { 3 }];
        let columns =
            std::iter::once(Column::left("measure")).chain(heads.iter().map(|head| Column::decimal(*head)));
        let mut grid = Grid::new(format!("{}: {}", set.name, rows_in_words(set)), columns);
        for sheet in sheets {
            let summary = sheet.cell(place, 0, 0);
            let Some(mean) = summary.mean else { continue };
            let write = |x: f64| shown(sheet.measure, x, None);
            let interval = Mean::of(sheet, summary).interval;
            let ends = |f: fn(f64, f64) -> f64| {
                summary.values.iter().copied().reduce(f).map(write).unwrap_or_default()
            };
            let cells = [
                heading(sheet.measure),
                shown(sheet.measure, mean, summary.sd),
                self.baselines[place].get(sheet.measure.id).map(write).unwrap_or_default(),
                interval.map(|i| format!("{} to {}", write(i.low), write(i.high))).unwrap_or_default(),
                ends(f64::min),
                ends(f64::max),
            ];
            grid.row(cells.into_iter().take(1 + heads.len()));
            if let ("mae", Some(r2)) = (sheet.measure.id, self.r2(place, 0)) {
                let cells = ["R²".to_string(), format!("{r2:.4}"), "0".into()];
                grid.row(cells.into_iter().chain(vec![String::new(); heads.len() - 2]));
            }
        }
        grid.notes.push(in_words(set, &self.baselines[place]));
        grid
    }

    /// A line for every data set: its size, the most important error beside its baseline, the leaves.
    fn overview(&self, sets: &Sets) -> Grid {
        let id = match (sets.task, sets.has_costs()) {
            (Task::Regression, _) => "rmse",
            (Task::Classification, true) => "loss",
            (Task::Classification, false) => "error",
        };
        let of = |id: &str| self.sheets.iter().find(|sheet| sheet.measure.id == id);
        let title = of(id).map(|sheet| heading(sheet.measure)).unwrap_or_default();
        let heads = ["rows".to_string(), title, "baseline".into(), "leaves".into()];
        let columns = std::iter::once(Column::left("data set")).chain(heads.into_iter().map(Column::decimal));
        let mut grid = Grid::new("Overview", columns);
        for (place, set) in sets.list.iter().enumerate() {
            let mean = |id: &str| {
                let sheet = of(id)?;
                let summary = sheet.cell(place, 0, self.last());
                Some(shown(sheet.measure, summary.mean?, summary.sd))
            };
            let baseline = of(id).and_then(|sheet| Some((sheet, self.baselines[place].get(id)?)));
            let cells = [
                Some(output::thousands(set.coded.rows() as u64)),
                mean(id),
                baseline.map(|(sheet, x)| shown(sheet.measure, x, None)),
                mean("leaves"),
            ];
            let cells = cells.into_iter().map(|cell| Cell::from(cell.unwrap_or_default()));
            grid.row(std::iter::once(Cell::from(set.name.as_str())).chain(cells));
        }
        grid
    }

    fn curve(&self, sheets: &[&Sheet], place: usize, name: &str) -> Grid {
        let heads = sheets.iter().map(|sheet| Column::decimal(heading(sheet.measure)));
        let first = [Column::right("share"), Column::right("rows")];
        let mut grid = Grid::new(format!("{name}: learning curve"), first.into_iter().chain(heads));
        for (share, value) in self.sheets[0].shares.iter().enumerate() {
            let (train, _) = self.rows(name, *value);
            let mut row: Vec<Cell> = vec![value.to_string().into(), format!("{train:.0}").into()];
            row.extend(sheets.iter().map(|sheet| {
                let summary = sheet.cell(place, 0, share);
                summary
                    .mean
                    .map_or(Cell::faint("failed"), |mean| shown(sheet.measure, mean, summary.sd).into())
            }));
            grid.row(row);
        }
        grid
    }

    /// All numbers without rounding, one to a line.
    fn list(&self, sheets: &[&Sheet]) -> Grid {
        let heads = ["data set", "scheme", "share", "measure", "mean", "sd", "low", "high", "values"];
        let mut grid = Grid::new("", heads.map(Column::left));
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        for sheet in sheets {
            for (place, name) in sheet.datasets.iter().enumerate() {
                for (share, value) in sheet.shares.iter().enumerate() {
                    let summary = sheet.cell(place, 0, share);
                    let interval = Mean::of(sheet, summary).interval;
                    grid.row([
                        name.clone(),
                        self.scheme.into(),
                        value.to_string(),
                        sheet.measure.id.into(),
                        number(summary.mean),
                        number(summary.sd),
                        number(interval.map(|i| i.low)),
                        number(interval.map(|i| i.high)),
                        summary.values.len().to_string(),
                    ]);
                }
            }
        }
        grid
    }
}

/// What a constant answers.
fn answer(set: &Set, baseline: &Baseline) -> Value {
    match baseline.class {
        Some(class) => json!(set.coded.schema().target.classes()[class]),
        None => json!(baseline.number),
    }
}

/// What the baseline is.
fn in_words(set: &Set, baseline: &Baseline) -> String {
    match (baseline.class, set.options.costs.is_some()) {
        (Some(class), costs) => {
            let name = output::shortened(&set.coded.schema().target.classes()[class], 40);
            let why = if costs { "the class that costs least for all rows" } else { "the largest class" };
            format!("The baseline answers {name} to every row: {why}, by those learned from.")
        }
        (None, _) => {
            "The baseline answers the mean of the rows learned from to every row; R² is measured against it."
                .into()
        }
    }
}

fn rows_in_words(set: &Set) -> String {
    output::count(set.coded.rows() as u64, "row", "rows")
}

/// Classes with more than this are told in JSON only.
const MOST_CLASSES: usize = 30;

/// Precision, recall and F1 of every class, and what was taken for what.
fn by_class(classes: &[String], confusion: &[Vec<f64>]) -> Vec<Grid> {
    let percent = |x: f64| format!("{:.1}", 100.0 * x);
    let mut scores = Grid::new(
        "Classes",
        [
            Column::left("class"),
            Column::decimal("precision %"),
            Column::decimal("recall %"),
            Column::decimal("F1 %"),
            Column::decimal("rows"),
        ],
    );
    if classes.len() > MOST_CLASSES {
        scores.notes.push(format!("{} classes; --json has their scores.", classes.len()));
    } else {
        for (name, s) in classes.iter().zip(class_scores(confusion)) {
            scores.row([
                name.clone(),
                percent(s.precision),
                percent(s.recall),
                percent(s.f1),
                output::number(s.support),
            ]);
        }
    }
    if let Some(s) = macro_average(confusion) {
        scores.footer([
            "mean".into(),
            percent(s.precision),
            percent(s.recall),
            percent(s.f1),
            output::number(s.support),
        ]);
    }
    if classes.len() > MOST_CLASSES {
        return vec![scores];
    }
    let columns = classes.iter().map(|name| Column::decimal(name.clone()).under("taken for"));
    let mut matrix = Grid::new("Confusion", std::iter::once(Column::left("class")).chain(columns));
    for (i, (name, row)) in classes.iter().zip(confusion).enumerate() {
        let cells = row.iter().enumerate().map(|(j, &count)| match (i == j, count == 0.0) {
            (true, _) => Cell::strong(output::number(count)),
            (false, true) => Cell::faint("0"),
            (false, false) => output::number(count).into(),
        });
        matrix.row(std::iter::once(Cell::from(name.as_str())).chain(cells));
    }
    vec![scores, matrix]
}
