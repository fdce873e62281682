//! How long work reports to a watcher how far it is, and how a watcher stops it.

use std::sync::atomic::{AtomicU64, Ordering};

/// Someone who watches long work. All methods may be called from any thread.
pub trait Progress: Sync {
    /// A stage begins; `total` is in the stage's own unit (bytes, nodes, folds), 0 when unknown.
    fn stage(&self, name: &str, total: u64) {
        let _ = (name, total);
    }

    /// A stage begins whose steps are rows.
    fn stage_of_rows(&self, name: &str, rows: u64) {
        self.stage(name, rows);
    }

    /// The stage has moved on by `amount`.
    fn advance(&self, amount: u64) {
        let _ = amount;
    }

    /// Whether the work should stop as soon as it can, with [`Error::Cancelled`](crate::Error::Cancelled).
    fn cancelled(&self) -> bool {
        false
    }
}

/// A stage whose steps add up to its total, whatever the work turns out to be.
pub(crate) struct Stage<'a> {
    progress: &'a dyn Progress,
    left: AtomicU64,
}

impl<'a> Stage<'a> {
    /// Begins a stage.
    pub(crate) fn begin(progress: &'a dyn Progress, name: &str, total: u64) -> Self {
        progress.stage(name, total);
        Self { progress, left: AtomicU64::new(total) }
    }

    /// The stage has moved on by `amount`, or by what is left of it.
    pub(crate) fn advance(&self, amount: u64) {
        let take = |left: u64| Some(left - amount.min(left));
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).unwrap_or(0);
        if amount.min(left) > 0 {
            self.progress.advance(amount.min(left));
        }
    }

    /// The stage is done.
    pub(crate) fn finish(self) {
        self.advance(u64::MAX);
    }
}

/// Nobody watches.
pub struct Silent;

impl Progress for Silent {}
