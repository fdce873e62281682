//! Running an experiment: its schemes on its data by its protocol, and the measured table that comes out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::data::{Folder, load, normalised, with_classes};
use super::experiment::{Choose, Experiment, Kind, Measure, NamedScheme, Part, Source};
use super::protocol::{Protocol, TestKind};
use super::published::Published;
use super::results::{Key, Results, Sign};
use super::{ceases, inner, tuning};
use crate::data::{CodedTable, Roles, joined};
use crate::error::{Error, Result, suggestion};
use crate::evaluate::statistics::{Tail, corrected_t, one_sided_t, paired_t, proportions};
use crate::evaluate::{self, DataSet, Named, Record};
use crate::fit::FitOptions;
use crate::progress::Progress;

/// What a run is told beside the experiment.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// All repetitions and all data sets, not the quick ones.
    pub full: bool,
    /// The data sets to run, with all repetitions; otherwise those of the quick or the full run.
    pub datasets: Vec<String>,
    /// A folder with data sets.
    pub data: Option<PathBuf>,
    /// Data sets in files of their own, by name; they come before those of the folder.
    pub files: Vec<(String, PathBuf)>,
    /// The seed, where the protocol has no folds of its own.
    pub seed: u64,
    /// Where results are kept, to go on from after an interruption.
    pub file: Option<PathBuf>,
}

/// What a run came to.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The measured table, in printed units.
    pub results: Results,
    /// Rows of every data set that was run.
    pub rows: BTreeMap<String, usize>,
    /// Data sets that could not be had, and why.
    pub missing: Vec<(String, String)>,
    /// What failed: data set, scheme and why, once each.
    pub failures: Vec<(String, String, String)>,
    /// How rows were divided, in words.
    pub protocol: String,
}

impl Run {
    pub(super) fn fail(&mut self, dataset: &str, scheme: &str, why: &str) {
        let failure = (dataset.to_string(), scheme.to_string(), why.to_string());
        if !self.failures.iter().any(|f| f.0 == failure.0 && f.1 == failure.1) {
            self.failures.push(failure);
        }
    }
}

/// A data set that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub name: String,
    pub from: String,
    pub test: Option<String>,
    pub ignore: Vec<String>,
    pub classes: Vec<String>,
}

impl Found {
    /// The table; with a test table of its own, both in one.
    pub fn table(&self, normalise: bool) -> Result<CodedTable> {
        let mut table = load(&self.from, &self.ignore)?;
        if let Some(test) = &self.test {
            table = joined(table, load(test, &self.ignore)?)?;
        }
        if !self.classes.is_empty() {
            table = with_classes(table, &self.classes)?;
        }
        if normalise {
            table = normalised(table)?;
        }
        CodedTable::new(&table, &Roles { drop_missing_target: true, ..Roles::default() })
    }
}

/// Runs an experiment.
pub fn run(
    experiment: &Experiment,
    published: &Published,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Run> {
    let mut run = Run::default();
    let found = find(experiment, published, options, &mut run)?;
    if found.is_empty() {
        let why: Vec<&str> = run.missing.iter().map(|m| m.1.as_str()).collect();
        let why = why.first().copied().unwrap_or("none is named");
        return Err(Error::parameter(format!("there is no data set to run {} on: {why}", experiment.id)));
    }
    let full = options.full || !options.datasets.is_empty();
    match experiment.run(full) {
        Protocol::Whole { seeds, folds_file, order } => {
            run.protocol = "one tree from all rows; folds inside".into();
            inner::run(experiment, &found, (&seeds, folds_file.as_deref(), order), &mut run, progress)?;
        }
        protocol => {
            for division in divisions(&protocol) {
                let words = match &division.protocol {
                    evaluate::Protocol::TrainTest { .. } => {
                        "one table to learn from, another to test on".into()
                    }
                    other => other.in_words(),
                };
                run.protocol = match run.protocol.as_str() {
                    "" => words,
                    before => format!("{before}; {words}"),
                };
                table(experiment, published, &found, &division, options, &mut run, progress)?;
            }
        }
    }
    if experiment.kind == Kind::Derived {
        let curves = std::mem::take(&mut run.results);
        run.results = ceases::data_reduction(&curves, "accuracy", "nodes");
    }
    Ok(run)
}

/// The data sets to run, and where they are.
fn find(
    experiment: &Experiment,
    published: &Published,
    options: &RunOptions,
    run: &mut Run,
) -> Result<Vec<Found>> {
    let folder = match &options.data {
        Some(folder) => Folder::open(folder)?,
        None => Folder::default(),
    };
    let folder = folder.with_files(&options.files);
    let known = experiment.dataset_names(published);
    if let Some(unknown) = options.datasets.iter().find(|name| !known.contains(name)) {
        return Err(Error::parameter(format!(
            "{} has no data set '{unknown}'{}; it has {}",
            experiment.id,
            suggestion(unknown, known.iter().map(String::as_str)),
            known.join(", ")
        )));
    }
    let quick = &experiment.quick.datasets;
    let wanted: Vec<String> = match (&options.datasets[..], options.full) {
        ([], false) if !quick.is_empty() => known.into_iter().filter(|name| quick.contains(name)).collect(),
        ([], _) => known,
        (named, _) => known.into_iter().filter(|name| named.contains(name)).collect(),
    };
    let mut found = Vec::new();
    for name in wanted {
        let source = experiment.source(&name);
        match folder.find(&source) {
            Ok(from) => {
                let Source { test, ignore, classes, .. } = source;
                found.push(Found { name, from, test, ignore, classes });
            }
            Err(why) => run.missing.push((name, why.to_string())),
        }
    }
    Ok(found)
}

/// One protocol of the runner, with the groups its results stand in.
struct Division {
    protocol: evaluate::Protocol,
    /// Shares of the training rows and the group of each.
    shares: Vec<(f64, Option<String>)>,
    /// The group of all results.
    group: Option<String>,
    normalise: bool,
    /// Every fold is a group of its own, and their mean another.
    by_fold: bool,
}

fn divisions(protocol: &Protocol) -> Vec<Division> {
    let whole = || vec![(1.0, None)];
    let percent = |p: &f64| (p / 100.0, Some(p.to_string()));
    let one = |protocol, shares, normalise, by_fold| {
        vec![Division { protocol, shares, group: None, normalise, by_fold }]
    };
    match protocol {
        Protocol::Cv { folds, repeats, order, training_percent } => {
            let shares = match &training_percent[..] {
                [] => whole(),
                list => list.iter().map(percent).collect(),
            };
            one(
                evaluate::Protocol::Cv { folds: *folds, repeats: *repeats, order: *order },
                shares,
                false,
                false,
            )
        }
        Protocol::Window { parts, training_percent } => training_percent
            .iter()
            .map(|percent| Division {
                protocol: evaluate::Protocol::Window {
                    parts: *parts,
                    train: (*parts as f64 * percent / 100.0).round() as usize,
                },
                shares: whole(),
                group: Some(percent.to_string()),
                normalise: false,
                by_fold: false,
            })
            .collect(),
        Protocol::ValidatedCv { validation, folds, normalise_target } => {
            let protocol = evaluate::Protocol::ValidatedCv { folds: *folds, validation: *validation };
            one(protocol, whole(), *normalise_target, true)
        }
        Protocol::Random { trials, train } => {
            one(evaluate::Protocol::Random { trials: *trials, train: *train }, whole(), false, false)
        }
        // How many rows the training table has is known when it is read.
        Protocol::TrainTest {} => one(evaluate::Protocol::TrainTest { train: 0 }, whole(), false, false),
        Protocol::Whole { .. } => Vec::new(),
    }
}

/// Runs one division of the rows and enters what was measured.
fn table(
    experiment: &Experiment,
    published: &Published,
    found: &[Found],
    division: &Division,
    options: &RunOptions,
    run: &mut Run,
    progress: &dyn Progress,
) -> Result<()> {
    let timed = experiment.measures.iter().any(|m| m.measure.contains("seconds"));
    let parts = experiment.measures.iter().any(|m| m.part != Part::Test);
    let tuned = experiment.schemes.iter().any(|s| !s.tune.is_empty());
    let separate = matches!(division.protocol, evaluate::Protocol::TrainTest { .. });
    let build = |datasets: Vec<DataSet>, schemes: Vec<Named>, protocol| evaluate::Experiment {
        datasets,
        schemes,
        protocol,
        shares: division.shares.iter().map(|s| s.0).collect(),
        seed: options.seed,
        sharing: !timed,
        all_parts: parts,
    };
    let mut records = Vec::new();
    if tuned || separate {
        // Schemes or sizes depend on the data set: one at a time.
        for set in found {
            let table = match set.table(division.normalise) {
                Ok(table) => table,
                Err(why) => {
                    run.fail(&set.name, "all", &why.to_string());
                    continue;
                }
            };
            let protocol = match &set.test {
                Some(_) => evaluate::Protocol::TrainTest { train: load(&set.from, &set.ignore)?.rows() },
                None => division.protocol.clone(),
            };
            let mut schemes = Vec::new();
            for scheme in &experiment.schemes {
                let one = |text: &str| -> Result<f64> {
                    let set = DataSet::ready(&*set.name, table.clone(), FitOptions::default());
                    let records = build(vec![set], vec![named(scheme, text)?], protocol.clone())
                        .run(None, &crate::progress::Silent)?;
                    let errors: Vec<f64> = records.iter().filter_map(|r| r.get("error")).collect();
                    Ok(if errors.is_empty() { f64::INFINITY } else { mean(&errors) })
                };
                schemes.push(named(scheme, &tuning::tuned(scheme, one)?)?);
            }
            let set = DataSet::ready(&*set.name, table, FitOptions::default());
            records.extend(build(vec![set], schemes, protocol).run(None, progress)?);
        }
    } else {
        let datasets = found
            .iter()
            .map(|set| {
                let (found, normalise) = (set.clone(), division.normalise);
                let load = move || Ok((found.table(normalise)?, FitOptions::default()));
                DataSet { name: set.name.clone(), load: Box::new(load), fingerprint: None }
            })
            .collect();
        let schemes = experiment.schemes.iter().map(|s| named(s, &s.scheme)).collect::<Result<_>>()?;
        let file = options.file.as_ref().map(|file| match &division.group {
            Some(group) => {
                let mut name = file.as_os_str().to_owned();
                name.push(format!(".{group}"));
                PathBuf::from(name)
            }
            None => file.clone(),
        });
        records = build(datasets, schemes, division.protocol.clone()).run(file.as_deref(), progress)?;
    }
    enter(experiment, published, &records, division, run);
    Ok(())
}

fn named(scheme: &NamedScheme, text: &str) -> Result<Named> {
    Ok(Named {
        name: scheme.name.clone(),
        scheme: text.parse()?,
        sees_test_rows: scheme.choose == Choose::Test,
    })
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sd(values: &[f64]) -> Option<f64> {
    let centre = mean(values);
    let squares: f64 = values.iter().map(|x| (x - centre).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// A measure of one record, in printed units.
fn number(record: &Record, measure: &Measure) -> Option<f64> {
    let measured = match measure.part {
        Part::Test => record.measured.as_ref(),
        Part::Validation => record.on_validation.as_ref(),
        Part::Training => record.on_training.as_ref(),
    };
    let value = match measure.measure.as_str() {
        "errors" => wrong(measured?)?,
        "splits" => measured?.get("expansions")?,
        "fit-seconds" | "prune-seconds" => record.get(&measure.measure)?,
        id => measured?.get(id)?,
    };
    Some(measure.scale * value)
}

/// The weight of the rows with a wrong label.
fn wrong(measured: &evaluate::measures::Measured) -> Option<f64> {
    let confusion = measured.confusion.as_ref()?;
    let off = |(i, row): (usize, &Vec<f64>)| -> f64 {
        row.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, w)| w).sum()
    };
    Some(confusion.iter().enumerate().map(off).sum())
}

/// Enters means, standard deviations and marks.
fn enter(
    experiment: &Experiment,
    published: &Published,
    records: &[Record],
    division: &Division,
    run: &mut Run,
) {
    for record in records {
        match &record.error {
            Some(why) => run.fail(&record.dataset, &record.scheme, why),
            None => {
                // With a share of the training rows, the rows are more than those.
                let rows = run.rows.entry(record.dataset.clone()).or_default();
                *rows = (*rows).max(record.train + record.test);
            }
        }
    }
    let curve = Measure {
        metric: "accuracy".into(),
        measure: "accuracy".into(),
        part: Part::Test,
        scale: 100.0,
        within: None,
        within_small: None,
        share: None,
        share_small: None,
    };
    let nodes = Measure { metric: "nodes".into(), measure: "nodes".into(), scale: 1.0, ..curve.clone() };
    let derived = [curve, nodes];
    let measures = if experiment.kind == Kind::Derived { &derived[..] } else { &experiment.measures[..] };
    let compared = experiment.comparisons(published);
    let mut datasets: Vec<&str> = records.iter().map(|r| r.dataset.as_str()).collect();
    datasets.dedup();
    for dataset in datasets {
        for (share, share_group) in &division.shares {
            let of = |scheme: &str| -> Vec<&Record> {
                let mine = |r: &&Record| {
                    r.dataset == dataset && r.scheme == scheme && r.share == *share && r.error.is_none()
                };
                records.iter().filter(mine).collect()
            };
            let group = share_group.clone().or(division.group.clone());
            let key = |scheme: &str, metric: &str| Key {
                group: group.clone(),
                ..Key::new(dataset, scheme, metric)
            };
            for scheme in &experiment.schemes {
                let records = of(&scheme.name);
                for measure in measures {
                    let values: Vec<f64> = records.iter().filter_map(|r| number(r, measure)).collect();
                    if values.is_empty() || values.len() < records.len() {
                        continue;
                    }
                    let key = key(&scheme.name, &measure.metric);
                    let key = if division.by_fold { key.group("average") } else { key };
                    run.results.set(key, mean(&values), sd(&values));
                }
            }
            let Some(test) = experiment.test else { continue };
            for (metric, scheme, than) in &compared {
                let Some(measure) = experiment.measure(metric) else { continue };
                let (a, b) = (of(scheme), of(than));
                if let Some(sign) = sign(&a, &b, measure, test) {
                    run.results.mark(key(scheme, metric), than.clone(), sign);
                }
            }
        }
    }
    ratios(experiment, run);
}

/// The measure that compares the largest share of training rows with the smallest.
fn ratios(experiment: &Experiment, run: &mut Run) {
    for ratio in experiment.measures.iter().filter(|m| m.measure == "prune-seconds-ratio") {
        let Some(base) = experiment.measures.iter().find(|m| m.measure == "prune-seconds") else { continue };
        for dataset in run.rows.keys() {
            for scheme in &experiment.schemes {
                let mut points: Vec<(f64, f64)> = run
                    .results
                    .values()
                    .filter(|(k, _)| {
                        (&k.dataset, &k.scheme, &k.metric) == (dataset, &scheme.name, &base.metric)
                    })
                    .filter_map(|(k, v)| Some((k.group.as_ref()?.parse().ok()?, v.mean)))
                    .collect();
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                if let [first, .., last] = &points[..]
                    && first.1 > 0.0
                {
                    let key = Key::new(dataset, &scheme.name, &ratio.metric);
                    run.results.set(key, last.1 / first.1, None);
                }
            }
        }
    }
}

/// What the experiment's test says of two schemes on one data set.
fn sign(a: &[&Record], b: &[&Record], measure: &Measure, test: super::protocol::Test) -> Option<Sign> {
    if a.len() != b.len() || a.is_empty() {
        return None;
    }
    let values = |list: &[&Record]| list.iter().map(|r| number(r, measure)).collect::<Option<Vec<f64>>>();
    let (x, y) = (values(a)?, values(b)?);
    let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
    let difference = mean(&differences);
    if test.kind == TestKind::Proportions {
        let count = |list: &[&Record]| -> Option<(u64, u64)> {
            let (mut errors, mut all) = (0.0, 0);
            for record in list {
                errors += wrong(record.measured.as_ref()?)?;
                all += record.test;
            }
            Some((errors.round() as u64, all as u64))
        };
        let ((e, n), (f, m)) = (count(a)?, count(b)?);
        let p = proportions(e, n, f, m).ok()?.p / 2.0;
        return Some(Sign::of(e as f64 / n as f64 - f as f64 / m as f64, p <= test.level));
    }
    if differences.len() < 2 {
        return None;
    }
    let (train, tested): (f64, f64) =
        a.iter().fold((0.0, 0.0), |(t, s), r| (t + r.train as f64, s + r.test as f64));
    let p = match test.kind {
        TestKind::CorrectedT => corrected_t(&differences, tested / train).ok()?.p,
        TestKind::PairedT => paired_t(&differences).ok()?.p,
        TestKind::OneSidedT => {
            let tail = if difference > 0.0 { Tail::Greater } else { Tail::Less };
            one_sided_t(&differences, tail).ok()?.p
        }
        TestKind::Proportions => return None,
    };
    Some(Sign::of(difference, p <= test.level && difference.abs() >= test.threshold))
}
