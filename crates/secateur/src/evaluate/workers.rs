//! Workers that take units of an experiment in order; their records are passed on in order too.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Record;
use super::runner::{Experiment, Named};
use super::unit::{Slot, Stop, open};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::threads;

/// The records of a unit, by its number.
type Message = (usize, Result<Vec<Record>>);

/// What the workers share.
struct Units<'a> {
    experiment: &'a Experiment,
    schemes: &'a [&'a Named],
    /// The data sets, and how many units of each are left.
    slots: Vec<Mutex<Slot>>,
    left: Vec<AtomicUsize>,
    next: AtomicUsize,
    total: usize,
    stop: AtomicBool,
}

impl Units<'_> {
    /// Works until no unit is left, or until the run is stopped.
    fn work(&self, send: &Sender<Message>) {
        loop {
            let unit = self.next.fetch_add(1, Ordering::Relaxed);
            if unit >= self.total || self.stop.load(Ordering::Relaxed) {
                break;
            }
            if send.send((unit, self.records(unit, None))).is_err() {
                break;
            }
        }
    }

    /// What came of one unit.
    fn records(&self, unit: usize, asked: Option<&dyn Progress>) -> Result<Vec<Record>> {
        let per_set = self.experiment.protocol.count();
        let (set, split) = (unit / per_set, unit % per_set);
        let stop = Stop { now: &self.stop, asked, memory: Mutex::new(None) };
        let records = self.experiment.unit(self.schemes, &self.slots[set], (set, split), &stop);
        if self.left[set].fetch_sub(1, Ordering::Relaxed) == 1 {
            *open(&self.slots[set]) = Slot::Done;
        }
        let lacking = stop.memory.into_inner().unwrap_or_else(PoisonError::into_inner);
        lacking.map_or(Ok(records), Err)
    }
}

impl Experiment {
    /// Works on the units from `done` on and hands their records to `write`, unit by unit.
    pub(super) fn work(
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
        let threads = threads::count();
        let workers = threads.min(total - done).max(1);
        let left = |d: usize| AtomicUsize::new(((d + 1) * per_set).saturating_sub(done.max(d * per_set)));
        let units = Units {
            experiment: self,
            schemes,
            slots: self.datasets.iter().map(|_| Mutex::new(Slot::Waiting)).collect(),
            left: (0..self.datasets.len()).map(left).collect(),
            next: AtomicUsize::new(done),
            total,
            stop: AtomicBool::new(false),
        };
        let (send, receive) = mpsc::channel::<Message>();
        let outcome = std::thread::scope(|scope| {
            if threads::is_alone() {
                return None;
            }
            let mut started = 0;
            for _ in 0..workers {
                let (send, units) = (send.clone(), &units);
                // Fewer workers do the same work where the system gives no more threads.
                let pool = rayon::ThreadPoolBuilder::new().num_threads((threads / workers).max(1)).build();
                let Ok(pool) = pool else { break };
                let work = move || pool.install(|| units.work(&send));
                let worker = std::thread::Builder::new().spawn_scoped(scope, work);
                started += usize::from(worker.is_ok());
            }
            drop(send);
            // Without workers, the calling thread does the work.
            (started > 0).then(|| {
                let outcome = in_order(&receive, done..total, progress, &mut write);
                units.stop.store(true, Ordering::Relaxed);
                outcome
            })
        });
        outcome.unwrap_or_else(|| {
            (done..total).try_for_each(|unit| {
                let records = units.records(unit, Some(progress))?;
                if progress.cancelled() { Err(Error::Cancelled) } else { write(records) }
            })
        })
    }
}

/// Hands the records of units on in order; those that come too early wait.
fn in_order(
    receive: &Receiver<Message>,
    units: std::ops::Range<usize>,
    progress: &dyn Progress,
    mut write: impl FnMut(Vec<Record>) -> Result<()>,
) -> Result<()> {
    let mut early = BTreeMap::new();
    let mut turn = units.start;
    while turn < units.end {
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        match receive.recv_timeout(Duration::from_millis(200)) {
            Ok((unit, records)) => {
                early.insert(unit, records);
            }
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::parameter("a worker ended before its work was done"));
            }
        }
        while let Some(records) = early.remove(&turn) {
            write(records?)?;
            turn += 1;
        }
    }
    Ok(())
}
