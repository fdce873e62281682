//! Running experiments: their schemes on their data by their protocols, and the measured tables that come out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use super::data::{Folder, load, normalised, with_classes, with_nominal};
use super::experiment::{Experiment, ExperimentKind, Source};
use super::marks::{mean, sd};
use super::protocol::Protocol;
use super::published::Published;
use super::results::Results;
use super::{facts, plateau, single_tree, tables};
use secateur::data::{CodedTable, Roles, joined};
use secateur::error::{Error, Result, suggestion};
use secateur::progress::Progress;

/// The settings of a run beside the experiments.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// All data sets, not the quick ones.
    pub full: bool,
    /// The data sets to run; otherwise those of the quick or the full run.
    pub datasets: Vec<String>,
    /// A folder with data sets.
    pub data: Option<PathBuf>,
    /// Data sets in files of their own, by name; they come before those of the folder.
    pub files: Vec<(String, PathBuf)>,
    /// The seed, where the protocol has no folds of its own.
    pub seed: u64,
    /// Where results are kept, to go on from after an interruption; for one experiment alone.
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
    /// How often the whole was run, each time with another seed: values are means, and their deviations those between seeds.
    pub seeds: usize,
    /// How long it took, together with the experiments that were run in one go with it.
    pub seconds: f64,
    /// How many experiments were run in one go.
    pub together: usize,
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
pub(super) struct FoundData {
    pub name: String,
    pub from: String,
    pub test: Option<String>,
    pub ignore: Vec<String>,
    pub nominal: Vec<String>,
    pub classes: Vec<String>,
}

impl FoundData {
    /// The table; with a test table of its own, both in one.
    pub fn table(&self, normalise: bool) -> Result<CodedTable> {
        let mut table = load(&self.from, &self.ignore)?;
        if let Some(test) = &self.test {
            table = joined(table, load(test, &self.ignore)?)?;
        }
        if !self.nominal.is_empty() {
            table = with_nominal(table, &self.nominal)?;
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

/// An experiment with the data sets that were found for it.
pub(super) struct Plan<'a> {
    pub experiment: &'a Experiment,
    pub published: &'a Published,
    pub found: Vec<FoundData>,
    pub run: Run,
}

/// Runs an experiment.
pub fn run(
    experiment: &Experiment,
    published: &Published,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Run> {
    let mut runs = run_all(&[(experiment, published)], options, progress)?;
    let run = runs.pop().unwrap_or_default();
    if run.rows.is_empty() && run.failures.is_empty() {
        let why = run.missing.first().map_or("none is named", |m| m.1.as_str());
        return Err(Error::parameter(format!("there is no data set to run {} on: {why}", experiment.id)));
    }
    Ok(run)
}

/// Runs several experiments. Those with the same protocol share their trees, which takes much less time than one after the
/// other. One without any of its data sets has an empty table, and says in [`Run::missing`] why.
pub fn run_all(
    experiments: &[(&Experiment, &Published)],
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Vec<Run>> {
    let mut groups: Vec<Vec<(usize, Plan)>> = Vec::new();
    for (place, &(experiment, published)) in experiments.iter().enumerate() {
        let mut run = Run::default();
        let found = find(experiment, published, options, &mut run)?;
        let plan = Plan { experiment, published, found, run };
        match groups
            .iter_mut()
            .find(|group| group.iter().all(|(_, other)| tables::fit_together(other, &plan)))
        {
            Some(group) => group.push((place, plan)),
            None => groups.push(vec![(place, plan)]),
        }
    }
    let mut runs: Vec<Run> = vec![Run::default(); experiments.len()];
    for group in groups {
        let (places, mut plans): (Vec<usize>, Vec<Plan>) = group.into_iter().unzip();
        let begun = Instant::now();
        group_runs(&mut plans, options, progress)?;
        let (seconds, together) = (begun.elapsed().as_secs_f64(), plans.len());
        for (place, plan) in places.into_iter().zip(plans) {
            runs[place] = Run { seconds, together, ..plan.run };
        }
    }
    Ok(runs)
}

/// Runs experiments that share a protocol, once for every seed.
fn group_runs(plans: &mut [Plan], options: &RunOptions, progress: &dyn Progress) -> Result<()> {
    let seeds = plans[0].experiment.seeds.max(1);
    let mut tables: Vec<Vec<Results>> = vec![Vec::new(); plans.len()];
    for seed in 0..seeds {
        let options = RunOptions { seed: options.seed.wrapping_add(seed as u64), ..options.clone() };
        once(plans, &options, progress)?;
        for (plan, tables) in plans.iter_mut().zip(&mut tables) {
            if plan.experiment.kind == ExperimentKind::Derived {
                let curves = std::mem::take(&mut plan.run.results);
                plan.run.results = plateau::data_reduction(&curves, "accuracy", "nodes");
            }
            tables.push(std::mem::take(&mut plan.run.results));
        }
    }
    for (plan, tables) in plans.iter_mut().zip(tables) {
        plan.run.seeds = seeds;
        plan.run.results = over_seeds(tables);
    }
    Ok(())
}

/// Means over tables of the same experiment, with the deviation between them; marks are those of the first.
fn over_seeds(mut tables: Vec<Results>) -> Results {
    if tables.len() < 2 {
        return tables.pop().unwrap_or_default();
    }
    let mut all = tables[0].clone();
    for (key, _) in tables[0].values() {
        let values: Vec<f64> = tables.iter().filter_map(|table| table.mean(key)).collect();
        all.set(key.clone(), mean(&values), sd(&values));
    }
    all
}

fn once(plans: &mut [Plan], options: &RunOptions, progress: &dyn Progress) -> Result<()> {
    match &plans[0].experiment.protocol {
        Protocol::Whole { seeds, folds_file, order } => {
            for plan in plans.iter_mut() {
                plan.run.protocol = "one tree from all rows; folds inside".into();
                let Plan { experiment, found, run, .. } = plan;
                match experiment.kind {
                    ExperimentKind::Properties | ExperimentKind::Splits | ExperimentKind::Nodes => {
                        facts::run(experiment, plan.published, found, run, progress)?;
                    }
                    _ => single_tree::run(
                        experiment,
                        found,
                        (seeds, folds_file.as_deref(), *order),
                        run,
                        progress,
                    )?,
                }
            }
            Ok(())
        }
        protocol => tables::run(plans, protocol, options, progress),
    }
}

/// The data sets to run, and where they are.
fn find(
    experiment: &Experiment,
    published: &Published,
    options: &RunOptions,
    run: &mut Run,
) -> Result<Vec<FoundData>> {
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
                let Source { test, ignore, nominal, classes, .. } = source;
                found.push(FoundData { name, from, test, ignore, nominal, classes });
            }
            Err(why) => run.missing.push((name, why.to_string())),
        }
    }
    Ok(found)
}
