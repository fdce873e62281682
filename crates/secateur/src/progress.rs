//! How long work tells a watcher how far it is, and how a watcher stops it.

/// Someone who watches long work. All methods may be called from any thread.
pub trait Progress: Sync {
    /// A stage begins; `total` is in the stage's own unit (bytes, nodes, folds), 0 when unknown.
    fn stage(&self, name: &str, total: u64) {
        let _ = (name, total);
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

/// Nobody watches.
pub struct Silent;

impl Progress for Silent {}
