//! Experiments that are tables: every scheme on every division of every data set.

use std::path::PathBuf;
use std::sync::Arc;

use super::data::load;
use super::experiment::{Choose, Experiment, ExperimentKind, Measure, NamedScheme, RowSet};
use super::marks::{mean, number, sd, sign};
use super::protocol::Protocol;
use super::published::Published;
use super::results::Key;
use super::running::{FoundData, Plan, Run, RunOptions};
use super::tuning;
use secateur::error::Result;
use secateur::evaluate::{self, DataSet, Details, Named, Record};
use secateur::fit::FitOptions;
use secateur::progress::{Progress, Silent};

/// Whether an experiment needs runs of its own for every data set.
fn is_particular(experiment: &Experiment) -> bool {
    matches!(experiment.protocol, Protocol::TrainTest {} | Protocol::Growing { .. })
        || experiment.schemes.iter().any(|scheme| !scheme.tune.is_empty())
}

/// Whether times are measured, and whether trees are measured on other than test rows.
fn demands(experiment: &Experiment) -> (bool, bool) {
    let timed = experiment.measures.iter().any(|m| m.measure.contains("seconds"));
    (timed, experiment.measures.iter().any(|m| m.part != RowSet::Test))
}

/// Whether two experiments can be run in one go: they divide rows alike, and mean the same by the same names.
pub(super) fn fit_together(one: &Plan, other: &Plan) -> bool {
    let (a, b) = (one.experiment, other.experiment);
    let particular =
        [a, b].into_iter().any(|e| is_particular(e) || matches!(e.protocol, Protocol::Whole { .. }));
    let same_scheme = |s: &NamedScheme| b.scheme(&s.name).is_none_or(|t| s == t);
    let same_set = |f: &FoundData| other.found.iter().find(|g| g.name == f.name).is_none_or(|g| f == g);
    !particular
        && (&a.protocol, a.seeds, demands(a)) == (&b.protocol, b.seeds, demands(b))
        && a.schemes.iter().all(same_scheme)
        && one.found.iter().all(same_set)
}

/// Runs experiments that fit together.
pub(super) fn run(
    plans: &mut [Plan],
    protocol: &Protocol,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<()> {
    if let Protocol::Growing { sizes } = protocol {
        return growing(&mut plans[0], sizes, options, progress);
    }
    let divisions = divisions(protocol);
    let words: Vec<String> = divisions.iter().map(|division| in_words(&division.protocol)).collect();
    for plan in plans.iter_mut() {
        plan.run.protocol = words.join("; ");
    }
    for division in &divisions {
        let records = if is_particular(plans[0].experiment) {
            particular(&mut plans[0], division, options, progress)?
        } else {
            together(plans, division, options, progress)?
        };
        for Plan { experiment, published, found, run } in plans.iter_mut() {
            let mine = |r: &&Record| {
                found.iter().any(|set| set.name == r.dataset) && experiment.scheme(&r.scheme).is_some()
            };
            enter(experiment, published, &records.iter().filter(mine).collect::<Vec<_>>(), division, run);
        }
    }
    Ok(())
}

fn in_words(protocol: &evaluate::Protocol) -> String {
    match protocol {
        evaluate::Protocol::TrainTest { .. } => "one table to learn from, another to test on".into(),
        other => other.in_words(),
    }
}

fn experiment_of(
    of: &Experiment,
    division: &Division,
    seed: u64,
    datasets: Vec<DataSet>,
    schemes: Vec<Named>,
) -> evaluate::Experiment {
    let (timed, all_parts) = demands(of);
    evaluate::Experiment {
        datasets,
        schemes,
        protocol: division.protocol.clone(),
        shares: division.shares.iter().map(|s| s.0).collect(),
        seed,
        sharing: !timed,
        all_parts,
        details: Details::default(),
    }
}

/// All data sets of all plans, each with all schemes that some plan wants of it.
fn together(
    plans: &[Plan],
    division: &Division,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Vec<Record>> {
    let mut sets: Vec<(&FoundData, Vec<&NamedScheme>)> = Vec::new();
    for plan in plans {
        for set in &plan.found {
            let place = sets.iter().position(|(known, _)| known.name == set.name).unwrap_or_else(|| {
                sets.push((set, Vec::new()));
                sets.len() - 1
            });
            for scheme in &plan.experiment.schemes {
                if !sets[place].1.iter().any(|known| known.name == scheme.name) {
                    sets[place].1.push(scheme);
                }
            }
        }
    }
    let mut records = Vec::new();
    while let Some((_, schemes)) = sets.first() {
        // The data sets with these schemes, at once.
        let schemes = schemes.clone();
        let (now, later): (Vec<_>, Vec<_>) = sets.into_iter().partition(|(_, wanted)| *wanted == schemes);
        sets = later;
        let datasets = now.into_iter().map(|(set, _)| {
            let (found, normalise) = (set.clone(), division.normalise);
            let load = move || Ok((found.table(normalise)?.into(), FitOptions::default()));
            DataSet { name: set.name.clone(), load: Box::new(load), fingerprint: None }
        });
        let file = options.file.as_ref().filter(|_| plans.len() == 1).map(|file| match &division.group {
            Some(group) => {
                let mut name = file.as_os_str().to_owned();
                name.push(format!(".{group}"));
                PathBuf::from(name)
            }
            None => file.clone(),
        });
        let schemes = schemes.iter().map(|s| named(s, &s.scheme)).collect::<Result<_>>()?;
        let run = experiment_of(plans[0].experiment, division, options.seed, datasets.collect(), schemes);
        records.extend(run.run(file.as_deref(), progress)?);
    }
    Ok(records)
}

/// Schemes or sizes depend on the data set: one at a time.
fn particular(
    plan: &mut Plan,
    division: &Division,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for set in &plan.found {
        let table = match set.table(division.normalise) {
            Ok(table) => Arc::new(table),
            Err(why) => {
                plan.run.fail(&set.name, "all", &why.to_string());
                continue;
            }
        };
        let protocol = match &set.test {
            Some(_) => evaluate::Protocol::TrainTest { train: load(&set.from, &set.ignore)?.rows() },
            None => division.protocol.clone(),
        };
        let division = Division { protocol, shares: division.shares.clone(), ..Division::default() };
        let build = |schemes| {
            let set = DataSet::ready(&*set.name, table.clone(), FitOptions::default());
            experiment_of(plan.experiment, &division, options.seed, vec![set], schemes)
        };
        let mut schemes = Vec::new();
        for scheme in &plan.experiment.schemes {
            let one = |text: &str| -> Result<f64> {
                let records = build(vec![named(scheme, text)?]).run(None, &Silent)?;
                let errors: Vec<f64> = records.iter().filter_map(|r| r.get("error")).collect();
                Ok(if errors.is_empty() { f64::INFINITY } else { mean(&errors) })
            };
            schemes.push(named(scheme, &tuning::tuned(scheme, one)?)?);
        }
        records.extend(build(schemes).run(None, progress)?);
    }
    Ok(records)
}

/// More and more rows to learn from; a generator makes as many again to test on, of a file all others are tested on.
fn growing(plan: &mut Plan, sizes: &[usize], options: &RunOptions, progress: &dyn Progress) -> Result<()> {
    plan.run.protocol = "more and more rows to learn from, drawn at random, the others to test on".into();
    for size in sizes {
        let mut records = Vec::new();
        for set in &plan.found {
            let mut set = set.clone();
            if set.from.starts_with("builtin:") {
                set.from += &format!("?n={}&seed={}", 2 * size, options.seed);
            }
            let table = set.table(false)?;
            if *size >= table.rows() {
                continue;
            }
            let train = *size as f64 / table.rows() as f64;
            let division = Division {
                protocol: evaluate::Protocol::Random { trials: 1, train },
                group: Some(size.to_string()),
                ..Division::default()
            };
            let schemes =
                plan.experiment.schemes.iter().map(|s| named(s, &s.scheme)).collect::<Result<_>>()?;
            let data = DataSet::ready(&*set.name, table, FitOptions::default());
            let run = experiment_of(plan.experiment, &division, options.seed, vec![data], schemes);
            records.extend(run.run(None, progress)?);
        }
        let division = Division { group: Some(size.to_string()), ..Division::default() };
        let all: Vec<&Record> = records.iter().collect();
        enter(plan.experiment, plan.published, &all, &division, &mut plan.run);
    }
    Ok(())
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

impl Default for Division {
    fn default() -> Self {
        Self {
            protocol: evaluate::Protocol::TrainTest { train: 0 },
            shares: vec![(1.0, None)],
            group: None,
            normalise: false,
            by_fold: false,
        }
    }
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
        Protocol::Whole { .. } | Protocol::Growing { .. } => Vec::new(),
    }
}

fn named(scheme: &NamedScheme, text: &str) -> Result<Named> {
    Ok(Named {
        name: scheme.name.clone(),
        scheme: text.parse()?,
        sees_test_rows: scheme.choose == Choose::Test,
    })
}

/// Enters means, standard deviations and marks.
fn enter(
    experiment: &Experiment,
    published: &Published,
    records: &[&Record],
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
    let derived = derived();
    let measures =
        if experiment.kind == ExperimentKind::Derived { &derived[..] } else { &experiment.measures[..] };
    let compared = experiment.comparisons(published);
    let mut datasets: Vec<&str> = records.iter().map(|r| r.dataset.as_str()).collect();
    datasets.dedup();
    for dataset in datasets {
        for (share, group) in &division.shares {
            let of = |scheme: &str| -> Vec<&Record> {
                let mine = |r: &&Record| {
                    r.dataset == dataset && r.scheme == scheme && r.share == *share && r.error.is_none()
                };
                records.iter().copied().filter(mine).collect()
            };
            let group = group.clone().or(division.group.clone());
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
                if let Some(sign) = sign(&of(scheme), &of(than), measure, test) {
                    run.results.mark(key(scheme, metric), than.clone(), sign);
                }
            }
        }
    }
    ratios(experiment, run);
}

/// What tables that follow from learning curves need: accuracy and size.
fn derived() -> [Measure; 2] {
    let accuracy = Measure {
        metric: "accuracy".into(),
        measure: "accuracy".into(),
        part: RowSet::Test,
        scale: 100.0,
        within: None,
        within_small: None,
        share: None,
        share_small: None,
    };
    let nodes = Measure { metric: "nodes".into(), measure: "nodes".into(), scale: 1.0, ..accuracy.clone() };
    [accuracy, nodes]
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
