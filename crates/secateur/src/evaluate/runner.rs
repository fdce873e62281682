//! The runner: all schemes on all divisions of all data sets, on all cores, resumable.
//!
//! One unit of work is one division of one data set with all schemes: the columns are coded once per data set, the full tree
//! and the fold trees are grown once per division ([`TreeCache`]) and pruned many ways. Units are worked on in order by as
//! many workers as there are threads, and their records are written in order, so the results do not depend on the number
//! of threads, and a run that was stopped continues where it ended.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use super::data_set::DataSet;
use super::journal::{Journal, Section};
use super::measures::{Measured, measure};
use super::{Protocol, Record, Split};
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::fit::fit_plan;
use crate::method::FOLDS;
use crate::progress::Progress;
use crate::scheme::{Plan, Scheme};
use crate::training::{FitOptions, TreeCache};

/// A scheme under a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name in records and tables.
    pub name: String,
    /// The scheme.
    pub scheme: Scheme,
    /// Whether it chooses on the test rows: not a method then, but a bound on what a choice could reach.
    pub sees_test_rows: bool,
}

impl Named {
    /// A scheme under its own text.
    pub fn plain(scheme: Scheme) -> Self {
        Self { name: scheme.to_string(), scheme, sees_test_rows: false }
    }
}

/// An experiment: data sets, schemes, and how both are brought together.
pub struct Experiment {
    /// The data sets.
    pub datasets: Vec<DataSet>,
    /// The schemes.
    pub schemes: Vec<Named>,
    /// How a data set is divided.
    pub protocol: Protocol,
    /// Shares of the training rows to learn from, for learning curves; `[1.0]` otherwise.
    pub shares: Vec<f64>,
    /// The seed of folds and parts.
    pub seed: u64,
    /// Whether schemes use each other's trees. Times are those of a scheme alone either way, except that pre-pruning
    /// then reads its stopping point off trees that are grown to the end.
    pub sharing: bool,
    /// Whether trees are also measured on the rows they learned from and on those they chose on.
    pub all_parts: bool,
}

/// Ends the fits of a unit when the whole run is to stop.
struct Stop<'a> {
    now: &'a AtomicBool,
    /// Want of memory: it says nothing of a scheme, so it is no result but the end of the run.
    memory: Mutex<Option<Error>>,
}

impl Progress for Stop<'_> {
    fn cancelled(&self) -> bool {
        self.now.load(Ordering::Relaxed)
    }
}

/// A loaded data set with its divisions.
struct Loaded {
    table: Arc<CodedTable>,
    options: FitOptions,
    splits: Vec<Split>,
}

enum Slot {
    Waiting,
    Ready(Arc<Loaded>),
    Failed(String),
    Done,
}

impl Experiment {
    /// Runs all units. With a file, results are appended to it as they come, and those that are there are not computed again:
    /// divisions that an earlier run finished, and schemes that an earlier run had, in any order.
    pub fn run(&self, file: Option<&Path>, progress: &dyn Progress) -> Result<Vec<Record>> {
        if self.datasets.is_empty() || self.schemes.is_empty() {
            return Err(Error::parameter("an experiment needs at least one data set and one scheme"));
        }
        if let Some(twice) = twice(self.schemes.iter().map(|s| s.name.as_str())) {
            return Err(Error::parameter(format!("the scheme {twice} is there twice")));
        }
        if let Some(twice) = twice(self.datasets.iter().map(|d| d.name.as_str())) {
            return Err(Error::parameter(format!("the data set {twice} is there twice")));
        }
        if self.shares.is_empty() {
            return Err(Error::parameter("an experiment needs at least one share of the rows to learn from"));
        }
        let per_set = self.protocol.count();
        if per_set == 0 {
            return Err(Error::parameter(format!(
                "{}: expected at least one division of the rows",
                self.protocol.in_words()
            )));
        }
        let Some(total) = per_set.checked_mul(self.datasets.len()) else {
            return Err(Error::parameter("there are more divisions than can be counted; ask for fewer"));
        };
        let (mut journal, mut sections) = match file {
            Some(path) => {
                let (journal, sections) = Journal::open(path, self, total)?;
                (Some(journal), sections)
            }
            None => (None, Vec::new()),
        };
        let is_new = |place: &usize| !sections.iter().any(|section| section.schemes.contains(place));
        let new: Vec<usize> = (0..self.schemes.len()).filter(is_new).collect();
        if !new.is_empty() {
            sections.push(Section { schemes: new, ..Section::default() });
        }
        progress.stage("running", (total as u64).saturating_mul(sections.len() as u64));
        for section in &mut sections {
            let schemes = section.of(self);
            let done = section.records.len() / (self.shares.len() * schemes.len());
            progress.advance(done as u64);
            if let (false, Some(journal)) = (section.begun, &mut journal) {
                journal.begin(&self.header(&schemes))?;
            }
            self.work(&schemes, done, total, progress, |unit| {
                if let Some(journal) = &mut journal {
                    journal.append(&unit)?;
                }
                section.records.extend(unit);
                progress.advance(1);
                Ok(())
            })?;
        }
        if let Some(journal) = journal {
            journal.finish()?;
        }
        Ok(self.in_order(sections))
    }

    /// The records of all sections as if all schemes had been run together.
    fn in_order(&self, sections: Vec<Section>) -> Vec<Record> {
        let mut all = Vec::new();
        for Section { schemes, records, .. } in sections {
            // Units and shares follow each other; within them come the schemes.
            let placed = records.into_iter().enumerate();
            all.extend(placed.map(|(i, record)| ((i / schemes.len(), schemes[i % schemes.len()]), record)));
        }
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, record)| record).collect()
    }

    fn work(
        &self,
        schemes: &[&Named],
        done: usize,
        total: usize,
        progress: &dyn Progress,
        mut write: impl FnMut(Vec<Record>) -> Result<()>,
    ) -> Result<()> {
        if done >= total {
            return Ok(());
        }
        let per_set = self.protocol.count();
        let threads = rayon::current_num_threads();
        let workers = threads.min(total - done).max(1);
        let slots: Vec<Mutex<Slot>> = self.datasets.iter().map(|_| Mutex::new(Slot::Waiting)).collect();
        let left: Vec<AtomicUsize> = (0..self.datasets.len())
            .map(|d| AtomicUsize::new(((d + 1) * per_set).saturating_sub(done.max(d * per_set))))
            .collect();
        let next = AtomicUsize::new(done);
        let stop = AtomicBool::new(false);
        let (send, receive) = mpsc::channel::<(usize, Result<Vec<Record>>)>();
        std::thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..workers {
                let (send, slots, left, next, stop) = (send.clone(), &slots, &left, &next, &stop);
                let work = move || {
                    loop {
                        let unit = next.fetch_add(1, Ordering::Relaxed);
                        if unit >= total || stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let (set, split) = (unit / per_set, unit % per_set);
                        let stop = Stop { now: stop, memory: Mutex::new(None) };
                        let records = self.unit(schemes, &slots[set], (set, split), &stop);
                        if left[set].fetch_sub(1, Ordering::Relaxed) == 1 {
                            *open(&slots[set]) = Slot::Done;
                        }
                        let lacking = stop.memory.into_inner().unwrap_or_else(PoisonError::into_inner);
                        if send.send((unit, lacking.map_or(Ok(records), Err))).is_err() {
                            break;
                        }
                    }
                };
                // Fewer workers do the same work where the system gives no more threads.
                let pool = rayon::ThreadPoolBuilder::new().num_threads((threads / workers).max(1)).build();
                let Ok(pool) = pool else { break };
                let worker = std::thread::Builder::new().spawn_scoped(scope, move || pool.install(work));
                started += usize::from(worker.is_ok());
            }
            drop(send);
            if started == 0 {
                return Err(Error::Memory { what: "the threads of a run".into(), bytes: 0 });
            }
            // Units are written in order; those that come too early wait.
            let mut early = std::collections::BTreeMap::new();
            let mut turn = done;
            let outcome = loop {
                if turn == total {
                    break Ok(());
                }
                if progress.cancelled() {
                    break Err(Error::Cancelled);
                }
                match receive.recv_timeout(std::time::Duration::from_millis(200)) {
                    Ok((unit, records)) => {
                        early.insert(unit, records);
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => continue,
                    Err(mpsc::RecvTimeoutError::Disconnected) => {
                        break Err(Error::parameter("a worker ended before its work was done"));
                    }
                }
                let mut result = Ok(());
                while let Some(records) = early.remove(&turn) {
                    result = records.and_then(&mut write);
                    if result.is_err() {
                        break;
                    }
                    turn += 1;
                }
                if result.is_err() {
                    break result;
                }
            };
            stop.store(true, Ordering::Relaxed);
            outcome
        })
    }

    /// The data set of a slot, loaded by whoever comes first.
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
    fn unit(
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
        schemes
            .iter()
            .zip(&plans)
            .map(|(Named { sees_test_rows, .. }, plan)| {
                let place = place(plan);
                let shared = caches[place].as_ref().map_err(String::clone)?;
                let (own, with_test);
                let tree_cache = if *sees_test_rows {
                    with_test = FitOptions { held_out: Some(test.clone()), ..shared.options().clone() };
                    own = TreeCache::new(table, &with_test).map_err(|e| e.to_string())?;
                    &own
                } else if self.sharing {
                    shared
                } else {
                    own = TreeCache::new(table, shared.options()).map_err(|e| e.to_string())?;
                    &own
                };
                let plan = plan.as_ref().map_err(String::clone)?;
                guarded(stop, || {
                    let fitted = fit_plan(tree_cache, plan, stop)?;
                    let (grow, prune) = fitted.seconds;
                    let on = |weights: &Option<Vec<f64>>| match weights {
                        Some(weights) if self.all_parts => measure(&fitted.tree, table, weights).map(Some),
                        _ => Ok(None),
                    };
                    let options = shared.options();
                    Ok(Done {
                        test: measure(&fitted.tree, table, &test)?,
                        training: on(&options.weights)?,
                        validation: on(&options.held_out)?,
                        seconds: (grow + prune, prune),
                    })
                })
            })
            .collect()
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

fn open<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn twice<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
