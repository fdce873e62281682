//! On how many threads work runs: those of the pool it is called in, or the calling one alone.
//!
//! All work that can be divided goes through the functions below. Within [`alone`] they are plain loops: no thread is started, woken or
//! waited for, which small work is quicker without, and which a process that forks needs. Where the system gives no threads, all
//! work is done so. The results are the same.
//!
//! ```
//! use secateur::data::{CodedTable, Roles, builtin};
//! use secateur::fit::{FitOptions, fit};
//! use secateur::{progress::Silent, threads::alone};
//!
//! let table = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
//! let found = alone(|| fit(&table, &"cart/mdl".parse()?, &FitOptions::default(), &Silent))?;
//! assert_eq!(found.tree.size().leaves, 3);
//! # Ok::<(), secateur::Error>(())
//! ```

mod pool;

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
pub use pool::{spawn, start};

thread_local! {
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs work on the calling thread and on no other.
pub fn alone<T>(work: impl FnOnce() -> T) -> T {
    /// Puts things back, after a panic too.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    work()
}

/// Runs work on this many threads of its own, or as many as the system gives, or on the calling one alone; 0 stands for as many as
/// there are cores.
///
/// ```
/// assert_eq!(secateur::threads::with(2, || secateur::threads::map(3, |i| i + 1)), [1, 2, 3]);
/// ```
pub fn with<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    match (count != 1).then(|| pool::with(count)).flatten() {
        Some(pool) => pool.install(work),
        None => alone(work),
    }
}

/// Whether work is to stay on the calling thread.
pub(crate) fn is_alone() -> bool {
    ALONE.get() || rayon::current_thread_index().is_none() && !pool::is_there()
}

/// The number of threads that work can be divided among.
pub(crate) fn count() -> usize {
    if is_alone() { 1 } else { rayon::current_num_threads() }
}

/// Gives the numbers below `count` to the threads, as ranges.
///
/// All work goes through this one function, whatever its types: what divides work is compiled once, not for each place that has some.
fn divide(count: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    if count < 2 || is_alone() { work(0..count) } else { halve(0..count, self::count(), false, work) }
}

/// Halves a range as long as there are threads for both halves, and more often where a half was taken by a thread that had nothing to do.
fn halve(range: Range<usize>, halvings: usize, stolen: bool, work: &(dyn Fn(Range<usize>) + Sync)) {
    if range.len() < 2 || !stolen && halvings == 0 {
        return work(range);
    }
    let halvings = if stolen { count().max(halvings / 2) } else { halvings / 2 };
    let middle = range.start + range.len() / 2;
    rayon::join_context(
        |at| halve(range.start..middle, halvings, at.migrated(), work),
        |at| halve(middle..range.end, halvings, at.migrated(), work),
    );
}

/// What is behind a lock. (A panic in one part ends all work: nobody sees what it left.)
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Results of ranges, as they come in.
struct RangeResults<T>(Mutex<Vec<(usize, Vec<T>)>>);

impl<T> RangeResults<T> {
    fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn add(&self, first: usize, part: Vec<T>) {
        held(&self.0).push((first, part));
    }

    /// All results in the order of their numbers.
    fn in_order(self) -> Vec<T> {
        let mut parts = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if parts.len() == 1 {
            return parts.swap_remove(0).1;
        }
        let mut order: Vec<(usize, usize)> =
            parts.iter().enumerate().map(|(place, (first, _))| (*first, place)).collect();
        order.sort_unstable();
        let mut all = Vec::with_capacity(parts.iter().map(|(_, part)| part.len()).sum());
        for (_, place) in order {
            all.append(&mut parts[place].1);
        }
        all
    }
}

/// What a function makes of each of this many numbers, in their order.
///
/// ```
/// assert_eq!(secateur::threads::map(4, |i| i * i), [0, 1, 4, 9]);
/// ```
pub fn map<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_with(count, || (), |(), i| of(i))
}

/// [`map`], with something that every part of the work makes once.
pub(crate) fn map_with<W, T: Send>(
    count: usize,
    with: impl Fn() -> W + Sync,
    of: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let parts = RangeResults::new();
    divide(count, &|range| {
        let mut with = with();
        parts.add(range.start, range.map(|i| of(&mut with, i)).collect());
    });
    parts.in_order()
}

/// [`map`] until an error; of several, that of the smallest number.
pub(crate) fn try_map<T: Send>(count: usize, of: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    let (parts, failed, error) = (RangeResults::new(), AtomicUsize::new(usize::MAX), Mutex::new(None));
    divide(count, &|range| {
        let mut part = Vec::with_capacity(range.len());
        for i in range.clone() {
            if i > failed.load(Ordering::Relaxed) {
                return;
            }
            match of(i) {
                Ok(made) => part.push(made),
                Err(wrong) => {
                    let mut error = held(&error);
                    if i < failed.load(Ordering::Relaxed) {
                        failed.store(i, Ordering::Relaxed);
                        *error = Some(wrong);
                    }
                    return;
                }
            }
        }
        parts.add(range.start, part);
    });
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(wrong) => Err(wrong),
        None => Ok(parts.in_order()),
    }
}

/// What a function makes of each item of a list, in their order, until an error; of several, that of the earliest item.
pub(crate) fn try_map_each<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    of: impl Fn(usize, I) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let items = Items::new(items);
    try_map(items.0.len(), |i| match items.take(i) {
        Some(item) => of(i, item),
        None => Err(Error::internal("an item is taken twice")),
    })
}

/// Items of which each is taken once, by the thread that works on it.
struct Items<I>(Vec<Mutex<Option<I>>>);

impl<I> Items<I> {
    fn new(items: impl IntoIterator<Item = I>) -> Self {
        Self(items.into_iter().map(|item| Mutex::new(Some(item))).collect())
    }

    fn take(&self, i: usize) -> Option<I> {
        held(&self.0[i]).take()
    }
}

/// Whether one of this many numbers has a property.
pub(crate) fn any(count: usize, is: impl Fn(usize) -> bool + Sync) -> bool {
    let found = AtomicBool::new(false);
    divide(count, &|mut range| {
        if range.any(|i| found.load(Ordering::Relaxed) || is(i)) {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
}

/// Works on every item of a list, with something that every part of the work makes once.
pub(crate) fn for_each_with<W, I: Send>(
    items: Vec<I>,
    with: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I) + Sync,
) {
    let items = Items::new(items);
    divide(items.0.len(), &|range| {
        let mut with = with();
        range.filter_map(|i| items.take(i)).for_each(|item| work(&mut with, item));
    });
}

/// Makes things on a thread of its own while the calling one works with those that are ready, in their order; at most two are waiting.
/// What goes wrong in working comes before what goes wrong in making.
pub(crate) fn ahead<T: Send, R: Send, M: FnOnce(&mut dyn FnMut(T) -> Result<()>) -> Result<R> + Send>(
    make: M,
    work: &mut dyn FnMut(T) -> Result<()>,
) -> Result<R> {
    if is_alone() {
        return make(work);
    }
    std::thread::scope(|scope| {
        // What is to be done comes when the thread is there: without one it is done here.
        let (give, given) = std::sync::mpsc::channel();
        let (send, receive) = std::sync::mpsc::sync_channel(1);
        let making = std::thread::Builder::new().spawn_scoped(scope, move || {
            let make: M = given.recv().map_err(|_| Error::Cancelled)?;
            // Nobody listens any more when the work has failed.
            make(&mut |thing| send.send(thing).map_err(|_| Error::Cancelled))
        });
        let Ok(making) = making else { return make(work) };
        if let Err(std::sync::mpsc::SendError(make)) = give.send(make) {
            return make(work);
        }
        let worked = receive.iter().try_for_each(work);
        drop(receive);
        let made = making.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        worked.and(made)
    })
}

/// Work that is still to be done, by whichever thread is free; alone, it is done where it is found.
pub(crate) enum Scope<'a, 'scope> {
    Alone,
    Pool(&'a rayon::Scope<'scope>),
}

impl<'scope> Scope<'_, 'scope> {
    /// Gives work away, or does it.
    pub(crate) fn spawn(&self, work: impl FnOnce() + Send + 'scope) {
        match self {
            Self::Alone => work(),
            Self::Pool(scope) => scope.spawn(|_| work()),
        }
    }
}

/// Runs work that can give parts of itself away, and waits for them.
pub(crate) fn scope<'scope, T: Send>(work: impl FnOnce(Scope<'_, 'scope>) -> T + Send) -> T {
    if is_alone() { work(Scope::Alone) } else { rayon::scope(|scope| work(Scope::Pool(scope))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::{ThreadId, current};

    fn threads_of_some_work() -> Vec<ThreadId> {
        let mut found = map(64, |_| current().id());
        found.extend(map_with(64, || (), |(), _| current().id()));
        found.extend(try_map(64, |_| Ok(current().id())).unwrap_or_default());
        let seen = std::sync::Mutex::new(Vec::new());
        let see = |(): &mut (), _| {
            seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(current().id())
        };
        for_each_with((0..64).collect(), || (), see);
        found.extend(seen.into_inner().unwrap_or_default());
        found
    }

    #[test]
    fn alone_means_the_calling_thread() {
        let found = alone(threads_of_some_work);
        assert_eq!(found.len(), 256);
        assert!(found.iter().all(|id| *id == current().id()));
        assert_eq!(alone(count), 1);
        assert!(
            threads_of_some_work().iter().all(|id| *id != current().id()),
            "a pool is used again afterwards"
        );
    }

    #[test]
    fn of_several_errors_the_earliest_is_told_on_any_number_of_threads() {
        let fail = |i: usize| Err::<(), _>(Error::parameter(format!("at {i}")));
        let some = |i: usize| if i % 7 == 5 { fail(i) } else { Ok(()) };
        for threads in [1, 2, 4].repeat(50) {
            let told = with(threads, || try_map(300, some)).unwrap_err();
            assert_eq!(told.to_string(), "at 5", "{threads} threads");
            // By the place of an item, not by what it is.
            let reversed = (0..100usize).rev();
            let told = with(threads, || try_map_each(reversed, |_, item| some(item))).unwrap_err();
            assert_eq!(told.to_string(), "at 96", "{threads} threads");
        }
    }

    #[test]
    fn things_made_ahead_come_in_their_order_and_end_with_the_first_failure() {
        let made = |give: &mut dyn FnMut(u32) -> Result<()>| (0..50).try_for_each(give).map(|()| "all");
        for alone_too in [false, true] {
            let mut seen = Vec::new();
            let mut run = || {
                ahead(made, &mut |i| {
                    seen.push(i);
                    Ok(())
                })
            };
            let all = if alone_too { alone(run) } else { run() };
            assert_eq!(all.unwrap(), "all");
            assert_eq!(seen, (0..50).collect::<Vec<_>>());
        }
        let mut seen = 0;
        let failed = ahead(made, &mut |i| {
            seen += 1;
            if i == 3 { Err(Error::parameter("enough")) } else { Ok(()) }
        });
        assert_eq!((failed.unwrap_err().to_string().as_str(), seen), ("enough", 4));
        let broken = ahead(|_| Err::<(), _>(Error::parameter("nothing")), &mut |(): ()| Ok(()));
        assert_eq!(broken.unwrap_err().to_string(), "nothing");
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let _ = std::panic::catch_unwind(|| alone(|| panic!("on purpose")));
        assert!(!ALONE.get());
    }
}
