//! The parts of files that are being written, for a program that ends before they are done.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A part that [`remove_parts`] would remove.
pub(super) struct Listed(PathBuf);

impl Listed {
    pub(super) fn new(path: &Path) -> Self {
        // From the root: the program may change its folder.
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        PARTS.lock().unwrap_or_else(PoisonError::into_inner).push(whole.clone());
        Self(whole)
    }

    /// Does what makes the name free for others, renaming or removing the part, and forgets it: nobody who removes parts comes between.
    pub(super) fn forget_with<T>(&self, free: impl FnOnce() -> T) -> T {
        let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
        let done = free();
        parts.retain(|path| *path != self.0);
        done
    }
}

/// How long a part that is just being renamed is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// Removes the parts of files that are being written, and folders for the time being, as a program does that ends at once. Waits no longer than a part takes to be
/// renamed: what cannot be looked up then is removed by the next writer.
pub fn remove_parts() {
    let begun = Instant::now();
    let parts = loop {
        match PARTS.try_lock() {
            Ok(parts) => break parts,
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => return,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    for path in parts.iter() {
        let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}
