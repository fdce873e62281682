//! The parts of files that are being written, for a program that ends before they are done.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};

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

    pub(super) fn forget(&self) {
        PARTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes the parts of files that are being written, and folders for the time being, as a program does that ends at once. Never waits: parts that cannot be
/// looked up now are removed by the next writer.
pub fn remove_parts() {
    let parts = match PARTS.try_lock() {
        Ok(parts) => parts,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    for path in parts.iter() {
        let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}
