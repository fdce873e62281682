//! One unit of an experiment: one division of one data set with all schemes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::measures::{Measured, SetsAsked, measure, measure_in_detail};
use super::runner::{Experiment, Named};
use super::{Record, Split};
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::fit::{fit_plan, heard_by_folds};
use crate::method::FOLDS;
use crate::progress::Progress;
use crate::scheme::Plan;
use crate::training::{FitOptions, TreeCache};

/// Ends the fits of a unit when the whole run is to stop.
pub(super) struct Stop<'a> {
    pub now: &'a AtomicBool,
    /// Who says so, where the unit runs on the thread that watches.
    pub asked: Option<&'a dyn Progress>,
    /// Too little memory: that says nothing of a scheme, so it is not a result but the end of the run.
    pub memory: Mutex<Option<Error>>,
}

impl Progress for Stop<'_> {
    fn cancelled(&self) -> bool {
        self.now.load(Ordering::Relaxed) || self.asked.is_some_and(Progress::cancelled)
    }
}

/// A loaded data set with its divisions.
pub(super) struct Loaded {
    table: Arc<CodedTable>,
    options: FitOptions,
    splits: Vec<Split>,
}

pub(super) enum Slot {
    Waiting,
    Ready(Arc<Loaded>),
    Failed(String),
    Done,
}

impl Experiment {
    /// The data set of a slot, loaded by the first worker that asks for it.
    fn loaded(
        &self,
        slot: &Mutex<Slot>,
        set: usize,
        stop: &Stop,
    ) -> std::result::Result<Arc<Loaded>, String> {
        let mut slot = open(slot);
        if let Slot::Waiting = *slot {
            let load = || -> Result<Loaded> {
                let (table, options) = (self.datasets[set].load)()?;
                let options = FitOptions { seed: self.seed, ..options };
                let splits = self.protocol.splits(&table, self.seed)?;
                Ok(Loaded { table, options, splits })
            };
            *slot = match guarded(stop, load) {
                Ok(loaded) => Slot::Ready(Arc::new(loaded)),
                Err(problem) => Slot::Failed(problem),
            };
        }
        match &*slot {
            Slot::Ready(loaded) => Ok(loaded.clone()),
            Slot::Failed(problem) => Err(problem.clone()),
            Slot::Waiting | Slot::Done => Err("the data set is gone".into()),
        }
    }

    /// All records of one division of one data set.
    pub(super) fn unit(
        &self,
        schemes: &[&Named],
        slot: &Mutex<Slot>,
        (set, number): (usize, usize),
        stop: &Stop,
    ) -> Vec<Record> {
        let mut records = Vec::with_capacity(self.shares.len() * schemes.len());
        let loaded = self.loaded(slot, set, stop);
        for &share in &self.shares {
            let split = loaded.as_ref().map_err(String::clone).and_then(|l| {
                l.splits[number].clone().with_share(&l.table, share, self.seed).map_err(|e| e.to_string())
            });
            let (repeat, fold) = self.protocol.place(number);
            let blank = |scheme: &Named, split: Option<&Split>| Record {
                dataset: self.datasets[set].name.clone(),
                scheme: scheme.name.clone(),
                repeat,
                fold,
                share,
                train: split.map_or(0, |s| s.train.len()),
                test: split.map_or(0, |s| s.test.len()),
                measured: None,
                on_training: None,
                on_validation: None,
                error: None,
                seconds: None,
            };
            match (&loaded, &split) {
                (Ok(loaded), Ok(split)) => {
                    let outcome = self.schemes_on(schemes, loaded, split, stop);
                    for (&scheme, outcome) in schemes.iter().zip(outcome) {
                        let mut record = blank(scheme, Some(split));
                        match outcome {
                            Ok(done) => {
                                record.measured = Some(done.test);
                                (record.on_training, record.on_validation) = (done.training, done.validation);
                                record.seconds = Some(done.seconds);
                            }
                            Err(problem) => record.error = Some(problem),
                        }
                        records.push(record);
                    }
                }
                (Err(problem), _) | (_, Err(problem)) => {
                    records.extend(
                        schemes.iter().map(|&s| Record { error: Some(problem.clone()), ..blank(s, None) }),
                    );
                }
            }
        }
        records
    }

    /// Fits and measures every scheme on one division.
    fn schemes_on(&self, schemes: &[&Named], loaded: &Loaded, split: &Split, stop: &Stop) -> Vec<Outcome> {
        let Loaded { table, options, .. } = loaded;
        let test = split.test_weights(table);
        let plans: Vec<std::result::Result<Plan, String>> =
            schemes.iter().map(|s| s.scheme.plan(table.task()).map_err(|e| e.to_string())).collect();
        let folds = |plan: &std::result::Result<Plan, String>| {
            plan.as_ref().ok().and_then(Plan::folds).unwrap_or(FOLDS)
        };
        // Internal folds that the protocol gives are made for a number of folds.
        let mut counts: Vec<usize> = plans.iter().map(folds).collect();
        counts.sort_unstable();
        counts.dedup();
        if !split.gives_folds() {
            counts.truncate(1);
        }
        let options: Vec<Result<FitOptions>> =
            counts.iter().map(|&count| split.options(table, options, count)).collect();
        let mut caches: Vec<std::result::Result<TreeCache, String>> = options
            .iter()
            .map(|options| match options {
                Ok(options) => TreeCache::new(table, options).map_err(|e| e.to_string()),
                Err(problem) => Err(problem.to_string()),
            })
            .collect();
        let place = |plan: &std::result::Result<Plan, String>| {
            if split.gives_folds() { counts.iter().position(|&c| c == folds(plan)).unwrap_or(0) } else { 0 }
        };
        if self.sharing {
            for plan in &plans {
                let tree_cache = &mut caches[place(plan)];
                if let (Ok(plan), Ok(tree_cache)) = (plan, tree_cache)
                    && let (Some(count), false) = (plan.folds(), plan.stops_growing())
                {
                    tree_cache.expect(&plan.spec, count);
                }
            }
        }
        let outcome = |(scheme, plan): (&&Named, &std::result::Result<Plan, String>)| {
            let shared = caches[place(plan)].as_ref().map_err(String::clone)?;
            self.scheme_on(scheme, plan.as_ref().map_err(String::clone), shared, (&test, stop))
        };
        schemes.iter().zip(&plans).map(outcome).collect()
    }

    /// Fits and measures a scheme on one division.
    fn scheme_on(
        &self,
        scheme: &Named,
        plan: std::result::Result<&Plan, String>,
        shared: &TreeCache,
        (test, stop): (&[f64], &Stop),
    ) -> Outcome {
        let table = shared.table();
        let (own, with_test);
        let mut aside = None;
        let cache = if let Some(SetsAsked { aside: Some(share), .. }) = self.details.sets {
            let parted = shared.options().set_aside(table, share).map_err(|e| e.to_string())?;
            with_test = parted.0;
            aside = Some(parted.1);
            own = TreeCache::new(table, &with_test).map_err(|e| e.to_string())?;
            &own
        } else if scheme.sees_test_rows {
            with_test = FitOptions { held_out: Some(test.to_vec()), ..shared.options().clone() };
            own = TreeCache::new(table, &with_test).map_err(|e| e.to_string())?;
            &own
        } else if self.sharing {
            shared
        } else {
            own = TreeCache::new(table, shared.options()).map_err(|e| e.to_string())?;
            &own
        };
        let plan = plan?;
        guarded(stop, || {
            let mut fitted = fit_plan(cache, plan, stop)?;
            if self.details.sets.is_some() {
                fitted = match &aside {
                    Some(rows) => fitted.calibrated(table, rows)?,
                    None => heard_by_folds(fitted, cache, plan)?,
                };
            }
            let (grow, prune) = fitted.seconds;
            let on = |weights: &Option<Vec<f64>>| match weights {
                Some(weights) if self.all_parts => measure(&fitted.tree, table, weights).map(Some),
                _ => Ok(None),
            };
            let options = shared.options();
            let mut measured = measure_in_detail(&fitted.tree, table, test, self.details)?;
            if let Some(estimate) = &fitted.estimate {
                measured.set("estimate", estimate.error)?;
                measured.set("apparent", estimate.apparent())?;
            }
            if let Some(SetsAsked { level, .. }) = self.details.sets {
                measured = measured.with_sets(&fitted.tree, table, test, fitted.tree.reach(level)?)?;
            }
            Ok(Done {
                test: measured,
                training: on(&options.weights)?,
                validation: on(&options.held_out)?,
                seconds: (grow + prune, prune),
            })
        })
    }
}

/// A fitted scheme, measured on the parts of a table.
struct Done {
    test: Measured,
    training: Option<Measured>,
    validation: Option<Measured>,
    seconds: (f64, f64),
}

type Outcome = std::result::Result<Done, String>;

/// The result, or what went wrong in words; a defect of one scheme does not end the others.
fn guarded<T>(stop: &Stop, work: impl FnOnce() -> Result<T>) -> std::result::Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error @ Error::Memory { .. })) => {
            let text = error.to_string();
            open(&stop.memory).get_or_insert(error);
            Err(text)
        }
        Ok(Err(error)) => Err(error.to_string()),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("a defect of this program: {}", text.unwrap_or_default()))
        }
    }
}

pub(super) fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
