//! Work: with the interpreter free, on the calling thread or on threads of its own, stopped by Ctrl-C, telling how far it is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SendError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use secateur::progress::Progress;
use secateur::threads::{self, alone};

use crate::allocator;
use crate::failure::exception;

/// How often the interpreter is asked for signals.
const BEAT: Duration = Duration::from_millis(50);

/// What working threads report, and what they are asked to do.
#[derive(Default)]
struct Watch<'a> {
    stop: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
    stage: Mutex<String>,
    /// Work on the calling thread lets the interpreter act from time to time, itself.
    here: Option<Here<'a>>,
}

/// When the calling thread last let the interpreter act, and what came of it.
struct Here<'a> {
    listener: Option<&'a Py<PyAny>>,
    last: Mutex<Instant>,
    problem: Mutex<Option<PyErr>>,
}

fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress for Watch<'_> {
    fn stage(&self, name: &str, total: u64) {
        *open(&self.stage) = name.into();
        self.total.store(total, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        if let Some(here) = &self.here {
            let mut last = open(&here.last);
            if last.elapsed() >= BEAT && !self.stop.load(Ordering::Relaxed) {
                if let Err(problem) = self.beat(here.listener) {
                    *open(&here.problem) = Some(problem);
                    self.stop.store(true, Ordering::Relaxed);
                }
                *last = Instant::now();
            }
        }
        self.stop.load(Ordering::Relaxed) || allocator::is_lacking()
    }
}

impl Watch<'_> {
    /// Lets the interpreter act on signals and tells the listener how far the work is.
    fn beat(&self, listener: Option<&Py<PyAny>>) -> PyResult<()> {
        // An interpreter that is being shut down has nothing to say.
        let told = Python::try_attach(|py| {
            py.check_signals()?;
            if let Some(listener) = listener {
                let stage = open(&self.stage).clone();
                let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
                listener.call1(py, (stage, done, total))?;
            }
            Ok(())
        });
        told.unwrap_or(Ok(()))
    }
}

/// Runs work on this many threads, with the interpreter free; an exception from a signal or from the listener stops it.
///
/// On one thread the work runs where it is called, and starts no other. On several it has threads of its own, which end with it. So a
/// process can fork before and afterwards, and its child can work.
pub fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn Progress) -> secateur::Result<T> + Send,
) -> PyResult<T> {
    allocator::prepare().map_err(exception)?;
    if threads > 1 { run_on_threads(py, threads, listener, work) } else { run_here(py, listener, work) }
}

/// What is said of a panic: there should be none.
fn unexpected() -> PyErr {
    PyRuntimeError::new_err("the work ended unexpectedly; please report this")
}

fn run_here<T: Send>(
    py: Python<'_>,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn Progress) -> secateur::Result<T> + Send,
) -> PyResult<T> {
    let here = Here { listener, last: Mutex::new(Instant::now()), problem: Mutex::default() };
    let watch = Watch { here: Some(here), ..Watch::default() };
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(|| alone(|| work(&watch)))));
    match watch.here.and_then(|here| open(&here.problem).take()) {
        Some(problem) => Err(problem),
        None => outcome.map_err(|_| unexpected())?.map_err(exception),
    }
}

/// The calling thread waits, looks for signals and tells the listener.
fn run_on_threads<T: Send, W: FnOnce(&dyn Progress) -> secateur::Result<T> + Send>(
    py: Python<'_>,
    count: usize,
    listener: Option<&Py<PyAny>>,
    work: W,
) -> PyResult<T> {
    let watch = Watch::default();
    let outcome = py.detach(|| {
        std::thread::scope(|scope| {
            // What is to be done comes when the thread is there: without one it is done by the calling thread.
            let (give, given) = channel();
            let (send, receive) = channel();
            let told = &watch;
            let working = move || {
                // Nothing comes where there was no thread for it.
                let Ok(work) = given.recv() else { return };
                let work: W = work;
                let outcome = catch_unwind(AssertUnwindSafe(|| threads::with(count, || work(told))))
                    .map_or_else(|_| Err(unexpected()), |result| result.map_err(exception));
                // The receiver waits for exactly this.
                let _ = send.send(outcome);
            };
            if std::thread::Builder::new().spawn_scoped(scope, working).is_err() {
                return Err(work);
            }
            if let Err(SendError(work)) = give.send(work) {
                return Err(work);
            }
            let mut stopped = None;
            loop {
                match receive.recv_timeout(BEAT) {
                    Ok(outcome) => {
                        return Ok(stopped.map_or(outcome, Err));
                    }
                    Err(RecvTimeoutError::Timeout) if stopped.is_none() => {
                        if let Err(error) = watch.beat(listener) {
                            watch.stop.store(true, Ordering::Relaxed);
                            stopped = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return Ok(Err(PyRuntimeError::new_err("a thread ended before its work was done")));
                    }
                }
            }
        })
    });
    outcome.unwrap_or_else(|work| run_here(py, listener, work))
}
