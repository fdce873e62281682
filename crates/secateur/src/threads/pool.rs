//! The threads that work runs on: as many as are wanted, or as many as the system gives.
//!
//! A pool cannot be made with fewer threads than it was asked for, and the one of the whole process not even tried twice. So the threads
//! come first, and wait for their part.

use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use crate::memory;
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

/// Whether there is a pool for all work that runs in no other.
static POOL: OnceLock<bool> = OnceLock::new();

/// Starts the threads that work runs on from now on where it is in no pool of its own; 0 stands for as many as `RAYON_NUM_THREADS` says, or else
/// as there are cores. Where the system gives fewer, work goes on with those; where it gives none, on the calling thread. Only the first
/// call has an effect, and work that needs threads before it makes it.
pub fn start(wanted: usize) {
    POOL.get_or_init(|| {
        let threads = Waiting::up_to(wanted);
        let is_there = !threads.0.is_empty();
        if let Some((builder, spawn)) = threads.builder() {
            // It fails where somebody else in this process has made the pool, which then is the one to use.
            let _ = builder.spawn_handler(spawn).build_global();
        }
        is_there
    });
}

/// Whether there are threads for work that is in no pool of its own.
pub(super) fn is_there() -> bool {
    start(0);
    POOL.get().copied().unwrap_or(false)
}

/// A pool with this many threads, or as many as the system gives; `None` where that is none.
pub(super) fn with(wanted: usize) -> Option<ThreadPool> {
    let (builder, spawn) = Waiting::up_to(wanted).builder()?;
    builder.spawn_handler(spawn).build().ok()
}

/// Threads that wait for the part they are to play.
struct Waiting(Vec<Sender<ThreadBuilder>>);

/// Starts a thread and waits until it runs; `None` where the system gives none, or where there is too little memory for its beginning.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let (tell, runs) = channel();
    let mut reserve = Vec::<u8>::new();
    memory::reserve(&mut reserve, FIRST_MEMORY, "a thread").ok()?;
    let run = move || {
        let _ = tell.send(());
        work();
    };
    let thread = std::thread::Builder::new().spawn(run);
    drop(reserve);
    let thread = thread.ok()?;
    runs.recv().ok()?;
    Some(thread)
}

/// The memory that a thread leaves for its own beginning and for the work: with less, the process would end where it cannot be told why.
const FIRST_MEMORY: usize = 8 << 20;

impl Waiting {
    fn up_to(wanted: usize) -> Self {
        let wanted = if wanted > 0 { wanted } else { usual() };
        Self((0..wanted).map_while(|_| Self::one()).collect())
    }

    /// One thread that runs, unless the system refuses it.
    fn one() -> Option<Sender<ThreadBuilder>> {
        let (send, receive) = channel::<ThreadBuilder>();
        let run = move || {
            if let Ok(part) = receive.recv() {
                part.run();
            }
        };
        spawn(run)?;
        Some(send)
    }

    /// A pool of these threads, to be built, and what gives each of them its part; `None` without any.
    fn builder(mut self) -> Option<(ThreadPoolBuilder, impl FnMut(ThreadBuilder) -> io::Result<()>)> {
        let builder = ThreadPoolBuilder::new().num_threads(self.0.len());
        let is_there = !self.0.is_empty();
        let spawn = move |part| {
            let sent = self.0.pop().and_then(|next| next.send(part).ok());
            sent.ok_or_else(|| io::Error::other("a thread has ended"))
        };
        is_there.then_some((builder, spawn))
    }
}

fn usual() -> usize {
    let named = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    named.filter(|n| *n > 0).unwrap_or_else(cores)
}
