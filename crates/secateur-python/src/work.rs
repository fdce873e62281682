//! Long work: on threads of its own, with the interpreter free, stopped by Ctrl-C, telling how far it is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use secateur::progress::Progress;

use crate::failure::exception;

/// How often the interpreter is asked for signals.
const BEAT: Duration = Duration::from_millis(50);

/// What working threads report, and what they are asked to do.
#[derive(Default)]
struct Watch {
    stop: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
    stage: Mutex<String>,
}

impl Progress for Watch {
    fn stage(&self, name: &str, total: u64) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = name.into();
        self.total.store(total, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Watch {
    /// Lets the interpreter act on signals and tells the listener how far the work is.
    fn beat(&self, listener: Option<&Py<PyAny>>) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            if let Some(listener) = listener {
                let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
                listener.call1(py, (stage, done, total))?;
            }
            Ok(())
        })
    }
}

/// Runs work on so many threads. The calling thread waits without the interpreter and looks for signals; an exception from
/// there, or from the listener, stops the work. Threads end with the work, so that a process can fork afterwards.
pub fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn Progress) -> secateur::Result<T> + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            let told = &watch;
            let working = move || {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let outcome = match pool {
                    Ok(pool) => catch_unwind(AssertUnwindSafe(|| pool.install(|| work(told))))
                        .map_err(|_| "the work ended unexpectedly; please report this".to_string())
                        .map(|result| result.map_err(exception)),
                    Err(error) => Err(format!("cannot start {threads} threads: {error}")),
                };
                // The receiver waits for exactly this.
                let _ = send.send(outcome);
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, working) {
                return Err(PyRuntimeError::new_err(format!("cannot start a thread: {error}")));
            }
            let mut stopped = None;
            loop {
                match receive.recv_timeout(BEAT) {
                    Ok(outcome) => {
                        let result = outcome.unwrap_or_else(|text| Err(PyRuntimeError::new_err(text)));
                        return stopped.map_or(result, Err);
                    }
                    Err(RecvTimeoutError::Timeout) if stopped.is_none() => {
                        if let Err(error) = watch.beat(listener) {
                            watch.stop.store(true, Ordering::Relaxed);
                            stopped = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(PyRuntimeError::new_err("a thread ended before its work was done"));
                    }
                }
            }
        })
    })
}
